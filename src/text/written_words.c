#include "text/written_words.h"

#include "base/hash64.h"
#include "base/utf8.h"
#include "text/char_class.h"

enum {
    WORD_BYTES = 256, /* of a word that are hashed; the rest is another word */
    SMALL_MIN = 2,    /* words without a capital that a sentence has, besides its first */
    NEAR = 32,        /* bytes before a difference that are searched for its neighbour first */
    CONTEXT = 512     /* and then */
};

/* Is each character a word of its own? Thai, Lao, Burmese, Khmer; Chinese and Japanese. */
static bool stands_alone(uint32_t c) {
    return (c >= 0x0E00 && c < 0x0F00) || (c >= 0x1000 && c < 0x10A0) ||
           (c >= 0x1780 && c < 0x1800) || (c >= 0x2E80 && c < 0xA000) ||
           (c >= 0xF900 && c < 0xFB00);
}

typedef enum char_kind { BETWEEN, LETTER, ALONE } char_kind;

static const unsigned char SIGNS[0x80] = {['+'] = 1, ['<'] = 1, ['>'] = 1, ['='] = 1, ['%'] = 1,
                                          ['$'] = 1, ['#'] = 1, ['@'] = 1, ['^'] = 1, ['~'] = 1};

/* Fractions, powers and numbers in circles, which are no digits. */
static bool is_wide_number(uint32_t c) {
    return c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0xBC && c <= 0xBE) ||
           (c >= 0x2070 && c < 0x20A0) || (c >= 0x2150 && c < 0x2190) ||
           (c >= 0x2460 && c < 0x2500);
}

static bool is_wide_sign(uint32_t c) {
    return is_wide_number(c) || (c >= 0x20A0 && c < 0x20D0) || c == 0xA3 || c == 0xA5 ||
           c == 0xB0 || c == 0xB1 || c == 0xD7 || (c >= 0x2190 && c < 0x2300);
}

static char_kind kind_of_wide(uint32_t c) {
    if (twx_is_letter_or_digit(c)) return stands_alone(c) ? ALONE : LETTER;
    return is_wide_sign(c) ? ALONE : BETWEEN;
}

static inline char_kind kind_of(uint32_t c) {
    if (c >= 0x80) return kind_of_wide(c);
    return TWX_BYTE_CLASS[c] & TWX_BYTE_WORD ? LETTER : SIGNS[c] ? ALONE : BETWEEN;
}

static inline uint32_t lower_of(uint32_t c) {
    if (c >= 0x80) return twx_to_lower(c);
    return TWX_BYTE_CLASS[c] & TWX_BYTE_UPPER ? c + ('a' - 'A') : c;
}

static inline bool is_decimal(uint32_t c) {
    return c >= '0' && c <= '9';
}

static inline bool is_dash(uint32_t c) {
    return c == '-' || (c >= 0x2010 && c <= 0x2015);
}

/* The mark that a character is within a number; 0: none. Dashes and apostrophes are one mark each,
 * however they are typeset. */
static uint32_t mark_of(uint32_t c) {
    enum { NO_BREAK_SPACE = 0xA0, WIDE_SPACE = 0x3000, APOSTROPHE = 0x2019 };
    if (is_dash(c)) return '-';
    if (c == APOSTROPHE) return '\'';
    if (c <= ' ' || c == NO_BREAK_SPACE || (c >= 0x2000 && c < 0x2070) || c == WIDE_SPACE) return 0;
    return kind_of(c) == BETWEEN ? c : 0;
}

/* Bytes of the mark that joins the digits before and after it; 0: there is none at `at`. */
static size_t joint(const char *at, const char *end, uint32_t *ret_mark) {
    uint32_t c = 0;
    const size_t used = at < end ? twx_utf8_next(at, end, &c) : 0;
    if (used == 0 || at + used == end || !twx_is_digit((unsigned char)at[used])) return 0;
    *ret_mark = mark_of(c);
    return *ret_mark ? used : 0;
}

/* FNV-1a with another multiplier: words are short. */
static inline uint64_t hash_character(uint64_t hash, uint32_t c) {
    return (hash ^ c) * UINT64_C(0x9E3779B97F4A7C15);
}

