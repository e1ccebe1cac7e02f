# One static library for each folder of src/, so that the link lines say what may use what.

# twindex_folder(NAME [SQL] [USES folder...] [LINK target...])
#   SQL: the folder reads the embedded statements of sql/.
function(twindex_folder name)
    cmake_parse_arguments(F "SQL" "" "USES;LINK" ${ARGN})
    set(folder "${CMAKE_SOURCE_DIR}/src/${name}")
    if(name IN_LIST TWINDEX_ALL_WINGS)
        set(folder "${CMAKE_SOURCE_DIR}/src/wings/${name}")
    endif()
    file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.c")
    list(FILTER sources EXCLUDE REGEX "/wings/.*/(api|command|ext|settings)_[^/]*$")
    add_library(twx_${name} STATIC ${sources})
    add_dependencies(twx_${name} twindex_rows)
    set_target_properties(twx_${name} PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(twx_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/src/wings" "${CMAKE_SOURCE_DIR}/src/include"
                               "${TWINDEX_ROWS_DIR}")
    target_link_libraries(twx_${name} PUBLIC twindex_flags ${F_LINK})
    foreach(used IN LISTS F_USES)
        target_link_libraries(twx_${name} PUBLIC twx_${used})
    endforeach()
    if(F_SQL)
        twindex_embed_sql(twx_${name})
    endif()
endfunction()

# twindex_program(NAME FOLDER folder [USES folder...]): the program: main.c of the folder, and the rest of it as a library
# twx_<folder>, so that tests can link it.
function(twindex_program name)
    cmake_parse_arguments(P "" "FOLDER" "USES" ${ARGN})
    twindex_folder(${P_FOLDER} USES ${P_USES})
    set(main "${CMAKE_SOURCE_DIR}/src/${P_FOLDER}/main.c")
    get_target_property(sources twx_${P_FOLDER} SOURCES)
    list(REMOVE_ITEM sources "${main}")
    set_target_properties(twx_${P_FOLDER} PROPERTIES SOURCES "${sources}")
    add_executable(${name} "${main}")
    target_link_libraries(${name} PRIVATE twx_${P_FOLDER})
endfunction()

# twindex_library(TARGET): the shared library: the folder api and all that it uses; only what twindex.h marks is exported. TWINDEX_ABI changes when a
# program would have to be compiled again.
set(TWINDEX_ABI 1)
function(twindex_library name)
    get_target_property(sources twx_api SOURCES)
    add_library(${name} SHARED ${sources})
    set_target_properties(${name} PROPERTIES OUTPUT_NAME twindex VERSION ${TWINDEX_ABI}.0.0 SOVERSION ${TWINDEX_ABI})
    add_dependencies(${name} twindex_rows)
    target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/src/wings" "${CMAKE_SOURCE_DIR}/src/include"
                               "${TWINDEX_ROWS_DIR}")
    get_target_property(folders twx_api LINK_LIBRARIES)
    target_link_libraries(${name} PRIVATE ${folders})
    # the folders are archives: what they define stays inside
    target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)
    # a sanitizer is in the program, not in the library
    if(NOT TWINDEX_SANITIZE)
        target_link_options(${name} PRIVATE -Wl,-z,defs)
    endif()
endfunction()

# twindex_static_library(TARGET FOLDER folder): libtwindex.a: the objects of the folder and of all that it links.
function(twindex_static_library name)
    cmake_parse_arguments(S "" "FOLDER" "" ${ARGN})
    set(waiting "twx_${S_FOLDER}")
    set(seen)
    while(waiting)
        list(POP_FRONT waiting folder)
        if(folder IN_LIST seen)
            continue()
        endif()
        list(APPEND seen "${folder}")
        list(APPEND objects "$<TARGET_OBJECTS:${folder}>")
        get_target_property(links "${folder}" LINK_LIBRARIES)
        list(FILTER links INCLUDE REGEX "^twx_")
        list(APPEND waiting ${links})
    endwhile()
    add_library(${name} STATIC ${objects})
    set_target_properties(${name} PROPERTIES OUTPUT_NAME twindex LINKER_LANGUAGE C)
endfunction()

# twindex_extension(TARGET FOLDER folder): the SQLite extension twindex.so: the entry twindex_ext.c of the folder, and the rest
# of it as the library twx_<folder>. It has no undefined sqlite3_*: those come through a table at load time.
function(twindex_extension name)
    cmake_parse_arguments(E "" "FOLDER" "" ${ARGN})
    set(entry "${CMAKE_SOURCE_DIR}/src/${E_FOLDER}/twindex_ext.c")
    get_target_property(sources twx_${E_FOLDER} SOURCES)
    list(REMOVE_ITEM sources "${entry}")
    set_target_properties(twx_${E_FOLDER} PROPERTIES SOURCES "${sources}")
    target_include_directories(twx_${E_FOLDER} PUBLIC ${SQLITE_INCLUDE_DIRS})
    add_library(${name} MODULE "${entry}")
    set_target_properties(${name} PROPERTIES PREFIX "" OUTPUT_NAME twindex SUFFIX .so)
    target_link_libraries(${name} PRIVATE twx_${E_FOLDER})
    # nodelete: SQLite unloads a library whose entry fails, though some of its functions may be registered
    # as-needed: the folders link libraries, SQLite's among them, for functions that the extension does not have
    target_link_options(${name} PRIVATE -Wl,-z,nodelete -Wl,--as-needed)
endfunction()
