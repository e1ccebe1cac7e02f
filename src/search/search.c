/* A side is a file of rules and the hits in its order: one side for a plain search, two to compare.
 * All hits are kept (32 bytes each), because a document that one side has at rank 3 may be at rank
 * 3000 of the other. */
#include "search/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/plural.h"
#include "job/document_label.h"
#include "job/document_scan.h"
#include "job/ranking.h"
#include "judge/flags.h"
#include "rank/hits.h"
#include "report/excerpt.h"
#include "store/text_index.h"

enum {
    QUERIES_BYTES = 1 << 20,
    TITLE_SHOWN = 100,
    URL_SHOWN = 2000,
    SNIPPET_SHOWN = 300,
    LINE_BYTES = 1 << 16,
    SIDES = 2
};

typedef struct search_side {
    twx_ranking_rules rules;
    twx_hits hits;
    TWX_VEC(double) parts; /* of the hits that are shown, one after the other */
    TWX_VEC(double) text_scores;
    twx_map64 ranks; /* of all hits */
} search_side;

typedef struct searching {
    const twx_job *job;
    const twindex_search_options *options;
    const twx_out *out;
    twx_opened o;
    twx_state state;
    search_side sides[SIDES];
    size_t n_sides;
    size_t shown; /* hits at most */
    twx_snippets *snippets;
    twx_slice query;
} searching;

/* ---- opening ------------------------------------------------------------ */

static twx_rc open_search(searching *s) {
    bool has = false;
    twx_rc rc = twx_ranking_rules_load(s->job->cx, s->options->rules, &s->sides[0].rules);
    if (rc == TWX_OK && s->n_sides == SIDES)
        rc = twx_ranking_rules_load(s->job->cx, s->options->compare, &s->sides[1].rules);
    if (rc == TWX_OK) rc = twx_open_store(s->job, TWX_NEED_SOURCE | TWX_NEED_RESULTS, &s->o);
    if (rc == TWX_OK) rc = twx_state_read(s->o.generations, &s->state);
    if (rc == TWX_OK && !s->state.generation)
        rc = twx_fail(s->job->cx, TWX_E_DATA,
                      "%s: no run has been here yet: 'twindex run' makes the flags",
                      twx_own_path(s->job));
    if (rc == TWX_OK) rc = twx_text_index_has(s->o.writer, &has);
    if (rc == TWX_OK && !has)
        rc = twx_fail(s->job->cx, TWX_E_DATA,
                      "%s: there is no text index yet: 'twindex index' makes it",
                      twx_own_path(s->job));
    return rc == TWX_OK ? twx_snippets_open(s->job->cx, &s->snippets) : rc;
}

/* ---- one query ---------------------------------------------------------- */

typedef struct filling {
    searching *s;
    search_side *side;
} filling;

static twx_rc take_hit(void *arg, const twx_hit *hit) {
    const filling *f = arg;
    twx_ctx *cx = f->s->job->cx;
    search_side *side = f->side;
    const bool shown = f->s->shown == 0 || side->hits.n < f->s->shown;
    if (!TWX_VEC_PUSH(
            cx, &side->hits,
            (twx_ranked){hit->doc, hit->cluster, hit->has_cluster, hit->takes_part, hit->score}))
        return TWX_E_NOMEM;
    if (!shown) return TWX_OK;
    if (!TWX_VEC_PUSH(cx, &side->text_scores, hit->text_score)) return TWX_E_NOMEM;
    for (size_t i = 0; i < side->rules.ranking.n_parts; i++)
        if (!TWX_VEC_PUSH(cx, &side->parts, hit->parts[i])) return TWX_E_NOMEM;
    return TWX_OK;
}

static twx_rc run_side(searching *s, search_side *side) {
    filling f = {s, side};
    const twx_search search = {.query = s->query,
                               .generation = s->state.generation,
                               .direct = twx_source_is_direct(s->o.source),
                               .ranking = &side->rules.ranking,
                               .limit = INT64_MAX};
    side->hits.n = side->parts.n = side->text_scores.n = 0;
    twx_map64_done(&side->ranks);
    twx_rc rc = twx_text_search(s->o.writer, &search, take_hit, &f);
    return rc == TWX_OK ? twx_ranks_of(s->job->cx, &side->hits, &side->ranks) : rc;
}

