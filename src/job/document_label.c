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
