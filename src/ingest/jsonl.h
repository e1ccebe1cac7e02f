/* ingest/jsonl.h: one document a line of JSON (jsonlines.org). [R1] Fields are the columns of
 * `documents`, and YaCy's names for them (sku, title,
 * text_t, description_txt, httpstatus_i, failreason_s, canonical_s, robots_i, load_date_dt,
 * language_s, content_type, references_i, ...): one table.
 * [R2] A list (YaCy's multi-valued fields) is joined by line feeds; a number is taken as its decimal text where text is wanted; dates are
 * ISO 8601 or seconds. Unknown fields are ignored. [R3] A line without a url is a fault.
 * Memory: owned handle; a capture's slices are valid until the next call. */
#ifndef TWX_INGEST_JSONL_H
#define TWX_INGEST_JSONL_H

#include "store/documents.h"

typedef struct twx_jsonl twx_jsonl;

TWX_CHECK twx_rc twx_jsonl_open(twx_ctx *cx, twx_jsonl **ret_jsonl);
void twx_jsonl_close(twx_jsonl *j);
/* TWX_E_DATA with cx clear: not a document; *ret_fault says why ("column 17: ..."), valid until the next call. */
TWX_CHECK twx_rc twx_jsonl_parse(twx_jsonl *j, twx_slice line, twx_capture *ret_capture,
                                 const char **ret_fault);

#endif
