#include "support.h"

#include <unistd.h>

#include "group/group.h"

enum {
    LEAST_BYTES = 1 << 20,
    IN_MEMORY = LEAST_BYTES / (2 * 24) /* entries; the sort needs room for as many again */
};

TWX_ORDER(compare, twx_entry, twx_entry_cmp(a, b))

/* What the runs have to be, and where the reader of them stands. */
typedef struct wanted {
    twx_entry *at; /* sorted, each entry once */
    size_t n, next, runs, stop_at;
} wanted;

static size_t run_length(const wanted *w, size_t from) {
    size_t to = from;
    while (to < w->n && w->at[to].key == w->at[from].key && w->at[to].check == w->at[from].check)
        to++;
    return to - from;
}

static twx_rc check_run(void *arg, uint32_t *members, size_t n) {
    wanted *w = arg;
    while (w->next < w->n && run_length(w, w->next) < 2) w->next++;
    assert_true(w->next < w->n);
    assert_int_equal(n, run_length(w, w->next));
    for (size_t i = 0; i < n; i++) assert_int_equal(members[i], w->at[w->next + i].index);
    for (size_t i = 0; i < n; i++) members[i] = 0; /* the callee may use the room */
    w->next += n;
    return ++w->runs == w->stop_at ? TWX_E_LIMIT : TWX_OK;
}

static size_t only_once(twx_entry *at, size_t n) {
    size_t kept = 0;
    qsort(at, n, sizeof *at, compare);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || compare(&at[kept - 1], &at[i]) != 0) at[kept++] = at[i];
    return kept;
}

static twx_grouper *open_grouper(twx_ctx *cx, size_t bytes) {
    twx_grouper *g = NULL;
    twx_ctx_init(cx);
    assert_ok(twx_grouper_open(cx, bytes, test_folder(), &g));
    return g;
}

/* The index in a grouper of which every third index is gone; some entries have those. */
static uint32_t index_before(uint32_t index) {
    return index / 2 * 3 + 1 + index % 2;
}

static void compare_runs(uint64_t seed, size_t n, size_t keys, bool spills) {
    twx_ctx cx;
    test_rng rng = test_rng_seed(seed);
    twx_grouper *g = open_grouper(&cx, LEAST_BYTES), *before = open_grouper(&cx, LEAST_BYTES);
    const bool carries = seed % 4 == 3 && !spills;
    uint32_t *moved = calloc(2 * n + 3, sizeof *moved);
    for (uint32_t i = 0; i < 2 * n + 3; i++) moved[i] = i % 3 ? i - i / 3 - 1 : UINT32_MAX;
    wanted w = {.at = calloc(n + 1, sizeof *w.at)};
    for (size_t i = 0; i < n; i++) {
        w.at[i] = (twx_entry){.key = test_rng_below(&rng, keys) * UINT64_C(0x9E3779B97F4A7C15),
                              .check = test_rng_below(&rng, 2),
                              .index = (uint32_t)test_rng_below(&rng, n)};
        const bool is_old = carries && w.at[i].index / 2 % 2;
        assert_ok(twx_grouper_add(is_old ? before : g, w.at[i].key, w.at[i].check,
                                  is_old ? index_before(w.at[i].index) : w.at[i].index));
        if (carries && i % 5 == 0)
            assert_ok(twx_grouper_add(before, w.at[i].key, 0, 3 * (uint32_t)(i / 2)));
    }
    assert_int_equal(twx_grouper_sorted_bytes(g) > 0, spills);
    w.n = only_once(w.at, n);
    if (carries) assert_ok(twx_grouper_sort(&cx, before, NULL, NULL));
    if (seed % 2) assert_ok(twx_grouper_sort(&cx, g, carries ? before : NULL, moved));
    assert_ok(twx_grouper_each(&cx, g, check_run, &w));
    while (w.next < w.n && run_length(&w, w.next) < 2) w.next++;
    if (w.next != w.n) fail_msg("seed %" PRIu64 ": a run was left out", seed);
    twx_grouper_close(g);
    twx_grouper_close(before);
    free(moved);
    free(w.at);
}

/* R1 */
TEST(r1_runs_come_in_order_whatever_was_added_first) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        test_rng rng = test_rng_seed(seed);
        compare_runs(seed, test_rng_below(&rng, 500), 1 + test_rng_below(&rng, 200), false);
    }
}

/* R2 */
TEST(r2_beyond_the_memory_the_runs_are_the_same) {
    static const size_t N[] = {IN_MEMORY, IN_MEMORY + 1, 2 * IN_MEMORY, 5 * IN_MEMORY + 17};
    for (size_t i = 0; i < TWX_COUNTOF(N); i++) compare_runs(i, N[i], 40000, N[i] > IN_MEMORY);
    compare_runs(9, 3 * IN_MEMORY, 2, true); /* runs that go through all parts */
}

TEST(an_error_of_the_callee_ends_it) {
    twx_ctx cx;
    twx_entry at[] = {{.key = 1, .index = 1},
                      {.key = 1, .index = 2},
                      {.key = 2, .index = 1},
                      {.key = 2, .index = 2}};
    wanted w = {.at = at, .n = TWX_COUNTOF(at), .stop_at = 1};
    twx_grouper *g = open_grouper(&cx, 0);
    for (size_t i = 0; i < TWX_COUNTOF(at); i++)
        assert_ok(twx_grouper_add(g, at[i].key, at[i].check, at[i].index));
    assert_int_equal(twx_grouper_each(&cx, g, check_run, &w), TWX_E_LIMIT);
    assert_int_equal(w.runs, 1);
    twx_grouper_close(g);
}

TEST(a_request_to_stop_is_heard) {
    twx_ctx cx;
    atomic_int cancel = 2;
    twx_entry at[] = {{.key = 1, .index = 1}, {.key = 1, .index = 2}};
    wanted w = {.at = at, .n = 2};
    twx_grouper *g = open_grouper(&cx, 0);
    cx.cancel = &cancel;
    for (size_t i = 0; i < 2; i++) assert_ok(twx_grouper_add(g, at[i].key, 0, at[i].index));
    assert_int_equal(twx_grouper_each(&cx, g, check_run, &w), TWX_E_INTERRUPTED);
    twx_grouper_close(g);
}

TEST(a_folder_that_is_not_there_is_named) {
    const int files = test_open_files();
    twx_ctx cx = {0};
    twx_grouper *g = NULL;
    twx_rc rc = TWX_OK;
    assert_ok(twx_grouper_open(&cx, 0, "/nowhere/at/all", &g));
    for (uint32_t i = 0; rc == TWX_OK && i <= IN_MEMORY; i++) rc = twx_grouper_add(g, i, 0, i);
    assert_int_equal(rc, TWX_E_CREATE);
    assert_non_null(strstr(cx.message, "/nowhere/at/all"));
    assert_int_equal(test_open_files(), files);
    twx_grouper_close(g);
}
