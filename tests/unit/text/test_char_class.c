/* The tables of characters agree with Java 17. */
#include "support.h"

#include <openssl/sha.h>

#include "text/text.h"

/* Printed by a Java 17 that hashed, for each unit in order: 1 or 0 of isLetterOrDigit, then
 * toLowerCase in two bytes, big endian. */
enum { LETTERS_AND_DIGITS = 49279, WITH_LOWER_CASE = 1168 };
static const char TABLE_SHA256[] =
    "854b5a9a6feca1f0e1c35cda87e4f48621ae15a04bac2e87183b4ee37efb1783";

TEST(r1_r2_the_whole_table_is_javas) {
    static unsigned char table[0x10000 * 3];
    unsigned char digest[SHA256_DIGEST_LENGTH];
    char hex[2 * sizeof digest + 1];
    int letters = 0, lowered = 0;
    for (uint32_t c = 0; c < 0x10000; c++) {
        uint32_t lower = twx_to_lower(c);
        letters += twx_is_letter_or_digit(c);
        lowered += lower != c;
        table[3 * c] = twx_is_letter_or_digit(c);
        table[3 * c + 1] = (unsigned char)(lower >> 8);
        table[3 * c + 2] = (unsigned char)lower;
    }
    assert_int_equal(letters, LETTERS_AND_DIGITS);
    assert_int_equal(lowered, WITH_LOWER_CASE);
    SHA256(table, sizeof table, digest);
    for (size_t i = 0; i < sizeof digest; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(hex, TABLE_SHA256);
}

TEST(r2_lower_case_is_stable_and_stays_a_letter) {
    for (uint32_t c = 0; c < 0x10000; c++) {
        assert_int_equal(twx_to_lower(twx_to_lower(c)), twx_to_lower(c));
        if (twx_is_letter_or_digit(c)) assert_true(twx_is_letter_or_digit(twx_to_lower(c)));
    }
}

TEST(r3_surrogates_and_what_lies_above_are_no_letters) {
    for (uint32_t c = 0xD800; c <= 0xDFFF; c++) assert_false(twx_is_letter_or_digit(c));
    static const uint32_t ABOVE[] = {0x10000, 0x10400,  0x1D400,   0x1F600,
                                     0x20000, 0x10FFFF, UINT32_MAX};
    for (size_t i = 0; i < TWX_COUNTOF(ABOVE); i++) {
        assert_false(twx_is_letter_or_digit(ABOVE[i]));
        assert_true(twx_to_lower(ABOVE[i]) == ABOVE[i]);
    }
}

TEST(characters_people_stumble_over) {
    assert_int_equal(twx_to_lower(0x130), 'i');   /* dotted capital I: one unit, not two */
    assert_int_equal(twx_to_lower(0x3A3), 0x3C3); /* capital sigma: never the final form */
    assert_int_equal(twx_to_lower(0xDF), 0xDF);   /* sharp s */
    assert_int_equal(twx_to_lower(0x1E9E), 0xDF); /* capital sharp s */
    assert_int_equal(twx_to_lower(0x212A), 'k');  /* Kelvin sign */
    assert_true(twx_is_letter_or_digit(0x661));   /* Arabic-Indic digit one */
    assert_false(twx_is_letter_or_digit(0xB2));   /* superscript two */
    assert_false(twx_is_letter_or_digit(0x301));  /* combining acute accent */
    assert_false(twx_is_letter_or_digit(0x2160)); /* Roman numeral one, a number but no digit */
    assert_false(twx_is_letter_or_digit(0xFFFD)); /* the replacement of invalid bytes */
    assert_false(twx_is_letter_or_digit('_'));
    assert_false(twx_is_letter_or_digit(0));
}

TEST(bytes_agree_with_characters) {
    for (unsigned b = 0; b < 256; b++) {
        unsigned class = TWX_BYTE_CLASS[b];
        assert_int_equal(class == TWX_BYTE_WIDE, b >= 0x80);
        if (b >= 0x80) continue;
        assert_int_equal((class & TWX_BYTE_WORD) != 0, twx_is_letter_or_digit(b));
        assert_int_equal((class & TWX_BYTE_UPPER) != 0, twx_to_lower(b) != b);
    }
}
