/* store/source_check.h: private to store/: checks what a mapping reads, and chooses the scan
 * key. */
#ifndef TWX_STORE_SOURCE_CHECK_H
#define TWX_STORE_SOURCE_CHECK_H

#include "store/source.h"

/* The parts of a mapping that call a function of store/page_functions.h, so that only Twindex can
 * compute them: which columns, and whether the choice of rows does. */
typedef struct twx_unshown {
    bool columns[TWX_COLUMNS], rows;
} twx_unshown;

/* Prepares every expression of the mapping. beyond: becomes twx_source_beyond(). Errors
 * TWX_E_CONFIG: one of them is invalid, or reads something that needs allow_view; the message names
 * it. */
TWX_CHECK twx_rc twx_mapping_check(twx_db *db, const twx_mapping *m, twx_unshown *ret_unshown,
                                   char beyond[TWX_BEYOND_BYTES]);

typedef struct twx_scan_key {
    const char *expression; /* borrowed from m, or static */
    bool is_rowid;
    bool is_id; /* the rowid is the mapped id, so it is the document number */
} twx_scan_key;

/* Errors TWX_E_CONFIG: the mapped id is a rowid, which VACUUM may change. */
TWX_CHECK twx_rc twx_scan_key_choose(twx_db *db, const twx_mapping *m, twx_scan_key *ret_key);

#endif
