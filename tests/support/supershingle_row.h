/* Tests common to both rows of supershingles. The mechanism is tested in test_min_hashes.c, here
 * that a row uses it as its source says. Who includes this defines
 *     D: the row · PER_GROUP: min-hashes of a group · LENGTHS: words of the texts in which one is
 *       changed · STORED: the payload of
 *     the text in stored_bytes_are_those_of_this_version() in hexadecimal */
#ifndef SUPERSHINGLE_ROW_H
#define SUPERSHINGLE_ROW_H

#include "near_texts.h"

#include <math.h>

enum { PAYLOAD = 48, PAIRS = 15 };

/* [R2] Of any two texts: some key in common exactly when two supershingles are equal, and then they
 * verify. */
TEST_OF(two_of_six_make_a_pair, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    size_t pairs = 0, strangers = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        test_rng rng = test_rng_seed(seed);
        size_t equal = 0;
        near_text_random(&a, &rng, 5 + test_rng_below(&rng, 300));
        near_text_edited(&b, &a, &rng, test_rng_below(&rng, 4));
        near_sign_both(f, D, &a, &b, &x, &y);
        assert_int_equal(x.payload_n, PAYLOAD);
        assert_int_equal(x.n, PAIRS);
        for (size_t at = 0; at < PAYLOAD; at += 8)
            equal += memcmp(x.payload + at, y.payload + at, 8) == 0;
        const size_t common = near_common_keys(&x, &y);
        const int32_t similarity = D->verify(&f->params, near_payload(&x), near_payload(&y));
        const double r = pow((double)equal / 6, 1.0 / PER_GROUP) * 1e6;
        if (common != equal * (equal - 1) / 2 * (equal > 0))
            fail_msg("seed %" PRIu64 ": %zu keys, %zu equal", seed, common, equal);
        assert_int_equal(similarity, equal < 2 ? -1 : (int32_t)(r + 0.5));
        assert_int_equal(similarity, D->verify(&f->params, near_payload(&y), near_payload(&x)));
        pairs += equal >= 2 && equal < 6;
        strangers += equal < 2;
    }
    assert_true(pairs > 20 && strangers > 20);
}

/* One word of n is another: 5 of n - 4 shingles are. */
TEST_OF(pairs_are_found_as_often_as_theory_says, fixture *f) {
    static const size_t WORDS[] = LENGTHS;
    static near_text a, b;
    static near_signed x, y;
    for (size_t c = 0; c < TWX_COUNTOF(WORDS); c++) {
        enum { TRIALS = 600 };
        const double n = (double)WORDS[c] - 4, r = (n - 5) / (n + 5), p = pow(r, PER_GROUP),
                     q = 1 - p;
        size_t found = 0;
        test_rng rng = test_rng_seed(c + 1);
        for (size_t t = 0; t < TRIALS; t++) {
            near_text_random(&a, &rng, WORDS[c]);
            near_text_edited(&b, &a, &rng, 1);
            near_sign_both(f, D, &a, &b, &x, &y);
            found += near_common_keys(&x, &y) > 0;
        }
        near_assert_share(found, TRIALS, 1 - pow(q, 6) - 6 * p * pow(q, 5), "pairs");
    }
}

TEST_OF(only_words_and_the_set_of_runs_count, fixture *f) {
    static near_signed x, y;
    static const struct {
        const char *a, *b;
        bool same;
    } CASES[] = {
        {"one two three four five six", "One, TWO three; four\nfive - six!", true},
        {"one two three four five six", "one two three four five seven", false},
        {"one two", "one  two", true},
        {"one two", "two one", false},
        {"a a a a a", "a a a a a a a a a", true}, /* one shingle, often */
        {"word", "word\xFF", true},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        near_sign(f, D, twx_slice_of(CASES[i].a), &x);
        near_sign(f, D, twx_slice_of(CASES[i].b), &y);
        assert_int_equal(x.n, PAIRS);
        if (near_same(&x, &y) != CASES[i].same) fail_msg("'%s' and '%s'", CASES[i].a, CASES[i].b);
    }
}

TEST_OF(r3_without_words_there_is_no_key, fixture *f) {
    static near_signed x;
    static const twx_slice TEXTS[] = {{NULL, 0}, {"", 0}, {" \n.,;\xFF\x80", 7}, {"\0\0", 2}};
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++) {
        near_sign(f, D, TEXTS[i], &x);
        assert_int_equal(x.n, 0);
        assert_int_equal(x.payload_n, 0);
    }
}

/* What is stored must stay what it is, or the version must change. */
TEST_OF(stored_bytes_are_those_of_this_version, fixture *f) {
    static near_signed x;
    char hex[2 * PAYLOAD + 1];
    near_sign(f, D, TWX_SLICE_LIT("the quick brown fox jumps over the lazy dog and runs away"), &x);
    for (size_t i = 0; i < x.payload_n; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned char)x.payload[i]);
    assert_int_equal(D->version, 1);
    assert_string_equal(hex, STORED);
}

TEST_OF(foreign_payloads_are_no_pair, fixture *f) {
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    static const char BYTES[PAYLOAD + 8];
    for (size_t n = 0; n <= sizeof BYTES; n++) {
        if (n == PAYLOAD) continue;
        const twx_signed from = {{7, 8}, {BYTES, n}};
        assert_int_equal(D->verify(&f->params, from.payload, from.payload), -1);
        assert_int_equal(D->candidates(&f->params, &from, keys), 0);
    }
}

#endif
