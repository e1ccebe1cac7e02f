/* Laws of learning over random documents, its limits, and failed allocations. */
#include "predict_fixture.h"

static void draw_documents(test_rng *rng, size_t n) {
    static const char *const ORIGINS[] = {"http://a.example", "https://a.example",
                                          "http://b.example"};
    static const char *const FILES[] = {"", "index.html", "x/", "x", "x;s=1", "0123abcd"};
    static const char *const NAMES[] = {"a", "b", "sid", ""};
    fixture_clear(&FIXTURE);
    for (size_t i = 0; i < n; i++) {
        char url[256];
        int at = snprintf(url, sizeof url, "%s/d%zu/%s", ORIGINS[test_rng_below(rng, 3)],
                          test_rng_below(rng, 9), FILES[test_rng_below(rng, 6)]);
        for (size_t k = test_rng_below(rng, 4), first = 1; k > 0; k--, first = 0)
            at += snprintf(url + at, sizeof url - (size_t)at, "%c%s=%zu", first ? '?' : '&',
                           NAMES[test_rng_below(rng, 4)], test_rng_below(rng, 4));
        document(test_rng_below(rng, 40), "%s", url);
    }
}

static void shuffle(test_rng *rng, fixture_document *at, size_t n) {
    for (size_t i = n; i > 1; i--) {
        const size_t k = test_rng_below(rng, i);
        const fixture_document kept = at[k];
        at[k] = at[i - 1];
        at[i - 1] = kept;
    }
}

static void expect_same(const twx_model *a, const twx_model *b, uint64_t seed) {
    twx_map64_slot *x = NULL, *y = NULL;
    if (a->contexts.n != b->contexts.n || a->seen.n != b->seen.n)
        fail_msg("seed %" PRIu64 ": sizes", seed);
    for (size_t i = 0; i < a->contexts.n; i++) {
        const twx_context *c = &a->contexts.at[i], *d = twx_model_context(b, c->key);
        if (!d || c->row != d->row || c->dup != d->dup || c->nodup != d->nodup ||
            !twx_slice_eq(c->path, d->path) || !twx_slice_eq(c->name, d->name) ||
            !twx_slice_eq(c->second, d->second) || !twx_slice_eq(c->value, d->value))
            fail_msg("seed %" PRIu64 ": a context of %s differs", seed,
                     TWX_HYPOTHESIS[c->row].form);
    }
    assert_int_equal(twx_map64_list(&FIXTURE.cx, &a->seen, &x), TWX_OK);
    assert_int_equal(twx_map64_list(&FIXTURE.cx, &b->seen, &y), TWX_OK);
    if (memcmp(x, y, a->seen.n * sizeof *x) != 0)
        fail_msg("seed %" PRIu64 ": seen keys differ", seed);
    twx_free(x);
    twx_free(y);
}

TEST(r1_the_order_of_learning_never_matters) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        twx_model again;
        test_rng rng = test_rng_seed(seed);
        draw_documents(&rng, 50 + test_rng_below(&rng, 400));
        learn();
        /* again, as when pages are fetched again */
        for (size_t i = test_rng_below(&rng, 20); i > 0; i--) {
            const fixture_document d = FIXTURE.at[test_rng_below(&rng, FIXTURE.n)];
            document(d.content, "%s", d.url);
        }
        shuffle(&rng, FIXTURE.at, FIXTURE.n);
        learn_into(&FIXTURE, &again, FIXTURE_BYTES);
        expect_same(&FIXTURE.model, &again, seed);
        twx_model_done(&again);
    }
}

TEST(r2_less_memory_is_fewer_paths_but_whole_ones) {
    twx_model small;
    for (unsigned p = 0; p < 5000; p++) {
        document(p, "http://a.example/some/long/path/to/a/page/p%u", p);
        document(p, "http://a.example/some/long/path/to/a/page/p%u?sid=%u", p, p);
    }
    learn();
    learn_into(&FIXTURE, &small, 1 << 20);
    const twx_context *all = context("parameter", NULL, "sid", NULL);
    expect_trials(all, 5000, 0);
    const twx_context *some = twx_model_context(&small, all->key);
    assert_non_null(some);
    assert_true(some->dup > 200 && some->dup < 4000);
    assert_int_equal(some->nodup, 0);
    twx_model_done(&small);
}

