#include "base/openssl_error.h"

#include <openssl/err.h>

twx_rc twx_openssl_failed(twx_ctx *cx, twx_rc rc, const char *what) {
    unsigned long code = ERR_get_error();
    /* without an error in the queue, there was no memory for the queue either */
    bool no_memory = code == 0;
    for (; code; code = ERR_get_error()) no_memory |= ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
    ERR_clear_error(); /* an entry that was read still has the names of its file and function */
    if (no_memory) return twx_fail(cx, TWX_E_NOMEM, "out of memory in OpenSSL");
    return twx_fail(cx, rc, "%s", what);
}
