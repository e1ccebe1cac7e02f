# Manual pages and the completion of shells, made by the program from its own tables into ${CMAKE_BINARY_DIR}/man.
# The commands are the files command_<name>.c of src/cli and of the wings. Include it behind the target `twindex`.
include(GNUInstallDirs)

file(GLOB command_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/cli/command_*.c")
twindex_wing_sources(wing_commands "command_*.c")
list(APPEND command_files ${wing_commands})
set(man_pages "twindex.1=twindex" "twindex.conf.5=twindex.conf")
foreach(file IN LISTS command_files)
    get_filename_component(command "${file}" NAME_WE)
    string(REPLACE "command_" "" command "${command}")
    if(NOT command STREQUAL "table")
        list(APPEND man_pages "twindex-${command}.1=${command}")
    endif()
endforeach()

set(man_dir "${CMAKE_BINARY_DIR}/man")
file(MAKE_DIRECTORY "${man_dir}")
foreach(page IN LISTS man_pages)
    string(REGEX MATCH "^(.*\\.([15]))=(.*)$" _ "${page}")
    set(file "${man_dir}/${CMAKE_MATCH_1}")
    add_custom_command(OUTPUT "${file}" COMMAND twindex help --man ${CMAKE_MATCH_3} > "${file}"
        DEPENDS twindex VERBATIM)
    list(APPEND man_files "${file}")
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${CMAKE_MATCH_2}")
endforeach()

# shell, folder below share, name of the file
set(completions "bash=bash-completion/completions=twindex" "zsh=zsh/vendor-completions=_twindex" "fish=fish/vendor_completions.d=twindex.fish")
foreach(completion IN LISTS completions)
    string(REGEX MATCH "^(.*)=(.*)=(.*)$" _ "${completion}")
    set(file "${man_dir}/completion.${CMAKE_MATCH_1}")
    set(folder "${CMAKE_MATCH_2}")
    set(name "${CMAKE_MATCH_3}")
    add_custom_command(OUTPUT "${file}" COMMAND twindex help --completion ${CMAKE_MATCH_1} > "${file}" DEPENDS twindex VERBATIM)
    list(APPEND man_files "${file}")
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${folder}" RENAME "${name}")
endforeach()
add_custom_target(twindex_man ALL DEPENDS ${man_files})
