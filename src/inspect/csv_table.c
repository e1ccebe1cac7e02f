#include "inspect/csv_table.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "run/excerpt.h"

enum { CELL_BYTES = 1 << 24, FULL_WIDTH = 0xFEE0 /* U+FF0B - '+' */ };

static void put(twx_csv *c, const char *text) {
    if (c->rc == TWX_OK) c->rc = twx_out_bytes(c->out, twx_slice_of(text));
}

static void separate(twx_csv *c) {
    if (c->column++) put(c, ",");
}

void twx_csv_heading(twx_csv *c, const char *heading) {
    separate(c);
    put(c, heading);
}

void twx_csv_begin(twx_csv *c, const twx_out *out, const char *const *headings, size_t n) {
    *c = (twx_csv){.out = out};
    put(c, "\xEF\xBB\xBF");
    for (size_t i = 0; i < n; i++) twx_csv_heading(c, headings[i]);
}

static bool is_formula(twx_slice text) {
    uint32_t code = 0;
    const twx_slice rest = twx_slice_trim(text);
    if (rest.n == 0) return false;
    twx_utf8_next(rest.p, rest.p + rest.n, &code);
    if (code > FULL_WIDTH) code -= FULL_WIDTH;
    return code == '=' || code == '+' || code == '-' || code == '@';
}

static twx_rc write_cell(const twx_out *out, twx_slice text) {
    twx_rc rc = twx_out_bytes(out, is_formula(text) ? TWX_SLICE_LIT("\"'") : TWX_SLICE_LIT("\""));
    for (size_t from = 0; rc == TWX_OK && from <= text.n;) {
        const size_t quote = twx_slice_find(text, '"', from);
        rc = twx_out_bytes(out, twx_slice_sub(text, from, quote));
        if (rc == TWX_OK && quote < text.n) rc = twx_out_bytes(out, TWX_SLICE_LIT("\"\""));
        from = quote + 1;
    }
    return rc == TWX_OK ? twx_out_bytes(out, TWX_SLICE_LIT("\"")) : rc;
}

void twx_csv_text(twx_csv *c, twx_slice text) {
    twx_buf shown;
    separate(c);
    if (c->rc != TWX_OK || !text.p) return;
    twx_buf_init(&shown, CELL_BYTES);
    c->rc = twx_excerpt(c->out->cx, text, CELL_BYTES / 4, &shown);
    if (c->rc == TWX_OK) c->rc = write_cell(c->out, twx_buf_slice(&shown));
    twx_buf_done(&shown);
}

void twx_csv_count(twx_csv *c, uint64_t n) {
    separate(c);
    if (c->rc == TWX_OK) c->rc = twx_out_text(c->out, "%" PRIu64, n);
}

void twx_csv_share(twx_csv *c, double share) {
    separate(c);
    if (c->rc == TWX_OK) c->rc = twx_out_text(c->out, "%.4f", share);
}

void twx_csv_end_row(twx_csv *c) {
    put(c, "\r\n");
    c->column = 0;
}
