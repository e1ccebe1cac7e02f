#include "text/letters.h"

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>

#include "base/rc.h"
#include "base/utf8.h"

typedef struct span {
    uint32_t first, last;
} span;

/* Unicode 15, Scripts.txt: Han, Hiragana, Katakana, Bopomofo and Hangul, as far as they are letters
 * or numbers, and the sound marks that kana share. */
static const span PAIRED[] = {
    {0x1100, 0x11FF},   {0x3005, 0x3007},   {0x3021, 0x3029},   {0x3031, 0x3035},
    {0x3038, 0x303C},   {0x3041, 0x3096},   {0x309D, 0x309F},   {0x30A1, 0x30FA},
    {0x30FC, 0x30FF},   {0x3105, 0x312F},   {0x3131, 0x318E},   {0x31A0, 0x31BF},
    {0x31F0, 0x31FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA960, 0xA97C},
    {0xAC00, 0xD7A3},   {0xD7B0, 0xD7FB},   {0xF900, 0xFAD9},   {0xFF66, 0xFF9F},
    {0xFFA0, 0xFFDC},   {0x16FE3, 0x16FE3}, {0x1AFF0, 0x1AFFE}, {0x1B000, 0x1B167},
    {0x20000, 0x3FFFD},
};

/* Left out inside a word: soft hyphen, tatweel, joiners, directional marks, variation selectors. */
static const span IGNORED[] = {
    {0x00AD, 0x00AD}, {0x061C, 0x061C}, {0x0640, 0x0640}, {0x180B, 0x180F},   {0x200C, 0x200F},
    {0x2060, 0x2060}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
};

/* Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. */
static const span ACCENTS[] = {
    {0x0300, 0x036F}, {0x0483, 0x0487}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x05C4, 0x05C5}, {0x05C7, 0x05C7}, {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670},
    {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x06E7, 0x06E8}, {0x06EA, 0x06ED}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x20D0, 0x20F0}, {0xFE20, 0xFE2F},
};

/* Letters that have no decomposition in Unicode, and what people type in place of them. */
static const struct {
    uint32_t letter;
    const char *folded;
} ALIKE[] = {
    {0x00DF, "ss"}, {0x00E6, "ae"}, {0x00F0, "d"}, {0x00F8, "o"},
    {0x00FE, "th"}, {0x0111, "d"},  {0x0127, "h"}, {0x0131, "i"},
    {0x0138, "q"},  {0x0142, "l"},  {0x014B, "n"}, {0x0153, "oe"},
    {0x0167, "t"},  {0x017F, "s"},  {0x0192, "f"}, {0x03C2, "\xCF\x83"}, /* final sigma */
};

enum { DECOMPOSED = UC_DECOMPOSITION_MAX_LENGTH, DEPTH = 4 };

