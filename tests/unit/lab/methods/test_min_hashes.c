/* The min-hashes that supershingles are made of: against a slow way to say the same, and against
 * the theory of independent families. */
#include "lab/lab.h"
#include "near_texts.h"

#include <math.h>
#include <time.h>

enum { SET_MAX = 1200, M = 84 };

/* The same, said slowly: every shingle throws at every target until it was hit; pauses are made bit
 * by bit. */
static uint64_t slow_pause(uint64_t random) {
    uint64_t units = 0, bit = UINT64_C(1) << 63;
    for (; bit > 1 && !(random & bit); bit >>= 1) units++;
    uint64_t place = UINT64_C(1) << 47, fraction = 0;
    for (bit >>= 1; bit > 0 && place > 0; bit >>= 1, place >>= 1)
        if (random & bit) fraction |= place;
    return units * (UINT64_C(1) << 48) + fraction;
}

static void slow_min_hashes(const uint64_t *shingles, size_t n, size_t m, uint64_t *ret_minima) {
    for (size_t i = 0; i < m; i++) ret_minima[i] = UINT64_MAX;
    for (size_t s = 0; s < n; s++) {
        bool done[TWX_MIN_HASHES_MAX] = {false};
        test_rng rng = test_rng_seed(shingles[s]); /* splitmix64, as there */
        uint64_t moment = 0;
        for (size_t left = m; left > 0;) {
            const uint64_t random = test_rng_next(&rng);
            const size_t target = (size_t)((random & UINT32_MAX) * m >> 32);
            moment += slow_pause(random);
            if (moment < ret_minima[target]) ret_minima[target] = moment;
            left -= !done[target];
            done[target] = true;
        }
    }
}

TEST(stopping_early_changes_nothing) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t set[SET_MAX], fast[M], slow[M];
        test_rng rng = test_rng_seed(seed);
        const size_t n = 1 + test_rng_below(&rng, seed % 4 == 0 ? SET_MAX : 60),
                     m = 1 + test_rng_below(&rng, M);
        for (size_t i = 0; i < n; i++) set[i] = test_rng_next(&rng);
        twx_min_hashes(set, n, m, fast);
        slow_min_hashes(set, n, m, slow);
        if (memcmp(fast, slow, m * sizeof *fast) != 0)
            fail_msg("seed %" PRIu64 ", n %zu, m %zu", seed, n, m);
    }
}

TEST(an_empty_set_has_none) {
    uint64_t minima[3] = {1, 2, 3};
    twx_min_hashes(NULL, 0, 3, minima);
    for (size_t i = 0; i < 3; i++) assert_true(minima[i] == UINT64_MAX);
}

/* The shingles 0 and UINT64_MAX are shingles like any other; so is the first, which marks free
 * places. */
TEST(r1_order_and_repeats_never_show) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        static uint64_t set[SET_MAX], many[4 * SET_MAX];
        uint64_t once[M], often[M];
        test_rng rng = test_rng_seed(seed);
        const size_t n = 1 + test_rng_below(&rng, seed % 4 == 0 ? SET_MAX : 20);
        for (size_t i = 0; i < n; i++) set[i] = test_rng_next(&rng) << (seed % 2 * 40);
        set[seed % n] = 0;
        set[seed / 2 % n] = UINT64_MAX;
        for (size_t i = 0; i < 4 * n; i++) many[i] = set[i < n ? i : test_rng_below(&rng, n)];
        test_rng_shuffle(&rng, many, 4 * n);
        twx_min_hashes(set, n, M, once);
        twx_min_hashes(many, 4 * n, M, often);
        if (memcmp(once, often, sizeof once) != 0) fail_msg("seed %" PRIu64 ", n %zu", seed, n);
    }
}

/* While few different shingles were seen each throws hundreds of darts, but only once: many repeats
 * of two take no longer than as many different ones. Without that it is a hundred times as long. */
