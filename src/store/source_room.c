/* The mapped expressions are the user's own SQL, so this file assembles its statements. */
#include "store/source_room.h"

#include <inttypes.h>
#include <sys/statvfs.h>

#include "base/alloc.h"
#include "store/stmt.h"

enum {
    SAMPLE_ROWS = 2000,
    ROW_BYTES = 32,    /* header of a row, and its key in the index */
    SORTER_BYTES = 32, /* CREATE INDEX sorts the keys */
    FULLNESS = 90      /* percent of a database page that rows fill */
};

/* Size in bytes of a database of the connection: the store, or the temporary file at present. */
static twx_rc size_of(twx_db *db, bool temporary, uint64_t *ret_bytes) {
    int64_t pages = 0, size = 0;
    twx_rc rc = twx_db_integer(db, temporary ? "PRAGMA temp.page_count" : "PRAGMA main.page_count",
                               &pages);
    if (rc == TWX_OK)
        rc = twx_db_integer(db, temporary ? "PRAGMA temp.page_size" : "PRAGMA main.page_size",
                            &size);
    if (rc == TWX_OK && pages > 0 && size > 0) *ret_bytes = (uint64_t)pages * (uint64_t)size;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Mean size of the first rows, in the order in which SQLite returns them. */
static twx_rc sample(twx_db *db, const char *columns, uint64_t *ret_mean) {
    sqlite3_stmt *rows = NULL;
    uint64_t n = 0, bytes = 0;
    char *sql = twx_sprintf(db->cx,
                            "SELECT %s FROM source_document WHERE scan_key IS NOT NULL LIMIT %d",
                            columns, SAMPLE_ROWS);
    twx_rc rc = sql ? twx_stmt_prepare(db, sql, &rows) : TWX_E_NOMEM;
    for (; rc == TWX_OK; n++) {
        rc = twx_stmt_step(db, rows);
        if (rc != TWX_OK) break;
        for (int i = 0; i < sqlite3_column_count(rows); i++)
            bytes += (uint64_t)sqlite3_column_bytes(rows, i);
    }
    sqlite3_finalize(rows);
    twx_free(sql);
    *ret_mean = n ? bytes / n : 0;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc estimate(twx_db *db, const char *columns, uint64_t *ret_need) {
    int64_t documents = 0;
    uint64_t mean = 0;
    twx_rc rc = twx_db_integer(db, "SELECT count(scan_key) FROM source_document", &documents);
    if (rc == TWX_OK) rc = sample(db, columns, &mean);
    if (rc == TWX_OK)
        *ret_need = (uint64_t)documents *
                    ((mean + ROW_BYTES) * 100 / FULLNESS + (uint64_t)SORTER_BYTES);
    return rc;
}

twx_rc twx_source_room_check(twx_db *db, const char *columns) {
    char folder[TWX_FOLDER_BYTES];
    struct statvfs fs;
    uint64_t store = 0, used = 0, need = 0;
    if (!twx_db_temporary_folder(db, folder))
        return twx_fail(db->cx, TWX_E_NOSTORE,
                        "%s: the mapping needs a temporary copy of the documents, but no directory "
                        "for temporary files is writable: set SQLITE_TMPDIR",
                        db->path);
    if (statvfs(folder, &fs) != 0) return TWX_OK; /* the write reports the error */
    twx_rc rc = size_of(db, false, &store);
    if (rc == TWX_OK) rc = size_of(db, true, &used);
    const uint64_t room = (uint64_t)fs.f_bavail * fs.f_frsize + used;
    if (rc != TWX_OK || room >= store) return rc;
    rc = estimate(db, columns, &need);
    if (rc == TWX_E_LIMIT) { /* a row beyond the row limit is reported where rows are read */
        twx_ctx_clear(db->cx);
        return TWX_OK;
    }
    if (rc != TWX_OK || room >= need) return rc;
    return twx_fail(db->cx, TWX_E_FULL,
                    "%s: the mapping needs a temporary copy of the documents, about %" PRIu64
                    " MiB, but %s has %" PRIu64 " MiB free: set SQLITE_TMPDIR to a "
                    "directory with more room",
                    db->path, (need >> 20) + 1, folder, room >> 20);
}
