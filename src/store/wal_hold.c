#include "store/wal_hold.h"

#include "store/stmt.h"

static twx_rc open_readers(twx_db *db) {
    twx_wal_holder *h = &db->wal;
    const twx_db_options options = {.mode = TWX_DB_READER, .busy_ms = db->busy_ms};
    twx_rc rc = twx_db_is_wal(db, &h->needed);
    for (int i = 0; rc == TWX_OK && h->needed && i < 2; i++)
        if (!h->reader[i]) rc = twx_db_open(db->cx, db->path, &options, &h->reader[i]);
    h->opened = rc == TWX_OK;
    return rc;
}

twx_rc twx_wal_hold(twx_db *db) {
    twx_wal_holder *h = &db->wal;
    if (h->held) return TWX_OK;
    twx_rc rc = h->opened ? TWX_OK : open_readers(db);
    if (rc != TWX_OK || !h->needed) return rc;
    rc = twx_db_pin(h->reader[h->holding]);
    h->held = rc == TWX_OK;
    return rc;
}

bool twx_wal_is_held(const twx_db *db) {
    return db->wal.held;
}

twx_rc twx_wal_renew(twx_db *db) {
    twx_wal_holder *h = &db->wal;
    if (!h->held) return TWX_OK;
    const twx_rc rc = twx_db_pin(h->reader[!h->holding]);
    if (rc != TWX_OK) return rc;
    twx_db_unpin(h->reader[h->holding]);
    h->holding = !h->holding;
    return TWX_OK;
}

void twx_wal_copy(twx_db *db) {
    if (db->wal.held)
        (void)sqlite3_wal_checkpoint_v2(db->handle, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

void twx_wal_release(twx_db *db) {
    twx_wal_holder *h = &db->wal;
    if (h->held) twx_db_unpin(h->reader[h->holding]);
    h->held = false;
}

void twx_wal_finish(twx_db *db) {
    const twx_ctx before = *db->cx;
    if (twx_wal_renew(db) == TWX_OK) twx_wal_copy(db);
    *db->cx = before;
    twx_wal_release(db);
}
