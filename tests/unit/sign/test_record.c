/* Records: what was packed comes back, usual documents take few bytes, and bytes that are no record
 * are refused. */
#include "detect_fixture.h"
#include "sign/internal.h"

enum { ROOM = 1 << 20 };

static void add(fixture *f, twx_buf *entries, uint8_t id, size_t keys, twx_slice payload) {
    twx_signature s = {.payload = payload};
    for (size_t i = 0; i < keys; i++)
        assert_ok(twx_signature_add(&f->cx, (twx_key){id * 1000u + i, ~(uint64_t)i}, &s));
    assert_ok(twx_entry_add(&f->cx, id, &s, entries));
    TWX_VEC_DONE(&s.keys);
}

static void three_entries(fixture *f, twx_buf *record) {
    twx_buf entries = {.max = ROOM};
    *record = (twx_buf){.max = ROOM};
    add(f, &entries, 1, 1, (twx_slice){NULL, 0});
    add(f, &entries, 7, 0, TWX_SLICE_LIT("\0payload"));
    add(f, &entries, 63, 300, TWX_SLICE_LIT("p"));
    assert_ok(twx_record_pack(&f->cx, twx_buf_slice(&entries), record));
    twx_buf_done(&entries);
}

TEST_OF(what_was_packed_comes_back, fixture *f) {
    twx_buf record;
    twx_record r;
    three_entries(f, &record);
    assert_ok(twx_record_read(&f->cx, twx_buf_slice(&record), &r));
    assert_int_equal(r.n, 3);
    const twx_record_entry *e = r.at;
    assert_true(e[0].id == 1 && e[0].n_keys == 1 && !e[0].payload.p);
    assert_true(twx_record_key(&e[0], 0).key == 1000 &&
                twx_record_key(&e[0], 0).check == UINT64_MAX);
    assert_true(e[1].id == 7 && e[1].n_keys == 0);
    assert_true(twx_slice_eq(e[1].payload, TWX_SLICE_LIT("\0payload")));
    assert_true(e[2].id == 63 && e[2].n_keys == 300);
    for (size_t i = 0; i < 300; i++)
        assert_true(twx_record_key(&e[2], i).key == 63000 + i &&
                    twx_record_key(&e[2], i).check == ~(uint64_t)i);
    assert_ptr_equal(twx_record_find(&r, 7), &e[1]);
    assert_null(twx_record_find(&r, 8));
    twx_buf_done(&record);
}

/* The key of most payloads is their hash, and many keys have no check. */
TEST_OF(what_follows_is_not_stored, fixture *f) {
    twx_buf entries = {.max = 100}, record = {.max = 100};
    twx_record r;
    twx_signature s = {.payload = TWX_SLICE_LIT("xy")};
    const twx_hash128 hash = twx_hash_wide(s.payload, 0);
    assert_ok(twx_signature_add(&f->cx, (twx_key){hash.lo, hash.hi}, &s));
    assert_ok(twx_entry_add(&f->cx, 9, &s, &entries));
    assert_int_equal(entries.n, 5);
    s.keys.at[0] = (twx_key){7, 0};
    s.payload = (twx_slice){NULL, 0};
    assert_ok(twx_entry_add(&f->cx, 10, &s, &entries));
    assert_int_equal(entries.n, 5 + 2 + 8);
    assert_ok(twx_record_pack(&f->cx, twx_buf_slice(&entries), &record));
    assert_ok(twx_record_read(&f->cx, twx_buf_slice(&record), &r));
    assert_true(twx_record_key(&r.at[0], 0).key == hash.lo &&
                twx_record_key(&r.at[0], 0).check == hash.hi);
    assert_true(twx_record_key(&r.at[1], 0).key == 7 && twx_record_key(&r.at[1], 0).check == 0);
    TWX_VEC_DONE(&s.keys);
    twx_buf_done(&entries);
    twx_buf_done(&record);
}

