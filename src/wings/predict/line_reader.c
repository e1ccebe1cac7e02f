#include "predict/line_reader.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"

enum { WINDOW = 1 << 16 };

struct twx_line_reader {
    twx_ctx *cx;
    int fd;
    twx_before_wait_fn *before_wait;
    void *arg;
    char window[WINDOW];
    size_t at, n;
    bool ended;
    twx_buf line; /* a line that does not lie in the window as a whole */
};

twx_rc twx_line_reader_open(twx_ctx *cx, int fd, twx_before_wait_fn *fn, void *arg,
                            twx_line_reader **ret_feed) {
    twx_line_reader *f = twx_calloc(cx, 1, sizeof *f);
    if (!f) return TWX_E_NOMEM;
    f->cx = cx;
    f->fd = fd;
    f->before_wait = fn;
    f->arg = arg;
    twx_buf_init(&f->line, TWX_LINE_MAX);
    *ret_feed = f;
    return TWX_OK;
}

void twx_line_reader_close(twx_line_reader *f) {
    if (!f) return;
    twx_buf_done(&f->line);
    twx_free(f);
}

static twx_rc fill(twx_line_reader *f) {
    twx_rc rc = f->before_wait(f->arg);
    while (rc == TWX_OK) {
        rc = twx_cancelled(f->cx);
        if (rc != TWX_OK) return rc;
        const ssize_t n = read(f->fd, f->window, WINDOW);
        f->at = 0;
        f->n = n > 0 ? (size_t)n : 0;
        f->ended = n == 0;
        if (n >= 0) return TWX_OK;
        if (errno != EINTR)
            return twx_fail(f->cx, TWX_E_IO, "read standard input: %s", strerror(errno));
    }
    return rc;
}

/* Appends as much of a piece of a line as fits. */
static twx_rc keep(twx_line_reader *f, twx_slice piece, bool *cut) {
    const size_t room = TWX_LINE_MAX - f->line.n;
    *cut = *cut || piece.n > room;
    return twx_buf_add_slice(f->cx, &f->line, twx_slice_sub(piece, 0, room));
}

static twx_slice without_cr(twx_slice line) {
    return twx_slice_sub(line, 0, line.n && line.p[line.n - 1] == '\r' ? line.n - 1 : line.n);
}

twx_rc twx_line_reader_next(twx_line_reader *f, twx_slice *ret_line, bool *ret_cut) {
    bool cut = false;
    twx_buf_clear(&f->line);
    for (;;) {
        twx_rc rc = f->at == f->n && !f->ended ? fill(f) : TWX_OK;
        if (rc != TWX_OK) return rc;
        const twx_slice rest = {f->window + f->at, f->n - f->at};
        const size_t end = twx_slice_find(rest, '\n', 0);
        const twx_slice piece = twx_slice_sub(rest, 0, end);
        const bool whole = end < rest.n;
        f->at += end + whole;
        if (whole && f->line.n == 0 && !cut) {
            *ret_line = without_cr(piece);
            *ret_cut = false;
            return TWX_OK;
        }
        rc = keep(f, piece, &cut);
        if (rc != TWX_OK) return rc;
        if (f->ended && f->line.n == 0) return TWX_DONE;
        if (!whole && !f->ended) continue;
        *ret_line = without_cr(twx_buf_slice(&f->line));
        *ret_cut = cut;
        return TWX_OK;
    }
}
