/* The search for texts that share a band against comparing all pairs of texts. */
#include "support.h"

#include <unistd.h>

#include "group/group.h"

enum { TEXTS_MAX = 9000, SIEVE_BYTE = 7, WORLDS = TEST_RACES_ONLY ? 5 : 20 };

typedef struct world {
    size_t n;
    unsigned char sketch[TEXTS_MAX][TWX_SKETCH_BYTES];
    twx_sketch_kind kind[TEXTS_MAX];
    uint64_t scope[TEXTS_MAX];
    twx_sketches sketches;
    twx_ctx cx;
} world;

static void forget_sketches(world *w) {
    twx_sketches_done(&w->sketches);
}

TESTS_OF(world, TEST_NOTHING, forget_sketches);

/* What fits into memory is set in any order, anything else is added. */
static void add_sketches(world *w) {
    const twx_rc reserved = twx_sketches_reserve(&w->cx, &w->sketches, w->n);
    const bool fits = w->n / TWX_SKETCH_ROWS < w->sketches.limit / sizeof(twx_sketch_block);
    assert_int_equal(reserved, fits ? TWX_OK : TWX_DONE);
    for (size_t k = 0; k < w->n; k++) {
        const size_t i = fits ? w->n - 1 - k : k;
        const unsigned char *sketch = w->kind[i] == TWX_SKETCH_NONE ? NULL : w->sketch[i];
        const bool is_short = w->kind[i] == TWX_SKETCH_SHORT;
        if (fits)
            twx_sketches_set(&w->sketches, i, sketch, is_short);
        else
            assert_ok(twx_sketches_add(&w->cx, &w->sketches, sketch, is_short));
    }
    assert_int_equal(w->sketches.n, w->n);
}

/* Sketches of few different bytes, so that bands are shared often; families of equal ones. limit:
 * of the sketches' memory. */
static void make_limited_world(world *w, uint64_t seed, size_t n, uint64_t values, size_t limit) {
    test_rng rng = test_rng_seed(seed);
    w->n = n;
    twx_ctx_init(&w->cx);
    forget_sketches(w);
    w->sketches = (twx_sketches){.limit = limit};
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t kind = test_rng_below(&rng, 16);
        w->kind[i] = kind == 0 ? TWX_SKETCH_NONE : kind < 6 ? TWX_SKETCH_LONG : TWX_SKETCH_SHORT;
        w->scope[i] = test_rng_below(&rng, 3);
        for (size_t k = 0; k < TWX_SKETCH_BYTES; k++)
            w->sketch[i][k] = (unsigned char)test_rng_below(&rng, values);
        if (i > 0 && test_rng_below(&rng, 4) == 0)
            memcpy(w->sketch[i], w->sketch[test_rng_below(&rng, i)], TWX_SKETCH_BYTES / 2);
    }
    add_sketches(w);
}

static void make_world(world *w, uint64_t seed, size_t n, uint64_t values) {
    make_limited_world(w, seed, n, values, SIZE_MAX);
}

static twx_band_search search_of(const world *w, uint64_t documents, bool scoped) {
    return (twx_band_search){.plan = twx_band_plan_for(documents),
                             .sketches = &w->sketches,
                             .scope = scoped ? w->scope : NULL,
                             .threads = 1,
                             .memory = 64 << 20};
}

static bool has_band(const world *w, const twx_band *band, uint32_t i) {
    return w->kind[i] >= (band->of_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG);
}

static bool share(const world *w, const twx_band *band, bool scoped, uint32_t a, uint32_t b) {
    return has_band(w, band, a) && has_band(w, band, b) &&
           (!scoped || w->scope[a] == w->scope[b]) &&
           twx_band_value(band, w->sketch[a]) == twx_band_value(band, w->sketch[b]);
}

/* Adds a run unless there is one of the same members. */
static void add_once(world *w, twx_runs *runs, const uint32_t *members, size_t n) {
    for (size_t i = 0, from = 0; i < runs->ends.n; from = runs->ends.at[i++])
        if (runs->ends.at[i] - from == n &&
            memcmp(runs->members.at + from, members, n * sizeof *members) == 0)
            return;
    assert_ok(twx_runs_add(&w->cx, runs, members, n));
}

