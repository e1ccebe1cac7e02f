/* group/masked_runs.h: for each of several masks, the runs of numbers that are equal in the bits of
 * the mask: what fingerprints within a few bits have in common (sign/simhash.h, [R3]).
 * [R1] A run has two numbers or more, every number is in at most one run of a mask, and any two
 * that agree in the mask's bits are in one run.
 * [R2] The result does not depend on the number of threads: runs come in order of the masks, those
 * of one mask in an order that depends on the numbers only, members ascending.
 * Memory: at most TWX_MASKED_BYTES a number and thread, besides the runs of as many masks as there
 * are threads; plain arrays, nothing on disk. */
#ifndef TWX_GROUP_MASKED_RUNS_H
#define TWX_GROUP_MASKED_RUNS_H

#include <stddef.h>

#include "base/ctx.h"

enum { TWX_MASKED_BYTES = 16 };

/* Memory: borrowed. */
typedef struct twx_masked {
    const uint64_t *numbers;
    size_t n; /* below 2^32 */
    const uint64_t *masks;
    size_t n_masks;
    size_t threads; /* masks that are worked on at once */
} twx_masked;

/* Shape  members[0..n), n >= 2, positions in `numbers`, ascending. Borrowed for the call; the
 * callee may reorder them. Called in the caller's thread. */
typedef twx_rc twx_run_fn(void *arg, uint32_t *members, size_t n);
/* Errors TWX_E_NOMEM, an interrupt, what fn returns */
TWX_CHECK twx_rc twx_masked_runs(twx_ctx *cx, const twx_masked *what, twx_run_fn *fn, void *arg);

#endif
