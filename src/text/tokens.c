#include "text/tokens.h"

#include <string.h>

#include "base/utf8.h"
#include "text/char_class.h"

enum { UTF8_MAX = 4 }; /* bytes of a character */

/* Words are short and of unpredictable length, so a loop over bytes would spend most of its time on
 * mispredicted branches. Instead the text is classified in blocks of 64 bytes, eight at a time as
 * one number (first byte lowest), without branches; words are then runs of ones. */
enum { BLOCK = 64, STEP = 8 };

static uint64_t each(unsigned char byte) {
    return byte * UINT64_C(0x0101010101010101);
}

static uint64_t load(const char *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

/* The top bit of each byte in first..last, for bytes below 0x80. */
static uint64_t within(uint64_t bytes, unsigned char first, unsigned char last) {
    return (bytes + each((unsigned char)(0x80 - first))) &
           ~(bytes + each((unsigned char)(0x7F - last)));
}

/* The top bit of each byte that is an ASCII letter or digit. */
static uint64_t ascii_words(uint64_t bytes) {
    const uint64_t low = bytes & each(0x7F);
    return (within(low | each(0x20), 'a', 'z') | within(low, '0', '9')) & ~bytes & each(0x80);
}

/* The top bits of eight bytes as eight bits: the multiplication moves bit 8 i to bit 56 + i. */
static uint64_t gather(uint64_t tops) {
    return (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static unsigned class_of(const char *p) {
    return TWX_BYTE_CLASS[(unsigned char)*p];
}

/* Classifies the block at p < end. */
static void classify(twx_tokens *t, const char *p) {
    uint64_t words = 0, wide = 0;
    t->block = p;
    if (t->end - p >= BLOCK) {
        t->stop = p + BLOCK;
        for (unsigned i = 0; i < BLOCK; i += STEP) {
            const uint64_t bytes = load(p + i);
            words |= gather(ascii_words(bytes)) << i;
            wide |= gather(bytes & each(0x80)) << i;
        }
    } else {
        t->stop = t->end;
        for (unsigned i = 0; p + i < t->end; i++) {
            words |= (uint64_t)((class_of(p + i) & TWX_BYTE_WORD) != 0) << i;
            wide |= (uint64_t)(class_of(p + i) == TWX_BYTE_WIDE) << i;
        }
    }
    t->words = words;
    t->wide = wide;
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
    t->block = t->stop = t->at;
}

/* The start of the next word from p on, or the end. */
static const char *skip_breaks(twx_tokens *t, const char *p) {
    for (;;) {
        if (p >= t->stop) {
            if (p >= t->end) return t->end;
            classify(t, p);
        }
        const uint64_t marks = (t->words | t->wide) >> (p - t->block);
        if (marks == 0) {
            p = t->stop;
            continue;
        }
        p += __builtin_ctzll(marks);
        if (t->words >> (p - t->block) & 1) return p;
        uint32_t cp;
        size_t used = twx_utf8_next(p, t->end, &cp);
        if (twx_is_letter_or_digit(cp)) return p;
        p += used;
    }
}

/* The end of the ASCII letters and digits at p, which is in the block. */
static const char *skip_ascii(twx_tokens *t, const char *p) {
    for (;;) {
        const uint64_t breaks = ~t->words >> (p - t->block);
        if (breaks != 0) return p + __builtin_ctzll(breaks);
        p = t->stop;
        if (p == t->end) return p;
        classify(t, p);
    }
}

/* Reads a word that is not all ASCII: ascii[0..) up to t->at is, the rest may not be. */
static twx_rc next_wide(twx_ctx *cx, twx_tokens *t, const char *ascii, twx_token *ret_token) {
    const char *p = ascii;
    size_t units = 0;
    twx_buf *lower = &t->lower;
    twx_buf_clear(lower);
    for (; p < t->end; units++) {
        uint32_t cp = (unsigned char)*p;
        size_t used = cp < 0x80 ? 1 : twx_utf8_next(p, t->end, &cp);
        if (!twx_is_letter_or_digit(cp)) break;
        if (lower->cap - lower->n <=
            UTF8_MAX) { /* rare: most words fit into the buffer of earlier ones */
            twx_rc rc = twx_buf_reserve(cx, lower, UTF8_MAX);
            if (rc != TWX_OK) return rc;
        }
        lower->n += twx_utf8_put(twx_to_lower(cp), lower->p + lower->n);
        p += used;
    }
    t->at = p;
    *ret_token = (twx_token){{lower->p, lower->n}, units, TWX_TOKEN_LOWERED, ascii};
    return TWX_OK;
}

twx_rc twx_tokens_next_raw(twx_ctx *cx, twx_tokens *t, twx_token *ret_token) {
    const char *const start = skip_breaks(t, t->at);
    if (start == t->end) {
        t->at = start;
        return TWX_DONE;
    }
    const char *const p = t->at = skip_ascii(t, start);
    /* a non-ASCII character may end the word or belong to it: decode it */
    if (p < t->end && t->wide >> (p - t->block) & 1) return next_wide(cx, t, start, ret_token);
    const size_t n = (size_t)(p - start);
    *ret_token = (twx_token){{start, n}, n, TWX_TOKEN_ASCII, start};
    return TWX_OK;
}

twx_rc twx_tokens_lower(twx_ctx *cx, twx_tokens *t, twx_token *token) {
    unsigned seen = 0;
    if (token->kind != TWX_TOKEN_ASCII) return TWX_OK;
    for (size_t i = 0; i < token->text.n; i++) seen |= class_of(token->text.p + i);
    if (!(seen & TWX_BYTE_UPPER)) {
        token->kind = TWX_TOKEN_PLAIN;
        return TWX_OK;
    }
    twx_buf_clear(&t->lower);
    twx_rc rc = twx_buf_add_slice(cx, &t->lower, token->text);
    if (rc != TWX_OK) return rc;
    for (size_t i = 0; i < t->lower.n; i++) t->lower.p[i] = twx_lower(t->lower.p[i]);
    *token = (twx_token){twx_buf_slice(&t->lower), token->units, TWX_TOKEN_LOWERED, token->start};
    return TWX_OK;
}

twx_rc twx_tokens_next(twx_ctx *cx, twx_tokens *t, twx_token *ret_token) {
    twx_token token;
    twx_rc rc = twx_tokens_next_raw(cx, t, &token);
    if (rc == TWX_OK) rc = twx_tokens_lower(cx, t, &token);
    if (rc == TWX_OK) *ret_token = token;
    return rc;
}