/* A query that FTS5 does not take: where it stands, and what is wrong with it. */
static twx_rc fail_query(searching *s, twx_rc rc, const char *place) {
    char reason[TWX_MESSAGE_MAX];
    if (rc != TWX_E_DATA) return rc;
    snprintf(reason, sizeof reason, "%s", s->job->cx->message);
    twx_ctx_clear(s->job->cx);
    return twx_fail(s->job->cx, TWX_E_DATA,
                    "%squery '" TWX_SLICE_FMT
                    "': %.300s (words with signs in them stand in quotes)",
                    place, TWX_SLICE_ARG(s->query), reason);
}

static twx_rc run_query(searching *s, twx_slice query, const char *place) {
    s->query = twx_slice_trim(query);
    twx_rc rc = s->query.n ? TWX_OK
                           : twx_fail(s->job->cx, TWX_E_DATA, "%sthe query is empty", place);
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++)
        rc = fail_query(s, run_side(s, &s->sides[i]), place);
    return rc;
}

/* ---- figures ------------------------------------------------------------ */

typedef struct figures {
    twx_duplicates few[SIDES], many[SIDES];
    twx_moves moves;
} figures;

static twx_rc make_figures(searching *s, figures *ret) {
    twx_ctx *cx = s->job->cx;
    twx_rc rc = TWX_OK;
    *ret = (figures){0};
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++) {
        rc = twx_duplicates_among(cx, &s->sides[i].hits, TWX_TOP_FEW, &ret->few[i]);
        if (rc == TWX_OK)
            rc = twx_duplicates_among(cx, &s->sides[i].hits, TWX_TOP_MANY, &ret->many[i]);
    }
    if (rc == TWX_OK && s->n_sides == SIDES)
        rc = twx_moves_between(cx, &s->sides[0].hits, &s->sides[1].hits, &ret->moves);
    return rc;
}

static const char *rules_name(const search_side *side) {
    return side->rules.path ? side->rules.path : "no rules";
}

/* The keys doubles_in_* are the old names of duplicates_in_*, kept for one release. */
static json_t *with_shares(json_t *o, double few, double many) {
    if (!o) return NULL;
    json_object_set_new(o, "duplicates_in_10", json_real(few));
    json_object_set_new(o, "duplicates_in_100", json_real(many));
    json_object_set_new(o, "doubles_in_10", json_real(few));
    json_object_set_new(o, "doubles_in_100", json_real(many));
    return o;
}

static json_t *side_json(const searching *s, const figures *f, size_t i) {
    const search_side *side = &s->sides[i];
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

static json_t *figures_json(const searching *s, const figures *f) {
    json_t *o = json_pack("{s:o, s:o}", "query", twx_json_slice(s->query), "a", side_json(s, f, 0));
    if (s->n_sides < SIDES) return o;
    json_object_set_new(o, "b", side_json(s, f, 1));
    json_object_set_new(o, "moves", moves_json(&f->moves));
    return o;
}

static twx_rc tell_figures(const searching *s, const figures *f) {
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
    if (rc != TWX_OK || s->n_sides < SIDES) return rc;
    return twx_out_text(s->out,
                        "of A's first 100 %zu moved and %zu vanished, %zu of B's are new; of %zu "
                        "clusters %zu have no hit left\n",
                        f->moves.moved, f->moves.vanished, f->moves.fresh, f->moves.clusters_before,
                        f->moves.clusters_gone);
}

/* ---- a document --------------------------------------------------------- */

typedef struct shown {
    searching *s;
    const twx_ranked *hit;
    twx_buf title, url, snippet; /* fit for a terminal */
    bool there;
    bool has_flags;
    twx_flag_row flags;
} shown;

static void shown_init(shown *x, searching *s) {
    *x = (shown){.s = s};
    twx_buf_init(&x->title, LINE_BYTES);
    twx_buf_init(&x->url, LINE_BYTES);
    twx_buf_init(&x->snippet, LINE_BYTES);
}

static void shown_done(shown *x) {
    twx_buf_done(&x->title);
    twx_buf_done(&x->url);
    twx_buf_done(&x->snippet);
}

/* What matches stands in brackets. */
static twx_rc put_marked(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out) {
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to; rc == TWX_OK && from < text.n; from = to + 1) {
        to = from;
        while (to < text.n && text.p[to] != TWX_MARK_BEGIN && text.p[to] != TWX_MARK_END) to++;
        rc = twx_excerpt(cx, twx_slice_sub(text, from, to), most, out);
        if (rc == TWX_OK && to < text.n)
            rc = twx_buf_add_char(cx, out, text.p[to] == TWX_MARK_BEGIN ? '[' : ']');
    }
    return rc;
}

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    shown *x = arg;
    twx_ctx *cx = x->s->job->cx;
    const twx_snippet_of of = {.query = x->s->query,
                               .title = twx_bytes_of(&row->value[TWX_COL_TITLE]),
                               .text = twx_bytes_of(&row->value[TWX_COL_TEXT])};
    twx_slice title = of.title, snippet = of.text;
    *ret_enough = x->there = true;
    twx_rc rc = twx_excerpt(cx, twx_bytes_of(&row->value[TWX_COL_URL]), URL_SHOWN, &x->url);
    if (rc == TWX_OK) rc = twx_snippets_make(x->s->snippets, &of, &title, &snippet);
    if (rc == TWX_DONE) rc = TWX_OK; /* it changed since it was indexed: its beginning is shown */
    if (rc == TWX_OK) rc = put_marked(cx, title, TITLE_SHOWN, &x->title);
    return rc == TWX_OK ? put_marked(cx, snippet, SNIPPET_SHOWN, &x->snippet) : rc;
}

