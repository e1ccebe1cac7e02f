/* text/similarity.h: the similarity of two texts: 2 * LCS / (|a| + |b|) on characters, the measure
 * of Perl's String::Similarity; LCS is the length of a longest common subsequence. Bit-parallel
 * (Hyyro 2004): |a| * |b| / 64 steps after the common prefix and suffix are removed. Pairs that
 * cannot reach least_ppm are abandoned early.
 * [R1] Symmetric.
 * [R2] 1000000 for equal texts (two empty texts are equal).
 * [R3] A byte of invalid UTF-8 counts as one character.
 * Memory: the handle reuses its buffers; one thread at a time. */
#ifndef TWX_TEXT_SIMILARITY_H
#define TWX_TEXT_SIMILARITY_H

#include "base/ctx.h"
#include "base/slice.h"

typedef struct twx_similarity twx_similarity;

TWX_CHECK twx_rc twx_similarity_open(twx_ctx *cx, twx_similarity **ret_similarity);
void twx_similarity_close(twx_similarity *s);
/* The most cells (characters times characters) that one comparison may compute; 0: any number.
 * Similar texts need few. */
void twx_similarity_limit(twx_similarity *s, double cells);
/* Millionths, rounded down; -1: less than least_ppm, which never happens when that is 0.
 * TWX_DONE: it would take more cells than the limit; *ret_ppm is untouched. Errors TWX_E_NOMEM,
 * those of twx_cancelled() */
TWX_CHECK twx_rc twx_similarity_of(twx_ctx *cx, twx_similarity *s, twx_slice a, twx_slice b,
                                   int32_t least_ppm, int32_t *ret_ppm);

#endif
