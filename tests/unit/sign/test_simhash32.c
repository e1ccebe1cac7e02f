/* The 32-bit fingerprint is that of the definition over characters, whatever the bytes are. */
#include "near_texts.h"

enum { BYTES_MAX = 1500 };

#define D (&TWX_DETECTOR_SIMHASH32)

/* As simhash.c describes it: all characters first, then all runs, then 32 sums. */
static uint64_t by_definition(twx_slice text) {
    static uint64_t chars[BYTES_MAX + 1];
    int64_t sums[32] = {0};
    size_t n = 0;
    uint64_t fingerprint = 0;
    for (const char *p = text.p, *end = p + text.n; p < end;) {
        uint32_t cp;
        p += twx_utf8_next(p, end, &cp);
        chars[n++] = (cp ^ cp >> 16) & 0xFFFF;
    }
    for (size_t i = 0; i == 0 || i + 4 <= n; i++) {
        uint64_t run = 0;
        for (size_t k = i; k < n && k < i + 4; k++) run = run << 16 | chars[k];
        run = (run ^ run >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
        run = (run ^ run >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
        for (unsigned bit = 0; bit < 32; bit++) sums[bit] += run >> (32 + bit) & 1 ? 1 : -1;
    }
    for (unsigned bit = 0; bit < 32; bit++) fingerprint |= (uint64_t)(sums[bit] > 0) << bit;
    return fingerprint;
}

TEST_OF(fingerprints_are_those_of_the_definition, fixture *f) {
    static const char *const PIECES[] = {"a",
                                         "b",
                                         "the ",
                                         "word",
                                         " ",
                                         "\n",
                                         "\xC3\xA4",
                                         "\xE6\xBC\xA2",
                                         "\xF0\x9F\x98\x80",
                                         "\xFF",
                                         "\xE2\x82"};
    static near_signed s;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        char bytes[BYTES_MAX];
        size_t n = 0;
        test_rng rng = test_rng_seed(seed);
        for (size_t pieces = 1 + test_rng_below(&rng, seed < 100 ? 6 : 300); pieces > 0; pieces--) {
            const char *piece = PIECES[test_rng_below(&rng, TWX_COUNTOF(PIECES))];
            memcpy(bytes + n, piece, strlen(piece));
            n += strlen(piece);
            if (test_rng_below(&rng, 50) == 0) bytes[n++] = '\0';
        }
        near_sign(f, D, (twx_slice){bytes, n}, &s);
        if (s.first.key != by_definition((twx_slice){bytes, n})) fail_msg("seed %" PRIu64, seed);
        assert_int_equal(twx_load_le64(s.payload), s.first.key);
        assert_int_equal(s.payload_n, 8);
    }
}

TEST_OF(stored_bytes_are_those_of_this_version, fixture *f) {
    static const struct {
        const char *text, *key;
    } CASES[] = {
        {"Hello, brave new world\xC3\xA9\xF0\x9F\x98\x80", "0000000002480fe10000000000000000"},
        {"ab", "000000004e1d24ea0000000000000000"},
        {"abcd", "000000002dc9bbd10000000000000000"},
        {"", ""}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        assert_string_equal(fixture_hex(f, D, &(twx_document){.text = twx_slice_of(CASES[i].text)}),
                            CASES[i].key);
    assert_string_equal(fixture_hex(f, D, &(twx_document){.text = {NULL, 0}}), "");
}

TEST_OF(order_of_sentences_hardly_shows_and_words_without_spaces_are_seen, fixture *f) {
    static near_signed a, b, c;
    near_sign(f, D,
              TWX_SLICE_LIT(
                  "It was the best of times. It was the worst of times. It was the age of wisdom."),
              &a);
    near_sign(f, D,
              TWX_SLICE_LIT(
                  "It was the age of wisdom. It was the worst of times. It was the best of times."),
              &b);
    near_sign(
        f, D,
        TWX_SLICE_LIT(
            "Call me Ishmael. Some years ago, never mind how long precisely, I had no money."),
        &c);
    f->params.methods.of[TWX_DETECTOR_SIMHASH.id][0] = 6;
    assert_true(D->verify(&f->params, near_payload(&a), near_payload(&b)) > 0);
    assert_int_equal(D->verify(&f->params, near_payload(&a), near_payload(&c)), -1);
    near_sign(f, D, TWX_SLICE_LIT("Itwasthebestoftimes"), &b);
    assert_int_not_equal(b.first.key, 0);
}

/* A key is the fingerprint under a mask: of its 32 bits, each is outside some mask and inside
 * another. */
TEST_OF(masks_are_of_32_bits, fixture *f) {
    for (uint32_t distance = 1; distance <= TWX_SIMHASH_DISTANCE_MAX; distance++) {
        uint64_t masks[TWX_CANDIDATE_KEYS_MAX], any = 0, all = UINT32_MAX;
        f->params.methods.of[TWX_DETECTOR_SIMHASH.id][0] = distance;
        const size_t n = D->masks(&f->params, masks);
        for (size_t i = 0; i < n; i++) {
            any |= masks[i];
            all &= masks[i];
        }
        assert_true(any == UINT32_MAX && all == 0);
    }
}
