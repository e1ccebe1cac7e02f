/* job/lookup.h: the one document of the source that a person names, read whole, and its signatures
 * made on the spot.
 * Memory: embedded struct; its bytes are owned. */
#ifndef TWX_JOB_LOOKUP_H
#define TWX_JOB_LOOKUP_H

#include "detect/sign_document.h"
#include "job/open_store.h"

typedef struct twx_lookup {
    twx_arena bytes;
    twx_value scan_key, id;
    twx_slice url, text, title, description;
} twx_lookup;

/* By id or URL as typed. Of several documents with one URL the first is taken, and a note says so.
 * Errors TWX_E_NOTFOUND, naming what was asked for; those of reading */
TWX_CHECK twx_rc twx_lookup_find(const twx_job *job, twx_opened *o, const char *url_or_id,
                                 twx_lookup *ret_lookup);
void twx_lookup_done(twx_lookup *p);
/* As signing->detectors see it. ret_record as in twx_sign_document(); the workspace is reset. */
TWX_CHECK twx_rc twx_lookup_sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                                 const twx_lookup *p, twx_buf *ret_record);

/* The same for a row that is being read. */
TWX_CHECK twx_rc twx_row_sign(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                              const twx_source_row *row, twx_buf *ret_record);

enum { TWX_LOOKUP_RECORD_MAX = 64 << 20 }; /* bytes a record may take */

#endif
