/* Payloads of the row alignment, made of words. */
#ifndef TWINDEX_TEST_ALIGNMENT_PAYLOADS_H
#define TWINDEX_TEST_ALIGNMENT_PAYLOADS_H

#include "near_texts.h"

#include <math.h>

#include "sign/internal.h"

enum {
    WORDS = TWX_ALIGNMENT_WORDS,
    BYTES = TWX_ALIGNMENT_BYTES,
    LEVEL_AT = 8,
    WIDE_AT = 9,
    CLASSES_AT = 10,
    KEPT_AT = 25,
    SHORT = 100, /* words; a longer text's payload ends with its sketch */
    SKETCH = TWX_SKETCH_BYTES,
    MILLION = 1000000
};
enum { TEXT_MAX = 4000 };

typedef struct text {
    uint64_t word[TEXT_MAX];
    size_t n;
} text;

typedef struct payload {
    char p[BYTES];
    size_t n;
} payload;

static inline payload payload_of_worded(const twx_worded *worded) {
    uint64_t *pairs = malloc(worded->n * sizeof *pairs);
    unsigned char out[BYTES];
    payload made;
    assert_non_null(pairs);
    made.n = twx_alignment_of(worded, pairs, out);
    memcpy(made.p, out, made.n);
    free(pairs);
    return made;
}

/* The other characters are blanks. */
static inline payload payload_with(const uint64_t *words, size_t n, size_t chars, size_t letters) {
    return payload_of_worded(&(twx_worded){words, n, letters, 0, {chars - letters}});
}

/* Payload of words that fill the whole text, written into a block without slack. */
static inline payload payload_of(const uint64_t *words, size_t n, size_t chars) {
    return payload_with(words, n, chars, chars);
}

static inline int32_t compare(const payload *a, const payload *b, uint32_t least) {
    return twx_alignment_similarity((twx_slice){a->p, a->n}, (twx_slice){b->p, b->n}, least);
}

/* The bytes of a payload that keeps n words of a text of `all` words. */
static inline size_t bytes_of(size_t all, size_t n) {
    return KEPT_AT + n + (all <= SHORT ? (n + 3) / 4 : SKETCH);
}

/* The sketch of a text, from its words. */
static inline void plain_sketch(const uint64_t *words, size_t n, unsigned char ret_sketch[SKETCH]) {
    uint64_t *pairs = malloc(n * sizeof *pairs);
    assert_non_null(pairs);
    pairs[0] = 1 << 20 | words[0] % 1024;
    for (size_t i = 0; i + 1 < n; i++) pairs[i] = words[i] % 1024 * 1024 + words[i + 1] % 1024;
    twx_pair_sketch_of(pairs, n > 1 ? n - 1 : 1, ret_sketch);
    free(pairs);
}

/* The sketch that a payload contains or is made of. */
static inline const unsigned char *sketch_of(const payload *p, unsigned char room[SKETCH]) {
    bool is_short = false;
    const unsigned char *sketch = TWX_DETECTOR_ALIGNMENT.sketch((twx_slice){p->p, p->n}, room,
                                                                &is_short);
    assert_non_null(sketch);
    assert_true(is_short == (sketch == room));
    return sketch;
}

static inline unsigned level_of(const payload *p) {
    return (unsigned char)p->p[LEVEL_AT];
}

/* The content of a payload: its characters, its letters and those beyond ASCII; the shares of
 * the classes of the others, in 255ths; the sketch. */
typedef struct plain_text {
    double chars, letters, wide, share[TWX_ALIGNMENT_CLASSES], sketch[SKETCH];
} plain_text;

/* differ: the share of the words of the text with fewer letters that is not aligned; common: of its
 * pairs of words, those that the other has, or -1 when the words are no sample. */
static inline double plain_estimate(const plain_text *a, const plain_text *b, double differ,
                                    double common) {
    const double all = a->chars + b->chars, l = fmin(a->letters, b->letters);
    const double k = floor(fmin(a->wide, b->wide) +
                           fmin(a->letters - a->wide, b->letters - b->wide) + 1e-9);
    const double oa = a->chars - a->letters, ob = b->chars - b->letters;
    double m = 0;
    for (size_t i = 0; i < TWX_ALIGNMENT_CLASSES; i++)
        m += fmin(oa * a->share[i], ob * b->share[i]) / 255;
    m = fmin(floor(m + 1e-9), fmin(oa, ob));
    const double r = 2 * (k + m) / all, x = 2 * (fmin(oa, ob) - m) / all;
    const double broken = common < 0 ? 0 : (1 - common) / 2;
    const double d = fmax(0, 2 * (l * (fmax(differ, broken) + broken / 10) - (l - k)) / all);
    const double doubt = common < 0 ? 0 : 0.3 * (1 - r) + 0.5 * x;
    return fmax(0, r - 2 * x - 0.65 * d - 1.2 * pow(fmin(d, 0.22), 2) - doubt);
}

/* Two texts in ASCII whose other characters are of one class. */
static inline double plain_of(double chars_a, double letters_a, double chars_b, double letters_b,
                              double differ) {
    const plain_text a = {.chars = chars_a, .letters = letters_a, .share = {255}};
    const plain_text b = {.chars = chars_b, .letters = letters_b, .share = {255}};
    return plain_estimate(&a, &b, differ, -1);
}

#endif
