#include "store_fixture.h"

#include <stdio.h>

#include "base/alloc.h"
#include "store/source.h"

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

typedef struct fixture {
    twx_ctx cx;
    twx_db *db;
    twx_mapping m;
    twx_source *s;
} fixture;

static void put(fixture *f, char **field, const char *text) {
    twx_free(*field);
    *field = text ? twx_strdup(&f->cx, text) : NULL;
}

static void map(fixture *f, const char *from, const char *id) {
    put(f, &f->m.from, from);
    put(f, &f->m.map[TWX_COL_ID], id);
    put(f, &f->m.map[TWX_COL_URL], "url");
    put(f, &f->m.map[TWX_COL_TEXT], "content");
}

static void begin(fixture *f, const char *path) {
    *f = (fixture){0};
    f->db = open_as(&f->cx, path, TWX_DB_READER);
    map(f, "pages", "id");
}

static twx_rc open_source(fixture *f) {
    twx_source_close(f->s);
    f->s = NULL;
    return twx_source_open(f->db, &f->m, &f->s);
}

static void end(fixture *f) {
    twx_source_close(f->s);
    twx_mapping_done(&f->m);
    twx_db_close(f->db);
}

/* ---- who is direct ------------------------------------------------------ */

static void the_integer_primary_key_is_the_document_number(void **state) {
    static const struct {
        const char *from, *id;
        bool direct;
    } CASES[] = {
        {"pages", "id", true},         {"pages", "ID", true},
        {"pages", " \"id\" ", true},   {"pages", "rowid", true},
        {"\"pages\"", "oid", true},    {"pages", "id + 0", false},
        {"pages", "url", false},       {"named", "name", false},
        {"named", "rowid", true},      {"plain", "rowid", true},
        {"falling", "id", false},      {"small", "id", false},
        {"without", "id", false},      {"hides", "id", true},
        {"hides", "rowid", false},     {"two", "a", false},
        {"pages AS p", "p.id", false}, {"pages JOIN docs USING (id)", "id", false},
    };
    fixture f;
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    f.m.allow_rowid = true;
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        map(&f, CASES[i].from, CASES[i].id);
        if (strstr(CASES[i].from, "JOIN")) {
            put(&f, &f.m.map[TWX_COL_URL], "url");
            put(&f, &f.m.map[TWX_COL_TEXT], "body");
        }
        expect_ok(&f.cx, open_source(&f));
        if (twx_source_is_direct(f.s) != CASES[i].direct)
            fail_msg("%s of %s", CASES[i].id, CASES[i].from);
    }
    end(&f);
}

/* R4 */
static void r4_a_rowid_that_vacuum_changes_is_no_key(void **state) {
    static const struct {
        const char *from, *id;
        bool refused;
    } CASES[] = {{"pages", "rowid", false},   {"named", "rowid", true}, {"plain", "_rowid_", true},
                 {"plain", "rowid", true},    {"small", "rowid", true}, {"falling", "rowid", true},
                 {"hides", "_rowid_", false}, {"two", "rowid", true}};
    fixture f;
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        map(&f, CASES[i].from, CASES[i].id);
        f.m.allow_rowid = false;
        if (CASES[i].refused)
            expect_fail(&f.cx, open_source(&f), TWX_E_CONFIG,
                        "has no INTEGER PRIMARY KEY, so VACUUM");
        else
            expect_ok(&f.cx, open_source(&f));
        f.m.allow_rowid = true;
        expect_ok(&f.cx, open_source(&f));
    }
    end(&f);
}

/* ---- what may be read --------------------------------------------------- */

