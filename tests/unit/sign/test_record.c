/* Records: what was packed comes back, and bytes that are no record are refused. */
#include "detect_fixture.h"

static void add(fixture *f, twx_buf *record, uint8_t id, size_t keys, twx_slice payload) {
    twx_signature s = {.payload = payload};
    for (size_t i = 0; i < keys; i++)
        assert_int_equal(twx_signature_add(&f->cx, (twx_key){id * 1000u + i, ~(uint64_t)i}, &s),
                         TWX_OK);
    assert_int_equal(twx_record_add(&f->cx, id, &s, record), TWX_OK);
    TWX_VEC_DONE(&s.keys);
}

static void three_entries(fixture *f, twx_buf *record) {
    twx_buf_init(record, 1 << 20);
    add(f, record, 1, 1, (twx_slice){NULL, 0});
    add(f, record, 7, 0, TWX_SLICE_LIT("\0payload"));
    add(f, record, 255, 300, TWX_SLICE_LIT("p"));
}

TEST(what_was_packed_comes_back) {
    fixture *f = *state;
    twx_buf record;
    twx_record_entry e = {0};
    three_entries(f, &record);
    twx_slice rest = twx_buf_slice(&record);
    assert_int_equal(twx_record_next(&f->cx, &rest, &e), TWX_OK);
    assert_int_equal(e.id, 1);
    assert_int_equal(e.n_keys, 1);
    assert_true(twx_record_key(&e, 0).key == 1000 && twx_record_key(&e, 0).check == UINT64_MAX);
    assert_null(e.payload.p);
    assert_int_equal(twx_record_next(&f->cx, &rest, &e), TWX_OK);
    assert_int_equal(e.n_keys, 0);
    assert_true(twx_slice_eq(e.payload, TWX_SLICE_LIT("\0payload")));
    assert_int_equal(twx_record_next(&f->cx, &rest, &e), TWX_OK);
    assert_int_equal(e.n_keys, 300);
    for (size_t i = 0; i < 300; i++)
        assert_true(twx_record_key(&e, i).key == 255000 + i &&
                    twx_record_key(&e, i).check == ~(uint64_t)i);
    assert_int_equal(twx_record_next(&f->cx, &rest, &e), TWX_DONE);
    twx_buf_done(&record);
}

TEST(the_layout_is_that_of_the_specification) {
    fixture *f = *state;
    twx_buf record = {.max = 100};
    twx_signature s = {.payload = TWX_SLICE_LIT("xy")};
    assert_int_equal(
        twx_signature_add(&f->cx, (twx_key){0x0102030405060708, 0x1112131415161718}, &s), TWX_OK);
    assert_int_equal(twx_record_add(&f->cx, 9, &s, &record), TWX_OK);
    const char expected[] = "\x09\x11\x02"
                            "\x08\x07\x06\x05\x04\x03\x02\x01\x18\x17\x16\x15\x14\x13\x12\x11xy";
    assert_true(twx_slice_eq(twx_buf_slice(&record), (twx_slice){expected, sizeof expected - 1}));
    TWX_VEC_DONE(&s.keys);
    twx_buf_done(&record);
}

/* The key of most payloads is their hash, and many keys have no check. */
TEST(what_follows_is_not_stored) {
    fixture *f = *state;
    twx_buf record = {.max = 100};
    twx_record_entry e = {0};
    twx_signature s = {.payload = TWX_SLICE_LIT("xy")};
    const twx_hash128 hash = twx_hash_wide(s.payload, 0);
    assert_int_equal(twx_signature_add(&f->cx, (twx_key){hash.lo, hash.hi}, &s), TWX_OK);
    assert_int_equal(twx_record_add(&f->cx, 9, &s, &record), TWX_OK);
    assert_int_equal(record.n, 5);
    s.keys.at[0] = (twx_key){7, 0};
    s.payload = (twx_slice){NULL, 0};
    assert_int_equal(twx_record_add(&f->cx, 10, &s, &record), TWX_OK);
    assert_int_equal(record.n, 5 + 2 + 8);
    assert_int_equal(twx_record_find(&f->cx, twx_buf_slice(&record), 9, &e), TWX_OK);
    assert_true(twx_record_key(&e, 0).key == hash.lo && twx_record_key(&e, 0).check == hash.hi);
    assert_int_equal(twx_record_find(&f->cx, twx_buf_slice(&record), 10, &e), TWX_OK);
    assert_true(twx_record_key(&e, 0).key == 7 && twx_record_key(&e, 0).check == 0);
    TWX_VEC_DONE(&s.keys);
    twx_buf_done(&record);
}

