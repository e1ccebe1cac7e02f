/* job/document_scan.h: reads every document of the source completely, once, in order of scan_key,
 * with progress; for jobs that examine all texts. [R1] A row longer than the row limit is named in
 * a warning and left out; the others are still read. */
#ifndef TWX_JOB_DOCUMENT_SCAN_H
#define TWX_JOB_DOCUMENT_SCAN_H

#include "job/open_store.h"

/* The row is borrowed for the call. */
typedef twx_rc twx_scan_documents_fn(void *arg, const twx_source_row *row);
/* stage: name for progress. An error from fn ends the scan. */
TWX_CHECK twx_rc twx_scan_documents(const twx_job *job, twx_opened *o, const char *stage,
                                    twx_scan_documents_fn *fn, void *arg);
/* The bytes of a text or blob; absent for anything else. */
twx_slice twx_bytes_of(const twx_value *v);

/* After TWX_E_LIMIT for one row: warns, naming its key (the id or the rowid), and clears the error.
 * what: the consequence for the document. */
TWX_CHECK twx_rc twx_warn_row_too_long(const twx_job *job, const twx_value *scan_key,
                                       const char *what);

#endif
