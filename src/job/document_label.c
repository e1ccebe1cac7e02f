#include "job/document_label.h"

typedef struct finding {
    twx_ctx *cx;
    twx_buf *url;
} finding;

static twx_rc take_url(void *arg, const twx_source_row *row, bool *ret_enough) {
    finding *f = arg;
    const twx_value *url = &row->value[TWX_COL_URL];
    *ret_enough = true;
    bool text = url->type == TWX_TEXT || url->type == TWX_BLOB;
    return twx_buf_add_slice(f->cx, f->url, text ? url->bytes : TWX_SLICE_LIT("(no URL)"));
}

twx_rc twx_url_of(twx_opened *o, const twx_value *id, twx_buf *url) {
    twx_ctx *cx = twx_source_ctx(o->source);
    finding f = {.cx = cx, .url = url};
    twx_rc rc = twx_source_by_id(o->source, id, take_url, &f);
    return rc == TWX_DONE ? twx_buf_add_text(cx, url, "(not in the store)") : rc;
}

twx_rc twx_id_of(twx_opened *o, int64_t doc, twx_value *ret_id) {
    if (!twx_source_is_direct(o->source)) return twx_document_id(o->signatures, doc, ret_id);
    *ret_id = (twx_value){.type = TWX_INT, .i = doc};
    return TWX_OK;
}

json_t *twx_json_value(const twx_value *v) {
    twx_buf text;
    twx_ctx cx;
    switch (v->type) {
    case TWX_INT: return json_integer((json_int_t)v->i);
    case TWX_REAL: return json_real(v->r);
    case TWX_TEXT: return twx_json_slice(v->bytes);
    case TWX_NULL: return json_null();
    case TWX_BLOB: break;
    }
    twx_ctx_init(&cx);
    twx_buf_init(&text, 1024);
    json_t *hex = twx_value_print(&cx, &text, v) == TWX_OK ? twx_json_slice(twx_buf_slice(&text))
                                                           : NULL;
    twx_buf_done(&text);
    return hex;
}
