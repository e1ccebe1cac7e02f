#include "sign/internal.h"

/* ==== minhash_sketch */

enum { BINS = TWX_MINHASH_BYTES, BIN_SHIFT = 57, ROUNDS = 128, FEW = 1024, MILLION = 1000000 };

/* Marks an empty bin. A shingle whose hash is this very number is lost, which happens once in 2^64
 * shingles and equally on every machine. */
static const uint64_t EMPTY = UINT64_MAX;

/* The hash of a shingle in another round: value number `round` of SplitMix64 seeded with the
 * shingle. */
static uint64_t rehash(uint64_t shingle, uint64_t round) {
    return twx_split_mix(shingle + round * UINT64_C(0x9E3779B97F4A7C15));
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

/* A further round: each empty bin takes the smallest new hash in it. True: none is empty. */
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

/* ==== pair_sketch */

enum {
    PAIR_BINS = TWX_SKETCH_BYTES,
    PARTS = 4, /* of a hash in a further round */
    PART_BITS = 16,
    VALUE_BITS = 9,
    PAIR_EMPTY = 0xFFFF, /* more than any place in the order of the rounds */
    FILLED = 0           /* in the first round */
};
_Static_assert(1 + TWX_PAIR_ROUNDS * PARTS < PAIR_EMPTY >> VALUE_BITS, "a place has 16 bits");

/* The hash of a pair in a round: a value of SplitMix64 seeded with the pair. */
static uint64_t hash_of(uint64_t pair, uint64_t round) {
    return twx_split_mix((pair << 8 | (round + 1)) * UINT64_C(0x9E3779B97F4A7C15));
}

/* Each bin takes the low byte of the smallest hash that falls into it. True: no bin is empty. */
static bool first_pair_round(const uint64_t *pairs, size_t n, uint16_t place[PAIR_BINS],
                             unsigned char *sketch) {
    uint64_t least[PAIR_BINS];
    size_t empty = 0;
    for (size_t bin = 0; bin < PAIR_BINS; bin++) least[bin] = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = hash_of(pairs[i], 0);
        uint64_t *bin = &least[hash >> BIN_SHIFT];
        *bin = hash < *bin ? hash : *bin;
    }
    for (size_t bin = 0; bin < PAIR_BINS; bin++) {
        place[bin] = least[bin] == UINT64_MAX ? PAIR_EMPTY : FILLED;
        sketch[bin] = (unsigned char)least[bin];
        empty += place[bin] == PAIR_EMPTY;
    }
    return empty == 0;
}

/* PARTS rounds at once: a value of an earlier round has a lower place, whatever its value, so a bin
 * that is filled stays as it is. */
static void next_rounds(const uint64_t *pairs, size_t n, unsigned round,
                        uint16_t place[PAIR_BINS]) {
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

static bool is_full(const uint16_t place[PAIR_BINS]) {
    size_t empty = 0;
    for (size_t bin = 0; bin < PAIR_BINS; bin++) empty += place[bin] == PAIR_EMPTY;
    return empty == 0;
}

/* Each bin that is still empty copies one that is not: the first of its own random order. */
static void copy_filled(const uint16_t place[PAIR_BINS], unsigned char *sketch) {
    for (size_t bin = 0; bin < PAIR_BINS; bin++) {
        size_t from = bin;
        for (uint64_t k = 0; place[from] == PAIR_EMPTY; k++) from = hash_of(bin, k) % PAIR_BINS;
        sketch[bin] = sketch[from];
    }
}

void twx_pair_sketch_of(const uint64_t *pairs, size_t n,
                        unsigned char ret_sketch[TWX_SKETCH_BYTES]) {
    uint16_t place[PAIR_BINS];
    if (first_pair_round(pairs, n, place, ret_sketch)) return;
    for (unsigned round = 1; round <= TWX_PAIR_ROUNDS && !is_full(place); round++)
        next_rounds(pairs, n, round, place);
    for (size_t bin = 0; bin < PAIR_BINS; bin++)
        if (place[bin] != FILLED) ret_sketch[bin] = (unsigned char)place[bin];
    copy_filled(place, ret_sketch);
}

/* ==== shingle_sketch */

enum {
    S = TWX_SHINGLE_SKETCH_MAX,
    BYTES = TWX_SHINGLE_SKETCH_BYTES,
    DROPPED_BITS = 64 - 8 * BYTES
};
/* Most texts have far more shingles than a sketch holds, and sorting all would take longer than
 * computing them. So the ones below a bound are sorted first, about FIRST if hashes are random;
 * when too many of them are repeats, those below GROWTH times the bound. */
enum { FIRST = 3 * S, GROWTH = 8 };

/* Moves the shingles up to the bound to the front. */
static size_t part(uint64_t *at, size_t n, uint64_t bound) {
    size_t low = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t item = at[i];
        if (item > bound) continue;
        at[i] = at[low];
        at[low++] = item;
    }
    return low;
}

