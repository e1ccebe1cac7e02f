/* The lexicon: its numbers, and that neither order nor memory show in it. */
#include "collection_fixture.h"

enum {
    DOCUMENTS = 400,
    WORDS = 2000,
    WORDS_MOST = 40,
    ROUNDS = 8,
    AMPLE = 1 << 24,
    TINY = 1 << 16,
    TOO_LITTLE = 1 << 13
};

static twx_bag_word word_of(uint64_t hash, uint32_t tf) {
    return (twx_bag_word){.hash = hash, .tf = tf};
}

TEST_OF(df_cf_n_and_length, fixture *f) {
    const char *const texts[] = {"apple apple banana cherry", "apple banana", "apple with which",
                                 "damson", ""};
    fixture_collect(f, TWX_NEED_LEXICON, texts, TWX_COUNTOF(texts));
    const twx_bag bag = fixture_bag(f, "apple banana cherry cherry elderberry");
    assert_int_equal(f->collection.lexicon->documents, 5);
    assert_int_equal(f->collection.lexicon->length, 8);
    assert_int_equal(f->collection.lexicon->n, 2); /* apple, banana */
    const twx_word_stats apple = twx_lexicon_find(f->collection.lexicon,
                                                  fixture_word(&bag, "apple"));
    assert_int_equal(apple.df, 3);
    assert_int_equal(apple.cf, 4);
    const twx_word_stats banana = twx_lexicon_find(f->collection.lexicon,
                                                   fixture_word(&bag, "banana"));
    assert_int_equal(banana.df, 2);
    assert_int_equal(banana.cf, 2);
    /* a word of one document, and one of none: as if the caller's document were the only one */
    const twx_word_stats cherry = twx_lexicon_find(f->collection.lexicon,
                                                   fixture_word(&bag, "cherry"));
    assert_int_equal(cherry.df, 1);
    assert_int_equal(cherry.cf, 2);
    assert_int_equal(twx_lexicon_find(f->collection.lexicon, fixture_word(&bag, "elderberry")).df,
                     1);
}

TEST_OF(an_empty_collection, fixture *f) {
    fixture_collect(f, TWX_NEED_LEXICON, NULL, 0);
    const twx_bag_word word = word_of(UINT64_MAX, 3);
    assert_int_equal(f->collection.lexicon->documents, 0);
    assert_int_equal(f->collection.lexicon->n, 0);
    assert_int_equal(twx_lexicon_find(f->collection.lexicon, &word).df, 1);
    assert_int_equal(twx_lexicon_find(f->collection.lexicon, &word).cf, 3);
}

/* Bags of random words, no word twice in one, with what they come to. */
typedef struct bags {
    twx_bag_word words[DOCUMENTS][WORDS_MOST];
    twx_bag at[DOCUMENTS];
    uint64_t order[DOCUMENTS]; /* in which they are added */
    uint64_t hashes[WORDS], df[WORDS], cf[WORDS], length;
} bags;

static void make_bags(bags *b, uint64_t seed) {
    test_rng rng = test_rng_seed(seed);
    memset(b, 0, sizeof *b);
    /* some hashes lie side by side, as crafted words' would; 0 and the largest are there */
    for (size_t i = 0; i < WORDS; i++) b->hashes[i] = i % 2 ? test_rng_next(&rng) : i * 3;
    b->hashes[1] = UINT64_MAX;
    for (size_t d = 0; d < DOCUMENTS; d++) {
        bool has[WORDS] = {false};
        twx_bag *bag = &b->at[d];
        bag->at = b->words[d];
        b->order[d] = d;
        for (size_t n = test_rng_below(&rng, WORDS_MOST + 1); n > 0; n--) {
            /* low ones are more frequent */
            size_t i = test_rng_below(&rng, WORDS) * (test_rng_below(&rng, 4) + 1) / 4;
            if (has[i]) continue;
            has[i] = true;
            const uint32_t tf = 1 + (uint32_t)test_rng_below(&rng, 5);
            bag->at[bag->n++] = word_of(b->hashes[i], tf);
            bag->length += tf;
            b->df[i]++;
            b->cf[i] += tf;
        }
        b->length += bag->length;
    }
}

static twx_rc make_lexicon(fixture *f, const bags *b, size_t max_bytes, twx_lexicon **ret_lexicon) {
    twx_lexicon_maker *maker = NULL;
    assert_int_equal(twx_lexicon_maker_open(&f->cx, max_bytes, test_folder(), &maker), TWX_OK);
    for (size_t d = 0; d < DOCUMENTS; d++)
        assert_int_equal(twx_lexicon_maker_add(maker, &b->at[b->order[d]]), TWX_OK);
    twx_rc rc = twx_lexicon_make(maker, ret_lexicon);
    twx_lexicon_maker_close(maker);
    return rc;
}

