/* The estimate of the row alignment against a plain program. */
#include "alignment_payloads.h"

typedef struct sample {
    uint64_t word[WORDS];
    size_t n;
} sample;

static sample sampled(const text *t, unsigned level, unsigned own) {
    sample s = {.n = 0};
    size_t kept = 0;
    for (size_t i = 0; i < t->n && kept < WORDS; i++) {
        if (t->word[i] & ((UINT64_C(1) << own) - 1)) continue;
        kept++;
        if ((t->word[i] & ((UINT64_C(1) << level) - 1)) == 0) s.word[s.n++] = t->word[i] >> level;
    }
    return s;
}

static size_t plain_lcs(const sample *a, const sample *b, unsigned bits) {
    static size_t longest[WORDS + 1][WORDS + 1];
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i <= a->n; i++)
        for (size_t j = 0; j <= b->n; j++) {
            if (i == 0 || j == 0)
                longest[i][j] = 0;
            else if (((a->word[i - 1] ^ b->word[j - 1]) & mask) == 0)
                longest[i][j] = longest[i - 1][j - 1] + 1;
            else
                longest[i][j] = longest[i - 1][j] > longest[i][j - 1] ? longest[i - 1][j]
                                                                      : longest[i][j - 1];
        }
    return longest[a->n][b->n];
}

static plain_text read_plain(const payload *p) {
    const unsigned char *at = (const unsigned char *)p->p;
    plain_text made = {.chars = at[0] + 256.0 * at[1] + 65536.0 * at[2],
                       .letters = at[4] + 256.0 * at[5] + 65536.0 * at[6]};
    made.wide = made.letters * at[WIDE_AT] / 255;
    for (size_t i = 0; i < TWX_ALIGNMENT_CLASSES; i++) made.share[i] = at[CLASSES_AT + i];
    unsigned char room[SKETCH];
    const unsigned char *sketch = sketch_of(p, room);
    for (size_t i = 0; i < SKETCH; i++) made.sketch[i] = sketch[i];
    return made;
}

static double plain_common(const plain_text *a, const plain_text *b) {
    double equal = 0;
    for (size_t i = 0; i < SKETCH; i++) equal += a->sketch[i] == b->sketch[i];
    const double of_both = fmax(0, 2 * equal - 1) / 255; /* |A and B| / |A or B| */
    const double l = fmin(a->letters, b->letters);
    return fmin(1, of_both / (1 + of_both) * (a->letters + b->letters) / l);
}

static double plain_similarity(const text *x, const text *y, const payload *p, const payload *q) {
    const unsigned lx = level_of(p), ly = level_of(q), level = lx > ly ? lx : ly,
                   apart = lx > ly ? lx - ly : ly - lx;
    const sample a = sampled(x, level, lx), b = sampled(y, level, ly);
    const plain_text s = read_plain(p), t = read_plain(q);
    const double wa = s.letters, wb = t.letters;
    if (a.n + b.n == 0) return -1;
    double n = (double)(wa == wb ? (a.n > b.n ? a.n : b.n) : wa < wb ? a.n : b.n);
    if (level > 0)
        n = (wa < wb ? (double)a.n + (double)b.n * wa / wb : (double)b.n + (double)a.n * wb / wa) /
            2;
    const double aligned = n > 0 ? fmin(1, (double)plain_lcs(&a, &b, 8 - apart) / n) : 1;
    return plain_estimate(&s, &t, 1 - aligned, level > 0 ? plain_common(&s, &t) : -1);
}

/* Words are left out, replaced and put in; the shares are of 1024. */
static void edit(const text *from, test_rng *rng, const size_t shares[3], text *ret_text) {
    ret_text->n = 0;
    for (size_t i = 0; i < from->n && ret_text->n + 2 < TEXT_MAX; i++) {
        if (test_rng_below(rng, 1024) < shares[2])
            ret_text->word[ret_text->n++] = test_rng_next(rng);
        if (test_rng_below(rng, 1024) < shares[0]) continue;
        ret_text->word[ret_text->n++] = test_rng_below(rng, 1024) < shares[1] ? test_rng_next(rng)
                                                                              : from->word[i];
    }
    if (ret_text->n == 0) ret_text->word[ret_text->n++] = 1;
}

