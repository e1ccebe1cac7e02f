/* wings: lab */
/* run/job: rows that are too long, that vanish, and that are chosen by few columns. */
#include "eval_store.h"

enum { ROWS = 1200 }; /* more than two batches */

typedef struct reading {
    eval_store store;
    twx_document_reader reader;
    char met[ROWS + 2]; /* by id: how often take() had the row */
    int64_t last;
    unsigned prepared, selected, gone, warnings;
    const char *meanwhile; /* SQL that another program runs after the first row is selected */
} reading;

static void count_warning(void *arg, twindex_level level, const char *text) {
    reading *r = arg;
    assert_int_equal(level, TWINDEX_WARNING);
    assert_non_null(strstr(text, "run.row_bytes: the test leaves it out"));
    r->warnings++;
}

static twx_rc take(void *arg, const twx_source_row *row, bool *ret_wait) {
    reading *r = arg;
    const int64_t id = row->value[TWX_COL_ID].i;
    (void)ret_wait;
    assert_in_range(id, 1, ROWS);
    r->met[id]++;
    assert_true(id > r->last);
    r->last = id;
    assert_true(twx_bytes_of(&row->value[TWX_COL_TEXT]).n > 0);
    return TWX_OK;
}

static twx_rc prepare(void *arg) {
    reading *r = arg;
    r->prepared++;
    return TWX_OK;
}

/* Every third row; few columns are read. */
static twx_rc select_third(void *arg, const twx_source_row *row, bool *ret_wanted) {
    reading *r = arg;
    assert_null(twx_bytes_of(&row->value[TWX_COL_TEXT]).p);
    *ret_wanted = row->value[TWX_COL_ID].i % 3 == 0;
    r->selected++;
    if (r->meanwhile) eval_store_sql(&r->store, r->meanwhile);
    r->meanwhile = NULL;
    return TWX_OK;
}

static twx_rc note_gone(void *arg, const twx_value *scan_key) {
    reading *r = arg;
    assert_int_equal(scan_key->i, 77);
    r->gone++;
    return TWX_OK;
}

static void setup(reading *r) {
    static const char *const LIMIT[] = {"run.row_bytes", "1M", NULL};
    const test_row one = {"https://a.example/1", "text 1", 200, NULL};
    eval_store_open(&r->store, &one, 1, LIMIT);
    eval_store_sql(&r->store,
                   "PRAGMA journal_mode = WAL; WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i "
                   "+ 1 FROM n WHERE i < 1200) INSERT INTO pages(id, url, content) SELECT i, "
                   "'https://a.example/' || i, 'text ' || i FROM n");
    r->store.job.message = count_warning;
    r->store.job.message_arg = r;
    r->reader = (twx_document_reader){.job = &r->store.job,
                                      .source = r->store.o.source,
                                      .stage = "test",
                                      .too_long = "the test leaves it out",
                                      .want = TWX_WANT_WHOLE,
                                      .take = take,
                                      .prepare = prepare,
                                      .gone = note_gone,
                                      .arg = r};
}

static void teardown(reading *r) {
    eval_store_close(&r->store);
}

static void make_long(const reading *r, const char *ids) {
    char sql[200];
    snprintf(sql, sizeof sql,
             "UPDATE pages SET content = printf('%%.*c', 2000000, 'x') WHERE id IN (%s)", ids);
    eval_store_sql(&r->store, sql);
}

TEST_OF(a_scan_gives_each_row_once_in_order, reading *r) {
    assert_int_equal(twx_document_reader_scan(&r->reader), TWX_OK);
    for (int i = 1; i <= ROWS; i++) assert_int_equal(r->met[i], 1);
    assert_int_equal(r->reader.read, ROWS);
    assert_in_range(r->prepared, ROWS / TWX_READER_ROWS, ROWS / TWX_READER_ROWS + 2);
}