/* By comparing all pairs. */
static twx_runs plain_runs(world *w, const twx_band_search *how) {
    static uint32_t members[TEXTS_MAX];
    static bool done[TEXTS_MAX];
    twx_runs runs = {.members = {0}};
    for (size_t number = 0; number < twx_band_count(how->plan); number++) {
        const twx_band band = twx_band_of(how->plan, number);
        memset(done, 0, sizeof done);
        for (uint32_t i = 0; i < w->n; i++) {
            size_t n = 0;
            for (uint32_t k = i; k < w->n && !done[i]; k++)
                if (share(w, &band, how->scope != NULL, i, k)) {
                    members[n++] = k;
                    done[k] = k > i;
                }
            if (n >= 2) add_once(w, &runs, members, n);
        }
    }
    return runs;
}

static void expect_equal_runs(const twx_runs *a, const twx_runs *b, uint64_t seed) {
    if (a->ends.n != b->ends.n || a->members.n != b->members.n ||
        (a->ends.n && memcmp(a->ends.at, b->ends.at, a->ends.n * sizeof *a->ends.at) != 0) ||
        (a->members.n &&
         memcmp(a->members.at, b->members.at, a->members.n * sizeof *a->members.at) != 0))
        fail_msg("seed %" PRIu64 ": %zu and %zu runs of %zu and %zu members", seed, a->ends.n,
                 b->ends.n, a->members.n, b->members.n);
}

/* [R2] */
TEST_OF(runs_are_those_of_all_pairs, world *w) {
    static const uint64_t DOCUMENTS[] = {0, 10000, 1000000, 10000000, UINT64_MAX};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        const uint64_t documents = DOCUMENTS[seed % TWX_COUNTOF(DOCUMENTS)];
        make_world(w, seed, seed * 9, seed % 3 ? 2 : 4);
        const twx_band_search how = search_of(w, documents, seed % 2 == 0);
        twx_runs found = {.members = {0}}, plain = plain_runs(w, &how);
        assert_ok(twx_band_search_runs(&w->cx, &how, &found));
        expect_equal_runs(&plain, &found, seed);
        assert_true(seed < 3 || found.ends.n > 0);
        twx_runs_done(&found);
        twx_runs_done(&plain);
    }
}

/* A search that is continued has the runs of a whole one, and counts their bands: a run that has
 * become a larger one in all of them is gone. */
TEST_OF(more_texts_give_the_runs_of_all, world *w) {
    static const uint64_t DOCUMENTS[] = {0, 10000, 1000000, 10000000, UINT64_MAX};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        make_world(w, seed, seed * (TEST_RACES_ONLY ? 6 : 13), seed % 3 ? 2 : 4);
        twx_band_search how = search_of(w, DOCUMENTS[seed % TWX_COUNTOF(DOCUMENTS)], seed % 2);
        twx_sketches grown = {.limit = SIZE_MAX};
        twx_kept_runs kept = {.texts = 0};
        how.threads = 1 + seed % 3;
        how.sketches = &grown;
        for (size_t n = 0; n < w->n;) {
            for (size_t more = 1 + test_rng_below(&rng, w->n / 2); more && n < w->n; more--, n++)
                assert_ok(twx_sketches_add(&w->cx, &grown,
                                           w->kind[n] == TWX_SKETCH_NONE ? NULL : w->sketch[n],
                                           w->kind[n] == TWX_SKETCH_SHORT));
            assert_ok(twx_band_search_more(&w->cx, &how, &kept));
            twx_runs whole = {.members = {0}};
            size_t there = 0, run = 0;
            assert_ok(twx_band_search_runs(&w->cx, &how, &whole));
            for (size_t r = 0; r < kept.bands.n; r++) there += kept.bands.at[r] > 0;
            if (there != whole.ends.n)
                fail_msg("seed %" PRIu64 ", %zu texts: %zu runs, not %zu", seed, n, there,
                         whole.ends.n);
            for (size_t r = 0; r < whole.ends.n; r++) {
                const uint64_t from = twx_runs_start(&whole, r);
                assert_true(twx_runs_find(&kept.runs, &kept.known, whole.members.at + from,
                                          (size_t)(whole.ends.at[r] - from), &run) &&
                            kept.bands.at[run] > 0);
            }
            twx_runs_done(&whole);
        }
        twx_kept_runs_done(&kept);
        twx_sketches_done(&grown);
    }
}

