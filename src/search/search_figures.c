#include "search/search_figures.h"

#include "base/plural.h"

enum { QUERY_SHOWN = 100 };

/* ---- JSON --------------------------------------------------------------- */

static json_t *with_shares(json_t *o, double few, double many) {
    json_object_set_new(o, "duplicates_in_10", json_real(few));
    json_object_set_new(o, "duplicates_in_100", json_real(many));
    return o;
}

json_t *twx_search_side_json(const twx_search_figures *f, size_t i) {
    json_t *o = json_pack("{s:o, s:o}", "rules", twx_json_text(f->rules[i]), "hits",
                          twx_json_count(f->hits[i]));
    if (f->judged) {
        json_object_set_new(o, "ndcg_10", json_real(f->quality[i].ndcg));
        json_object_set_new(o, "reciprocal_rank", json_real(f->quality[i].reciprocal_rank));
    }
    return with_shares(o, f->few[i], f->many[i]);
}

static json_t *moves_json(const twx_moves *m) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "moved", twx_json_count(m->moved), "vanished",
                     twx_json_count(m->vanished), "new", twx_json_count(m->fresh), "clusters",
                     twx_json_count(m->clusters_before), "clusters_gone",
                     twx_json_count(m->clusters_gone));
}

json_t *twx_search_figures_json(const twx_search_figures *f) {
    json_t *o = json_pack("{s:o, s:o}", "query", twx_json_slice(f->query), "a",
                          twx_search_side_json(f, 0));
    if (f->n_sides < TWX_SEARCH_SIDES) return o;
    json_object_set_new(o, "b", twx_search_side_json(f, 1));
    json_object_set_new(o, "moves", moves_json(&f->moves));
    return o;
}

/* ---- text --------------------------------------------------------------- */

static const char *side_name(const twx_search_figures *f, size_t i) {
    return f->n_sides == 1 ? "" : i == 0 ? "A: " : "B: ";
}

static const char *rules_name(const twx_search_figures *f, size_t i) {
    return f->rules[i] ? f->rules[i] : "no rules";
}

static twx_rc write_moves(const twx_out *out, const twx_search_figures *f) {
    if (f->n_sides < TWX_SEARCH_SIDES) return TWX_OK;
    return twx_out_text(out,
                        "of A's first 100 %zu moved and %zu vanished, %zu of B's are new; of %zu "
                        "clusters %zu have no hit left\n",
                        f->moves.moved, f->moves.vanished, f->moves.fresh, f->moves.clusters_before,
                        f->moves.clusters_gone);
}

twx_rc twx_search_figures_write(const twx_out *out, const twx_search_figures *f) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < f->n_sides; i++)
        rc = twx_out_text(
            out, "%s%zu %s, duplicates in the first 10: %.0f %%, in the first 100: %.0f %%  (%s)\n",
            side_name(f, i), f->hits[i], twx_plural(f->hits[i], "hit", "hits"), 100 * f->few[i],
            100 * f->many[i], rules_name(f, i));
    return rc == TWX_OK ? write_moves(out, f) : rc;
}

/* ---- many queries -------------------------------------------------------- */

twx_rc twx_query_list_begin(twx_query_list *list, const char *const *rules, size_t n_sides) {
    static const char *const HITS[] = {"hits A", "hits B"};
    const twx_out *out = list->out;
    twx_rc rc = TWX_OK;
    list->sums.n_sides = n_sides;
    for (size_t i = 0; i < n_sides; i++) list->sums.rules[i] = rules[i];
    if (twx_out_is_json(out)) {
        list->rows = json_array();
        return TWX_OK;
    }
    for (size_t i = 0; rc == TWX_OK && i < n_sides; i++)
        rc = twx_out_text(out, "%8s %7s %7s  %s", n_sides > 1 ? HITS[i] : "hits", "in 10", "in 100",
                          list->judged ? "  nDCG     RR  " : "");
    if (rc == TWX_OK && n_sides > 1)
        rc = twx_out_text(out, "%6s %9s %5s %9s  ", "moved", "vanished", "new", "clusters-");
    return rc == TWX_OK ? twx_out_text(out, "query\n") : rc;
}

static twx_rc write_side(const twx_query_list *list, const twx_search_figures *f, size_t i) {
    const twx_out *out = list->out;
    twx_rc rc = twx_out_text(out, "%8zu %5.0f %% %5.0f %%  ", f->hits[i], 100 * f->few[i],
                             100 * f->many[i]);
    if (rc != TWX_OK || !list->judged) return rc;
    return f->judged ? twx_out_text(out, "%6.4f %6.4f  ", f->quality[i].ndcg,
                                    f->quality[i].reciprocal_rank)
                     : twx_out_text(out, "%6s %6s  ", "-", "-");
}

