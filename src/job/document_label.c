#include "job/document_label.h"

#include "job/document_reader.h"

enum { TITLE_BYTES = 1 << 10 };

typedef struct finding {
    twx_ctx *cx;
    twx_buf *url, *title; /* title NULL: not wanted */
} finding;

static twx_rc take_names(void *arg, const twx_source_row *row, bool *ret_enough) {
    finding *f = arg;
    const twx_value *url = &row->value[TWX_COL_URL];
    *ret_enough = true;
    bool text = url->type == TWX_TEXT || url->type == TWX_BLOB;
    twx_rc rc = twx_buf_add_slice(f->cx, f->url, text ? url->bytes : TWX_SLICE_LIT("(no URL)"));
    if (rc != TWX_OK || !f->title) return rc;
    const twx_slice title = twx_bytes_of(&row->value[TWX_COL_TITLE]);
    return twx_buf_add_slice(f->cx, f->title, twx_slice_sub(title, 0, TITLE_BYTES));
}

twx_rc twx_label_unreadable(twx_ctx *cx, twx_rc rc, twx_buf *url) {
    if (rc == TWX_DONE) return twx_buf_add_text(cx, url, TWX_LABEL_GONE);
    if (rc != TWX_E_LIMIT) return rc;
    twx_ctx_clear(cx);
    return twx_buf_add_text(cx, url, TWX_LABEL_TOO_LONG);
}

twx_rc twx_names_of(twx_opened *o, const twx_value *id, twx_buf *url, twx_buf *title) {
    twx_ctx *cx = twx_source_ctx(o->source);
    finding f = {.cx = cx, .url = url, .title = title};
    return twx_label_unreadable(cx, twx_source_by_id(o->source, id, take_names, &f), url);
}

twx_rc twx_url_of(twx_opened *o, const twx_value *id, twx_buf *url) {
    return twx_names_of(o, id, url, NULL);
}

twx_rc twx_id_of(twx_opened *o, int64_t doc, twx_value *ret_id) {
    if (!twx_source_is_direct(o->source)) return twx_document_id(o->signatures, doc, ret_id);
    *ret_id = (twx_value){.type = TWX_INT, .i = doc};
    return TWX_OK;
}
