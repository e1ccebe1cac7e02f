#include "cluster/row_binary.h"

#include <string.h>

#include "base/hash64.h"

twx_rc twx_row_add_number(twx_ctx *cx, twx_buf *out, uint64_t v, size_t bytes) {
    char le[8];
    twx_store_le64(le, v);
    return twx_buf_add(cx, out, le, bytes);
}

twx_rc twx_row_add_length(twx_ctx *cx, twx_buf *out, size_t length) {
    twx_rc rc = TWX_OK;
    for (; rc == TWX_OK && length >= 0x80; length >>= 7)
        rc = twx_buf_add_char(cx, out, (char)(length | 0x80));
    return rc == TWX_OK ? twx_buf_add_char(cx, out, (char)length) : rc;
}

twx_rc twx_row_add_string(twx_ctx *cx, twx_buf *out, twx_slice s) {
    twx_rc rc = twx_row_add_length(cx, out, s.n);
    return rc == TWX_OK ? twx_buf_add_slice(cx, out, s) : rc;
}

static twx_slice take(twx_row_reader *r, size_t n) {
    r->broken = r->broken || r->rest.n < n;
    if (r->broken) return (twx_slice){"", 0};
    const twx_slice taken = twx_slice_sub(r->rest, 0, n);
    r->rest = twx_slice_sub(r->rest, n, r->rest.n);
    return taken;
}

uint64_t twx_row_number(twx_row_reader *r, size_t bytes) {
    char le[8] = "";
    const twx_slice taken = take(r, bytes);
    if (taken.n) memcpy(le, taken.p, taken.n);
    return twx_load_le64(le);
}

uint64_t twx_row_length(twx_row_reader *r) {
    uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
        const twx_slice c = take(r, 1);
        if (c.n == 0 || shift > 56) break;
        length |= (uint64_t)((unsigned char)c.p[0] & 0x7F) << shift;
        if (!((unsigned char)c.p[0] & 0x80)) return length;
    }
    r->broken = true;
    return 0;
}

twx_slice twx_row_string(twx_row_reader *r) {
    const uint64_t length = twx_row_length(r);
    return take(r, (size_t)length);
}
