#include "search/internal.h"

/* ==== try_rules */

/* Messages of the parser begin with it: "rules:3:7: ...". */
static const char RULES[] = "rules";

enum { HITS_MAX = 1000, GONE_MAX = 20, STATEMENT_BYTES = 1 << 20 };

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
static twx_rc compile_rules(trying *t, size_t i) {
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

static twx_rc correct_json(twx_ctx *cx, const twx_ranking_rules *r, json_t **ret_json) {
    const bool only_here = twx_rules_ask_properties(r->rules);
    twx_buf sql = {.max = STATEMENT_BYTES};
    twx_rc rc = twx_search_statement(cx, r->sql.filter, r->sql.score, &sql);
    if (rc == TWX_OK)
        *ret_json = json_pack("{s:[], s:o, s:o}", "messages", "sql",
                              only_here ? json_null() : twx_json_slice(twx_buf_slice(&sql)),
                              "where", twx_json_text(only_here ? NULL : r->sql.filter));
    twx_buf_done(&sql);
    return rc;
}

twx_rc twx_check_rules_text(twx_ctx *cx, const twindex_rules_text *text, const twx_out *out) {
    twx_ranking_rules r = {.path = RULES};
    json_t *o = NULL;
    twx_rc rc = twx_ranking_rules_compile(cx, (twx_slice){text->text, text->n}, &r);
    if (rc == TWX_OK) rc = correct_json(cx, &r, &o);
    if (rc == TWX_E_CONFIG) {
        o = json_pack("{s:[o]}", "messages", twx_rule_error_json(cx->message, RULES));
        twx_ctx_clear(cx);
        rc = TWX_OK;
    }
    twx_ranking_rules_done(&r);
    return rc == TWX_OK ? twx_out_json(out, o) : rc;
}

/* ---- one query ---------------------------------------------------------- */

/* The rank of each hit of side i among all hits of the other one; null: it is not among them. */
static void add_other_ranks(const trying *t, size_t i, const twx_search_result *r, json_t *hits) {
    const twx_search_side *own = &t->s.sides[i], *other = &t->s.sides[1 - i];
    for (size_t k = 0; k < r->hits.n; k++) {
        const uint64_t rank = twx_map64_value(&other->ranks, (uint64_t)own->hits.at[k].doc, 0);
        json_object_set_new(json_array_get(hits, k), "rank_other",
                            rank ? twx_json_count(rank) : json_null());
    }
}

static twx_rc list_side(trying *t, size_t i, const twx_search_figures *figures, json_t **ret_side) {
    twx_search_result r = {0};
    twx_rc rc = twx_search_list(&t->s, &t->s.sides[i], &t->s.sides[i].hits, &r);
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

/* How many clusters of A's hits no hit of B is left of, and the first hits of these. */
static twx_rc list_gone(trying *t, json_t *ret_result) {
    const size_t shown = t->s.shown;
    twx_moves moves = {0};
    twx_hits gone = {0};
    twx_search_result r = {0};
    twx_rc rc = twx_hits_gone(t->job->cx, &t->s.sides[0].hits, &t->s.sides[1].hits, &moves, &gone);
    t->s.shown = GONE_MAX;
    if (rc == TWX_OK) rc = twx_search_list(&t->s, NULL, &gone, &r);
    t->s.shown = shown;
    if (rc == TWX_OK)
        json_object_set_new(
            ret_result, "gone",
            json_pack("{s:o, s:o, s:o}", "clusters", twx_json_count(moves.clusters_before), "gone",
                      twx_json_count(moves.clusters_gone), "hits", twx_search_hits_json(&r)));
    twx_search_result_done(&r);
    TWX_VEC_DONE(&gone);
    return rc == TWX_OK ? twx_json_made(t->job->cx) : rc;
}

static twx_rc search_query(trying *t, const char *text, json_t *ret_results) {
    const twx_slice query = twx_slice_of(text);
    json_t *sides = json_array(),
           *o = json_pack("{s:o, s:o}", "query", twx_json_slice(query), "sides", sides);
    twx_rc rc = twx_json_append(t->job->cx, ret_results, o);
    if (rc == TWX_OK) rc = twx_searching_run(&t->s, query, "");
    if (rc == TWX_OK) {
        rc = list_sides(t, sides);
        return rc == TWX_OK && t->s.n_sides > 1 ? list_gone(t, o) : rc;
    }
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
    for (size_t i = 0; rc == TWX_OK && i < options->n_sides; i++) rc = compile_rules(&t, i);
    if (rc == TWX_OK) rc = twx_searching_open(&t.s);
    if (rc == TWX_OK && options->judgements) rc = twx_searching_grade(&t.s, options->judgements);
    if (rc == TWX_OK) rc = search_all(&t, out);
    twx_searching_done(&t.s);
    return rc;
}

/* ==== tune */

/* Tries all combinations of values for named numbers of a rules file, and ranks them by relevance
 * judgements. The rules are compiled once for each combination, with the values in place of those
 * of [numbers], and all queries with judgements are searched with them. */

enum { TWX_VARIED_MAX = 8, VALUES_MAX = 100, TWX_COMBINATIONS = 1000, QUERIES_BYTES = 1 << 20 };

typedef struct twx_tuned {
    double values[TWX_VARIED_MAX];
    size_t place; /* in the order in which the combinations were tried */
    twx_interval ndcg, mrr, duplicates;
    twx_interval change; /* of nDCG: paired differences to the file as it is */
    bool allowed;        /* the share of duplicates is not above the limit */
} twx_tuned;

typedef struct twx_varied {
    char name[TWX_RULES_NAME];
    double values[VALUES_MAX];
    size_t n;
} twx_varied;

typedef struct tuning {
    const twx_job *job;
    const twindex_tune_options *options;
    twx_varied varied[TWX_VARIED_MAX];
    twx_rule_number numbers[TWX_VARIED_MAX]; /* of the combination that is tried */
    twx_buf queries_text, rules_text;
    TWX_VEC(twx_slice) queries; /* after the first combination those with relevance judgements */
    twx_searching s;
    twx_query_quality unchanged;     /* of the file as it is */
    twx_tuned file;                  /* the values of the file itself */
    TWX_VEC(twx_tuned) combinations; /* best first */
} tuning;

TWX_ORDER(best_first, twx_tuned,
          TWX_DOWN_THEN(allowed,
                        TWX_DOWN_THEN(ndcg.mean, TWX_UP_THEN(duplicates.mean, TWX_UP(place)))))

static const twx_tuned *best(const tuning *t) {
    return t->combinations.n && t->combinations.at[0].allowed ? &t->combinations.at[0] : NULL;
}

static size_t shown(const tuning *t) {
    const size_t n = t->combinations.n, limit = t->options->limit; /* 0: all */
    return limit && limit < n ? limit : n;
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *tuned_json(const tuning *t, const twx_tuned *c) {
    json_t *values = json_object();
    for (size_t i = 0; i < t->options->n_vary; i++)
        json_object_set_new(values, t->varied[i].name, json_real(c->values[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "values", values, "ndcg_10",
                     twx_interval_json(&c->ndcg), "change", twx_interval_json(&c->change), "mrr",
                     twx_interval_json(&c->mrr), "duplicates_in_10",
                     twx_interval_json(&c->duplicates), "allowed", (int)c->allowed);
}

static json_t *tuning_json(const tuning *t) {
    json_t *all = json_array();
    for (size_t i = 0; i < shown(t); i++)
        json_array_append_new(all, tuned_json(t, &t->combinations.at[i]));
    return json_pack("{s:o, s:o, s:o, s:f, s:o, s:o, s:o}", "rules",
                     twx_json_text(t->options->rules), "queries", twx_json_count(t->queries.n),
                     "combinations", twx_json_count(t->combinations.n), "max_duplicates",
                     t->options->max_duplicates, "file", tuned_json(t, &t->file), "best",
                     best(t) ? tuned_json(t, best(t)) : json_null(), "results", all);
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_values(const twx_out *out, const tuning *t, const twx_tuned *c) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < t->options->n_vary; i++)
        rc = twx_out_text(out, "%s%s=%g", i ? " " : "", t->varied[i].name, c->values[i]);
    return rc;
}

static twx_rc write_row(const twx_out *out, const tuning *t, const twx_tuned *c) {
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

static twx_rc write_best(const twx_out *out, const tuning *t) {
    if (!best(t))
        return twx_out_text(out,
                            "\nno combination has at most %.1f %% duplicates in the first 10\n",
                            100 * t->options->max_duplicates);
    twx_rc rc = twx_out_text(out, "\nbest: ");
    if (rc == TWX_OK) rc = write_values(out, t, best(t));
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

static twx_rc write_tuning(const twx_out *out, const tuning *t) {
    const size_t n = t->combinations.n;
    if (twx_out_is_json(out)) return twx_out_json(out, tuning_json(t));
    twx_rc rc = twx_out_text(out, "%s: %zu %s, %zu judged %s\n\n%8s %8s %18s %7s %8s   values\n",
                             t->options->rules, n, twx_plural(n, "combination", "combinations"),
                             t->queries.n, twx_plural(t->queries.n, "query", "queries"), "nDCG@10",
                             "change", "95 % interval", "MRR", "in 10");
    if (rc == TWX_OK) rc = write_row(out, t, &t->file);
    for (size_t i = 0; rc == TWX_OK && i < shown(t); i++)
        rc = write_row(out, t, &t->combinations.at[i]);
    if (rc == TWX_OK && shown(t) < n)
        rc = twx_out_text(out, "  ... and %zu more (--limit)\n", n - shown(t));
    /* has a row that is shown a mark? those that are not allowed come last */
    const bool marked = !t->file.allowed || (shown(t) && !t->combinations.at[shown(t) - 1].allowed);
    if (rc == TWX_OK && marked)
        rc = twx_out_text(out, "! more duplicates in the first 10 than %.1f %%\n",
                          100 * t->options->max_duplicates);
    return rc == TWX_OK ? write_best(out, t) : rc;
}

/* ---- the values ------------------------------------------------------------ */

static twx_rc read_value(twx_ctx *cx, const char *text, twx_slice word, double *ret_value) {
    const bool negative = twx_slice_starts(word, TWX_SLICE_LIT("-"));
    if (!twx_rule_real(twx_slice_sub(word, negative, word.n), ret_value))
        return twx_fail(cx, TWX_E_USAGE, "--vary %.100s: '" TWX_SLICE_FMT "' is not a number", text,
                        TWX_SLICE_ARG(word));
    if (negative) *ret_value = -*ret_value;
    return TWX_OK;
}

/* Reads "NAME=1,2.5,-3". Errors TWX_E_USAGE */
static twx_rc varied_parse(twx_ctx *cx, const char *text, twx_varied *ret_varied) {
    const twx_slice all = twx_slice_of(text);
    const size_t equals = twx_slice_find(all, '=', 0);
    twx_varied v = {.n = 0};
    twx_rc rc = TWX_OK;
    if (equals == 0 || equals >= all.n || equals >= sizeof v.name)
        return twx_fail(cx, TWX_E_USAGE, "--vary takes NAME=VALUE,VALUE,..., not '%.100s'", text);
    memcpy(v.name, all.p, equals);
    for (size_t from = equals + 1, to; rc == TWX_OK && from <= all.n; from = to + 1) {
        to = twx_slice_find(all, ',', from);
        if (v.n == VALUES_MAX)
            return twx_fail(cx, TWX_E_USAGE, "--vary %.60s: more than %d values", v.name,
                            VALUES_MAX);
        rc = read_value(cx, text, twx_slice_trim(twx_slice_sub(all, from, to)), &v.values[v.n++]);
    }
    if (rc == TWX_OK) *ret_varied = v;
    return rc;
}

static twx_rc read_varied(tuning *t) {
    twx_ctx *cx = t->job->cx;
    size_t combinations = 1;
    if (t->options->n_vary == 0 || t->options->n_vary > TWX_VARIED_MAX)
        return twx_fail(cx, TWX_E_USAGE, "give --vary NAME=LIST, once for each of 1 to %d numbers",
                        TWX_VARIED_MAX);
    for (size_t i = 0; i < t->options->n_vary; i++) {
        twx_rc rc = varied_parse(cx, t->options->vary[i], &t->varied[i]);
        if (rc != TWX_OK) return rc;
        for (size_t k = 0; k < i; k++)
            if (strcmp(t->varied[k].name, t->varied[i].name) == 0)
                return twx_fail(cx, TWX_E_USAGE, "--vary %s is given twice", t->varied[i].name);
        memcpy(t->numbers[i].name, t->varied[i].name, sizeof t->numbers[i].name);
        combinations *= t->varied[i].n;
        if (combinations > TWX_COMBINATIONS)
            return twx_fail(cx, TWX_E_USAGE,
                            "more than %d combinations of the values of --vary: shorten the lists, "
                            "or vary fewer numbers at a time",
                            TWX_COMBINATIONS);
    }
    return TWX_OK;
}

/* Sets the values of a combination; the last number varies fastest. */
static void choose(tuning *t, size_t place) {
    for (size_t i = t->options->n_vary; i-- > 0;) {
        t->numbers[i].value = t->varied[i].values[place % t->varied[i].n];
        place /= t->varied[i].n;
    }
}

/* ---- searching -------------------------------------------------------------- */

static twx_rc compile(tuning *t, bool varied) {
    twx_ranking_rules *rules = &t->s.sides[0].rules;
    twx_ranking_rules_done(rules);
    rules->path = t->options->rules;
    rules->numbers = t->numbers;
    rules->n_numbers = varied ? t->options->n_vary : 0;
    return twx_ranking_rules_compile(t->job->cx, twx_buf_slice(&t->rules_text), rules);
}

/* ret_judged false: there are no relevance judgements of the query, or it is wrong, which is
 * reported. */
static twx_rc try_query(tuning *t, twx_slice query, twx_query_quality *quality, bool *ret_judged) {
    twx_search_figures f;
    char place[400];
    *ret_judged = false;
    snprintf(place, sizeof place, "%.300s: ", t->options->queries);
    twx_rc rc = twx_searching_run(&t->s, query, place);
    if (rc == TWX_E_DATA) {
        twx_job_message(t->job, TWINDEX_WARNING, "%s", t->job->cx->message);
        twx_ctx_clear(t->job->cx);
        return TWX_OK;
    }
    if (rc == TWX_OK) rc = twx_searching_figures(&t->s, &f);
    if (rc != TWX_OK || !f.judged) return rc;
    *ret_judged = true;
    return twx_query_quality_add(t->job->cx, quality, 1, f.quality, f.few);
}

/* Searches all queries, and drops those without relevance judgements. */
static twx_rc try_queries(tuning *t, twx_query_quality *quality) {
    size_t kept = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < t->queries.n; i++) {
        bool judged = false;
        rc = try_query(t, t->queries.at[i], quality, &judged);
        if (judged) t->queries.at[kept++] = t->queries.at[i];
        if (rc == TWX_OK) rc = twx_cancelled(t->job->cx);
    }
    if (rc == TWX_OK) t->queries.n = kept;
    return rc;
}

static twx_tuned measure(const tuning *t, const twx_query_quality *q) {
    twx_tuned c = {
        .ndcg = twx_query_quality_mean(q, 0, TWX_NDCG),
        .mrr = twx_query_quality_mean(q, 0, TWX_MRR),
        .duplicates = twx_query_quality_mean(q, 0, TWX_DUPLICATES),
        .change = twx_query_quality_difference(&t->unchanged.of[0][TWX_NDCG], &q->of[0][TWX_NDCG])};
    c.allowed = c.duplicates.mean <= t->options->max_duplicates;
    return c;
}

static void read_file_values(tuning *t, twx_tuned *c) {
    size_t n = 0;
    const twx_rule_number *numbers = twx_rules_numbers(t->s.sides[0].rules.rules, &n);
    for (size_t i = 0; i < t->options->n_vary; i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(numbers[k].name, t->numbers[i].name) == 0) c->values[i] = numbers[k].value;
}

static twx_rc try_file(tuning *t) {
    twx_rc rc = compile(t, false);
    if (rc == TWX_OK) rc = try_queries(t, &t->unchanged);
    if (rc == TWX_OK) twx_graded_queries_unused(t->s.judged, t->job);
    if (rc == TWX_OK && t->queries.n == 0)
        rc = twx_fail(t->job->cx, TWX_E_DATA,
                      "%.300s: none of its queries has judgements in %.300s", t->options->queries,
                      t->options->judgements);
    if (rc != TWX_OK) return rc;
    t->file = measure(t, &t->unchanged);
    read_file_values(t, &t->file);
    return TWX_OK;
}

static twx_rc try_combination(tuning *t, size_t place) {
    twx_query_quality q = {0};
    choose(t, place);
    twx_rc rc = compile(t, true);
    if (rc == TWX_OK) rc = try_queries(t, &q);
    twx_tuned c = measure(t, &q);
    twx_query_quality_done(&q);
    if (rc != TWX_OK) return rc;
    c.place = place;
    for (size_t i = 0; i < t->options->n_vary; i++) c.values[i] = t->numbers[i].value;
    return TWX_VEC_PUSH(t->job->cx, &t->combinations, c) ? TWX_OK : TWX_E_NOMEM;
}

/* ---- the job ---------------------------------------------------------------- */

static twx_rc try_all(tuning *t) {
    size_t combinations = 1;
    choose(t, 0);
    twx_rc rc = compile(t, true); /* reports unknown numbers before anything is searched */
    if (rc == TWX_OK) rc = twx_searching_open(&t->s);
    if (rc == TWX_OK) rc = twx_searching_grade(&t->s, t->options->judgements);
    if (rc == TWX_OK) rc = try_file(t);
    for (size_t i = 0; i < t->options->n_vary; i++) combinations *= t->varied[i].n;
    for (size_t i = 0; rc == TWX_OK && i < combinations; i++) {
        twx_job_progress(t->job, "tune", "combinations", i, combinations);
        rc = try_combination(t, i);
    }
    if (rc == TWX_OK) rc = twx_searching_kept(&t->s);
    if (rc == TWX_OK && t->combinations.n)
        qsort(t->combinations.at, t->combinations.n, sizeof *t->combinations.at, best_first);
    return rc;
}

twx_rc twx_tune(const twx_job *job, const twindex_tune_options *options, const twx_out *out) {
    const twindex_search_options how = {.fts5 = options->fts5};
    tuning t = {.job = job,
                .options = options,
                .s = {.job = job, .options = &how, .n_sides = 1, .shown = 1}};
    if (!options->rules || !options->queries || !options->judgements)
        return twx_fail(job->cx, TWX_E_USAGE,
                        "--rules, --queries and --judgements are needed: the file that is tuned, "
                        "and by what");
    twx_rc rc = read_varied(&t);
    if (rc == TWX_OK) rc = twx_read_file(job->cx, options->rules, TWX_RULES_BYTES, &t.rules_text);
    if (rc == TWX_OK) rc = twx_read_file(job->cx, options->queries, QUERIES_BYTES, &t.queries_text);
    for (twx_slice rest = twx_buf_slice(&t.queries_text); rc == TWX_OK && rest.n;) {
        const twx_slice line = twx_slice_trim(twx_slice_next_line(&rest));
        if (line.n && line.p[0] != '#' && !TWX_VEC_PUSH(job->cx, &t.queries, line))
            rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) rc = try_all(&t);
    if (rc == TWX_OK) rc = write_tuning(out, &t);
    if (rc == TWX_OK && t.combinations.n && !t.combinations.at[0].allowed) rc = TWX_E_DOUBT;
    twx_query_quality_done(&t.unchanged);
    twx_searching_done(&t.s);
    TWX_VEC_DONE(&t.queries);
    TWX_VEC_DONE(&t.combinations);
    twx_buf_done(&t.queries_text);
    twx_buf_done(&t.rules_text);
    return rc;
}
