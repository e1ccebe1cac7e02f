#include "search/search.h"

#include <stdio.h>
#include <string.h>

#include "search/searching.h"
#include "store/text_index.h"

enum { QUERIES_BYTES = 1 << 20 };

/* ---- opening ------------------------------------------------------------ */

void twx_searching_init(twx_searching *s) {
    for (size_t i = 0; i < TWX_SEARCH_SIDES; i++) twx_map64_init(&s->sides[i].ranks, 0);
    twx_map64_init(&s->shown_of, 0);
    twx_arena_init(&s->shown_arena, 0);
    twx_buf_init(&s->expression, TWX_EXPRESSION_BYTES);
}

static void forget_shown(twx_searching *s) {
    s->shown_texts.n = 0;
    twx_map64_done(&s->shown_of);
    twx_arena_reset(&s->shown_arena);
}

void twx_searching_done(twx_searching *s) {
    for (size_t i = 0; i < TWX_SEARCH_SIDES; i++) {
        twx_ranking_rules_done(&s->sides[i].rules);
        TWX_VEC_DONE(&s->sides[i].hits);
        TWX_VEC_DONE(&s->sides[i].parts);
        TWX_VEC_DONE(&s->sides[i].text_scores);
        twx_map64_done(&s->sides[i].ranks);
    }
    TWX_VEC_DONE(&s->shown_texts);
    twx_map64_done(&s->shown_of);
    twx_arena_done(&s->shown_arena);
    twx_buf_done(&s->expression);
    twx_judged_queries_close(s->judged);
    twx_rule_documents_close(s->documents);
    twx_snippets_close(s->snippets);
    twx_opened_done(&s->o);
}

twx_rc twx_searching_open(twx_searching *s) {
    twx_rc rc = twx_open_store(s->job, TWX_NEED_SOURCE | TWX_NEED_RESULTS, &s->o);
    if (rc == TWX_OK) rc = twx_state_read(s->o.generations, &s->state);
    if (rc == TWX_OK && !s->state.generation)
        rc = twx_fail(s->job->cx, TWX_E_DATA,
                      "%s: no run has published flags yet: run 'twindex run' first",
                      twx_own_path(s->job));
    if (rc == TWX_OK) rc = twx_text_index_require(s->o.writer);
    return rc == TWX_OK ? twx_snippets_open(s->job->cx, &s->snippets) : rc;
}

twx_rc twx_searching_judge(twx_searching *s, const char *judgements) {
    if (!judgements) return TWX_OK;
    return twx_judged_queries_load(s->job, &s->o, s->state.generation, judgements, &s->judged);
}

static twx_rc open_with_rules(twx_searching *s) {
    twx_rc rc = twx_ranking_rules_load(s->job->cx, s->options->rules, &s->sides[0].rules);
    if (rc == TWX_OK && s->n_sides == TWX_SEARCH_SIDES)
        rc = twx_ranking_rules_load(s->job->cx, s->options->compare, &s->sides[1].rules);
    if (rc == TWX_OK) rc = twx_searching_open(s);
    return rc == TWX_OK ? twx_searching_judge(s, s->options->judgements) : rc;
}

/* ---- one query ---------------------------------------------------------- */

typedef struct filling {
    twx_searching *s;
    twx_search_side *side;
} filling;

static twx_rc take_hit(void *arg, const twx_hit *hit) {
    const filling *f = arg;
    twx_ctx *cx = f->s->job->cx;
    twx_search_side *side = f->side;
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

static twx_rc run_side(twx_searching *s, twx_search_side *side) {
    filling f = {s, side};
    const twx_search search = {.query = twx_buf_slice(&s->expression),
                               .generation = s->state.generation,
                               .direct = twx_source_is_direct(s->o.source),
                               .ranking = &side->rules.ranking,
                               .limit = INT64_MAX};
    side->hits.n = side->parts.n = side->text_scores.n = 0;
    twx_map64_done(&side->ranks);
    twx_rc rc = twx_rule_documents_use(s->job, &s->o, &side->rules, &s->documents);
    if (rc == TWX_OK) rc = twx_text_search(s->o.writer, &search, take_hit, &f);
    return rc == TWX_OK ? twx_ranks_of(s->job->cx, &side->hits, &side->ranks) : rc;
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
    forget_shown(s);
    twx_rc rc = s->query.n ? TWX_OK
                           : twx_fail(s->job->cx, TWX_E_DATA, "%sthe query is empty", place);
    if (rc != TWX_OK) return rc;
    rc = twx_text_query(s->o.writer, s->query, s->options->fts5, &s->expression);
    for (size_t i = 0; rc == TWX_OK && i < s->n_sides; i++) rc = run_side(s, &s->sides[i]);
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
        rc = twx_judged_quality(cx, s->judged, s->query, &s->sides[i].hits, &f.quality[i]);
        f.judged = rc == TWX_OK;
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    if (rc == TWX_OK && s->n_sides == TWX_SEARCH_SIDES)
        rc = twx_moves_between(cx, &s->sides[0].hits, &s->sides[1].hits, &f.moves);
    if (rc == TWX_OK) *ret_figures = f;
    return rc;
}

static twx_rc search_one(twx_searching *s, const twx_out *out) {
    twx_search_result result;
    twx_search_result_init(&result);
    twx_rc rc = twx_searching_run(s, twx_slice_of(s->options->query), "");
    if (rc == TWX_OK) rc = twx_searching_figures(s, &result.figures);
    if (rc == TWX_OK) rc = twx_search_list_hits(s, &result);
    if (rc == TWX_OK) rc = twx_result_kept(s->job, &s->o, &s->state);
    if (rc == TWX_OK) rc = twx_search_result_write(out, &result);
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
    const twx_slice text = twx_buf_slice(&bytes);
    if (rc == TWX_OK) rc = twx_query_list_begin(&list, rules, s->n_sides);
    for (size_t from = 0, to; rc == TWX_OK && from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        const twx_slice line = twx_slice_trim(twx_slice_sub(text, from, to));
        number++;
        if (line.n && line.p[0] != '#') rc = search_line(s, line, number, &list);
    }
    if (rc == TWX_OK) rc = twx_result_kept(s->job, &s->o, &s->state);
    if (rc == TWX_OK) twx_judged_queries_unused(s->judged, s->job);
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
    if (options->queries) s.shown = 1; /* figures only */
    twx_searching_init(&s);
    twx_rc rc = open_with_rules(&s);
    if (rc == TWX_OK) rc = options->queries ? search_many(&s, out) : search_one(&s, out);
    twx_searching_done(&s);
    return rc;
}
