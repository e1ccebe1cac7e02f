#include "detect/fast_sketch.h"


enum { PLACES = TWX_FAST_SKETCH, VALUE_BITS = 40 };

static const uint64_t ROUND_STEP = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio */
static const uint64_t FACTOR = UINT64_C(0xAF251AF3B0F025B5);     /* Steele and Vigna 2021 */
static const uint64_t EMPTY = UINT64_MAX;

/* Another hash of the element for each round; one multiplication, with the high half folded in. */
static uint64_t hash_in_round(uint64_t element, uint64_t round) {
    uint64_t h = (element ^ round * ROUND_STEP) * FACTOR;
    h ^= h >> 32;
    h *= ROUND_STEP;
    return h ^ h >> 29;
}

/* The upper bits choose the place, the lower are the value. */
static size_t place_of(uint64_t hash) {
    return (size_t)((hash >> VALUE_BITS) * PLACES >> (64 - VALUE_BITS));
}

static uint64_t value_of(uint64_t hash) {
    return hash & ((UINT64_C(1) << VALUE_BITS) - 1);
}

/* Places that are full stay as they are; returns how many are empty now. A value carries its round above it, so that the same
 * bits of two rounds make different bytes. */
static size_t play_round(const uint64_t *set, size_t n, uint64_t round, uint64_t least[PLACES]) {
    uint64_t now[PLACES];
    size_t empty = 0;
    for (size_t i = 0; i < PLACES; i++) now[i] = EMPTY;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = hash_in_round(set[i], round);
        uint64_t *place = &now[place_of(hash)];
        if (value_of(hash) < *place) *place = value_of(hash);
    }
    for (size_t i = 0; i < PLACES; i++) {
        if (least[i] == EMPTY && now[i] != EMPTY) least[i] = now[i] | round << VALUE_BITS;
        empty += least[i] == EMPTY;
    }
    return empty;
}

/* Few elements may miss a place in every round: it takes the smallest of them all. */
static uint64_t least_of_all(const uint64_t *set, size_t n, uint64_t round) {
    uint64_t least = EMPTY;
    for (size_t i = 0; i < n; i++) {
        const uint64_t value = value_of(hash_in_round(set[i], round));
        if (value < least) least = value;
    }
    return least | round << VALUE_BITS;
}

void twx_fast_sketch_of(const uint64_t *set, size_t n, unsigned char ret_sketch[TWX_FAST_SKETCH]) {
    uint64_t least[PLACES];
    size_t empty = PLACES;
    for (size_t i = 0; i < PLACES; i++) least[i] = EMPTY;
    for (uint64_t round = 0; round < PLACES && empty > 0; round++) empty = play_round(set, n, round, least);
    for (size_t i = 0; i < PLACES; i++) {
        if (least[i] == EMPTY) least[i] = least_of_all(set, n, PLACES + i);
        ret_sketch[i] = (unsigned char)(hash_in_round(least[i], i) >> 56);
    }
}

uint32_t twx_fast_sketch_equal(const unsigned char *a, const unsigned char *b) {
    uint32_t equal = 0;
    for (size_t i = 0; i < PLACES; i++) equal += a[i] == b[i];
    return equal;
}