static twx_rc load_hit(shown *x, const twx_ranked *hit) {
    searching *s = x->s;
    twx_value id;
    x->hit = hit;
    x->there = false;
    twx_buf_clear(&x->title);
    twx_buf_clear(&x->url);
    twx_buf_clear(&x->snippet);
    twx_rc rc = twx_flags_get(s->o.generations, s->state.generation, hit->doc, &x->flags);
    x->has_flags = rc == TWX_OK;
    if (rc == TWX_OK || rc == TWX_DONE) rc = twx_id_of(&s->o, hit->doc, &id);
    if (rc == TWX_OK) rc = twx_source_by_id(s->o.source, &id, take_row, x);
    twx_signatures_release(s->o.signatures);
    if (rc == TWX_DONE) rc = twx_buf_add_text(s->job->cx, &x->url, "(not in the store any more)");
    return rc;
}

/* Appends the id of a document. */
static twx_rc put_id(searching *s, int64_t doc, twx_buf *line) {
    twx_value id;
    twx_rc rc = twx_id_of(&s->o, doc, &id);
    if (rc == TWX_OK) rc = twx_value_print(s->job->cx, line, &id);
    twx_signatures_release(s->o.signatures);
    return rc == TWX_DONE ? twx_buf_add_text(s->job->cx, line, "?") : rc;
}

static json_t *id_json(searching *s, int64_t doc) {
    twx_value id;
    json_t *value = twx_id_of(&s->o, doc, &id) == TWX_OK ? twx_json_value(&id) : json_null();
    twx_signatures_release(s->o.signatures);
    return value;
}

/* Flags that rules look at; signatures say nothing to people. */
static bool is_main(const twx_flag *flag) {
    return flag->kind != TWX_FLAG_IS_SIGNATURE;
}

static twx_rc put_flags(shown *x, twx_buf *line) {
    twx_ctx *cx = x->s->job->cx;
    twx_rc rc = x->has_flags ? TWX_OK : twx_buf_add_text(cx, line, " none yet");
    for (size_t i = 0; rc == TWX_OK && x->has_flags && i < TWX_FLAGS; i++) {
        const twx_flag *flag = twx_flag_at(i);
        int64_t v = 0;
        if (!is_main(flag) || !twx_flag_value(flag, &x->flags, &v)) continue;
        rc = twx_buf_printf(cx, line, " %s=", flag->name);
        if (rc != TWX_OK) break;
        if (flag->kind == TWX_FLAG_IS_DOC)
            rc = put_id(x->s, v, line);
        else if (flag->kind == TWX_FLAG_IS_TYPE)
            rc = twx_buf_add_text(cx, line, twx_duplicate_type_name(v));
        else
            rc = twx_buf_printf(cx, line, "%" PRId64, v);
    }
    return rc;
}

static json_t *flags_json(shown *x) {
    json_t *o = json_object();
    for (size_t i = 0; x->has_flags && i < TWX_FLAGS; i++) {
        const twx_flag *flag = twx_flag_at(i);
        int64_t v = 0;
        if (!is_main(flag) || !twx_flag_value(flag, &x->flags, &v)) continue;
        json_object_set_new(o, flag->name,
                            flag->kind == TWX_FLAG_IS_DOC ? id_json(x->s, v)
                            : flag->kind == TWX_FLAG_IS_TYPE
                                ? json_string(twx_duplicate_type_name(v))
                                : json_integer((json_int_t)v));
    }
    return o;
}

