#include "store_fixture.h"

typedef struct wanted {
    /* note: has to be in it; NULL: nothing was chosen */
    const char *script, *from, *id, *url, *text, *note;
    bool doubtful;
} wanted;

static const wanted CASES[] = {
    /* the shapes of DESIGN 2.1 */
    {"CREATE TABLE pages(id INTEGER PRIMARY KEY, url, title, content, status_code, fetched_at)",
     "\"pages\"", "\"id\"", "\"url\"", "\"content\"", "http_status = \"status_code\"", false},
    {"CREATE TABLE p(key TEXT PRIMARY KEY, page_url, markdown)", "\"p\"", "\"key\"", "\"page_url\"",
     "\"markdown\"", "text = \"markdown\"", false},
    {"CREATE TABLE p(link, body)", "\"p\"", "\"link\"", "\"link\"", "\"body\"", "id = \"link\"",
     false},
    {"CREATE TABLE p(a, b, url, text, PRIMARY KEY(a, b)) WITHOUT ROWID", "\"p\"", "\"url\"",
     "\"url\"", "\"text\"", "id = \"url\"", false},
    {"CREATE TABLE \"odd \"\" name\"(URL, \"Text\")", "\"odd \"\" name\"", "\"URL\"", "\"URL\"",
     "\"Text\"", "odd", false},
    /* YaCy's names */
    {"CREATE TABLE solr(id TEXT PRIMARY KEY, sku, text_t, httpstatus_i, failreason_s)", "\"solr\"",
     "\"id\"", "\"sku\"", "\"text_t\"", "failure = \"failreason_s\"", false},
    /* twindex's own name settles it; two others are a doubt */
    {"CREATE TABLE p(url, link, text, body)", "\"p\"", "\"url\"", "\"url\"", "\"text\"", "from",
     false},
    {"CREATE TABLE p(url, content, body)", "\"p\"", "\"url\"", "\"url\"", "\"content\"",
     "could be the text", true},
    {"CREATE TABLE p(link, uri, text)", "\"p\"", "\"link\"", "\"link\"", "\"text\"",
     "could be the url", true},
    /* the table with most columns, and a word about the other */
    {"CREATE TABLE a(url, text); CREATE TABLE b(url, text, title)", "\"b\"", "\"url\"", "\"url\"",
     "\"text\"", "table 'a' would fit too", true},
    /* tables without documents do not count, nor do views */
    {"CREATE TABLE links(url, target); CREATE TABLE p(url, text); CREATE VIEW v AS SELECT * FROM p",
     "\"p\"", "\"url\"", "\"url\"", "\"text\"", "from = \"p\"", false}};

TEST(the_usual_names_are_found) {
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        const wanted *w = &CASES[i];
        twx_ctx cx;
        twx_mapping m = {0};
        twx_db *db = open_as(&cx, store_of("mapping.db", w->script), TWX_DB_READER);
        expect_ok(&cx, twx_mapping_detect(db, &m));
        assert_string_equal(m.from, w->from);
        assert_string_equal(m.map[TWX_COL_ID], w->id);
        assert_string_equal(m.map[TWX_COL_URL], w->url);
        assert_string_equal(m.map[TWX_COL_TEXT], w->text);
        assert_true(m.chosen && !m.own);
        if (m.doubtful != w->doubtful) fail_msg("case %zu: %s", i, m.note.p);
        if (!strstr(m.note.p, w->note))
            fail_msg("case %zu: '%s' is not in: %s", i, w->note, m.note.p);
        twx_mapping_done(&m);
        twx_db_close(db);
    }
}

TEST(each_allocation_that_fails_is_an_error) {
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_ctx cx;
        bool failed = true;
        twx_db *db = open_as(&cx, store_of("mapping.db", CASES[i].script), TWX_DB_READER);
        for (uint64_t nth = 1; failed; nth++) {
            twx_faults faults = {.fail_at = nth};
            twx_mapping m = {0};
            cx.faults = &faults;
            const twx_rc rc = twx_mapping_detect(db, &m);
            cx.faults = NULL;
            failed = atomic_load(&faults.count) >= nth;
            if (failed) expect_fail(&cx, rc, TWX_E_NOMEM, "memory");
            if (!failed) expect_ok(&cx, rc);
            if (!failed) assert_string_equal(m.map[TWX_COL_ID], CASES[i].id);
            twx_mapping_done(&m);
            assert_true(nth < 1000);
        }
        twx_db_close(db);
    }
}

TEST(our_own_table_is_known_by_its_triggers) {
    twx_ctx cx = {0};
    twx_mapping m = {0};
    const char *path = test_file("own.db");
    twx_db *db = NULL;
    const twx_db_options make = {.mode = TWX_DB_OWNER, .create = true};
    expect_ok(&cx, twx_db_open(&cx, path, &make, &db));
    expect_ok(&cx, twx_make_documents(db));
    twx_db_close(db);
    db = open_as(&cx, path, TWX_DB_READER);
    expect_ok(&cx, twx_mapping_detect(db, &m));
    assert_true(m.own && !m.chosen && !m.doubtful);
    assert_string_equal(m.from, "documents");
    assert_string_equal(m.map[TWX_COL_LAYOUT_DIGEST], "layout_digest");
    assert_null(m.map[TWX_COL_CHANGED]);
    twx_mapping_done(&m);
    twx_db_close(db);
}

