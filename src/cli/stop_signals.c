#include "cli/stop_signals.h"

#include <signal.h>
#include <stdatomic.h>

/* Global because a signal handler has no argument. */
static _Atomic(twindex *) running;

static void handle(int number, void (*handler)(int)) {
    struct sigaction action = {
        .sa_handler = handler}; /* no SA_RESTART: a signal has to interrupt a blocked read */
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void on_signal(int number) {
    twindex *t = atomic_load(&running);
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
    if (t)
        twindex_stop(t, number);
    else
        raise(number);
}

/* A signal that the parent ignores stays ignored: a shell does this for background jobs. */
static void unless_ignored(int number, void (*handler)(int)) {
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        handle(number, handler);
}

void twx_stop_on_signals(twindex *t) {
    atomic_store(&running, t);
    handle(SIGPIPE, SIG_IGN);
    handle(SIGXFSZ, SIG_IGN);
    unless_ignored(SIGINT, t ? on_signal : SIG_DFL);
    unless_ignored(SIGTERM, t ? on_signal : SIG_DFL);
}
