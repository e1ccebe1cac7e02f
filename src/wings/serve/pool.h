/* serve/pool.h: the threads that answer requests which need the store, and the tasks.
 * There are three lanes, each with threads and a queue of its own, so that neither a task nor a
 * comparison of long texts keeps short requests waiting. The answer of a task is kept until a new
 * task needs its place: the oldest of TWX_TASKS goes first.
 * [R1] When the queue is full, a request is refused with TWX_HTTP_BUSY. [R2] A task that is
 * cancelled ends at the next safe point of the library. [R3] twx_pool_stop() cancels everything.
 * [R4] A request whose client closes its connection is cancelled within TWX_WATCH_MS, or taken out
 * of its queue. */
#ifndef TWX_SERVE_POOL_H
#define TWX_SERVE_POOL_H

#include "serve/routes.h"

enum { TWX_TASKS = 16, TWX_QUEUED = 64, TWX_WATCH_MS = 100 };

typedef struct twx_pool twx_pool;

/* A request that waits for its answer. done() is called once, in another thread.
 * Memory: borrowed until done() is called. */
typedef struct twx_waiting {
    const twx_route *route;
    const twx_request *request;
    twx_answer *answer;
    const int *socket; /* of the client; NULL: nobody can leave */
    void (*done)(void *arg);
    void *arg;
    struct twx_waiting *next; /* of the queue; the pool's */
} twx_waiting;

/* server: its t is copied for each thread. */
TWX_CHECK twx_rc twx_pool_open(twx_ctx *cx, twx_server *server, twx_pool **ret_pool);
/* Cancels all requests and waits for the threads. What has not begun is answered as refused, and so
 * is what is asked afterwards, until the pool is closed. */
void twx_pool_stop(twx_pool *pool);
/* Stops the pool and releases it. No other thread may use it any more. */
void twx_pool_close(twx_pool *pool);
/* Queues a request. false: refused, and the answer says so; done() is not called. */
bool twx_pool_wait(twx_pool *pool, twx_waiting *waiting);
/* Begins a task: the answer is its name. The request is copied. */
void twx_pool_begin(twx_pool *pool, const twx_route *route, const twx_request *r,
                    twx_answer *answer);
/* /api/task: the state of a task (GET), or cancels it (DELETE). */
void twx_pool_answer(twx_pool *pool, const twx_request *r, twx_answer *answer);
/* /report/TICKET: the report that a task has made. */
void twx_pool_report(twx_pool *pool, const twx_request *r, twx_slice ticket, twx_answer *answer);

#endif
