/* job/document_label.h: the names of documents for display: id, URL and title. */
#ifndef TWX_JOB_DOCUMENT_LABEL_H
#define TWX_JOB_DOCUMENT_LABEL_H

#include "job/open_store.h"

/* The URL of a document of the source; "(not in the store)" if it is gone. Appends to url. */
TWX_CHECK twx_rc twx_url_of(twx_opened *o, const twx_value *id, twx_buf *url);
/* The same with the beginning of its title, as stored. title NULL: not wanted. */
TWX_CHECK twx_rc twx_names_of(twx_opened *o, const twx_value *id, twx_buf *url, twx_buf *title);
/* The source's id of a document number; its bytes are borrowed until the next call. TWX_DONE:
 * none. */
TWX_CHECK twx_rc twx_id_of(twx_opened *o, int64_t doc, twx_value *ret_id);

#endif
