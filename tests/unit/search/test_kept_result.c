/* wings: import */
/* Runs that publish while an answer is read. Of the two generations of flags (store/generations.c)
 * the first run writes the other one, so the answer is still that of one run; the second run
 * overwrites the flags that are read. */
#include "support.h"

#include <string.h>

#include "serve_store.h"

enum { OUTPUT_BYTES = 1 << 20 };

typedef struct reading {
    twindex *runner; /* another handle of the store */
    int runs;        /* runs that publish after the first query */
    size_t n;
    char output[OUTPUT_BYTES];
} reading;

static int keep_output(void *arg, const char *bytes, size_t n) {
    reading *r = arg;
    assert_true(r->n + n < OUTPUT_BYTES);
    memcpy(r->output + r->n, bytes, n);
    r->n += n;
    r->output[r->n] = '\0';
    return 0;
}

/* Each run publishes other flags than the one before. */
static void publish(twindex *t, bool exact) {
    const twindex_sink sink = {.write = serve_store_discard};
    const twindex_run_options force = {.force = true};
    assert_int_equal(twindex_set(t, "verdict.relations", exact ? "exact" : "scheme"), TWINDEX_OK);
    if (twindex_run(t, &force, &sink) != TWINDEX_OK) fail_msg("%s", twindex_message(t));
}

static void publish_after_first_query(void *arg, const twindex_progress *p) {
    reading *r = arg;
    if (strcmp(p->stage, "search") != 0 || p->done != 1) return;
    for (int i = 0; i < r->runs; i++) publish(r->runner, i % 2);
}

static int try_rules(twindex *t, reading *r, int runs) {
    static const char *const QUERIES[] = {"rivers", "rivers stones", "lakes"};
    const twindex_try_options options = {
        .queries = QUERIES, .n_queries = 3, .sides = {{.name = "A", .text = ""}}, .n_sides = 1};
    const twindex_sink sink = {.write = keep_output, .arg = r, .format = TWINDEX_JSON};
    r->runs = runs;
    r->n = 0;
    twindex_on_progress(t, publish_after_first_query, r);
    return twindex_try_rules(t, &options, &sink);
}

TEST(an_answer_is_that_of_one_run_or_none) {
    static reading r;
    static char before[OUTPUT_BYTES];
    char store[4300];
    twindex *t = twindex_new();
    snprintf(store, sizeof store, "%s/s.db", test_folder());
    assert_true(t && serve_store_make(t, test_folder(), store));
    r.runner = twindex_copy(t);
    assert_non_null(r.runner);
    publish(r.runner, true);
    assert_int_equal(try_rules(t, &r, 0), TWINDEX_OK);
    memcpy(before, r.output, r.n + 1);
    assert_non_null(strstr(before, "\"duplicate_of\""));
    assert_int_equal(try_rules(t, &r, 1), TWINDEX_OK);
    assert_string_equal(r.output, before);
    publish(r.runner, true);
    assert_int_equal(try_rules(t, &r, 2), TWINDEX_BUSY);
    assert_non_null(strstr(twindex_message(t), "s.db: two runs published"));
    assert_int_equal(r.n, 0);
    assert_int_equal(try_rules(t, &r, 0), TWINDEX_OK);
    twindex_free(r.runner);
    twindex_free(t);
}
