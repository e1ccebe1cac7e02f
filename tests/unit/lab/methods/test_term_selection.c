/* Which words are chosen, and at which thresholds. */
#include "detect_fixture.h"

#include "lab/lab.h"

enum { MEMORY = 1 << 20, WORDS = 400, DOCUMENTS = 900 };

typedef struct made_bag {
    twx_bag bag;
    twx_bag_word words[WORDS];
} made_bag;

static uint64_t word_hash(uint64_t number) {
    return twx_mix64(number, 77);
}

static void put_word(made_bag *b, uint64_t number, uint32_t tf) {
    b->words[b->bag.n++] = (twx_bag_word){.hash = word_hash(number), .tf = tf};
    b->bag.length += tf;
    if (tf > b->bag.tf_max) b->bag.tf_max = tf;
    b->bag.at = b->words;
}

/* Each 3000 documents are of 30 topics: each topic has ten words that are frequent in it, among
 * words that anybody uses and some of its own. Document i is the same whenever it is asked for. */
static void make_bag(uint64_t seed, size_t i, made_bag *b) {
    test_rng rng = test_rng_seed(seed * 100003 + i);
    const uint64_t topic = i / 3000 * 30 + i % 30;
    *b = (made_bag){0};
    for (uint64_t k = 0; k < 10; k++)
        if (test_rng_below(&rng, 5))
            put_word(b, 1000 + topic * 10 + k, 5 + (uint32_t)test_rng_below(&rng, 4));
    for (uint64_t k = 0; k < 40; k++)
        if (test_rng_below(&rng, 2)) put_word(b, k, 1 + (uint32_t)test_rng_below(&rng, 6));
    for (uint64_t k = 0; k < 60; k++) put_word(b, 1000000 + i * 60 + k, 1);
}

/* Documents order[0..n); owned by the caller. */
static twx_term_selection *features_of(uint64_t seed, const size_t *order, size_t n,
                                       size_t max_bytes) {
    twx_ctx cx = {0};
    twx_term_selection_maker *m = NULL;
    twx_term_selection *f = NULL;
    made_bag b;
    assert_int_equal(twx_term_selection_maker_open(&cx, max_bytes, &m), TWX_OK);
    for (size_t i = 0; i < n; i++) {
        make_bag(seed, order[i], &b);
        assert_int_equal(twx_term_selection_maker_add(m, &b.bag), TWX_OK);
    }
    assert_int_equal(twx_term_selection_make(m, &f), TWX_OK);
    twx_term_selection_maker_close(m);
    return f;
}

static void in_order(size_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) order[i] = i;
}

static bool knows(const twx_term_selection *f, uint64_t number, uint32_t *ret_threshold) {
    uint32_t feature = 0;
    const bool found = twx_term_selection_find(f, word_hash(number), &feature, ret_threshold);
    if (found) assert_true(feature < f->n);
    return found;
}

TEST(words_of_topics_are_chosen_and_others_are_not) {
    size_t order[DOCUMENTS], topical = 0;
    uint32_t threshold = 0;
    in_order(order, DOCUMENTS);
    twx_term_selection *f = features_of(1, order, DOCUMENTS, MEMORY);
    for (uint64_t k = 0; k < 300; k++) topical += knows(f, 1000 + k, &threshold);
    assert_true(topical > 200);
    /* the rest is at most what everybody uses */
    assert_true(f->n <= topical + 40);
    for (uint64_t k = 0; k < 1000; k++) assert_false(knows(f, 1000000 + k, &threshold));
    twx_term_selection_close(f);
}

/* A word that is there once in 40 documents of 200 words, twelve times in 60 others: one occurrence
 * more or less turns no bit when the threshold is above 2/200 and not above 11/200. Of those, 11314
 * to 45255, it is the one in the middle. The word is also the last one in order of hashes. */
