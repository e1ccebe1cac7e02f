/* Packed rows: facts and keys come back, usual ones take few bytes, and damaged rows are
 * refused. */
#include "store_fixture.h"

#include <stdlib.h>

#include "store/packed_row.h"

typedef struct fixture {
    twx_ctx cx;
    twx_url_code code;
    twx_buf packed, room;
    twx_slice facts, keys;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){0};
    twx_ctx_init(&f.cx);
    twx_url_code_init(&f.code);
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
    const twx_rc rc = twx_row_unpack(&f->cx, &f->code, (twx_slice){copy, packed.n}, &f->room,
                                     &f->facts, &f->keys);
    free(copy);
    return rc;
}

/* Returns the length of the packed row. */
static size_t expect_back(fixture *f, twx_slice facts, twx_slice keys) {
    twx_buf_clear(&f->packed);
    expect_ok(&f->cx, twx_row_pack(&f->cx, &f->code, facts, keys, &f->packed));
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

/* The bytes of a usual document: a form each; the URL; three digests; which of 39 bytes are not 0
 * and seven that are not; words and a length. */
static void what_is_usual_takes_no_bytes(void **state) {
    fixture *f = *state;
    const size_t facts = expect_back(f, usual_facts(), NONE);
    assert_int_equal(expect_back(f, usual_facts(), usual_keys()),
                     facts + 3 * 16 + 5 + (3 + 1 + 3) + 3 + 1 + 5);
    assert_in_range(facts, 1 + 1 + 10, 1 + 1 + 18);
}

/* docs/signatures.md */
static void the_layout_is_that_of_the_specification(void **state) {
    fixture *f = *state;
    expect_back(f, LIT("\x03\x01\xc8\x01\x07\x01\x01http://a/"), LIT("\x04\x01" DIGEST));
    const unsigned char *p = (const unsigned char *)f->packed.p;
    assert_int_equal(p[0], 1 << 5 | 1); /* head 1, tail 1 */
    assert_int_equal(p[1], 2);          /* characters */
    assert_int_equal(p[f->packed.n - 17], 2);
    assert_memory_equal(p + f->packed.n - 16, DIGEST, 16);
}

static void other_facts_come_back(void **state) {
    fixture *f = *state;
    const twx_slice FACTS[] = {
        NONE,
        LIT("\0"),
        LIT("one"),
        LIT("http"),
        LIT("http://"),
        LIT("https://www."),
        LIT("\x03\0\x07\x01\x01http://a/"),     /* no status */
        LIT("\x03\0\x07\x05\x03http://a.b.c/"), /* a shorter domain */
        LIT("\x03\0\x07\x05\x05http://a.b.c:80/x#y"),
        LIT("\x03\x01\x94\x03\x07\x01\x01http://a/"), /* status 404 */
        LIT("\x03\0\x09\x01\x01http://u@a/"),         /* another place of the host */
        LIT("\x03\0\x07\x01\x01http://a/ b"),         /* a character without a code */
        LIT("\x03\0\x07\x01\x01http://a/\x7f"),
        LIT("\x01\0\x06\x01\x01"
            "ftp://a/"),
        LIT("\x07\x11\xc8\x01"
            "12345678\x08\x05\x05https://a.b.c/"), /* a date */
        LIT("http://a/http://b/"),
    };
    for (size_t i = 0; i < TWX_COUNTOF(FACTS); i++) {
        expect_back(f, FACTS[i], NONE);
        expect_back(f, FACTS[i], usual_keys());
    }
}

static void other_keys_come_back(void **state) {
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
static void long_payloads_come_back(void **state) {
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

/* [R1] for URLs of all characters and lengths. */
static void urls_come_back(void **state) {
    fixture *f = *state;
    char url[300] = "https://";
    for (uint64_t seed = 0; seed < 3000; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = 8 + test_rng_below(&rng, sizeof url - 8);
        const char *chars = seed % 2 ? "aeiouy0123bcd./-%F?" : NULL;
        for (size_t i = 8; i < n; i++)
            url[i] = chars ? chars[test_rng_below(&rng, strlen(chars))]
                           : (char)(33 + test_rng_below(&rng, 94));
        expect_back(f, (twx_slice){url, n}, NONE);
    }
}

/* [R2] Every prefix of a row, and every change of a byte, unpacks or is refused. */
static void damaged_rows_are_refused(void **state) {
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

static void each_part_is_checked(void **state) {
    fixture *f = *state;
    const twx_slice ROWS[] = {
        LIT("\x03"),                     /* a tail that there is not */
        LIT("\x60\0\0"),                 /* a head that there is not */
        LIT("\x20\0\0"),                 /* a head without a tail */
        LIT("\x30\0\0"),                 /* no URL, but a head */
        LIT("\x10\x80\0\0"),             /* a number in two bytes that takes one */
        LIT("\x10\x80\x80\x80\x80\x80"), /* one that is too long */
        LIT("\x10\x05x\0"),              /* the head ends after the row */
        LIT("\0\0\x7f\xff\0"),           /* so does the URL */
        LIT("\0\0\x01\x0f\0"),           /* bits after the code of the URL */
        LIT("\x10\0"),                   /* no record */
        LIT("\x10\0\x01short"),          /* half a digest */
        LIT("\x10\0\x80"),               /* no other entries */
        LIT("\x10\0\xc0x"),              /* other entries and a name */
        LIT("\x10\0\x20\x08x"),          /* a bit beyond the head */
        LIT("\x10\0\x20\x01\0"),         /* a byte that is 0 after all */
        LIT("\x10\0\x20\x01\x10xy"),     /* two bytes of a word of three */
        LIT("\x10\0\x20\0x"),            /* a byte too many */
        LIT("\x10\0\0x"),
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) expect_damaged(f, ROWS[i]);
    expect_ok(&f->cx, unpack(f, LIT("\x10\0\0")));
    assert_true(f->facts.n == 0 && f->keys.n == 0);
}

/* The facts have one byte for the length of a host. */
static void a_host_of_256_characters_is_refused(void **state) {
    fixture *f = *state;
    char url[256];
    unsigned char row[4 + 2 * sizeof url] = {1 << 5 | 1 /* head 1, tail 1 */};
    memset(url, 'a', sizeof url);
    for (unsigned n = 255; n <= 256; n++) {
        row[1] = 0x80 | (n & 0x7F);
        row[2] = (unsigned char)(n >> 7);
        const size_t used = twx_url_encode(&f->code, (twx_slice){url, n}, row + 3);
        const twx_slice packed = {(char *)row, 3 + used + 1}; /* no keys */
        row[3 + used] = 0;
        if (n > UINT8_MAX) {
            expect_damaged(f, packed);
        } else {
            expect_ok(&f->cx, unpack(f, packed));
            assert_int_equal(f->facts.n, 4 + 3 + strlen("http://") + n);
        }
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_is_usual_takes_no_bytes),
        TEST(the_layout_is_that_of_the_specification),
        TEST(other_facts_come_back),
        TEST(other_keys_come_back),
        TEST(long_payloads_come_back),
        TEST(urls_come_back),
        TEST(damaged_rows_are_refused),
        TEST(each_part_is_checked),
        TEST(a_host_of_256_characters_is_refused),
    };
    return cmocka_run_group_tests_name("packed rows", tests, NULL, NULL);
}
