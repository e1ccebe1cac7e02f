/* Every allocation of every answer of the workbench fails once, and then from one on all of them:
 * the answer is an error in JSON, or the same as without a failure; nothing leaks (under asan). */
#include "support.h"

#include "api/api.h"
#include "serve/serve.h"
#include "serve_store.h"

enum {
    THIN = TEST_SANITIZED ? 8 : 25 /* so many fail one by one, later ones more and more rarely */
};

static const char *const RULES[] = {"a.rules"};
static const twx_serve_options OPTIONS = {.rules = RULES, .n_rules = 1, .save = save_nothing};

static twx_server open_server(void) {
    char path[4300];
    twindex *t = twindex_new();
    assert_non_null(t);
    snprintf(path, sizeof path, "%s/s.db", test_folder());
    assert_int_equal(twindex_set(t, "run.jobs", "1"), TWINDEX_OK);
    assert_true(serve_store_make(t, test_folder(), path));
    snprintf(path, sizeof path, "%s/pins", test_folder());
    assert_true(serve_store_write(path, "# by hand\n"));
    assert_int_equal(twindex_set(t, "verdict.pins", path), TWINDEX_OK);
    return (twx_server){.t = t, .options = &OPTIONS};
}

static void answer(twx_server *server, const serve_request *s, twx_faults *faults, twx_answer *a) {
    const twx_request r = {.method = twx_slice_of(s->method),
                           .target = twx_slice_of(s->target),
                           .body = twx_slice_of(s->body)};
    const twx_route *route = NULL;
    twindex *t = twindex_copy(server->t);
    assert_non_null(t);
    twx_answer_init(a);
    assert_int_not_equal(twx_route_find(server, &r, a, &route), TWX_VERDICT_ANSWERED);
    t->cx.faults = server->faults = faults;
    twx_route_run(server, route, &r, t, a);
    server->faults = NULL;
    twindex_free(t);
}

static void check(const serve_request *s, uint64_t nth, const twx_answer *a,
                  const twx_answer *whole) {
    const bool ok = a->status == TWX_HTTP_OK;
    if (ok && !s->timed && !twx_slice_eq(twx_buf_slice(&a->body), twx_buf_slice(&whole->body)))
        fail_msg("%s, allocation %" PRIu64 ": another answer: %.2000s", s->target, nth, a->body.p);
    if (ok) return;
    json_t *o = json_loadb(twx_buf_slice(&a->body).p, a->body.n, 0, NULL);
    if (a->status != TWX_HTTP_FAILED || !json_is_string(json_object_get(o, "error")))
        fail_msg("%s, allocation %" PRIu64 ": %u %.2000s", s->target, nth, a->status, a->body.p);
    json_decref(o);
}

static void fail_all(twx_server *server, const serve_request *s, bool forever) {
    twx_answer whole, a;
    uint64_t trials = 0, refused = 0;
    answer(server, s, NULL, &whole);
    if (whole.status != TWX_HTTP_OK) fail_msg("%s: %.2000s", s->target, whole.body.p);
    for (uint64_t nth = 1;; nth += 1 + nth / THIN, trials++) {
        twx_faults faults = {.fail_at = nth, .forever = forever};
        answer(server, s, &faults, &a);
        const bool reached = atomic_load(&faults.count) >= nth;
        check(s, nth, &a, &whole);
        refused += a.status != TWX_HTTP_OK;
        twx_answer_done(&a);
        if (!reached) break;
    }
    print_message("%s %s: %" PRIu64 " allocations failed%s, %" PRIu64 " answers refused\n",
                  s->method, s->target, trials, forever ? " for good" : "", refused);
    assert_true(refused > 2);
    twx_answer_done(&whole);
}

TEST(allocations_fail_one_after_the_other) {
    twx_server server = open_server();
    pthread_mutex_init(&server.writing, NULL);
    for (size_t i = 0; i < SERVE_REQUESTS_N; i++) {
        fail_all(&server, &SERVE_REQUESTS[i], false);
        fail_all(&server, &SERVE_REQUESTS[i], true);
    }
    pthread_mutex_destroy(&server.writing);
    twindex_free((twindex *)(uintptr_t)server.t);
}
