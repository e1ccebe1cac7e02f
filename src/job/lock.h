/* job/lock.h: one run at a time: a kernel lock (OFD) on a file beside the store, which goes with its holder however it ends.
 * The database file itself is never opened by us: closing it would drop SQLite's POSIX locks.
 * Memory: owned handle. */
#ifndef TWX_JOB_LOCK_H
#define TWX_JOB_LOCK_H

#include "base/ctx.h"

typedef struct twx_lock twx_lock;

/* Locks PATH-twindex-lock. Errors TWX_E_BUSY, naming who holds it since when; TWX_E_CREATE. */
TWX_CHECK twx_rc twx_lock_take(twx_ctx *cx, const char *path, twx_lock **ret_lock);
void twx_lock_release(twx_lock *lock);

#endif
