#include "serve/serve.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

/* ==== http_listener */

/* HTTP on 127.0.0.1 by libmicrohttpd: one thread reads requests and writes
 * answers, serve/pool.c makes the answers that need the store.
 * [R1] A connection that sends nothing for some seconds is closed; so is one whose header is longer
 * than the limit. There are at most TWX_CONNECTIONS; when most of them are in use, those without a
 * request are closed, oldest first.
 * [R2] A request that its header disqualifies is refused before its body is read.
 *
 * The listening socket is made here and handed over to libmicrohttpd, whose thread calls
 * on_request() several times for each request: when the header is complete, for each piece of the
 * body, at its end, and, if the connection was suspended while the pool made the answer, when it is
 * resumed. */

enum {
    TWX_CONNECTIONS = 200,
    IDLE_SECONDS = 10,
    HEADER_BYTES = 32 << 10, /* memory of a connection: the header and a piece of the body */
    BACKLOG = 1024,
    CROWD = TWX_CONNECTIONS * 3 / 4 /* with more connections the idle ones are shut down */
};

/* A connection, in the thread of the daemon. */
typedef struct peer {
    int socket;      /* -1: a free place */
    uint64_t number; /* in order of arrival */
    bool busy;       /* a request is under way */
    bool closing;    /* it was shut down */
} peer;

typedef struct listener {
    twx_server *server;
    int socket;
    struct MHD_Daemon *daemon; /* owns the socket once it is started */
    peer peers[TWX_CONNECTIONS];
    size_t n_peers;
    uint64_t accepted;
} listener;

/* A request from its first line to the end of its answer. */
typedef enum visit_stage {
    VISIT_HEADER,
    VISIT_BODY,
    VISIT_WAITING, /* for the pool; the connection is suspended */
    VISIT_READY
} visit_stage;

typedef struct visit {
    listener *listener;
    struct MHD_Connection *connection;
    _Atomic(visit_stage) stage;
    char *target; /* owned */
    twx_request request;
    twx_buf body;
    twx_answer answer;
    twx_waiting waiting;
    int socket; /* while it is suspended, MHD does not look at it */
    bool kept;  /* the token is that of a cookie */
} visit;

/* ---- connections -------------------------------------------------------------- */

/* Shuts down the connection that has waited longest without a request, so that connections that are
 * opened and left alone cannot keep others out until their time is over. */
static void make_room(listener *l) {
    peer *oldest = NULL;
    for (size_t i = 0; i < TWX_CONNECTIONS; i++) {
        peer *g = &l->peers[i];
        if (g->socket < 0 || g->busy || g->closing) continue;
        if (!oldest || g->number < oldest->number) oldest = g;
    }
    if (!oldest) return;
    shutdown(oldest->socket, SHUT_RDWR);
    oldest->closing = true;
}

static void on_connection(void *arg, struct MHD_Connection *connection, void **place,
                          enum MHD_ConnectionNotificationCode code) {
    listener *l = arg;
    if (code != MHD_CONNECTION_NOTIFY_STARTED) {
        l->n_peers--;
        if (*place) *(peer *)*place = (peer){.socket = -1};
        return;
    }
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(
        connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (++l->n_peers > CROWD) make_room(l);
    for (size_t i = 0; info && i < TWX_CONNECTIONS; i++) {
        if (l->peers[i].socket >= 0) continue;
        l->peers[i] = (peer){.socket = info->connect_fd, .number = l->accepted++};
        *place = &l->peers[i];
        return;
    }
}

static void note_busy(struct MHD_Connection *connection, bool busy) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(
        connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info && info->socket_context) ((peer *)info->socket_context)->busy = busy;
}

/* ---- the answer -------------------------------------------------------------- */

static const char *const TYPES[] = {[TWX_ANSWER_JSON] = "application/json; charset=utf-8",
                                    [TWX_ANSWER_HTML] = "text/html; charset=utf-8",
                                    [TWX_ANSWER_REPORT] = "text/html; charset=utf-8",
                                    [TWX_ANSWER_CSS] = "text/css; charset=utf-8",
                                    [TWX_ANSWER_SCRIPT] = "text/javascript; charset=utf-8"};

