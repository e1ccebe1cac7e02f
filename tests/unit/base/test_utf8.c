/* base/slice: code points from bytes that may be anything.
 * The reference is the definition itself: the encodings of all code points, and which bytes begin
 * one. */
#include "support.h"

#include "base/base.h"

enum { CODE_POINTS = 0x110000 };

/* Table 3-6 of Unicode 15, written out; independent of the code under test. */
static size_t encode(uint32_t cp, unsigned char out[4]) {
    if (cp <= 0x7F) {
        out[0] = (unsigned char)cp;
        return 1;
    }
    if (cp <= 0x7FF) {
        out[0] = (unsigned char)(0xC0 + cp / 64);
        out[1] = (unsigned char)(0x80 + cp % 64);
        return 2;
    }
    if (cp <= 0xFFFF) {
        out[0] = (unsigned char)(0xE0 + cp / 4096);
        out[1] = (unsigned char)(0x80 + cp / 64 % 64);
        out[2] = (unsigned char)(0x80 + cp % 64);
        return 3;
    }
    out[0] = (unsigned char)(0xF0 + cp / 262144);
    out[1] = (unsigned char)(0x80 + cp / 4096 % 64);
    out[2] = (unsigned char)(0x80 + cp / 64 % 64);
    out[3] = (unsigned char)(0x80 + cp % 64);
    return 4;
}

static bool is_surrogate(uint32_t cp) {
    return cp >= 0xD800 && cp <= 0xDFFF;
}

/* begins1[b], begins2[b0 b1], begins3[b0 b1 b2]: do these bytes begin a code point? */
typedef struct prefixes {
    bool begins1[1 << 8], begins2[1 << 16], begins3[1 << 24];
} prefixes;

static void setup(prefixes *known) {
    for (uint32_t cp = 0; cp < CODE_POINTS; cp++) {
        if (is_surrogate(cp)) continue;
        unsigned char b[4];
        size_t n = encode(cp, b);
        known->begins1[b[0]] = true;
        if (n >= 2) known->begins2[b[0] << 8 | b[1]] = true;
        if (n >= 3) known->begins3[b[0] << 16 | b[1] << 8 | b[2]] = true;
    }
}

/* How many of the bytes b[0..n), n <= 4, the definition takes: a whole encoding, or else its
 * longest beginning, or else one byte. */
static size_t reference(const prefixes *known, const unsigned char *b, size_t n, uint32_t *ret_cp) {
    *ret_cp = TWX_REPLACEMENT;
    if (b[0] < 0x80) {
        *ret_cp = b[0];
        return 1;
    }
    if (!known->begins1[b[0]] || n < 2 || !known->begins2[b[0] << 8 | b[1]]) return 1;
    if (b[0] < 0xE0) {
        *ret_cp = (b[0] - 0xC0u) * 64 + (b[1] - 0x80u);
        return 2;
    }
    if (n < 3 || !known->begins3[b[0] << 16 | b[1] << 8 | b[2]]) return 2;
    if (b[0] < 0xF0) {
        *ret_cp = (b[0] - 0xE0u) * 4096 + (b[1] - 0x80u) * 64 + (b[2] - 0x80u);
        return 3;
    }
    if (n < 4 || b[3] < 0x80 || b[3] > 0xBF) return 3;
    *ret_cp = (b[0] - 0xF0u) * 262144 + (b[1] - 0x80u) * 4096 + (b[2] - 0x80u) * 64 +
              (b[3] - 0x80u);
    return 4;
}

static void check(const prefixes *known, const unsigned char *b, size_t n) {
    uint32_t cp = 0, expected = 0;
    size_t used = twx_utf8_next((const char *)b, (const char *)b + n, &cp);
    size_t expected_used = reference(known, b, n, &expected);
    if (used != expected_used || cp != expected)
        fail_msg("%02x %02x %02x %02x (%zu bytes): took %zu for U+%04X, not %zu for U+%04X", b[0],
                 n > 1 ? b[1] : 0, n > 2 ? b[2] : 0, n > 3 ? b[3] : 0, n, used, cp, expected_used,
                 expected);
}

TEST(every_code_point_goes_there_and_back) {
    for (uint32_t cp = 0; cp < CODE_POINTS; cp++) {
        if (is_surrogate(cp)) continue;
        unsigned char expected[4];
        char out[4];
        uint32_t back = 0;
        size_t n = encode(cp, expected);
        if (twx_utf8_put(cp, out) != n || memcmp(out, expected, n) != 0) fail_msg("put U+%04X", cp);
        if (twx_utf8_next(out, out + n, &back) != n || back != cp) fail_msg("next U+%04X", cp);
        if (!twx_utf8_valid((twx_slice){out, n})) fail_msg("valid U+%04X", cp);
    }
}

