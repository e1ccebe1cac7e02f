/* tests/fault/fault_memory.h: replaces malloc of the whole program, and so of every library in it
 * (SQLite, jansson, PCRE2, OpenSSL, the C library), by one that counts and can fail, except for
 * libstemmer (text/terms.c). The sanitizers have an allocator of their own: with them nothing is
 * replaced. */
#ifndef TWINDEX_TEST_FAULT_MEMORY_H
#define TWINDEX_TEST_FAULT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Can allocations fail? */
bool memory_can_fail(void);
/* Allocation number `at` fails, from 1, and with forever all after it. at 0: they are counted. */
void memory_arm(uint64_t at, bool forever);
/* Returns the number of allocations since memory_arm(). */
uint64_t memory_disarm(void);
/* Allocations that were not freed; 0 if nothing is replaced. */
int64_t memory_held(void);

#endif
