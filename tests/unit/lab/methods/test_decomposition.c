/* The row decomposition: samples of shingles, candidates by their min-hashes, similarity of what
 * the samples share. */
#include "near_texts.h"

#include <math.h>

#define D (&TWX_DETECTOR_DECOMPOSITION)

enum { SAMPLE = 256, HEAD = 4, ITEM = 5 };

TWX_ORDER_0(by_value, uint64_t)

/* The different shingles of a text, ascending; returns how many. */
static size_t shingles_of(fixture *f, twx_slice text, uint64_t *ret_at) {
    const twx_shingling how = {.words = 5};
    twx_shingles s = {0};
    size_t n = 0;
    assert_int_equal(twx_shingles_of(&f->cx, twx_workspace_scratch(f->w), &how, text, &s), TWX_OK);
    assert_true(s.n <= NEAR_WORDS_MAX);
    qsort(s.at, s.n, sizeof *s.at, by_value);
    for (size_t i = 0; i < s.n; i++)
        if (i == 0 || s.at[i] != s.at[i - 1]) ret_at[n++] = s.at[i];
    twx_workspace_reset(f->w);
    return n;
}

static uint64_t item(const near_signed *s, size_t i) {
    uint64_t v = 0;
    for (size_t k = ITEM; k-- > 0;) v = v << 8 | (unsigned char)s->payload[HEAD + i * ITEM + k];
    return v;
}

static int32_t similarity(fixture *f, const near_signed *a, const near_signed *b) {
    const int32_t there = D->verify(&f->params, near_payload(a), near_payload(b));
    assert_int_equal(there, D->verify(&f->params, near_payload(b), near_payload(a)));
    return there;
}

/* Texts with many repeats are among them: there the way by a limit finds too few different ones, or
 * too many. */
TEST_OF(the_sample_is_the_smallest_shingles, fixture *f) {
    static near_text t;
    static near_signed x;
    static uint64_t all[NEAR_WORDS_MAX];
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&t, &rng, 1 + test_rng_below(&rng, seed % 2 ? NEAR_WORDS_MAX : 600));
        /* twice the same: about as many as are wanted are different below the limit */
        if (seed % 3 != 0) {
            const size_t period = seed % 3 == 1 ? t.n / 2 + 1 : 1 + test_rng_below(&rng, 500);
            for (size_t i = period; i < t.n; i++) t.word[i] = t.word[i - period];
        }
        near_sign(f, D, near_text_bytes(&t), &x);
        size_t n = shingles_of(f, near_text_bytes(&t), all);
        if (n > SAMPLE) n = SAMPLE;
        assert_int_equal(x.payload_n, HEAD + n * ITEM);
        assert_int_equal((unsigned char)x.payload[0] | (unsigned char)x.payload[1] << 8, t.n);
        assert_int_equal(x.payload[2] | x.payload[3], 0);
        for (size_t i = 0; i < n; i++)
            if (item(&x, i) != all[i] >> 24)
                fail_msg("seed %" PRIu64 ", %zu words, shingle %zu", seed, t.n, i);
        assert_int_equal(similarity(f, &x, &x), 1000000);
    }
}

/* Of texts that are shorter than a sample nothing is estimated. */
TEST_OF(similarity_of_short_texts_is_exact, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    static uint64_t p[NEAR_WORDS_MAX], q[NEAR_WORDS_MAX];
    f->params.methods.of[TWX_DETECTOR_DECOMPOSITION.id][0] = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&a, &rng, 1 + test_rng_below(&rng, 250));
        near_text_edited(&b, &a, &rng, test_rng_below(&rng, 20));
        near_sign_both(f, D, &a, &b, &x, &y);
        const size_t n = shingles_of(f, near_text_bytes(&a), p),
                     m = shingles_of(f, near_text_bytes(&b), q);
        size_t common = 0;
        for (size_t i = 0; i < n; i++) common += bsearch(&p[i], q, m, sizeof *q, by_value) != NULL;
        const double dice = 2 * (double)common / (double)(n + m);
        const int32_t got = similarity(f, &x, &y);
        if (fabs((double)got - sqrt(dice) * 1e6) > 2)
            fail_msg("seed %" PRIu64 ": %d, Dice %f", seed, got, dice);
    }
}

/* Of longer ones the resemblance is, to within what 256 drawings allow (five standard deviations).
 */
TEST_OF(similarity_of_long_texts_is_near, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    double sum_off = 0;
    enum { TRIALS = 60 };
    f->params.methods.of[TWX_DETECTOR_DECOMPOSITION.id][0] = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&a, &rng, 2000);
        near_text_edited(&b, &a, &rng, 5 * (seed % 12));
        b.n -= seed % 3 * 100;
        near_sign_both(f, D, &a, &b, &x, &y);
        /* edits after the end of b do not change b */
        double common = 0;
        for (size_t i = 0; i + 4 < b.n; i++)
            common += memcmp(a.word + i, b.word + i, 5 * sizeof *a.word) == 0;
        const double r = common / ((double)a.n + (double)b.n - 8 - common),
                     s = similarity(f, &x, &y) / 1e6;
        const double off = s * s / (2 - s * s) - r;
        if (fabs(off) > 5 * sqrt(r * (1 - r) / SAMPLE) + 1e-5)
            fail_msg("seed %" PRIu64 ": %f is %f off", seed, r, off);
        sum_off += off;
    }
    assert_true(fabs(sum_off / TRIALS) < 0.01); /* without bias */
}

