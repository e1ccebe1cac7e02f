#include "run/workers.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"

/* A ring of items, which cannot overflow because at most `items` are in the queue. */
typedef struct ring {
    void **at;
    size_t from, n;
} ring;

typedef struct worker {
    twx_workers *line;
    pthread_t thread;
    twx_ctx cx;
    bool started;
} worker;

struct twx_workers {
    twx_ctx *cx;
    twx_work_kind kind;
    pthread_mutex_t mutex;
    pthread_cond_t todo_changed, done_changed;
    ring todo, done;
    size_t capacity, under_way; /* under_way: given and not taken yet */
    bool stop;
    twx_ctx failure; /* first error of a worker */
    worker *workers;
    size_t n_workers;
    bool here;   /* no thread: work is done in give() */
    void *state; /* of that work; NULL until the first item */
};

static void push(twx_workers *w, ring *r, void *item) {
    r->at[(r->from + r->n++) % w->capacity] = item;
}

static void *pop(twx_workers *w, ring *r) {
    void *item = r->at[r->from];
    r->from = (r->from + 1) % w->capacity;
    r->n--;
    return item;
}

/* Returns an item together with any error, in one step, so that a failed item is never mistaken for
 * a finished one. item NULL: the worker could not start. */
static void hand_back(twx_workers *w, const twx_ctx *cx, void *item) {
    pthread_mutex_lock(&w->mutex);
    (void)twx_ctx_take(&w->failure, cx);
    if (item) push(w, &w->done, item);
    pthread_cond_broadcast(&w->done_changed);
    pthread_mutex_unlock(&w->mutex);
}

static void *next_item(twx_workers *w) {
    pthread_mutex_lock(&w->mutex);
    while (!w->stop && w->todo.n == 0) pthread_cond_wait(&w->todo_changed, &w->mutex);
    void *item = w->stop ? NULL : pop(w, &w->todo);
    pthread_mutex_unlock(&w->mutex);
    return item;
}

static void *run(void *arg) {
    worker *me = arg;
    twx_workers *w = me->line;
    void *state = NULL;
    twx_rc rc = w->kind.open(&me->cx, w->kind.arg, &state);
    if (rc != TWX_OK) hand_back(w, &me->cx, NULL);
    for (void *item; rc == TWX_OK && (item = next_item(w)) != NULL;) {
        rc = w->kind.work(&me->cx, state, item);
        hand_back(w, &me->cx, item);
    }
    if (state) w->kind.close(state);
    return NULL;
}

static twx_rc start(twx_workers *w) {
    for (size_t i = 0; i < w->n_workers; i++) {
        worker *me = &w->workers[i];
        me->line = w;
        twx_ctx_init(&me->cx);
        me->cx.cancel = w->cx->cancel;
        me->cx.faults = w->cx->faults;
        int error = pthread_create(&me->thread, NULL, run, me);
        if (error) return twx_fail(w->cx, TWX_E_INTERNAL, "start a thread: %s", strerror(error));
        me->started = true;
    }
    return TWX_OK;
}

twx_rc twx_workers_open(twx_ctx *cx, size_t threads, size_t items, const twx_work_kind *kind,
                        twx_workers **ret_workers) {
    twx_workers *w = twx_calloc(cx, 1, sizeof *w);
    if (!w) return TWX_E_NOMEM;
    w->cx = cx;
    w->kind = *kind;
    w->capacity = items;
    w->here = kind->inline_if_one && threads == 1;
    w->n_workers = w->here ? 0 : threads;
    twx_ctx_init(&w->failure);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->todo_changed, NULL);
    pthread_cond_init(&w->done_changed, NULL);
    w->todo.at = twx_calloc(cx, items, sizeof(void *));
    w->done.at = twx_calloc(cx, items, sizeof(void *));
    w->workers = twx_calloc(cx, w->n_workers + 1, sizeof *w->workers);
    twx_rc rc = w->todo.at && w->done.at && w->workers ? start(w) : TWX_E_NOMEM;
    if (rc != TWX_OK) {
        twx_workers_close(w);
        return rc;
    }
    *ret_workers = w;
    return TWX_OK;
}

void twx_workers_close(twx_workers *w) {
    if (!w) return;
    pthread_mutex_lock(&w->mutex);
    w->stop = true;
    pthread_cond_broadcast(&w->todo_changed);
    pthread_mutex_unlock(&w->mutex);
    for (size_t i = 0; w->workers && i < w->n_workers; i++)
        if (w->workers[i].started) pthread_join(w->workers[i].thread, NULL);
    if (w->state) w->kind.close(w->state);
    pthread_cond_destroy(&w->done_changed);
    pthread_cond_destroy(&w->todo_changed);
    pthread_mutex_destroy(&w->mutex);
    twx_free(w->todo.at);
    twx_free(w->done.at);
    twx_free(w->workers);
    twx_free(w);
}

static twx_rc work_here(twx_workers *w, void *item) {
    twx_rc rc = w->state ? TWX_OK : w->kind.open(w->cx, w->kind.arg, &w->state);
    return rc == TWX_OK ? w->kind.work(w->cx, w->state, item) : rc;
}

twx_rc twx_workers_give(twx_workers *w, void *item) {
    if (w->here && w->under_way < w->capacity) {
        twx_rc rc = work_here(w, item);
        if (rc != TWX_OK) return rc;
        push(w, &w->done, item);
        w->under_way++;
        return TWX_OK;
    }
    pthread_mutex_lock(&w->mutex);
    twx_rc rc = w->failure.rc;
    if (rc == TWX_OK && w->under_way == w->capacity) rc = TWX_E_INTERNAL;
    if (rc == TWX_OK) {
        push(w, &w->todo, item);
        w->under_way++;
        pthread_cond_signal(&w->todo_changed);
    }
    pthread_mutex_unlock(&w->mutex);
    if (rc != TWX_OK && w->failure.rc == TWX_OK)
        return twx_fail(w->cx, rc, "the queue of workers is full");
    return rc == TWX_OK ? TWX_OK : twx_ctx_take(w->cx, &w->failure);
}

twx_rc twx_workers_take(twx_workers *w, bool wait, void **ret_item) {
    *ret_item = NULL;
    pthread_mutex_lock(&w->mutex);
    while (wait && w->failure.rc == TWX_OK && w->done.n == 0 && w->under_way > 0)
        pthread_cond_wait(&w->done_changed, &w->mutex);
    twx_rc rc = w->failure.rc;
    if (rc == TWX_OK && w->done.n > 0) {
        *ret_item = pop(w, &w->done);
        w->under_way--;
    }
    pthread_mutex_unlock(&w->mutex);
    return rc == TWX_OK ? TWX_OK : twx_ctx_take(w->cx, &w->failure);
}
