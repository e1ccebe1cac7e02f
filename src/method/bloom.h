/* method/bloom.h: how much two texts have in common, from the Bloom filters of their chunks, as the
 * row bloom stores them.
 * Source: Jain, Dahlin, Tewari, Using Bloom filters to refine web search results, WebDB 2005. */
#ifndef TWX_METHOD_BLOOM_H
#define TWX_METHOD_BLOOM_H

#include "base/slice.h"

/* Shape  payloads of the row bloom. Results in millionths, -1: no such payload. What two filters
 * have in common by chance is taken off, so texts without a common chunk come to about 0. */

/* Of what is in a or b, as large as the larger: symmetric, 1000000 of a payload with itself. */
int32_t twx_bloom_resemblance(twx_slice a, twx_slice b);
/* How much of a is in b too. A text with more than 1024 chunks (some 97 KB) holds less than it
 * should: it is a sample. */
int32_t twx_bloom_containment(twx_slice a, twx_slice b);

#endif