/* The same with few new texts and many, of all lengths, in memory and in a file, whatever the bytes
 * of bands: a search that is continued twice counts the runs as one of all texts does. */
TEST_OF(new_texts_are_found_however_many_they_are, world *w) {
    static const struct {
        uint64_t documents;
        size_t more, limit;
    } CASES[] = {{0, 1, SIZE_MAX},          {10000, 17, SIZE_MAX},       {1000000, 300, SIZE_MAX},
                 {10000000, 300, SIZE_MAX}, {UINT64_MAX, 300, SIZE_MAX}, {0, 2300, SIZE_MAX},
                 {1000000, 2300, SIZE_MAX}, {10000, 1100, SIZE_MAX},     {10000000, 300, 0}};
    /* for races: some of those with two threads, one with masks and one with a filter */
    for (size_t c = TEST_RACES_ONLY; c < TWX_COUNTOF(CASES); c += TEST_RACES_ONLY ? 4 : 1) {
        const size_t first = TWX_SKETCH_ROWS + 200 - CASES[c].more % 200;
        make_limited_world(w, c, first + 2 * CASES[c].more, 24, CASES[c].limit);
        twx_band_search how = search_of(w, CASES[c].documents, c % 2);
        twx_kept_runs kept = {.texts = 0}, whole = {.texts = 0};
        how.threads = 1 + c % 2;
        if (c % 3 == 2) how.memory = 0; /* what few texts share does not fit */
        for (size_t k = 0; k < 3; k++) {
            w->sketches.n = first + k * CASES[c].more;
            assert_ok(twx_band_search_more(&w->cx, &how, &kept));
        }
        assert_ok(twx_band_search_more(&w->cx, &how, &whole));
        size_t there = 0, run = 0;
        for (size_t r = 0; r < kept.bands.n; r++) there += kept.bands.at[r] > 0;
        assert_int_equal(there, whole.runs.ends.n);
        /* those that have become others are known, so that not all texts were searched again */
        if (c > 1) assert_true(kept.runs.ends.n > there);
        for (size_t r = 0; r < whole.runs.ends.n; r++) {
            const uint64_t from = twx_runs_start(&whole.runs, r);
            assert_true(twx_runs_find(&kept.runs, &kept.known, whole.runs.members.at + from,
                                      (size_t)(whole.runs.ends.at[r] - from), &run));
            assert_int_equal(kept.bands.at[run], whole.bands.at[r]);
        }
        twx_kept_runs_done(&kept);
        twx_kept_runs_done(&whole);
    }
}

/* [R1] With little memory a band is searched in parts. */
TEST_OF(threads_and_memory_do_not_matter, world *w) {
    static const size_t THREADS[] = {1, 2, 8, 0};
    make_world(w, 5, TEST_RACES_ONLY ? TWX_SKETCH_ROWS + 400 : TEXTS_MAX, 20);
    twx_band_search how = search_of(w, 0, false);
    twx_runs first = {.members = {0}};
    assert_ok(twx_band_search_runs(&w->cx, &how, &first));
    assert_true(first.ends.n > 1000);
    for (size_t i = TEST_RACES_ONLY; i < TWX_COUNTOF(THREADS) - TEST_RACES_ONLY; i++)
        for (size_t few = 0; few < 2; few++) {
            twx_runs again = {.members = {0}};
            how.threads = THREADS[i];
            how.memory = few ? 0 : 1 << 30;
            assert_ok(twx_band_search_runs(&w->cx, &how, &again));
            expect_equal_runs(&first, &again, i);
            twx_runs_done(&again);
        }
    twx_runs_done(&first);
}

