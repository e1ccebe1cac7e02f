/* base/ctx.h: the context of a call: its first error, its cancel switch, its fault hook.
 *
 * One thread at a time uses a twx_ctx. The place that detects a failure writes the message with
 * twx_fail(); later failures keep the first message. Worker threads have their own contexts and
 * pass on their error with twx_ctx_take().
 * Memory: embedded struct, twx_ctx_init() before use, nothing to free. */
#ifndef TWX_BASE_CTX_H
#define TWX_BASE_CTX_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/rc.h"

enum { TWX_MESSAGE_MAX = 1024 }; /* bytes of an error message with its NUL; longer ones are cut */

/* Fault hook for tests: allocation number `fail_at` (1 = next) fails, and with `forever` every one
 * after it. NULL in production. */
typedef struct twx_faults {
    atomic_uint_fast64_t count; /* allocations seen so far */
    uint64_t fail_at;           /* 0: never */
    bool forever;
} twx_faults;

typedef struct twx_ctx {
    twx_rc rc;          /* first error, TWX_OK when none */
    atomic_int *cancel; /* borrowed; non-zero: the number of the signal that requested a stop */
    twx_faults *faults; /* borrowed; NULL in production */
    struct twx_suspension *suspension; /* borrowed; NULL: Ctrl-Z is not put off */
    char message[TWX_MESSAGE_MAX];
} twx_ctx;

void twx_ctx_init(twx_ctx *cx);
/* Clears the error, keeps cancel and faults. */
void twx_ctx_clear(twx_ctx *cx);
/* Records the first error and its message and returns rc. A message does not end with a line feed.
 * Crawled text goes into it through TWX_SLICE_FMT only (base/slice.h). */
twx_rc twx_fail(twx_ctx *cx, twx_rc rc, const char *fmt, ...) TWX_PRINTF(3, 4);
/* Replaces control characters of a message in place: external text in it (a path, a URL, an SQL
 * error) must not make lines of its own. Bytes of 0x80 and above, which are usually UTF-8, stay. */
void twx_one_line(char *message);
/* Copies the first error of `from` into `cx` unless `cx` has one; returns the error that cx
 * holds. */
twx_rc twx_ctx_take(twx_ctx *cx, const twx_ctx *from);
/* TWX_OK, or TWX_E_INTERRUPTED / TWX_E_TERMINATED (with message) once cancel is set. */
TWX_CHECK twx_rc twx_cancelled(twx_ctx *cx);

#endif
