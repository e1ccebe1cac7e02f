/* The columns of sketches are those of the texts, in memory, in a file, and part in each; an error
 * leaves no file open. */
#include "support.h"

#include "group/group.h"

enum { TEXTS = 3 * TWX_SKETCH_ROWS + 100 };

static unsigned char byte_of(size_t text, size_t place) {
    return (unsigned char)(text * 31 + place * 7 + text / 256);
}

static void sketch_of(size_t text, unsigned char ret_sketch[TWX_SKETCH_BYTES]) {
    for (size_t i = 0; i < TWX_SKETCH_BYTES; i++) ret_sketch[i] = byte_of(text, i);
}

/* Every third text is short, and every fifth has no sketch: its bytes are 0. */
static void expect_columns(twx_ctx *cx, const twx_sketches *s) {
    static twx_sketch_columns columns;
    const twx_band band = {.bytes = 4, .at = {0, 5, 77, TWX_SKETCH_BYTES - 1}};
    assert_int_equal(s->n, TEXTS);
    for (size_t text = 0; text < TEXTS; text++) {
        const size_t row = text % TWX_SKETCH_ROWS;
        if (row == 0) assert_ok(twx_sketches_get(cx, s, text / TWX_SKETCH_ROWS, &band, &columns));
        assert_int_equal(s->kind.at[text], text % 5 == 0   ? TWX_SKETCH_NONE
                                           : text % 3 == 0 ? TWX_SKETCH_SHORT
                                                           : TWX_SKETCH_LONG);
        for (size_t b = 0; b < band.bytes; b++)
            assert_int_equal(columns.at[b][row], text % 5 ? byte_of(text, band.at[b]) : 0);
    }
}

TEST(columns_are_those_of_the_texts) {
    static const size_t BLOCKS[] = {0, 1, 2, 100}; /* that fit into memory */
    const int files = test_open_files();
    twx_ctx cx = {0};
    for (size_t i = 0; i < TWX_COUNTOF(BLOCKS); i++) {
        twx_sketches s = {.limit = BLOCKS[i] * sizeof(twx_sketch_block)};
        unsigned char sketch[TWX_SKETCH_BYTES];
        for (size_t text = 0; text < TEXTS; text++) {
            sketch_of(text, sketch);
            assert_ok(twx_sketches_add(&cx, &s, text % 5 ? sketch : NULL, text % 3 == 0));
        }
        assert_true((s.written > 0) == (BLOCKS[i] < 4));
        expect_columns(&cx, &s);
        assert_int_equal(test_open_files(), files + (s.written > 0));
        twx_sketches_done(&s);
        assert_int_equal(test_open_files(), files);
    }
}

/* Set in any order, here the last first. */
TEST(reserved_sketches_are_set_in_any_order) {
    twx_sketches s = {.limit = 4 * sizeof(twx_sketch_block)};
    unsigned char sketch[TWX_SKETCH_BYTES];
    twx_ctx cx = {0};
    assert_ok(twx_sketches_reserve(&cx, &s, TEXTS));
    for (size_t text = TEXTS; text-- > 0;) {
        sketch_of(text, sketch);
        if (text % 5) twx_sketches_set(&s, text, sketch, text % 3 == 0);
    }
    expect_columns(&cx, &s);
    twx_sketches_done(&s);
    s = (twx_sketches){.limit = 4 * sizeof(twx_sketch_block) - 1};
    assert_int_equal(twx_sketches_reserve(&cx, &s, TEXTS), TWX_DONE);
    twx_sketches_done(&s);
}

TEST(a_file_that_cannot_be_made_is_an_error) {
    const int files = test_open_files();
    const char *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL;
    twx_sketches s = {.limit = 0};
    twx_rc rc = TWX_OK;
    twx_ctx cx = {0};
    setenv("TMPDIR", "/does/not/exist", 1);
    for (size_t text = 0; rc == TWX_OK && text <= TWX_SKETCH_ROWS; text++)
        rc = twx_sketches_add(&cx, &s, NULL, false);
    assert_int_equal(rc, TWX_E_CREATE);
    assert_non_null(strstr(cx.message, "/does/not/exist"));
    twx_sketches_done(&s);
    assert_int_equal(test_open_files(), files);
    if (kept) setenv("TMPDIR", kept, 1);
    if (!kept) unsetenv("TMPDIR");
    free(kept);
}
