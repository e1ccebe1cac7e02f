/* The flow of inspect/plot.h: three columns, the whole, the middle, and the ends with their names.
 * Heights are proportional to the numbers; an end has at least the height of its two lines of
 * text, so that each can be read. */
#include "inspect/plot.h"

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
        x, y + 12, twx_number_text(end->n, n), x, y + 28, end->label);
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
                   narrow ? twx_short_number((double)n, number) : twx_number_text(n, number),
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
    twx_plot_begin(h, p, height);
    double from_middle = d.middle_y, from_whole = d.whole_y + height_of(&d, through);
    band(&d, 0, d.whole_y, 1, d.middle_y, height_of(&d, through), "in");
    for (size_t i = 0; i < n; i++) draw_end(&d, &ends[i], tops[i], &from_whole, &from_middle);
    node(&d, 0, d.whole_y, from_whole - d.whole_y, "all");
    node(&d, 1, d.middle_y, from_middle - d.middle_y, "in");
    heading(&d, 0, whole, all, narrow);
    heading(&d, 1, middle, through, narrow);
    twx_markup_raw(h, "</svg>\n");
}
