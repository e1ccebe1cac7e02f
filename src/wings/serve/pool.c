#include "serve/serve.h"

#include <poll.h>
#include <signal.h>
#include <time.h>

#include "run/run.h"

typedef enum lane_name { LANE_SHORT, LANE_LONG, LANE_TASKS, LANES } lane_name;

/* The lane of each thread. */
static const lane_name LANE_OF[] = {LANE_SHORT, LANE_SHORT, LANE_SHORT, LANE_LONG,
                                    LANE_LONG,  LANE_TASKS, LANE_TASKS};

enum { THREADS = TWX_COUNTOF(LANE_OF), STAGE_BYTES = 64 };

typedef struct lane {
    twx_waiting *first, *last;
    size_t n;
    pthread_cond_t filled;
} lane;

typedef enum task_state { TASK_FREE, TASK_QUEUED, TASK_RUNNING, TASK_ENDED } task_state;

/* Its answer is written by the thread that runs it, and read by others once it has ended. */
typedef struct task {
    twx_pool *pool;
    task_state state;
    bool cancelled;
    uint64_t number; /* in order of creation */
    char id[TWX_SECRET_ROOM], ticket[TWX_SECRET_ROOM];
    char stage[STAGE_BYTES];
    uint64_t done, total;
    twx_arena arena; /* holds the request */
    twx_request request;
    twx_answer answer;
    twx_waiting waiting;
} task;

typedef struct thread {
    twx_pool *pool;
    lane_name lane;
    twindex *t;           /* of the current request */
    twx_waiting *current; /* NULL: idle */
    pthread_t handle;
    bool started;
} thread;

struct twx_pool {
    twx_server *server;
    pthread_mutex_t lock; /* of everything below */
    bool closing;
    uint64_t tasks_begun;
    pthread_cond_t watched; /* a request whose client may leave was queued, or the pool is closed */
    pthread_t watcher;
    bool watches;
    lane lanes[LANES];
    thread threads[THREADS];
    task tasks[TWX_TASKS];
};

/* ---- queues ---------------------------------------------------------------- */

static bool push(twx_pool *p, lane_name name, twx_waiting *w) {
    lane *l = &p->lanes[name];
    if (p->closing || l->n == TWX_QUEUED) return false;
    w->next = NULL;
    if (l->last)
        l->last->next = w;
    else
        l->first = w;
    l->last = w;
    l->n++;
    pthread_cond_signal(&l->filled);
    if (w->socket) pthread_cond_signal(&p->watched);
    return true;
}

static twx_waiting *pop(lane *l) {
    twx_waiting *w = l->first;
    if (!w) return NULL;
    l->first = w->next;
    if (!l->first) l->last = NULL;
    l->n--;
    return w;
}

static bool take_out(lane *l, const twx_waiting *w) {
    twx_waiting *before = NULL;
    for (twx_waiting *at = l->first; at; before = at, at = at->next) {
        if (at != w) continue;
        if (before)
            before->next = at->next;
        else
            l->first = at->next;
        if (l->last == at) l->last = before;
        l->n--;
        return true;
    }
    return false;
}

static void refuse_busy(twx_answer *answer) {
    twx_answer_error(answer, TWX_HTTP_BUSY, "too many requests are waiting: try again");
}

bool twx_pool_wait(twx_pool *p, twx_waiting *w) {
    pthread_mutex_lock(&p->lock);
    const bool slow = w->route->effort != TWX_EFFORT_SHORT;
    const bool pushed = push(p, slow ? LANE_LONG : LANE_SHORT, w);
    pthread_mutex_unlock(&p->lock);
    if (!pushed) refuse_busy(w->answer);
    return pushed;
}

/* ---- threads --------------------------------------------------------------- */