/* Items are a pair if a byte of their summaries is equal. */
static bool may_pair(const void *arg, const unsigned char *a, const unsigned char *b) {
    (void)arg;
    return a[SIEVE_BYTE] == b[SIEVE_BYTE];
}

/* The members of a run that are in a pair, and all members of a long run. */
TEST(a_sieve_leaves_the_members_of_pairs) {
    static twx_summary_line lines[TWX_SIEVED_MAX + 2];
    for (uint64_t seed = 1; seed <= 500; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = 2 + test_rng_below(&rng, TWX_SIEVED_MAX), most = test_rng_below(&rng, 80);
        const uint64_t values = 1 + test_rng_below(&rng, 200);
        uint32_t members[TWX_SIEVED_MAX + 2], expected[TWX_SIEVED_MAX + 2];
        size_t kept = 0;
        for (uint32_t i = 0; i < n; i++) {
            members[i] = i;
            lines[i].at[SIEVE_BYTE] = (unsigned char)test_rng_below(&rng, values);
        }
        for (uint32_t i = 0; i < n; i++) {
            bool in_pair = n > most || n > TWX_SIEVED_MAX;
            for (uint32_t k = 0; k < n; k++)
                in_pair |= k != i && may_pair(NULL, lines[i].at, lines[k].at);
            if (in_pair) expected[kept++] = i;
        }
        const twx_sieve sieve = {.summary = lines, .may_pair = may_pair, .most = most};
        if (twx_sieve_run(&sieve, members, n) != kept ||
            memcmp(members, expected, kept * sizeof *members) != 0)
            fail_msg("seed %" PRIu64 ", %zu members", seed, n);
        assert_int_equal(twx_sieve_run(NULL, members, n), n);
    }
}

/* The search gives the runs that the sieve leaves. */
TEST_OF(a_search_sieves_its_runs, world *w) {
    static twx_summary_line lines[TEXTS_MAX];
    make_world(w, 8, 300, 4);
    for (uint32_t i = 0; i < w->n; i++) lines[i].at[SIEVE_BYTE] = (unsigned char)(i % 50);
    const twx_sieve sieve = {.summary = lines, .may_pair = may_pair, .most = 10};
    twx_band_search how = search_of(w, 1000000, false);
    twx_runs all = {.members = {0}}, left = {.members = {0}}, expected = {.members = {0}};
    assert_ok(twx_band_search_runs(&w->cx, &how, &all));
    for (size_t i = 0, from = 0; i < all.ends.n; from = all.ends.at[i++]) {
        const size_t n = twx_sieve_run(&sieve, all.members.at + from, all.ends.at[i] - from);
        if (n >= 2) add_once(w, &expected, all.members.at + from, n);
    }
    how.sieve = &sieve;
    assert_ok(twx_band_search_runs(&w->cx, &how, &left));
    expect_equal_runs(&expected, &left, 8);
    assert_true(left.ends.n > 0 && left.ends.n < all.ends.n);
    twx_runs_done(&all);
    twx_runs_done(&left);
    twx_runs_done(&expected);
}

static size_t asked;

static bool count_and_pair(const void *arg, const unsigned char *a, const unsigned char *b) {
    asked++;
    return may_pair(arg, a, b);
}

/* Two equal texts share every band, and the sieve is asked about the first. */
TEST_OF(a_pair_is_sieved_once, world *w) {
    static twx_summary_line lines[2];
    make_world(w, 8, 2, 1);
    for (uint32_t i = 0; i < 2; i++) {
        w->kind[i] = TWX_SKETCH_SHORT;
        twx_sketches_set(&w->sketches, i, w->sketch[i], true);
    }
    const twx_sieve sieve = {.summary = lines, .may_pair = count_and_pair, .most = 10};
    twx_band_search how = search_of(w, 1000000, false);
    how.sieve = &sieve;
    twx_runs found = {.members = {0}};
    assert_true(twx_band_count(how.plan) > 5);
    asked = 0;
    assert_ok(twx_band_search_runs(&w->cx, &how, &found));
    assert_int_equal(found.ends.n, 1);
    assert_true(asked > 0 && asked <= 2);
    twx_runs_done(&found);
}

