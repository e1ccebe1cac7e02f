/* inspect/differences.h: the differences of two texts (text/text_diff.h) as the passages that a
 * result lists. */
#ifndef TWX_INSPECT_DIFFERENCES_H
#define TWX_INSPECT_DIFFERENCES_H

#include "inspect/comparison.h"
#include "text/text_diff.h"

/* Counts all differing passages, and appends the first `limit` of them (0: all), copied into the
 * arena. */
TWX_CHECK twx_rc twx_differences_list(twx_ctx *cx, const twx_text_diff *diff, size_t limit,
                                      twx_arena *arena, twx_compared_passages *passages,
                                      size_t *ret_differences);

#endif
