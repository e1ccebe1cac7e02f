#include "source_fixture.h"

#define TABLE                                                                                     \
    "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, content, made GENERATED ALWAYS AS (url || "  \
    "'x'));"                                                                                      \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25) "               \
    "INSERT INTO pages SELECT i * 3, 'http://a.org/' || i, 'text ' || i FROM n;"                  \
    "CREATE VIEW seen AS SELECT * FROM pages;"                                                    \
    "CREATE TABLE named(name TEXT PRIMARY KEY, url, content); INSERT INTO named VALUES ('b', "    \
    "'u2', 't2'), ('a', 'u1', "                                                                   \
    "'t1'); CREATE TABLE plain(url, content); CREATE TABLE falling(id INTEGER PRIMARY KEY DESC, " \
    "url, content);"                                                                              \
    "CREATE TABLE small(id INT PRIMARY KEY, url, content); CREATE TABLE without(id INTEGER "      \
    "PRIMARY KEY, url, content) "                                                                 \
    "WITHOUT ROWID; CREATE TABLE hides(id INTEGER PRIMARY KEY, rowid TEXT, url, content);"        \
    "CREATE TABLE two(a INTEGER, b INTEGER, url, content, PRIMARY KEY(a, b)); "                   \
    "CREATE TABLE docs(id INTEGER PRIMARY KEY, body); INSERT INTO docs VALUES (1, "               \
    "'{\"u\":\"x\",\"t\":[\"a\",\"b\"]}');"                                                       \
    "CREATE VIRTUAL TABLE words USING fts5(url, content);"

/* ---- who is direct ------------------------------------------------------ */

TEST_OF(the_integer_primary_key_is_the_document_number, fixture *f) {
    static const struct {
        const char *from, *id;
        bool direct;
    } CASES[] = {{"pages", "id", true},         {"pages", "ID", true},
                 {"pages", " \"id\" ", true},   {"pages", "rowid", true},
                 {"\"pages\"", "oid", true},    {"pages", "id + 0", false},
                 {"pages", "url", false},       {"named", "name", false},
                 {"named", "rowid", true},      {"plain", "rowid", true},
                 {"falling", "id", false},      {"small", "id", false},
                 {"without", "id", false},      {"hides", "id", true},
                 {"hides", "rowid", false},     {"two", "a", false},
                 {"pages AS p", "p.id", false}, {"pages JOIN docs USING (id)", "id", false}};
    begin(f, store_of("source.db", TABLE));
    f->m.allow_rowid = true;
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        map(f, CASES[i].from, CASES[i].id);
        if (strstr(CASES[i].from, "JOIN")) {
            put(f, &f->m.map[TWX_COL_URL], "url");
            put(f, &f->m.map[TWX_COL_TEXT], "body");
        }
        expect_ok(&f->cx, open_source(f));
        if (twx_source_is_direct(f->s) != CASES[i].direct)
            fail_msg("%s of %s", CASES[i].id, CASES[i].from);
    }
}

/* R4 */
TEST_OF(r4_a_rowid_that_vacuum_changes_is_no_key, fixture *f) {
    static const struct {
        const char *from, *id;
        bool refused;
    } CASES[] = {{"pages", "rowid", false},   {"named", "rowid", true}, {"plain", "_rowid_", true},
                 {"plain", "rowid", true},    {"small", "rowid", true}, {"falling", "rowid", true},
                 {"hides", "_rowid_", false}, {"two", "rowid", true}};
    begin(f, store_of("source.db", TABLE));
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        map(f, CASES[i].from, CASES[i].id);
        f->m.allow_rowid = false;
        if (CASES[i].refused)
            expect_fail(&f->cx, open_source(f), TWX_E_CONFIG,
                        "has no INTEGER PRIMARY KEY, so VACUUM");
        else
            expect_ok(&f->cx, open_source(f));
        f->m.allow_rowid = true;
        expect_ok(&f->cx, open_source(f));
    }
}

/* ---- what may be read --------------------------------------------------- */

/* R2 */
TEST_OF(r2_only_tables_of_ordinary_columns_are_read_unasked, fixture *f) {
    static const struct {
        const char *from, *url, *reason;
    } CASES[] = {{"seen", "url", "the mapping reads 'seen', which is a view"},
                 {"words", "url", "which is a virtual"},
                 {"pages", "made", "reads pages.made, a generated column"},
                 {"pages", "(SELECT url FROM seen LIMIT 1)", "reads 'seen'"},
                 {"(SELECT rowid AS id, * FROM seen)", "url", "reads 'seen'"}};
    begin(f, store_of("source.db", TABLE));
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        map(f, CASES[i].from, "rowid");
        if (CASES[i].from[0] == '(' || CASES[i].from[0] == 's') put(f, &f->m.map[TWX_COL_ID], "id");
        put(f, &f->m.map[TWX_COL_URL], CASES[i].url);
        f->m.allow_view = false;
        expect_fail(&f->cx, open_source(f), TWX_E_CONFIG, CASES[i].reason);
        f->m.allow_view = true;
        expect_ok(&f->cx, open_source(f));
    }
}

