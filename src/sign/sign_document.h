/* sign/sign_document.h: runs detectors on a document and packs their signatures (record.h). */
#ifndef TWX_SIGN_SIGN_DOCUMENT_H
#define TWX_SIGN_SIGN_DOCUMENT_H

#include "sign/memo.h"
#include "sign/record.h"

/* What all documents of a run are signed with. Memory: everything is borrowed.
 * Shape  detectors[0..n) in order of id; memo NULL: none */
typedef struct twx_signing {
    const twx_params *params;
    const twx_detector *const *detectors;
    size_t n;
    twx_memo *memo;
    bool without_url; /* leaves out the detectors whose basis is the URL alone */
    bool *ret_valid;  /* gets whether the text is valid UTF-8; NULL: not wanted */
} twx_signing;

/* [R3] Near-duplicate methods whose basis is the text get this: all of it, or its content area, as
 * near.text says, of the document's host if a section of `hosts` has it. */
twx_slice twx_near_text_of(const twx_params *params, const twx_document *doc);

/* [R1] The record depends on document, detectors and parameters alone, not on the memo.
 * [R2] With a memo a text that was signed before is tagged and not examined again.
 * ret_record is cleared first; on failure its content is undefined. The caller resets the workspace
 * afterwards, because doc->url may be in its scratch.
 * Errors TWX_E_NOMEM, TWX_E_LIMIT (ret_record's max), TWX_E_INTERNAL (OpenSSL failed) */
TWX_CHECK twx_rc twx_sign_document(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                                   const twx_document *doc, twx_buf *ret_record);

#endif
