/* sign/pair_sketch.h: the sketch of a text's pairs of neighbouring words, made of ten bits of
 * each word, so that a payload which keeps these bits need not contain the sketch.
 *
 * A pair is a number of 20 bits. Pairs that are equal by chance make strangers candidates: two
 * texts of 40 words have such a pair once in 690, and share bands 1.1 times as often as with
 * longer numbers (group/bands.h has the figures). With eight bits a word it would be once in 43,
 * and 2 to 4 times as often.
 *
 * The sketch is one of minhash.h: 128 bins, each with the smallest hash that falls into it. Bins
 * that remain empty take part in further rounds (Dahlgaard, Knudsen, Thorup, FOCS 2017), which are
 * cheaper here: a hash of 64 bits serves four rounds, each of which has 7 bits for the bin and 9
 * for the value. After TWX_PAIR_ROUNDS hashes, a bin that is still empty copies another one
 * (Shrivastava, ICML 2017); with 39 pairs that is one bin in 170.
 * [R1] Order and repetition of pairs do not matter. */
#ifndef TWX_SIGN_PAIR_SKETCH_H
#define TWX_SIGN_PAIR_SKETCH_H

#include <stddef.h>
#include <stdint.h>

#include "group/bands.h"

enum { TWX_PAIR_CODE_BITS = 10, TWX_PAIR_ROUNDS = 4 };

/* Two neighbouring words, of each of which the low TWX_PAIR_CODE_BITS count. */
static inline uint64_t twx_pair(uint64_t first, uint64_t second) {
    const uint64_t mask = (UINT64_C(1) << TWX_PAIR_CODE_BITS) - 1;
    return (first & mask) << TWX_PAIR_CODE_BITS | (second & mask);
}

/* The only pair of a text of one word. */
static inline uint64_t twx_lone_word(uint64_t word) {
    return UINT64_C(1) << 2 * TWX_PAIR_CODE_BITS | twx_pair(0, word);
}

/* Shape  pairs[0..n), n >= 1. Takes at most n (1 + TWX_PAIR_ROUNDS) steps. */
void twx_pair_sketch_of(const uint64_t *pairs, size_t n,
                        unsigned char ret_sketch[TWX_SKETCH_BYTES]);

#endif
