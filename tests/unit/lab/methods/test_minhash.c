/* The row minhash: the estimate keeps to its theory, and every pair that verifies shares a band. */
#include "detect_fixture.h"

#include <math.h>

#include "lab/lab.h"

enum { SKETCH = TWX_MINHASH_BYTES, MILLION = 1000000, SET_MAX = 4000, TEXT_MAX = 1 << 15 };

static twx_slice slice_of(const unsigned char *sketch) {
    return (twx_slice){(const char *)sketch, SKETCH};
}

/* Sketches of two sets that have `common` of `all` hashes in common and share the rest evenly. */
static void sketch_pair(test_rng *rng, size_t all, size_t common, unsigned char *a,
                        unsigned char *b) {
    uint64_t x[SET_MAX], y[SET_MAX];
    size_t in_x = common, in_y = common;
    for (size_t i = 0; i < common; i++) x[i] = y[i] = test_rng_next(rng);
    for (size_t i = common; i < all; i++) {
        if (i % 2)
            x[in_x++] = test_rng_next(rng);
        else
            y[in_y++] = test_rng_next(rng);
    }
    twx_minhash_of(x, in_x, a);
    twx_minhash_of(y, in_y, b);
}

/* Standard deviation of the estimate in theory: 128 bytes that agree with a chance of p each. */
static double theory(double j) {
    const double p = j + (1 - j) / 256;
    return sqrt(p * (1 - p) / SKETCH) * 256 / 255;
}

static void check_estimate(size_t all, double share) {
    const size_t common = (size_t)(share * (double)all + 0.5);
    const double j = (double)common / (double)all;
    unsigned char a[SKETCH], b[SKETCH];
    double sum = 0, squares = 0;
    const int rounds = all < 30 ? 500 : 200;
    test_rng rng = test_rng_seed(all * 1000 + common);
    for (int i = 0; i < rounds; i++) {
        sketch_pair(&rng, all, common, a, b);
        const int32_t ppm = twx_minhash_estimate(slice_of(a), slice_of(b));
        assert_int_equal(ppm, twx_minhash_estimate(slice_of(b), slice_of(a)));
        const double error = (double)ppm / MILLION - j;
        sum += error;
        squares += error * error;
    }
    const double mean = sum / rounds, deviation = sqrt(squares / rounds - mean * mean);
    /* an estimate of -1/255 is clipped to 0 */
    const double floor_at_0 = j < 0.1 ? 1.0 / 255 : 0;
    if (fabs(mean) > 5 * theory(j) / sqrt(rounds) + floor_at_0 + 1e-6 ||
        deviation > 1.2 * theory(j) + 1e-6)
        fail_msg("%zu of %zu: mean error %.4f, deviation %.4f, theory %.4f", common, all, mean,
                 deviation, theory(j));
}

TEST(the_estimate_keeps_to_its_theory) {
    static const size_t SIZES[] = {2, 3, 5, 10, 30, 100, 128, 200, 500, 4000};
    static const double SHARES[] = {0, .1, .3, .5, .7, .8, .9, .95, 1};
    for (size_t i = 0; i < TWX_COUNTOF(SIZES); i++)
        for (size_t k = 0; k < TWX_COUNTOF(SHARES); k++) {
            if (SIZES[i] < 10 && SHARES[k] == 0) continue; /* one of the two sets may be empty */
            check_estimate(SIZES[i], SHARES[k]);
        }
}

/* Two texts of one shingle each: 128 bytes made of one hash must not agree because one of them
 * does. */
TEST(tiny_sets_that_differ_look_different) {
    test_rng rng = test_rng_seed(7);
    for (int i = 0; i < 5000; i++) {
        const uint64_t x = test_rng_next(&rng), y = test_rng_next(&rng);
        unsigned char a[SKETCH], b[SKETCH];
        twx_minhash_of(&x, 1, a);
        twx_minhash_of(&y, 1, b);
        if (twx_minhash_estimate(slice_of(a), slice_of(b)) > 60000) fail_msg("round %d", i);
        twx_minhash_of(&x, 1, b);
        assert_int_equal(twx_minhash_estimate(slice_of(a), slice_of(b)), MILLION);
    }
}

TEST(sketches_without_an_equal_byte_are_not_alike_at_all) {
    unsigned char a[SKETCH] = {0}, b[SKETCH];
    memset(b, 1, sizeof b);
    assert_int_equal(twx_minhash_estimate(slice_of(a), slice_of(b)), 0);
}

