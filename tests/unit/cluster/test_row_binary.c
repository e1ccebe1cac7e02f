/* cluster/nodes.c: what is written is read again, and an answer that is cut is broken.
 * cluster/nodes.c: names in braces. */
#include "support.h"

#include "cluster/cluster.h"

TEST(values_are_read_again) {
    static const size_t LENGTHS[] = {0, 1, 127, 128, 300, 16383, 16384, 70000};
    static char text[70000];
    for (size_t i = 0; i < TWX_COUNTOF(LENGTHS); i++) {
        twx_ctx cx = {0};
        twx_buf out = {.max = 1 << 20};
        const twx_slice string = {text, LENGTHS[i]};
        memset(text, 'a' + (int)i, sizeof text);
        assert_ok(twx_row_add_number(&cx, &out, 0xFFEE, 2));
        assert_ok(twx_row_add_string(&cx, &out, string));
        assert_ok(twx_row_add_number(&cx, &out, UINT64_MAX - 1, 8));
        const twx_slice all = twx_buf_slice(&out);
        for (size_t cut = 0; cut <= all.n; cut += cut < 20 || cut + 20 > all.n ? 1 : all.n / 7) {
            twx_row_reader r = {.rest = twx_slice_sub(all, 0, cut)};
            const uint64_t first = twx_row_number(&r, 2);
            const twx_slice read = twx_row_string(&r);
            const uint64_t last = twx_row_number(&r, 8);
            assert_int_equal(r.broken, cut < all.n);
            if (r.broken) continue;
            assert_true(first == 0xFFEE && last == UINT64_MAX - 1 && twx_slice_eq(read, string));
        }
        twx_buf_done(&out);
    }
}

TEST(a_length_without_end_is_broken) {
    twx_row_reader r = {.rest = TWX_SLICE_LIT("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01")};
    assert_int_equal(twx_row_string(&r).n, 0);
    assert_true(r.broken);
}

TEST(names_in_braces_are_filled_in) {
    const twx_statement_value values[] = {{"db", "twindex", 0}, {"run", NULL, UINT64_MAX}};
    twx_ctx cx = {0};
    twx_buf out = {.max = 100};
    assert_ok(twx_statement_fill(&cx, "{db}.t_{run} {db}", values, 2, &out));
    assert_string_equal(out.p, "twindex.t_18446744073709551615 twindex");
    assert_int_equal(twx_statement_fill(&cx, "a {shard}", values, 2, &out), TWX_E_INTERNAL);
    assert_non_null(strstr(cx.message, "{shard}"));
    twx_buf_done(&out);
}
