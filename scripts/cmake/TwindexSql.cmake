# Embeds sql/**/*.sql as C strings. The statement "-- name: insert" of sql/query/flags.sql becomes
# TWX_SQL_QUERY_FLAGS_INSERT.
find_program(AWK_PROGRAM NAMES awk REQUIRED)
file(GLOB_RECURSE TWINDEX_SQL_FILES CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/sql/*.sql")
list(SORT TWINDEX_SQL_FILES)
set(TWINDEX_SQL_DIR "${CMAKE_BINARY_DIR}/sql")
set(TWINDEX_SQL_HEADER "${TWINDEX_SQL_DIR}/sql_text.h")
add_custom_command(
    OUTPUT "${TWINDEX_SQL_HEADER}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${TWINDEX_SQL_DIR}"
    COMMAND ${AWK_PROGRAM} -v root=${CMAKE_SOURCE_DIR}/sql/ -f "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-sql.awk"
            ${TWINDEX_SQL_FILES} > "${TWINDEX_SQL_HEADER}"
    DEPENDS ${TWINDEX_SQL_FILES} "${CMAKE_SOURCE_DIR}/scripts/cmake/embed-sql.awk"
    COMMENT "embed sql/" VERBATIM)
add_custom_target(twindex_sql DEPENDS "${TWINDEX_SQL_HEADER}")

function(twindex_embed_sql target)
    add_dependencies(${target} twindex_sql)
    target_include_directories(${target} PUBLIC "${TWINDEX_SQL_DIR}")
endfunction()
