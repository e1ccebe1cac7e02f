/* lab/eval_scores: small cases worked out by hand. */
#include "support.h"

#include <math.h>

#include "lab/lab.h"

static void near_to(double got, double wanted) {
    if (!(fabs(got - wanted) < 1e-9)) fail_msg("%.9f, not %.9f", got, wanted);
}

/* Four texts: of 3, 2, 1 and 1 documents. Detector 0 gives all of them keys and finds 0-1 and 2-3,
 * detector 1 only text 0 and 1 and finds 0-1, detector 2 finds 1-2 and gives no key to text 3. */
enum { TEXTS = 4, DETECTORS = 3 };
static const uint32_t DOCUMENTS[TEXTS] = {3, 2, 1, 1};
static const uint32_t HAS_KEY[TEXTS] = {7, 7, 5, 1};

typedef struct fixture {
    twx_ctx cx;
    twx_eval_texts texts;
    twx_eval_pool pool;
    twx_eval_found found;
    twx_evaluation e;
} fixture;

static void fixture_open(fixture *f) {
    /* 0-1: detectors 0 and 1 */
    static const twx_eval_pair PAIRS[] = {
        {1, 3, TWX_EVAL_TRUE},
        {UINT64_C(1) << 32 | 2, 4, TWX_EVAL_FALSE}, /* 1-2: detector 2 */
        {UINT64_C(2) << 32 | 3, 1, TWX_EVAL_TRUE}}; /* 2-3: detector 0 */
    for (size_t i = 0; i < TEXTS; i++)
        assert_true(TWX_VEC_PUSH(&f->cx, &f->texts.at,
                                 (twx_eval_text){.documents = DOCUMENTS[i], .place = i}));
    for (size_t i = 0; i < TWX_COUNTOF(PAIRS); i++)
        assert_true(TWX_VEC_PUSH(&f->cx, &f->pool.at, PAIRS[i]));
    f->found = (twx_eval_found){
        .texts = &f->texts, .pool = &f->pool, .has_key = HAS_KEY, .n = DETECTORS};
    f->e.n = DETECTORS;
}

static void fixture_close(fixture *f) {
    TWX_VEC_DONE(&f->texts.at);
    TWX_VEC_DONE(&f->pool.at);
}

/* Within texts 3 + 1 pairs; 0-1 is six pairs of documents, 1-2 two, 2-3 one. */
TEST_OF(pairs_are_counted_in_documents, fixture *f) {
    twx_eval_count(&f->found, &f->e);
    near_to(f->e.at[0].pairs.value, 4 + 6 + 1);
    near_to(f->e.at[1].pairs.value, 4 + 6);
    near_to(f->e.at[2].pairs.value, 4 + 2);
    near_to(f->e.at[0].text_pairs.value, 2);
    near_to(f->e.dice[0][1], 2.0 * 10 / 21);
    near_to(f->e.dice[1][0], 2.0 * 10 / 21);
    near_to(f->e.dice[1][2], 2.0 * 4 / 16);
    near_to(f->e.dice[2][2], 1);
    near_to(f->e.at[0].pairs.high, f->e.at[0].pairs.low);
}

/* A sample of one pair in four stands for four times as many, but for what is within texts. */
TEST_OF(a_sample_stands_for_more, fixture *f) {
    f->pool.halvings = 2;
    twx_eval_count(&f->found, &f->e);
    near_to(f->e.at[1].pairs.value, 4 + 4 * 6);
    near_to(f->e.at[0].text_pairs.value, 8);
    assert_true(f->e.at[1].pairs.low < 4 + 4 * 6 && f->e.at[1].pairs.high > 4 + 4 * 6);
}

TEST_OF(truth_by_similarity, fixture *f) {
    const twx_eval_draw all = {0, 1};
    twx_eval_score_similarity(&f->found, &all, &f->e);
    assert_int_equal(f->e.true_pairs, 2);
    near_to(f->e.at[0].documents.recall.value, 1);
    near_to(f->e.at[0].documents.precision.value, 1);
    near_to(f->e.at[1].documents.recall.value, 10.0 / 11);
    near_to(f->e.at[2].documents.recall.value, 4.0 / 11);
    near_to(f->e.at[2].documents.precision.value, 4.0 / 6);
    near_to(f->e.at[2].documents.f.value, 2.0 * 4 / (6 + 11));
    near_to(f->e.at[1].texts.recall.value, 0.5);
    near_to(f->e.at[1].texts.precision.value, 1);
    near_to(f->e.at[2].texts.precision.value, 0);
    near_to(f->e.at[2].documents.f.low, f->e.at[2].documents.f.high);
}

TEST_OF(pairs_that_were_not_compared_do_not_count, fixture *f) {
    const twx_eval_draw all = {0, 1};
    f->pool.at.at[0].truth = TWX_EVAL_UNKNOWN;
    twx_eval_score_similarity(&f->found, &all, &f->e);
    near_to(f->e.at[1].documents.recall.value, 4.0 / 5);
    assert_false(f->e.at[1].texts.precision.known);
}

