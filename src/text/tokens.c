#include "text/tokens.h"

#include <string.h>

#include "base/utf8.h"
#include "text/char_class.h"

enum { UTF8_MAX = 4 }; /* bytes of a character */

/* Words are short and their lengths hard to foretell, so a loop over bytes spends most of its time on
 * branches that go the other way. Eight bytes at a time, as one number with the first byte lowest, the
 * length is computed instead; the last bytes of a text, with fewer than eight behind them, go singly. */
enum { STEP = 8 };

static uint64_t each(unsigned char byte) {
    return byte * UINT64_C(0x0101010101010101);
}

static uint64_t load(const char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

/* The top bit of each byte that lies in first..last; right for bytes below 0x80 alone. */
static uint64_t within(uint64_t bytes, unsigned char first, unsigned char last) {
    return (bytes + each((unsigned char)(0x80 - first))) & ~(bytes + each((unsigned char)(0x7F - last)));
}

/* The top bit of each byte that is an ASCII letter or digit; carries from bytes above are cut off. */
static uint64_t ascii_words(uint64_t bytes) {
    const uint64_t low = bytes & each(0x7F);
    const uint64_t is = within(low | each(0x20), 'a', 'z') | within(low, '0', '9');
    return is & ~bytes & each(0x80);
}

static uint64_t capitals(uint64_t bytes) {
    return within(bytes & each(0x7F), 'A', 'Z') & each(0x80);
}

/* How many bytes from the first come before the first marked one; marks != 0. */
static size_t before(uint64_t marks) {
    return (size_t)__builtin_ctzll(marks) / 8;
}

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
        if (end - p >= STEP) {
            const uint64_t bytes = load(p);
            const uint64_t marks = ascii_words(bytes) | (bytes & each(0x80));
            if (marks == 0) {
                p += STEP;
                continue;
            }
            p += before(marks);
        }
        if (class_of(p) & TWX_BYTE_WORD) break;
        size_t used = 1;
        if (class_of(p) == TWX_BYTE_WIDE) {
            uint32_t cp;
            used = twx_utf8_next(p, end, &cp);
            if (twx_is_letter_or_digit(cp)) break;
        }
        p += used;
    }
    return p;
}

/* The end of the ASCII letters and digits at p; *ret_capitals is not 0 when one is a capital. */
static const char *skip_ascii(const char *p, const char *end, uint64_t *ret_capitals) {
    uint64_t found = 0;
    while (end - p >= STEP) {
        const uint64_t bytes = load(p), stops = ~ascii_words(bytes) & each(0x80);
        if (stops != 0) { /* what lies behind the first stop does not count */
            *ret_capitals = found | (capitals(bytes) & (stops ^ (stops - 1)));
            return p + before(stops);
        }
        found |= capitals(bytes);
        p += STEP;
    }
    for (; p < end && class_of(p) & TWX_BYTE_WORD; p++) found |= class_of(p) & TWX_BYTE_UPPER;
    *ret_capitals = found;
    return p;
}

/* The whole of a word that is not ASCII: ascii[0..) up to t->at is, what follows may be. */
static twx_rc next_wide(twx_ctx *cx, twx_tokens *t, const char *ascii, twx_token *ret_token) {
    const char *p = ascii;
    size_t units = 0;
    twx_buf *lower = &t->lower;
    twx_buf_clear(lower);
    for (; p < t->end; units++) {
        uint32_t cp = (unsigned char)*p;
        size_t used = cp < 0x80 ? 1 : twx_utf8_next(p, t->end, &cp);
        if (!twx_is_letter_or_digit(cp)) break;
        if (lower->cap - lower->n <= UTF8_MAX) { /* seldom: most words fit what the last one left */
            twx_rc rc = twx_buf_reserve(cx, lower, UTF8_MAX);
            if (rc != TWX_OK) return rc;
        }
        lower->n += twx_utf8_put(twx_to_lower(cp), lower->p + lower->n);
        p += used;
    }
    t->at = p;
    *ret_token = (twx_token){{lower->p, lower->n}, units, TWX_TOKEN_LOWERED};
    return TWX_OK;
}

twx_rc twx_tokens_next_raw(twx_ctx *cx, twx_tokens *t, twx_token *ret_token) {
    uint64_t found = 0;
    const char *const start = skip_breaks(t->at, t->end);
    const char *const p = t->at = skip_ascii(start, t->end, &found);
    /* what is not ASCII may end the word or belong to it: the slow way finds out */
    if (p < t->end && class_of(p) == TWX_BYTE_WIDE) return next_wide(cx, t, start, ret_token);
    if (p == start) return TWX_DONE;
    const size_t n = (size_t)(p - start);
    *ret_token = (twx_token){{start, n}, n, found ? TWX_TOKEN_CAPITALS : TWX_TOKEN_PLAIN};
    return TWX_OK;
}

twx_rc twx_tokens_lower(twx_ctx *cx, twx_tokens *t, twx_token *token) {
    if (token->kind != TWX_TOKEN_CAPITALS) return TWX_OK;
    twx_buf_clear(&t->lower);
    twx_rc rc = twx_buf_add_slice(cx, &t->lower, token->text);
    if (rc != TWX_OK) return rc;
    for (size_t i = 0; i < t->lower.n; i++) t->lower.p[i] = twx_lower(t->lower.p[i]);
    *token = (twx_token){twx_buf_slice(&t->lower), token->units, TWX_TOKEN_LOWERED};
    return TWX_OK;
}

twx_rc twx_tokens_next(twx_ctx *cx, twx_tokens *t, twx_token *ret_token) {
    twx_token token;
    twx_rc rc = twx_tokens_next_raw(cx, t, &token);
    if (rc == TWX_OK) rc = twx_tokens_lower(cx, t, &token);
    if (rc == TWX_OK) *ret_token = token;
    return rc;
}
