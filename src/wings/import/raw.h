/* import/raw.h: a record as it was cut out of an input file, before it is parsed.
 * Memory: slices are borrowed; each function that returns a record documents for how long. */
#ifndef TWX_IMPORT_RAW_H
#define TWX_IMPORT_RAW_H

#include "import/warc.h"

typedef enum twx_raw_kind { TWX_RAW_WARC, TWX_RAW_JSON, TWX_RAW_CSV } twx_raw_kind;

typedef struct twx_raw {
    twx_raw_kind kind;
    bool by_line; /* `at` is a line number, from 1; else an offset in the unpacked stream */
    uint64_t at;
    bool too_long;                       /* longer than the limit, so it was skipped */
    const char *fault;                   /* why it could not be read; NULL: it could */
    twx_slice member;                    /* of an archive; absent: the file itself */
    twx_warc_record warc;                /* TWX_RAW_WARC */
    twx_slice bytes;                     /* TWX_RAW_JSON: a value; TWX_RAW_CSV: a row */
    const struct twx_csv_header *header; /* TWX_RAW_CSV */
} twx_raw;

#endif
