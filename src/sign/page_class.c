#include "sign/sign.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Most pages are longer than any pattern permits, and titles of the others are looked for in one
 * expression of all titles, so a pattern alone is tried for hardly any page. Patterns are the
 * user's, texts are those of strangers: PCRE2 has limits, and sees little of a text. */

enum {
    MATCH_LIMIT = 15000,
    DEPTH_LIMIT = 1000,
    HEAP_KIB = 1024,
    RAW_BYTES = 4096,  /* a longer text is a page */
    TITLE_BYTES = 240, /* of words that are looked at */
    TEXT_BYTES = 2048,
    START_BYTES = 600,       /* that a pattern of a text alone sees */
    WORD_BYTES = 16,         /* so many bytes count as a word: there are languages without blanks */
    PATTERN_BYTES = 1 << 16, /* with the words that it names */
    ALL_BYTES = 1 << 20,     /* of the patterns together */
    ECHO_BYTES = 3           /* words of a title with fewer say nothing */
};

const char *const TWX_PAGE_NAMES[TWX_PAGE_CLASSES + 1] = {
    "page", "error", "challenge", "login", "consent", "listing", "empty", NULL};

/* One line of a file. */
typedef struct pattern {
    uint8_t class;
    uint32_t words;           /* a text with more words is not meant */
    twx_slice system;         /* in twx_page_patterns.names */
    pcre2_code *title, *text; /* both have to match; NULL: anything does */
} pattern;

static const uint32_t LIMITS[] = {60, 150};

struct twx_page_patterns {
    TWX_VEC(pattern) at;
    /* of all patterns, and of those without a title, for texts of at most LIMITS words */
    pcre2_code *titles, *texts[TWX_COUNTOF(LIMITS)];
    pcre2_match_context *limits; /* read-only once made, so threads may share it */
    twx_arena names;
    uint64_t fingerprint;
};

/* ---- names ---------------------------------------------------------------- */

twx_rc twx_page_classes_parse(twx_ctx *cx, twx_slice list, unsigned *ret_classes) {
    unsigned classes = 0;
    for (twx_slice word; twx_slice_next_item(&list, ",", &word);) {
        unsigned class = TWX_PAGE_ERROR;
        while (class <= TWX_PAGE_CONSENT &&
               !twx_slice_eq(word, twx_slice_of(TWX_PAGE_NAMES[class])))
            class ++;
        if (class > TWX_PAGE_CONSENT)
            return twx_fail(cx, TWX_E_CONFIG,
                            "page_class.left_out: '" TWX_SLICE_FMT
                            "' is not one of error challenge login consent",
                            TWX_SLICE_ARG(word));
        classes |= 1u << class;
    }
    *ret_classes = classes;
    return TWX_OK;
}

/* ---- reading -------------------------------------------------------------- */

/* Words of several languages, which patterns name. */
typedef struct word_list {
    twx_slice name;
    twx_buf alternatives;
} word_list;

typedef struct reader {
    twx_ctx *cx;
    const char *name;
    size_t line;
    TWX_VEC(word_list) lists;
    twx_buf regex;                              /* of the pattern that is read */
    twx_buf titles, texts[TWX_COUNTOF(LIMITS)]; /* alternatives */
} reader;

static void *pcre_malloc(size_t bytes, void *cx) {
    return twx_malloc(cx, bytes);
}

static void pcre_free(void *p, void *cx) {
    (void)cx;
    twx_free(p);
}

static twx_rc wrong(const reader *r, const char *reason) {
    return twx_fail(r->cx, TWX_E_CONFIG, "%s:%zu: %s", r->name, r->line, reason);
}

static twx_slice next_column(twx_slice *line) {
    const size_t end = twx_slice_find(*line, '\t', 0);
    const twx_slice column = twx_slice_trim(twx_slice_sub(*line, 0, end));
    *line = twx_slice_sub(*line, end + 1, line->n);
    return column;
}

