/* wings: import predict lab cluster */
/* Output that fails: for every call of the library that writes, its sink refuses the first write,
 * then the second, and so on to the last, for text, JSON and HTML; import, init, undo and remove,
 * whose second call would do something else, are left out. The call ends with TWINDEX_IO
 * and a message, nothing leaks (under asan), and the flags are the same; a call that changes the
 * store has done its work. Calls before a store is open are refused. */
#include "fault_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGES = 20,
    ALL = TEST_SANITIZED ? 2
                         : 6 /* so many writes fail one by one, later ones more and more rarely */
};

static const char *store;

/* Calls that write and leave the flags as they are, however often they are made. */
static bool is_tested(const fault_call *call) {
    return !call->toggles && !(call->changes & (FAULT_DOCUMENTS | FAULT_MADE | FAULT_REMOVED));
}

typedef struct narrow {
    uint64_t writes, fails_at; /* 0: never */
} narrow;

static int write_until(void *arg, const char *bytes, size_t n) {
    narrow *w = arg;
    (void)bytes, (void)n;
    return w->fails_at && ++w->writes >= w->fails_at ? -1 : 0;
}

static test_world *make_store(void) {
    const twindex_sink sink = {.write = write_until, .arg = &(narrow){0}};
    test_world *w = test_world_new(7, TEST_OWN);
    store = test_file("outputs.db");
    test_world_grow(w, PAGES);
    test_store_make(w, store);
    for (int i = 0; i < 2; i++) {
        twindex *t = test_twindex(w, store, NULL, false);
        test_store_sync(w, store);
        test_run(t, &(twindex_run_options){.force = true}, TWINDEX_OK);
        assert_int_equal(twindex_index(t, false, &sink), TWINDEX_OK);
        assert_int_equal(twindex_learn(t, &sink), TWINDEX_OK);
        twindex_free(t);
        if (i == 0) test_world_change(w, 12);
    }
    sqlite3 *db = test_open(store);
    fault_calls_prepare_row(store, db,
                            "SELECT id, url FROM documents WHERE id = "
                            "(SELECT min(duplicate_of) FROM document_flags)");
    sqlite3_close(db);
    return w;
}

/* true: the write was reached */
static bool fail_nth(const test_world *w, const fault_call *call, twindex_format format,
                     uint64_t nth) {
    narrow n = {.fails_at = nth};
    const twindex_sink sink = {.write = write_until, .arg = &n, .format = format, .columns = 80};
    twindex *t = test_twindex(w, store, NULL, false);
    const int result = call->call(t, &sink);
    const bool reached = n.writes >= nth;
    if (reached && (result != TWINDEX_IO || !twindex_message(t)[0]))
        fail_msg("%s, write %" PRIu64 ": %d '%s'", call->name, nth, result, twindex_message(t));
    if (reached && n.writes > nth)
        fail_msg("%s (%s) goes on writing after write %" PRIu64, call->name,
                 format == TWINDEX_JSON ? "JSON" : "text", nth);
    if (!reached && result != TWINDEX_OK && result != TWINDEX_DOUBT)
        fail_msg("%s: %d '%s'", call->name, result, twindex_message(t));
    twindex_free(t);
    return reached;
}

TEST(writes_fail_one_after_the_other) {
    test_world *w = make_store();
    char before[33], after[33];
    twindex *t = test_twindex(w, store, NULL, false);
    test_digest(t, before);
    for (const fault_call *call = FAULT_CALL; call < FAULT_CALL + FAULT_CALLS; call++)
        for (int format = TWINDEX_TEXT; format <= TWINDEX_JSON && is_tested(call); format++) {
            uint64_t failed = 0;
            for (uint64_t nth = 1; fail_nth(w, call, (twindex_format)format, nth);
                 nth += 1 + nth / test_share_of(ALL, 1))
                failed++;
            if (failed == 0) fail_msg("%s writes nothing", call->name);
        }
    test_digest(t, after);
    assert_string_equal(after, before);
    twindex_free(t);
    test_world_free(w);
}

TEST(calls_before_a_store_is_open_are_refused) {
    const twindex_sink sink = {.write = write_until, .arg = &(narrow){0}};
    fault_calls_prepare("none.db", "1", "http://a.example/");
    for (const fault_call *call = FAULT_CALL; call < FAULT_CALL + FAULT_CALLS; call++) {
        twindex *t = twindex_new();
        assert_non_null(t);
        if (!call->alone && !(call->changes & FAULT_MADE)) {
            assert_int_equal(call->call(t, &sink), TWINDEX_USAGE);
            assert_non_null(strstr(twindex_message(t), "twindex_open()"));
        }
        twindex_free(t);
    }
}