/* Text 0 has two documents in cluster 0 and one in cluster 1; text 1 one in cluster 0; texts 2 and
 * 3 one each in cluster 1. */
TEST_OF(truth_by_clusters, fixture *f) {
    static const uint32_t TEXT[] = {0, 0, 0, 1, 2, 3}, CLUSTER[] = {0, 0, 1, 0, 1, 1};
    twx_eval_labels l = {.clusters = true, .n_clusters = 2};
    for (size_t i = 0; i < TWX_COUNTOF(TEXT); i++)
        assert_true(TWX_VEC_PUSH(
            &f->cx, &l.urls,
            (twx_eval_label_url){.text = TEXT[i], .cluster = CLUSTER[i], .met = true}));
    assert_int_equal(twx_eval_score_clusters(&f->cx, &f->found, &l, &f->e), TWX_OK);
    assert_int_equal(f->e.labelled_pairs, 6);
    /* detector 1: within text 0 one true pair and two false ones; 0-1 two true and one false */
    near_to(f->e.at[1].documents.recall.value, 3.0 / 6);
    near_to(f->e.at[1].documents.precision.value, 3.0 / 6);
    /* cluster 0: 3 of its 3 pairs, among 6 that touch it; cluster 1: none of 3, among 3 */
    near_to(f->e.at[1].clusters.recall.value, 0.5);
    near_to(f->e.at[1].clusters.precision.value, (3.0 / 6 + 0) / 2);
    /* detector 0: 2-3 besides */
    near_to(f->e.at[0].documents.recall.value, 4.0 / 6);
    near_to(f->e.at[0].documents.precision.value, 4.0 / 7);
    TWX_VEC_DONE(&l.urls);
}

TEST_OF(truth_by_labelled_pairs, fixture *f) {
    twx_eval_labels l = {0};
    static const uint32_t TEXT[] = {0, 1, 2, TWX_EVAL_NO_TEXT};
    static const twx_eval_label_pair PAIRS[] = {
        {0, 1, true, 3}, {0, 2, true, 0}, {1, 2, false, 2}, {0, 3, true, 0}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(
            TWX_VEC_PUSH(&f->cx, &l.urls, (twx_eval_label_url){.text = TEXT[i], .met = true}));
        assert_true(TWX_VEC_PUSH(&f->cx, &l.pairs, PAIRS[i]));
    }
    twx_eval_score_pairs(&l, &f->e);
    assert_int_equal(f->e.labelled_pairs, 3);
    assert_int_equal(f->e.skipped_pairs, 1);
    near_to(f->e.at[0].documents.recall.value, 0.5);
    near_to(f->e.at[0].documents.precision.value, 1);
    near_to(f->e.at[1].documents.precision.value, 0.5);
    assert_true(f->e.at[0].documents.precision.low < 0.5); /* one pair says little */
    assert_false(f->e.at[2].documents.precision.known);
    near_to(f->e.at[2].documents.recall.value, 0);
    TWX_VEC_DONE(&l.urls);
    TWX_VEC_DONE(&l.pairs);
}

/* About as many as asked for, more of those that stand for many documents, none with a chance above
 * 1. */
TEST_OF(draws_are_as_large_as_asked_for, fixture *f) {
    enum { MANY = 5000 };
    twx_eval_texts texts = {0};
    twx_eval_pool pool = {0};
    test_rng rng = test_rng_seed(4);
    for (uint32_t i = 0; i <= MANY; i++)
        assert_true(TWX_VEC_PUSH(
            &f->cx, &texts.at,
            (twx_eval_text){.documents = 1 + (uint32_t)test_rng_below(&rng, i % 50 ? 3 : 500)}));
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(
            TWX_VEC_PUSH(&f->cx, &pool.at, (twx_eval_pair){.pair = twx_eval_pair_of(i, i + 1)}));
    for (uint64_t sample = 0; sample <= MANY; sample += 500) {
        twx_eval_draw draw = twx_eval_draw_of(&texts, &pool, sample);
        double expected = 0;
        for (size_t i = 0; i < pool.at.n; i++)
            expected += twx_eval_draw_chance(&draw, twx_eval_weight(&texts, pool.at.at[i].pair));
        if (fabs(expected - (sample ? (double)sample : MANY)) > (double)sample * 0.01)
            fail_msg("%.1f expected, %" PRIu64 " asked for", expected, sample);
        if (sample > 0 && sample < MANY)
            assert_true(twx_eval_draw_chance(&draw, 1) < twx_eval_draw_chance(&draw, 1000));
    }
    TWX_VEC_DONE(&texts.at);
    TWX_VEC_DONE(&pool.at);
}

TESTS_OF(fixture, fixture_open, fixture_close);