TEST(thresholds_keep_away_from_documents) {
    twx_ctx cx = {0};
    twx_term_selection_maker *m = NULL;
    twx_term_selection *f = NULL;
    uint32_t feature = 9, threshold = 0;
    assert_int_equal(twx_term_selection_maker_open(&cx, MEMORY, &m), TWX_OK);
    for (uint64_t i = 0; i < 400; i++) {
        made_bag b = {0};
        const uint32_t tf = i < 40 ? 1 : i < 100 ? 12 : 0;
        if (tf > 0) {
            put_word(&b, 7, tf);
            b.words[0].hash = UINT64_MAX;
        }
        for (uint64_t k = 0; b.bag.length < 200; k++) put_word(&b, 1000 + i * 200 + k, 1);
        assert_int_equal(twx_term_selection_maker_add(m, &b.bag), TWX_OK);
    }
    assert_int_equal(twx_term_selection_make(m, &f), TWX_OK);
    assert_int_equal(f->n, 1);
    assert_true(twx_term_selection_find(f, UINT64_MAX, &feature, &threshold));
    assert_int_equal(feature, 0);
    assert_int_equal(threshold, 22627);
    twx_term_selection_close(f);
    twx_term_selection_maker_close(m);
}

/* Every document has some bits: what the rounds are for. */
TEST(documents_are_covered) {
    size_t order[DOCUMENTS], poor = 0;
    made_bag b;
    in_order(order, DOCUMENTS);
    twx_term_selection *f = features_of(3, order, DOCUMENTS, MEMORY);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        size_t bits = 0;
        make_bag(3, i, &b);
        for (size_t k = 0; k < b.bag.n; k++) {
            uint32_t feature = 0, threshold = 0;
            bits += twx_term_selection_find(f, b.words[k].hash, &feature, &threshold) &&
                    (uint64_t)b.words[k].tf * 1000000 / b.bag.length >= threshold;
        }
        poor += bits < 3;
    }
    if (poor > DOCUMENTS / 50) fail_msg("%zu documents have fewer than 3 bits", poor);
    twx_term_selection_close(f);
}

static void assert_same(const twx_term_selection *a, const twx_term_selection *b, uint64_t seed) {
    if (a->fingerprint != b->fingerprint || a->n != b->n)
        fail_msg("seed %" PRIu64 ": %zu words, or %zu", seed, a->n, b->n);
    for (uint64_t k = 0; k < 1700; k++) {
        uint32_t of_a[2] = {0}, of_b[2] = {0};
        assert_int_equal(twx_term_selection_find(a, word_hash(k), &of_a[0], &of_a[1]),
                         twx_term_selection_find(b, word_hash(k), &of_b[0], &of_b[1]));
        assert_memory_equal(of_a, of_b, sizeof of_a);
    }
}

TEST(r1_the_order_of_adding_never_shows) {
    for (uint64_t seed = 10; seed < 13; seed++) {
        uint64_t shuffled[DOCUMENTS];
        size_t order[DOCUMENTS];
        test_rng rng = test_rng_seed(seed);
        in_order(order, DOCUMENTS);
        twx_term_selection *forth = features_of(seed, order, DOCUMENTS, MEMORY);
        for (size_t i = 0; i < DOCUMENTS; i++) shuffled[i] = i;
        test_rng_shuffle(&rng, shuffled, DOCUMENTS);
        for (size_t i = 0; i < DOCUMENTS; i++) order[i] = (size_t)shuffled[i];
        twx_term_selection *other = features_of(seed, order, DOCUMENTS, MEMORY);
        assert_same(forth, other, seed);
        twx_term_selection_close(forth);
        twx_term_selection_close(other);
    }
}

/* 9000 documents: more than the sample takes, and a million postings, which do not fit into 1 MiB:
 * they go through files. */