TEST(repeats_cost_no_darts) {
    enum { MANY = 300000 };
    static uint64_t set[MANY];
    uint64_t minima[M];
    clock_t seconds[2];
    test_rng rng = test_rng_seed(1);
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < MANY; i++)
            set[i] = k == 0 || i < 2 ? test_rng_next(&rng) : set[i % 2];
        const clock_t start = clock();
        twx_min_hashes(set, MANY, M, minima);
        seconds[k] = clock() - start;
    }
    if (seconds[1] > 10 * seconds[0] + CLOCKS_PER_SEC / 20)
        fail_msg("%ld and %ld", (long)seconds[0], (long)seconds[1]);
}

/* Two sets of n with `common` in common. */
static void two_sets(test_rng *rng, size_t n, size_t common, uint64_t *a, uint64_t *b) {
    for (size_t i = 0; i < n; i++) {
        a[i] = test_rng_next(rng);
        b[i] = i < common ? a[i] : test_rng_next(rng);
    }
}

typedef struct agreement {
    /* min-hashes, groups of 6 and 14, pairs of one and the next */
    size_t single, group[2], neighbours;
} agreement;

static void count(const uint64_t *x, const uint64_t *y, agreement *a) {
    static const size_t PER_GROUP[2] = {6, 14};
    for (size_t i = 0; i < M; i++) {
        a->single += x[i] == y[i];
        a->neighbours += x[i] == y[i] && x[(i + 1) % M] == y[(i + 1) % M];
    }
    for (size_t k = 0; k < 2; k++)
        for (size_t at = 0; at < 6 * PER_GROUP[k]; at += PER_GROUP[k])
            a->group[k] += memcmp(x + at, y + at, PER_GROUP[k] * sizeof *x) == 0;
}

/* Min-hashes of one trial are independent, so all of them count as trials of their own. */
TEST(they_agree_as_often_as_independent_families) {
    static const struct {
        size_t n, common, trials;
    } CASES[] = {{1, 1, 10},     {3, 2, 3000},   {10, 9, 3000},    {16, 12, 3000},
                 {60, 54, 2000}, {60, 30, 2000}, {300, 290, 1000}, {1000, 950, 400}};
    for (size_t c = 0; c < TWX_COUNTOF(CASES); c++) {
        const double r = (double)CASES[c].common / (double)(2 * CASES[c].n - CASES[c].common);
        const size_t trials = CASES[c].trials;
        static uint64_t a[SET_MAX], b[SET_MAX];
        uint64_t x[M], y[M];
        agreement seen = {0};
        test_rng rng = test_rng_seed(c + 1);
        for (size_t t = 0; t < trials; t++) {
            two_sets(&rng, CASES[c].n, CASES[c].common, a, b);
            twx_min_hashes(a, CASES[c].n, M, x);
            twx_min_hashes(b, CASES[c].n, M, y);
            count(x, y, &seen);
        }
        near_assert_share(seen.single, trials * M, r, "min-hashes");
        near_assert_share(seen.neighbours, trials * M, r * r, "two min-hashes");
        near_assert_share(seen.group[0], trials * 6, pow(r, 6), "groups of 6");
        near_assert_share(seen.group[1], trials * 6, pow(r, 14), "groups of 14");
    }
}

/* Each shingle is the min-hash of as many families as any other. */
TEST(no_shingle_is_preferred) {
    enum { FEW = 5 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t won = 0, of = 0;
        test_rng rng = test_rng_seed(seed);
        for (size_t t = 0; t < 200; t++) {
            uint64_t set[FEW], all[M], last[M];
            for (size_t i = 0; i < FEW; i++) set[i] = test_rng_next(&rng);
            twx_min_hashes(set, FEW, M, all);
            twx_min_hashes(&set[FEW - 1], 1, M, last);
            for (size_t i = 0; i < M; i++) won += all[i] == last[i];
            of += M;
        }
        near_assert_share(won, of, 1.0 / FEW, "the last of five");
    }
}