static twx_rc compile(const reader *r, twx_slice regex, bool often, pcre2_code **ret_code) {
    pcre2_general_context *general = pcre2_general_context_create(pcre_malloc, pcre_free, r->cx);
    pcre2_compile_context *context = general ? pcre2_compile_context_create(general) : NULL;
    int error = PCRE2_ERROR_HEAP_FAILED;
    PCRE2_SIZE at = 0;
    PCRE2_UCHAR reason[256];
    if (context)
        *ret_code = pcre2_compile((PCRE2_SPTR)regex.p, regex.n,
                                  PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP |
                                      PCRE2_NO_AUTO_CAPTURE,
                                  &error, &at, context);
    pcre2_compile_context_free(context);
    pcre2_general_context_free(general);
    if (!*ret_code && error == PCRE2_ERROR_HEAP_FAILED)
        return twx_fail(r->cx, TWX_E_NOMEM, "out of memory in a pattern of pages");
    if (!*ret_code) {
        pcre2_get_error_message(error, reason, sizeof reason);
        return wrong(r, (const char *)reason);
    }
    /* on failure the interpreter does the work */
    if (often) (void)pcre2_jit_compile(*ret_code, PCRE2_JIT_COMPLETE);
    return TWX_OK;
}

/* Adds "(?:regex)", after a '|' if there is something before it. */
static twx_rc add_alternative(const reader *r, twx_slice regex, twx_buf *all) {
    twx_rc rc = twx_buf_add_text(r->cx, all, all->n ? "|(?:" : "(?:");
    if (rc == TWX_OK) rc = twx_buf_add_slice(r->cx, all, regex);
    return rc == TWX_OK ? twx_buf_add_text(r->cx, all, ")") : rc;
}

static word_list *find_list(const reader *r, twx_slice name) {
    for (size_t i = 0; i < r->lists.n; i++)
        if (twx_slice_eq(r->lists.at[i].name, name)) return &r->lists.at[i];
    return NULL;
}

/* "words", a name, a language, and alternatives: lines with one name are one list. */
static twx_rc read_words_line(reader *r, twx_slice line) {
    const twx_slice name = next_column(&line), language = next_column(&line);
    word_list fresh = {.name = name}, *list = find_list(r, name);
    line = twx_slice_trim(line);
    if (name.n == 0 || language.n == 0 || line.n == 0)
        return wrong(r, "a line of words has four columns: words, name, language, alternatives");
    if (!list) {
        twx_buf_init(&fresh.alternatives, PATTERN_BYTES);
        if (!TWX_VEC_PUSH(r->cx, &r->lists, fresh)) return TWX_E_NOMEM;
        list = &r->lists.at[r->lists.n - 1];
    }
    return add_alternative(r, line, &list->alternatives);
}

static twx_rc add_words(reader *r, const word_list *list) {
    twx_rc rc = twx_buf_add_text(r->cx, &r->regex, "(?:");
    if (rc == TWX_OK) rc = twx_buf_add_slice(r->cx, &r->regex, twx_buf_slice(&list->alternatives));
    return rc == TWX_OK ? twx_buf_add_text(r->cx, &r->regex, ")") : rc;
}

/* Replaces <NAME> by the words of that name. often: a match begins where a word of ASCII letters
 * does, which is much less work. */
static twx_rc expand(reader *r, twx_slice regex, bool often) {
    twx_buf_clear(&r->regex);
    twx_rc rc = twx_buf_add_text(r->cx, &r->regex, often ? "(?<![a-z])(?:" : "(?:");
    for (size_t i = 0, end; rc == TWX_OK && i < regex.n; i = end) {
        const size_t close = regex.p[i] == '<' ? twx_slice_find(regex, '>', i) : i;
        const word_list *list = close > i ? find_list(r, twx_slice_sub(regex, i + 1, close)) : NULL;
        end = list ? close + 1 : twx_slice_find(regex, '<', i + 1);
        rc = list ? add_words(r, list) : twx_buf_add(r->cx, &r->regex, regex.p + i, end - i);
    }
    return rc == TWX_OK ? twx_buf_add_text(r->cx, &r->regex, ")") : rc;
}

