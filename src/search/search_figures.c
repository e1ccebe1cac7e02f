#include "search/searching.h"

#include <inttypes.h>

#include "base/plural.h"
#include "report/excerpt.h"

twx_rc twx_search_figures_make(twx_searching *s, twx_search_figures *ret) {
    twx_ctx *cx = s->job->cx;
    twx_rc rc = TWX_OK;
    *ret = (twx_search_figures){0};
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++) {
        rc = twx_duplicates_among(cx, &s->sides[i].hits, TWX_TOP_FEW, &ret->few[i]);
        if (rc == TWX_OK)
            rc = twx_duplicates_among(cx, &s->sides[i].hits, TWX_TOP_MANY, &ret->many[i]);
    }
    if (rc == TWX_OK && s->n_sides == TWX_SEARCH_SIDES)
        rc = twx_moves_between(cx, &s->sides[0].hits, &s->sides[1].hits, &ret->moves);
    return rc;
}

static const char *rules_name(const twx_search_side *side) {
    return side->rules.path ? side->rules.path : "no rules";
}

/* The keys doubles_in_* are the former names of duplicates_in_*, kept for one release. */
static json_t *with_shares(json_t *o, double few, double many) {
    if (!o) return NULL;
    json_object_set_new(o, "duplicates_in_10", json_real(few));
    json_object_set_new(o, "duplicates_in_100", json_real(many));
    json_object_set_new(o, "doubles_in_10", json_real(few));
    json_object_set_new(o, "doubles_in_100", json_real(many));
    return o;
}

static json_t *side_json(const twx_searching *s, const twx_search_figures *f, size_t i) {
    const twx_search_side *side = &s->sides[i];
    json_t *o = json_pack("{s:o, s:I}", "rules",
                          side->rules.path ? twx_json_slice(twx_slice_of(side->rules.path))
                                           : json_null(),
                          "hits", (json_int_t)side->hits.n);
    return with_shares(o, twx_duplicates_share(&f->few[i]), twx_duplicates_share(&f->many[i]));
}

static json_t *moves_json(const twx_moves *m) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "moved", (json_int_t)m->moved, "vanished",
                     (json_int_t)m->vanished, "new", (json_int_t)m->fresh, "clusters",
                     (json_int_t)m->clusters_before, "clusters_gone", (json_int_t)m->clusters_gone);
}

json_t *twx_search_figures_json(const twx_searching *s, const twx_search_figures *f) {
    json_t *o = json_pack("{s:o, s:o}", "query", twx_json_slice(s->query), "a", side_json(s, f, 0));
    if (s->n_sides < TWX_SEARCH_SIDES) return o;
    json_object_set_new(o, "b", side_json(s, f, 1));
    json_object_set_new(o, "moves", moves_json(&f->moves));
    return o;
}

twx_rc twx_search_write_figures(const twx_searching *s, const twx_search_figures *f) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++)
        rc = twx_out_text(
            s->out,
            "%s%zu %s, duplicates in the first 10: %.0f %%, in the first 100: %.0f %%  (%s)\n",
            s->n_sides == 1 ? ""
            : i == 0        ? "A: "
                            : "B: ",
            s->sides[i].hits.n, twx_plural(s->sides[i].hits.n, "hit", "hits"),
            100 * twx_duplicates_share(&f->few[i]), 100 * twx_duplicates_share(&f->many[i]),
            rules_name(&s->sides[i]));
    if (rc != TWX_OK || s->n_sides < TWX_SEARCH_SIDES) return rc;
    return twx_out_text(s->out,
                        "of A's first 100 %zu moved and %zu vanished, %zu of B's are new; of %zu "
                        "clusters %zu have no hit left\n",
                        f->moves.moved, f->moves.vanished, f->moves.fresh, f->moves.clusters_before,
                        f->moves.clusters_gone);
}

twx_rc twx_search_out_of_json(const twx_searching *s) {
    return twx_fail(s->job->cx, TWX_E_NOMEM, "out of memory for JSON");
}

/* ---- many queries ---- */

