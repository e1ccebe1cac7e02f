/* The six heaviest words of a text, by each of the weights. */
#include "collection_fixture.h"

#include <math.h>

enum { ROUNDS = 2000, MANY = 200000 };

static const double UNIT = 0x1p-32;

/* Hand-computed below: N = 4, the average length is 2; df and cf: apple 3 and 4, banana 2 and 2,
 * cherry 1 and 1. */
static const char *const FRUIT[] = {"apple apple banana cherry", "apple banana", "apple", "damson"};

static void assert_weights(fixture *f, twx_word_weight *weight, const double expected[3]) {
    static const char *const WORDS[] = {"apple", "banana", "cherry"};
    fixture_collect(f, TWX_NEED_LEXICON, FRUIT, TWX_COUNTOF(FRUIT));
    const twx_bag bag = fixture_bag(f, FRUIT[0]);
    for (size_t i = 0; i < TWX_COUNTOF(WORDS); i++) {
        const twx_bag_word *word = fixture_word(&bag, WORDS[i]);
        const double got = (double)weight(&bag, f->collection.lexicon, word) * UNIT;
        if (fabs(got - expected[i]) > 1e-6)
            fail_msg("%s weighs %.9f, not %.9f", WORDS[i], got, expected[i]);
    }
    twx_workspace_reset(f->w);
}

TEST(tfidf_by_hand) {
    /* dl = 4: apple 2 / (2 (0.25 + 0.75 * 2) + 2) * ln(1.5 / 3.5); banana 1 / 4.5 * ln(2.5 / 2.5);
     * cherry 1 / 4.5 * ln(3.5 / 1.5) */
    assert_weights(*state, twx_tfidf_weight, (double[]){-0.3081083, 0, 0.1882884});
}

TEST(tfridf_by_hand) {
    /* apple 1 * (-ln(3/4) + ln(1 - e^-1)); banana 0.75 * (-ln(2/4) + ln(1 - e^-0.5)); cherry 0.75 *
     * (-ln(1/4) + ln(1 - e^-0.25)) */
    assert_weights(*state, twx_tfridf_weight, (double[]){-0.1709931, -0.1797042, -0.0917985});
}

/* A lexicon of so many documents, the first `df` of which hold "apple" tf times each. */
static twx_lexicon *apples(fixture *f, uint64_t documents, uint64_t df, uint32_t tf) {
    twx_lexicon_maker *maker = NULL;
    twx_lexicon *l = NULL;
    twx_bag_word apple = {TWX_SLICE_LIT("apple"), twx_bag_hash(TWX_SLICE_LIT("apple")), tf};
    const twx_bag one = {&apple, 1, tf, tf}, none = {0};
    assert_ok(twx_lexicon_maker_open(&f->cx, COLLECTION_BYTES, NULL, &maker));
    for (uint64_t i = 0; i < documents; i++)
        assert_ok(twx_lexicon_maker_add(maker, i < df ? &one : &none));
    assert_ok(twx_lexicon_make(maker, &l));
    twx_lexicon_maker_close(maker);
    return l;
}

/* For the most frequent word nothing is divided, and so nothing is rounded. */
TEST_OF(the_weight_of_the_most_frequent_word_is_exact, fixture *f) {
    twx_lexicon *l = apples(f, 7, 3, 1);
    twx_bag_word word = {TWX_SLICE_LIT("apple"), twx_bag_hash(TWX_SLICE_LIT("apple")), 5};
    const twx_bag bag = {&word, 1, 5, 5};
    const int64_t residual = twx_fixed_ln(7, 3) +
                             twx_fixed_ln(twx_fixed_one_minus_exp(3, 7), UINT64_C(1) << 63);
    assert_true(residual < 0);
    assert_int_equal(twx_tfridf_weight(&bag, l, &word), residual);
    twx_lexicon_close(l);
}

