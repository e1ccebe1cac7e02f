#include "base/ctx.h"

#include <signal.h>
#include <string.h>

#include "base/print.h"

void twx_ctx_init(twx_ctx *cx) {
    memset(cx, 0, sizeof *cx);
}

void twx_ctx_clear(twx_ctx *cx) {
    cx->rc = TWX_OK;
    cx->message[0] = '\0';
}

void twx_one_line(char *text) {
    for (unsigned char *p = (unsigned char *)text; *p; p++)
        if (*p < 0x20 || *p == 0x7f) *p = '?';
}

twx_rc twx_fail(twx_ctx *cx, twx_rc rc, const char *fmt, ...) {
    if (!cx || cx->rc != TWX_OK) return rc;
    cx->rc = rc;
    va_list args;
    va_start(args, fmt);
    twx_vprint(cx->message, sizeof cx->message, fmt, args);
    va_end(args);
    twx_one_line(cx->message);
    return rc;
}

twx_rc twx_ctx_take(twx_ctx *cx, const twx_ctx *from) {
    if (cx->rc == TWX_OK && from->rc != TWX_OK) {
        cx->rc = from->rc;
        memcpy(cx->message, from->message, sizeof cx->message);
    }
    return cx->rc;
}

twx_rc twx_cancelled(twx_ctx *cx) {
    if (!cx->cancel) return TWX_OK;
    int signal_number = atomic_load_explicit(cx->cancel, memory_order_relaxed);
    if (signal_number == 0) return TWX_OK;
    if (signal_number == SIGTERM) return twx_fail(cx, TWX_E_TERMINATED, "terminated by SIGTERM");
    return twx_fail(cx, TWX_E_INTERRUPTED, "interrupted by signal %d", signal_number);
}
