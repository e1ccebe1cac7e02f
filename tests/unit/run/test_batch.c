#include "support.h"

#include "run/internal.h"

static twx_source_row row_of(char *text) {
    twx_source_row row = {0};
    row.value[TWX_COL_ID] = (twx_value){.type = TWX_INT, .i = 7};
    row.value[TWX_COL_TEXT] = (twx_value){.type = TWX_TEXT, .bytes = twx_slice_of(text)};
    row.value[TWX_COL_SCORE] = (twx_value){.type = TWX_REAL, .r = 1.5};
    return row;
}

TEST(a_row_is_copied) {
    twx_ctx cx = {0};
    twx_batch *b = NULL;
    char text[] = "borrowed";
    assert_int_equal(twx_batch_open(&cx, &b), TWX_OK);
    const twx_source_row row = row_of(text);
    assert_int_equal(twx_batch_add(&cx, b, &row, &(twx_signed_row){.has_doc = true}), TWX_OK);
    memset(text, 'x', sizeof text - 1); /* SQLite takes its memory back */
    const twx_batch_row *copy = &b->rows.at[0];
    assert_true(twx_slice_eq(copy->column[TWX_COL_TEXT].bytes, TWX_SLICE_LIT("borrowed")));
    assert_int_equal(copy->column[TWX_COL_ID].i, 7);
    assert_int_equal(copy->column[TWX_COL_URL].type, TWX_NULL);
    assert_true(copy->made.has_doc && copy->made.id.i == 7);
    twx_batch_clear(b);
    assert_true(b->rows.n == 0 && b->bytes == 0);
    twx_batch_close(b);
    twx_batch_close(NULL);
}

TEST(a_batch_is_full_by_rows_or_by_bytes) {
    static char text[1 << 20];
    twx_ctx cx = {0};
    twx_batch *b = NULL;
    assert_int_equal(twx_batch_open(&cx, &b), TWX_OK);
    text[0] = '\0';
    twx_source_row row = row_of(text);
    for (int i = 0; i < TWX_BATCH_ROWS; i++) {
        assert_false(twx_batch_is_full(b));
        assert_int_equal(twx_batch_add(&cx, b, &row, &(twx_signed_row){.has_doc = true}), TWX_OK);
    }
    assert_true(twx_batch_is_full(b));
    twx_batch_clear(b);
    memset(text, 't', sizeof text - 1);
    row = row_of(text);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(twx_batch_is_full(b), i == 5);
        assert_int_equal(twx_batch_add(&cx, b, &row, &(twx_signed_row){.has_doc = true}), TWX_OK);
    }
    assert_true(twx_batch_is_full(b));
    twx_batch_close(b);
}

/* A scan sees a change of any column, of its type alone, and of which of two columns holds a value.
 */
TEST(a_token_changes_with_whatever_was_read) {
    const twx_value VALUES[] = {{.type = TWX_NULL},
                                {.type = TWX_INT, .i = 1},
                                {.type = TWX_REAL, .r = 1},
                                {.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("1")},
                                {.type = TWX_BLOB, .bytes = TWX_SLICE_LIT("1")},
                                {.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("")}};
    enum { N = TWX_COUNTOF(VALUES) };
    uint64_t token[TWX_COLUMNS * N];
    size_t n = 0;
    for (size_t c = 0; c < TWX_COLUMNS; c++)
        for (size_t v = 1; v < N; v++) {
            twx_value columns[TWX_COLUMNS] = {{0}};
            columns[c] = VALUES[v];
            token[n++] = twx_row_token(columns);
            assert_true(twx_row_token(columns) == token[n - 1]);
        }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) assert_true(token[i] != token[k]);
}
