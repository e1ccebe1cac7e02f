#include "cluster/cluster.h"

#include <errno.h>
#include <unistd.h>

/* ==== pair_rows */

static twx_rc fail_length(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_DATA, "the row is longer than %d bytes", TWX_PAIR_ROW_MAX);
}

/* Each reader advances *rest, or returns TWX_DONE if the value is not complete. */

static twx_rc read_length(twx_ctx *cx, twx_slice *rest, size_t *ret_length) {
    uint64_t length = 0;
    for (size_t i = 0; i < rest->n && i < 4; i++) {
        const unsigned char c = (unsigned char)rest->p[i];
        length |= (uint64_t)(c & 0x7F) << 7 * i;
        if (c & 0x80) continue;
        if (length > TWX_PAIR_ROW_MAX) return fail_length(cx);
        *rest = twx_slice_sub(*rest, i + 1, rest->n);
        *ret_length = (size_t)length;
        return TWX_OK;
    }
    return rest->n < 4 ? TWX_DONE : fail_length(cx);
}

static twx_rc read_string(twx_ctx *cx, twx_slice *rest, twx_slice *ret_string) {
    size_t length = 0;
    twx_rc rc = read_length(cx, rest, &length);
    if (rc != TWX_OK) return rc;
    if (rest->n < length) return TWX_DONE;
    *ret_string = twx_slice_sub(*rest, 0, length);
    *rest = twx_slice_sub(*rest, length, rest->n);
    return TWX_OK;
}

static twx_rc read_binary(twx_ctx *cx, const twx_pair_layout *layout, twx_slice *rest,
                          twx_pair_row *row) {
    twx_rc rc = TWX_OK;
    if (layout->numbered) {
        if (rest->n < 8) return TWX_DONE;
        row->number = twx_load_le64(rest->p);
        *rest = twx_slice_sub(*rest, 8, rest->n);
    }
    rc = read_string(cx, rest, &row->a);
    if (rc == TWX_OK) rc = read_string(cx, rest, &row->b);
    if (rc != TWX_OK || !layout->named) return rc;
    if (rest->n == 0) return TWX_DONE;
    row->equal_names = rest->p[0] != 0;
    *rest = twx_slice_sub(*rest, 1, rest->n);
    return TWX_OK;
}

static twx_rc unescape(twx_ctx *cx, twx_slice field, twx_buf *out) {
    static const char ESCAPED[] = "bfnrt0'\\", MEANT[] = "\b\f\n\r\t\0'\\";
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < field.n; i++) {
        if (field.p[i] != '\\') {
            rc = twx_buf_add_char(cx, out, field.p[i]);
            continue;
        }
        const char c = ++i < field.n ? field.p[i] : '\0';
        size_t k = 0;
        while (k + 1 < sizeof ESCAPED && ESCAPED[k] != c) k++;
        if (i >= field.n || k + 1 == sizeof ESCAPED)
            return twx_fail(cx, TWX_E_DATA,
                            "a backslash before something other than b f n r t 0 ' and \\");
        rc = twx_buf_add_char(cx, out, MEANT[k]);
    }
    return rc;
}

static twx_rc read_number(twx_ctx *cx, twx_slice field, uint64_t *ret_number) {
    if (twx_read_count(field, ret_number)) return TWX_OK;
    return twx_fail(cx, TWX_E_DATA, "'" TWX_SLICE_FMT "' is not a UInt64", TWX_SLICE_ARG(field));
}

static twx_rc read_tabs(twx_ctx *cx, const twx_pair_layout *layout, twx_slice *rest,
                        twx_buf *unescaped, twx_pair_row *row) {
    enum { FIELDS_MAX = 4 };
    const size_t end = twx_slice_find(*rest, '\n', 0), first = layout->numbered,
                 wanted = first + 2 + layout->named;
    const twx_slice line = twx_slice_sub(*rest, 0, end);
    twx_slice field[FIELDS_MAX];
    size_t n = 0, ends_a = 0;
    uint64_t named = 0;
    if (end == rest->n) return TWX_DONE;
    for (size_t at = 0; at <= line.n; n++) {
        const size_t tab = twx_slice_find(line, '\t', at);
        if (n < FIELDS_MAX) field[n] = twx_slice_sub(line, at, tab);
        at = tab + 1;
    }
    if (n != wanted) return twx_fail(cx, TWX_E_DATA, "%zu columns instead of %zu", n, wanted);
    twx_buf_clear(unescaped);
    twx_rc rc = layout->numbered ? read_number(cx, field[0], &row->number) : TWX_OK;
    if (rc == TWX_OK) rc = unescape(cx, field[first], unescaped);
    ends_a = unescaped->n;
    if (rc == TWX_OK) rc = unescape(cx, field[first + 1], unescaped);
    if (rc == TWX_OK && layout->named) rc = read_number(cx, field[first + 2], &named);
    if (rc == TWX_OK && layout->named) row->equal_names = named != 0;
    row->a = twx_slice_sub(twx_buf_slice(unescaped), 0, ends_a);
    row->b = twx_slice_sub(twx_buf_slice(unescaped), ends_a, unescaped->n);
    *rest = twx_slice_sub(*rest, end + 1, rest->n);
    return rc;
}

