/* sign/simhash.h: the simhash of a bag of hashes, a fingerprint of which similar bags have nearly
 * all bits in common, and the keys by which all fingerprints within a few bits are found.
 * Bit i of the fingerprint is 1 when the hashes with bit i set outweigh those without; 0 otherwise.
 * [R1] The order of the hashes does not matter.
 * [R2] Bits are independent: the low 32 bits are the simhash of the low 32 bits.
 * [R3] Two fingerprints within `distance` bits always share a key.
 * Pure functions: no allocation, any thread.
 * Source: Charikar, STOC 2002, section 3; Manku, Jain, Das Sarma, WWW 2007, sections 2 and 3. */
#ifndef TWX_SIGN_SIMHASH_H
#define TWX_SIGN_SIMHASH_H

#include "sign/detector_row.h"

enum { TWX_SIMHASH_DISTANCE_MAX = 6, TWX_SIMHASH_PLANES = 64 };

/* A simhash under construction, zeroed at the start. The counter of bit i is bit i of planes[0],
 * planes[1], ..., lowest first. */
typedef struct twx_simhash {
    uint64_t planes[TWX_SIMHASH_PLANES];
    uint64_t weight; /* of all that was added; below 2^63 */
} twx_simhash;

/* Adds h[0..n), each with weight 1. Batches of sixteen are fastest. */
void twx_simhash_add(twx_simhash *s, const uint64_t *h, size_t n);
void twx_simhash_add_weighted(twx_simhash *s, uint64_t h, uint32_t weight);
uint64_t twx_simhash_of(const twx_simhash *s); /* 0 of nothing */
/* The same in one call. weights NULL: 1 each. */
uint64_t twx_simhash64(const uint64_t *h, const uint32_t *weights, size_t n);

unsigned twx_hamming64(uint64_t a, uint64_t b); /* bits that differ, 0..64 */
/* Shape  bits: of the fingerprint, 64 or 32 (the low ones); distance: at most
 * TWX_SIMHASH_DISTANCE_MAX, larger values are clipped; ret_keys has room for
 * TWX_CANDIDATE_KEYS_MAX. Returns the number of keys, which is the same for any fingerprint. */
size_t twx_simhash_keys(uint64_t fingerprint, unsigned bits, uint32_t distance, twx_key *ret_keys);
/* The masks of those keys: two fingerprints share a key when they are equal in the bits of its
 * mask. */
size_t twx_simhash_masks(unsigned bits, uint32_t distance, uint64_t *ret_masks);
/* The share of equal bits in millionths, -1 beyond the distance; for payloads of simhash and
 * simhash32. */
int32_t twx_simhash_verify(twx_slice a, twx_slice b, unsigned bits, uint32_t distance);
/* Key and payload (its 8 bytes, little-endian, in scratch). Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_simhash_sign(twx_ctx *cx, twx_workspace *w, uint64_t fingerprint,
                                  twx_signature *ret_signature);

#endif
