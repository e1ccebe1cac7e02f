/* lab/methods/bloom.h: how much two texts have in common, estimated from the Bloom filters of their
 * chunks that the detector bloom stores.
 * Source: Jain, Dahlin, Tewari, Using Bloom filters to refine web search results, WebDB 2005. */
#ifndef TWX_LAB_METHODS_BLOOM_H
#define TWX_LAB_METHODS_BLOOM_H

#include "base/slice.h"

/* Shape  payloads of the detector bloom. Results are in millionths, -1: not such a payload. The
 * overlap expected by chance is subtracted, so texts without a common chunk get about 0. */

/* Relative to the larger of a and b: symmetric, 1000000 for a payload with itself. */
int32_t twx_bloom_resemblance(twx_slice a, twx_slice b);
/* How much of a is also in b. For a text of more than 1024 chunks (about 97 KB) the filter holds a
 * sample. */
int32_t twx_bloom_containment(twx_slice a, twx_slice b);

#endif
