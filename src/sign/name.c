#include "name_words_table.h"
#include "sign/sign.h"

/* ==== plain_words */

enum {
    HEX_ID_MIN = 8, /* characters of a presumed session id: hexadecimal digits ... */
    ID_MIN = 16     /* ... or any letters and digits */
};

bool twx_in_sorted(twx_slice word, const char *const *words, size_t n) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        /* most comparisons end at the first byte; an empty word precedes all */
        int order = word.n ? (unsigned char)*word.p - (unsigned char)*words[middle] : -1;
        if (order == 0) order = twx_slice_cmp(word, twx_slice_of(words[middle]));
        if (order == 0) return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

bool twx_has_digit_and_letter(twx_slice word) {
    size_t digits = 0;
    for (size_t i = 0; i < word.n; i++) digits += twx_is_digit((unsigned char)word.p[i]);
    return digits > 0 && digits < word.n;
}

/* "22t00": what is left of 2026-11-22T00:01:02. */
static bool is_day_and_hour(twx_slice word) {
    return word.n == 5 && word.p[2] == 't' && twx_is_number(twx_slice_sub(word, 0, 2)) &&
           twx_is_number(twx_slice_sub(word, 3, 5));
}

bool twx_looks_like_id(twx_slice word) {
    size_t digits = 0, hex = 0;
    for (size_t i = 0; i < word.n; i++) {
        digits += twx_is_digit((unsigned char)word.p[i]);
        hex += twx_hex_value((unsigned char)word.p[i]) >= 0;
    }
    if (digits == 0 || digits == word.n) return false;
    return (hex == word.n && word.n >= HEX_ID_MIN) ||
           (word.n >= ID_MIN && (unsigned char)word.p[0] < 0x80) || is_day_and_hour(word);
}

bool twx_is_calendar_word(twx_slice word) {
    static const char *const WORDS[] = {CALENDAR_WORD_ROWS};
    enum { SHORTEST = 3, LONGEST = 10 }; /* bytes */
    return word.n >= SHORTEST && word.n <= LONGEST &&
           twx_in_sorted(word, WORDS, TWX_COUNTOF(WORDS));
}

/* The next word of letters or digits in a sentence; `gap`: the bytes before it. false: none. */
static bool next_run(twx_slice *rest, twx_slice *ret_word, twx_slice *ret_gap) {
    size_t at = 0, end;
    while (at < rest->n && !(TWX_BYTE_CLASS[(unsigned char)rest->p[at]] & TWX_BYTE_WORD) &&
           (unsigned char)rest->p[at] < 0x80)
        at++;
    const bool is_digits = twx_is_digit_at(*rest, at);
    for (end = at; end < rest->n; end++) {
        const unsigned char c = (unsigned char)rest->p[end];
        if ((c < 0x80 && !(TWX_BYTE_CLASS[c] & TWX_BYTE_WORD)) || twx_is_digit(c) != is_digits)
            break;
    }
    *ret_gap = twx_slice_sub(*rest, 0, at);
    *ret_word = twx_slice_sub(*rest, at, end);
    *rest = twx_slice_sub(*rest, end, rest->n);
    return ret_word->n > 0;
}

static bool is_calendar_word(twx_slice word) {
    char lower[12];
    if (word.n > sizeof lower) return false;
    for (size_t i = 0; i < word.n; i++) lower[i] = twx_lower(word.p[i]);
    return twx_is_calendar_word((twx_slice){lower, word.n});
}

/* Words that follow each other and may be a date: "Oct 16, 2023", "Mon, 16.10.2023 12:30". */
typedef struct date_run {
    unsigned parts, years, words, colons;
    uint64_t written; /* the hash of the sentence with the run as it is written, so far */
} date_run;

/* Day, month and year, maybe a day of the week, maybe hours, minutes and seconds. A number beside
 * them ("1.4 2023-01-01") is no part of a date. */
