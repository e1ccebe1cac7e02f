/* import/warc.h: reads the records of a WARC file (ISO 28500; versions 0.17 to 1.1) in sequence.
 * [R1] Accepts header names in any case, folded lines, and <> around WARC-Target-URI (wget). [R2] A
 * broken record is reported once (TWX_E_DATA with a clear context and `fault` set) and the reader
 * continues at the next line that begins a record. [R3] A record longer than the limit is skipped
 * without being held in memory: `too_long`.
 * Memory: owned handle; a record's slices are valid until the next call. */
#ifndef TWX_IMPORT_WARC_H
#define TWX_IMPORT_WARC_H

#include "run/input.h"

typedef struct twx_warc twx_warc;

typedef struct twx_warc_record {
    uint64_t offset; /* of its first byte in the unpacked stream */
    twx_slice type, target_uri, date, content_type,
        payload_digest;      /* headers, trimmed; absent when missing */
    twx_slice refers_to_uri; /* WARC-Refers-To-Target-URI */
    twx_slice block;         /* empty when too_long */
    bool too_long;
} twx_warc_record;

TWX_CHECK twx_rc twx_warc_open(twx_ctx *cx, twx_input *in, size_t max_block, twx_warc **ret_warc);
void twx_warc_close(twx_warc *w);
/* TWX_DONE: the end. TWX_E_DATA with cx clear: a broken record; *ret_fault has the fault and its
 * position ("offset 1234: no Content-Length"). */
TWX_CHECK twx_rc twx_warc_next(twx_warc *w, twx_warc_record *ret_record, const char **ret_fault);

#endif