/* An exact copy lets the sanitizer see an over-read. r, if not NULL: until the next call */
static twx_rc read_copy(twx_slice bytes, twx_record *r) {
    static char *copy;
    twx_ctx cx = {0};
    twx_record room;
    free(copy);
    copy = malloc(bytes.n ? bytes.n : 1);
    assert_non_null(copy);
    if (bytes.n) memcpy(copy, bytes.p, bytes.n);
    const twx_rc rc = twx_record_read(&cx, (twx_slice){copy, bytes.n}, r ? r : &room);
    assert_true(rc == TWX_OK || (rc == TWX_E_CORRUPT && cx.message[0]));
    if (!r) {
        free(copy);
        copy = NULL;
    }
    return rc;
}

#define LIT(text)      TWX_SLICE_LIT(text)
#define READS_AS(text) read_copy(LIT(text), NULL)
#define DIGEST         "0123456789abcdef"
#define ZEROS_14       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
/* 19 characters, 4 words */
#define ALIGNMENT "\x13\0\0\0\x11\0\0\0\0\0\xff" ZEROS_14 "abcd\x1b"
#define USUAL                                                                          \
    LIT("\x03\x01" DIGEST "\x04\x01" DIGEST "\x05\x01" DIGEST "\x1d\x91\x1e" ALIGNMENT \
        "\x1e\x10\x03\0\0\0"                                                           \
        "\x1f\x10\x0e\x10\0\0\0\0\0\0\0xyztit")

/* Packs the entries into `record`, reads it, and compares what comes back. Returns its length. */
static size_t expect_back(twx_slice entries, twx_buf *record) {
    twx_ctx cx = {0};
    twx_record r;
    twx_buf again = {.max = ROOM};
    twx_signature s = {0};
    *record = (twx_buf){.max = ROOM};
    assert_ok(twx_record_pack(&cx, entries, record));
    assert_ok(read_copy(twx_buf_slice(record), &r));
    for (size_t i = 0; i < r.n; i++) {
        s.keys.n = 0;
        s.payload = r.at[i].payload;
        for (size_t k = 0; k < r.at[i].n_keys; k++)
            assert_ok(twx_signature_add(&cx, twx_record_key(&r.at[i], k), &s));
        assert_ok(twx_entry_add(&cx, r.at[i].id, &s, &again));
    }
    assert_true(twx_slice_eq(twx_buf_slice(&again), entries));
    const size_t n = record->n;
    TWX_VEC_DONE(&s.keys);
    twx_buf_done(&again);
    return n;
}

/* The form of the record; three digests; which of 39 bytes are not 0 and seven that are not; words
 * and a length. */
TEST(what_is_usual_takes_no_bytes) {
    twx_ctx cx = {0};
    twx_buf record = {.max = ROOM};
    twx_record r;
    (void)state;
    assert_int_equal(expect_back(LIT(""), &record), 1);
    twx_buf_done(&record);
    assert_int_equal(expect_back(USUAL, &record), 1 + 3 * 16 + 5 + (3 + 1 + 3) + 3 + 1 + 5);
    assert_ok(twx_record_read(&cx, twx_buf_slice(&record), &r));
    assert_int_equal(r.n, 6);
    assert_true(twx_slice_eq(r.at[3].payload, LIT(ALIGNMENT)));
    twx_buf_done(&record);
}

/* docs/signatures.md */
TEST_OF(the_layout_is_that_of_the_specification, fixture *f) {
    twx_buf entries = {.max = 100}, record;
    twx_signature s = {.payload = TWX_SLICE_LIT("xy")};
    assert_ok(twx_signature_add(&f->cx, (twx_key){0x0102030405060708, 0x1112131415161718}, &s));
    assert_ok(twx_entry_add(&f->cx, 9, &s, &entries));
    assert_true(
        twx_slice_eq(twx_buf_slice(&entries), LIT("\x09\x11\x02\x08\x07\x06\x05\x04\x03\x02\x01"
                                                  "\x18\x17\x16\x15\x14\x13\x12\x11xy")));
    assert_int_equal(expect_back(twx_buf_slice(&entries), &record), 1 + entries.n);
    assert_int_equal((unsigned char)record.p[0], 0x80);
    assert_memory_equal(record.p + 1, entries.p, entries.n);
    twx_buf_done(&record);
    assert_int_equal(expect_back(LIT("\x04\x01" DIGEST), &record), 1 + 16);
    assert_memory_equal(record.p, "\x02" DIGEST, 17);
    TWX_VEC_DONE(&s.keys);
    twx_buf_done(&entries);
    twx_buf_done(&record);
}

