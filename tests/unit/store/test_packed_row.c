/* Packed rows: facts and keys come back, usual ones take few bytes, and damaged rows are
 * refused. */
#include "store_fixture.h"

typedef struct fixture {
    twx_ctx cx;
    twx_buf packed, room;
    twx_slice facts, keys;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){0};
    twx_ctx_init(&f.cx);
    twx_buf_init(&f.packed, 1 << 20);
    twx_buf_init(&f.room, 1 << 20);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    twx_buf_done(&f->packed);
    twx_buf_done(&f->room);
    return 0;
}

/* Reads an exact copy, so that the sanitizer sees an over-read. */
static twx_rc unpack(fixture *f, twx_slice packed) {
    char *copy = malloc(packed.n ? packed.n : 1);
    assert_non_null(copy);
    if (packed.n) memcpy(copy, packed.p, packed.n);
    const twx_rc rc = twx_row_unpack(&f->cx, (twx_slice){copy, packed.n}, &f->room, &f->facts,
                                     &f->keys);
    free(copy);
    return rc;
}

/* Returns the length of the packed row. */
static size_t expect_back(fixture *f, twx_slice facts, twx_slice keys) {
    twx_buf_clear(&f->packed);
    expect_ok(&f->cx, twx_row_pack(&f->cx, facts, keys, &f->packed));
    expect_ok(&f->cx, unpack(f, twx_buf_slice(&f->packed)));
    assert_true(twx_slice_eq(f->facts, facts) && twx_slice_eq(f->keys, keys));
    return f->packed.n;
}

static void expect_damaged(fixture *f, twx_slice packed) {
    twx_ctx_clear(&f->cx);
    assert_int_equal(unpack(f, packed), TWX_E_CORRUPT);
    assert_string_equal(f->cx.message,
                        "a row of twindex_signature is damaged: it cannot be unpacked");
    twx_ctx_clear(&f->cx);
}

#define LIT(text) TWX_SLICE_LIT(text)
#define NONE      LIT("")
#define DIGEST    "0123456789abcdef"
#define ZEROS_14  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
/* 19 characters, 4 words */
#define ALIGNMENT "\x13\0\0\0\x11\0\0\0\0\0\xff" ZEROS_14 "abcd\x1b"
static const char USUAL_FACTS[] =
    "\x0f\x01\xc8\x01\x08\x0f\x0bhttps://www.example.org/a/page-1.html";
static const char USUAL_KEYS[] = "\x03\x01" DIGEST "\x04\x01" DIGEST "\x05\x01" DIGEST
                                 "\x1d\x91\x1e" ALIGNMENT "\x1e\x10\x03\0\0\0"
                                 "\x1f\x10\x0e\x10\0\0\0\0\0\0\0xyztit";

static twx_slice usual_facts(void) {
    return (twx_slice){USUAL_FACTS, sizeof USUAL_FACTS - 1};
}

static twx_slice usual_keys(void) {
    return (twx_slice){USUAL_KEYS, sizeof USUAL_KEYS - 1};
}

/* The bytes of a usual document: the facts and their length; the form of the record; three digests;
 * which of 39 bytes are not 0 and seven that are not; words and a length. */
TEST(what_is_usual_takes_no_bytes) {
    fixture *f = *state;
    const size_t facts = usual_facts().n + 1;
    assert_int_equal(expect_back(f, usual_facts(), NONE), facts + 1 + 0);
    assert_int_equal(expect_back(f, usual_facts(), usual_keys()),
                     facts + 1 + 3 * 16 + 5 + (3 + 1 + 3) + 3 + 1 + 5);
}

/* docs/signatures.md */
TEST(the_layout_is_that_of_the_specification) {
    fixture *f = *state;
    const twx_slice facts = LIT("\x03\x01\xc8\x01\x07\x01\x01http://a/");
    expect_back(f, facts, LIT("\x04\x01" DIGEST));
    const unsigned char *p = (const unsigned char *)f->packed.p;
    assert_int_equal(f->packed.n, 1 + facts.n + 1 + 16);
    assert_int_equal(p[0], facts.n);
    assert_memory_equal(p + 1, facts.p, facts.n);
    assert_int_equal(p[1 + facts.n], 2);
    assert_memory_equal(p + f->packed.n - 16, DIGEST, 16);
}

