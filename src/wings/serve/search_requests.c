/* Queries ranked by the rules in the editors. */
#include "serve/exchange.h"

/* The whole answer is in memory: some kilobytes for each hit that is listed. */
enum { QUERIES_MAX = 1000, LIMIT = 10, LIMIT_MAX = 1000, LISTED_MAX = 20000 };

typedef struct search_request {
    json_t *body;
    const char **queries; /* in the arena; the texts are in the body */
    twindex_try_options options;
} search_request;

static twx_rc read_query(twx_exchange *x, const json_t *value, search_request *r) {
    if (!json_is_string(value)) return twx_fail(x->cx, TWX_E_USAGE, "a query is not a text");
    r->queries[r->options.n_queries++] = json_string_value(value);
    return TWX_OK;
}

/* "query", or "queries", a list */
static twx_rc read_queries(twx_exchange *x, search_request *r) {
    const json_t *one = json_object_get(r->body, "query"),
                 *list = json_object_get(r->body, "queries");
    const size_t n = one ? 1 : json_array_size(list);
    if (n == 0 || n > QUERIES_MAX)
        return twx_fail(x->cx, TWX_E_USAGE, "'query' or 'queries' must give 1 to %d queries",
                        QUERIES_MAX);
    r->queries = twx_arena_alloc(x->cx, x->arena, n, sizeof *r->queries);
    twx_rc rc = r->queries ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = read_query(x, one ? one : json_array_get(list, i), r);
    r->options.queries = r->queries;
    return rc;
}

static twx_rc read_side(twx_exchange *x, const json_t *value, twindex_rules_text *ret_side) {
    twx_rc rc = twx_member_needs(x->cx, value, "name", &ret_side->name);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, value, "text", &ret_side->text);
    if (rc == TWX_OK) ret_side->n = json_string_length(json_object_get(value, "text"));
    return rc;
}

static twx_rc read_sides(twx_exchange *x, search_request *r) {
    const json_t *list = json_object_get(r->body, "rules");
    const size_t n = json_array_size(list);
    twx_rc rc = TWX_OK;
    if (n == 0 || n > TWINDEX_SIDES)
        return twx_fail(x->cx, TWX_E_USAGE, "'rules' must give one or two sides");
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = read_side(x, json_array_get(list, i), &r->options.sides[i]);
    r->options.n_sides = n;
    return rc;
}

static twx_rc read_limit(twx_exchange *x, search_request *r) {
    const json_t *limit = json_object_get(r->body, "limit");
    r->options.limit = LIMIT;
    r->options.judgements = x->server->options->judgements;
    r->options.fts5 = json_is_true(json_object_get(r->body, "raw"));
    if (limit && (!json_is_integer(limit) || json_integer_value(limit) < 1 ||
                  json_integer_value(limit) > LIMIT_MAX))
        return twx_fail(x->cx, TWX_E_USAGE, "'limit' is not a number from 1 to %d", LIMIT_MAX);
    if (limit) r->options.limit = (size_t)json_integer_value(limit);
    if (r->options.limit * r->options.n_queries > LISTED_MAX)
        return twx_fail(x->cx, TWX_E_USAGE,
                        "%zu queries with a limit of %zu hits each: at most %d hits are listed in "
                        "one answer",
                        r->options.n_queries, r->options.limit, LISTED_MAX);
    return TWX_OK;
}

twx_rc twx_answer_search(twx_exchange *x) {
    search_request r = {0};
    const twindex_sink sink = twx_answer_sink(x->answer);
    twx_rc rc = twx_request_json(x->cx, x->request, &r.body);
    if (rc == TWX_OK) rc = read_queries(x, &r);
    if (rc == TWX_OK) rc = read_sides(x, &r);
    if (rc == TWX_OK) rc = read_limit(x, &r);
    if (rc == TWX_OK) rc = twx_exchange_end(x, twindex_try_rules(x->t, &r.options, &sink));
    json_decref(r.body);
    return rc;
}

twx_rc twx_answer_check_rules(twx_exchange *x) {
    json_t *body = NULL;
    twindex_rules_text text = {.name = "rules"};
    const twindex_sink sink = twx_answer_sink(x->answer);
    twx_rc rc = twx_request_json(x->cx, x->request, &body);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, body, "text", &text.text);
    if (rc == TWX_OK) text.n = json_string_length(json_object_get(body, "text"));
    if (rc == TWX_OK) rc = twx_exchange_end(x, twindex_check_rules(x->t, &text, &sink));
    json_decref(body);
    return rc;
}
