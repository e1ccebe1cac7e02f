/* The memo remembers what it was given, up to its limit, for any number of threads. */
#include "detect_fixture.h"

#include <pthread.h>

enum { THREADS = 4, TEXTS = 500 };

static void tag_of(uint64_t i, unsigned char ret_tag[TWX_TAG_BYTES]) {
    for (int part = 0; part < TWX_TAG_BYTES / 8; part++)
        twx_store_be64(ret_tag + 8 * part, twx_mix64(i, (uint64_t)part));
}

static twx_slice entries_of(uint64_t i, char bytes[40]) {
    size_t n = (size_t)(i % 40);
    memset(bytes, (int)(i & 0xFF), n);
    return (twx_slice){bytes, n};
}

static twx_rc put(twx_ctx *cx, twx_memo *m, uint64_t i) {
    unsigned char tag[TWX_TAG_BYTES];
    char bytes[40];
    tag_of(i, tag);
    return twx_memo_put(cx, m, tag, entries_of(i, bytes));
}

/* TWX_OK: known, and with its own entries. */
static twx_rc look_up(twx_ctx *cx, twx_memo *m, uint64_t i) {
    unsigned char tag[TWX_TAG_BYTES];
    char bytes[40];
    twx_buf out = {.max = 1000};
    assert_int_equal(twx_buf_add_char(cx, &out, '!'), TWX_OK);
    tag_of(i, tag);
    twx_rc rc = twx_memo_get(cx, m, tag, &out);
    twx_slice found = twx_slice_sub(twx_buf_slice(&out), 1, out.n);
    if (rc == TWX_OK && !twx_slice_eq(found, entries_of(i, bytes))) rc = TWX_E_INTERNAL;
    if (rc == TWX_DONE && out.n != 1) rc = TWX_E_INTERNAL;
    twx_buf_done(&out);
    return rc;
}

TEST_OF(what_was_put_is_found, fixture *f) {
    twx_memo *m = NULL;
    assert_int_equal(twx_memo_open(&f->cx, 1 << 20, &m), TWX_OK);
    for (uint64_t i = 0; i < TEXTS; i++) {
        assert_int_equal(look_up(&f->cx, m, i), TWX_DONE);
        assert_int_equal(put(&f->cx, m, i), TWX_OK);
        assert_int_equal(put(&f->cx, m, i), TWX_OK); /* again: no harm */
    }
    for (uint64_t i = 0; i < TEXTS; i++) assert_int_equal(look_up(&f->cx, m, i), TWX_OK);
    twx_memo_close(m);
}

TEST_OF(the_whole_tag_decides, fixture *f) {
    unsigned char a[TWX_TAG_BYTES] = {1}, b[TWX_TAG_BYTES] = {1};
    twx_memo *m = NULL;
    twx_buf out = {.max = 100};
    b[TWX_TAG_BYTES - 1] = 1;
    assert_int_equal(twx_memo_open(&f->cx, 1 << 20, &m), TWX_OK);
    assert_int_equal(twx_memo_put(&f->cx, m, a, TWX_SLICE_LIT("a")), TWX_OK);
    assert_int_equal(twx_memo_put(&f->cx, m, b, TWX_SLICE_LIT("b")), TWX_OK);
    assert_int_equal(twx_memo_get(&f->cx, m, b, &out), TWX_DONE);
    assert_int_equal(twx_memo_get(&f->cx, m, a, &out), TWX_OK);
    assert_true(twx_slice_eq(twx_buf_slice(&out), TWX_SLICE_LIT("a")));
    twx_buf_done(&out);
    twx_memo_close(m);
}

static void expect_tag(fixture *f, const unsigned char *key, twx_slice text, const char *hex) {
    unsigned char tag[TWX_TAG_BYTES];
    char found[2 * TWX_TAG_BYTES + 1];
    assert_int_equal(twx_text_tag(&f->cx, f->w, key, text, tag), TWX_OK);
    for (size_t i = 0; i < TWX_TAG_BYTES; i++) snprintf(found + 2 * i, 3, "%02x", tag[i]);
    assert_string_equal(found, hex);
}

