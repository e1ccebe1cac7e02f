#include "serve/serve.h"

#include <stdio.h>
#include <string.h>

static const twx_route ROUTES[] = {
    {"GET", "/api/about", twx_answer_about, false, TWX_EFFORT_SHORT},
    {"GET", "/api/documents", twx_answer_documents, false, TWX_EFFORT_SHORT},
    {"GET", "/api/explain", twx_answer_explain, false, TWX_EFFORT_SHORT},
    {"GET", "/api/compare", twx_answer_compare, false, TWX_EFFORT_LONG},
    {"POST", "/api/search", twx_answer_search, false, TWX_EFFORT_SHORT},
    {"POST", "/api/rules/check", twx_answer_check_rules, false, TWX_EFFORT_SHORT},
    {"PUT", "/api/rules", twx_answer_save_rules, true, TWX_EFFORT_SHORT},
    {"GET", "/api/pins", twx_answer_pins, false, TWX_EFFORT_SHORT},
    {"POST", "/api/pins", twx_answer_pin, true, TWX_EFFORT_SHORT},
    {"DELETE", "/api/pins", twx_answer_undo_pin, true, TWX_EFFORT_SHORT},
    {"POST", "/api/dry-run", twx_answer_dry_run, false, TWX_EFFORT_TASK},
    {"POST", "/api/report", twx_answer_report, false, TWX_EFFORT_TASK},
};

static const twx_slice API = {"/api/", 5}, TASK = {"/api/task", 9}, REPORT = {"/report/", 8};

/* ---- checks ---------------------------------------------------------------- */

static bool is_text(twx_slice field, const char *text) {
    return twx_slice_eq_nocase(field, twx_slice_of(text));
}

static bool is_method(const twx_request *r, const char *method) {
    return twx_slice_eq(r->method, twx_slice_of(method));
}

/* "127.0.0.1:PORT" and "localhost:PORT", after a prefix. */
static bool is_own_name(twx_server *server, const char *prefix, twx_slice name) {
    static const char *const HOSTS[] = {"127.0.0.1", "localhost"};
    char own[64];
    for (size_t i = 0; i < TWX_COUNTOF(HOSTS); i++) {
        snprintf(own, sizeof own, "%s%s:%u", prefix, HOSTS[i], server->port);
        if (is_text(name, own)) return true;
    }
    return false;
}

static bool refuse(twx_answer *a, unsigned status, const char *why) {
    twx_answer_error(a, status, "%s", why);
    return false;
}

/* A page of another site may link to the workbench, which then opens without a token. So the origin
 * is checked only for requests to the interface. */
static bool from_own_page(twx_server *server, const twx_request *r) {
    if (r->origin.p && !is_own_name(server, "http://", r->origin)) return false;
    return !r->fetch_site.p || is_text(r->fetch_site, "same-origin") ||
           is_text(r->fetch_site, "none");
}

static bool check_body(const twx_request *r, twx_answer *answer) {
    int64_t length = 0;
    const bool sends = is_method(r, "POST") || is_method(r, "PUT");
    const bool has_length = r->content_length.p != NULL;
    if (r->coding.p || (sends && !has_length))
        return refuse(answer, TWX_HTTP_LENGTH_REQUIRED, "a body needs its length");
    if (has_length && !twx_slice_integer(r->content_length, &length))
        return refuse(answer, TWX_HTTP_BAD_REQUEST, "the length of the body is not a number");
    if (length > TWX_BODY_BYTES)
        return refuse(answer, TWX_HTTP_TOO_LARGE, "the body is longer than 1 MiB");
    const twx_slice type = twx_slice_trim(
        twx_slice_sub(r->content_type, 0, twx_slice_find(r->content_type, ';', 0)));
    if (sends && !is_text(type, "application/json"))
        return refuse(answer, TWX_HTTP_WRONG_TYPE, "Content-Type must be application/json");
    return true;
}