/* ---- a plain search: hit after hit -------------------------------------- */

/* "text 3.21 + representative_b:true^10 10" */
static twx_rc put_parts(const search_side *side, size_t i, twx_ctx *cx, twx_buf *line) {
    const size_t n = side->rules.ranking.n_parts;
    twx_rc rc = twx_buf_printf(cx, line, "text %.4g", side->text_scores.at[i]);
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        const double part = side->parts.at[i * n + k];
        if (part == 0) continue;
        rc = twx_buf_add_text(cx, line, " + ");
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, line, twx_ranking_part_text(&side->rules, k));
        if (rc == TWX_OK) rc = twx_buf_printf(cx, line, " %.4g", part);
    }
    return rc;
}

static json_t *parts_json(const search_side *side, size_t i) {
    const size_t n = side->rules.ranking.n_parts;
    json_t *all = json_array();
    for (size_t k = 0; k < n; k++)
        json_array_append_new(all, json_pack("{s:o, s:f}", "rule",
                                             twx_json_slice(twx_ranking_part_text(&side->rules, k)),
                                             "adds", side->parts.at[i * n + k]));
    return all;
}

static twx_rc tell_hit(shown *x, size_t i) {
    searching *s = x->s;
    twx_ctx *cx = s->job->cx;
    twx_buf line;
    twx_buf_init(&line, LINE_BYTES * 8);
    twx_rc rc = twx_buf_printf(cx, &line, "%4zu %10.4f  ", i + 1, x->hit->score);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &line, twx_buf_slice(&x->title));
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &line, "\n                 ");
    if (rc == TWX_OK) rc = put_id(s, x->hit->doc, &line);
    if (rc == TWX_OK)
        rc = twx_buf_printf(cx, &line, "  %s\n                 %s\n                 ",
                            twx_buf_slice(&x->url).p, twx_buf_slice(&x->snippet).p);
    if (rc == TWX_OK) rc = put_parts(&s->sides[0], i, cx, &line);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &line, "\n                ");
    if (rc == TWX_OK) rc = put_flags(x, &line);
    if (rc == TWX_OK) rc = twx_buf_add_char(cx, &line, '\n');
    if (rc == TWX_OK) rc = twx_out_bytes(s->out, twx_buf_slice(&line));
    twx_buf_done(&line);
    return rc;
}

static json_t *hit_json(shown *x, size_t i) {
    searching *s = x->s;
    json_t *o = json_pack("{s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "rank",
                          (json_int_t)i + 1, "score", x->hit->score, "text_score",
                          s->sides[0].text_scores.at[i], "parts", parts_json(&s->sides[0], i), "id",
                          id_json(s, x->hit->doc), "url", twx_json_slice(twx_buf_slice(&x->url)),
                          "title", twx_json_slice(twx_buf_slice(&x->title)), "snippet",
                          twx_json_slice(twx_buf_slice(&x->snippet)), "flags", flags_json(x));
    return o;
}

static size_t shown_of(const searching *s, const search_side *side) {
    return s->shown && s->shown < side->hits.n ? s->shown : side->hits.n;
}

static twx_rc out_of_json(const searching *s) {
    return twx_fail(s->job->cx, TWX_E_NOMEM, "out of memory for JSON");
}

static twx_rc tell_hits(searching *s, json_t *list) {
    shown x;
    twx_rc rc = TWX_OK;
    shown_init(&x, s);
    for (size_t i = 0; rc == TWX_OK && i < shown_of(s, &s->sides[0]); i++) {
        rc = load_hit(&x, &s->sides[0].hits.at[i]);
        if (rc == TWX_OK && list)
            rc = json_array_append_new(list, hit_json(&x, i)) == 0 ? TWX_OK : out_of_json(s);
        else if (rc == TWX_OK)
            rc = tell_hit(&x, i);
        if (rc == TWX_OK) rc = twx_cancelled(s->job->cx);
    }
    shown_done(&x);
    return rc;
}

/* ---- a comparison: the first hits of both sides ------------------------- */

static uint64_t rank_of(const search_side *side, int64_t doc) {
    uint64_t rank = 0;
    return twx_map64_get(&side->ranks, (uint64_t)doc, &rank) ? rank : 0;
}

/* "+3", "-2", "=", "vanished", "new" */
static void put_move(uint64_t a, uint64_t b, char ret_text[24]) {
    if (!b)
        snprintf(ret_text, 24, "vanished");
    else if (!a)
        snprintf(ret_text, 24, "new");
    else if (a == b)
        snprintf(ret_text, 24, "=");
    else
        snprintf(ret_text, 24, "%+" PRId64, (int64_t)(a - b));
}

