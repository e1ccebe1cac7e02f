/* store/wal_hold.h: keeps the WAL of a store from being reset, and copies it into the file while it
 * cannot be.
 *
 * SQLite before 3.51.3 can corrupt a file when one connection commits and so resets the WAL while
 * another one is about to copy it ("WAL-reset bug", sqlite.org/wal.html). An open read transaction
 * whose snapshot is not yet in the file prevents every reset, and lets nobody copy past it.
 * Two readers take turns: the second one begins after a commit and before the first one ends, so
 * there is always one whose snapshot was too new to be copied when it began.
 *
 * Without a WAL all of these do nothing. The readers are opened by the first call and are closed
 * with the connection. */
#ifndef TWX_STORE_WAL_HOLD_H
#define TWX_STORE_WAL_HOLD_H

#include "store/db.h"

/* db: a writer. Nothing if it holds the WAL already. */
TWX_CHECK twx_rc twx_wal_hold(twx_db *db);
bool twx_wal_is_held(const twx_db *db);
/* After a commit: the hold moves to the newest state, so that the WAL can be copied up to here.
 * Nothing if the WAL is not held. */
TWX_CHECK twx_rc twx_wal_renew(twx_db *db);
/* Copies what a renewed hold permits into the file, without waiting for anybody; otherwise the next
 * writer that commits does so, while its own caller waits. An error is not reported: what was
 * committed is in the WAL, and the next connection tries again. Nothing if the WAL is not held. */
void twx_wal_copy(twx_db *db);
void twx_wal_release(twx_db *db);
/* Copies all, if no other reader prevents that, and releases: the next commit of any program then
 * uses the WAL from its beginning. Keeps an earlier error of the context. */
void twx_wal_finish(twx_db *db);

#endif
