/* Rules as SQL: their text, word by word. Their meaning is tested in
 * property/test_rule_laws.c. */
#include "support.h"

#include "search/internal.h"

#include "rule_scheme.h"

static const twx_rule_fields FIELDS = {
    .at = FIELD, .n = TWX_COUNTOF(FIELD), .columns = COLUMNS, .n_columns = 2};

static twx_rule_sql compile(const char *text) {
    twx_ctx cx = {0};
    twx_rules *rules = NULL;
    twx_rule_sql sql = {0};
    if (twx_rules_parse(&cx, "x", twx_slice_of(text), &FIELDS, &rules) != TWX_OK ||
        twx_rule_sql_make(&cx, "x", rules, &sql) != TWX_OK)
        fail_msg("%s\n%s", cx.message, text);
    twx_rules_close(rules);
    return sql;
}

static void expect_filter(const char *rule, const char *wanted) {
    char text[512];
    snprintf(text, sizeof text, "[filter]\n%s", rule);
    twx_rule_sql sql = compile(text);
    assert_string_equal(sql.filter, wanted);
    twx_rule_sql_done(&sql);
}

TEST(filters) {
    expect_filter("", "1");
    expect_filter("*:*", "(1)");
    expect_filter("http_unique_b:TRUE", "(f.http_unique_b = 1)");
    expect_filter("duplicate_type:full-layout", "(f.duplicate_type = 'full-layout')");
    expect_filter("duplicate_of:*", "(f.duplicate_of IS NOT NULL)");
    expect_filter("copycount_i:-9223372036854775808", "(f.copycount_i = -9223372036854775808)");
    expect_filter("copycount_i:[2 TO 5}", "(f.copycount_i >= 2 AND f.copycount_i < 5)");
    expect_filter("copycount_i:{2 TO *]", "(f.copycount_i > 2)");
    expect_filter("copycount_i:[* TO *]", "(f.copycount_i IS NOT NULL)");
    expect_filter("NOT NOT http_unique_b:1", "(f.http_unique_b = 1)");
    expect_filter("-copycount_i:1", "(NOT (f.copycount_i = 1))");
    expect_filter("copycount_i:1 OR copycount_i:2 AND copycount_i:3",
                  "((f.copycount_i = 1) OR ((f.copycount_i = 2) AND (f.copycount_i = 3)))");
    expect_filter("copycount_i:(1 -2)", "((NOT (f.copycount_i = 2)) AND ((f.copycount_i = 1)))");
    expect_filter("copycount_i:(\"-1\" 2)", "((f.copycount_i = -1) OR (f.copycount_i = 2))");
    expect_filter("+copycount_i:1 copycount_i:2", "((f.copycount_i = 1))");
    expect_filter("copycount_i:1\ncopycount_i:2", "(f.copycount_i = 1)\n  AND (f.copycount_i = 2)");
}

/* The scores of the rules for the rows of a table f, which the SQL lists. */
static void score_rows(const char *text, const char *rows, size_t n, double *ret_scores) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    twx_rule_sql sql = compile(text);
    char *statement = sqlite3_mprintf("WITH f AS (%s) SELECT %s FROM f", rows, sql.score);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, statement, -1, &stmt, NULL), SQLITE_OK);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
        assert_int_equal(sqlite3_column_type(stmt, 0), SQLITE_FLOAT);
        ret_scores[i] = sqlite3_column_double(stmt, 0);
    }
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    sqlite3_free(statement);
    twx_rule_sql_done(&sql);
}

static double score_of(const char *text, int copycount) {
    char row[200];
    double score = 0;
    snprintf(row, sizeof row,
             "SELECT 1 AS http_unique_b, %d AS copycount_i, 'full-layout' AS duplicate_type, "
             "NULL AS duplicate_of",
             copycount);
    score_rows(text, row, 1, &score);
    return score;
}

TEST(boosts_add_what_solr_adds) {
    assert_true(score_of("[boost] http_unique_b:true^10 copycount_i:3^2", 3) == 12);
    assert_true(score_of("[boost] (http_unique_b:true^10 copycount_i:3^2)^2", 3) == 24);
    assert_true(score_of("[boost] (http_unique_b:true^10 copycount_i:3^2)^=7", 3) == 7);
    assert_true(score_of("[boost] (*:* -copycount_i:3)^10", 2) == 10);
    assert_true(score_of("[boost] (*:* -copycount_i:3)^10", 3) == 0);
    assert_true(score_of("[boost] -copycount_i:3^5", 2) == 5);
    assert_true(score_of("[boost] http_unique_b:true AND copycount_i:3^4", 2) == 0);
    assert_true(score_of("[boost] duplicate_type:full-layout^-2.5", 2) == -2.5);
    assert_true(score_of("", 2) == 0);
}

