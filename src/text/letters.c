#include "text/letters.h"

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>

#include "base/rc.h"
#include "base/utf8.h"
#include "letters_table.h"

typedef struct span {
    uint32_t first, last;
} span;

/* The classes are explained in share/tables/letters.tsv. */
static const span PAIRED[] = {PAIRED_ROWS};
static const span IGNORED[] = {IGNORED_ROWS};
static const span ACCENTS[] = {ACCENT_ROWS};
static const struct {
    uint32_t letter;
    const char *folded;
} ALIKE[] = {ALIKE_ROWS};

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
