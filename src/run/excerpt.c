#include "run/excerpt.h"

#include "base/utf8.h"

enum { UTF8_BYTES = 4 };

static const char *skip_blank(const char *p, const char *end) {
    while (p < end && twx_is_space((unsigned char)*p)) p++;
    return p;
}

/* Reads one character of the excerpt; returns the position after it. */
static const char *next_shown(const char *p, const char *end, uint32_t *ret_code) {
    if (twx_is_space((unsigned char)*p)) {
        *ret_code = ' ';
        return skip_blank(p, end);
    }
    p += twx_utf8_next(p, end, ret_code);
    if (twx_utf8_is_hidden(*ret_code)) *ret_code = TWX_REPLACEMENT;
    return p;
}

twx_rc twx_excerpt(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out) {
    twx_rc rc = TWX_OK;
    size_t n = 0;
    for (const char *p = text.p, *end = text.p + text.n; rc == TWX_OK && p < end; n++) {
        uint32_t code = 0;
        char bytes[UTF8_BYTES];
        if (n == most) return twx_buf_add_text(cx, out, "...");
        p = next_shown(p, end, &code);
        rc = twx_buf_add(cx, out, bytes, twx_utf8_put(code, bytes));
    }
    return rc;
}

/* Examines only the last bytes, however long the text is. */
twx_rc twx_excerpt_end(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out) {
    const char *end = text.p + text.n, *p = text.p;
    size_t n = 0;
    bool cut = false;
    if (text.n > most * UTF8_BYTES) {
        cut = true;
        p = end - most * UTF8_BYTES;
        while (p < end && ((unsigned char)*p & 0xC0) == 0x80) p++;
    }
    uint32_t code = 0;
    for (const char *at = p; at < end; n++) at = next_shown(at, end, &code);
    for (; n > most; n--, cut = true) p = next_shown(p, end, &code);
    twx_rc rc = cut ? twx_buf_add_text(cx, out, "...") : TWX_OK;
    return rc == TWX_OK ? twx_excerpt(cx, (twx_slice){p, (size_t)(end - p)}, most, out) : rc;
}
