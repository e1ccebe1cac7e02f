#include "name_words_table.h"
#include "sign/internal.h"

/* ==== markup_words */

enum { NAME_BYTES = 40, SEPARATED = 2 /* bytes of ":`" and ".." */ };

static void add(twx_markup_words *words, twx_slice name) {
    const uint32_t word = twx_name_word(name);
    if (words->n < TWX_MARKUP_WORDS_MAX && !twx_has_name_word(words->at, words->n, word))
        words->at[words->n++] = word;
}

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || c == '-' || c == ':' || c == '_' || c == '+';
}

/* Adds the parts of a name: "py:func" is two words, as "code-block" is. */
static void add_parts(twx_markup_words *words, twx_slice name) {
    for (size_t from = 0, to; from < name.n; from = to + 1) {
        to = from;
        while (to < name.n && twx_is_alpha((unsigned char)name.p[to])) to++;
        if (to > from) add(words, twx_slice_sub(name, from, to));
    }
}

/* The name between a colon and `end`; absent: there is none. */
static twx_slice role_before(twx_slice text, size_t end) {
    size_t start = end;
    while (start > 0 && end - start < NAME_BYTES && is_name_byte(text.p[start - 1])) start--;
    return start < end && text.p[start] == ':' ? twx_slice_sub(text, start + 1, end)
                                               : (twx_slice){NULL, 0};
}

/* ".. name::" or ":name:" at the beginning of a line. */
static void read_line(twx_markup_words *words, twx_slice line) {
    size_t at = 0;
    while (at < line.n && line.p[at] == ' ') at++;
    const bool directive = line.n - at > 3 && memcmp(line.p + at, ".. ", 3) == 0;
    const bool field = !directive && line.n - at > 2 && line.p[at] == ':';
    if (!directive && !field) return;
    at += directive ? 3 : 1;
    size_t end = at;
    while (end < line.n && end - at < NAME_BYTES && is_name_byte(line.p[end]) && line.p[end] != ':')
        end++;
    const bool closed = end < line.n && line.p[end] == ':' &&
                        (field || (end + 1 < line.n && line.p[end + 1] == ':'));
    if (end > at && closed) add_parts(words, twx_slice_sub(line, at, end));
}

/* Is there a line that begins with ".. ", like directives and comments? */
static bool has_directive(twx_slice text) {
    for (size_t from = 0; from + 3 < text.n; from = twx_slice_find(text, '\n', from) + 1)
        if (memcmp(text.p + from, ".. ", 3) == 0) return true;
    return false;
}

bool twx_has_markup(twx_slice text) {
    enum { ROLES_WITHIN = 64 << 10, DIRECTIVES_WITHIN = 4 << 10 };
    const twx_slice within = twx_slice_sub(text, 0, ROLES_WITHIN);
    /* memchr() is many times faster than a search for two bytes */
    for (size_t at = 0; at < within.n; at++) {
        at = twx_slice_find(within, '`', at);
        if (at > 0 && at < within.n && within.p[at - 1] == ':') return true;
    }
    return has_directive(twx_slice_sub(text, 0, DIRECTIVES_WITHIN));
}

void twx_markup_words_of(twx_slice text, twx_markup_words *ret_words) {
    ret_words->n = 0;
    for (size_t at = 0; at + SEPARATED <= text.n;) {
        const char *found = memmem(text.p + at, text.n - at, ":`", SEPARATED);
        if (!found) break;
        const size_t end = (size_t)(found - text.p);
        const twx_slice role = role_before(text, end);
        if (role.n) add_parts(ret_words, role);
        at = end + SEPARATED;
    }
    for (size_t from = 0, to; from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        read_line(ret_words, twx_slice_sub(text, from, to));
    }
}

/* ==== repeated */

/* The words that may form the name of a text: the words it repeats, the lines before its body, the
 * numbers that follow repeated words, and its codes, packed as name_words describes. Where titles
 * are uninformative ("My shop"), they distinguish documents made from one template.
 *
 * Texts repeat "record" and "office" more often than the name of the person they are about, so
 * words that are written like names come first: words of letters and digits ("i386"), then words
 * that always have a capital or are of a script without capitals. */

