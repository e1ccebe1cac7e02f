# Install components cli (program, library, manual pages), dev (header, pkg-config file, CMake package) and ext (the SQLite
# extension); scripts/package makes a Debian package of each.
include(CMakePackageConfigHelpers)

set_target_properties(libtwindex PROPERTIES EXPORT_NAME twindex)
target_include_directories(libtwindex INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS twindex RUNTIME COMPONENT cli)
install(TARGETS libtwindex EXPORT twindex LIBRARY COMPONENT cli NAMELINK_COMPONENT dev)
install(DIRECTORY src/include/twindex TYPE INCLUDE COMPONENT dev)
install(FILES LICENSE TYPE DOC RENAME copyright COMPONENT cli)
install(FILES CHANGELOG.md TYPE DOC COMPONENT cli)
install(DIRECTORY share/rules share/presets DESTINATION "${CMAKE_INSTALL_DATADIR}/twindex" COMPONENT cli)

# sqlite3 my.db '.load /usr/lib/twindex/twindex.so'
set(TWINDEX_EXT_DOC_DIR "${CMAKE_INSTALL_DATADIR}/doc/libsqlite3-mod-twindex")
install(TARGETS twindex_ext LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/twindex" COMPONENT ext)
install(FILES docs/extension.md DESTINATION "${TWINDEX_EXT_DOC_DIR}" COMPONENT ext)
install(FILES LICENSE DESTINATION "${TWINDEX_EXT_DOC_DIR}" RENAME copyright COMPONENT ext)

# pkg-config: cc prog.c $(pkg-config --cflags --libs twindex)
file(RELATIVE_PATH TWINDEX_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(scripts/cmake/twindex.pc.in twindex.pc @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/twindex.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)

# CMake: find_package(twindex), target_link_libraries(prog twindex::twindex)
set(TWINDEX_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/twindex")
install(EXPORT twindex NAMESPACE twindex:: FILE twindex-config.cmake DESTINATION "${TWINDEX_CMAKE_DIR}" COMPONENT dev)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/twindex-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/twindex-config-version.cmake" DESTINATION "${TWINDEX_CMAKE_DIR}" COMPONENT dev)

# Debian packages. The dependencies are written by hand: derived ones named the versions of the build machine.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME twindex)
set(CPACK_PACKAGE_CONTACT "the Twindex authors <twindex@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL cli dev ext)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME twindex)
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_CLI_DESCRIPTION "Reads the documents of an SQLite store, finds the duplicates among them,
 and writes flags that ranking rules use to filter or demote the duplicates.")
string(JOIN ", " CPACK_DEBIAN_CLI_PACKAGE_DEPENDS
    "libc6 (>= 2.36)" "libsqlite3-0 (>= 3.40)" "libpcre2-8-0 (>= 10.40)" "libssl3 (>= 3.0)" "libxxhash0 (>= 0.8)"
    "libidn2-0 (>= 2.3)" "libpsl5 (>= 0.21)" "libstemmer0d" "libunistring2" "zlib1g" "libbrotli1" "libzstd1" "libzip4 (>= 1.7)" "libinih1" "libjansson4 (>= 2.14)" "libmicrohttpd12 (>= 0.9.75)")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtwindex-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEV_DESCRIPTION "Header, pkg-config file and CMake package of libtwindex.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "twindex (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_EXT_PACKAGE_NAME libsqlite3-mod-twindex)
set(CPACK_DEBIAN_EXT_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_EXT_DESCRIPTION "Loadable extension of SQLite: signatures, similarities and URLs as SQL functions,
 with the same values as in twindex.")
string(JOIN ", " CPACK_DEBIAN_EXT_PACKAGE_DEPENDS
    "libc6 (>= 2.36)" "libsqlite3-0 (>= 3.40)" "libpcre2-8-0 (>= 10.40)" "libssl3 (>= 3.0)" "libxxhash0 (>= 0.8)"
    "libidn2-0 (>= 2.3)" "libpsl5 (>= 0.21)" "libstemmer0d" "libunistring2" "zlib1g")
include(CPack)
