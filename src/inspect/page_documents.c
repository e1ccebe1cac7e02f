#include "inspect/page_documents.h"

#include "run/document_label.h"
#include "run/document_reader.h"

enum { ID_BYTES = 1 << 12, URL_BYTES = 1 << 12, TITLE_BYTES = 1 << 10 };

typedef struct row {
    const twx_listed_reading *reading;
    twx_page_document *document;
    twx_slice *text; /* NULL: not wanted */
} row;

/* The page shows the beginnings of URLs and titles. */
static twx_rc copy_start(const row *r, const twx_value *v, size_t most, twx_slice *ret_copy) {
    const twx_slice bytes = twx_bytes_of(v);
    return twx_arena_copy(r->reading->job->cx, r->reading->arena,
                          bytes.p ? twx_slice_sub(bytes, 0, most) : bytes, ret_copy);
}

static twx_rc take_row(void *arg, const twx_source_row *stored, bool *ret_enough) {
    const row *r = arg;
    const twx_slice text = twx_bytes_of(&stored->value[TWX_COL_TEXT]);
    *ret_enough = true;
    twx_rc rc = copy_start(r, &stored->value[TWX_COL_URL], URL_BYTES, &r->document->url);
    if (rc == TWX_OK)
        rc = copy_start(r, &stored->value[TWX_COL_TITLE], TITLE_BYTES, &r->document->title);
    if (rc == TWX_OK && r->text && text.n <= TWX_PAGE_TEXT_BYTES)
        rc = twx_arena_copy(r->reading->job->cx, r->reading->arena,
                            text.p ? text : TWX_SLICE_LIT(""), r->text);
    return rc;
}

static twx_rc print_id(const twx_listed_reading *r, const twx_value *id, twx_slice *ret_id) {
    twx_buf text;
    twx_buf_init(&text, ID_BYTES);
    twx_rc rc = twx_value_print(r->job->cx, &text, id);
    if (rc == TWX_OK) rc = twx_arena_copy(r->job->cx, r->arena, twx_buf_slice(&text), ret_id);
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_page_document_read(const twx_listed_reading *r, uint32_t member, const twx_value *id,
                              twx_page_document *ret_document, twx_slice *ret_text) {
    const twx_set_member *m = &r->set->at[member];
    twx_page_document d = {.title = {NULL, 0}};
    twx_slice text = {NULL, 0};
    row into = {.reading = r, .document = &d, .text = ret_text ? &text : NULL};
    twx_rc rc = print_id(r, id, &d.id);
    if (rc == TWX_OK) rc = twx_arena_copy(r->job->cx, r->arena, m->shard, &d.store);
    if (rc == TWX_OK) rc = twx_source_by_id(m->o.source, id, take_row, &into);
    if (rc == TWX_DONE) {
        d.url = TWX_SLICE_LIT(TWX_LABEL_GONE);
        d.unreadable = true;
        rc = TWX_OK;
    } else if (rc == TWX_E_LIMIT) {
        twx_ctx_clear(r->job->cx);
        d.url = TWX_SLICE_LIT(TWX_LABEL_TOO_LONG);
        d.unreadable = true;
        rc = TWX_OK;
    }
    if (rc != TWX_OK) return rc;
    *ret_document = d;
    if (ret_text) *ret_text = text;
    return TWX_OK;
}