/* A regex of a line, which joins the others in `all`. "-": anything. */
static twx_rc read_regex(reader *r, twx_slice regex, twx_buf *all, pcre2_code **ret_code) {
    if (regex.n == 0) return wrong(r, "a line has five columns: class, system, words, title, text");
    if (twx_slice_eq(regex, TWX_SLICE_LIT("-"))) return TWX_OK;
    if (twx_slice_starts(regex, TWX_SLICE_LIT("(*")))
        return wrong(r, "a pattern must not begin with (*");
    twx_rc rc = expand(r, regex, all != NULL);
    if (rc == TWX_OK) rc = compile(r, twx_buf_slice(&r->regex), false, ret_code);
    return rc == TWX_OK && all ? add_alternative(r, twx_buf_slice(&r->regex), all) : rc;
}

static twx_rc read_line(reader *r, twx_slice line, twx_page_patterns *p) {
    const twx_slice class = next_column(&line);
    if (twx_slice_eq(class, TWX_SLICE_LIT("words"))) return read_words_line(r, line);
    const twx_slice system = next_column(&line), words = next_column(&line),
                    title = next_column(&line), text = line;
    pattern one = {.class = TWX_PAGE_CLASSES};
    int64_t number = 0;
    for (uint8_t c = 0; c < TWX_PAGE_CLASSES; c++)
        if (twx_slice_eq(class, twx_slice_of(TWX_PAGE_NAMES[c]))) one.class = c;
    if (one.class == TWX_PAGE_CLASSES)
        return wrong(r, "the class is not one of page error challenge login consent listing empty");
    if (!twx_slice_integer(words, &number) || number < 0 || number > TWX_PAGE_WORDS)
        return wrong(r, "the number of words is not in 0..250");
    one.words = (uint32_t)number;
    /* an exception alone makes no page of anything else */
    const bool is_page = one.class == TWX_PAGE_PAGE;
    twx_rc rc = read_regex(r, title, is_page ? NULL : &r->titles, &one.title);
    twx_buf *const texts = &r->texts[one.words > LIMITS[0]];
    if (rc == TWX_OK && !one.title && one.words > LIMITS[1])
        rc = wrong(r, "a pattern without a title has at most 150 words");
    if (rc == TWX_OK)
        rc = read_regex(r, twx_slice_trim(text), one.title || is_page ? NULL : texts, &one.text);
    if (rc == TWX_OK && !one.title && !one.text) rc = wrong(r, "neither title nor text is asked");
    if (rc == TWX_OK) rc = twx_arena_copy(r->cx, &p->names, system, &one.system);
    if (rc == TWX_OK && !TWX_VEC_PUSH(r->cx, &p->at, one)) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) return TWX_OK;
    pcre2_code_free(one.title);
    pcre2_code_free(one.text);
    return rc;
}

static twx_rc compile_all(reader *r, const twx_buf *all, pcre2_code **ret_code) {
    twx_rc rc = all->n ? expand(r, twx_buf_slice(all), true) : TWX_OK;
    return rc == TWX_OK && all->n ? compile(r, twx_buf_slice(&r->regex), true, ret_code) : rc;
}

