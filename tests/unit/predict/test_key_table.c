/* predict/model.c: against a plain array; the limit; the list. */
#include "support.h"

#include "predict/predict.h"

static twx_ctx cx;

static bool place(twx_key_table *t, uint64_t key, uint64_t value, uint64_t **ret_at) {
    bool fresh = false;
    assert_int_equal(twx_key_table_place(&cx, t, key, value, ret_at, &fresh), TWX_OK);
    return fresh;
}

TEST(what_was_placed_is_found) {
    enum { KEYS = 5000 };
    twx_key_table t = {0};
    uint64_t *at = NULL;
    assert_null(twx_key_table_get(&t, 7));
    for (uint64_t seed = 1; seed <= 3; seed++) {
        test_rng rng = test_rng_seed(seed);
        for (uint64_t i = 0; i < KEYS; i++) {
            /* equal lower halves, too */
            assert_true(place(&t, test_rng_next(&rng) << (seed == 3 ? 32 : 0), i, &at));
            assert_int_equal(*at, i);
        }
        rng = test_rng_seed(seed);
        for (uint64_t i = 0; i < KEYS; i++) {
            const uint64_t key = test_rng_next(&rng) << (seed == 3 ? 32 : 0);
            const uint64_t *value = twx_key_table_get(&t, key);
            if (!value || *value != i) fail_msg("seed %" PRIu64 ", key %" PRIu64, seed, i);
            assert_false(place(&t, key, 99, &at));
            assert_int_equal(*at, i);
        }
        assert_null(twx_key_table_get(&t, 12345));
        assert_int_equal(t.n, KEYS);
        twx_key_table_done(&t);
    }
}

TEST(a_key_that_is_nothing_is_a_key) {
    twx_key_table t = {0};
    uint64_t *at = NULL;
    assert_true(place(&t, 0, 5, &at));
    assert_int_equal(*twx_key_table_get(&t, 0), 5);
    assert_int_equal(t.n, 1);
    twx_key_table_done(&t);
}

TEST(beyond_its_limit_it_takes_no_more) {
    twx_key_table t = {.bytes_most = 4096};
    uint64_t *at = NULL;
    for (uint64_t i = 1; i <= 1000; i++) place(&t, i, i, &at);
    assert_null(at);
    assert_int_equal(t.n, 192); /* 256 slots of 16 bytes, three quarters full */
    assert_false(place(&t, 1, 9, &at));
    assert_int_equal(*at, 1);
    twx_key_table_done(&t);
}

TEST(r1_the_list_is_sorted_as_signed_numbers) {
    twx_key_table t = {0};
    twx_key_slot *list = NULL;
    uint64_t *at = NULL;
    assert_int_equal(twx_key_table_list(&cx, &t, &list), TWX_OK);
    assert_null(list);
    place(&t, 5, 1, &at);
    place(&t, UINT64_MAX, 2, &at);
    place(&t, 3, 3, &at);
    assert_int_equal(twx_key_table_list(&cx, &t, &list), TWX_OK);
    assert_true(list[0].key == UINT64_MAX && list[1].key == 3 && list[2].key == 5 &&
                list[2].value == 1);
    twx_free(list);
    twx_key_table_done(&t);
}

static int begin(void **state) {
    (void)state;
    twx_ctx_init(&cx);
    return 0;
}

TESTS_IN(begin, NULL);
