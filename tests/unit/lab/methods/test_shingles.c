/* The row shingles: the sketch is what the paper says, estimates keep to their theory, pairs that
 * verify share a key. */
#include "detect_fixture.h"

#include <math.h>

enum {
    S = TWX_SHINGLE_SKETCH_MAX,
    BYTES = TWX_SHINGLE_SKETCH_BYTES,
    MILLION = 1000000,
    SET_MAX = 4000,
    TEXT_MAX = 1 << 16
};

typedef struct sketch {
    char bytes[S * BYTES];
    size_t n; /* fingerprints */
} sketch;

static twx_slice slice_of(const sketch *s) {
    return (twx_slice){s->bytes, s->n * BYTES};
}

TWX_ORDER_0(ascending, uint64_t)

/* The slow way, of fingerprints below 2^40; reorders them. */
static void sketch_set(uint64_t *prints, size_t n, sketch *ret_sketch) {
    ret_sketch->n = 0;
    qsort(prints, n, sizeof *prints, ascending);
    for (size_t i = 0; i < n && ret_sketch->n < S; i++) {
        if (i > 0 && prints[i] == prints[i - 1]) continue;
        for (size_t b = 0; b < BYTES; b++)
            ret_sketch->bytes[ret_sketch->n * BYTES + b] = (char)(prints[i] >>
                                                                  (8 * (BYTES - 1 - b)));
        ret_sketch->n++;
    }
}

static uint64_t any_print(test_rng *rng) {
    return test_rng_next(rng) >> 24;
}

/* Sketches of two sets: `both` fingerprints in both, so many more in a alone and in b alone. */
static void sketch_pair(test_rng *rng, size_t both, size_t in_a, size_t in_b, sketch *a,
                        sketch *b) {
    uint64_t x[SET_MAX], y[SET_MAX];
    for (size_t i = 0; i < both; i++) x[i] = y[i] = any_print(rng);
    for (size_t i = 0; i < in_a; i++) x[both + i] = any_print(rng);
    for (size_t i = 0; i < in_b; i++) y[both + i] = any_print(rng);
    sketch_set(x, both + in_a, a);
    sketch_set(y, both + in_b, b);
}

static twx_resemblance compare(const sketch *a, const sketch *b) {
    twx_resemblance there = {0}, back = {0};
    assert_true(twx_shingle_sketch_compare(slice_of(a), slice_of(b), &there));
    assert_true(twx_shingle_sketch_compare(slice_of(b), slice_of(a), &back));
    assert_true(there.resemblance == back.resemblance && there.a_in_b == back.b_in_a &&
                there.b_in_a == back.a_in_b);
    return there;
}

/* Random words out of `words`; few of them repeat themselves. */
static size_t any_text(test_rng *rng, char *text, size_t length, size_t words) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += (size_t)snprintf(text + n, TEXT_MAX - n, "w%zu ", (size_t)test_rng_below(rng, words));
    return n;
}

TEST_OF(r1_the_sketch_holds_the_smallest_distinct_fingerprints, fixture *f) {
    static char text[TEXT_MAX];
    static const size_t LENGTHS[] = {1, 4, 5, 6, 100, 203, 204, 205, 1203, 1204, 1205, 1300, 6000},
                        WORDS[] = {1, 2, 3, 4, 30, 100000};
    static uint64_t prints[6000];
    const twx_shingling how = {.words = 5};
    twx_arena *scratch = twx_workspace_scratch(f->w);
    for (size_t i = 0; i < TWX_COUNTOF(LENGTHS) * TWX_COUNTOF(WORDS); i++) {
        test_rng rng = test_rng_seed(i);
        const size_t n = any_text(&rng, text, LENGTHS[i / TWX_COUNTOF(WORDS)],
                                  WORDS[i % TWX_COUNTOF(WORDS)]);
        sketch expected;
        twx_shingles all;
        twx_slice found;
        assert_ok(twx_shingles_of(&f->cx, scratch, &how, (twx_slice){text, n}, &all));
        for (size_t k = 0; k < all.n; k++) prints[k] = all.at[k] >> 24;
        sketch_set(prints, all.n, &expected);
        assert_ok(twx_shingle_sketch_of(&f->cx, scratch, (twx_slice){text, n}, &found));
        if (!twx_slice_eq(found, slice_of(&expected)))
            fail_msg("text %zu: %zu bytes, expected %zu", i, found.n, expected.n * BYTES);
        twx_workspace_reset(f->w);
    }
}

TEST(r3_small_sets_are_compared_exactly) {
    sketch a, b;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t both = test_rng_below(&rng, 100), in_a = 1 + test_rng_below(&rng, 99),
                     in_b = 1 + test_rng_below(&rng, 99);
        sketch_pair(&rng, both, in_a, in_b, &a, &b);
        const twx_resemblance r = compare(&a, &b);
        if (r.resemblance != (int32_t)(both * MILLION / (both + in_a + in_b)) ||
            r.a_in_b != (int32_t)(both * MILLION / (both + in_a)) ||
            r.b_in_a != (int32_t)(both * MILLION / (both + in_b)))
            fail_msg("seed %" PRIu64, seed);
    }
}

