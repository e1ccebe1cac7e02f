/* Output that fails: for every call of the library that writes, its sink refuses the first write,
 * then the second, and so on to the last, for text, JSON and HTML. The call ends with TWINDEX_IO
 * and a message, nothing leaks (under asan), and the flags are the same; a call that changes the
 * store has done its work. Calls before a store is open are refused. */
#include "store_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGES = 20,
    ALL = TEST_SANITIZED ? 2
                         : 6 /* so many writes fail one by one, later ones more and more rarely */
};

static const char *store, *rules_file;
static char some_id[TEST_ID_BYTES];

typedef int call_fn(twindex *t, const twindex_sink *sink);

static int call_run(twindex *t, const twindex_sink *sink) {
    const twindex_run_options plain = {.force = true};
    return twindex_run(t, &plain, sink);
}

static int call_dry_run(twindex *t, const twindex_sink *sink) {
    const twindex_run_options dry = {.dry_run = true, .list = true, .full = true};
    return twindex_run(t, &dry, sink);
}

static int call_try_rules(twindex *t, const twindex_sink *sink) {
    const twindex_run_options dry = {.dry_run = true, .rules = rules_file};
    return twindex_run(t, &dry, sink);
}

static int call_explain(twindex *t, const twindex_sink *sink) {
    return twindex_explain(t, some_id, sink);
}

static int call_compare(twindex *t, const twindex_sink *sink) {
    const twindex_compare_options how = {.all = true};
    return twindex_compare(t, some_id, some_id, &how, sink);
}

static int call_similar(twindex *t, const twindex_sink *sink) {
    const twindex_similar_options how = {.limit = 5};
    return twindex_similar(t, some_id, &how, sink);
}

static int call_groups(twindex *t, const twindex_sink *sink) {
    return twindex_groups(t, "exact", 0, sink);
}

static int call_clusters(twindex *t, const twindex_sink *sink) {
    return twindex_groups(t, NULL, 0, sink);
}

static int call_diff(twindex *t, const twindex_sink *sink) {
    return twindex_diff(t, 0, sink);
}

static int call_mirrors(twindex *t, const twindex_sink *sink) {
    test_set(t, "mirrors.ratio", "0.1");
    test_set(t, "mirrors.min_documents", "1");
    return twindex_mirrors(t, sink);
}

static int call_rules(twindex *t, const twindex_sink *sink) {
    return twindex_rules(t, rules_file, false, sink);
}

static int call_index(twindex *t, const twindex_sink *sink) {
    return twindex_index(t, false, sink);
}

static int call_search(twindex *t, const twindex_sink *sink) {
    const twindex_search_options how = {.query = "a* OR b* OR c* OR t* OR w*", .limit = 5};
    return twindex_search(t, &how, sink);
}

static int call_compare_rules(twindex *t, const twindex_sink *sink) {
    const twindex_search_options how = {
        .query = "a* OR b* OR c* OR t* OR w*", .compare = rules_file, .limit = 5};
    return twindex_search(t, &how, sink);
}

static int call_evaluate(twindex *t, const twindex_sink *sink) {
    const twindex_evaluate_options how = {.detectors = "exact,tf,alignment", .hidden = 5};
    return twindex_evaluate(t, &how, sink);
}

static int call_evaluate_html(twindex *t, const twindex_sink *sink) {
    const twindex_evaluate_options how = {.detectors = "exact,alignment", .html = true};
    return twindex_evaluate(t, &how, sink);
}

static int call_findable(twindex *t, const twindex_sink *sink) {
    const twindex_evaluate_options how = {.detectors = "exact", .findable = true};
    return twindex_evaluate(t, &how, sink);
}

static int call_predict(twindex *t, const twindex_sink *sink) {
    static const char *const URLS[] = {"http://a.example/x?sid=1", "nonsense"};
    const twindex_predict_options how = {.urls = URLS, .n = 2, .threshold = 0.98};
    return twindex_predict(t, &how, sink);
}

static int call_learned_rules(twindex *t, const twindex_sink *sink) {
    const twindex_predict_options how = {.rules = true, .threshold = 0.1};
    return twindex_predict(t, &how, sink);
}

static int call_replay(twindex *t, const twindex_sink *sink) {
    const twindex_predict_options how = {.evaluate = true, .train = 0.5};
    return twindex_predict(t, &how, sink);
}

