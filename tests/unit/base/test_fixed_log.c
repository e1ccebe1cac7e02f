/* Logarithm and exponential in integers, against those of the C library in long double. */
#include "support.h"

#include <math.h>

#include "base/base.h"

enum { ROUNDS = 200000 };

static const long double UNIT_32 = 0x1p-32L, UNIT_63 = 0x1p-63L;

/* Numbers of all sizes. */
static uint64_t any_number(test_rng *rng) {
    return (test_rng_next(rng) >> test_rng_below(rng, 64)) | 1;
}

static void assert_ln(uint64_t a, uint64_t b, uint64_t seed) {
    const long double got = (long double)twx_fixed_ln(a, b) * UNIT_32,
                      exact = logl((long double)a) - logl((long double)b);
    if (fabsl(got - exact) > UNIT_32 * 0.5001L)
        fail_msg("seed %" PRIu64 ": ln(%" PRIu64 "/%" PRIu64 ") is %.15Lf, not %.15Lf", seed, a, b,
                 got, exact);
}

TEST(r1_logarithms_are_exact_to_the_last_place) {
    test_rng rng = test_rng_seed(1);
    for (uint64_t i = 0; i < ROUNDS; i++) assert_ln(any_number(&rng), any_number(&rng), 1);
    for (uint64_t a = 1; a < 2000; a++) assert_ln(a, a + 1, 0);
    assert_ln(1, UINT64_MAX, 0);
    assert_ln(UINT64_MAX, UINT64_MAX - 1, 0);
    assert_ln(UINT64_C(1) << 63, (UINT64_C(1) << 63) - 1, 0);
}

TEST(logarithms_of_known_fractions) {
    assert_int_equal(twx_fixed_ln(1, 1), 0);
    assert_int_equal(twx_fixed_ln(7, 7), 0);
    assert_int_equal(twx_fixed_ln(2, 1), 2977044472); /* ln 2 * 2^32 = 2977044471.8 */
    assert_int_equal(twx_fixed_ln(1, 2), -2977044472);
    assert_int_equal(twx_fixed_ln(10, 1), 9889527671); /* 2.302585093 * 2^32 = 9889527670.6 */
}

static void assert_exp(uint64_t a, uint64_t b, uint64_t seed) {
    const long double x = (long double)a / (long double)b, exact = -expm1l(-x);
    const long double got = (long double)twx_fixed_one_minus_exp(a, b) * UNIT_63;
    if (fabsl(got - exact) > 8 * UNIT_63 + 0x1p-60L * exact)
        fail_msg("seed %" PRIu64 ": 1 - exp(-%" PRIu64 "/%" PRIu64 ") is %.20Lg, not %.20Lg", seed,
                 a, b, got, exact);
}

TEST(one_minus_exp_loses_nothing_where_it_is_small) {
    test_rng rng = test_rng_seed(2);
    for (uint64_t i = 0; i < ROUNDS / 4; i++) assert_exp(any_number(&rng), any_number(&rng), 2);
    for (uint64_t a = 0; a < 5000; a++) assert_exp(a, 100, 0);
    for (uint64_t b = 1; b < UINT64_C(1) << 32; b *= 2) assert_exp(1, b, 0);
    assert_int_equal(twx_fixed_one_minus_exp(0, 1), 0);
    assert_int_equal(twx_fixed_one_minus_exp(UINT64_MAX, 1), UINT64_C(1) << 63);
    assert_int_equal(twx_fixed_one_minus_exp(44, 1), UINT64_C(1) << 63);
}
