#include "run/judged_texts.h"

#include "base/hash64.h"
#include "job/document_label.h"

/* Has no other connection written to the store since its rows were signed? */
static twx_rc is_unchanged(const twx_judged_texts *t, uint16_t member, bool *ret_unchanged) {
    int64_t version = 0;
    *ret_unchanged = false;
    if (!t->versions) return TWX_OK;
    const twx_opened *o = t->stores[member].o;
    const bool same_file = !twx_is_separate(t->stores[member].job);
    const twx_rc rc = twx_db_data_version(
        same_file && o->writer && !o->trial ? o->writer : o->reader, &version);
    *ret_unchanged = version == t->versions[member];
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
    bool unchanged = false, is = false;
    twx_value id = {.type = TWX_INT, .i = at->doc};
    t->reads++;
    twx_rc rc = twx_source_is_direct(o->source) ? TWX_OK : twx_id_of(o, at->doc, &id);
    if (rc == TWX_OK) rc = twx_source_text(o->source, &id, ret_text);
    if (o->signatures) twx_signatures_release(o->signatures); /* the id pins the WAL */
    if (rc == TWX_OK) rc = is_unchanged(t, at->member, &unchanged);
    if (rc != TWX_OK || unchanged) return rc;
    rc = is_signed(t, i, twx_buf_slice(ret_text), &is);
    return rc == TWX_OK && !is ? TWX_DONE : rc;
}

twx_rc twx_judged_texts_init(const twx_load_store *stores, const twx_judgement *j,
                             const twx_params *params, const int64_t *versions,
                             twx_judged_texts *ret_texts) {
    *ret_texts = (twx_judged_texts){.source = {.read = read_text, .arg = ret_texts},
                                    .stores = stores,
                                    .j = j,
                                    .versions = versions};
    return twx_workspace_open(stores[0].job->cx, params, &ret_texts->workspace);
}

void twx_judged_texts_done(twx_judged_texts *t) {
    if (!t) return;
    twx_workspace_close(t->workspace);
    *t = (twx_judged_texts){0};
}