/* R2 */
static void r2_only_tables_of_ordinary_columns_are_read_unasked(void **state) {
    static const struct {
        const char *from, *url, *reason;
    } CASES[] = {
        {"seen", "url", "the mapping reads 'seen', which is a view"},
        {"words", "url", "which is a virtual"},
        {"pages", "made", "reads pages.made, a generated column"},
        {"pages", "(SELECT url FROM seen LIMIT 1)", "reads 'seen'"},
        {"(SELECT rowid AS id, * FROM seen)", "url", "reads 'seen'"},
    };
    fixture f;
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        map(&f, CASES[i].from, "rowid");
        if (CASES[i].from[0] == '(' || CASES[i].from[0] == 's') put(&f, &f.m.map[TWX_COL_ID], "id");
        put(&f, &f.m.map[TWX_COL_URL], CASES[i].url);
        f.m.allow_view = false;
        expect_fail(&f.cx, open_source(&f), TWX_E_CONFIG, CASES[i].reason);
        f.m.allow_view = true;
        expect_ok(&f.cx, open_source(&f));
    }
    end(&f);
}

static void a_wrong_expression_is_named(void **state) {
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
        {"pages", "(DELETE FROM pages)", "store.url"},
    };
    fixture f;
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        map(&f, CASES[i].from, "id");
        put(&f, &f.m.map[TWX_COL_URL], CASES[i].url);
        if (strstr(CASES[i].url, "load_extension")) { /* refused when it is called, at the latest */
            twx_rc rc = open_source(&f);
            if (rc != TWX_OK) twx_ctx_clear(&f.cx);
            continue;
        }
        expect_fail(&f.cx, open_source(&f), TWX_E_CONFIG, CASES[i].reason);
    }
    put(&f, &f.m.where, "oops(");
    map(&f, "pages", "id");
    expect_fail(&f.cx, open_source(&f), TWX_E_CONFIG, "store.where is not valid");
    end(&f);
}

/* ---- reading ------------------------------------------------------------ */

typedef struct seen {
    size_t n, enough_at;
    int64_t key[64], id[64];
    char id_text[64][16], url[64][32];
    bool has_text;
} seen;

static twx_rc note(void *arg, const twx_source_row *row, bool *ret_enough) {
    seen *s = arg;
    const twx_value *id = &row->value[TWX_COL_ID], *url = &row->value[TWX_COL_URL];
    s->key[s->n] = row->scan_key.i;
    s->id[s->n] = id->i;
    snprintf(s->id_text[s->n], 16, TWX_SLICE_FMT, TWX_SLICE_ARG(id->bytes));
    snprintf(s->url[s->n], 32, TWX_SLICE_FMT, TWX_SLICE_ARG(url->bytes));
    s->has_text |= row->value[TWX_COL_TEXT].type != TWX_NULL;
    s->n++;
    *ret_enough = s->enough_at && s->n % s->enough_at == 0;
    return TWX_OK;
}

static void read_all(fixture *f, twx_source_want want, uint32_t limit, seen *out) {
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {.want = want, .limit = limit, .fn = note, .arg = out};
    twx_rc rc = TWX_OK;
    for (int calls = 0; rc == TWX_OK; calls++) {
        assert_true(calls < 100);
        rc = twx_source_read(f->s, &cursor, &batch);
    }
    assert_int_equal(rc, TWX_DONE);
    assert_int_equal(twx_source_read(f->s, &cursor, &batch), TWX_DONE); /* and it stays so */
    twx_source_cursor_done(&cursor);
}

static void every_row_comes_once_in_order_in_batches_of_any_size(void **state) {
    static const uint32_t LIMITS[] = {1, 2, 5, 24, 25, 26, 1000};
    fixture f;
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    expect_ok(&f.cx, open_source(&f));
    for (size_t i = 0; i < TWX_COUNTOF(LIMITS); i++)
        for (size_t enough = 0; enough < 4; enough++) {
            seen s = {.enough_at = enough};
            read_all(&f, TWX_WANT_WHOLE, LIMITS[i], &s);
            assert_int_equal(s.n, 25);
            assert_true(s.has_text);
            for (size_t k = 0; k < s.n; k++) assert_int_equal(s.id[k], 3 * (int64_t)k + 3);
        }
    seen keys = {0};
    read_all(&f, TWX_WANT_IDENTITY, 7, &keys);
    assert_int_equal(keys.n, 25);
    assert_false(keys.has_text);
    put(&f, &f.m.where, "id % 2 = 0");
    expect_ok(&f.cx, open_source(&f));
    seen even = {0};
    read_all(&f, TWX_WANT_WHOLE, 5, &even);
    assert_int_equal(even.n, 12);
    end(&f);
}

