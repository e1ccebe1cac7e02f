/* inspect/plot.h: plots as inline SVG. The first part maps values to coordinates and chooses ticks;
 * it is pure. The second part writes one svg element for a given width in pixels. Colours and type
 * are classes of share/report/report.css; an svg has no style of its own, so that a strict
 * Content-Security-Policy allows it.
 * [R1] A linear axis begins at 0 and ends at a tick; ticks are multiples of 1, 2 or 5 times a power
 * of ten. [R2] A logarithmic axis begins at 1/2, so that a count of 1 is visible, and has a tick at
 * powers of ten. A value of 0 lies on the base line. */
#ifndef TWX_INSPECT_PLOT_H
#define TWX_INSPECT_PLOT_H

#include "inspect/markup.h"

enum { TWX_TICKS_MAX = 16 };

typedef struct twx_scale {
    double low, high; /* values */
    double from, to;  /* coordinates of low and high */
    bool log;
} twx_scale;

/* The smallest step of 1, 2 or 5 times a power of ten that divides `span` into at most `most`
 * parts; never below 1, because all values are counts, unless `fine`. */
double twx_tick_step(double span, size_t most, bool fine);
/* An axis for values of 0 to highest. */
twx_scale twx_scale_linear(double highest, size_t most_ticks, double from, double to);
twx_scale twx_scale_log(double highest, double from, double to);
double twx_scale_at(const twx_scale *s, double value);
/* Returns their number, at most TWX_TICKS_MAX. */
size_t twx_scale_ticks(const twx_scale *s, size_t most, double ret_ticks[TWX_TICKS_MAX]);

/* ---- svg ---------------------------------------------------------------- */

/* A bar or column. */
typedef struct twx_plot_bar {
    const char *label; /* a text of the program */
    uint64_t value;
    const char *class; /* of its colour; NULL: the usual one */
} twx_plot_bar;

typedef struct twx_plot {
    const char *id;    /* of the svg; unique in the page */
    const char *title; /* for screen readers */
    const char *x, *y; /* titles of the axes, with units */
    int width;
    bool log; /* the axis of the values */
} twx_plot;

/* The beginning of the svg element of a plot, which the caller ends. */
void twx_plot_begin(twx_markup *h, const twx_plot *p, int height);
/* Columns side by side: a histogram. A label is drawn where there is room. */
void twx_plot_columns(twx_markup *h, const twx_plot *p, const twx_plot_bar *bars, size_t n);
/* Bars below each other, with their names and values. */
void twx_plot_bars(twx_markup *h, const twx_plot *p, const twx_plot_bar *bars, size_t n);

/* A line over time; value < 0: none at this point. */
typedef struct twx_plot_line {
    const char *name, *class;
    const double *values;
} twx_plot_line;
/* labels: of the n points, which are equally spaced. */
void twx_plot_lines(twx_markup *h, const twx_plot *p, const twx_plot_line *lines, size_t lines_n,
                    const char (*labels)[TWX_NUMBER_BYTES], size_t n);

/* A flow: `whole` is divided; some of its ends come through the middle node. */
typedef struct twx_flow_end {
    const char *label, *class;
    uint64_t n;
    bool through; /* comes through the middle */
} twx_flow_end;
void twx_plot_flow(twx_markup *h, const twx_plot *p, const char *whole, const char *middle,
                   const twx_flow_end *ends, size_t n);

#endif
