/* Up to the first NUL: a pattern, the default when there is none; after it: a text. Laws: a
 * pattern is taken or refused with a message; no text fails; sentences lie in the text in its
 * order, are not empty and have no white space at their ends; they are the same twice; between
 * those of the default lies nothing but ends and white space. */
#include "exact_copy.h"

#include "text/text.h"

enum { PATTERN_MAX = 200, TEXT_MAX = 20000 }; /* longer ones show nothing new, and more slowly */

static bool is_end(char c) {
    return memchr(".!?\r\n", c, 5) != NULL;
}

static bool is_gap(twx_slice gap) {
    for (size_t i = 0; i < gap.n; i++)
        if (!twx_is_space((unsigned char)gap.p[i]) && !is_end(gap.p[i])) return false;
    return true;
}

static bool has_end(twx_slice sentence) {
    for (size_t i = 0; i < sentence.n; i++)
        if (is_end(sentence.p[i])) return true;
    return false;
}

/* An order-dependent sum of where the sentences are. */
static uint64_t walk(twx_ctx *cx, twx_sentences *s, twx_slice text, bool by_default) {
    twx_slice sentence;
    twx_rc rc;
    uint64_t sum = 0;
    size_t at = 0;
    twx_sentences_start(s, text);
    while ((rc = twx_sentences_next(cx, s, &sentence)) == TWX_OK) {
        const size_t from = (size_t)(sentence.p - text.p);
        law(sentence.n > 0 && from >= at && from + sentence.n <= text.n);
        law(!twx_is_space((unsigned char)sentence.p[0]) &&
            !twx_is_space((unsigned char)sentence.p[sentence.n - 1]));
        law(!by_default || (is_gap(twx_slice_sub(text, at, from)) && !has_end(sentence)));
        at = from + sentence.n;
        sum = sum * 1000003 + from * 31 + sentence.n;
    }
    law(rc == TWX_DONE && cx->rc == TWX_OK);
    law(!by_default || is_gap(twx_slice_sub(text, at, text.n)));
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    const size_t pattern_n = nul ? (size_t)(nul - data) : 0, from = nul ? pattern_n + 1 : 0;
    const size_t n = size - from;
    if (pattern_n > PATTERN_MAX || n > TEXT_MAX) return 0;
    const twx_slice text = exact_copy(data + from, n),
                    pattern = exact_copy(nul ? data : (const uint8_t *)"", pattern_n + 1);
    twx_sentences *s = NULL;
    twx_ctx cx = {0};
    twx_rc rc = twx_sentences_open(&cx, pattern.p, &s);
    law(rc == TWX_OK ||
        (rc == TWX_E_CONFIG && !s && strncmp(cx.message, "text.sentence_end: ", 19) == 0));
    if (s) law(walk(&cx, s, text, pattern_n == 0) == walk(&cx, s, text, pattern_n == 0));
    twx_sentences_close(s);
    return exact_end();
}
