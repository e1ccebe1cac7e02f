#include "search/searching.h"

#include "judge/flags.h"
#include "run/document_label.h"
#include "run/document_reader.h"
#include "run/excerpt.h"

enum { URL_SHOWN = 2000, TITLE_SHOWN = 100, SNIPPET_SHOWN = 300, SHOWN_BYTES = 1 << 16 };

/* ---- a document --------------------------------------------------------- */

typedef struct shown {
    twx_searching *s;
    twx_search_result *result;
    const twx_search_side *alone; /* the side whose parts are listed; NULL: two are compared */
    twx_map64 clusters;           /* of the hits listed so far */
    const twx_ranked *hit;
    twx_shown_text text; /* of hit; the slices are the searching's */
    twx_buf title, url, snippet;
    bool there;
} shown;

static void shown_init(shown *x, twx_searching *s, twx_search_result *result) {
    *x = (shown){.s = s, .result = result};
    twx_map64_init(&x->clusters, 0);
    twx_buf_init(&x->title, SHOWN_BYTES);
    twx_buf_init(&x->url, SHOWN_BYTES);
    twx_buf_init(&x->snippet, SHOWN_BYTES);
}

static void shown_done(shown *x) {
    twx_map64_done(&x->clusters);
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
    const twx_snippet_of of = {.query = twx_buf_slice(&x->s->expression),
                               .language = twx_text_language(x->s->job, row),
                               .title = twx_bytes_of(&row->value[TWX_COL_TITLE]),
                               .text = twx_bytes_of(&row->value[TWX_COL_TEXT])};
    twx_slice title = of.title, snippet = of.text;
    *ret_enough = x->there = true;
    twx_rc rc = twx_excerpt(cx, twx_bytes_of(&row->value[TWX_COL_URL]), URL_SHOWN, &x->url);
    if (rc == TWX_OK) rc = twx_snippets_make(x->s->snippets, &of, &title, &snippet);
    if (rc == TWX_DONE) rc = TWX_OK; /* changed since it was indexed: the beginning is shown */
    if (rc == TWX_OK) rc = put_marked(cx, title, TITLE_SHOWN, &x->title);
    return rc == TWX_OK ? put_marked(cx, snippet, SNIPPET_SHOWN, &x->snippet) : rc;
}

static twx_rc keep_text(shown *x) {
    twx_searching *s = x->s;
    twx_ctx *cx = s->job->cx;
    twx_arena *arena = &s->shown_arena;
    twx_rc rc = twx_arena_copy(cx, arena, twx_buf_slice(&x->url), &x->text.url);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, twx_buf_slice(&x->title), &x->text.title);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, twx_buf_slice(&x->snippet), &x->text.snippet);
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &s->shown_texts, x->text)) rc = TWX_E_NOMEM;
    return rc == TWX_OK
               ? twx_map64_put(cx, &s->shown_of, (uint64_t)x->hit->doc, s->shown_texts.n - 1)
               : rc;
}

static twx_rc read_hit(shown *x) {
    twx_searching *s = x->s;
    const twx_set_document d = twx_searching_document(s, x->hit->doc);
    twx_set_member *m = &s->set.at[d.member];
    twx_value id;
    x->there = false;
    twx_buf_clear(&x->title);
    twx_buf_clear(&x->url);
    twx_buf_clear(&x->snippet);
    twx_rc rc = twx_flags_get(m->o.generations, m->state.generation, d.doc, &x->text.flags);
    x->text.has_flags = rc == TWX_OK;
    if (rc == TWX_OK || rc == TWX_DONE) rc = twx_id_of(&m->o, d.doc, &id);
    if (rc == TWX_OK) rc = twx_source_by_id(m->o.source, &id, take_row, x);
    twx_signatures_release(m->o.signatures);
    return twx_label_unreadable(s->job->cx, rc, &x->url);
}