/* The first is test case 1 of McGrew and Viega, "The Galois/Counter Mode of Operation"; the others
 * were computed by 15 lines of Python from the definition of GHASH. */
TEST(tags_are_gmacs_and_depend_on_the_key) {
    static const unsigned char ZERO[TWX_TAG_BYTES] = {0};
    unsigned char key[TWX_TAG_BYTES];
    const twx_slice text = TWX_SLICE_LIT("A text that occurs more than once.");
    for (unsigned i = 0; i < TWX_TAG_BYTES; i++) key[i] = (unsigned char)i;
    expect_tag(*state, ZERO, (twx_slice){NULL, 0}, "58e2fccefa7e3061367f1d57a4e7455a");
    for (int again = 0; again < 2; again++) {
        expect_tag(*state, key, text, "87b939ace389b056596551162b13d3c9");
        expect_tag(*state, key, (twx_slice){NULL, 0}, "7346139595c0b41e497bbde365f42d0a");
        expect_tag(*state, ZERO, (twx_slice){NULL, 0}, "58e2fccefa7e3061367f1d57a4e7455a");
    }
}

TEST_OF(a_full_memo_takes_nothing_more_and_keeps_what_it_has, fixture *f) {
    twx_memo *m = NULL;
    size_t known = 0;
    assert_int_equal(twx_memo_open(&f->cx, 20000, &m), TWX_OK);
    for (uint64_t i = 0; i < TEXTS; i++) assert_int_equal(put(&f->cx, m, i), TWX_OK);
    for (uint64_t i = 0; i < TEXTS; i++) {
        twx_rc rc = look_up(&f->cx, m, i);
        assert_true(rc == TWX_OK || rc == TWX_DONE);
        if (rc == TWX_OK) known++;
    }
    assert_in_range(known, 50, TEXTS / 2);
    assert_int_equal(look_up(&f->cx, m, 0), TWX_OK);
    twx_memo_close(m);
    assert_int_equal(twx_memo_open(&f->cx, 0, &m), TWX_OK);
    assert_int_equal(put(&f->cx, m, 1), TWX_OK);
    assert_int_equal(look_up(&f->cx, m, 1), TWX_DONE);
    twx_memo_close(m);
    twx_memo_close(NULL);
}

static void *put_and_get(void *arg) {
    twx_memo *m = arg;
    twx_ctx cx = {0};
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < TEXTS; i++) {
        if (put(&cx, m, i) != TWX_OK) wrong++;
        if (look_up(&cx, m, i) != TWX_OK) wrong++;
    }
    return wrong ? m : NULL;
}

TEST_OF(threads_share_it, fixture *f) {
    pthread_t threads[THREADS];
    twx_memo *m = NULL;
    assert_int_equal(twx_memo_open(&f->cx, 1 << 20, &m), TWX_OK);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, put_and_get, m), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    twx_memo_close(m);
}

TEST_OF(memory_that_runs_out_is_reported_and_harms_nothing, fixture *f) {
    for (uint64_t nth = 1; nth <= 6; nth++) {
        twx_faults faults = {.fail_at = nth};
        twx_memo *m = NULL;
        f->cx.faults = &faults;
        twx_rc rc = twx_memo_open(&f->cx, 1 << 20, &m);
        if (rc == TWX_OK) rc = put(&f->cx, m, 39);
        f->cx.faults = NULL;
        assert_true(rc == TWX_E_NOMEM || atomic_load(&faults.count) < nth);
        twx_ctx_clear(&f->cx);
        if (m) assert_int_equal(put(&f->cx, m, 39), TWX_OK);
        twx_rc found = m ? look_up(&f->cx, m, 39) : TWX_DONE;
        assert_true(found == TWX_OK || found == TWX_DONE);
        twx_memo_close(m);
    }
}
