#include "base/base.h"

#include <locale.h>
#include <openssl/err.h>
#include <signal.h>

/* ==== print */

/* The locale "C" is a constant of the C library: no memory is allocated. uselocale() concerns this
 * thread only. */
int twx_vprint(char *room, size_t bytes, const char *fmt, va_list args) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* style: [R1] */
    const locale_t before = uselocale(plain);                        /* style: [R1] */
    const int n = vsnprintf(room, bytes, fmt, args);                 /* style: [R1] */
    uselocale(before);                                               /* style: [R1] */
    return n;
}

int twx_print(char *room, size_t bytes, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int n = twx_vprint(room, bytes, fmt, args);
    va_end(args);
    return n;
}

/* ==== rc */

int twx_rc_exit(twx_rc rc) {
    static const int CODES[] = {
#define TWX_RC_ROW(name, exit_code) exit_code,
        TWX_RC_TABLE(TWX_RC_ROW)
#undef TWX_RC_ROW
    };
    return CODES[(unsigned)rc < TWX_RC_COUNT ? rc : TWX_E_INTERNAL];
}

/* ==== ctx */

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

/* ==== openssl_error */

twx_rc twx_openssl_failed(twx_ctx *cx, twx_rc rc, const char *what) {
    unsigned long code = ERR_get_error();
    /* without an error in the queue, there was no memory for the queue either */
    bool no_memory = code == 0;
    for (; code; code = ERR_get_error()) no_memory |= ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
    ERR_clear_error(); /* an entry that was read still has the names of its file and function */
    if (no_memory) return twx_fail(cx, TWX_E_NOMEM, "out of memory in OpenSSL");
    return twx_fail(cx, rc, "%s", what);
}
