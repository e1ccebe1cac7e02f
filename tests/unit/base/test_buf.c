/* base/memory: bytes that grow up to a cap. */
#include "support.h"

#include <wchar.h>

#include "base/base.h"

TEST(an_empty_buffer_is_the_empty_text) {
    twx_buf b = {.max = 10};
    assert_non_null(twx_buf_slice(&b).p);
    assert_int_equal(twx_buf_slice(&b).n, 0);
    twx_buf_clear(&b);
    twx_buf_done(&b);
    twx_buf_done(&b);
    twx_buf_done(NULL);
}

TEST(all_ways_to_add_append) {
    twx_ctx cx = {0};
    twx_buf b = {.max = 100};
    assert_ok(twx_buf_add(&cx, &b, "a\0b", 3));
    assert_ok(twx_buf_add_char(&cx, &b, '-'));
    assert_ok(twx_buf_add_text(&cx, &b, "text"));
    assert_ok(twx_buf_add_slice(&cx, &b, TWX_SLICE_LIT("slice")));
    assert_ok(twx_buf_add_slice(&cx, &b, (twx_slice){NULL, 0}));
    assert_ok(twx_buf_printf(&cx, &b, "%04d", 42));
    assert_ok(twx_buf_printf(&cx, &b, "%s", ""));
    assert_true(twx_slice_eq(twx_buf_slice(&b), TWX_SLICE_LIT("a\0b-textslice0042")));
    twx_buf_done(&b);
}

TEST(r1_the_cap_is_reached_and_never_passed) {
    twx_ctx cx = {0};
    twx_buf b = {.max = 5};
    assert_ok(twx_buf_add_text(&cx, &b, "12345"));
    assert_ok(twx_buf_add(&cx, &b, "", 0));
    assert_int_equal(twx_buf_add_char(&cx, &b, '6'), TWX_E_LIMIT);
    assert_int_equal(cx.rc, TWX_E_LIMIT);
    assert_non_null(strstr(cx.message, "5 bytes"));
    assert_int_equal(twx_buf_add(&cx, &b, NULL, SIZE_MAX), TWX_E_LIMIT);
    assert_int_equal(twx_buf_printf(&cx, &b, "%d", 6), TWX_E_LIMIT);
    assert_true(twx_slice_eq(twx_buf_slice(&b), TWX_SLICE_LIT("12345")));
    twx_buf_clear(&b); /* gives the room back */
    assert_ok(twx_buf_printf(&cx, &b, "%s", "abcde"));
    twx_buf_done(&b);

    twx_buf_init(&b, 0);
    assert_ok(twx_buf_add(&cx, &b, "", 0));
    assert_int_equal(twx_buf_add_char(&cx, &b, 'x'), TWX_E_LIMIT);
    twx_buf_done(&b);
}

TEST(r1_a_failed_printf_leaves_the_content) {
    twx_ctx cx = {0};
    twx_buf b = {.max = 8};
    assert_ok(twx_buf_add_text(&cx, &b, "keep"));
    assert_int_equal(twx_buf_printf(&cx, &b, "%s", "too long"), TWX_E_LIMIT);
    assert_string_equal(b.p, "keep");
    assert_int_equal(b.n, 4);
    twx_buf_done(&b);
}

TEST(a_text_that_cannot_be_formatted_leaves_the_content) {
    twx_ctx cx = {0};
    twx_buf b = {.max = 100};
    assert_ok(twx_buf_add_text(&cx, &b, "keep"));
    assert_int_equal(twx_buf_printf(&cx, &b, "%lc", (wint_t)0x2603), TWX_E_INTERNAL);
    assert_string_equal(b.p, "keep");
    twx_buf_done(&b);
}

TEST(a_buffer_without_a_cap_refuses_what_no_memory_holds) {
    twx_ctx cx = {0};
    twx_buf b = {.max = SIZE_MAX};
    assert_int_equal(twx_buf_reserve(&cx, &b, SIZE_MAX), TWX_E_LIMIT); /* + NUL would wrap to 0 */
    assert_ok(twx_buf_add_text(&cx, &b, "x"));
    assert_int_equal(twx_buf_reserve(&cx, &b, SIZE_MAX - 1), TWX_E_LIMIT);
    assert_string_equal(b.p, "x");
    twx_buf_done(&b);
}

