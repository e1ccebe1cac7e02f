#include "support.h"

#include "run/run.h"

enum { ITEMS = 8, ROUNDS = 500 };

typedef struct item {
    int n, done;
    bool under_way;
} item;

/* What all workers share: how many were opened and closed, which item fails. */
typedef struct shop {
    atomic_int opened, closed, worked;
    int fail_open_at, fail_work_at; /* 0: never */
} shop;

static twx_rc open_worker(twx_ctx *cx, void *arg, void **ret_state) {
    shop *s = arg;
    if (atomic_fetch_add(&s->opened, 1) + 1 == s->fail_open_at)
        return twx_fail(cx, TWX_E_NOMEM, "cannot begin");
    *ret_state = s;
    return TWX_OK;
}

static twx_rc work(twx_ctx *cx, void *state, void *arg) {
    shop *s = state;
    item *it = arg;
    if (atomic_fetch_add(&s->worked, 1) + 1 == s->fail_work_at)
        return twx_fail(cx, TWX_E_DATA, "bad item");
    it->done = it->n * 2;
    return TWX_OK;
}

static void close_worker(void *state) {
    shop *s = state;
    atomic_fetch_add(&s->closed, 1);
}

static twx_workers *open_line(twx_ctx *cx, shop *s, size_t threads) {
    twx_workers *w = NULL;
    const twx_work_kind kind = {.open = open_worker, .work = work, .close = close_worker, .arg = s};
    twx_ctx_init(cx);
    assert_int_equal(twx_workers_open(cx, threads, ITEMS, &kind, &w), TWX_OK);
    return w;
}

static item *free_item(item items[ITEMS]) {
    for (int i = 0; i < ITEMS; i++)
        if (!items[i].under_way) return &items[i];
    return NULL;
}

static twx_rc take_one(twx_workers *w, bool wait, int *taken) {
    void *out = NULL;
    twx_rc rc = twx_workers_take(w, wait, &out);
    if (rc != TWX_OK || !out) return rc;
    item *it = out;
    assert_int_equal(it->done, it->n * 2);
    it->under_way = false;
    ++*taken;
    return TWX_OK;
}

/* Feeds the line until all rounds are done or something fails. */
static twx_rc feed(twx_workers *w, int *taken) {
    static item items[ITEMS];
    twx_rc rc = TWX_OK;
    memset(items, 0, sizeof items);
    *taken = 0;
    for (int n = 1; rc == TWX_OK && n <= ROUNDS;) {
        item *it = free_item(items);
        if (it) {
            *it = (item){.n = n++, .under_way = true};
            rc = twx_workers_give(w, it);
        }
        if (rc == TWX_OK) rc = take_one(w, !it, taken);
    }
    while (rc == TWX_OK && *taken < ROUNDS) rc = take_one(w, true, taken);
    return rc;
}

TEST(every_item_is_worked_on_once_by_any_number_of_threads) {
    for (size_t threads = 1; threads <= 7; threads++) {
        twx_ctx cx;
        shop s = {0};
        int taken = 0;
        void *nothing = &s;
        twx_workers *w = open_line(&cx, &s, threads);
        assert_int_equal(feed(w, &taken), TWX_OK);
        assert_int_equal(taken, ROUNDS);
        assert_int_equal(s.worked, ROUNDS);
        /* nothing is under way: no waiting */
        assert_int_equal(twx_workers_take(w, true, &nothing), TWX_OK);
        assert_null(nothing);
        twx_workers_close(w);
        assert_int_equal(s.closed, s.opened);
    }
}

/* R1 */
TEST(r1_the_first_error_of_a_worker_is_handed_to_the_caller) {
    for (int at = 1; at <= ROUNDS; at += 37) {
        twx_ctx cx;
        shop s = {.fail_work_at = at};
        int taken = 0;
        twx_workers *w = open_line(&cx, &s, 3);
        assert_int_equal(feed(w, &taken), TWX_E_DATA);
        assert_string_equal(cx.message, "bad item");
        assert_true(taken < ROUNDS);
        twx_workers_close(w);
        assert_int_equal(s.closed, s.opened);
    }
}

TEST(r1_a_worker_that_cannot_begin_is_an_error_too) {
    for (int at = 1; at <= 3; at++) {
        twx_ctx cx;
        shop s = {.fail_open_at = at};
        int taken = 0;
        twx_workers *w = open_line(&cx, &s, 3);
        twx_rc rc = feed(w, &taken);
        /* one may have done it all before the next began */
        assert_true(rc == TWX_E_NOMEM || (rc == TWX_OK && at > 1));
        twx_workers_close(w);
    }
}

TEST(a_line_is_bounded) {
    twx_ctx cx;
    shop s = {0};
    static item items[ITEMS + 1];
    twx_workers *w = open_line(&cx, &s, 1);
    for (int i = 0; i < ITEMS; i++) assert_int_equal(twx_workers_give(w, &items[i]), TWX_OK);
    assert_int_equal(twx_workers_give(w, &items[ITEMS]), TWX_E_INTERNAL);
    twx_workers_close(w);
    twx_workers_close(NULL);
}
