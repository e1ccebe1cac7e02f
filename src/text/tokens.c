#include "text/tokens.h"

#include "base/utf8.h"
#include "text/char_class.h"

static unsigned class_of(const char *p) {
    return TWX_BYTE_CLASS[(unsigned char)*p];
}

void twx_tokens_init(twx_tokens *t) {
    *t = (twx_tokens){0};
    twx_buf_init(&t->lower, SIZE_MAX);
}

void twx_tokens_done(twx_tokens *t) {
    if (t) twx_buf_done(&t->lower);
}

void twx_tokens_start(twx_tokens *t, twx_slice text) {
    t->at = text.n ? text.p : "";
    t->end = t->at + text.n;
}

/* The next place where a word begins, or the end. */
static const char *skip_breaks(const char *p, const char *end) {
    while (p < end) {
        unsigned class = class_of(p);
        if (class == TWX_BYTE_WIDE) {
            uint32_t cp;
            size_t used = twx_utf8_next(p, end, &cp);
            if (twx_is_letter_or_digit(cp)) break;
            p += used;
        } else if (class == TWX_BYTE_BREAK) {
            p++;
        } else {
            break;
        }
    }
    return p;
}

/* The rest of a word that is not all lower-case ASCII: plain[0..) up to t->at is. */
static twx_rc next_lowered(twx_ctx *cx, twx_tokens *t, const char *plain, twx_token *ret_token) {
    const char *p = t->at;
    size_t units = (size_t)(p - plain);
    twx_buf *lower = &t->lower;
    twx_buf_clear(lower);
    twx_rc rc = twx_buf_add(cx, lower, plain, units);
    while (rc == TWX_OK && p < t->end) {
        uint32_t cp;
        size_t used = twx_utf8_next(p, t->end, &cp);
        if (!twx_is_letter_or_digit(cp)) break;
        char out[4];
        rc = twx_buf_add(cx, lower, out, twx_utf8_put(twx_to_lower(cp), out));
        units++;
        p += used;
    }
    if (rc != TWX_OK) return rc;
    t->at = p;
    *ret_token = (twx_token){twx_buf_slice(lower), units, true};
    return TWX_OK;
}

twx_rc twx_tokens_next(twx_ctx *cx, twx_tokens *t, twx_token *ret_token) {
    const char *start = skip_breaks(t->at, t->end), *p = start;
    if (p == t->end) {
        t->at = p;
        return TWX_DONE;
    }
    while (p < t->end && class_of(p) == TWX_BYTE_WORD) p++;
    t->at = p;
    if (p < t->end && class_of(p) > TWX_BYTE_WORD) return next_lowered(cx, t, start, ret_token);
    *ret_token = (twx_token){{start, (size_t)(p - start)}, (size_t)(p - start), false};
    return TWX_OK;
}