static uint64_t end_run(const date_run *run, uint64_t form, bool *has_date) {
    enum { DATE = 3 };
    const unsigned parts = run->parts - (run->words == 2);
    const bool is_date = parts == DATE && run->colons == 0;
    const bool is_time = parts > DATE + 1 && run->colons == parts - DATE - 1;
    if (run->years != 1 || run->words > 2 || !(is_date || is_time)) return run->written;
    *has_date = true;
    return twx_mix64(form, DATE);
}

/* Does it say when pages were made? Other dates ("The council meets on ...") are content. */
static bool is_of_making(twx_slice sentence) {
    static const char *const PARTS[] = {
        "updated",    "generated", "built ",   "modified", "created",   "revised", "aktualisiert",
        "erstellt",   "erzeugt",   "geändert", "mis à ",   "mise à ",   "modifié", "généré",
        "actualizad", "generad",   "modifica", "aggiorna", "atualizad", "gerado",  "bijgewerkt",
        "gewijzigd",  "обновл",    "измен",    "更新",     "生成",      "ปรับปรุง",  "แก้ไข"};
    for (size_t i = 0; i < sentence.n; i++)
        for (size_t k = 0; k < TWX_COUNTOF(PARTS); k++)
            if (twx_lower(sentence.p[i]) == *PARTS[k] &&
                twx_slice_eq_nocase(twx_slice_sub(sentence, i, i + strlen(PARTS[k])),
                                    twx_slice_of(PARTS[k])))
                return true;
    return false;
}

enum { YEAR_DIGITS = 4 };

static bool is_year(twx_slice digits) {
    return digits.n == YEAR_DIGITS && (digits.p[0] == '1' || digits.p[0] == '2');
}

/* Most sentences have none, so they need not be read word by word. */
static bool has_year(twx_slice sentence) {
    for (size_t at = 0, end; at < sentence.n; at = end + 1) {
        end = at;
        if (!twx_is_digit((unsigned char)sentence.p[at])) continue;
        while (twx_is_digit_at(sentence, end)) end++;
        if (is_year(twx_slice_sub(sentence, at, end))) return true;
    }
    return false;
}

uint64_t twx_dated_form(twx_slice sentence) {
    enum { GAP = 2 };
    const twx_slice whole = sentence;
    uint64_t form = 1;
    bool has_date = false, in_run = false;
    date_run run = {0};
    if (!has_year(sentence)) return 0;
    for (twx_slice word, gap; next_run(&sentence, &word, &gap);) {
        const bool is_number = twx_is_digit((unsigned char)word.p[0]);
        const bool names_year = is_number && is_year(word);
        const bool is_part = names_year || (is_number ? word.n <= 2 : is_calendar_word(word));
        const bool is_colon = gap.n && gap.p[0] == ':';
        if (in_run && (!is_part || gap.n > GAP || (is_colon && gap.n > 1))) {
            form = end_run(&run, form, &has_date);
            in_run = false;
        }
        if (is_part && !in_run) {
            run = (date_run){.written = form};
            in_run = true;
        }
        if (is_part) {
            run.parts++;
            run.years += names_year;
            run.words += !is_number;
            run.colons += is_colon && run.parts > 1;
            run.written = twx_hash64(word, twx_hash64(gap, run.written));
        } else {
            form = twx_hash64(word, form);
        }
    }
    if (in_run) form = end_run(&run, form, &has_date);
    return has_date && is_of_making(whole) ? form : 0;
}

/* ==== name_lines */

enum {
    WITHIN = 8 << 10, /* bytes of the text in which lines are looked for */
    SHORT_BYTES = 80, /* of a short line */
    SHORT_BLANKS = 7, /* so it has at most 8 words */
    BODY_BYTES = 150, /* of a line that is a paragraph; the banner of a mirror has fewer */
    RING = 16,        /* lines before the body that are remembered; a power of 2 */
    LABEL_MAX = 40,   /* bytes before the colon of a labelled value */
    LABELS_TRIED = 64 /* after the body */
};

