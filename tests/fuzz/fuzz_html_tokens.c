/* The first byte is the tokenizer's state. Laws: tokens come to an end, each takes bytes from the
 * page or is empty, and lies in it. */
#include "exact_copy.h"
#include "page/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_ctx cx = {0};
    twx_tokenizer t = {0};
    twx_html_token token;
    const twx_slice page = size ? exact_copy(data + 1, size - 1) : exact_copy(NULL, 0);
    twx_tokenizer_open(&t, &cx, page);
    t.state = size ? (twx_token_state)(data[0] % (TWX_IN_CDATA + 1)) : TWX_IN_DATA;
    t.foreign = size && data[0] & 128;
    t.last_name = TWX_SLICE_LIT("title");
    for (size_t tokens = 0;; tokens++) {
        const char *before = t.p;
        if (twx_tokenizer_next(&t, &token) != TWX_OK || tokens > 2 * page.n + 2) abort();
        if (token.kind == TWX_TOKEN_END) break;
        if (t.p < before || t.p > t.end) abort();
        if (token.text.p != t.reference && !lies_in(token.text, page)) abort();
        for (size_t i = 0; token.kind == TWX_TOKEN_START && i < t.attributes.n; i++)
            if (!lies_in(t.attributes.at[i].name, page) || !lies_in(t.attributes.at[i].value, page))
                abort();
        if (token.kind == TWX_TOKEN_START && t.state == TWX_IN_DATA && token.tag == TWX_TAG_script)
            t.state = TWX_IN_SCRIPT;
    }
    twx_tokenizer_done(&t);
    return exact_end();
}
