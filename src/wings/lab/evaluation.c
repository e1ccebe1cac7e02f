#include "lab/evaluation.h"

#include <string.h>

/* Zelenkov and Segalovich 2007: ROMIP web collection, 500 000 documents. */
static const struct {
    const char *detector;
    double f;
} PUBLISHED[] = {
    {"decomposition", 1.00},
    {"three_plus_five", 0.95},
    {"long_sentence", 0.82},
    {"tf", 0.73},
    {"opt_freq", 0.73},
    {"tfridf", 0.73},
    {"heavy_sentence", 0.72},
    {"tfidf", 0.69},
    {"lexrand", 0.66},
    {"log_shingles", 0.56},
    {"descriptive_words", 0.56},
    {"megashingles", 0.51},
    {"exact", 0.38},
};

double twx_published_f(const char *detector) {
    for (size_t i = 0; i < TWX_COUNTOF(PUBLISHED); i++)
        if (strcmp(PUBLISHED[i].detector, detector) == 0) return PUBLISHED[i].f;
    return -1;
}

double twx_published_rank_correlation(const twx_evaluation *e, size_t *ret_n) {
    double here[TWX_EVALUATED_MAX], there[TWX_EVALUATED_MAX];
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++) {
        const twx_evaluated *d = &e->at[i];
        if (d->missing || !d->documents.f.known || twx_published_f(d->detector->name) < 0) continue;
        here[n] = d->documents.f.value;
        there[n++] = twx_published_f(d->detector->name);
    }
    *ret_n = n;
    return twx_spearman(here, there, n);
}
