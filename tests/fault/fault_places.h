/* tests/fault/fault_places.h: where the counted calls of the disk and of malloc come from.
 *
 * Calls come from one place if the same calls in the program's own code led to them, the innermost
 * ones down to a depth, whatever SQLite and other libraries did in between. A sweep over the first
 * call from each place meets every check of a result; one over as many calls at equal distances
 * meets some of them often and others never.
 * One thread at a time; nothing to free. */
#ifndef TWINDEX_TEST_FAULT_PLACES_H
#define TWINDEX_TEST_FAULT_PLACES_H

#include <stddef.h>
#include <stdint.h>

enum { FAULT_PLACES_SOME = 7, FAULT_PLACES_ALL = 100 }; /* depths */

/* From now on the counted calls are noted. The depth counts three or four calls of the test, too.
 */
void fault_places_begin(unsigned depth);
void fault_places_end(void);
/* Notes the place of the call that is just being counted. */
void fault_places_note(void);
/* The numbers, from 1, of the noted calls whose place has not been taken by this function for
 * `who` before, ascending. Borrowed until the next call. */
const uint32_t *fault_places_take(uint64_t who, size_t *ret_n);

#endif
