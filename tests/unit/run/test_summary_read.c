/* run/summary.h: the counts of a judgement, read back from the JSON of the ledger. Whatever is
 * missing, of another type or negative makes a summary incomplete, and each count that differs is
 * seen. */
#include "support.h"

#include <string.h>

#include "run/summary.h"

static const char WHOLE[] =
    "{\"documents\":9,\"indexable\":8,\"hidden\":3,\"near_compared\":7,\"near_capped\":1,"
    "\"eligibility\":{\"takes part\":8},\"links\":{},"
    "\"detectors\":{\"exact\":{\"groups\":2,\"copies\":3,\"largest\":2}},"
    "\"collapsed_hosts\":[\"a.example\",\"b.example\"]}";

/* Reads the whole summary with the first `part` replaced by `by`. */
static bool reads(const char *part, const char *by, twx_summary *s) {
    char json[1024];
    const char *at = strstr(WHOLE, part);
    twx_ctx cx;
    bool complete = false;
    assert_non_null(at);
    snprintf(json, sizeof json, "%.*s%s%s", (int)(at - WHOLE), WHOLE, by, at + strlen(part));
    twx_ctx_init(&cx);
    assert_int_equal(twx_summary_read(&cx, twx_slice_of(json), s, &complete), TWX_OK);
    return complete;
}

static void open_summary(twx_summary *s) {
    memset(s, 0, sizeof *s);
    twx_buf_init(&s->collapsed, TWX_COLLAPSED_BYTES);
}

static void incomplete_summaries(void **state) {
    static const char *const CHANGES[][2] = {
        {"\"documents\":9", "\"documents\":-9"},
        {"\"documents\":9", "\"documents\":\"9\""},
        {"\"indexable\"", "\"indexables\""},
        {"\"hidden\":3", "\"hidden\":3.5"},
        {"\"near_compared\"", "\"compared\""},
        {"\"near_capped\":1", "\"near_capped\":null"},
        {"{\"takes part\":8}", "[8]"},
        {"{\"takes part\":8}", "{\"takes part\":8,\"another\":1}"},
        {"\"takes part\":8", "\"takes part\":-1"},
        {"\"links\":{}", "\"links\":0"},
        {"\"links\":{}", "\"links\":{\"wobble\":1}"},
        {"{\"exact\":", "{\"exact\":1,\"other\":"},
        {"\"groups\":2", "\"groups\":-2"},
        {"\"copies\":3", "\"copies\":{}"},
        {"\"largest\"", "\"smallest\""},
        {"[\"a.example\",\"b.example\"]", "{\"a.example\":1}"},
        {"\"b.example\"]", "7]"},
        {"{\"documents\"", "[\"documents\""},
    };
    twx_summary s;
    (void)state;
    open_summary(&s);
    assert_true(reads("{", "{", &s));
    for (size_t i = 0; i < TWX_COUNTOF(CHANGES); i++)
        if (reads(CHANGES[i][0], CHANGES[i][1], &s)) fail_msg("complete with %s", CHANGES[i][1]);
    twx_buf_done(&s.collapsed);
}

static void each_count_is_compared(void **state) {
    static const char *const CHANGES[][2] = {
        {"\"documents\":9", "\"documents\":10"},
        {"\"indexable\":8", "\"indexable\":7"},
        {"\"hidden\":3", "\"hidden\":4"},
        {"\"near_compared\":7", "\"near_compared\":0"},
        {"\"near_capped\":1", "\"near_capped\":0"},
        {"\"takes part\":8", "\"takes part\":9"},
        {"\"exact\":", "\"title\":"},
        {"\"groups\":2", "\"groups\":1"},
        {"\"copies\":3", "\"copies\":4"},
        {"\"largest\":2", "\"largest\":4"},
        {"\"a.example\",", ""},
        {"b.example", "c.example"},
    };
    twx_summary whole, other;
    (void)state;
    open_summary(&whole);
    open_summary(&other);
    assert_true(reads("{", "{", &whole));
    assert_true(reads("{", "{", &other));
    assert_true(twx_summary_same_counts(&whole, &other));
    for (size_t i = 0; i < TWX_COUNTOF(CHANGES); i++) {
        assert_true(reads(CHANGES[i][0], CHANGES[i][1], &other));
        if (twx_summary_same_counts(&whole, &other)) fail_msg("the same with %s", CHANGES[i][1]);
    }
    twx_buf_done(&whole.collapsed);
    twx_buf_done(&other.collapsed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incomplete_summaries),
        cmocka_unit_test(each_count_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
