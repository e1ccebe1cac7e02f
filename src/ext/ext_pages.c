#include "ext/ext_functions.h"
#include "page/page_values.h"

enum { RESULT_BYTES = 64 << 20 };

twx_rc twx_ext_page(twx_ext_call *call) {
    const twx_page_function *f = twx_page_function_find(call->function->name);
    twx_page_argument arguments[TWX_PAGE_ARGUMENTS_MAX];
    const twx_page_call page = {&call->ext->page, arguments, (size_t)call->n};
    twx_page_kind kind = TWX_PAGE_NONE;
    twx_buf out;
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < call->n; i++) {
        arguments[i].blob = twx_ext_is_blob(call, i);
        rc = twx_ext_bytes(call, i, &arguments[i].bytes);
    }
    if (rc != TWX_OK) return rc;
    twx_buf_init(&out, RESULT_BYTES);
    rc = f->call(&call->ext->cx, f, &page, &out, &kind);
    if (rc == TWX_OK && kind == TWX_PAGE_TEXT) rc = twx_ext_give_text(call, twx_buf_slice(&out));
    if (rc == TWX_OK && kind == TWX_PAGE_BLOB) rc = twx_ext_give_blob(call, twx_buf_slice(&out));
    twx_buf_done(&out);
    return rc == TWX_OK && kind == TWX_PAGE_NONE ? TWX_DONE : rc;
}
