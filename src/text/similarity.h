/* text/similarity.h: how alike two texts are: 2 * LCS / (|a| + |b|) on characters, the measure of
 * Perl's String::Similarity; LCS is the length of a longest common subsequence. Bit-parallel (Hyyro
 * 2004): |a| * |b| / 64 steps, after what both begin and end with is taken off; two texts that
 * cannot reach `least` are given up early.
 * [R1] Symmetric. [R2] 1000000 for equal texts (two empty ones are equal). [R3] Bytes that are no
 * UTF-8 count as a character each. Memory: the handle's buffers are reused; one thread at a time.
 */
#ifndef TWX_TEXT_SIMILARITY_H
#define TWX_TEXT_SIMILARITY_H

#include "base/ctx.h"
#include "base/slice.h"

typedef struct twx_similarity twx_similarity;

TWX_CHECK twx_rc twx_similarity_open(twx_ctx *cx, twx_similarity **ret_similarity);
void twx_similarity_close(twx_similarity *s);
/* Millionths, rounded down; -1: less than least_ppm (0: always computed). Errors TWX_E_NOMEM,
 * cancelled ones */
TWX_CHECK twx_rc twx_similarity_of(twx_ctx *cx, twx_similarity *s, twx_slice a, twx_slice b,
                                   int32_t least_ppm, int32_t *ret_ppm);

#endif