/* The lexicon equals a count made without it. */
static void assert_counts(const twx_lexicon *l, const bags *b, uint64_t seed) {
    size_t kept = 0;
    for (size_t i = 0; i < WORDS; i++) {
        const twx_bag_word word = word_of(b->hashes[i], 7);
        const twx_word_stats stats = twx_lexicon_find(l, &word);
        const bool known = b->df[i] >= 2;
        kept += known;
        if (stats.df != (known ? b->df[i] : 1) || stats.cf != (known ? b->cf[i] : 7))
            fail_msg("seed %" PRIu64 ", word %zu: df %" PRIu64 " cf %" PRIu64, seed, i, stats.df,
                     stats.cf);
    }
    assert_int_equal(l->n, kept);
    assert_int_equal(l->documents, DOCUMENTS);
    assert_int_equal(l->length, b->length);
}

static void assert_same(const twx_lexicon *a, const twx_lexicon *b, uint64_t seed) {
    if (a->fingerprint != b->fingerprint) fail_msg("seed %" PRIu64 ": fingerprints", seed);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->words, b->words, a->n * sizeof *a->words);
}

TEST_OF(r1_r2_neither_order_nor_memory_show, fixture *f) {
    static bags b;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        twx_lexicon *plain = NULL, *shuffled = NULL, *spilled = NULL;
        test_rng rng = test_rng_seed(seed);
        make_bags(&b, seed);
        assert_int_equal(make_lexicon(f, &b, AMPLE, &plain), TWX_OK);
        assert_counts(plain, &b, seed);
        test_rng_shuffle(&rng, b.order, DOCUMENTS);
        assert_int_equal(make_lexicon(f, &b, AMPLE, &shuffled), TWX_OK);
        assert_int_equal(make_lexicon(f, &b, TINY, &spilled), TWX_OK);
        assert_same(plain, shuffled, seed);
        assert_same(plain, spilled, seed);
        twx_lexicon_close(plain), twx_lexicon_close(shuffled), twx_lexicon_close(spilled);
    }
}

TEST_OF(words_are_in_order_of_hash, fixture *f) {
    static bags b;
    twx_lexicon *l = NULL;
    make_bags(&b, 99);
    assert_int_equal(make_lexicon(f, &b, TINY, &l), TWX_OK);
    assert_true(l->n > 1000);
    for (size_t i = 1; i < l->n; i++) assert_true(l->words[i - 1].key < l->words[i].key);
    twx_lexicon_close(l);
}

TEST_OF(a_lexicon_that_does_not_fit_says_what_would_be_enough, fixture *f) {
    static bags b;
    twx_lexicon *l = NULL;
    make_bags(&b, 1);
    assert_int_equal(make_lexicon(f, &b, TOO_LITTLE, &l), TWX_E_LIMIT);
    assert_null(l);
    const char *figure = strstr(f->cx.message, "needs ");
    assert_non_null(figure);
    assert_non_null(strstr(f->cx.message, "run.memory"));
    const size_t enough = strtoul(figure + strlen("needs "), NULL, 10);
    twx_ctx_clear(&f->cx);
    assert_int_equal(make_lexicon(f, &b, enough, &l), TWX_OK);
    twx_lexicon_close(l);
    l = NULL;
    assert_int_equal(make_lexicon(f, &b, enough - enough / 8, &l), TWX_E_LIMIT);
    twx_ctx_clear(&f->cx);
}

TEST_OF(other_statistics_other_fingerprint, fixture *f) {
    static const char *const WAYS[][3] = {{"apple banana", "apple banana", ""},
                                          {"apple banana", "apple banana", "cherry"},
                                          {"apple banana", "apple apple banana", ""},
                                          {"apple banana", "apple banana", "apple"},
                                          {"apple banana", "apple cherry", ""}};
    uint64_t seen[TWX_COUNTOF(WAYS)];
    for (size_t i = 0; i < TWX_COUNTOF(WAYS); i++) {
        fixture_collect(f, TWX_NEED_LEXICON, WAYS[i], 3);
        seen[i] = f->collection.lexicon->fingerprint;
        for (size_t j = 0; j < i; j++) assert_true(seen[i] != seen[j]);
    }
}

/* It also shows that so little memory does not do without temporary files. */
TEST_OF(a_folder_that_is_not_there_is_named, fixture *f) {
    static bags b;
    twx_lexicon_maker *maker = NULL;
    twx_rc rc = TWX_OK;
    make_bags(&b, 1);
    assert_int_equal(twx_lexicon_maker_open(&f->cx, TINY, "/no/such/folder", &maker), TWX_OK);
    for (size_t d = 0; d < DOCUMENTS && rc == TWX_OK; d++)
        rc = twx_lexicon_maker_add(maker, &b.at[d]);
    assert_int_equal(rc, TWX_E_CREATE);
    assert_non_null(strstr(f->cx.message, "/no/such/folder"));
    twx_lexicon_maker_close(maker);
    twx_ctx_clear(&f->cx);
}

TEST(null_is_fine) {
    twx_lexicon_close(NULL);
    twx_lexicon_maker_close(NULL);
}
