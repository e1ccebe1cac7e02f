/* I-Match: the words of middle idf, and one digest of them; lexrand: ten more of random parts. */
#include "collection_fixture.h"

enum { LEXRAND_KEYS = 11, TREES = 40, TEXT_MAX = 1024, TRIALS = TREES };

/* Sixteen documents: a = 2, so words of 2 to 8 of them are in the band. alder is in all, willow in
 * one, birch in eight. */
static const char *const FOREST[] = {"alder birch cedar elder hazel rowan",
                                     "alder birch cedar elder hazel rowan",
                                     "alder birch cedar",
                                     "alder birch",
                                     "alder birch",
                                     "alder birch",
                                     "alder birch",
                                     "alder birch willow",
                                     "alder",
                                     "alder",
                                     "alder",
                                     "alder",
                                     "alder",
                                     "alder",
                                     "alder",
                                     "alder"};

TEST(the_band_of_middle_idf) {
    static const struct {
        uint64_t documents, df_min, df_max;
    } BANDS[] = {{0, 2, 0},
                 {1, 2, 0},
                 {3, 2, 1},
                 {4, 2, 2},
                 {100, 2, 50},
                 {242, 2, 121},
                 {243, 3, 81},
                 {1000, 3, 333},
                 {1023, 3, 341},
                 {1024, 4, 256},
                 {99999, 9, 11111},
                 {100000, 10, 10000},
                 {1000000, 15, 66666},
                 {UINT32_MAX, 84, UINT32_MAX / 84},
                 {UINT64_C(1) << 60, 4096, UINT64_C(1) << 48}};
    for (size_t i = 0; i < TWX_COUNTOF(BANDS); i++) {
        const twx_df_band band = twx_middle_band(BANDS[i].documents);
        if (band.df_min != BANDS[i].df_min || band.df_max != BANDS[i].df_max)
            fail_msg("%" PRIu64 " documents: %" PRIu64 "..%" PRIu64, BANDS[i].documents,
                     band.df_min, band.df_max);
    }
}

TEST_OF(words_of_the_band_are_taken, fixture *f) {
    static const char *const EXPECTED[] = {"birch", "cedar", "elder", "hazel", "rowan"};
    twx_imatch words;
    fixture_collect(f, TWX_NEED_LEXICON, FOREST, TWX_COUNTOF(FOREST));
    const twx_slice text = TWX_SLICE_LIT(
        "Rowan, willow; hazel hazel with alder! maple, elder and birch; cedar");
    assert_int_equal(twx_imatch_words(&f->cx, f->w, f->collection.lexicon, text, &words), TWX_OK);
    assert_int_equal(words.n, TWX_COUNTOF(EXPECTED));
    for (size_t i = 0; i < words.n; i++)
        assert_true(twx_slice_eq(words.at[i].text, twx_slice_of(EXPECTED[i])));
    twx_workspace_reset(f->w);
}

static const char *imatch_hex(fixture *f, const char *text) {
    return fixture_hex(f, &TWX_DETECTOR_IMATCH, &(twx_document){.text = twx_slice_of(text)});
}

/* SHA-256 of "birch cedar elder hazel rowan", its first 16 bytes. */
static const char *const FIVE = "fb94a10053cbea51dfb244eecd8f5a61";

TEST_OF(the_key_is_the_digest_of_the_sorted_words, fixture *f) {
    fixture_collect(f, TWX_NEED_LEXICON, FOREST, TWX_COUNTOF(FOREST));
    assert_string_equal(imatch_hex(f, "birch cedar elder hazel rowan"), FIVE);
    assert_string_equal(
        imatch_hex(f, "ROWAN alder hazel willow, elder elder maple cedar birch, not it"), FIVE);
}

TEST_OF(too_few_words_have_no_key, fixture *f) {
    fixture_collect(f, TWX_NEED_LEXICON, FOREST, TWX_COUNTOF(FOREST));
    assert_string_equal(imatch_hex(f, "birch cedar elder hazel"), "");
    assert_string_equal(imatch_hex(f, "birch cedar elder hazel alder willow maple"), "");
    assert_string_equal(imatch_hex(f, ""), "");
    fixture_forget(f);
    assert_string_equal(imatch_hex(f, "birch cedar elder hazel rowan"), "");
}

