/* The threads and tasks of the workbench, without libmicrohttpd: this test is the part of serve/
 * that runs under the thread sanitizer. */
#include "support.h"

#include <signal.h>
#include <sys/socket.h>

#include "serve/serve.h"
#include "serve_store.h"

/* ---- routes of the test ------------------------------------------------------ */

static atomic_int waiting_now; /* requests in answer_when_let() */
static atomic_bool let;

static void pause_briefly(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static twx_rc answer_at_once(twx_exchange *x) {
    twx_answer_json(x->answer, TWX_HTTP_OK, json_pack("{s:b}", "ok", 1));
    return TWX_OK;
}

/* As long requests do, it ends early when its handle is stopped. */
static twx_rc answer_when_let(twx_exchange *x) {
    atomic_fetch_add(&waiting_now, 1);
    while (!atomic_load(&let) && !twindex_stopped(x->t)) pause_briefly();
    atomic_fetch_sub(&waiting_now, 1);
    if (!twindex_stopped(x->t)) return answer_at_once(x);
    return twx_fail(x->cx, TWX_E_INTERRUPTED, "interrupted");
}

static twx_rc answer_report(twx_exchange *x) {
    x->answer->content = TWX_ANSWER_REPORT;
    return twx_buf_add_text(x->cx, &x->answer->body, "<p>report</p>");
}

static const twx_route AT_ONCE = {.method = "GET", .path = "/", .answer = answer_at_once},
                       WHEN_LET = {.method = "GET", .path = "/", .answer = answer_when_let},
                       LONG = {.method = "GET",
                               .path = "/",
                               .answer = answer_when_let,
                               .effort = TWX_EFFORT_LONG},
                       REPORT = {.method = "GET", .path = "/", .answer = answer_report};

/* ---- a pool -------------------------------------------------------------------- */

typedef struct fixture {
    twindex *t;
    twx_serve_options options;
    twx_server server;
} fixture;

static void open_pool(fixture *f) {
    twx_ctx cx = {0};
    f->t = twindex_new();
    assert_non_null(f->t);
    f->server = (twx_server){.t = f->t, .options = &f->options};
    atomic_store(&let, false);
    assert_ok(twx_pool_open(&cx, &f->server, &f->server.pool));
}

static void close_pool(fixture *f) {
    twx_pool_close(f->server.pool);
    twindex_free(f->t);
    *f = (fixture){0};
}

TESTS_OF(fixture, open_pool, close_pool);

/* A request that the pool answers. */
typedef struct visit {
    twx_request request;
    twx_answer answer;
    twx_waiting waiting;
    atomic_int answered;
} visit;

static void note_answered(void *arg) {
    visit *v = arg;
    atomic_fetch_add(&v->answered, 1);
}

/* socket: of the client; NULL: it cannot leave. */
static bool ask_from(fixture *f, const twx_route *route, visit *v, const int *socket) {
    twx_answer_init(&v->answer);
    v->waiting = (twx_waiting){.route = route,
                               .request = &v->request,
                               .answer = &v->answer,
                               .socket = socket,
                               .done = note_answered,
                               .arg = v};
    return twx_pool_wait(f->server.pool, &v->waiting);
}

static bool ask(fixture *f, const twx_route *route, visit *v) {
    return ask_from(f, route, v, NULL);
}

static void wait_until_waiting(int requests) {
    while (atomic_load(&waiting_now) != requests) pause_briefly();
}

static void wait_for_answer(visit *v) {
    while (atomic_load(&v->answered) == 0) pause_briefly();
}

/* ---- tasks ---------------------------------------------------------------------- */

typedef char task_id[TWX_SECRET_ROOM];

/* The status of the answer; 202: the task has begun, and its id is set. */
static unsigned begin(fixture *f, const twx_route *route, const char *method, const char *target,
                      const char *body, task_id ret_id) {
    const twx_request r = {
        .method = twx_slice_of(method), .target = twx_slice_of(target), .body = twx_slice_of(body)};
    twx_answer a;
    twx_answer_init(&a);
    twx_pool_begin(f->server.pool, route, &r, &a);
    const unsigned status = a.status;
    json_t *o = json_loadb(a.body.p, a.body.n, 0, NULL);
    assert_non_null(o);
    if (status == TWX_HTTP_ACCEPTED)
        snprintf(ret_id, TWX_SECRET_ROOM, "%s", json_string_value(json_object_get(o, "task")));
    json_decref(o);
    twx_answer_done(&a);
    return status;
}

static unsigned begin_plain(fixture *f, const twx_route *route, task_id ret_id) {
    return begin(f, route, "POST", "/", "{}", ret_id);
}

/* The answer about a task, which the caller releases; NULL: there is no such task. */
static json_t *look(fixture *f, const char *method, const task_id id) {
    char target[80];
    twx_answer a;
    snprintf(target, sizeof target, "/api/task?id=%s", id);
    const twx_request r = {.method = twx_slice_of(method), .target = twx_slice_of(target)};
    twx_answer_init(&a);
    twx_pool_answer(f->server.pool, &r, &a);
    json_t *o = a.status == TWX_HTTP_OK ? json_loadb(a.body.p, a.body.n, 0, NULL) : NULL;
    assert_true(o || a.status == TWX_HTTP_NOT_FOUND);
    twx_answer_done(&a);
    return o;
}

static bool has_state(fixture *f, const task_id id, const char *state) {
    json_t *o = look(f, "GET", id);
    const bool has = o && strcmp(json_string_value(json_object_get(o, "state")), state) == 0;
    json_decref(o);
    return has;
}

static void wait_for_task(fixture *f, const task_id id) {
    while (has_state(f, id, "queued") || has_state(f, id, "running")) pause_briefly();
}

static void cancel(fixture *f, const task_id id) {
    json_decref(look(f, "DELETE", id));
}

/* ---- requests --------------------------------------------------------------------- */

/* [R1] */
TEST_OF(a_full_queue_refuses_requests_and_keeps_those_that_it_has, fixture *f) {
    enum { MANY = 3 + TWX_QUEUED + 5 };
    static visit visits[MANY];
    size_t taken = 0;
    memset(visits, 0, sizeof visits);
    for (size_t i = 0; i < 3; i++) taken += ask(f, &WHEN_LET, &visits[i]);
    wait_until_waiting(3);
    for (size_t i = 3; i < MANY; i++) taken += ask(f, &AT_ONCE, &visits[i]);
    assert_int_equal(taken, 3 + TWX_QUEUED);
    atomic_store(&let, true);
    for (size_t i = 0; i < taken; i++) wait_for_answer(&visits[i]);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(visits[i].answer.status, i < taken ? TWX_HTTP_OK : TWX_HTTP_BUSY);
        twx_answer_done(&visits[i].answer);
    }
    close_pool(f);
    for (size_t i = 0; i < MANY; i++) assert_int_equal(visits[i].answered, i < taken);
}

