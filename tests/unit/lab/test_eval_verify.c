/* lab/eval_pairs: the truth of pairs against the textbook table, and the draw of pairs. */
#include "eval_store.h"

#include <math.h>

enum { TEXTS = 24, PAGES = 40 };

typedef struct fixture {
    eval_store store;
    char url[PAGES][40], text[PAGES][300];
    test_row row[PAGES];
    uint64_t place[TEXTS];
    twx_eval_pool pool;
} fixture;

/* 24 texts of 20 words, a fifth of which is replaced; 16 more pages repeat the first 5 texts.
 * The pool holds every pair. */
static void setup(fixture *f) {
    test_rng rng = test_rng_seed(5);
    for (size_t i = 0; i < PAGES; i++) {
        test_rng words = test_rng_seed(1 + i % 3);
        char *out = f->text[i];
        for (size_t k = 0; i < TEXTS && k < 20; k++) {
            unsigned long long word = test_rng_next(&words) % 100000;
            if (test_rng_below(&rng, 10) < 2) word = test_rng_next(&rng) % 100000;
            out += sprintf(out, "w%llu ", word);
        }
        if (i >= TEXTS) memcpy(f->text[i], f->text[i % 5], sizeof f->text[i]);
        sprintf(f->url[i], "https://h.example/%zu", i);
        f->row[i] = (test_row){f->url[i], f->text[i], 200, NULL};
    }
    eval_store_open(&f->store, f->row, PAGES, NULL);
    assert_int_equal(f->store.texts.at.n, TEXTS);
    f->pool = (twx_eval_pool){.cx = &f->store.cx, .place = f->place, .limit = 1000};
    for (uint32_t a = 0; a < TEXTS; a++)
        for (uint32_t b = a + 1; b < TEXTS; b++) {
            const twx_eval_pair pair = {twx_eval_pair_of(a, b), 1, TWX_EVAL_UNKNOWN};
            assert_true(TWX_VEC_PUSH(&f->store.cx, &f->pool.at, pair));
        }
}

static void teardown(fixture *f) {
    TWX_VEC_DONE(&f->pool.at);
    eval_store_close(&f->store);
}

/* Text i is that of page i: the first 24 pages differ. Returns how many pairs are similar. */
static size_t verify_all(fixture *f) {
    const twx_eval_draw all = twx_eval_draw_of(&f->store.texts, &f->pool, 0);
    twx_eval_verified counts = {0};
    size_t similar = 0;
    for (size_t i = 0; i < f->pool.at.n; i++) f->pool.at.at[i].truth = TWX_EVAL_UNKNOWN;
    assert_int_equal(twx_eval_verify(&f->store.texts, &all, &f->pool, &counts), TWX_OK);
    assert_int_equal(counts.pairs, f->pool.at.n);
    assert_int_equal(counts.too_long, 0);
    for (size_t i = 0; i < f->pool.at.n; i++) {
        const twx_eval_pair *p = &f->pool.at.at[i];
        const double similarity = plain_similarity(f->text[twx_eval_pair_a(p->pair)],
                                                   f->text[twx_eval_pair_b(p->pair)]);
        assert_int_equal(p->truth, similarity >= 0.8 ? TWX_EVAL_TRUE : TWX_EVAL_FALSE);
        similar += p->truth == TWX_EVAL_TRUE;
    }
    return similar;
}

TEST_OF(truth_is_what_the_table_says, fixture *f) {
    const size_t similar = verify_all(f);
    assert_true(similar > 10 && similar < f->pool.at.n - 10);
}

/* Texts that do not fit into memory are read in blocks of as many as fit, at least one. */
TEST_OF(blocks_of_texts_change_nothing, fixture *f) {
    static const uint64_t MEMORY[] = {4 * 2000, 4 * 500, 4 * 300, 1};
    const size_t similar = verify_all(f);
    for (size_t i = 0; i < sizeof MEMORY / sizeof *MEMORY; i++) {
        f->store.settings.run_memory = MEMORY[i];
        assert_int_equal(verify_all(f), similar);
    }
}

TEST_OF(a_pair_stands_for_its_pairs_of_documents, const fixture *f) {
    /* pages 24 to 39 have the texts 0 to 4: 25, 30 and 35 that of text 0 */
    assert_int_equal(f->store.texts.at.at[0].documents, 4);
    assert_int_equal(f->store.texts.at.at[4].documents, 5);
    assert_true(twx_eval_weight(&f->store.texts, twx_eval_pair_of(0, 4)) == 20);
    assert_true(twx_eval_weight(&f->store.texts, twx_eval_pair_of(4, 20)) == 5);
    assert_true(twx_eval_weight(&f->store.texts, twx_eval_pair_of(22, 20)) == 1);
}

/* The chances sum up to the sample; what was drawn is what chance and lot say, and no more. */
TEST_OF(the_draw_has_the_size_that_was_asked_for, fixture *f) {
    twx_eval_verified counts = {0};
    for (uint64_t sample = 20; sample < f->pool.at.n; sample += 60) {
        const twx_eval_draw draw = twx_eval_draw_of(&f->store.texts, &f->pool, sample);
        double expected = 0, variance = 0;
        size_t known = 0;
        for (size_t i = 0; i < f->pool.at.n; i++) {
            const double weight = twx_eval_weight(&f->store.texts, f->pool.at.at[i].pair);
            const double chance = twx_eval_draw_chance(&draw, weight);
            assert_true(chance > 0 && chance <= 1);
            expected += chance;
            variance += chance * (1 - chance);
            f->pool.at.at[i].truth = TWX_EVAL_UNKNOWN;
        }
        assert_true(fabs(expected - (double)sample) < 0.01 * (double)sample);
        assert_int_equal(twx_eval_verify(&f->store.texts, &draw, &f->pool, &counts), TWX_OK);
        for (size_t i = 0; i < f->pool.at.n; i++)
            known += f->pool.at.at[i].truth != TWX_EVAL_UNKNOWN;
        assert_int_equal(counts.pairs, known);
        assert_true(fabs((double)known - expected) < 4 * sqrt(variance) + 1);
    }
    const twx_eval_draw all = twx_eval_draw_of(&f->store.texts, &f->pool, f->pool.at.n);
    assert_true(twx_eval_draw_chance(&all, 1) == 1);
}

TESTS_OF(fixture, setup, teardown);
