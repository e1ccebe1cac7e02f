/* import/item.c: what the values of a record may be: numbers, lists, nested objects, dates in all
 * their forms; and the reason for each record that is refused. */
#include "support.h"

#include <math.h>

#include "import/import.h"

static twx_ctx cx;
static twx_items *items;

static void setup(void) {
    assert_ok(twx_items_open(&cx, &items));
}

static void teardown(void) {
    twx_items_close(items);
}

static twx_item item_of(const char *json) {
    twx_item item;
    const char *fault = NULL;
    twx_rc rc = twx_items_of_json(items, twx_slice_of(json), &item, &fault);
    if (rc != TWX_OK) fail_msg("%s: %s", json, fault ? fault : test_rc_name(rc));
    return item;
}

static void refused(const char *json, const char *reason) {
    twx_item item;
    const char *fault = NULL;
    assert_int_equal(twx_items_of_json(items, twx_slice_of(json), &item, &fault), TWX_E_DATA);
    assert_non_null(fault);
    if (!strstr(fault, reason)) fail_msg("%s: '%s', wanted '%s'", json, fault, reason);
}

static void is_text(const char *json, twx_slice found, const char *wanted) {
    if (!twx_slice_eq(found, twx_slice_of(wanted)))
        fail_msg("%s: '%.*s', wanted '%s'", json, (int)found.n, found.p ? found.p : "", wanted);
}

#define URL "{\"url\":\"http://a.example/\","

/* rows: the JSON of a title, and its text */
static void expect_titles(const char *const rows[][2], size_t n) {
    for (size_t i = 0; i < n; i++) {
        char json[256];
        snprintf(json, sizeof json, URL "\"title\":%s}", rows[i][0]);
        is_text(json, item_of(json).capture.title, rows[i][1]);
    }
}

TEST(r2_values_of_text_fields_become_text) {
    static const char *const TITLES[][2] = {
        {"\"plain\"", "plain"},
        {"17", "17"},
        {"-9007199254740993", "-9007199254740993"},
        {"0.5", "0.5"},
        {"true", "true"},
        {"false", "false"},
        {"null", ""},
        {"[\"a\", \"b\"]", "a\nb"},
        {"[\"a\", null, [\"x\"], {\"y\": 1}, 2, 2.5, true]", "a\n2\n2.5\ntrue"},
        {"[]", ""},
        {"[null]", ""},
    };
    expect_titles(TITLES, TWX_COUNTOF(TITLES));
}

/* A JSON text may write any character as an escape; the parts of a record are counted by the bytes
 * that they decode to. */