/* [R3] The listener's thread still passes on requests while it is being stopped. */
TEST_OF(a_stopped_pool_answers_all_and_refuses_what_comes_later, fixture *f) {
    static visit visits[10];
    visit late = {.request = {.hosts = 1}};
    task_id id = "", other = "";
    memset(visits, 0, sizeof visits);
    assert_int_equal(begin_plain(f, &WHEN_LET, id), TWX_HTTP_ACCEPTED);
    for (size_t i = 0; i < 10; i++) assert_true(ask(f, &WHEN_LET, &visits[i]));
    wait_until_waiting(4);
    twx_pool_stop(f->server.pool);
    for (size_t i = 0; i < 10; i++) {
        assert_int_equal(visits[i].answered, 1);
        assert_int_equal(visits[i].answer.status, TWX_HTTP_BUSY);
        twx_answer_done(&visits[i].answer);
    }
    assert_false(ask(f, &AT_ONCE, &late));
    assert_int_equal(late.answer.status, TWX_HTTP_BUSY);
    twx_answer_done(&late.answer);
    assert_int_equal(begin_plain(f, &AT_ONCE, other), TWX_HTTP_BUSY);
    assert_true(has_state(f, id, "failed"));
}

/* ---- tasks ---------------------------------------------------------------------- */