/* Mean error and deviation of an estimate of `share` from n of its samples. */
static void check_theory(const char *what, double share, double samples, double sum, double squares,
                         size_t rounds) {
    const double mean = sum / (double)rounds - share,
                 deviation = sqrt(squares / (double)rounds -
                                  (sum / (double)rounds) * (sum / (double)rounds));
    const double theory = sqrt(share * (1 - share) / samples);
    if (fabs(mean) > 5 * theory / sqrt((double)rounds) + 1e-6 || deviation > 1.2 * theory + 1e-6)
        fail_msg("%s %.3f: mean error %.4f, deviation %.4f, theory %.4f", what, share, mean,
                 deviation, theory);
}

TEST(estimates_keep_to_their_theory) {
    enum { ROUNDS = 250 };
    static const size_t SETS[][3] = {{1000, 0, 0},    {900, 50, 50},   {800, 200, 0},
                                     {500, 250, 250}, {300, 600, 100}, {100, 900, 900},
                                     {190, 10, 0},    {150, 0, 1500},  {500, 0, 1000}};
    for (size_t i = 0; i < TWX_COUNTOF(SETS); i++) {
        const double both = (double)SETS[i][0], in_a = both + (double)SETS[i][1],
                     in_b = both + (double)SETS[i][2];
        const double all = in_a + in_b - both;
        double sums[3] = {0}, squares[3] = {0};
        test_rng rng = test_rng_seed(i);
        for (size_t round = 0; round < ROUNDS; round++) {
            sketch a, b;
            sketch_pair(&rng, SETS[i][0], SETS[i][1], SETS[i][2], &a, &b);
            const twx_resemblance r = compare(&a, &b);
            const double found[3] = {(double)r.resemblance / MILLION, (double)r.a_in_b / MILLION,
                                     (double)r.b_in_a / MILLION};
            for (int k = 0; k < 3; k++) {
                sums[k] += found[k];
                squares[k] += found[k] * found[k];
            }
        }
        check_theory("resemblance", both / all, S, sums[0], squares[0], ROUNDS);
        check_theory("a in b", both / in_a, S * in_a / all, sums[1], squares[1], ROUNDS);
        check_theory("b in a", both / in_b, S * in_b / all, sums[2], squares[2], ROUNDS);
    }
}

static size_t shared_keys(fixture *f, const sketch *a, const sketch *b) {
    twx_key x[TWX_CANDIDATE_KEYS_MAX], y[TWX_CANDIDATE_KEYS_MAX];
    size_t shared = 0;
    const size_t n = TWX_DETECTOR_SHINGLES.candidates(&f->params,
                                                      &(twx_signed){.payload = slice_of(a)}, x);
    assert_true(n >= 1 && n <= TWX_CANDIDATE_KEYS_MAX);
    assert_int_equal(
        TWX_DETECTOR_SHINGLES.candidates(&f->params, &(twx_signed){.payload = slice_of(b)}, y), n);
    for (size_t i = 0; i < n; i++) shared += x[i].key == y[i].key && x[i].check == y[i].check;
    return shared;
}

/* Pairs whose sketches have just the threshold in common and as little else as can be: what is in
 * one alone lies beyond the 200 smallest of both together. */
static void worst_pair(test_rng *rng, uint32_t threshold, sketch *a, sketch *b) {
    uint64_t x[S], y[S];
    const size_t both = (S * (size_t)threshold + MILLION - 1) / MILLION;
    const uint64_t low = UINT64_C(1) << 30;
    for (size_t i = 0; i < S; i++) {
        x[i] = test_rng_next(rng) % low; /* the 200 smallest: common ones, and the rest of a */
        y[i] = i < both ? x[i] : low + test_rng_next(rng) % low;
    }
    sketch_set(x, S, a);
    sketch_set(y, S, b);
}

/* detector_row [R5], as often as shingles.c says: 99 % at least, over likely and worst pairs.
 */
