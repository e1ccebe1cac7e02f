#include "predict/answers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/print.h"
#include "predict/hypotheses.h"

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

/* ---- answers ----------------------------------------------------------- */

enum { HELD_MOST = 1 << 16, LINE_MOST = 1 << 25 };

void twx_answers_init(twx_answers *a, const twx_out *out, bool filter) {
    *a = (twx_answers){.out = out, .filter = filter};
    twx_buf_init(&a->held, LINE_MOST);
}

void twx_answers_done(twx_answers *a) {
    twx_buf_done(&a->held);
}

twx_rc twx_answers_flush(twx_answers *a) {
    twx_rc rc = twx_out_bytes(a->out, twx_buf_slice(&a->held));
    twx_buf_clear(&a->held);
    return rc;
}

static twx_rc hold_json(twx_answers *a, const twx_answer *answer) {
    const twx_context *why = answer->prediction.why;
    twx_ctx *cx = a->out->cx;
    json_t *value = json_pack(
        "{s:o, s:f, s:o, s:o, s:I, s:I, s:b}", "url", twx_json_slice(answer->line), "probability",
        answer->prediction.probability, "hypothesis",
        why ? json_integer(TWX_HYPOTHESIS[why->row].number) : json_null(), "form",
        why ? json_string(TWX_HYPOTHESIS[why->row].form) : json_null(), "dup",
        why ? (json_int_t)why->dup : 0, "nodup", why ? (json_int_t)why->nodup : 0, "fetch",
        (int)answer->fetch);
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(6),
                 n = value ? json_dumpb(value, NULL, 0, flags) : 0;
    twx_rc rc = n && !twx_allocation_failed() ? twx_buf_reserve(cx, &a->held, n)
                                              : twx_fail(cx, TWX_E_NOMEM, "out of memory for JSON");
    if (rc == TWX_OK) a->held.n += json_dumpb(value, a->held.p + a->held.n, n, flags);
    json_decref(value);
    return rc == TWX_OK ? twx_buf_add_char(cx, &a->held, '\n') : rc;
}

/* Consecutive answers often have the same reason, so the last one is cached. */
static void print_reason(twx_answers *a, const twx_context *why) {
    if (a->before[0] && a->rendered == why) return;
    a->rendered = why;
    twx_print(a->before, sizeof a->before, "%.6f\t", why ? why->probability : 0.0);
    if (why)
        snprintf(a->after, sizeof a->after, "\t%d\t%" PRIu32 "\t%" PRIu32 "\n",
                 TWX_HYPOTHESIS[why->row].number, why->dup, why->nodup);
    else
        snprintf(a->after, sizeof a->after, "\t-\t0\t0\n");
}

static twx_rc hold_columns(twx_answers *a, const twx_answer *answer) {
    print_reason(a, answer->prediction.why);
    twx_rc rc = twx_buf_add_text(a->out->cx, &a->held, a->before);
    if (rc == TWX_OK) rc = twx_buf_add_slice(a->out->cx, &a->held, answer->line);
    return rc == TWX_OK ? twx_buf_add_text(a->out->cx, &a->held, a->after) : rc;
}

static twx_rc hold_line(twx_answers *a, const twx_answer *answer) {
    twx_rc rc = twx_buf_add_slice(a->out->cx, &a->held, answer->line);
    return rc == TWX_OK ? twx_buf_add_char(a->out->cx, &a->held, '\n') : rc;
}

twx_rc twx_answers_add(twx_answers *a, const twx_answer *answer) {
    twx_rc rc = a->held.n >= HELD_MOST ? twx_answers_flush(a) : TWX_OK;
    if (rc != TWX_OK || (a->filter && !answer->fetch)) return rc;
    if (twx_out_is_json(a->out)) return hold_json(a, answer);
    return a->filter ? hold_line(a, answer) : hold_columns(a, answer);
}