/* The report also has a policy of its own, with the digests of its style and script. */
static const char POLICY[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' "
    "data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                  REPORT_POLICY[] = "sandbox allow-scripts; default-src 'none'; script-src "
                                    "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
                                    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/* The browser keeps the token where no script can read it, and sends it with requests of our own
 * pages only. */
static bool add_fields(struct MHD_Response *response, const visit *v) {
    const twx_answer *a = &v->answer;
    const twx_server *server = v->listener->server;
    char cookie[128] = "";
    if (!v->kept && twx_secret_is(v->request.token, server->token))
        snprintf(cookie, sizeof cookie, "%s=%s; Path=/api/; HttpOnly; SameSite=Strict",
                 server->cookie, server->token);
    const bool report = a->content == TWX_ANSWER_REPORT;
    const struct {
        const char *name, *value;
    } fields[] = {{"Content-Type", TYPES[a->content]},
                  {"Content-Security-Policy", report ? REPORT_POLICY : POLICY},
                  {"X-Content-Type-Options", "nosniff"},
                  {"X-Frame-Options", report ? "SAMEORIGIN" : "DENY"},
                  {"Referrer-Policy", "no-referrer"},
                  {"Cross-Origin-Resource-Policy", "same-origin"},
                  {"Cross-Origin-Opener-Policy", "same-origin"},
                  {"Cache-Control", "no-store"},
                  {"Allow", a->allow[0] ? a->allow : NULL},
                  {"Retry-After", a->status == TWX_HTTP_BUSY ? "1" : NULL},
                  {"WWW-Authenticate", a->status == TWX_HTTP_NO_TOKEN ? "X-Twindex-Token" : NULL},
                  {"Set-Cookie", cookie[0] ? cookie : NULL}};
    for (size_t i = 0; i < TWX_COUNTOF(fields); i++)
        if (fields[i].value &&
            MHD_add_response_header(response, fields[i].name, fields[i].value) != MHD_YES)
            return false;
    return true;
}

/* The body stays with the visit, which ends after the answer has been sent. */
static enum MHD_Result send_answer(visit *v) {
    const twx_slice body = twx_buf_slice(&v->answer.body);
    char *bytes = v->answer.body.p ? v->answer.body.p : v->target;
    struct MHD_Response *response = MHD_create_response_from_buffer(body.n, bytes,
                                                                    MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    const bool complete = add_fields(response, v);
    const enum MHD_Result queued = complete ? MHD_queue_response(v->connection, v->answer.status,
                                                                 response)
                                            : MHD_NO;
    MHD_destroy_response(response);
    return queued;
}

/* ---- the request ------------------------------------------------------------- */

static void *begin_visit(void *arg, const char *target, struct MHD_Connection *connection) {
    twx_ctx cx = {0};
    visit *v = twx_calloc(&cx, 1, sizeof *v);
    if (!v) return NULL;
    *v = (visit){.listener = arg, .connection = connection, .target = twx_strdup(&cx, target)};
    twx_buf_init(&v->body, TWX_BODY_BYTES);
    twx_answer_init(&v->answer);
    note_busy(connection, true);
    return v;
}

static void end_visit(void *arg, struct MHD_Connection *connection, void **visited,
                      enum MHD_RequestTerminationCode code) {
    visit *v = *visited;
    (void)arg, (void)code;
    if (!v) return;
    note_busy(connection, false);
    twx_buf_done(&v->body);
    twx_answer_done(&v->answer);
    twx_free(v->target);
    twx_free(v);
    *visited = NULL;
}

static enum MHD_Result take_field(void *arg, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    twx_request *r = arg;
    const struct {
        const char *name;
        twx_slice *field;
    } fields[] = {{"Host", &r->host},
                  {"Origin", &r->origin},
                  {"Sec-Fetch-Site", &r->fetch_site},
                  {"X-Twindex-Token", &r->token},
                  {"Content-Type", &r->content_type},
                  {"Content-Length", &r->content_length},
                  {"Transfer-Encoding", &r->coding},
                  {"Prefer", &r->prefer}};
    (void)kind;
    for (size_t i = 0; i < TWX_COUNTOF(fields); i++) {
        if (!twx_slice_eq_nocase(twx_slice_of(name), twx_slice_of(fields[i].name))) continue;
        *fields[i].field = twx_slice_of(value ? value : "");
        r->hosts += fields[i].field == &r->host;
    }
    return MHD_YES;
}

static enum MHD_Result take_header(visit *v, const char *method) {
    v->request = (twx_request){.method = twx_slice_of(method), .target = twx_slice_of(v->target)};
    MHD_get_connection_values(v->connection, MHD_HEADER_KIND, take_field, &v->request);
    if (!v->request.token.p) {
        const char *kept = MHD_lookup_connection_value(v->connection, MHD_COOKIE_KIND,
                                                       v->listener->server->cookie);
        v->kept = kept != NULL;
        if (kept) v->request.token = twx_slice_of(kept);
    }
    v->stage = VISIT_BODY;
    return twx_request_allowed(v->listener->server, &v->request, &v->answer) ? MHD_YES
                                                                             : send_answer(v);
}

/* ---- the pool ---------------------------------------------------------------- */

static void on_answered(void *arg) {
    visit *v = arg;
    v->stage = VISIT_READY;
    MHD_resume_connection(v->connection);
}

/* The connection is suspended first: the pool may be done at once. */
static void wait_for_pool(visit *v, const twx_route *route) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(
        v->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info) v->socket = info->connect_fd;
    v->waiting = (twx_waiting){.route = route,
                               .request = &v->request,
                               .answer = &v->answer,
                               .socket = info ? &v->socket : NULL,
                               .done = on_answered,
                               .arg = v};
    v->stage = VISIT_WAITING;
    MHD_suspend_connection(v->connection);
    if (!twx_pool_wait(v->listener->server->pool, &v->waiting)) on_answered(v);
}

static enum MHD_Result answer_request(visit *v) {
    twx_server *server = v->listener->server;
    const twx_route *route = NULL;
    v->request.body = twx_buf_slice(&v->body);
    switch (twx_route_find(server, &v->request, &v->answer, &route)) {
    case TWX_VERDICT_STORE: wait_for_pool(v, route); return MHD_YES;
    case TWX_VERDICT_TASK: twx_pool_begin(server->pool, route, &v->request, &v->answer); break;
    case TWX_VERDICT_ANSWERED: break;
    }
    return send_answer(v);
}

static enum MHD_Result on_request(void *arg, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *piece,
                                  size_t *piece_bytes, void **visited) {
    visit *v = *visited;
    twx_ctx cx = {0};
    (void)arg, (void)connection, (void)url, (void)version;
    if (!v || !v->target) return MHD_NO;
    if (v->stage == VISIT_HEADER) return take_header(v, method);
    if (v->stage == VISIT_WAITING) return MHD_YES;
    if (v->stage == VISIT_READY) return send_answer(v);
    if (*piece_bytes == 0) return answer_request(v);
    const twx_rc rc = twx_buf_add(&cx, &v->body, piece, *piece_bytes);
    *piece_bytes = 0;
    return rc == TWX_OK ? MHD_YES : MHD_NO;
}

/* ---- listening --------------------------------------------------------------- */

static twx_rc bind_socket(twx_ctx *cx, int fd, unsigned *port) {
    const int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)*port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    /* a port whose old connections have not been forgotten by the system can be used again */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        return twx_fail(cx, TWX_E_IO, "cannot listen on 127.0.0.1:%u: %s; choose another --port",
                        *port, strerror(errno));
    *port = ntohs(address.sin_port);
    return TWX_OK;
}