TEST_OF(the_threshold_and_the_lengths_decide, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    test_rng rng = test_rng_seed(1);
    near_text_random(&a, &rng, 200);
    near_text_edited(&b, &a, &rng, 5);
    near_sign_both(f, D, &a, &b, &x, &y);
    f->params.methods.of[TWX_DETECTOR_DECOMPOSITION.id][0] = 0;
    const int32_t s = similarity(f, &x, &y);
    assert_true(s > 0 && s < 1000000);
    f->params.methods.of[TWX_DETECTOR_DECOMPOSITION.id][0] = (uint32_t)s;
    assert_int_equal(similarity(f, &x, &y), s);
    f->params.methods.of[TWX_DETECTOR_DECOMPOSITION.id][0] = (uint32_t)s + 1;
    assert_int_equal(similarity(f, &x, &y), -1);
    f->params.methods.of[TWX_DETECTOR_DECOMPOSITION.id][0] = 0;
    near_text_edited(&b, &a, &rng, 0);
    for (size_t n = 200; n <= 232; n++) { /* the first 200 words are those of a */
        b.n = n;
        for (size_t i = 200; i < n; i++) b.word[i] = (uint32_t)i;
        near_sign(f, D, near_text_bytes(&b), &y);
        if ((similarity(f, &x, &y) >= 0) != (n <= 230)) fail_msg("200 words and %zu", n);
    }
}

/* [R5] Pairs just above the threshold: for any threshold nearly all have a key in common. */
TEST_OF(pairs_above_the_threshold_share_a_key, fixture *f) {
    static const uint32_t THRESHOLDS[] = {600000, 850000, 950000};
    static near_text a, b;
    static near_signed x, y;
    for (size_t c = 0; c < TWX_COUNTOF(THRESHOLDS); c++) {
        size_t pairs = 0, missed = 0;
        f->params.methods.of[TWX_DETECTOR_DECOMPOSITION.id][0] = THRESHOLDS[c];
        for (uint64_t seed = 1; seed <= 1500; seed++) {
            test_rng rng = test_rng_seed(seed);
            const size_t n = seed % 8 == 0 ? 2000 : 150;
            const double s = THRESHOLDS[c] / 1e6;
            near_text_random(&a, &rng, n);
            near_text_edited(&b, &a, &rng, (size_t)((1 - s * s) * (double)n / 5));
            b.n -= seed % 4 == 0 ? n / 50 : 0;
            near_sign_both(f, D, &a, &b, &x, &y);
            if (similarity(f, &x, &y) < 0) continue;
            pairs++;
            missed += near_common_keys(&x, &y) == 0;
        }
        if (pairs < 300 || missed > 5 + pairs / 500)
            fail_msg("at %u: %zu of %zu missed", THRESHOLDS[c], missed, pairs);
    }
}

TEST_OF(fewer_keys_do_for_a_higher_threshold, fixture *f) {
    static near_signed x;
    static const struct {
        uint32_t threshold;
        size_t keys;
    } CASES[] = {{1000000, 1}, {950000, 4},  {850000, 9},  {780000, 13},
                 {700000, 18}, {500000, 45}, {400000, 64}, {0, 64}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        f->params.methods.of[TWX_DETECTOR_DECOMPOSITION.id][0] = CASES[i].threshold;
        near_sign(f, D, TWX_SLICE_LIT("one two three four five six seven"), &x);
        assert_int_equal(x.n, CASES[i].keys);
    }
}

TEST_OF(without_words_there_is_no_key, fixture *f) {
    static near_signed x;
    static const twx_slice TEXTS[] = {{NULL, 0}, {"", 0}, {" \n.,;\xFF\x80", 7}};
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++) {
        near_sign(f, D, TEXTS[i], &x);
        assert_int_equal(x.n, 0);
        assert_int_equal(x.payload_n, 0);
    }
}

TEST_OF(foreign_payloads_are_no_pair, fixture *f) {
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    static const char BYTES[HEAD + SAMPLE * ITEM + ITEM];
    for (size_t n = 0; n <= sizeof BYTES; n++) {
        const bool ours = n > HEAD && n <= HEAD + SAMPLE * ITEM && (n - HEAD) % ITEM == 0;
        const twx_signed from = {{7, 8}, {BYTES, n}};
        assert_int_equal(D->verify(&f->params, from.payload, from.payload), ours ? 1000000 : -1);
        const size_t n_keys = D->candidates(&f->params, &from, keys);
        assert_true(ours ? n_keys > 1 : n_keys == 0);
    }
}

TEST_OF(stored_bytes_are_those_of_this_version, fixture *f) {
    static near_signed x;
    char hex[2 * 200];
    near_sign(f, D, TWX_SLICE_LIT("The quick brown fox jumps over the lazy dog"), &x);
    for (size_t i = 0; i < x.payload_n; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned char)x.payload[i]);
    assert_int_equal(D->version, 1);
    assert_string_equal(hex, "09000000056557547f9970b4949350821ec49b6309d1debb7e7cc67dda");
}
