/* store/turn.h: write transactions for which other writers of the store wait only briefly.
 *
 * A turn is one transaction. A caller asks after each row whether the turn is over, ends it, and
 * begins another one. A connection that waits for the lock sleeps between its attempts: with
 * SQLite's busy timeout for 1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50 and then 100 ms. A turn of
 * 20 ms and a pause of 15 ms let it in at its fourth or fifth attempt, 18 or 33 ms after the first.
 * [R1] A turn is over when it would last 20 ms together with its commit and with those before it
 * that no pause has followed, but not before 5 ms: who waits sees them as one. If no other
 * connection has committed for 2 seconds, long turns are cheaper and delay few: then it is over
 * after 100 ms.
 * [R2] A turn that is over or full is followed by a pause (twx_db_options.pause_ms), and so are
 * several short ones that together last as long.
 * [R3] If other connections commit, what a turn has written is copied from the WAL into the file
 * after it, as a part of its pause. SQLite would let the next connection that commits do it. */
#ifndef TWX_STORE_TURN_H
#define TWX_STORE_TURN_H

#include "store/db.h"

/* Nothing if a turn of the connection is open already. */
TWX_CHECK twx_rc twx_turn_begin(twx_db *db);
bool twx_turn_is_over(const twx_db *db); /* false if none is open */
/* Commits if rc is TWX_OK, else rolls back, and pauses as [R2] says. full: the caller has written
 * as much as it writes in one transaction. Returns rc or the error of the commit. Nothing if no
 * turn is open. */
TWX_CHECK twx_rc twx_turn_end(twx_db *db, twx_rc rc, bool full);

#endif
