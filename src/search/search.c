#include "search/internal.h"

/* ==== search */

/* Of the only side; with two, without parts: those of B, then those of A not among them. */
static TWX_CHECK twx_rc search_list_hits(twx_searching *s, twx_search_result *result);

enum { QUERIES_BYTES = 1 << 20 };

/* ---- opening ------------------------------------------------------------ */

void twx_searching_done(twx_searching *s) {
    for (size_t i = 0; i < TWX_SEARCH_SIDES; i++) {
        twx_ranking_rules_done(&s->sides[i].rules);
        TWX_VEC_DONE(&s->sides[i].hits);
        TWX_VEC_DONE(&s->sides[i].parts);
        twx_map64_done(&s->sides[i].ranks);
    }
    TWX_VEC_DONE(&s->shown_texts);
    twx_map64_done(&s->shown_of);
    twx_arena_done(&s->shown_arena);
    TWX_VEC_DONE(&s->numbered);
    twx_map64_done(&s->number_of);
    twx_text_statistics_done(&s->statistics);
    twx_buf_done(&s->expression);
    twx_buf_done(&s->phrases);
    twx_graded_queries_close(s->judged);
    for (size_t i = 0; s->documents && i < s->set.n; i++) twx_rule_documents_close(s->documents[i]);
    twx_free(s->documents);
    twx_snippets_close(s->snippets);
    twx_store_set_done(&s->set);
}

twx_rc twx_searching_open(twx_searching *s) {
    s->expression.max = s->phrases.max = TWX_EXPRESSION_BYTES;
    twx_rc rc = twx_store_set_open(s->job, TWX_NEED_SOURCE, &s->set);
    /* words of queries are stemmed in the languages of all indexes, as in one index of all */
    uint32_t languages = 0;
    for (size_t i = 0; rc == TWX_OK && i < s->set.n; i++) {
        twx_db *db = s->set.at[i].o.writer;
        rc = twx_text_index_require(db);
        if (rc == TWX_OK) languages |= twx_terms_languages(twx_text_terms(db));
    }
    for (size_t i = 0; rc == TWX_OK && i < s->set.n; i++)
        twx_terms_set_languages(twx_text_terms(s->set.at[i].o.writer), languages);
    if (rc == TWX_OK) s->documents = twx_calloc(s->job->cx, s->set.n, sizeof *s->documents);
    if (rc == TWX_OK && !s->documents) rc = TWX_E_NOMEM;
    return rc == TWX_OK ? twx_snippets_open(s->job->cx, &s->snippets) : rc;
}

twx_rc twx_searching_kept(const twx_searching *s) {
    return twx_store_set_kept(&s->set);
}

twx_rc twx_searching_grade(twx_searching *s, const char *judgements) {
    if (!judgements) return TWX_OK;
    return twx_graded_queries_load(s, judgements, &s->judged);
}

static twx_rc open_with_rules(twx_searching *s) {
    twx_rc rc = twx_ranking_rules_load(s->job->cx, s->options->rules, &s->sides[0].rules);
    if (rc == TWX_OK && s->n_sides == TWX_SEARCH_SIDES)
        rc = twx_ranking_rules_load(s->job->cx, s->options->compare, &s->sides[1].rules);
    if (rc == TWX_OK) rc = twx_searching_open(s);
    return rc == TWX_OK ? twx_searching_grade(s, s->options->judgements) : rc;
}

/* ---- numbers ------------------------------------------------------------ */

static twx_set_document searching_document(const twx_searching *s, int64_t number) {
    return s->set.n == 1 ? (twx_set_document){number, 0} : s->numbered.at[number];
}

/* ---- one query ---------------------------------------------------------- */

static twx_rc take_hit(twx_searching *s, twx_search_side *side, uint32_t store,
                       const twx_hit *hit) {
    twx_ctx *cx = s->job->cx;
    const bool shown = s->together || s->shown == 0 || side->hits.n < s->shown,
               other = s->together && side == &s->sides[1];
    const double *parts = other ? hit->other_parts : hit->parts;
    twx_ranked ranked = {.has_cluster = hit->has_cluster,
                         .takes_part = hit->takes_part,
                         .row = (uint32_t)side->hits.n,
                         .score = other ? hit->other_score : hit->score};
    twx_rc rc = twx_searching_number(s, store, hit->doc, &ranked.doc);
    if (rc == TWX_OK && hit->has_cluster)
        rc = twx_searching_number(s, store, hit->cluster, &ranked.cluster);
    if (rc != TWX_OK) return rc;
    if (!TWX_VEC_PUSH(cx, &side->hits, ranked)) return TWX_E_NOMEM;
    if (!shown) return TWX_OK;
    if (!TWX_VEC_PUSH(cx, &side->parts, hit->text_score)) return TWX_E_NOMEM;
    for (size_t i = 0; i < side->rules.ranking.n_parts; i++)
        if (!TWX_VEC_PUSH(cx, &side->parts, parts[i])) return TWX_E_NOMEM;
    return TWX_OK;
}

