#include "inspect/listed_document.h"

enum { URL_SHOWN = 2000 /* characters */ };

twx_rc twx_listed_document_copy(twx_ctx *cx, twx_arena *arena, const twx_value *id, twx_slice url,
                                twx_listed_document *ret_document) {
    twx_listed_document d = {.id = *id};
    twx_rc rc = twx_arena_copy(cx, arena, id->bytes, &d.id.bytes);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, url, &d.url);
    if (rc == TWX_OK) *ret_document = d;
    return rc;
}

static twx_rc write_id(const twx_out *out, const twx_listed_document *d) {
    twx_rc rc = twx_out_value(out, &d->id);
    return rc == TWX_OK ? twx_out_text(out, "  ") : rc;
}

static twx_rc write_store(const twx_out *out, const twx_listed_document *d) {
    return d->store.p ? twx_out_text(out, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(d->store)) : TWX_OK;
}

twx_rc twx_listed_document_write(const twx_out *out, const twx_listed_document *d) {
    twx_rc rc = write_id(out, d);
    if (rc == TWX_OK) rc = twx_out_line(out, d->url);
    return rc == TWX_OK ? write_store(out, d) : rc;
}

twx_rc twx_listed_document_excerpt(const twx_out *out, const twx_listed_document *d) {
    twx_rc rc = write_id(out, d);
    if (rc == TWX_OK) rc = twx_out_excerpt(out, d->url, URL_SHOWN);
    return rc == TWX_OK ? write_store(out, d) : rc;
}

json_t *twx_listed_document_json(const twx_listed_document *d) {
    return json_pack("{s:o, s:o, s:o*}", "id", twx_json_value(&d->id), "url",
                     twx_json_slice(d->url), "store", d->store.p ? twx_json_slice(d->store) : NULL);
}
