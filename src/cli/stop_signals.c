#include "cli/stop_signals.h"

#include <errno.h>
#include <pthread.h>
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

static void put_off_suspending(void);

/* As SIGTSTP does by default, so that it has no effect where nobody could continue the process. */
static void suspend_now(void) {
    const int error = errno;
    sigset_t suspends, before;
    sigemptyset(&suspends);
    sigaddset(&suspends, SIGTSTP);
    handle(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &suspends, &before); /* it is blocked in a handler */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    put_off_suspending();
    errno = error;
}

static void on_suspend(int number) {
    twindex *t = atomic_load(&running);
    (void)number;
    if (t)
        twindex_suspend(t, suspend_now);
    else
        suspend_now();
}

/* SA_RESTART: unlike SIGINT it ends no wait. */
static void put_off_suspending(void) {
    struct sigaction action = {.sa_handler = on_suspend, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, &action, NULL);
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
    struct sigaction before;
    if (t && sigaction(SIGTSTP, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        put_off_suspending();
}