TEST_OF(a_wrong_expression_is_named, fixture *f) {
    static const struct {
        const char *from, *url, *reason;
    } CASES[] = {
        {"nowhere", "url", "store.from is not valid: no such table: nowhere"},
        {"pages", "adress", "store.url is not valid: no such column: adress"},
        {"pages", "url; DELETE FROM pages", "store.url"},
        {"pages", "url) FROM pages; SELECT (1", "store.url holds more than one expression"},
        {"pages", "\"no column\"", "store.url is not valid"},
        {"pages; SELECT 1", "url", "store.from holds more than one expression"},
        {"pages", "load_extension('x')", ""},
        {"pages", "(DELETE FROM pages)", "store.url"}};
    begin(f, store_of("source.db", TABLE));
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        map(f, CASES[i].from, "id");
        put(f, &f->m.map[TWX_COL_URL], CASES[i].url);
        if (strstr(CASES[i].url, "load_extension")) { /* refused when it is called, at the latest */
            twx_rc rc = open_source(f);
            if (rc != TWX_OK) twx_ctx_clear(&f->cx);
            continue;
        }
        expect_fail(&f->cx, open_source(f), TWX_E_CONFIG, CASES[i].reason);
    }
    put(f, &f->m.where, "oops(");
    map(f, "pages", "id");
    expect_fail(&f->cx, open_source(f), TWX_E_CONFIG, "store.where is not valid");
}

/* ---- reading ------------------------------------------------------------ */

TEST_OF(every_row_comes_once_in_order_in_batches_of_any_size, fixture *f) {
    static const uint32_t LIMITS[] = {1, 2, 5, 24, 25, 26, 1000};
    begin(f, store_of("source.db", TABLE));
    expect_ok(&f->cx, open_source(f));
    for (size_t i = 0; i < TWX_COUNTOF(LIMITS); i++)
        for (size_t enough = 0; enough < 4; enough++) {
            seen s = {.enough_at = enough};
            read_all(f, TWX_WANT_WHOLE, LIMITS[i], &s);
            assert_int_equal(s.n, 25);
            assert_true(s.has_text);
            for (size_t k = 0; k < s.n; k++) assert_int_equal(s.id[k], 3 * (int64_t)k + 3);
        }
    seen keys = {0};
    read_all(f, TWX_WANT_IDENTITY, 7, &keys);
    assert_int_equal(keys.n, 25);
    assert_false(keys.has_text);
    put(f, &f->m.where, "id % 2 = 0");
    expect_ok(&f->cx, open_source(f));
    seen even = {0};
    read_all(f, TWX_WANT_WHOLE, 5, &even);
    assert_int_equal(even.n, 12);
}

TEST_OF(text_keys_are_scanned_by_rowid_and_others_by_the_id, fixture *f) {
    seen by_rowid = {0}, by_id = {0};
    begin(f, store_of("source.db", TABLE));
    map(f, "named", "name");
    expect_ok(&f->cx, open_source(f));
    read_all(f, TWX_WANT_WHOLE, 1, &by_rowid);
    assert_string_equal(by_rowid.id_text[0], "b");
    map(f, "named AS n", "name");
    expect_ok(&f->cx, open_source(f));
    read_all(f, TWX_WANT_WHOLE, 1, &by_id);
    assert_string_equal(by_id.id_text[0], "a");
    assert_int_equal(by_id.n, 2);
}

/* R1: between two calls somebody else can checkpoint the whole WAL. */
TEST_OF(r1_a_scan_does_not_pin_the_wal, fixture *f) {
    seen s = {0};
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {.want = TWX_WANT_WHOLE, .limit = 3, .fn = note, .arg = &s};
    const char *path = store_of("source.db", "PRAGMA journal_mode=WAL;" TABLE);
    begin(f, path);
    expect_ok(&f->cx, open_source(f));
    for (int i = 0; i < 4; i++) {
        expect_ok(&f->cx, twx_source_read(f->s, &cursor, &batch));
        assert_int_equal(test_integer_in(path, "PRAGMA wal_checkpoint(TRUNCATE)"), 0);
    }
    twx_source_cursor_done(&cursor);
}

