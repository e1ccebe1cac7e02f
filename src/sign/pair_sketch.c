#include "sign/pair_sketch.h"

#include <string.h>

#include "base/hash64.h"

enum {
    BINS = TWX_SKETCH_BYTES,
    BIN_SHIFT = 57, /* of a hash in the first round: its upper 7 bits are the bin */
    PARTS = 4,      /* of a hash in a further round */
    PART_BITS = 16,
    VALUE_BITS = 9,
    EMPTY = 0xFFFF, /* more than any place in the order of the rounds */
    FILLED = 0      /* in the first round */
};
_Static_assert(1 + TWX_PAIR_ROUNDS * PARTS < EMPTY >> VALUE_BITS, "a place has 16 bits");

/* The hash of a pair in a round: a value of SplitMix64 seeded with the pair (Steele, Lea, Flood,
 * OOPSLA 2014). */
static uint64_t hash_of(uint64_t pair, uint64_t round) {
    uint64_t h = (pair << 8 | (round + 1)) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 31;
}

/* Each bin takes the low byte of the smallest hash that falls into it. True: no bin is empty. */
static bool first_round(const uint64_t *pairs, size_t n, uint16_t place[BINS],
                        unsigned char *sketch) {
    uint64_t least[BINS];
    size_t empty = 0;
    for (size_t bin = 0; bin < BINS; bin++) least[bin] = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = hash_of(pairs[i], 0);
        uint64_t *bin = &least[hash >> BIN_SHIFT];
        *bin = hash < *bin ? hash : *bin;
    }
    for (size_t bin = 0; bin < BINS; bin++) {
        place[bin] = least[bin] == UINT64_MAX ? EMPTY : FILLED;
        sketch[bin] = (unsigned char)least[bin];
        empty += place[bin] == EMPTY;
    }
    return empty == 0;
}

/* PARTS rounds at once: a value of an earlier round has a lower place, whatever its value, so a bin
 * that is filled stays as it is. */
static void next_rounds(const uint64_t *pairs, size_t n, unsigned round, uint16_t place[BINS]) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = hash_of(pairs[i], round);
        for (unsigned k = 0; k < PARTS; k++) {
            const unsigned part = (unsigned)(hash >> k * PART_BITS) & 0xFFFF,
                           at = ((round - 1) * PARTS + k + 1) << VALUE_BITS |
                                (part & ((1u << VALUE_BITS) - 1));
            uint16_t *bin = &place[part >> VALUE_BITS];
            *bin = (uint16_t)(at < *bin ? at : *bin); /* without a branch: it is unpredictable */
        }
    }
}

static bool is_full(const uint16_t place[BINS]) {
    size_t empty = 0;
    for (size_t bin = 0; bin < BINS; bin++) empty += place[bin] == EMPTY;
    return empty == 0;
}

/* Each bin that is still empty copies one that is not: the first of its own random order. */
static void copy_filled(const uint16_t place[BINS], unsigned char *sketch) {
    for (size_t bin = 0; bin < BINS; bin++) {
        size_t from = bin;
        for (uint64_t k = 0; place[from] == EMPTY; k++) from = hash_of(bin, k) % BINS;
        sketch[bin] = sketch[from];
    }
}

void twx_pair_sketch_of(const uint64_t *pairs, size_t n,
                        unsigned char ret_sketch[TWX_SKETCH_BYTES]) {
    uint16_t place[BINS];
    if (first_round(pairs, n, place, ret_sketch)) return;
    for (unsigned round = 1; round <= TWX_PAIR_ROUNDS && !is_full(place); round++)
        next_rounds(pairs, n, round, place);
    for (size_t bin = 0; bin < BINS; bin++)
        if (place[bin] != FILLED) ret_sketch[bin] = (unsigned char)place[bin];
    copy_filled(place, ret_sketch);
}
