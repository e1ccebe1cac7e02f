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
    BAR_ROW = 30,
    TICKS = 5
};

/* ---- values to coordinates ---------------------------------------------- */

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

/* ---- parts of a plot ----------------------------------------------------- */

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

static double highest(const twx_plot_bar *bars, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if ((double)bars[i].value > most) most = (double)bars[i].value;
    return most;
}

/* ---- columns -------------------------------------------------------------- */

/* In the middle of its column, or as far to the right as it fits. */
static void column_label(twx_markup *h, const twx_plot *p, double middle, const char *label) {
    const double half = (double)(characters(label) * CHARACTER) / 2 + 4,
                 x = middle + half > p->width ? p->width - half : middle;
    twx_markup_put(h, "<text class=\"tk\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                   x, HEIGHT - BELOW + 16, label);
}

void twx_plot_columns(twx_markup *h, const twx_plot *p, const twx_plot_bar *bars, size_t n) {
    const double base = HEIGHT - BELOW, most = highest(bars, n);
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

/* ---- bars ------------------------------------------------------------------ */

void twx_plot_bars(twx_markup *h, const twx_plot *p, const twx_plot_bar *bars, size_t n) {
    enum { NAMES = 84, VALUES = 62 };
    const int height = ABOVE + BAR_ROW * (int)n + BELOW;
    const double base = ABOVE + BAR_ROW * (double)n;
    const twx_scale s = twx_scale_linear(highest(bars, n), p->width < 500 ? 3 : TICKS, NAMES,
                                         p->width - VALUES);
    double ticks[TWX_TICKS_MAX];
    const size_t ticks_n = twx_scale_ticks(&s, p->width < 500 ? 3 : TICKS, ticks);
    plot_begin(h, p, height);
    for (size_t i = 0; i < ticks_n; i++) {
        char room[TWX_NUMBER_BYTES];
        const double x = twx_scale_at(&s, ticks[i]);
        twx_markup_put(h,
                       "<path class=\"g\" d=\"M%.1f %dV%.1f\"/><text class=\"tk\" x=\"%.1f\" "
                       "y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                       x, ABOVE, base, x, base + 16, twx_short_number(ticks[i], room));
    }
    for (size_t i = 0; i < n; i++) {
        char value[TWX_NUMBER_BYTES];
        const double y = ABOVE + BAR_ROW * (double)i, end = twx_scale_at(&s, (double)bars[i].value);
        twx_markup_put(h,
                       "<text class=\"nm\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>"
                       "<rect class=\"b %s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>"
                       "<text class=\"vl\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                       NAMES - 8, y + 19, bars[i].label, bars[i].class ? bars[i].class : "", NAMES,
                       y + 6, end - NAMES, BAR_ROW - 12, end + 6, y + 19,
                       twx_number_text(bars[i].value, ',', value));
    }
    twx_markup_put(h, "<path class=\"ax\" d=\"M%d %dV%.1f\"/>\n", NAMES, ABOVE, base);
    axis_titles(h, p, (NAMES + p->width - VALUES) / 2.0, height);
    twx_markup_raw(h, "</svg>\n");
}

/* ---- lines ------------------------------------------------------------------ */

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

/* ==== flow_plot */

/* The flow of inspect/plot.c: three columns, the whole, the middle, and the ends with their names.
 * Heights are proportional to the numbers; an end has at least the height of its two lines of
 * text, so that each can be read. */

enum { NODE = 10, ROW = 44, SPAN = 240, TOP = 26, FOOT = 8, ENDS_MAX = 16 };

typedef struct drawing {
    twx_markup *h;
    double x[3];  /* left edges of the columns */
    double scale; /* pixels for one document */
    double whole_y, middle_y;
} drawing;

static double height_of(const drawing *d, uint64_t n) {
    const double tall = d->scale * (double)n;
    return n == 0 ? 0 : tall < 1.5 ? 1.5 : tall;
}

static void node(const drawing *d, size_t column, double y, double tall, const char *class) {
    twx_markup_put(d->h,
                   "<rect class=\"nd %s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>",
                   class, d->x[column], y, NODE, tall);
}

/* A band from the right edge of one column to the left edge of another. */
static void band(const drawing *d, size_t from, double from_y, size_t to, double to_y, double tall,
                 const char *class) {
    const double a = d->x[from] + NODE, b = d->x[to], m = (a + b) / 2;
    twx_markup_put(
        d->h,
        "<path class=\"fl %s\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fV%.1fC%.1f %.1f "
        "%.1f %.1f %.1f %.1fZ\"/>",
        class, a, from_y, m, from_y, m, to_y, b, to_y, to_y + tall, m, to_y + tall, m,
        from_y + tall, a, from_y + tall);
}

static void label(const drawing *d, const twx_flow_end *end, double y) {
    char n[TWX_NUMBER_BYTES];
    const double x = d->x[2] + NODE + 10;
    twx_markup_put(
        d->h,
        "<text class=\"vl\" x=\"%.1f\" y=\"%.1f\">%s</text><text class=\"nm\" x=\"%.1f\" "
        "y=\"%.1f\">%s</text>\n",
        x, y + 12, twx_number_text(end->n, ',', n), x, y + 28, end->label);
}

static void draw_end(drawing *d, const twx_flow_end *end, double y, double *from_whole,
                     double *from_middle) {
    const double tall = height_of(d, end->n);
    if (end->through) {
        band(d, 1, *from_middle, 2, y, tall, end->class);
        *from_middle += tall;
    } else {
        band(d, 0, *from_whole, 2, y, tall, end->class);
        *from_whole += tall;
    }
    node(d, 2, y, tall, end->class);
    label(d, end, y);
}

/* Above a column; a narrow plot has room for a short number only. */
static void heading(const drawing *d, size_t column, const char *text, uint64_t n, bool narrow) {
    char number[TWX_NUMBER_BYTES];
    twx_markup_put(d->h,
                   "<text class=\"nm\" x=\"%.1f\" y=\"14\"><tspan class=\"vl\">%s</tspan> "
                   "%s</text>\n",
                   d->x[column],
                   narrow ? twx_short_number((double)n, number) : twx_number_text(n, ',', number),
                   narrow ? "" : text);
}

void twx_plot_flow(twx_markup *h, const twx_plot *p, const char *whole, const char *middle,
                   const twx_flow_end *ends, size_t n) {
    const bool narrow = p->width < 500;
    drawing d = {.h = h, .x = {0, narrow ? 64 : p->width * 0.36, narrow ? 112 : p->width * 0.66}};
    uint64_t all = 0, through = 0;
    double bottom = TOP, tops[ENDS_MAX];
    if (n > ENDS_MAX) n = ENDS_MAX;
    for (size_t i = 0; i < n; i++) {
        all += ends[i].n;
        through += ends[i].through ? ends[i].n : 0;
    }
    d.scale = all ? SPAN / (double)all : 0;
    d.whole_y = d.middle_y = TOP;
    for (size_t i = 0; i < n; i++) {
        const double tall = height_of(&d, ends[i].n);
        tops[i] = bottom;
        bottom += tall + 10 > ROW ? tall + 10 : ROW;
    }
    if (bottom < TOP + SPAN) bottom = TOP + SPAN;
    const int height = (int)bottom + FOOT;
    plot_begin(h, p, height);
    double from_middle = d.middle_y, from_whole = d.whole_y + height_of(&d, through);
    band(&d, 0, d.whole_y, 1, d.middle_y, height_of(&d, through), "in");
    for (size_t i = 0; i < n; i++) draw_end(&d, &ends[i], tops[i], &from_whole, &from_middle);
    node(&d, 0, d.whole_y, from_whole - d.whole_y, "all");
    node(&d, 1, d.middle_y, from_middle - d.middle_y, "in");
    heading(&d, 0, whole, all, narrow);
    heading(&d, 1, middle, through, narrow);
    twx_markup_raw(h, "</svg>\n");
}
