#include "inspect/internal.h"

#include <math.h>

/* ==== plot */

enum {
    CHARACTER = 7, /* mean width of a character of the labels, in pixels */
    LEFT = 52,
    RIGHT = 10,
    BELOW = 44,
    ABOVE = 12,
    VALUE = 14, /* of the number above a column */
    HEIGHT = 240,
    TICKS = 5
};

static size_t characters(const char *text) {
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

double twx_tick_step(double span, size_t most, bool fine) {
    static const double STEPS[] = {1, 2, 5, 10};
    double power = fine ? 1e-6 : 1;
    if (most == 0) most = 1;
    while (power * 10 * (double)most < span) power *= 10;
    for (size_t i = 0; i < TWX_COUNTOF(STEPS); i++)
        if (STEPS[i] * power * (double)most >= span) return STEPS[i] * power;
    return power * 10;
}

twx_scale twx_scale_linear(double highest, size_t most_ticks, double from, double to) {
    const double step = twx_tick_step(highest, most_ticks, false);
    const double end = ceil(highest / step) * step;
    return (twx_scale){.low = 0, .high = end > 0 ? end : step, .from = from, .to = to};
}

double twx_scale_at(const twx_scale *s, double value) {
    double v = value < s->low ? s->low : value > s->high ? s->high : value;
    return s->from + (v - s->low) / (s->high - s->low) * (s->to - s->from);
}

size_t twx_scale_ticks(const twx_scale *s, size_t most, double ret_ticks[TWX_TICKS_MAX]) {
    size_t n = 0;
    if (most > TWX_TICKS_MAX - 1) most = TWX_TICKS_MAX - 1;
    const double step = twx_tick_step(s->high, most, false);
    for (double v = 0; n < TWX_TICKS_MAX && v <= s->high * (1 + 1e-9); v = step * (double)n)
        ret_ticks[n++] = v;
    return n;
}

/* The beginning of the svg element of a plot, which the caller ends. */
static void plot_begin(twx_markup *h, const twx_plot *p, int height) {
    twx_markup_put(h,
                   "<svg id=\"%s\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
                   "aria-labelledby=\"%s-t\"><title id=\"%s-t\">%s</title>\n",
                   p->id, p->width, height, p->width, height, p->id, p->id, p->title);
}

static void axis_titles(twx_markup *h, const twx_plot *p, double middle, int height) {
    if (p->x)
        twx_markup_put(h,
                       "<text class=\"at\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                       middle, height - 4, p->x);
    if (p->y)
        twx_markup_put(h,
                       "<text class=\"at\" transform=\"translate(11 %.1f) rotate(-90)\" "
                       "text-anchor=\"middle\">%s</text>\n",
                       (height - BELOW + ABOVE) / 2.0, p->y);
}

/* Horizontal grid lines with the values of the ticks. */
static void value_axis(twx_markup *h, const twx_plot *p, const twx_scale *s) {
    double ticks[TWX_TICKS_MAX];
    const size_t n = twx_scale_ticks(s, TICKS, ticks);
    for (size_t i = 0; i < n; i++) {
        char room[TWX_NUMBER_BYTES];
        const double y = twx_scale_at(s, ticks[i]);
        twx_markup_put(
            h,
            "<path class=\"g\" d=\"M%d %.1fH%d\"/><text class=\"tk\" x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%s</text>\n",
            LEFT, y, p->width, LEFT - 6, y + 4, twx_short_number(ticks[i], room));
    }
    twx_markup_put(h, "<path class=\"ax\" d=\"M%d %.1fH%d\"/>\n", LEFT, s->from, p->width);
}

/* In the middle of its column, or as far to the right as it fits. */
static void column_label(twx_markup *h, const twx_plot *p, double middle, const char *label) {
    const double half = (double)(characters(label) * CHARACTER) / 2 + 4,
                 x = middle + half > p->width ? p->width - half : middle;
    twx_markup_put(h, "<text class=\"tk\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                   x, HEIGHT - BELOW + 16, label);
}

void twx_plot_columns(twx_markup *h, const twx_plot *p, const twx_plot_bar *bars, size_t n) {
    const double base = HEIGHT - BELOW;
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if ((double)bars[i].value > most) most = (double)bars[i].value;
    const twx_scale s = twx_scale_linear(most, TICKS, base, ABOVE + VALUE);
    const double step = (double)(p->width - LEFT - RIGHT) / (double)(n ? n : 1);
    size_t longest = 1;
    for (size_t i = 0; i < n; i++)
        if (characters(bars[i].label) > longest) longest = characters(bars[i].label);
    const size_t every = 1 + (size_t)((double)((longest + 1) * CHARACTER) / step);
    plot_begin(h, p, HEIGHT);
    value_axis(h, p, &s);
    for (size_t i = 0; i < n; i++) {
        char value[TWX_NUMBER_BYTES];
        const double x = LEFT + 2 + step * (double)i, y = twx_scale_at(&s, (double)bars[i].value);
        twx_number_text(bars[i].value, ',', value);
        if (bars[i].value)
            twx_markup_put(h,
                           "<rect class=\"b\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
                           "<title>%s: %s</title></rect>",
                           x + step * 0.08, y, step * 0.84, base - y, bars[i].label, value);
        if (bars[i].value && (double)(strlen(value) * CHARACTER) < step)
            twx_markup_put(h,
                           "<text class=\"tk\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s"
                           "</text>",
                           x + step / 2, y - 4, value);
        if ((n - 1 - i) % every == 0) column_label(h, p, x + step / 2, bars[i].label);
    }
    if (p->mark_text) {
        const double x = LEFT + 2 + step * p->mark;
        twx_markup_put(h,
                       "<path class=\"mk\" d=\"M%.1f %dV%.1f\"/><text class=\"vl\" x=\"%.1f\" "
                       "y=\"%d\">%s</text>\n",
                       x, 2, base, x + 5, ABOVE, p->mark_text);
    }
    axis_titles(h, p, LEFT + (p->width - LEFT) / 2.0, HEIGHT);
    twx_markup_raw(h, "</svg>\n");
}

static void one_line(twx_markup *h, const twx_plot_line *line, const twx_scale *x,
                     const twx_scale *y, size_t n) {
    bool drawn = false;
    twx_markup_put(h, "<path class=\"ln %s\" d=\"", line->class);
    for (size_t i = 0; i < n; i++) {
        if (line->values[i] >= 0)
            twx_markup_put(h, "%s%.1f %.1f", drawn ? "L" : "M", twx_scale_at(x, (double)i),
                           twx_scale_at(y, line->values[i]));
        drawn = line->values[i] >= 0;
    }
    twx_markup_raw(h, "\"/>");
    for (size_t i = 0; i < n; i++)
        if (line->values[i] >= 0)
            twx_markup_put(h, "<circle class=\"pt %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
                           line->class, twx_scale_at(x, (double)i),
                           twx_scale_at(y, line->values[i]));
    twx_markup_raw(h, "\n");
}

void twx_plot_lines(twx_markup *h, const twx_plot *p, const twx_plot_line *lines, size_t lines_n,
                    const char (*labels)[TWX_NUMBER_BYTES], size_t n) {
    enum { LABEL = 84, MARGIN = 40 };
    const double base = HEIGHT - BELOW;
    double most = 0;
    for (size_t l = 0; l < lines_n; l++)
        for (size_t i = 0; i < n; i++)
            if (lines[l].values[i] > most) most = lines[l].values[i];
    const twx_scale y = twx_scale_linear(most, TICKS, base, ABOVE);
    const twx_scale x = {.low = 0,
                         .high = n > 1 ? (double)(n - 1) : 1,
                         .from = LEFT + MARGIN,
                         .to = p->width - MARGIN};
    const double step = n > 1 ? (x.to - x.from) / (double)(n - 1) : p->width;
    const size_t every = 1 + (size_t)(LABEL / step);
    plot_begin(h, p, HEIGHT);
    value_axis(h, p, &y);
    for (size_t l = 0; l < lines_n; l++) one_line(h, &lines[l], &x, &y, n);
    for (size_t i = 0; i < n; i++)
        if ((n - 1 - i) % every == 0)
            twx_markup_put(h,
                           "<text class=\"tk\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s"
                           "</text>\n",
                           twx_scale_at(&x, (double)i), base + 16, labels[i]);
    axis_titles(h, p, LEFT + (p->width - LEFT) / 2.0, HEIGHT);
    twx_markup_raw(h, "</svg>\n");
}
