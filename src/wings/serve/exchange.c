#include "serve/exchange.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

twx_rc twx_secret_make(twx_ctx *cx, char ret_secret[TWX_SECRET_ROOM]) {
    unsigned char bytes[TWX_SECRET_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return twx_fail(cx, TWX_E_IO, "no random bytes: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(ret_secret + 2 * i, 3, "%02x", bytes[i]);
    return TWX_OK;
}

bool twx_secret_is(twx_slice guess, const char *secret) {
    unsigned char different = 0;
    if (guess.n != TWX_SECRET_ROOM - 1) return false;
    for (size_t i = 0; i < guess.n; i++)
        different |= (unsigned char)((unsigned char)guess.p[i] ^ (unsigned char)secret[i]);
    return different == 0;
}

twx_rc twx_exchange_end(twx_exchange *x, int result) {
    twx_answer_result(x->answer, result, twindex_message(x->t));
    return TWX_OK;
}

twx_rc twx_exchange_get(twx_exchange *x, const char *name, const char **ret_value) {
    *ret_value = twindex_get(x->t, name);
    return *ret_value ? TWX_OK : twx_fail(x->cx, TWX_E_NOMEM, "%s", twindex_message(x->t));
}