enum {
    MIN_UNITS = 2,     /* shorter words, in UTF-16 units, are not counted: the profile's default */
    REPEATED_MIN = 2,  /* occurrences */
    STOP_WORD_MIN = 4, /* the list has no shorter words */
    OTHER_MIN = 4,     /* bytes of a word not written like a name: shorter ones are articles */
    LISTED = 24,       /* words of each kind that are examined more closely */
    NUMBERS_WITHIN = 32 << 10, /* bytes of the text that are searched for numbers and codes */
    NUMBERS_TRIED = 512,
    WORD_BYTES = 64, /* of the word before a number, and of a code */
    UNIT_BYTES = 4,
    BEGINNING = 200, /* bytes of the text */
    SHORT_LINE = 80, /* bytes */
    YEAR_DIGITS = 4,
    CALENDAR_BYTES = 12,
    QUANTITIES = 64, /* that are distinguished */
    GAP_MAX = 2      /* characters between a word and its number */
};

/* Is the first character of a script without capitals: Hebrew, Arabic, the scripts of India,
 * Chinese, ...? */
static bool is_caseless(twx_slice word, const char *end) {
    uint32_t cp = 0;
    twx_utf8_next(word.p, end, &cp);
    return (cp >= 0x0590 && cp < 0x10A0) || (cp >= 0x1100 && cp < 0x1C80) || cp >= 0x2E80;
}

static bool may_be_name(twx_slice word) {
    return !twx_is_number(word) && !twx_looks_like_id(word) &&
           !(word.n >= STOP_WORD_MIN && twx_is_stop_word(word)) && !twx_is_calendar_word(word);
}

/* ---- repeated words ----------------------------------------------------- */

typedef struct repeated_word {
    uint32_t hash, word, count; /* word: the kept bits of the hash, which order ties */
    uint32_t at;                /* of twx_word_counts_next() */
} repeated_word;

/* Words are listed by kind, and more of them than are kept; only at the end are these checked for
 * being names. */
typedef enum word_kind { CODE, PROPER, OTHER, KINDS } word_kind;

typedef struct repeated_list {
    repeated_word at[LISTED];
    size_t n;
} repeated_list;

static bool comes_before(const repeated_word *a, const repeated_word *b) {
    return a->count != b->count ? a->count > b->count : a->word < b->word;
}

/* Keeps the list ordered and within its limit. */
static void insert(repeated_list *list, const repeated_word *word) {
    size_t at = list->n;
    while (at > 0 && comes_before(word, &list->at[at - 1])) at--;
    if (at == LISTED) return;
    if (list->n < LISTED) list->n++;
    memmove(&list->at[at + 1], &list->at[at], (list->n - 1 - at) * sizeof *list->at);
    list->at[at] = *word;
}

/* Is the list full of words that are more frequent? */
static bool is_beyond(const repeated_list *list, uint32_t count) {
    return list->n == LISTED && count < list->at[LISTED - 1].count;
}

static twx_slice text_of(const twx_word *word, char bytes[TWX_WORD_SHORT]) {
    if (word->long_text.p) return word->long_text;
    twx_store_be64(bytes, word->head);
    return (twx_slice){bytes, twx_word_length(word)};
}

/* The top bits of those of eight bytes that are ASCII digits. */
static uint64_t digits_among(uint64_t bytes) {
    const uint64_t tops = UINT64_C(0x8080808080808080);
    const uint64_t above = bytes ^ UINT64_C(0x3030303030303030); /* of a digit: 0..9 */
    return ~(((above & ~tops) + UINT64_C(0x7676767676767676)) | above) & tops;
}

/* KINDS: an article or the like. */
static word_kind kind_of(const twx_word *word, twx_slice text) {
    const bool has_digit = word->long_text.p || digits_among(word->head); /* a long one: maybe */
    if (has_digit && twx_has_digit_and_letter(text)) return CODE;
    if (word->capital) return PROPER;
    if ((unsigned char)*text.p >= 0x80 && is_caseless(text, text.p + text.n)) return PROPER;
    return text.n < OTHER_MIN ? KINDS : OTHER;
}

