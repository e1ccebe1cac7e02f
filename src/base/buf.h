/* base/buf.h: bytes that grow up to a cap.
 * [R1] A buffer never holds more than its max: a call that would exceed it fails with TWX_E_LIMIT
 * and leaves the content unchanged.
 * [R2] p is always followed by a NUL that n does not count, so short internal texts can be printed.
 * Memory: embedded struct; twx_buf_init() before use, twx_buf_done() after; the struct owns the
 * bytes. */
#ifndef TWX_BASE_BUF_H
#define TWX_BASE_BUF_H

#include "base/ctx.h"
#include "base/slice.h"

typedef struct twx_buf {
    char *p; /* NULL until the first byte */
    size_t n;
    size_t cap;
    size_t max;
} twx_buf;

void twx_buf_init(twx_buf *b, size_t max_bytes);
void twx_buf_done(twx_buf *b);
void twx_buf_clear(twx_buf *b); /* keeps the memory */
TWX_CHECK twx_rc twx_buf_reserve(twx_ctx *cx, twx_buf *b, size_t more);
TWX_CHECK twx_rc twx_buf_add(twx_ctx *cx, twx_buf *b, const void *p, size_t n);
TWX_CHECK twx_rc twx_buf_add_slice(twx_ctx *cx, twx_buf *b, twx_slice s);
TWX_CHECK twx_rc twx_buf_add_text(twx_ctx *cx, twx_buf *b, const char *text);
TWX_CHECK twx_rc twx_buf_add_char(twx_ctx *cx, twx_buf *b, char c);
TWX_CHECK twx_rc twx_buf_printf(twx_ctx *cx, twx_buf *b, const char *fmt, ...) TWX_PRINTF(3, 4);
/* Adds what is left of an open file. Errors `unreadable`; TWX_E_CONFIG: it is longer than max. */
TWX_CHECK twx_rc twx_buf_add_file(twx_ctx *cx, twx_buf *b, const char *path, int fd,
                                  twx_rc unreadable);
twx_slice twx_buf_slice(const twx_buf *b); /* borrowed until the next change; "" when empty */

#endif