TEST(functions_without_a_value_add_nothing) {
    assert_true(score_of("[function] recip(copycount_i,1,1,1)", 3) == 0.25);
    assert_true(score_of("[function] div(1,copycount_i)", 4) == 0.25);
    assert_true(score_of("[function] div(1,copycount_i)", 0) == 0);
    assert_true(score_of("[function] sum(5,div(1,copycount_i))", 0) == 0);
    assert_true(score_of("[function] sum(5,def(div(1,copycount_i),2))", 0) == 7);
    assert_true(score_of("[function] log(100)^2", 0) == 4);
    assert_true(score_of("[function] log(copycount_i) sqrt(-1) ln(0)", 0) == 0);
    assert_true(score_of("[function] pow(10,copycount_i)", 400) == 1e30);
    assert_true(score_of("[function] if(exists(duplicate_of),1,2)", 0) == 2);
    assert_true(score_of("[function] div(exists(copycount_i),sum(1,exists(copycount_i)))", 0) ==
                0.5);
}

/* Of 1, 3 and 5, and of no value. */
static void expect_10_15_20_0(const char *text) {
    double found[4];
    score_rows(text, "SELECT column1 AS copycount_i FROM (VALUES (1), (3), (5), (NULL))", 4, found);
    assert_true(found[0] == 10 && found[1] == 15 && found[2] == 20 && found[3] == 0);
}

TEST(scale_looks_at_the_whole_result) {
    expect_10_15_20_0("[function] scale(copycount_i,10,20)");
    /* beside another one, not inside it */
    expect_10_15_20_0("[function] sum(scale(copycount_i,4,6),scale(sub(copycount_i,1),6,14))");
}

TEST(what_is_too_deep_for_sqlite_is_told) {
    twx_ctx cx = {0};
    twx_rules *rules = NULL;
    twx_rule_sql sql = {0};
    const twx_slice text = TWX_SLICE_LIT(
        "# c\n[function] 1 "
        "sum(1,sum(1,sum(1,sum(1,sum(1,sum(1,sum(1,sum(1,sum(1,sum(1,sum(1,sum(1,1))))))))))))");
    assert_int_equal(twx_rules_parse(&cx, "x", text, &FIELDS, &rules), TWX_OK);
    assert_int_equal(twx_rule_sql_make(&cx, "x", rules, &sql), TWX_E_CONFIG);
    assert_string_equal(cx.message, "x:2:1: parentheses or calls are nested too deep for SQLite");
    twx_rules_close(rules);
}

TEST(numbers) {
    static const char *const BAD[] = {
        "", ".", "e5", "1e", "1e-", "1e999", "0x10", "1.2.3", "1234567890123456789", "1e31", "-1"};
    double v = 0;
    int64_t i = 0;
    char text[TWX_RULE_NUMBER_BYTES];
    for (size_t k = 0; k < TWX_COUNTOF(BAD); k++)
        assert_false(twx_rule_real(twx_slice_of(BAD[k]), &v));
    assert_true(twx_rule_real(TWX_SLICE_LIT("000000000000000000001.50"), &v) && v == 1.5);
    assert_true(twx_rule_real(TWX_SLICE_LIT("0.1"), &v) && v == 0.1);
    assert_true(twx_rule_real(TWX_SLICE_LIT("2.5e-3"), &v) && v == 2.5e-3);
    assert_true(twx_rule_integer(TWX_SLICE_LIT("9223372036854775808"), true, &i) && i == INT64_MIN);
    assert_false(twx_rule_integer(TWX_SLICE_LIT("9223372036854775808"), false, &i));
    twx_rule_real_sql(-3, text);
    assert_string_equal(text, "(-3.0)");
    twx_rule_real_sql(1e20, text);
    assert_string_equal(text, "1e+20");
    twx_rule_real_sql(0.1, text);
    assert_string_equal(text, "0.10000000000000001");
}