/* Appends the fingerprints of sorted shingles until the sketch is full. */
static void put(const twx_shingles *sorted, char *sketch, size_t *n) {
    uint64_t last = *n ? twx_shingle_sketch_at((twx_slice){sketch, *n * BYTES}, *n - 1)
                       : UINT64_MAX;
    for (size_t i = 0; i < sorted->n && *n < S; i++) {
        const uint64_t print = sorted->at[i] >> DROPPED_BITS;
        if (print == last) continue;
        for (int b = 0; b < BYTES; b++)
            sketch[*n * BYTES + (size_t)b] = (char)(print >> 8 * (BYTES - 1 - b));
        ++*n;
        last = print;
    }
}

twx_rc twx_shingle_sketch_of(twx_ctx *cx, twx_arena *scratch, twx_slice text,
                             twx_slice *ret_sketch) {
    const twx_shingling how = {.words = TWX_SHINGLE_SKETCH_WORDS};
    twx_shingles rest;
    size_t n = 0;
    twx_rc rc = twx_shingles_of(cx, scratch, &how, text, &rest);
    if (rc != TWX_OK) return rc;
    char *sketch = twx_arena_alloc(cx, scratch, S, BYTES);
    if (!sketch) return TWX_E_NOMEM;
    uint64_t bound = rest.n > 2 * FIRST ? UINT64_MAX / rest.n * FIRST : UINT64_MAX;
    while (n < S && rest.n > 0) {
        twx_shingles low = {.at = rest.at, .n = part(rest.at, rest.n, bound)};
        rest.at += low.n;
        rest.n -= low.n;
        rc = twx_shingles_unique(cx, scratch, &low);
        if (rc != TWX_OK) return rc;
        put(&low, sketch, &n);
        bound = bound > UINT64_MAX / GROWTH ? UINT64_MAX : bound * GROWTH;
    }
    *ret_sketch = (twx_slice){sketch, n * BYTES};
    return TWX_OK;
}

size_t twx_shingle_sketch_size(twx_slice sketch) {
    return sketch.n / BYTES;
}

uint64_t twx_shingle_sketch_at(twx_slice sketch, size_t i) {
    uint64_t print = 0;
    for (size_t b = 0; b < BYTES; b++) print = print << 8 | (unsigned char)sketch.p[i * BYTES + b];
    return print;
}

static bool is_sketch(twx_slice s) {
    return s.n > 0 && s.n % BYTES == 0 && s.n <= (size_t)S * BYTES;
}

static int32_t share(size_t part_n, size_t whole_n) {
    return whole_n == 0 ? -1 : (int32_t)(part_n * MILLION / whole_n);
}

bool twx_shingle_sketch_compare(twx_slice a, twx_slice b, twx_resemblance *ret_resemblance) {
    if (!is_sketch(a) || !is_sketch(b)) return false;
    const size_t in_a = twx_shingle_sketch_size(a), in_b = twx_shingle_sketch_size(b);
    const bool whole = in_a < S && in_b < S; /* [R3] */
    size_t i = 0, j = 0, both = 0;
    while ((i < in_a || j < in_b) && (whole || i + j - both < S)) {
        const uint64_t x = i < in_a ? twx_shingle_sketch_at(a, i) : UINT64_MAX;
        const uint64_t y = j < in_b ? twx_shingle_sketch_at(b, j) : UINT64_MAX;
        both += x == y;
        i += x <= y;
        j += y <= x;
    }
    *ret_resemblance = (twx_resemblance){share(both, i + j - both), share(both, i), share(both, j)};
    return true;
}