static void note_progress(void *arg, const twindex_progress *progress) {
    thread *me = arg;
    pthread_mutex_lock(&me->pool->lock);
    if (me->lane == LANE_TASKS && me->current) {
        task *k = me->current->arg;
        snprintf(k->stage, sizeof k->stage, "%s", progress->stage);
        k->done = progress->done;
        k->total = progress->total;
    }
    pthread_mutex_unlock(&me->pool->lock);
}

/* Waits for a request, which the caller then owns; NULL: the pool is being closed. */
static twx_waiting *next_waiting(thread *me, twindex *t) {
    twx_pool *p = me->pool;
    lane *l = &p->lanes[me->lane];
    twx_waiting *w = NULL;
    pthread_mutex_lock(&p->lock);
    while (!p->closing && !(w = pop(l))) pthread_cond_wait(&l->filled, &p->lock);
    me->current = w;
    me->t = w ? t : NULL;
    if (w && me->lane == LANE_TASKS) ((task *)w->arg)->state = TASK_RUNNING;
    pthread_mutex_unlock(&p->lock);
    return w;
}

static void end_request(thread *me, twx_waiting *w) {
    pthread_mutex_lock(&me->pool->lock);
    me->current = NULL;
    me->t = NULL;
    pthread_mutex_unlock(&me->pool->lock);
    w->done(w->arg);
}

/* Answers a request with a handle that is made for it; false: the pool is being closed. */
static bool answer_next(thread *me) {
    twindex *t = twindex_copy(me->pool->server->t);
    if (t) twindex_on_progress(t, note_progress, me);
    twx_waiting *w = next_waiting(me, t);
    if (w && t)
        twx_route_run(me->pool->server, w->route, w->request, t, w->answer);
    else if (w)
        twx_answer_error(w->answer, TWX_HTTP_FAILED, "out of memory");
    if (w) end_request(me, w);
    twindex_free(t);
    return w != NULL;
}

static void *work(void *arg) {
    while (answer_next(arg)) continue;
    return NULL;
}

/* ---- clients that leave, [R4] ----------------------------------------------- */

static bool has_left(const twx_waiting *w) {
    struct pollfd fd = {.fd = w->socket ? *w->socket : -1, .events = POLLRDHUP};
    return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}

/* Stops those that are being answered. *ret_any: whether there is a client that may leave. */
static void stop_left(twx_pool *p, bool *ret_any) {
    for (size_t i = 0; i < THREADS; i++) {
        const thread *at = &p->threads[i];
        if (!at->current || !at->current->socket) continue;
        *ret_any = true;
        if (at->t && !twindex_stopped(at->t) && has_left(at->current)) twindex_stop(at->t, SIGINT);
    }
}

/* Takes one that is still queued out of its queue; NULL: there is none. */
static twx_waiting *take_left(twx_pool *p, bool *ret_any) {
    for (size_t i = 0; i < LANES; i++)
        for (twx_waiting *w = p->lanes[i].first; w; w = w->next) {
            if (!w->socket) continue;
            *ret_any = true;
            if (has_left(w) && take_out(&p->lanes[i], w)) return w;
        }
    return NULL;
}

static void wait_to_watch(twx_pool *p, bool any) {
    struct timespec until;
    if (!any) {
        pthread_cond_wait(&p->watched, &p->lock);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TWX_WATCH_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&p->watched, &p->lock, &until);
}