TEST(opt_freq_by_hand) {
    /* apple 1 * sqrt(-ln(3/4) / 11.5); banana 0.75 * sqrt(-ln(2/4) / 11.5); cherry 0.75 *
     * sqrt(-ln(1/4) / 11.5) */
    assert_weights(*state, twx_opt_freq_weight, (double[]){0.1581641, 0.1841305, 0.2603999});
}

TEST_OF(tf_is_the_count, fixture *f) {
    const twx_bag bag = fixture_bag(f, FRUIT[0]);
    assert_int_equal(twx_tf_weight(&bag, NULL, fixture_word(&bag, "apple")), 2);
    assert_int_equal(twx_tf_weight(&bag, NULL, fixture_word(&bag, "cherry")), 1);
    twx_workspace_reset(f->w);
}

TEST_OF(the_best_frequency_is_one_in_a_hundred_thousand, fixture *f) {
    twx_lexicon *l = apples(f, MANY, 2, 1);
    const twx_bag bag = fixture_bag(f, "apple banana");
    /* ln(200 000 / 2) = 11.5129, ln(200 000 / 1) = 12.2061: both above 11.5 */
    const double apple = (double)twx_opt_freq_weight(&bag, l, fixture_word(&bag, "apple")) * UNIT;
    const double banana = (double)twx_opt_freq_weight(&bag, l, fixture_word(&bag, "banana")) * UNIT;
    assert_true(fabs(apple - 11.5 / 11.5129255) < 1e-7);
    assert_true(fabs(banana - 11.5 / 12.2060726) < 1e-7);
    twx_workspace_reset(f->w);
    twx_lexicon_close(l);
}

/* The formulas of DETECTORS in floating point. */
static double tfidf(const twx_bag *bag, double n, double length, double df, double tf) {
    return tf / (2 * (0.25 + 0.75 * (double)bag->length / (length / n)) + tf) *
           log((n - df + 0.5) / (df + 0.5));
}

static double tfridf(const twx_bag *bag, double n, double df, double cf, double tf) {
    return (0.5 + 0.5 * tf / bag->tf_max) * (-log(df / n) + log(-expm1(-cf / n)));
}

static double opt_freq(const twx_bag *bag, double n, double df, double tf) {
    const double idf = -log(df / n), g = idf < 11.5 ? sqrt(idf / 11.5) : 11.5 / idf;
    return (0.5 + 0.5 * tf / bag->tf_max) * g;
}

static void assert_near(int64_t weight, double expected, uint64_t seed, const char *what) {
    if (fabs((double)weight * UNIT - expected) > 1e-7 * (1 + fabs(expected)))
        fail_msg("seed %" PRIu64 ": %s is %.12f, not %.12f", seed, what, (double)weight * UNIT,
                 expected);
}

TEST_OF(weights_are_those_of_the_formulas, fixture *f) {
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        const uint64_t n = 2 + test_rng_below(&rng, 300), df = 2 + test_rng_below(&rng, n - 1);
        const uint32_t each = 1 + (uint32_t)test_rng_below(&rng, 9),
                       tf_max = 1 + (uint32_t)test_rng_below(&rng, 100000);
        const uint32_t tf = 1 + (uint32_t)test_rng_below(&rng, tf_max);
        twx_bag_word word = {TWX_SLICE_LIT("apple"), twx_bag_hash(TWX_SLICE_LIT("apple")), tf};
        const twx_bag bag = {&word, 1, tf_max, tf_max + test_rng_below(&rng, 1000000)};
        twx_lexicon *l = apples(f, n, df, each);
        const double dn = (double)n, ddf = (double)df, cf = ddf * each;
        assert_near(twx_tfidf_weight(&bag, l, &word), tfidf(&bag, dn, cf, ddf, tf), seed, "tfidf");
        assert_near(twx_tfridf_weight(&bag, l, &word), tfridf(&bag, dn, ddf, cf, tf), seed,
                    "tfridf");
        assert_near(twx_opt_freq_weight(&bag, l, &word), opt_freq(&bag, dn, ddf, tf), seed,
                    "opt_freq");
        twx_lexicon_close(l);
    }
}

