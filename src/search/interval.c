#include "search/interval.h"

#include <math.h>

/* For df 1 to 10; above, the expansion around the normal quantile is as precise. Source: Abramowitz
 * and Stegun, Handbook of Mathematical Functions, table 26.10 and formula 26.7.5. */
static const double SMALL[] = {12.70620, 4.30265, 3.18245, 2.77645, 2.57058,
                               2.44691,  2.36462, 2.30600, 2.26216, 2.22814};

double twx_t_quantile(size_t df) {
    static const double Z = 1.959963985;
    if (df <= sizeof SMALL / sizeof *SMALL) return SMALL[df ? df - 1 : 0];
    const double v = (double)df, z2 = Z * Z;
    const double g1 = (z2 + 1) * Z / 4, g2 = ((5 * z2 + 16) * z2 + 3) * Z / 96,
                 g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * Z / 384;
    return Z + g1 / v + g2 / (v * v) + g3 / (v * v * v);
}

/* a NULL: the values of b themselves. */
static double value_of(const double *a, const double *b, size_t i) {
    return a ? b[i] - a[i] : b[i];
}

twx_interval twx_interval_between(const double *a, const double *b, size_t n) {
    twx_interval r = {.n = n, .known = n > 1};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += value_of(a, b, i);
    r.mean = n ? sum / (double)n : 0;
    r.low = r.high = r.mean;
    if (!r.known) return r;
    for (size_t i = 0; i < n; i++) {
        const double off = value_of(a, b, i) - r.mean;
        squares += off * off;
    }
    const double half = twx_t_quantile(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
    r.low -= half;
    r.high += half;
    return r;
}

twx_interval twx_interval_of(const double *values, size_t n) {
    return twx_interval_between(NULL, values, n);
}
