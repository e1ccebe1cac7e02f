#include "run/remote_changes.h"

twx_rc twx_remote_changes_init(const twx_remote_rows *rows, twx_db *db, char generation,
                               twx_remote_changes *ret_changes) {
    twx_remote_changes c = {.end = !rows};
    twx_rc rc = TWX_OK;
    if (rows) {
        c.rows = *rows;
        rc = rows->rewind(rows->arg);
    }
    if (rc == TWX_OK) rc = twx_remotes_cursor_init(db, generation, &c.stored);
    if (rc == TWX_OK) *ret_changes = c;
    return rc;
}

void twx_remote_changes_done(twx_remote_changes *changes) {
    twx_remotes_cursor_done(&changes->stored);
}

static twx_rc read_fresh(twx_remote_changes *c) {
    if (c->waits || c->end) return TWX_OK;
    const twx_rc rc = c->rows.next(c->rows.arg, &c->fresh);
    c->waits = rc == TWX_OK;
    c->end = rc == TWX_DONE;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The next difference; *ret_same: a row that is stored as it should be. */
static twx_rc next_pair(twx_remote_changes *c, twx_remote_change *ret_change, bool *ret_same) {
    const twx_remote *stored = NULL;
    *ret_same = false;
    twx_rc rc = read_fresh(c);
    if (rc == TWX_OK) rc = twx_remotes_cursor_read(&c->stored, &stored);
    if (rc != TWX_OK) return rc;
    if (!stored && !c->waits) return TWX_DONE;
    if (stored && (!c->waits || stored->doc < c->fresh.doc)) {
        *ret_change = (twx_remote_change){.doc = stored->doc};
        twx_remotes_cursor_move(&c->stored);
        return TWX_OK;
    }
    if (stored && stored->doc == c->fresh.doc) {
        *ret_same = twx_remote_eq(stored, &c->fresh);
        twx_remotes_cursor_move(&c->stored);
    }
    c->given = c->fresh;
    c->waits = false;
    *ret_change = (twx_remote_change){.doc = c->given.doc, .fresh = &c->given};
    return TWX_OK;
}

twx_rc twx_remote_changes_next(twx_remote_changes *c, twx_remote_change *ret_change) {
    bool same = false;
    twx_rc rc = TWX_OK;
    do rc = next_pair(c, ret_change, &same);
    while (rc == TWX_OK && same);
    return rc;
}