TEST(the_limit_on_memory_never_shows) {
    enum { MANY = 9000 };
    static size_t order[MANY];
    in_order(order, MANY);
    twx_term_selection *roomy = features_of(20, order, MANY, (size_t)1 << 28);
    for (size_t i = 0; i < MANY / 2; i++) {
        size_t swap = order[i];
        order[i] = order[MANY - 1 - i];
        order[MANY - 1 - i] = swap;
    }
    twx_term_selection *tight = features_of(20, order, MANY, 0);
    assert_true(roomy->n > 100);
    assert_same(roomy, tight, 20);
    twx_term_selection_close(roomy);
    twx_term_selection_close(tight);
}

TEST(other_words_have_another_fingerprint) {
    size_t order[DOCUMENTS];
    in_order(order, DOCUMENTS);
    twx_term_selection *a = features_of(30, order, DOCUMENTS, MEMORY);
    for (size_t i = 0; i < DOCUMENTS; i++) order[i] = 2 * i; /* half of the topics */
    twx_term_selection *b = features_of(30, order, DOCUMENTS, MEMORY);
    assert_int_not_equal(a->fingerprint, b->fingerprint);
    twx_term_selection_close(a);
    twx_term_selection_close(b);
}

TEST(no_documents_and_empty_ones_give_no_words) {
    twx_ctx cx;
    twx_term_selection_maker *m = NULL;
    uint32_t feature, threshold;
    for (int empties = 0; empties < 2; empties++) {
        twx_term_selection *f = NULL;
        twx_ctx_init(&cx);
        assert_int_equal(twx_term_selection_maker_open(&cx, MEMORY, &m), TWX_OK);
        for (int i = 0; i < 5 * empties; i++)
            assert_int_equal(twx_term_selection_maker_add(m, &(twx_bag){0}), TWX_OK);
        assert_int_equal(twx_term_selection_make(m, &f), TWX_OK);
        assert_int_equal(f->n, 0);
        assert_false(twx_term_selection_find(f, 0, &feature, &threshold));
        assert_false(twx_term_selection_find(f, word_hash(1), &feature, &threshold));
        twx_term_selection_close(f);
        twx_term_selection_maker_close(m);
    }
    twx_term_selection_close(NULL);
    twx_term_selection_maker_close(NULL);
}

/* One word, millions of times; and many equal documents, which the sample holds once. */
TEST(odd_documents_do_no_harm) {
    twx_ctx cx = {0};
    twx_term_selection_maker *m = NULL;
    twx_term_selection *f = NULL;
    assert_int_equal(twx_term_selection_maker_open(&cx, MEMORY, &m), TWX_OK);
    for (int i = 0; i < 5000; i++) {
        made_bag b = {0};
        put_word(&b, 5, UINT32_MAX);
        assert_int_equal(twx_term_selection_maker_add(m, &b.bag), TWX_OK);
    }
    assert_int_equal(twx_term_selection_make(m, &f), TWX_OK);
    assert_int_equal(f->n, 0); /* a word of all documents distinguishes none */
    twx_term_selection_close(f);
    twx_term_selection_maker_close(m);
}

TEST(allocations_that_fail_are_reported) {
    for (uint64_t nth = 1;; nth++) {
        twx_ctx cx = {0};
        twx_faults faults = {.fail_at = nth};
        twx_term_selection_maker *m = NULL;
        twx_term_selection *f = NULL;
        made_bag b;
        cx.faults = &faults;
        twx_rc rc = twx_term_selection_maker_open(&cx, MEMORY, &m);
        for (size_t i = 0; rc == TWX_OK && i < 60; i++) {
            make_bag(40, i, &b);
            rc = twx_term_selection_maker_add(m, &b.bag);
        }
        if (rc == TWX_OK) rc = twx_term_selection_make(m, &f);
        twx_term_selection_close(f);
        twx_term_selection_maker_close(m);
        if (rc == TWX_OK) {
            assert_true(nth > 60);
            return;
        }
        assert_int_equal(rc, TWX_E_NOMEM);
    }
}
