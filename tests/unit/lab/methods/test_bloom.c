/* Filters of copies resemble each other, and strangers have nothing in common but chance. */
#include "near_texts.h"

#include "lab/lab.h"

enum { FILTER = 256, LIST = 16, ENTRY = 8, FULL = LIST * ENTRY + FILTER };

#define D (&TWX_DETECTOR_BLOOM)

/* A payload without candidates: ones at [first, first + n). */
static twx_slice filter_of(char bytes[FILTER], unsigned first, unsigned n) {
    memset(bytes, 0, FILTER);
    for (unsigned i = first; i < first + n; i++) bytes[i / 8] = (char)(bytes[i / 8] | 1 << i % 8);
    return (twx_slice){bytes, FILTER};
}

/* a = 400 ones, b = 500, 300 of them common, of 2048: chance 97.65625 */
TEST_OF(shares_are_what_is_common_beyond_chance, fixture *f) {
    char x[FILTER], y[FILTER];
    const twx_slice a = filter_of(x, 0, 400), b = filter_of(y, 100, 500);
    assert_int_equal(twx_bloom_resemblance(a, b), 502912); /* 202.34375 / 402.34375 */
    assert_int_equal(twx_bloom_resemblance(b, a), 502912);
    f->params.methods.of[TWX_DETECTOR_BLOOM.id][0] = 502912;
    assert_int_equal(D->verify(&f->params, a, b), 502912);
    f->params.methods.of[TWX_DETECTOR_BLOOM.id][0] = 502913;
    assert_int_equal(D->verify(&f->params, a, b), -1);
}

TEST_OF(edges_are_defined, fixture *f) {
    char x[FILTER], y[FILTER];
    const twx_slice none = filter_of(x, 0, 0), all = filter_of(y, 0, 8 * FILTER);
    assert_int_equal(twx_bloom_resemblance(all, all), 1000000);
    assert_int_equal(twx_bloom_resemblance(none, all), -1);
    assert_int_equal(twx_bloom_resemblance(all, (twx_slice){y, FILTER - 1}), -1);
    assert_int_equal(twx_bloom_resemblance((twx_slice){NULL, 0}, all), -1);
    /* a full filter has no information */
    assert_int_equal(twx_bloom_resemblance(filter_of(x, 0, 10), all), 0);
    assert_int_equal(D->verify(&f->params, filter_of(x, 0, 10), filter_of(y, 20, 10)), -1);
}

TEST_OF(payloads_have_the_bits_of_the_texts_chunks, fixture *f) {
    static near_text t;
    static near_signed s;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        test_rng rng = test_rng_seed(seed);
        twx_chunks chunks;
        unsigned char wanted[FILTER] = {0};
        near_text_random(&t, &rng, 1 + test_rng_below(&rng, 1000));
        const twx_slice text = near_text_bytes(&t);
        near_sign(f, D, text, &s);
        assert_ok(twx_chunks_of(&f->cx, twx_workspace_scratch(f->w), text, 1024, &chunks));
        const size_t listed = chunks.n < LIST ? chunks.n : LIST;
        assert_int_equal(s.payload_n, listed * ENTRY + FILTER);
        assert_int_equal(s.n, listed);
        for (size_t i = 0; i < listed; i++) assert_int_equal(s.keys[i].key, chunks.at[i]);
        for (size_t i = 0; i < chunks.n; i++) {
            const uint64_t bit = chunks.at[i] * UINT64_C(0x9E3779B97F4A7C15) >> 53;
            wanted[bit / 8] = (unsigned char)(wanted[bit / 8] | 1 << bit % 8);
        }
        assert_memory_equal(s.payload + s.payload_n - FILTER, wanted, FILTER);
        twx_workspace_reset(f->w);
    }
}

TEST(copies_verify_and_share_a_key_and_strangers_do_neither) {
    enum { TRIALS = 1000 };
    const int64_t strangers = near_expect_copies(*state, D, TRIALS, twx_bloom_resemblance);
    assert_true(strangers / TRIALS < 15000); /* chance is taken off */
}

TEST(texts_of_any_kind_are_signed) {
    near_expect_any_text(*state, D, ENTRY + FILTER, FULL);
}

TEST(stored_bytes_are_those_of_this_version) {
    fixture_expect_hex(*state, D, "Hello, brave new world", "7b203bf53086f059abdb47facc1ec696");
}
