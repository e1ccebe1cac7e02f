/* Functions about the extension and its configuration for the connection. */
#include <string.h>

#include "base/buf.h"
#include "ext/ext_functions.h"

enum { HELP_MAX = 1 << 16 };

/* ---- twindex_config ----------------------------------------------------- */

static twx_rc allow_indirect(twx_ext_call *call) {
    twx_ext *x = call->ext;
    int64_t wanted = 0;
    twx_rc rc = twx_ext_integer(call, 1, &wanted);
    if (rc != TWX_OK) return rc;
    if (wanted != 0 && wanted != 1)
        return twx_fail(&x->cx, TWX_E_USAGE, "indirect is %lld: give 0 or 1", (long long)wanted);
    if (!wanted && x->indirect)
        return twx_fail(&x->cx, TWX_E_USAGE, "indirect stays on until the connection is closed");
    if (!wanted) return TWX_OK;
    const int code = twx_ext_allow_indirect(x);
    if (code == SQLITE_OK) return TWX_OK;
    return twx_fail(&x->cx, code == SQLITE_NOMEM ? TWX_E_NOMEM : TWX_E_INTERNAL,
                    "cannot register the functions: %s", sqlite3_errstr(code));
}

/* twindex_config('indirect'[, 1]): sets the option if a value is given, and returns it. */
twx_rc twx_ext_config(twx_ext_call *call) {
    twx_slice name;
    twx_rc rc = twx_ext_bytes(call, 0, &name);
    if (rc == TWX_OK && !twx_slice_eq(name, TWX_SLICE_LIT("indirect")))
        rc = twx_fail(&call->ext->cx, TWX_E_USAGE,
                      "no setting '" TWX_SLICE_FMT "': there is 'indirect'", TWX_SLICE_ARG(name));
    if (rc == TWX_OK && call->n > 1) rc = allow_indirect(call);
    return rc == TWX_OK ? twx_ext_give_integer(call, call->ext->indirect) : rc;
}

/* ---- twindex_help, twindex_version -------------------------------------- */

static twx_rc add_line(twx_ctx *cx, const twx_ext_function *f, twx_buf *text) {
    return twx_buf_printf(cx, text, "%s%s(%s): %s", text->n ? "\n" : "", f->name, f->arguments,
                          f->help);
}

/* One line for each function, or the line of one. */
twx_rc twx_ext_help(twx_ext_call *call) {
    twx_ctx *cx = &call->ext->cx;
    const twx_ext_function *f = NULL;
    twx_slice name = {NULL, 0};
    twx_buf text;
    twx_buf_init(&text, HELP_MAX);
    twx_rc rc = call->n > 0 ? twx_ext_bytes(call, 0, &name) : TWX_OK;
    for (size_t i = 0; rc == TWX_OK && (f = call->ext->function_at(i)); i++)
        if (!name.p || twx_slice_eq_nocase(name, twx_slice_of(f->name)))
            rc = add_line(cx, f, &text);
    if (rc == TWX_OK && text.n == 0)
        rc = twx_fail(cx, TWX_E_USAGE, "no function '" TWX_SLICE_FMT "': twindex_help() lists them",
                      TWX_SLICE_ARG(name));
    if (rc == TWX_OK) rc = twx_ext_give_text(call, twx_buf_slice(&text));
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_ext_version(twx_ext_call *call) {
    return twx_ext_give_text(call, TWX_SLICE_LIT(TWINDEX_VERSION));
}
