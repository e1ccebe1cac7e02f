/* The words that may carry the name of a text: those that it repeats, those of its short lines,
 * and the numbers that follow them, packed as name_words.h says. Where titles say nothing ("My
 * shop"), these tell one thing of a template from the next.
 *
 * Texts repeat "record" and "office" more often than the name of the person they are about, so
 * words that are written like names come first: made of letters and digits ("i386"), then those
 * that always have a capital, or are of a script without capitals. */
#include <string.h>

#include "base/hash64.h"
#include "base/utf8.h"
#include "detect/name_words.h"
#include "method/detectors.h"
#include "text/char_class.h"
#include "text/stop_words.h"

enum {
    MIN_UNITS = 2,     /* shorter words, in UTF-16 units, are not counted: the profile's default */
    REPEATED_MIN = 2,  /* occurrences */
    STOP_WORD_MIN = 4, /* the list has no shorter words */
    OTHER_MIN = 4,     /* bytes of a word not written like a name: shorter ones are articles */
    LISTED = 24,       /* words of each kind that are looked at more closely */
    HEX_ID_MIN = 8,    /* characters of what is taken for a session id: hexadecimal digits ... */
    ID_MIN = 16,       /* ... or any letters and digits */
    LEAD_WITHIN = 4 << 10, /* bytes of the text in which short lines are looked for, and numbers */
    NUMBERS_WITHIN = 32 << 10,
    SHORT_LINE = 8, /* words */
    NUMBERS_TRIED = 512,
    WORD_BYTES = 64, /* of the word before a number */
    UNIT_BYTES = 4,
    YEAR_DIGITS = 4,
    QUANTITIES = 64, /* that are told apart */
    GAP_MAX = 3      /* characters between a word and its number: ". ", " #" */
};

/* ---- words -------------------------------------------------------------- */

static bool is_number(twx_slice word) {
    for (size_t i = 0; i < word.n; i++)
        if (!twx_is_digit((unsigned char)word.p[i])) return false;
    return true;
}

/* "22t00": what is left of 2026-11-22T00:01:02. */
static bool is_day_and_hour(twx_slice word) {
    return word.n == 5 && word.p[2] == 't' && is_number(twx_slice_sub(word, 0, 2)) &&
           is_number(twx_slice_sub(word, 3, 5));
}

/* Session ids, digests and the like, and numbers: they change where nothing else does. */
static bool is_number_or_id(twx_slice word) {
    size_t digits = 0, hex = 0;
    for (size_t i = 0; i < word.n; i++) {
        digits += twx_is_digit((unsigned char)word.p[i]);
        hex += twx_hex_value((unsigned char)word.p[i]) >= 0;
    }
    return digits == word.n || (digits > 0 && hex == word.n && word.n >= HEX_ID_MIN) ||
           (digits > 0 && word.n >= ID_MIN && (unsigned char)word.p[0] < 0x80) ||
           is_day_and_hour(word);
}

static bool has_digit_and_letter(twx_slice word) {
    size_t digits = 0;
    for (size_t i = 0; i < word.n; i++) digits += twx_is_digit((unsigned char)word.p[i]);
    return digits > 0 && digits < word.n;
}

/* Is the first character of a script without capitals: Hebrew, Arabic, the scripts of India,
 * Chinese, ...? */
static bool is_caseless(twx_slice word, const char *end) {
    uint32_t cp = 0;
    twx_utf8_next(word.p, end, &cp);
    return (cp >= 0x0590 && cp < 0x10A0) || (cp >= 0x1100 && cp < 0x1C80) || cp >= 0x2E80;
}

static bool begins_with_capital(const char *start, const char *end) {
    uint32_t cp = 0;
    twx_utf8_next(start, end, &cp);
    return twx_to_lower(cp) != cp;
}

/* Names of months and weekdays as dates have them, lower case, sorted by bytes; English, German,
 * French, Spanish, Italian, Dutch. */