/* The pool must be stopped, so that no request waits for it, and be closed afterwards: requests may
 * arrive until this returns. */
static void listener_close(listener *l) {
    if (!l) return;
    if (l->daemon)
        MHD_stop_daemon(l->daemon);
    else if (l->socket >= 0)
        close(l->socket);
    twx_free(l);
}

/* Listens on server->port and sets it if it is 0. Errors TWX_E_IO: the port cannot be used. */
static twx_rc listener_open(twx_ctx *cx, twx_server *server, listener **ret_listener) {
    listener *l = twx_calloc(cx, 1, sizeof *l);
    if (!l) return TWX_E_NOMEM;
    l->server = server;
    for (size_t i = 0; i < TWX_CONNECTIONS; i++) l->peers[i].socket = -1;
    l->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    twx_rc rc = l->socket < 0 ? twx_fail(cx, TWX_E_IO, "cannot open a socket: %s", strerror(errno))
                              : bind_socket(cx, l->socket, &server->port);
    TWX_HAND_OVER(rc, ret_listener, l, listener_close(l));
    return rc;
}

/* From now on requests are answered. server->pool must be open. */
static twx_rc listener_start(twx_ctx *cx, listener *l) {
    const unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL |
                           MHD_ALLOW_SUSPEND_RESUME;
    l->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, l, MHD_OPTION_LISTEN_SOCKET, l->socket,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)TWX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES,
        MHD_OPTION_URI_LOG_CALLBACK, begin_visit, l, MHD_OPTION_NOTIFY_CONNECTION, on_connection, l,
        MHD_OPTION_NOTIFY_COMPLETED, end_visit, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
    return l->daemon ? TWX_OK : twx_fail(cx, TWX_E_IO, "cannot start the HTTP server");
}

