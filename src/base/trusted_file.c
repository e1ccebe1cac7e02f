#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_BYTES = 1 << 14 }; /* an entry of the databases of users and groups */

/* What may be done instead, by origin; the second one is for root. */
static const char *const HINTS[][2] = {
    [TWX_FILE_FOUND] = {"to use it, name it with --config FILE",
                        "let root own it, or run as that user"},
    [TWX_FILE_NAMED] = {"use a file of your own", "let root own it, or run as that user"},
    [TWX_FILE_CHOSEN] = {"use a file of your own", "let root own it, or run as that user"},
};

static bool is_trusted_owner(uid_t owner) {
    return owner == 0 || owner == geteuid();
}

/* [R2] An entry that cannot be read or is too long for the buffer makes the group a shared one. */
static bool is_private_group(gid_t group) {
    char users[RECORD_BYTES], groups[RECORD_BYTES];
    struct passwd user, *me = NULL;
    struct group of, *found = NULL;
    if (geteuid() == 0 || getpwuid_r(geteuid(), &user, users, sizeof users, &me) != 0 || !me ||
        me->pw_gid != group || getgrgid_r(group, &of, groups, sizeof groups, &found) != 0 || !found)
        return false;
    for (char **member = found->gr_mem; *member; member++)
        if (strcmp(*member, me->pw_name) != 0) return false;
    return strcmp(found->gr_name, me->pw_name) == 0;
}

/* Who besides the runner and root may write; NULL: no other user. */
static const char *other_writers(const struct stat *st) {
    if (st->st_mode & S_IWOTH) return "everybody";
    return st->st_mode & S_IWGRP && !is_private_group(st->st_gid) ? "its group" : NULL;
}

static twx_rc wrong_owner(twx_ctx *cx, const char *path, const char *what, const struct stat *st,
                          twx_file_origin origin) {
    const bool root = geteuid() == 0;
    return twx_fail(cx, TWX_E_CONFIG, "%.500s is not read: %s belongs to user %ld, not to %s (%s)",
                    path, what, (long)st->st_uid, root ? "root" : "you or root",
                    HINTS[origin][root]);
}

/* The file at path, or its folder, which is opened as fd. */
static twx_rc trust(twx_ctx *cx, const char *path, int fd, bool folder, twx_file_origin origin) {
    const char *const what = folder ? "its folder" : "it";
    const bool root = geteuid() == 0, choice = origin == TWX_FILE_FOUND && !root;
    struct stat st;
    if (fstat(fd, &st) != 0)
        return twx_fail(cx, TWX_E_IO, "cannot read '%s': %s", path, strerror(errno));
    if (!is_trusted_owner(st.st_uid)) return wrong_owner(cx, path, what, &st, origin);
    /* everybody may write to /dev/null, to no effect */
    const bool harmless = folder ? st.st_mode & S_ISVTX && !root : S_ISCHR(st.st_mode);
    const char *writers = harmless ? NULL : other_writers(&st);
    if (!writers) return TWX_OK;
    return twx_fail(cx, TWX_E_CONFIG, "%.500s is not read: %s may write to %s (chmod go-w%s%s)",
                    path, writers, what, choice ? "; or " : "", choice ? HINTS[origin][0] : "");
}

twx_rc twx_file_trust(twx_ctx *cx, const char *path, int fd, twx_file_origin origin) {
    if (origin == TWX_FILE_CHOSEN && geteuid() != 0) return TWX_OK;
    return trust(cx, path, fd, false, origin);
}

twx_rc twx_file_read_named(twx_ctx *cx, const char *setting, const char *path, twx_rc unreadable,
                           twx_buf *text) {
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    twx_rc rc = TWX_OK;
    if (fd < 0 || fstat(fd, &st) != 0)
        rc = twx_fail(cx, unreadable, "%s: cannot read '%s': %s", setting, path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        rc = twx_fail(cx, TWX_E_CONFIG, "%s: '%s' is not a regular file", setting, path);
    if (rc == TWX_OK) rc = twx_file_trust(cx, path, fd, TWX_FILE_NAMED);
    if (rc == TWX_OK) rc = twx_buf_add_file(cx, text, path, fd, unreadable);
    if (fd >= 0) close(fd);
    return rc;
}

/* After the folder was checked: others cannot replace a link that is ours. */
static twx_rc open_in(twx_ctx *cx, const char *path, int folder, const char *name, int *ret_fd) {
    /* O_NONBLOCK: a pipe must not make the program wait */
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    struct stat st;
    int fd = openat(folder, name, flags | O_NOFOLLOW);
    if (fd < 0 && errno == ELOOP && fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        if (!is_trusted_owner(st.st_uid))
            return wrong_owner(cx, path, "the link", &st, TWX_FILE_FOUND);
        fd = openat(folder, name, flags);
    }
    if (fd < 0) return twx_fail(cx, TWX_E_IO, "cannot read '%s': %s", path, strerror(errno));
    const twx_rc rc = twx_file_trust(cx, path, fd, TWX_FILE_FOUND);
    TWX_HAND_OVER(rc, ret_fd, fd, close(fd));
    return rc;
}

twx_rc twx_file_open_found(twx_ctx *cx, const char *path, int *ret_fd) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? twx_strndup(cx, path, (size_t)(name - path)) : twx_strdup(cx, ".");
    if (!folder) return TWX_E_NOMEM;
    twx_rc rc = TWX_OK;
    const int opened = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    *ret_fd = -1;
    if (opened >= 0 && faccessat(opened, name, F_OK, AT_EACCESS) == 0) {
        rc = trust(cx, path, opened, true, TWX_FILE_FOUND); /* [R3] */
        if (rc == TWX_OK) rc = open_in(cx, path, opened, name, ret_fd);
    }
    if (opened >= 0) close(opened);
    twx_free(folder);
    return rc;
}