TEST(r1_all_strings_of_one_and_two_bytes) {
    unsigned char b[2];
    for (unsigned i = 0; i < 1 << 16; i++) {
        b[0] = (unsigned char)(i >> 8);
        b[1] = (unsigned char)i;
        check(*state, b, 1);
        check(*state, b, 2);
    }
}

TEST(r1_all_strings_of_three_bytes) {
    unsigned char b[3];
    for (unsigned i = 0x80u << 16; i < 1 << 24; i++) {
        b[0] = (unsigned char)(i >> 16);
        b[1] = (unsigned char)(i >> 8);
        b[2] = (unsigned char)i;
        check(*state, b, 3);
    }
}

/* From F0 on, with fourth bytes on both sides of every limit. */
TEST(r1_strings_of_four_bytes) {
    const unsigned char fourth[] = {0x00, 0x7F, 0x80, 0x8F, 0x9F, 0xBF, 0xC0, 0xFF};
    unsigned char b[4];
    for (unsigned i = 0xF0u << 16; i < 1 << 24; i++) {
        b[0] = (unsigned char)(i >> 16);
        b[1] = (unsigned char)(i >> 8);
        b[2] = (unsigned char)i;
        b[3] = fourth[i % sizeof fourth];
        check(*state, b, 4);
    }
}

/* Bytes as the replacements come out for a whole string. */
static void check_text(const char *bytes, size_t n, const char *expected) {
    char out[64] = "";
    for (const char *p = bytes, *end = bytes + n; p < end;) {
        uint32_t cp = 0;
        p += twx_utf8_next(p, end, &cp);
        strcat(out, cp == TWX_REPLACEMENT ? "?" : (char[]){(char)cp, 0});
    }
    assert_string_equal(out, expected);
}

/* The examples of the Unicode standard: tables 3-8 to 3-11 of section 3.9. */
TEST(r1_one_replacement_for_each_maximal_subpart) {
    check_text("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", 9, "????????A"); /* not the shortest form */
    check_text("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", 9, "????????A"); /* surrogates */
    check_text("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", 9, "?????A??B"); /* other bad bytes */
    check_text("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", 9, "????A");     /* cut short */
}

TEST(no_byte_after_the_end_is_read) {
    for (size_t n = 1; n <= 4; n++) {
        unsigned char *b = malloc(n); /* exact size: the address sanitizer sees one byte more */
        assert_non_null(b);
        const unsigned char whole[] = {0xF1, 0x80, 0x80, 0x80};
        memcpy(b, whole, n);
        check(*state, b, n);
        assert_int_equal(twx_utf8_valid((twx_slice){(char *)b, n}), n == 4);
        free(b);
    }
}

/* valid(): decoding replaces nothing, for random strings of bytes that often fit together. */
TEST(valid_is_decoding_without_replacement) {
    const unsigned char likely[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F,
                                    0xA0, 0xBF, 0xBD, 0xC1, 0xC2, 0xDF, 0xE0,
                                    0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF};
    size_t valid = 0;
    for (uint64_t seed = 1; seed <= 50000; seed++) {
        test_rng rng = test_rng_seed(seed);
        unsigned char b[8];
        size_t n = 1 + test_rng_below(&rng, 6);
        for (size_t i = 0; i < n; i++) b[i] = likely[test_rng_below(&rng, sizeof likely)];
        bool expected = true;
        for (size_t at = 0, used; at < n; at += used) {
            uint32_t cp = 0;
            size_t room = n - at < 4 ? n - at : 4;
            used = reference(*state, b + at, room, &cp);
            unsigned char again[4];
            if (encode(cp, again) != used || memcmp(again, b + at, used) != 0) expected = false;
        }
        if (twx_utf8_valid((twx_slice){(char *)b, n}) != expected) fail_msg("seed %" PRIu64, seed);
        valid += expected;
    }
    assert_true(valid > 1000); /* the draw reaches both answers */
}

TEST(empty_and_absent_text_is_valid) {
    assert_true(twx_utf8_valid(TWX_SLICE_LIT("")));
    assert_true(twx_utf8_valid((twx_slice){NULL, 0}));
}

TEST(a_replacement_character_in_the_text_is_valid) {
    assert_true(twx_utf8_valid(TWX_SLICE_LIT("\xEF\xBF\xBD")));
    assert_false(twx_utf8_valid(TWX_SLICE_LIT("\xEF\xBF\xBD\xFF")));
    assert_false(twx_utf8_valid(TWX_SLICE_LIT("\xEF\xBF")));
}

TESTS_SHARE(prefixes, setup, TEST_NOTHING);
