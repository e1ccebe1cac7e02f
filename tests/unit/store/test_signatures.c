#include "store_fixture.h"

typedef struct fixture {
    twx_ctx cx;
    twx_db *db;
    twx_signatures *s;
} fixture;

static void setup(fixture *f) {
    f->db = open_migrated(&f->cx, store_of("signatures.db", "CREATE TABLE x(y)"));
    expect_ok(&f->cx, twx_signatures_open(f->db, &f->s));
}

static void teardown(fixture *f) {
    twx_signatures_close(f->s);
    twx_db_close(f->db);
}

static void put(fixture *f, int64_t doc, const char *facts) {
    const twx_stored row = {.doc = doc,
                            .has_token = doc % 2,
                            .token = UINT64_MAX - 1,
                            .fingerprint = UINT64_C(1) << 63,
                            .facts = twx_slice_of(facts),
                            .record = TWX_SLICE_LIT("k\0k")};
    expect_ok(&f->cx, twx_signatures_put(f->s, &row));
}

TEST_OF(a_row_comes_back_as_it_was_put, fixture *f) {
    twx_stored row;
    put(f, -5, "one");
    put(f, 7, "two");
    put(f, 7, "three");
    expect_ok(&f->cx, twx_signatures_get(f->s, 7, &row));
    assert_true(row.has_token && row.token == UINT64_MAX - 1 &&
                row.fingerprint == UINT64_C(1) << 63);
    assert_true(twx_slice_eq(row.facts, TWX_SLICE_LIT("three")) &&
                twx_slice_eq(row.record, TWX_SLICE_LIT("k\0k")));
    put(f, 8, "absent token");
    expect_ok(&f->cx, twx_signatures_get(f->s, 8, &row));
    assert_false(row.has_token);
    assert_int_equal(twx_signatures_get(f->s, 9, &row), TWX_DONE);
    expect_ok(&f->cx, twx_signatures_delete(f->s, 7));
    assert_int_equal(twx_signatures_get(f->s, 7, &row), TWX_DONE);
    uint64_t n = 0;
    expect_ok(&f->cx, twx_signatures_count(f->s, &n));
    assert_int_equal(n, 2);
}

/* A number is given once; after a rollback it is given again, and nothing is remembered. A row with
 * a number that has no fingerprint is stale. */
TEST_OF(fingerprints_are_numbered, fixture *f) {
    twx_stored row = {.doc = 1, .fingerprint = 11};
    expect_ok(&f->cx, twx_db_begin(f->db));
    expect_ok(&f->cx, twx_signatures_put(f->s, &row));
    expect_ok(&f->cx, twx_signatures_get(f->s, 1, &row));
    assert_int_equal(row.fingerprint, 11);
    twx_signatures_release(f->s);
    twx_db_rollback(f->db);
    for (uint64_t fingerprint = 20; fingerprint < 23; fingerprint++)
        for (int64_t doc = 1; doc <= 2; doc++) {
            row = (twx_stored){.doc = doc + (int64_t)fingerprint, .fingerprint = fingerprint};
            expect_ok(&f->cx, twx_signatures_put(f->s, &row));
        }
    for (int64_t doc = 21; doc <= 24; doc++) {
        expect_ok(&f->cx, twx_signatures_get(f->s, doc, &row));
        assert_true(row.fingerprint == (uint64_t)doc - 1 || row.fingerprint == (uint64_t)doc - 2);
    }
    twx_signatures_release(f->s);
    const char *path = twx_db_path(f->db);
    assert_int_equal(test_integer_in(path, "SELECT count(*) FROM twindex_fingerprint"), 3);
    assert_int_equal(test_integer_in(path, "SELECT number FROM twindex_fingerprint "
                                           "WHERE fingerprint = 20"),
                     0);
    expect_ok(&f->cx, twx_db_script(f->db, "UPDATE twindex_signature SET fingerprint = 9"));
    expect_ok(&f->cx, twx_signatures_get(f->s, 21, &row));
    assert_int_equal(row.fingerprint, 0);
    twx_signatures_release(f->s);
}