static size_t digits_from(twx_slice s, size_t at) {
    size_t end = at;
    while (twx_is_digit_at(s, end)) end++;
    return end - at;
}

/* Is there a date in digits ("2020-05-17", "17.05.2020", "17/05/20") or a time ("10:30")? */
static bool has_date(twx_slice line) {
    for (size_t at = 0; at < line.n; at++) {
        if (!twx_is_digit_at(line, at)) continue;
        const size_t first = digits_from(line, at), end = at + first;
        const char separator = end < line.n ? line.p[end] : '\0';
        const size_t second = digits_from(line, end + 1);
        if (separator == ':' && first <= 2 && second == 2) return true;
        if (second > 0 && second <= 2 && memchr("-./", separator, 3) && end + 1 + second < line.n &&
            line.p[end + 1 + second] == separator) {
            const size_t third = digits_from(line, end + 2 + second);
            if (first == YEAR_DIGITS && third > 0 && third <= 2) return true;
            if (first <= 2 && (third == YEAR_DIGITS || (separator == '/' && third == 2)))
                return true;
        }
        at = end;
    }
    return false;
}

/* Words of lines that are about the retrieval of the page, not its content: counters, prices, the
 * generator. */
static bool is_passing(twx_slice word) {
    static const char *const WORDS[] = {PASSING_WORD_ROWS};
    enum { SHORTEST = 3, LONGEST = 9 }; /* bytes */
    return word.n >= SHORTEST && word.n <= LONGEST &&
           twx_in_sorted(word, WORDS, TWX_COUNTOF(WORDS));
}

static bool has_price(twx_slice line) {
    static const char *const SIGNS[] = {"$", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xAC"};
    for (size_t at = 0; at < line.n; at++) {
        const unsigned char c = (unsigned char)line.p[at];
        if (c != '$' && c < 0x80) continue;
        for (size_t i = 0; i < TWX_COUNTOF(SIGNS); i++)
            if (twx_slice_starts(twx_slice_sub(line, at, line.n), twx_slice_of(SIGNS[i])))
                return true;
    }
    return false;
}

twx_rc twx_name_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, uint32_t *ret_line,
                     bool *ret_is) {
    twx_token token;
    twx_rc rc = TWX_OK;
    uint64_t hash = 0;
    size_t words = 0;
    *ret_is = false;
    if (has_date(line) || has_price(line)) return TWX_OK;
    twx_tokens_start(tokens, line);
    while ((rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK) {
        if (twx_is_calendar_word(token.text) || is_passing(token.text)) return TWX_OK;
        if (twx_looks_like_id(token.text)) continue;
        hash = twx_mix64(hash, twx_name_word(token.text));
        words++;
    }
    if (rc != TWX_DONE) return rc;
    *ret_is = words > 0;
    *ret_line = twx_name_word_in(TWX_NAME_LEAD, (uint32_t)(hash >> 40));
    return TWX_OK;
}

static bool is_short(twx_slice line) {
    size_t blanks = 0;
    if (line.n > SHORT_BYTES) return false;
    for (size_t i = 0; i < line.n; i++) blanks += line.p[i] == ' ';
    return blanks <= SHORT_BLANKS;
}

/* "Colour: red" */
static bool is_labelled(twx_slice line) {
    const size_t colon = twx_slice_find(line, ':', 0);
    return colon > 0 && colon <= LABEL_MAX && colon + 2 < line.n && line.p[colon + 1] == ' ';
}

typedef struct line_list {
    size_t most;
    uint32_t *at;
    uint8_t *n;
} line_list;

static twx_rc add_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, line_list *list) {
    uint32_t hash = 0;
    bool is = false;
    if (*list->n >= list->most) return TWX_OK;
    twx_rc rc = twx_name_line(cx, tokens, line, &hash, &is);
    for (size_t i = 0; i < *list->n; i++) is &= list->at[i] != hash;
    if (rc == TWX_OK && is) list->at[(*list->n)++] = hash;
    return rc;
}

