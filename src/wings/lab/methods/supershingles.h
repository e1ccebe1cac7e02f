/* lab/methods/supershingles.h: sketches that find pairs of high resemblance (Broder 2000; Fetterly,
 * Manasse, Najork 2003): independent families of hash functions give min-hashes of the shingles of
 * a text, the min-hashes are divided into groups, and the hash of a group is a supershingle. Where
 * shingles have the resemblance R (Jaccard: common ones / all), a min-hash agrees with probability
 * R and a group of k with R^k. Two of g groups agree nearly always when R is large and nearly never
 * when it is not.
 * [R1] min-hashes depend on the set of shingles: order and repeats do not matter.
 * [R2] Two texts are candidates exactly when two of their supershingles are equal, and then they
 * verify.
 * [R3] A text without words has no key.
 * Stored are one key (equal for equal supershingles) and the supershingles as payload, 8 bytes
 * each, little-endian. */
#ifndef TWX_LAB_METHODS_SUPERSHINGLES_H
#define TWX_LAB_METHODS_SUPERSHINGLES_H

#include "sign/detector_row.h"

enum { TWX_SUPERSHINGLE_GROUPS = 6, TWX_MIN_HASHES_MAX = 128 };

typedef struct twx_supershingling {
    uint32_t words;     /* of a shingle */
    uint32_t per_group; /* min-hashes, at most TWX_MIN_HASHES_MAX in all groups together */
    /* The resemblance for this many equal supershingles in millionths, (equal / groups)^(1 /
     * per_group); -1: not a pair. The last one is 1000000. */
    int32_t resemblance_ppm[TWX_SUPERSHINGLE_GROUPS + 1];
} twx_supershingling;

/* The min-hashes of m independent families, m <= TWX_MIN_HASHES_MAX, over shingles[0..n);
 * UINT64_MAX each when n == 0. Takes n + m * ln(m) * ln(n) steps, about, instead of n * m: see
 * supershingles.c. Allocates nothing. */
void twx_min_hashes(const uint64_t *shingles, size_t n, size_t m, uint64_t *ret_minima);

/* The functions of the rows. Memory: the payload is in the workspace's scratch. Errors
 * TWX_E_NOMEM */
TWX_CHECK twx_rc twx_supershingle_sign(twx_ctx *cx, twx_workspace *w, const twx_supershingling *how,
                                       twx_slice text, twx_signature *ret_signature);
/* One key for each pair of supershingles: 15 keys. */
size_t twx_supershingle_candidates(const twx_params *params, const twx_signed *from,
                                   twx_key *ret_keys);
int32_t twx_supershingle_verify(const twx_supershingling *how, twx_slice a, twx_slice b);

#endif