TEST(r2_escapes_are_decoded) {
    static const char *const TITLES[][2] = {
        {"\"caf\\u00e9 \\u20ac \\ud83d\\ude00\"", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"},
        {"\"a\\u0041\\n\\t\\\"\\\\\\/\"", "aA\n\t\"\\/"},
        {"\"\\u07ff\\u0800\\uffff\"", "\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"},
    };
    expect_titles(TITLES, TWX_COUNTOF(TITLES));
    refused(URL "\"title\":\"\\ud83d\"}", "column ");
    refused(URL "\"title\":\"\\u12\"}", "column ");
    refused(URL "\"title\":\"\\u1", "column ");
    refused(URL "\"title\":\"\\", "column ");
}

TEST(r1_names_that_are_too_long_are_ignored) {
    char json[4096], name[2048];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(json, sizeof json, URL "\"%s\":\"x\",\"title\":\"t\"}", name);
    is_text("a long name beside others", item_of(json).capture.title, "t");
    snprintf(json, sizeof json, "{\"%s\":\"x\"}", name);
    refused(json, "no URL, and no other field");
}

static void is_seconds(const char *date, int64_t wanted) {
    char json[256];
    snprintf(json, sizeof json, URL "\"fetched_at\":%s}", date);
    assert_int_equal(item_of(json).capture.fetched_at, wanted);
}

TEST(r2_dates_are_iso_seconds_milliseconds_or_digits) {
    static const char *const DATES[] = {
        "\"2021-02-03T04:05:06Z\"", "1612325106",         "1612325106000",
        "\"1612325106\"",           "\"1612325106.75\"",  "1612325106.75",
        "20210203040506",           "\"20210203040506\"", "[\"2021-02-03T04:05:06Z\"]"};
    for (size_t i = 0; i < sizeof DATES / sizeof *DATES; i++) {
        char json[256];
        snprintf(json, sizeof json, URL "\"fetched_at\":%s}", DATES[i]);
        if (item_of(json).capture.fetched_at != 1612325106) fail_msg("%s", json);
    }
    is_seconds("20219999999999", 20219999999); /* no month 99: these are milliseconds */
    is_seconds("-1", -1);
    refused(URL "\"fetched_at\":\"yesterday\"}", "is neither ISO 8601 nor seconds");
    refused(URL "\"fetched_at\":1e300}", "is neither ISO 8601 nor seconds");
    refused(URL "\"fetched_at\":true}", "is neither ISO 8601 nor seconds");
    assert_int_equal(item_of(URL "\"fetched_at\":[]}").capture.fetched_at, INT64_MIN);
    assert_int_equal(item_of(URL "\"fetched_at\":\" \"}").capture.fetched_at, INT64_MIN);
}

TEST(r2_numbers_are_read_from_numbers_and_text) {
    assert_int_equal(item_of(URL "\"http_status\":\" 404 \"}").capture.http_status, 404);
    assert_int_equal(item_of(URL "\"http_status\":301.0}").capture.http_status, 301);
    assert_int_equal(item_of(URL "\"http_status\":null}").capture.http_status, -1);
    refused(URL "\"http_status\":\"gone\"}", "'http_status' is not an integer");
    assert_true(item_of(URL "\"score\":\"0.25\"}").capture.score == 0.25);
    assert_true(item_of(URL "\"score\":3}").capture.score == 3);
    assert_true(isnan(item_of(URL "\"title\":\"t\"}").capture.score));
    refused(URL "\"score\":\"high\"}", "'score' is not a number");
    refused(URL "\"score\":{\"a\":1}}", "'score' is not a number");
}

/* Other programs use these names for other things. */
TEST(r2_lenient_fields_ignore_what_does_not_fit) {
    static const char *const OTHERS[] = {
        "\"status\":99",      "\"status\":600",         "\"status\":\"new\"",
        "\"status\":[]",      "\"date\":\"yesterday\"", "\"headings\":{\"a\":1}",
        "\"h1\":[]",          "\"names\":{\"a\":1}",    "\"link\":{\"a\":1}",
        "\"link\":\"b.html\""};
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++) {
        char json[256];
        snprintf(json, sizeof json, URL "%s}", OTHERS[i]);
        const twx_capture c = item_of(json).capture;
        if (c.http_status != -1 || c.fetched_at != INT64_MIN || c.headings.n || c.names.n ||
            !twx_slice_eq(c.url, TWX_SLICE_LIT("http://a.example/")))
            fail_msg("%s is taken", OTHERS[i]);
    }
    assert_int_equal(item_of(URL "\"status\":599}").capture.http_status, 599);
    refused("{\"format\":\"x\"}", "no URL; the fields are format");
}

TEST(r1_fields_of_nested_objects_are_found) {
    is_text("nested", item_of(URL "\"metadata\":{\"title\":\"t\"}}").capture.title, "t");
    is_text("dotted", item_of(URL "\"metadata.title\":\"t\"}").capture.title, "t");
    is_text("slash", item_of(URL "\"metadata/title\":\"t\"}").capture.title, "t");
    is_text("case", item_of(URL "\"Meta-Data\":{\"TITLE\":\"t\"}}").capture.title, "t");
    is_text("too deep",
            item_of(URL "\"a\":{\"b\":{\"c\":{\"d\":{\"metadata\":{\"title\":\"t\"}}}}}}")
                .capture.title,
            "");
    is_text("the first name of the table counts",
            item_of(URL "\"headline\":\"h\",\"title\":\"t\"}").capture.title, "t");
    is_text("an empty value does not count",
            item_of(URL "\"headline\":\"h\",\"title\":null}").capture.title, "h");
}

