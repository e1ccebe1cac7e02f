/* Values of any bytes as JSON; rows of a result as CSV and as a table of text. */
#include "support.h"

#include <math.h>

#include "inspect/internal.h"

static void expect(json_t *value, const char *wanted) {
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
    json_decref(value);
}

TEST(values_of_every_type) {
    expect(twx_json_value(&(twx_value){.type = TWX_NULL}), "null");
    expect(twx_json_value(&(twx_value){.type = TWX_INT, .i = INT64_MIN}), "-9223372036854775808");
    expect(twx_json_value(&(twx_value){.type = TWX_REAL, .r = 1.5}), "1.5");
    expect(twx_json_value(&(twx_value){.type = TWX_REAL, .r = -INFINITY}), "\"-inf\"");
    expect(twx_json_value(&(twx_value){.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("a\xFF")}),
           "\"a\xEF\xBF\xBD\"");
    expect(twx_json_value(&(twx_value){.type = TWX_BLOB, .bytes = TWX_SLICE_LIT("\x01\xAB")}),
           "\"x'01ab'\"");
}

static int append(void *arg, const char *bytes, size_t n) {
    twx_buf *to = arg;
    return twx_buf_add(NULL, to, bytes, n) != TWX_OK;
}

/* A path is bytes. */
TEST(a_store_whose_path_is_not_utf8) {
    twx_ctx cx = {0};
    twx_buf text;
    const twindex_sink sink = {append, &text, TWINDEX_JSON, 0};
    const twx_findings findings = {.store = "caf\xE9.db"};
    twx_buf_init(&text, 1 << 10);
    assert_ok(twx_findings_write(&(twx_out){.cx = &cx, .sink = &sink}, &findings, 1));
    assert_non_null(strstr(text.p, "\"store\": \"caf\xEF\xBF\xBD.db\""));
    twx_buf_done(&text);
}

/* ---- rows ------------------------------------------------------------------ */

typedef struct row {
    const char *name;
    uint64_t count;
    int64_t number;
    int32_t ppm;
    double share;
    twx_measure measure;
} row;

#define R(...) TWX_FIELD(row, __VA_ARGS__)
static const twx_field FIELD[] = {R("name", name, "name", -4), R("count", count, "count", 6),
                                  R("number", number),         R("ppm", ppm),
                                  R("share", share),           R("measure", measure)};

typedef twx_rc rows_fn(const twx_out *out, const twx_rows *rows, bool heads);

static void expect_rows(rows_fn *print, const row *rows, size_t n, const char *wanted) {
    twx_ctx cx = {0};
    twx_buf text;
    const twindex_sink sink = {append, &text, TWINDEX_TEXT, 0};
    twx_buf_init(&text, 1 << 10);
    assert_ok(print(&(twx_out){.cx = &cx, .sink = &sink}, TWX_ROWS_AT(FIELD, rows, n), true));
    assert_string_equal(text.p, wanted);
    twx_buf_done(&text);
}

/* [R1] [R2] [R3] */
TEST(csv_has_quoted_texts_and_plain_numbers) {
    static const row ROWS[] = {
        {"say \"x\"\n\x1b, y", 1234567, -5, 950000, 0.25, {0}},
        {" =1+1", 0, 1, -1, 1, {.known = true, .value = 1, .low = .5, .high = 1}},
        {NULL, 1, 0, 0, 0, {0}}};
    expect_rows(twx_rows_csv, ROWS, TWX_COUNTOF(ROWS),
                "\xEF\xBB\xBFname,count,number,ppm,share,measure,measure_low,measure_high\r\n"
                "\"say \"\"x\"\" \xEF\xBF\xBD, y\",1234567,-5,0.950000,0.2500,,,\r\n"
                "\"' =1+1\",0,1,,1.0000,1.0000,0.5000,1.0000\r\n,1,0,0.000000,0.0000,,,\r\n");
}

/* A Chinese character takes two columns, an accent that is combined with a letter none. */
TEST(tables_count_the_columns_of_a_terminal) {
    static const row ROWS[] = {{.name = "\xE6\x97\xA5\xE6\x9C\xAC", .count = 1},
                               {.name = "cafe\xCC\x81", .count = 22},
                               {.name = "a long name", .count = 1234}};
    expect_rows(twx_rows_write, ROWS, TWX_COUNTOF(ROWS),
                "  name         count\n  \xE6\x97\xA5\xE6\x9C\xAC             1\n"
                "  cafe\xCC\x81            22\n  a long name  1 234\n");
}
