/* Law: whatever the bytes and the labels, the text is valid UTF-8. The first line is the label. */
#include "exact_copy.h"
#include "page/page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice in = exact_copy(data, size);
    twx_ctx cx = {0};
    twx_buf out = {.max = 1 << 24};
    twx_decoded decoded;
    size_t line = twx_slice_find(in, '\n', 0);
    twx_slice label = twx_slice_sub(in, 0, line),
              bytes = twx_slice_sub(in, line + (line < in.n), in.n);
    twx_rc rc = twx_decode(&cx, bytes, label, true, &out, &decoded);
    if (rc != TWX_OK || !twx_utf8_valid(decoded.text)) abort();
    twx_buf_done(&out);
    return exact_end();
}
