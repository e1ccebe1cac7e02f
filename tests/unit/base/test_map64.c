/* base/hash: 64-bit key to 64-bit value. */
#include "support.h"

#include "base/base.h"

TEST(an_empty_map_holds_nothing) {
    twx_map64 m = {.seed = 1};
    uint64_t value = 77;
    assert_false(twx_map64_get(&m, 0, &value));
    assert_false(twx_map64_get(&m, 1, &value));
    assert_false(twx_map64_get(&m, UINT64_MAX, &value));
    assert_int_equal(value, 77); /* untouched */
    twx_map64_done(&m);
    twx_map64_done(&m);
    twx_map64_done(NULL);
}

TEST(add_keeps_the_first_and_put_replaces) {
    twx_ctx cx = {0};
    const uint64_t keys[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63};
    twx_map64 m = {.seed = 42};
    for (size_t i = 0; i < TWX_COUNTOF(keys); i++) {
        uint64_t value = 0;
        assert_ok(twx_map64_add(&cx, &m, keys[i], 10, &value));
        assert_int_equal(value, 10);
        assert_ok(twx_map64_add(&cx, &m, keys[i], 20, &value));
        assert_int_equal(value, 10);
        assert_ok(twx_map64_put(&cx, &m, keys[i], 0));
        assert_true(twx_map64_get(&m, keys[i], &value));
        assert_int_equal(value, 0); /* value 0 is a value */
    }
    twx_map64_done(&m);
}

/* A reference that cannot be wrong: a list, searched from its start. */
typedef struct model {
    uint64_t keys[600], values[600];
    size_t n;
} model;

static uint64_t *model_at(model *r, uint64_t key) {
    for (size_t i = 0; i < r->n; i++)
        if (r->keys[i] == key) return &r->values[i];
    return NULL;
}

/* Few distinct keys of several shapes, 0 among them, so that they meet often. */
static uint64_t random_key(test_rng *rng) {
    uint64_t k = test_rng_below(rng, 100);
    switch (test_rng_below(rng, 5)) {
    case 0: return k;
    case 1: return k << 32;
    case 2: return k << 57;
    case 3: return UINT64_MAX - k;
    default: return k * 64;
    }
}

TEST(random_operations_equal_a_list) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test_rng rng = test_rng_seed(seed);
        twx_ctx cx = {0};
        model r = {.n = 0};
        twx_map64 m = {.seed = test_rng_next(&rng)};
        for (int step = 0; step < 1500; step++) {
            uint64_t key = random_key(&rng), value = test_rng_next(&rng), got = 0;
            uint64_t *known = model_at(&r, key);
            size_t what = test_rng_below(&rng, 3);
            if (what == 0) {
                if (twx_map64_get(&m, key, &got) != (known != NULL))
                    fail_msg("seed %" PRIu64, seed);
                if (known && got != *known) fail_msg("seed %" PRIu64 ", get", seed);
                continue;
            }
            if (what == 1) assert_ok(twx_map64_add(&cx, &m, key, value, &got));
            if (what == 2) assert_ok(twx_map64_put(&cx, &m, key, value));
            if (known && what == 2) *known = value;
            if (known && what == 1 && got != *known) fail_msg("seed %" PRIu64 ", add", seed);
            if (!known) {
                if (what == 1 && got != value) fail_msg("seed %" PRIu64 ", first add", seed);
                r.keys[r.n] = key;
                r.values[r.n++] = value;
            }
        }
        for (size_t i = 0; i < r.n; i++) {
            uint64_t got = 0;
            if (!twx_map64_get(&m, r.keys[i], &got) || got != r.values[i])
                fail_msg("seed %" PRIu64, seed);
        }
        twx_map64_done(&m);
    }
}

TEST(a_hundred_thousand_keys_survive_growing) {
    enum { N = 100000 };
    twx_ctx cx = {0};
    twx_map64 m = {.seed = 7};
    for (uint64_t i = 1; i <= N; i++) assert_ok(twx_map64_put(&cx, &m, i << 20, ~i));
    assert_int_equal(m.n, N);
    for (uint64_t i = 1; i <= N; i++) {
        uint64_t value = 0;
        assert_true(twx_map64_get(&m, i << 20, &value));
        assert_true(value == ~i);
        assert_false(twx_map64_get(&m, (i << 20) + 1, &value));
    }
    /* at most 3/4 full: every search ends at a free slot */
    assert_true(m.n <= (m.mask + 1) / 4 * 3);
    assert_true(m.mask + 1 <= 4 * (size_t)N); /* 16 bytes a slot: no waste either */
    twx_map64_done(&m);
}

