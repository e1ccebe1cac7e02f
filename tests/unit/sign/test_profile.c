/* The text profile equals that of Apache Nutch on Java 17, and its arithmetic is the
 * specification's. */
#include "detect_fixture.h"

#include <math.h>
#include <openssl/evp.h>
#include <zlib.h>

enum { LINE_MAX_BYTES = 1 << 22, VECTORS = 120 };

static const char *profile_hex(fixture *f, twx_slice text) {
    return fixture_hex(f, &TWX_DETECTOR_PROFILE, &(twx_document){.text = text});
}

static const char *exact_hex(fixture *f, twx_slice text) {
    return fixture_hex(f, &TWX_DETECTOR_EXACT, &(twx_document){.text = text});
}

static void assert_profile(fixture *f, const char *text, const char *expected) {
    twx_slice profile;
    assert_ok(twx_profile_text(&f->cx, f->w, &f->params, twx_slice_of(text), &profile));
    if (!twx_slice_eq(profile, twx_slice_of(expected)))
        fail_msg("'%s': profile '" TWX_SLICE_FMT "', expected '%s'", text, TWX_SLICE_ARG(profile),
                 expected);
    twx_workspace_reset(f->w);
}

TEST(rare_words_are_dropped_and_counts_rounded_down) {
    assert_profile(*state, "", "");
    assert_profile(*state, "one two six", "one 1\nsix 1\ntwo 1"); /* no word twice: all are left */
    assert_profile(*state, "one two one", "one 2");
    assert_profile(*state, "one one one", "one 2");
    assert_profile(*state, "Two oNe; TWO-one/one one,one two.two six", "one 4\ntwo 4");
    assert_profile(*state, "of of of or or a1b a1b", "a1b 2"); /* at most 2 units: no words */
}

TEST(larger_counts_come_first_then_the_lower_word) {
    assert_profile(*state, "bbb bbb aaa aaa ccc ccc ccc ccc", "ccc 4\naaa 2\nbbb 2");
    assert_profile(*state, "abcdefghi abcdefgh abcdefghi abcdefgh", "abcdefgh 2\nabcdefghi 2");
    assert_profile(*state, "abcdefghz abcdefghb abcdefgh1",
                   "abcdefgh1 1\nabcdefghb 1\nabcdefghz 1");
    assert_profile(*state, "\xEF\xBC\xA1xx \xE2\x84\xA6xx", "\xCF\x89xx 1\n\xEF\xBD\x81xx 1");
}

TEST(short_words_are_measured_in_utf16_units) {
    assert_profile(*state, "\xC3\xA4\xC3\xB6 \xC3\xA4\xC3\xB6\xC3\xBC",
                   "\xC3\xA4\xC3\xB6\xC3\xBC 1");
    assert_profile(*state, "\xE6\xBC\xA2\xE5\xAD\x97 ab", "");
}

/* Math.round(float) of Java: the floor of x + 1/2, computed without error. */
static uint32_t java_quant(uint32_t most) {
    const float product = (float)most * 0.01f;
    const double rounded = floor((double)product + 0.5);
    return rounded >= 2 ? (uint32_t)rounded : most > 1 ? 2 : 1;
}

TEST(quant_equals_javas_float_rule) {
    for (uint32_t most = 0; most <= 17000000; most += most < 1000000 ? 1 : 7)
        if (twx_profile_quant(most, 10000) != java_quant(most))
            fail_msg("largest count %u: %u, Java %u", most, twx_profile_quant(most, 10000),
                     java_quant(most));
}

TEST(quant_never_is_zero_and_takes_any_rate) {
    assert_int_equal(twx_profile_quant(0, 10000), 1);
    assert_int_equal(twx_profile_quant(1, 10000), 1);
    assert_int_equal(twx_profile_quant(2, 10000), 2);
    assert_int_equal(twx_profile_quant(249, 10000), 2);
    assert_int_equal(twx_profile_quant(250, 10000), 3);
    assert_int_equal(twx_profile_quant(1000, 0), 2);
    assert_int_equal(twx_profile_quant(1000, 1000000), 1000);
    assert_int_equal(twx_profile_quant(UINT32_MAX, UINT32_MAX), UINT32_MAX);
}

