#include "run/out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/print.h"
#include "run/excerpt.h"

int twx_out_fitting(const twx_out *out, const char *text, size_t column) {
    const size_t n = strlen(text), columns = out->sink->columns; /* style: not crawled text */
    if (columns == 0 || column + n <= columns) return (int)n;
    return column + 8 < columns ? (int)(columns - column) : 8;
}

bool twx_out_is_json(const twx_out *out) {
    return out->sink->format == TWINDEX_JSON;
}

twx_rc twx_out_bytes(const twx_out *out, twx_slice bytes) {
    if (bytes.n == 0 || out->sink->write(out->sink->arg, bytes.p, bytes.n) == 0) return TWX_OK;
    return twx_fail(out->cx, TWX_E_IO, "the output cannot be written");
}

twx_rc twx_out_text(const twx_out *out, const char *fmt, ...) {
    char small[512];
    va_list args;
    va_start(args, fmt);
    int n = twx_vprint(small, sizeof small, fmt, args);
    va_end(args);
    if (n < 0) return twx_fail(out->cx, TWX_E_INTERNAL, "cannot format '%s'", fmt);
    if ((size_t)n < sizeof small) return twx_out_bytes(out, (twx_slice){small, (size_t)n});
    char *large = twx_malloc(out->cx, (size_t)n + 1);
    if (!large) return TWX_E_NOMEM;
    va_start(args, fmt);
    twx_vprint(large, (size_t)n + 1, fmt, args);
    va_end(args);
    twx_rc rc = twx_out_bytes(out, (twx_slice){large, (size_t)n});
    twx_free(large);
    return rc;
}

static bool ends_line(char c) {
    return c >= '\n' && c <= '\r';
}

twx_rc twx_out_line(const twx_out *out, twx_slice text) {
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to = 0; rc == TWX_OK && from < text.n; from = to + 1) {
        for (to = from; to < text.n && !ends_line(text.p[to]);) to++;
        rc = twx_out_bytes(out, twx_slice_sub(text, from, to));
        if (rc == TWX_OK && to < text.n) rc = twx_out_bytes(out, TWX_SLICE_LIT("?"));
    }
    return rc;
}

static twx_rc write_buf(const twx_out *out, twx_rc rc, twx_buf *text) {
    if (rc == TWX_OK) rc = twx_out_line(out, twx_buf_slice(text));
    twx_buf_done(text);
    return rc;
}

twx_rc twx_out_value(const twx_out *out, const twx_value *v) {
    twx_buf text;
    twx_buf_init(&text, SIZE_MAX / 4);
    return write_buf(out, twx_value_print(out->cx, &text, v), &text);
}

twx_rc twx_out_excerpt(const twx_out *out, twx_slice text, size_t most) {
    twx_buf shown;
    twx_buf_init(&shown, SIZE_MAX / 4);
    return write_buf(out, twx_excerpt(out->cx, text, most, &shown), &shown);
}

twx_rc twx_out_excerpt_end(const twx_out *out, twx_slice text, size_t most) {
    twx_buf shown;
    twx_buf_init(&shown, SIZE_MAX / 4);
    return write_buf(out, twx_excerpt_end(out->cx, text, most, &shown), &shown);
}

const char *twx_ppm_text(int32_t ppm, char room[TWX_PPM_BYTES]) {
    enum { PERCENT = 10000 };
    if (ppm < 0)
        snprintf(room, TWX_PPM_BYTES, "-");
    else
        snprintf(room, TWX_PPM_BYTES, "%d.%02d %%", ppm / PERCENT, ppm % PERCENT / (PERCENT / 100));
    return room;
}

/* After a write that failed jansson may write once more. */
static int dump(const char *bytes, size_t n, void *arg) {
    const twx_out *out = arg;
    if (out->cx->rc != TWX_OK) return -1;
    return twx_out_bytes(out, (twx_slice){bytes, n}) == TWX_OK ? 0 : -1;
}

twx_rc twx_out_json(const twx_out *out, json_t *value) {
    /* a member that could not be made is missing in the value */
    if (!value || twx_allocation_failed()) {
        json_decref(value);
        return twx_fail(out->cx, TWX_E_NOMEM, "out of memory for JSON");
    }
    twx_out copy = *out;
    int failed = json_dump_callback(value, dump, &copy,
                                    JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    json_decref(value);
    if (failed && out->cx->rc == TWX_OK)
        return twx_fail(out->cx, TWX_E_NOMEM, "out of memory for JSON");
    return failed ? out->cx->rc : twx_out_text(out, "\n");
}
