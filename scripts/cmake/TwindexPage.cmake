# Embeds the style and script of the report page into page_text.h: what it shares with the workbench (share/page), then its own.
find_program(AWK_PROGRAM NAMES awk REQUIRED)
set(TWINDEX_PAGE_FILES "${CMAKE_SOURCE_DIR}/share/page/base.css" "${CMAKE_SOURCE_DIR}/share/report/report.css"
                       "${CMAKE_SOURCE_DIR}/share/page/tables.js" "${CMAKE_SOURCE_DIR}/share/report/report.js")
set(TWINDEX_PAGE_DIR "${CMAKE_BINARY_DIR}/page")
add_custom_command(
    OUTPUT "${TWINDEX_PAGE_DIR}/page_text.h"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${TWINDEX_PAGE_DIR}"
    COMMAND ${AWK_PROGRAM} -v part=PAGE -f "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-page.awk"
            ${TWINDEX_PAGE_FILES} > "${TWINDEX_PAGE_DIR}/page_text.h"
    DEPENDS ${TWINDEX_PAGE_FILES} "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-page.awk"
    COMMENT "embed share/report" VERBATIM)
add_custom_target(twindex_page DEPENDS "${TWINDEX_PAGE_DIR}/page_text.h")

function(twindex_embed_page target)
    add_dependencies(${target} twindex_page)
    target_include_directories(${target} PRIVATE "${TWINDEX_PAGE_DIR}")
endfunction()
