/* Random texts and near-duplicates of them, for the tests of detectors that compare texts. */
#ifndef NEAR_TEXTS_H
#define NEAR_TEXTS_H

#include "detect_fixture.h"

enum { NEAR_WORDS_MAX = 4000, NEAR_WORD_BYTES = 9 };

/* Words as numbers; each becomes eight letters and a blank. */
typedef struct near_text {
    uint32_t word[NEAR_WORDS_MAX];
    size_t n;
    char bytes[NEAR_WORDS_MAX * NEAR_WORD_BYTES];
} near_text;

static inline twx_slice near_text_bytes(near_text *t) {
    char *out = t->bytes;
    for (size_t i = 0; i < t->n; i++) {
        for (unsigned shift = 0; shift < 32; shift += 4)
            *out++ = (char)('a' + (t->word[i] >> shift & 15));
        *out++ = ' ';
    }
    return (twx_slice){t->bytes, (size_t)(out - t->bytes)};
}

static inline void near_text_random(near_text *t, test_rng *rng, size_t n) {
    t->n = n;
    for (size_t i = 0; i < n; i++) t->word[i] = (uint32_t)test_rng_next(rng);
}

/* A copy in which `edits` words, far from each other when there is room, are others. */
static inline void near_text_edited(near_text *t, const near_text *from, test_rng *rng,
                                    size_t edits) {
    t->n = from->n;
    memcpy(t->word, from->word, from->n * sizeof *t->word);
    for (size_t i = 0; i < edits; i++)
        t->word[(2 * i + 1) * t->n / (2 * edits)] = (uint32_t)test_rng_next(rng);
}

typedef struct near_signed {
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    size_t n; /* 0: no signature */
    twx_key first;
    char payload[1 << 14];
    size_t payload_n;
} near_signed;

static inline twx_slice near_payload(const near_signed *s) {
    return (twx_slice){s->payload, s->payload_n};
}

/* The candidate keys and the payload. The text is signed from a block without slack. */
static inline void near_sign(fixture *f, const twx_detector *d, twx_slice text,
                             near_signed *ret_signed) {
    twx_signature *s = &f->signature;
    char *exact = test_exact(text.p, text.n);
    const twx_document doc = {.text = {exact, text.n}};
    s->keys.n = 0;
    s->payload = (twx_slice){NULL, 0};
    assert_int_equal(d->sign(&f->cx, f->w, &f->params, &doc, s), TWX_OK);
    assert_true(s->payload.n <= sizeof ret_signed->payload && s->keys.n <= TWX_CANDIDATE_KEYS_MAX);
    ret_signed->n = s->keys.n;
    ret_signed->payload_n = s->payload.n;
    if (s->payload.n) memcpy(ret_signed->payload, s->payload.p, s->payload.n);
    if (s->keys.n) {
        ret_signed->first = s->keys.at[0];
        memcpy(ret_signed->keys, s->keys.at, s->keys.n * sizeof *s->keys.at);
        const twx_signed from = {s->keys.at[0], near_payload(ret_signed)};
        if (d->candidates) ret_signed->n = d->candidates(&f->params, &from, ret_signed->keys);
    }
    twx_workspace_reset(f->w);
    free(exact);
}

static inline void near_sign_both(fixture *f, const twx_detector *d, near_text *a, near_text *b,
                                  near_signed *ret_a, near_signed *ret_b) {
    near_sign(f, d, near_text_bytes(a), ret_a);
    near_sign(f, d, near_text_bytes(b), ret_b);
}

static inline size_t near_common_keys(const near_signed *a, const near_signed *b) {
    size_t common = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            common += a->keys[i].key == b->keys[j].key && a->keys[i].check == b->keys[j].check;
    return common;
}

static inline bool near_same(const near_signed *a, const near_signed *b) {
    return a->n == b->n && memcmp(a->keys, b->keys, a->n * sizeof *a->keys) == 0 &&
           twx_slice_eq(near_payload(a), near_payload(b));
}

/* Fails when a share of `trials` is farther from p than chance explains: five standard deviations.
 */
static inline void near_assert_share(size_t hits, size_t trials, double p, const char *what) {
    const double expected = p * (double)trials, off = (double)hits - expected,
                 variance = expected * (1 - p) + 0.25;
    if (off * off > 25 * variance)
        fail_msg("%s: %zu of %zu, expected %.1f (+- %.1f deviations squared)", what, hits, trials,
                 expected, off * off / variance);
}

typedef int32_t near_resemblance(twx_slice a, twx_slice b);

/* An edit costs the parts around it: some edited texts verify, and those share a key; other texts
 * do neither. Returns the sum of what the others resemble each other, if that is asked for. */
static inline int64_t near_expect_copies(fixture *f, const twx_detector *d, size_t trials,
                                         near_resemblance *resemblance) {
    static near_text a, b;
    static near_signed x, y;
    size_t pairs = 0, shared = 0;
    int64_t strangers = 0;
    for (uint64_t seed = 1; seed <= trials; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&a, &rng, 300 + test_rng_below(&rng, 500));
        near_text_edited(&b, &a, &rng, 1 + test_rng_below(&rng, 12));
        near_sign(f, d, near_text_bytes(&a), &x);
        near_sign(f, d, near_text_bytes(&b), &y);
        const int32_t similarity = d->verify(&f->params, near_payload(&x), near_payload(&y));
        assert_int_equal(similarity, d->verify(&f->params, near_payload(&y), near_payload(&x)));
        assert_int_equal(d->verify(&f->params, near_payload(&x), near_payload(&x)), 1000000);
        pairs += similarity >= 0;
        shared += similarity >= 0 && near_common_keys(&x, &y) > 0;
        near_text_random(&b, &rng, 300);
        near_sign(f, d, near_text_bytes(&b), &y);
        assert_int_equal(d->verify(&f->params, near_payload(&x), near_payload(&y)), -1);
        assert_int_equal(near_common_keys(&x, &y), 0);
        if (resemblance) strangers += resemblance(near_payload(&x), near_payload(&y));
    }
    assert_true(pairs > 300 && pairs < trials); /* both sides of the threshold */
    assert_int_equal(shared, pairs);            /* misses one in a million */
    return strangers;
}

/* No text has no signature; a text of one letter has a payload of `one` bytes, and a long one that
 * repeats a letter has at most `most` and is like itself. */
static inline void near_expect_any_text(fixture *f, const twx_detector *d, size_t one,
                                        size_t most) {
    static char same[100000];
    static near_signed s;
    near_sign(f, d, (twx_slice){NULL, 0}, &s);
    assert_int_equal(s.n, 0);
    near_sign(f, d, TWX_SLICE_LIT("x"), &s);
    assert_true(s.n > 0);
    assert_int_equal(s.payload_n, one);
    memset(same, 'a', sizeof same);
    near_sign(f, d, (twx_slice){same, sizeof same}, &s);
    assert_true(s.payload_n <= most);
    assert_int_equal(d->verify(&f->params, near_payload(&s), near_payload(&s)), 1000000);
}

#endif
