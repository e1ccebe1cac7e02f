#include "store/turn.h"

#include <time.h>

#include "store/stmt.h"

enum { HOLD_MS = 20, HOLD_ALONE_MS = 100, LEAST_MS = 5, ALONE_MS = 2000 };

/* How long the lock may be held, the commit included. */
static int64_t hold_ms(const twx_turns *t, int64_t now) {
    return now - t->others_ms < ALONE_MS ? HOLD_MS : HOLD_ALONE_MS;
}

/* Notes whether another connection has committed since the last call. */
static twx_rc look_for_others(twx_db *db) {
    twx_turns *t = &db->turns;
    const int64_t before = t->data_version;
    twx_rc rc = twx_db_data_version(db, &t->data_version);
    if (t->data_version != before) t->others_ms = twx_db_clock_ms();
    return rc;
}

twx_rc twx_turn_begin(twx_db *db) {
    twx_turns *t = &db->turns;
    if (t->open) return TWX_OK;
    /* before the first turn, other connections are assumed to write */
    twx_rc rc = t->data_version ? TWX_OK : look_for_others(db);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc != TWX_OK) return rc;
    t->open = true;
    t->began_ms = twx_db_clock_ms(); /* now that the lock is held */
    return TWX_OK;
}

bool twx_turn_is_over(const twx_db *db) {
    const twx_turns *t = &db->turns;
    const int64_t now = twx_db_clock_ms();
    const int64_t rows_ms = hold_ms(t, now) - t->commit_ms;
    return t->open && now - t->began_ms >= (rows_ms > LEAST_MS ? rows_ms : LEAST_MS);
}

twx_rc twx_turn_end(twx_db *db, twx_rc rc, bool full) {
    twx_turns *t = &db->turns;
    if (!t->open) return rc;
    const bool over = twx_turn_is_over(db);
    const int64_t commits_ms = twx_db_clock_ms();
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    t->open = false;
    const int64_t now = twx_db_clock_ms();
    if (rc == TWX_OK) rc = look_for_others(db);
    if (rc != TWX_OK) return rc;
    t->commit_ms = (t->commit_ms + now - commits_ms) / 2;
    t->held_ms += now - t->began_ms;
    if (full || over || t->held_ms >= hold_ms(t, now)) {
        const struct timespec pause = {.tv_sec = t->pause_ms / 1000,
                                       .tv_nsec = (long)(t->pause_ms % 1000) * 1000000};
        nanosleep(&pause, NULL);
        t->held_ms = 0;
    }
    return TWX_OK;
}