/* [R2] */
TEST_OF(a_task_is_cancelled_while_it_runs_and_before, fixture *f) {
    enum { TASKS = 4 };
    task_id id[TASKS];
    for (size_t i = 0; i < TASKS; i++)
        assert_int_equal(begin_plain(f, &WHEN_LET, id[i]), TWX_HTTP_ACCEPTED);
    wait_until_waiting(2);
    assert_true(has_state(f, id[0], "running") && has_state(f, id[3], "queued"));
    cancel(f, id[3]);
    assert_true(has_state(f, id[3], "cancelled"));
    cancel(f, id[0]);
    wait_for_task(f, id[0]);
    assert_true(has_state(f, id[0], "cancelled"));
    wait_until_waiting(2); /* the place of the first one is free for the third one */
    assert_true(has_state(f, id[1], "running") && has_state(f, id[2], "running"));
    atomic_store(&let, true);
    wait_for_task(f, id[1]);
    wait_for_task(f, id[2]);
    assert_true(has_state(f, id[1], "done") && has_state(f, id[2], "done"));
    cancel(f, id[1]);
    assert_true(has_state(f, id[1], "done"));
}

TEST_OF(the_oldest_ended_task_makes_room_and_running_ones_do_not, fixture *f) {
    task_id id[TWX_TASKS], more;
    for (size_t i = 0; i < TWX_TASKS; i++)
        assert_int_equal(begin_plain(f, &WHEN_LET, id[i]), TWX_HTTP_ACCEPTED);
    assert_int_equal(begin_plain(f, &AT_ONCE, more), TWX_HTTP_BUSY);
    atomic_store(&let, true);
    for (size_t i = 0; i < TWX_TASKS; i++) wait_for_task(f, id[i]);
    assert_int_equal(begin_plain(f, &AT_ONCE, more), TWX_HTTP_ACCEPTED);
    assert_null(look(f, "GET", id[0]));
    assert_true(has_state(f, id[1], "done"));
    wait_for_task(f, more);
    assert_true(has_state(f, more, "done"));
}

static unsigned fetch_report(fixture *f, const char *ticket, bool *ret_is_report) {
    const twx_request r = {.method = TWX_SLICE_LIT("GET")};
    twx_answer a;
    twx_answer_init(&a);
    twx_pool_report(f->server.pool, &r, twx_slice_of(ticket), &a);
    const unsigned status = a.status;
    *ret_is_report = a.content == TWX_ANSWER_REPORT &&
                     twx_slice_eq(twx_buf_slice(&a.body), TWX_SLICE_LIT("<p>report</p>"));
    twx_answer_done(&a);
    return status;
}

TEST_OF(a_report_is_fetched_by_its_ticket_and_not_by_its_task, fixture *f) {
    static const char START[] = "/report/";
    task_id id;
    bool is_report = false;
    assert_int_equal(begin_plain(f, &REPORT, id), TWX_HTTP_ACCEPTED);
    wait_for_task(f, id);
    json_t *o = look(f, "GET", id);
    const char *url = json_string_value(json_object_get(json_object_get(o, "result"), "url"));
    assert_non_null(url);
    assert_memory_equal(url, START, sizeof START - 1);
    assert_int_equal(fetch_report(f, url + sizeof START - 1, &is_report), TWX_HTTP_OK);
    assert_true(is_report);
    assert_int_equal(fetch_report(f, id, &is_report), TWX_HTTP_NOT_FOUND);
    assert_false(is_report);
    json_decref(o);
}