bool twx_request_allowed(twx_server *server, const twx_request *r, twx_answer *answer) {
    const twx_slice path = twx_request_path(r);
    const bool api = twx_slice_starts(path, API);
    if (r->hosts != 1 || !is_own_name(server, "", r->host))
        return refuse(answer, TWX_HTTP_WRONG_HOST,
                      "this server is 127.0.0.1: use the address that it printed");
    if (api && !from_own_page(server, r))
        return refuse(answer, TWX_HTTP_FORBIDDEN, "the request comes from a page of another site");
    if (api && !twx_secret_is(r->token, server->token))
        return refuse(answer, TWX_HTTP_NO_TOKEN,
                      "the token is missing or wrong: open the address that 'twindex serve' "
                      "printed");
    return check_body(r, answer);
}

/* ---- finding ---------------------------------------------------------------- */

static void answer_static(const twx_request *r, twx_slice path, twx_answer *answer) {
    twx_slice text;
    if (!twx_static_file_find(path, &text, &answer->content)) {
        twx_answer_error(answer, TWX_HTTP_NOT_FOUND, "there is no such page");
        return;
    }
    if (!is_method(r, "GET") && !is_method(r, "HEAD")) {
        twx_answer_error(answer, TWX_HTTP_WRONG_METHOD, "this page can only be read");
        snprintf(answer->allow, sizeof answer->allow, "GET, HEAD");
    } else if (twx_buf_add_slice(NULL, &answer->body, text) != TWX_OK) {
        answer->status = TWX_HTTP_FAILED;
    }
}

/* Lists a method of the path of the request. */
static void allow(twx_answer *answer, const char *method) {
    const size_t n = strlen(answer->allow); /* style: not crawled text */
    snprintf(answer->allow + n, sizeof answer->allow - n, "%s%s", n ? ", " : "", method);
}

static const twx_route *find(const twx_request *r, twx_slice path, twx_answer *answer) {
    const twx_route *found = NULL;
    for (size_t i = 0; i < TWX_COUNTOF(ROUTES); i++) {
        const twx_route *route = &ROUTES[i];
        if (!twx_slice_eq(path, twx_slice_of(route->path))) continue;
        if (is_method(r, route->method)) found = route;
        allow(answer, route->method);
    }
    if (found)
        answer->allow[0] = '\0';
    else if (answer->allow[0])
        twx_answer_error(answer, TWX_HTTP_WRONG_METHOD, "this path takes %s", answer->allow);
    else
        twx_answer_error(answer, TWX_HTTP_NOT_FOUND, "there is no such path");
    return found;
}

twx_verdict twx_route_find(twx_server *server, const twx_request *r, twx_answer *answer,
                           const twx_route **ret_route) {
    const twx_slice path = twx_request_path(r);
    if (twx_slice_eq(path, TASK)) {
        twx_pool_answer(server->pool, r, answer);
        return TWX_VERDICT_ANSWERED;
    }
    if (twx_slice_starts(path, REPORT)) {
        twx_pool_report(server->pool, r, twx_slice_sub(path, REPORT.n, path.n), answer);
        return TWX_VERDICT_ANSWERED;
    }
    if (!twx_slice_starts(path, API)) {
        answer_static(r, path, answer);
        return TWX_VERDICT_ANSWERED;
    }
    const twx_route *route = find(r, path, answer);
    if (!route) return TWX_VERDICT_ANSWERED;
    if (route->writes && server->options->read_only) {
        twx_answer_error(answer, TWX_HTTP_FORBIDDEN, "the workbench was started with --read-only");
        return TWX_VERDICT_ANSWERED;
    }
    *ret_route = route;
    const bool wants_task = twx_field_has(r->prefer, TWX_SLICE_LIT("respond-async"));
    return route->effort == TWX_EFFORT_TASK || (wants_task && !route->writes) ? TWX_VERDICT_TASK
                                                                              : TWX_VERDICT_STORE;
}

void twx_route_run(twx_server *server, const twx_route *route, const twx_request *r, twindex *t,
                   twx_answer *answer) {
    twx_ctx cx;
    twx_arena arena;
    twx_ctx_init(&cx);
    cx.faults = server->faults;
    twx_arena_init(&arena, 0);
    twx_exchange x = {
        .server = server, .request = r, .t = t, .cx = &cx, .arena = &arena, .answer = answer};
    if (route->answer(&x) != TWX_OK) twx_answer_rc(answer, &cx);
    twx_arena_done(&arena);
}
