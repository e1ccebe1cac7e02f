/* lab/eval_pairs: the sampler against all pairs, one by one. */
#include "support.h"

#include <math.h>

#include "lab/lab.h"

enum { TEXTS = 120, RUNS = 25 };

typedef struct runs {
    uint64_t place[TEXTS];
    uint32_t members[RUNS][TEXTS];
    size_t n[RUNS];
    bool joined[TEXTS][TEXTS]; /* a < b share a run */
} runs;

/* Each run has one in `wanted` texts; 0: all of them, or one in up to 20. */
static void draw_runs_of(test_rng *rng, runs *r, size_t wanted) {
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < TEXTS; i++) r->place[i] = test_rng_next(rng);
    for (size_t k = 0; k < RUNS; k++) {
        const size_t share = wanted ? wanted : 1 + test_rng_below(rng, 20);
        for (uint32_t i = 0; i < TEXTS; i++)
            if (test_rng_below(rng, share) == 0) r->members[k][r->n[k]++] = i;
        for (size_t i = 0; i < r->n[k]; i++)
            for (size_t j = i + 1; j < r->n[k]; j++)
                r->joined[r->members[k][i]][r->members[k][j]] = true;
    }
}

static void draw_runs(test_rng *rng, runs *r) {
    draw_runs_of(rng, r, 0);
}

/* A verifier that is symmetric and says no to a third. */
static bool is_alike(void *arg, uint32_t a, uint32_t b) {
    (void)arg;
    return (a + b) % 3 != 0;
}

static bool is_found(const runs *r, uint32_t a, uint32_t b, unsigned halvings, bool verified) {
    return r->joined[a][b] && (!verified || is_alike(NULL, a, b)) &&
           twx_eval_in_sample(r->place[a], r->place[b], halvings);
}

static void collect(twx_ctx *cx, runs *r, twx_eval_collector *c, bool backwards) {
    c->cx = cx;
    c->place = r->place;
    for (size_t k = 0; k < RUNS; k++) {
        size_t at = backwards ? RUNS - 1 - k : k;
        if (r->n[at] >= 2) assert_ok(twx_eval_collect_run(c, r->members[at], r->n[at]));
    }
    assert_ok(twx_eval_settle(c));
}

/* Every pair once, in order, none missing, none added: for any number of halvings. */
TEST(the_sample_is_that_of_brute_force) {
    static runs r;
    twx_ctx cx;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test_rng rng = test_rng_seed(seed);
        draw_runs(&rng, &r);
        for (unsigned halvings = 0; halvings <= 6; halvings++) {
            bool verified = seed % 2;
            twx_eval_collector c = {.is_pair = verified ? is_alike : NULL,
                                    .halvings = halvings,
                                    .limit = TEXTS * TEXTS};
            twx_ctx_init(&cx);
            collect(&cx, &r, &c, false);
            size_t at = 0;
            for (uint32_t a = 0; a < TEXTS; a++)
                for (uint32_t b = a + 1; b < TEXTS; b++) {
                    if (!is_found(&r, a, b, halvings, verified)) continue;
                    if (at == c.pairs.n || c.pairs.at[at] != twx_eval_pair_of(b, a))
                        fail_msg("seed %" PRIu64 ", %u halvings: pair %u %u", seed, halvings, a, b);
                    at++;
                }
            assert_int_equal(at, c.pairs.n);
            assert_int_equal(c.halvings, halvings);
            twx_eval_collector_done(&c);
        }
    }
}

/* Millions of candidates, most of them repeats: they are settled several times, and each time only
 * what is new is added. The later runs bring pairs that belong between the settled ones. */
TEST(candidates_are_settled_before_they_fill_the_memory) {
    enum { ROUNDS = 400 };
    static runs r;
    twx_ctx cx = {0};
    test_rng rng = test_rng_seed(11);
    draw_runs_of(&rng, &r, 3);
    twx_eval_collector c = {
        .cx = &cx, .place = r.place, .is_pair = is_alike, .limit = TEXTS * TEXTS};
    size_t candidates = 0, early = 0, at = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        const size_t from = round < ROUNDS / 2 ? RUNS / 2 : 0;
        for (size_t k = from; k < RUNS; k++) {
            candidates += r.n[k] * (r.n[k] - (r.n[k] > 0)) / 2;
            if (r.n[k] >= 2) assert_ok(twx_eval_collect_run(&c, r.members[k], r.n[k]));
        }
        if (c.settled && !early) early = c.settled;
    }
    assert_ok(twx_eval_settle(&c));
    assert_true(candidates > 2 << 21);
    assert_true(early > 0 && early < c.pairs.n);
    for (uint32_t a = 0; a < TEXTS; a++)
        for (uint32_t b = a + 1; b < TEXTS; b++)
            if (is_found(&r, a, b, 0, true))
                assert_int_equal(c.pairs.at[at++], twx_eval_pair_of(b, a));
    assert_int_equal(at, c.pairs.n);
    twx_eval_collector_done(&c);
}

/* [R1] Beyond the limit the sample is halved until it fits: the same whatever the order of runs,
 * and the same pairs as a sample that began with as many halvings. */
TEST(a_full_sample_is_halved) {
    static runs r;
    twx_ctx cx;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test_rng rng = test_rng_seed(seed);
        draw_runs(&rng, &r);
        twx_ctx_init(&cx);
        twx_eval_collector a = {.limit = 50}, b = {.limit = 50}, c = {.limit = TEXTS * TEXTS};
        collect(&cx, &r, &a, false);
        collect(&cx, &r, &b, true);
        assert_true(a.pairs.n <= 50 && a.halvings > 0);
        c.halvings = a.halvings;
        collect(&cx, &r, &c, false);
        if (a.halvings != b.halvings || a.pairs.n != b.pairs.n || a.pairs.n != c.pairs.n ||
            memcmp(a.pairs.at, b.pairs.at, a.pairs.n * sizeof *a.pairs.at) != 0 ||
            memcmp(a.pairs.at, c.pairs.at, a.pairs.n * sizeof *a.pairs.at) != 0)
            fail_msg("seed %" PRIu64, seed);
        twx_eval_collector_done(&a);
        twx_eval_collector_done(&b);
        twx_eval_collector_done(&c);
    }
}