TEST_OF(a_scan_that_has_ended_stays_ended, fixture *f) {
    seen s = {0};
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {.want = TWX_WANT_WHOLE, .limit = 100, .fn = note, .arg = &s};
    const char *path = store_of("source.db", TABLE);
    begin(f, path);
    expect_ok(&f->cx, open_source(f));
    assert_int_equal(twx_source_read(f->s, &cursor, &batch), TWX_DONE);
    const size_t n = s.n;
    test_exec_in(path, "INSERT INTO pages VALUES (1000, 'http://a.org/late', 'x')");
    assert_int_equal(twx_source_read(f->s, &cursor, &batch), TWX_DONE);
    assert_int_equal(s.n, n);
    twx_source_cursor_done(&cursor);
}

TEST_OF(a_row_beyond_the_limit_leaves_the_cursor_before_it, fixture *f) {
    seen s = {0};
    twx_source_cursor cursor = {0};
    const twx_value long_key = {.type = TWX_INT, .i = 30};
    twx_source_batch batch = {.want = TWX_WANT_WHOLE, .limit = 100, .fn = note, .arg = &s};
    const twx_db_options small = {.mode = TWX_DB_READER, .row_bytes = 1 << 20};
    const char *path = store_of("source.db", TABLE
                                "UPDATE pages SET content = hex(zeroblob(2000000)) WHERE id = 30");
    begin(f, path);
    twx_db_close(f->db);
    expect_ok(&f->cx, twx_db_open(&f->cx, path, &small, &f->db));
    expect_ok(&f->cx, open_source(f));
    expect_fail(&f->cx, twx_source_read(f->s, &cursor, &batch), TWX_E_LIMIT, "");
    assert_int_equal(s.n, 9);
    assert_int_equal(cursor.after.i, 27); /* the ninth row */
    expect_fail(&f->cx, twx_source_fetch(f->s, &long_key, note, &s), TWX_E_LIMIT, "");
    batch.want = TWX_WANT_KEYS;
    s.n = 0;
    expect_ok(&f->cx, twx_source_read(f->s, &cursor, &batch) == TWX_DONE ? TWX_OK : TWX_E_INTERNAL);
    assert_int_equal(s.n, 25 - 9);
    twx_source_cursor_done(&cursor);
}

TEST_OF(one_row_is_fetched_by_its_key_and_found_by_id_or_url, fixture *f) {
    seen s = {0};
    const twx_value there = {.type = TWX_INT, .i = 6}, gone = {.type = TWX_INT, .i = 7};
    begin(f, store_of("source.db", TABLE));
    expect_ok(&f->cx, open_source(f));
    expect_ok(&f->cx, twx_source_fetch(f->s, &there, note, &s));
    assert_string_equal(s.url[0], "http://a.org/2");
    assert_int_equal(twx_source_fetch(f->s, &gone, note, &s), TWX_DONE);
    expect_ok(&f->cx, twx_source_find(f->s, TWX_SLICE_LIT("9"), note, &s));
    assert_string_equal(s.url[1], "http://a.org/3");
    expect_ok(&f->cx, twx_source_find(f->s, TWX_SLICE_LIT("http://a.org/4"), note, &s));
    assert_int_equal(s.id[2], 12);
    assert_int_equal(twx_source_find(f->s, TWX_SLICE_LIT("http://b.org/"), note, &s), TWX_DONE);
    assert_int_equal(s.n, 3);
}

/* R3 */
TEST_OF(r3_text_of_any_encoding_arrives_as_utf8, fixture *f) {
    seen s = {0};
    begin(f, store_of("utf16.db",
                      "PRAGMA encoding='UTF-16'; CREATE TABLE pages(id INTEGER PRIMARY KEY, url, "
                      "content);INSERT INTO pages VALUES (1, 'http://ä.org/', 'ü')"));
    expect_ok(&f->cx, open_source(f));
    read_all(f, TWX_WANT_WHOLE, 5, &s);
    assert_string_equal(s.url[0], "http://ä.org/");
}

TEST_OF(the_number_of_documents_is_estimated, fixture *f) {
    static const struct {
        const char *from, *id;
        uint64_t documents;
    } CASES[] = {{"pages", "id", 75}, {"docs", "id", 1}, {"named", "name", 2}, {"small", "id", 0}};
    begin(f, store_of("source.db", TABLE));
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        uint64_t documents = 7;
        map(f, CASES[i].from, CASES[i].id);
        if (i == 1) put(f, &f->m.map[TWX_COL_URL], "body");
        if (i == 1) put(f, &f->m.map[TWX_COL_TEXT], "body");
        expect_ok(&f->cx, open_source(f));
        expect_ok(&f->cx, twx_source_estimate(f->s, &documents));
        assert_int_equal(documents, CASES[i].documents);
    }
}

