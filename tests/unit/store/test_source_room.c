/* What a scan of a source costs, and the copy of its rows that keeps it one pass. */
#include "source_fixture.h"

#include <sys/statfs.h>
#include <sys/statvfs.h>

#include "store/internal.h"

/* The free space that the file system reports; 0: as it is. It takes the C library's place. */
static fsblkcnt_t free_bytes;

int statvfs(const char *path, struct statvfs *ret) {
    struct statfs is;
    if (statfs(path, &is) != 0) return -1;
    *ret = (struct statvfs){.f_frsize = free_bytes ? 1 : (unsigned long)is.f_bsize,
                            .f_bavail = free_bytes ? free_bytes : is.f_bavail};
    return 0;
}

/* Pages and their versions, two of each, in an order that is not that of the pages. */
#define VERSIONS                                                                                   \
    "CREATE TABLE page(id INTEGER PRIMARY KEY, url, key TEXT); CREATE TABLE version(n INTEGER "    \
    "PRIMARY KEY, page_id INTEGER, at, body);"                                                     \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO "    \
    "page "                                                                                        \
    "SELECT i, 'http://a.org/' || i, printf('%%08d', i * 7919 %% 100003) FROM n;"                  \
    "INSERT INTO version(page_id, at, body) SELECT id, 1, 'old ' || id FROM page ORDER BY key;"    \
    "INSERT INTO version(page_id, at, body) SELECT id, 2, 'new ' || id FROM page ORDER BY key "    \
    "DESC;"                                                                                        \
    "CREATE TABLE keyed(key TEXT PRIMARY KEY, id INTEGER, url, body) WITHOUT ROWID; INSERT INTO "  \
    "keyed SELECT key, id, url, 'new ' || id FROM page;"                                           \
    "CREATE VIEW current AS SELECT p.id, url, body FROM page AS p JOIN version AS v ON v.page_id " \
    "= p.id WHERE at = 2;"                                                                         \
    "CREATE VIEW latest AS SELECT p.id, url, body, max(at) FROM page AS p JOIN version AS v ON "   \
    "v.page_id = p.id GROUP BY p.id;"                                                              \
    "CREATE VIEW both AS SELECT id, url, body FROM keyed WHERE id %% 2 UNION ALL SELECT id, url, " \
    "body FROM current WHERE id %% 2 = 0;"

#define WITH_INDEX "CREATE INDEX by_page ON version(page_id);"
#define JOIN       "page AS p JOIN version AS v ON v.page_id = p.id"

static const struct shape {
    const char *name, *index, *from, *id, *text, *where;
    bool copied;
} SHAPES[] = {
    {"table", "", "page", "id", "'new ' || id", NULL, false},
    {"join, index", WITH_INDEX, JOIN, "p.id", "body", "at = 2", false},
    {"join, no index", "", JOIN, "p.id", "body", "at = 2", true},
    {"left join, no index", "",
     "page AS p LEFT JOIN (SELECT * FROM version WHERE at = 2) AS v ON v.page_id = p.id", "p.id",
     "body", NULL, true},
    {"view, index", WITH_INDEX, "current", "id", "body", NULL, false},
    {"view, no index", "", "current", "id", "body", NULL, true},
    {"view with GROUP BY, index", WITH_INDEX, "latest", "id", "body", NULL, true},
    {"view with GROUP BY, no index", "", "latest", "id", "body", NULL, true},
    {"view with UNION ALL", "", "both", "id", "body", NULL, true},
    {"grouped sub-select", "",
     "page AS p JOIN (SELECT page_id, max(at), body FROM version GROUP BY page_id) AS v ON "
     "v.page_id = p.id",
     "p.id", "body", NULL, true},
    {"list of the latest", "", JOIN, "p.id", "body",
     "n IN (SELECT max(n) FROM version GROUP BY page_id)", true},
    {"latest by date, index", WITH_INDEX, "page AS p", "p.id",
     "(SELECT body FROM version AS v WHERE v.page_id = p.id ORDER BY at DESC LIMIT 1)", NULL,
     false},
    {"without rowid, other key", "", "keyed", "id", "body", NULL, true},
};

typedef struct scan {
    int64_t rows, last, ticks;
    bool wrong;
} scan;

static twx_rc check_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    scan *c = arg;
    const int64_t id = row->value[TWX_COL_ID].i;
    char url[40], text[40];
    (void)ret_enough;
    snprintf(url, sizeof url, "http://a.org/%d", (int)id);
    snprintf(text, sizeof text, "new %d", (int)id);
    c->wrong |= id <= c->last || !twx_slice_eq(row->value[TWX_COL_URL].bytes, twx_slice_of(url)) ||
                !twx_slice_eq(row->value[TWX_COL_TEXT].bytes, twx_slice_of(text));
    c->last = id;
    c->rows++;
    return TWX_OK;
}

static int tick(void *arg) {
    ((scan *)arg)->ticks++;
    return 0;
}

