# Run by 'cmake --install': units, the example for cron and run-as-owner name the paths of the prefix instead of those below /usr.
# in: folders, a list of "folder of /usr=folder of the prefix"; unit_dir, doc_dir, libexec_dir.
foreach(file IN ITEMS "${unit_dir}/twindex@.service" "${unit_dir}/twindex-follow@.service" "${unit_dir}/twindex@.timer" "${unit_dir}/twindex@.path" "${libexec_dir}/twindex/run-as-owner"
        "${doc_dir}/examples/twindex.cron" "${doc_dir}/examples/twindex-failed@.service")
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
    set(file "$ENV{DESTDIR}${file}")
    file(READ "${file}" text)
    set(installed "${text}")
    foreach(folder IN LISTS folders)
        string(REGEX MATCH "^(.*)=(.*)$" _ "${folder}")
        cmake_path(ABSOLUTE_PATH CMAKE_MATCH_2 BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE OUTPUT_VARIABLE there)
        string(REPLACE "/usr/${CMAKE_MATCH_1}/" "${there}/" installed "${installed}")
    endforeach()
    if(NOT installed STREQUAL text)
        file(WRITE "${file}" "${installed}")
    endif()
endforeach()
