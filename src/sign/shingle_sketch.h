/* sign/shingle_sketch.h: resemblance and containment of texts, estimated from a sample of their
 * 5-word shingles. A sketch holds the smallest distinct 40-bit fingerprints of a text's shingles,
 * at most 200, ascending, 5 bytes each, big-endian: at most 1 000 bytes. A sketch of fewer than 200
 * holds all of them.
 * [R1] A sketch depends on the set of shingles alone: not on their order or repetition.
 * [R2] Resemblance is symmetric; comparing a sketch with itself gives 1000000 for all three values.
 * [R3] Two texts of fewer than 200 shingles each are compared exactly.
 * Source: Broder, On the resemblance and containment of documents, 1997. */
#ifndef TWX_SIGN_SHINGLE_SKETCH_H
#define TWX_SIGN_SHINGLE_SKETCH_H

#include "base/arena.h"

enum {
    TWX_SHINGLE_SKETCH_WORDS = 5,
    TWX_SHINGLE_SKETCH_MAX = 200, /* s, fingerprints */
    TWX_SHINGLE_SKETCH_BYTES = 5  /* of a fingerprint */
};

/* Shares in millionths, 0..1000000. A(X): the shingles of X. */
typedef struct twx_resemblance {
    int32_t resemblance; /* common shingles of A(a) and A(b) / shingles of either */
    int32_t a_in_b;      /* containment: common / in A(a); -1: the sample holds nothing of a */
    int32_t b_in_a;
} twx_resemblance;

/* An empty slice: the text has no words. Memory: in scratch. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_shingle_sketch_of(twx_ctx *cx, twx_arena *scratch, twx_slice text,
                                       twx_slice *ret_sketch);
/* false: one of them is empty or not a sketch. Linear, no allocation. The comparison uses the 200
 * smallest fingerprints of both sketches together, which are a fair sample of a, of b, and of what
 * they share. */
bool twx_shingle_sketch_compare(twx_slice a, twx_slice b, twx_resemblance *ret_resemblance);
size_t twx_shingle_sketch_size(twx_slice sketch);           /* fingerprints */
uint64_t twx_shingle_sketch_at(twx_slice sketch, size_t i); /* i < size */

#endif