TEST(r1_order_and_repetition_never_matter) {
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t at[400];
        unsigned char once[SKETCH], twice[SKETCH];
        test_rng rng = test_rng_seed(seed);
        const size_t n = 1 + test_rng_below(&rng, 200);
        size_t more = n;
        for (size_t i = 0; i < n; i++) at[i] = test_rng_next(&rng);
        twx_minhash_of(at, n, once);
        for (size_t extra = test_rng_below(&rng, 200); extra > 0; extra--)
            at[more++] = at[test_rng_below(&rng, n)];
        test_rng_shuffle(&rng, at, more);
        twx_minhash_of(at, more, twice);
        if (memcmp(once, twice, SKETCH) != 0) fail_msg("seed %" PRIu64, seed);
    }
}

TEST(edges_of_the_hashes_are_taken) {
    const uint64_t largest = UINT64_MAX, both[] = {0, UINT64_MAX};
    unsigned char a[SKETCH], b[SKETCH];
    twx_minhash_of(&largest, 1, a);
    twx_minhash_of(both, 2, b);
    assert_true(twx_minhash_estimate(slice_of(a), slice_of(b)) < MILLION);
}

/* Two sketches with exactly `equal` bytes alike; those that differ lie at random, or one in each
 * band from the first. */
static void make_alike(test_rng *rng, size_t equal, size_t bands, bool spread, unsigned char *a,
                       unsigned char *b) {
    uint64_t places[SKETCH];
    for (size_t i = 0; i < SKETCH; i++) {
        places[i] = spread ? (i % bands * SKETCH / bands + i / bands) % SKETCH : i;
        a[i] = b[i] = (unsigned char)test_rng_next(rng);
    }
    if (!spread) test_rng_shuffle(rng, places, SKETCH);
    for (size_t i = 0; i < SKETCH - equal; i++)
        b[places[i]] ^= (unsigned char)(1 + test_rng_below(rng, 255));
}

static bool share_key(const twx_detector *d, const twx_params *params, twx_slice a, twx_slice b) {
    twx_key x[TWX_CANDIDATE_KEYS_MAX], y[TWX_CANDIDATE_KEYS_MAX];
    const size_t n = d->candidates(params, &(twx_signed){.payload = a}, x);
    assert_true(n >= 1 && n <= TWX_CANDIDATE_KEYS_MAX);
    assert_int_equal(d->candidates(params, &(twx_signed){.payload = b}, y), n);
    for (size_t i = 0; i < n; i++)
        if (x[i].key == y[i].key && x[i].check == y[i].check) return true;
    return false;
}

TEST_OF(r3_pairs_that_verify_share_a_band_always, fixture *f) {
    const twx_detector *d = &TWX_DETECTOR_MINHASH;
    for (uint32_t percent = 1; percent <= 100; percent++) {
        test_rng rng = test_rng_seed(percent);
        f->params.methods.of[TWX_DETECTOR_MINHASH.id][1] = percent * (MILLION / 100);
        const size_t bands = twx_minhash_bands(f->params.methods.of[TWX_DETECTOR_MINHASH.id][1]),
                     least = SKETCH + 1 - bands;
        for (size_t round = 0; round < 30; round++) {
            unsigned char a[SKETCH], b[SKETCH];
            make_alike(&rng, least, bands, round % 2 == 1, a, b);
            assert_true(d->verify(&f->params, slice_of(a), slice_of(b)) >=
                        (int32_t)f->params.methods.of[TWX_DETECTOR_MINHASH.id][1]);
            if (!share_key(d, &f->params, slice_of(a), slice_of(b)))
                fail_msg("%u %%, round %zu", percent, round);
            make_alike(&rng, least - 1, bands, false, a, b);
            assert_int_equal(d->verify(&f->params, slice_of(a), slice_of(b)), -1);
        }
    }
}

/* The table of minhash. */
TEST(bands_follow_from_the_threshold) {
    assert_int_equal(twx_minhash_bands(950000), 7);
    assert_int_equal(twx_minhash_bands(900000), 13);
    assert_int_equal(twx_minhash_bands(850000), 20);
    assert_int_equal(twx_minhash_bands(800000), 26);
    assert_int_equal(twx_minhash_bands(700000), 39);
    assert_int_equal(twx_minhash_bands(500000), 64);
    assert_int_equal(twx_minhash_bands(MILLION), 1);
    assert_int_equal(twx_minhash_bands(UINT32_MAX), 1);
    assert_int_equal(twx_minhash_bands(0), SKETCH);
}

