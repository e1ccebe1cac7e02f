#include "support.h"

#include <sched.h>
#include <signal.h>

#include "base/base.h"

enum { TASKS = 1000 };

typedef struct tally {
    atomic_uint done[TASKS];
    atomic_uint wrong_thread;
    size_t threads, fails_at;
} tally;

static twx_rc count(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    tally *t = arg;
    atomic_fetch_add(&t->done[task], 1);
    if (thread >= t->threads) atomic_fetch_add(&t->wrong_thread, 1);
    return task == t->fails_at ? twx_fail(cx, TWX_E_LIMIT, "task %zu", task) : TWX_OK;
}

TEST(r1_every_task_is_run_once) {
    for (size_t threads = 1; threads <= 9; threads += 4) {
        tally t = {.threads = threads, .fails_at = TASKS};
        twx_ctx cx = {0};
        assert_ok(twx_parallel(&cx, threads, TASKS, count, &t));
        for (size_t i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&t.done[i]), 1);
        assert_int_equal(atomic_load(&t.wrong_thread), 0);
    }
}

TEST(r1_the_first_error_is_returned) {
    tally t = {.threads = 2, .fails_at = 5};
    twx_ctx cx = {0};
    assert_int_equal(twx_parallel(&cx, 2, TASKS, count, &t), TWX_E_LIMIT);
    assert_string_equal(cx.message, "task 5");
    for (size_t i = 0; i < TASKS; i++) assert_true(atomic_load(&t.done[i]) <= 1);
}

typedef struct race {
    atomic_uint held; /* 1 + the task of thread 1 */
    atomic_bool later_failed;
} race;

/* Thread 1 fails at its first task, after thread 0 has failed at a later one. */
static twx_rc fail_twice(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    race *r = arg;
    if (thread == 1) atomic_store(&r->held, (unsigned)task + 1);
    while (thread == 1 ? !atomic_load(&r->later_failed) : !atomic_load(&r->held)) sched_yield();
    if (thread == 0 && task < atomic_load(&r->held)) return TWX_OK;
    (void)twx_fail(cx, TWX_E_LIMIT, "%s", thread == 1 ? "first" : "later");
    if (thread == 0) atomic_store(&r->later_failed, true);
    return cx->rc;
}

TEST(r1_of_two_errors_the_one_of_the_first_task_is_returned) {
    race r = {0};
    twx_ctx cx = {0};
    assert_int_equal(twx_parallel(&cx, 2, 3, fail_twice, &r), TWX_E_LIMIT);
    assert_string_equal(cx.message, "first");
}

TEST(r1_a_cancelled_call_runs_nothing) {
    tally t = {.threads = 2, .fails_at = TASKS};
    atomic_int stop = SIGINT;
    twx_ctx cx = {0};
    cx.cancel = &stop;
    assert_int_equal(twx_parallel(&cx, 2, TASKS, count, &t), TWX_E_INTERRUPTED);
    for (size_t i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&t.done[i]), 0);
}

TEST(no_tasks_and_more_threads_than_the_limit_are_fine) {
    tally t = {.threads = TWX_PARALLEL_MAX, .fails_at = TASKS};
    twx_ctx cx = {0};
    assert_ok(twx_parallel(&cx, 4, 0, count, &t));
    assert_int_equal(atomic_load(&t.done[0]), 0);
    assert_ok(twx_parallel(&cx, 2 * TWX_PARALLEL_MAX, TASKS, count, &t));
    assert_int_equal(atomic_load(&t.wrong_thread), 0);
    assert_ok(twx_parallel(&cx, 0, 1, count, &t));
    assert_int_equal(atomic_load(&t.done[0]), 2);
}