/* Opens the list of a store, which is in the order of the side. */
static twx_rc open_list(twx_searching *s, twx_search_side *side, uint32_t store,
                        twx_hit_cursor *list) {
    twx_set_store *m = &s->set.at[store];
    const twx_search search = {.query = twx_buf_slice(&s->expression),
                               .generation = m->state.generation,
                               .direct = twx_source_is_direct(m->o.source),
                               .ranking = &side->rules.ranking,
                               .other = s->together ? &s->sides[1].rules.ranking : NULL,
                               .limit = INT64_MAX};
    twx_rc rc = twx_rule_documents_use(&m->job, &m->o, &side->rules, &s->documents[store]);
    return rc == TWX_OK ? twx_hit_cursor_open(m->o.writer, &search, list) : rc;
}

/* The order of the ids of two hits. One that has no id comes last. */
static twx_rc compare_ids(twx_searching *s, uint32_t a, int64_t a_doc, uint32_t b, int64_t b_doc,
                          int *ret_order) {
    twx_value x = {.type = TWX_BLOB}, y = {.type = TWX_BLOB};
    twx_rc rc = twx_id_of(&s->set.at[a].o, a_doc, &x);
    if (rc == TWX_OK || rc == TWX_DONE) rc = twx_id_of(&s->set.at[b].o, b_doc, &y);
    if (rc == TWX_OK || rc == TWX_DONE) *ret_order = twx_value_compare(&x, &y);
    twx_signatures_release(s->set.at[a].o.signatures);
    twx_signatures_release(s->set.at[b].o.signatures);
    return rc == TWX_DONE ? TWX_OK : rc;
}

#define REPRESENTS(h) ((h)->has_cluster && (h)->cluster == (h)->doc)

/* The order of one store (twx_text_search()), by ids. */
static twx_rc is_before(twx_searching *s, const twx_hit_cursor *lists, uint32_t a, uint32_t b,
                        bool *ret_before) {
    const twx_hit *x = &lists[a].hit, *y = &lists[b].hit;
    int order = 0;
    *ret_before = x->score > y->score;
    if (x->score != y->score) return TWX_OK;
    *ret_before = REPRESENTS(x);
    if (REPRESENTS(x) != REPRESENTS(y)) return TWX_OK;
    const twx_rc rc = compare_ids(s, a, x->doc, b, y->doc, &order);
    *ret_before = order < 0 || (order == 0 && a < b);
    return rc;
}

static twx_rc merge(twx_searching *s, twx_search_side *side, twx_hit_cursor *lists) {
    const uint32_t n = (uint32_t)s->set.n;
    twx_rc rc = TWX_OK;
    for (;;) {
        uint32_t best = n;
        for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
            bool before = best == n;
            if (!lists[i].there) continue;
            if (!before) rc = is_before(s, lists, i, best, &before);
            if (before) best = i;
        }
        if (rc != TWX_OK || best == n) return rc;
        const twx_hit *hit = &lists[best].hit;
        if (hit->passes) rc = take_hit(s, side, best, hit);
        if (rc == TWX_OK && hit->passes_other) rc = take_hit(s, &s->sides[1], best, hit);
        if (rc == TWX_OK) rc = twx_hit_cursor_next(&lists[best]);
        if (rc != TWX_OK) return rc;
    }
}

static twx_rc run_side(twx_searching *s, twx_search_side *side) {
    twx_hit_cursor *lists = twx_calloc(s->job->cx, s->set.n, sizeof *lists);
    twx_rc rc = lists ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < s->set.n; i++) rc = open_list(s, side, i, &lists[i]);
    if (rc == TWX_OK) rc = merge(s, side, lists);
    for (size_t i = 0; lists && i < s->set.n; i++) twx_hit_cursor_close(&lists[i]);
    twx_free(lists);
    return rc;
}