TEST(the_estimate_is_that_of_a_plain_program) {
    static text a, b;
    size_t levels_apart = 0, pairs = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t shares[3] = {test_rng_below(&rng, seed % 3 ? 100 : 800),
                                  test_rng_below(&rng, 300), test_rng_below(&rng, 300)};
        a.n = 1 + test_rng_below(&rng, seed % 2 ? 300 : TEXT_MAX);
        for (size_t i = 0; i < a.n; i++) a.word[i] = test_rng_next(&rng);
        edit(&a, &rng, shares, &b);
        const size_t other[2] = {test_rng_below(&rng, 1 + a.n / 16),
                                 test_rng_below(&rng, 1 + a.n / 16)};
        const size_t wide[2] = {test_rng_below(&rng, 1 + a.n / 4),
                                seed % 4 ? 0 : test_rng_below(&rng, 1 + a.n / 4)};
        twx_worded in_a = {a.word, a.n, 5 * a.n, wide[0], {[0] = a.n}},
                   in_b = {b.word, b.n, 5 * b.n, wide[1], {[0] = b.n}};
        const size_t class = 1 + seed % (TWX_ALIGNMENT_CLASSES - 1);
        in_a.others[class] = other[0];
        in_b.others[seed % 3 ? class : 7] = other[1];
        const payload p = payload_of_worded(&in_a), q = payload_of_worded(&in_b);
        const int32_t got = compare(&p, &q, 0);
        const double wanted = plain_similarity(&a, &b, &p, &q);
        levels_apart += level_of(&p) != level_of(&q);
        pairs += got >= 800000;
        if (wanted < 0 ? got != -1 : fabs(got - 1e6 * wanted) > 5)
            fail_msg("seed %" PRIu64 ": %" PRId32 ", not %.6f", seed, got, wanted);
        assert_int_equal(compare(&q, &p, 0), got); /* [R1] */
        if (got < 0) continue;
        assert_int_equal(compare(&p, &q, (uint32_t)got), got);
        assert_int_equal(compare(&p, &q, (uint32_t)got + 1), got == MILLION ? MILLION : -1);
    }
    assert_true(levels_apart > 40 && pairs > 40);
}

/* An upper bound: the summaries reject no pair that reaches the least similarity. */
static bool may_reach(const payload *p, const payload *q, uint32_t least) {
    unsigned char x[TWX_ALIGNMENT_SUMMARY], y[TWX_ALIGNMENT_SUMMARY];
    twx_alignment_summarize((twx_slice){p->p, p->n}, x);
    twx_alignment_summarize((twx_slice){q->p, q->n}, y);
    const bool may = twx_alignment_may_reach(x, y, least);
    assert_int_equal(twx_alignment_may_reach(y, x, least), may);
    return may;
}

/* Pairs of texts and their edits, short and long, which differ in words and in other characters;
 * `repeated` words are drawn from few. */
static void make_pair(uint64_t seed, payload *ret_p, payload *ret_q) {
    static text a, b;
    test_rng rng = test_rng_seed(seed);
    const size_t shares[3] = {test_rng_below(&rng, seed % 5 ? 200 : 900),
                              test_rng_below(&rng, seed % 7 ? 300 : 1024),
                              test_rng_below(&rng, 300)};
    const uint64_t repeated = seed % 3 ? 0 : 1 + test_rng_below(&rng, 60);
    a.n = 1 + test_rng_below(&rng, seed % 2 ? 150 : TEXT_MAX);
    for (size_t i = 0; i < a.n; i++) {
        test_rng one = test_rng_seed(test_rng_below(&rng, repeated ? repeated : UINT64_MAX));
        a.word[i] = test_rng_next(&one);
    }
    edit(&a, &rng, shares, &b);
    const size_t letters[2] = {a.n * (1 + test_rng_below(&rng, 9)),
                               b.n * (1 + test_rng_below(&rng, 9))};
    *ret_p = payload_of_worded(&(twx_worded){a.word,
                                             a.n,
                                             letters[0],
                                             test_rng_below(&rng, 1 + letters[0]),
                                             {[0] = a.n, [3] = test_rng_below(&rng, 1 + a.n)}});
    const size_t same = seed % 4 ? letters[0] * b.n / a.n : letters[1];
    *ret_q = payload_of_worded(&(twx_worded){
        b.word,
        b.n,
        same,
        seed % 6 ? 0 : test_rng_below(&rng, 1 + same),
        {[0] = b.n, [3] = seed % 2 ? b.n / 2 : 0, [7] = test_rng_below(&rng, 1 + b.n)}});
}

TEST(r3_summaries_reject_no_pair_that_is_similar) {
    static payload p, q, other;
    size_t similar = 0, rejected = 0, unlike = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        make_pair(seed, &p, &q);
        const int32_t got = compare(&p, &q, 0);
        if (got >= 0) {
            similar += got >= 700000;
            if (!may_reach(&p, &q, (uint32_t)got)) fail_msg("seed %" PRIu64 ": %d", seed, got);
        }
        assert_true(may_reach(&p, &p, MILLION)); /* equal payloads */
        assert_true(may_reach(&q, &q, MILLION));
        /* unrelated texts of the same kind, at the least threshold for copies */
        make_pair(seed + 6 * 4000, &other, &q);
        if (compare(&p, &other, 750000) >= 0) continue;
        unlike++;
        rejected += !may_reach(&p, &other, 750000);
    }
    print_message("%zu similar pairs; %zu of %zu unrelated ones rejected\n", similar, rejected,
                  unlike);
    assert_true(similar > 300 && rejected * 100 > unlike * 95);
    payload bad = p;
    bad.p[LEVEL_AT] = 57;
    assert_false(may_reach(&bad, &p, 0));
    assert_false(may_reach(&bad, &bad, 0));
}