/* ==== serve */

/* ---- files named at start ---------------------------------------------------- */

static twx_rc check_file(twx_ctx *cx, const char *path) {
    twx_buf bytes;
    twx_rc rc = twx_user_file_read(cx, path, &bytes);
    twx_buf_done(&bytes);
    return rc;
}

static twx_rc must_exist(twx_ctx *cx, const char *path) {
    if (access(path, F_OK) == 0) return TWX_OK;
    return twx_fail(cx, TWX_E_NOTFOUND, "%.300s: %s", path, strerror(errno));
}

/* Creates the file of pins if it is missing, because every call reads it. */
static twx_rc check_pins(twx_ctx *cx, twindex *t, const twx_serve_options *o) {
    const char *path = twindex_get(t, "verdict.pins");
    if (!path || !path[0]) return TWX_OK;
    if (o->read_only) return must_exist(cx, path);
    twx_rc rc = access(path, F_OK) == 0 ? TWX_OK : o->save(cx, path, TWX_SLICE_LIT(""));
    return rc == TWX_OK ? check_file(cx, path) : rc;
}

/* ---- the server --------------------------------------------------------------- */

/* The signals are blocked in all threads. This one unblocks them only while it waits, so that none
 * is lost between the test of the handle and the wait. */
static twx_rc answer_until_stopped(twx_ctx *cx, twx_server *server, const sigset_t *unblocked) {
    char url[128];
    listener *l = NULL;
    twx_rc rc = listener_open(cx, server, &l);
    snprintf(server->cookie, sizeof server->cookie, "twindex-%u", server->port);
    if (rc == TWX_OK) rc = twx_pool_open(cx, server, &server->pool);
    if (rc == TWX_OK) rc = listener_start(cx, l);
    if (rc == TWX_OK) {
        snprintf(url, sizeof url, "http://127.0.0.1:%u/#token=%s", server->port, server->token);
        server->options->ready(server->options->arg, url);
        while (twindex_stopped(server->t) == 0) (void)ppoll(NULL, 0, NULL, unblocked);
    }
    /* the thread of the listener uses the pool until it has ended; it ends when no request waits */
    twx_pool_stop(server->pool);
    listener_close(l);
    twx_pool_close(server->pool);
    return rc;
}

twx_rc twx_serve(twx_ctx *cx, twindex *t, const twx_serve_options *options) {
    sigset_t stops, before;
    twx_server server = {.t = t, .options = options, .port = (unsigned)options->port};
    const char *const others[] = {options->queries, options->judgements, options->labels};
    twx_rc rc = check_pins(cx, t, options);
    for (size_t i = 0; rc == TWX_OK && i < options->n_rules; i++)
        rc = check_file(cx, options->rules[i]);
    if (rc == TWX_OK && options->queries) rc = must_exist(cx, options->queries);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(others); i++)
        if (others[i]) rc = check_file(cx, others[i]);
    if (rc == TWX_OK) rc = twx_secret_make(cx, server.token);
    if (rc != TWX_OK) return rc;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stops, &before);
    pthread_mutex_init(&server.writing, NULL);
    rc = answer_until_stopped(cx, &server, &before);
    pthread_mutex_destroy(&server.writing);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}