static bool next_line(twx_slice text, size_t *at, twx_slice *ret_line) {
    if (*at >= text.n) return false;
    const size_t end = twx_slice_find(text, '\n', *at);
    *ret_line = twx_slice_sub(text, *at, end);
    *at = end + 1;
    return true;
}

twx_rc twx_name_lines(twx_ctx *cx, twx_tokens *tokens, twx_slice text, size_t most,
                      uint32_t *ret_lines, uint8_t *ret_n) {
    const twx_slice looked_at = twx_slice_sub(text, 0, WITHIN);
    line_list list = {most, ret_lines, ret_n};
    twx_slice first[RING], last[RING], line;
    size_t n = 0, at = 0;
    bool body = false;
    twx_rc rc = TWX_OK;
    while (!body && next_line(looked_at, &at, &line)) {
        if (line.n >= BODY_BYTES) {
            body = n > 0;
        } else if (line.n > 0 && is_short(line)) {
            if (n < RING) first[n] = line;
            last[n++ % RING] = line;
        }
    }
    const size_t lines = n < RING ? n : RING;
    for (size_t i = 0; rc == TWX_OK && i < lines; i++)
        rc = add_line(cx, tokens, body ? last[(n - 1 - i) % RING] : first[i], &list);
    for (size_t tried = 0;
         rc == TWX_OK && body && tried < LABELS_TRIED && next_line(looked_at, &at, &line); tried++)
        if (is_short(line) && is_labelled(line)) rc = add_line(cx, tokens, line, &list);
    return rc;
}

/* ==== name */

/* The name of a document: the words of its title, of its level-1 headings, and of the end of its
 * URL, and a hash of the names in its images and structured data, packed as name_words describes.
 * It is not a near-duplicate method: judge/names.c decides whether another document contains the
 * name. */

enum {
    TITLE_WORDS = 64,    /* that are distinguished while a title is read */
    HEADINGS_READ = 3,   /* the others are headings of sections */
    HEADING_BYTES = 300, /* a longer one is an h1 that was never closed */
    VERSION_PARTS = 3,
    VERSION_BYTES = 64, /* the parts of a longer one are separate words */
    URL_WORD_MIN = 3,   /* letters */
    EXTENSION_MAX = 5,  /* letters: "shtml" */
    EXTENSIONS = 2,
    SEGMENT_BYTES = 256, /* of a path segment; the rest is ignored */
    SEGMENTS_LOOKED_AT = 2,
    QUERY_DIGITS = 8
};

/* One word of a name while it is read. */
typedef struct name_word {
    uint32_t word;
    bool is_version;
    uint64_t version;
} name_word;

typedef struct word_reader {
    twx_tokens *tokens;
    /* where the previous number begins; NULL: the previous word was not one */
    const char *number;
    const char *end; /* of the last word */
    bool after_version_word;
} word_reader;

/* "1.8.11" or "v2" as a number that orders as versions do; 0: a plain number or a date. */
static uint64_t version_of(twx_slice s, bool announced) {
    uint64_t version = 0, part = 0;
    size_t parts = 0;
    const bool v = s.n > 1 && twx_lower(s.p[0]) == 'v';
    for (size_t i = v; i <= s.n; i++) {
        if (i < s.n && s.p[i] != '.') {
            part = part * 10 + (uint64_t)(s.p[i] - '0');
            if (part > UINT16_MAX) part = UINT16_MAX;
            continue;
        }
        if (parts == VERSION_PARTS - 1 && part >= 1900) return 0; /* 31.12.1999 */
        if (parts < VERSION_PARTS) version |= part << 16 * (VERSION_PARTS - 1 - parts);
        parts++;
        part = 0;
    }
    return parts > 1 || v || announced ? version : 0;
}

