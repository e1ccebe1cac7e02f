/* The default is a loop over a table of bytes. A configured pattern is matched by PCRE2, which
 * brings three dangers: a pattern that backtracks without end, one that scans the whole text for
 * each match, and one that matches without advancing. Limits, windows and a check of progress
 * prevent them, in this order. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/sentences.h"

#include <pcre2.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"

#define DEFAULT_END "[.!?\\r\\n]+"
enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 1000, HEAP_KIB = 1024 };
enum { JIT_STACK_FIRST = 32 << 10, JIT_STACK_MAX = 512 << 10 };

static const bool ENDS[256] = {
    ['.'] = true, ['!'] = true, ['?'] = true, ['\r'] = true, ['\n'] = true};

struct twx_sentences {
    pcre2_code *end; /* NULL: the default */
    pcre2_match_data *match;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack;
    twx_ctx *cx;   /* of the current call, for PCRE2's allocations */
    bool starved;  /* an allocation of PCRE2 failed */
    bool given_up; /* the pattern exceeded a limit in this text */
    twx_slice text;
    size_t at; /* start of the next sentence */
};

static void *pcre_malloc(size_t bytes, void *sentences) {
    twx_sentences *s = sentences;
    void *p = twx_malloc(s->cx, bytes);
    if (!p) s->starved = true;
    return p;
}

static void pcre_free(void *p, void *sentences) {
    (void)sentences;
    twx_free(p);
}

static bool is_default(const char *pattern) {
    return !pattern || !pattern[0] || strcmp(pattern, DEFAULT_END) == 0;
}

static twx_rc out_of_memory(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_NOMEM, "out of memory for text.sentence_end");
}

/* Sets every option that otherwise depends on how PCRE2 was built, so that all machines split
 * alike. */
static twx_rc compile(twx_ctx *cx, const char *pattern, pcre2_general_context *general,
                      twx_sentences *s) {
    const size_t n = strnlen(pattern, TWX_SENTENCE_PATTERN_MAX + 1);
    int error = 0;
    PCRE2_SIZE at = 0;
    if (n > TWX_SENTENCE_PATTERN_MAX)
        return twx_fail(cx, TWX_E_CONFIG, "text.sentence_end: longer than %d bytes",
                        TWX_SENTENCE_PATTERN_MAX);
    if (strncmp(pattern, "(*", 2) == 0)
        return twx_fail(cx, TWX_E_CONFIG,
                        "text.sentence_end: '" TWX_SLICE_FMT "' must not begin with (*",
                        TWX_SLICE_ARG(twx_slice_of(pattern)));
    pcre2_compile_context *context = pcre2_compile_context_create(general);
    if (!context) return out_of_memory(cx);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pcre2_set_bsr(context, PCRE2_BSR_UNICODE);
    s->end = pcre2_compile((PCRE2_SPTR)pattern, n,
                           PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_USE_OFFSET_LIMIT |
                               PCRE2_NEVER_BACKSLASH_C,
                           &error, &at, context);
    pcre2_compile_context_free(context);
    if (s->starved) return out_of_memory(cx);
    if (s->end) return TWX_OK;
    PCRE2_UCHAR reason[128];
    pcre2_get_error_message(error, reason, sizeof reason);
    return twx_fail(cx, TWX_E_CONFIG, "text.sentence_end: '" TWX_SLICE_FMT "', at byte %zu: %s",
                    TWX_SLICE_ARG(twx_slice_of(pattern)), at + 1, (const char *)reason);
}