/* The order of twx_text_search() in a store whose document numbers are the ids. */
TWX_ORDER(best_first, twx_ranked,
          TWX_DOWN_THEN(score, REPRESENTS(a) != REPRESENTS(b) ? REPRESENTS(b) - REPRESENTS(a)
                                                              : TWX_UP(doc)))

/* One statement can rank the hits by both sides if these differ in what they make of the flags
 * alone. The parts of all hits are kept until they are sorted, so there must be few of them. */
static bool are_together(const twx_searching *s) {
    enum { FEW_PARTS = 16, SHORT = 1 << 16 };
    const double *weights = s->sides[0].rules.ranking.weight;
    size_t bytes = 0;
    if (s->n_sides < TWX_SEARCH_SIDES || s->set.n > 1 ||
        !twx_source_is_direct(s->set.at[0].o.source))
        return false;
    for (size_t i = 0; i < s->n_sides; i++) {
        const twx_ranking_rules *r = &s->sides[i].rules;
        if (r->sql.n_parts > FEW_PARTS || twx_rules_ask_properties(r->rules) ||
            memcmp(r->ranking.weight, weights, sizeof r->ranking.weight) != 0)
            return false;
        bytes += strlen(r->sql.filter) + strlen(r->sql.score);
    }
    return bytes < SHORT;
}

/* Reports a query that is refused: its place, and the reason. */
static twx_rc fail_query(twx_searching *s, twx_rc rc, const char *place) {
    char reason[TWX_MESSAGE_MAX];
    if (rc != TWX_E_DATA) return rc;
    snprintf(reason, sizeof reason, "%s", s->job->cx->message);
    twx_ctx_clear(s->job->cx);
    return twx_fail(s->job->cx, TWX_E_DATA, "%squery '" TWX_SLICE_FMT "': %.300s%s", place,
                    TWX_SLICE_ARG(s->query), reason,
                    s->options->fts5 ? " (put words with special characters in double quotes)"
                                     : "");
}

twx_rc twx_searching_run(twx_searching *s, twx_slice query, const char *place) {
    s->query = twx_slice_trim(query);
    s->shown_texts.n = 0;
    twx_map64_done(&s->shown_of);
    twx_arena_reset(&s->shown_arena);
    twx_rc rc = s->query.n ? TWX_OK
                           : twx_fail(s->job->cx, TWX_E_DATA, "%sthe query is empty", place);
    if (rc != TWX_OK) return rc;
    rc = twx_text_query(s->set.at[0].o.writer, s->query, s->options->fts5, &s->expression);
    if (rc == TWX_OK && s->set.n > 1) { /* what bm25 needs to know of all indexes together */
        twx_text_statistics_done(&s->statistics);
        rc = twx_text_phrases(s->set.at[0].o.writer, s->query, &s->phrases);
        for (size_t i = 0; rc == TWX_OK && i < s->set.n; i++) {
            twx_db *db = s->set.at[i].o.writer;
            rc = twx_text_statistics_add(db, twx_buf_slice(&s->phrases), &s->statistics);
            twx_text_statistics_use(db, &s->statistics);
        }
    }
    if (rc != TWX_OK) return fail_query(s, rc, place);
    for (size_t i = 0; i < s->n_sides; i++) {
        twx_search_side *side = &s->sides[i];
        side->hits.n = side->parts.n = 0;
        twx_map64_done(&side->ranks);
    }
    s->together = are_together(s);
    for (size_t i = 0; rc == TWX_OK && i < (s->together ? 1 : s->n_sides); i++)
        rc = run_side(s, &s->sides[i]);
    for (size_t i = 0; rc == TWX_OK && s->n_sides > 1 && i < s->n_sides; i++) {
        twx_hits *hits = &s->sides[i].hits;
        if (s->together && hits->n) qsort(hits->at, hits->n, sizeof *hits->at, best_first);
        rc = twx_ranks_of(s->job->cx, hits, &s->sides[i].ranks);
    }
    return fail_query(s, rc, place);
}

