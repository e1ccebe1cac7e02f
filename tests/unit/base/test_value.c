/* base/slice: the value of a foreign id, hashed and shown. */
#include "support.h"

#include "base/base.h"
#include <sqlite3.h>

static twx_value text_value(twx_type type, const char *p, size_t n) {
    return (twx_value){.type = type, .bytes = {p, n}};
}

/* Different in type or content, alike in everything else. */
static const twx_value DIFFERENT[] = {
    {.type = TWX_NULL},
    {.type = TWX_INT, .i = 0},
    {.type = TWX_INT, .i = 1},
    {.type = TWX_INT, .i = INT64_MIN},
    {.type = TWX_REAL, .r = 0.0},
    {.type = TWX_REAL, .r = 1.0},
    {.type = TWX_TEXT, .bytes = {"", 0}},
    {.type = TWX_TEXT, .bytes = {"1", 1}},
    {.type = TWX_TEXT, .bytes = {"1\0", 2}},
    {.type = TWX_BLOB, .bytes = {"", 0}},
    {.type = TWX_BLOB, .bytes = {"1", 1}},
    {.type = TWX_BLOB, .bytes = {"\1\0\0\0\0\0\0\0", 8}}, /* the bytes of the integer 1 */
};

TEST(values_that_differ_have_different_hashes) {
    for (size_t i = 0; i < TWX_COUNTOF(DIFFERENT); i++)
        for (size_t j = 0; j < TWX_COUNTOF(DIFFERENT); j++) {
            uint64_t a = twx_value_hash(&DIFFERENT[i], 9), b = twx_value_hash(&DIFFERENT[j], 9);
            if ((a == b) != (i == j)) fail_msg("values %zu and %zu", i, j);
        }
}

TEST(the_hash_sees_nothing_but_type_and_content) {
    char copy[] = "key";
    const twx_value a = {.type = TWX_TEXT, .i = 1, .r = 2, .bytes = {"key", 3}};
    const twx_value b = {.type = TWX_TEXT, .i = 5, .r = 6, .bytes = {copy, 3}};
    assert_true(twx_value_hash(&a, 1) == twx_value_hash(&b, 1));
    assert_true(twx_value_hash(&a, 1) != twx_value_hash(&a, 2));
    const twx_value none = {.type = TWX_NULL},
                    dirty = {.type = TWX_NULL, .i = 3, .bytes = {"x", 1}};
    assert_true(twx_value_hash(&none, 1) == twx_value_hash(&dirty, 1));
}

/* The hash is stored: its definition, spelled out. */
TEST(the_hash_is_that_of_the_bytes_mixed_with_the_type) {
    const twx_value text = text_value(TWX_TEXT, "abc", 3);
    const twx_value number = {.type = TWX_INT, .i = 0x0102030405060708};
    const twx_slice bytes = TWX_SLICE_LIT("\x08\x07\x06\x05\x04\x03\x02\x01");
    assert_int_equal(TWX_INT, 1);
    assert_int_equal(TWX_TEXT, 3);
    assert_true(twx_value_hash(&text, 7) == twx_mix64(twx_hash64(TWX_SLICE_LIT("abc"), 7), 3));
    assert_true(twx_value_hash(&number, 7) == twx_mix64(twx_hash64(bytes, 7), 1));
}

static void check_print(twx_value v, const char *expected) {
    twx_ctx cx = {0};
    twx_buf out = {.max = 1000};
    assert_ok(twx_value_print(&cx, &out, &v));
    assert_string_equal(out.p, expected);
    twx_buf_done(&out);
}

TEST(values_print_as_a_person_would_type_them) {
    check_print((twx_value){.type = TWX_NULL}, "NULL");
    check_print((twx_value){.type = TWX_INT, .i = -42}, "-42");
    check_print((twx_value){.type = TWX_INT, .i = INT64_MIN}, "-9223372036854775808");
    check_print((twx_value){.type = TWX_REAL, .r = 1.5}, "1.5");
    check_print(text_value(TWX_TEXT, "key", 3), "'key'");
    check_print(text_value(TWX_TEXT, "", 0), "''");
    check_print(text_value(TWX_TEXT, "a\0b", 3), "'a\uFFFDb'");
    check_print(text_value(TWX_BLOB, "\x00\xFF", 2), "x'00ff'");
    check_print(text_value(TWX_BLOB, "", 0), "x''");
}

