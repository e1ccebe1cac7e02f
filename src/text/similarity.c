/* Both texts become arrays of characters. The common prefix and suffix are counted and removed, and
 * so is every character that the other text does not contain. The rest of the shorter text (the
 * rows) is mapped to the bits of 64-bit words, STRIP_WORDS at a time; each strip of rows is carried
 * across all columns, the characters of the longer text, before the next strip begins. One step
 * (Hyyro 2004, "Bit-parallel LCS-length computation revisited"):
 *     V = (V + (V & M)) | (V & ~M)
 * M has a bit for each row whose character is that of the column; a bit of V that becomes 0 is one
 * more common character. The addition treats the strips as one long number: each column keeps its
 * carry between two strips.
 *
 * If two texts have at least `need` characters in common, at most (rows - need) rows and (columns -
 * need) columns are unmatched, so only matches in a band of that width around the diagonal count
 * (Ukkonen 1985). The first guess of `need` is high, which makes the band narrow; if fewer common
 * characters are found, the guess was too high, and a wider band is tried. */
#include "text/text.h"

enum {
    MILLION = 1000000,
    BYTE_CODES = 0x110000, /* a byte of invalid UTF-8 is the character BYTE_CODES + byte */
    CODES = BYTE_CODES + 0x100,
    STRIP_WORDS = 4, /* their V fits in registers */
    WORD_BITS = 64,
    STRIP_BITS = STRIP_WORDS * WORD_BITS,
    GUESS_FROM = 4096 /* columns; below that, guessing costs more than it saves */
};

typedef TWX_VEC(uint32_t) characters;

typedef struct counts {
    uint32_t code;
    size_t in_rows, in_columns;
} counts;

struct twx_similarity {
    double limit; /* of cells; 0: none */
    characters a, b;
    uint32_t *symbol_of; /* [CODES]: a character's index in symbols plus 1; 0: not present */
    TWX_VEC(counts) symbols;
    TWX_VEC(uint16_t) mask_of; /* by symbol: its index in masks; 0: not in this strip */
    TWX_VEC(uint8_t) carries;  /* by column: the carry out of the strips above */
    uint64_t masks[STRIP_BITS + 1][STRIP_WORDS]; /* the first one stays 0 */
};

/* The characters that remain to be compared; the arrays are borrowed from the handle. */
typedef struct table {
    uint32_t *row, *column;
    size_t rows, columns;
} table;

twx_rc twx_similarity_open(twx_ctx *cx, twx_similarity **ret_similarity) {
    twx_similarity *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->symbol_of = twx_calloc(cx, CODES, sizeof *s->symbol_of);
    if (!s->symbol_of) {
        twx_similarity_close(s);
        return TWX_E_NOMEM;
    }
    *ret_similarity = s;
    return TWX_OK;
}

void twx_similarity_close(twx_similarity *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->a);
    TWX_VEC_DONE(&s->b);
    TWX_VEC_DONE(&s->symbols);
    TWX_VEC_DONE(&s->mask_of);
    TWX_VEC_DONE(&s->carries);
    twx_free(s->symbol_of);
    twx_free(s);
}

void twx_similarity_limit(twx_similarity *s, double cells) {
    s->limit = cells;
}

/* Reads one character at p; an invalid byte is one, too [R3]. Returns the number of bytes. */
static size_t next_character(const char *p, const char *end, uint32_t *ret_code) {
    size_t used = twx_utf8_next(p, end, ret_code);
    bool replaced = *ret_code == TWX_REPLACEMENT &&
                    !(used == 3 && memcmp(p, "\xEF\xBF\xBD", 3) == 0);
    if (!replaced) return used;
    *ret_code = BYTE_CODES + (unsigned char)*p;
    return 1;
}

static twx_rc decode(twx_ctx *cx, twx_slice text, characters *ret_characters) {
    size_t n = 0;
    if (!TWX_VEC_RESERVE(cx, ret_characters, text.n)) return TWX_E_NOMEM;
    for (const char *p = text.p, *end = text.p + text.n; p < end;) {
        uint32_t code = (unsigned char)*p;
        p += code < 0x80 ? 1 : next_character(p, end, &code);
        ret_characters->at[n++] = code;
    }
    ret_characters->n = n;
    return TWX_OK;
}

/* Removes the common prefix and suffix; returns their length in characters. */
static size_t trim_common(table *t) {
    size_t least = t->rows < t->columns ? t->rows : t->columns, head = 0, tail = 0;
    if (least == 0) return 0; /* the array of an empty text may be NULL */
    while (head < least && t->row[head] == t->column[head]) head++;
    while (tail < least - head && t->row[t->rows - 1 - tail] == t->column[t->columns - 1 - tail])
        tail++;
    t->row += head;
    t->column += head;
    t->rows -= head + tail;
    t->columns -= head + tail;
    return head + tail;
}

