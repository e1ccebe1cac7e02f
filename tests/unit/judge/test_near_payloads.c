/* Payloads that are kept without their sketches compare like those that were added. */
#include "support.h"

#include "judge/near_payloads.h"
#include "method/alignment.h"
#include "method/detectors.h"

enum { TEXTS = 48, WORDS_MAX = 700, VOCABULARY = 90 };

typedef struct text {
    uint64_t word[WORDS_MAX];
    size_t n;
    unsigned char payload[TWX_ALIGNMENT_BYTES];
    size_t payload_n;
} text;

static twx_slice payload_of(const text *t) {
    return (twx_slice){(const char *)t->payload, t->payload_n};
}

static void sign(text *t, size_t wide) {
    uint64_t pairs[WORDS_MAX];
    t->payload_n = twx_alignment_of(&(twx_worded){t->word, t->n, 5 * t->n, wide, {t->n, t->n / 9}},
                                    pairs, t->payload);
}

/* Short texts, longer ones and sampled ones, each followed by one that differs from it in a few
 * words. */
static void make(text *texts) {
    static const size_t LENGTHS[] = {1, 12, 40, 99, 100, 101, 180, 256, 300, WORDS_MAX};
    test_rng rng = test_rng_seed(7);
    for (size_t i = 0; i < TEXTS; i++) {
        text *t = &texts[i];
        t->n = LENGTHS[i / 2 % TWX_COUNTOF(LENGTHS)];
        for (size_t w = 0; w < t->n; w++)
            t->word[w] = twx_mix64(test_rng_below(&rng, VOCABULARY), i / 20);
        if (i % 2) memcpy(t->word, texts[i - 1].word, sizeof t->word);
        for (size_t k = 0; i % 2 && k < t->n / 30; k++)
            t->word[test_rng_below(&rng, t->n)] = test_rng_next(&rng);
        sign(t, i % 3);
    }
    /* all but the sketches are equal */
    texts[TEXTS - 1] = texts[4];
    texts[TEXTS - 1].payload[100] ^= 1;
}

static void add_all(twx_ctx *cx, twx_near_payloads *p, const text *texts, size_t n) {
    twx_ctx_init(cx);
    twx_near_payloads_init(p);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(
            twx_near_payloads_add(cx, p, &TWX_DETECTOR_ALIGNMENT, payload_of(&texts[i])), TWX_OK);
}

static void check(const twx_near_payloads *p, const twx_params *params, const text *texts,
                  size_t n) {
    const twx_detector *d = &TWX_DETECTOR_ALIGNMENT;
    size_t pairs = 0;
    for (uint32_t a = 0; a < n; a++) {
        unsigned char was[TWX_ALIGNMENT_SUMMARY], is[TWX_ALIGNMENT_SUMMARY];
        d->summarize(payload_of(&texts[a]), was);
        twx_near_payloads_summarize(p, d, a, is);
        assert_memory_equal(is, was, sizeof is);
        for (uint32_t b = 0; b < n; b++) {
            const int32_t wanted = d->verify(params, payload_of(&texts[a]), payload_of(&texts[b]));
            assert_int_equal(twx_near_payloads_verify(p, d, params, a, b), wanted);
            pairs += wanted >= 0;
        }
    }
    assert_true(pairs > n);
}

static void r1_similarities_are_those_of_whole_payloads(void **state) {
    static text texts[TEXTS];
    twx_near_payloads p;
    twx_params params = {0};
    twx_ctx cx;
    (void)state;
    make(texts);
    add_all(&cx, &p, texts, TEXTS);
    assert_true(p.whole > 0 && p.whole < TEXTS);
    for (uint32_t least = 0; least <= 900000; least += 300000) {
        params.methods.of[TWX_DETECTOR_ALIGNMENT.id][0] = least;
        check(&p, &params, texts, TEXTS);
        twx_near_payloads_searched(&p);
    }
    assert_true(p.sketches.n == TEXTS); /* short texts are compared with sampled ones */
    twx_near_payloads_done(&p);
}

static void sketches_of_short_texts_are_released_after_the_search(void **state) {
    static text texts[TEXTS];
    twx_near_payloads p;
    const twx_params params = {0};
    twx_ctx cx;
    (void)state;
    make(texts);
    add_all(&cx, &p, texts, 8); /* of at most 99 words */
    assert_int_equal(p.whole, 0);
    assert_true(p.bytes.n < 8 * (TWX_ALIGNMENT_BYTES - TWX_ALIGNMENT_WORDS));
    twx_near_payloads_searched(&p);
    assert_int_equal(p.sketches.n, 0);
    check(&p, &params, texts, 8);
    twx_near_payloads_done(&p);
}

static void a_payload_of_another_format_stays_as_it_is(void **state) {
    twx_near_payloads p;
    const twx_params params = {0};
    twx_ctx cx;
    (void)state;
    twx_ctx_init(&cx);
    twx_near_payloads_init(&p);
    assert_int_equal(twx_near_payloads_add(&cx, &p, &TWX_DETECTOR_ALIGNMENT, TWX_SLICE_LIT("abc")),
                     TWX_OK);
    assert_int_equal(twx_near_payloads_add(&cx, &p, &TWX_DETECTOR_ALIGNMENT, TWX_SLICE_LIT("abc")),
                     TWX_OK);
    assert_int_equal(p.whole, 2);
    assert_int_equal(p.bytes.n, 6);
    assert_int_equal(twx_near_payloads_verify(&p, &TWX_DETECTOR_ALIGNMENT, &params, 0, 1), -1);
    twx_near_payloads_done(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r1_similarities_are_those_of_whole_payloads),
        cmocka_unit_test(sketches_of_short_texts_are_released_after_the_search),
        cmocka_unit_test(a_payload_of_another_format_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
