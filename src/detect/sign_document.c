#include "detect/sign_document.h"

static twx_rc sign_with(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                        const twx_detector *d, const twx_document *doc, twx_buf *record) {
    twx_signature signature = {0};
    twx_rc rc = d->sign(cx, w, signing->params, doc, &signature);
    if (rc == TWX_OK) rc = twx_record_add(cx, d->id, &signature, record);
    TWX_VEC_DONE(&signature.keys);
    return rc;
}

/* A text of few words has no near-duplicates: its few words occur on many pages. */
static twx_rc has_words(twx_ctx *cx, twx_workspace *w, twx_slice text, uint32_t least,
                        bool *ret_has) {
    twx_tokens *tokens = &twx_workspace_words(w)->tokens;
    twx_token token;
    twx_rc rc = TWX_OK;
    twx_tokens_start(tokens, text);
    for (uint32_t n = 0; n < least && rc == TWX_OK; n++)
        rc = twx_tokens_next_raw(cx, tokens, &token);
    *ret_has = rc == TWX_OK;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc sign_text(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                        const twx_document *doc, twx_buf *entries) {
    bool long_enough = false;
    twx_rc rc = has_words(cx, w, doc->text, signing->params->near_min_words, &long_enough);
    for (size_t i = 0; i < signing->n && rc == TWX_OK; i++) {
        const twx_detector *d = signing->detectors[i];
        if (d->basis == TWX_BASIS_TEXT && (!d->near || long_enough))
            rc = sign_with(cx, w, signing, d, doc, entries);
    }
    return rc;
}

/* The entries of the detectors whose basis is the text, from the memo where it has them. */
static twx_rc text_entries(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                           const twx_document *doc, twx_buf *entries) {
    unsigned char sha256[TWX_SHA256_BYTES];
    if (!signing->memo || doc->text.n == 0) return sign_text(cx, w, signing, doc, entries);
    twx_rc rc = twx_text_sha256(cx, w, doc->text, sha256);
    if (rc == TWX_OK) rc = twx_memo_get(cx, signing->memo, sha256, entries);
    if (rc != TWX_DONE) return rc;
    rc = sign_text(cx, w, signing, doc, entries);
    return rc == TWX_OK ? twx_memo_put(cx, signing->memo, sha256, twx_buf_slice(entries)) : rc;
}

static twx_rc copy_entry(twx_ctx *cx, twx_slice entries, uint8_t id, twx_buf *record) {
    twx_record_entry entry;
    twx_rc rc = twx_record_find(cx, entries, id, &entry);
    if (rc == TWX_DONE) return TWX_OK; /* no signature */
    return rc == TWX_OK ? twx_buf_add_slice(cx, record, entry.whole) : rc;
}

twx_rc twx_sign_document(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                         const twx_document *doc, twx_buf *ret_record) {
    twx_buf texts;
    twx_buf_init(&texts, ret_record->max);
    twx_buf_clear(ret_record);
    twx_workspace_note_text(w, doc->text);
    twx_rc rc = text_entries(cx, w, signing, doc, &texts);
    for (size_t i = 0; i < signing->n && rc == TWX_OK; i++) {
        const twx_detector *d = signing->detectors[i];
        rc = d->basis == TWX_BASIS_TEXT ? copy_entry(cx, twx_buf_slice(&texts), d->id, ret_record)
                                        : sign_with(cx, w, signing, d, doc, ret_record);
    }
    twx_workspace_forget_text(w);
    twx_buf_done(&texts);
    return rc;
}
