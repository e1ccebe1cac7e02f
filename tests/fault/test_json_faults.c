/* wings: import predict lab cluster */
/* Every allocation fails once, and then from one on all of them, while the figures of a query are
 * added to the JSON of many queries: the call ends with TWX_E_NOMEM and a message, or the JSON is
 * as it is without failures. jansson leaves out a member whose allocation failed, and says nothing
 * (base/memory.c). */
#include "support.h"

#include <errno.h>

#include "fault_memory.h"
#include "search/internal.h"

static const twindex_sink SINK = {.format = TWINDEX_JSON};

/* Adds a query. Returns the rows, which the caller frees, or NULL if the call failed. at 0: no
 * allocation fails. */
static char *add_query(uint64_t at, bool forever, twx_ctx *cx, uint64_t *ret_allocations) {
    static const char *const RULES[TWX_SEARCH_SIDES] = {NULL, "rules.conf"};
    const twx_out out = {.cx = cx, .sink = &SINK};
    twx_query_list list = {.out = &out, .judged = true};
    const twx_search_figures figures = {
        .query = TWX_SLICE_LIT("caf\xC3\xA9 \xFF"),
        .n_sides = TWX_SEARCH_SIDES,
        .hits = {12, 7},
        .few = {.25, 0},
        .many = {.5, .125},
        .moves = {.moved = 3, .vanished = 5, .clusters_before = 2},
        .judged = true,
        .quality = {{.5, 1}, {.75, .25}},
    };
    twx_ctx_init(cx);
    assert_int_equal(twx_query_list_begin(&list, RULES, TWX_SEARCH_SIDES), TWX_OK);
    errno = ENOMEM; /* malloc() leaves it if it succeeds at the second attempt */
    memory_arm(at, forever);
    const twx_rc rc = twx_query_list_add(&list, &figures);
    *ret_allocations = memory_disarm();
    if (rc != TWX_OK) {
        assert_int_equal(rc, TWX_E_NOMEM);
        assert_non_null(strstr(cx->message, "out of memory"));
    }
    char *rows = rc == TWX_OK ? json_dumps(list.rows, JSON_ENCODE_ANY) : NULL;
    assert_true(rows || rc != TWX_OK);
    twx_query_list_done(&list);
    return rows;
}

static void fail_each(bool forever) {
    twx_ctx cx;
    uint64_t n, ignored, failed = 0;
    char *whole = add_query(0, false, &cx, &n);
    assert_non_null(strstr(whole, "\"reciprocal_rank\": 0.25"));
    assert_true(n > 50);
    for (uint64_t at = 1; at <= n; at++) {
        char *rows = add_query(at, forever, &cx, &ignored);
        if (rows && strcmp(rows, whole) != 0)
            fail_msg("allocation %" PRIu64 " of %" PRIu64 ": %s instead of %s", at, n, rows, whole);
        failed += !rows;
        free(rows);
    }
    assert_true(failed > n / 2); /* the others can be done without: realloc of a buffer */
    free(whole);
}

TEST(an_allocation_fails) {
    if (!memory_can_fail()) skip();
    fail_each(false);
}

TEST(allocations_fail_from_one_on) {
    if (!memory_can_fail()) skip();
    fail_each(true);
}