void twx_search_totals_add(const twx_searching *s, const twx_search_figures *f,
                           twx_search_totals *t) {
    t->queries++;
    t->moves.moved += f->moves.moved;
    t->moves.vanished += f->moves.vanished;
    t->moves.fresh += f->moves.fresh;
    t->moves.clusters_before += f->moves.clusters_before;
    t->moves.clusters_gone += f->moves.clusters_gone;
    if (!s->sides[0].hits.n) return;
    t->with_hits++;
    for (size_t i = 0; i < s->n_sides; i++) {
        t->few[i] += twx_duplicates_share(&f->few[i]);
        t->many[i] += twx_duplicates_share(&f->many[i]);
    }
}

twx_rc twx_search_write_head(const twx_searching *s) {
    if (s->n_sides < TWX_SEARCH_SIDES)
        return twx_out_text(s->out, "%8s %7s %7s  query\n", "hits", "in 10", "in 100");
    return twx_out_text(s->out, "%8s %7s %7s  %8s %7s %7s  %6s %9s %5s %9s  query\n", "hits A",
                        "in 10", "in 100", "hits B", "in 10", "in 100", "moved", "vanished", "new",
                        "clusters-");
}

twx_rc twx_search_write_row(const twx_searching *s, const twx_search_figures *f) {
    twx_buf line;
    twx_buf_init(&line, TWX_SEARCH_LINE_BYTES);
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++)
        rc = twx_buf_printf(s->job->cx, &line, "%8zu %5.0f %% %5.0f %%  ", s->sides[i].hits.n,
                            100 * twx_duplicates_share(&f->few[i]),
                            100 * twx_duplicates_share(&f->many[i]));
    if (rc == TWX_OK && s->n_sides == TWX_SEARCH_SIDES)
        rc = twx_buf_printf(s->job->cx, &line, "%6zu %9zu %5zu %9zu  ", f->moves.moved,
                            f->moves.vanished, f->moves.fresh, f->moves.clusters_gone);
    if (rc == TWX_OK) rc = twx_excerpt(s->job->cx, s->query, TWX_SEARCH_TITLE_SHOWN, &line);
    if (rc == TWX_OK) rc = twx_buf_add_char(s->job->cx, &line, '\n');
    if (rc == TWX_OK) rc = twx_out_bytes(s->out, twx_buf_slice(&line));
    twx_buf_done(&line);
    return rc;
}

static double mean(double sum, size_t n) {
    return n ? sum / (double)n : 0;
}

static json_t *mean_json(const twx_search_totals *t, size_t side) {
    return with_shares(json_object(), mean(t->few[side], t->with_hits),
                       mean(t->many[side], t->with_hits));
}

twx_rc twx_search_write_totals(const twx_searching *s, const twx_search_totals *t) {
    if (t->list) {
        json_t *o = json_pack("{s:O, s:I, s:I, s:o}", "queries", t->list, "queries_n",
                              (json_int_t)t->queries, "queries_with_hits", (json_int_t)t->with_hits,
                              "mean_a", mean_json(t, 0));
        if (o && s->n_sides == TWX_SEARCH_SIDES) {
            json_object_set_new(o, "mean_b", mean_json(t, 1));
            json_object_set_new(o, "moves", moves_json(&t->moves));
        }
        return twx_out_json(s->out, o);
    }
    twx_rc rc = twx_out_text(s->out, "\n%zu %s, %zu with hits\n", t->queries,
                             twx_plural(t->queries, "query", "queries"), t->with_hits);
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++)
        rc = twx_out_text(
            s->out,
            "%sduplicates in the first 10: %.1f %%, in the first 100: %.1f %%, the mean "
            "of queries  (%s)\n",
            s->n_sides == 1 ? ""
            : i == 0        ? "A: "
                            : "B: ",
            100 * mean(t->few[i], t->with_hits), 100 * mean(t->many[i], t->with_hits),
            rules_name(&s->sides[i]));
    if (rc != TWX_OK || s->n_sides < TWX_SEARCH_SIDES) return rc;
    return twx_out_text(s->out,
                        "of A's first 100 %zu moved and %zu vanished, %zu of B's are new; of %zu "
                        "clusters %zu have no hit left\n",
                        t->moves.moved, t->moves.vanished, t->moves.fresh, t->moves.clusters_before,
                        t->moves.clusters_gone);
}