TEST(long_values_are_cut_at_200_bytes_and_marked) {
    char bytes[300], expected[1000] = "'";
    memset(bytes, 'a', sizeof bytes);
    memset(expected + 1, 'a', 200);
    memcpy(expected + 201, "'", 2);
    check_print(text_value(TWX_TEXT, bytes, 200), expected);
    memcpy(expected + 201, "'...", 5);
    check_print(text_value(TWX_TEXT, bytes, 201), expected);
    memcpy(bytes + 198, "\xE2\x82\xAC", 3); /* a character that does not fit */
    memcpy(expected + 199, "'...", 5);
    check_print(text_value(TWX_TEXT, bytes, sizeof bytes), expected);
    memset(bytes, 'a', sizeof bytes);
    memcpy(expected, "x'", 3);
    for (int i = 0; i < 200; i++) memcpy(expected + 2 + 2 * i, "61", 3);
    memcpy(expected + 402, "'...", 5);
    check_print(text_value(TWX_BLOB, bytes, sizeof bytes), expected);
}

TEST(a_full_buffer_is_an_error_for_every_type) {
    for (size_t i = 0; i < TWX_COUNTOF(DIFFERENT); i++) {
        twx_ctx cx = {0};
        twx_buf out = {0};
        assert_int_equal(twx_value_print(&cx, &out, &DIFFERENT[i]), TWX_E_LIMIT);
        twx_buf_done(&out);
    }
}

static void bind(sqlite3_stmt *stmt, int at, const twx_value *v) {
    switch (v->type) {
    case TWX_INT: sqlite3_bind_int64(stmt, at, v->i); break;
    case TWX_REAL: sqlite3_bind_double(stmt, at, v->r); break;
    case TWX_TEXT: sqlite3_bind_text(stmt, at, v->bytes.p, (int)v->bytes.n, SQLITE_STATIC); break;
    case TWX_BLOB: sqlite3_bind_blob(stmt, at, v->bytes.p, (int)v->bytes.n, SQLITE_STATIC); break;
    case TWX_NULL: sqlite3_bind_null(stmt, at); break;
    }
}

/* Of all pairs; the oracle sorts both values. */
TEST(values_are_in_the_order_of_sqlite) {
    static const twx_value VALUES[] = {
        {.type = TWX_NULL},
        {.type = TWX_INT, .i = INT64_MIN},
        {.type = TWX_INT, .i = -2},
        {.type = TWX_INT, .i = 0},
        {.type = TWX_INT, .i = 2},
        {.type = TWX_INT, .i = (INT64_C(1) << 53) + 1},
        {.type = TWX_INT, .i = INT64_MAX},
        {.type = TWX_REAL, .r = -1e300},
        {.type = TWX_REAL, .r = -9223372036854775808.0},
        {.type = TWX_REAL, .r = -2.5},
        {.type = TWX_REAL, .r = -1.5},
        {.type = TWX_REAL, .r = 0.0},
        {.type = TWX_REAL, .r = 2.0},
        {.type = TWX_REAL, .r = 2.25},
        {.type = TWX_REAL, .r = 9007199254740992.0},
        {.type = TWX_REAL, .r = 9223372036854775808.0},
        {.type = TWX_TEXT, .bytes = {"", 0}},
        {.type = TWX_TEXT, .bytes = {"2", 1}},
        {.type = TWX_TEXT, .bytes = {"A", 1}},
        {.type = TWX_TEXT, .bytes = {"a", 1}},
        {.type = TWX_TEXT, .bytes = {"a\0b", 3}},
        {.type = TWX_TEXT, .bytes = {"\xc3\xa9", 2}},
        {.type = TWX_BLOB, .bytes = {"", 0}},
        {.type = TWX_BLOB, .bytes = {"A", 1}},
        {.type = TWX_BLOB, .bytes = {"\xff", 1}},
    };
    static const char SQL[] =
        "SELECT CASE WHEN ?1 IS ?2 THEN 0 ELSE (SELECT n FROM (SELECT -1 AS n, ?1 AS v UNION ALL "
        "SELECT 1, ?2) ORDER BY v LIMIT 1) END";
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, SQL, -1, &stmt, NULL), SQLITE_OK);
    for (size_t i = 0; i < TWX_COUNTOF(VALUES); i++)
        for (size_t k = 0; k < TWX_COUNTOF(VALUES); k++) {
            bind(stmt, 1, &VALUES[i]);
            bind(stmt, 2, &VALUES[k]);
            assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
            const int order = twx_value_compare(&VALUES[i], &VALUES[k]);
            if ((order > 0) - (order < 0) != sqlite3_column_int(stmt, 0))
                fail_msg("values %zu and %zu: %d, SQLite says %d", i, k, order,
                         sqlite3_column_int(stmt, 0));
            sqlite3_reset(stmt);
        }
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}