static void text_keys_are_scanned_by_rowid_and_others_by_the_id(void **state) {
    fixture f;
    seen by_rowid = {0}, by_id = {0};
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    map(&f, "named", "name");
    expect_ok(&f.cx, open_source(&f));
    read_all(&f, TWX_WANT_WHOLE, 1, &by_rowid);
    assert_string_equal(by_rowid.id_text[0], "b");
    map(&f, "named AS n", "name");
    expect_ok(&f.cx, open_source(&f));
    read_all(&f, TWX_WANT_WHOLE, 1, &by_id);
    assert_string_equal(by_id.id_text[0], "a");
    assert_int_equal(by_id.n, 2);
    end(&f);
}

/* R1: between two calls somebody else can checkpoint the whole WAL. */
static void r1_a_scan_does_not_pin_the_wal(void **state) {
    fixture f;
    seen s = {0};
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {.want = TWX_WANT_WHOLE, .limit = 3, .fn = note, .arg = &s};
    const char *path = store_of("source.db", "PRAGMA journal_mode=WAL;" TABLE);
    (void)state;
    begin(&f, path);
    expect_ok(&f.cx, open_source(&f));
    for (int i = 0; i < 4; i++) {
        expect_ok(&f.cx, twx_source_read(f.s, &cursor, &batch));
        assert_int_equal(integer_in(path, "PRAGMA wal_checkpoint(TRUNCATE)"), 0);
    }
    twx_source_cursor_done(&cursor);
    end(&f);
}

static void a_row_beyond_the_limit_leaves_the_cursor_where_it_was(void **state) {
    fixture f;
    seen s = {0};
    twx_source_cursor cursor = {0};
    const twx_value long_key = {.type = TWX_INT, .i = 30};
    twx_source_batch batch = {.want = TWX_WANT_WHOLE, .limit = 100, .fn = note, .arg = &s};
    const twx_db_options small = {.mode = TWX_DB_READER, .row_bytes = 1 << 20};
    const char *path = store_of("source.db", TABLE
                                "UPDATE pages SET content = hex(zeroblob(2000000)) WHERE id = 30");
    (void)state;
    begin(&f, path);
    twx_db_close(f.db);
    expect_ok(&f.cx, twx_db_open(&f.cx, path, &small, &f.db));
    expect_ok(&f.cx, open_source(&f));
    expect_fail(&f.cx, twx_source_read(f.s, &cursor, &batch), TWX_E_LIMIT, "");
    assert_int_equal(s.n, 9);
    assert_false(cursor.begun);
    expect_fail(&f.cx, twx_source_fetch(f.s, &long_key, note, &s), TWX_E_LIMIT, "");
    batch.want = TWX_WANT_KEYS;
    s.n = 0;
    expect_ok(&f.cx, twx_source_read(f.s, &cursor, &batch) == TWX_DONE ? TWX_OK : TWX_E_INTERNAL);
    assert_int_equal(s.n, 25);
    twx_source_cursor_done(&cursor);
    end(&f);
}

static void one_row_is_fetched_by_its_key_and_found_by_id_or_url(void **state) {
    fixture f;
    seen s = {0};
    const twx_value there = {.type = TWX_INT, .i = 6}, gone = {.type = TWX_INT, .i = 7};
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    expect_ok(&f.cx, open_source(&f));
    expect_ok(&f.cx, twx_source_fetch(f.s, &there, note, &s));
    assert_string_equal(s.url[0], "http://a.org/2");
    assert_int_equal(twx_source_fetch(f.s, &gone, note, &s), TWX_DONE);
    expect_ok(&f.cx, twx_source_find(f.s, TWX_SLICE_LIT("9"), note, &s));
    assert_string_equal(s.url[1], "http://a.org/3");
    expect_ok(&f.cx, twx_source_find(f.s, TWX_SLICE_LIT("http://a.org/4"), note, &s));
    assert_int_equal(s.id[2], 12);
    assert_int_equal(twx_source_find(f.s, TWX_SLICE_LIT("http://b.org/"), note, &s), TWX_DONE);
    assert_int_equal(s.n, 3);
    end(&f);
}

