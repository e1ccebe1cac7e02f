/* base/memory: sizes that overflow are refused, failures say so, the hook hits the nth call. */
#include "support.h"

#include <wchar.h>

#include "base/base.h"

static void assert_no_memory(const twx_ctx *cx, const void *p) {
    assert_null(p);
    assert_int_equal(cx->rc, TWX_E_NOMEM);
    assert_non_null(strstr(cx->message, "out of memory"));
}

TEST(zero_bytes_give_a_block_that_can_be_freed) {
    twx_ctx cx = {0};
    void *blocks[] = {twx_malloc(&cx, 0), twx_calloc(&cx, 0, 8), twx_calloc(&cx, 8, 0),
                      twx_realloc(&cx, NULL, 0, 8)};
    for (size_t i = 0; i < TWX_COUNTOF(blocks); i++) {
        assert_non_null(blocks[i]);
        twx_free(blocks[i]);
    }
    twx_free(NULL);
    assert_ok(cx.rc);
}

TEST(calloc_zeroes) {
    twx_ctx cx = {0};
    unsigned char *p = twx_calloc(&cx, 1000, 3);
    assert_non_null(p);
    for (size_t i = 0; i < 3000; i++) assert_int_equal(p[i], 0);
    twx_free(p);
}

/* count * size wraps to a small number: writing to a block of that size would overrun it */
TEST(a_product_that_overflows_is_refused) {
    twx_ctx cx = {0};
    assert_no_memory(&cx, twx_calloc(&cx, SIZE_MAX / 2 + 2, 2));
    cx = (twx_ctx){0};
    assert_no_memory(&cx, twx_realloc(&cx, NULL, SIZE_MAX / 8 + 2, 8));
    cx = (twx_ctx){0};
    assert_no_memory(&cx, twx_realloc(&cx, NULL, SIZE_MAX, SIZE_MAX));
}

TEST(a_failed_realloc_leaves_the_block) {
    twx_ctx cx = {0};
    char *p = twx_realloc(&cx, NULL, 4, 1);
    assert_non_null(p);
    memcpy(p, "abc", 4);
    assert_no_memory(&cx, twx_realloc(&cx, p, SIZE_MAX / 2 + 2, 2));
    assert_string_equal(p, "abc");

    twx_faults faults = {.fail_at = 1};
    cx = (twx_ctx){0};
    cx.faults = &faults;
    assert_no_memory(&cx, twx_realloc(&cx, p, 100, 1));
    assert_string_equal(p, "abc");
    char *more = twx_realloc(&cx, p, 100, 1);
    assert_non_null(more);
    assert_string_equal(more, "abc");
    twx_free(more);
}

TEST(copies_of_strings_end_with_nul) {
    twx_ctx cx = {0};
    char *whole = twx_strdup(&cx, "Zwilling"), *part = twx_strndup(&cx, "Zwilling", 4);
    char *nothing = twx_strndup(&cx, "", 0), *made = twx_sprintf(&cx, "%s-%d", "run", 42);
    assert_string_equal(whole, "Zwilling");
    assert_string_equal(part, "Zwil");
    assert_string_equal(nothing, "");
    assert_string_equal(made, "run-42");
    twx_free(whole), twx_free(part), twx_free(nothing), twx_free(made);
}

/* a wide character that the C locale cannot write */
TEST(a_text_that_cannot_be_formatted_is_an_internal_error) {
    twx_ctx cx = {0};
    assert_null(twx_sprintf(&cx, "%lc", (wint_t)0x2603));
    assert_int_equal(cx.rc, TWX_E_INTERNAL);
}

TEST(strndup_copies_nul_bytes) {
    twx_ctx cx = {0};
    char *copy = twx_strndup(&cx, "a\0b", 3);
    assert_memory_equal(copy, "a\0b", 4);
    twx_free(copy);
}

/* What the call number i of the hook sees, for fail_at and forever. */
static void check_hook(uint64_t fail_at, bool forever, const char *expected) {
    twx_faults faults = {.fail_at = fail_at, .forever = forever};
    for (size_t i = 0; expected[i]; i++) {
        twx_ctx cx = {0};
        cx.faults = &faults;
        void *p = NULL;
        switch (i % 5) { /* every way to allocate counts */
        case 0: p = twx_malloc(&cx, 8); break;
        case 1: p = twx_calloc(&cx, 2, 4); break;
        case 2: p = twx_realloc(&cx, NULL, 2, 4); break;
        case 3: p = twx_strdup(&cx, "text"); break;
        default: p = twx_sprintf(&cx, "%d", 5); break;
        }
        if (expected[i] == 'x') {
            assert_no_memory(&cx, p);
        } else {
            assert_non_null(p);
            assert_ok(cx.rc);
        }
        twx_free(p);
    }
}

TEST(the_fault_hook_hits_the_nth_call) {
    check_hook(0, false, "..........");
    check_hook(0, true, "..........");
    check_hook(1, false, "x.........");
    check_hook(4, false, "...x......");
    check_hook(10, false, ".........x");
    check_hook(1, true, "xxxxxxxxxx");
    check_hook(7, true, "......xxxx");
}

TEST(the_fault_hook_counts_what_it_saw) {
    twx_faults faults = {.fail_at = 1000};
    twx_ctx cx = {0};
    cx.faults = &faults;
    for (int i = 0; i < 5; i++) twx_free(twx_malloc(&cx, 1));
    assert_int_equal(atomic_load(&faults.count), 5);
}

TEST(allocating_without_a_context_works) {
    void *p = twx_malloc(NULL, 10);
    assert_non_null(p);
    twx_free(p);
    assert_null(twx_calloc(NULL, SIZE_MAX, 2));
}

TEST(capacities_at_least_double) {
    assert_int_equal(twx_grown(0, 1), 16);
    assert_int_equal(twx_grown(7, 8), 16);
    assert_int_equal(twx_grown(16, 17), 32);
    assert_int_equal(twx_grown(16, 100), 100);
    assert_true(twx_grown(SIZE_MAX / 2 + 2, SIZE_MAX) == SIZE_MAX); /* doubling wraps */
    for (size_t have = 0; have < 1000; have++) {
        size_t cap = twx_grown(have, have + 1);
        assert_true(cap >= have * 2 && cap >= 16 && cap >= have + 1);
    }
}
