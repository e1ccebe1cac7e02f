#include "base/base.h"

#include <pthread.h>

/* ==== parallel */

typedef struct work {
    twx_task_fn *fn;
    void *arg;
    size_t tasks;
    atomic_size_t next;
    atomic_bool stop;
} work;

typedef struct thread {
    work *shared;
    size_t number;
    size_t task; /* the last one it has taken: the one that failed, if cx has an error */
    pthread_t id;
    bool started;
    twx_ctx cx;
} thread;

static void *take_tasks(void *arg) {
    thread *me = arg;
    work *w = me->shared;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && !atomic_load(&w->stop)) {
        me->task = atomic_fetch_add(&w->next, 1);
        if (me->task >= w->tasks) return NULL;
        rc = twx_cancelled(&me->cx);
        if (rc == TWX_OK) rc = w->fn(&me->cx, w->arg, me->number, me->task);
    }
    atomic_store(&w->stop, true);
    return NULL;
}

/* A thread that cannot be started is no error: the others do its tasks. */
twx_rc twx_parallel(twx_ctx *cx, size_t threads, size_t tasks, twx_task_fn *fn, void *arg) {
    work shared = {.fn = fn, .arg = arg, .tasks = tasks};
    thread all[TWX_PARALLEL_MAX];
    const thread *failed = NULL;
    if (threads > TWX_PARALLEL_MAX) threads = TWX_PARALLEL_MAX;
    if (threads > tasks) threads = tasks;
    if (threads == 0) threads = 1;
    for (size_t i = 0; i < threads; i++)
        all[i] = (thread){
            .shared = &shared, .number = i, .cx = {.cancel = cx->cancel, .faults = cx->faults}};
    for (size_t i = 1; i < threads; i++)
        all[i].started = pthread_create(&all[i].id, NULL, take_tasks, &all[i]) == 0;
    take_tasks(&all[0]);
    for (size_t i = 1; i < threads; i++)
        if (all[i].started) pthread_join(all[i].id, NULL);
    for (size_t i = 0; i < threads; i++)
        if (all[i].cx.rc != TWX_OK && (!failed || all[i].task < failed->task)) failed = &all[i];
    return failed ? twx_ctx_take(cx, &failed->cx) : cx->rc;
}

/* ==== suspension */

/* At most this number of sections may be open when a request is carried out. */
static void carry_out(twx_suspension *s, int sections) {
    if (atomic_load(&s->sections) > sections) return;
    twx_suspend_fn *stop = atomic_exchange(&s->requested, NULL);
    if (stop) stop();
}

void twx_suspend(twx_suspension *s, twx_suspend_fn *stop) {
    atomic_store(&s->requested, stop);
    carry_out(s, 0);
}

void twx_suspension_hold(twx_suspension *s) {
    if (s) atomic_fetch_add(&s->sections, 1);
}

void twx_suspension_wait(twx_suspension *s) {
    if (s) carry_out(s, 1);
}

void twx_suspension_release(twx_suspension *s) {
    if (!s) return;
    atomic_fetch_sub(&s->sections, 1);
    carry_out(s, 0);
}