TEST(r2_urls_of_many_parameters_are_fewer) {
    char query[1024] = "";
    twx_learner *few = NULL, *many = NULL;
    twx_model m;
    for (int i = 0; i < 50; i++)
        snprintf(query + strlen(query), sizeof query - strlen(query), "&p%d=1", i);
    assert_int_equal(twx_learner_open(&FIXTURE.cx, 4 << 20, NULL, &few), TWX_OK);
    assert_int_equal(twx_learner_open(&FIXTURE.cx, 4 << 20, NULL, &many), TWX_OK);
    for (unsigned p = 0; p < 3000; p++) {
        char url[1200];
        snprintf(url, sizeof url, "http://a.example/p%u?%s", p, query + 1);
        assert_int_equal(twx_learner_add(many, twx_slice_of(url), p), TWX_OK);
        snprintf(url, sizeof url, "http://a.example/p%u?%zu%0*d", p, strlen(query), 300, 0);
        assert_int_equal(twx_learner_add(few, twx_slice_of(url), p), TWX_OK);
    }
    assert_int_equal(twx_learner_share(few), 1);
    assert_true(twx_learner_share(many) >= 4);
    twx_model_init(&m);
    assert_int_equal(twx_learner_make(many, &m), TWX_OK);
    twx_model_done(&m);
    twx_learner_close(few);
    twx_learner_close(many);
}

TEST(r3_longer_urls_are_left_out) {
    static char longer[TWX_LEARN_URL_MAX + 100];
    twx_learner *l = NULL;
    twx_model m;
    memset(longer, 'a', sizeof longer);
    memcpy(longer, "http://a.example/", 17);
    twx_model_init(&m);
    assert_int_equal(twx_learner_open(&FIXTURE.cx, FIXTURE_BYTES, NULL, &l), TWX_OK);
    assert_int_equal(twx_learner_add(l, (twx_slice){longer, TWX_LEARN_URL_MAX + 1}, 1), TWX_OK);
    assert_int_equal(twx_learner_add(l, (twx_slice){longer, TWX_LEARN_URL_MAX}, 1), TWX_OK);
    assert_int_equal(twx_learner_make(l, &m), TWX_OK);
    assert_int_equal(twx_learner_urls(l), 1);
    twx_learner_close(l);
    twx_model_done(&m);
}

TEST(nothing_is_learned_from_nothing) {
    learn();
    assert_int_equal(FIXTURE.model.contexts.n, 0);
    assert_true(probability("http://a.example/?a=1") == 0);
}

TEST(every_allocation_that_fails_is_told) {
    twx_faults faults = {0};
    for (unsigned p = 0; p < 40; p++) {
        document(p, "http://a.example/p%u?a=1&b=2", p);
        document(p, "http://b.example/p%u?a=1", p);
        document(p, "http://a.example/p%u", p);
    }
    for (uint64_t nth = 1;; nth++) {
        twx_learner *l = NULL;
        twx_model m;
        twx_model_init(&m);
        faults = (twx_faults){.fail_at = nth, .forever = nth % 2 == 0};
        twx_ctx_init(&FIXTURE.cx);
        FIXTURE.cx.faults = &faults;
        twx_rc rc = twx_learner_open(&FIXTURE.cx, FIXTURE_BYTES, NULL, &l);
        for (size_t i = 0; rc == TWX_OK && i < FIXTURE.n; i++)
            rc = twx_learner_add(l, twx_slice_of(FIXTURE.at[i].url), FIXTURE.at[i].content);
        if (rc == TWX_OK) rc = twx_learner_make(l, &m);
        twx_learner_close(l);
        twx_model_done(&m);
        FIXTURE.cx.faults = NULL;
        if (rc == TWX_OK) break;
        assert_int_equal(rc, TWX_E_NOMEM);
        assert_true(FIXTURE.cx.message[0] != 0);
        assert_true(nth < 10000);
    }
    twx_ctx_init(&FIXTURE.cx);
}
