#include "text/internal.h"

/* ==== written_words */

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
    if (from > 0) from = twx_utf8_begin(text, from);
    twx_word_reader reader = {.rest = twx_slice_sub(text, from, text.n)};
    twx_text_word word = {0};
    while (twx_written_word_next(&reader, &word)) continue;
    *ret_whole = word.hash && word.text.p > text.p + from;
    return word.hash;
}

static uint64_t last_word(twx_slice text) {
    bool is_whole = false;
    const uint64_t near = last_word_in(text, NEAR, &is_whole);
    return is_whole ? near : last_word_in(text, CONTEXT, &is_whole);
}

static uint64_t first_word(twx_slice text) {
    twx_word_reader reader = {.rest = text};
    twx_text_word word = {0};
    (void)twx_written_word_next(&reader, &word);
    return word.hash;
}

/* Does a mark connect the word with the next one? */
static bool written_words_join(const twx_text_word *word, const twx_text_word *next) {
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
    const char *end = words[i - 1].text.p + words[i - 1].text.n;
    return twx_skip_space(end, words[i].text.p) == words[i].text.p;
}

/* Parts mates of a[0..n) and b[0..m) that differ in case. [R2] */
static void written_words_unmatch(twx_text_word *a, size_t n, twx_text_word *b, size_t m) {
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

/* ==== difference */

enum {
    LOOKED_AT = 1 << 16 /* sentences of a passage that are looked at to leave others out */
};

/* ---- aligning words: Myers' greedy algorithm (1986) -------------------------- */

typedef struct words_range {
    twx_text_word *a, *b;
    int32_t n, m;
} words_range;

static inline bool is_equal(const void *range, int32_t i, int32_t j) {
    const words_range *r = range;
    return r->a[i].hash == r->b[j].hash;
}

static inline void pair(void *range, int32_t i, int32_t j) {
    words_range *r = range;
    r->a[i].mate = (uint32_t)j + 1;
    r->b[j].mate = (uint32_t)i + 1;
}

/* Sets the mates of words, by their places in the range plus 1. [R3] */
static twx_rc align_words(twx_ctx *cx, twx_difference *d, words_range *r) {
    const int32_t least = r->n > r->m ? r->n - r->m : r->m - r->n; /* edits */
    d->edits.n = r->n;
    d->edits.m = r->m;
    for (int32_t e = 0; least <= TWX_DIFFERENCE_EDITS && e <= TWX_DIFFERENCE_EDITS; e++) {
        if (!TWX_VEC_RESERVE(cx, &d->edits.reach, ((size_t)e + 1) * ((size_t)e + 2) / 2))
            return TWX_E_NOMEM;
        if (!twx_edits_extend(&d->edits, e, is_equal, r)) continue;
        twx_edits_pair(&d->edits, e, pair, r);
        return TWX_OK;
    }
    for (int32_t i = 0; i < r->n && i < r->m && r->a[i].hash == r->b[i].hash; i++)
        r->a[i].mate = r->b[i].mate = (uint32_t)i + 1;
    for (int32_t i = r->n, j = r->m; i > 0 && j > 0 && !r->a[i - 1].mate && !r->b[j - 1].mate &&
                                     r->a[i - 1].hash == r->b[j - 1].hash;
         i--, j--) {
        r->a[i - 1].mate = (uint32_t)j;
        r->b[j - 1].mate = (uint32_t)i;
    }
    return TWX_OK;
}

/* ---- blocks ------------------------------------------------------------------- */

/* Two parts of the texts without a common unit, and the words around them. */
typedef struct gap {
    uint64_t left, right;
} gap;

/* Words [from, to), with all of the numbers at their ends. */
static twx_slice spanned(const twx_text_word *words, size_t n, size_t from, size_t to) {
    if (from == to) return (twx_slice){NULL, 0};
    while (from > 0 && written_words_join(&words[from - 1], &words[from])) from--;
    while (to < n && written_words_join(&words[to - 1], &words[to])) to++;
    return (twx_slice){words[from].text.p,
                       (size_t)(words[to - 1].text.p + words[to - 1].text.n - words[from].text.p)};
}

/* Do words [from, to), which only this text has, stand in a sentence with words that both have? */
static bool is_inside(const twx_text_word *words, size_t n, size_t from, size_t to) {
    return (from > 0 && words[from - 1].unit == words[from].unit) ||
           (to < n && words[to].unit == words[to - 1].unit);
}

/* The word at i if it stands in the sentence `unit`; 0: it does not, or there is none. */
static uint64_t word_at(const twx_text_word *words, size_t n, size_t i, uint32_t unit) {
    return i < n && words[i].unit == unit ? words[i].hash : 0;
}

/* Places of different kinds never have one hash; the beginnings of both texts are of one kind. */
static uint64_t place_of_words(twx_block_place kind, uint64_t first, uint64_t second) {
    return twx_mix64(twx_mix64(first, kind), second);
}

/* Places in the sentence of words [from, to), without numbers beside them: these may be equal by
 * chance. Index -1 wraps around and is beyond n. */
static void set_places(const twx_text_word *words, size_t n, size_t from, size_t to,
                       twx_block *block) {
    const uint32_t first = words[from].unit, last = words[to - 1].unit;
    while (word_at(words, n, from - 1, first) && words[from - 1].is_number) from--;
    while (word_at(words, n, to, last) && words[to].is_number) to++;
    const uint64_t before = word_at(words, n, from - 1, first), after = word_at(words, n, to, last);
    if (before)
        block->place[TWX_PLACE_AFTER] = place_of_words(TWX_PLACE_AFTER, before,
                                                       word_at(words, n, from - 2, first));
    if (after)
        block->place[TWX_PLACE_BEFORE] = place_of_words(TWX_PLACE_BEFORE, after,
                                                        word_at(words, n, to + 1, last));
}

/* The first two words of [from, to), if they begin a sentence. */
static uint64_t beginning(const twx_text_word *words, size_t n, size_t from, size_t to) {
    if (from == to || word_at(words, n, from - 1, words[from].unit)) return 0;
    return place_of_words(TWX_PLACE_BEGINS_A, words[from].hash,
                          word_at(words, to, from + 1, words[from].unit));
}

static twx_rc add_block(twx_ctx *cx, twx_difference *d, const gap *g, const size_t from[2],
                        const size_t to[2]) {
    const twx_text_word *a = d->kept[0].at.at, *b = d->kept[1].at.at;
    const size_t n = d->kept[0].at.n, m = d->kept[1].at.n;
    twx_block block = {.words_a = (uint32_t)(to[0] - from[0]),
                       .words_b = (uint32_t)(to[1] - from[1]),
                       .a = spanned(a, n, from[0], to[0]),
                       .b = spanned(b, m, from[1], to[1])};
    for (size_t i = from[0]; i < to[0]; i++) d->differ[0] += a[i].text.n;
    for (size_t i = from[1]; i < to[1]; i++) d->differ[1] += b[i].text.n;
    const uint64_t left = from[0] ? a[from[0] - 1].hash : g->left,
                   right = to[0] < n ? a[to[0]].hash : g->right;
    block.place[TWX_PLACE_AROUND] = place_of_words(TWX_PLACE_AROUND, left, right);
    block.is_between = left && right;
    if (block.words_a)
        set_places(a, n, from[0], to[0], &block);
    else
        set_places(b, m, from[1], to[1], &block);
    block.place[TWX_PLACE_BEGINS_A] = beginning(a, n, from[0], to[0]);
    block.place[TWX_PLACE_BEGINS_B] = beginning(b, m, from[1], to[1]);
    if ((block.words_a || d->announced[0]) && (block.words_b || d->announced[1]))
        block.kind = TWX_BLOCK_SUBSTITUTED;
    else if (block.words_a ? is_inside(a, n, from[0], to[0]) : is_inside(b, m, from[1], to[1]))
        block.kind = TWX_BLOCK_INSIDE;
    return TWX_VEC_PUSH(cx, &d->at, block) ? TWX_OK : TWX_E_NOMEM;
}

/* The end of the common words from i on, all of them numbers, if they end at another difference;
 * else i. "19. 5. 2024" and "7. 5. 2022" differ in one date. */
static size_t skip_numbers(const twx_text_word *a, size_t n, size_t i, size_t j,
                           const twx_text_word *b, size_t m) {
    enum { NUMBERS = 2 };
    size_t k = 0;
    while (k < NUMBERS && i + k < n && j + k < m && a[i + k].mate && b[j + k].mate &&
           a[i + k].is_number)
        k++;
    const bool differ = (i + k < n && !a[i + k].mate) || (j + k < m && !b[j + k].mate);
    return differ ? k : 0;
}

static twx_rc add_blocks(twx_ctx *cx, twx_difference *d, const gap *g) {
    const twx_text_word *a = d->kept[0].at.at, *b = d->kept[1].at.at;
    const size_t n = d->kept[0].at.n, m = d->kept[1].at.n;
    twx_rc rc = TWX_OK;
    for (size_t i = 0, j = 0; rc == TWX_OK && (i < n || j < m);) {
        const size_t from[2] = {i, j};
        for (size_t numbers = 1; numbers;) {
            while (i < n && !a[i].mate) i++;
            while (j < m && !b[j].mate) j++;
            numbers = from[0] < i || from[1] < j ? skip_numbers(a, n, i, j, b, m) : 0;
            i += numbers;
            j += numbers;
        }
        const size_t to[2] = {i, j};
        if (from[0] < i || from[1] < j) rc = add_block(cx, d, g, from, to);
        i++, j++; /* the common word after the block */
    }
    return rc;
}

static twx_rc read_words(twx_ctx *cx, twx_slice text, uint32_t unit, twx_difference *d, int side) {
    twx_word_reader reader = {.rest = text};
    twx_text_word word;
    while (twx_written_word_next(&reader, &word)) {
        word.unit = unit;
        if (!TWX_VEC_PUSH(cx, &d->words[side].at, word)) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* ---- gaps ---------------------------------------------------------------------- */

typedef struct comparing {
    twx_ctx *cx;
    twx_difference *d;
    const twx_difference_rules *rules;
} comparing;

typedef twx_rc gap_fn(comparing *c, twx_unit_list *const lists[2], const size_t from[2],
                      const size_t to[2], const gap *g);

/* Calls fn for the parts between anchors that hold units which only one of the texts has. */
static twx_rc each_gap(comparing *c, twx_unit_list *const lists[2], const gap *around, gap_fn *fn) {
    const twx_unit *a = lists[0]->at.at, *b = lists[1]->at.at;
    const size_t n = lists[0]->at.n, m = lists[1]->at.n;
    twx_rc rc = TWX_OK;
    for (size_t i = 0, j = 0; rc == TWX_OK && (i < n || j < m);) {
        const size_t from[2] = {i, j};
        bool differs = false;
        for (; i < n && !a[i].is_anchor; i++) differs |= !a[i].mate;
        for (; j < m && !b[j].is_anchor; j++) differs |= !b[j].mate;
        const size_t to[2] = {i, j};
        if (differs) {
            const gap g = {from[0] ? last_word(a[from[0] - 1].text) : around->left,
                           i < n ? first_word(a[i].text) : around->right};
            rc = fn(c, lists, from, to, &g);
        }
        i++, j++; /* the anchor after the gap */
    }
    return rc;
}

/* The form of a sentence, which is asked for often. */
static uint64_t form_of(twx_unit *unit) {
    if (!unit->form) unit->form = twx_sentence_form(unit->text);
    return unit->form;
}

/* How unit i of the passage [from, to), which only one text has, is used. */
static twx_unit_use use_of(const comparing *c, bool in_a, twx_unit *units, size_t from, size_t to,
                           size_t i) {
    if (!c->rules->ignored) return TWX_UNIT_COMPARED;
    const uint64_t before = i > from && !units[i - 1].mate ? form_of(&units[i - 1]) : 0;
    const uint64_t after = i + 1 < to && !units[i + 1].mate ? form_of(&units[i + 1]) : 0;
    return c->rules->ignored(c->rules->arg, in_a, before, form_of(&units[i]), after);
}

/* Has the passage [from, to) of the other text a sentence that differs in its numbers only? */
static bool has_form(const twx_unit_list *other, size_t from, size_t to, uint64_t form) {
    for (size_t i = from; i < to; i++)
        if (!other->at.at[i].mate && form_of(&other->at.at[i]) == form) return true;
    return false;
}

static uint64_t exchanged_of(const comparing *c, int side, twx_unit *unit) {
    if (!unit->is_asked) unit->other = c->rules->exchanged(c->rules->arg, side == 0, unit->text);
    unit->is_asked = true;
    return unit->other;
}

/* Has the passage [from, to) of the other text a sentence that may stand for this one? */
static bool has_exchange(const comparing *c, int side, twx_unit *unit, const twx_unit_list *other,
                         size_t from, size_t to) {
    const uint64_t own = exchanged_of(c, side, unit);
    if (own) c->d->looked += to - from + 1;
    for (size_t i = from; own && c->d->looked < LOOKED_AT && i < to; i++)
        if (!other->at.at[i].mate && exchanged_of(c, !side, &other->at.at[i]) == own) return true;
    return false;
}

/* The words of one unit in a list of words: [from, to). */
typedef struct unit_words {
    size_t from, to;
} unit_words;

static size_t count_common(const twx_text_word *a, size_t n, const twx_text_word *b, size_t m) {
    size_t common = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            if (a[i].hash == b[j].hash || (a[i].is_number && b[j].is_number)) {
                common++;
                break;
            }
    return common;
}

/* Has the other side a sentence that differs from this one in a few words? "Guide for armel" is not
 * left out where the other has "Guide for ppc64el", whatever each of the sites repeats. */
static bool has_variant(const twx_difference *d, int side, const unit_words *unit) {
    enum { WORDS_MAX = 64 };
    const twx_text_word *own = d->words[side].at.at + unit->from;
    const twx_text_word *others = d->words[!side].at.at;
    const size_t n = unit->to - unit->from, m = d->words[!side].at.n;
    for (size_t from = 0, to; n <= WORDS_MAX && from < m; from = to) {
        for (to = from + 1; to < m && others[to].unit == others[from].unit; to++) continue;
        const size_t longer = n > to - from ? n : to - from;
        if (longer <= WORDS_MAX && 3 * count_common(own, n, others + from, to - from) >= longer)
            return true;
    }
    return false;
}

/* Reads the words of the sentences that only one text has, of both sides, and drops those of
 * sentences that are left out. */
static twx_rc read_passage(comparing *c, twx_unit_list *const lists[2], const size_t from[2],
                           const size_t to[2]) {
    twx_difference *d = c->d;
    twx_rc rc = TWX_OK;
    d->looked = 0;
    for (int side = 0; side < 2; side++) {
        d->words[side].at.n = d->kept[side].at.n = 0;
        d->announced[side] = false;
        for (size_t i = from[side]; rc == TWX_OK && i < to[side]; i++)
            if (!lists[side]->at.at[i].mate)
                rc = read_words(c->cx, lists[side]->at.at[i].text, (uint32_t)i, d, side);
    }
    for (int side = 0; rc == TWX_OK && side < 2; side++) {
        const twx_text_word *words = d->words[side].at.at;
        for (size_t k = 0, end; rc == TWX_OK && k < d->words[side].at.n; k = end) {
            const uint32_t i = words[k].unit;
            for (end = k; end < d->words[side].at.n && words[end].unit == i; end++) continue;
            const unit_words unit = {k, end};
            twx_unit *unit_at = &lists[side]->at.at[i];
            const twx_unit_use use = use_of(c, side == 0, lists[side]->at.at, from[side], to[side],
                                            i);
            d->looked += use == TWX_UNIT_COMPARED ? 0 : to[!side] - from[!side] + 1;
            if (c->rules->exchanged &&
                has_exchange(c, side, unit_at, lists[!side], from[!side], to[!side])) {
                d->ignored[side] += unit_at->text.n;
                continue;
            }
            if (use != TWX_UNIT_COMPARED && d->looked < LOOKED_AT && !has_variant(d, side, &unit) &&
                !has_form(lists[!side], from[!side], to[!side], form_of(unit_at))) {
                d->ignored[side] += unit_at->text.n;
                d->announced[side] |= use == TWX_UNIT_ANNOUNCED;
                continue;
            }
            for (size_t w = k; rc == TWX_OK && w < end; w++)
                if (!TWX_VEC_PUSH(c->cx, &d->kept[side].at, words[w])) rc = TWX_E_NOMEM;
        }
    }
    return rc;
}

/* Words of the sentences that only one text has. */
static twx_rc compare_words(comparing *c, twx_unit_list *const lists[2], const size_t from[2],
                            const size_t to[2], const gap *g) {
    twx_difference *d = c->d;
    twx_rc rc = read_passage(c, lists, from, to);
    words_range r = {d->kept[0].at.at, d->kept[1].at.at, (int32_t)d->kept[0].at.n,
                     (int32_t)d->kept[1].at.n};
    const size_t from_block = d->at.n;
    if (rc == TWX_OK && r.n && r.m) rc = align_words(c->cx, d, &r);
    if (rc == TWX_OK)
        written_words_unmatch(d->kept[0].at.at, d->kept[0].at.n, d->kept[1].at.at, d->kept[1].at.n);
    if (rc == TWX_OK) rc = add_blocks(c->cx, d, g);
    for (size_t i = from_block; rc == TWX_OK && c->rules->enough && i < d->at.n; i++)
        if (c->rules->enough(c->rules->arg, &d->at.at[i])) rc = TWX_DONE;
    return rc;
}

static twx_rc compare_sentences(comparing *c, twx_unit_list *const lines[2], const size_t from[2],
                                const size_t to[2], const gap *g) {
    twx_unit_list *const sentences[2] = {&c->d->sentences[0], &c->d->sentences[1]};
    twx_rc rc = TWX_OK;
    for (int side = 0; side < 2; side++) {
        sentences[side]->at.n = 0;
        for (size_t i = from[side]; rc == TWX_OK && i < to[side]; i++)
            if (!lines[side]->at.at[i].mate)
                rc = twx_unit_sentences(c->cx, lines[side]->at.at[i].text, sentences[side]);
    }
    if (rc == TWX_OK) rc = twx_units_match(c->cx, &c->d->matcher, sentences[0], sentences[1]);
    return rc == TWX_OK ? each_gap(c, sentences, g, compare_words) : rc;
}

/* The lengths of the common beginning and end, in whole lines. */
static void common_ends(twx_slice a, twx_slice b, size_t *ret_head, size_t *ret_tail) {
    const size_t shorter = a.n < b.n ? a.n : b.n;
    size_t head = twx_common_beginning(a.p, b.p, shorter);
    if (head < a.n || head < b.n)
        while (head > 0 && a.p[head - 1] != '\n') head--;
    size_t tail = twx_common_end(a.p + a.n, b.p + b.n, shorter - head);
    while (tail > 0 && a.p[a.n - tail] != '\n') tail--;
    *ret_head = head;
    *ret_tail = tail;
}

twx_rc twx_difference_of(twx_ctx *cx, twx_slice a, twx_slice b, const twx_difference_rules *rules,
                         twx_difference *d) {
    comparing c = {cx, d, rules};
    twx_unit_list *const lines[2] = {&d->lines[0], &d->lines[1]};
    size_t head = 0, tail = 0;
    d->at.n = 0;
    for (int side = 0; side < 2; side++) d->differ[side] = d->ignored[side] = 0;
    if (a.n && b.n) common_ends(a, b, &head, &tail);
    const gap around = {last_word(twx_slice_sub(a, 0, head)),
                        first_word(twx_slice_sub(a, a.n - tail, a.n))};
    lines[0]->at.n = lines[1]->at.n = 0;
    twx_rc rc = twx_unit_lines(cx, twx_slice_sub(a, head, a.n - tail),
                               twx_slice_sub(b, head, b.n - tail), lines);
    if (rc == TWX_OK) rc = twx_units_match(cx, &d->matcher, lines[0], lines[1]);
    if (rc == TWX_OK) rc = each_gap(&c, lines, &around, compare_sentences);
    return rc == TWX_DONE ? TWX_OK : rc; /* enough is known */
}

void twx_difference_done(twx_difference *d) {
    if (!d) return;
    TWX_VEC_DONE(&d->at);
    for (int side = 0; side < 2; side++) {
        TWX_VEC_DONE(&d->lines[side].at);
        TWX_VEC_DONE(&d->sentences[side].at);
        TWX_VEC_DONE(&d->words[side].at);
        TWX_VEC_DONE(&d->kept[side].at);
    }
    twx_unit_matcher_done(&d->matcher);
    TWX_VEC_DONE(&d->edits.reach);
}
