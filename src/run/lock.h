/* run/lock.h: a lock that allows one run at a time: flock(2) on a file next to the store, which the
 * kernel releases when its holder ends. The database file itself is never opened here, because
 * closing it would drop SQLite's POSIX locks.
 * [R1] A lock file created by another user does not get in the way: its owner becomes that of the
 * store, read permission suffices to lock it, and the owner of the store replaces one that cannot
 * be read.
 * [R2] A lock file that is a link, hard or symbolic, is refused and its target is not changed. [R3]
 * A store that is opened through a symbolic link uses the lock of its target.
 * [R4] The lock file records when the store was last checked. The record is removed while the lock
 * is held, so a holder that is killed leaves none, and a record that cannot be removed (the lock
 * file is read-only) does not count. It is valid for one file (inode) and until the next boot;
 * where the boot is not known, there is none. A file of a user who is neither the runner, nor root,
 * nor the owner of the store has none.
 * [R5] Looking whether the lock is held never makes a run fail: it uses a shared lock, and a run
 * that meets one tries again.
 * Memory: owned handle. */
#ifndef TWX_RUN_LOCK_H
#define TWX_RUN_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"

typedef struct twx_lock twx_lock;

/* Locks PATH-twindex-lock. Errors TWX_E_BUSY, naming its holder and since when; TWX_E_CREATE. */
TWX_CHECK twx_rc twx_lock_take(twx_ctx *cx, const char *path, twx_lock **ret_lock);
/* Checks whether the lock could be taken now. Creates no file. Errors as above. */
TWX_CHECK twx_rc twx_lock_try(twx_ctx *cx, const char *path);
/* What the lock file says. Creates no file. Errors TWX_E_CREATE: it cannot be used. */
enum { TWX_HOLDER_BYTES = 128 };
typedef struct twx_lock_state {
    bool exists, held;
    char holder[TWX_HOLDER_BYTES]; /* "process 7 since ...", if it is held */
    int64_t checked_at; /* when the file was last checked [R4], in seconds since 1970; 0: unknown */
    int64_t unchanged_at; /* when the last run began if it changed nothing; 0: it did, or unknown */
} twx_lock_state;
TWX_CHECK twx_rc twx_lock_look(twx_ctx *cx, const char *path, twx_lock_state *ret_state);
/* Whether a check within the last seven days is recorded [R4]. */
bool twx_lock_is_checked(const twx_lock *held);
/* What release() records: that the store was checked now, or that nothing is known about it.
 * Without this call the record stays as it was before. */
void twx_lock_set_checked(twx_lock *held, bool checked);
/* The holder is a run that changes nothing, and so leaves no trace in the store: release() records
 * it for 'twindex diff', until the lock is taken again. */
void twx_lock_set_unchanged(twx_lock *held);
/* rc: how the work on the store ended. After a result that can be the consequence of a damaged file
 * nothing is recorded, so that the next run checks the store. A lock file that was made for work
 * that failed is removed. */
void twx_lock_release(twx_lock *held, twx_rc rc);
/* Releases the lock and removes the file. */
void twx_lock_remove(twx_lock *held);

#endif