static twx_rc prepare(twx_ctx *cx, pcre2_general_context *general, twx_sentences *s) {
    /* on failure the interpreter does the work */
    (void)pcre2_jit_compile(s->end, PCRE2_JIT_COMPLETE);
    s->match = pcre2_match_data_create(1, general);
    s->limits = pcre2_match_context_create(general);
    /* NULL: PCRE2 uses 32 KiB of the thread's stack */
    s->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MAX, general);
    if (!s->match || !s->limits || s->starved) return out_of_memory(cx);
    pcre2_set_match_limit(s->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(s->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(s->limits, HEAP_KIB);
    pcre2_jit_stack_assign(s->limits, NULL, s->stack);
    return TWX_OK;
}

twx_rc twx_sentences_open(twx_ctx *cx, const char *pattern, twx_sentences **ret_sentences) {
    twx_rc rc = TWX_OK;
    pcre2_general_context *general = NULL;
    twx_sentences *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->cx = cx;
    if (!is_default(pattern)) {
        general = pcre2_general_context_create(pcre_malloc, pcre_free, s);
        rc = general ? compile(cx, pattern, general, s) : out_of_memory(cx);
        if (rc == TWX_OK) rc = prepare(cx, general, s);
    }
    if (rc != TWX_OK) goto out;
    *ret_sentences = s;
    s = NULL;
out:
    pcre2_general_context_free(general);
    twx_sentences_close(s);
    return rc;
}

void twx_sentences_close(twx_sentences *s) {
    if (!s) return;
    pcre2_jit_stack_free(s->stack);
    pcre2_match_data_free(s->match);
    pcre2_match_context_free(s->limits);
    pcre2_code_free(s->end);
    twx_free(s);
}

void twx_sentences_start(twx_sentences *s, twx_slice text) {
    s->text = text;
    s->at = 0;
    s->given_up = false;
}

static void cut_default(twx_sentences *s, twx_slice *ret_piece) {
    const char *const p = s->text.p;
    size_t end = s->at, next;
    while (end < s->text.n && !ENDS[(unsigned char)p[end]]) end++;
    for (next = end; next < s->text.n && ENDS[(unsigned char)p[next]];) next++;
    *ret_piece = twx_slice_sub(s->text, s->at, end);
    s->at = next;
}

/* PCRE2 requires that matching starts at a character (pcre2api); invalid bytes match nothing. */
static size_t skip_continuation(twx_slice text, size_t at) {
    while (at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80) at++;
    return at;
}

/* The first match from s->at on, window by window. Lookbehinds see the text from its beginning.
 * TWX_DONE: there is none. TWX_E_LIMIT, without a message: PCRE2 gave up. */
static twx_rc find(twx_sentences *s, size_t *ret_start, size_t *ret_end) {
    const twx_slice text = s->text;
    for (size_t at = s->at;; at += TWX_SENTENCE_WINDOW - TWX_SENTENCE_END_MAX + 1) {
        at = skip_continuation(text, at);
        if (at >= text.n) return TWX_DONE;
        const bool last = text.n - at <= TWX_SENTENCE_WINDOW;
        const size_t stop = last ? text.n : at + TWX_SENTENCE_WINDOW;
        pcre2_set_offset_limit(s->limits, last ? PCRE2_UNSET : stop - TWX_SENTENCE_END_MAX);
        int found = pcre2_match(s->end, (PCRE2_SPTR)text.p, stop, at,
                                PCRE2_NOTEMPTY | (last ? 0 : PCRE2_NOTEOL), s->match, s->limits);
        if (found == PCRE2_ERROR_NOMATCH && last) return TWX_DONE;
        if (found == PCRE2_ERROR_NOMATCH) continue;
        const PCRE2_SIZE *pair = pcre2_get_ovector_pointer(s->match);
        if (found < 0 || pair[0] < s->at || pair[1] <= pair[0]) return TWX_E_LIMIT;
        *ret_start = pair[0];
        *ret_end = pair[1];
        return TWX_OK;
    }
}

static twx_rc cut(twx_ctx *cx, twx_sentences *s, twx_slice *ret_piece) {
    size_t start = s->text.n, end = s->text.n;
    twx_rc rc = TWX_E_LIMIT;
    s->cx = cx;
    if (s->end && !s->given_up) rc = find(s, &start, &end);
    if (s->starved) {
        s->starved = false;
        return out_of_memory(cx);
    }
    if (rc == TWX_E_LIMIT) {
        s->given_up = true;
        cut_default(s, ret_piece);
        return TWX_OK;
    }
    *ret_piece = twx_slice_sub(s->text, s->at, start);
    s->at = end;
    return TWX_OK;
}

twx_rc twx_sentences_next(twx_ctx *cx, twx_sentences *s, twx_slice *ret_sentence) {
    while (s->at < s->text.n) {
        twx_slice piece = {NULL, 0};
        twx_rc rc = cut(cx, s, &piece);
        if (rc != TWX_OK) return rc;
        piece = twx_slice_trim(piece);
        if (piece.n == 0) continue;
        *ret_sentence = piece;
        return TWX_OK;
    }
    return TWX_DONE;
}

uint64_t twx_sentences_fingerprint(const char *pattern) {
    return twx_hash64(twx_slice_of(is_default(pattern) ? DEFAULT_END : pattern), 0);
}
