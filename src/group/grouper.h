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

#include "base/ctx.h"

typedef struct twx_grouper twx_grouper;

/* bytes: size of the sort buffers, at least 1 MiB. folder: of the temporary files, borrowed; NULL:
 * $TMPDIR or /tmp. */
TWX_CHECK twx_rc twx_grouper_open(twx_ctx *cx, size_t bytes, const char *folder,
                                  twx_grouper **ret_grouper);
void twx_grouper_close(twx_grouper *g);
TWX_CHECK twx_rc twx_grouper_add(twx_grouper *g, uint64_t key, uint64_t check, uint32_t index);
/* Shape  members[0..n), n >= 2, ascending. Borrowed for the call; the callee may reorder them. */
typedef twx_rc twx_run_fn(void *arg, uint32_t *members, size_t n);
/* Ends adding and calls fn for each run of two or more. */
TWX_CHECK twx_rc twx_grouper_each(twx_grouper *g, twx_run_fn *fn, void *arg);
/* Parts written to temporary files so far. */
size_t twx_grouper_sorted_bytes(const twx_grouper *g);

#endif