TEST(facts_come_back) {
    fixture *f = *state;
    char long_facts[300];
    memset(long_facts, 'x', sizeof long_facts);
    const twx_slice FACTS[] = {
        NONE,
        LIT("\0"),
        LIT("one"),
        LIT("\x03\0\x07\x01\x01http://a/ b\x7f"),
        {long_facts, 127}, /* a length of one byte, and of two */
        {long_facts, 128},
        {long_facts, sizeof long_facts},
    };
    for (size_t i = 0; i < TWX_COUNTOF(FACTS); i++) {
        expect_back(f, FACTS[i], NONE);
        expect_back(f, FACTS[i], usual_keys());
    }
}

TEST(other_keys_come_back) {
    fixture *f = *state;
    const twx_slice KEYS[] = {
        LIT("\x03"),
        LIT("\x03\x01short"),
        LIT("\x03\x01" DIGEST "\x03\x01" DIGEST),
        LIT("\x04\x01" DIGEST "\x03\x01" DIGEST),
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
    for (size_t i = 0; i < TWX_COUNTOF(KEYS); i++) {
        expect_back(f, usual_facts(), KEYS[i]);
        expect_back(f, NONE, KEYS[i]);
    }
}

/* Lengths of one byte and of four. */
TEST(long_payloads_come_back) {
    fixture *f = *state;
    char keys[6 + 409] = "\x1d\x91\xff";
    for (size_t i = 3; i < sizeof keys; i++) keys[i] = (char)i;
    expect_back(f, NONE, (twx_slice){keys, 3 + 255});
    memcpy(keys, "\x1d\xa1\x99\x01\0\0", 6);
    const size_t n = expect_back(f, NONE, (twx_slice){keys, sizeof keys});
    assert_in_range(n, 409, 409 + 10);
    memcpy(keys, "\x1d\xa1\xff\0\0\0", 6); /* not in the shortest form */
    expect_back(f, NONE, (twx_slice){keys, 6 + 255});
}

/* [R2] Every prefix of a row, and every change of a byte, unpacks or is refused. */
TEST(damaged_rows_are_refused) {
    fixture *f = *state;
    char row[512];
    expect_back(f, usual_facts(), usual_keys());
    const size_t n = f->packed.n;
    assert_in_range(n, 1, sizeof row);
    memcpy(row, f->packed.p, n);
    for (size_t cut = 0; cut < n; cut++) expect_damaged(f, (twx_slice){row, cut});
    size_t refused = 0;
    for (size_t at = 0; at < n; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            row[at] = (char)(row[at] ^ 1u << bit);
            const twx_rc rc = unpack(f, (twx_slice){row, n});
            assert_true(rc == TWX_OK || rc == TWX_E_CORRUPT);
            refused += rc != TWX_OK;
            row[at] = (char)(row[at] ^ 1u << bit);
        }
    assert_in_range(refused, 10, 8 * n);
}

TEST(each_part_is_checked) {
    fixture *f = *state;
    const twx_slice ROWS[] = {
        LIT("\x80\0\0"),             /* a length in two bytes that takes one */
        LIT("\x80\x80\x80\x80\x80"), /* one that is too long */
        LIT("\x05x\0"),              /* the facts end after the row */
        LIT("\0"),                   /* no record */
        LIT("\0\x01short"),          /* half a digest */
        LIT("\0\x80"),               /* no other entries */
        LIT("\0\xc0x"),              /* other entries and a name */
        LIT("\0\x20\x08x"),          /* a bit beyond the head */
        LIT("\0\x20\x01\0"),         /* a byte that is 0 after all */
        LIT("\0\x20\x01\x10xy"),     /* two bytes of a word of three */
        LIT("\0\x20\0x"),            /* a byte too many */
        LIT("\0\0x"),
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) expect_damaged(f, ROWS[i]);
    expect_ok(&f->cx, unpack(f, LIT("\0\0")));
    assert_true(f->facts.n == 0 && f->keys.n == 0);
}

TESTS_WITH(setup, teardown);