static void add_up(twx_query_list *list, const twx_search_figures *f) {
    twx_search_figures *sums = &list->sums;
    list->queries++;
    sums->moves.moved += f->moves.moved;
    sums->moves.vanished += f->moves.vanished;
    sums->moves.fresh += f->moves.fresh;
    sums->moves.clusters_before += f->moves.clusters_before;
    sums->moves.clusters_gone += f->moves.clusters_gone;
    if (!f->hits[0]) return;
    list->with_hits++;
    for (size_t i = 0; i < f->n_sides; i++) {
        sums->few[i] += f->few[i];
        sums->many[i] += f->many[i];
    }
}

twx_rc twx_query_list_add(twx_query_list *list, const twx_search_figures *f) {
    const twx_out *out = list->out;
    twx_rc rc = TWX_OK;
    add_up(list, f);
    if (f->judged)
        rc = twx_query_quality_add(out->cx, &list->quality, f->n_sides, f->quality, f->few);
    if (rc != TWX_OK) return rc;
    if (twx_out_is_json(out))
        return twx_json_append(out->cx, list->rows, twx_search_figures_json(f));
    for (size_t i = 0; rc == TWX_OK && i < f->n_sides; i++) rc = write_side(list, f, i);
    if (rc == TWX_OK && f->n_sides == TWX_SEARCH_SIDES)
        rc = twx_out_text(out, "%6zu %9zu %5zu %9zu  ", f->moves.moved, f->moves.vanished,
                          f->moves.fresh, f->moves.clusters_gone);
    if (rc == TWX_OK) rc = twx_out_excerpt(out, f->query, QUERY_SHOWN);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_query_list_refuse(twx_query_list *list, twx_slice query, const char *reason) {
    list->refused++;
    if (!twx_out_is_json(list->out)) return TWX_OK; /* the message has named it */
    json_t *o = json_pack("{s:o, s:o}", "query", twx_json_slice(query), "error",
                          twx_json_text(reason));
    return twx_json_append(list->out->cx, list->rows, o);
}

static double mean(const twx_query_list *list, double sum) {
    return list->with_hits ? sum / (double)list->with_hits : 0;
}

static json_t *mean_json(const twx_query_list *list, size_t i) {
    return with_shares(json_object(), mean(list, list->sums.few[i]),
                       mean(list, list->sums.many[i]));
}

static json_t *list_json(const twx_query_list *list) {
    json_t *o = json_pack("{s:O, s:o, s:o, s:o, s:o}", "queries", list->rows, "queries_n",
                          twx_json_count(list->queries), "queries_with_hits",
                          twx_json_count(list->with_hits), "queries_refused",
                          twx_json_count(list->refused), "mean_a", mean_json(list, 0));
    if (list->judged) json_object_set_new(o, "judged", twx_query_quality_json(&list->quality));
    if (list->sums.n_sides < TWX_SEARCH_SIDES) return o;
    json_object_set_new(o, "mean_b", mean_json(list, 1));
    json_object_set_new(o, "moves", moves_json(&list->sums.moves));
    return o;
}

twx_rc twx_query_list_end(twx_query_list *list) {
    const twx_search_figures *sums = &list->sums;
    if (twx_out_is_json(list->out)) return twx_out_json(list->out, list_json(list));
    twx_rc rc = twx_out_text(list->out, "\n%zu %s, %zu with hits\n", list->queries,
                             twx_plural(list->queries, "query", "queries"), list->with_hits);
    for (size_t i = 0; rc == TWX_OK && i < sums->n_sides; i++)
        rc = twx_out_text(
            list->out,
            "%sduplicates in the first 10: %.1f %%, in the first 100: %.1f %%, the mean of queries "
            " (%s)\n",
            side_name(sums, i), 100 * mean(list, sums->few[i]), 100 * mean(list, sums->many[i]),
            rules_name(sums, i));
    if (rc == TWX_OK) rc = write_moves(list->out, sums);
    return rc == TWX_OK && list->judged ? twx_query_quality_write(list->out, &list->quality) : rc;
}

void twx_query_list_done(twx_query_list *list) {
    json_decref(list->rows);
    twx_query_quality_done(&list->quality);
}