/* They make it an upper bound that rejects much: each bit that is lost rejects less. */
TEST(a_summary_has_two_bits_of_each_byte_of_the_sketch) {
    static payload p, q;
    size_t sketches = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        unsigned char summary[TWX_ALIGNMENT_SUMMARY], room[SKETCH];
        make_pair(seed, &p, &q);
        if (level_of(&p) == 0) continue; /* has a set of words instead */
        sketches++;
        twx_alignment_summarize((twx_slice){p.p, p.n}, summary);
        const unsigned char *sketch = sketch_of(&p, room),
                            *bits = summary + TWX_ALIGNMENT_SUMMARY - SKETCH / 4;
        for (size_t i = 0; i < SKETCH; i++)
            assert_int_equal(bits[i / 4] >> i % 4 * 2 & 3, sketch[i] & 3);
    }
    assert_true(sketches > 20);
}

/* Random words, and all else equal: what a short text meets through a shared band. At .55, close to
 * what such texts really reach, a bound that is somewhat too high rejects few. */
TEST(summaries_reject_texts_of_other_words) {
    static text t;
    static payload some[60];
    size_t rejected = 0, rejected_at_55 = 0, pairs = 0;
    test_rng rng = test_rng_seed(12);
    for (size_t i = 0; i < TWX_COUNTOF(some); i++) {
        for (t.n = 0; t.n < 40; t.n++) {
            test_rng word = test_rng_seed(test_rng_below(&rng, 3000));
            t.word[t.n] = test_rng_next(&word);
        }
        some[i] = payload_with(t.word, t.n, 239, 200);
        for (size_t k = 0; k < i; k++, pairs++) {
            rejected += !may_reach(&some[i], &some[k], 750000);
            rejected_at_55 += !may_reach(&some[i], &some[k], 550000);
        }
    }
    print_message("of %zu pairs %zu rejected at .75, %zu at .55\n", pairs, rejected,
                  rejected_at_55);
    assert_true(rejected == pairs && rejected_at_55 * 10 > pairs * 9);
}

TEST(r2_equal_payloads_are_all_alike) {
    static text a;
    test_rng rng = test_rng_seed(3);
    for (a.n = 1; a.n < 600; a.n += 7) {
        for (size_t i = 0; i < a.n; i++) a.word[i] = test_rng_next(&rng);
        const payload p = payload_of(a.word, a.n, 6 * a.n);
        assert_int_equal(compare(&p, &p, 0), MILLION);
        assert_int_equal(compare(&p, &p, MILLION), MILLION);
    }
}

TEST(texts_of_very_different_lengths_are_no_pair) {
    static text a;
    test_rng rng = test_rng_seed(4);
    a.n = 100;
    for (size_t i = 0; i < a.n; i++) a.word[i] = test_rng_next(&rng);
    const payload p = payload_of(a.word, a.n, 600), q = payload_of(a.word, 20, 120),
                  longer = payload_of(a.word, a.n, 6000);
    assert_int_equal(compare(&p, &q, 800000), -1);
    /* all of the shorter text, of 720 characters: 240 */
    assert_true(fabs(compare(&p, &q, 333000) - 1e6 / 3) < 5);
    assert_true(fabs(compare(&p, &longer, 0) - 1e6 * 1200 / 6600) < 5);
    /* the same words, ten times as much between them: 500 + 100 of 1500 + 600 characters, twice */
    const payload spaced = payload_with(a.word, a.n, 1500, 500),
                  tight = payload_with(a.word, a.n, 600, 500);
    assert_true(fabs(compare(&spaced, &tight, 0) - 1e6 * 1200 / 2100) < 5);
}

TEST(strange_payloads_are_no_pair_and_do_no_harm) {
    static text t;
    test_rng rng = test_rng_seed(6);
    t.n = 50;
    for (size_t i = 0; i < t.n; i++) t.word[i] = test_rng_next(&rng);
    payload good = payload_of(t.word, t.n, 300), bad = good;
    const twx_slice whole = {good.p, good.n};
    for (size_t n = 0; n < KEPT_AT; n++) {
        char *exact = malloc(n ? n : 1);
        assert_non_null(exact);
        memcpy(exact, good.p, n);
        assert_int_equal(twx_alignment_similarity((twx_slice){exact, n}, whole, 0), -1);
        assert_int_equal(twx_alignment_similarity((twx_slice){exact, n}, (twx_slice){exact, n}, 0),
                         -1);
        free(exact);
    }
    bad.p[LEVEL_AT] = 57;
    assert_int_equal(compare(&bad, &good, 0), -1);
    assert_int_equal(compare(&bad, &bad, 0), -1);
    bad.p[LEVEL_AT] = 8; /* no bit of a word is known of both */
    assert_int_equal(compare(&bad, &good, 0), -1);
    char too_long[BYTES + 1] = {0};
    assert_int_equal(twx_alignment_similarity((twx_slice){too_long, sizeof too_long}, whole, 0),
                     -1);
    bad = (payload){.n = KEPT_AT}; /* no words, no bytes */
    assert_int_equal(compare(&bad, &bad, 0), MILLION);
    bad.p[LEVEL_AT] = 1;
    assert_int_equal(compare(&bad, &good, 900000), -1);
}
