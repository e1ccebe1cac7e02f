/* run/workers.h: a bounded work queue between one thread that reads and writes and N threads that
 * compute.
 * Memory: owned handle; items belong to the caller. [R1] The first error of a worker stops the
 * queue and is returned to the caller. */
#ifndef TWX_RUN_WORKERS_H
#define TWX_RUN_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ctx.h"

typedef struct twx_workers twx_workers;

/* The work on an item; each worker has its own state, which open() creates. */
typedef struct twx_work_kind {
    twx_rc (*open)(twx_ctx *cx, void *arg, void **ret_state);
    twx_rc (*work)(twx_ctx *cx, void *state, void *item);
    void (*close)(void *state);
    void *arg;
    /* with one thread, work is done in twx_workers_give(), on the caller's thread and context */
    bool inline_if_one;
} twx_work_kind;

/* items: the largest number in the queue at once. */
TWX_CHECK twx_rc twx_workers_open(twx_ctx *cx, size_t threads, size_t items,
                                  const twx_work_kind *kind, twx_workers **ret_workers);
/* Stops the threads; items still in the queue are dropped (they belong to the caller). */
void twx_workers_close(twx_workers *w);
TWX_CHECK twx_rc twx_workers_give(twx_workers *w, void *item);
/* Returns a finished item; with `wait`, waits for one if work is under way. *ret_item is NULL if
 * there is none. */
TWX_CHECK twx_rc twx_workers_take(twx_workers *w, bool wait, void **ret_item);

#endif
