#include "support.h"

#include "base/base.h"

static const char *near(const char *word, const char *a, const char *b) {
    twx_nearest n = twx_nearest_of(word);
    twx_nearest_try(&n, a);
    if (b) twx_nearest_try(&n, b);
    return n.name;
}

TEST(r1_one_slip_of_each_kind_is_near) {
    static const char *const SLIPS[] = {"repor", "rreport", "repotr", "raport", "report"};
    for (size_t i = 0; i < sizeof SLIPS / sizeof *SLIPS; i++)
        assert_string_equal(near(SLIPS[i], "report", NULL), "report");
}

TEST(r1_case_and_separators_make_no_difference) {
    assert_string_equal(near("Fuzzy-Quant.rate", "fuzzy.quant_rate", NULL), "fuzzy.quant_rate");
    twx_nearest n = twx_nearest_of("A-B.C_D");
    twx_nearest_try(&n, "a_b_c_d");
    assert_int_equal(n.distance, 0);
}

TEST(r1_what_is_far_is_not_meant) {
    assert_null(near("frobnicate", "report", "run"));
    assert_null(near("run", "undo", NULL));
    assert_null(near("", "a", NULL));
    assert_null(near("abcdefghij", "abcdef", NULL)); /* four letters */
    char longer[200];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_null(near(longer, longer, NULL));
    assert_null(near("a", longer, NULL));
}

TEST(r1_the_nearest_wins_and_the_first_of_equals) {
    assert_string_equal(near("digset", "digests", "digest"), "digest");
    assert_string_equal(near("cat", "car", "cab"), "car");
}

/* Restricted edit distance: swapping neighbours is one step, in all words up to the longest. */
TEST(distances_are_a_metric_of_single_steps) {
    for (uint64_t seed = 1; seed <= 500; seed++) {
        char a[64], b[64];
        test_rng rng = test_rng_seed(seed);
        size_t n = 3 + test_rng_below(&rng, 60), at = test_rng_below(&rng, n - 1);
        for (size_t i = 0; i < n; i++) a[i] = (char)('a' + test_rng_below(&rng, 4));
        a[n] = '\0';
        memcpy(b, a, n + 1);
        switch (test_rng_below(&rng, 3)) {
        case 0: b[at] = 'z'; break;
        case 1: memmove(b + at, b + at + 1, n - at); break;
        default: b[at] = a[at + 1], b[at + 1] = a[at]; break;
        }
        twx_nearest there = twx_nearest_of(a), back = twx_nearest_of(b);
        twx_nearest_try(&there, b);
        twx_nearest_try(&back, a);
        if (there.distance != back.distance || there.distance != (strcmp(a, b) != 0))
            fail_msg("seed %" PRIu64 ": %s %s %zu %zu", seed, a, b, there.distance, back.distance);
    }
}
