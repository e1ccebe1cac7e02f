#include "search/query_quality.h"

#include "base/plural.h"

static const struct {
    const char *key, *text;
    double unit; /* shown: value * unit */
    int decimals;
} MEASURES[TWX_MEASURES] = {
    [TWX_NDCG] = {"ndcg_10", "nDCG@10", 1, 4},
    [TWX_MRR] = {"mrr", "MRR", 1, 4},
    [TWX_DUPLICATES] = {"duplicates_in_10", "duplicates in the first 10 (%)", 100, 1},
};

twx_rc twx_query_quality_add(twx_ctx *cx, twx_query_quality *q, size_t n_sides,
                             const twx_quality *quality, const double *duplicates) {
    q->n_sides = n_sides;
    for (size_t i = 0; i < n_sides; i++) {
        const double values[TWX_MEASURES] = {[TWX_NDCG] = quality[i].ndcg,
                                             [TWX_MRR] = quality[i].reciprocal_rank,
                                             [TWX_DUPLICATES] = duplicates[i]};
        for (size_t m = 0; m < TWX_MEASURES; m++)
            if (!TWX_VEC_PUSH(cx, &q->of[i][m], values[m])) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

void twx_query_quality_done(twx_query_quality *q) {
    for (size_t i = 0; i < TWX_SEARCH_SIDES; i++)
        for (size_t m = 0; m < TWX_MEASURES; m++) TWX_VEC_DONE(&q->of[i][m]);
}

twx_interval twx_query_quality_mean(const twx_query_quality *q, size_t side, twx_query_measure m) {
    return twx_interval_of(q->of[side][m].at, q->of[side][m].n);
}

twx_interval twx_query_quality_difference(const twx_query_values *a, const twx_query_values *b) {
    return twx_interval_between(a->at, b->at, a->n < b->n ? a->n : b->n);
}

/* ---- JSON --------------------------------------------------------------- */

json_t *twx_interval_json(const twx_interval *i) {
    json_t *o = json_pack("{s:f}", "mean", i->mean);
    if (!i->known) return o;
    json_object_set_new(o, "low", json_real(i->low));
    json_object_set_new(o, "high", json_real(i->high));
    return o;
}

static json_t *side_json(const twx_query_quality *q, size_t side) {
    json_t *o = json_object();
    for (size_t m = 0; m < TWX_MEASURES; m++) {
        const twx_interval mean = twx_query_quality_mean(q, side, (twx_query_measure)m);
        json_object_set_new(o, MEASURES[m].key, twx_interval_json(&mean));
    }
    return o;
}

json_t *twx_query_quality_json(const twx_query_quality *q) {
    json_t *o = json_pack("{s:o, s:s, s:o}", "queries", twx_json_count(q->of[0][0].n), "interval",
                          "95 %, Student's t", "a", side_json(q, 0));
    if (q->n_sides < TWX_SEARCH_SIDES) return o;
    json_t *differences = json_object();
    for (size_t m = 0; m < TWX_MEASURES; m++) {
        const twx_interval d = twx_query_quality_difference(&q->of[0][m], &q->of[1][m]);
        json_object_set_new(differences, MEASURES[m].key, twx_interval_json(&d));
    }
    json_object_set_new(o, "b", side_json(q, 1));
    json_object_set_new(o, "difference", differences);
    return o;
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_interval(const twx_out *out, const char *name, twx_query_measure m,
                             const twx_interval *i, bool difference) {
    const double unit = MEASURES[m].unit;
    const int n = MEASURES[m].decimals;
    twx_rc rc = difference ? twx_out_text(out, "  %-8s %-31s %+9.*f", name, MEASURES[m].text, n,
                                          unit * i->mean)
                           : twx_out_text(out, "  %-8s %-31s %9.*f", name, MEASURES[m].text, n,
                                          unit * i->mean);
    if (rc == TWX_OK && i->known && difference)
        rc = twx_out_text(out, "  %+.*f to %+.*f", n, unit * i->low, n, unit * i->high);
    else if (rc == TWX_OK && i->known)
        rc = twx_out_text(out, "  %.*f to %.*f", n, unit * i->low, n, unit * i->high);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_query_quality_write(const twx_out *out, const twx_query_quality *q) {
    static const char *const NAMES[] = {"A", "B"};
    const size_t n = q->of[0][0].n;
    twx_rc rc = twx_out_text(out, "\n%zu judged %s; the mean and its 95 %% interval:\n", n,
                             twx_plural(n, "query", "queries"));
    for (size_t side = 0; rc == TWX_OK && side < q->n_sides; side++)
        for (size_t m = 0; rc == TWX_OK && m < TWX_MEASURES; m++) {
            const twx_interval mean = twx_query_quality_mean(q, side, (twx_query_measure)m);
            rc = write_interval(out, q->n_sides > 1 ? NAMES[side] : "", (twx_query_measure)m, &mean,
                                false);
        }
    for (size_t m = 0; rc == TWX_OK && q->n_sides > 1 && m < TWX_MEASURES; m++) {
        const twx_interval d = twx_query_quality_difference(&q->of[0][m], &q->of[1][m]);
        rc = write_interval(out, "B - A", (twx_query_measure)m, &d, true);
    }
    return rc;
}
