#include "run/collect.h"

#include "run/document_reader.h"
#include "sign/detectors.h"
#include "sign/sign_document.h"
#include "store/links.h"

typedef struct pass {
    const twx_job *job;
    const twx_params *params;
    const twx_collecting *by;
    twx_collection_maker *maker;
    twx_workspace *workspace;
} pass;

static twx_rc take_row(void *arg, const twx_source_row *row) {
    pass *p = arg;
    twx_url url;
    twx_document doc = {.url = &url, .text = twx_bytes_of(&row->value[TWX_COL_TEXT])};
    twx_slice stored = twx_bytes_of(&row->value[TWX_COL_URL]);
    if (doc.text.n == 0 || !stored.p) return TWX_OK;
    doc.main = twx_bytes_of(&row->value[TWX_COL_MAIN]);
    twx_rc rc = twx_url_normalize(p->job->cx, twx_workspace_scratch(p->workspace), &p->params->url,
                                  stored, &url);
    doc.text = twx_near_text_of(p->params, &doc);
    if (rc == TWX_OK && url.fault == TWX_URL_OK) rc = p->by->add(p->maker, p->workspace, &doc);
    twx_workspace_reset(p->workspace);
    return rc;
}

/* Normalizes both ends as the settings require, like the documents' own URLs. */
static twx_rc take_link(void *arg, twx_slice from_url, twx_slice to_url) {
    pass *p = arg;
    twx_url from, to;
    twx_arena *scratch = twx_workspace_scratch(p->workspace);
    twx_rc rc = twx_url_normalize(p->job->cx, scratch, &p->params->url, from_url, &from);
    if (rc == TWX_OK) rc = twx_url_normalize(p->job->cx, scratch, &p->params->url, to_url, &to);
    if (rc == TWX_OK && from.fault == TWX_URL_OK && to.fault == TWX_URL_OK)
        rc = p->by->add_link(p->maker, from.whole, to.whole);
    twx_workspace_reset(p->workspace);
    return rc;
}

/* Only our own `documents` table has a table of links. */
static twx_rc read_links(pass *p, twx_opened *o, unsigned needs) {
    if (!(needs & TWX_NEED_LINK_SCORES) || !o->mapping.own) return TWX_OK;
    twx_job_progress(p->job, "read links", "", 0, 0);
    return twx_links_each(o->reader, take_link, p);
}

twx_rc twx_collect(const twx_job *job, twx_opened *o, const twx_params *params, unsigned needs,
                   twx_collection *ret_collection) {
    pass p = {.job = job, .params = params};
    if (needs == 0) {
        *ret_collection = (twx_collection){0};
        return TWX_OK;
    }
    const twx_detector *d = NULL;
    for (size_t i = 0; !p.by && (d = twx_detector_at(i)); i++)
        if (d->needs & needs) p.by = d->collecting;
    twx_rc rc = twx_workspace_open(job->cx, params, &p.workspace);
    if (rc == TWX_OK)
        rc = p.by->open(job->cx, needs, (size_t)job->settings->run_memory / 2, &p.maker);
    if (rc == TWX_OK) rc = twx_scan_documents(job, o, "collect statistics", take_row, &p);
    if (rc == TWX_OK) rc = read_links(&p, o, needs);
    if (rc == TWX_OK) rc = p.by->make(p.maker, ret_collection);
    if (p.maker) p.by->close(p.maker);
    twx_workspace_close(p.workspace);
    return rc;
}
