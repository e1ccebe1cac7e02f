/* The exact digest: SHA-256 of the bytes as stored. */
#include "detect_fixture.h"

static void check_vector(fixture *f, char **fields) {
    twx_slice text = fixture_unescape(fields[1]);
    const char *hex = fixture_hex(f, &TWX_DETECTOR_EXACT, &(twx_document){.text = text});
    if (strcmp(hex, fields[2]) != 0)
        fail_msg("vector '%s': %s, expected %s", fields[0], hex, fields[2]);
}

TEST(vectors) {
    assert_true(fixture_vectors(*state, "exact.tsv", 3, check_vector) >= 5);
}

TEST(the_first_bytes_are_the_key_and_the_next_the_check) {
    twx_key key = {0};
    /* SHA-256 of "abc", FIPS 180-4: ba7816bf 8f01cfea 414140de 5dae2223 ... */
    assert_int_equal(fixture_sign(*state, &TWX_DETECTOR_EXACT,
                                  &(twx_document){.text = TWX_SLICE_LIT("abc")}, &key),
                     1);
    assert_true(key.key == UINT64_C(0xba7816bf8f01cfea));
    assert_true(key.check == UINT64_C(0x414140de5dae2223));
}

TEST(absent_and_empty_texts_have_no_copies) {
    twx_key key = {0};
    assert_int_equal(
        fixture_sign(*state, &TWX_DETECTOR_EXACT, &(twx_document){.text = {NULL, 0}}, &key), 0);
    assert_int_equal(
        fixture_sign(*state, &TWX_DETECTOR_EXACT, &(twx_document){.text = TWX_SLICE_LIT("")}, &key),
        0);
}

TEST_OF(a_noted_text_has_the_same_digest_and_is_forgotten, fixture *f) {
    char text[] = "abc";
    unsigned char first[TWX_SHA256_BYTES], noted[TWX_SHA256_BYTES], other[TWX_SHA256_BYTES];
    const twx_slice slice = {text, 3};
    assert_int_equal(twx_text_sha256(&f->cx, f->w, slice, first), TWX_OK);
    twx_workspace_note_text(f->w, slice);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(twx_text_sha256(&f->cx, f->w, slice, noted), TWX_OK);
        assert_memory_equal(first, noted, sizeof first);
    }
    assert_int_equal(twx_text_sha256(&f->cx, f->w, twx_slice_sub(slice, 0, 2), other), TWX_OK);
    assert_memory_not_equal(first, other, sizeof first);
    text[0] = 'x';
    twx_workspace_reset(f->w);
    assert_int_equal(twx_text_sha256(&f->cx, f->w, slice, other), TWX_OK);
    assert_memory_not_equal(first, other, sizeof first);
}