static twx_rc load_hit(shown *x, const twx_ranked *hit) {
    uint64_t at = 0;
    x->hit = hit;
    if (twx_map64_get(&x->s->shown_of, (uint64_t)hit->doc, &at)) {
        x->text = x->s->shown_texts.at[at];
        return TWX_OK;
    }
    twx_rc rc = read_hit(x);
    return rc == TWX_OK ? keep_text(x) : rc;
}

/* ---- a hit of the result ------------------------------------------------- */

static twx_rc copy_value(shown *x, const twx_value *v, twx_value *ret_copy) {
    *ret_copy = *v;
    return twx_arena_copy(x->s->job->cx, &x->result->arena, v->bytes, &ret_copy->bytes);
}

/* The id of a document of a member; NULL: it is gone. */
static twx_rc id_of(shown *x, twx_set_document d, twx_value *ret_id) {
    twx_opened *o = &x->s->set.at[d.member].o;
    twx_value id = {.type = TWX_NULL};
    twx_rc rc = twx_id_of(o, d.doc, &id);
    if (rc == TWX_DONE) id = (twx_value){.type = TWX_NULL};
    if (rc == TWX_OK || rc == TWX_DONE) rc = copy_value(x, &id, ret_id);
    twx_signatures_release(o->signatures);
    return rc;
}

/* The id and store of a document that a member knows from another store that is not searched. */
static twx_rc id_outside(shown *x, const twx_set_member *m, int64_t doc, twx_search_flag *flag) {
    twx_remote remote;
    twx_rc rc = twx_remote_get(m->o.writer, m->state.generation, doc, &x->result->arena, &remote);
    flag->value = (twx_value){.type = TWX_NULL};
    if (rc == TWX_OK) flag->value = remote.id;
    if (rc == TWX_OK) flag->store = remote.shard;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The document that a flag of a hit names. */
static twx_rc name_document(shown *x, uint32_t member, twx_search_flag *flag) {
    const twx_store_set *set = &x->s->set;
    twx_set_document d;
    twx_rc rc = twx_store_set_resolve(&x->s->set, member, flag->value.i, &d);
    if (rc != TWX_OK) return rc;
    if (d.member == TWX_SET_OUTSIDE) return id_outside(x, &set->at[member], flag->value.i, flag);
    rc = id_of(x, d, &flag->value);
    if (rc != TWX_OK || d.member == member) return rc;
    return twx_arena_copy(x->s->job->cx, &x->result->arena, set->at[d.member].shard, &flag->store);
}

/* The flags that rules use; signatures are omitted because they mean nothing to users. */
static bool is_main(const twx_flag *flag) {
    return flag->kind != TWX_FLAG_IS_SIGNATURE;
}

static twx_rc list_flags(shown *x, twx_search_hit *hit) {
    const uint32_t member = twx_searching_document(x->s, x->hit->doc).member;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && hit->has_flags && i < TWX_FLAGS; i++) {
        const twx_flag *flag = twx_flag_at(i);
        twx_search_flag row = {.name = flag->name, .value = {.type = TWX_INT}};
        if (!is_main(flag) || !twx_flag_value(flag, &x->text.flags, &row.value.i)) continue;
        row.is_id = flag->kind == TWX_FLAG_IS_DOC;
        if (flag->kind == TWX_FLAG_IS_TYPE) row.word = twx_duplicate_type_name(row.value.i);
        if (row.is_id) rc = name_document(x, member, &row);
        if (rc == TWX_OK && !TWX_VEC_PUSH(x->s->job->cx, &hit->flags, row)) rc = TWX_E_NOMEM;
    }
    return rc;
}

/* Of hit i of the side. */
static twx_rc list_parts(shown *x, size_t i, twx_search_hit *hit) {
    const twx_search_side *side = x->alone;
    const size_t n = side->rules.ranking.n_parts;
    twx_rc rc = TWX_OK;
    hit->text_score = side->text_scores.at[i];
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        twx_search_part part = {.adds = side->parts.at[i * n + k]};
        rc = twx_arena_copy(x->s->job->cx, &x->result->arena,
                            twx_ranking_part_text(&side->rules, k), &part.rule);
        if (rc == TWX_OK && !TWX_VEC_PUSH(x->s->job->cx, &hit->parts, part)) rc = TWX_E_NOMEM;
    }
    return rc;
}