TEST(other_entries_come_back) {
    const twx_slice ENTRIES[] = {
        LIT("\x02\x01" DIGEST "\x03\x01" DIGEST),
        LIT("\x06\x01" DIGEST),
        LIT("\x05\x01" DIGEST "\x14\x11\x02" DIGEST "xy"),
        LIT("\x03\x41"
            "12345678"),
        LIT("\x1d\x91\x02xy"),
        LIT("\x1d\x91\x1e" ALIGNMENT "\x20\x10\x01x"),
        LIT("\x1e\x10\x03\x10\0\0"), /* the words are missing */
        LIT("\x1e\x10\x06\x10\0\0wor"),
        LIT("\x1f\x10\x0b\0\0"
            "version"
            "ta"),
        LIT("\x1f\x10\x03xyz"),
    };
    twx_buf record;
    (void)state;
    for (size_t i = 0; i < TWX_COUNTOF(ENTRIES); i++) {
        expect_back(ENTRIES[i], &record);
        twx_buf_done(&record);
    }
}

/* Lengths of one byte and of four; and one that no alignment has. */
TEST(long_payloads_come_back) {
    char entry[6 + TWX_ALIGNMENT_BYTES + 1] = "\x1d\x91\xff";
    twx_buf record;
    (void)state;
    for (size_t i = 3; i < sizeof entry; i++) entry[i] = (char)i;
    expect_back((twx_slice){entry, 3 + 255}, &record);
    twx_buf_done(&record);
    memcpy(entry, "\x1d\xa1\x99\x01\0\0", 6);
    const size_t n = expect_back((twx_slice){entry, 6 + 409}, &record);
    assert_in_range(n, 409, 409 + 7);
    twx_buf_done(&record);
    memcpy(entry, "\x1d\xa1\x9a\x01\0\0", 6);
    assert_int_equal(expect_back((twx_slice){entry, sizeof entry}, &record), 1 + sizeof entry);
    twx_buf_done(&record);
}

TEST(every_cut_within_an_entry_is_corrupt) {
    twx_buf record;
    three_entries(*state, &record);
    size_t whole = 0; /* cuts between entries */
    for (size_t n = 0; n <= record.n; n++)
        whole += read_copy((twx_slice){record.p, n}, NULL) == TWX_OK;
    assert_int_equal(whole, 3);
    twx_buf_done(&record);
}

TEST(malformed_entries_are_corrupt) {
    (void)state;
    assert_int_equal(READS_AS("\x80\x01\0"), TWX_E_CORRUPT); /* neither key nor payload */
    /* one id twice */
    assert_int_equal(READS_AS("\x80\x02\x10\x01p\x02\x10\x01p"), TWX_E_CORRUPT);
    assert_int_equal(READS_AS("\x81" DIGEST "\x03\x01" DIGEST), TWX_E_CORRUPT);
    /* ids fall, or are out of range */
    assert_int_equal(READS_AS("\x80\x02\x10\x01p\x01\x10\x01p"), TWX_E_CORRUPT);
    assert_ok(READS_AS("\x80\x01\x10\x01p\x02\x10\x01p"));
    assert_int_equal(READS_AS("\x80\x40\x10\x01p"), TWX_E_CORRUPT);
    assert_int_equal(READS_AS("\x80\x01\x20\xFF\xFF\xFF\xFFp"), TWX_E_CORRUPT);
    assert_int_equal(READS_AS("\x80\x01\x0F\xFF\xFFp"), TWX_E_CORRUPT);
    /* longer forms than necessary */
    assert_int_equal(READS_AS("\x80\x01\x20\x01\0\0\0p"), TWX_E_CORRUPT);
    assert_int_equal(READS_AS("\x80\x01\x30\x01p"), TWX_E_CORRUPT);
    assert_int_equal(READS_AS("\x80\x01\x01key.....\0\0\0\0\0\0\0\0"), TWX_E_CORRUPT);
    assert_ok(READS_AS("\x80\x01\x41key....."));
    assert_int_equal(READS_AS("\x80\x01\x0F\x02\0key.....check...key.....check..."), TWX_E_CORRUPT);
    /* a derived key without payload, two of them, one of 8 bytes */
    assert_int_equal(READS_AS("\x80\x01\x81"), TWX_E_CORRUPT);
    assert_int_equal(READS_AS("\x80\x01\x92\x01p"), TWX_E_CORRUPT);
    assert_int_equal(READS_AS("\x80\x01\xD1\x01p"), TWX_E_CORRUPT);
    assert_ok(READS_AS("\x80\x01\x91\x01p"));
}