static bool within(const span *spans, size_t n, uint32_t cp) {
    size_t low = 0;
    for (size_t high = n; low < high;) {
        const size_t middle = (low + high) / 2;
        if (spans[middle].last < cp)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && spans[low].first <= cp;
}

twx_letter_class twx_letter_class_of(uint32_t cp) {
    if (within(PAIRED, TWX_COUNTOF(PAIRED), cp))
        return cp == 0xFF9E || cp == 0xFF9F ? TWX_LETTER_MARK : TWX_LETTER_PAIRED;
    if (within(IGNORED, TWX_COUNTOF(IGNORED), cp)) return TWX_LETTER_IGNORED;
    if (uc_is_general_category_withtable(cp, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_N))
        return TWX_LETTER_WORD;
    return uc_is_general_category_withtable(cp, UC_CATEGORY_MASK_M) ? TWX_LETTER_MARK
                                                                    : TWX_LETTER_NONE;
}

/* ---- words ---------------------------------------------------------------- */

static void push(twx_word_letters *word, uint32_t cp) {
    const uint32_t last = word->n ? word->at[word->n - 1] : 0;
    const uint32_t both = last >= 'a' ? uc_composition(last, cp) : 0;
    if (both)
        word->at[word->n - 1] = both;
    else if (word->n < TWX_WORD_LETTERS)
        word->at[word->n++] = cp;
}

/* Compatibility forms refer to others at most twice; the depth is limited all the same. */
static void add(twx_word_letters *word, uint32_t cp, int depth) {
    ucs4_t parts[DECOMPOSED];
    int tag = 0;
    const int n = depth < DEPTH ? uc_decomposition(cp, &tag, parts) : -1;
    const int digit = uc_decimal_value(cp);
    if (digit >= 0) {
        push(word, '0' + (uint32_t)digit);
    } else if (n > 0 && tag != UC_DECOMP_CANONICAL && tag != UC_DECOMP_FRACTION) {
        for (int i = 0; i < n; i++)
            if (twx_letter_class_of(parts[i]) != TWX_LETTER_NONE) add(word, parts[i], depth + 1);
    } else {
        push(word, uc_tolower(cp));
    }
}

void twx_word_add(twx_word_letters *word, uint32_t cp) {
    add(word, cp, 0);
}

size_t twx_word_bytes(const twx_word_letters *word, char out[TWX_WORD_BYTES]) {
    size_t n = 0;
    for (size_t i = 0; i < word->n; i++) n += twx_utf8_put(word->at[i], out + n);
    return n;
}

/* ---- folding -------------------------------------------------------------- */

typedef struct folding {
    char *out;
    size_t n;
} folding;

static void put(folding *f, const char *bytes, size_t n) {
    if (f->n + n > TWX_WORD_BYTES) return;
    for (size_t i = 0; i < n; i++) f->out[f->n++] = bytes[i];
}

static void put_letter(folding *f, uint32_t cp) {
    char bytes[4];
    for (size_t i = 0; i < TWX_COUNTOF(ALIKE); i++)
        if (ALIKE[i].letter == cp) {
            put(f, ALIKE[i].folded, twx_slice_of(ALIKE[i].folded).n);
            return;
        }
    put(f, bytes, twx_utf8_put(cp, bytes));
}

static void fold(folding *f, uint32_t cp, int depth) {
    ucs4_t parts[DECOMPOSED];
    if (within(ACCENTS, TWX_COUNTOF(ACCENTS), cp)) return;
    const int n = depth < DEPTH ? uc_canonical_decomposition(cp, parts) : -1;
    for (int i = 0; i < n; i++) fold(f, parts[i], depth + 1);
    if (n <= 0) put_letter(f, cp);
}

size_t twx_fold(twx_slice lower, char out[TWX_WORD_BYTES]) {
    folding f = {.out = out};
    const char *end = lower.p + lower.n;
    for (const char *p = lower.p; p < end;) {
        uint32_t cp = (unsigned char)*p;
        if (cp < 0x80) {
            put(&f, p++, 1);
        } else {
            p += twx_utf8_next(p, end, &cp);
            fold(&f, cp, 0);
        }
    }
    return f.n;
}

/* ---- characters that are indexed in pairs ---------------------------------- */

/* Half-width kana and jamo, and compatibility ideographs, in their ordinary form. */
static uint32_t ordinary(uint32_t cp) {
    ucs4_t parts[DECOMPOSED];
    int tag = 0;
    for (int depth = 0; depth < DEPTH; depth++) {
        if (uc_decomposition(cp, &tag, parts) != 1) break;
        cp = parts[0];
    }
    return cp;
}

size_t twx_paired_next(const char *p, const char *end, uint32_t *ret_cp) {
    uint32_t cp = 0, next = 0;
    size_t n = twx_utf8_next(p, end, &cp);
    cp = ordinary(cp);
    while (p + n < end) {
        const size_t more = twx_utf8_next(p + n, end, &next);
        const twx_letter_class is = twx_letter_class_of(next);
        const uint32_t both = is == TWX_LETTER_MARK || is == TWX_LETTER_PAIRED
                                  ? uc_composition(cp, ordinary(next))
                                  : 0;
        if (both)
            cp = both;
        else if (is != TWX_LETTER_MARK && is != TWX_LETTER_IGNORED)
            break;
        n += more;
    }
    *ret_cp = cp;
    return n;
}
