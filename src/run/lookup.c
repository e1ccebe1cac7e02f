#include "run/lookup.h"

#include <inttypes.h>

#include "run/document_reader.h"
#include "run/near_url.h"

typedef struct finding {
    const twx_job *job;
    twx_lookup *document;
    uint64_t found;
} finding;

static twx_rc keep(finding *p, const twx_source_row *row) {
    static const twx_column COLUMNS[] = {TWX_COL_URL,        TWX_COL_TEXT,     TWX_COL_MAIN,
                                         TWX_COL_TITLE,      TWX_COL_HEADINGS, TWX_COL_NAMES,
                                         TWX_COL_DESCRIPTION};
    twx_lookup *to = p->document;
    twx_slice *const slices[] = {&to->url,      &to->text,  &to->main,       &to->title,
                                 &to->headings, &to->names, &to->description};
    twx_ctx *cx = p->job->cx;
    to->scan_key = row->scan_key;
    to->id = row->value[TWX_COL_ID];
    twx_rc rc = twx_arena_copy(cx, &to->bytes, row->scan_key.bytes, &to->scan_key.bytes);
    if (rc == TWX_OK)
        rc = twx_arena_copy(cx, &to->bytes, row->value[TWX_COL_ID].bytes, &to->id.bytes);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(COLUMNS); i++)
        rc = twx_arena_copy(cx, &to->bytes, twx_bytes_of(&row->value[COLUMNS[i]]), slices[i]);
    return rc;
}

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    finding *p = arg;
    (void)ret_enough;
    return p->found++ == 0 ? keep(p, row) : TWX_OK;
}

/* Finds the document that was typed almost as it is stored. */
static twx_rc find_near(finding *p, twx_opened *o, const char *typed) {
    twx_near_url near;
    twx_slice url;
    twx_rc rc = twx_near_url_init(p->job->cx, twx_slice_of(typed), &near);
    if (rc == TWX_OK) rc = twx_near_url_search(&near, o->source);
    if (rc == TWX_OK) rc = twx_near_url_take(&near, p->job, typed, &url);
    if (rc == TWX_OK) rc = twx_source_find(o->source, url, take_row, p);
    if (rc == TWX_DONE) rc = twx_near_url_fail(&near, p->job, typed);
    twx_near_url_done(&near);
    return rc;
}

twx_rc twx_lookup_find(const twx_job *job, twx_opened *o, const char *url_or_id,
                       twx_lookup *ret_lookup) {
    twx_lookup document = {0};
    finding p = {.job = job, .document = &document};
    twx_arena_init(&document.bytes, 0);
    twx_rc rc = twx_source_find(o->source, twx_slice_of(url_or_id), take_row, &p);
    if (rc == TWX_DONE) rc = find_near(&p, o, url_or_id);
    if (rc == TWX_OK && p.found > 1)
        twx_job_message(
            job, TWINDEX_NOTE,
            "%" PRIu64
            " documents are named '%.300s': the first is used; to choose another one, give its id",
            p.found, url_or_id);
    if (rc == TWX_OK)
        *ret_lookup = document;
    else
        twx_lookup_done(&document);
    return rc;
}

void twx_lookup_done(twx_lookup *p) {
    if (p) twx_arena_done(&p->bytes);
}

/* Fills in doc->url. */
static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing, twx_slice url,
                   twx_document *doc, twx_buf *ret_record) {
    twx_url normal = {.fault = TWX_URL_EMPTY};
    twx_rc rc = TWX_OK;
    if (url.p)
        rc = twx_url_normalize(cx, twx_workspace_scratch(w), &signing->params->url, url, &normal);
    doc->url = &normal;
    if (rc == TWX_OK) rc = twx_sign_document(cx, w, signing, doc, ret_record);
    doc->url = NULL;
    twx_workspace_reset(w);
    return rc;
}

twx_rc twx_lookup_sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                       const twx_lookup *p, twx_buf *ret_record) {
    twx_document doc = {.text = p->text,
                        .main = p->main,
                        .title = p->title,
                        .headings = p->headings,
                        .names = p->names,
                        .description = p->description};
    return sign(cx, w, signing, p->url, &doc, ret_record);
}

twx_rc twx_row_sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                    const twx_source_row *row, twx_buf *ret_record) {
    twx_document doc = {.text = twx_bytes_of(&row->value[TWX_COL_TEXT]),
                        .main = twx_bytes_of(&row->value[TWX_COL_MAIN]),
                        .title = twx_bytes_of(&row->value[TWX_COL_TITLE]),
                        .headings = twx_bytes_of(&row->value[TWX_COL_HEADINGS]),
                        .names = twx_bytes_of(&row->value[TWX_COL_NAMES]),
                        .description = twx_bytes_of(&row->value[TWX_COL_DESCRIPTION])};
    return sign(cx, w, signing, twx_bytes_of(&row->value[TWX_COL_URL]), &doc, ret_record);
}
