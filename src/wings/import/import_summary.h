/* import/import_summary.h: what an import did. */
#ifndef TWX_IMPORT_IMPORT_SUMMARY_H
#define TWX_IMPORT_IMPORT_SUMMARY_H

#include "run/out.h"

enum { TWX_IMPORT_TYPES = 40, TWX_IMPORT_TYPE_BYTES = 64 };

typedef struct twx_import_type {
    char name
        /* lower-case, printable; "" for all types beyond the size of the list */
        [TWX_IMPORT_TYPE_BYTES];
    uint64_t n;
} twx_import_type;

typedef struct twx_import_summary {
    const char *store;
    uint64_t records;                               /* records or lines read */
    uint64_t fresh, replaced, same, older, refused; /* documents */
    uint64_t future;                                /* captures with a date in the future */
    uint64_t not_documents, unknown_revisits, too_long, broken, damaged, no_text;
    uint64_t links;
    uint64_t left_out;                       /* responses of other types */
    twx_import_type types[TWX_IMPORT_TYPES]; /* types of left_out, in any order */
    size_t types_n;
} twx_import_summary;

/* Sorts the types. */
TWX_CHECK twx_rc twx_import_summary_write(const twx_out *out, twx_import_summary *s);

#endif
