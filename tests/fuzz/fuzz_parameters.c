/* A URL, a line feed, and the lines of a model. Laws: a model is read or refused with its name in
 * the message; a key is never 0, and the same when it is asked again; each part that was left out
 * has a reason. */
#include "exact_copy.h"

#include "judge/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice all = exact_copy(data, size), lines = all;
    twx_slice url = twx_slice_next_line(&lines);
    const twx_parameters_from from = {"model", 5, 900000};
    const twx_context *why[TWX_PARAMETERS_WHY];
    twx_parameters *m = NULL;
    twx_buf text = {.max = 1 << 20};
    twx_ctx cx = {0};
    size_t n = 0;
    twx_rc rc = twx_buf_add_text(&cx, &text, TWX_PARAMETERS_BEGIN "0000000000000005\n");
    if (rc == TWX_OK) rc = twx_buf_add_slice(&cx, &text, lines);
    if (rc == TWX_OK) rc = twx_parameters_parse(&cx, &from, twx_buf_slice(&text), &m);
    law(rc == TWX_OK || rc == TWX_E_LIMIT ||
        (rc == TWX_E_CONFIG && !m && strncmp(cx.message, "model:", 6) == 0));
    twx_buf_clear(&text);
    if (m && url.n && url.n < TWX_FACTS_URL_MAX) {
        const uint64_t key = twx_parameters_key(m, url, why, &n);
        law(key && key == twx_parameters_key(m, url, NULL, NULL));
        for (size_t i = 0; i < n; i++) law(twx_parameters_reason(&cx, why[i], &text) == TWX_OK);
    }
    twx_parameters_close(m);
    twx_buf_done(&text);
    return exact_end();
}