/* With the bands of .9, pairs of Jaccard .5 are seldom candidates, and those of .98 always. */
TEST_OF(bands_tell_likely_pairs_from_unlikely, fixture *f) {
    unsigned char a[SKETCH], b[SKETCH];
    size_t likely = 0, unlikely = 0;
    test_rng rng = test_rng_seed(3);
    for (int i = 0; i < 1000; i++) {
        sketch_pair(&rng, 500, 490, a, b);
        likely += share_key(&TWX_DETECTOR_MINHASH, &f->params, slice_of(a), slice_of(b));
        sketch_pair(&rng, 500, 250, a, b);
        unlikely += share_key(&TWX_DETECTOR_MINHASH, &f->params, slice_of(a), slice_of(b));
    }
    if (likely < 1000 || unlikely > 40)
        fail_msg("likely %zu, unlikely %zu of 1000", likely, unlikely);
}

TEST_OF(payloads_that_are_none_are_no_pair, fixture *f) {
    const twx_detector *d = &TWX_DETECTOR_MINHASH;
    unsigned char a[SKETCH] = {1};
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    const twx_slice none = {NULL, 0}, half = {(const char *)a, SKETCH / 2};
    assert_int_equal(d->verify(&f->params, slice_of(a), slice_of(a)), MILLION);
    assert_int_equal(d->verify(&f->params, slice_of(a), half), -1);
    assert_int_equal(d->verify(&f->params, half, half), -1);
    assert_int_equal(d->verify(&f->params, none, none), -1);
    assert_int_equal(d->candidates(&f->params, &(twx_signed){{1, 2}, half}, keys), 0);
}

/* "w17 w3 ...": words from `from` on, `n` of them, in lines of `per_line`. Appends; returns the new
 * length. */
static size_t put_words(char *text, size_t length, size_t from, size_t n, size_t per_line) {
    for (size_t i = 0; i < n; i++)
        length += (size_t)snprintf(text + length, TEXT_MAX - length, "w%zu%c",
                                   (from + i) * 7919 % 100003, (i + 1) % per_line ? ' ' : '\n');
    return length;
}

static void sketch_text(fixture *f, const twx_boilerplate *boilerplate, const char *text, size_t n,
                        unsigned char *sketch) {
    assert_ok(twx_minhash_text(&f->cx, twx_workspace_scratch(f->w), boilerplate,
                               (twx_slice){text, n}, sketch));
    twx_workspace_reset(f->w);
}

TEST_OF(the_order_of_lines_never_matters, fixture *f) {
    static char there[TEXT_MAX], back[TEXT_MAX];
    unsigned char a[SKETCH], b[SKETCH];
    size_t n = 0, m = 0;
    for (size_t line = 0; line < 100; line++) n = put_words(there, n, line * 10, 10, 10);
    for (size_t line = 100; line-- > 0;) m = put_words(back, m, line * 10, 10, 10);
    sketch_text(f, NULL, there, n, a);
    sketch_text(f, NULL, back, m, b);
    assert_memory_equal(a, b, SKETCH);
    for (size_t i = 0; i < m; i++) /* as one line they are other shingles */
        if (back[i] == '\n') back[i] = ' ';
    sketch_text(f, NULL, back, m, b);
    assert_true(memcmp(a, b, SKETCH) != 0);
}

TEST_OF(a_text_that_repeats_itself_is_its_first_part, fixture *f) {
    static char text[TEXT_MAX];
    unsigned char once[SKETCH], often[SKETCH];
    for (size_t lines = 1; lines <= 20; lines++) {
        size_t n = put_words(text, 0, 0, lines * 5, 5);
        const size_t part = n;
        sketch_text(f, NULL, text, n, once);
        for (; n + part <= sizeof text; n += part) memcpy(text + n, text, part);
        sketch_text(f, NULL, text, n, often);
        assert_memory_equal(once, often, SKETCH);
    }
}