twx_rc twx_searching_figures(twx_searching *s, twx_search_figures *ret_figures) {
    twx_search_figures f = {.query = s->query, .n_sides = s->n_sides};
    twx_ctx *cx = s->job->cx;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++) {
        const twx_search_side *side = &s->sides[i];
        twx_duplicates few = {0}, many = {0};
        rc = twx_duplicates_among(cx, &side->hits, TWX_TOP_FEW, &few);
        if (rc == TWX_OK) rc = twx_duplicates_among(cx, &side->hits, TWX_TOP_MANY, &many);
        f.rules[i] = side->rules.path;
        f.hits[i] = side->hits.n;
        f.few[i] = twx_duplicates_share(&few);
        f.many[i] = twx_duplicates_share(&many);
    }
    for (size_t i = 0; rc == TWX_OK && s->judged && i < s->n_sides; i++) {
        rc = twx_graded_quality(cx, s->judged, s->query, &s->sides[i].hits, &f.quality[i]);
        f.judged = rc == TWX_OK;
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    if (rc == TWX_OK && s->n_sides == TWX_SEARCH_SIDES)
        rc = twx_moves_between(cx, &s->sides[0].hits, &s->sides[0].ranks, &s->sides[1].hits,
                               &s->sides[1].ranks, &f.moves);
    if (rc == TWX_OK) *ret_figures = f;
    return rc;
}

static twx_rc search_one(twx_searching *s, const twx_out *out) {
    twx_search_result result = {0};
    twx_rc rc = twx_searching_run(s, twx_slice_of(s->options->query), "");
    if (rc == TWX_OK) rc = twx_searching_figures(s, &result.figures);
    if (rc == TWX_OK) rc = search_list_hits(s, &result);
    if (rc == TWX_OK) rc = twx_searching_kept(s);
    if (rc == TWX_OK) rc = twx_search_result_write(out, &result, s->job->settings->run_notify_all);
    twx_search_result_done(&result);
    return rc;
}

/* ---- many queries ------------------------------------------------------- */

/* A query that FTS5 refuses is reported, and the others are searched all the same. */
static twx_rc refuse_line(twx_searching *s, twx_slice line, twx_query_list *list) {
    char reason[TWX_MESSAGE_MAX];
    snprintf(reason, sizeof reason, "%s", s->job->cx->message);
    twx_ctx_clear(s->job->cx);
    twx_job_message(s->job, TWINDEX_WARNING, "%s", reason);
    return twx_query_list_refuse(list, line, reason);
}

static twx_rc search_line(twx_searching *s, twx_slice line, size_t number, twx_query_list *list) {
    char place[400];
    twx_search_figures f;
    snprintf(place, sizeof place, "%.300s:%zu: ", s->options->queries, number);
    twx_job_progress(s->job, "search", "queries", list->queries, 0);
    twx_rc rc = twx_searching_run(s, line, place);
    if (rc == TWX_E_DATA) return refuse_line(s, line, list);
    if (rc == TWX_OK) rc = twx_searching_figures(s, &f);
    return rc == TWX_OK ? twx_query_list_add(list, &f) : rc;
}

static twx_rc search_many(twx_searching *s, const twx_out *out) {
    const char *const rules[] = {s->sides[0].rules.path, s->sides[1].rules.path};
    twx_query_list list = {.out = out, .judged = s->judged != NULL};
    twx_buf bytes = {0};
    size_t number = 0;
    twx_rc rc = twx_read_file(s->job->cx, s->options->queries, QUERIES_BYTES, &bytes);
    if (rc == TWX_OK) rc = twx_query_list_begin(&list, rules, s->n_sides);
    for (twx_slice rest = twx_buf_slice(&bytes); rc == TWX_OK && rest.n; number++) {
        const twx_slice line = twx_slice_trim(twx_slice_next_line(&rest));
        if (line.n && line.p[0] != '#') rc = search_line(s, line, number + 1, &list);
    }
    if (rc == TWX_OK) rc = twx_searching_kept(s);
    if (rc == TWX_OK) twx_graded_queries_unused(s->judged, s->job);
    if (rc == TWX_OK) rc = twx_query_list_end(&list);
    if (rc == TWX_OK && list.refused)
        rc = twx_fail(s->job->cx, TWX_E_DATA, "%s: %zu of %zu queries could not be searched",
                      s->options->queries, list.refused, list.queries + list.refused);
    twx_query_list_done(&list);
    twx_buf_done(&bytes);
    return rc;
}

