/* run/document_reader.h: the one way in which jobs read the documents of a store, which other
 * programs may change at any time.
 * [R1] A row longer than the row limit is named in a warning and left out; all others are read.
 * [R2] Each row is given once, in order of scan_key; a row that was listed and then deleted is
 * skipped, or reported to gone().
 * [R3] No statement of the reader is open while prepare() runs, so it may write to the store, also
 * with a rollback journal. */
#ifndef TWX_RUN_DOCUMENT_READER_H
#define TWX_RUN_DOCUMENT_READER_H

#include "run/open_store.h"

enum { TWX_READER_ROWS = 500 /* complete rows read by one statement */ };

/* Sets *ret_wanted, which is true before the call, for a row that take() shall have. */
typedef twx_rc twx_document_reader_select_fn(void *arg, const twx_source_row *row,
                                             bool *ret_wanted);
/* Sets *ret_wait if prepare() must run before the next row. The row is borrowed for the call. */
typedef twx_rc twx_document_reader_take_fn(void *arg, const twx_source_row *row, bool *ret_wait);

/* A reading of the source. An error of any function ends it.
 * Memory: filled by the caller, everything borrowed. */
typedef struct twx_document_reader {
    const twx_job *job;
    twx_source *source;
    const char *stage;    /* name for progress */
    const char *too_long; /* what the warning says about a document that is too long [R1] */
    /* the columns of the rows that are scanned: if select() is given, those that it needs, and
     * take() gets the rows that it wants complete */
    twx_source_want want;
    twx_document_reader_select_fn *select; /* NULL: all rows are wanted */
    twx_document_reader_take_fn *take;
    twx_rc (*prepare)(void *arg); /* before each statement; may be NULL */
    twx_rc (*gone)(void *arg,
                   const twx_value *scan_key); /* of twx_document_reader_fetch(); may be NULL */
    void *arg;
    uint64_t total; /* of twx_document_reader_fetch(), for progress; 0: not known */
    /* set by the reader: rows read; rows that were too long; a function of the caller failed */
    uint64_t read, left_out;
    bool refused;
} twx_document_reader;

/* Reads all documents. */
TWX_CHECK twx_rc twx_document_reader_scan(twx_document_reader *r);
/* Reads all documents with a key from `first` to `last`, one by one: for a range in which a row may
 * be too long. The source has ranges (store/source.h). */
TWX_CHECK twx_rc twx_document_reader_range(twx_document_reader *r, int64_t first, int64_t last);
/* Reads the n documents with these keys completely, whatever select() would say. */
TWX_CHECK twx_rc twx_document_reader_fetch(twx_document_reader *r, const twx_value *scan_keys,
                                           size_t n);

/* The same in short, for jobs that examine every document once: all columns, nothing to prepare. */
typedef twx_rc twx_scan_documents_fn(void *arg, const twx_source_row *row);
TWX_CHECK twx_rc twx_scan_documents(const twx_job *job, twx_opened *o, const char *stage,
                                    twx_scan_documents_fn *fn, void *arg);

/* The bytes of a text or blob; absent for anything else. */
twx_slice twx_bytes_of(const twx_value *v);
/* The number of the document with this id. TWX_DONE: it has none, because no run has seen it. */
TWX_CHECK twx_rc twx_document_number(const twx_opened *o, const twx_value *id, int64_t *ret_doc);

#endif
