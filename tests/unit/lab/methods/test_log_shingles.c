/* The row log_shingles: one key of a sample of the shingles, of which longer texts have a few more.
 */
#include "near_texts.h"

#include <math.h>

#define D (&TWX_DETECTOR_LOG_SHINGLES)

/* k as log_shingles.c defines it: the largest with n / 2^k >= the binary digits of n. */
static unsigned level_for(size_t n) {
    const unsigned digits = (unsigned)log2((double)n) + 1;
    unsigned k = 0;
    while (n / ((size_t)1 << (k + 1)) >= digits) k++;
    return k;
}

static bool divides(unsigned k, uint64_t shingle) {
    return shingle % (UINT64_C(1) << k) == 0;
}

/* The key, computed from the comment: every shingle compared with every other. */
static twx_key slow_key(fixture *f, twx_slice text) {
    const twx_shingling how = {.words = 5, .wrap = true};
    twx_shingles s = {0};
    static unsigned char bytes[NEAR_WORDS_MAX * 8];
    size_t n = 0, taken = 0;
    assert_int_equal(twx_shingles_of(&f->cx, twx_workspace_scratch(f->w), &how, text, &s), TWX_OK);
    unsigned k = level_for(s.n);
    for (;; k--) {
        for (size_t i = 0; i < s.n; i++) n += divides(k, s.at[i]);
        if (n > 0) break;
    }
    for (uint64_t least = 0; taken < s.n;) { /* ascending, each once */
        const uint64_t *next = NULL;
        for (size_t i = 0; i < s.n; i++)
            if (divides(k, s.at[i]) && s.at[i] >= least && (!next || s.at[i] < *next))
                next = &s.at[i];
        if (!next) break;
        twx_store_le64(bytes + 8 * taken++, *next);
        least = *next + 1;
    }
    const twx_hash128 all = twx_hash_wide((twx_slice){(const char *)bytes, 8 * taken}, 0);
    twx_workspace_reset(f->w);
    return (twx_key){all.lo, all.hi};
}

TEST_OF(the_key_is_that_of_the_sample, fixture *f) {
    static near_text t;
    static near_signed x;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&t, &rng, 1 + test_rng_below(&rng, seed % 10 == 0 ? 3000 : 40));
        if (seed % 3 == 0) /* few different words */
            for (size_t i = 0; i < t.n; i++) t.word[i] %= 2;
        near_sign(f, D, near_text_bytes(&t), &x);
        const twx_key slow = slow_key(f, near_text_bytes(&t));
        assert_int_equal(x.n, 1);
        assert_int_equal(x.payload_n, 0);
        if (x.keys[0].key != slow.key || x.keys[0].check != slow.check)
            fail_msg("seed %" PRIu64 ", %zu words", seed, t.n);
    }
}

/* The text is a ring: where it begins does not matter. */
TEST_OF(rotated_texts_have_one_key, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&a, &rng, 5 + test_rng_below(&rng, 200));
        b.n = a.n;
        const size_t by = test_rng_below(&rng, a.n);
        for (size_t i = 0; i < a.n; i++) b.word[i] = a.word[(i + by) % a.n];
        near_sign_both(f, D, &a, &b, &x, &y);
        if (!near_same(&x, &y)) fail_msg("seed %" PRIu64 ", %zu words, by %zu", seed, a.n, by);
    }
}

/* A changed word changes five shingles of each text: none of the ten may be in a sample. (An empty
 * sample, which goes one level down, is too rare at these lengths to show.) */
TEST_OF(edited_texts_agree_as_often_as_theory_says, fixture *f) {
    enum { TRIALS = 1500 };
    static const size_t WORDS[] = {200, 1000, 3000};
    static near_text a, b;
    static near_signed x, y;
    for (size_t c = 0; c < TWX_COUNTOF(WORDS); c++) {
        size_t same = 0;
        test_rng rng = test_rng_seed(c + 1);
        for (size_t t = 0; t < TRIALS / (c + 1); t++) {
            near_text_random(&a, &rng, WORDS[c]);
            near_text_edited(&b, &a, &rng, 1);
            near_sign_both(f, D, &a, &b, &x, &y);
            same += near_same(&x, &y);
        }
        const double p = pow(1 - ldexp(1, -(int)level_for(WORDS[c])), 10);
        near_assert_share(same, TRIALS / (c + 1), p, "equal keys");
    }
}

TEST(without_words_there_is_no_key) {
    fixture_words_are_needed(*state, D);
}

TEST(stored_keys_are_those_of_this_version) {
    fixture_expect_hex(*state, D, "the quick brown fox jumps over the lazy dog and runs away",
                       "2ceb997a341c84c135fe495bc9cb38d0");
}
