#include "search/searching.h"

#include <inttypes.h>
#include <stdio.h>

#include "job/document_label.h"
#include "job/document_scan.h"
#include "judge/flags.h"
#include "report/excerpt.h"

enum { URL_SHOWN = 2000, SNIPPET_SHOWN = 300 };

/* ---- a document --------------------------------------------------------- */

typedef struct shown {
    twx_searching *s;
    const twx_ranked *hit;
    twx_buf title, url, snippet; /* safe to print on a terminal */
    bool there;
    bool has_flags;
    twx_flag_row flags;
} shown;

static void shown_init(shown *x, twx_searching *s) {
    *x = (shown){.s = s};
    twx_buf_init(&x->title, TWX_SEARCH_LINE_BYTES);
    twx_buf_init(&x->url, TWX_SEARCH_LINE_BYTES);
    twx_buf_init(&x->snippet, TWX_SEARCH_LINE_BYTES);
}

static void shown_done(shown *x) {
    twx_buf_done(&x->title);
    twx_buf_done(&x->url);
    twx_buf_done(&x->snippet);
}

/* Appends the text with matches in brackets. */
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
    if (rc == TWX_DONE) rc = TWX_OK; /* changed since it was indexed: the beginning is shown */
    if (rc == TWX_OK) rc = put_marked(cx, title, TWX_SEARCH_TITLE_SHOWN, &x->title);
    return rc == TWX_OK ? put_marked(cx, snippet, SNIPPET_SHOWN, &x->snippet) : rc;
}

static twx_rc load_hit(shown *x, const twx_ranked *hit) {
    twx_searching *s = x->s;
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
static twx_rc put_id(twx_searching *s, int64_t doc, twx_buf *line) {
    twx_value id;
    twx_rc rc = twx_id_of(&s->o, doc, &id);
    if (rc == TWX_OK) rc = twx_value_print(s->job->cx, line, &id);
    twx_signatures_release(s->o.signatures);
    return rc == TWX_DONE ? twx_buf_add_text(s->job->cx, line, "?") : rc;
}

static json_t *id_json(twx_searching *s, int64_t doc) {
    twx_value id;
    json_t *value = twx_id_of(&s->o, doc, &id) == TWX_OK ? twx_json_value(&id) : json_null();
    twx_signatures_release(s->o.signatures);
    return value;
}

/* The flags that rules use; signatures are omitted because they mean nothing to users. */
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

/* ---- a plain search: one hit after another ------------------------------- */

/* "text 3.21 + representative_b:true^10 10" */
static twx_rc put_parts(const twx_search_side *side, size_t i, twx_ctx *cx, twx_buf *line) {
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

static json_t *parts_json(const twx_search_side *side, size_t i) {
    const size_t n = side->rules.ranking.n_parts;
    json_t *all = json_array();
    for (size_t k = 0; k < n; k++)
        json_array_append_new(all, json_pack("{s:o, s:f}", "rule",
                                             twx_json_slice(twx_ranking_part_text(&side->rules, k)),
                                             "adds", side->parts.at[i * n + k]));
    return all;
}

static twx_rc write_hit(shown *x, size_t i) {
    twx_searching *s = x->s;
    twx_ctx *cx = s->job->cx;
    twx_buf line;
    twx_buf_init(&line, TWX_SEARCH_LINE_BYTES * 8);
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
    twx_searching *s = x->s;
    json_t *o = json_pack("{s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "rank",
                          (json_int_t)i + 1, "score", x->hit->score, "text_score",
                          s->sides[0].text_scores.at[i], "parts", parts_json(&s->sides[0], i), "id",
                          id_json(s, x->hit->doc), "url", twx_json_slice(twx_buf_slice(&x->url)),
                          "title", twx_json_slice(twx_buf_slice(&x->title)), "snippet",
                          twx_json_slice(twx_buf_slice(&x->snippet)), "flags", flags_json(x));
    return o;
}

static size_t shown_of(const twx_searching *s, const twx_search_side *side) {
    return s->shown && s->shown < side->hits.n ? s->shown : side->hits.n;
}

twx_rc twx_search_write_hits(twx_searching *s, json_t *list) {
    shown x;
    twx_rc rc = TWX_OK;
    shown_init(&x, s);
    for (size_t i = 0; rc == TWX_OK && i < shown_of(s, &s->sides[0]); i++) {
        rc = load_hit(&x, &s->sides[0].hits.at[i]);
        if (rc == TWX_OK && list)
            rc = json_array_append_new(list, hit_json(&x, i)) == 0 ? TWX_OK
                                                                   : twx_search_out_of_json(s);
        else if (rc == TWX_OK)
            rc = write_hit(&x, i);
        if (rc == TWX_OK) rc = twx_cancelled(s->job->cx);
    }
    shown_done(&x);
    return rc;
}

/* ---- a comparison: the first hits of both sides -------------------------- */

static uint64_t rank_of(const twx_search_side *side, int64_t doc) {
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

static twx_rc write_move(shown *x, json_t *list) {
    twx_searching *s = x->s;
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
        return json_array_append_new(list, row) == 0 ? TWX_OK : twx_search_out_of_json(s);
    }
    return twx_out_text(s->out, "%6s %6s  %-9s %s  %s\n", rank_a, rank_b, move,
                        twx_buf_slice(&x->url).p, twx_buf_slice(&x->title).p);
}

/* The first hits of B, then the first hits of A that are not among them. */
twx_rc twx_search_write_moves(twx_searching *s, json_t *list) {
    shown x;
    const size_t n_a = shown_of(s, &s->sides[0]), n_b = shown_of(s, &s->sides[1]);
    twx_rc rc = list ? TWX_OK : twx_out_text(s->out, "%6s %6s  %-9s\n", "A", "B", "move");
    shown_init(&x, s);
    for (size_t i = 0; rc == TWX_OK && i < n_a + n_b; i++) {
        const twx_ranked *hit = i < n_b ? &s->sides[1].hits.at[i] : &s->sides[0].hits.at[i - n_b];
        const uint64_t b = rank_of(&s->sides[1], hit->doc);
        if (i >= n_b && b && b <= n_b) continue; /* already shown */
        rc = load_hit(&x, hit);
        if (rc == TWX_OK) rc = write_move(&x, list);
        if (rc == TWX_OK) rc = twx_cancelled(s->job->cx);
    }
    shown_done(&x);
    return rc;
}