TEST(what_is_missing_is_said) {
    static const struct {
        const char *script, *reason;
    } LACKS[] = {{"CREATE TABLE x(y)", "'x' has no url column"},
                 {"CREATE TABLE x(url, y)", "'x' has no text column"},
                 {"CREATE VIEW v AS SELECT 1 AS url, 2 AS text", "the store has no tables"}};
    for (size_t i = 0; i < TWX_COUNTOF(LACKS); i++) {
        twx_ctx cx;
        twx_mapping m = {0};
        twx_db *db = open_as(&cx, store_of("mapping.db", LACKS[i].script), TWX_DB_READER);
        expect_fail(&cx, twx_mapping_detect(db, &m), TWX_E_CONFIG, LACKS[i].reason);
        twx_mapping_done(&m);
        twx_db_close(db);
    }
}

TEST(what_is_configured_stays) {
    twx_ctx cx;
    twx_mapping m = {0};
    twx_db *db = open_as(&cx, store_of("mapping.db", CASES[0].script), TWX_DB_READER);
    m.map[TWX_COL_TITLE] = twx_strdup(&cx, "upper(title)");
    expect_ok(&cx, twx_mapping_detect(db, &m));
    assert_string_equal(m.map[TWX_COL_TITLE], "upper(title)");
    assert_string_equal(m.map[TWX_COL_URL], "\"url\"");
    twx_mapping_done(&m);
    m.from = twx_strdup(&cx, "pages");
    m.map[TWX_COL_ID] = twx_strdup(&cx, "id");
    m.map[TWX_COL_URL] = twx_strdup(&cx, "url");
    m.map[TWX_COL_TEXT] = twx_strdup(&cx, "content");
    expect_ok(&cx, twx_mapping_detect(db, &m));
    assert_null(m.map[TWX_COL_HTTP_STATUS]); /* a mapping with all it needs stays as it is */
    assert_false(m.chosen);
    twx_mapping_done(&m);
    twx_db_close(db);
}

TEST(what_is_configured_is_completed) {
    static const struct {
        const char *script, *from, *url, *text; /* configured */
        const char *wanted_from, *wanted_id, *wanted_text;
        bool doubtful;
    } DONE[] = {
        {"CREATE TABLE p(id INTEGER PRIMARY KEY, url, data)", NULL, NULL, "data ->> '$.text'",
         "\"p\"", "\"id\"", "data ->> '$.text'", false},
        {"CREATE TABLE p(id INTEGER PRIMARY KEY, u, text)", NULL, "u", NULL, "\"p\"", "\"id\"",
         "\"text\"", false},
        /* only one table has the column */
        {"CREATE TABLE a(url, text); CREATE TABLE b(id TEXT PRIMARY KEY, url, page)", NULL, NULL,
         "page", "\"b\"", "\"id\"", "page", false},
        /* which column is the text is no doubt any more */
        {"CREATE TABLE p(id INTEGER PRIMARY KEY, url, content, body)", NULL, NULL, "body", "\"p\"",
         "\"id\"", "body", false},
        {"CREATE TABLE a(id INTEGER PRIMARY KEY, url, text, title); CREATE TABLE b(id INTEGER "
         "PRIMARY KEY, url, text)",
         "b", NULL, NULL, "b", "\"id\"", "\"text\"", false},
        {"CREATE TABLE b(id INTEGER PRIMARY KEY, url, content, body)", "b", NULL, NULL, "b",
         "\"id\"", "\"content\"", true}};
    for (size_t i = 0; i < TWX_COUNTOF(DONE); i++) {
        twx_ctx cx;
        twx_mapping m = {0};
        twx_db *db = open_as(&cx, store_of("mapping.db", DONE[i].script), TWX_DB_READER);
        if (DONE[i].from) m.from = twx_strdup(&cx, DONE[i].from);
        if (DONE[i].url) m.map[TWX_COL_URL] = twx_strdup(&cx, DONE[i].url);
        if (DONE[i].text) m.map[TWX_COL_TEXT] = twx_strdup(&cx, DONE[i].text);
        expect_ok(&cx, twx_mapping_detect(db, &m));
        assert_string_equal(m.from, DONE[i].wanted_from);
        assert_string_equal(m.map[TWX_COL_ID], DONE[i].wanted_id);
        assert_string_equal(m.map[TWX_COL_TEXT], DONE[i].wanted_text);
        assert_int_equal(m.doubtful, DONE[i].doubtful);
        twx_mapping_done(&m);
        twx_db_close(db);
    }
}

TEST(what_cannot_be_completed_is_said) {
    static const struct {
        const char *from, *text, *reason;
    } LACKS[] = {{NULL, "nosuch", "'p' has no text column"},
                 {"q", NULL, "from = q but no id, and no column of it has a usual name"},
                 {"p JOIN q USING (id)", NULL, "but no id"}};
    for (size_t i = 0; i < TWX_COUNTOF(LACKS); i++) {
        twx_ctx cx;
        twx_mapping m = {0};
        const char *script =
            "CREATE TABLE p(id INTEGER PRIMARY KEY, url, text); CREATE TABLE q(id, a)";
        twx_db *db = open_as(&cx, store_of("mapping.db", script), TWX_DB_READER);
        if (LACKS[i].from) m.from = twx_strdup(&cx, LACKS[i].from);
        if (LACKS[i].text) m.map[TWX_COL_TEXT] = twx_strdup(&cx, LACKS[i].text);
        expect_fail(&cx, twx_mapping_detect(db, &m), TWX_E_CONFIG, LACKS[i].reason);
        twx_mapping_done(&m);
        twx_db_close(db);
    }
}
