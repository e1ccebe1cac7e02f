/* search/interval: quantiles of published tables, and the interval of a published experiment. */
#include "support.h"

#include "search/search.h"

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2: upper critical values of Student's t
 * distribution, probability .975. */
TEST(quantiles_are_those_of_the_table) {
    static const struct {
        size_t df;
        double t;
    } TABLE[] = {{1, 12.706}, {2, 4.303},  {5, 2.571},  {10, 2.228}, {11, 2.201},  {12, 2.179},
                 {15, 2.131}, {20, 2.086}, {30, 2.042}, {60, 2.000}, {100, 1.984}, {120, 1.980}};
    for (size_t i = 0; i < TWX_COUNTOF(TABLE); i++)
        assert_float_equal(twx_t_quantile(TABLE[i].df), TABLE[i].t, 0.00051);
    for (size_t df = 1; df < 1000; df++) assert_true(twx_t_quantile(df) > twx_t_quantile(df + 1));
    assert_float_equal(twx_t_quantile(1000000), 1.959964, 0.00001);
}

/* Cushny and Peebles 1905, hours of sleep gained by ten patients with two drugs; Student 1908. R
 * prints for t.test(extra ~ group, data = sleep, paired = TRUE): 0.7001142 to 2.4598858. */
TEST(the_interval_of_the_sleep_data_is_the_published_one) {
    static const double FIRST[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
                        SECOND[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    const twx_interval d = twx_interval_between(FIRST, SECOND, 10);
    assert_true(d.known && d.n == 10);
    assert_float_equal(d.mean, 1.58, 1e-12);
    assert_float_equal(d.low, 0.7001142, 0.00001);
    assert_float_equal(d.high, 2.4598858, 0.00001);
}

TEST(fewer_than_two_values_have_no_interval) {
    static const double ONE[] = {0.25};
    const twx_interval none = twx_interval_of(NULL, 0), one = twx_interval_of(ONE, 1);
    assert_true(!none.known && none.n == 0 && none.mean == 0);
    assert_true(!one.known && one.mean == 0.25 && one.low == 0.25 && one.high == 0.25);
}
