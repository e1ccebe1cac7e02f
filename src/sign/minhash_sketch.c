#include "sign/minhash_sketch.h"

#include <string.h>

#include "base/hash64.h"

enum { BINS = TWX_MINHASH_BYTES, BIN_SHIFT = 57, ROUNDS = 128, FEW = 1024, MILLION = 1000000 };

/* Marks an empty bin. A shingle whose hash is this very number is lost, which happens once in 2^64
 * shingles and equally on every machine. */
static const uint64_t EMPTY = UINT64_MAX;

/* The hash of a shingle in another round: value number `round` of SplitMix64 seeded with the
 * shingle (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t rehash(uint64_t shingle, uint64_t round) {
    uint64_t h = shingle + round * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 31;
}

/* The first round: each shingle is its own hash. True: no bin is empty. */
static bool first_round(const uint64_t *shingles, size_t n, uint64_t least[BINS]) {
    size_t empty = 0;
    for (size_t bin = 0; bin < BINS; bin++) least[bin] = EMPTY;
    for (size_t i = 0; i < n; i++) {
        uint64_t *bin = &least[shingles[i] >> BIN_SHIFT];
        if (shingles[i] < *bin) *bin = shingles[i];
    }
    for (size_t bin = 0; bin < BINS; bin++) empty += least[bin] == EMPTY;
    return empty == 0;
}

/* A further round: each empty bin takes the smallest new hash that falls into it. True: no bin is
 * empty. */
static bool next_round(const uint64_t *shingles, size_t n, uint64_t round, uint64_t least[BINS]) {
    uint64_t fresh[BINS];
    size_t empty = 0;
    for (size_t bin = 0; bin < BINS; bin++) fresh[bin] = EMPTY;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = rehash(shingles[i], round);
        if (hash < fresh[hash >> BIN_SHIFT]) fresh[hash >> BIN_SHIFT] = hash;
    }
    for (size_t bin = 0; bin < BINS; bin++) {
        if (least[bin] == EMPTY) least[bin] = fresh[bin];
        empty += least[bin] == EMPTY;
    }
    return empty == 0;
}

/* All rounds but the first. A bin that is still empty, in a text of few shingles, takes the
 * smallest hash of all shingles in a round of its own. */
static void fill(const uint64_t *shingles, size_t n, uint64_t least[BINS]) {
    for (uint64_t round = 1; round < ROUNDS; round++)
        if (next_round(shingles, n, round, least)) return;
    for (size_t bin = 0; bin < BINS; bin++) {
        if (least[bin] != EMPTY) continue;
        for (size_t i = 0; i < n; i++) {
            const uint64_t hash = rehash(shingles[i], ROUNDS + bin);
            if (hash < least[bin]) least[bin] = hash;
        }
    }
}

static void put_bytes(const uint64_t least[BINS], unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    for (size_t bin = 0; bin < BINS; bin++) ret_sketch[bin] = (unsigned char)least[bin];
}

void twx_minhash_of(const uint64_t *shingles, size_t n,
                    unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    uint64_t least[BINS];
    if (!first_round(shingles, n, least)) fill(shingles, n, least);
    put_bytes(least, ret_sketch);
}

twx_rc twx_minhash_shingles(twx_ctx *cx, twx_arena *scratch, twx_shingles *shingles,
                            unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    uint64_t least[BINS];
    if (!first_round(shingles->at, shingles->n, least)) {
        /* Many shingles but empty bins: the text repeats itself. Each shingle is needed once. */
        twx_rc rc = shingles->n > FEW ? twx_shingles_unique(cx, scratch, shingles) : TWX_OK;
        if (rc != TWX_OK) return rc;
        fill(shingles->at, shingles->n, least);
    }
    put_bytes(least, ret_sketch);
    return TWX_OK;
}

/* Millionths from the number of equal bytes. */
static int32_t estimate(size_t equal) {
    return equal == 0 ? 0 : (int32_t)((2 * equal - 1) * MILLION / (2 * BINS - 1));
}

/* Sixteen bytes in one step where the processor can; the compiler takes care of the others. */
typedef uint8_t lanes __attribute__((vector_size(16)));

size_t twx_minhash_equal(const unsigned char a[TWX_MINHASH_BYTES],
                         const unsigned char b[TWX_MINHASH_BYTES]) {
    lanes counts = {0};
    size_t equal = 0;
    for (size_t i = 0; i < TWX_MINHASH_BYTES; i += sizeof counts) {
        lanes x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        counts -= (lanes)(x == y); /* equal lanes are -1 */
    }
    for (size_t i = 0; i < sizeof counts; i++) equal += counts[i];
    return equal;
}

int32_t twx_minhash_estimate(twx_slice a, twx_slice b) {
    if (a.n != TWX_MINHASH_BYTES || b.n != TWX_MINHASH_BYTES) return -1;
    return estimate(twx_minhash_equal((const unsigned char *)a.p, (const unsigned char *)b.p));
}

size_t twx_minhash_bands(uint32_t threshold_ppm) {
    size_t equal = 1; /* a pair has one at least, otherwise no band could find it */
    while (equal < BINS && (uint32_t)estimate(equal) < threshold_ppm) equal++;
    return BINS - equal + 1;
}