/* R4; ten are more than there are threads for them */
TEST_OF(a_client_that_leaves_ends_its_request_and_others_are_answered_meanwhile, fixture *f) {
    enum { LEAVING = 10 };
    static visit leaving[LEAVING], other;
    static int sockets[LEAVING][2];
    memset(leaving, 0, sizeof leaving);
    memset(&other, 0, sizeof other);
    for (size_t i = 0; i < LEAVING; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[i]), 0);
        assert_true(ask_from(f, &LONG, &leaving[i], &sockets[i][0]));
    }
    wait_until_waiting(2);
    assert_true(ask(f, &AT_ONCE, &other));
    wait_for_answer(&other);
    assert_int_equal(other.answer.status, TWX_HTTP_OK);
    for (size_t i = 0; i < LEAVING; i++) close(sockets[i][1]);
    for (size_t i = 0; i < LEAVING; i++) {
        wait_for_answer(&leaving[i]);
        assert_int_not_equal(leaving[i].answer.status, TWX_HTTP_OK);
        close(sockets[i][0]);
        twx_answer_done(&leaving[i].answer);
    }
    twx_answer_done(&other.answer);
}

/* ---- the functions of the workbench, in threads ------------------------------------ */

static void open_workbench(fixture *f) {
    char path[4300];
    twx_ctx cx = {0};
    *f = (fixture){.t = twindex_new(), .options = {.save = save_nothing}};
    assert_non_null(f->t);
    snprintf(path, sizeof path, "%s/s.db", test_folder());
    assert_true(serve_store_make(f->t, test_folder(), path));
    snprintf(path, sizeof path, "%s/pins", test_folder());
    assert_true(serve_store_write(path, ""));
    assert_int_equal(twindex_set(f->t, "verdict.pins", path), TWINDEX_OK);
    f->server = (twx_server){.t = f->t, .options = &f->options};
    pthread_mutex_init(&f->server.writing, NULL);
    assert_ok(twx_pool_open(&cx, &f->server, &f->server.pool));
}

static const twx_route *route_of(fixture *f, const twx_request *r) {
    const twx_route *route = NULL;
    twx_answer a;
    twx_answer_init(&a);
    assert_int_not_equal(twx_route_find(&f->server, r, &a, &route), TWX_VERDICT_ANSWERED);
    twx_answer_done(&a);
    return route;
}

TEST_OF(requests_and_tasks_are_answered_side_by_side, fixture *f) {
    enum { ROUNDS = 4, ALL = ROUNDS * SERVE_REQUESTS_N };
    static visit visits[ALL];
    static const char DRY[] = "{\"settings\": {\"near.detector\": \"minhash\"}}";
    task_id id[ROUNDS];
    close_pool(f);
    open_workbench(f);
    memset(visits, 0, sizeof visits);
    const twx_request dry = {.method = TWX_SLICE_LIT("POST"),
                             .target = TWX_SLICE_LIT("/api/dry-run")};
    for (size_t i = 0; i < ALL; i++) {
        const serve_request *s = &SERVE_REQUESTS[i % SERVE_REQUESTS_N];
        visits[i].request = (twx_request){.method = twx_slice_of(s->method),
                                          .target = twx_slice_of(s->target),
                                          .body = twx_slice_of(s->body)};
        assert_true(ask(f, route_of(f, &visits[i].request), &visits[i]));
        if (i % SERVE_REQUESTS_N == 0)
            assert_int_equal(
                begin(f, route_of(f, &dry), "POST", "/api/dry-run", DRY, id[i / SERVE_REQUESTS_N]),
                TWX_HTTP_ACCEPTED);
    }
    cancel(f, id[ROUNDS - 1]);
    for (size_t i = 0; i < ALL; i++) {
        wait_for_answer(&visits[i]);
        if (visits[i].answer.status != TWX_HTTP_OK)
            fail_msg("%s: %u %.*s", SERVE_REQUESTS[i % SERVE_REQUESTS_N].target,
                     visits[i].answer.status, (int)visits[i].answer.body.n,
                     visits[i].answer.body.p);
        twx_answer_done(&visits[i].answer);
    }
    for (size_t i = 0; i < ROUNDS; i++) wait_for_task(f, id[i]);
    for (size_t i = 0; i + 1 < ROUNDS; i++) assert_true(has_state(f, id[i], "done"));
    pthread_mutex_destroy(&f->server.writing);
}
