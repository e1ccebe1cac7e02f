#include "base/buf.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/print.h"

void twx_buf_init(twx_buf *b, size_t max_bytes) {
    *b = (twx_buf){.max = max_bytes};
}

void twx_buf_done(twx_buf *b) {
    if (!b) return;
    twx_free(b->p);
    *b = (twx_buf){0};
}

void twx_buf_clear(twx_buf *b) {
    b->n = 0;
    if (b->p) b->p[0] = '\0';
}

twx_rc twx_buf_reserve(twx_ctx *cx, twx_buf *b, size_t more) {
    if (more > b->max - b->n || more >= SIZE_MAX - b->n) /* one more for the NUL */
        return twx_fail(cx, TWX_E_LIMIT, "a text would exceed its limit of %zu bytes", b->max);
    size_t need = b->n + more + 1;
    if (need <= b->cap) return TWX_OK;
    size_t cap = twx_grown(b->cap, need);
    char *p = twx_realloc(cx, b->p, cap, 1);
    if (!p) return TWX_E_NOMEM;
    b->p = p;
    b->p[b->n] = '\0'; /* [R2] also before the first byte */
    b->cap = cap;
    return TWX_OK;
}

twx_rc twx_buf_add(twx_ctx *cx, twx_buf *b, const void *p, size_t n) {
    twx_rc rc = twx_buf_reserve(cx, b, n);
    if (rc != TWX_OK) return rc;
    if (n) memcpy(b->p + b->n, p, n);
    b->n += n;
    b->p[b->n] = '\0';
    return TWX_OK;
}

twx_rc twx_buf_add_slice(twx_ctx *cx, twx_buf *b, twx_slice s) {
    return twx_buf_add(cx, b, s.p, s.n);
}

twx_rc twx_buf_add_text(twx_ctx *cx, twx_buf *b, const char *text) {
    return twx_buf_add(cx, b, text, strlen(text));
}

twx_rc twx_buf_add_char(twx_ctx *cx, twx_buf *b, char c) {
    return twx_buf_add(cx, b, &c, 1);
}

twx_rc twx_buf_printf(twx_ctx *cx, twx_buf *b, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int length = twx_vprint(NULL, 0, fmt, args);
    va_end(args);
    if (length < 0) return twx_fail(cx, TWX_E_INTERNAL, "cannot format '%s'", fmt);
    twx_rc rc = twx_buf_reserve(cx, b, (size_t)length);
    if (rc != TWX_OK) return rc;
    va_start(args, fmt);
    twx_vprint(b->p + b->n, (size_t)length + 1, fmt, args);
    va_end(args);
    b->n += (size_t)length;
    return TWX_OK;
}

twx_rc twx_buf_add_file(twx_ctx *cx, twx_buf *b, const char *path, int fd, twx_rc unreadable) {
    char piece[1 << 14];
    twx_rc rc = TWX_OK;
    for (ssize_t n; rc == TWX_OK && (n = read(fd, piece, sizeof piece)) != 0;)
        rc = n < 0 ? twx_fail(cx, unreadable, "cannot read '%.300s': %s", path, strerror(errno))
                   : twx_buf_add(cx, b, piece, (size_t)n);
    if (rc != TWX_E_LIMIT) return rc;
    twx_ctx_clear(cx);
    return twx_fail(cx, TWX_E_CONFIG, "%.300s: longer than %zu KiB", path, b->max >> 10);
}

twx_slice twx_buf_slice(const twx_buf *b) {
    return (twx_slice){b->p ? b->p : "", b->n};
}