/* The first row, the last of a batch, neighbours, and the last row of all. */
TEST_OF(r1_rows_that_are_too_long_are_named_and_the_others_are_read, reading *r) {
    make_long(r, "1, 500, 501, 700, 1200");
    assert_int_equal(twx_document_reader_scan(&r->reader), TWX_OK);
    for (int i = 1; i <= ROWS; i++)
        assert_int_equal(r->met[i], i != 1 && i != 500 && i != 501 && i != 700 && i != 1200);
    assert_int_equal(r->reader.left_out, 5);
    assert_int_equal(r->warnings, 5);
}

TEST_OF(rows_are_chosen_by_few_columns_and_read_completely, reading *r) {
    make_long(r, "4, 6");
    r->reader.want = TWX_WANT_IDENTITY;
    r->reader.select = select_third;
    assert_int_equal(twx_document_reader_scan(&r->reader), TWX_OK);
    for (int i = 1; i <= ROWS; i++) assert_int_equal(r->met[i], i % 3 == 0 && i != 6);
    assert_int_equal(r->selected, ROWS);
    assert_int_equal(r->reader.left_out, 1); /* row 4 is not wanted */
    assert_int_equal(r->warnings, 1);
}

TEST_OF(r2_a_row_that_is_deleted_after_it_was_chosen_is_skipped, reading *r) {
    r->reader.want = TWX_WANT_IDENTITY;
    r->reader.select = select_third;
    r->meanwhile = "DELETE FROM pages WHERE id IN (9, 1200)";
    assert_int_equal(twx_document_reader_scan(&r->reader), TWX_OK);
    for (int i = 1; i <= ROWS; i++) assert_int_equal(r->met[i], i % 3 == 0 && i != 9 && i != 1200);
}

TEST_OF(fetching_reports_what_is_gone_and_what_is_too_long, reading *r) {
    const twx_value keys[] = {
        {.type = TWX_INT, .i = 5}, {.type = TWX_INT, .i = 77}, {.type = TWX_INT, .i = 90}};
    make_long(r, "90");
    eval_store_sql(&r->store, "DELETE FROM pages WHERE id = 77");
    assert_int_equal(twx_document_reader_fetch(&r->reader, keys, TWX_COUNTOF(keys)), TWX_OK);
    assert_int_equal(r->met[5], 1);
    assert_int_equal(r->gone, 1);
    assert_int_equal(r->reader.left_out, 1);
    assert_int_equal(r->reader.read, 1);
    assert_int_equal(r->prepared, 3);
}

static twx_rc refuse(void *arg, const twx_source_row *row, bool *ret_wait) {
    reading *r = arg;
    (void)row;
    (void)ret_wait;
    return twx_fail(&r->store.cx, TWX_E_LIMIT, "the test refuses");
}

/* TWX_E_LIMIT of the caller is not taken for a row that is too long. */
TEST_OF(an_error_of_the_caller_ends_the_scan, reading *r) {
    r->reader.take = refuse;
    assert_int_equal(twx_document_reader_scan(&r->reader), TWX_E_LIMIT);
    assert_string_equal(r->store.cx.message, "the test refuses");
    assert_int_equal(r->reader.left_out, 0);
    r->reader.want = TWX_WANT_IDENTITY;
    r->reader.select = select_third;
    twx_ctx_clear(&r->store.cx);
    assert_int_equal(twx_document_reader_scan(&r->reader), TWX_E_LIMIT);
    assert_int_equal(r->reader.left_out, 0);
}

/* It fails before the first of the rows that were chosen is fetched. */
static twx_rc refuse_to_prepare(void *arg) {
    reading *r = arg;
    return r->prepared++ == 1 ? twx_fail(&r->store.cx, TWX_E_LIMIT, "nothing is prepared") : TWX_OK;
}

TEST_OF(an_error_of_prepare_ends_the_scan, reading *r) {
    r->reader.want = TWX_WANT_IDENTITY;
    r->reader.select = select_third;
    r->reader.prepare = refuse_to_prepare;
    assert_int_equal(twx_document_reader_scan(&r->reader), TWX_E_LIMIT);
    assert_string_equal(r->store.cx.message, "nothing is prepared");
    assert_int_equal(r->prepared, 2);
    assert_int_equal(r->last, 0);
}

TESTS_OF(reading, setup, teardown);
