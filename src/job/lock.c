#include "job/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

enum { HOLDER_BYTES = 128 };

struct twx_lock {
    int fd;
};

static void read_holder(int fd, char holder[HOLDER_BYTES]) {
    ssize_t n = pread(fd, holder, HOLDER_BYTES - 1, 0);
    holder[n > 0 ? n : 0] = '\0';
    for (char *p = holder; *p; p++)
        if (*p == '\n') *p = '\0';
    if (!holder[0]) snprintf(holder, HOLDER_BYTES, "another process");
}

static void write_holder(int fd) {
    char holder[HOLDER_BYTES];
    struct tm utc;
    time_t now = time(NULL);
    gmtime_r(&now, &utc);
    int n = snprintf(holder, sizeof holder, "process %ld since %04d-%02d-%02dT%02d:%02d:%02dZ\n",
                     (long)getpid(), utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min, utc.tm_sec);
    /* who holds the lock is for people: a disk too full to say so does not stop the run */
    if (ftruncate(fd, 0) == 0 && pwrite(fd, holder, (size_t)n, 0) < 0) return;
}

twx_rc twx_lock_take(twx_ctx *cx, const char *path, twx_lock **ret_lock) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char holder[HOLDER_BYTES];
    twx_rc rc = TWX_OK;
    char *name = twx_sprintf(cx, "%s-twindex-lock", path);
    twx_lock *lock = name ? twx_calloc(cx, 1, sizeof *lock) : NULL;
    if (!lock) {
        twx_free(name);
        return TWX_E_NOMEM;
    }
    lock->fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (lock->fd < 0) {
        rc = twx_fail(cx, TWX_E_CREATE, "lock file %s: %s", name, strerror(errno));
    } else if (fcntl(lock->fd, F_OFD_SETLK, &whole) != 0) {
        read_holder(lock->fd, holder);
        rc = twx_fail(cx, TWX_E_BUSY, "%s is being worked on by %s (lock file %s): try later", path,
                      holder, name);
    } else {
        write_holder(lock->fd);
    }
    twx_free(name);
    if (rc != TWX_OK) {
        twx_lock_release(lock);
        return rc;
    }
    *ret_lock = lock;
    return TWX_OK;
}

/* The file stays: removing it would let two runs lock two files of one name. */
void twx_lock_release(twx_lock *lock) {
    if (!lock) return;
    if (lock->fd >= 0) close(lock->fd);
    twx_free(lock);
}
