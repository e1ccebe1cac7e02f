/* base/ctx: the first error wins, messages are bounded and harmless, a cancel is seen. */
#include "support.h"

#include <signal.h>

#include "base/base.h"

TEST(a_fresh_context_has_no_error) {
    twx_ctx cx;
    memset(&cx, 0xA5, sizeof cx);
    twx_ctx_init(&cx);
    assert_ok(cx.rc);
    assert_string_equal(cx.message, "");
    assert_null(cx.cancel);
    assert_null(cx.faults);
    assert_ok(twx_cancelled(&cx));
}

TEST(the_first_error_wins_and_later_ones_keep_their_code) {
    twx_ctx cx = {0};
    assert_int_equal(twx_fail(&cx, TWX_E_IO, "read '%s' at %d", "a.warc", 7), TWX_E_IO);
    assert_int_equal(twx_fail(&cx, TWX_E_NOMEM, "later"), TWX_E_NOMEM);
    assert_int_equal(cx.rc, TWX_E_IO);
    assert_string_equal(cx.message, "read 'a.warc' at 7");
}

TEST(failing_without_a_context_still_returns_the_code) {
    assert_int_equal(twx_fail(NULL, TWX_E_FULL, "no context"), TWX_E_FULL);
}

TEST(clear_forgets_the_error_and_keeps_the_switches) {
    atomic_int cancel = 0;
    twx_faults faults = {0};
    twx_ctx cx = {0};
    cx.cancel = &cancel;
    cx.faults = &faults;
    (void)twx_fail(&cx, TWX_E_DATA, "first");
    twx_ctx_clear(&cx);
    assert_ok(cx.rc);
    assert_string_equal(cx.message, "");
    assert_ptr_equal(cx.cancel, &cancel);
    assert_ptr_equal(cx.faults, &faults);
    (void)twx_fail(&cx, TWX_E_CONFIG, "second");
    assert_int_equal(cx.rc, TWX_E_CONFIG);
    assert_string_equal(cx.message, "second");
}

TEST(a_long_message_is_cut_and_ends_with_nul) {
    char text[3 * TWX_MESSAGE_MAX];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    twx_ctx cx = {0};
    (void)twx_fail(&cx, TWX_E_DATA, "%s", text);
    assert_int_equal(strlen(cx.message), TWX_MESSAGE_MAX - 1);
}

TEST(control_characters_do_not_reach_a_terminal) {
    char text[0x100];
    for (int c = 1; c < 0x100; c++) text[c - 1] = (char)c;
    text[0xFF] = '\0';
    twx_ctx cx = {0};
    (void)twx_fail(&cx, TWX_E_DATA, "%s", text);
    for (int c = 1; c < 0x100; c++) {
        char expected = c < 0x20 || c == 0x7F ? '?' : (char)c;
        assert_int_equal(cx.message[c - 1], expected);
    }
}

TEST(a_slice_in_a_message_is_cut_and_may_be_absent) {
    char bytes[300];
    memset(bytes, 'u', sizeof bytes); /* no NUL after it */
    twx_slice s = {bytes, sizeof bytes}, absent = {NULL, 0};
    twx_ctx cx = {0};
    (void)twx_fail(&cx, TWX_E_DATA, "url '" TWX_SLICE_FMT "' '" TWX_SLICE_FMT "'", TWX_SLICE_ARG(s),
                   TWX_SLICE_ARG(absent));
    assert_int_equal(strlen(cx.message), strlen("url '' ''") + 200);
    assert_string_equal(cx.message + strlen("url '") + 200, "' ''");
}

TEST(take_copies_an_error_once) {
    twx_ctx main_cx = {0}, worker, other;
    twx_ctx_init(&worker);
    twx_ctx_init(&other);
    assert_ok(twx_ctx_take(&main_cx, &worker));
    (void)twx_fail(&worker, TWX_E_LIMIT, "worker's");
    (void)twx_fail(&other, TWX_E_IO, "other's");
    assert_int_equal(twx_ctx_take(&main_cx, &worker), TWX_E_LIMIT);
    assert_int_equal(twx_ctx_take(&main_cx, &other), TWX_E_LIMIT);
    assert_string_equal(main_cx.message, "worker's");
}

TEST(cancel_names_the_signal) {
    const struct {
        int signal_number;
        twx_rc rc;
    } cases[] = {
        {SIGINT, TWX_E_INTERRUPTED}, {SIGTERM, TWX_E_TERMINATED}, {SIGHUP, TWX_E_INTERRUPTED}};
    for (size_t i = 0; i < TWX_COUNTOF(cases); i++) {
        atomic_int cancel = 0;
        twx_ctx cx = {0};
        cx.cancel = &cancel;
        assert_ok(twx_cancelled(&cx));
        atomic_store(&cancel, cases[i].signal_number);
        assert_int_equal(twx_cancelled(&cx), cases[i].rc);
        assert_int_equal(cx.rc, cases[i].rc);
        assert_true(cx.message[0] != '\0');
    }
}
