#include "run/document_label.h"

#include "run/document_reader.h"

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

/* TWX_DONE: it is no document of another store. */
static twx_rc find_elsewhere(twx_opened *o, int64_t doc, twx_arena *bytes, twx_remote *ret_remote) {
    twx_state state;
    if (!twx_is_remote(doc) || !o->generations) return TWX_DONE;
    twx_rc rc = twx_state_read(o->generations, &state);
    if (rc == TWX_OK && !state.generation) rc = TWX_DONE;
    return rc == TWX_OK ? twx_remote_get(o->writer, state.generation, doc, bytes, ret_remote) : rc;
}

twx_rc twx_is_elsewhere(twx_opened *o, int64_t doc, bool *ret_elsewhere) {
    twx_arena bytes;
    twx_remote remote = {0};
    twx_arena_init(&bytes, 0);
    const twx_rc rc = find_elsewhere(o, doc, &bytes, &remote);
    twx_arena_done(&bytes);
    *ret_elsewhere = rc == TWX_OK;
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_id_of(twx_opened *o, int64_t doc, twx_value *ret_id) {
    bool elsewhere = false;
    if (!twx_source_is_direct(o->source)) return twx_document_id(o->signatures, doc, ret_id);
    const twx_rc rc = twx_is_elsewhere(o, doc, &elsewhere);
    *ret_id = (twx_value){.type = TWX_INT, .i = doc};
    return rc == TWX_OK && elsewhere ? TWX_DONE : rc;
}

twx_rc twx_add_document(twx_opened *o, int64_t doc, twx_buf *line) {
    twx_ctx *cx = twx_source_ctx(o->source);
    twx_arena bytes;
    twx_remote remote = {0};
    twx_value id;
    twx_arena_init(&bytes, 0);
    twx_rc rc = find_elsewhere(o, doc, &bytes, &remote);
    if (rc == TWX_OK) {
        rc = twx_value_print(cx, line, &remote.id);
        if (rc == TWX_OK)
            rc = twx_buf_printf(cx, line, " " TWX_SLICE_FMT " in " TWX_SLICE_FMT,
                                TWX_SLICE_ARG(remote.url), TWX_SLICE_ARG(remote.shard));
    } else if (rc == TWX_DONE) {
        rc = twx_id_of(o, doc, &id);
        if (rc == TWX_OK) rc = twx_value_print(cx, line, &id);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, line, ' ');
        if (rc == TWX_OK)
            rc = twx_url_of(o, &id, line);
        else if (rc == TWX_DONE)
            rc = twx_buf_add_text(cx, line, "(gone)");
    }
    twx_arena_done(&bytes);
    return rc;
}
