/* run/lookup.h: finds the document that the user names, reads it completely, and computes its
 * signatures.
 * Memory: embedded struct; its bytes are owned. */
#ifndef TWX_RUN_LOOKUP_H
#define TWX_RUN_LOOKUP_H

#include "run/open_store.h"
#include "sign/sign_document.h"

typedef struct twx_lookup {
    twx_arena bytes;
    twx_value scan_key, id;
    twx_slice url, text, main, title, headings, names, description;
} twx_lookup;

/* Finds a document by id or URL as typed, else the one whose URL is nearly that (run/near_url.h).
 * Of several documents with one URL the first is used, and a note is written.
 * Errors TWX_E_NOTFOUND, naming the argument; those of reading */
TWX_CHECK twx_rc twx_lookup_find(const twx_job *job, twx_opened *o, const char *url_or_id,
                                 twx_lookup *ret_lookup);
void twx_lookup_done(twx_lookup *p);
/* Signs the document with signing->detectors. ret_record as in twx_sign_document(); the workspace
 * is reset. */
TWX_CHECK twx_rc twx_lookup_sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                                 const twx_lookup *p, twx_buf *ret_record);

/* The same for a row during a scan. */
TWX_CHECK twx_rc twx_row_sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                              const twx_source_row *row, twx_buf *ret_record);

enum { TWX_LOOKUP_RECORD_MAX = 64 << 20 }; /* longest record in bytes */

#endif
