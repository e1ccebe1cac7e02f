/* The measures by worked examples, and the files of relevance judgements. The example of nDCG is
 * that of Wikipedia's article "Discounted cumulative gain" (grades 3 2 3 0 1 2, with a 3 and a 2
 * that were not found: 6.861 / 8.740 = 0.785). */
#include "support.h"

#include <math.h>

#include "search/search.h"

static void near(double a, double b, double allowed) {
    if (fabs(a - b) > allowed) fail_msg("%.9f is not %.9f", a, b);
}

TEST(ndcg_is_that_of_the_published_example) {
    const uint32_t ranked[] = {3, 2, 3, 0, 1, 2};
    uint32_t graded[] = {3, 2, 3, 0, 1, 2, 3, 2}, found[] = {3, 2, 3, 0, 1, 2}, none[] = {0, 0};
    near(twx_ndcg(ranked, 6, graded, 8, 6), 0.785, 0.0005);
    near(twx_ndcg(ranked, 6, found, 6, 6), 0.961, 0.0005); /* the article's first version */
    near(twx_ndcg(graded, 8, graded, 8, 10), 1, 1e-12);
    near(twx_ndcg(ranked, 0, graded, 8, 10), 0, 0);
    near(twx_ndcg(none, 2, none, 2, 10), 0, 0);
}

TEST(an_interval_needs_two_values) {
    /* Student's own example (1908), the additional hours of sleep: mean 1.58, t = 4.06 */
    const double sleep[] = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
    const twx_interval all = twx_interval_of(sleep, 10), one = twx_interval_of(sleep, 1),
                       none = twx_interval_of(NULL, 0);
    near(all.mean, 1.58, 1e-12);
    near(all.mean / ((all.high - all.low) / 2) * twx_t_quantile(9), 4.06, 0.005);
    assert_true(all.known && !one.known && !none.known);
    near(one.low, 1.2, 0);
    near(none.mean, 0, 0);
}

static void refuse(const char *text, const char *message) {
    twx_ctx cx = {0};
    twx_grades grades = {0};
    assert_int_equal(twx_grades_parse(&cx, "j.tsv", twx_slice_of(text), &grades), TWX_E_DATA);
    assert_string_equal(cx.message, message);
    TWX_VEC_DONE(&grades);
}

TEST(lines_are_read_and_wrong_ones_named) {
    static const char FORM[] = "a line is query TAB URL TAB grade";
    char wanted[200];
    twx_ctx cx = {0};
    twx_grades grades = {0};
    assert_ok(twx_grades_parse(&cx, "j.tsv",
                               TWX_SLICE_LIT("\xEF\xBB\xBF# a comment\r\n\n two  words\t u \t "
                                             "3 \r\nq\tu\t0\nq\tu\t0\nq\tv\t100"),
                               &grades));
    assert_int_equal(grades.n, 3);
    assert_true(twx_slice_eq(grades.at[0].query, TWX_SLICE_LIT("two  words")));
    assert_true(twx_slice_eq(grades.at[0].url, TWX_SLICE_LIT("u")));
    assert_int_equal(grades.at[0].grade, 3);
    assert_int_equal(grades.at[0].line, 3);
    assert_int_equal(grades.at[2].grade, 100);
    TWX_VEC_DONE(&grades);
    snprintf(wanted, sizeof wanted, "j.tsv:2: %s", FORM);
    refuse("q\tu\t1\nq u 1\n", wanted);
    snprintf(wanted, sizeof wanted, "j.tsv:1: more than two tabs: %s", FORM);
    refuse("q\tu\t1\t\n", wanted);
    refuse("\tu\t1\n", "j.tsv:1: the query is empty");
    refuse("q\t \t1\n", "j.tsv:1: the URL is empty");
    refuse("q\tu\t-1", "j.tsv:1: the grade is not a whole number from 0 to 100");
    refuse("q\tu\t101", "j.tsv:1: the grade is not a whole number from 0 to 100");
    refuse("q\tu\t1.5", "j.tsv:1: the grade is not a whole number from 0 to 100");
    refuse("#\nq\tu\t1\n\nq\tu\t2",
           "j.tsv:4: line 2 gives this URL another grade for the same query");
}
