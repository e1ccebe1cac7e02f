#include "run/judged_texts.h"

#include "base/hash64.h"
#include "run/document_label.h"

/* Reads in one transaction: each one has a lock to take and to release, and pins the WAL. */
enum { READS_AT_ONCE = 64 };

static void end_reads(twx_judged_texts *t, size_t member) {
    if (t->left[member]) twx_db_unpin(t->stores[member].o->reader);
    t->left[member] = 0;
}

/* Begins a transaction if there is none, and finds out whether another connection has written to
 * the store since its rows were signed. */
static twx_rc begin_reads(twx_judged_texts *t, uint16_t member) {
    const twx_opened *o = t->stores[member].o;
    int64_t version = 0;
    if (!t->versions || t->left[member]) return TWX_OK;
    twx_rc rc = twx_db_pin(o->reader);
    t->left[member] = READS_AT_ONCE;
    const bool same_file = !twx_is_separate(t->stores[member].job);
    if (rc == TWX_OK)
        rc = twx_db_data_version(same_file && o->writer && !o->trial ? o->writer : o->reader,
                                 &version);
    t->unchanged[member] = version == t->versions[member];
    if (rc != TWX_OK) end_reads(t, member);
    return rc;
}

static twx_rc is_signed(const twx_judged_texts *t, uint32_t i, twx_slice text, bool *ret_signed) {
    unsigned char digest[TWX_SHA256_BYTES];
    const twx_signed_as signed_as = twx_signed_as_of(t->j, i);
    twx_ctx *cx = t->stores[0].job->cx;
    twx_rc rc = twx_sha256(cx, t->workspace, text, digest);
    *ret_signed = rc == TWX_OK && signed_as.known >> TWX_RELATION_EXACT & 1 &&
                  signed_as.sig[TWX_RELATION_EXACT] == twx_load_be64(digest);
    return rc;
}

static twx_rc read_text(void *arg, uint32_t i, twx_buf *ret_text) {
    twx_judged_texts *t = arg;
    const twx_doc_row *at = &t->j->docs.at.at[i];
    twx_opened *o = t->stores[at->member].o;
    bool is = false;
    twx_value id = {.type = TWX_INT, .i = at->doc};
    t->reads++;
    twx_rc rc = begin_reads(t, at->member);
    const bool unchanged = t->unchanged[at->member];
    if (rc == TWX_OK && !twx_source_is_direct(o->source)) rc = twx_id_of(o, at->doc, &id);
    if (rc == TWX_OK) rc = twx_source_text(o->source, &id, ret_text);
    if (o->signatures) twx_signatures_release(o->signatures); /* the id pins the WAL */
    if (t->left[at->member] && --t->left[at->member] == 0) twx_db_unpin(o->reader);
    if (rc != TWX_OK || unchanged) return rc;
    rc = is_signed(t, i, twx_buf_slice(ret_text), &is);
    return rc == TWX_OK && !is ? TWX_DONE : rc;
}

twx_rc twx_judged_texts_init(const twx_load_store *stores, size_t n, const twx_judgement *j,
                             const twx_params *params, const int64_t *versions,
                             twx_judged_texts *ret_texts) {
    twx_ctx *cx = stores[0].job->cx;
    *ret_texts = (twx_judged_texts){.source = {.read = read_text, .arg = ret_texts},
                                    .stores = stores,
                                    .n = n,
                                    .j = j,
                                    .versions = versions,
                                    .left = twx_calloc(cx, n, sizeof *ret_texts->left),
                                    .unchanged = twx_calloc(cx, n, sizeof *ret_texts->unchanged)};
    if (!ret_texts->left || !ret_texts->unchanged) return TWX_E_NOMEM;
    return twx_workspace_open(cx, params, &ret_texts->workspace);
}

void twx_judged_texts_rest(twx_judged_texts *t) {
    for (size_t i = 0; t->left && i < t->n; i++) end_reads(t, i);
}

void twx_judged_texts_done(twx_judged_texts *t) {
    if (!t) return;
    twx_judged_texts_rest(t);
    twx_free(t->left);
    twx_free(t->unchanged);
    twx_workspace_close(t->workspace);
    *t = (twx_judged_texts){0};
}
