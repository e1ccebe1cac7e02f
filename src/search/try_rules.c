#include "search/try_rules.h"

#include "search/rule_listing.h"
#include "search/searching.h"

/* Messages of the parser begin with it: "rules:3:7: ...". */
static const char RULES[] = "rules";

enum { HITS_MAX = 1000 };

typedef struct side {
    bool failed;
    twx_ctx error; /* of the compiler */
} side;

typedef struct trying {
    const twx_job *job;
    const twindex_try_options *options;
    side sides[TWX_SEARCH_SIDES];
    twx_searching s; /* its sides are those whose rules are correct */
} trying;

/* ---- rules -------------------------------------------------------------- */

/* An error in the text is kept for the answer. */
static twx_rc compile(trying *t, size_t i) {
    const twindex_rules_text *text = &t->options->sides[i];
    twx_ctx *cx = t->job->cx;
    twx_ranking_rules r = {.path = RULES};
    twx_rc rc = twx_ranking_rules_compile(cx, (twx_slice){text->text, text->n}, &r);
    if (rc == TWX_OK) {
        t->s.sides[t->s.n_sides++].rules = r;
        return TWX_OK;
    }
    twx_ranking_rules_done(&r);
    if (rc != TWX_E_CONFIG) return rc;
    t->sides[i].failed = true;
    t->sides[i].error = *cx;
    twx_ctx_clear(cx);
    return TWX_OK;
}

twx_rc twx_check_rules_text(twx_ctx *cx, const twindex_rules_text *text, const twx_out *out) {
    twx_ranking_rules r = {.path = RULES};
    json_t *o = NULL;
    twx_rc rc = twx_ranking_rules_compile(cx, (twx_slice){text->text, text->n}, &r);
    if (rc == TWX_OK) o = json_pack("{s:[]}", "messages");
    if (rc == TWX_E_CONFIG) {
        o = json_pack("{s:[o]}", "messages", twx_rule_error_json(cx->message, RULES));
        twx_ctx_clear(cx);
        rc = TWX_OK;
    }
    twx_ranking_rules_done(&r);
    return rc == TWX_OK ? twx_out_json(out, o) : rc;
}

/* ---- one query ---------------------------------------------------------- */

/* The rank of each hit of side i among all hits of the other one; null: it is none of them. */
static void add_other_ranks(const trying *t, size_t i, const twx_search_result *r, json_t *hits) {
    const twx_search_side *own = &t->s.sides[i], *other = &t->s.sides[1 - i];
    for (size_t k = 0; k < r->hits.n; k++) {
        uint64_t rank = 0;
        const bool has = twx_map64_get(&other->ranks, (uint64_t)own->hits.at[k].doc, &rank);
        json_object_set_new(json_array_get(hits, k), "rank_other",
                            has ? twx_json_count(rank) : json_null());
    }
}

static twx_rc list_side(trying *t, size_t i, const twx_search_figures *figures, json_t **ret_side) {
    twx_search_result r;
    twx_search_result_init(&r);
    twx_rc rc = twx_search_list_side(&t->s, &t->s.sides[i], &r);
    if (rc == TWX_OK) {
        json_t *hits = twx_search_hits_json(&r);
        if (t->s.n_sides > 1) add_other_ranks(t, i, &r, hits);
        *ret_side = json_pack("{s:o, s:o}", "a", twx_search_side_json(figures, i), "results", hits);
    }
    twx_search_result_done(&r);
    return rc;
}

static twx_rc list_sides(trying *t, json_t *sides) {
    twx_search_figures figures;
    size_t ranked = 0;
    twx_rc rc = twx_searching_figures(&t->s, &figures);
    for (size_t i = 0; rc == TWX_OK && i < t->options->n_sides; i++) {
        const char *name = t->options->sides[i].name, *message = t->sides[i].error.message;
        json_t *listed = NULL;
        if (t->sides[i].failed) {
            listed = json_pack("{s:o}", "error", twx_rule_error_json(message, RULES));
        } else {
            figures.rules[ranked] = name;
            rc = list_side(t, ranked++, &figures, &listed);
        }
        if (rc != TWX_OK) return rc;
        json_object_set_new(listed, "name", twx_json_text(name));
        rc = twx_json_append(t->job->cx, sides, listed);
    }
    return rc;
}

static twx_rc search_query(trying *t, const char *text, json_t *ret_results) {
    const twx_slice query = twx_slice_of(text);
    json_t *sides = json_array(),
           *o = json_pack("{s:o, s:o}", "query", twx_json_slice(query), "sides", sides);
    twx_rc rc = twx_json_append(t->job->cx, ret_results, o);
    if (rc == TWX_OK) rc = twx_searching_run(&t->s, query, "");
    if (rc == TWX_OK) return list_sides(t, sides);
    if (rc != TWX_E_DATA) return rc;
    json_object_set_new(o, "error", twx_json_text(t->job->cx->message));
    twx_ctx_clear(t->job->cx);
    return twx_json_made(t->job->cx);
}

/* ---- all of them -------------------------------------------------------- */

static twx_rc search_all(trying *t, const twx_out *out) {
    const twindex_try_options *o = t->options;
    json_t *results = json_array();
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < o->n_queries; i++) {
        twx_job_progress(t->job, "search", "queries", i, o->n_queries);
        rc = search_query(t, o->queries[i], results);
        if (rc == TWX_OK) rc = twx_cancelled(t->job->cx);
    }
    if (rc == TWX_OK) rc = twx_searching_kept(&t->s);
    if (rc == TWX_OK) return twx_out_json(out, json_pack("{s:o}", "results", results));
    json_decref(results);
    return rc;
}

twx_rc twx_try_rules(const twx_job *job, const twindex_try_options *options, const twx_out *out) {
    const twindex_search_options how = {.fts5 = options->fts5};
    trying t = {
        .job = job,
        .options = options,
        .s = {.job = job,
              .options = &how,
              .shown = options->limit && options->limit < HITS_MAX ? options->limit : HITS_MAX}};
    twx_rc rc = TWX_OK;
    if (!options->n_queries || !options->n_sides || options->n_sides > TWX_SEARCH_SIDES)
        return twx_fail(job->cx, TWX_E_USAGE, "at least one query and one or two sides are needed");
    twx_searching_init(&t.s);
    for (size_t i = 0; rc == TWX_OK && i < options->n_sides; i++) rc = compile(&t, i);
    if (rc == TWX_OK) rc = twx_searching_open(&t.s);
    if (rc == TWX_OK && options->judgements) rc = twx_searching_judge(&t.s, options->judgements);
    if (rc == TWX_OK) rc = search_all(&t, out);
    twx_searching_done(&t.s);
    return rc;
}