static twx_rc finish(reader *r, twx_page_patterns *p) {
    pcre2_general_context *general = pcre2_general_context_create(pcre_malloc, pcre_free, r->cx);
    if (general) p->limits = pcre2_match_context_create(general);
    pcre2_general_context_free(general);
    if (!p->limits) return twx_fail(r->cx, TWX_E_NOMEM, "out of memory in a pattern of pages");
    pcre2_set_match_limit(p->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(p->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(p->limits, HEAP_KIB);
    twx_rc rc = compile_all(r, &r->titles, &p->titles);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(LIMITS); i++)
        rc = compile_all(r, &r->texts[i], &p->texts[i]);
    return rc;
}

twx_rc twx_page_patterns_parse(twx_ctx *cx, const twx_page_file *files, size_t n,
                               twx_page_patterns **ret_patterns) {
    reader r = {.cx = cx};
    twx_page_patterns *p = twx_calloc(cx, 1, sizeof *p);
    if (!p) return TWX_E_NOMEM;
    twx_arena_init(&p->names, 1 << 14);
    twx_buf_init(&r.regex, ALL_BYTES);
    twx_buf_init(&r.titles, ALL_BYTES);
    for (size_t i = 0; i < TWX_COUNTOF(LIMITS); i++) twx_buf_init(&r.texts[i], ALL_BYTES);
    p->fingerprint = TWX_PAGE_VERSION;
    twx_rc rc = TWX_OK;
    for (size_t f = 0; rc == TWX_OK && f < n; f++) {
        r.name = files[f].name;
        r.line = 0;
        for (size_t at = 0, end; rc == TWX_OK && at < files[f].text.n; at = end + 1) {
            end = twx_slice_find(files[f].text, '\n', at);
            const twx_slice line = twx_slice_trim(twx_slice_sub(files[f].text, at, end));
            r.line++;
            if (line.n == 0 || line.p[0] == '#') continue;
            rc = read_line(&r, line, p);
            p->fingerprint = twx_hash64(line, p->fingerprint);
        }
    }
    if (rc == TWX_OK) rc = finish(&r, p);
    for (size_t i = 0; i < r.lists.n; i++) twx_buf_done(&r.lists.at[i].alternatives);
    TWX_VEC_DONE(&r.lists);
    twx_buf_done(&r.regex);
    twx_buf_done(&r.titles);
    for (size_t i = 0; i < TWX_COUNTOF(LIMITS); i++) twx_buf_done(&r.texts[i]);
    if (rc == TWX_OK)
        *ret_patterns = p;
    else
        twx_page_patterns_close(p);
    return rc;
}

void twx_page_patterns_close(twx_page_patterns *p) {
    if (!p) return;
    for (size_t i = 0; i < p->at.n; i++) {
        pcre2_code_free(p->at.at[i].title);
        pcre2_code_free(p->at.at[i].text);
    }
    TWX_VEC_DONE(&p->at);
    pcre2_code_free(p->titles);
    for (size_t i = 0; i < TWX_COUNTOF(LIMITS); i++) pcre2_code_free(p->texts[i]);
    pcre2_match_context_free(p->limits);
    twx_arena_done(&p->names);
    twx_free(p);
}

uint64_t twx_page_patterns_fingerprint(const twx_page_patterns *p) {
    return p ? p->fingerprint : 0;
}

/* ---- pages ---------------------------------------------------------------- */

/* The words of a title or text, lower-cased and with one blank between them, as far as there is
 * room. */
typedef struct words {
    char at[TEXT_BYTES];
    size_t bytes, n; /* n: all of its words */
} words;

/* Stops after `most` words. */
static twx_rc read_words(twx_ctx *cx, twx_slice text, size_t room, size_t most, words *w) {
    twx_tokens tokens;
    twx_token token;
    size_t bytes = 0;
    twx_rc rc = TWX_OK;
    w->bytes = w->n = 0;
    twx_tokens_init(&tokens);
    twx_tokens_start(&tokens, text);
    while (w->n <= most && (rc = twx_tokens_next(cx, &tokens, &token)) == TWX_OK) {
        const size_t blank = w->bytes > 0;
        w->n++;
        bytes += token.text.n + 1;
        if (w->bytes + blank + token.text.n > room) continue;
        if (blank) w->at[w->bytes++] = ' ';
        memcpy(w->at + w->bytes, token.text.p, token.text.n);
        w->bytes += token.text.n;
    }
    twx_tokens_done(&tokens);
    if (bytes / WORD_BYTES > w->n) w->n = bytes / WORD_BYTES;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_slice slice_of(const words *w) {
    return (twx_slice){w->at, w->bytes};
}

/* Does a pattern match? One that exceeds a limit does not. NULL: it does, if `otherwise`. */
static bool matches(const twx_page_patterns *p, const pcre2_code *code, pcre2_match_data *match,
                    twx_slice s, bool otherwise) {
    return code ? pcre2_match(code, (PCRE2_SPTR)s.p, s.n, 0, 0, match, p->limits) >= 0 : otherwise;
}

static const pattern *find(const twx_page_patterns *p, pcre2_match_data *match, twx_slice title,
                           const words *text) {
    const twx_slice s = slice_of(text), start = twx_slice_sub(s, 0, START_BYTES);
    const bool by_title = matches(p, p->titles, match, title, false);
    bool may = by_title;
    for (size_t i = 0; !may && i < TWX_COUNTOF(LIMITS); i++)
        may = text->n <= LIMITS[i] && matches(p, p->texts[i], match, start, false);
    if (!may) return NULL;
    for (size_t i = 0; i < p->at.n; i++) {
        const pattern *one = &p->at.at[i];
        if (text->n <= one->words && (by_title || !one->title || one->class == TWX_PAGE_PAGE) &&
            matches(p, one->title, match, title, true) &&
            matches(p, one->text, match, one->title ? s : start, true))
            return one;
    }
    return NULL;
}

/* Is a word of the title part of the URL? Other scripts than that of URLs are taken to be. */
static bool is_echoed(const words *title, twx_slice url) {
    bool has_words = false;
    for (size_t at = 0, end; at < title->bytes; at = end + 1) {
        end = twx_slice_find(slice_of(title), ' ', at);
        bool ascii = end - at >= ECHO_BYTES;
        for (size_t i = at; ascii && i < end; i++) ascii = (unsigned char)title->at[i] < 0x80;
        has_words |= ascii;
        if (ascii && memmem(url.p, url.n, title->at + at, end - at)) return true;
    }
    return !has_words;
}

/* What the patterns say of the two, without the URL. */
static twx_rc look(twx_ctx *cx, const twx_page_patterns *p, const twx_document *doc,
                   const words *title, twx_page_finding *kind) {
    words text;
    const twx_rc rc = read_words(cx, doc->text, TEXT_BYTES, TWX_PAGE_WORDS, &text);
    if (rc != TWX_OK || text.n > TWX_PAGE_WORDS) return rc;
    pcre2_general_context *general = pcre2_general_context_create(pcre_malloc, pcre_free, cx);
    pcre2_match_data *match = general ? pcre2_match_data_create(1, general) : NULL;
    pcre2_general_context_free(general);
    if (!match) return twx_fail(cx, TWX_E_NOMEM, "out of memory in a pattern of pages");
    /* without a title, the beginning of the text takes its place */
    const pattern *found = find(
        p, match, title->n ? slice_of(title) : twx_slice_sub(slice_of(&text), 0, TITLE_BYTES),
        &text);
    pcre2_match_data_free(match);
    *kind = (twx_page_finding){.class = found    ? found->class
                                        : text.n ? TWX_PAGE_PAGE
                                                 : TWX_PAGE_EMPTY,
                               .system = found ? found->system : TWX_SLICE_LIT(""),
                               .is_short = text.n > 0 && title->n > 0};
    return TWX_OK;
}

twx_rc twx_page_class_of(twx_ctx *cx, const twx_page_patterns *p, twx_page_memo *memo,
                         const twx_document *doc, twx_page_finding *ret_kind) {
    twx_page_finding kind = {.class = TWX_PAGE_PAGE};
    words title, url;
    if (!p || doc->text.n > RAW_BYTES) {
        *ret_kind = kind;
        return TWX_OK;
    }
    const twx_slice start = twx_slice_sub(doc->title, 0, 4 * TITLE_BYTES);
    twx_rc rc = read_words(cx, start, TITLE_BYTES, SIZE_MAX - 1, &title);
    const uint64_t key = memo ? twx_hash64(doc->text, twx_hash64(start, memo->seed)) : 0;
    struct twx_remembered_page *known = memo ? &memo->at[key % TWX_COUNTOF(memo->at)] : NULL;
    const bool is_known = known && known->is_set && known->key == key;
    if (is_known)
        kind = known->found;
    else if (rc == TWX_OK)
        rc = look(cx, p, doc, &title, &kind);
    if (rc == TWX_OK && known)
        *known = (struct twx_remembered_page){.key = key, .found = kind, .is_set = true};
    kind.is_short = kind.is_short && doc->url && doc->url->whole.p;
    if (rc == TWX_OK && kind.is_short) {
        const twx_slice path = {doc->url->path.p, doc->url->path.n};
        rc = read_words(cx, path, TEXT_BYTES, SIZE_MAX - 1, &url);
        kind.is_echoed = is_echoed(&title, slice_of(&url));
    }
    if (rc == TWX_OK) *ret_kind = kind;
    return rc;
}