/* docs/signatures.md: the number of bytes of the facts, the facts, the record */
TEST_OF(facts_and_record_are_one_value, fixture *f) {
    char facts[300];
    memset(facts, 'x', sizeof facts);
    for (size_t n = 0; n <= sizeof facts; n += n < 127 ? 127 : n < 128 ? 1 : 172) {
        twx_stored row = {.doc = 1, .facts = {facts, n}, .record = TWX_SLICE_LIT("\0record")};
        expect_ok(&f->cx, twx_signatures_put(f->s, &row));
        expect_ok(&f->cx, twx_signatures_get(f->s, 1, &row));
        assert_true(twx_slice_eq(row.facts, (twx_slice){facts, n}));
        assert_true(twx_slice_eq(row.record, TWX_SLICE_LIT("\0record")));
    }
    twx_signatures_release(f->s);
    assert_int_equal(test_integer_in(twx_db_path(f->db),
                                     "SELECT hex(packed) LIKE 'AC027878%7800' || hex('record') "
                                     "FROM twindex_signature"),
                     1);
    /* no number, one in two bytes that takes one, one that is too long; facts beyond the row */
    static const char *const DAMAGED[] = {"''", "x'FF'", "x'8000'", "x'8080808080'", "x'057800'"};
    for (size_t i = 0; i < TWX_COUNTOF(DAMAGED); i++) {
        char sql[100];
        twx_stored row;
        snprintf(sql, sizeof sql, "UPDATE twindex_signature SET packed = %s", DAMAGED[i]);
        expect_ok(&f->cx, twx_db_script(f->db, sql));
        expect_fail(&f->cx, twx_signatures_get(f->s, 1, &row), TWX_E_CORRUPT, "cannot be unpacked");
        twx_signatures_release(f->s);
    }
}

TEST_OF(documents_are_listed_in_batches, fixture *f) {
    int64_t docs[4], after = INT64_MIN;
    size_t n = 0, all = 0;
    for (int64_t doc = -3; doc < 8; doc++) put(f, doc, "x");
    do {
        expect_ok(&f->cx, twx_signatures_docs(f->s, after, docs, 4, &n));
        for (size_t i = 0; i < n; i++) assert_int_equal(docs[i], (int64_t)all++ - 3);
        if (n) after = docs[n - 1];
    } while (n == 4);
    assert_int_equal(all, 11);
}

static twx_rc list(void *arg, const twx_stored *stored) {
    char *to = arg;
    size_t n = strlen(to);
    snprintf(to + n, 200 - n, "%s%s", n ? " " : "", stored->facts.n ? "" : "?");
    n = strlen(to);
    snprintf(to + n, 200 - n, TWX_SLICE_FMT, TWX_SLICE_ARG(stored->facts));
    return TWX_OK;
}

/* Ids of every type keep it, and come in one order whatever the order in which they got their
 * numbers. */
TEST_OF(mapped_documents_come_in_order_of_their_ids, fixture *f) {
    const struct {
        twx_value id;
        const char *name;
    } IDS[] = {
        {{.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("b")}, "text:b"},
        {{.type = TWX_BLOB, .bytes = TWX_SLICE_LIT("a")}, "blob:a"},
        {{.type = TWX_INT, .i = 10}, "10"},
        {{.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("10")}, "text:10"},
        {{.type = TWX_REAL, .r = 9.5}, "9.5"},
        {{.type = TWX_INT, .i = -2}, "-2"},
        {{.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("B")}, "text:B"},
    };
    char order[200] = "";
    int64_t doc = 0, again = 0;
    for (size_t i = 0; i < TWX_COUNTOF(IDS); i++) {
        assert_int_equal(twx_document_find(f->s, &IDS[i].id, &doc), TWX_DONE);
        expect_ok(&f->cx, twx_document_make(f->s, &IDS[i].id, &doc));
        expect_ok(&f->cx, twx_document_make(f->s, &IDS[i].id, &again));
        assert_int_equal(doc, again);
        put(f, doc, IDS[i].name);
        twx_value id;
        expect_ok(&f->cx, twx_document_id(f->s, doc, &id));
        assert_int_equal(id.type, IDS[i].id.type);
    }
    expect_ok(&f->cx, twx_signatures_each(f->s, false, list, order));
    assert_string_equal(order, "-2 9.5 10 text:10 text:B text:b blob:a");
}

