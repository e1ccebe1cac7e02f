/* tests/fault/table_hash.h: whether the rows of a table are those of before. */
#ifndef TWINDEX_TEST_TABLE_HASH_H
#define TWINDEX_TEST_TABLE_HASH_H

#include <stdint.h>

/* A hash of the rows of the table as far as SQLite can read them, in the order of the file, and of
 * how reading ended. path: a store, which may be damaged. */
uint64_t test_hash_table(const char *table, const char *path);

#endif
