/* wings: cluster */
/* Rows of pairs of payloads, as servers write them for `twindex verify`: the first byte chooses the
 * layout. Laws: reading ends; a row lies within the bytes and consumes some; one that is not
 * complete consumes none, and is read when the rest arrives; a byte-by-byte reader gets the rows of
 * one that has all bytes. */
#include "exact_copy.h"

#include "cluster/cluster.h"

static bool within(twx_slice part, twx_slice all) {
    return part.n == 0 || (part.p >= all.p && part.p + part.n <= all.p + all.n);
}

/* The first row of a part of the bytes is the same, or not complete. */
static void read_cut(const twx_pair_layout *layout, twx_slice bytes, const twx_pair_row *whole,
                     size_t used) {
    twx_ctx cx = {0};
    twx_buf unescaped = {.max = TWX_PAIR_ROW_MAX};
    twx_pair_row row;
    for (size_t cut = used > 8 ? used - 8 : 0; cut <= used; cut++) {
        twx_slice rest = {bytes.p, cut};
        const twx_rc rc = twx_pair_row_next(&cx, layout, &rest, &unescaped, &row);
        law(rc == (cut == used ? TWX_OK : TWX_DONE));
        if (rc == TWX_DONE) law(rest.p == bytes.p && rest.n == cut);
        if (rc == TWX_OK)
            law(rest.n == 0 && twx_slice_eq(row.a, whole->a) && twx_slice_eq(row.b, whole->b) &&
                row.number == whole->number && row.equal_names == whole->equal_names);
    }
    twx_buf_done(&unescaped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const twx_pair_layout layout = {
        .tabs = data[0] & 1, .numbered = data[0] >> 1 & 1, .named = data[0] >> 2 & 1};
    const twx_slice bytes = exact_copy(data + 1, size - 1);
    twx_slice rest = bytes;
    twx_ctx cx = {0};
    twx_buf unescaped = {.max = TWX_PAIR_ROW_MAX}, answer;
    twx_pair_row row;
    twx_rc rc = TWX_OK;
    size_t rows = 0;
    twx_buf_init(&answer, 1 << 10);
    for (twx_slice before = rest;
         (rc = twx_pair_row_next(&cx, &layout, &rest, &unescaped, &row)) == TWX_OK; before = rest) {
        law(rest.n < before.n && rest.p + rest.n == bytes.p + bytes.n);
        law(layout.tabs ? row.a.n + row.b.n <= before.n
                        : within(row.a, before) && within(row.b, before));
        if (rows++ < 4) read_cut(&layout, before, &row, before.n - rest.n);
        twx_buf_clear(&answer);
        law(twx_pair_row_answer(&cx, &layout, row.number, -1, &answer) == TWX_OK && answer.n > 0);
    }
    law(rc == TWX_DONE || (rc == TWX_E_DATA && cx.message[0]));
    twx_buf_done(&unescaped);
    twx_buf_done(&answer);
    return exact_end();
}
