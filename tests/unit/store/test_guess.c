#include "store_fixture.h"

#define T1   "'words that make a text which is long enough to be one'"
#define HASH "'0123456789abcdef'"
#define T2   "'other words that make a text which is long enough'"

/* The whole stores, and runs with what is written, are in tests/cli/test_suggestions.sh. */
static const struct {
    const char *script, *config; /* config: whole; NULL: nothing is found, and why says the next */
    const char *why;
} CASES[] = {
    {"CREATE TABLE p(id INTEGER PRIMARY KEY, u, t); INSERT INTO p VALUES (1, "
     "'http://a.example/', " T1 ")",
     "from = \"p\"\nid = \"id\"\nurl = \"u\"\ntext = \"t\"\n", ""},
    {"CREATE TABLE p(u, t, http_status); INSERT INTO p VALUES ('http://a.example/', " T1 ", 200)",
     "from = \"p\"\n# no key is declared: the URL has to tell documents apart\nid = \"u\"\nurl = "
     "\"u\"\n"
     "text = \"t\"\nhttp_status = \"http_status\"\n",
     ""},
    {"CREATE TABLE p(k PRIMARY KEY, u); CREATE TABLE t(id INTEGER PRIMARY KEY, p_id REFERENCES "
     "p(k), at_date, b);"
     "INSERT INTO p VALUES ('a', 'http://a.example/'); INSERT INTO t VALUES (1, 'a', 1, " T1
     "), (2, 'a', 2, " T2 ")",
     "# the latest row of t for each of p\nfrom = \"p\" AS p JOIN \"t\" AS t ON t.\"p_id\" = "
     "p.\"k\"\n"
     "where = t.\"id\" IN (SELECT latest FROM (SELECT n.\"id\" AS latest, row_number() OVER "
     "(PARTITION BY n.\"p_id\" "
     "ORDER BY n.\"at_date\" DESC, n.\"id\" DESC) AS nth FROM \"t\" AS n) WHERE nth = 1)\nid = "
     "p.\"k\"\nurl = p.\"u\"\n"
     "text = t.\"b\"\n",
     ""},
    /* joins by values: several texts refer to a page; pages refer to texts */
    {"CREATE TABLE p(k PRIMARY KEY, u); CREATE TABLE t(id INTEGER PRIMARY KEY, h, at_date, b);"
     "INSERT INTO p VALUES (" HASH ", 'http://a.example/'); INSERT INTO t VALUES (1, " HASH
     ", 1, " T1 "), (2, " HASH ", 2, " T2 ")",
     "# the latest row of t for each of p\nfrom = \"p\" AS p JOIN \"t\" AS t ON t.\"h\" = p.\"k\"\n"
     "where = t.\"id\" IN (SELECT latest FROM (SELECT n.\"id\" AS latest, row_number() OVER "
     "(PARTITION BY n.\"h\" ORDER BY n.\"at_date\" DESC, n.\"id\" DESC) AS nth FROM \"t\" AS n) "
     "WHERE nth = 1)\nid = p.\"k\"\nurl = p.\"u\"\ntext = t.\"b\"\n",
     ""},
    {"CREATE TABLE p(k PRIMARY KEY, u, h); CREATE TABLE t(k PRIMARY KEY, b);"
     "INSERT INTO p VALUES ('a', 'http://a.example/', " HASH "), ('b', 'http://a.example/b', " HASH
     "); INSERT INTO t VALUES (" HASH ", " T1 ")",
     "# the row of t for each of p\nfrom = \"p\" AS p JOIN \"t\" AS t ON t.\"k\" = p.\"h\"\n"
     "id = p.\"k\"\nurl = p.\"u\"\ntext = t.\"b\"\n",
     ""},
    /* pages without a key refer to the key of a text */
    {"CREATE TABLE t(k PRIMARY KEY, b); CREATE TABLE p(u, t_k REFERENCES t(k));"
     "INSERT INTO t VALUES ('a', " T1 "); INSERT INTO p VALUES ('http://a.example/', 'a')",
     "# the row of t for each of p\nfrom = \"p\" AS p JOIN \"t\" AS t ON t.\"k\" = p.\"t_k\"\n"
     "id = p.\"u\"\nurl = p.\"u\"\ntext = t.\"b\"\n",
     ""},
    /* the best of several tables, which comes last, first, or is worth as much */
    {"CREATE TABLE a(u PRIMARY KEY, t); CREATE TABLE b(u PRIMARY KEY, content);"
     "CREATE TABLE c(u PRIMARY KEY, t);"
     "INSERT INTO a VALUES ('http://a.example/', " T1 "); INSERT INTO b VALUES "
     "('http://a.example/', " T1 "); INSERT INTO c VALUES ('http://a.example/', " T1 ")",
     "# table 'a' would fit too\n# table 'c' would fit too\nfrom = \"b\"\nid = \"u\"\n"
     "url = \"u\"\ntext = \"content\"\n",
     ""},
    /* a description is the text if no other table has one */
    {"CREATE TABLE p(u PRIMARY KEY, description); INSERT INTO p VALUES ('http://a.example/', " T1
     ")",
     "from = \"p\"\nid = \"u\"\nurl = \"u\"\ntext = \"description\"\n", ""},
    /* what pages say of themselves, beside a text, and with columns that may be empty */
    {"CREATE TABLE p(u PRIMARY KEY, t, html, robots, title); INSERT INTO p VALUES "
     "('http://a.example/', " T1 ", '<!DOCTYPE html><html><p>x</p></html>', NULL, NULL),"
     "('http://a.example/b', " T2 ", '<!DOCTYPE html><html><p>y</p></html>', 'noindex', 'b')",
     "from = \"p\"\nid = \"u\"\nurl = \"u\"\ntext = \"t\"\nmain = html_main(\"html\")\n"
     "title = coalesce(nullif(\"title\", ''), html_title(\"html\"))\n"
     "headings = html_headings(\"html\")\nnames = html_names(\"html\")\n"
     "description = html_description(\"html\")\n"
     "robots = coalesce(\"robots\" || ', ', '') || coalesce(html_robots(\"html\"), '')\n"
     "canonical_url = html_canonical(\"html\", \"u\")\n"
     "redirect_url = html_refresh(\"html\", \"u\")\nhreflang_group = html_hreflang(\"html\", "
     "\"u\")\n"
     "layout_digest = html_layout(\"html\")\nlanguage = html_language(\"html\")\n",
     ""},
    {"CREATE TABLE p(u, k PRIMARY KEY); CREATE TABLE v(id INTEGER PRIMARY KEY, p_k REFERENCES "
     "p(k), "
     "fetched_at); CREATE TABLE t(v_id PRIMARY KEY REFERENCES v(id), b);"
     "INSERT INTO p VALUES ('http://a.example/', 'a'); INSERT INTO v VALUES (1, 'a', 1), (2, 'a', "
     "2); INSERT INTO t VALUES (1, " T1 "), (2, " T2 ")",
     "# the latest row of v for each of p\nfrom = \"p\" AS p JOIN \"v\" AS v ON v.\"p_k\" = "
     "p.\"k\" "
     "JOIN \"t\" AS t ON t.\"v_id\" = v.\"id\"\nwhere = v.\"id\" IN (SELECT latest FROM (SELECT "
     "n.\"id\" "
     "AS latest, row_number() OVER (PARTITION BY n.\"p_k\" ORDER BY n.\"fetched_at\" DESC, "
     "n.\"id\" "
     "DESC) AS nth FROM \"v\" AS n) WHERE nth = 1)\nid = p.\"k\"\nurl = p.\"u\"\ntext = t.\"b\"\n"
     "fetched_at = v.\"fetched_at\"\n",
     ""},
    /* small numbers are equal by chance: no join by values */
    {"CREATE TABLE p(k INTEGER PRIMARY KEY, u); CREATE TABLE t(n, b); INSERT INTO p VALUES (1, "
     "'http://a.example/');"
     "INSERT INTO t VALUES (1, " T1 ")",
     NULL, "'p' has URLs but no text; 't' has texts but no URL"},
    {"CREATE TABLE p(a, b)", NULL, "every table is empty"},
    {"CREATE TABLE p(a, b); INSERT INTO p VALUES (1, 2)", NULL, ""},
};

