/* lab/evaluation: figures known from textbooks, and intervals that cover what they should. */
#include "support.h"

#include <math.h>

#include "lab/lab.h"

static void near_to(double got, double wanted, double within) {
    if (!(fabs(got - wanted) <= within)) fail_msg("%.6f, not %.6f", got, wanted);
}

/* 8 of 10 and 0 of 10: the score interval as Newcombe 1998 prints it */
TEST(wilson_intervals_are_those_of_the_books) {
    twx_measure m = twx_wilson(81.0 / 263, 263);
    near_to(m.low, 0.2553, 0.0001);
    near_to(m.high, 0.3662, 0.0001);
    m = twx_wilson(0, 20);
    near_to(m.low, 0, 0);
    near_to(m.high, 0.1611, 0.0001);
    m = twx_wilson(1, 20);
    near_to(m.high, 1, 0);
    near_to(m.low, 1 - 0.1611, 0.0001);
    m = twx_wilson(0.5, 0);
    near_to(m.high - m.low, 1, 0);
}

TEST(what_is_not_sampled_has_no_interval) {
    twx_ratio r = {0};
    assert_false(twx_ratio_measure(&r).known);
    twx_ratio_add(&r, 3, 4, 1);
    twx_ratio_add(&r, 0, 4, 1);
    twx_measure m = twx_ratio_measure(&r);
    assert_true(m.known);
    near_to(m.value, 0.375, 1e-12);
    near_to(m.low, m.high, 0);
    m = twx_ratio_total(&r);
    near_to(m.value, 8, 0);
    near_to(m.low, m.high, 0);
}

TEST(means_of_one_value_have_no_interval) {
    assert_false(twx_mean(0, 0, 0).known);
    const twx_measure one = twx_mean(0.5, 0.25, 1), same = twx_mean(1, 0.5, 2),
                      two = twx_mean(1.2, 0.8, 2);
    near_to(one.low, one.high, 0);
    near_to(same.low, same.high, 0);
    assert_true(two.low < 0.6 && two.high > 0.6 && two.high <= 1);
    assert_false(twx_harmonic(one, twx_mean(0, 0, 0)).known);
    assert_false(twx_harmonic(twx_mean(0, 0, 0), one).known);
    near_to(twx_harmonic(one, twx_mean(1, 1, 1)).value, 2.0 / 3, 1e-12);
    near_to(twx_harmonic(twx_mean(0, 0, 1), twx_mean(0, 0, 1)).value, 0, 0);
}

/* Draws that all say the same still leave something open, but only for the part that was drawn. */
TEST(unanimous_draws_leave_something_open) {
    twx_ratio r = {0};
    for (int i = 0; i < 20; i++) twx_ratio_add(&r, 1, 1, 0.5);
    twx_measure m = twx_ratio_measure(&r);
    near_to(m.value, 1, 0);
    near_to(m.low, twx_wilson(1, 20).low, 1e-9);
    twx_ratio_add(&r, 40, 40, 1);
    near_to(twx_ratio_measure(&r).low, (1 + m.low) / 2, 1e-9);
}

enum { ITEMS = 3000, DRAWS = 600 };

typedef struct item {
    double y, x, p;
} item;

/* The law an interval is made for: of many samples, about 95 in 100 have the truth within it. */
TEST(intervals_of_a_ratio_cover_it) {
    static item items[ITEMS];
    test_rng rng = test_rng_seed(7);
    double y = 0, x = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        double weight = 1 + (double)test_rng_below(&rng, 5);
        items[i] = (item){test_rng_below(&rng, 10) < 7 ? weight : 0, weight, 0.05 * weight};
        y += items[i].y;
        x += items[i].x;
    }
    int covered = 0, covered_total = 0;
    double mean = 0;
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        twx_ratio r = {0};
        rng = test_rng_seed(seed);
        for (size_t i = 0; i < ITEMS; i++)
            if ((double)test_rng_below(&rng, 1 << 20) < items[i].p * (1 << 20))
                twx_ratio_add(&r, items[i].y, items[i].x, items[i].p);
        twx_measure m = twx_ratio_measure(&r), total = twx_ratio_total(&r);
        covered += m.low <= y / x && y / x <= m.high;
        covered_total += total.low <= x && x <= total.high;
        mean += m.value / DRAWS;
    }
    printf("covered %d and %d of %d\n", covered, covered_total, DRAWS);
    assert_true(covered > DRAWS * 92 / 100 && covered < DRAWS * 98 / 100);
    assert_true(covered_total > DRAWS * 92 / 100 && covered_total < DRAWS * 98 / 100);
    near_to(mean, y / x, 0.005);
}

TEST(means_and_harmonic_means) {
    assert_false(twx_mean(0, 0, 0).known);
    twx_measure m = twx_mean(1.5, 1.25, 2); /* 1 and 0.5 */
    near_to(m.value, 0.75, 1e-12);
    near_to(m.low, 0.75 - 1.959964 * 0.25, 1e-5);
    near_to(m.high, 1, 0);
    near_to(twx_harmonic(twx_wilson(0.5, 10), twx_wilson(1, 10)).value, 2.0 / 3, 1e-12);
    near_to(twx_harmonic(twx_wilson(0, 10), twx_wilson(0, 10)).value, 0, 0);
    assert_false(twx_harmonic(twx_wilson(0, 10), (twx_measure){0}).known);
}

TEST(rank_correlation) {
    const double a[] = {1, 2, 3, 4, 5}, up[] = {2, 4, 8, 16, 32}, down[] = {5, 4, 3, 2, 1},
                 flat[] = {1, 1, 1, 1, 1};
    const double swapped[] = {2, 1, 3, 4, 5}, ties[] = {1, 1, 3, 4, 5};
    near_to(twx_spearman(a, up, 5), 1, 1e-12);
    near_to(twx_spearman(a, down, 5), -1, 1e-12);
    near_to(twx_spearman(a, flat, 5), 0, 0);
    near_to(twx_spearman(a, swapped, 5), 1 - 6.0 * 2 / (5 * 24), 1e-12);
    near_to(twx_spearman(a, ties, 5), 0.974679, 1e-6);
    near_to(twx_spearman(a, up, 1), 0, 0);
}