/* TREES words, each in four of ten documents. */
static void plant(fixture *f) {
    static char texts[10][TEXT_MAX];
    const char *list[10];
    for (size_t d = 0; d < 10; d++) {
        size_t n = 0;
        for (size_t i = 0; i < TREES; i++)
            if ((i + d) % 10 < 4) n += (size_t)snprintf(texts[d] + n, TEXT_MAX - n, "tree%zu ", i);
        list[d] = texts[d];
    }
    fixture_collect(f, TWX_NEED_LEXICON, list, 10);
}

/* All words but one, which is a number from TREES on for none. */
static const char *trees_without(size_t left_out) {
    static char text[TEXT_MAX];
    size_t n = 0;
    for (size_t i = 0; i < TREES; i++)
        if (i != left_out) n += (size_t)snprintf(text + n, TEXT_MAX - n, "tree%zu ", i);
    return text;
}

static size_t lexrand_keys(fixture *f, const char *text, twx_key ret_keys[LEXRAND_KEYS]) {
    twx_key first;
    const size_t n = fixture_sign(f, &TWX_DETECTOR_LEXRAND,
                                  &(twx_document){.text = twx_slice_of(text)}, &first);
    assert_true(n <= LEXRAND_KEYS);
    for (size_t i = 0; i < n; i++) ret_keys[i] = f->signature.keys.at[i];
    return n;
}

TEST_OF(lexrand_has_imatchs_key_and_ten_others, fixture *f) {
    twx_key keys[LEXRAND_KEYS], imatch;
    plant(f);
    assert_int_equal(lexrand_keys(f, trees_without(TREES), keys), LEXRAND_KEYS);
    assert_int_equal(fixture_sign(f, &TWX_DETECTOR_IMATCH,
                                  &(twx_document){.text = twx_slice_of(trees_without(TREES))},
                                  &imatch),
                     1);
    assert_key_eq(keys[0], imatch);
    for (size_t i = 0; i < LEXRAND_KEYS; i++)
        for (size_t j = 0; j < i; j++) assert_true(keys[i].key != keys[j].key);
}

/* One word less: no key of imatch is left, and of lexrand's those of the sublexicons without that
 * word, 30 % of them. */
TEST_OF(lexrand_mostly_bears_the_loss_of_a_word, fixture *f) {
    twx_key whole[LEXRAND_KEYS], less[LEXRAND_KEYS];
    size_t shared = 0, met = 0;
    plant(f);
    assert_int_equal(lexrand_keys(f, trees_without(TREES), whole), LEXRAND_KEYS);
    for (size_t i = 0; i < TRIALS; i++) {
        size_t common = 0;
        assert_int_equal(lexrand_keys(f, trees_without(i), less), LEXRAND_KEYS);
        assert_true(less[0].key != whole[0].key);
        for (size_t k = 1; k < LEXRAND_KEYS; k++)
            common += less[k].key == whole[k].key && less[k].check == whole[k].check;
        shared += common;
        met += common > 0;
    }
    /* of 400 keys about 119 +- 9 are shared, of 40 texts all but one or two meet */
    assert_in_range(shared, 80, 160);
    assert_in_range(met, TRIALS - 6, TRIALS);
}

TEST_OF(lexrand_without_words_or_collection_has_no_key, fixture *f) {
    twx_key keys[LEXRAND_KEYS];
    assert_int_equal(lexrand_keys(f, trees_without(TREES), keys), 0);
    const uint64_t before = twx_detector_fingerprint(&TWX_DETECTOR_LEXRAND, &f->params);
    plant(f);
    assert_int_equal(lexrand_keys(f, "", keys), 0);
    assert_int_equal(lexrand_keys(f, "tree1 tree2 tree3 tree4", keys), 0);
    assert_in_range(lexrand_keys(f, "tree1 tree2 tree3 tree4 tree5", keys), 1, LEXRAND_KEYS);
    assert_true(before != twx_detector_fingerprint(&TWX_DETECTOR_LEXRAND, &f->params));
}
