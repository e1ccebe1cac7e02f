#include "cli/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"

enum {
    PATH_BYTES = 1 << 16,
    NEW_MODE = 0666,
    PRIVATE_MODE = 0600,
    PERMISSIONS = 0777,
    READABLE = 0644
};

/* Whether the file can be replaced by a new one: not a device or a pipe, and not a symbolic link;
 * /dev/stdout is a link, whatever it leads to. */
static bool is_replaceable(const struct stat *st) {
    return S_ISREG(st->st_mode) && st->st_nlink == 1;
}

static char *part_name(twx_ctx *cx, const char *path) {
    twx_buf name;
    twx_buf_init(&name, PATH_BYTES);
    twx_rc rc = twx_buf_printf(cx, &name, "%s.part-%ld", path, (long)getpid());
    char *copy = rc == TWX_OK ? twx_strdup(cx, name.p) : NULL;
    twx_buf_done(&name);
    return copy;
}

/* [R3] The owner first: a change of the owner can clear bits of the mode. */
static bool copy_permissions(int fd, const struct stat *old) {
    struct stat now;
    mode_t mode = old->st_mode & PERMISSIONS;
    if (fstat(fd, &now) != 0) return false;
    if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0)
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    return fchmod(fd, mode) == 0;
}

/* [R5] Who writes a temporary file has it locked until it has its final name. */
static void remove_if_abandoned(int folder, const char *name) {
    struct stat st;
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)!unlinkat(folder, name, 0);
    close(fd);
}

/* part: the temporary name of this process; those of others differ in the number. */
static void remove_abandoned(const char *part) {
    const char *slash = strrchr(part, '/'), *name = slash ? slash + 1 : part;
    const size_t n = (size_t)(strrchr(name, '-') + 1 - name);
    char path[PATH_MAX] = ".";
    if (slash && snprintf(path, sizeof path, "%.*s", (int)(name - part), part) >= PATH_MAX) return;
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        const char *number = e->d_name + n;
        if (strncmp(e->d_name, name, n) == 0 && number[0] && !number[strspn(number, "0123456789")])
            remove_if_abandoned(dirfd(folder), e->d_name);
    }
    if (folder) closedir(folder);
}

/* The file may be removed as abandoned before it is locked. */
static int create_locked(const char *part, mode_t mode) {
    struct stat st;
    for (;;) {
        const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd < 0 || flock(fd, LOCK_EX) != 0 || fstat(fd, &st) != 0 || st.st_nlink > 0) return fd;
        close(fd);
    }
}

/* old: the file to be replaced; NULL: there is none. On failure errno has the reason. */
static FILE *open_part(const char *part, const struct stat *old) {
    remove_abandoned(part);
    const int fd = create_locked(part, old ? PRIVATE_MODE : NEW_MODE);
    if (fd < 0) return NULL;
    FILE *file = !old || copy_permissions(fd, old) ? fdopen(fd, "w") : NULL;
    if (!file) {
        const int reason = errno;
        close(fd);
        unlink(part);
        errno = reason;
    }
    return file;
}

/* A file that may be replaced, or that does not exist yet, gets its new content under another
 * name. A file that may be replaced but not written fails like any other that may not be
 * written. */
static FILE *open_file(twx_output_file *f, const struct stat *old) {
    if (!f->part) return fopen(f->path, "we");
    return old && access(f->path, W_OK) != 0 ? NULL : open_part(f->part, old);
}

/* [R4] */
static bool is_database(const char *path) {
    static const char MAGIC[] = "SQLite format 3"; /* and a NUL: sqlite.org/fileformat.html */
    char head[sizeof MAGIC] = "";
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const ssize_t n = read(fd, head, sizeof head);
    close(fd);
    return n == (ssize_t)sizeof head && memcmp(head, MAGIC, sizeof head) == 0;
}

twx_rc twx_output_file_open(twx_ctx *cx, const char *path, twindex_format format,
                            twx_output_file *ret_file) {
    twx_output_file *f = ret_file;
    struct stat old;
    const bool exists = lstat(path, &old) == 0;
    *f = (twx_output_file){.path = path};
    if (exists && S_ISLNK(old.st_mode) && old.st_uid != 0 && old.st_uid != geteuid())
        return twx_fail(cx, TWX_E_CREATE,
                        "create %.300s: it is a link of user %ld, which is not followed: remove it",
                        path, (long)old.st_uid);
    if (is_database(path))
        return twx_fail(cx, TWX_E_USAGE,
                        "%.300s is an SQLite database, which is not overwritten: name another file",
                        path);
    if ((!exists || is_replaceable(&old)) && !(f->part = part_name(cx, path))) return TWX_E_NOMEM;
    f->out.file = open_file(f, exists ? &old : NULL);
    if (!f->out.file) {
        const twx_rc rc = twx_fail(cx, TWX_E_CREATE, "create %.300s: %s", path, strerror(errno));
        twx_free(f->part);
        return rc;
    }
    f->sink = (twindex_sink){.write = twx_stdout_write, .arg = &f->out, .format = format};
    return TWX_OK;
}

void twx_output_file_set_readable(twx_output_file *f) {
    if (f->part) (void)!fchmod(fileno(f->out.file), READABLE);
}

int twx_output_file_finish(twx_ctx *cx, twx_output_file *f, int result) {
    result = twx_stdout_finish(&f->out, result);
    const int lock = f->part ? dup(fileno(f->out.file)) : -1; /* [R5] */
    if (fclose(f->out.file) != 0 && !f->out.error) f->out.error = errno;
    const bool written = !f->out.error && (result == TWINDEX_OK || result == TWINDEX_DOUBT);
    if (written && f->part && rename(f->part, f->path) != 0) f->out.error = errno;
    if (f->part && (!written || f->out.error)) unlink(f->part);
    if (lock >= 0) close(lock);
    twx_free(f->part);
    if (!f->out.error) return result;
    return twx_rc_exit(twx_fail(cx, TWX_E_IO, "write %.300s: %s", f->path, strerror(f->out.error)));
}
