/* Ranges of keys, taken and put back by workers that stop anywhere and finish in any order. */
#include "support.h"

#include "run/internal.h"

enum { SEEDS = 2000, KEYS_MAX = 400, WORKERS_MAX = 6 };

TWX_ORDER_0(by_value, int64_t)

/* Keys that lie close together, far apart, or at the ends of what a key can be. */
static size_t make_keys(test_rng *rng, int64_t keys[KEYS_MAX]) {
    size_t n = test_rng_below(rng, KEYS_MAX), kept = 0;
    int64_t at = test_rng_below(rng, 2) ? (int64_t)test_rng_next(rng) : 0;
    for (size_t i = 0; i < n; i++) {
        switch (test_rng_below(rng, 40)) {
        case 0: at = (int64_t)test_rng_next(rng); break;
        case 1: at = INT64_MAX - (int64_t)test_rng_below(rng, 3); break;
        case 2: at = INT64_MIN + (int64_t)test_rng_below(rng, 3); break;
        default: at = (int64_t)((uint64_t)at + 1 + test_rng_below(rng, 3)); break;
        }
        keys[i] = at;
    }
    qsort(keys, n, sizeof *keys, by_value);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || keys[i] != keys[kept - 1]) keys[kept++] = keys[i];
    return kept;
}

typedef struct scene {
    twx_ctx cx;
    const int64_t *keys;
    size_t n;
    unsigned seen[KEYS_MAX];
    twx_key_ranges ranges;
    twx_key_range taken[WORKERS_MAX];
    size_t workers;
} scene;

/* Reads up to `most` keys of a range, as a worker does, and puts the rest back. */
static void work(scene *s, const twx_key_range *range, size_t most) {
    uint64_t rows = 0;
    int64_t next = range->first;
    bool ended = true;
    for (size_t i = 0; i < s->n && ended; i++) {
        if (s->keys[i] < range->first || s->keys[i] > range->last) continue;
        if (rows == most) {
            ended = false;
            break;
        }
        s->seen[i]++;
        rows++;
        next = s->keys[i] == INT64_MAX ? INT64_MAX : s->keys[i] + 1;
    }
    assert_ok(twx_key_ranges_put(&s->cx, &s->ranges, range, ended, next, rows));
}

TEST(r1_every_key_is_read_once) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int64_t keys[KEYS_MAX];
        test_rng rng = test_rng_seed(seed);
        scene s = {.keys = keys};
        twx_ctx_init(&s.cx);
        s.n = make_keys(&rng, keys);
        /* some keys were added after the bounds were read */
        const size_t from = s.n ? test_rng_below(&rng, s.n) : 0,
                     to = s.n ? from + test_rng_below(&rng, s.n - from) : 0;
        const size_t most = 1 + test_rng_below(&rng, 50),
                     all = 1 + test_rng_below(&rng, WORKERS_MAX);
        assert_ok(twx_key_ranges_init(&s.cx, &s.ranges, s.n ? keys[from] : 0, s.n ? keys[to] : 0));
        for (size_t steps = 0; s.workers > 0 || s.ranges.left.n > 0; steps++) {
            if (steps > 100 * KEYS_MAX) fail_msg("seed %" PRIu64 " does not end", seed);
            if (s.workers < all && twx_key_ranges_take(&s.ranges, &s.taken[s.workers])) {
                s.workers++;
                continue;
            }
            const size_t i = test_rng_below(&rng, s.workers);
            const twx_key_range range = s.taken[i];
            s.taken[i] = s.taken[--s.workers];
            work(&s, &range, most);
        }
        for (size_t i = 0; i < s.n; i++)
            if (s.seen[i] != 1)
                fail_msg("seed %" PRIu64 ": key %" PRId64 " was read %u times", seed, keys[i],
                         s.seen[i]);
        twx_key_ranges_done(&s.ranges);
    }
}

TEST(r2_ranges_ascend_and_what_is_put_back_comes_first) {
    twx_ctx cx = {0};
    twx_key_ranges r;
    twx_key_range a, b, c;
    assert_ok(twx_key_ranges_init(&cx, &r, 1, 1000000));
    assert_true(twx_key_ranges_take(&r, &a));
    assert_true(a.whole && a.first == INT64_MIN && a.last == 0);
    assert_true(twx_key_ranges_take(&r, &a) && twx_key_ranges_take(&r, &b));
    assert_true(a.first == 1 && b.first == a.last + 1 && !a.whole);
    assert_ok(twx_key_ranges_put(&cx, &r, &b, false, b.first + 10, 10));
    assert_ok(twx_key_ranges_put(&cx, &r, &a, false, a.first + 20, 20));
    assert_true(twx_key_ranges_take(&r, &c));
    assert_true(c.first == a.first + 20 &&
                c.last == c.first + 19); /* as wide as what had 20 rows */
    twx_key_ranges_done(&r);
    twx_key_ranges_done(NULL);
}
