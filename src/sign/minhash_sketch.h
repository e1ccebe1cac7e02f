/* sign/minhash_sketch.h: a sketch of 128 bytes from which the share of common shingles of two texts
 * is estimated.
 *
 * The set of 64-bit shingle hashes is divided into 128 bins by the top 7 bits, and each bin keeps
 * its smallest hash: one hash a shingle instead of 128 (one-permutation hashing: Li, Owen, Zhang,
 * NIPS 2012). A text of fewer than about 1 000 shingles leaves bins empty: these take part in
 * further rounds, each with new hashes of all shingles, until none is empty (Dahlgaard, Knudsen,
 * Thorup, Fast similarity sketching, FOCS 2017). Filling an empty bin from another one (optimal
 * densification: Shrivastava, ICML 2017) is cheaper, but its standard deviation was measured to be
 * 1.2 to 1.4 times as large on short texts. The low byte of each smallest hash is stored (b-bit
 * minwise hashing: Li and Konig, WWW 2010).
 *
 * Two bins hold the same shingle with probability J (Jaccard: common shingles / shingles of
 * either), and two bytes agree with probability J + (1 - J) / 256. So m equal bytes of 128 give the
 * estimate J = (2 m - 1) / 255, which is unbiased with a standard deviation of about sqrt(J (1 - J)
 * / 128): .027 at .9, .044 at .5, and .7 of that for texts of fewer than 200 shingles.
 * [R1] Order and repetition of shingles do not matter.
 * [R2] The estimate is symmetric, and 1000000 for a sketch with itself.
 * [R3] Two sketches whose estimate reaches the threshold always share a band: if at most d bytes
 * differ, one of d + 1 bands is unaffected. Bands are runs of bytes of about equal length.
 *
 *     threshold   equal bytes   bands   bytes each   P(a pair of J = .3, .5, .7 shares a band)
 *        .95          122          7      18-19        .00  .00  .01
 *        .90          116         13      9-10         .00  .02  .33
 *        .85          109         20      6-7          .01  .23  .89
 *        .80          103         26      4-5          .08  .60  .99
 *        .70           90         39      3-4          .59  .99  1
 *        .50           65         64      2            1    1    1 */
#ifndef TWX_SIGN_MINHASH_SKETCH_H
#define TWX_SIGN_MINHASH_SKETCH_H

#include "text/shingling.h"

enum { TWX_MINHASH_BYTES = 128 };

/* Sketch of a set of hashes. Shape  shingles[0..n), n >= 1. Takes up to 129 n steps when few are
 * distinct; about n when n is 1 000 or more, and about 1 000 when it is less. */
void twx_minhash_of(const uint64_t *shingles, size_t n,
                    unsigned char ret_sketch[TWX_MINHASH_BYTES]);
/* The same of the shingles of a text, n >= 1, which it may sort. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_minhash_shingles(twx_ctx *cx, twx_arena *scratch, twx_shingles *shingles,
                                      unsigned char ret_sketch[TWX_MINHASH_BYTES]);
/* Number of equal bytes of two sketches. */
size_t twx_minhash_equal(const unsigned char a[TWX_MINHASH_BYTES],
                         const unsigned char b[TWX_MINHASH_BYTES]);
/* Estimate of Jaccard in millionths, 0..1000000; -1: one of them is not a sketch (wrong length). */
int32_t twx_minhash_estimate(twx_slice a, twx_slice b);
/* Number of bands for a threshold in millionths, 1..TWX_MINHASH_BYTES; [R3]. */
size_t twx_minhash_bands(uint32_t threshold_ppm);

#endif