bool twx_written_word_next(twx_word_reader *reader, twx_text_word *ret_word) {
    const char *at = reader->rest.p, *begin = NULL;
    const char *const end = reader->rest.p + reader->rest.n;
    uint64_t hash = 1;
    uint32_t c = 0, sign = 0; /* of a number that follows */
    size_t sign_bytes = 0;
    bool is_number = true, after_letter = reader->after_letter;
    while (at < end && (!begin || at - begin < WORD_BYTES)) {
        const size_t used = twx_utf8_next(at, end, &c);
        const char_kind kind = kind_of(c);
        if (begin && kind != LETTER) break;
        if (kind == BETWEEN) {
            sign = !after_letter && (c == '.' || is_dash(c)) ? mark_of(c) : 0;
            sign_bytes = used;
        } else {
            const bool is_signed = !begin && sign && is_decimal(c);
            if (is_signed) hash = hash_character(hash, sign);
            if (!begin) begin = is_signed ? at - sign_bytes : at;
            hash = hash_character(hash, lower_of(c));
            is_number &= is_decimal(c);
        }
        after_letter = kind == LETTER;
        at += used;
        if (kind == ALONE) break;
        for (; kind == LETTER && at < end && at - begin < WORD_BYTES &&
               TWX_BYTE_CLASS[(unsigned char)*at] & TWX_BYTE_WORD;
             at++) {
            hash = hash_character(hash, lower_of((unsigned char)*at));
            is_number &= is_decimal((unsigned char)*at);
        }
    }
    if (begin && twx_is_digit((unsigned char)at[-1])) {
        uint32_t mark = 0;
        const size_t used = joint(at, end, &mark);
        if (used) hash = hash_character(hash, mark);
        at += used;
    }
    *reader = (twx_word_reader){{at, (size_t)(end - at)}, after_letter};
    if (!begin) return false;
    *ret_word = (twx_text_word){
        .hash = twx_mix64(hash, 0), .text = {begin, (size_t)(at - begin)}, .is_number = is_number};
    return true;
}

/* The last word of the last `bytes` of a text. *ret_whole: it does not begin with them. */
static uint64_t last_word_in(twx_slice text, size_t bytes, bool *ret_whole) {
    size_t from = text.n > bytes ? text.n - bytes : 0;
    while (from > 0 && from < text.n && ((unsigned char)text.p[from] & 0xC0) == 0x80)
        from++; /* the rest of a character */
    twx_word_reader reader = {.rest = twx_slice_sub(text, from, text.n)};
    twx_text_word word = {0};
    while (twx_written_word_next(&reader, &word)) continue;
    *ret_whole = word.hash && word.text.p > text.p + from;
    return word.hash;
}

uint64_t twx_last_word(twx_slice text) {
    bool is_whole = false;
    const uint64_t near = last_word_in(text, NEAR, &is_whole);
    return is_whole ? near : last_word_in(text, CONTEXT, &is_whole);
}

uint64_t twx_first_word(twx_slice text) {
    twx_word_reader reader = {.rest = text};
    twx_text_word word = {0};
    (void)twx_written_word_next(&reader, &word);
    return word.hash;
}

bool twx_written_words_join(const twx_text_word *word, const twx_text_word *next) {
    const char *end = word->text.p + word->text.n, *at = end - 1;
    uint32_t c = 0;
    if (end != next->text.p) return false;
    while (at > word->text.p && ((unsigned char)*at & 0xC0) == 0x80) at--;
    (void)twx_utf8_next(at, end, &c);
    return kind_of(c) == BETWEEN;
}

/* ---- case ------------------------------------------------------------------ */

/* A sentence whose case was looked at, by the place of one of its words. */
typedef struct sentence_case {
    uint32_t unit;
    bool known, is_plain; /* most of its words, besides the first, have no capital */
} sentence_case;

/* Has the sentence of word i the case of a sentence, not that of a heading? */
static bool is_plain(const twx_text_word *words, size_t n, size_t i, sentence_case *last) {
    const uint32_t unit = words[i].unit;
    size_t from = i, capital = 0, small = 0;
    if (last->known && last->unit == unit) return last->is_plain;
    while (from > 0 && words[from - 1].unit == unit) from--;
    for (size_t k = from + 1; k < n && words[k].unit == unit; k++) {
        uint32_t c = 0;
        (void)twx_utf8_next(words[k].text.p, words[k].text.p + words[k].text.n, &c);
        if (kind_of(c) != LETTER || (c >= '0' && c <= '9')) continue;
        capital += twx_to_lower(c) != c;
        small += twx_to_lower(c) == c;
    }
    *last = (sentence_case){unit, true, small >= SMALL_MIN && small >= 2 * capital};
    return last->is_plain;
}

/* Does only white space stand between word i and the one before it in its sentence? */
static bool continues(const twx_text_word *words, size_t i) {
    if (i == 0 || words[i - 1].unit != words[i].unit) return false;
    const char *at = words[i - 1].text.p + words[i - 1].text.n;
    while (at < words[i].text.p && twx_is_space((unsigned char)*at)) at++;
    return at == words[i].text.p;
}

void twx_written_words_unmatch(twx_text_word *a, size_t n, twx_text_word *b, size_t m) {
    sentence_case of_a = {0}, of_b = {0};
    for (size_t i = 0; i < n; i++) {
        if (!a[i].mate) continue;
        const size_t j = a[i].mate - 1;
        if (twx_slice_eq(a[i].text, b[j].text) || a[i].is_number) continue;
        if (continues(a, i) && continues(b, j) && is_plain(a, n, i, &of_a) &&
            is_plain(b, m, j, &of_b))
            a[i].mate = b[j].mate = 0;
    }
}
