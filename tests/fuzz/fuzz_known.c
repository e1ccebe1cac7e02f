/* wings: lab */
/* The first line is a line of a file of known copies, the second a URL. Laws: a line is taken,
 * ignored, or refused with its place in the message; what a rule makes of a URL is another URL, and
 * the same twice. */
#include "exact_copy.h"
#include "lab/lab.h"

static void check_rule(twx_ctx *cx, const twx_known_rule *rule, twx_slice url) {
    twx_slice once = {NULL, 0}, twice = {NULL, 0};
    twx_buf room = {.max = 1 << 20}, more;
    twx_buf_init(&more, 1 << 20);
    const twx_rc rc = twx_known_rule_apply(cx, rule, url, &room, &once);
    law(rc == TWX_OK || rc == TWX_DONE);
    law(rc == twx_known_rule_apply(cx, rule, url, &more, &twice));
    if (rc == TWX_OK) law(twx_slice_eq(once, twice));
    twx_buf_done(&room);
    twx_buf_done(&more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice all = exact_copy(data, size);
    const size_t end = twx_slice_find(all, '\n', 0);
    const twx_slice line = exact_copy(data, end);
    const twx_slice url = twx_slice_sub(all, end + (end < all.n), all.n);
    twx_known_rule rule;
    twx_arena arena = {0};
    twx_ctx cx = {0};
    const twx_rc rc = twx_known_rule_parse(&cx, line, "known:7", &arena, &rule);
    law(rc == TWX_OK || rc == TWX_DONE ||
        (rc == TWX_E_DATA && strncmp(cx.message, "known:7", 7) == 0));
    if (rc == TWX_OK) check_rule(&cx, &rule, url);
    twx_arena_done(&arena);
    return exact_end();
}
