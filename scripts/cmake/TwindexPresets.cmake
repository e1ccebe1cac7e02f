# Embeds share/presets/*.conf, the mappings of known programs, into presets_text.h.
find_program(AWK_PROGRAM NAMES awk REQUIRED)
file(GLOB TWINDEX_PRESETS CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/share/presets/*.conf")
list(SORT TWINDEX_PRESETS)
set(TWINDEX_PRESETS_DIR "${CMAKE_BINARY_DIR}/presets")
add_custom_command(
    OUTPUT "${TWINDEX_PRESETS_DIR}/presets_text.h"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${TWINDEX_PRESETS_DIR}"
    COMMAND ${AWK_PROGRAM} -f "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-presets.awk"
            ${TWINDEX_PRESETS} > "${TWINDEX_PRESETS_DIR}/presets_text.h"
    DEPENDS ${TWINDEX_PRESETS} "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-presets.awk"
    COMMENT "embed share/presets" VERBATIM)
add_custom_target(twindex_presets DEPENDS "${TWINDEX_PRESETS_DIR}/presets_text.h")

function(twindex_embed_presets target)
    add_dependencies(${target} twindex_presets)
    target_include_directories(${target} PRIVATE "${TWINDEX_PRESETS_DIR}")
endfunction()

# And share/patterns/pages.tsv, the patterns of pages without content, into patterns_text.h.
set(TWINDEX_PATTERNS "${CMAKE_SOURCE_DIR}/share/patterns/pages.tsv")
set(TWINDEX_PATTERNS_DIR "${CMAKE_BINARY_DIR}/patterns")
add_custom_command(
    OUTPUT "${TWINDEX_PATTERNS_DIR}/patterns_text.h"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${TWINDEX_PATTERNS_DIR}"
    COMMAND ${AWK_PROGRAM} -f "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-patterns.awk"
            "${TWINDEX_PATTERNS}" > "${TWINDEX_PATTERNS_DIR}/patterns_text.h"
    DEPENDS "${TWINDEX_PATTERNS}" "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-patterns.awk"
    COMMENT "embed share/patterns" VERBATIM)
add_custom_target(twindex_patterns DEPENDS "${TWINDEX_PATTERNS_DIR}/patterns_text.h")

function(twindex_embed_patterns target)
    add_dependencies(${target} twindex_patterns)
    target_include_directories(${target} PRIVATE "${TWINDEX_PATTERNS_DIR}")
endfunction()
