#include "judge/order.h"

#include <stdlib.h>

bool twx_bits_have_preferred_scheme(uint32_t bits, const twx_preference *p) {
    return !(bits & TWX_FACT_WEB) || ((bits & TWX_FACT_HTTPS) != 0) == p->https;
}

bool twx_bits_have_preferred_www(uint32_t bits, const twx_preference *p) {
    return !(bits & TWX_FACT_WEB) || ((bits & TWX_FACT_WWW) != 0) == p->www;
}

bool twx_has_preferred_scheme(const twx_facts *f, const twx_preference *p) {
    return twx_bits_have_preferred_scheme(f->bits, p);
}

bool twx_has_preferred_www(const twx_facts *f, const twx_preference *p) {
    return twx_bits_have_preferred_www(f->bits, p);
}

twx_criterion twx_criterion_of(twx_slice name) {
    static const struct {
        const char *name;
        twx_criterion criterion;
    } NAMES[] = {{"score", TWX_BY_SCORE},
                 {"url_length", TWX_BY_URL_LENGTH},
                 {"fetched_at", TWX_BY_FETCHED_AT}};
    for (size_t i = 0; i < TWX_COUNTOF(NAMES); i++)
        if (twx_slice_eq(name, twx_slice_of(NAMES[i].name))) return NAMES[i].criterion;
    return TWX_BY_NOTHING;
}

/* <0: a before b. The first line of the file is the strongest; 0, no line, comes after all
 * lines. */
static int by_pin(uint32_t a, uint32_t b) {
    a--, b--;
    return (a > b) - (a < b);
}

/* <0: a before b. A known value comes before an unknown one. */
static int by_criterion(const twx_doc_table *p, twx_criterion criterion, uint32_t i, uint32_t j) {
    const twx_doc_row *a = &p->at.at[i], *b = &p->at.at[j];
    const uint32_t known = criterion == TWX_BY_SCORE ? TWX_FACT_SCORED : TWX_FACT_DATED;
    if (criterion == TWX_BY_URL_LENGTH)
        return (a->url_length > b->url_length) - (a->url_length < b->url_length);
    if ((a->bits ^ b->bits) & known) return a->bits & known ? -1 : 1;
    if (!(a->bits & known)) return 0;
    if (criterion == TWX_BY_SCORE) {
        const uint64_t x = twx_doc_value(p, TWX_DOC_SCORE, i),
                       y = twx_doc_value(p, TWX_DOC_SCORE, j);
        return (x < y) - (x > y);
    }
    const int64_t x = (int64_t)twx_doc_value(p, TWX_DOC_FETCHED_AT, i),
                  y = (int64_t)twx_doc_value(p, TWX_DOC_FETCHED_AT, j);
    return (x > y) - (x < y);
}

typedef struct ordering {
    const twx_doc_table *p;
    const twx_preference *preference;
} ordering;

static int compare(const void *left, const void *right, void *arg) {
    const ordering *o = arg;
    uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
    const uint32_t a = o->p->at.at[i].bits, b = o->p->at.at[j].bits;
    int order = o->p->preferred ? by_pin(o->p->preferred[i], o->p->preferred[j]) : 0;
    if (!order)
        order = (int)twx_bits_have_preferred_scheme(b, o->preference) -
                (int)twx_bits_have_preferred_scheme(a, o->preference);
    if (!order)
        order = (int)twx_bits_have_preferred_www(b, o->preference) -
                (int)twx_bits_have_preferred_www(a, o->preference);
    if (!order && o->preference->newest) {
        /* 0, no version, is the oldest */
        const uint64_t version = twx_doc_value(o->p, TWX_DOC_VERSION, i),
                       other = twx_doc_value(o->p, TWX_DOC_VERSION, j);
        order = (version < other) - (version > other);
    }
    for (size_t k = 0; !order && k < TWX_CRITERIA && o->preference->criteria[k] != TWX_BY_NOTHING;
         k++)
        order = by_criterion(o->p, o->preference->criteria[k], i, j);
    return order ? order : (i > j) - (i < j);
}

twx_rc twx_total_order(twx_ctx *cx, const twx_doc_table *p, const twx_preference *preference,
                       uint32_t **ret_rank) {
    size_t n = p->at.n;
    uint32_t *sorted = twx_malloc(cx, n * sizeof *sorted), *rank = twx_malloc(cx, n * sizeof *rank);
    if (!sorted || !rank) {
        twx_free(sorted);
        twx_free(rank);
        return TWX_E_NOMEM;
    }
    for (size_t i = 0; i < n; i++) sorted[i] = (uint32_t)i;
    const ordering o = {p, preference};
    qsort_r(sorted, n, sizeof *sorted, compare, (void *)(uintptr_t)&o);
    for (size_t i = 0; i < n; i++) rank[sorted[i]] = (uint32_t)i;
    twx_free(sorted);
    *ret_rank = rank;
    return TWX_OK;
}
