/* Values of any bytes as JSON. */
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

static void values_of_every_type(void **state) {
    (void)state;
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
static void a_store_whose_path_is_not_utf8(void **state) {
    twx_ctx cx;
    twx_buf text;
    const twindex_sink sink = {append, &text, TWINDEX_JSON, 0};
    const twx_findings findings = {.store = "caf\xE9.db"};
    (void)state;
    twx_ctx_init(&cx);
    twx_buf_init(&text, 1 << 10);
    assert_int_equal(twx_findings_write(&(twx_out){&cx, &sink}, &findings, 1), TWX_OK);
    assert_non_null(strstr(text.p, "\"store\": \"caf\xEF\xBF\xBD.db\""));
    twx_buf_done(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_every_type),
        cmocka_unit_test(a_store_whose_path_is_not_utf8),
    };
    return cmocka_run_group_tests_name("json_values", tests, NULL, NULL);
}