TEST(r4_a_field_that_begins_with_a_tag_is_html) {
    twx_item item = item_of(URL "\"body\":\"<p>Some words</p>\"}");
    is_text("body", item.html, "<p>Some words</p>");
    is_text("body", item.capture.text, "");
    item = item_of(URL "\"body\":\"Some words\"}");
    is_text("text", item.capture.text, "Some words");
    assert_false(item.text_is_extracted);
    item = item_of(URL "\"text\":\"<b> is a tag\"}");
    is_text("extracted", item.capture.text, "<b> is a tag");
    assert_true(item.text_is_extracted);
    item = item_of(URL "\"text\":\"<!DOCTYPE html><p>x\"}");
    is_text("a whole page", item.html, "<!DOCTYPE html><p>x");
    item = item_of(URL "\"text\":\" <html lang=en><p>x\"}");
    is_text("a whole page without a doctype", item.html, " <html lang=en><p>x");
    static const char *const PAGES[] = {"<html>x", "<HTML/x", "<html lang=en>x", "<html\\n>x"};
    for (size_t i = 0; i < sizeof PAGES / sizeof *PAGES; i++) {
        char json[256];
        snprintf(json, sizeof json, URL "\"body\":\"%s\"}", PAGES[i]);
        if (item_of(json).html.n == 0) fail_msg("%s is not read as HTML", PAGES[i]);
    }
    item = item_of(URL "\"body\":\"<htmlish x\"}");
    is_text("another word", item.capture.text, "<htmlish x");
    item = item_of(URL "\"text\":{\"a\":1},\"html\":\"<p>y\"}");
    is_text("an object is no text", item.html, "<p>y");
}

TEST(r3_what_is_no_record_is_refused_with_the_reason) {
    refused("{}", "no URL, and no other field");
    refused("{\"title\":\"t\",\"metadata\":{\"x\":1}}", "no URL; the fields are title, ");
    refused("{\"url\":\"  \"}", "no URL");
    refused("{\"link\":\"about.html\"}", "no URL");
    refused("{\"link\":\"://a.example/\"}", "no URL");
    refused("{\"link\":\"mailto:a@a.example\"}", "no URL");
    refused("{\"link\":\"a scheme of 20 chars://a.example/\"}", "no URL");
    refused("{\"url\":{\"a\":1}}", "field 'url' holds an object where a text is expected");
    refused("[1, 2]", "a JSON object is expected");
    refused("{\"url\":\"a\",\"url\":\"b\"}", "duplicate object key near");
    refused("{\"url\":\"a\"", "column ");
    refused("", "column 0: '[' or '{' expected");
}

TEST(lines_between_records_are_no_documents) {
    static const char *const LINES[] = {"{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}",
                                        "{\"index\":{}}", "{\"create\":{\"_id\":\"7\"}}"};
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        twx_item item;
        const char *fault = NULL;
        assert_int_equal(twx_items_of_json(items, twx_slice_of(LINES[i]), &item, &fault), TWX_DONE);
    }
}

TEST(rows_have_no_more_fields_than_the_header) {
    twx_arena arena = {0};
    twx_csv_header header;
    twx_item item;
    const char *fault = NULL;
    assert_ok(twx_csv_header_read(&cx, &arena, TWX_SLICE_LIT("url,title,status_code"), &header));
    assert_ok(twx_items_of_row(items, &header, TWX_SLICE_LIT("http://a.example/,\"a, b\""), &item,
                               &fault));
    is_text("a quoted comma", item.capture.title, "a, b");
    assert_int_equal(item.capture.http_status, -1);
    assert_ok(twx_items_of_row(items, &header, TWX_SLICE_LIT("http://a.example/,caf\xE9,200"),
                               &item, &fault));
    assert_int_equal(item.capture.http_status, 200);
    assert_int_equal(
        twx_items_of_row(items, &header, TWX_SLICE_LIT("http://a.example/,t,200,x"), &item, &fault),
        TWX_E_DATA);
    assert_string_equal(fault, "4 fields, but the header names 3");
    assert_int_equal(twx_items_of_row(items, &header, (twx_slice){NULL, 0}, &item, &fault),
                     TWX_E_DATA);
    twx_arena_done(&arena);
}

TESTS_WITH(setup, teardown);