TEST_OF(unused_numbers_are_removed, fixture *f) {
    int64_t doc[3];
    for (int i = 0; i < 3; i++)
        expect_ok(&f->cx, twx_document_make(f->s, &(twx_value){.type = TWX_INT, .i = i}, &doc[i]));
    put(f, doc[0], "signed");
    char sql[128];
    snprintf(sql, sizeof sql,
             "INSERT INTO twindex_flag(doc, only_in, eligibility, link_state) VALUES (%d, 2, 0, 0)",
             (int)doc[1]);
    expect_ok(&f->cx, twx_db_script(f->db, sql));
    expect_ok(&f->cx, twx_document_sweep(f->s));
    twx_value id;
    expect_ok(&f->cx, twx_document_id(f->s, doc[0], &id));
    expect_ok(&f->cx, twx_document_id(f->s, doc[1], &id)); /* published flags need it still */
    assert_int_equal(twx_document_id(f->s, doc[2], &id), TWX_DONE);
}

TEST_OF(a_copy_has_the_same_rows_and_numbers, fixture *f) {
    twx_ctx cx;
    twx_signatures *to = NULL;
    int64_t doc = 0, copied = 0;
    const twx_value id = {.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("k")};
    expect_ok(&f->cx, twx_document_make(f->s, &(twx_value){.type = TWX_INT, .i = 3}, &doc));
    expect_ok(&f->cx, twx_document_make(f->s, &id, &doc));
    put(f, doc, "row");
    twx_db *db = open_migrated(&cx, store_of("copy.db", "CREATE TABLE x(y)"));
    expect_ok(&cx, twx_signatures_open(db, &to));
    expect_ok(&cx, twx_signatures_copy(f->s, to));
    expect_ok(&cx, twx_document_find(to, &id, &copied));
    assert_int_equal(copied, doc);
    twx_stored row;
    expect_ok(&cx, twx_signatures_get(to, doc, &row));
    assert_true(twx_slice_eq(row.facts, TWX_SLICE_LIT("row")));
    twx_signatures_close(to);
    twx_db_close(db);
}

TEST_OF(a_reader_reads_and_does_not_write, fixture *f) {
    twx_ctx cx;
    twx_signatures *s = NULL;
    twx_stored row = {.doc = 1, .facts = TWX_SLICE_LIT("x"), .record = TWX_SLICE_LIT("y")};
    put(f, 1, "one");
    twx_db *db = open_as(&cx, twx_db_path(f->db), TWX_DB_READER);
    expect_ok(&cx, twx_signatures_open(db, &s));
    expect_ok(&cx, twx_signatures_get(s, 1, &row));
    assert_int_not_equal(twx_signatures_put(s, &row), TWX_OK);
    twx_signatures_close(s);
    twx_db_close(db);
}

TEST_OF(a_number_that_no_document_gets_is_damage, fixture *f) {
    int64_t doc = INT64_MIN;
    const twx_value id = {.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("k")};
    expect_ok(&f->cx, twx_document_put(f->s, &doc, &id, &doc));
    expect_fail(&f->cx, twx_document_find(f->s, &id, &doc), TWX_E_CORRUPT, "delete that row");
    expect_fail(&f->cx, twx_document_make(f->s, &id, &doc), TWX_E_CORRUPT, "twindex_document");
}

TESTS_OF(fixture, setup, teardown);