static twx_key key_by(fixture *f, twx_word_weight *weight, const char *text) {
    f->signature.keys.n = 0;
    assert_ok(twx_six_words_sign(&f->cx, f->w, &(twx_weighing){weight, NULL}, twx_slice_of(text),
                                 &f->signature));
    assert_int_equal(f->signature.keys.n, 1);
    twx_workspace_reset(f->w);
    return f->signature.keys.at[0];
}

/* The number a word ends with, below zero after an n: "wordn3" weighs -3. */
static int64_t number_weight(const twx_bag *bag, const twx_lexicon *lexicon,
                             const twx_bag_word *word) {
    int64_t weight = 0;
    (void)bag, (void)lexicon;
    for (size_t i = 4; i < word->text.n; i++)
        if (twx_is_digit((unsigned char)word->text.p[i]))
            weight = weight * 10 + word->text.p[i] - '0';
    return word->text.p[4] == 'n' ? -weight : weight;
}

TEST_OF(the_six_heaviest_are_taken_wherever_they_stand, fixture *f) {
    const twx_key expected = fixture_parts(
        f, (const char *[]){"appl3", "bear4", "cone5", "door6", "east7", "farm8"}, 6);
    assert_key_eq(key_by(f, number_weight, "appl3 bear4 cone5 door6 east7 farm8 goat1 hill2"),
                  expected);
    assert_key_eq(
        key_by(f, number_weight, "goat1 aaaa2 farm8 east7 door6 cone5 bear4 appl3 zzzzn9"),
        expected);
    const twx_key below = fixture_parts(
        f, (const char *[]){"aaaan1", "bbbbn2", "ccccn3", "ddddn4", "eeeen5", "ffff7"}, 6);
    assert_key_eq(key_by(f, number_weight, "aaaan1 bbbbn2 ccccn3 ddddn4 eeeen5 eeeen6 ffff7"),
                  below);
}

TEST_OF(r1_of_equal_words_the_alphabetically_first_are_taken, fixture *f) {
    assert_key_eq(
        key_by(f, number_weight, "hill1 goat1 farm1 east1 door1 cone1 bear1 appl1 zzzz2"),
        fixture_parts(f, (const char *[]){"appl1", "bear1", "cone1", "door1", "east1", "zzzz2"},
                      6));
}

TEST_OF(fewer_than_six_words_have_a_key_too, fixture *f) {
    assert_key_eq(key_by(f, number_weight, "goat1"),
                  fixture_parts(f, (const char *[]){"goat1"}, 1));
    assert_key_eq(key_by(f, number_weight, "goat1 bear4 goat1"),
                  fixture_parts(f, (const char *[]){"bear4", "goat1"}, 2));
}

static const twx_detector *const ROWS[] = {&TWX_DETECTOR_TF, &TWX_DETECTOR_TFIDF,
                                           &TWX_DETECTOR_TFRIDF, &TWX_DETECTOR_OPT_FREQ};
static twx_word_weight *const WEIGHTS[] = {twx_tf_weight, twx_tfidf_weight, twx_tfridf_weight,
                                           twx_opt_freq_weight};

static const char *const TREES[] = {
    "alder alder alder birch birch cedar cedar elder hazel larch maple rowan",
    "alder birch cedar elder",
    "alder birch rowan",
    "alder birch",
    "birch hazel",
    "alder rowan rowan rowan",
    "larch maple",
    "willow"};