TEST_OF(parameters_shape_the_profile, fixture *f) {
    f->params.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_MIN_TOKEN_LEN] = 0;
    assert_profile(f, "a bb a bb ccc", "a 2\nbb 2");
    f->params.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_MIN_TOKEN_LEN] = 2;
    f->params.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE] = 500000;
    assert_profile(f, "aaa aaa aaa aaa aaa aaa bbb bbb", "aaa 6");
}

TEST_OF(sha256_takes_the_place_of_md5_when_asked, fixture *f) {
    const twx_slice text = TWX_SLICE_LIT("one two one");
    assert_string_equal(profile_hex(f, text), "55b4599750c6684cbba85ee2c01e189a");
    twx_workspace_close(f->w);
    f->params.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_DIGEST] = 1;
    assert_ok(twx_workspace_open(&f->cx, &f->params, &f->w));
    assert_string_equal(profile_hex(f, text), exact_hex(f, TWX_SLICE_LIT("one 2")));
}

TEST_OF(an_empty_profile_falls_back_to_the_exact_digest, fixture *f) {
    static const char *const TEXTS[] = {"a b", " ", "...", "\xFF", "\xF0\x9F\x98\x80"};
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++) {
        char exact[33];
        snprintf(exact, sizeof exact, "%s", exact_hex(f, twx_slice_of(TEXTS[i])));
        assert_string_equal(profile_hex(f, twx_slice_of(TEXTS[i])), exact);
    }
    assert_string_equal(profile_hex(f, (twx_slice){NULL, 0}), "");
    assert_string_equal(profile_hex(f, TWX_SLICE_LIT("")), "");
}

static void check_vector(fixture *f, char **fields) {
    twx_slice text = fixture_unescape(fields[1]);
    const char *hex = profile_hex(f, text);
    if (strcmp(hex, fields[2]) != 0)
        fail_msg("vector '%s': %s, expected %s", fields[0], hex, fields[2]);
}

TEST(vectors) {
    assert_true(fixture_vectors(*state, "profile.tsv", 3, check_vector) >= 30);
}

/* "base64 TAB md5" */
static void check_nutch(fixture *f, char *line, int row) {
    static unsigned char text[LINE_MAX_BYTES];
    char *md5 = strchr(line, '\t');
    assert_non_null(md5);
    *md5++ = '\0';
    md5[strcspn(md5, "\r\n")] = '\0';
    size_t n = strlen(line);
    int bytes = EVP_DecodeBlock(text, (const unsigned char *)line, (int)n);
    assert_true(bytes >= 0);
    for (; n > 0 && line[n - 1] == '='; n--) bytes--;
    const twx_slice slice = {(const char *)text, (size_t)bytes};
    const bool nothing = strcmp(md5, "d41d8cd98f00b204e9800998ecf8427e") == 0; /* MD5 of no bytes */
    const char *hex = profile_hex(f, slice);
    if (!nothing && strcmp(hex, md5) != 0) fail_msg("row %d: %s, expected %s", row, hex, md5);
    if (!nothing || bytes == 0) return;
    char fuzzy[33];
    snprintf(fuzzy, sizeof fuzzy, "%s", hex);
    assert_string_equal(fuzzy, exact_hex(f, slice));
}

TEST(profiles_equal_those_of_nutch) {
    static char line[LINE_MAX_BYTES];
    const char *path = test_corpus("profile_vectors.tsv.gz");
    if (!path) skip();
    gzFile in = gzopen(path, "rb");
    assert_non_null(in);
    int rows = 0;
    while (gzgets(in, line, sizeof line)) check_nutch(*state, line, ++rows);
    gzclose(in);
    assert_int_equal(rows, VECTORS);
}

TEST_OF(a_fips_machine_is_told_which_setting_helps, fixture *f) {
    const twx_document doc = {.text = TWX_SLICE_LIT("words words words")};
    if (EVP_default_properties_enable_fips(NULL, 1) != 1) skip();
    twx_rc rc = TWX_DETECTOR_PROFILE.sign(&f->cx, f->w, &f->params, &doc, &f->signature);
    assert_int_equal(EVP_default_properties_enable_fips(NULL, 0), 1);
    assert_int_equal(rc, TWX_E_CONFIG);
    assert_non_null(strstr(f->cx.message, "fuzzy.digest = sha256"));
}