static void begin_shape(fixture *f, const struct shape *shape, int rows) {
    char script[4096];
    int n = snprintf(script, sizeof script, VERSIONS "%s", rows, shape->index);
    assert_true(n > 0 && n < (int)sizeof script);
    begin(f, store_of("shape.db", script));
    map(f, shape->from, shape->id);
    put(f, &f->m.map[TWX_COL_TEXT], shape->text);
    put(f, &f->m.where, shape->where);
    f->m.allow_view = true;
    expect_ok(&f->cx, open_source(f));
    if (twx_source_is_copied(f->s) != shape->copied)
        fail_msg("%s: copied: %d", shape->name, !shape->copied);
}

/* The whole scan in batches of 100 rows, and every tenth row fetched; ticks of 100 steps of
 * SQLite's virtual machine. */
static scan scan_shape(const struct shape *shape, int rows) {
    fixture f;
    scan c = {0}, fetched = {0};
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = 100, .fn = check_row, .arg = &c};
    twx_rc rc = TWX_OK;
    begin_shape(&f, shape, rows);
    sqlite3_progress_handler(f.db->handle, 100, tick, &c);
    while (rc == TWX_OK) rc = twx_source_read(f.s, &cursor, &batch);
    for (int id = 10; rc == TWX_DONE && id <= rows; id += 10) {
        const twx_value key = {.type = TWX_INT, .i = id};
        fetched.last = id - 1;
        expect_ok(&f.cx, twx_source_fetch(f.s, &key, check_row, &fetched));
    }
    assert_int_equal(fetched.rows, rows / 10);
    assert_false(fetched.wrong);
    sqlite3_progress_handler(f.db->handle, 0, NULL, NULL);
    if (rc != TWX_DONE || c.wrong || c.rows != rows)
        fail_msg("%s: %s, %d rows%s", shape->name, test_rc_name(rc), (int)c.rows,
                 c.wrong ? ", a wrong one" : "");
    twx_source_cursor_done(&cursor);
    end(&f);
    return c;
}

/* R5: four times the rows cost four times the steps, and a fifth for the sorts. */
TEST(r5_a_scan_costs_one_pass_over_any_shape) {
    for (size_t i = 0; i < TWX_COUNTOF(SHAPES); i++) {
        const scan few = scan_shape(&SHAPES[i], 2000), many = scan_shape(&SHAPES[i], 8000);
        if (many.ticks * 5 > few.ticks * 4 * 6)
            fail_msg("%s: %d, then %d times 100 steps", SHAPES[i].name, (int)few.ticks,
                     (int)many.ticks);
    }
}

/* R1, R5: between two batches another connection writes, and a checkpoint takes the whole WAL. What
 * it adds is read by the next scan. */
TEST(r5_others_write_while_copied_rows_are_read) {
    static const char *const MODES[] = {"PRAGMA journal_mode=WAL", "PRAGMA journal_mode=DELETE"};
    for (size_t m = 0; m < TWX_COUNTOF(MODES); m++) {
        fixture f;
        scan first = {0}, second = {0};
        twx_source_cursor cursor = {0};
        twx_source_batch batch = {
            .want = TWX_WANT_WHOLE, .limit = 3, .fn = check_row, .arg = &first};
        twx_rc rc = TWX_OK;
        begin_shape(&f, &SHAPES[2], 20);
        sqlite3 *other = test_open(twx_db_path(f.db));
        test_exec(other, MODES[m]);
        while (rc == TWX_OK) {
            rc = twx_source_read(f.s, &cursor, &batch);
            test_exec(other, "INSERT INTO page SELECT max(id) + 1, 'http://a.org/' || (max(id) + "
                             "1), '' FROM page;INSERT INTO version(page_id, at, body) SELECT "
                             "max(id), 2, 'new ' || max(id) FROM page;");
            if (m == 0) assert_int_equal(test_integer(other, "PRAGMA wal_checkpoint(TRUNCATE)"), 0);
        }
        twx_source_cursor_done(&cursor);
        assert_int_equal(rc, TWX_DONE);
        assert_int_equal(first.rows, 20);
        batch.arg = &second;
        for (rc = TWX_OK; rc == TWX_OK;) rc = twx_source_read(f.s, &cursor, &batch);
        assert_int_equal(second.rows, test_integer(other, "SELECT count(*) FROM page"));
        assert_false(first.wrong || second.wrong);
        twx_source_cursor_done(&cursor);
        sqlite3_close(other);
        end(&f);
    }
}

/* A scan for more columns than the copy has fills it again; one for fewer uses it, and shows no
 * others. */
TEST_OF(r5_a_copy_has_the_columns_that_are_wanted, fixture *f) {
    static const twx_source_want WANTS[] = {TWX_WANT_KEYS, TWX_WANT_IDENTITY, TWX_WANT_WHOLE,
                                            TWX_WANT_OUTSIDE, TWX_WANT_WHOLE};
    begin_shape(f, &SHAPES[2], 20);
    for (size_t i = 0; i < TWX_COUNTOF(WANTS); i++) {
        seen s = {0};
        read_all(f, WANTS[i], 7, &s);
        assert_int_equal(s.n, 20);
        assert_int_equal(s.has_text, WANTS[i] == TWX_WANT_WHOLE);
        assert_string_equal(s.url[0], WANTS[i] >= TWX_WANT_OUTSIDE ? "http://a.org/1" : "");
        assert_int_equal(s.id[19], WANTS[i] >= TWX_WANT_IDENTITY ? 20 : 0);
    }
}