TEST_OF(pairs_at_the_threshold_share_a_key, fixture *f) {
    enum { ROUNDS = 600 };
    static const uint32_t THRESHOLDS[] = {950000, 900000, 850000, 800000, 750000,
                                          700000, 600000, 500000, 450000};
    for (size_t i = 0; i < TWX_COUNTOF(THRESHOLDS); i++) {
        const uint32_t t = f->params.methods.of[TWX_DETECTOR_SHINGLES.id][0] = THRESHOLDS[i];
        const size_t both = 600 * (size_t)t / MILLION, rest = 600 - both;
        size_t verified = 0, found = 0, worst = 0;
        test_rng rng = test_rng_seed(t);
        for (size_t round = 0; round < ROUNDS; round++) {
            sketch a, b;
            /* as long, or contained */
            sketch_pair(&rng, both, round % 2 ? rest / 2 : 0, round % 2 ? rest / 2 : rest, &a, &b);
            if (TWX_DETECTOR_SHINGLES.verify(&f->params, slice_of(&a), slice_of(&b)) >= 0) {
                verified++;
                found += shared_keys(f, &a, &b) > 0;
            }
            worst_pair(&rng, t, &a, &b);
            assert_true(TWX_DETECTOR_SHINGLES.verify(&f->params, slice_of(&a), slice_of(&b)) >=
                        (int32_t)t);
            worst += shared_keys(f, &a, &b) > 0;
        }
        if (verified < ROUNDS / 5 || found * 100 < verified * 99 ||
            worst * 100 < (size_t)ROUNDS * 99)
            fail_msg("threshold %u: %zu of %zu, worst %zu of %d", t, found, verified, worst,
                     ROUNDS);
    }
}

TEST_OF(pairs_far_below_the_threshold_seldom_do, fixture *f) {
    size_t shared = 0;
    test_rng rng = test_rng_seed(5);
    for (int i = 0; i < 500; i++) {
        sketch a, b;
        sketch_pair(&rng, 100, 200, 200, &a, &b); /* resemblance .2 */
        shared += shared_keys(f, &a, &b) > 0;
    }
    if (shared > 100) fail_msg("%zu of 500", shared);
}

TEST_OF(a_short_text_in_a_long_one_is_contained, fixture *f) {
    static char text[TEXT_MAX];
    test_rng rng = test_rng_seed(1);
    const size_t n = any_text(&rng, text, 3000, 100000),
                 part = twx_slice_find((twx_slice){text, n}, ' ', n / 4);
    twx_slice whole, some;
    twx_resemblance r;
    assert_ok(
        twx_shingle_sketch_of(&f->cx, twx_workspace_scratch(f->w), (twx_slice){text, n}, &whole));
    assert_ok(
        twx_shingle_sketch_of(&f->cx, twx_workspace_scratch(f->w), (twx_slice){text, part}, &some));
    assert_true(twx_shingle_sketch_compare(some, whole, &r));
    assert_int_equal(r.a_in_b, MILLION);
    assert_true(abs(r.resemblance - 250000) < 130000 && r.b_in_a == r.resemblance);
    assert_int_equal(TWX_DETECTOR_SHINGLES.verify(&f->params, some, whole), -1);
    twx_workspace_reset(f->w);
}

TEST_OF(what_is_no_sketch_is_no_pair, fixture *f) {
    const twx_slice one = TWX_SLICE_LIT("abcde"), odd = TWX_SLICE_LIT("abcdef"), none = {NULL, 0};
    static char large[(S + 1) * BYTES];
    const twx_slice too_large = {large, sizeof large};
    twx_resemblance r = {-7, -7, -7};
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    assert_true(twx_shingle_sketch_compare(one, one, &r));
    assert_int_equal(r.resemblance, MILLION);
    assert_int_equal(TWX_DETECTOR_SHINGLES.verify(&f->params, one, one), MILLION);
    r.resemblance = -7;
    assert_false(twx_shingle_sketch_compare(one, odd, &r));
    assert_false(twx_shingle_sketch_compare(none, one, &r));
    assert_false(twx_shingle_sketch_compare(none, none, &r));
    assert_false(twx_shingle_sketch_compare(too_large, too_large, &r));
    assert_int_equal(r.resemblance, -7);
    assert_int_equal(TWX_DETECTOR_SHINGLES.verify(&f->params, none, none), -1);
    assert_int_equal(
        TWX_DETECTOR_SHINGLES.candidates(&f->params, &(twx_signed){{1, 2}, none}, keys), 0);
    assert_int_equal(
        TWX_DETECTOR_SHINGLES.candidates(&f->params, &(twx_signed){{1, 2}, too_large}, keys), 0);
    f->params.methods.of[TWX_DETECTOR_SHINGLES.id][0] = 0; /* rows of one byte: most keys of all */
    assert_int_equal(TWX_DETECTOR_SHINGLES.candidates(&f->params, &(twx_signed){{1, 2}, one}, keys),
                     128);
}

TEST(texts_without_words_have_no_signature) {
    fixture_words_are_needed(*state, &TWX_DETECTOR_SHINGLES);
}

/* Stored sketches are made by these steps: other bytes need a new version. Expected: made by an
 * independent program. */
TEST(sketches_stay_what_they_are) {
    fixture_expect_hex(*state, &TWX_DETECTOR_SHINGLES,
                       "Of each site the menu comes again and again.\nThe text does not.",
                       "74bb1e72b980190249822614c08a6af5");
}
