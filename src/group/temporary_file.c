#include "group/temporary_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

twx_rc twx_temporary_file_open(twx_ctx *cx, const char *folder, int *ret_fd) {
    const char *tmp = getenv("TMPDIR");
    char *name = twx_sprintf(cx, "%s/twindex-sort-XXXXXX", folder ? folder : tmp ? tmp : "/tmp");
    if (!name) return TWX_E_NOMEM;
    twx_rc rc = TWX_OK;
    const int fd = mkstemp(name);
    if (fd < 0) {
        rc = twx_fail(cx, TWX_E_CREATE, "cannot create the temporary file %s: %s (set TMPDIR)",
                      name, strerror(errno));
    } else {
        unlink(name);
        *ret_fd = fd;
    }
    twx_free(name);
    return rc;
}

twx_rc twx_temporary_file_write(twx_ctx *cx, int fd, const void *p, size_t n, off_t at) {
    for (const char *next = p; n > 0;) {
        const ssize_t wrote = pwrite(fd, next, n, at);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) {
            const int error = wrote < 0 ? errno : EIO;
            return twx_fail(cx, error == ENOSPC ? TWX_E_FULL : TWX_E_IO,
                            "cannot write a temporary file: %s (free space in TMPDIR, or raise "
                            "run.memory)",
                            strerror(error));
        }
        next += wrote;
        n -= (size_t)wrote;
        at += wrote;
    }
    return TWX_OK;
}

int twx_temporary_file_read(int fd, void *p, size_t n, off_t at) {
    for (size_t got = 0; got < n;) {
        const ssize_t more = pread(fd, (char *)p + got, n - got, at + (off_t)got);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return errno ? errno : EIO;
        if (more == 0) return EIO;
        got += (size_t)more;
    }
    return 0;
}

twx_rc twx_temporary_file_failed(twx_ctx *cx, int error) {
    return twx_fail(cx, TWX_E_IO, "cannot read a temporary file: %s", strerror(error));
}