/* ---- symbols: characters numbered from 0 -------------------------------- */

static twx_rc number_rows(twx_ctx *cx, twx_similarity *s, const table *t) {
    for (size_t i = 0; i < t->rows; i++) {
        uint32_t *symbol = &s->symbol_of[t->row[i]];
        if (*symbol == 0) {
            if (!TWX_VEC_PUSH(cx, &s->symbols, (counts){.code = t->row[i]})) return TWX_E_NOMEM;
            *symbol = (uint32_t)s->symbols.n;
        }
        s->symbols.at[*symbol - 1].in_rows++;
    }
    return TWX_OK;
}

/* Numbers characters as symbols and drops those that only one text has, because they are in no
 * common subsequence. */
static void keep_shared(twx_similarity *s, table *t) {
    size_t kept = 0;
    for (size_t j = 0; j < t->columns; j++) {
        uint32_t symbol = s->symbol_of[t->column[j]];
        if (symbol == 0) continue;
        s->symbols.at[symbol - 1].in_columns++;
        t->column[kept++] = symbol - 1;
    }
    t->columns = kept;
    kept = 0;
    for (size_t i = 0; i < t->rows; i++) {
        uint32_t symbol = s->symbol_of[t->row[i]] - 1;
        if (s->symbols.at[symbol].in_columns > 0) t->row[kept++] = symbol;
    }
    t->rows = kept;
}

/* No common subsequence contains a character more often than either text does. */
static size_t bound_of_counts(const twx_similarity *s) {
    size_t bound = 0;
    for (size_t i = 0; i < s->symbols.n; i++) {
        const counts *c = &s->symbols.at[i];
        bound += c->in_rows < c->in_columns ? c->in_rows : c->in_columns;
    }
    return bound;
}

