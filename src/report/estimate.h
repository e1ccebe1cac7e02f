/* report/estimate.h: shares estimated from samples, with 95 % intervals. Pure arithmetic; floating
 * point, which reaches reports only.
 *
 * A share is a ratio of two sums, y / x, over a population of which each item is drawn by itself
 * with a probability it has (Poisson sampling); items that are certain to be drawn have probability
 * 1 and add no error.
 * Source: Horvitz and Thompson 1952 for the sums; Sarndal, Swensson, Wretman, Model Assisted Survey
 * Sampling, 5.6 for the variance of a ratio (linearised, "delta method"); Wilson 1927 for the
 * interval; Kish 1965 for the effective number of draws.
 * Memory: embedded structs, nothing to free. */
#ifndef TWX_REPORT_ESTIMATE_H
#define TWX_REPORT_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* A figure with its interval. known == false: there was nothing to compute it from. low == high:
 * nothing was left to chance. */
typedef struct twx_measure {
    bool known;
    double value, low, high;
} twx_measure;

/* Zeroed to begin with. */
typedef struct twx_ratio {
    double y, x;       /* estimated sums */
    double yy, xy, xx; /* parts of the variance */
    /* of the items that were drawn by chance: estimated sum of x, sum of squares of what each
     * stands for */
    double drawn_x, drawn_xx;
} twx_ratio;

/* An item that was drawn with probability 0 < p <= 1. */
void twx_ratio_add(twx_ratio *r, double y, double x, double p);
/* y / x, within 0..1; unknown when x is 0. */
twx_measure twx_ratio_measure(const twx_ratio *r);
/* The estimated sum of x; low is never below what was drawn. */
twx_measure twx_ratio_total(const twx_ratio *r);

/* The interval of a share that was seen among n independent trials (n need not be whole); n 0:
 * 0..1. */
twx_measure twx_wilson(double share, double n);
/* The mean of n figures with sum and sum of squares given, 1.96 standard errors around; unknown
 * when n is 0. */
twx_measure twx_mean(double sum, double squares, size_t n);
/* 2ab / (a+b), ends likewise; unknown when one of them is. */
twx_measure twx_harmonic(twx_measure a, twx_measure b);

/* Spearman's rank correlation of a[0..n) and b[0..n), equal values share the mean of their ranks; 0
 * when n < 2 or all are equal. */
double twx_spearman(const double *a, const double *b, size_t n);

#endif
