#include "search/hits.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash64.h"
#include "base/map64.h"
#include "base/read_number.h"

enum { FIELDS = 3 };

typedef struct reading {
    twx_ctx *cx;
    const char *name;
    size_t line;
    twx_map64 known; /* hash of query and URL -> index of the grade */
} reading;

static twx_rc fail_line(const reading *r, const char *reason) {
    return twx_fail(r->cx, TWX_E_DATA, "%.300s:%zu: %s", r->name, r->line, reason);
}

/* Splits a line at its tabs. */
static twx_rc split(const reading *r, twx_slice line, twx_slice *ret_fields) {
    size_t n = 0;
    for (size_t from = 0, to; from <= line.n; from = to + 1) {
        to = twx_slice_find(line, '\t', from);
        if (n == FIELDS)
            return fail_line(r, "more than two tabs: a line is query TAB URL TAB grade");
        ret_fields[n++] = twx_slice_trim(twx_slice_sub(line, from, to));
    }
    if (n < FIELDS) return fail_line(r, "a line is query TAB URL TAB grade");
    if (!ret_fields[0].n) return fail_line(r, "the query is empty");
    return ret_fields[1].n ? TWX_OK : fail_line(r, "the URL is empty");
}

static twx_rc add(reading *r, const twx_grade *grade, twx_grades *grades) {
    uint64_t at = 0;
    twx_rc rc = twx_map64_add(r->cx, &r->known,
                              twx_mix64(twx_hash64(grade->query, 1), twx_hash64(grade->url, 2)),
                              grades->n, &at);
    if (rc != TWX_OK) return rc;
    if (at == grades->n) return TWX_VEC_PUSH(r->cx, grades, *grade) ? TWX_OK : TWX_E_NOMEM;
    if (grades->at[at].grade == grade->grade) return TWX_OK;
    return twx_fail(r->cx, TWX_E_DATA,
                    "%.300s:%zu: line %zu gives this URL another grade for the same query", r->name,
                    r->line, grades->at[at].line);
}

static twx_rc read_line(reading *r, twx_slice line, twx_grades *grades) {
    twx_slice fields[FIELDS];
    uint64_t number = 0;
    twx_rc rc = split(r, line, fields);
    if (rc != TWX_OK) return rc;
    if (!twx_read_count(fields[2], &number) || number > TWX_GRADE_MAX)
        return fail_line(r, "the grade is not a whole number from 0 to 100");
    const twx_grade grade = {
        .query = fields[0], .url = fields[1], .grade = (uint32_t)number, .line = r->line};
    return add(r, &grade, grades);
}

twx_rc twx_grades_parse(twx_ctx *cx, const char *name, twx_slice text, twx_grades *ret_grades) {
    static const char MARK[] = "\xEF\xBB\xBF"; /* some editors write it at the beginning */
    reading r = {.cx = cx, .name = name};
    twx_rc rc = TWX_OK;
    twx_map64_init(&r.known, 0);
    if (twx_slice_starts(text, TWX_SLICE_LIT(MARK)))
        text = twx_slice_sub(text, sizeof MARK - 1, text.n);
    for (size_t from = 0, to; rc == TWX_OK && from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        const twx_slice line = twx_slice_sub(text, from, to), trimmed = twx_slice_trim(line);
        r.line++;
        if (trimmed.n && trimmed.p[0] != '#') rc = read_line(&r, line, ret_grades);
    }
    twx_map64_done(&r.known);
    return rc;
}

/* ---- interval ---------------------------------------------------------- */

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

/* ---- ndcg -------------------------------------------------------------- */

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

/* ---- hits -------------------------------------------------------------- */

twx_rc twx_duplicates_among(twx_ctx *cx, const twx_hits *hits, size_t most,
                            twx_duplicates *ret_duplicates) {
    twx_duplicates d = {.hits = hits->n < most ? hits->n : most};
    twx_map64 seen;
    twx_rc rc = TWX_OK;
    twx_map64_init(&seen, 0);
    for (size_t i = 0; rc == TWX_OK && i < d.hits; i++) {
        uint64_t first = 0;
        if (!hits->at[i].has_cluster) continue;
        rc = twx_map64_add(cx, &seen, (uint64_t)hits->at[i].cluster, i, &first);
        d.duplicates += rc == TWX_OK && first != i;
    }
    twx_map64_done(&seen);
    if (rc == TWX_OK) *ret_duplicates = d;
    return rc;
}

double twx_duplicates_share(const twx_duplicates *d) {
    return d->hits ? (double)d->duplicates / (double)d->hits : 0;
}

twx_rc twx_ranks_of(twx_ctx *cx, const twx_hits *hits, twx_map64 *ret_ranks) {
    twx_rc rc = TWX_OK;
    twx_map64_init(ret_ranks, 0);
    for (size_t i = 0; rc == TWX_OK && i < hits->n; i++)
        rc = twx_map64_put(cx, ret_ranks, (uint64_t)hits->at[i].doc, i + 1);
    return rc;
}

/* Counts the clusters of `before` without a hit in `after`. */
static twx_rc count_gone(twx_ctx *cx, const twx_hits *before, const twx_hits *after,
                         twx_moves *moves) {
    twx_map64 left, seen;
    twx_rc rc = TWX_OK;
    twx_map64_init(&left, 0);
    twx_map64_init(&seen, 0);
    for (size_t i = 0; rc == TWX_OK && i < after->n; i++)
        if (after->at[i].has_cluster)
            rc = twx_map64_put(cx, &left, (uint64_t)after->at[i].cluster, 1);
    for (size_t i = 0; rc == TWX_OK && i < before->n; i++) {
        uint64_t first = 0, one = 0;
        const uint64_t cluster = (uint64_t)before->at[i].cluster;
        if (!before->at[i].has_cluster || !before->at[i].takes_part) continue;
        rc = twx_map64_add(cx, &seen, cluster, i, &first);
        if (rc != TWX_OK || first != i) continue;
        moves->clusters_before++;
        moves->clusters_gone += !twx_map64_get(&left, cluster, &one);
    }
    twx_map64_done(&left);
    twx_map64_done(&seen);
    return rc;
}

twx_rc twx_moves_between(twx_ctx *cx, const twx_hits *before, const twx_hits *after,
                         twx_moves *ret_moves) {
    twx_moves moves = {0};
    twx_map64 was, is;
    uint64_t rank = 0;
    twx_map64_init(&is, 0);
    twx_rc rc = twx_ranks_of(cx, before, &was);
    if (rc == TWX_OK) rc = twx_ranks_of(cx, after, &is);
    for (size_t i = 0; rc == TWX_OK && i < before->n && i < TWX_TOP_MANY; i++) {
        const bool there = twx_map64_get(&is, (uint64_t)before->at[i].doc, &rank);
        moves.vanished += !there;
        moves.moved += there && rank != i + 1;
    }
    for (size_t i = 0; rc == TWX_OK && i < after->n && i < TWX_TOP_MANY; i++)
        moves.fresh += !twx_map64_get(&was, (uint64_t)after->at[i].doc, &rank);
    if (rc == TWX_OK) rc = count_gone(cx, before, after, &moves);
    twx_map64_done(&was);
    twx_map64_done(&is);
    if (rc == TWX_OK) *ret_moves = moves;
    return rc;
}