static bool announces_version(twx_slice word) {
    static const char *const WORDS[] = {"release", "rev", "ver", "version"};
    return twx_in_sorted(word, WORDS, TWX_COUNTOF(WORDS));
}

/* The next word; *ret_again: it extends the last one, "1.8" after "1". TWX_DONE: no more. */
static twx_rc next_word(twx_ctx *cx, word_reader *r, name_word *ret_word, bool *ret_again) {
    twx_token token;
    twx_rc rc = twx_tokens_next(cx, r->tokens, &token);
    if (rc != TWX_OK) return rc;
    const char *const end = r->tokens->at, *const start = token.start;
    const bool v = token.text.n > 1 && token.text.p[0] == 'v'; /* a version can begin with it */
    const bool number = twx_is_number(twx_slice_sub(token.text, v, token.text.n));
    *ret_again = r->number && number && twx_is_number(token.text) && start == r->end + 1 &&
                 *r->end == '.';
    char lower[VERSION_BYTES];
    twx_slice whole = token.text;
    if (*ret_again && (size_t)(end - r->number) > VERSION_BYTES) *ret_again = false;
    if (*ret_again) {
        whole = (twx_slice){lower, (size_t)(end - r->number)};
        for (size_t i = 0; i < whole.n; i++) lower[i] = twx_lower(r->number[i]);
    }
    *ret_word = (name_word){.word = twx_name_word(whole)};
    if (number) {
        ret_word->version = version_of(whole, r->after_version_word);
        ret_word->is_version = ret_word->version != 0;
    }
    if (!*ret_again) {
        r->number = number ? start : NULL;
        r->after_version_word = announces_version(token.text);
    }
    r->end = end;
    return TWX_OK;
}

bool twx_has_name_word(const uint32_t *words, size_t n, uint32_t word) {
    for (size_t i = 0; i < n; i++)
        if (words[i] == word) return true;
    return false;
}

/* Adds a word unless it is present; the last place stands for all words that do not fit. */
static void add_word(uint32_t *words, uint8_t *n, size_t max, uint32_t word) {
    if (twx_has_name_word(words, *n, word)) return;
    if (*n < max)
        words[(*n)++] = word;
    else
        words[max - 1] = (uint32_t)(twx_mix64(words[max - 1], word) >> 40);
}

/* The words of a title while it is read. Repeats count: "Duran Duran" is not "Duran". */
typedef struct title_words {
    uint32_t words[TITLE_WORDS];
    name_word versions[TWX_NAME_VERSIONS_MAX];
    size_t n, n_versions;
    uint32_t rest; /* of words that do not fit, 0: none */
} title_words;

static void take_title_word(void *into, name_word word) {
    title_words *t = into;
    if (word.is_version && t->n_versions < TWX_NAME_VERSIONS_MAX)
        t->versions[t->n_versions++] = word;
    else if (t->n < TITLE_WORDS)
        t->words[t->n++] = word.word;
    else
        t->rest = (uint32_t)(twx_mix64(t->rest, word.word) >> 40);
}

/* The versions come last; the place before them stands for all words that do not fit. */
static void put_title(const title_words *t, twx_name_words *name) {
    const size_t room = TWX_NAME_TITLE_MAX - t->n_versions;
    uint8_t *n = &name->n[TWX_NAME_TITLE];
    uint64_t rest = t->rest;
    for (size_t i = 0; i < t->n; i++) {
        const bool fits = i + 1 < room || (i + 1 == room && t->n == room && t->rest == 0);
        if (fits) name->title[(*n)++] = t->words[i];
        if (!fits) rest = twx_mix64(rest, t->words[i]);
    }
    if (*n < t->n) name->title[(*n)++] = (uint32_t)(rest >> 40);
    for (size_t i = 0; i < t->n_versions; i++) name->title[(*n)++] = t->versions[i].word;
    name->versions = (uint8_t)t->n_versions;
    name->version = t->n_versions ? t->versions[0].version : 0;
}

