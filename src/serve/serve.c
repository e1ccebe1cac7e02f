#include "serve/serve.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>

#include "serve/http_listener.h"
#include "serve/pool.h"

/* The signals are blocked in all threads, and in this one but while it waits: so none is lost
 * between the look at the handle and the wait. */
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
    twx_pool_close(server->pool);
    twx_listener_close(listener);
    return rc;
}

twx_rc twx_serve(twx_ctx *cx, twindex *t, const twx_serve_options *options) {
    sigset_t stops, before;
    twx_server server = {.t = t, .options = options, .port = (unsigned)options->port};
    twx_rc rc = twx_secret_make(cx, server.token);
    if (rc != TWX_OK) return rc;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stops, &before);
    rc = answer_until_stopped(cx, &server, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}
