/* group/grouper.h: finds the documents that share a key: it takes entries and produces runs of
 * equal (key, check).
 * [R1] The order of adding does not affect the result: runs come in order of (key, check), members
 * ascending.
 * [R2] Memory stays below the limit for any number of entries: beyond it, sorted parts go to
 * unnamed temporary files and are merged. Another engine can implement this header.
 * Memory: owned handle. One thread at a time. */
#ifndef TWX_GROUP_GROUPER_H
#define TWX_GROUP_GROUPER_H

#include <stddef.h>

#include "group/masked_runs.h"

enum { TWX_GROUPER_MASKS_MAX = 256 };

typedef struct twx_grouper twx_grouper;

/* bytes: size of the sort buffers, at least 1 MiB. folder: of the temporary files, borrowed; NULL:
 * $TMPDIR or /tmp. */
TWX_CHECK twx_rc twx_grouper_open(twx_ctx *cx, size_t bytes, const char *folder,
                                  twx_grouper **ret_grouper);
void twx_grouper_close(twx_grouper *g);
TWX_CHECK twx_rc twx_grouper_add(twx_grouper *g, uint64_t key, uint64_t check, uint32_t index);
/* Before twx_grouper_add_number(). masks[0..n_masks), at most TWX_GROUPER_MASKS_MAX, are copied.
 * threads: that may sort. */
void twx_grouper_use_masks(twx_grouper *g, const uint64_t *masks, size_t n_masks, size_t threads);
/* Adds the number under one key for each mask: its bits in that mask. While all numbers fit into
 * the limit they are kept as they are, and runs come in order of the masks (masked_runs.h); beyond
 * it they become entries like others, with the same runs in another order. Indexes ascend. */
TWX_CHECK twx_rc twx_grouper_add_number(twx_grouper *g, uint64_t number, uint32_t index);
/* Ends adding and calls fn for each run of two or more: of entries, then of numbers. */
TWX_CHECK twx_rc twx_grouper_each(twx_grouper *g, twx_run_fn *fn, void *arg);
/* Parts written to temporary files so far. */
size_t twx_grouper_sorted_bytes(const twx_grouper *g);

#endif