static void summarize_from(const void *arg, uint32_t item, twx_summary_line *ret_summary) {
    const twx_summary_line *lines = arg;
    *ret_summary = lines[item];
}

/* Sketches in a file, partly or as a whole, and summaries that are made when they are wanted, give
 * the same runs. */
TEST_OF(r1_what_is_in_memory_does_not_matter, world *w) {
    static twx_summary_line lines[TEXTS_MAX];
    for (uint32_t i = 0; i < TEXTS_MAX; i++) lines[i].at[SIEVE_BYTE] = (unsigned char)(i % 50);
    const twx_sieve sieves[] = {
        {.summary = lines, .may_pair = may_pair, .most = 10},
        {.summarize = summarize_from, .may_pair = may_pair, .arg = lines, .most = 10}};
    for (uint64_t n = 1; n <= (TEST_RACES_ONLY ? 1 : 10000000); n *= 10000000) {
        twx_runs found[3] = {{.members = {0}}};
        for (size_t k = 0; k < 3; k++) {
            /* two blocks and a partial one */
            make_limited_world(w, 11, 2 * TWX_SKETCH_ROWS + 100, 24,
                               k ? (k - 1) * sizeof(twx_sketch_block) : SIZE_MAX);
            assert_int_equal(w->sketches.written, k ? 2 : 0);
            twx_band_search how = search_of(w, n, true);
            how.sieve = &sieves[k > 0];
            how.threads = k + 1;
            assert_ok(twx_band_search_runs(&w->cx, &how, &found[k]));
        }
        assert_true(found[0].ends.n > 0);
        expect_equal_runs(&found[0], &found[1], 11);
        expect_equal_runs(&found[0], &found[2], 11);
        for (size_t k = 0; k < 3; k++) twx_runs_done(&found[k]);
    }
}

/* A file that is shorter than it was. */
TEST_OF(sketches_that_cannot_be_read_are_an_error, world *w) {
    twx_runs found = {.members = {0}};
    make_limited_world(w, 11, TWX_SKETCH_ROWS + 1, 4, 0);
    assert_int_equal(ftruncate(w->sketches.fd, 100), 0);
    const twx_band_search how = search_of(w, 1, false);
    assert_int_equal(twx_band_search_runs(&w->cx, &how, &found), TWX_E_IO);
    assert_non_null(strstr(w->cx.message, "cannot read a temporary file"));
    twx_runs_done(&found);
}

/* Random sketches: the texts that share a band are as many as computed (bands). */
TEST_OF(strangers_are_as_many_as_computed, world *w) {
    twx_runs found = {.members = {0}};
    double met = 0;
    make_world(w, 3, 0, 2);
    test_rng rng = test_rng_seed(4);
    for (w->n = 0; w->n < 7900; w->n++) {
        for (size_t k = 0; k < TWX_SKETCH_BYTES; k++)
            w->sketch[w->n][k] = (unsigned char)test_rng_next(&rng);
        assert_ok(twx_sketches_add(&w->cx, &w->sketches, w->sketch[w->n], true));
    }
    const twx_band_search how = search_of(w, 7900, false);
    assert_ok(twx_band_search_runs(&w->cx, &how, &found));
    for (size_t i = 0, from = 0; i < found.ends.n; from = found.ends.at[i++]) {
        const double n = (double)(found.ends.at[i] - from);
        met += n * (n - 1);
    }
    print_message("%.3f strangers a text\n", met / 7900);
    assert_true(met / 7900 > 7.5 && met / 7900 < 8);
    twx_runs_done(&found);
}