TEST(r2_a_nul_always_follows) {
    twx_ctx cx = {0};
    twx_buf b = {.max = 10000};
    assert_ok(twx_buf_reserve(&cx, &b, 100));
    assert_int_equal(b.p[0], '\0'); /* reserved, nothing added yet */
    for (size_t i = 0; i < 1000; i++) {
        assert_ok(twx_buf_add_char(&cx, &b, 'x'));
        assert_int_equal(b.p[b.n], '\0');
    }
    twx_buf_clear(&b);
    assert_int_equal(b.p[0], '\0');
    assert_int_equal(b.n, 0);
    twx_buf_done(&b);
}

TEST(reserved_room_is_used_without_another_allocation) {
    twx_ctx cx = {0};
    twx_buf b = {.max = 10000};
    assert_ok(twx_buf_reserve(&cx, &b, 5000));
    const char *before = b.p;
    twx_faults faults = {.fail_at = 1, .forever = true};
    cx.faults = &faults;
    for (size_t i = 0; i < 5000; i++) assert_ok(twx_buf_add_char(&cx, &b, 'y'));
    assert_ptr_equal(b.p, before);
    twx_buf_done(&b);
}

TEST(a_failed_allocation_leaves_the_content) {
    twx_ctx cx = {0};
    twx_buf b = {.max = 10000};
    assert_ok(twx_buf_add_text(&cx, &b, "0123456789"));
    twx_faults faults = {.fail_at = 1, .forever = true};
    cx.faults = &faults;
    char big[1000] = {0};
    assert_int_equal(twx_buf_add(&cx, &b, big, sizeof big), TWX_E_NOMEM);
    assert_int_equal(twx_buf_printf(&cx, &b, "%1000d", 1), TWX_E_NOMEM);
    assert_string_equal(b.p, "0123456789");
    assert_int_equal(cx.rc, TWX_E_NOMEM);
    twx_buf_done(&b);
}

/* A buffer behaves like a large array with a counter. */
TEST(random_additions_equal_a_plain_array) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        test_rng rng = test_rng_seed(seed);
        twx_ctx cx = {0};
        char model[600];
        size_t n = 0, max = test_rng_below(&rng, sizeof model);
        twx_buf b = {.max = max};
        for (int step = 0; step < 60; step++) {
            char piece[40];
            size_t length = test_rng_below(&rng, sizeof piece);
            for (size_t i = 0; i < length; i++) piece[i] = (char)test_rng_next(&rng);
            twx_rc rc = twx_buf_add(&cx, &b, piece, length);
            if ((rc == TWX_OK) != (length <= max - n)) fail_msg("seed %" PRIu64, seed);
            if (rc == TWX_OK) memcpy(model + n, piece, length), n += length;
            if (!twx_slice_eq(twx_buf_slice(&b), (twx_slice){model, n}))
                fail_msg("seed %" PRIu64, seed);
        }
        twx_buf_done(&b);
    }
}

TEST(a_file_is_added_up_to_the_cap) {
    for (size_t max = 4095; max <= 4097; max++) {
        twx_ctx cx = {0};
        twx_buf b = {.max = max};
        FILE *f = tmpfile();
        assert_non_null(f);
        for (int i = 0; i < 4096; i++) fputc('a' + i % 26, f);
        rewind(f);
        assert_int_equal(twx_buf_add_file(&cx, &b, "a file", fileno(f), TWX_E_IO),
                         max < 4096 ? TWX_E_CONFIG : TWX_OK);
        assert_int_equal(b.n, max < 4096 ? 0 : 4096);
        if (max < 4096) assert_string_equal(cx.message, "a file: longer than 3 KiB");
        fclose(f);
        twx_buf_done(&b);
    }
    twx_ctx cx = {0};
    twx_buf b = {.max = 10};
    assert_int_equal(twx_buf_add_file(&cx, &b, "none", -1, TWX_E_IO), TWX_E_IO);
    assert_string_equal(cx.message, "cannot read 'none': Bad file descriptor");
    twx_buf_done(&b);
}
