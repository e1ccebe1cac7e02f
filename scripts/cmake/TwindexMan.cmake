# Manual pages and the completion of shells, made by the program from its own tables into ${CMAKE_BINARY_DIR}/man.
# The commands are the rows of commands.rows and of the wings. Include it after the target `twindex`.
include(GNUInstallDirs)

set(man_pages "twindex.1=twindex" "twindex.conf.5=twindex.conf")
foreach(rows IN LISTS TWINDEX_ROWS)
    file(STRINGS "${rows}" commands REGEX "^command ")
    foreach(row IN LISTS commands)
        string(REGEX REPLACE "^command [0-9]+ " "" command "${row}")
        list(APPEND man_pages "twindex-${command}.1=${command}")
    endforeach()
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
