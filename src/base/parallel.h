/* base/parallel.h: tasks 0..n-1 on several threads, for work that shares nothing but its input.
 * [R1] Every task is run once, unless one fails or the call is cancelled; each thread takes the
 * next task that no thread has taken. The first error is returned.
 * The caller's thread is one of them; with one thread, no other is started. */
#ifndef TWX_BASE_PARALLEL_H
#define TWX_BASE_PARALLEL_H

#include <stddef.h>

#include "base/ctx.h"

enum { TWX_PARALLEL_MAX = 64 };

/* thread: 0..threads-1, for state of its own; cx: of this thread. */
typedef twx_rc twx_task_fn(twx_ctx *cx, void *arg, size_t thread, size_t task);
/* threads: at most TWX_PARALLEL_MAX; larger numbers are clipped. */
TWX_CHECK twx_rc twx_parallel(twx_ctx *cx, size_t threads, size_t tasks, twx_task_fn *fn,
                              void *arg);

#endif