TEST(no_signature_takes_no_bytes) {
    fixture *f = *state;
    twx_buf record = {.max = 100};
    twx_record_entry e = {0};
    add(f, &record, 3, 0, (twx_slice){NULL, 0});
    assert_int_equal(record.n, 0);
    twx_slice rest = {NULL, 0};
    assert_int_equal(twx_record_next(&f->cx, &rest, &e), TWX_DONE);
    twx_buf_done(&record);
}

TEST(one_detector_is_found) {
    fixture *f = *state;
    twx_buf record;
    twx_record_entry e = {0};
    three_entries(f, &record);
    assert_int_equal(twx_record_find(&f->cx, twx_buf_slice(&record), 7, &e), TWX_OK);
    assert_int_equal(e.id, 7);
    assert_int_equal(twx_record_find(&f->cx, twx_buf_slice(&record), 8, &e), TWX_DONE);
    assert_int_equal(e.id, 7); /* untouched */
    twx_buf_done(&record);
}

/* Reads to the end; TWX_DONE when the bytes are a record. An exact copy lets the sanitizer see an
 * over-read. */
static twx_rc read_all(const char *bytes, size_t n) {
    twx_ctx cx = {0};
    twx_record_entry e = {0};
    char *copy = malloc(n ? n : 1);
    twx_slice rest = {copy, n};
    twx_rc rc;
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    while ((rc = twx_record_next(&cx, &rest, &e)) == TWX_OK) continue;
    free(copy);
    return rc;
}

TEST(every_cut_within_an_entry_is_corrupt) {
    twx_buf record;
    three_entries(*state, &record);
    size_t whole = 0; /* cuts between entries */
    for (size_t n = 0; n <= record.n; n++) {
        twx_rc rc = read_all(record.p, n);
        if (rc == TWX_DONE)
            whole++;
        else
            assert_int_equal(rc, TWX_E_CORRUPT);
    }
    assert_int_equal(whole, 4);
    twx_buf_done(&record);
}

TEST(malformed_bytes_are_corrupt) {
    /* neither key nor payload */
    assert_int_equal(read_all("\x01\0", 2), TWX_E_CORRUPT);
    /* one id twice */
    assert_int_equal(read_all("\x02\x10\x01p\x02\x10\x01p", 8), TWX_E_CORRUPT);
    /* ids fall */
    assert_int_equal(read_all("\x02\x10\x01p\x01\x10\x01p", 8), TWX_E_CORRUPT);
    assert_int_equal(read_all("\x01\x10\x01p\x02\x10\x01p", 8), TWX_DONE);
    assert_int_equal(read_all("\x01\x20\xFF\xFF\xFF\xFFp", 7), TWX_E_CORRUPT);
    assert_int_equal(read_all("\x01\x0F\xFF\xFFp", 5), TWX_E_CORRUPT);
    /* longer forms than necessary */
    assert_int_equal(read_all("\x01\x20\x01\0\0\0p", 7), TWX_E_CORRUPT);
    assert_int_equal(read_all("\x01\x30\x01p", 4), TWX_E_CORRUPT);
    assert_int_equal(read_all("\x01\x01key.....\0\0\0\0\0\0\0\0", 18), TWX_E_CORRUPT);
    assert_int_equal(read_all("\x01\x41key.....", 10), TWX_DONE);
    assert_int_equal(read_all("\x01\x0F\x02\0key.....check...key.....check...", 36), TWX_E_CORRUPT);
    /* a derived key without payload, two of them, one of 8 bytes */
    assert_int_equal(read_all("\x01\x81", 2), TWX_E_CORRUPT);
    assert_int_equal(read_all("\x01\x92\x01p", 4), TWX_E_CORRUPT);
    assert_int_equal(read_all("\x01\xD1\x01p", 4), TWX_E_CORRUPT);
    assert_int_equal(read_all("\x01\x91\x01p", 4), TWX_DONE);
}

TEST(too_many_keys_and_a_full_buffer_are_limits) {
    fixture *f = *state;
    twx_buf record = {.max = 100};
    twx_signature s = {0};
    for (size_t i = 0; i < TWX_RECORD_KEYS_MAX + 1u; i++)
        assert_int_equal(twx_signature_add(&f->cx, (twx_key){i, i}, &s), TWX_OK);
    assert_int_equal(twx_record_add(&f->cx, 1, &s, &record), TWX_E_LIMIT);
    twx_ctx_clear(&f->cx);
    s.keys.n = 10;
    assert_int_equal(twx_record_add(&f->cx, 1, &s, &record), TWX_E_LIMIT);
    twx_ctx_clear(&f->cx);
    assert_int_equal(record.n, 0);
    TWX_VEC_DONE(&s.keys);
    twx_buf_done(&record);
}

TESTS_IN(fixture_open, fixture_close);