/* Appends the first words of a list that may be names, up to `most` in all. */
static void take_names(const twx_word_counts *counts, const repeated_list *list, bool codes,
                       const twx_markup_words *markup, size_t most, twx_name_words *name) {
    uint8_t *n = &name->n[TWX_NAME_REPEATED];
    for (size_t i = 0; i < list->n && *n < most; i++) {
        const repeated_word *word = &list->at[i];
        char bytes[TWX_WORD_SHORT];
        twx_word text = {0};
        size_t at = word->at;
        if (!twx_word_counts_next(counts, REPEATED_MIN, &at, &text) ||
            !may_be_name(text_of(&text, bytes)) ||
            twx_has_name_word(markup->at, markup->n, word->hash))
            continue;
        name->weight[*n] = twx_name_weight(codes, word->count);
        name->repeated[(*n)++] = word->word;
    }
}

static void read_repeated(const twx_word_counts *counts, const twx_markup_words *markup,
                          twx_name_words *name) {
    repeated_list lists[KINDS];
    twx_word word;
    for (size_t k = 0; k < KINDS; k++) lists[k].n = 0;
    for (size_t at = 0; twx_word_counts_next(counts, REPEATED_MIN, &at, &word);) {
        char bytes[TWX_WORD_SHORT];
        const twx_slice text = text_of(&word, bytes);
        const word_kind kind = kind_of(&word, text);
        if (kind == KINDS || is_beyond(&lists[kind], word.count)) continue;
        const uint32_t hash = twx_name_word(text);
        insert(&lists[kind], &(repeated_word){hash, twx_name_word_in(TWX_NAME_REPEATED, hash),
                                              word.count, (uint32_t)(at - 1)});
    }
    take_names(counts, &lists[CODE], true, markup, TWX_NAME_REPEATED_CODES_MAX, name);
    take_names(counts, &lists[PROPER], false, markup, TWX_NAME_PROPER_MAX, name);
    name->proper = name->n[TWX_NAME_REPEATED];
    take_names(counts, &lists[OTHER], false, markup, TWX_NAME_REPEATED_MAX, name);
}

/* ---- numbers ------------------------------------------------------------ */

