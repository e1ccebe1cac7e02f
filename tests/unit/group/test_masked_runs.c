/* The runs are compared with those that sorting by the masked bits gives, for any number of
 * threads. */
#include "support.h"

#include <signal.h>

#include "group/group.h"

enum { MASKS = 3, MANY = 50000, LEAST_BYTES = 1 << 20 };

static const uint64_t MASK[MASKS] = {UINT64_MAX, 0xFFFF0000, UINT64_C(0xFF000000000000FF)};

/* How many members, and the members, of each run. */
typedef struct runs {
    twx_ctx cx;
    TWX_VEC(uint32_t) at;
} runs;

static void add_run(runs *r, const uint32_t *members, size_t n) {
    assert_true(n >= 2);
    assert_true(TWX_VEC_PUSH(&r->cx, &r->at, (uint32_t)n));
    for (size_t i = 0; i < n; i++) assert_true(TWX_VEC_PUSH(&r->cx, &r->at, members[i]));
}

static twx_rc keep_run(void *arg, uint32_t *members, size_t n) {
    for (size_t i = 1; i < n; i++) assert_true(members[i - 1] < members[i]);
    add_run(arg, members, n);
    members[0] = UINT32_MAX; /* the callee may use the room */
    return TWX_OK;
}

static runs find(const uint64_t *numbers, size_t n, size_t threads) {
    runs r = {.at = {0}};
    const twx_masked what = {numbers, n, MASK, MASKS, threads};
    twx_ctx_init(&r.cx);
    assert_ok(twx_masked_runs(&r.cx, &what, keep_run, &r));
    return r;
}

typedef struct masked_number {
    uint64_t bits;
    uint32_t position;
} masked_number;

TWX_ORDER_2(by_bits, masked_number, bits, position)

/* The runs in order of the masks, then of the masked bits. */
static runs sort_for_runs(const uint64_t *numbers, size_t n) {
    runs r = {.at = {0}};
    masked_number *all = calloc(n + 1, sizeof *all);
    uint32_t *members = calloc(n + 1, sizeof *members);
    twx_ctx_init(&r.cx);
    for (size_t k = 0; k < MASKS; k++) {
        for (size_t i = 0; i < n; i++) all[i] = (masked_number){numbers[i] & MASK[k], (uint32_t)i};
        qsort(all, n, sizeof *all, by_bits);
        for (size_t from = 0, to; from < n; from = to) {
            for (to = from; to < n && all[to].bits == all[from].bits; to++)
                members[to - from] = all[to].position;
            if (to - from > 1) add_run(&r, members, to - from);
        }
    }
    free(all);
    free(members);
    return r;
}

static const uint32_t *compared; /* for by_members() */

