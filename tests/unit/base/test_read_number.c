#include "support.h"

#include "base/base.h"

/* UINT64_MAX: refused */
static void expect(twx_read_fn *read, const char *text, uint64_t wanted) {
    uint64_t got = UINT64_MAX;
    const bool ok = read(twx_slice_of(text), &got);
    if (ok != (wanted != UINT64_MAX) || (ok && got != wanted))
        fail_msg("'%s' is %d, %llu", text, ok, (unsigned long long)got);
}

static const uint64_t REFUSED = UINT64_MAX;

TEST(counts_are_digits) {
    expect(twx_read_count, "0", 0);
    expect(twx_read_count, "0042", 42);
    expect(twx_read_count, "18446744073709551614", UINT64_MAX - 1);
    expect(twx_read_count, "18446744073709551616", REFUSED);
    expect(twx_read_count, "", REFUSED);
    expect(twx_read_count, "-1", REFUSED);
    expect(twx_read_count, "1 ", REFUSED);
}

TEST(shares_are_exact_to_the_millionth) {
    expect(twx_read_share, "0.01", 10000);
    expect(twx_read_share, "1", 1000000);
    expect(twx_read_share, "0.123456", 123456);
    expect(twx_read_share, "0.1234560", 123456);
    expect(twx_read_share, "0.1234567", REFUSED);
    expect(twx_read_share, "1.", REFUSED);
    expect(twx_read_share, ".5", 500000);
    expect(twx_read_share, ".", REFUSED);
    expect(twx_read_share, "", REFUSED);
    expect(twx_read_share, "..5", REFUSED);
    expect(twx_read_share, "0,5", REFUSED);
    expect(twx_read_share, "18446744073709.6", REFUSED); /* more than UINT64_MAX millionths */
}

TEST(sizes_have_a_suffix) {
    expect(twx_read_size, "512", 512);
    expect(twx_read_size, "64K", 65536);
    expect(twx_read_size, "2g", UINT64_C(2) << 30);
    expect(twx_read_size, "2T", REFUSED);
    expect(twx_read_size, "2MB", REFUSED);
    expect(twx_read_size, "99999999999999999G", REFUSED);
}

TEST(a_range_includes_its_ends) {
    uint64_t got = 7;
    assert_true(twx_read_within(twx_read_share, "0.5..1", "0.5", &got));
    assert_int_equal(got, 500000);
    assert_true(twx_read_within(twx_read_size, "16M..1G", "1024M", &got));
    assert_int_equal(got, 1 << 30);
    assert_false(twx_read_within(twx_read_size, "0 or 16M..1G", "15M", &got));
    assert_false(twx_read_within(twx_read_size, "0 or 16M..1G", "1025M", &got));
    assert_true(twx_read_within(twx_read_size, "0 or 16M..1G", "1G", &got));
    assert_false(twx_read_within(twx_read_share, "0.5..1", "0.499999", &got));
    assert_false(twx_read_within(twx_read_count, "1..9", "10", &got));
    assert_false(twx_read_within(twx_read_count, "no range", "1", &got));
    assert_false(twx_read_within(twx_read_count, "1..x", "1", &got));
    assert_int_equal(got, 1 << 30);
    assert_true(twx_read_within(twx_read_size, "0 or 16M..1G", "0", &got));
    assert_int_equal(got, 0);
}
