#include "run/estimate.h"

#include <math.h>

/* 95 % of a normal distribution lie within Z standard deviations */
static const double Z = 1.959963984540054;

static double clip(double v, double low, double high) {
    return v < low ? low : v > high ? high : v;
}

void twx_ratio_add(twx_ratio *r, double y, double x, double p) {
    double spread = (1 - p) / (p * p);
    r->y += y / p;
    r->x += x / p;
    r->yy += spread * y * y;
    r->xy += spread * x * y;
    r->xx += spread * x * x;
    if (p >= 1) return;
    r->drawn_x += x / p;
    r->drawn_xx += (x / p) * (x / p);
}

twx_measure twx_wilson(double share, double n) {
    if (n <= 0) return (twx_measure){true, share, 0, 1};
    double zz = Z * Z, middle = (share + zz / (2 * n)) / (1 + zz / n);
    double half = Z * sqrt(share * (1 - share) / n + zz / (4 * n * n)) / (1 + zz / n);
    return (twx_measure){true, share, clip(middle - half, 0, share), clip(middle + half, share, 1)};
}

/* All drawn items agree, so the estimated variance is 0. Uses the Wilson bound for the effective
 * number of draws, scaled to the drawn part of x. */
static twx_measure unanimous(const twx_ratio *r, double share) {
    double n = r->drawn_x * r->drawn_x / r->drawn_xx,
           open = Z * Z / (n + Z * Z) * r->drawn_x / r->x;
    return (twx_measure){true, share, clip(share - open, 0, share), clip(share + open, share, 1)};
}

twx_measure twx_ratio_measure(const twx_ratio *r) {
    if (r->x <= 0) return (twx_measure){0};
    double share = clip(r->y / r->x, 0, 1);
    double variance = (r->yy - 2 * share * r->xy + share * share * r->xx) / (r->x * r->x);
    if (r->yy <= 0 && r->xx <= 0) return (twx_measure){true, share, share, share};
    /* rounding errors can leave a tiny variance where the exact one is 0 */
    if (variance > 1e-15 && share > 0 && share < 1)
        return twx_wilson(share, share * (1 - share) / variance);
    return r->drawn_xx > 0 ? unanimous(r, share) : (twx_measure){true, share, share, share};
}

twx_measure twx_ratio_total(const twx_ratio *r) {
    double half = Z * sqrt(r->xx);
    return (twx_measure){true, r->x, r->x > half ? r->x - half : 0, r->x + half};
}

twx_measure twx_mean(double sum, double squares, size_t n) {
    if (n == 0) return (twx_measure){0};
    double count = (double)n, mean = sum / count, left = squares - count * mean * mean;
    double half = n > 1 && left > 0 ? Z * sqrt(left / (count - 1) / count) : 0;
    return (twx_measure){true, mean, clip(mean - half, 0, mean), clip(mean + half, mean, 1)};
}

static double harmonic(double a, double b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

twx_measure twx_harmonic(twx_measure a, twx_measure b) {
    if (!a.known || !b.known) return (twx_measure){0};
    return (twx_measure){true, harmonic(a.value, b.value), harmonic(a.low, b.low),
                         harmonic(a.high, b.high)};
}

/* Twice the mean rank of v among all, which is an integer also with ties. */
static double rank_of(double v, const double *all, size_t n) {
    size_t below = 0, same = 0;
    for (size_t i = 0; i < n; i++) {
        below += all[i] < v;
        same += all[i] == v;
    }
    return (double)(2 * below + same + 1);
}

double twx_spearman(const double *a, const double *b, size_t n) {
    double mean = (double)n + 1, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) {
        double x = rank_of(a[i], a, n) - mean, y = rank_of(b[i], b, n) - mean;
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}
