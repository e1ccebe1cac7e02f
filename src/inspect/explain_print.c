#include "inspect/explain_print.h"

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

/* ---- explanation ------------------------------------------------------- */

void twx_explanation_init(twx_explanation *e) {
    *e = (twx_explanation){0};
    twx_arena_init(&e->arena, 0);
}

void twx_explanation_done(twx_explanation *e) {
    for (size_t i = 0; i < e->documents.n; i++) TWX_VEC_DONE(&e->documents.at[i].lines);
    TWX_VEC_DONE(&e->documents);
    twx_arena_done(&e->arena);
}

twx_rc twx_explanation_begin(twx_ctx *cx, twx_explanation *e, const twx_value *id,
                             const twx_value *url, twx_slice store) {
    twx_explained d = {.url = *url};
    twx_rc rc = twx_listed_document_copy(cx, &e->arena, id, url->bytes, &d.document);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &e->arena, store, &d.document.store);
    d.url.bytes = d.document.url;
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &e->documents, d) ? TWX_E_NOMEM : rc;
}

twx_rc twx_explanation_add(twx_ctx *cx, twx_explanation *e, const char *key, const char *text) {
    twx_explained *d = &e->documents.at[e->documents.n - 1];
    twx_explained_line line;
    twx_rc rc = twx_arena_copy(cx, &e->arena, twx_slice_of(key), &line.key);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &e->arena, twx_slice_of(text), &line.text);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &d->lines, line) ? TWX_E_NOMEM : rc;
}

static json_t *document_json(const twx_explained *d) {
    json_t *o = json_pack("{s:o, s:o}", "id", twx_json_value(&d->document.id), "url",
                          twx_json_value(&d->url));
    if (d->document.store.p) json_object_set_new(o, "store", twx_json_slice(d->document.store));
    for (size_t i = 0; i < d->lines.n; i++)
        json_object_set_new(o, d->lines.at[i].key.p, twx_json_slice(d->lines.at[i].text));
    return o;
}

static twx_rc write_document(const twx_out *out, const twx_explained *d) {
    twx_rc rc = twx_listed_document_write(out, &d->document);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    for (size_t i = 0; rc == TWX_OK && i < d->lines.n; i++) {
        rc = twx_out_text(out, "  %-28s ", d->lines.at[i].key.p);
        if (rc == TWX_OK) rc = twx_out_line(out, d->lines.at[i].text);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

twx_rc twx_explanation_write(const twx_out *out, const twx_explanation *e) {
    const bool json = twx_out_is_json(out);
    json_t *all = json ? json_array() : NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < e->documents.n; i++)
        if (json)
            json_array_append_new(all, document_json(&e->documents.at[i]));
        else
            rc = write_document(out, &e->documents.at[i]);
    return json ? twx_out_json(out, all) : rc;
}