twx_rc twx_search_documents(const twx_job *job, const twindex_search_options *options,
                            const twx_out *out) {
    twx_searching s = {.job = job,
                       .options = options,
                       .n_sides = options->compare ? 2 : 1,
                       .shown = options->limit};
    if (!options->query == !options->queries)
        return twx_fail(job->cx, TWX_E_USAGE, "either a query or a file of queries is needed");
    if (options->judgements && !options->queries)
        return twx_fail(job->cx, TWX_E_USAGE, "judgements need a file of queries: --queries FILE");
    if (options->fts5 && job->n_stores > 1)
        return twx_fail(job->cx, TWX_E_USAGE,
                        "--fts5: the scores of such an expression are those of one store; name "
                        "only one");
    if (options->queries) s.shown = 1; /* figures only */
    twx_rc rc = open_with_rules(&s);
    if (rc == TWX_OK) rc = options->queries ? search_many(&s, out) : search_one(&s, out);
    twx_searching_done(&s);
    return rc;
}

/* ==== search_hits */

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

static twx_rc read_hit(shown *x) {
    twx_searching *s = x->s;
    const twx_set_document d = searching_document(s, x->hit->doc);
    twx_set_store *m = &s->set.at[d.store];
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
    twx_searching *s = x->s;
    twx_ctx *cx = s->job->cx;
    twx_arena *arena = &s->shown_arena;
    uint64_t at = 0;
    x->hit = hit;
    if (twx_map64_get(&s->shown_of, (uint64_t)hit->doc, &at)) {
        x->text = s->shown_texts.at[at];
        return TWX_OK;
    }
    twx_rc rc = read_hit(x);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, twx_buf_slice(&x->url), &x->text.url);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, twx_buf_slice(&x->title), &x->text.title);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, twx_buf_slice(&x->snippet), &x->text.snippet);
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &s->shown_texts, x->text)) rc = TWX_E_NOMEM;
    return rc == TWX_OK ? twx_map64_put(cx, &s->shown_of, (uint64_t)hit->doc, s->shown_texts.n - 1)
                        : rc;
}

/* ---- a hit of the result ------------------------------------------------- */

/* The id of a document of a store; NULL: it is gone. */
static twx_rc id_of(shown *x, twx_set_document d, twx_value *ret_id) {
    twx_opened *o = &x->s->set.at[d.store].o;
    twx_value id = {.type = TWX_NULL};
    twx_rc rc = twx_id_of(o, d.doc, &id);
    if (rc == TWX_DONE) id = (twx_value){.type = TWX_NULL};
    *ret_id = id;
    if (rc == TWX_OK || rc == TWX_DONE)
        rc = twx_arena_copy(x->s->job->cx, &x->result->arena, id.bytes, &ret_id->bytes);
    twx_signatures_release(o->signatures);
    return rc;
}

/* The id and store of a document that a store knows from another one that is not searched. */
static twx_rc id_outside(shown *x, const twx_set_store *m, int64_t doc, twx_search_flag *flag) {
    twx_remote remote;
    twx_rc rc = twx_remote_get(m->o.writer, m->state.generation, doc, &x->result->arena, &remote);
    flag->value = (twx_value){.type = TWX_NULL};
    if (rc == TWX_OK) flag->value = remote.id;
    if (rc == TWX_OK) flag->store = remote.shard;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc name_document(shown *x, uint32_t store, twx_search_flag *flag) {
    const twx_store_set *set = &x->s->set;
    twx_set_document d;
    twx_rc rc = twx_store_set_resolve(&x->s->set, store, flag->value.i, &d);
    if (rc != TWX_OK) return rc;
    if (d.store == TWX_SET_OUTSIDE) return id_outside(x, &set->at[store], flag->value.i, flag);
    rc = id_of(x, d, &flag->value);
    if (rc != TWX_OK || d.store == store) return rc;
    return twx_arena_copy(x->s->job->cx, &x->result->arena, set->at[d.store].shard, &flag->store);
}

/* The flags that rules use; signatures are omitted because they mean nothing to users. */
static twx_rc list_flags(shown *x, twx_search_hit *hit) {
    const uint32_t store = searching_document(x->s, x->hit->doc).store;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && hit->has_flags && i < TWX_FLAGS; i++) {
        const twx_flag *flag = twx_flag_at(i);
        twx_search_flag row = {.name = flag->name, .value = {.type = TWX_INT}};
        if (flag->kind == TWX_FLAG_IS_SIGNATURE ||
            !twx_flag_value(flag, &x->text.flags, &row.value.i))
            continue;
        row.is_id = flag->kind == TWX_FLAG_IS_DOC;
        char room[TWX_EDITION_NUMBER_TEXT];
        const char *word = twx_flag_word(flag, row.value.i, room);
        if (word) snprintf(row.word, sizeof row.word, "%s", word);
        if (row.is_id) rc = name_document(x, store, &row);
        if (rc == TWX_OK && !TWX_VEC_PUSH(x->s->job->cx, &hit->flags, row)) rc = TWX_E_NOMEM;
    }
    return rc;
}

