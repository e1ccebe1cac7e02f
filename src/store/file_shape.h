/* store/file_shape.h: facts of an SQLite file, for `doctor`. */
#ifndef TWX_STORE_FILE_SHAPE_H
#define TWX_STORE_FILE_SHAPE_H

#include "store/db.h"

typedef struct twx_file_shape {
    uint64_t pages, free_pages, page_bytes;
} twx_file_shape;

TWX_CHECK twx_rc twx_file_shape_read(twx_db *db, twx_file_shape *ret_shape);
const char *twx_sqlite_version(void);

enum { TWX_VERSION_BYTES = 32 };
/* The last row of the ledger; TWX_DONE: there is none. */
typedef struct twx_last_run {
    int64_t run;
    bool unended;
    char version[TWX_VERSION_BYTES];
} twx_last_run;
TWX_CHECK twx_rc twx_last_run_read(twx_db *db, twx_last_run *ret_run);

#endif
