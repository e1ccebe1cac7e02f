#include "text/text.h"

#include <uniwidth.h>

#include "char_class_table.h"

/* ==== char_class */

enum { UNITS = 0x10000, CLASS_BLOCK = 64 };

bool twx_is_letter_or_digit(uint32_t code_point) {
    if (code_point >= UNITS) return false;
    return (CLASS_BITS[CLASS_INDEX[code_point / CLASS_BLOCK]] >> code_point % CLASS_BLOCK & 1) != 0;
}

uint32_t twx_to_lower(uint32_t code_point) {
    if (code_point >= UNITS) return code_point;
    return (code_point + DELTAS[DELTA_INDEX[code_point / CLASS_BLOCK]][code_point % CLASS_BLOCK]) %
           UNITS;
}

/* Counts neighbouring bytes in different tables, because they may be equal, and a count that was
 * just stored is not read again at once. */
void twx_count_bytes(twx_slice text, uint64_t counts[0x100]) {
    enum { TABLES = 4 };
    uint32_t table[TABLES][0x100] = {{0}}; /* a text has fewer than 2^32 bytes (run.row_bytes) */
    size_t i = 0;
    for (; i + TABLES <= text.n; i += TABLES)
        for (size_t t = 0; t < TABLES; t++) table[t][(unsigned char)text.p[i + t]]++;
    for (; i < text.n; i++) table[0][(unsigned char)text.p[i]]++;
    for (size_t c = 0; c < 0x100; c++)
        counts[c] = (uint64_t)table[0][c] + table[1][c] + table[2][c] + table[3][c];
}

/* ==== tokens */

/* Words are short and of unpredictable length, so a loop over bytes would spend most of its time on
 * mispredicted branches. Instead the text is classified in blocks of 64 bytes, without branches, as
 * a number whose bit i says whether byte i belongs to a word. Words are runs of ones, which begin
 * and end where the number differs from itself shifted by one. A character beyond ASCII is decoded
 * on its own and sets the bits of its bytes; one that crosses the end of a block leaves bits for
 * the next. */

enum { UTF8_MAX = 4 /* bytes of a character */, BLOCK = TWX_BYTE_BLOCK, CHUNK = TWX_TOKENS_CHUNK };

