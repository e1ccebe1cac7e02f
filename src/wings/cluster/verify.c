#include "cluster/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cluster/pair_rows.h"
#include "run/detector_params.h"
#include "sign/detectors.h"
#include "sign/method_settings.h"

enum { READ_BYTES = 1 << 16, INPUT_MAX = TWX_PAIR_ROW_MAX + 2 * READ_BYTES };

typedef struct verifier {
    const twx_job *job;
    const twx_out *out;
    const twx_detector *detector;
    twx_params params;
    twx_params named; /* for pairs with equal names (copy.margin) */
    twx_url_rules *rules;
    twx_pair_layout layout;
    twx_buf input, unescaped, answers;
    uint64_t rows; /* answered */
} verifier;

static twx_rc choose_format(verifier *v, const char *format) {
    const twx_slice name = twx_slice_of(format);
    v->layout.tabs = twx_slice_eq_nocase(name, TWX_SLICE_LIT("TSV")) ||
                     twx_slice_eq_nocase(name, TWX_SLICE_LIT("TabSeparated"));
    if (v->layout.tabs || twx_slice_eq_nocase(name, TWX_SLICE_LIT("RowBinary"))) return TWX_OK;
    return twx_fail(v->job->cx, TWX_E_USAGE,
                    "--format: '%.100s' is not one of RowBinary, TabSeparated and TSV", format);
}

static twx_rc choose_method(verifier *v) {
    const twx_settings *s = v->job->settings;
    v->detector = twx_detector_find(s->near_detector);
    if (!v->detector || !v->detector->verify)
        return twx_fail(v->job->cx, TWX_E_CONFIG,
                        "near.detector = %s compares no pairs: its groups are documents with equal "
                        "keys",
                        s->near_detector);
    twx_rc rc = twx_params_make(v->job, &v->params, &v->rules);
    if (rc == TWX_OK)
        v->named = s->copy_margin_ppm
                       ? twx_params_with_margin(&v->params, v->detector, s->copy_margin_ppm)
                       : v->params;
    return rc;
}

/* The message of the context gets the number of the row. */
static twx_rc fail_row(const verifier *v, twx_rc rc) {
    twx_ctx *cx = v->job->cx;
    char reason[TWX_MESSAGE_MAX];
    if (rc != TWX_E_DATA) return rc;
    snprintf(reason, sizeof reason, "%s", cx->message);
    twx_ctx_clear(cx);
    return twx_fail(cx, rc, "standard input, row %" PRIu64 ": %.900s", v->rows + 1, reason);
}

static twx_rc answer_rows(verifier *v, twx_slice *rest) {
    twx_ctx *cx = v->job->cx;
    twx_pair_row row;
    twx_rc rc = TWX_OK;
    while ((rc = twx_pair_row_next(cx, &v->layout, rest, &v->unescaped, &row)) == TWX_OK) {
        const int32_t similarity = v->detector->verify(row.equal_names ? &v->named : &v->params,
                                                       row.a, row.b);
        rc = twx_pair_row_answer(cx, &v->layout, row.number, similarity, &v->answers);
        if (rc != TWX_OK) return rc;
        v->rows++;
    }
    return rc == TWX_DONE ? TWX_OK : fail_row(v, rc);
}

/* Rows before one that is damaged are answered. */
static twx_rc answer_input(verifier *v) {
    twx_slice rest = twx_buf_slice(&v->input);
    const twx_rc rc = answer_rows(v, &rest);
    if (v->answers.n > 0) {
        const twx_out out = {.cx = v->job->cx, .sink = v->out->sink};
        const twx_rc written = twx_out_bytes(&out, twx_buf_slice(&v->answers));
        if (written != TWX_OK) return written;
        twx_buf_clear(&v->answers);
    }
    memmove(v->input.p, rest.p, rest.n);
    v->input.n = rest.n;
    return rc;
}

static twx_rc read_some(verifier *v, bool *ret_ended) {
    twx_rc rc = twx_buf_reserve(v->job->cx, &v->input, READ_BYTES);
    while (rc == TWX_OK) {
        rc = twx_cancelled(v->job->cx);
        if (rc != TWX_OK) break;
        const ssize_t n = read(STDIN_FILENO, v->input.p + v->input.n, READ_BYTES);
        *ret_ended = n == 0;
        if (n >= 0) {
            v->input.n += (size_t)n;
            break;
        }
        if (errno != EINTR)
            rc = twx_fail(v->job->cx, TWX_E_IO, "read standard input: %s", strerror(errno));
    }
    return rc;
}

static twx_rc answer_stream(verifier *v) {
    bool ended = false;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && !ended) {
        rc = read_some(v, &ended);
        if (rc == TWX_OK && !ended) rc = answer_input(v);
    }
    if (rc == TWX_OK && v->input.n > 0)
        rc = twx_fail(v->job->cx, TWX_E_DATA, "standard input ends within row %" PRIu64,
                      v->rows + 1);
    return rc;
}

twx_rc twx_verify(const twx_job *job, const twindex_verify_options *options, const twx_out *out) {
    verifier v = {
        .job = job, .out = out, .layout = {.numbered = options->numbered, .named = options->named}};
    twx_buf_init(&v.input, INPUT_MAX);
    twx_buf_init(&v.unescaped, TWX_PAIR_ROW_MAX);
    twx_buf_init(&v.answers, SIZE_MAX / 4);
    twx_rc rc = choose_format(&v, options->format);
    if (rc == TWX_OK) rc = choose_method(&v);
    if (rc == TWX_OK) rc = answer_stream(&v);
    twx_url_rules_close(v.rules);
    twx_buf_done(&v.input);
    twx_buf_done(&v.unescaped);
    twx_buf_done(&v.answers);
    return rc;
}
