/* import/item.c: rows that are longer than the limit, and lines whose quotes are open at the
 * end. */
#include "support.h"

#include "import/import.h"

enum { MAX_LINE = 30, MAX_ROW = 40 };

/* All rows, one after the other, each with a bar after it; "!" is one that was too long. */
static void rows_of(const char *text, char *ret_rows, size_t size) {
    twx_ctx cx = {0};
    twx_input *in = NULL;
    twx_buf line = {.max = MAX_LINE}, row, all;
    uint64_t lines = 0, wanted_lines = 0;
    twx_rc rc = TWX_OK;
    twx_buf_init(&row, MAX_ROW);
    twx_buf_init(&all, size - 1);
    assert_ok(twx_input_of_bytes(&cx, "rows", twx_slice_of(text), &in));
    const twx_csv_source from = {in, &line, &lines};
    while ((rc = twx_csv_row(&cx, &from, ',', &row)) != TWX_DONE) {
        assert_true(rc == TWX_OK || (rc == TWX_E_LIMIT && cx.rc == TWX_OK));
        const twx_slice shown = rc == TWX_OK ? twx_buf_slice(&row) : TWX_SLICE_LIT("!");
        assert_ok(twx_buf_add_slice(&cx, &all, shown));
        assert_ok(twx_buf_add_char(&cx, &all, '|'));
    }
    for (const char *c = text; *c; c++) wanted_lines += *c == '\n' || !c[1];
    assert_int_equal(lines, wanted_lines);
    snprintf(ret_rows, size, "%.*s", (int)all.n, all.n ? all.p : "");
    twx_buf_done(&line);
    twx_buf_done(&row);
    twx_buf_done(&all);
    twx_input_close(in);
}

TEST(rows_end_where_their_quotes_do) {
#define TEN "0123456789"
    static const struct {
        const char *text, *rows;
    } ROWS[] = {
        {"", ""},
        {"a,b\nc", "a,b|c|"},
        {"a,b\r\n\r\nc\n", "a,b||c|"},
        {"\"a\nb\",c\nd", "\"a\nb\",c|d|"},
        {"\"a\"\"\nb\",c\nd", "\"a\"\"\nb\",c|d|"},
        {"a\"\nb", "a\"|b|"},
        {"a,\"\nb\",c\nd", "a,\"\nb\",c|d|"},
        /* a quote that is not closed ends with the input */
        {"a,\"b\nc", "a,\"b\nc|"},
        /* a line, or a row of several, that is too long; reading goes on after it */
        {TEN TEN TEN "x\nb", "!|b|"},
        {"\"" TEN TEN "\n" TEN TEN "\"\nb", "!|b|"},
        {"\"" TEN "\n" TEN TEN TEN "x\nb\"\nc", "!|b\"|c|"},
        {TEN TEN TEN "x", "!|"},
        {TEN TEN TEN, TEN TEN TEN "|"},
        /* the row has room for 40 bytes and a line end */
        {"\"" TEN TEN "\n" TEN "0123456\"\nb", "\"" TEN TEN "\n" TEN "0123456\"|b|"},
    };
#undef TEN
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char rows[200];
        rows_of(ROWS[i].text, rows, sizeof rows);
        if (strcmp(rows, ROWS[i].rows) != 0)
            fail_msg("'%s': '%s', wanted '%s'", ROWS[i].text, rows, ROWS[i].rows);
    }
}