typedef void take_fn(void *into, name_word word);

/* Calls take(into, word) for each word; a word is complete when the next one does not extend it. */
static twx_rc each_word(twx_ctx *cx, twx_tokens *tokens, twx_slice text, take_fn *take,
                        void *into) {
    word_reader r = {.tokens = tokens};
    name_word word = {0}, last = {0};
    bool has_last = false, again = false;
    twx_tokens_start(tokens, text);
    for (twx_rc rc = TWX_OK; rc == TWX_OK || has_last;) {
        rc = next_word(cx, &r, &word, &again);
        if (rc != TWX_OK && rc != TWX_DONE) return rc;
        if (has_last && !(rc == TWX_OK && again)) take(into, last);
        last = word;
        has_last = rc == TWX_OK;
    }
    return TWX_OK;
}

static void take_heading_word(void *into, name_word word) {
    twx_name_words *name = into;
    if (!twx_has_name_word(name->title, name->n[TWX_NAME_TITLE], word.word))
        add_word(name->heading, &name->n[TWX_NAME_HEADING], TWX_NAME_HEADING_MAX, word.word);
}

/* ---- URL ---------------------------------------------------------------- */

/* Words of URLs that name the role of a page, not the page. */
static bool says_nothing(twx_slice word) {
    static const char *const WORDS[] = {ROLE_WORD_ROWS};
    return twx_in_sorted(word, WORDS, TWX_COUNTOF(WORDS));
}

/* Decodes percent-encoding into out; at most SEGMENT_BYTES. */
static twx_slice decode(twx_slice segment, char *out) {
    size_t n = 0;
    for (size_t i = 0; i < segment.n && n < SEGMENT_BYTES; i++) {
        const int value = twx_percent_value(segment, i);
        out[n++] = value >= 0 ? (char)value : segment.p[i];
        if (value >= 0) i += 2;
    }
    return (twx_slice){out, n};
}

static twx_slice without_extension(twx_slice segment) {
    for (int extensions = 0; extensions < EXTENSIONS; extensions++) { /* ".rst.txt", ".html.en" */
        size_t i = segment.n;
        while (i > 1 && segment.n - i < EXTENSION_MAX &&
               twx_is_alpha((unsigned char)segment.p[i - 1]))
            i--;
        if (i <= 1 || segment.p[i - 1] != '.') break;
        segment.n = i - 1;
    }
    return segment;
}

/* 24 bits of a path segment in lower case, without its extension; 0: an index page or the like. */
static uint32_t tail_of(twx_slice segment) {
    char lower[SEGMENT_BYTES];
    const twx_slice name = twx_slice_sub(without_extension(segment), 0, SEGMENT_BYTES);
    for (size_t i = 0; i < name.n; i++) lower[i] = twx_lower(name.p[i]);
    const twx_slice word = {lower, name.n};
    return name.n == 0 || says_nothing(word) ? 0 : twx_name_word(word);
}

/* The numbers of a query that may identify the document: "?id=17&print=1" has "id=17". Excluded are
 * 0 and 1, which are switches, and numbers as long as a time stamp. 0: none. */
static uint32_t query_of(twx_slice query) {
    uint64_t hash = 0;
    for (size_t from = 0, to; from < query.n; from = to + 1) {
        to = twx_slice_find(query, '&', from);
        const twx_slice field = twx_slice_sub(query, from, to);
        const size_t equals = twx_slice_find(field, '=', 0);
        const twx_slice name = twx_slice_sub(field, 0, equals),
                        value = twx_slice_sub(field, equals + 1, field.n);
        const bool is_switch = value.n == 1 && (*value.p == '0' || *value.p == '1');
        if (!twx_is_number(value) || value.n > QUERY_DIGITS || is_switch) continue;
        hash += twx_mix64(twx_name_word(name), twx_name_word(value)); /* in any order */
    }
    return (uint32_t)(hash >> 40);
}

