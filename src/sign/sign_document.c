#include "sign/sign_document.h"

#include <string.h>

#include "base/utf8.h"
#include "url/host_patterns.h"

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

static bool wants_main(const twx_params *params, const twx_url *url) {
    twx_host_section section;
    if (!params->hosts || !url || url->fault != TWX_URL_OK ||
        !twx_host_section_of(twx_slice_of(params->hosts), url->host, &section))
        return params->near_main;
    const twx_slice value = twx_host_section_value(&section, "near.text");
    return value.p ? twx_slice_eq_nocase(value, TWX_SLICE_LIT("main")) : params->near_main;
}

twx_slice twx_near_text_of(const twx_params *params, const twx_document *doc) {
    return doc->main.n && wants_main(params, doc->url) ? doc->main : doc->text;
}

static twx_rc sign_text(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                        const twx_document *doc, twx_buf *entries) {
    bool long_enough = false;
    twx_document near = *doc;
    near.text = twx_near_text_of(signing->params, doc);
    twx_rc rc = has_words(cx, w, near.text, signing->params->near_min_words, &long_enough);
    for (size_t i = 0; i < signing->n && rc == TWX_OK; i++) {
        const twx_detector *d = signing->detectors[i];
        if (d->basis == TWX_BASIS_TEXT && (!d->near || long_enough))
            rc = sign_with(cx, w, signing, d, d->near ? &near : doc, entries);
        if (rc == TWX_OK) rc = twx_cancelled(cx); /* a text can be long */
    }
    return rc;
}

/* Everything that depends on the text and its content area alone: the entries of the detectors
 * whose basis it is, and one byte more: 1 if it is valid UTF-8. */
static twx_rc examine_text(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                           const twx_document *doc, twx_buf *ret_made) {
    twx_rc rc = sign_text(cx, w, signing, doc, ret_made);
    const bool valid = rc == TWX_OK && twx_utf8_valid(doc->text);
    return rc == TWX_OK ? twx_buf_add_char(cx, ret_made, valid) : rc;
}

/* Of the text, and of its content area if that is signed instead. */
static twx_rc tag_of(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                     const twx_document *doc, unsigned char ret_tag[TWX_TAG_BYTES]) {
    unsigned char both[2 * TWX_TAG_BYTES];
    const unsigned char *key = twx_memo_key(signing->memo);
    const twx_slice near = twx_near_text_of(signing->params, doc);
    twx_rc rc = twx_text_tag(cx, w, key, doc->text, ret_tag);
    if (rc != TWX_OK || near.p == doc->text.p) return rc;
    memcpy(both, ret_tag, TWX_TAG_BYTES);
    rc = twx_text_tag(cx, w, key, near, both + TWX_TAG_BYTES);
    return rc == TWX_OK ? twx_text_tag(cx, w, key, (twx_slice){(char *)both, sizeof both}, ret_tag)
                        : rc;
}

/* The same, from the memo if it has them. */
static twx_rc recall_text(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                          const twx_document *doc, twx_buf *ret_made) {
    unsigned char tag[TWX_TAG_BYTES];
    twx_memo *memo = signing->memo;
    if (!memo || doc->text.n == 0) return examine_text(cx, w, signing, doc, ret_made);
    twx_rc rc = tag_of(cx, w, signing, doc, tag);
    if (rc == TWX_OK) rc = twx_memo_get(cx, memo, tag, ret_made);
    if (rc != TWX_DONE) return rc;
    rc = examine_text(cx, w, signing, doc, ret_made);
    return rc == TWX_OK ? twx_memo_put(cx, memo, tag, twx_buf_slice(ret_made)) : rc;
}

static twx_rc copy_entry(twx_ctx *cx, twx_slice entries, uint8_t id, twx_buf *record) {
    twx_record_entry entry;
    twx_rc rc = twx_record_find(cx, entries, id, &entry);
    if (rc == TWX_DONE) return TWX_OK; /* no signature */
    return rc == TWX_OK ? twx_buf_add_slice(cx, record, entry.whole) : rc;
}

twx_rc twx_sign_document(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                         const twx_document *doc, twx_buf *ret_record) {
    twx_buf made;
    twx_slice entries = {NULL, 0};
    twx_buf_init(&made, ret_record->max);
    twx_buf_clear(ret_record);
    twx_workspace_note_text(w, doc->text);
    twx_rc rc = recall_text(cx, w, signing, doc, &made);
    if (rc == TWX_OK) entries = twx_slice_sub(twx_buf_slice(&made), 0, made.n - 1);
    if (rc == TWX_OK && signing->ret_valid) *signing->ret_valid = made.p[made.n - 1] != 0;
    for (size_t i = 0; i < signing->n && rc == TWX_OK; i++) {
        const twx_detector *d = signing->detectors[i];
        if (signing->without_url && d->basis == TWX_BASIS_URL) continue;
        rc = d->basis == TWX_BASIS_TEXT ? copy_entry(cx, entries, d->id, ret_record)
                                        : sign_with(cx, w, signing, d, doc, ret_record);
    }
    twx_workspace_forget_text(w);
    twx_buf_done(&made);
    return rc;
}
