/* Up to the first NUL: a file of rules; after it: a URL. Laws: a file is read or refused with its
 * name in the message; no rule fails a URL, whatever it does to it; the result keeps its limit and
 * is the same twice. */
#include "exact_copy.h"

#include "url/url.h"

static void apply(twx_ctx *cx, twx_arena *arena, const twx_url_rules *rules, twx_slice url) {
    twx_slice once, twice;
    uint64_t skipped = 0, again = 0;
    law(twx_url_rules_apply(cx, arena, rules, url, &once, &skipped) == TWX_OK);
    law(skipped <= twx_url_rules_count(rules));
    law(once.p == url.p || once.n <= TWX_URL_RULE_RESULT_MAX);
    law(twx_url_rules_apply(cx, arena, rules, url, &twice, &again) == TWX_OK);
    law(twx_slice_eq(once, twice) && skipped == again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice text, url;
    twx_url_rules *rules = NULL;
    twx_ctx cx = {0};
    twx_arena arena = {0};
    exact_parts(data, size, 0, &text, &url);
    twx_rc rc = twx_url_rules_parse(&cx, "rules", text, &rules);
    law(rc == TWX_OK || (rc == TWX_E_CONFIG && !rules && strncmp(cx.message, "rules:", 6) == 0));
    if (rc == TWX_OK) apply(&cx, &arena, rules, url);
    twx_url_rules_close(rules);
    twx_arena_done(&arena);
    return exact_end();
}
