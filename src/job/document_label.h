/* job/document_label.h: names documents for people: id as typed, and URL. */
#ifndef TWX_JOB_DOCUMENT_LABEL_H
#define TWX_JOB_DOCUMENT_LABEL_H

#include "job/open_store.h"
#include "report/out.h"

/* The URL of a document of the source; "(not in the store)" when it is gone. Appended to url, which
 * is not cleared. */
TWX_CHECK twx_rc twx_url_of(twx_opened *o, const twx_value *id, twx_buf *url);
/* The source's id of a document number, its bytes borrowed until the next call. TWX_DONE: none. */
TWX_CHECK twx_rc twx_id_of(twx_opened *o, int64_t doc, twx_value *ret_id);
json_t *twx_json_value(const twx_value *v); /* an id as JSON; blobs as hex text */

#endif
