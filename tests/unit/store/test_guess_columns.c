#include "store_fixture.h"

#include "store/internal.h"

/* The names of samples are owned elsewhere; here they are literals that are never written to. */
static char *literal(const char *text) {
    return (char *)(uintptr_t)text;
}

static twx_sampled_column column(const char *name, twx_content kind, size_t text_bytes) {
    twx_sampled_column c = {.name = literal(name),
                            .before = literal(""),
                            .column = literal("c"),
                            .after = literal(""),
                            .filled = 10,
                            .bytes = text_bytes * 10,
                            .text_bytes = text_bytes * 10};
    c.kinds[kind] = 10;
    return c;
}

static twx_candidate candidate_of(twx_sampled_table *t, twx_sampled_column *columns, size_t n) {
    *t = (twx_sampled_table){.name = literal("t"), .from = literal("\"t\""), .rows = 10};
    t->columns.at = columns;
    t->columns.n = n;
    return twx_candidate_of(t);
}

TEST(a_usual_name_goes_before_other_urls) {
    twx_sampled_table t;
    twx_sampled_column columns[] = {column("where_from", TWX_CONTENT_URL, 0),
                                    column("link", TWX_CONTENT_URL, 0),
                                    column("url", TWX_CONTENT_URL, 0)};
    assert_int_equal(candidate_of(&t, columns, 3).url, 2);
    assert_int_equal(candidate_of(&t, columns, 1).url, 0);
    columns[0].kinds[TWX_CONTENT_URL] = 2; /* of 10 */
    assert_int_equal(candidate_of(&t, columns, 1).url, TWX_NO_COLUMN);
}

TEST(the_text_is_the_longest_but_for_names) {
    twx_sampled_table t;
    twx_sampled_column columns[] = {
        column("teaser", TWX_CONTENT_PLAIN, 80), column("corps", TWX_CONTENT_HTML, 400),
        column("description", TWX_CONTENT_PLAIN, 900), column("content", TWX_CONTENT_PLAIN, 60)};
    assert_int_equal(candidate_of(&t, columns, 4).text, 3); /* its name */
    assert_int_equal(candidate_of(&t, columns, 3).text, 1);
    columns[1].text_bytes = columns[1].filled * 100; /* less text than markup */
    assert_int_equal(candidate_of(&t, columns, 2).text, 0);
    columns[0].text_bytes = columns[0].filled * 39; /* too short for a text */
    assert_int_equal(candidate_of(&t, columns, 1).text, TWX_NO_COLUMN);
}

TEST(host_and_path_stand_for_a_url) {
    twx_sampled_table t;
    twx_sampled_column columns[] = {column("Host", TWX_CONTENT_PLAIN, 9),
                                    column("path", TWX_CONTENT_PLAIN, 9),
                                    column("u", TWX_CONTENT_URL, 9)};
    assert_true(twx_has_url(&(twx_candidate){.t = &t, .url = 0}));
    twx_candidate c = candidate_of(&t, columns, 2);
    assert_true(c.url == TWX_NO_COLUMN && c.host == 0 && c.path == 1 && twx_has_url(&c));
    c = candidate_of(&t, columns, 1);
    assert_false(twx_has_url(&c));
    c = candidate_of(&t, columns, 3);
    assert_true(c.url == 2 && c.host == TWX_NO_COLUMN);
}

TEST(rows_of_a_url_are_parts_or_versions) {
    static const struct {
        const char *rows, *position; /* NULL: none */
        bool repeated;
    } CASES[] = {
        {"('a', 1), ('b', 1), ('c', 1)", NULL, false},
        {"('a', 1), ('a', 2), ('b', 1)", "chunk_index", true},
        {"('a', 1), ('a', 1), ('b', 1)", NULL, true}, /* the number does not tell them apart */
        {"('a', 'x'), ('a', 'y')", NULL, true},       /* it is no number */
        {"(NULL, 1), (NULL, 2)", NULL, false},
    };
    for (size_t k = 0; k < 2 * TWX_COUNTOF(CASES); k++) { /* the number is the last, or the first */
        const size_t i = k / 2;
        twx_ctx cx;
        twx_sampled_tables tables = {0};
        twx_repeats r;
        char script[256];
        snprintf(script, sizeof script,
                 "CREATE TABLE t(%s); INSERT INTO t(u, chunk_index) VALUES %s",
                 k % 2 ? "chunk_index, u" : "u, chunk_index", CASES[i].rows);
        twx_db *db = open_as(&cx, store_of("repeats.db", script), TWX_DB_READER);
        expect_ok(&cx, twx_sample_tables(db, &tables));
        expect_ok(&cx, twx_look_for_repeats(db, &tables.at[0], "u", &r));
        if (r.repeated != CASES[i].repeated || (r.position == TWX_NO_COLUMN) != !CASES[i].position)
            fail_msg("case %zu: repeated %d, position %d", i, r.repeated, r.position);
        if (CASES[i].position)
            assert_string_equal(tables.at[0].columns.at[r.position].name, CASES[i].position);
        twx_sampled_tables_done(&tables);
        twx_db_close(db);
    }
}

TEST(dates_and_keys_of_rows) {
    twx_sampled_table t;
    twx_sampled_column columns[] = {column("fetched_at", TWX_CONTENT_PLAIN, 9)};
    candidate_of(&t, columns, 1);
    assert_string_equal(twx_date_column(&t), "c");
    assert_string_equal(twx_row_key(&t), "rowid");
    t.without_rowid = true;
    assert_null(twx_row_key(&t));
    t.key = literal("\"k\"");
    assert_string_equal(twx_row_key(&t), "\"k\"");
    t.key = NULL;
    t.without_rowid = false;
    t.kind = TWX_SAMPLED_VIEW;
    assert_null(twx_row_key(&t));
    columns[0].before = literal("CAST("); /* a part of JSON has no index */
    assert_null(twx_date_column(&t));
    columns[0].before = literal("");
    columns[0].name = literal("flat");
    assert_null(twx_date_column(&t));
}

/* The head of a response of a server, which some crawlers keep in a column, is no text. */
TEST(heads_of_responses_are_no_texts) {
    static const struct {
        const char *value; /* of SQL; an LF follows */
        bool head;
    } CASES[] = {
        {"'Server: nginx' || char(13)", true},
        {"'HTTP/x-y: z' || char(13)", true},
        {"'Server: nginx'", false},
        {"'Our server: nginx' || char(13)", false},
        {"': nginx' || char(13)", false},
        {"'Server' || char(13, 10) || 'x: nginx' || char(13)", false},
        {"''", false},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_ctx cx;
        twx_sampled_tables tables = {0};
        char script[256];
        snprintf(script, sizeof script,
                 "CREATE TABLE t(x); INSERT INTO t VALUES (%s || char(10) || 'more of it')",
                 CASES[i].value);
        twx_db *db = open_as(&cx, store_of("head.db", script), TWX_DB_READER);
        expect_ok(&cx, twx_sample_tables(db, &tables));
        if ((tables.at[0].columns.at[0].text_bytes == 0) != CASES[i].head)
            fail_msg("%s", CASES[i].value);
        twx_sampled_tables_done(&tables);
        twx_db_close(db);
    }
}
