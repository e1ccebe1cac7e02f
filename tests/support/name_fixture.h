/* Names of documents for the tests of sign/name.c and sign/repeated.c. */
#ifndef NAME_FIXTURE_H
#define NAME_FIXTURE_H

#include "detect_fixture.h"

static inline twx_name_words shown_name_of(fixture *f, const char *title, const char *headings,
                                           const char *names, const char *url) {
    twx_name_words w = {0};
    twx_url normal = {0};
    twx_arena arena = {0};
    if (url) assert_ok(twx_url_normalize(&f->cx, &arena, NULL, twx_slice_of(url), &normal));
    const twx_document doc = {.title = twx_slice_of(title),
                              .headings = twx_slice_of(headings),
                              .names = twx_slice_of(names),
                              .url = url ? &normal : NULL};
    f->signature.payload = (twx_slice){NULL, 0};
    assert_ok(TWX_DETECTOR_NAME.sign(&f->cx, f->w, &f->params, &doc, &f->signature));
    assert_int_equal(f->signature.keys.n, 0);
    twx_name_unpack(f->signature.payload, &w);
    twx_workspace_reset(f->w);
    twx_arena_done(&arena);
    return w;
}

static inline twx_name_words name_of(fixture *f, const char *title, const char *headings,
                                     const char *url) {
    return shown_name_of(f, title, headings, NULL, url);
}

static inline twx_name_words repeated_of(fixture *f, const char *text) {
    twx_name_words w = {0};
    f->signature.payload = (twx_slice){NULL, 0};
    assert_ok(TWX_DETECTOR_REPEATED.sign(
        &f->cx, f->w, &f->params, &(twx_document){.text = twx_slice_of(text)}, &f->signature));
    twx_repeated_unpack(f->signature.payload, &w);
    twx_workspace_reset(f->w);
    return w;
}

static inline uint32_t word_of(const char *word) {
    return twx_name_word(twx_slice_of(word));
}

static inline bool has(const twx_name_words *w, twx_name_part part, const char *word) {
    for (size_t i = 0; i < w->n[part]; i++)
        if (twx_name_word_meets(TWX_NAME_TITLE, word_of(word), part, twx_name_words_of(w, part)[i]))
            return true;
    return false;
}

/* The words of the part are these, separated by spaces, in this order. */
static inline void assert_part(const twx_name_words *w, twx_name_part part, const char *expected) {
    char words[512], *rest = NULL;
    size_t n = 0;
    snprintf(words, sizeof words, "%s", expected);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest), n++)
        if (n >= w->n[part] || !twx_name_word_meets(TWX_NAME_TITLE, word_of(word), part,
                                                    twx_name_words_of(w, part)[n]))
            fail_msg("word %zu %s of '%s' is not '%s'", n + 1, twx_name_part_text(part), expected,
                     word);
    if (n != w->n[part]) fail_msg("%u words, expected '%s'", w->n[part], expected);
}

#endif