static void *watch(void *arg) {
    twx_pool *p = arg;
    pthread_mutex_lock(&p->lock);
    while (!p->closing) {
        bool any = false;
        stop_left(p, &any);
        twx_waiting *left = take_left(p, &any);
        if (!left) {
            wait_to_watch(p, any);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        twx_answer_error(left->answer, TWX_HTTP_BUSY, "the connection was closed");
        left->done(left->arg);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- tasks ----------------------------------------------------------------- */

static void release_task(task *k) {
    if (k->state == TASK_FREE) return;
    twx_arena_done(&k->arena);
    twx_answer_done(&k->answer);
    k->state = TASK_FREE;
}

static void end_task(void *arg) {
    task *k = arg;
    pthread_mutex_lock(&k->pool->lock);
    k->state = TASK_ENDED;
    pthread_mutex_unlock(&k->pool->lock);
}

/* A free place, or that of the oldest task that has ended; NULL: all are under way. */
static task *find_place(twx_pool *p) {
    task *oldest = NULL;
    for (size_t i = 0; i < TWX_TASKS; i++) {
        task *k = &p->tasks[i];
        if (k->state == TASK_FREE) return k;
        if (k->state == TASK_ENDED && (!oldest || k->number < oldest->number)) oldest = k;
    }
    if (oldest) release_task(oldest);
    return oldest;
}

static twx_rc fill_task(twx_ctx *cx, const twx_route *route, const twx_request *r, task *k) {
    k->cancelled = false;
    k->stage[0] = '\0';
    k->done = k->total = 0;
    k->number = k->pool->tasks_begun++;
    twx_arena_init(&k->arena, 0);
    twx_answer_init(&k->answer);
    k->waiting = (twx_waiting){
        .route = route, .request = &k->request, .answer = &k->answer, .done = end_task, .arg = k};
    twx_rc rc = twx_secret_make(cx, k->id);
    if (rc == TWX_OK) rc = twx_secret_make(cx, k->ticket);
    k->request = (twx_request){.hosts = r->hosts};
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &k->arena, r->method, &k->request.method);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &k->arena, r->target, &k->request.target);
    return rc == TWX_OK ? twx_arena_copy(cx, &k->arena, r->body, &k->request.body) : rc;
}

void twx_pool_begin(twx_pool *p, const twx_route *route, const twx_request *r, twx_answer *answer) {
    twx_ctx cx = {0};
    pthread_mutex_lock(&p->lock);
    task *k = find_place(p);
    twx_rc rc = TWX_E_BUSY;
    if (k) {
        k->state = TASK_QUEUED;
        rc = fill_task(&cx, route, r, k);
        if (rc == TWX_OK && !push(p, LANE_TASKS, &k->waiting)) rc = TWX_E_BUSY;
        if (rc != TWX_OK) release_task(k);
    }
    if (rc == TWX_OK)
        twx_answer_json(answer, TWX_HTTP_ACCEPTED, json_pack("{s:s}", "task", k->id));
    else if (rc == TWX_E_BUSY)
        refuse_busy(answer);
    else
        twx_answer_rc(answer, &cx);
    pthread_mutex_unlock(&p->lock);
}

/* ---- what is asked about tasks ---------------------------------------------- */

/* allowed: "GET, DELETE" */
static void refuse_method(twx_answer *answer, const char *allowed, const char *why) {
    twx_answer_error(answer, TWX_HTTP_WRONG_METHOD, "%s", why);
    snprintf(answer->allow, sizeof answer->allow, "%s", allowed);
}

static task *find_task(twx_pool *p, twx_slice id) {
    for (size_t i = 0; i < TWX_TASKS; i++)
        if (p->tasks[i].state != TASK_FREE && twx_secret_is(id, p->tasks[i].id))
            return &p->tasks[i];
    return NULL;
}

static void write_failed(const task *k, twx_answer *answer) {
    json_t *o = json_loadb(twx_buf_slice(&k->answer.body).p, k->answer.body.n, 0, NULL);
    if (!o) o = json_object();
    json_object_set_new(o, "state", json_string(k->cancelled ? "cancelled" : "failed"));
    twx_answer_json(answer, TWX_HTTP_OK, o);
}

/* The answer of the task is the result as it is. */
static void write_result(const task *k, twx_answer *answer) {
    twx_ctx cx = {0};
    const bool report = k->answer.content == TWX_ANSWER_REPORT;
    twx_buf *out = &answer->body;
    twx_rc rc = twx_buf_add_text(&cx, out, "{\"state\": \"done\", \"result\": ");
    if (rc == TWX_OK)
        rc = report ? twx_buf_printf(&cx, out, "{\"url\": \"/report/%s\"}", k->ticket)
                    : twx_buf_add_slice(&cx, out, twx_buf_slice(&k->answer.body));
    if (rc == TWX_OK) rc = twx_buf_add_text(&cx, out, "}\n");
    if (rc != TWX_OK) twx_answer_rc(answer, &cx);
}

static void cancel(twx_pool *p, task *k) {
    if (k->state == TASK_ENDED) return;
    k->cancelled = true;
    if (take_out(&p->lanes[LANE_TASKS], &k->waiting)) {
        twx_answer_error(&k->answer, TWX_HTTP_BUSY, "cancelled before it began");
        k->state = TASK_ENDED;
    }
    for (size_t i = 0; i < THREADS; i++)
        if (p->threads[i].current == &k->waiting && p->threads[i].t)
            twindex_stop(p->threads[i].t, SIGINT);
}

static void answer_task(twx_pool *p, task *k, bool cancels, twx_answer *answer) {
    if (cancels) cancel(p, k);
    if (k->state != TASK_ENDED)
        twx_answer_json(answer, TWX_HTTP_OK,
                        json_pack("{s:s, s:s, s:o, s:o}", "state",
                                  k->state == TASK_QUEUED ? "queued" : "running", "stage", k->stage,
                                  "done", twx_json_count(k->done), "total",
                                  twx_json_count(k->total)));
    else if (k->answer.status != TWX_HTTP_OK)
        write_failed(k, answer);
    else
        write_result(k, answer);
}

void twx_pool_answer(twx_pool *p, const twx_request *r, twx_answer *answer) {
    twx_ctx cx = {0};
    twx_arena arena = {0};
    twx_slice id;
    const bool reads = twx_slice_eq(r->method, TWX_SLICE_LIT("GET"));
    const bool cancels = twx_slice_eq(r->method, TWX_SLICE_LIT("DELETE"));
    if (!reads && !cancels) {
        refuse_method(answer, "GET, DELETE", "this path takes GET, DELETE");
        return;
    }
    twx_rc rc = twx_request_param(&cx, r, "id", &arena, &id);
    pthread_mutex_lock(&p->lock);
    task *k = rc == TWX_OK ? find_task(p, id) : NULL;
    if (k) answer_task(p, k, cancels, answer);
    pthread_mutex_unlock(&p->lock);
    if (rc != TWX_OK)
        twx_answer_rc(answer, &cx);
    else if (!k)
        twx_answer_error(answer, TWX_HTTP_NOT_FOUND,
                         "this task does not exist, or its answer has been discarded");
    twx_arena_done(&arena);
}

void twx_pool_report(twx_pool *p, const twx_request *r, twx_slice ticket, twx_answer *answer) {
    bool found = false;
    if (!twx_slice_eq(r->method, TWX_SLICE_LIT("GET"))) {
        refuse_method(answer, "GET", "this page can only be read");
        return;
    }
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; !found && i < TWX_TASKS; i++) {
        const task *k = &p->tasks[i];
        found = k->state == TASK_ENDED && k->answer.status == TWX_HTTP_OK &&
                k->answer.content == TWX_ANSWER_REPORT && twx_secret_is(ticket, k->ticket);
        if (!found) continue;
        answer->content = TWX_ANSWER_REPORT;
        if (twx_buf_add_slice(NULL, &answer->body, twx_buf_slice(&k->answer.body)) != TWX_OK)
            twx_answer_error(answer, TWX_HTTP_FAILED, "out of memory");
    }
    pthread_mutex_unlock(&p->lock);
    if (!found)
        twx_answer_error(answer, TWX_HTTP_NOT_FOUND,
                         "this report does not exist, or has been discarded: make it again");
}

