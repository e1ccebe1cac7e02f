#include "store/file_shape.h"

#include <stdio.h>

#include "sql_text.h"
#include "store/stmt.h"

const char *twx_sqlite_version(void) {
    return sqlite3_libversion();
}

twx_rc twx_file_shape_read(twx_db *db, twx_file_shape *ret_shape) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_FILE_SHAPE, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK)
        *ret_shape = (twx_file_shape){(uint64_t)sqlite3_column_int64(stmt, 0),
                                      (uint64_t)sqlite3_column_int64(stmt, 1),
                                      (uint64_t)sqlite3_column_int64(stmt, 2)};
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_last_run_read(twx_db *db, twx_last_run *ret_run) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_RUN_UNENDED, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        const twx_slice version = twx_column_text(stmt, 2);
        *ret_run = (twx_last_run){.run = sqlite3_column_int64(stmt, 0),
                                  .unended = sqlite3_column_int(stmt, 1) != 0};
        snprintf(ret_run->version, sizeof ret_run->version, TWX_SLICE_FMT, TWX_SLICE_ARG(version));
    }
    sqlite3_finalize(stmt);
    return rc;
}