/* The number of pairs, estimated from samples over many places, is right on average. */
TEST(samples_are_even) {
    static runs r;
    twx_ctx cx;
    test_rng rng = test_rng_seed(3);
    draw_runs(&rng, &r);
    for (unsigned halvings = 1; halvings <= 5; halvings += 2) {
        double sum = 0, all = 0;
        for (uint32_t a = 0; a < TEXTS; a++)
            for (uint32_t b = a + 1; b < TEXTS; b++) all += r.joined[a][b];
        enum { DRAWS = 300 };
        for (int draw = 0; draw < DRAWS; draw++) {
            for (size_t i = 0; i < TEXTS; i++) r.place[i] = test_rng_next(&rng);
            twx_ctx_init(&cx);
            twx_eval_collector c = {.halvings = halvings, .limit = TEXTS * TEXTS};
            collect(&cx, &r, &c, false);
            sum += (double)c.pairs.n / twx_eval_chance(halvings) / DRAWS;
            twx_eval_collector_done(&c);
        }
        printf("%u halvings: %.0f pairs, %.0f on average\n", halvings, all, sum);
        assert_true(fabs(sum - all) < all * 0.03);
    }
}

/* A run far beyond what could be gone through pair by pair: 200 000 texts, 2 * 10^10 pairs. */
TEST(a_huge_run_takes_no_time) {
    enum { HUGE_RUN = 200000 };
    twx_ctx cx = {0};
    test_rng rng = test_rng_seed(1);
    uint64_t *place = malloc(HUGE_RUN * sizeof *place);
    uint32_t *members = malloc(HUGE_RUN * sizeof *members);
    assert_true(place && members);
    for (uint32_t i = 0; i < HUGE_RUN; i++) {
        place[i] = test_rng_next(&rng);
        members[i] = i;
    }
    twx_eval_collector c = {.cx = &cx, .place = place, .halvings = 16, .limit = TWX_EVAL_PAIRS_MAX};
    assert_ok(twx_eval_collect_run(&c, members, HUGE_RUN));
    assert_ok(twx_eval_settle(&c));
    double wanted = (double)HUGE_RUN * (HUGE_RUN - 1) / 2 * twx_eval_chance(16);
    assert_true(fabs((double)c.pairs.n - wanted) < wanted * 0.02);
    assert_int_equal(twx_eval_halvings_for((double)HUGE_RUN * HUGE_RUN / 2), 8);
    assert_int_equal(twx_eval_halvings_for(1000), 0);
    twx_eval_collector_done(&c);
    free(place);
    free(members);
}

/* The pool: whose pairs they are, whatever the order of detectors; thinned when one needs it or all
 * do. */
TEST(the_pool_records_which_method_found_a_pair) {
    static runs r[3];
    for (uint64_t seed = 1; seed <= 60; seed++) {
        twx_ctx cx = {0};
        test_rng rng = test_rng_seed(seed);
        for (size_t d = 0; d < 3; d++) draw_runs(&rng, &r[d]);
        for (size_t d = 1; d < 3; d++) memcpy(r[d].place, r[0].place, sizeof r[0].place);
        size_t limit = seed % 2 ? 200 : TEXTS * TEXTS;
        twx_eval_pool pools[2] = {{.cx = &cx, .place = r[0].place, .limit = limit},
                                  {.cx = &cx, .place = r[0].place, .limit = limit}};
        for (size_t p = 0; p < 2; p++)
            for (unsigned i = 0; i < 3; i++) {
                unsigned d = p ? 2 - i : i;
                twx_eval_collector c = {.halvings = pools[p].halvings, .limit = limit};
                collect(&cx, &r[d], &c, false);
                assert_ok(twx_eval_pool_add(&pools[p], &c, d));
                twx_eval_collector_done(&c);
            }
        size_t at = 0;
        assert_int_equal(pools[0].halvings, pools[1].halvings);
        assert_true(pools[0].at.n <= limit && pools[0].at.n == pools[1].at.n);
        for (uint32_t a = 0; a < TEXTS; a++)
            for (uint32_t b = a + 1; b < TEXTS; b++) {
                uint32_t found = 0;
                for (unsigned d = 0; d < 3; d++)
                    found |= (uint32_t)is_found(&r[d], a, b, pools[0].halvings, false) << d;
                if (!found) continue;
                for (size_t p = 0; p < 2; p++)
                    if (pools[p].at.at[at].pair != twx_eval_pair_of(a, b) ||
                        pools[p].at.at[at].found != found)
                        fail_msg("seed %" PRIu64 ": pair %u %u", seed, a, b);
                at++;
            }
        assert_int_equal(at, pools[0].at.n);
        for (size_t p = 0; p < 2; p++) TWX_VEC_DONE(&pools[p].at);
    }
}

TEST(a_request_to_stop_is_heard) {
    static runs r;
    twx_ctx cx = {0};
    atomic_int cancel = 15;
    cx.cancel = &cancel;
    test_rng rng = test_rng_seed(1);
    draw_runs(&rng, &r);
    twx_eval_collector c = {.cx = &cx, .place = r.place, .limit = 10};
    assert_int_equal(twx_eval_collect_run(&c, r.members[0], r.n[0]), TWX_E_TERMINATED);
    twx_eval_collector_done(&c);
}
