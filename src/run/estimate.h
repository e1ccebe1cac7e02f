/* run/estimate.h: shares estimated from samples, with 95 % intervals. Pure floating-point
 * arithmetic, whose results reach reports only.
 *
 * A share is a ratio of two sums, y / x, over a population in which each item is drawn
 * independently with its own probability (Poisson sampling); items with probability 1 add no error.
 * Source: Horvitz and Thompson 1952 for the sums; Sarndal, Swensson, Wretman, Model Assisted Survey
 * Sampling, 5.6 for the variance of a ratio (linearised, "delta method"); Wilson 1927 for the
 * interval; Kish 1965 for the effective number of draws.
 * Memory: embedded structs, nothing to free. */
#ifndef TWX_RUN_ESTIMATE_H
#define TWX_RUN_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* An estimate with its interval. known == false: there was no data. low == high: the value is
 * exact. */
typedef struct twx_measure {
    bool known;
    double value, low, high;
} twx_measure;

/* Zeroed by the caller. */
typedef struct twx_ratio {
    double y, x;       /* estimated sums */
    double yy, xy, xx; /* parts of the variance */
    /* of the items with probability below 1: the estimated sum of x, and the sum of squares of the
     * terms */
    double drawn_x, drawn_xx;
} twx_ratio;

/* Adds an item that was drawn with probability 0 < p <= 1. */
void twx_ratio_add(twx_ratio *r, double y, double x, double p);
/* y / x, within 0..1; unknown if x is 0. */
twx_measure twx_ratio_measure(const twx_ratio *r);
/* The estimated sum of x. */
twx_measure twx_ratio_total(const twx_ratio *r);

/* The interval of a share observed in n independent trials (n need not be an integer); n 0:
 * 0..1. */
twx_measure twx_wilson(double share, double n);
/* The mean of n values, given their sum and sum of squares, plus or minus 1.96 standard errors;
 * unknown if n is 0. */
twx_measure twx_mean(double sum, double squares, size_t n);
/* 2ab / (a+b), also for the ends of the interval; unknown if a or b is. */
twx_measure twx_harmonic(twx_measure a, twx_measure b);

/* Spearman's rank correlation of a[0..n) and b[0..n), equal values share the mean of their ranks; 0
 * if n < 2 or all values are equal. */
double twx_spearman(const double *a, const double *b, size_t n);

#endif