TEST_OF(json_is_read_through_expressions, fixture *f) {
    seen s = {0};
    begin(f, store_of("source.db", TABLE));
    map(f, "docs", "id");
    put(f, &f->m.map[TWX_COL_URL], "json_extract(body, '$.u')");
    put(f, &f->m.map[TWX_COL_TEXT],
        "(SELECT group_concat(value, ' ') FROM json_each(body, '$.t'))");
    expect_ok(&f->cx, open_source(f));
    read_all(f, TWX_WANT_WHOLE, 5, &s);
    assert_int_equal(s.n, 1);
    assert_string_equal(s.url[0], "x");
    assert_true(s.has_text);
}

TEST_OF(another_mapping_has_another_fingerprint, fixture *f) {
    begin(f, store_of("source.db", TABLE));
    expect_ok(&f->cx, open_source(f));
    const uint64_t one = twx_source_fingerprint(f->s);
    expect_ok(&f->cx, open_source(f));
    assert_true(one == twx_source_fingerprint(f->s));
    put(f, &f->m.map[TWX_COL_TITLE], "content");
    expect_ok(&f->cx, open_source(f));
    assert_true(one != twx_source_fingerprint(f->s));
}

static int count_step(void *arg) {
    ++*(uint64_t *)arg;
    return 0;
}

/* Steps of SQLite's virtual machine for reading the texts of all `rows` documents. */
static uint64_t steps_for_texts(const char *from, const char *id, int64_t rows) {
    fixture f;
    uint64_t steps = 0;
    twx_buf text;
    char wanted[32], name[32];
    begin(&f, store_of("texts.db", "CREATE TABLE plain(n INTEGER PRIMARY KEY, name, url, content); "
                                   "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                                   "WHERE i < 1000) INSERT INTO plain SELECT i, 'p' || i, 'u' || "
                                   "i, 'text ' || i FROM n; CREATE TABLE indexed AS SELECT * FROM "
                                   "plain; CREATE INDEX indexed_name ON indexed(name)"));
    map(&f, from, id);
    f.m.allow_view = f.m.allow_rowid = true;
    expect_ok(&f.cx, open_source(&f));
    assert_false(twx_source_is_direct(f.s));
    twx_buf_init(&text, 100);
    sqlite3_progress_handler(f.db->handle, 1, count_step, &steps);
    for (int64_t i = 1; i <= rows; i++) {
        snprintf(name, sizeof name, "p%d", (int)i);
        snprintf(wanted, sizeof wanted, "text %d", (int)i);
        twx_buf_clear(&text);
        const twx_value found = {.type = TWX_TEXT, .bytes = twx_slice_of(name)};
        expect_ok(&f.cx, twx_source_text(f.s, &found, &text));
        assert_true(twx_slice_eq(twx_buf_slice(&text), twx_slice_of(wanted)));
    }
    const twx_value none = {.type = TWX_TEXT, .bytes = twx_slice_of("q")};
    assert_int_equal(twx_source_text(f.s, &none, &text), TWX_DONE);
    sqlite3_progress_handler(f.db->handle, 0, NULL, NULL);
    twx_buf_done(&text);
    end(&f);
    return steps;
}

/* Of a table with an index of the id, without one, and of rows that are copied, whose key is the
 * rowid. A scan for each text takes 4 million steps. */
TEST(texts_are_found_without_a_scan_for_each) {
    assert_in_range(steps_for_texts("indexed", "name", 1000), 1000, 50 * 1000);
    assert_in_range(steps_for_texts("plain", "name", 1000), 1000, 100 * 1000);
    assert_in_range(
        steps_for_texts("plain", "(SELECT max(name) FROM plain AS o WHERE o.n = plain.n)", 1000),
        1000, 200 * 1000);
}

/* Of a table and of a join, which is copied. */
TEST(each_allocation_that_fails_is_an_error) {
    static const char *const FROM[] = {"pages", "pages AS p JOIN (SELECT 1) AS one"};
    for (size_t i = 0; i < TWX_COUNTOF(FROM); i++) {
        fixture f;
        bool failed = true;
        begin(&f, store_of("source.db", TABLE));
        map(&f, FROM[i], "id");
        f.m.allow_view = true;
        for (uint64_t nth = 1; failed; nth++) {
            twx_faults faults = {.fail_at = nth};
            f.cx.faults = &faults;
            const twx_rc rc = open_source(&f);
            f.cx.faults = NULL;
            failed = atomic_load(&faults.count) >= nth;
            if (failed) expect_fail(&f.cx, rc, TWX_E_NOMEM, "memory");
            if (!failed) expect_ok(&f.cx, rc);
            assert_true(nth < 1000);
        }
        seen all = {0};
        read_all(&f, TWX_WANT_WHOLE, 100, &all);
        assert_true(all.n > 0);
        end(&f);
    }
}