TEST(what_is_written) {
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_ctx cx;
        twx_buf config = {.max = 1 << 16}, why;
        twx_buf_init(&why, 1 << 16);
        twx_db *db = open_as(&cx, store_of("guess.db", CASES[i].script), TWX_DB_READER);
        const twx_rc rc = twx_guess(db, &config, &why);
        if (CASES[i].config)
            expect_ok(&cx, rc);
        else
            assert_int_equal(rc, TWX_DONE);
        if (CASES[i].config) assert_string_equal(config.p, CASES[i].config);
        assert_string_equal(why.p ? why.p : "", CASES[i].why);
        twx_buf_done(&config);
        twx_buf_done(&why);
        twx_db_close(db);
    }
}

TEST(columns_of_the_schema) {
    twx_ctx cx;
    bool has = false;
    twx_db *db = open_as(&cx, store_of("schema.db", "CREATE TABLE \"a b\"(\"c d\")"),
                         TWX_DB_READER);
    expect_ok(&cx, twx_db_has_column(db, TWX_SLICE_LIT("a b"), TWX_SLICE_LIT("C D"), &has));
    assert_true(has);
    expect_ok(&cx, twx_db_has_column(db, TWX_SLICE_LIT("a b"), TWX_SLICE_LIT("c"), &has));
    assert_false(has);
    expect_ok(&cx, twx_db_has_column(db, TWX_SLICE_LIT("a"), TWX_SLICE_LIT("c d"), &has));
    assert_false(has);
    twx_db_close(db);
}