static uint64_t rank_of(const twx_search_side *side, int64_t doc) {
    uint64_t rank = 0;
    return twx_map64_get(&side->ranks, (uint64_t)doc, &rank) ? rank : 0;
}

/* Is there a hit of the same cluster above? (search/hits.h) */
static twx_rc note_cluster(shown *x, bool *ret_duplicate) {
    uint64_t first = 0;
    *ret_duplicate = x->hit->has_cluster &&
                     twx_map64_get(&x->clusters, (uint64_t)x->hit->cluster, &first);
    if (!x->hit->has_cluster || *ret_duplicate) return TWX_OK;
    return twx_map64_put(x->s->job->cx, &x->clusters, (uint64_t)x->hit->cluster, 1);
}

/* Adds the document that was loaded to the result. i: its place, if the side is alone. */
static twx_rc add_hit(shown *x, size_t i) {
    twx_searching *s = x->s;
    twx_ctx *cx = s->job->cx;
    twx_arena *arena = &x->result->arena;
    const twx_search_hit none = {.score = x->hit->score, .has_flags = x->text.has_flags};
    if (!TWX_VEC_PUSH(cx, &x->result->hits, none)) return TWX_E_NOMEM;
    twx_search_hit *hit = &x->result->hits.at[x->result->hits.n - 1];
    hit->rank[0] = i + 1;
    for (size_t k = 0; !x->alone && k < s->n_sides; k++)
        hit->rank[k] = rank_of(&s->sides[k], x->hit->doc);
    const twx_set_document d = twx_searching_document(s, x->hit->doc);
    twx_rc rc = id_of(x, d, &hit->id);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, s->set.at[d.member].shard, &hit->store);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, x->text.url, &hit->url);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, x->text.title, &hit->title);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, x->text.snippet, &hit->snippet);
    if (rc == TWX_OK) rc = list_flags(x, hit);
    if (rc == TWX_OK && x->alone) rc = note_cluster(x, &hit->duplicate);
    return rc == TWX_OK && x->alone ? list_parts(x, i, hit) : rc;
}

/* ---- the first hits -------------------------------------------------------- */

static size_t shown_of(const twx_searching *s, const twx_search_side *side) {
    return s->shown && s->shown < side->hits.n ? s->shown : side->hits.n;
}

static twx_rc add_document(shown *x, const twx_ranked *hit, size_t i) {
    twx_rc rc = load_hit(x, hit);
    if (rc == TWX_OK) rc = add_hit(x, i);
    return rc == TWX_OK ? twx_cancelled(x->s->job->cx) : rc;
}

twx_rc twx_search_list_side(twx_searching *s, const twx_search_side *side,
                            twx_search_result *result) {
    shown x;
    const size_t n = shown_of(s, side);
    twx_rc rc = TWX_OK;
    shown_init(&x, s, result);
    x.alone = side;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = add_document(&x, &side->hits.at[i], i);
    shown_done(&x);
    return rc;
}

twx_rc twx_search_list_hits(twx_searching *s, twx_search_result *result) {
    shown x;
    const twx_search_side *a = &s->sides[0], *b = &s->sides[1];
    const size_t n_a = shown_of(s, a), n_b = shown_of(s, b);
    twx_rc rc = TWX_OK;
    if (s->n_sides < TWX_SEARCH_SIDES) return twx_search_list_side(s, a, result);
    shown_init(&x, s, result);
    for (size_t i = 0; rc == TWX_OK && i < n_b; i++) rc = add_document(&x, &b->hits.at[i], i);
    for (size_t i = 0; rc == TWX_OK && i < n_a; i++) {
        const uint64_t in_b = rank_of(b, a->hits.at[i].doc);
        if (in_b == 0 || in_b > n_b) rc = add_document(&x, &a->hits.at[i], i);
    }
    shown_done(&x);
    return rc;
}