/* The masks of the rows from `first` to `end`, at most STRIP_BITS; without one: index 0. */
static void make_masks(twx_similarity *s, const table *t, size_t first, size_t end) {
    uint16_t n = 0;
    for (size_t i = first; i < end; i++) {
        uint16_t *mask = &s->mask_of.at[t->row[i]];
        if (*mask == 0) {
            *mask = ++n;
            memset(s->masks[n], 0, sizeof s->masks[n]);
        }
        size_t bit = i - first;
        s->masks[*mask][bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
    }
}

/* Processes one word of a column; returns the carry out of it, 0 or 1. */
static inline uint64_t step(uint64_t *v, uint64_t mask, uint64_t carry) {
    uint64_t sum;
    bool over = __builtin_add_overflow(*v, *v & mask, &sum);
    over |= __builtin_add_overflow(sum, carry, &sum);
    *v = sum | (*v & ~mask);
    return over;
}

/* Carries one strip across n columns; returns how many of its rows were matched. */
static size_t carry_strip(const twx_similarity *s, const uint32_t *column, uint8_t *carry,
                          size_t n) {
    /* read once, because the compiler must assume that writing carry[j] changes it */
    const uint16_t *mask_of = s->mask_of.at;
    uint64_t v0 = UINT64_MAX, v1 = UINT64_MAX, v2 = UINT64_MAX, v3 = UINT64_MAX;
    for (size_t j = 0; j < n; j++) {
        const uint64_t *mask = s->masks[mask_of[column[j]]];
        uint64_t c = carry[j];
        c = step(&v0, mask[0], c);
        c = step(&v1, mask[1], c);
        c = step(&v2, mask[2], c);
        carry[j] = (uint8_t)step(&v3, mask[3], c);
    }
    const int found = __builtin_popcountll(~v0) + __builtin_popcountll(~v1) +
                      __builtin_popcountll(~v2) + __builtin_popcountll(~v3);
    return (size_t)found;
}

/* The length of a longest common subsequence if it is at least `need` (need <= rows <= columns);
 * otherwise some smaller number. */
static twx_rc length_at_least(twx_ctx *cx, twx_similarity *s, const table *t, size_t need,
                              size_t *ret_length) {
    size_t length = 0, spare_rows = t->rows - need, spare_columns = t->columns - need;
    memset(s->carries.at, 0, t->columns);
    for (size_t first = 0; first < t->rows; first += STRIP_BITS) {
        size_t end = first + STRIP_BITS < t->rows ? first + STRIP_BITS : t->rows;
        size_t from = first > spare_rows ? first - spare_rows : 0;
        size_t to = end + spare_columns < t->columns ? end + spare_columns : t->columns;
        twx_rc rc = twx_cancelled(cx);
        if (rc != TWX_OK) return rc;
        make_masks(s, t, first, end);
        length += carry_strip(s, t->column + from, s->carries.at + from, to - from);
        for (size_t i = first; i < end; i++) s->mask_of.at[t->row[i]] = 0;
        if (length + (t->rows - end) < need) break; /* the remaining rows cannot reach it */
    }
    *ret_length = length;
    return TWX_OK;
}

/* Whether the band of length_at_least() is within the limit. */
static bool is_affordable(const twx_similarity *s, const table *t, size_t need) {
    const size_t band = (t->rows - need) + (t->columns - need) + STRIP_BITS;
    const size_t columns = band < t->columns ? band : t->columns;
    return s->limit <= 0 || (double)t->rows * (double)columns <= s->limit;
}

/* As length_at_least(), but faster for similar texts, because narrow bands are tried first. bound:
 * an upper bound of the length. TWX_DONE: beyond the limit. */
static twx_rc length_of(twx_ctx *cx, twx_similarity *s, const table *t, size_t need, size_t bound,
                        size_t *ret_length) {
    static const size_t MISSES[] = {64, 8}; /* guess that one row in this many is unmatched */
    for (size_t i = 0; i < TWX_COUNTOF(MISSES) && t->columns >= GUESS_FROM; i++) {
        size_t length = 0, guess = bound - bound / MISSES[i];
        if (guess <= need || !is_affordable(s, t, guess)) break;
        twx_rc rc = length_at_least(cx, s, t, guess, &length);
        if (rc != TWX_OK) return rc;
        if (length < guess) continue;
        *ret_length = length;
        return TWX_OK;
    }
    return is_affordable(s, t, need) ? length_at_least(cx, s, t, need, ret_length) : TWX_DONE;
}

/* The smallest number n of common characters for which 2 * n / total reaches least_ppm
 * millionths. Texts are in memory, at four bytes per character, so neither this nor share() can
 * overflow. */
static size_t needed(size_t total, int32_t least_ppm) {
    return least_ppm <= 0 ? 0 : (total * (size_t)least_ppm + 2 * MILLION - 1) / (2 * MILLION);
}

static int32_t share(size_t common, size_t total) {
    return total == 0 ? MILLION : (int32_t)(common * 2 * MILLION / total);
}

/* Compares what trim_common() left over. As with length_at_least(), *ret_length is some smaller
 * number if the length is less than `need`. */
static twx_rc compare_rest(twx_ctx *cx, twx_similarity *s, table *t, size_t need,
                           size_t *ret_length) {
    *ret_length = 0;
    twx_rc rc = number_rows(cx, s, t);
    if (rc == TWX_OK) keep_shared(s, t);
    if (t->rows > t->columns) /* the shorter text may have kept more characters */
        *t = (table){.row = t->column, .rows = t->columns, .column = t->row, .columns = t->rows};
    size_t bound = bound_of_counts(s);
    bool compared = rc == TWX_OK && bound > 0 && bound >= need;
    if (compared && (!TWX_VEC_RESERVE(cx, &s->carries, t->columns) ||
                     !TWX_VEC_RESERVE(cx, &s->mask_of, s->symbols.n)))
        rc = TWX_E_NOMEM;
    if (compared && rc == TWX_OK) {
        memset(s->mask_of.at, 0, s->symbols.n * sizeof *s->mask_of.at);
        rc = length_of(cx, s, t, need, bound, ret_length);
    }
    for (size_t i = 0; i < s->symbols.n; i++) s->symbol_of[s->symbols.at[i].code] = 0;
    s->symbols.n = 0;
    return rc;
}

twx_rc twx_similarity_of(twx_ctx *cx, twx_similarity *s, twx_slice a, twx_slice b,
                         int32_t least_ppm, int32_t *ret_ppm) {
    size_t rest = 0;
    twx_rc rc = decode(cx, a, &s->a);
    if (rc == TWX_OK) rc = decode(cx, b, &s->b);
    if (rc != TWX_OK) return rc;
    const characters *shorter = s->a.n <= s->b.n ? &s->a : &s->b,
                     *longer = shorter == &s->a ? &s->b : &s->a;
    table t = {.row = shorter->at, .rows = shorter->n, .column = longer->at, .columns = longer->n};
    size_t total = t.rows + t.columns, need = needed(total, least_ppm), common = 0;
    if (need <= t.rows) {
        common = trim_common(&t);
        need = need > common ? need - common : 0;
        if (t.rows >= need && t.rows > 0) rc = compare_rest(cx, s, &t, need, &rest);
    }
    if (rc != TWX_OK) return rc;
    int32_t ppm = share(common + rest, total);
    *ret_ppm = ppm >= least_ppm ? ppm : -1;
    return TWX_OK;
}
