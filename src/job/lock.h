/* job/lock.h: one run at a time: a kernel lock (flock) on a file beside the store, which ends with
 * its holder however that ends. The database file itself is never opened by us: closing it would
 * drop SQLite's POSIX locks.
 * [R1] A lock file made by another user does not block: it is given to the owner of the store, and
 * reading it suffices to lock it.
 * [R2] A lock file that is a link, hard or symbolic, is refused and its target is not touched. [R3]
 * A store that is reached by a symbolic link has the lock of its target.
 * Memory: owned handle. */
#ifndef TWX_JOB_LOCK_H
#define TWX_JOB_LOCK_H

#include "base/ctx.h"

typedef struct twx_lock twx_lock;

/* Locks PATH-twindex-lock. Errors TWX_E_BUSY, naming who holds it since when; TWX_E_CREATE. */
TWX_CHECK twx_rc twx_lock_take(twx_ctx *cx, const char *path, twx_lock **ret_lock);
/* Could it be taken now? Makes no file. Errors as above. */
TWX_CHECK twx_rc twx_lock_try(twx_ctx *cx, const char *path);
void twx_lock_release(twx_lock *held);

#endif
