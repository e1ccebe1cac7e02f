/* What the tests of the detectors that look at sentences share. */
#ifndef SENTENCE_TEXTS_H
#define SENTENCE_TEXTS_H

#include "detect_fixture.h"

#include "text_fixture.h"

enum { HUGE_TEXT = 10 << 20, LARGE_TEXT = 1 << 20 };

/* "key check" of the parts, NULL ends them; "" of none. Borrowed until the next call. */
static inline const char *parts_hex(fixture *f, const char *const *parts) {
    static char hex[33];
    twx_slice slices[8];
    twx_key key;
    size_t n = 0;
    for (; parts[n]; n++) slices[n] = twx_slice_of(parts[n]);
    hex[0] = '\0';
    if (n == 0) return hex;
    assert_int_equal(twx_key_of_parts(&f->cx, f->w, slices, n, &key), TWX_OK);
    snprintf(hex, sizeof hex, "%016" PRIx64 "%016" PRIx64, key.key, key.check);
    twx_workspace_reset(f->w);
    return hex;
}

/* The text has one key: that of the parts. No parts: no key. */
typedef struct sentence_example {
    const char *text;
    const char *parts[3]; /* NULL after the last */
} sentence_example;

static inline void check_examples(fixture *f, const twx_detector *d,
                                  const sentence_example *examples, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char expected[33];
        memcpy(expected, parts_hex(f, examples[i].parts), sizeof expected);
        const char *hex = fixture_hex(f, d,
                                      &(twx_document){.text = twx_slice_of(examples[i].text)});
        if (strcmp(hex, expected) != 0)
            fail_msg("'%s': '%s', expected '%s'", examples[i].text, hex, expected);
    }
}

/* That many bytes of the piece over and over, and a NUL. Owned. */
static inline char *repeated(const char *piece, size_t bytes) {
    char *text = malloc(bytes + 1);
    const size_t n = strlen(piece);
    assert_non_null(text);
    for (size_t i = 0; i < bytes; i++) text[i] = piece[i % n];
    text[bytes] = '\0';
    return text;
}

/* Words of one letter repeated, so that their order is plain; some sentences repeat others. Owned.
 */
static inline char *random_sentences(test_rng *rng, size_t *ret_n) {
    static const char *const WORDS[] = {"aaaa",       "bbbb", "cccc",
                                        "dd",         "e",    "Aaaa",
                                        "ffffffffff", "with", "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F"};
    static const char *const GAPS[] = {" ",   "  ", ", ",  ". ",   ".",
                                       "!\n", "?",  " - ", "\xFF", " \xC2\xA0"};
    char text[PLAIN_TEXT_MAX];
    size_t n = 0, words = test_rng_below(rng, 120);
    for (size_t i = 0; i < words; i++) {
        const char *word = WORDS[test_rng_below(rng, TWX_COUNTOF(WORDS))];
        const char *gap = GAPS[test_rng_below(rng, test_rng_below(rng, 3) ? 3 : TWX_COUNTOF(GAPS))];
        memcpy(text + n, word, strlen(word));
        n += strlen(word);
        memcpy(text + n, gap, strlen(gap));
        n += strlen(gap);
    }
    *ret_n = n;
    return test_exact(text, n);
}

/* A sentence as the slow versions of methods have it, and their order: the heaviest first. */
typedef struct slow_sentence {
    char text[PLAIN_TEXT_MAX];
    size_t n;
    int64_t weight;
} slow_sentence;

static inline int slow_order(const void *a, const void *b) {
    const slow_sentence *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return twx_slice_cmp((twx_slice){x->text, x->n}, (twx_slice){y->text, y->n});
}

#endif
