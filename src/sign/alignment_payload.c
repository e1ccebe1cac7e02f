#include "sign/alignment_payload.h"

#include <string.h>

#include "base/hash64.h"
#include "sign/pair_sketch.h"

enum {
    LEVEL_AT = TWX_ALIGNMENT_LEVEL_AT,
    KEPT_AT = TWX_ALIGNMENT_KEPT_AT,
    LEVELS = 56,   /* a hash has 64 bits, and 8 of them are kept */
    KEPT_MIN = 16, /* fewer are not representative: the next lower level is truncated instead */
    /* texts of at most this many words have more bands; their payloads have no sketch */
    SHORT_WORDS = 100,
    UPPER_BITS = TWX_PAIR_CODE_BITS - 8, /* of a word of a short text, after its byte */
    UPPER_IN_BYTE = 8 / UPPER_BITS
};
_Static_assert(UPPER_IN_BYTE *UPPER_BITS == 8, "the upper bits of so many words fill a byte");

static size_t upper_bytes(size_t words) {
    return (words + UPPER_IN_BYTE - 1) / UPPER_IN_BYTE;
}

/* ---- writing ------------------------------------------------------------- */

/* The lowest level that keeps at most as many words as there is room for. A text with few distinct
 * words may keep none at that level and far too many one level below; then the lower level is used
 * and its first words are kept. */
static unsigned choose_level(const uint64_t *words, size_t n) {
    size_t ending[LEVELS + 1] = {0}; /* words by the number of zero bits that end their hash */
    for (size_t i = 0; i < n; i++) {
        unsigned zeros = words[i] ? (unsigned)__builtin_ctzll(words[i]) : LEVELS;
        ending[zeros < LEVELS ? zeros : LEVELS]++;
    }
    size_t kept = n;
    unsigned level = 0;
    while (level < LEVELS && kept > TWX_ALIGNMENT_WORDS) kept -= ending[level++];
    return kept < KEPT_MIN && level > 0 && n >= KEPT_MIN ? level - 1 : level;
}

static uint32_t capped(size_t n) {
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static unsigned char share_of(uint64_t part, uint64_t whole) {
    if (whole == 0) return 0;
    return (unsigned char)((part * TWX_ALIGNMENT_SHARE_MAX + whole / 2) / whole);
}

/* Writes a byte for each word that the level keeps, and returns their number. */
static size_t put_words(const uint64_t *words, size_t n, unsigned level, unsigned char *ret_kept) {
    const uint64_t left_out = (UINT64_C(1) << level) - 1;
    size_t kept = 0;
    for (size_t i = 0; i < n && kept < TWX_ALIGNMENT_WORDS; i++)
        if ((words[i] & left_out) == 0) ret_kept[kept++] = (unsigned char)(words[i] >> level);
    return kept;
}

/* Writes the bits of each word that make a sketch together with its byte. Returns their bytes. */
static size_t put_upper(const uint64_t *words, size_t n, unsigned char *ret_upper) {
    const unsigned mask = (1u << UPPER_BITS) - 1;
    memset(ret_upper, 0, upper_bytes(n));
    for (size_t i = 0; i < n; i++)
        ret_upper[i / UPPER_IN_BYTE] |= (unsigned char)((words[i] >> 8 & mask)
                                                        << i % UPPER_IN_BYTE * UPPER_BITS);
    return upper_bytes(n);
}

/* pairs: room for n of them */
static void make_sketch(const uint64_t *words, size_t n, uint64_t *pairs,
                        unsigned char ret_sketch[TWX_SKETCH_BYTES]) {
    if (n == 1) pairs[0] = twx_lone_word(words[0]);
    for (size_t i = 0; i + 1 < n; i++) pairs[i] = twx_pair(words[i], words[i + 1]);
    twx_pair_sketch_of(pairs, n > 1 ? n - 1 : 1, ret_sketch);
}

size_t twx_alignment_of(const twx_worded *text, uint64_t *pairs,
                        unsigned char ret_payload[TWX_ALIGNMENT_BYTES]) {
    const uint64_t *words = text->words;
    const size_t n = text->n;
    const unsigned level = choose_level(words, n);
    size_t end = KEPT_AT + put_words(words, n, level, ret_payload + KEPT_AT);
    if (n <= SHORT_WORDS) {
        end += put_upper(words, n, ret_payload + end);
    } else {
        make_sketch(words, n, pairs, ret_payload + end);
        end += TWX_SKETCH_BYTES;
    }
    uint64_t others = 0;
    for (size_t i = 0; i < TWX_ALIGNMENT_CLASSES; i++) others += text->others[i];
    for (size_t i = 0; i < TWX_ALIGNMENT_CLASSES; i++)
        ret_payload[TWX_ALIGNMENT_CLASSES_AT + i] = share_of(text->others[i], others);
    ret_payload[TWX_ALIGNMENT_WIDE_AT] = share_of(text->wide, text->letters);
    twx_store_le32(ret_payload + TWX_ALIGNMENT_CHARS_AT, capped(text->letters + others));
    twx_store_le32(ret_payload + TWX_ALIGNMENT_LETTERS_AT, capped(text->letters));
    ret_payload[LEVEL_AT] = (unsigned char)level;
    return end;
}

/* ---- reading ------------------------------------------------------------- */

/* The number of words whose bytes and upper bits take so many bytes; SIZE_MAX: none. */
static size_t short_words(size_t bytes) {
    const size_t n = bytes * UPPER_IN_BYTE / (UPPER_IN_BYTE + 1);
    return n + upper_bytes(n) == bytes && n <= SHORT_WORDS ? n : SIZE_MAX;
}

bool twx_alignment_read(twx_slice payload, twx_kept_part *ret_part) {
    const size_t rest = payload.n < KEPT_AT ? 0 : payload.n - KEPT_AT;
    const unsigned char *p = (const unsigned char *)payload.p;
    if (payload.n < KEPT_AT || payload.n > TWX_ALIGNMENT_BYTES || p[LEVEL_AT] > LEVELS)
        return false;
    *ret_part = (twx_kept_part){.words = p + KEPT_AT, .n = short_words(rest)};
    if (rest >= TWX_SKETCH_BYTES) {
        ret_part->n = rest - TWX_SKETCH_BYTES;
        ret_part->sketch = p + KEPT_AT + ret_part->n;
    }
    return ret_part->sketch || (ret_part->n <= SHORT_WORDS && p[LEVEL_AT] == 0);
}

const unsigned char *twx_alignment_sketch(const twx_kept_part *part,
                                          unsigned char room[TWX_SKETCH_BYTES]) {
    uint64_t words[SHORT_WORDS], pairs[SHORT_WORDS];
    const unsigned char *upper = part->words + part->n;
    if (part->sketch) return part->sketch;
    for (size_t i = 0; i < part->n; i++)
        words[i] = part->words[i] |
                   (uint64_t)(upper[i / UPPER_IN_BYTE] >> i % UPPER_IN_BYTE * UPPER_BITS) << 8;
    words[0] = part->n ? words[0] : 0; /* no words: nothing signs such a payload */
    make_sketch(words, part->n ? part->n : 1, pairs, room);
    return room;
}
