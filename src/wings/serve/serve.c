#include "serve/serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "serve/http_listener.h"
#include "serve/pool.h"
#include "serve/user_files.h"

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

static twx_rc check_files(twx_ctx *cx, twindex *t, const twx_serve_options *o) {
    const char *const others[] = {o->queries, o->judgements};
    twx_rc rc = check_pins(cx, t, o);
    for (size_t i = 0; rc == TWX_OK && i < o->n_rules; i++) rc = check_file(cx, o->rules[i]);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(others); i++) {
        if (!others[i]) continue;
        rc = must_exist(cx, others[i]);
        if (rc == TWX_OK) rc = check_file(cx, others[i]);
    }
    return rc;
}

/* ---- the server --------------------------------------------------------------- */

/* The signals are blocked in all threads. This one unblocks them only while it waits, so that none
 * is lost between the test of the handle and the wait. */
static void wait_for_stop(const twindex *t, const sigset_t *unblocked) {
    while (twindex_stopped(t) == 0) (void)ppoll(NULL, 0, NULL, unblocked);
}

static twx_rc answer_until_stopped(twx_ctx *cx, twx_server *server, const sigset_t *unblocked) {
    char url[128];
    twx_listener *listener = NULL;
    twx_rc rc = twx_listener_open(cx, server, &listener);
    if (rc == TWX_OK) rc = twx_pool_open(cx, server, &server->pool);
    if (rc == TWX_OK) rc = twx_listener_start(cx, listener);
    if (rc == TWX_OK) {
        snprintf(url, sizeof url, "http://127.0.0.1:%u/#token=%s", server->port, server->token);
        server->options->ready(server->options->arg, url);
        wait_for_stop(server->t, unblocked);
    }
    /* the thread of the listener uses the pool until it has ended; it ends when no request waits */
    twx_pool_stop(server->pool);
    twx_listener_close(listener);
    twx_pool_close(server->pool);
    return rc;
}

twx_rc twx_serve(twx_ctx *cx, twindex *t, const twx_serve_options *options) {
    sigset_t stops, before;
    twx_server server = {.t = t, .options = options, .port = (unsigned)options->port};
    twx_rc rc = check_files(cx, t, options);
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