/* The content does not depend on the seed. */
TEST(any_seed_gives_the_same_answers) {
    const uint64_t seeds[] = {0, 1, UINT64_MAX, UINT64_C(0x9E3779B97F4A7C15)};
    for (size_t s = 0; s < TWX_COUNTOF(seeds); s++) {
        twx_ctx cx = {0};
        twx_map64 m = {.seed = seeds[s]};
        for (uint64_t i = 0; i < 3000; i++) assert_ok(twx_map64_put(&cx, &m, i * i, i));
        for (uint64_t i = 0; i < 3000; i++) {
            uint64_t value = 0;
            assert_true(twx_map64_get(&m, i * i, &value));
            assert_true(value == i);
        }
        twx_map64_done(&m);
    }
}

TEST(a_failed_growth_keeps_every_entry) {
    for (uint64_t nth = 1; nth <= 4; nth++) {
        twx_faults faults = {.fail_at = nth};
        twx_ctx cx = {0};
        cx.faults = &faults;
        twx_map64 m = {.seed = 3};
        uint64_t key = 1, got = 55;
        while (twx_map64_add(&cx, &m, key, key, &got) == TWX_OK) key++;
        assert_int_equal(cx.rc, TWX_E_NOMEM);
        assert_true(got == (key == 1 ? 55 : key - 1)); /* untouched by the failure */
        assert_false(twx_map64_get(&m, key, &got));
        for (uint64_t k = 1; k < key; k++) {
            assert_true(twx_map64_get(&m, k, &got));
            assert_true(got == k);
        }
        assert_ok(twx_map64_add(&cx, &m, key, key, &got)); /* only one call fails */
        assert_true(twx_map64_get(&m, key, &got));
        twx_map64_done(&m);
    }
}

TEST(key_zero_needs_no_table) {
    twx_faults faults = {.fail_at = 1, .forever = true};
    twx_ctx cx = {0};
    cx.faults = &faults;
    twx_map64 m = {.seed = 3};
    uint64_t value = 0;
    assert_ok(twx_map64_put(&cx, &m, 0, 9));
    assert_true(twx_map64_get(&m, 0, &value));
    assert_int_equal(value, 9);
    assert_int_equal(m.n, 1);
    assert_ok(twx_map64_put(&cx, &m, 0, 8));
    assert_int_equal(m.n, 1);
    assert_int_equal(twx_map64_put(&cx, &m, 1, 9), TWX_E_NOMEM);
    twx_map64_done(&m);
}

TEST(beyond_its_limit_it_takes_no_more) {
    twx_ctx cx = {0};
    twx_map64 m = {.bytes_most = 4096};
    uint64_t *at = NULL;
    bool is_new = false;
    for (uint64_t i = 1; i <= 1000; i++) assert_ok(twx_map64_place(&cx, &m, i, i, &at, &is_new));
    assert_true(is_new && !at);
    assert_int_equal(m.n, 192); /* 256 slots of 16 bytes, three quarters full */
    assert_ok(twx_map64_place(&cx, &m, 1, 9, &at, &is_new));
    assert_true(!is_new && *at == 1);
    assert_null(twx_map64_at(&m, 1000));
    twx_map64_done(&m);
}

TEST(the_list_is_sorted_as_signed_numbers) {
    static const uint64_t KEYS[] = {5, UINT64_MAX, 0, 3};
    twx_ctx cx = {0};
    twx_map64 m = {0};
    twx_map64_slot *list = NULL;
    assert_ok(twx_map64_list(&cx, &m, &list));
    assert_null(list);
    for (size_t i = 0; i < TWX_COUNTOF(KEYS); i++) assert_ok(twx_map64_put(&cx, &m, KEYS[i], i));
    assert_ok(twx_map64_list(&cx, &m, &list));
    assert_true(list[0].key == UINT64_MAX && list[1].key == 0 && list[1].value == 2);
    assert_true(list[2].key == 3 && list[3].key == 5 && list[3].value == 0);
    twx_free(list);
    twx_map64_done(&m);
}