TEST_OF(an_edit_leaves_texts_alike, fixture *f) {
    static char text[TEXT_MAX], edited[TEXT_MAX], other[TEXT_MAX];
    unsigned char a[SKETCH], b[SKETCH], c[SKETCH];
    const size_t n = put_words(text, 0, 0, 1000, 20);
    size_t m = put_words(edited, 0, 0, 500, 20);
    m = put_words(edited, m, 5000, 20, 20); /* a line instead of another */
    m = put_words(edited, m, 520, 480, 20);
    const size_t k = put_words(other, 0, 20000, 1000, 20);
    sketch_text(f, NULL, text, n, a);
    sketch_text(f, NULL, edited, m, b);
    sketch_text(f, NULL, other, k, c);
    const double j = 49.0 / 51;
    const int32_t ppm = TWX_DETECTOR_MINHASH.verify(&f->params, slice_of(a), slice_of(b));
    assert_true(fabs((double)ppm / MILLION - j) < 4 * theory(j));
    assert_int_equal(TWX_DETECTOR_MINHASH.verify(&f->params, slice_of(a), slice_of(c)), -1);
}

/* 30 pages of one site: a menu, then 60 words of their own. */
static twx_boilerplate *site_boilerplate(fixture *f, const char *menu) {
    twx_boilerplate_maker *m = NULL;
    twx_boilerplate *boilerplate = NULL;
    static char text[TEXT_MAX];
    assert_ok(twx_boilerplate_maker_open(&f->cx, 0, NULL, &m));
    for (size_t page = 0; page < 30; page++) {
        const size_t n = put_words(text, (size_t)snprintf(text, sizeof text, "%s\n", menu),
                                   1000 + page * 100, 60, 60);
        assert_ok(twx_boilerplate_maker_add(m, twx_workspace_scratch(f->w),
                                            TWX_SLICE_LIT("example.com"), (twx_slice){text, n}));
        twx_workspace_reset(f->w);
    }
    assert_ok(twx_boilerplate_make(m, &boilerplate));
    twx_boilerplate_maker_close(m);
    return boilerplate;
}

TEST_OF(boilerplate_is_left_out_unless_nothing_is_left, fixture *f) {
    const char *menu = "Home About us Products Contact Imprint";
    static char with[TEXT_MAX];
    unsigned char a[SKETCH], b[SKETCH];
    twx_collection collection = {.boilerplate = site_boilerplate(f, menu)};
    const size_t at = (size_t)snprintf(with, sizeof with, "%s\n", menu),
                 n = put_words(with, at, 50000, 80, 40);
    assert_int_equal(collection.boilerplate->found.n, 3);
    sketch_text(f, NULL, with + at, n - at, a);
    sketch_text(f, collection.boilerplate, with, n, b);
    assert_memory_equal(a, b, SKETCH);
    sketch_text(f, NULL, with, n, b);
    assert_true(memcmp(a, b, SKETCH) != 0);
    sketch_text(f, NULL, menu, strlen(menu), a);
    sketch_text(f, collection.boilerplate, menu, strlen(menu), b);
    assert_memory_equal(a, b, SKETCH);

    twx_key plain = {0}, known = {0}, off = {0};
    const twx_document doc = {.text = {with, n}};
    assert_int_equal(fixture_sign(f, &TWX_DETECTOR_MINHASH, &doc, &plain), 1);
    const uint64_t fingerprint = twx_detector_fingerprint(&TWX_DETECTOR_MINHASH, &f->params);
    f->params.collection = &collection;
    assert_int_equal(fixture_sign(f, &TWX_DETECTOR_MINHASH, &doc, &known), 1);
    f->params.methods.of[TWX_DETECTOR_MINHASH.id][0] = false;
    assert_int_equal(fixture_sign(f, &TWX_DETECTOR_MINHASH, &doc, &off), 1);
    assert_true(plain.key == off.key && plain.check == off.check && plain.key != known.key);
    f->params.collection = NULL;
    assert_true(fingerprint != twx_detector_fingerprint(&TWX_DETECTOR_MINHASH, &f->params));
    assert_int_equal(twx_detector_needs(&TWX_DETECTOR_MINHASH, &f->params), 0);
    f->params.methods.of[TWX_DETECTOR_MINHASH.id][0] = true;
    assert_int_equal(twx_detector_needs(&TWX_DETECTOR_MINHASH, &f->params), TWX_NEED_BOILERPLATE);
    twx_boilerplate_close(collection.boilerplate);
}

TEST(texts_without_words_have_no_signature) {
    fixture_words_are_needed(*state, &TWX_DETECTOR_MINHASH);
}

/* Stored sketches are made by these steps: other bytes need a new version. Expected: made by an
 * independent program. */
TEST(sketches_stay_what_they_are) {
    fixture_expect_hex(*state, &TWX_DETECTOR_MINHASH,
                       "Of each site the menu comes again and again.\nThe text does not.",
                       "5728fdba0645211c83ee4f03f6c97c6f");
}