static void limit_copy(fixture *f, const char *pragma) {
    assert_int_equal(sqlite3_exec(f->db->handle, pragma, NULL, NULL, NULL), SQLITE_OK);
}

/* A temporary file that cannot grow ends the scan with an error that names its directory. What it
 * leaves is not taken for a copy, not even of fewer columns. */
TEST_OF(r5_a_copy_without_room_is_an_error, fixture *f) {
    enum { ROWS = 2000 };
    scan c = {0}, keys = {0};
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = 100, .fn = check_row, .arg = &c};
    const twx_source_batch all_keys = {
        .want = TWX_WANT_KEYS, .limit = ROWS, .fn = check_row, .arg = &keys};
    begin_shape(f, &SHAPES[2], ROWS);
    expect_ok(&f->cx, twx_source_read(f->s, &cursor, &all_keys));
    twx_source_cursor_done(&cursor);
    limit_copy(f, "PRAGMA temp.max_page_count=8");
    expect_fail(&f->cx, twx_source_read(f->s, &cursor, &batch), TWX_E_FULL, "set SQLITE_TMPDIR");
    assert_int_equal(c.rows, 0);
    twx_source_cursor_done(&cursor);
    limit_copy(f, "PRAGMA temp.max_page_count=100000");
    twx_ctx_clear(&f->cx);
    expect_ok(&f->cx, twx_source_read(f->s, &cursor, &all_keys));
    assert_int_equal(keys.rows, 2 * ROWS);
    twx_source_cursor_done(&cursor);
}

/* R1: the documents times the mean of their bytes and 32 more, in pages that are 90 % full, and 32
 * bytes to sort each. */
TEST(r1_the_room_that_a_copy_needs) {
    static const struct {
        int documents, bytes;
        fsblkcnt_t need;
    } CASES[] = {{1, 99, 145 + 32}, {10, 100, 10 * (146 + 32)}, {3000, 0, 3000 * (35 + 32)}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        fixture f;
        char script[400];
        snprintf(script, sizeof script,
                 "CREATE TABLE source_document(scan_key, body); CREATE TABLE large(bytes);"
                 "INSERT INTO large VALUES (zeroblob(400000));"
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
                 "INSERT INTO source_document SELECT i, zeroblob(%d) FROM n;"
                 "INSERT INTO source_document VALUES (NULL, zeroblob(9999))",
                 CASES[i].documents, CASES[i].bytes);
        begin(&f, store_of("room.db", script));
        free_bytes = CASES[i].need;
        expect_ok(&f.cx, twx_source_room_check(f.db, "body"));
        free_bytes--;
        expect_fail(&f.cx, twx_source_room_check(f.db, "body"), TWX_E_FULL,
                    "needs a temporary copy of the documents, about 1 MiB");
        free_bytes = 0;
        end(&f);
    }
}

/* Where the store itself would fit nothing is estimated, although a column that is mapped twice is
 * copied twice. */
TEST_OF(room_for_the_whole_store_is_enough, fixture *f) {
    begin(f, store_of("whole.db", "CREATE TABLE source_document(scan_key, body);"
                                  "INSERT INTO source_document VALUES (1, zeroblob(99999))"));
    free_bytes = (fsblkcnt_t)test_integer_in(
        twx_db_path(f->db),
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
    expect_ok(&f->cx, twx_source_room_check(f->db, "body, body"));
    free_bytes--;
    expect_fail(&f->cx, twx_source_room_check(f->db, "body, body"), TWX_E_FULL, "temporary copy");
    free_bytes = 0;
}

TEST_OF(r5_a_row_beyond_the_limit_is_no_part_of_a_copy, fixture *f) {
    scan c = {0};
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = 100, .fn = check_row, .arg = &c};
    const twx_db_options small = {.mode = TWX_DB_READER, .row_bytes = 1 << 20};
    begin_shape(f, &SHAPES[2], 20);
    test_exec_in(twx_db_path(f->db),
                 "UPDATE version SET body = hex(zeroblob(1000000)) WHERE page_id = 9");
    char *path = twx_strdup(&f->cx, twx_db_path(f->db));
    twx_source_close(f->s);
    f->s = NULL;
    twx_db_close(f->db);
    expect_ok(&f->cx, twx_db_open(&f->cx, path, &small, &f->db));
    twx_free(path);
    expect_ok(&f->cx, open_source(f));
    expect_fail(&f->cx, twx_source_read(f->s, &cursor, &batch), TWX_E_LIMIT, "");
    assert_false(cursor.begun || twx_source_is_copied(f->s));
    twx_source_cursor_done(&cursor);
}
