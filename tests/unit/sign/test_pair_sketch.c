/* The sketch of pairs against a plain program that follows the header, and a published value of its
 * hash function. */
#include "support.h"

#include "sign/internal.h"

enum { BINS = 128, PAIRS_MAX = 2000 };

/* SplitMix64 with the given state after its increment. */
static uint64_t mixed(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t plain_hash(uint64_t pair, uint64_t round) {
    return mixed((pair * 256 + round + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* The low byte of the least value that falls into the bin in the first round in which any does; -1:
 * in none. */
static int plain_bin(const uint64_t *pairs, size_t n, unsigned bin) {
    bool any = false;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = plain_hash(pairs[i], 0);
        if (hash / (UINT64_MAX / BINS + 1) != bin) continue;
        if (!any || hash < least) least = hash;
        any = true;
    }
    for (unsigned round = 1; !any && round <= TWX_PAIR_ROUNDS; round++)
        for (unsigned part = 0; !any && part < 4; part++)
            for (size_t i = 0; i < n; i++) {
                const uint64_t of_16_bits = plain_hash(pairs[i], round) /
                                            (UINT64_C(1) << 16 * part) % 65536;
                if (of_16_bits / 512 != bin) continue;
                if (!any || of_16_bits % 512 < least) least = of_16_bits % 512;
                any = true;
            }
    return any ? (int)(least % 256) : -1;
}

static void plain_sketch(const uint64_t *pairs, size_t n, int ret[BINS]) {
    int own[BINS];
    for (unsigned bin = 0; bin < BINS; bin++) own[bin] = plain_bin(pairs, n, bin);
    for (unsigned bin = 0; bin < BINS; bin++) {
        ret[bin] = own[bin];
        for (uint64_t k = 0; ret[bin] < 0; k++) ret[bin] = own[plain_hash(bin, k) % BINS];
    }
}

TEST(r1_the_sketch_is_that_of_a_plain_program) {
    static uint64_t pairs[PAIRS_MAX], shuffled[PAIRS_MAX + 1];
    size_t copied = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = seed < 60 ? seed : 1 + test_rng_below(&rng, seed % 10 ? 400 : PAIRS_MAX);
        unsigned char sketch[BINS], again[BINS];
        int wanted[BINS];
        for (size_t i = 0; i < n; i++) pairs[i] = test_rng_below(&rng, 1 << 20);
        twx_pair_sketch_of(pairs, n, sketch);
        plain_sketch(pairs, n, wanted);
        for (unsigned bin = 0; bin < BINS; bin++) {
            copied += plain_bin(pairs, n, bin) < 0;
            if (sketch[bin] != wanted[bin])
                fail_msg("%zu pairs, bin %u: %d, not %d", n, bin, sketch[bin], wanted[bin]);
        }
        for (size_t i = 0; i < n; i++) shuffled[i] = pairs[n - 1 - i];
        shuffled[n] = pairs[n / 2];
        twx_pair_sketch_of(shuffled, n + 1, again);
        assert_memory_equal(again, sketch, BINS);
    }
    assert_true(copied > 100);
}

/* 0xE220A8397B1DCDAF is the first number of SplitMix64 seeded with 0, which Vigna and the JDK give;
 * the bin is its upper 7 bits. */
TEST(the_hash_is_splitmix64) {
    const uint64_t pair = 0, first = UINT64_C(0xE220A8397B1DCDAF);
    unsigned char sketch[BINS];
    assert_true(plain_hash(0, 0) == first);
    twx_pair_sketch_of(&pair, 1, sketch);
    assert_int_equal(sketch[first >> 57], first & 0xFF);
}
