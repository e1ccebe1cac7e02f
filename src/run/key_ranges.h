/* run/key_ranges.h: divides the integer keys of a source into ranges that workers read at the same
 * time, each on a connection of its own.
 * [R1] Every key is in exactly one range that was taken and not put back.
 * [R2] Ranges are taken in ascending order, except for what is put back.
 * How many rows a range has is not known beforehand: a worker that has read enough puts the rest
 * back. The width of a range follows from how many rows the last ones had.
 * Memory: embedded struct, owned; twx_key_ranges_done(). One thread. */
#ifndef TWX_RUN_KEY_RANGES_H
#define TWX_RUN_KEY_RANGES_H

#include "base/vec.h"

typedef struct twx_key_range {
    int64_t first, last; /* both included */
    bool whole;          /* outside of the keys that the source had: not divided */
} twx_key_range;

typedef struct twx_key_ranges {
    TWX_VEC(twx_key_range) left; /* ascending */
    uint64_t width;              /* keys of the next range */
} twx_key_ranges;

/* All keys; least and most: those of the source now. */
TWX_CHECK twx_rc twx_key_ranges_init(twx_ctx *cx, twx_key_ranges *r, int64_t least, int64_t most);
void twx_key_ranges_done(twx_key_ranges *r);
/* false: no range is left. */
bool twx_key_ranges_take(twx_key_ranges *r, twx_key_range *ret_range);
/* A worker has read the keys of `range` before `next`, or all of them if `ended`; they had so many
 * rows. The rest is put back. */
TWX_CHECK twx_rc twx_key_ranges_put(twx_ctx *cx, twx_key_ranges *r, const twx_key_range *range,
                                    bool ended, int64_t next, uint64_t rows);

#endif
