/* tests/fault/store_damage.h: stores that are damaged at random, determined by a seed.
 *
 * Corrupted: the bytes of the file are changed, so it is no longer a valid SQLite file. Tampered:
 * the file is valid, but other programs have changed Twindex's tables, views, triggers and schema.
 * Overwritten: they have changed one column, and the number of the trial says which.
 * Memory: allocates nothing that the caller has to free. */
#ifndef TWINDEX_TEST_STORE_DAMAGE_H
#define TWINDEX_TEST_STORE_DAMAGE_H

#include "support.h"

enum { DAMAGE_NOTE_BYTES = 1024 };

/* Changes the bytes of the file at `path`; some damages add a -wal or a -journal file. Appends to
 * `note` what was done. */
void damage_corrupt(test_rng *rng, const char *path, char note[DAMAGE_NOTE_BYTES]);

/* Changes what Twindex made in the store, by SQL. Statements that SQLite refuses change nothing. */
void damage_tamper(test_rng *rng, const char *path, char note[DAMAGE_NOTE_BYTES]);

/* Sets one column of one of Twindex's tables, in all rows, to a value that no row should have.
 * Trials that follow each other take each column with a first value for its type, then each with a
 * second one. */
void damage_column(uint64_t trial, const char *path, char note[DAMAGE_NOTE_BYTES]);

#endif
