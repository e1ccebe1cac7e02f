/* run/document_label.h: the names of documents for display: id, URL and title. */
#ifndef TWX_RUN_DOCUMENT_LABEL_H
#define TWX_RUN_DOCUMENT_LABEL_H

#include "run/open_store.h"

/* What is shown in place of the URL of a document that cannot be read: one such document must not
 * end a list of others. */
#define TWX_LABEL_GONE     "(not in the store)"
#define TWX_LABEL_TOO_LONG "(its row is longer than run.row_bytes)"

/* rc: of reading a document. If it is gone (TWX_DONE) or its row is too long (TWX_E_LIMIT), appends
 * the text above to url, and clears the error; otherwise returns rc. */
TWX_CHECK twx_rc twx_label_unreadable(twx_ctx *cx, twx_rc rc, twx_buf *url);
/* The URL of a document of the source, or a text above. Appends to url. */
TWX_CHECK twx_rc twx_url_of(twx_opened *o, const twx_value *id, twx_buf *url);
/* The same with the beginning of its title, as stored. title NULL: not wanted. */
TWX_CHECK twx_rc twx_names_of(twx_opened *o, const twx_value *id, twx_buf *url, twx_buf *title);
/* Appends "ID URL", or "ID URL in STORE" for a representative in another store; "(gone)" if there
 * is no such document. */
TWX_CHECK twx_rc twx_add_document(twx_opened *o, int64_t doc, twx_buf *line);
/* Whether the number stands for a document of another store in the published flags. */
TWX_CHECK twx_rc twx_is_elsewhere(twx_opened *o, int64_t doc, bool *ret_elsewhere);
/* The source's id of a document number; its bytes are borrowed until the next call. TWX_DONE:
 * none, or it is a document of another store. */
TWX_CHECK twx_rc twx_id_of(twx_opened *o, int64_t doc, twx_value *ret_id);

#endif
