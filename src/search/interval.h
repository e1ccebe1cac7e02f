/* search/interval.h: the 95 % confidence interval of a mean by Student's t distribution. Of paired
 * differences it is the interval that belongs to the paired t test, which agrees well with tests by
 * randomization and bootstrap on measures of searches. Source: Smucker, Allan and Carterette, "A
 * comparison of statistical significance tests for information retrieval evaluation", CIKM 2007.
 * Nothing is drawn at random, so equal input gives equal output. */
#ifndef TWX_SEARCH_INTERVAL_H
#define TWX_SEARCH_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct twx_interval {
    size_t n;
    double mean; /* 0 if n is 0 */
    bool known;  /* two values or more */
    double low, high;
} twx_interval;

twx_interval twx_interval_of(const double *values, size_t n);
/* Of the differences b[i] - a[i]. */
twx_interval twx_interval_between(const double *a, const double *b, size_t n);
/* The 97.5 % quantile of Student's t with `df` degrees of freedom, df >= 1, with a relative error
 * below 1e-4. */
double twx_t_quantile(size_t df);

#endif