static bool is_url_word(const twx_token *token) {
    for (size_t i = 0; i < token->text.n; i++)
        if (twx_is_digit((unsigned char)token->text.p[i])) return false;
    return token->units >= URL_WORD_MIN && !says_nothing(token->text);
}

static twx_rc read_url(twx_ctx *cx, twx_tokens *tokens, const twx_url *url, twx_name_words *name) {
    if (!url || url->fault != TWX_URL_OK) return TWX_OK;
    const uint32_t query = query_of(url->query);
    char decoded[SEGMENT_BYTES];
    twx_token token;
    twx_slice path = url->path;
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < SEGMENTS_LOOKED_AT && name->n[TWX_NAME_URL] == 0; i++) {
        while (path.n > 0 && path.p[path.n - 1] == '/') path.n--;
        size_t start = path.n;
        while (start > 0 && path.p[start - 1] != '/') start--;
        const twx_slice segment = twx_slice_sub(path, start, path.n);
        if (i > 0 && twx_slice_find(segment, '.', 0) < segment.n)
            break; /* a mirror's folder for a host */
        /* a folder above "show.php?id=17" says nothing of the page */
        if (name->tail == 0 && (i == 0 || !query)) name->tail = tail_of(segment);
        twx_tokens_start(tokens, decode(without_extension(segment), decoded));
        while ((rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK)
            if (is_url_word(&token))
                add_word(name->url, &name->n[TWX_NAME_URL], TWX_NAME_URL_MAX,
                         twx_name_word(token.text));
        if (rc == TWX_DONE) rc = TWX_OK;
        path.n = start;
    }
    if (query) name->tail = (uint32_t)(twx_mix64(name->tail, query) >> 40);
    return rc;
}

/* ---- names in images and structured data -------------------------------- */

/* ---- the row ------------------------------------------------------------ */

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    twx_tokens *tokens = &twx_workspace_words(w)->tokens;
    const uint32_t names = twx_name_word(doc->names);
    twx_name_words name = {.shown = doc->names.n == 0 ? 0 : names ? names : 1};
    title_words title = {0};
    (void)params;
    twx_rc rc = each_word(cx, tokens, doc->title, take_title_word, &title);
    if (rc == TWX_OK) put_title(&title, &name);
    const twx_slice headings = doc->headings;
    for (size_t from = 0, to, i = 0; rc == TWX_OK && from < headings.n && i < HEADINGS_READ; i++) {
        to = twx_slice_find(headings, '\n', from);
        if (to - from <= HEADING_BYTES)
            rc = each_word(cx, tokens, twx_slice_sub(headings, from, to), take_heading_word, &name);
        from = to + 1;
    }
    if (rc == TWX_OK) rc = read_url(cx, tokens, doc->url, &name);
    if (rc != TWX_OK) return rc;
    unsigned char *payload = twx_arena_alloc(cx, twx_workspace_scratch(w), TWX_NAME_BYTES, 1);
    if (!payload) return TWX_E_NOMEM;
    ret_signature->payload = (twx_slice){(const char *)payload, twx_name_pack(&name, payload)};
    return TWX_OK;
}

static uint64_t fingerprint(const twx_params *params) {
    const uint64_t urls = twx_mix64(TWX_URL_NORM_VERSION, params->url.steps);
    return twx_mix64(urls, TWX_CHAR_CLASS_VERSION);
}

const twx_detector TWX_DETECTOR_NAME = {
    .name = "name",
    .summary = "the words of title, headings and URL, a hash of alt texts (for the relation copy)",
    .source = "Twindex, docs/signatures.md",
    .id = 31,
    .version = 4,
    .basis = TWX_BASIS_NAME,
    .describes_name = true,
    .fingerprint = fingerprint,
    .sign = sign,
};
