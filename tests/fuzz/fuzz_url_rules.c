/* Up to the first NUL: a file of rules; behind it: a URL. Laws: a file is read or refused with its
 * name in the message; no rule fails a URL, whatever it does to it; the result keeps its limit and
 * is the same twice. */
#include <stdint.h>

#include "url/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void law(bool holds) {
    if (!holds) abort();
}

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
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    size_t file = nul ? (size_t)(nul - data) : size, rest = nul ? size - file - 1 : 0;
    char *text = malloc(file ? file : 1), *url = malloc(rest ? rest : 1);
    twx_url_rules *rules = NULL;
    twx_ctx cx = {0};
    twx_arena arena = {0};
    if (!text || !url) abort();
    if (file) memcpy(text, data, file);
    if (rest) memcpy(url, nul + 1, rest);
    twx_rc rc = twx_url_rules_parse(&cx, "rules", (twx_slice){text, file}, &rules);
    law(rc == TWX_OK || (rc == TWX_E_CONFIG && !rules && strncmp(cx.message, "rules:", 6) == 0));
    if (rc == TWX_OK) apply(&cx, &arena, rules, (twx_slice){url, rest});
    twx_url_rules_close(rules);
    twx_arena_done(&arena);
    free(text);
    free(url);
    return 0;
}
