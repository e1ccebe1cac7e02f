/* predict/learn_urls.c: what is written comes back; only what differs is written; a failed write
 * leaves the old model. */
#include "support.h"

#include "predict/predict.h"

enum { SEEN_MAX = 30000 };

static twx_ctx cx;
static twx_db *db;
static twx_map64_slot seen[SEEN_MAX];

static void open_db(void) {
    static unsigned files;
    char path[600];
    const twx_db_options options = {.mode = TWX_DB_WRITER, .create = true};
    snprintf(path, sizeof path, "%s/model%u.db", test_folder(), files++);
    twx_ctx_init(&cx);
    assert_ok(twx_db_open(&cx, path, &options, &db));
}

static void close_db(void) {
    twx_db_close(db);
}

typedef struct reading {
    const twx_url_model_rows *expected;
    size_t contexts, seen;
} reading;

static twx_rc check_context(void *arg, const twx_context *row) {
    reading *r = arg;
    const twx_context *e = &r->expected->contexts[r->contexts++];
    assert_true(row->key == e->key && row->row == e->row && row->dup == e->dup &&
                row->nodup == e->nodup);
    assert_true(twx_slice_eq(row->path, e->path) && twx_slice_eq(row->name, e->name));
    assert_true((row->value.p == NULL) == (e->value.p == NULL) &&
                twx_slice_eq(row->value, e->value));
    return TWX_OK;
}

static twx_rc check_seen(void *arg, const twx_map64_slot *row) {
    reading *r = arg;
    const twx_map64_slot *e = &r->expected->seen[r->seen++];
    if (row->key != e->key || row->value != e->value) fail_msg("row %zu", r->seen);
    return TWX_OK;
}

static void expect_rows(const twx_url_model_rows *rows) {
    twx_url_model_head head;
    reading r = {.expected = rows};
    assert_int_equal(twx_url_model_head_read(db, &head), TWX_OK);
    assert_true(head.run == rows->head.run && head.fingerprint == rows->head.fingerprint &&
                head.urls == rows->head.urls && head.share == rows->head.share);
    assert_int_equal(twx_url_contexts_each(db, check_context, &r), TWX_OK);
    assert_int_equal(twx_url_seen_each(db, check_seen, &r), TWX_OK);
    assert_int_equal(r.contexts, rows->contexts_n);
    assert_int_equal(r.seen, rows->seen_n);
}

static uint64_t write_rows(const twx_url_model_rows *rows) {
    uint64_t changed = 0;
    assert_int_equal(twx_url_model_write(db, rows, &changed), TWX_OK);
    expect_rows(rows);
    return changed;
}

static twx_context context_of(int64_t key, const char *name, uint32_t dup) {
    return (twx_context){
        .key = (uint64_t)key, .row = 1, .name = twx_slice_of(name), .dup = dup, .nodup = 1};
}

static void fill_seen(size_t n, uint64_t step) {
    for (size_t i = 0; i < n; i++)
        seen[i] = (twx_map64_slot){(uint64_t)INT64_MIN + 1 + i * step, i % 3};
}

TEST(r1_only_what_differs_is_written) {
    twx_context contexts[] = {context_of(-5, "a", 1), context_of(0, "", 2), context_of(7, "c", 3)};
    twx_url_model_rows rows = {.head = {1, UINT64_MAX, 3, 1},
                               .contexts = contexts,
                               .contexts_n = 3,
                               .seen = seen,
                               .seen_n = 25000};
    fill_seen(SEEN_MAX, UINT64_C(600000000000000)); /* over all of the signed range */
    assert_int_equal(twx_url_model_make(db), TWX_OK);
    assert_int_equal(twx_url_model_make(db), TWX_OK);
    assert_int_equal(write_rows(&rows), 25000 + 3 + 1);
    assert_int_equal(write_rows(&rows), 0);
    rows.head.run = 2;
    assert_int_equal(write_rows(&rows), 1);
    contexts[1].dup = 9;
    contexts[2].value = TWX_SLICE_LIT("v");
    assert_int_equal(write_rows(&rows), 2);
    contexts[2] = context_of(8, "d", 3);
    assert_int_equal(write_rows(&rows), 2); /* one goes, one comes */
    seen[12345].value = 77;
    rows.seen_n = SEEN_MAX;
    assert_int_equal(write_rows(&rows), 1 + 5000);
    rows.seen = seen + 100;
    rows.seen_n = 20000;
    assert_int_equal(write_rows(&rows), SEEN_MAX - 20000);
    rows.seen_n = rows.contexts_n = 0;
    assert_int_equal(write_rows(&rows), 20003);
}

TEST(without_tables_nothing_was_learned) {
    twx_url_model_head head;
    assert_int_equal(twx_url_model_head_read(db, &head), TWX_DONE);
    assert_int_equal(twx_url_model_make(db), TWX_OK);
    assert_int_equal(twx_url_model_head_read(db, &head), TWX_DONE);
}

TEST(r1_a_write_that_fails_leaves_the_old_model) {
    twx_context contexts[] = {context_of(1, "a", 1), context_of(2, "b", 2)};
    const twx_url_model_rows old = {
        .head = {1, 2, 3, 1}, .contexts = contexts, .contexts_n = 1, .seen = seen, .seen_n = 500};
    twx_url_model_rows fresh = {.head = {2, 2, 3, 1},
                                .contexts = contexts,
                                .contexts_n = 2,
                                .seen = seen + 250,
                                .seen_n = 500};
    atomic_int stop = 2;
    uint64_t changed = 99;
    fill_seen(750, 3);
    assert_int_equal(twx_url_model_make(db), TWX_OK);
    write_rows(&old);
    cx.cancel = &stop;
    assert_int_equal(twx_url_model_write(db, &fresh, &changed), TWX_E_INTERRUPTED);
    assert_int_equal(changed, 99);
    cx.cancel = NULL;
    twx_ctx_clear(&cx);
    expect_rows(&old);
    write_rows(&fresh);
}

TESTS_WITH(open_db, close_db);
