# What 'cmake --install' installs; scripts/debian distributes the same files over Debian packages.
include(CMakePackageConfigHelpers)

set_target_properties(libtwindex PROPERTIES EXPORT_NAME twindex)
target_include_directories(libtwindex INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS twindex RUNTIME)
install(TARGETS libtwindex EXPORT twindex LIBRARY)
install(DIRECTORY src/include/twindex TYPE INCLUDE)

set(TWINDEX_SHARE_DIR "${CMAKE_INSTALL_DATADIR}/twindex")
set(TWINDEX_DOC_DIR "${CMAKE_INSTALL_DATADIR}/doc/twindex")
install(DIRECTORY share/rules share/presets share/patterns DESTINATION "${TWINDEX_SHARE_DIR}")
file(GLOB TWINDEX_DOCS CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/docs/*.md")
install(FILES README.md SECURITY.md DESTINATION "${TWINDEX_DOC_DIR}")
install(FILES ${TWINDEX_DOCS} DESTINATION "${TWINDEX_DOC_DIR}/docs")
install(DIRECTORY docs/examples/ share/examples/ DESTINATION "${TWINDEX_DOC_DIR}/examples" USE_SOURCE_PERMISSIONS)

# systemd and cron
set(TWINDEX_UNIT_DIR "lib/systemd/system" CACHE STRING "folder of systemd's units")
install(FILES share/services/twindex@.service share/services/twindex-follow@.service share/services/twindex@.timer share/services/twindex@.path DESTINATION "${TWINDEX_UNIT_DIR}")
install(PROGRAMS share/services/run-as-owner DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/twindex")
install(FILES share/services/twindex.cron share/services/twindex-failed@.service DESTINATION "${TWINDEX_DOC_DIR}/examples")

# In the source these files have the paths of the packages; the prefix is only known now.
install(CODE "set(folders \"bin=${CMAKE_INSTALL_BINDIR}\" \"libexec=${CMAKE_INSTALL_LIBEXECDIR}\" \"share/doc=${CMAKE_INSTALL_DATADIR}/doc\")
set(unit_dir \"${TWINDEX_UNIT_DIR}\")
set(doc_dir \"${TWINDEX_DOC_DIR}\")
set(libexec_dir \"${CMAKE_INSTALL_LIBEXECDIR}\")")
install(SCRIPT scripts/cmake/InstalledPaths.cmake)

# the SQLite extension, where '.load twindex' finds it
install(TARGETS twindex_ext LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES docs/extension.md DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/twindex-sqlite" RENAME README.md)

# pkg-config: cc prog.c $(pkg-config --cflags --libs twindex)
file(RELATIVE_PATH TWINDEX_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(scripts/cmake/twindex.pc.in twindex.pc @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/twindex.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# CMake: find_package(twindex), target_link_libraries(prog twindex::twindex)
set(TWINDEX_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/twindex")
install(EXPORT twindex NAMESPACE twindex:: FILE twindex-config.cmake DESTINATION "${TWINDEX_CMAKE_DIR}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/twindex-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/twindex-config-version.cmake" DESTINATION "${TWINDEX_CMAKE_DIR}")

# The static library, for packages: the objects of all folders that the shared one links.
if(TWINDEX_STATIC)
    twindex_static_library(libtwindex_static FOLDER api)
    install(TARGETS libtwindex_static ARCHIVE)
endif()