static bool is_wordy(char c) {
    return twx_is_alphanumeric((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Calls of memchr() for one byte would take as long as everything else about a number. */
static bool joins_numbers(char c) {
    return c == ':' || c == '-' || c == '/' || c == ',';
}

/* Units of quantities that people compare: sizes, weights, rates; lower case. Neither times nor
 * prices, which change, nor units that are words or labels after most numbers ("5 in", "3 b"). */
static bool is_unit(twx_slice word) {
    static const char *const UNITS[] = {UNIT_ROWS};
    char lower[UNIT_BYTES];
    if (word.n > sizeof lower) return false;
    for (size_t i = 0; i < word.n; i++) lower[i] = twx_lower(word.p[i]);
    return twx_in_sorted((twx_slice){lower, word.n}, UNITS, TWX_COUNTOF(UNITS));
}

/* The end of the digits from `at` on, dots between digits included: "15.20". */
static size_t end_of_number(twx_slice text, size_t at) {
    while (twx_is_digit_at(text, at) ||
           (at < text.n && text.p[at] == '.' && twx_is_digit_at(text, at + 1)))
        at++;
    return at;
}

/* The unit after a number, attached or after one space or hyphen ("32-bit"); absent: none. */
static twx_slice unit_at(twx_slice text, size_t at) {
    if (at < text.n && (text.p[at] == ' ' || text.p[at] == '-')) at++;
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

/* "12 March", "3. Mai" */
static bool is_day_of_month(twx_slice text, size_t end) {
    char lower[CALENDAR_BYTES];
    size_t at = end, n = 0;
    while (at < text.n && at - end < 2 && (text.p[at] == '.' || text.p[at] == ' ')) at++;
    while (at > end && at < text.n && is_wordy(text.p[at]) && n < sizeof lower)
        lower[n++] = twx_lower(text.p[at++]);
    return n > 0 && twx_is_calendar_word((twx_slice){lower, n});
}

/* Is the number from `at` to `end` separate, part of neither a date or time nor a longer word? */
static bool stands_alone(twx_slice text, size_t at, size_t end, twx_slice unit) {
    const char before = at > 0 ? text.p[at - 1] : ' ';
    if (is_wordy(before) || before == '.' || joins_numbers(before)) return false;
    if (unit.p) return true;
    if (end < text.n && is_wordy(text.p[end])) return false;
    if (is_dotted_date(twx_slice_sub(text, at, end))) return false;
    return !(twx_is_digit_at(text, end + 1) && joins_numbers(text.p[end]));
}

/* The word immediately before `at`, on the same line; absent when none is near enough: "Entry 17",
 * "Entry #17", "Entry: 17", but not "C++17". */
static twx_slice word_before(twx_slice text, size_t at) {
    size_t end = at;
    for (size_t gap = 0; end > 0 && !is_wordy(text.p[end - 1]); end--) {
        const char c = text.p[end - 1];
        const bool links = c == ' ' || c == '.' || c == ':' || c == '#';
        if (++gap > GAP_MAX || !links) return (twx_slice){NULL, 0};
    }
    size_t start = end;
    while (start > 0 && is_wordy(text.p[start - 1]) && end - start < WORD_BYTES) start--;
    return twx_slice_sub(text, start, end);
}

/* Is the number where the text states its subject: near the beginning, or in a short line, as
 * headings and labels are? */
static bool is_exposed(twx_slice text, size_t at) {
    size_t from = at, to = at;
    if (at < BEGINNING) return true;
    while (from > 0 && text.p[from - 1] != '\n' && at - from <= SHORT_LINE) from--;
    while (to < text.n && text.p[to] != '\n' && to - from <= SHORT_LINE) to++;
    return to - from <= SHORT_LINE;
}

/* Is the last word of the slice written like a name: with a capital, or in a script without
 * capitals? Characters beyond ASCII may separate words in it. Months and weekdays are not. */
static bool ends_like_name(twx_slice slice) {
    const char *const end = slice.p + slice.n;
    const char *word = slice.p;
    uint32_t cp = 0;
    for (const char *at = slice.p; at < end;) {
        const char *next = at + twx_utf8_next(at, end, &cp);
        if (!twx_is_letter_or_digit(cp)) word = next;
        at = next;
    }
    if (word == end) return false;
    twx_utf8_next(word, end, &cp);
    if (twx_to_lower(cp) == cp) return is_caseless((twx_slice){word, (size_t)(end - word)}, end);
    char lower[WORD_BYTES];
    const twx_slice own = {lower, (size_t)(end - word)};
    for (size_t i = 0; i < own.n; i++) lower[i] = twx_lower(word[i]);
    return !twx_is_calendar_word(own);
}

/* The position of the next digit from `at` on, or the end: eight bytes at a time, because most
 * texts have few. */
static size_t next_digit(twx_slice text, size_t at) {
    for (; text.n - at >= 8; at += 8) {
        const uint64_t digits = digits_among(twx_load_le64(text.p + at));
        if (digits) return at + (size_t)__builtin_ctzll(digits) / 8;
    }
    while (at < text.n && !twx_is_digit((unsigned char)text.p[at])) at++;
    return at;
}

/* A number with its unit as one word: "285 MB" and "285mb" are equal. */
static uint32_t quantity_of(twx_slice number, twx_slice unit) {
    char lower[UNIT_BYTES + 1];
    for (size_t i = 0; i < unit.n; i++) lower[i] = twx_lower(unit.p[i]);
    return (uint32_t)twx_mix64(twx_name_word(number), twx_name_word((twx_slice){lower, unit.n}));
}

/* Quantities are facts that people search for, and they may be anywhere: all of them make one word,
 * the sum of the distinct ones. Of other numbers the first ones count. */
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

static void add_number(twx_name_words *name, uint32_t word) {
    const uint32_t number = twx_name_word_in(TWX_NAME_NUMBER, word);
    uint8_t *n = &name->n[TWX_NAME_NUMBER];
    for (size_t i = 0; i < *n; i++)
        if (name->number[i] == number) return;
    if (*n < TWX_NAME_NUMBERS_MAX - 1) name->number[(*n)++] = number;
}

/* Keeps the codes with the smallest hashes: a text and a longer copy of it keep the same. */
static void add_code(twx_name_words *name, uint32_t word) {
    const uint32_t code = twx_name_word_in(TWX_NAME_CODE, word);
    uint8_t *n = &name->n[TWX_NAME_CODE];
    size_t at = 0;
    for (size_t i = 0; i < name->n[TWX_NAME_REPEATED]; i++)
        if (twx_name_word_meets(TWX_NAME_CODE, code, TWX_NAME_REPEATED, name->repeated[i])) return;
    while (at < *n && name->code[at] < code) at++;
    if (at == TWX_NAME_CODES_MAX || (at < *n && name->code[at] == code)) return;
    if (*n < TWX_NAME_CODES_MAX) (*n)++;
    for (size_t i = *n - 1u; i > at; i--) name->code[i] = name->code[i - 1];
    name->code[at] = code;
}

/* Takes the word around the digits at `at` when it begins with a letter: "i386". */
static void take_code(twx_slice text, size_t at, size_t end, twx_name_words *name) {
    char lower[WORD_BYTES];
    size_t start = at;
    while (start > 0 && is_wordy(text.p[start - 1]) && end - start < WORD_BYTES) start--;
    if (end - start <= MIN_UNITS || end - start >= WORD_BYTES) return;
    for (size_t i = start; i < end; i++) {
        if ((unsigned char)text.p[i] >= 0x80) return;
        lower[i - start] = twx_lower(text.p[i]);
    }
    const twx_slice word = {lower, end - start};
    if (twx_is_alpha((unsigned char)lower[0]) && !twx_looks_like_id(word))
        add_code(name, twx_name_word(word));
}

static void read_numbers(twx_slice text, twx_name_words *name) {
    quantities q = {.n = 0};
    size_t end = 0;
    for (size_t at = next_digit(text, 0), tried = 0; at < text.n && tried < NUMBERS_TRIED;
         at = next_digit(text, end)) {
        end = end_of_number(text, at);
        const twx_slice number = twx_slice_sub(text, at, end), unit = unit_at(text, end);
        const bool alone = stands_alone(text, at, end, unit);
        while (end < text.n && is_wordy(text.p[end])) end++; /* past the word */
        if (at > 0 && is_wordy(text.p[at - 1])) take_code(text, at, end, name);
        tried++;
        if (alone && unit.p) add_quantity(&q, quantity_of(number, unit));
        if (!alone || unit.p || name->n[TWX_NAME_NUMBER] == TWX_NAME_NUMBERS_MAX - 1 ||
            is_day_of_month(text, end) || !is_exposed(text, at))
            continue;
        const twx_slice before = word_before(text, at);
        if (before.n && ends_like_name(before)) add_number(name, twx_name_word(number));
    }
    name->has_quantity = q.n > 0;
    if (q.n) name->number[name->n[TWX_NAME_NUMBER]++] = q.sum & UINT16_MAX;
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
    twx_markup_words markup = {.n = 0};
    const bool has_markup = twx_has_markup(doc->text);
    if (has_markup) twx_markup_words_of(doc->text, &markup);
    read_repeated(counts, &markup, &name);
    read_numbers(twx_slice_sub(doc->text, 0, NUMBERS_WITHIN), &name);
    /* lines and numbers of a page's source are not those of the page */
    if (has_markup)
        name.n[TWX_NAME_NUMBER] = name.has_quantity = 0;
    else
        rc = twx_name_lines(cx, tokens, doc->text, TWX_NAME_LEAD_MAX, name.lead,
                            &name.n[TWX_NAME_LEAD]);
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
    .summary = "the words that a text repeats or emphasises (for the relation copy)",
    .source = "Twindex, docs/signatures.md",
    .id = 30,
    .version = 5,
    .basis = TWX_BASIS_TEXT,
    .describes_name = true,
    .fingerprint = fingerprint,
    .sign = sign,
};
