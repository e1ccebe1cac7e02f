#include "store/store.h"

#include <time.h>

#include "sql_text.h"

/* ==== turn */

enum { HOLD_MS = 20, HOLD_ALONE_MS = 100, LEAST_MS = 5, ALONE_MS = 2000, MARGIN_MS = 2 };

/* How long the lock may be held, the commit included. */
static int64_t hold_ms(const twx_turns *t, int64_t now) {
    return now - t->others_ms < ALONE_MS ? HOLD_MS : HOLD_ALONE_MS;
}

/* Notes whether another connection has committed since the last turn, or since this one was
 * opened. */
static twx_rc look_for_others(twx_db *db) {
    twx_turns *t = &db->turns;
    const int64_t before = t->data_version;
    twx_rc rc = twx_db_data_version(db, &t->data_version);
    if (t->data_version == before) return rc;
    t->others_ms = twx_db_clock_ms();
    t->seen = true;
    return rc;
}

static bool others_commit(const twx_turns *t, int64_t now) {
    return t->seen && now - t->others_ms < ALONE_MS;
}

/* A connection that shares the store leaves copying the WAL to SQLite, which lets the next one that
 * commits do it: but if others commit, they are not to wait for what a turn has written. [R3] */
static twx_rc hold_wal(twx_db *db) {
    if (db->mode == TWX_DB_OWNER || twx_wal_is_held(db)) return TWX_OK;
    const twx_rc rc = twx_wal_hold(db);
    db->turns.holds = rc == TWX_OK;
    return rc;
}

static void release_wal(twx_db *db) {
    if (db->turns.holds) twx_wal_release(db);
    db->turns.holds = false;
}

/* How long a connection that waits with SQLite's busy timeout, for at most `held_ms` until now,
 * sleeps until its next attempt. */
static int64_t next_attempt_ms(int64_t held_ms) {
    static const uint8_t SLEEPS[] = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50};
    int64_t waited = 0;
    for (size_t i = 0; i < TWX_COUNTOF(SLEEPS); i++)
        if ((waited += SLEEPS[i]) >= held_ms) return SLEEPS[i];
    return 100;
}

/* So long that all who wait make an attempt. [R2] */
static int64_t pause_ms(const twx_turns *t, int64_t now) {
    const int64_t least = others_commit(t, now) ? next_attempt_ms(t->held_ms) + MARGIN_MS : 0;
    return least > t->pause_ms ? least : t->pause_ms;
}

static void rest(int64_t ms) {
    const struct timespec wanted = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    if (ms > 0) nanosleep(&wanted, NULL);
}

twx_rc twx_turn_begin(twx_db *db) {
    twx_turns *t = &db->turns;
    if (t->open) return TWX_OK;
    rest(t->paused_until_ms - twx_db_clock_ms());
    t->paused_until_ms = 0;
    twx_rc rc = look_for_others(db);
    if (rc == TWX_OK) rc = hold_wal(db);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    t->open = rc == TWX_OK;
    t->began_ms = twx_db_clock_ms(); /* now that the lock is held */
    if (!t->open) release_wal(db);
    return rc;
}

bool twx_turn_is_over(const twx_db *db) {
    const twx_turns *t = &db->turns;
    const int64_t now = twx_db_clock_ms();
    const int64_t rows_ms = hold_ms(t, now) - t->held_ms - t->commit_ms;
    return t->open && now - t->began_ms >= (rows_ms > LEAST_MS ? rows_ms : LEAST_MS);
}

twx_rc twx_turn_end(twx_db *db, twx_rc rc, bool full) {
    twx_turns *t = &db->turns;
    if (!t->open) return rc;
    const bool over = twx_turn_is_over(db);
    const int64_t commits_ms = twx_db_clock_ms();
    rc = twx_db_end(db, rc);
    t->open = false;
    const int64_t now = twx_db_clock_ms();
    if (rc == TWX_OK) rc = twx_wal_renew(db);
    if (rc == TWX_OK && others_commit(t, now)) twx_wal_copy(db);
    release_wal(db);
    if (rc != TWX_OK) return rc;
    t->commit_ms = (t->commit_ms + now - commits_ms) / 2;
    t->held_ms += now - t->began_ms;
    if (full || over || t->held_ms >= hold_ms(t, now)) {
        t->paused_until_ms = now + pause_ms(t, now);
        t->held_ms = 0;
    }
    if (!t->wal) rest(t->paused_until_ms - twx_db_clock_ms());
    return TWX_OK;
}

/* ==== changes */

enum { FORGET_ROWS = 2000 }; /* take a few milliseconds */

twx_rc twx_changes_mark(twx_db *db, int64_t *ret_mark) {
    *ret_mark = 0;
    twx_rc rc = twx_db_integer(db, TWX_SQL_QUERY_CHANGE_LAST, ret_mark);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_changes_agree(twx_db *db, bool *ret_agree) {
    int64_t agree = 0;
    twx_rc rc = twx_db_integer(db, TWX_SQL_QUERY_CHANGE_AGREES, &agree);
    if (rc == TWX_OK) *ret_agree = agree != 0;
    return rc;
}

twx_rc twx_changes_list(twx_db *db, int64_t mark, int64_t after, int64_t *ret_docs, size_t limit,
                        size_t *ret_n) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_bind(db, TWX_SQL_QUERY_CHANGE_LIST,
                            TWX_VALUES(twx_int(mark), twx_int(after), twx_int((int64_t)limit)),
                            &stmt);
    if (rc == TWX_OK) rc = twx_stmt_integers(db, stmt, ret_docs, ret_n);
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_changes_forget(twx_db *db, int64_t mark, bool *ret_more) {
    const twx_rc rc = twx_db_run(db, TWX_SQL_QUERY_CHANGE_FORGET,
                                 TWX_VALUES(twx_int(mark), twx_int(FORGET_ROWS)));
    if (rc == TWX_OK) *ret_more = sqlite3_changes(db->handle) > 0;
    return rc;
}

/* ==== wal_hold */

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
    if (!db->wal.held) return;
    twx_suspension_hold(db->cx->suspension);
    (void)sqlite3_wal_checkpoint_v2(db->handle, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    twx_suspension_release(db->cx->suspension);
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