TEST_OF(nothing_is_no_trouble, world *w) {
    twx_runs found = {.members = {0}};
    make_world(w, 1, 0, 2);
    const twx_band_search how = search_of(w, 0, false);
    assert_ok(twx_band_search_runs(&w->cx, &how, &found));
    assert_int_equal(found.ends.n, 0);
    twx_runs_done(&found);
    twx_runs_done(NULL);
    twx_sketches_done(NULL);
}

/* Every allocation that fails gives TWX_E_NOMEM, with one thread and with two. */
TEST_OF(failed_allocations_are_reported, world *w) {
    make_world(w, 2, 200, 2);
    twx_band_search how = search_of(w, 0, false);
    for (size_t threads = TEST_RACES_ONLY ? 2 : 1; threads <= 2; threads++) {
        twx_rc rc = TWX_E_NOMEM;
        how.threads = threads;
        for (uint64_t fail_at = 1; rc == TWX_E_NOMEM; fail_at += TEST_RACES_ONLY ? 7 : 1) {
            twx_faults faults = {.fail_at = fail_at};
            twx_runs found = {.members = {0}};
            twx_ctx cx = {0};
            cx.faults = &faults;
            rc = twx_band_search_runs(&cx, &how, &found);
            assert_true(rc == TWX_OK ? fail_at > 5 : rc == TWX_E_NOMEM);
            twx_runs_done(&found);
        }
    }
}

/* What was kept cannot be right: all texts are searched. */
TEST_OF(a_search_that_does_not_know_a_run_begins_again, world *w) {
    make_world(w, 2, 200, 2);
    twx_band_search how = search_of(w, 0, false);
    twx_sketches grown = {.limit = SIZE_MAX};
    twx_kept_runs kept = {.texts = 0}, whole = {.texts = 0};
    how.sketches = &grown;
    for (size_t n = 0; n < 190; n++) {
        assert_ok(twx_sketches_add(&w->cx, &grown, w->sketch[n], w->kind[n] == TWX_SKETCH_SHORT));
        if (n == 180) assert_ok(twx_band_search_more(&w->cx, &how, &kept));
    }
    for (size_t r = 0; r < kept.bands.n; r += 3) kept.bands.at[r] = 0;
    assert_ok(twx_band_search_more(&w->cx, &how, &kept));
    assert_ok(twx_band_search_more(&w->cx, &how, &whole));
    expect_equal_runs(&whole.runs, &kept.runs, 2);
    assert_memory_equal(whole.bands.at, kept.bands.at, whole.bands.n * sizeof *whole.bands.at);
    twx_kept_runs_done(&kept);
    twx_kept_runs_done(&whole);
    twx_sketches_done(&grown);
}

/* After a failed search, the next one searches all texts. */
TEST_OF(failed_allocations_are_reported_when_more_is_searched, world *w) {
    make_world(w, 2, 100, 2);
    twx_band_search how = search_of(w, 0, false);
    twx_sketches grown = {.limit = SIZE_MAX};
    twx_kept_runs kept = {.texts = 0};
    twx_rc rc = TEST_RACES_ONLY ? TWX_OK : TWX_E_NOMEM; /* there is one thread */
    how.sketches = &grown;
    for (size_t n = 0; n < 95; n++)
        assert_ok(twx_sketches_add(&w->cx, &grown, w->sketch[n], w->kind[n] == TWX_SKETCH_SHORT));
    for (uint64_t fail_at = 1; rc == TWX_E_NOMEM; fail_at++) {
        twx_faults faults = {.fail_at = fail_at};
        twx_ctx cx = {0};
        grown.n = 90;
        assert_ok(twx_band_search_more(&w->cx, &how, &kept));
        grown.n = 95;
        cx.faults = &faults;
        assert_int_equal(kept.texts, 90);
        rc = twx_band_search_more(&cx, &how, &kept);
        assert_true(rc == TWX_OK ? fail_at > 5 && kept.texts == 95
                                 : rc == TWX_E_NOMEM && kept.texts == 0);
    }
    twx_kept_runs_done(&kept);
    twx_sketches_done(&grown);
}
