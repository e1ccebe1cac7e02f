#include "store_fixture.h"

#include "store/internal.h"

/* sampled calls check with the tables of a store that the script makes. */
static void sampled(const char *script, void (*check)(const twx_sampled_tables *tables)) {
    twx_ctx cx;
    twx_sampled_tables tables = {0};
    twx_db *db = open_as(&cx, store_of("sampled.db", script), TWX_DB_READER);
    expect_ok(&cx, twx_sample_tables(db, &tables));
    check(&tables);
    twx_sampled_tables_done(&tables);
    twx_db_close(db);
}

static const twx_sampled_column *column_of(const twx_sampled_table *t, const char *name) {
    for (size_t i = 0; i < t->columns.n; i++)
        if (strcmp(t->columns.at[i].name, name) == 0) return &t->columns.at[i];
    fail_msg("%s has no column %s", t->name, name);
    return NULL;
}

static void check_kinds(const twx_sampled_tables *tables) {
    assert_int_equal(tables->n, 1);
    const twx_sampled_table *t = &tables->at[0];
    assert_string_equal(t->key, "\"id\"");
    assert_int_equal(t->rows, 2);
    assert_true(twx_mostly(column_of(t, "url"), TWX_CONTENT_URL));
    assert_true(twx_mostly(column_of(t, "page"), TWX_CONTENT_HTML));
    assert_int_equal(column_of(t, "page")->text_bytes, 2 * strlen("one two"));
    assert_true(twx_mostly(column_of(t, "digest"), TWX_CONTENT_HEX));
    assert_int_equal(column_of(t, "n")->integers, 2);
    assert_int_equal(column_of(t, "n")->filled, 0);
    assert_false(twx_mostly(column_of(t, "none"), TWX_CONTENT_PLAIN));
    /* the head of an HTTP response is no text */
    assert_true(column_of(t, "head")->bytes > 0);
    assert_int_equal(column_of(t, "head")->text_bytes, 0);
}

TEST(values_are_judged_by_their_bytes) {
    sampled("CREATE TABLE p(id INTEGER PRIMARY KEY, url, page, digest, n, none, head);"
            "INSERT INTO p VALUES (1, 'http://a.example/', '<p>one two</p>', '0123456789abcdef', "
            "5, NULL, 'Server: x' || char(13, 10) || 'A: b'), "
            "(2, 'http://b.example/', '<p>one two</p>', '0123456789abcdef', 6, '', "
            "'Server: x' || char(13, 10) || 'A: b')",
            check_kinds);
}

static void check_heads(const twx_sampled_tables *tables) {
    const twx_sampled_table *t = &tables->at[0];
    static const char *const HEADS[] = {"named", "dashed"}, *const TEXTS[] = {"no_colon", "lf_only",
                                                                              "blank_in_name",
                                                                              "colon_first",
                                                                              "one_line"};
    for (size_t i = 0; i < TWX_COUNTOF(HEADS); i++)
        assert_int_equal(column_of(t, HEADS[i])->text_bytes, 0);
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++)
        if (column_of(t, TEXTS[i])->text_bytes == 0) fail_msg("%s is a text", TEXTS[i]);
}

/* Only lines that end with CR LF and begin with the name of a header are one. */
TEST(heads_of_responses_differ_from_texts) {
    sampled("CREATE TABLE p(id INTEGER PRIMARY KEY, named, dashed, no_colon, lf_only, "
            "blank_in_name, colon_first, one_line);"
            "INSERT INTO p SELECT 1, 'Server: x' || e, 'Content-Type: y' || e || 'A: b', "
            "'some words' || e || 'a: b', 'Server: x' || char(10) || 'more', "
            "'He said: well' || e, ': x' || e, 'Server: only one line of text' "
            "FROM (SELECT char(13, 10) AS e)",
            check_heads);
}

static void check_paths(const twx_sampled_tables *tables) {
    const twx_sampled_table *t = &tables->at[0];
    const twx_sampled_column *text = column_of(t, "text"), *blob = column_of(t, "deep");
    assert_string_equal(text->column, "\"j\"");
    assert_string_equal(text->before, "");
    assert_string_equal(text->after, " ->> '$.a.text'");
    assert_string_equal(blob->before, "CAST(");
    assert_string_equal(blob->after, " AS TEXT) ->> '$.deep'");
    assert_int_equal(column_of(t, "status")->integers, 1);
    /* j and b, a text and a number in j, a text in b; not the list, and no key with a quote */
    assert_int_equal(t->columns.n, 2 + 2 + 1);
}

TEST(paths_of_json_are_columns) {
    sampled(
        "CREATE TABLE p(j, b); INSERT INTO p VALUES ('{\"a\": {\"text\": \"words\", \"status\": "
        "200}, "
        "\"list\": [{\"text\": \"no\"}], \"it''s\": \"no\"}', CAST('{\"deep\": \"x\"}' AS BLOB))",
        check_paths);
}

static void check_many_paths(const twx_sampled_tables *tables) {
    const twx_sampled_table *t = &tables->at[0];
    assert_int_equal(t->columns.n, 1 + 60);
    assert_true(twx_mostly(column_of(t, "k60"), TWX_CONTENT_PLAIN));
}

/* Later rows do not add to them. */
TEST(at_most_sixty_paths_of_a_column_count) {
    sampled("CREATE TABLE p(j); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
            "WHERE i < 70) INSERT INTO p SELECT json_group_object('k' || i, 'some words') FROM n "
            "UNION ALL SELECT '{\"k60\": \"words\", \"late\": \"words\"}'",
            check_many_paths);
}

static void check_tables(const twx_sampled_tables *tables) {
    assert_int_equal(tables->n, 5);
    assert_string_equal(tables->at[0].name, "plain");
    assert_null(tables->at[0].key); /* of two columns */
    assert_true(tables->at[0].without_rowid);
    assert_int_equal(tables->at[2].kind, TWX_SAMPLED_VIEW);
    assert_string_equal(tables->at[3].name, "f4");
    assert_int_equal(tables->at[3].kind, TWX_SAMPLED_FTS);
    assert_string_equal(tables->at[3].from, "\"f4_content\"");
    assert_string_equal(tables->at[3].key, "\"docid\"");
    assert_string_equal(column_of(&tables->at[3], "body")->column, "\"c1body\"");
    assert_string_equal(tables->at[4].key, "\"id\"");
    assert_string_equal(column_of(&tables->at[4], "body")->column, "\"c1\"");
}

/* Not ours, no shadow tables, no contentless index, and no view of a table that is gone. */
TEST(tables_views_and_fts_content_are_listed) {
    sampled(
        "CREATE TABLE plain(a, b, PRIMARY KEY(a, b)) WITHOUT ROWID; CREATE TABLE twindex_mine(a); "
        "CREATE TABLE \"q\"\"t\"(\"a b\" PRIMARY KEY); CREATE VIEW v AS SELECT a FROM plain; "
        "CREATE VIRTUAL TABLE f5 USING fts5(url, body); "
        "CREATE VIRTUAL TABLE f4 USING fts4(url, body); "
        "CREATE VIRTUAL TABLE none USING fts5(a, content=''); CREATE TABLE gone(a); "
        "CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone",
        check_tables);
}
