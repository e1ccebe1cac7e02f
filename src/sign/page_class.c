#include "sign/internal.h"

/* Most pages are longer than any pattern permits, and are not looked at. */

enum {
    RAW_BYTES = 4096,  /* a longer text is a page */
    TITLE_BYTES = 240, /* of words that are looked at */
    TEXT_BYTES = 2048,
    WORD_BYTES = 16, /* so many bytes count as a word: there are languages without blanks */
    ECHO_BYTES = 3   /* words of a title with fewer say nothing */
};

const char *const TWX_PAGE_NAMES[TWX_PAGE_CLASSES + 1] = {
    "page", "error", "challenge", "login", "consent", "listing", "empty", NULL};

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

/* ---- words ---------------------------------------------------------------- */

/* The words of a title or text, lower-cased, one blank between them, as far as there is room. */
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

/* ---- pages ---------------------------------------------------------------- */

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
static twx_rc look(twx_ctx *cx, twx_page_patterns *p, twx_class_memo *memo, const twx_document *doc,
                   const words *title, twx_page_finding *kind) {
    words text;
    twx_rc rc = read_words(cx, doc->text, TEXT_BYTES, TWX_PAGE_WORDS, &text);
    if (rc != TWX_OK || text.n > TWX_PAGE_WORDS) return rc;
    *kind = (twx_page_finding){.class = text.n ? TWX_PAGE_PAGE : TWX_PAGE_EMPTY,
                               .system = TWX_SLICE_LIT(""),
                               .is_short = text.n > 0 && title->n > 0};
    /* without a title, the beginning of the text takes its place */
    const twx_slice lead = title->n ? slice_of(title)
                                    : twx_slice_sub(slice_of(&text), 0, TITLE_BYTES);
    return twx_page_patterns_find(cx, p, memo, lead, slice_of(&text), text.n, kind);
}

twx_rc twx_page_class_of(twx_ctx *cx, twx_page_patterns *p, twx_class_memo *memo,
                         const twx_document *doc, twx_page_finding *ret_kind) {
    twx_page_finding kind = {.class = TWX_PAGE_PAGE};
    words title, url;
    if (!p || doc->text.n > RAW_BYTES) {
        *ret_kind = kind;
        return TWX_OK;
    }
    const twx_slice start = twx_slice_sub(doc->title, 0, 4 * TITLE_BYTES);
    twx_rc rc = read_words(cx, start, TITLE_BYTES, SIZE_MAX - 1, &title);
    const uint64_t key = twx_hash64(doc->text, twx_hash64(start, memo->seed));
    struct twx_remembered_page *known = &memo->at[key % TWX_COUNTOF(memo->at)];
    if (known->is_set && known->key == key)
        kind = known->found;
    else if (rc == TWX_OK)
        rc = look(cx, p, memo, doc, &title, &kind);
    if (rc == TWX_OK)
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