/* R3 */
static void r3_text_of_any_encoding_arrives_as_utf8(void **state) {
    fixture f;
    seen s = {0};
    (void)state;
    begin(&f, store_of("utf16.db",
                       "PRAGMA encoding='UTF-16'; CREATE TABLE pages(id INTEGER PRIMARY KEY, url, "
                       "content);INSERT INTO pages VALUES (1, 'http://ä.org/', 'ü')"));
    expect_ok(&f.cx, open_source(&f));
    read_all(&f, TWX_WANT_WHOLE, 5, &s);
    assert_string_equal(s.url[0], "http://ä.org/");
    end(&f);
}

static void json_is_read_through_expressions(void **state) {
    fixture f;
    seen s = {0};
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    map(&f, "docs", "id");
    put(&f, &f.m.map[TWX_COL_URL], "json_extract(body, '$.u')");
    put(&f, &f.m.map[TWX_COL_TEXT],
        "(SELECT group_concat(value, ' ') FROM json_each(body, '$.t'))");
    expect_ok(&f.cx, open_source(&f));
    read_all(&f, TWX_WANT_WHOLE, 5, &s);
    assert_int_equal(s.n, 1);
    assert_string_equal(s.url[0], "x");
    assert_true(s.has_text);
    end(&f);
}

static void another_mapping_has_another_fingerprint(void **state) {
    fixture f;
    (void)state;
    begin(&f, store_of("source.db", TABLE));
    expect_ok(&f.cx, open_source(&f));
    const uint64_t one = twx_source_fingerprint(f.s);
    expect_ok(&f.cx, open_source(&f));
    assert_true(one == twx_source_fingerprint(f.s));
    put(&f, &f.m.map[TWX_COL_TITLE], "content");
    expect_ok(&f.cx, open_source(&f));
    assert_true(one != twx_source_fingerprint(f.s));
    end(&f);
}

/* ---- the cost of a scan ------------------------------------------------- */

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
        fail_msg("%s: %s, %d rows%s", shape->name, twx_rc_name(rc), (int)c.rows,
                 c.wrong ? ", a wrong one" : "");
    twx_source_cursor_done(&cursor);
    end(&f);
    return c;
}

/* R5: four times the rows cost four times the steps, and a fifth for the sorts. */
static void r5_a_scan_costs_one_pass_over_any_shape(void **state) {
    (void)state;
    for (size_t i = 0; i < TWX_COUNTOF(SHAPES); i++) {
        const scan few = scan_shape(&SHAPES[i], 2000), many = scan_shape(&SHAPES[i], 8000);
        if (many.ticks * 5 > few.ticks * 4 * 6)
            fail_msg("%s: %d, then %d times 100 steps", SHAPES[i].name, (int)few.ticks,
                     (int)many.ticks);
    }
}

/* R1, R5: between two batches another connection writes, and a checkpoint takes the whole WAL. What
 * it adds is read by the next scan. */
