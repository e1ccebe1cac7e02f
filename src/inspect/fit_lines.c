#include "inspect/fit_lines.h"

#include <uniwidth.h>

#include "base/utf8.h"

#define ELLIPSIS "\xE2\x80\xA6"

enum { LEAST_COLUMNS = 20 };

/* How many bytes of the line can be shown in `columns`: all of them, or as many as leave a column
 * for the ellipsis. */
static size_t fitting(twx_slice line, size_t columns) {
    size_t used = 0, last = 0; /* last: bytes that leave a column for the ellipsis */
    for (size_t i = 0, n; i < line.n; i += n) {
        uint32_t cp = 0;
        n = twx_utf8_next(line.p + i, line.p + line.n, &cp);
        const int width = uc_width(cp, "UTF-8");
        used += width > 0 ? (size_t)width : 0;
        if (used < columns) last = i + n;
        if (used > columns) return last;
    }
    return line.n;
}

static twx_rc flush(twx_fit_lines *f, const char *end) {
    const unsigned columns = f->outer->sink->columns;
    const twx_slice line = twx_buf_slice(&f->line);
    const size_t n = fitting(line, columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns);
    twx_rc rc = twx_out_bytes(f->outer, twx_slice_sub(line, 0, n));
    if (rc == TWX_OK) rc = twx_out_text(f->outer, "%s%s", n < line.n ? ELLIPSIS : "", end);
    twx_buf_clear(&f->line);
    return rc;
}

static int take(void *arg, const char *bytes, size_t n) {
    twx_fit_lines *f = arg;
    const twx_slice all = {bytes, n};
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to; rc == TWX_OK && from < n; from = to + 1) {
        to = twx_slice_find(all, '\n', from);
        rc = twx_buf_add_slice(f->outer->cx, &f->line, twx_slice_sub(all, from, to));
        if (rc == TWX_OK && to < n) rc = flush(f, "\n");
    }
    return rc != TWX_OK;
}

static int pass(void *arg, const char *bytes, size_t n) {
    const twx_fit_lines *f = arg;
    return twx_out_bytes(f->outer, (twx_slice){bytes, n}) != TWX_OK;
}

void twx_fit_lines_init(twx_fit_lines *f, const twx_out *outer) {
    const bool fits = outer->sink->columns && !twx_out_is_json(outer);
    f->outer = outer;
    f->sink = *outer->sink;
    f->sink.write = fits ? take : pass;
    f->sink.arg = f;
    f->out = (twx_out){outer->cx, &f->sink};
    twx_buf_init(&f->line, SIZE_MAX / 4);
}

twx_rc twx_fit_lines_end(twx_fit_lines *f) {
    return f->line.n ? flush(f, "") : TWX_OK;
}

void twx_fit_lines_done(twx_fit_lines *f) {
    twx_buf_done(&f->line);
}
