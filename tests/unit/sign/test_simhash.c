/* The fingerprint is that of the definition, its keys find whatever is within the distance, and
 * alike texts are alike. */
#include "near_texts.h"

enum { HASHES_MAX = 700 };

#define D (&TWX_DETECTOR_SIMHASH)

/* By the definition: 64 sums. */
static uint64_t by_definition(const uint64_t *h, size_t n) {
    uint64_t fingerprint = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        int64_t sum = 0;
        for (size_t i = 0; i < n; i++) sum += h[i] >> bit & 1 ? 1 : -1;
        if (sum > 0) fingerprint |= UINT64_C(1) << bit;
    }
    return fingerprint;
}

TEST(bits_are_the_signs_of_64_sums) {
    uint64_t h[HASHES_MAX];
    for (uint64_t seed = 1; seed <= 600; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = seed <= 70 ? seed - 1 : test_rng_below(&rng, HASHES_MAX);
        for (size_t i = 0; i < n; i++)
            h[i] = test_rng_below(&rng, 4) ? test_rng_next(&rng)
                                           : test_rng_next(&rng) & test_rng_next(&rng);
        if (twx_simhash64(h, n) != by_definition(h, n))
            fail_msg("seed %" PRIu64 ", n %zu", seed, n);
    }
}

TEST(r1_order_never_matters) {
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t h[HASHES_MAX];
        size_t n = 0;
        test_rng rng = test_rng_seed(seed);
        for (size_t i = 0; i < 20; i++) {
            const uint64_t hash = test_rng_next(&rng);
            for (size_t k = test_rng_below(&rng, HASHES_MAX / 20); k > 0; k--) h[n++] = hash;
        }
        const uint64_t once = twx_simhash64(h, n);
        test_rng_shuffle(&rng, h, n);
        if (twx_simhash64(h, n) != once) fail_msg("seed %" PRIu64 ": order", seed);
    }
}

/* Many, so that carries run through many planes. */
TEST(sums_of_any_size_are_right) {
    const uint64_t a = UINT64_C(0x0F0F), b = UINT64_C(0x00FF);
    for (uint32_t more = 0; more < 2; more++) {
        twx_simhash s = {0};
        for (uint32_t i = 0; i < 70000 + more; i++) twx_simhash_add(&s, &a, 1);
        for (uint32_t i = 0; i < 70000; i++) twx_simhash_add(&s, &b, 1);
        assert_int_equal(twx_simhash_of(&s), more ? a : a & b); /* a tie is 0 */
    }
    assert_int_equal(twx_simhash64(NULL, 0), 0);
}

TEST(r2_half_of_the_bits_is_the_simhash_of_half_of_the_bits) {
    uint64_t h[101], halves[101];
    test_rng rng = test_rng_seed(7);
    for (size_t i = 0; i < TWX_COUNTOF(h); i++) {
        h[i] = test_rng_next(&rng);
        halves[i] = h[i] & UINT32_MAX;
    }
    assert_int_equal(twx_simhash64(h, TWX_COUNTOF(h)) & UINT32_MAX,
                     twx_simhash64(halves, TWX_COUNTOF(h)));
}

TEST(hamming_counts_bits_that_differ) {
    assert_int_equal(twx_hamming64(5, 5), 0);
    assert_int_equal(twx_hamming64(0, UINT64_MAX), 64);
    assert_int_equal(twx_hamming64(UINT64_C(1) << 63, 6), 3);
}

static uint64_t binomial(unsigned n, unsigned k) {
    uint64_t value = 1;
    for (unsigned i = 1; i <= k; i++) value = value * (n - k + i) / i;
    return value;
}

/* The table in simhash.c; that keys find every pair is tested in
 * tests/property/test_simhash_pairs.c. */
TEST(keys_are_as_many_as_the_table_says_and_tell_strangers_apart) {
    static const unsigned BLOCKS[2][7] = {{1, 2, 4, 6, 7, 8, 9}, {1, 4, 6, 8, 8, 10, 10}};
    twx_key a[TWX_CANDIDATE_KEYS_MAX], b[TWX_CANDIDATE_KEYS_MAX];
    for (unsigned row = 0; row < 2; row++)
        for (unsigned k = 0; k <= TWX_SIMHASH_DISTANCE_MAX; k++) {
            const unsigned bits = row == 0 ? 64 : 32,
                           least = bits * (BLOCKS[row][k] - k) / BLOCKS[row][k] - 2;
            const size_t n = twx_simhash_keys(0, bits, k, a);
            assert_int_equal(n, binomial(BLOCKS[row][k], k));
            assert_true(n <= TWX_CANDIDATE_KEYS_MAX);
            for (size_t i = 0; i < n; i++) /* choices are distinguished */
                for (size_t j = 0; j < i; j++) assert_true(a[i].key != a[j].key);
            /* flipping all bits changes every key; flipping one changes those whose blocks hold it:
             * at least `least` bits */
            size_t held[TWX_CANDIDATE_KEYS_MAX] = {0};
            for (unsigned bit = 0; bit < bits; bit++) {
                assert_int_equal(twx_simhash_keys(UINT64_C(1) << bit, bits, k, b), n);
                for (size_t i = 0; i < n; i++) held[i] += a[i].key != b[i].key;
            }
            for (size_t i = 0; i < n; i++) assert_in_range(held[i], least, least + 4);
        }
    assert_int_equal(twx_simhash_keys(1, 64, 1000, a), 84); /* more than the table has */
}