/* ---- the pool --------------------------------------------------------------- */

static twx_rc start(twx_ctx *cx, pthread_t *handle, void *(*run)(void *), void *arg,
                    bool *ret_started) {
    const int error = pthread_create(handle, NULL, run, arg);
    *ret_started = error == 0;
    return error ? twx_fail(cx, TWX_E_IO, "cannot start a thread: %s", strerror(error)) : TWX_OK;
}

twx_rc twx_pool_open(twx_ctx *cx, twx_server *server, twx_pool **ret_pool) {
    twx_pool *p = twx_calloc(cx, 1, sizeof *p);
    if (!p) return TWX_E_NOMEM;
    p->server = server;
    pthread_mutex_init(&p->lock, NULL);
    for (size_t i = 0; i < LANES; i++) pthread_cond_init(&p->lanes[i].filled, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&p->watched, &attributes);
    pthread_condattr_destroy(&attributes);
    for (size_t i = 0; i < TWX_TASKS; i++) p->tasks[i].pool = p;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < THREADS; i++) {
        thread *one = &p->threads[i];
        *one = (thread){.pool = p, .lane = LANE_OF[i]};
        rc = start(cx, &one->handle, work, one, &one->started);
    }
    if (rc == TWX_OK) rc = start(cx, &p->watcher, watch, p, &p->watches);
    TWX_HAND_OVER(rc, ret_pool, p, twx_pool_close(p));
    return rc;
}

