#include "search/tuning.h"

#include <stdlib.h>

#include "base/plural.h"

void twx_tuning_done(twx_tuning *t) {
    TWX_VEC_DONE(&t->combinations);
}

static int best_first(const void *a, const void *b) {
    const twx_tuned *x = a, *y = b;
    if (x->allowed != y->allowed) return x->allowed ? -1 : 1;
    if (x->ndcg.mean != y->ndcg.mean) return x->ndcg.mean > y->ndcg.mean ? -1 : 1;
    if (x->duplicates.mean != y->duplicates.mean)
        return x->duplicates.mean < y->duplicates.mean ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

void twx_tuning_sort(twx_tuning *t) {
    if (t->combinations.n)
        qsort(t->combinations.at, t->combinations.n, sizeof *t->combinations.at, best_first);
}

static const twx_tuned *best(const twx_tuning *t) {
    return t->combinations.n && t->combinations.at[0].allowed ? &t->combinations.at[0] : NULL;
}

static size_t shown(const twx_tuning *t) {
    return t->limit && t->limit < t->combinations.n ? t->limit : t->combinations.n;
}

/* Whether a row that is shown has a mark; those that are not allowed come last. */
static bool has_mark(const twx_tuning *t) {
    return !t->file.allowed || (shown(t) && !t->combinations.at[shown(t) - 1].allowed);
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *tuned_json(const twx_tuning *t, const twx_tuned *c) {
    json_t *values = json_object();
    for (size_t i = 0; i < t->n_varied; i++)
        json_object_set_new(values, t->names[i], json_real(c->values[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "values", values, "ndcg_10",
                     twx_interval_json(&c->ndcg), "change", twx_interval_json(&c->change), "mrr",
                     twx_interval_json(&c->mrr), "duplicates_in_10",
                     twx_interval_json(&c->duplicates), "allowed", (int)c->allowed);
}

static json_t *tuning_json(const twx_tuning *t) {
    json_t *all = json_array();
    for (size_t i = 0; i < shown(t); i++)
        json_array_append_new(all, tuned_json(t, &t->combinations.at[i]));
    return json_pack("{s:o, s:o, s:o, s:f, s:o, s:o, s:o}", "rules", twx_json_text(t->rules),
                     "queries", twx_json_count(t->queries), "combinations",
                     twx_json_count(t->combinations.n), "max_duplicates", t->max_duplicates, "file",
                     tuned_json(t, &t->file), "best",
                     best(t) ? tuned_json(t, best(t)) : json_null(), "results", all);
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_values(const twx_out *out, const twx_tuning *t, const twx_tuned *c) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < t->n_varied; i++)
        rc = twx_out_text(out, "%s%s=%g", i ? " " : "", t->names[i], c->values[i]);
    return rc;
}

static twx_rc write_row(const twx_out *out, const twx_tuning *t, const twx_tuned *c) {
    twx_rc rc = twx_out_text(out, "%8.4f ", c->ndcg.mean);
    if (rc == TWX_OK && c == &t->file)
        rc = twx_out_text(out, "%8s %18s", "", "");
    else if (rc == TWX_OK && c->change.known)
        rc = twx_out_text(out, "%+8.4f %+7.4f to %+7.4f", c->change.mean, c->change.low,
                          c->change.high);
    else if (rc == TWX_OK)
        rc = twx_out_text(out, "%+8.4f %18s", c->change.mean, "");
    if (rc == TWX_OK)
        rc = twx_out_text(out, " %7.4f %6.1f %%%s  ", c->mrr.mean, 100 * c->duplicates.mean,
                          c->allowed ? " " : "!");
    if (rc == TWX_OK) rc = write_values(out, t, c);
    return rc == TWX_OK ? twx_out_text(out, "%s\n", c == &t->file ? "  (the file)" : "") : rc;
}

static twx_rc write_best(const twx_out *out, const twx_tuning *t) {
    if (!best(t))
        return twx_out_text(out,
                            "\nno combination has at most %.1f %% duplicates in the first 10\n",
                            100 * t->max_duplicates);
    twx_rc rc = twx_out_text(out, "\nbest: ");
    if (rc == TWX_OK) rc = write_values(out, t, best(t));
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_tuning_write(const twx_out *out, const twx_tuning *t) {
    const size_t n = t->combinations.n;
    if (twx_out_is_json(out)) return twx_out_json(out, tuning_json(t));
    twx_rc rc = twx_out_text(out, "%s: %zu %s, %zu judged %s\n\n%8s %8s %18s %7s %8s   values\n",
                             t->rules, n, twx_plural(n, "combination", "combinations"), t->queries,
                             twx_plural(t->queries, "query", "queries"), "nDCG@10", "change",
                             "95 % interval", "MRR", "in 10");
    if (rc == TWX_OK) rc = write_row(out, t, &t->file);
    for (size_t i = 0; rc == TWX_OK && i < shown(t); i++)
        rc = write_row(out, t, &t->combinations.at[i]);
    if (rc == TWX_OK && shown(t) < n)
        rc = twx_out_text(out, "  ... and %zu more (--limit)\n", n - shown(t));
    if (rc == TWX_OK && has_mark(t))
        rc = twx_out_text(out, "! more duplicates in the first 10 than %.1f %%\n",
                          100 * t->max_duplicates);
    return rc == TWX_OK ? write_best(out, t) : rc;
}