TEST_OF(similarity_is_the_share_of_bits_within_the_distance, fixture *f) {
    const char a[8] = {0}, two[8] = {3}, four[8] = {3, 0, 0, 0, 0, 0, 0, (char)0x81};
    const twx_slice x = {a, 8}, y = {two, 8}, z = {four, 8};
    assert_int_equal(D->verify(&f->params, x, x), 1000000);
    assert_int_equal(D->verify(&f->params, x, y), 968750);
    assert_int_equal(D->verify(&f->params, y, x), 968750);
    assert_int_equal(D->verify(&f->params, x, z), -1);
    f->params.methods.of[TWX_DETECTOR_SIMHASH.id][0] = 4;
    assert_int_equal(D->verify(&f->params, x, z), 937500);
    assert_int_equal(D->verify(&f->params, x, (twx_slice){a, 7}), -1);
    assert_int_equal(D->verify(&f->params, (twx_slice){NULL, 0}, x), -1);
    assert_int_equal(TWX_DETECTOR_SIMHASH32.verify(&f->params, x, y), 937500);
}

static uint64_t fingerprint_of(fixture *f, const char *text) {
    twx_key key = {0};
    assert_int_equal(fixture_sign(f, D, &(twx_document){.text = twx_slice_of(text)}, &key), 1);
    return key.key;
}

TEST_OF(case_order_and_punctuation_do_not_show, fixture *f) {
    const uint64_t one = fingerprint_of(f, "The quick brown fox jumps over the lazy dog");
    assert_int_equal(fingerprint_of(f, "dog, lazy! (the) OVER jumps fox; brown quick... the"), one);
    assert_int_not_equal(fingerprint_of(f, "The quick brown fox jumps over the lazy cat"), one);
    assert_int_equal(fingerprint_of(f, "word word word"), fingerprint_of(f, "word"));
}

TEST_OF(a_text_without_words_has_no_key, fixture *f) {
    static const char *const TEXTS[] = {"", " ", "... !", "\xFF\xFE", "\xF0\x9F\x98\x80"};
    twx_key key;
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++)
        assert_int_equal(fixture_sign(f, D, &(twx_document){.text = twx_slice_of(TEXTS[i])}, &key),
                         0);
    assert_int_equal(fixture_sign(f, D, &(twx_document){.text = {NULL, 0}}, &key), 0);
}

TEST_OF(stored_bytes_are_those_of_this_version, fixture *f) {
    near_signed s;
    assert_string_equal(
        fixture_hex(f, D, &(twx_document){.text = TWX_SLICE_LIT("Hello, brave new world")}),
        "01d58c20619584630000000000000000");
    near_sign(f, D, TWX_SLICE_LIT("Hello, brave new world"), &s);
    assert_int_equal(s.payload_n, 8);
    assert_int_equal(twx_load_le64(s.payload), s.first.key);
    assert_int_equal(s.first.check, 0);
}

/* Charikar: a bit differs with the probability angle / pi. Copies of 400 words with 2 changed: an
 * angle of 0.1. */
TEST_OF(copies_are_near_and_strangers_far, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    enum { TRIALS = 400 };
    size_t near = 0, far = 0, ones = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&a, &rng, 400);
        near_text_edited(&b, &a, &rng, 2);
        near_sign_both(f, D, &a, &b, &x, &y);
        near += twx_hamming64(x.first.key, y.first.key);
        ones += twx_hamming64(x.first.key, 0);
        near_text_random(&b, &rng, 400);
        near_sign(f, D, near_text_bytes(&b), &y);
        far += twx_hamming64(x.first.key, y.first.key);
    }
    /* acos(398/400) / pi */
    near_assert_share(near, 64 * TRIALS, 0.0318, "bits of copies that differ");
    near_assert_share(far, 64 * TRIALS, 0.5, "bits of strangers that differ");
    /* a tie is 0: C(400,200) / 2^400 / 2 = 0.02 */
    near_assert_share(ones, 64 * TRIALS, 0.5 - 0.02, "bits that are 1");
}
