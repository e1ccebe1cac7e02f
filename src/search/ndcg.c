#include "search/ndcg.h"

#include <math.h>
#include <stdlib.h>

static double gain_of(const uint32_t *grades, size_t n, size_t k) {
    double sum = 0;
    for (size_t i = 0; i < n && i < k; i++) sum += (double)grades[i] / log2((double)i + 2);
    return sum;
}

static int best_first(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

double twx_ndcg(const uint32_t *ranked, size_t n_ranked, uint32_t *graded, size_t n_graded,
                size_t k) {
    if (n_graded > 1) qsort(graded, n_graded, sizeof *graded, best_first);
    const double ideal = gain_of(graded, n_graded, k);
    return ideal > 0 ? gain_of(ranked, n_ranked, k) / ideal : 0;
}
