# Compiles share/tables/NAME.tsv, facts from standards and lists of words, into NAME_table.h: by scripts/cmake/table-NAME.awk, or by
# table-rows.awk where a table is rows of C.
find_program(AWK_PROGRAM NAMES awk REQUIRED)
set(TWINDEX_TABLES_DIR "${CMAKE_BINARY_DIR}/tables")
set(TWINDEX_TABLE_HEADERS)

# twindex_table(NAME FILE...): the files are those of share/tables, in the order in which the script reads them
function(twindex_table name)
    set(script "${CMAKE_SOURCE_DIR}/scripts/cmake/table-${name}.awk")
    if(NOT EXISTS "${script}")
        set(script "${CMAKE_SOURCE_DIR}/scripts/cmake/table-rows.awk")
    endif()
    set(common "${CMAKE_SOURCE_DIR}/scripts/cmake/table.awk")
    list(TRANSFORM ARGN PREPEND "${CMAKE_SOURCE_DIR}/share/tables/")
    set(header "${TWINDEX_TABLES_DIR}/${name}_table.h")
    add_custom_command(
        OUTPUT "${header}"
        COMMAND ${CMAKE_COMMAND} -E make_directory "${TWINDEX_TABLES_DIR}"
        COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${AWK_PROGRAM} -v name=${name} -f "${common}" -f "${script}" ${ARGN} > "${header}"
        DEPENDS ${ARGN} "${common}" "${script}"
        COMMENT "compile share/tables: ${name}" VERBATIM)
    set(TWINDEX_TABLE_HEADERS ${TWINDEX_TABLE_HEADERS} "${header}" PARENT_SCOPE)
endfunction()

twindex_table(char_class char_class.tsv)
twindex_table(letters letters.tsv)
twindex_table(stem_languages stem_languages.tsv)
twindex_table(stop_words stop_words.txt)
twindex_table(char_refs char_refs.tsv)
twindex_table(elements elements.tsv)
twindex_table(encodings encodings.tsv encoding_indexes.tsv)
twindex_table(quirks quirks.tsv)
twindex_table(document_types document_types.tsv)
twindex_table(url_words url_words.tsv)
twindex_table(name_words name_words.tsv)
twindex_table(shown_forms shown_forms.txt)
twindex_table(column_names column_names.tsv)
twindex_table(rule_functions rule_functions.tsv)
twindex_table(man_items man_items.tsv)
add_custom_target(twindex_tables DEPENDS ${TWINDEX_TABLE_HEADERS})

# twindex_use_tables(TARGET PRIVATE|PUBLIC): PUBLIC where a header of the target includes a table
function(twindex_use_tables target scope)
    add_dependencies(${target} twindex_tables)
    target_include_directories(${target} ${scope} "${TWINDEX_TABLES_DIR}")
endfunction()
