# Embeds share/page/* and share/serve/*, the pages of the workbench, and share/rules/* into serve_text.h.
find_program(AWK_PROGRAM NAMES awk REQUIRED)
file(GLOB TWINDEX_SERVE_FILES CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/share/page/*.css" "${CMAKE_SOURCE_DIR}/share/page/*.js"
     "${CMAKE_SOURCE_DIR}/share/serve/*.html" "${CMAKE_SOURCE_DIR}/share/serve/*.css"
     "${CMAKE_SOURCE_DIR}/share/serve/*.js" "${CMAKE_SOURCE_DIR}/share/rules/*.rules")
list(SORT TWINDEX_SERVE_FILES)
set(TWINDEX_SERVE_DIR "${CMAKE_BINARY_DIR}/serve")
add_custom_command(
    OUTPUT "${TWINDEX_SERVE_DIR}/serve_text.h"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${TWINDEX_SERVE_DIR}"
    COMMAND ${AWK_PROGRAM} -f "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-serve.awk"
            ${TWINDEX_SERVE_FILES} > "${TWINDEX_SERVE_DIR}/serve_text.h"
    DEPENDS ${TWINDEX_SERVE_FILES} "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-serve.awk"
    COMMENT "embed share/page and share/serve" VERBATIM)
add_custom_target(twindex_serve_text DEPENDS "${TWINDEX_SERVE_DIR}/serve_text.h")

function(twindex_embed_serve target)
    add_dependencies(${target} twindex_serve_text)
    target_include_directories(${target} PRIVATE "${TWINDEX_SERVE_DIR}")
endfunction()
