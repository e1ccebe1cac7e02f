# Embeds the scripts of share/completion into completion_text.h, and docs/commands/*.txt and docs/topics/*.txt, the prose of --help, of the manual pages and of the topics, into prose_text.h.
find_program(AWK_PROGRAM NAMES awk REQUIRED)
file(GLOB TWINDEX_PROSE CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/docs/commands/*.txt" "${CMAKE_SOURCE_DIR}/docs/topics/*.txt")
list(SORT TWINDEX_PROSE)
set(TWINDEX_PROSE_DIR "${CMAKE_BINARY_DIR}/commands")
add_custom_command(
    OUTPUT "${TWINDEX_PROSE_DIR}/prose_text.h"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${TWINDEX_PROSE_DIR}"
    COMMAND ${AWK_PROGRAM} -f "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-commands.awk"
            ${TWINDEX_PROSE} > "${TWINDEX_PROSE_DIR}/prose_text.h"
    DEPENDS ${TWINDEX_PROSE} "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-commands.awk"
    COMMENT "embed docs/commands and docs/topics" VERBATIM)
set(TWINDEX_COMPLETION "${CMAKE_SOURCE_DIR}/share/completion/twindex.bash" "${CMAKE_SOURCE_DIR}/share/completion/twindex.zsh"
                       "${CMAKE_SOURCE_DIR}/share/completion/twindex.fish")
add_custom_command(
    OUTPUT "${TWINDEX_PROSE_DIR}/completion_text.h"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${TWINDEX_PROSE_DIR}"
    COMMAND ${AWK_PROGRAM} -v part=COMPLETION -f "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-page.awk"
            ${TWINDEX_COMPLETION} > "${TWINDEX_PROSE_DIR}/completion_text.h"
    DEPENDS ${TWINDEX_COMPLETION} "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-page.awk"
    COMMENT "embed share/completion" VERBATIM)
add_custom_target(twindex_commands DEPENDS "${TWINDEX_PROSE_DIR}/prose_text.h" "${TWINDEX_PROSE_DIR}/completion_text.h")

function(twindex_embed_commands target)
    add_dependencies(${target} twindex_commands)
    target_include_directories(${target} PRIVATE "${TWINDEX_PROSE_DIR}")
    # where rule files are installed, for completion
    target_compile_definitions(${target} PRIVATE TWINDEX_SHARE="${CMAKE_INSTALL_FULL_DATADIR}/twindex")
endfunction()