static void put_rank(uint64_t rank, char ret_text[24]) {
    if (rank)
        snprintf(ret_text, 24, "%" PRIu64, rank);
    else
        snprintf(ret_text, 24, "-");
}

static twx_rc tell_move(shown *x, json_t *list) {
    searching *s = x->s;
    const uint64_t a = rank_of(&s->sides[0], x->hit->doc), b = rank_of(&s->sides[1], x->hit->doc);
    char rank_a[24], rank_b[24], move[24];
    put_rank(a, rank_a);
    put_rank(b, rank_b);
    put_move(a, b, move);
    if (list) {
        json_t *row = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "a",
                                a ? json_integer((json_int_t)a) : json_null(), "b",
                                b ? json_integer((json_int_t)b) : json_null(), "move", move, "id",
                                id_json(s, x->hit->doc), "url",
                                twx_json_slice(twx_buf_slice(&x->url)), "title",
                                twx_json_slice(twx_buf_slice(&x->title)), "flags", flags_json(x));
        return json_array_append_new(list, row) == 0 ? TWX_OK : out_of_json(s);
    }
    return twx_out_text(s->out, "%6s %6s  %-9s %s  %s\n", rank_a, rank_b, move,
                        twx_buf_slice(&x->url).p, twx_buf_slice(&x->title).p);
}

/* B's first hits, then those of A's first that are not among them. */
static twx_rc tell_moves(searching *s, json_t *list) {
    shown x;
    const size_t n_a = shown_of(s, &s->sides[0]), n_b = shown_of(s, &s->sides[1]);
    twx_rc rc = list ? TWX_OK : twx_out_text(s->out, "%6s %6s  %-9s\n", "A", "B", "move");
    shown_init(&x, s);
    for (size_t i = 0; rc == TWX_OK && i < n_a + n_b; i++) {
        const twx_ranked *hit = i < n_b ? &s->sides[1].hits.at[i] : &s->sides[0].hits.at[i - n_b];
        const uint64_t b = rank_of(&s->sides[1], hit->doc);
        if (i >= n_b && b && b <= n_b) continue; /* shown already */
        rc = load_hit(&x, hit);
        if (rc == TWX_OK) rc = tell_move(&x, list);
        if (rc == TWX_OK) rc = twx_cancelled(s->job->cx);
    }
    shown_done(&x);
    return rc;
}

static twx_rc search_one(searching *s) {
    figures f;
    json_t *list = twx_out_is_json(s->out) ? json_array() : NULL;
    const bool two = s->n_sides == SIDES;
    twx_rc rc = run_query(s, twx_slice_of(s->options->query), "");
    if (rc == TWX_OK) rc = make_figures(s, &f);
    if (rc == TWX_OK) rc = two ? tell_moves(s, list) : tell_hits(s, list);
    if (rc == TWX_OK && !list) {
        rc = twx_out_text(s->out, "\n");
        if (rc == TWX_OK) rc = tell_figures(s, &f);
    } else if (rc == TWX_OK) {
        json_t *o = figures_json(s, &f);
        if (o) json_object_set(o, two ? "documents" : "results", list);
        rc = twx_out_json(s->out, o);
    }
    json_decref(list);
    return rc;
}

/* ---- many queries ------------------------------------------------------- */

typedef struct totals {
    size_t queries, with_hits;
    double few[SIDES], many[SIDES]; /* sums of shares, over queries with hits */
    twx_moves moves;
    json_t *list;
} totals;

static void add_figures(const searching *s, const figures *f, totals *t) {
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

static twx_rc tell_row_head(const searching *s) {
    if (s->n_sides < SIDES)
        return twx_out_text(s->out, "%8s %7s %7s  query\n", "hits", "in 10", "in 100");
    return twx_out_text(s->out, "%8s %7s %7s  %8s %7s %7s  %6s %9s %5s %9s  query\n", "hits A",
                        "in 10", "in 100", "hits B", "in 10", "in 100", "moved", "vanished", "new",
                        "clusters-");
}

static twx_rc tell_row(const searching *s, const figures *f) {
    twx_buf line;
    twx_buf_init(&line, LINE_BYTES);
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++)
        rc = twx_buf_printf(s->job->cx, &line, "%8zu %5.0f %% %5.0f %%  ", s->sides[i].hits.n,
                            100 * twx_duplicates_share(&f->few[i]),
                            100 * twx_duplicates_share(&f->many[i]));
    if (rc == TWX_OK && s->n_sides == SIDES)
        rc = twx_buf_printf(s->job->cx, &line, "%6zu %9zu %5zu %9zu  ", f->moves.moved,
                            f->moves.vanished, f->moves.fresh, f->moves.clusters_gone);
    if (rc == TWX_OK) rc = twx_excerpt(s->job->cx, s->query, TITLE_SHOWN, &line);
    if (rc == TWX_OK) rc = twx_buf_add_char(s->job->cx, &line, '\n');
    if (rc == TWX_OK) rc = twx_out_bytes(s->out, twx_buf_slice(&line));
    twx_buf_done(&line);
    return rc;
}