static void r5_others_write_while_copied_rows_are_read(void **state) {
    static const char *const MODES[] = {"PRAGMA journal_mode=WAL", "PRAGMA journal_mode=DELETE"};
    (void)state;
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
static void r5_a_copy_has_the_columns_that_are_wanted(void **state) {
    static const twx_source_want WANTS[] = {TWX_WANT_KEYS, TWX_WANT_IDENTITY, TWX_WANT_WHOLE,
                                            TWX_WANT_OUTSIDE, TWX_WANT_WHOLE};
    fixture f;
    (void)state;
    begin_shape(&f, &SHAPES[2], 20);
    for (size_t i = 0; i < TWX_COUNTOF(WANTS); i++) {
        seen s = {0};
        read_all(&f, WANTS[i], 7, &s);
        assert_int_equal(s.n, 20);
        assert_int_equal(s.has_text, WANTS[i] == TWX_WANT_WHOLE);
        assert_string_equal(s.url[0], WANTS[i] >= TWX_WANT_OUTSIDE ? "http://a.org/1" : "");
        assert_int_equal(s.id[19], WANTS[i] >= TWX_WANT_IDENTITY ? 20 : 0);
    }
    end(&f);
}

/* A temporary file that cannot grow ends the scan with an error that names its directory. */
static void r5_a_copy_without_room_is_an_error(void **state) {
    fixture f;
    scan c = {0};
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = 100, .fn = check_row, .arg = &c};
    (void)state;
    begin_shape(&f, &SHAPES[2], 2000);
    assert_int_equal(sqlite3_exec(f.db->handle, "PRAGMA temp.max_page_count=8", NULL, NULL, NULL),
                     SQLITE_OK);
    expect_fail(&f.cx, twx_source_read(f.s, &cursor, &batch), TWX_E_FULL, "set SQLITE_TMPDIR");
    assert_int_equal(c.rows, 0);
    twx_source_cursor_done(&cursor);
    end(&f);
}

static void r5_a_row_beyond_the_limit_is_no_part_of_a_copy(void **state) {
    fixture f;
    scan c = {0};
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = 100, .fn = check_row, .arg = &c};
    const twx_db_options small = {.mode = TWX_DB_READER, .row_bytes = 1 << 20};
    (void)state;
    begin_shape(&f, &SHAPES[2], 20);
    sqlite3 *other = test_open(twx_db_path(f.db));
    test_exec(other, "UPDATE version SET body = hex(zeroblob(1000000)) WHERE page_id = 9");
    sqlite3_close(other);
    char *path = twx_strdup(&f.cx, twx_db_path(f.db));
    twx_source_close(f.s);
    f.s = NULL;
    twx_db_close(f.db);
    expect_ok(&f.cx, twx_db_open(&f.cx, path, &small, &f.db));
    twx_free(path);
    expect_ok(&f.cx, open_source(&f));
    expect_fail(&f.cx, twx_source_read(f.s, &cursor, &batch), TWX_E_LIMIT, "");
    assert_false(cursor.begun || twx_source_is_copied(f.s));
    twx_source_cursor_done(&cursor);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_integer_primary_key_is_the_document_number),
        cmocka_unit_test(r4_a_rowid_that_vacuum_changes_is_no_key),
        cmocka_unit_test(r2_only_tables_of_ordinary_columns_are_read_unasked),
        cmocka_unit_test(a_wrong_expression_is_named),
        cmocka_unit_test(every_row_comes_once_in_order_in_batches_of_any_size),
        cmocka_unit_test(text_keys_are_scanned_by_rowid_and_others_by_the_id),
        cmocka_unit_test(r1_a_scan_does_not_pin_the_wal),
        cmocka_unit_test(a_row_beyond_the_limit_leaves_the_cursor_where_it_was),
        cmocka_unit_test(one_row_is_fetched_by_its_key_and_found_by_id_or_url),
        cmocka_unit_test(r3_text_of_any_encoding_arrives_as_utf8),
        cmocka_unit_test(json_is_read_through_expressions),
        cmocka_unit_test(another_mapping_has_another_fingerprint),
        cmocka_unit_test(r5_a_scan_costs_one_pass_over_any_shape),
        cmocka_unit_test(r5_others_write_while_copied_rows_are_read),
        cmocka_unit_test(r5_a_copy_has_the_columns_that_are_wanted),
        cmocka_unit_test(r5_a_copy_without_room_is_an_error),
        cmocka_unit_test(r5_a_row_beyond_the_limit_is_no_part_of_a_copy),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