twx_rc twx_pair_row_next(twx_ctx *cx, const twx_pair_layout *layout, twx_slice *bytes,
                         twx_buf *unescaped, twx_pair_row *ret_row) {
    twx_pair_row row = {0};
    twx_slice rest = *bytes;
    twx_rc rc = layout->tabs ? read_tabs(cx, layout, &rest, unescaped, &row)
                             : read_binary(cx, layout, &rest, &row);
    const size_t length = rc == TWX_DONE ? bytes->n : bytes->n - rest.n;
    if ((rc == TWX_OK || rc == TWX_DONE) && length > TWX_PAIR_ROW_MAX) rc = fail_length(cx);
    if (rc != TWX_OK) return rc;
    *bytes = rest;
    *ret_row = row;
    return TWX_OK;
}

twx_rc twx_pair_row_answer(twx_ctx *cx, const twx_pair_layout *layout, uint64_t number,
                           int32_t similarity, twx_buf *out) {
    char bytes[12];
    size_t n = 0;
    if (layout->tabs && layout->numbered)
        return twx_buf_printf(cx, out, "%" PRIu64 "\t%" PRId32 "\n", number, similarity);
    if (layout->tabs) return twx_buf_printf(cx, out, "%" PRId32 "\n", similarity);
    if (layout->numbered) {
        twx_store_le64(bytes, number);
        n = 8;
    }
    twx_store_le32(bytes + n, (uint32_t)similarity);
    return twx_buf_add(cx, out, bytes, n + 4);
}

/* ==== verify */

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

static twx_rc choose_method(verifier *v) {
    const twx_settings *s = v->job->settings;
    v->detector = twx_detector_find(s->near_detector);
    if (!v->detector || !v->detector->verify)
        return twx_fail(
            v->job->cx, TWX_E_CONFIG,
            "near.detector = %s compares no pairs: its groups are documents with equal keys",
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
    while (rc == TWX_OK && (rc = twx_cancelled(v->job->cx)) == TWX_OK) {
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

twx_rc twx_verify(const twx_job *job, const twindex_verify_options *options, const twx_out *out) {
    const twx_slice format = twx_slice_of(options->format);
    const bool tabs = twx_slice_has_word(TWX_SLICE_LIT("TSV TabSeparated"), format);
    verifier v = {.job = job,
                  .out = out,
                  .layout = {tabs, options->numbered, options->named},
                  .input = {.max = INPUT_MAX},
                  .unescaped = {.max = TWX_PAIR_ROW_MAX},
                  .answers = {.max = SIZE_MAX / 4}};
    if (!tabs && !twx_slice_eq_nocase(format, TWX_SLICE_LIT("RowBinary")))
        return twx_fail(job->cx, TWX_E_USAGE,
                        "--format: '%.100s' is not one of RowBinary, TabSeparated and TSV",
                        options->format);
    twx_rc rc = choose_method(&v);
    for (bool ended = false; rc == TWX_OK && !ended;) {
        rc = read_some(&v, &ended);
        if (rc == TWX_OK && !ended) rc = answer_input(&v);
    }
    if (rc == TWX_OK && v.input.n > 0)
        rc = twx_fail(job->cx, TWX_E_DATA, "standard input ends within row %" PRIu64, v.rows + 1);
    twx_url_rules_close(v.rules);
    twx_buf_done(&v.input);
    twx_buf_done(&v.unescaped);
    twx_buf_done(&v.answers);
    return rc;
}
