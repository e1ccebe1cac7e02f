/* base/openssl_error.h: what a failed call of OpenSSL means. */
#ifndef TWX_BASE_OPENSSL_ERROR_H
#define TWX_BASE_OPENSSL_ERROR_H

#include "base/ctx.h"

/* Sets the error of a call of OpenSSL that failed: `what` with this code, or lack of memory, which
 * OpenSSL reports like any other failure. Empties the thread's queue of OpenSSL's errors, whose
 * entries hold memory until then. Returns the code that was set. */
TWX_CHECK twx_rc twx_openssl_failed(twx_ctx *cx, twx_rc rc, const char *what);

#endif
