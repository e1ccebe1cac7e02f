# Install components: cli, dev. scripts/package makes a Debian package of them.
install(TARGETS twindex RUNTIME COMPONENT cli)
install(TARGETS libtwindex LIBRARY COMPONENT cli NAMELINK_COMPONENT dev)
install(DIRECTORY src/include/twindex TYPE INCLUDE COMPONENT dev)