TEST_OF(a_row_takes_its_own_weight, fixture *f) {
    fixture_collect(f, TWX_NEED_LEXICON, TREES, TWX_COUNTOF(TREES));
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        twx_key key = {0};
        assert_int_equal(
            fixture_sign(f, ROWS[i], &(twx_document){.text = twx_slice_of(TREES[0])}, &key), 1);
        f->signature.keys.n = 0;
        const twx_weighing weighing = {WEIGHTS[i], f->collection.lexicon};
        assert_ok(
            twx_six_words_sign(&f->cx, f->w, &weighing, twx_slice_of(TREES[0]), &f->signature));
        assert_key_eq(key, f->signature.keys.at[0]);
        twx_workspace_reset(f->w);
    }
}

TEST_OF(rows_choose_by_hand, fixture *f) {
    twx_key key = {0};
    fixture_collect(f, TWX_NEED_LEXICON, TREES, TWX_COUNTOF(TREES));
    const twx_document doc = {.text = twx_slice_of(TREES[0])};
    /* 3 2 2, then the alphabetically first of those that occur once */
    fixture_sign(f, &TWX_DETECTOR_TF, &doc, &key);
    assert_key_eq(
        key, fixture_parts(
                 f, (const char *[]){"alder", "birch", "cedar", "elder", "hazel", "larch"}, 6));
    /* alder and birch are in five of the eight documents: weights below zero */
    fixture_sign(f, &TWX_DETECTOR_TFIDF, &doc, &key);
    assert_key_eq(
        key, fixture_parts(
                 f, (const char *[]){"cedar", "elder", "hazel", "larch", "maple", "rowan"}, 6));
}

TEST_OF(other_words_do_not_count, fixture *f) {
    twx_key a = {0}, b = {0}, c = {0};
    const char *const text =
        "alder alder birch birch cedar cedar elder elder hazel hazel larch larch";
    assert_int_equal(
        fixture_sign(f, &TWX_DETECTOR_TF, &(twx_document){.text = twx_slice_of(text)}, &a), 1);
    const twx_document longer = {
        .text = TWX_SLICE_LIT("The LARCH: larch, of alder alder (birch) birch with cedar-cedar "
                              "elder elder hazel hazel; maple? it is in a box!")};
    assert_int_equal(fixture_sign(f, &TWX_DETECTOR_TF, &longer, &b), 1);
    assert_key_eq(a, b);
    const twx_document other = {
        .text = TWX_SLICE_LIT(
            "larch alder alder birch birch cedar cedar elder elder hazel hazel maple maple")};
    assert_int_equal(fixture_sign(f, &TWX_DETECTOR_TF, &other, &c), 1);
    assert_true(a.key != c.key && a.check != c.check);
}

TEST_OF(without_words_or_collection_there_is_no_key, fixture *f) {
    static const char *const NOTHING[] = {"", "of the and", "\xFF\xFF", "a bb ccc"};
    twx_key key;
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        const bool global = ROWS[i]->needs != 0;
        const uint64_t before = twx_detector_fingerprint(ROWS[i], &f->params);
        assert_int_equal(global, ROWS[i] != &TWX_DETECTOR_TF);
        assert_int_equal(
            fixture_sign(f, ROWS[i], &(twx_document){.text = TWX_SLICE_LIT("apple banana")}, &key),
            !global);
        fixture_collect(f, TWX_NEED_LEXICON, FRUIT, TWX_COUNTOF(FRUIT));
        assert_int_equal(global, before != twx_detector_fingerprint(ROWS[i], &f->params));
        for (size_t k = 0; k < TWX_COUNTOF(NOTHING); k++)
            assert_int_equal(
                fixture_sign(f, ROWS[i], &(twx_document){.text = twx_slice_of(NOTHING[k])}, &key),
                0);
        /* a collection without words */
        fixture_collect(f, TWX_NEED_LEXICON, NOTHING, TWX_COUNTOF(NOTHING));
        assert_int_equal(
            fixture_sign(f, ROWS[i], &(twx_document){.text = TWX_SLICE_LIT("apple banana")}, &key),
            !global);
        fixture_forget(f);
    }
}
