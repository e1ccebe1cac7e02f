#include "store/store_key.h"

#include "sql_text.h"
#include "store/stmt.h"

static twx_rc read_key(twx_db *db, int64_t *ret_key) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_store_key", &has);
    if (rc != TWX_OK || !has) return rc == TWX_OK ? TWX_DONE : rc;
    return twx_db_integer(db, TWX_SQL_QUERY_STORE_KEY_READ, ret_key);
}

twx_rc twx_store_key(twx_db *db, uint64_t *ret_key) {
    int64_t key = 0;
    twx_rc rc = read_key(db, &key);
    if (rc == TWX_DONE) {
        rc = twx_db_transact(db, TWX_SQL_SCHEMA_STORE_KEY);
        if (rc == TWX_OK) rc = read_key(db, &key);
        if (rc == TWX_DONE)
            rc = twx_fail(db->cx, TWX_E_CORRUPT,
                          "%s: twindex_store_key cannot be given a row: drop it with sqlite3, "
                          "then push again",
                          db->path);
    }
    if (rc == TWX_OK) *ret_key = (uint64_t)key;
    return rc;
}