static bool is_calendar_word(twx_slice word) {
    static const char *const WORDS[] = {
        "abril",      "agosto",    "août",       "apr",       "april",    "aprile",    "aug",
        "august",     "augustus",  "avril",      "dec",       "december", "dez",       "dezember",
        "dicembre",   "diciembre", "dienstag",   "dimanche",  "domenica", "domingo",   "donderdag",
        "donnerstag", "décembre",  "enero",      "feb",       "febbraio", "febrero",   "februar",
        "februari",   "february",  "freitag",    "fri",       "friday",   "février",   "gennaio",
        "giovedì",    "giugno",    "jan",        "januar",    "januari",  "january",   "janvier",
        "jeudi",      "jueves",    "juillet",    "juin",      "jul",      "juli",      "julio",
        "july",       "jun",       "june",       "juni",      "junio",    "luglio",    "lundi",
        "lunedì",     "lunes",     "maandag",    "maart",     "maggio",   "mai",       "mar",
        "march",      "mardi",     "mars",       "martedì",   "martes",   "marzo",     "may",
        "mayo",       "mei",       "mercoledì",  "mercredi",  "mittwoch", "miércoles", "mon",
        "monday",     "montag",    "märz",       "nov",       "november", "novembre",  "noviembre",
        "oct",        "october",   "octobre",    "octubre",   "okt",      "oktober",   "ottobre",
        "sabato",     "samedi",    "samstag",    "sat",       "saturday", "sep",       "sept",
        "september",  "septembre", "septiembre", "settembre", "sonntag",  "sun",       "sunday",
        "sábado",     "thu",       "thursday",   "tue",       "tuesday",  "vendredi",  "venerdì",
        "viernes",    "vrijdag",   "wed",        "wednesday", "woensdag", "zaterdag",  "zondag"};
    size_t low = 0, high = TWX_COUNTOF(WORDS);
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = twx_slice_cmp(word, twx_slice_of(WORDS[middle]));
        if (order == 0) return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

static bool may_be_name(twx_slice word) {
    return !is_number_or_id(word) && !(word.n >= STOP_WORD_MIN && twx_is_stop_word(word)) &&
           !is_calendar_word(word);
}

/* ---- repeated words ----------------------------------------------------- */

typedef struct repeated_word {
    bool is_code;
    uint32_t word, count;
    twx_word text;
} repeated_word;

/* More words than are kept: which of them may be names is asked at the end, of these alone. */
typedef struct repeated_list {
    repeated_word at[LISTED];
    size_t n;
} repeated_list;

static bool comes_before(const repeated_word *a, const repeated_word *b) {
    if (a->is_code != b->is_code) return a->is_code;
    return a->count != b->count ? a->count > b->count : a->word < b->word;
}

/* Keeps the list in order and within its limit. */
static void insert(repeated_list *list, const repeated_word *word) {
    if (list->n == LISTED && !comes_before(word, &list->at[list->n - 1])) return;
    size_t at = list->n < LISTED ? list->n++ : LISTED - 1;
    for (; at > 0 && comes_before(word, &list->at[at - 1]); at--) list->at[at] = list->at[at - 1];
    list->at[at] = *word;
}

static twx_slice text_of(const twx_word *word, char bytes[TWX_WORD_SHORT]) {
    if (word->long_text.p) return word->long_text;
    return (twx_slice){bytes, (size_t)(twx_word_put(word, bytes) - bytes)};
}

static bool is_proper(const twx_word *word, twx_slice text) {
    return word->capital || has_digit_and_letter(text) ||
           ((unsigned char)*text.p >= 0x80 && is_caseless(text, text.p + text.n));
}

/* Puts the first of a list that may be names after those that are there, up to `most` in all. */
static void take_names(const repeated_list *list, size_t most, twx_name_words *name) {
    uint8_t *n = &name->n[TWX_NAME_REPEATED];
    for (size_t i = 0; i < list->n && *n < most; i++) {
        char bytes[TWX_WORD_SHORT];
        if (may_be_name(text_of(&list->at[i].text, bytes)))
            name->repeated[(*n)++] = list->at[i].word;
    }
}

static void read_repeated(const twx_word_counts *counts, twx_name_words *name) {
    repeated_list proper = {.n = 0}, other = {.n = 0};
    size_t at = 0;
    repeated_word found;
    while (twx_word_counts_next(counts, REPEATED_MIN, &at, &found.text)) {
        char bytes[TWX_WORD_SHORT];
        const twx_slice text = text_of(&found.text, bytes);
        const bool is_name = is_proper(&found.text, text);
        if (!is_name && text.n < OTHER_MIN) continue;
        found.word = twx_name_word(text);
        found.count = found.text.count;
        found.is_code = has_digit_and_letter(text);
        insert(is_name ? &proper : &other, &found);
    }
    take_names(&proper, TWX_NAME_PROPER_MAX, name);
    name->proper = name->n[TWX_NAME_REPEATED];
    take_names(&other, TWX_NAME_REPEATED_MAX, name);
}

/* ---- short lines -------------------------------------------------------- */

static bool add_word(uint32_t *words, uint8_t *n, size_t max, uint32_t word) {
    for (size_t i = 0; i < *n; i++)
        if (words[i] == (word & UINT16_MAX)) return true;
    if (*n == max) return false;
    words[(*n)++] = word & UINT16_MAX;
    return true;
}

/* Takes the words of a short line that are written like names. *ret_full: there is no more room. */
static twx_rc take_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, twx_name_words *name,
                        bool *ret_full) {
    twx_token token;
    twx_rc rc = TWX_OK;
    const char *end = line.p + line.n;
    twx_tokens_start(tokens, line);
    while (!*ret_full && (rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK) {
        const bool proper = begins_with_capital(token.start, end) ||
                            has_digit_and_letter(token.text) ||
                            is_caseless((twx_slice){token.start, (size_t)(end - token.start)}, end);
        if (proper && may_be_name(token.text))
            *ret_full = !add_word(name->lead, &name->n[TWX_NAME_LEAD], TWX_NAME_LEAD_MAX,
                                  twx_name_word(token.text));
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc is_short_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, bool *ret_is) {
    twx_token token;
    twx_rc rc = TWX_OK;
    size_t words = 0;
    twx_tokens_start(tokens, line);
    while (words <= SHORT_LINE && (rc = twx_tokens_next_raw(cx, tokens, &token)) == TWX_OK) words++;
    *ret_is = words > 0 && words <= SHORT_LINE;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc read_lead(twx_ctx *cx, twx_tokens *tokens, twx_slice text, twx_name_words *name) {
    bool full = false, is_short = false;
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to; rc == TWX_OK && !full && from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        const twx_slice line = twx_slice_sub(text, from, to);
        if (line.n == 0) continue;
        rc = is_short_line(cx, tokens, line, &is_short);
        if (rc == TWX_OK && is_short) rc = take_line(cx, tokens, line, name, &full);
    }
    return rc;
}

/* ---- numbers ------------------------------------------------------------ */

static bool is_wordy(char c) {
    return twx_is_alpha((unsigned char)c) || twx_is_digit((unsigned char)c) ||
           (unsigned char)c >= 0x80;
}

/* Units of what people compare: sizes, weights, rates; lower case. Neither times nor prices,
 * which change. */
static bool is_unit(twx_slice word) {
    static const char *const UNITS[] = {
        "b",  "kb", "mb",  "gb",   "tb", "kib", "mib", "gib", "tib", "o",   "ko",
        "mo", "go", "bit", "bits", "mm", "cm",  "m",   "km",  "in",  "ft",  "g",
        "kg", "mg", "lb",  "oz",   "l",  "ml",  "cl",  "hz",  "khz", "mhz", "ghz",
        "w",  "kw", "kwh", "v",    "ma", "mah", "mp",  "px",  "dpi", "rpm"};
    for (size_t i = 0; i < TWX_COUNTOF(UNITS); i++)
        if (twx_slice_eq_nocase(word, twx_slice_of(UNITS[i]))) return true;
    return false;
}

/* The end of the digits from `at` on, dots between digits included: "15.20". */
static size_t end_of_number(twx_slice text, size_t at) {
    while (at < text.n &&
           (twx_is_digit((unsigned char)text.p[at]) ||
            (text.p[at] == '.' && at + 1 < text.n && twx_is_digit((unsigned char)text.p[at + 1]))))
        at++;
    return at;
}

/* The unit after a number, attached or after one space; absent: none. */
static twx_slice unit_at(twx_slice text, size_t at) {
    if (at < text.n && text.p[at] == ' ') at++;
    size_t end = at;
    while (end < text.n && is_wordy(text.p[end]) && end - at <= UNIT_BYTES) end++;
    const twx_slice unit = twx_slice_sub(text, at, end);
    return is_unit(unit) ? unit : (twx_slice){NULL, 0};
}

/* "17.05.2020" or "2020.05.17": three parts, the first or the last of them a year. */
static bool is_dotted_date(twx_slice number) {
    const size_t first = twx_slice_find(number, '.', 0),
                 second = twx_slice_find(number, '.', first + 1);
    if (second >= number.n || twx_slice_find(number, '.', second + 1) < number.n) return false;
    return first == YEAR_DIGITS || number.n - second - 1 == YEAR_DIGITS;
}

/* Is what stands from `at` to `end` a number by itself, neither a part of a date or time nor of a
 * longer word? */
static bool stands_alone(twx_slice text, size_t at, size_t end, twx_slice unit) {
    if (at > 0 && (is_wordy(text.p[at - 1]) || memchr(".:-/,", text.p[at - 1], 5))) return false;
    if (unit.p) return true;
    if (end < text.n && is_wordy(text.p[end])) return false;
    if (is_dotted_date(twx_slice_sub(text, at, end))) return false;
    return !(end + 1 < text.n && memchr(":-/,", text.p[end], 4) &&
             twx_is_digit((unsigned char)text.p[end + 1]));
}

/* The word right before `at`, on the same line; absent when there is none near enough. */
static twx_slice word_before(twx_slice text, size_t at) {
    size_t end = at;
    for (size_t gap = 0; end > 0 && !is_wordy(text.p[end - 1]); end--)
        if (++gap > GAP_MAX || text.p[end - 1] == '\n') return (twx_slice){NULL, 0};
    size_t start = end;
    while (start > 0 && is_wordy(text.p[start - 1]) && end - start < WORD_BYTES) start--;
    return twx_slice_sub(text, start, end);
}

/* Is the last word of the slice a repeated one? Characters beyond ASCII may separate words in it.
 */
static twx_rc ends_with_repeated(twx_ctx *cx, twx_tokens *tokens, twx_slice slice,
                                 const twx_name_words *name, bool *ret_is) {
    twx_token token;
    twx_rc rc = TWX_OK;
    uint32_t word = 0;
    size_t n = 0;
    twx_tokens_start(tokens, slice);
    while ((rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK) {
        word = twx_name_word(token.text);
        n++;
    }
    *ret_is = false;
    for (size_t i = 0; n > 0 && i < name->n[TWX_NAME_REPEATED]; i++)
        *ret_is |= name->repeated[i] == word;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The place of the next digit from `at` on, or the end: eight bytes at a time, because most texts
 * have few. */
static size_t next_digit(twx_slice text, size_t at) {
    const uint64_t zeros = UINT64_C(0x3030303030303030), tops = UINT64_C(0x8080808080808080);
    for (; text.n - at >= 8; at += 8) {
        const uint64_t above = twx_load_le64(text.p + at) ^ zeros; /* of a digit: 0..9 */
        const uint64_t others = ((above & ~tops) + UINT64_C(0x7676767676767676)) | above;
        if ((others & tops) != tops) return at + (size_t)__builtin_ctzll(~others & tops) / 8;
    }
    while (at < text.n && !twx_is_digit((unsigned char)text.p[at])) at++;
    return at;
}

/* A number with its unit, as one word: "285 MB" and "285mb" are the same. */
static uint32_t quantity_of(twx_slice number, twx_slice unit) {
    char lower[UNIT_BYTES + 1];
    for (size_t i = 0; i < unit.n; i++) lower[i] = twx_lower(unit.p[i]);
    return (uint32_t)twx_mix64(twx_name_word(number), twx_name_word((twx_slice){lower, unit.n}));
}

/* Quantities are facts that people look for, and they may stand anywhere: all of them make one
 * word, the sum of the distinct ones. Of other numbers the first count. */
typedef struct quantities {
    uint32_t at[QUANTITIES], sum;
    size_t n;
} quantities;

static void add_quantity(quantities *q, uint32_t quantity) {
    for (size_t i = 0; i < q->n; i++)
        if (q->at[i] == quantity) return;
    if (q->n == QUANTITIES) return;
    q->at[q->n++] = quantity;
    q->sum += quantity;
}

static void add_number(twx_name_words *name, uint32_t number) {
    (void)add_word(name->number, &name->n[TWX_NAME_NUMBER], TWX_NAME_NUMBERS_MAX - 1, number);
}

static twx_rc read_numbers(twx_ctx *cx, twx_tokens *tokens, twx_slice text, twx_name_words *name) {
    quantities q = {.n = 0};
    twx_rc rc = TWX_OK;
    size_t end = 0;
    for (size_t at = next_digit(text, 0), tried = 0;
         rc == TWX_OK && at < text.n && tried < NUMBERS_TRIED; at = next_digit(text, end)) {
        end = end_of_number(text, at);
        const twx_slice number = twx_slice_sub(text, at, end), unit = unit_at(text, end);
        const bool alone = stands_alone(text, at, end, unit);
        while (end < text.n && is_wordy(text.p[end])) end++; /* past the word */
        tried++;
        if (alone && unit.p) add_quantity(&q, quantity_of(number, unit));
        if (!alone || unit.p || name->n[TWX_NAME_NUMBER] == TWX_NAME_NUMBERS_MAX - 1) continue;
        const twx_slice before = word_before(text, at);
        bool counts = false;
        if (before.n) rc = ends_with_repeated(cx, tokens, before, name, &counts);
        if (counts) add_number(name, twx_name_word(number));
    }
    if (q.n) name->number[name->n[TWX_NAME_NUMBER]++] = q.sum & UINT16_MAX;
    return rc;
}

/* ---- the row ------------------------------------------------------------ */

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_word_counts *counts = NULL;
    twx_tokens *tokens = &twx_workspace_words(w)->tokens;
    twx_name_words name = {0};
    (void)params;
    if (doc->text.n == 0 || doc->text.n > TWX_WORD_COUNTS_TEXT_MAX) return TWX_OK;
    unsigned char *payload = twx_arena_alloc(cx, twx_workspace_scratch(w), TWX_REPEATED_BYTES, 1);
    if (!payload) return TWX_E_NOMEM;
    twx_rc rc = twx_workspace_count(cx, w, doc->text, MIN_UNITS, &counts);
    if (rc != TWX_OK) return rc;
    read_repeated(counts, &name);
    rc = read_lead(cx, tokens, twx_slice_sub(doc->text, 0, LEAD_WITHIN), &name);
    if (rc == TWX_OK)
        rc = read_numbers(cx, tokens, twx_slice_sub(doc->text, 0, NUMBERS_WITHIN), &name);
    if (rc != TWX_OK) return rc;
    ret_signature->payload = (twx_slice){(const char *)payload, twx_repeated_pack(&name, payload)};
    return TWX_OK;
}

static uint64_t fingerprint(const twx_params *params) {
    (void)params;
    return twx_mix64(TWX_CHAR_CLASS_VERSION, TWX_STOP_WORDS_VERSION);
}

const twx_detector TWX_DETECTOR_REPEATED = {
    .name = "repeated",
    .summary = "the words that a text repeats or sets apart (for the relation copy)",
    .source = "Twindex, docs/signatures.md",
    .id = 30,
    .version = 2,
    .basis = TWX_BASIS_TEXT,
    .fingerprint = fingerprint,
    .sign = sign,
};
