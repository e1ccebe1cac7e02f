/* inspect/diff.h: what a run would change, and the documents in which two results differ. */
#ifndef TWX_INSPECT_DIFF_H
#define TWX_INSPECT_DIFF_H

#include "base/arena.h"
#include "inspect/comparison.h"
#include "judge/flags.h"
#include "run/change_list.h"
#include "run/job.h"
#include "text/text_diff.h"

/* The documents whose flags differ between two results, for diff.
 * Memory: embedded struct; twx_result_diff_init(), _done(). Bytes are in the arena. */
typedef struct twx_result_diff {
    twx_arena arena;
    size_t limit;            /* number of rows; 0: all */
    uint64_t documents;      /* that differ */
    TWX_VEC(twx_slice) rows; /* "42 https://example.org/  exact_unique_b 1 -> 0", the first ones */
    uint64_t changed_flags[TWX_FLAGS]; /* by flag: documents in which it changed */
    twx_change_list changes;
    int64_t unchanged_at; /* of the last run, if it changed nothing; seconds since 1970, else 0 */
} twx_result_diff;

void twx_result_diff_init(twx_result_diff *d, size_t limit);
void twx_result_diff_done(twx_result_diff *d);
TWX_CHECK twx_rc twx_result_diff_write(const twx_out *out, const twx_result_diff *d);

/* The differences of two texts (text/text_diff.h) as the passages that a
 * result lists. */

/* Counts all differing passages, and appends the first `limit` of them (0: all), copied into the
 * arena. */
TWX_CHECK twx_rc twx_differences_list(twx_ctx *cx, const twx_text_diff *diff, size_t limit,
                                      twx_arena *arena, twx_compared_passages *passages,
                                      size_t *ret_differences);

/* Compares the published generation of flags with the other one. */

/* ret_diff: initialised, with its limit. */
TWX_CHECK twx_rc twx_diff(const twx_job *job, twx_result_diff *ret_diff);

#endif