void twx_pool_stop(twx_pool *p) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    for (size_t i = 0; i < THREADS; i++)
        if (p->threads[i].t) twindex_stop(p->threads[i].t, SIGTERM);
    for (size_t i = 0; i < LANES; i++) pthread_cond_broadcast(&p->lanes[i].filled);
    pthread_cond_broadcast(&p->watched);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < THREADS; i++) {
        if (p->threads[i].started) pthread_join(p->threads[i].handle, NULL);
        p->threads[i].started = false;
    }
    if (p->watches) pthread_join(p->watcher, NULL);
    p->watches = false;
    for (lane_name name = LANE_SHORT; name < LANE_TASKS; name++)
        for (twx_waiting *w = NULL; (w = pop(&p->lanes[name]));) {
            twx_answer_error(w->answer, TWX_HTTP_BUSY, "the workbench is being closed");
            w->done(w->arg);
        }
}

void twx_pool_close(twx_pool *p) {
    if (!p) return;
    twx_pool_stop(p);
    for (size_t i = 0; i < TWX_TASKS; i++) release_task(&p->tasks[i]);
    for (size_t i = 0; i < LANES; i++) pthread_cond_destroy(&p->lanes[i].filled);
    pthread_cond_destroy(&p->watched);
    pthread_mutex_destroy(&p->lock);
    twx_free(p);
}

/* ==== routes */

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
        refuse_method(answer, "GET, HEAD", "this page can only be read");
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
    const twx_route *route = NULL;
    for (size_t i = 0; (route = twx_route_at(i)); i++) {
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
    const bool wants_task = is_text(r->prefer, "respond-async");
    return route->effort == TWX_EFFORT_TASK || (wants_task && !route->writes) ? TWX_VERDICT_TASK
                                                                              : TWX_VERDICT_STORE;
}

void twx_route_run(twx_server *server, const twx_route *route, const twx_request *r, twindex *t,
                   twx_answer *answer) {
    twx_ctx cx = {0};
    twx_arena arena = {0};
    cx.faults = server->faults;
    twx_exchange x = {.server = server, .request = r, .t = t, .cx = &cx, .arena = &arena};
    x.answer = answer;
    x.sink = twx_answer_sink(answer);
    const bool sends = is_method(r, "POST") || is_method(r, "PUT");
    twx_rc rc = sends ? twx_request_json(&cx, r, &x.body) : TWX_OK;
    /* one request at a time writes, so that none overwrites what another one has just written */
    if (route->writes) pthread_mutex_lock(&server->writing);
    if (rc == TWX_OK) rc = route->answer(&x);
    if (route->writes) pthread_mutex_unlock(&server->writing);
    if (rc != TWX_OK) twx_answer_rc(answer, &cx);
    json_decref(x.body);
    twx_arena_done(&arena);
}