static twx_rc list_parts(shown *x, twx_search_hit *hit) {
    const twx_search_side *side = x->alone;
    const size_t n = side->rules.ranking.n_parts;
    const double *parts = side->parts.at + x->hit->row * (n + 1);
    twx_rc rc = TWX_OK;
    hit->text_score = parts[0];
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        twx_search_part part = {.adds = parts[k + 1]};
        rc = twx_arena_copy(x->s->job->cx, &x->result->arena,
                            twx_ranking_part_text(&side->rules, k), &part.rule);
        if (rc == TWX_OK && !TWX_VEC_PUSH(x->s->job->cx, &hit->parts, part)) rc = TWX_E_NOMEM;
    }
    return rc;
}

/* Is there a hit of the same cluster above? (search/graded.c) */
static twx_rc note_cluster(shown *x, bool *ret_duplicate) {
    const uint64_t cluster = (uint64_t)x->hit->cluster;
    *ret_duplicate = x->hit->has_cluster && twx_map64_has(&x->clusters, cluster);
    if (!x->hit->has_cluster || *ret_duplicate) return TWX_OK;
    return twx_map64_put(x->s->job->cx, &x->clusters, cluster, 1);
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
        hit->rank[k] = twx_map64_value(&s->sides[k].ranks, (uint64_t)x->hit->doc, 0);
    const twx_set_document d = searching_document(s, x->hit->doc);
    twx_rc rc = id_of(x, d, &hit->id);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, s->set.at[d.store].shard, &hit->store);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, x->text.url, &hit->url);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, x->text.title, &hit->title);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, x->text.snippet, &hit->snippet);
    if (rc == TWX_OK) rc = list_flags(x, hit);
    if (rc == TWX_OK && x->alone) rc = note_cluster(x, &hit->duplicate);
    return rc == TWX_OK && x->alone ? list_parts(x, hit) : rc;
}

/* ---- the first hits -------------------------------------------------------- */

static size_t shown_of(const twx_searching *s, const twx_hits *hits) {
    return s->shown && s->shown < hits->n ? s->shown : hits->n;
}

twx_rc twx_search_list(twx_searching *s, const twx_search_side *side, const twx_hits *hits,
                       twx_search_result *result) {
    shown x = {.s = s,
               .result = result,
               .alone = side,
               .title = {.max = SHOWN_BYTES},
               .url = {.max = SHOWN_BYTES},
               .snippet = {.max = SHOWN_BYTES}};
    const size_t n = shown_of(s, hits);
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = load_hit(&x, &hits->at[i]);
        if (rc == TWX_OK) rc = add_hit(&x, i);
        if (rc == TWX_OK) rc = twx_cancelled(s->job->cx);
    }
    twx_map64_done(&x.clusters);
    twx_buf_done(&x.title);
    twx_buf_done(&x.url);
    twx_buf_done(&x.snippet);
    return rc;
}

static twx_rc search_list_hits(twx_searching *s, twx_search_result *result) {
    const twx_search_side *a = &s->sides[0], *b = &s->sides[1];
    const size_t n_a = shown_of(s, &a->hits), n_b = shown_of(s, &b->hits);
    twx_hits others = {0};
    if (s->n_sides < TWX_SEARCH_SIDES) return twx_search_list(s, a, &a->hits, result);
    twx_rc rc = twx_search_list(s, NULL, &b->hits, result);
    for (size_t i = 0; rc == TWX_OK && i < n_a; i++) {
        const uint64_t in_b = twx_map64_value(&b->ranks, (uint64_t)a->hits.at[i].doc, 0);
        if (in_b > 0 && in_b <= n_b) continue;
        if (!TWX_VEC_PUSH(s->job->cx, &others, a->hits.at[i])) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) rc = twx_search_list(s, NULL, &others, result);
    TWX_VEC_DONE(&others);
    return rc;
}
