/* The name of a document: the words of its title, of its level-1 headings, and of the end of its
 * URL, and a hash of the names in its images and structured data, packed as name_words.h describes.
 * It is not a near-duplicate method: judge/names.h decides whether another document contains the
 * name. */
#include <string.h>

#include "base/hash64.h"
#include "sign/detectors.h"
#include "sign/name_words.h"
#include "sign/plain_words.h"
#include "text/char_class.h"
#include "url/url_norm.h"

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

static bool all_digits(twx_slice s) {
    for (size_t i = 0; i < s.n; i++)
        if (!twx_is_digit((unsigned char)s.p[i])) return false;
    return s.n > 0;
}

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

/* Can a version begin with this word: digits, optionally after a v? */
static bool begins_version(twx_slice word) {
    return all_digits(word) ||
           (word.n > 1 && word.p[0] == 'v' && all_digits(twx_slice_sub(word, 1, word.n)));
}

/* The next word; *ret_again: it extends the previous one, "1.8" after "1". TWX_DONE after the
 * last. */
static twx_rc next_word(twx_ctx *cx, word_reader *r, name_word *ret_word, bool *ret_again) {
    twx_token token;
    twx_rc rc = twx_tokens_next(cx, r->tokens, &token);
    if (rc != TWX_OK) return rc;
    const char *const end = r->tokens->at, *const start = token.start;
    const bool number = begins_version(token.text);
    *ret_again = r->number && number && all_digits(token.text) && start == r->end + 1 &&
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

static bool has_word(const uint32_t *words, size_t n, uint32_t word) {
    for (size_t i = 0; i < n; i++)
        if (words[i] == word) return true;
    return false;
}

/* Adds a word unless it is present; the last place stands for all words that do not fit. */
static void add_word(uint32_t *words, uint8_t *n, size_t max, uint32_t word) {
    if (has_word(words, *n, word)) return;
    if (*n < max)
        words[(*n)++] = word;
    else
        words[max - 1] = (uint32_t)(twx_mix64(words[max - 1], word) >> 40);
}

/* The words of a title while it is read. Repeats count: "Duran Duran" and "Duran" are different
 * names. */
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

static twx_rc read_title(twx_ctx *cx, twx_tokens *tokens, twx_slice title, twx_name_words *name) {
    title_words words = {0};
    const twx_rc rc = each_word(cx, tokens, title, take_title_word, &words);
    if (rc == TWX_OK) put_title(&words, name);
    return rc;
}

static void take_heading_word(void *into, name_word word) {
    twx_name_words *name = into;
    if (!has_word(name->title, name->n[TWX_NAME_TITLE], word.word))
        add_word(name->heading, &name->n[TWX_NAME_HEADING], TWX_NAME_HEADING_MAX, word.word);
}

static twx_rc read_headings(twx_ctx *cx, twx_tokens *tokens, twx_slice headings,
                            twx_name_words *name) {
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to, i = 0; rc == TWX_OK && from < headings.n && i < HEADINGS_READ; i++) {
        to = twx_slice_find(headings, '\n', from);
        if (to - from <= HEADING_BYTES)
            rc = each_word(cx, tokens, twx_slice_sub(headings, from, to), take_heading_word, name);
        from = to + 1;
    }
    return rc;
}

/* ---- URL ---------------------------------------------------------------- */

/* Words of URLs that name the role of a page, not the page. */
static bool says_nothing(twx_slice word) {
    static const char *const WORDS[] = {
        "amp",   "article",   "default", "detail", "details", "display", "home",
        "index", "item",      "main",    "mobile", "node",    "page",    "post",
        "print", "printable", "printer", "show",   "thread",  "topic",   "view"};
    return twx_in_sorted(word, WORDS, TWX_COUNTOF(WORDS));
}

/* Decodes percent-encoding into out; at most SEGMENT_BYTES. */
static twx_slice decode(twx_slice segment, char *out) {
    size_t n = 0;
    for (size_t i = 0; i < segment.n && n < SEGMENT_BYTES; i++) {
        const int high = segment.p[i] == '%' && i + 2 < segment.n
                             ? twx_hex_value((unsigned char)segment.p[i + 1])
                             : -1;
        const int low = high >= 0 ? twx_hex_value((unsigned char)segment.p[i + 2]) : -1;
        out[n++] = low >= 0 ? (char)(high * 16 + low) : segment.p[i];
        if (low >= 0) i += 2;
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
        if (!all_digits(value) || value.n > QUERY_DIGITS || is_switch) continue;
        hash += twx_mix64(twx_name_word(name), twx_name_word(value)); /* in any order */
    }
    return (uint32_t)(hash >> 40);
}

static bool is_url_word(const twx_token *token) {
    for (size_t i = 0; i < token->text.n; i++)
        if (twx_is_digit((unsigned char)token->text.p[i])) return false;
    return token->units >= URL_WORD_MIN && !says_nothing(token->text);
}

static twx_rc read_segment(twx_ctx *cx, twx_tokens *tokens, twx_slice segment,
                           twx_name_words *name) {
    char decoded[SEGMENT_BYTES];
    twx_token token;
    twx_rc rc = TWX_OK;
    twx_tokens_start(tokens, decode(without_extension(segment), decoded));
    while ((rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK)
        if (is_url_word(&token))
            add_word(name->url, &name->n[TWX_NAME_URL], TWX_NAME_URL_MAX,
                     twx_name_word(token.text));
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc read_url(twx_ctx *cx, twx_tokens *tokens, const twx_url *url, twx_name_words *name) {
    if (!url || url->fault != TWX_URL_OK) return TWX_OK;
    const uint32_t query = query_of(url->query);
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
        rc = read_segment(cx, tokens, segment, name);
        path.n = start;
    }
    if (query) name->tail = (uint32_t)(twx_mix64(name->tail, query) >> 40);
    return rc;
}

/* ---- names in images and structured data -------------------------------- */

static uint32_t shown_names(twx_slice names) {
    const uint32_t hash = twx_name_word(names);
    return names.n == 0 ? 0 : hash ? hash : 1;
}

/* ---- the row ------------------------------------------------------------ */

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    twx_tokens *tokens = &twx_workspace_words(w)->tokens;
    twx_name_words name = {.shown = shown_names(doc->names)};
    (void)params;
    twx_rc rc = read_title(cx, tokens, doc->title, &name);
    if (rc == TWX_OK) rc = read_headings(cx, tokens, doc->headings, &name);
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