static uint64_t first_bits(size_t n) {
    return n < BLOCK ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

void twx_tokens_init(twx_tokens *t) {
    twx_tokens_start(t, (twx_slice){NULL, 0});
    twx_buf_init(&t->lower, SIZE_MAX);
}

void twx_tokens_done(twx_tokens *t) {
    if (t) twx_buf_done(&t->lower);
}

void twx_tokens_start(twx_tokens *t, twx_slice text) {
    t->at = text.n ? text.p : "";
    t->end = t->at + text.n;
    t->begin = t->block = t->decoded = t->at;
    t->open = 0;
    t->next = t->n = 0;
    t->wide = false;
}

/* Sets the bits of the letters and digits beyond ASCII that begin in the block, and of the bytes of
 * one that began in the block before. */
static uint64_t wide_words(twx_tokens *t, uint64_t wide) {
    uint64_t words = 0;
    if (t->decoded > t->block) {
        const uint64_t begun = first_bits((size_t)(t->decoded - t->block));
        words = t->decoded_word ? begun : 0;
        wide &= ~begun;
    }
    while (wide) {
        const unsigned i = (unsigned)__builtin_ctzll(wide);
        uint32_t cp;
        const size_t used = twx_utf8_next(t->block + i, t->end, &cp);
        const uint64_t bytes = first_bits(used) << i;
        t->decoded = t->block + i + used;
        t->decoded_word = twx_is_letter_or_digit(cp);
        if (t->decoded_word) words |= bytes;
        wide &= ~bytes;
    }
    return words;
}

/* Writes from + i for each of the n bits i that are set, and up to CHUNK - 1 values more: a loop
 * that ends after the last bit would end after a number of steps that cannot be predicted. */
static void put_places(size_t from, uint64_t bits, unsigned n, size_t *out) {
    const uint64_t top = UINT64_C(1) << (BLOCK - 1); /* __builtin_ctzll(0) is undefined */
    for (unsigned done = 0; done < n; done += CHUNK) {
        for (unsigned i = 0; i < CHUNK; i++, bits &= bits - 1)
            out[done + i] = from + (size_t)__builtin_ctzll(bits | top);
    }
}

static unsigned count_bits(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* Adds the words that begin and end in the block; the last one may remain open. */
static void add_words(twx_tokens *t, uint64_t words) {
    const uint64_t shifted = words << 1 | t->open;
    const uint64_t starts = words & ~shifted, ends = shifted & ~words;
    const unsigned n_ends = count_bits(ends);
    const size_t from = (size_t)(t->block - t->begin);
    put_places(from, starts, count_bits(starts), t->starts + t->n + t->open);
    put_places(from, ends, n_ends, t->ends + t->n);
    t->n += n_ends;
    t->open = words >> (BLOCK - 1);
}

/* Classifies the next block and adds the words that end in it. */
static void read_block(twx_tokens *t) {
    const size_t left = (size_t)(t->end - t->block);
    char tail[BLOCK] = {0};
    const char *p = t->block;
    if (left < BLOCK) p = memcpy(tail, t->block, left);
    const twx_byte_marks m = twx_mark_bytes(p);
    uint64_t words = m.words;
    if (m.wide || t->decoded > t->block) {
        const uint64_t letters = wide_words(t, m.wide) & first_bits(left);
        t->wide |= letters != 0;
        words |= letters;
    }
    add_words(t, words);
    t->block = left > BLOCK ? t->block + BLOCK : t->end;
}

/* A word whose end is not known yet is kept for the next call. */
bool twx_tokens_read_ahead(twx_tokens *t) {
    if (t->open) t->starts[0] = t->starts[t->n];
    t->wide = t->wide && t->open; /* the open word may have such characters */
    t->next = t->n = 0;
    for (unsigned i = 0; (i < TWX_TOKENS_AHEAD || t->n == 0) && t->block < t->end; i++)
        read_block(t);
    if (t->block == t->end && t->open) { /* the text ends with the end of a block */
        t->ends[t->n++] = (size_t)(t->end - t->begin);
        t->open = 0;
    }
    return t->n > 0;
}

static bool is_wide(const twx_tokens *t, twx_slice word) {
    const char *const end = word.p + word.n;
    return (end < t->end && (unsigned char)*end >= 0x80) ||
           (t->wide && twx_skip_ascii(word.p, end) < end);
}

/* The letter or digit at p: its bytes are known to be valid, and it is below U+10000. */
static inline size_t letter_at(const char *p, uint32_t *ret_cp) {
    const unsigned char *s = (const unsigned char *)p;
    if (s[0] < 0x80) {
        *ret_cp = s[0];
        return 1;
    }
    if (s[0] < 0xE0) {
        *ret_cp = (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
        return 2;
    }
    *ret_cp = (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    return 3;
}

twx_rc twx_tokens_lower_wide(twx_ctx *cx, twx_tokens *t, twx_slice word, twx_token *ret_token) {
    size_t units = 0;
    twx_buf *lower = &t->lower;
    twx_buf_clear(lower);
    /* lower case is at most 3/2 as long */
    twx_rc rc = twx_buf_reserve(cx, lower, word.n + word.n / 2 + UTF8_MAX);
    if (rc != TWX_OK) return rc;
    char *out = lower->p;
    for (const char *p = word.p, *const end = p + word.n; p < end; units++) {
        uint32_t cp;
        p += letter_at(p, &cp);
        out += twx_utf8_put(twx_to_lower(cp), out);
    }
    lower->n = (size_t)(out - lower->p);
    *ret_token = (twx_token){{lower->p, lower->n}, units, TWX_TOKEN_LOWERED, word.p};
    return TWX_OK;
}

twx_rc twx_tokens_next_raw(twx_ctx *cx, twx_tokens *t, twx_token *ret_token) {
    if (t->next == t->n && !twx_tokens_read_ahead(t)) {
        t->at = t->end;
        return TWX_DONE;
    }
    const twx_slice word = twx_tokens_word(t, t->next++);
    t->at = word.p + word.n;
    if (is_wide(t, word)) return twx_tokens_lower_wide(cx, t, word, ret_token);
    *ret_token = (twx_token){word, word.n, TWX_TOKEN_ASCII, word.p};
    return TWX_OK;
}

twx_rc twx_tokens_next(twx_ctx *cx, twx_tokens *t, twx_token *ret_token) {
    unsigned seen = 0;
    twx_rc rc = twx_tokens_next_raw(cx, t, ret_token);
    if (rc != TWX_OK || ret_token->kind != TWX_TOKEN_ASCII) return rc;
    const twx_slice text = ret_token->text;
    for (size_t i = 0; i < text.n; i++) seen |= TWX_BYTE_CLASS[(unsigned char)text.p[i]];
    if (!(seen & TWX_BYTE_UPPER)) {
        ret_token->kind = TWX_TOKEN_PLAIN;
        return TWX_OK;
    }
    twx_buf_clear(&t->lower);
    rc = twx_buf_add_slice(cx, &t->lower, text);
    if (rc != TWX_OK) return rc;
    for (size_t i = 0; i < t->lower.n; i++) t->lower.p[i] = twx_lower(t->lower.p[i]);
    ret_token->text = twx_buf_slice(&t->lower);
    ret_token->kind = TWX_TOKEN_LOWERED;
    return TWX_OK;
}

/* ==== width */

/* Adds the columns of the character at i; returns its bytes. */
static size_t add_columns(twx_slice text, size_t i, size_t *columns) {
    uint32_t code = 0;
    const size_t n = twx_utf8_next(text.p + i, text.p + text.n, &code);
    const int width = uc_width(code, "UTF-8");
    *columns += width > 0 ? (size_t)width : 0;
    return n;
}

size_t twx_text_columns(twx_slice text) {
    size_t used = 0;
    for (size_t i = 0; i < text.n;) i += add_columns(text, i, &used);
    return used;
}

size_t twx_text_fitting(twx_slice text, size_t columns) {
    size_t used = 0, last = 0; /* last: bytes that leave a column for the ellipsis */
    for (size_t i = 0; i < text.n;) {
        i += add_columns(text, i, &used);
        if (used < columns) last = i;
        if (used > columns) return last;
    }
    return text.n;
}
