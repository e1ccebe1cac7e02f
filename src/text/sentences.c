/* PCRE2 works on bytes here: crawled text need not be UTF-8, and a byte-wise match never reads past a broken sequence. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/sentences.h"

#include <pcre2.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"

#define DEFAULT_END "[.!?\\r\\n]+"
enum { MATCH_LIMIT = 1000000, DEPTH_LIMIT = 10000, HEAP_KIB = 20000 };

struct twx_sentences {
    pcre2_code *end;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    twx_slice rest; /* what was not looked at yet; absent: nothing is left */
};

static const char *effective(const char *pattern) {
    return pattern && pattern[0] ? pattern : DEFAULT_END;
}

static twx_rc compile(twx_ctx *cx, const char *pattern, twx_sentences *s) {
    int error = 0;
    PCRE2_SIZE at = 0;
    PCRE2_UCHAR reason[128];
    s->end = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &error, &at, NULL);
    if (!s->end) {
        pcre2_get_error_message(error, reason, sizeof reason);
        return twx_fail(cx, TWX_E_CONFIG, "text.sentence_end: '%s', at character %zu: %s", pattern, at + 1,
                        (const char *)reason);
    }
    (void)pcre2_jit_compile(s->end, PCRE2_JIT_COMPLETE); /* without it the interpreter does the same */
    s->match = pcre2_match_data_create_from_pattern(s->end, NULL);
    s->limits = pcre2_match_context_create(NULL);
    if (!s->match || !s->limits) return twx_fail(cx, TWX_E_NOMEM, "out of memory for text.sentence_end");
    pcre2_set_match_limit(s->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(s->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(s->limits, HEAP_KIB);
    return TWX_OK;
}

twx_rc twx_sentences_open(twx_ctx *cx, const char *pattern, twx_sentences **ret_sentences) {
    twx_sentences *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    twx_rc rc = compile(cx, effective(pattern), s);
    if (rc != TWX_OK) goto out;
    *ret_sentences = s;
    s = NULL;
out:
    twx_sentences_close(s);
    return rc;
}

void twx_sentences_close(twx_sentences *s) {
    if (!s) return;
    pcre2_match_data_free(s->match);
    pcre2_match_context_free(s->limits);
    pcre2_code_free(s->end);
    twx_free(s);
}

void twx_sentences_start(twx_sentences *s, twx_slice text) {
    s->rest = text;
}

/* Cuts the next piece off the rest; what matched belongs to no piece. */
static twx_rc cut(twx_ctx *cx, twx_sentences *s, twx_slice *ret_piece) {
    twx_slice rest = s->rest;
    int found = pcre2_match(s->end, (PCRE2_SPTR)rest.p, rest.n, 0, PCRE2_NOTEMPTY, s->match, s->limits);
    if (found < 0 && found != PCRE2_ERROR_NOMATCH) {
        PCRE2_UCHAR reason[128];
        pcre2_get_error_message(found, reason, sizeof reason);
        return twx_fail(cx, TWX_E_LIMIT, "text.sentence_end: a text of %zu bytes: %s", rest.n, (const char *)reason);
    }
    if (found == PCRE2_ERROR_NOMATCH) {
        *ret_piece = rest;
        s->rest = (twx_slice){NULL, 0};
        return TWX_OK;
    }
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(s->match);
    *ret_piece = twx_slice_sub(rest, 0, at[0]);
    s->rest = twx_slice_sub(rest, at[1], rest.n);
    return TWX_OK;
}

twx_rc twx_sentences_next(twx_ctx *cx, twx_sentences *s, twx_slice *ret_sentence) {
    while (s->rest.n > 0) {
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
    return twx_hash64(twx_slice_of(effective(pattern)), 0);
}
