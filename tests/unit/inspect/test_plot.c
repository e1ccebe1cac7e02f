/* inspect/plot: values to coordinates, ticks, and the numbers on them. */
#include "support.h"

#include <math.h>

#include "inspect/internal.h"

static void near(double expected, double found) {
    if (fabs(expected - found) > 1e-6 * (1 + fabs(expected)))
        fail_msg("expected %g, found %g", expected, found);
}

TEST(steps_are_1_2_5_times_a_power_of_ten) {
    static const struct {
        double span;
        size_t most;
        double step;
    } CASES[] = {{1, 5, 1},     {5, 5, 1},          {6, 5, 2},     {10, 5, 2},   {11, 5, 5},
                 {25, 5, 5},    {26, 5, 10},        {51, 5, 20},   {101, 5, 50}, {250, 5, 50},
                 {251, 5, 100}, {107367, 5, 50000}, {1e9, 3, 5e8}, {0, 5, 1},    {3, 0, 5}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        near(CASES[i].step, twx_tick_step(CASES[i].span, CASES[i].most, false));
    near(0.2, twx_tick_step(0.9, 5, true));
}

/* [R1], for many values: few enough ticks, the last one at or above the value, and no step that
 * would do with half the ticks. */
TEST(a_linear_axis_begins_at_0_and_ends_at_a_tick) {
    for (double highest = 1; highest < 1e12; highest = highest * 1.37 + 1) {
        double ticks[TWX_TICKS_MAX];
        const twx_scale s = twx_scale_linear(highest, 5, 200, 10);
        const size_t n = twx_scale_ticks(&s, 5, ticks);
        assert_true(n >= 2 && n <= 6);
        near(0, ticks[0]);
        near(s.high, ticks[n - 1]);
        assert_true(s.high >= highest);
        for (size_t i = 1; i < n; i++) near(ticks[1] - ticks[0], ticks[i] - ticks[i - 1]);
        const double mantissa = ticks[1] / pow(10, floor(log10(ticks[1]) + 1e-9));
        assert_true(fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 ||
                    fabs(mantissa - 5) < 1e-6);
    }
}

TEST(values_become_coordinates) {
    const twx_scale s = twx_scale_linear(1000, 5, 200, 0);
    near(1000, s.high);
    near(200, twx_scale_at(&s, 0));
    near(100, twx_scale_at(&s, 500));
    near(0, twx_scale_at(&s, 1000));
    near(0, twx_scale_at(&s, 5000)); /* beyond the end */
    near(200, twx_scale_at(&s, -1));
}

TEST(numbers_are_short_on_axes_and_grouped_elsewhere) {
    char room[TWX_NUMBER_BYTES];
    assert_string_equal("0", twx_short_number(0, room));
    assert_string_equal("500", twx_short_number(500, room));
    assert_string_equal("1.5k", twx_short_number(1500, room));
    assert_string_equal("20M", twx_short_number(2e7, room));
    assert_string_equal("0", twx_number_text(0, ',', room));
    assert_string_equal("999", twx_number_text(999, ',', room));
    assert_string_equal("1,000", twx_number_text(1000, ',', room));
    assert_string_equal("18,446,744,073,709,551,615", twx_number_text(UINT64_MAX, ',', room));
}

/* ---- what is written ------------------------------------------------------ */

static twx_buf written;

static int write_buf(void *arg, const char *bytes, size_t n) {
    return twx_buf_add(arg, &written, bytes, n) == TWX_OK ? 0 : 1;
}

typedef void draw_fn(twx_markup *h);

static const char *draw(draw_fn *fn) {
    static twx_ctx cx;
    static twindex_sink sink;
    twx_ctx_init(&cx);
    sink = (twindex_sink){.write = write_buf, .arg = &cx};
    const twx_out out = {.cx = &cx, .sink = &sink};
    twx_markup h = {.out = &out};
    twx_buf_done(&written);
    twx_buf_init(&written, 1 << 20);
    fn(&h);
    assert_int_equal(TWX_OK, h.rc);
    return written.p;
}

static void draw_columns(twx_markup *h) {
    static const twx_plot_bar BARS[] = {{"a", 10}, {"b", 0}, {"c", 5}};
    const twx_plot plot = {.id = "p", .title = "t", .width = 400};
    twx_plot_columns(h, &plot, BARS, TWX_COUNTOF(BARS));
}

/* A column of 5 is half as high as one of 10; one of 0 is not drawn. */
TEST(columns_are_proportional) {
    const char *a = strstr(draw(draw_columns), "<rect"), *c = NULL;
    double high = 0, half = 0;
    assert_non_null(a);
    c = strstr(a + 1, "<rect");
    assert_non_null(c);
    assert_null(strstr(c + 1, "<rect"));
    assert_int_equal(1, sscanf(strstr(a, "height=\""), "height=\"%lf", &high));
    assert_int_equal(1, sscanf(strstr(c, "height=\""), "height=\"%lf", &half));
    if (fabs(high - 2 * half) > 0.2) fail_msg("%g is not twice %g", high, half);
}

static void draw_marked(twx_markup *h) {
    static const twx_plot_bar BARS[] = {{"79", 0}, {"80", 1234}, {"81", 1}};
    const twx_plot plot = {
        .id = "p", .title = "t", .width = 400, .mark = 1, .mark_text = "threshold 80 %"};
    twx_plot_columns(h, &plot, BARS, TWX_COUNTOF(BARS));
}

/* The line stands where the second column begins; values are above their columns. */
TEST(a_line_marks_a_value_and_columns_have_their_numbers) {
    double line = 0, column = 0;
    const char *drawn = draw(draw_marked);
    assert_non_null(strstr(drawn, ">threshold 80 %<"));
    assert_non_null(strstr(drawn, ">1,234</text>"));
    assert_int_equal(1, sscanf(strstr(drawn, "class=\"mk\""), "class=\"mk\" d=\"M%lf", &line));
    assert_int_equal(1, sscanf(strstr(drawn, "<rect"), "<rect class=\"b\" x=\"%lf", &column));
    if (line > column || column - line > 15) fail_msg("line %g, column %g", line, column);
}

static void draw_hostile(twx_markup *h) {
    static const char URL[] = "javascript:alert(1)", FINE[] = "HTTPS://a.example/?a=1&b=\"2'",
                      HIDDEN[] = "http://a.example/\n", BAD[] = "http://a.example/\xff";
    twx_markup_text(h, (twx_slice){"<a b='c'>\0&\"", 12});
    twx_markup_raw(h, "|");
    twx_markup_excerpt(h, TWX_SLICE_LIT("\xE2\x80\xAE<b>\x1b[31m\xc3("), 100);
    twx_markup_raw(h, "|");
    twx_markup_url(h, TWX_SLICE_LIT(URL));
    twx_markup_url(h, TWX_SLICE_LIT(HIDDEN));
    twx_markup_url(h, TWX_SLICE_LIT(BAD));
    twx_markup_raw(h, "|");
    twx_markup_url(h, TWX_SLICE_LIT(FINE));
}

TEST(crawled_text_is_never_markup) {
    draw(draw_hostile);
    assert_non_null(strstr(written.p, "&lt;a b=&#39;c&#39;&gt;\xEF\xBF\xBD&amp;&quot;|"));
    assert_non_null(strstr(written.p, "|\xEF\xBF\xBD&lt;b&gt;\xEF\xBF\xBD[31m\xEF\xBF\xBD(|"));
    const char *links = strrchr(written.p, '|');
    *(char *)(uintptr_t)links = '\0';
    assert_null(strstr(written.p, "href"));
    assert_non_null(strstr(links + 1, "href=\"HTTPS://a.example/?a=1&amp;b=&quot;2&#39;\""));
}

static void free_written(void) {
    twx_buf_done(&written);
}

TESTS_IN(TEST_NOTHING, free_written);