static twx_rc search_line(searching *s, twx_slice line, size_t number, totals *t) {
    char place[400];
    figures f;
    snprintf(place, sizeof place, "%.300s:%zu: ", s->options->queries, number);
    twx_job_progress(s->job, "search", "queries", t->queries, 0);
    twx_rc rc = run_query(s, line, place);
    if (rc == TWX_OK) rc = make_figures(s, &f);
    if (rc != TWX_OK) return rc;
    add_figures(s, &f, t);
    if (t->list)
        return json_array_append_new(t->list, figures_json(s, &f)) == 0 ? TWX_OK : out_of_json(s);
    return tell_row(s, &f);
}

static double mean(double sum, size_t n) {
    return n ? sum / (double)n : 0;
}

static json_t *mean_json(const totals *t, size_t side) {
    return with_shares(json_object(), mean(t->few[side], t->with_hits),
                       mean(t->many[side], t->with_hits));
}

static twx_rc tell_totals(const searching *s, const totals *t) {
    if (t->list) {
        json_t *o = json_pack("{s:O, s:I, s:I, s:o}", "queries", t->list, "queries_n",
                              (json_int_t)t->queries, "queries_with_hits", (json_int_t)t->with_hits,
                              "mean_a", mean_json(t, 0));
        if (o && s->n_sides == SIDES) {
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
    if (rc != TWX_OK || s->n_sides < SIDES) return rc;
    return twx_out_text(s->out,
                        "of A's first 100 %zu moved and %zu vanished, %zu of B's are new; of %zu "
                        "clusters %zu have no hit left\n",
                        t->moves.moved, t->moves.vanished, t->moves.fresh, t->moves.clusters_before,
                        t->moves.clusters_gone);
}

static twx_rc search_many(searching *s) {
    twx_buf bytes = {0};
    totals t = {.list = twx_out_is_json(s->out) ? json_array() : NULL};
    size_t number = 0;
    twx_rc rc = twx_read_file(s->job->cx, s->options->queries, QUERIES_BYTES, &bytes);
    const twx_slice text = twx_buf_slice(&bytes);
    if (rc == TWX_OK && !t.list) rc = tell_row_head(s);
    for (size_t from = 0, to; rc == TWX_OK && from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        const twx_slice line = twx_slice_trim(twx_slice_sub(text, from, to));
        number++;
        if (line.n && line.p[0] != '#') rc = search_line(s, line, number, &t);
    }
    if (rc == TWX_OK) rc = tell_totals(s, &t);
    json_decref(t.list);
    twx_buf_done(&bytes);
    return rc;
}

twx_rc twx_search_documents(const twx_job *job, const twindex_search_options *options,
                            const twx_out *out) {
    searching s = {.job = job,
                   .options = options,
                   .out = out,
                   .n_sides = options->compare ? 2 : 1,
                   .shown = options->limit};
    if (!options->query == !options->queries)
        return twx_fail(job->cx, TWX_E_USAGE, "either a query or a file of queries is needed");
    if (options->queries) s.shown = 1; /* figures only */
    for (size_t i = 0; i < SIDES; i++) twx_map64_init(&s.sides[i].ranks, 0);
    twx_rc rc = open_search(&s);
    if (rc == TWX_OK) rc = options->queries ? search_many(&s) : search_one(&s);
    for (size_t i = 0; i < SIDES; i++) {
        twx_ranking_rules_done(&s.sides[i].rules);
        TWX_VEC_DONE(&s.sides[i].hits);
        TWX_VEC_DONE(&s.sides[i].parts);
        TWX_VEC_DONE(&s.sides[i].text_scores);
        twx_map64_done(&s.sides[i].ranks);
    }
    twx_snippets_close(s.snippets);
    twx_opened_done(&s.o);
    return rc;
}