/* [R2] Every prefix of a usual record is refused, and every change of a byte read or refused. */
TEST(damaged_records_are_refused) {
    twx_buf record;
    (void)state;
    const size_t n = expect_back(USUAL, &record);
    for (size_t cut = 0; cut < n; cut++)
        assert_int_equal(read_copy((twx_slice){record.p, cut}, NULL), TWX_E_CORRUPT);
    size_t refused = 0;
    for (size_t at = 0; at < n; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            record.p[at] = (char)(record.p[at] ^ 1u << bit);
            refused += read_copy(twx_buf_slice(&record), NULL) != TWX_OK;
            record.p[at] = (char)(record.p[at] ^ 1u << bit);
        }
    assert_in_range(refused, 10, 8 * n);
    twx_buf_done(&record);
}

TEST(each_part_is_checked) {
    const twx_slice RECORDS[] = {
        LIT(""),                  /* no record */
        LIT("\x01short"),         /* half a digest */
        LIT("\x80"),              /* no other entries */
        LIT("\xc0\x01\x91\x01p"), /* other entries and a name */
        LIT("\x20\x08x"),         /* a bit beyond the head */
        LIT("\x20\x01\0"),        /* a byte that is 0 after all */
        LIT("\x20\x01\x10xy"),    /* two bytes of a word of three */
        LIT("\x20\0x"),           /* a byte too many */
        LIT("\0x"),
        LIT("\x10\0\0\0\0\x81"),     /* a number that ends too early, */
        LIT("\x10\0\0\0\0\x80\0"),   /* in two bytes that takes one, */
        LIT("\x10\0\0\0\0\x81\x03"), /* and of more words than an alignment has */
    };
    (void)state;
    for (size_t i = 0; i < TWX_COUNTOF(RECORDS); i++)
        assert_int_equal(read_copy(RECORDS[i], NULL), TWX_E_CORRUPT);
    assert_ok(READS_AS("\0"));
}

TEST_OF(too_many_keys_and_a_full_buffer_are_limits, fixture *f) {
    twx_buf entries = {.max = 100};
    twx_signature s = {0};
    for (size_t i = 0; i < TWX_RECORD_KEYS_MAX + 1u; i++)
        assert_ok(twx_signature_add(&f->cx, (twx_key){i, i}, &s));
    assert_int_equal(twx_entry_add(&f->cx, 1, &s, &entries), TWX_E_LIMIT);
    twx_ctx_clear(&f->cx);
    s.keys.n = 10;
    assert_int_equal(twx_entry_add(&f->cx, 1, &s, &entries), TWX_E_LIMIT);
    twx_ctx_clear(&f->cx);
    assert_int_equal(entries.n, 0);
    s.keys.n = 0; /* an empty signature takes no bytes */
    assert_ok(twx_entry_add(&f->cx, 1, &s, &entries));
    assert_int_equal(entries.n, 0);
    TWX_VEC_DONE(&s.keys);
    twx_buf_done(&entries);
}
