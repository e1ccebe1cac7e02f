# The wings of a build: folders of src/wings, none of which the core needs. What one has is found by the names of its files:
#   wing.rows              its rows: methods, commands and so on, collected with those of the core into rows.h
#   methods/*.c            compiled into the room sign
#   settings_*.c           compiled into the room run
#   settings_*.tsv         its settings, collected with those of the core into setting_rows.h
#   command_*.tsv          the options of its commands, collected with those of the core into option_rows.h
#   ext_*.tsv              its SQL functions, collected with those of the core into function_rows.h
#   api_*.c command_*.c ext_*.c    compiled into api, cli and ext, whose interfaces they use
#   the other files        a library of its own, twx_<wing>
set(TWINDEX_ALL_WINGS import predict lab cluster serve)
set(TWINDEX_WINGS "${TWINDEX_ALL_WINGS}" CACHE STRING "wings to build, separated by blanks or semicolons; empty: the core alone")
string(REPLACE " " ";" TWINDEX_WING_LIST "${TWINDEX_WINGS}")
foreach(wing IN LISTS TWINDEX_WING_LIST)
    if(NOT wing IN_LIST TWINDEX_ALL_WINGS)
        message(FATAL_ERROR "TWINDEX_WINGS: there is no wing '${wing}'; there are ${TWINDEX_ALL_WINGS}")
    endif()
endforeach()

set(TWINDEX_ROWS "${CMAKE_SOURCE_DIR}/src/sign/methods.rows" "${CMAKE_SOURCE_DIR}/src/run/settings.rows" "${CMAKE_SOURCE_DIR}/src/cli/commands.rows")
set(TWINDEX_SETTINGS "${CMAKE_SOURCE_DIR}/src/run/settings.tsv")
set(TWINDEX_FUNCTIONS "${CMAKE_SOURCE_DIR}/src/ext/functions.tsv")
set(TWINDEX_OPTIONS "${CMAKE_SOURCE_DIR}/src/cli/options.tsv")
foreach(wing IN LISTS TWINDEX_WING_LIST)
    set(folder "${CMAKE_SOURCE_DIR}/src/wings/${wing}")
    list(APPEND TWINDEX_ROWS "${folder}/wing.rows")
    file(GLOB settings CONFIGURE_DEPENDS "${folder}/settings_*.tsv")
    list(APPEND TWINDEX_SETTINGS ${settings})
    file(GLOB functions CONFIGURE_DEPENDS "${folder}/ext_*.tsv")
    list(APPEND TWINDEX_FUNCTIONS ${functions})
    file(GLOB options CONFIGURE_DEPENDS "${folder}/command_*.tsv")
    list(APPEND TWINDEX_OPTIONS ${options})
endforeach()
set(TWINDEX_ROWS_DIR "${CMAKE_BINARY_DIR}/rows")
# written anew when the list of wings changes, which is no dependency that a build tool sees
set(rows_list "${TWINDEX_ROWS_DIR}/list.txt")
file(CONFIGURE OUTPUT "${rows_list}" CONTENT "${TWINDEX_ROWS}\n")
set(TWINDEX_ROWS_HEADERS)

# twindex_rows(NAME FILE...): makes NAME.h of the rows of the files, by scripts/cmake/NAME.awk
function(twindex_rows name)
    set(script "${CMAKE_SOURCE_DIR}/scripts/cmake/${name}.awk")
    set(common "${CMAKE_SOURCE_DIR}/scripts/cmake/table.awk")
    set(header "${TWINDEX_ROWS_DIR}/${name}.h")
    add_custom_command(
        OUTPUT "${header}"
        COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${AWK_PROGRAM} -f "${common}" -f "${script}" ${ARGN} > "${header}"
        DEPENDS ${ARGN} "${rows_list}" "${common}" "${script}"
        COMMENT "collect ${name}" VERBATIM)
    set(TWINDEX_ROWS_HEADERS ${TWINDEX_ROWS_HEADERS} "${header}" PARENT_SCOPE)
endfunction()

twindex_rows(rows ${TWINDEX_ROWS})
twindex_rows(setting_rows ${TWINDEX_SETTINGS})
twindex_rows(function_rows ${TWINDEX_FUNCTIONS})
twindex_rows(option_rows ${TWINDEX_OPTIONS})
if("cluster" IN_LIST TWINDEX_WING_LIST)
    twindex_rows(work_tables "${CMAKE_SOURCE_DIR}/src/wings/cluster/work_tables.tsv")
endif()
add_custom_target(twindex_rows DEPENDS ${TWINDEX_ROWS_HEADERS})

# twindex_wing_sources(VARIABLE PATTERN [WING...]): the files of the wings of the build, or of these, by a pattern below a wing's folder.
function(twindex_wing_sources variable pattern)
    set(found)
    set(wings ${ARGN})
    if(NOT wings)
        set(wings ${TWINDEX_WING_LIST})
    endif()
    foreach(wing IN LISTS wings)
        file(GLOB more CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/wings/${wing}/${pattern}")
        list(APPEND found ${more})
    endforeach()
    set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# twindex_join_wings(FOLDER PATTERN): compiles such files of the wings into the library of the folder. sign and run, which the wings use, have
# what they need already; the others come after the wings and link them.
function(twindex_join_wings folder pattern)
    foreach(wing IN LISTS TWINDEX_WING_LIST)
        twindex_wing_sources(sources "${pattern}" ${wing})
        if(sources)
            target_sources(twx_${folder} PRIVATE ${sources})
            if(NOT folder MATCHES "^(sign|run)$")
                target_link_libraries(twx_${folder} PUBLIC twx_${wing})
            endif()
        endif()
    endforeach()
endfunction()

# twindex_wing(NAME ...): as twindex_folder(), if the wing is in the build.
macro(twindex_wing name)
    if("${name}" IN_LIST TWINDEX_WING_LIST)
        twindex_folder(${name} ${ARGN})
    endif()
endmacro()
