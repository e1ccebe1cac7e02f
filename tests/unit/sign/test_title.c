/* Title and description: what white space adds does not count. */
#include "detect_fixture.h"

static const char *title_hex(fixture *f, twx_slice title) {
    return fixture_hex(f, &TWX_DETECTOR_TITLE, &(twx_document){.title = title});
}

static void check_vector(fixture *f, char **fields) {
    twx_slice text = fixture_unescape(fields[1]);
    const char *hex = title_hex(f, text);
    if (strcmp(hex, fields[2]) != 0)
        fail_msg("title '%s': %s, expected %s", fields[0], hex, fields[2]);
    hex = fixture_hex(f, &TWX_DETECTOR_DESCRIPTION, &(twx_document){.description = text});
    if (strcmp(hex, fields[2]) != 0)
        fail_msg("description '%s': %s, expected %s", fields[0], hex, fields[2]);
}

TEST(vectors) {
    assert_true(fixture_vectors(*state, "title.tsv", 3, check_vector) >= 10);
}

TEST(white_space_is_trimmed_and_collapsed) {
    char once[33];
    snprintf(once, sizeof once, "%s", title_hex(*state, TWX_SLICE_LIT("a b")));
    assert_string_equal(title_hex(*state, TWX_SLICE_LIT("\t a \xC2\xA0\n b\xE3\x80\x80")), once);
    assert_string_not_equal(title_hex(*state, TWX_SLICE_LIT("ab")), once);
}

TEST(a_title_without_characters_is_none) {
    assert_string_equal(title_hex(*state, (twx_slice){NULL, 0}), "");
    assert_string_equal(title_hex(*state, TWX_SLICE_LIT("")), "");
    assert_string_equal(title_hex(*state, TWX_SLICE_LIT(" \n\xC2\xA0")), "");
}

TEST(each_reads_its_own_field) {
    const twx_document doc = {.text = TWX_SLICE_LIT("t"), .description = TWX_SLICE_LIT("d")};
    assert_string_equal(fixture_hex(*state, &TWX_DETECTOR_TITLE, &doc), "");
    assert_string_not_equal(fixture_hex(*state, &TWX_DETECTOR_DESCRIPTION, &doc), "");
}
