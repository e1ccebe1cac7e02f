/* base/base: a growing array of any type. */
#include "support.h"

#include "base/base.h"

typedef struct point {
    int64_t x;
    char tag;
} point;

TEST(items_stay_in_order_while_it_grows) {
    twx_ctx cx = {0};
    TWX_VEC(uint64_t) v = {0};
    for (uint64_t i = 0; i < 10000; i++) assert_true(TWX_VEC_PUSH(&cx, &v, i * i));
    assert_int_equal(v.n, 10000);
    assert_true(v.cap >= v.n);
    for (uint64_t i = 0; i < 10000; i++) assert_true(v.at[i] == i * i);
    TWX_VEC_DONE(&v);
    assert_null(v.at);
    assert_int_equal(v.n + v.cap, 0);
}

TEST(structs_and_pointers_fit) {
    twx_ctx cx = {0};
    TWX_VEC(point) points = {0};
    TWX_VEC(const char *) names = {0};
    for (int i = 0; i < 100; i++) {
        assert_true(TWX_VEC_PUSH(&cx, &points, (point){.x = -i, .tag = 'p'}));
        assert_true(TWX_VEC_PUSH(&cx, &names, i % 2 ? "odd" : "even"));
    }
    assert_int_equal(points.at[99].x, -99);
    assert_int_equal(points.at[99].tag, 'p');
    assert_string_equal(names.at[98], "even");
    TWX_VEC_DONE(&points);
    TWX_VEC_DONE(&names);
}

TEST(an_item_of_the_vector_can_be_pushed_again) {
    twx_ctx cx = {0};
    TWX_VEC(uint64_t) v = {0};
    assert_true(TWX_VEC_PUSH(&cx, &v, 7));
    for (int i = 0; i < 1000; i++) /* moves under way */
        assert_true(TWX_VEC_PUSH(&cx, &v, v.at[0]));
    for (size_t i = 0; i < v.n; i++) assert_true(v.at[i] == 7);
    TWX_VEC_DONE(&v);
}

TEST(reserve_makes_room_and_adds_nothing) {
    twx_ctx cx = {0};
    TWX_VEC(uint32_t) v = {0};
    assert_true(TWX_VEC_RESERVE(&cx, &v, 1000));
    assert_int_equal(v.n, 0);
    assert_true(v.cap >= 1000);
    twx_faults faults = {.fail_at = 1, .forever = true};
    cx.faults = &faults;
    for (uint32_t i = 0; i < 1000; i++) assert_true(TWX_VEC_PUSH(&cx, &v, i));
    assert_true(TWX_VEC_RESERVE(&cx, &v, 10)); /* less than there is */
    assert_int_equal(v.n, 1000);
    TWX_VEC_DONE(&v);
}

TEST(a_failed_push_leaves_the_vector) {
    twx_ctx cx = {0};
    TWX_VEC(uint64_t) v = {0};
    for (uint64_t i = 0; i < 16; i++) assert_true(TWX_VEC_PUSH(&cx, &v, i));
    const uint64_t *before = v.at;
    twx_faults faults = {.fail_at = 1};
    cx.faults = &faults;
    assert_false(TWX_VEC_PUSH(&cx, &v, 99));
    assert_int_equal(cx.rc, TWX_E_NOMEM);
    assert_int_equal(v.n, 16);
    assert_int_equal(v.cap, 16);
    assert_ptr_equal(v.at, before);
    for (uint64_t i = 0; i < 16; i++) assert_true(v.at[i] == i);
    assert_true(TWX_VEC_PUSH(&cx, &v, 99)); /* only one call fails */
    assert_int_equal(v.at[16], 99);
    TWX_VEC_DONE(&v);
}

TEST(a_size_that_overflows_is_refused) {
    twx_ctx cx = {0};
    TWX_VEC(uint64_t) v = {0};
    assert_false(TWX_VEC_RESERVE(&cx, &v, SIZE_MAX / 8 + 2));
    assert_int_equal(cx.rc, TWX_E_NOMEM);
    assert_null(v.at);
    assert_int_equal(v.cap, 0);
    TWX_VEC_DONE(&v);
}