/* Equal runs of different masks are next to each other. */
static int by_members(const void *a, const void *b) {
    const uint32_t *x = compared + *(const size_t *)a, *y = compared + *(const size_t *)b;
    for (uint32_t i = 0; i <= *x && i <= *y; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static size_t *in_order(const runs *r, size_t *ret_n) {
    size_t *starts = calloc(r->at.n + 1, sizeof *starts);
    *ret_n = 0;
    for (size_t i = 0; i < r->at.n; i += r->at.at[i] + 1) starts[(*ret_n)++] = i;
    compared = r->at.at;
    if (*ret_n) qsort(starts, *ret_n, sizeof *starts, by_members);
    return starts;
}

/* In any order. */
static void assert_same_runs(const runs *a, const runs *b) {
    size_t n, m;
    size_t *x = in_order(a, &n), *y = in_order(b, &m);
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        const uint32_t *run = a->at.at + x[i], *other = b->at.at + y[i];
        assert_memory_equal(run, other, sizeof *run);
        assert_memory_equal(run, other, (*run + 1) * sizeof *run);
    }
    free(x);
    free(y);
}

/* Numbers below `distinct`, spread over all bits; every fourth differs in one bit from another. */
static void make_numbers(uint64_t seed, size_t n, size_t distinct, uint64_t *ret_numbers) {
    test_rng rng = test_rng_seed(seed);
    for (size_t i = 0; i < n; i++) {
        ret_numbers[i] = test_rng_below(&rng, distinct) * UINT64_C(0x9E3779B97F4A7C15);
        if (i > 0 && i % 4 == 0)
            ret_numbers[i] = ret_numbers[test_rng_below(&rng, i)] ^ UINT64_C(1)
                                                                        << test_rng_below(&rng, 64);
    }
}

TEST(r1_runs_are_those_that_sorting_gives) {
    static const size_t SIZES[] = {0, 1, 2, 3, 24, 25, 100, 4097, MANY};
    static uint64_t numbers[MANY];
    for (size_t i = 0; i < TWX_COUNTOF(SIZES); i++)
        for (size_t distinct = 1; distinct <= 1000000; distinct *= 100) {
            make_numbers(i + distinct, SIZES[i], distinct, numbers);
            runs wanted = sort_for_runs(numbers, SIZES[i]), found = find(numbers, SIZES[i], 2);
            assert_same_runs(&wanted, &found);
            TWX_VEC_DONE(&wanted.at);
            TWX_VEC_DONE(&found.at);
        }
}

TEST(r1_equal_numbers_are_one_run) {
    static uint64_t numbers[MANY];
    memset(numbers, 0xA5, sizeof numbers);
    runs found = find(numbers, MANY, 2);
    assert_int_equal(found.at.n, MASKS * (MANY + 1));
    for (uint32_t i = 0; i < MANY; i++) assert_int_equal(found.at.at[i + 1], i);
    TWX_VEC_DONE(&found.at);
}

/* The hash of masked bits has 32 bits, so among 300 000 numbers some differ and have one hash. Each
 * number occurs twice, so both sides of such a collision are runs. */
TEST(r1_a_collision_of_hashes_joins_nothing) {
    enum { DISTINCT = 300000, N = 2 * DISTINCT };
    uint64_t *numbers = calloc(N, sizeof *numbers);
    test_rng rng = test_rng_seed(9);
    for (size_t i = 0; i < DISTINCT; i++) numbers[i] = numbers[DISTINCT + i] = test_rng_next(&rng);
    runs wanted = sort_for_runs(numbers, N), found = find(numbers, N, 2);
    assert_same_runs(&wanted, &found);
    TWX_VEC_DONE(&wanted.at);
    TWX_VEC_DONE(&found.at);
    free(numbers);
}

TEST(r2_threads_do_not_change_the_result) {
    static uint64_t numbers[MANY];
    make_numbers(5, MANY, MANY, numbers);
    runs one = find(numbers, MANY, 1);
    for (size_t threads = 0; threads <= 8; threads++) {
        runs more = find(numbers, MANY, threads);
        assert_int_equal(more.at.n, one.at.n);
        assert_memory_equal(more.at.at, one.at.at, one.at.n * sizeof *one.at.at);
        TWX_VEC_DONE(&more.at);
    }
    TWX_VEC_DONE(&one.at);
}

/* Through the grouper; with the least memory MANY numbers become entries in files. */
TEST(numbers_of_a_grouper_have_the_same_runs_in_memory_and_on_disk) {
    static uint64_t numbers[MANY];
    make_numbers(6, MANY, MANY / 2, numbers);
    runs wanted = sort_for_runs(numbers, MANY);
    for (int on_disk = 0; on_disk <= 1; on_disk++) {
        runs found = {.at = {0}};
        twx_grouper *g = NULL;
        twx_ctx_init(&found.cx);
        assert_ok(twx_grouper_open(&found.cx, on_disk ? LEAST_BYTES : 64 << 20, test_folder(), &g));
        twx_grouper_use_masks(g, MASK, MASKS, 2);
        for (uint32_t i = 0; i < MANY; i++) assert_ok(twx_grouper_add_number(g, numbers[i], 2 * i));
        assert_int_equal(twx_grouper_sorted_bytes(g) > 0, on_disk);
        assert_ok(twx_grouper_each(&found.cx, g, keep_run, &found));
        twx_grouper_close(g);
        for (size_t i = 0; i < found.at.n; i += found.at.at[i] + 1)
            for (size_t k = 1; k <= found.at.at[i]; k++) found.at.at[i + k] /= 2;
        assert_same_runs(&wanted, &found);
        TWX_VEC_DONE(&found.at);
    }
    TWX_VEC_DONE(&wanted.at);
}

static twx_rc stop_at_once(void *arg, uint32_t *members, size_t n) {
    (void)members, (void)n;
    ++*(size_t *)arg;
    return TWX_E_LIMIT;
}

TEST(errors_cancelling_and_failed_allocations_end_the_search) {
    static uint64_t numbers[MANY];
    const twx_masked what = {numbers, MANY, MASK, MASKS, 2};
    size_t calls = 0;
    twx_ctx cx = {0};
    twx_rc rc = TWX_E_NOMEM;
    make_numbers(7, MANY, MANY, numbers);
    assert_int_equal(twx_masked_runs(&cx, &what, stop_at_once, &calls), TWX_E_LIMIT);
    assert_int_equal(calls, 1);
    atomic_int stop = SIGINT;
    cx.cancel = &stop;
    assert_int_equal(twx_masked_runs(&cx, &what, stop_at_once, &calls), TWX_E_INTERRUPTED);
    assert_int_equal(calls, 1);
    for (uint64_t fail_at = 1; rc == TWX_E_NOMEM; fail_at++) {
        twx_faults faults = {.fail_at = fail_at};
        runs r = {.at = {0}};
        twx_ctx_init(&cx);
        twx_ctx_init(&r.cx);
        cx.faults = &faults;
        rc = twx_masked_runs(&cx, &what, keep_run, &r);
        assert_true(rc == TWX_OK || cx.message[0]);
        assert_true(rc == TWX_OK ? fail_at > 4 : rc == TWX_E_NOMEM);
        TWX_VEC_DONE(&r.at);
    }
}
