/* import/reader.h: a file of any known format as a sequence of raw records.
 * [R1] The format is detected from the first bytes, after decompression and a byte order mark: WARC
 * (also WET), JSON (one object per line, a list, or concatenated objects), CSV with a header, a ZIP
 * archive of WARC files (WACZ). [R2] Broken records are returned with `fault`; reading continues
 * after them. [R3] Unknown formats are refused with TWX_E_DATA and advice.
 * Memory: owned handle; a record's slices are valid until the next call, its header until the
 * reader is closed. */
#ifndef TWX_IMPORT_READER_H
#define TWX_IMPORT_READER_H

#include "import/raw.h"

typedef struct twx_reader twx_reader;

/* path "-": standard input. max_record: longest record in bytes; longer ones are skipped. on_wait:
 * called before a read that has to wait for a pipe (input.h); NULL: none. */
typedef struct twx_reader_options {
    size_t max_record;
    twx_rc (*on_wait)(void *arg);
    void *arg;
} twx_reader_options;

/* Errors TWX_E_NOSTORE, TWX_E_DATA. */
TWX_CHECK twx_rc twx_reader_open(twx_ctx *cx, const char *path, const twx_reader_options *options,
                                 twx_reader **ret_reader);
void twx_reader_close(twx_reader *r);
/* TWX_DONE: the end. TWX_E_DATA: the file is truncated or damaged; all records before that point
 * have been returned. */
TWX_CHECK twx_rc twx_reader_next(twx_reader *r, twx_raw *ret_raw);
const char *twx_reader_name(const twx_reader *r); /* path, or "standard input" */
/* Whether the records have fields chosen by a crawler (JSON, CSV). */
bool twx_reader_has_items(const twx_reader *r);
void twx_reader_progress(const twx_reader *r, uint64_t *ret_done, uint64_t *ret_total);
/* Offset in the unpacked stream. */
uint64_t twx_reader_offset(const twx_reader *r);

#endif
