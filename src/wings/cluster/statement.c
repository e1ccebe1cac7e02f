#include "cluster/statement.h"

#include <inttypes.h>

static twx_rc add_value(twx_ctx *cx, twx_slice name, const twx_statement_value *values, size_t n,
                        twx_buf *out) {
    for (size_t i = 0; i < n; i++) {
        if (!twx_slice_eq(name, twx_slice_of(values[i].name))) continue;
        return values[i].text ? twx_buf_add_text(cx, out, values[i].text)
                              : twx_buf_printf(cx, out, "%" PRIu64, values[i].number);
    }
    return twx_fail(cx, TWX_E_INTERNAL, "a statement of sql/cluster names {" TWX_SLICE_FMT "}",
                    TWX_SLICE_ARG(name));
}

twx_rc twx_statement_fill(twx_ctx *cx, const char *sql, const twx_statement_value *values, size_t n,
                          twx_buf *out) {
    twx_slice rest = twx_slice_of(sql);
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && rest.n > 0) {
        const size_t open = twx_slice_find(rest, '{', 0), end = twx_slice_find(rest, '}', open);
        rc = twx_buf_add_slice(cx, out, twx_slice_sub(rest, 0, open));
        if (rc == TWX_OK && open < rest.n)
            rc = add_value(cx, twx_slice_sub(rest, open + 1, end), values, n, out);
        rest = twx_slice_sub(rest, end < rest.n ? end + 1 : rest.n, rest.n);
    }
    return rc;
}