static const struct {
    const char *name;
    call_fn *call;
    bool needs_no_store;
} CALLS[] = {{"run", call_run, false},
             {"dry run", call_dry_run, false},
             {"try rules", call_try_rules, false},
             {"diff", call_diff, false},
             {"report", twindex_report, false},
             {"check", twindex_check, false},
             {"suggest", twindex_suggest, false},
             {"explain", call_explain, false},
             {"compare", call_compare, false},
             {"similar", call_similar, false},
             {"groups", call_groups, false},
             {"clusters", call_clusters, false},
             {"digest", twindex_digest, false},
             {"mirrors", call_mirrors, false},
             {"detectors", twindex_detectors, true},
             {"rules", call_rules, true},
             {"index", call_index, false},
             {"search", call_search, false},
             {"compare rules", call_compare_rules, false},
             {"evaluate", call_evaluate, false},
             {"evaluate, HTML", call_evaluate_html, false},
             {"findable", call_findable, false},
             {"learn", twindex_learn, false},
             {"predict", call_predict, false},
             {"learned rules", call_learned_rules, false},
             {"replay", call_replay, false}};
enum { CALLS_N = sizeof CALLS / sizeof *CALLS };

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
    snprintf(some_id, sizeof some_id, "%" PRId64,
             test_integer(db, "SELECT min(duplicate_of) FROM document_flags"));
    sqlite3_close(db);
    rules_file = test_file("outputs.rules");
    FILE *f = fopen(rules_file, "w");
    assert_non_null(f);
    fputs("[boost] representative_b:true^2\n[fields] title^2 text", f);
    assert_int_equal(fclose(f), 0);
    return w;
}

/* true: the write was reached */
static bool fail_nth(const test_world *w, size_t call, twindex_format format, uint64_t nth) {
    narrow n = {.fails_at = nth};
    const twindex_sink sink = {.write = write_until, .arg = &n, .format = format, .columns = 80};
    twindex *t = test_twindex(w, store, NULL, false);
    const int result = CALLS[call].call(t, &sink);
    const bool reached = n.writes >= nth;
    if (reached && (result != TWINDEX_IO || !twindex_message(t)[0]))
        fail_msg("%s, write %" PRIu64 ": %d '%s'", CALLS[call].name, nth, result,
                 twindex_message(t));
    if (reached && n.writes > nth)
        fail_msg("%s (%s) goes on writing after write %" PRIu64, CALLS[call].name,
                 format == TWINDEX_JSON ? "JSON" : "text", nth);
    if (!reached && result != TWINDEX_OK && result != TWINDEX_DOUBT)
        fail_msg("%s: %d '%s'", CALLS[call].name, result, twindex_message(t));
    twindex_free(t);
    return reached;
}

static void writes_fail_one_after_the_other(void **state) {
    (void)state;
    test_world *w = make_store();
    char before[33], after[33];
    twindex *t = test_twindex(w, store, NULL, false);
    test_digest(t, before);
    for (size_t call = 0; call < CALLS_N; call++)
        for (int format = TWINDEX_TEXT; format <= TWINDEX_JSON; format++) {
            uint64_t failed = 0;
            for (uint64_t nth = 1; fail_nth(w, call, (twindex_format)format, nth);
                 nth += 1 + nth / ALL)
                failed++;
            if (failed == 0) fail_msg("%s writes nothing", CALLS[call].name);
        }
    test_digest(t, after);
    assert_string_equal(after, before);
    twindex_free(t);
    test_world_free(w);
}

static void calls_before_a_store_is_open_are_refused(void **state) {
    const twindex_sink sink = {.write = write_until, .arg = &(narrow){0}};
    (void)state;
    snprintf(some_id, sizeof some_id, "1");
    for (size_t call = 0; call < CALLS_N; call++) {
        twindex *t = twindex_new();
        assert_non_null(t);
        if (!CALLS[call].needs_no_store) {
            assert_int_equal(CALLS[call].call(t, &sink), TWINDEX_USAGE);
            assert_non_null(strstr(twindex_message(t), "twindex_open()"));
        }
        twindex_free(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_fail_one_after_the_other),
        cmocka_unit_test(calls_before_a_store_is_open_are_refused),
    };
    return cmocka_run_group_tests_name("output faults", tests, NULL, NULL);
}
