/* The lock is flock(2), not a record lock: an exclusive flock needs no write permission on the
 * file, so a lock file created by another user does not block the owner of the store. */
#include "run/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    HOLDER_BYTES = TWX_HOLDER_BYTES,
    BOOT_BYTES = 64,
    OUTCOME_BYTES = TWX_STOPPED_BYTES + 40,
    CHECKED_SECONDS = 7 * 24 * 3600,
    LOOK_MS = 5,    /* between two attempts to get the lock from 'twindex follow' */
    NAMED_MS = 20,  /* by then a holder has written what it is */
    LOOKS_MAX = 500 /* attempts, 1 ms apart, while others look [R5] */
};

/* Follows the number of a process whose lock others wait for: it is released after each run. */
static const char FOLLOWS[] = " ('twindex follow')";

/* The second line of the lock file [R4]. */
typedef struct check_note {
    long long when; /* seconds since 1970; 0: none */
    unsigned long long inode;
    char boot[BOOT_BYTES]; /* differs after each start of the machine */
} check_note;

struct twx_lock {
    int fd;
    char *name;                  /* of the file */
    bool made;                   /* the file did not exist before */
    check_note here, noted;      /* of this file now; of the last check */
    char outcome[OUTCOME_BYTES]; /* of a run that published nothing: a line; "": none */
    uint64_t before, holder;     /* hashes of the lines of the last holder and of this one */
};

/* Whether nothing has been written to the lock file yet. */
static bool is_new(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_size == 0;
}

static void read_holder(int fd, char holder[HOLDER_BYTES]) {
    ssize_t n = pread(fd, holder, HOLDER_BYTES - 1, 0);
    holder[n > 0 ? n : 0] = '\0';
    for (char *p = holder; *p; p++)
        if (*p == '\n') *p = '\0';
    if (!holder[0]) snprintf(holder, HOLDER_BYTES, "another process");
}

/* 0: there is none, or it could not be written. */
static uint64_t hash_of_holder(int fd) {
    char line[HOLDER_BYTES];
    const ssize_t n = pread(fd, line, sizeof line, 0);
    const twx_slice text = {line, n > 0 ? (size_t)n : 0};
    return n > 0 ? twx_hash64(twx_slice_sub(text, 0, twx_slice_find(text, '\n', 0)), 0) : 0;
}

static check_note note_now(const char *store) {
    struct stat st;
    check_note note = {.when = (long long)time(NULL)};
    if (stat(store, &st) == 0) note.inode = (unsigned long long)st.st_ino;
    /* Only Linux has an identifier of the boot, and a container or a service may not see it: then
     * the text stays empty, and the record is not used [R4]. */
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, note.boot, BOOT_BYTES - 1) : 0;
    if (fd >= 0) close(fd);
    note.boot[n > 0 ? n : 0] = '\0';
    note.boot[strcspn(note.boot, "\n")] = '\0';
    return note;
}

/* Another user who can write to the folder could have made the lock file, with a record that keeps
 * the store from being checked. */
static bool is_ours(const struct stat *file, const char *store) {
    struct stat of;
    return file->st_uid == 0 || file->st_uid == geteuid() ||
           (stat(store, &of) == 0 && file->st_uid == of.st_uid);
}

/* What is not a complete record is ignored. */
static check_note read_note(int fd, const char *store) {
    char text[2 * HOLDER_BYTES];
    check_note note = {.when = 0};
    struct stat file;
    if (fstat(fd, &file) != 0 || !is_ours(&file, store)) return note;
    const ssize_t n = pread(fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    const char *line = strchr(text, '\n');
    if (!line || sscanf(line + 1, "checked %lld inode %llu boot %63s", &note.when, &note.inode,
                        note.boot) != 3)
        note.when = 0;
    return note;
}

/* The line that begins with the word, which follows a line feed; "": there is none. */
static void read_outcome(int fd, const char *word, char outcome[OUTCOME_BYTES]) {
    char text[2 * HOLDER_BYTES + BOOT_BYTES + OUTCOME_BYTES];
    const ssize_t n = pread(fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    const char *line = strstr(text, word);
    snprintf(outcome, OUTCOME_BYTES, "%.*s", line ? (int)strcspn(line + 1, "\n") + 1 : 0,
             line ? line + 1 : "");
}

/* Adds a line; a failure is ignored. */
static void append(int fd, const char *line, int n) {
    struct stat st;
    if (fstat(fd, &st) != 0 || pwrite(fd, line, (size_t)n, st.st_size) < 0) return;
}

/* A failure is ignored: without the record, the next run checks the store again. */
static void write_note(int fd, const check_note *note) {
    char line[HOLDER_BYTES + BOOT_BYTES];
    if (note->when == 0 || !note->boot[0]) return;
    append(fd, line,
           snprintf(line, sizeof line, "checked %lld inode %llu boot %s\n", note->when, note->inode,
                    note->boot));
}

/* false: the previous content of the file, and so its record, could not be removed. */
static bool write_holder(int fd, bool follows) {
    char holder[HOLDER_BYTES];
    struct tm utc;
    time_t now = time(NULL);
    gmtime_r(&now, &utc);
    int n = snprintf(holder, sizeof holder, "process %ld%s since %04d-%02d-%02dT%02d:%02d:%02dZ\n",
                     (long)getpid(), follows ? FOLLOWS : "", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
    if (ftruncate(fd, 0) != 0) return false;
    /* a failure does not stop the run: then others are not told the holder, and do not wait */
    (void)!pwrite(fd, holder, (size_t)n, 0);
    return true;
}

/* The holder overwrites the lock file. A file with a second link, or one that is not regular, could
 * be anything, even the store itself, so it is refused. */
static twx_rc check_kind(twx_ctx *cx, const char *name, const struct stat *st) {
    if (S_ISREG(st->st_mode) && st->st_nlink == 1) return TWX_OK;
    return twx_fail(cx, TWX_E_CREATE, "lock file %s %s: remove it", name,
                    S_ISREG(st->st_mode) ? "is a hard link to another file"
                                         : "is not a regular file");
}

/* Gives the lock file the owner and group of the store, so that the same users can open both. */
static void hand_to_owner(int fd, const char *store) {
    struct stat st;
    if (stat(store, &st) != 0) return;
    if ((geteuid() == 0 || st.st_gid != getegid()) &&
        fchown(fd, geteuid() == 0 ? st.st_uid : (uid_t)-1, st.st_gid) != 0) {
        /* a user outside the group of the store keeps the default group */
    }
    (void)!fchmod(fd, (st.st_mode & 0666) | 0600);
}

static twx_rc cannot_open(twx_ctx *cx, const char *name, int error) {
    return twx_fail(
        cx, TWX_E_CREATE, "lock file %s: %s%s", name, strerror(error),
        error == EACCES || error == EROFS ? " (the folder of the store must be writable)" : "");
}

/* The owner of the store may replace a lock file of another user that cannot be read: one that root
 * left before twindex handed it over. Should that user's run still be at work, the two do not mix:
 * the second takes the right to write from the first (store/generations.c). */
static bool may_replace(const char *store) {
    struct stat st;
    return stat(store, &st) == 0 && st.st_uid == geteuid();
}

/* Opens the lock file; with `make` creates it if it does not exist. *ret_fd -1: there is none. */
static twx_rc open_file(twx_ctx *cx, const char *store, const char *name, bool make, int *ret_fd) {
    const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    struct stat st;
    int fd = -1;
    if (make) fd = open(name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (fd >= 0) {
        hand_to_owner(fd, store);
        *ret_fd = fd;
        return TWX_OK;
    }
    if (make && errno != EEXIST) return cannot_open(cx, name, errno);
    if (lstat(name, &st) != 0) {
        if (errno != ENOENT) return cannot_open(cx, name, errno);
        *ret_fd = -1;
        return TWX_OK;
    }
    twx_rc rc = check_kind(cx, name, &st);
    if (rc != TWX_OK) return rc;
    fd = open(name, O_RDWR | flags);
    if (fd < 0 && (errno == EACCES || errno == EROFS)) fd = open(name, O_RDONLY | flags);
    const bool replaces = fd < 0 && errno == EACCES && may_replace(store);
    if (replaces && make && unlink(name) == 0)
        fd = open(name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (replaces && !make) return TWX_OK; /* *ret_fd as the caller set it: there is none */
    if (fd < 0 && errno == EACCES)
        return twx_fail(cx, TWX_E_CREATE,
                        "lock file %s belongs to user %ld and cannot be read: remove it, or let "
                        "that user change its mode",
                        name, (long)st.st_uid);
    if (fd < 0) return cannot_open(cx, name, errno);
    rc = fstat(fd, &st) == 0 ? check_kind(cx, name, &st) : cannot_open(cx, name, errno);
    if (rc != TWX_OK) {
        close(fd);
        return rc;
    }
    if (make && !is_ours(&st, store)) (void)!ftruncate(fd, 0);
    /* the owner of the store could not use a file of root */
    if (make && (replaces || geteuid() == 0)) hand_to_owner(fd, store);
    *ret_fd = fd;
    return TWX_OK;
}

/* [R5] 0, or -1 with errno. Who only looks has a shared lock for some microseconds, so where a
 * shared lock can be had, the lock is free, and an exclusive one can be had soon. */
static int get(int fd, bool take) {
    const struct timespec soon = {.tv_nsec = 1000000};
    if (!take) return flock(fd, LOCK_SH | LOCK_NB);
    for (int tries = 0; tries < LOOKS_MAX; tries++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) return 0;
        if (errno != EWOULDBLOCK || flock(fd, LOCK_SH | LOCK_NB) != 0) return -1;
        (void)flock(fd, LOCK_UN);
        (void)nanosleep(&soon, NULL);
    }
    errno = EWOULDBLOCK;
    return -1;
}

static twx_rc seize(twx_ctx *cx, const char *path, const char *name, int fd, bool take) {
    char holder[HOLDER_BYTES];
    struct stat st;
    if (get(fd, take) == 0) {
        /* twx_lock_remove() removed the file after it was opened here: it locks nothing */
        if (fstat(fd, &st) == 0 && st.st_nlink > 0) return TWX_OK;
        return twx_fail(cx, TWX_E_BUSY, "%s: lock file %s was just removed: try again", path, name);
    }
    if (errno != EWOULDBLOCK) return cannot_open(cx, name, errno);
    read_holder(fd, holder);
    return twx_fail(cx, TWX_E_BUSY, "%s is in use by %s (lock file %s): try again later", path,
                    holder, name);
}

/* taken: gets the lock; NULL: it is only tested, and no file is created. */
static twx_rc lock(twx_ctx *cx, const char *path, bool follows, twx_lock *taken) {
    const bool take = taken != NULL;
    int fd = -1;
    char *store = twx_db_resolve(cx, path);
    char *name = store ? twx_sprintf(cx, "%s-twindex-lock", store) : NULL;
    twx_rc rc = name ? open_file(cx, store, name, take, &fd) : cx->rc;
    if (rc == TWX_OK && fd >= 0) rc = seize(cx, path, name, fd, take);
    if (rc == TWX_OK && take && fd < 0) rc = cannot_open(cx, name, ENOENT);
    if (rc == TWX_OK && take) {
        *taken = (twx_lock){.fd = fd,
                            .name = name,
                            .made = is_new(fd),
                            .here = note_now(store),
                            .noted = read_note(fd, store)};
        read_outcome(fd, "\nstopped ", taken->outcome); /* it stays until a run has ended */
        name = NULL;
        taken->before = hash_of_holder(fd);
        if (!write_holder(fd, follows)) taken->noted.when = 0;
        taken->holder = hash_of_holder(fd);
    } else if (fd >= 0) {
        close(fd);
    }
    twx_free(name);
    twx_free(store);
    return rc;
}

static twx_rc take(twx_ctx *cx, const char *path, bool follows, twx_lock **ret_lock) {
    twx_lock *made = twx_calloc(cx, 1, sizeof *made);
    if (!made) return TWX_E_NOMEM;
    made->fd = -1;
    twx_rc rc = lock(cx, path, follows, made);
    TWX_HAND_OVER(rc, ret_lock, made, twx_lock_release(made, rc));
    return rc;
}

twx_rc twx_lock_take(const twx_job *job, const char *path, twx_lock **ret_lock) {
    const struct timespec soon = {.tv_nsec = LOOK_MS * 1000000L};
    const bool follows = job->kept != NULL;
    const int64_t until = twx_db_clock_ms() + (follows ? 0 : job->settings->run_busy_ms);
    twx_lock_state state;
    int others = 0; /* looks in a row that found a holder that is not known to follow */
    twx_rc rc = TWX_OK;
    while ((rc = take(job->cx, path, follows, ret_lock)) == TWX_E_BUSY &&
           twx_db_clock_ms() < until) {
        twx_ctx other = {0}; /* the message is that of the attempt */
        if (twx_lock_look(&other, path, &state) != TWX_OK) break;
        others = state.held && !strstr(state.holder, FOLLOWS) ? others + 1 : 0;
        if (others * LOOK_MS >= NAMED_MS) break;
        twx_ctx_clear(job->cx);
        if (twx_cancelled(job->cx) != TWX_OK) return job->cx->rc;
        (void)nanosleep(&soon, NULL);
    }
    if (rc != TWX_OK || !follows) return rc;
    if (!job->kept->holder || job->kept->holder != (*ret_lock)->before)
        job->kept->knows_changes = false; /* somebody else had the lock */
    job->kept->holder = (*ret_lock)->holder;
    return rc;
}

twx_rc twx_lock_try(twx_ctx *cx, const char *path) {
    return lock(cx, path, false, NULL);
}

twx_rc twx_lock_look(twx_ctx *cx, const char *path, twx_lock_state *ret_state) {
    twx_lock_state state = {.exists = false};
    char line[OUTCOME_BYTES];
    long long when = 0;
    int fd = -1;
    char *store = twx_db_resolve(cx, path);
    char *name = store ? twx_sprintf(cx, "%s-twindex-lock", store) : NULL;
    twx_rc rc = name ? open_file(cx, store, name, false, &fd) : cx->rc;
    if (rc == TWX_OK && fd >= 0) {
        state.exists = true;
        state.held = get(fd, false) != 0;
        state.checked_at = read_note(fd, store).when;
        read_outcome(fd, "\nunchanged ", line);
        if (sscanf(line, "unchanged %lld", &when) == 1) state.unchanged_at = when;
        read_outcome(fd, "\nstopped ", line);
        if (sscanf(line, "stopped %lld %999[^\n]", &when, state.stopped) == 2)
            state.stopped_at = when;
        if (state.held) read_holder(fd, state.holder);
        close(fd);
    }
    if (rc == TWX_OK) *ret_state = state;
    twx_free(name);
    twx_free(store);
    return rc;
}

bool twx_lock_is_checked(const twx_lock *held) {
    const check_note *note = &held->noted, *here = &held->here;
    return note->when != 0 && note->when <= here->when &&
           here->when - note->when < CHECKED_SECONDS && note->inode == here->inode &&
           strcmp(note->boot, here->boot) == 0;
}

void twx_lock_set_checked(twx_lock *held, bool checked) {
    held->noted = checked ? held->here : (check_note){.when = 0};
}

void twx_lock_set_outcome(twx_lock *held, const char *stopped) {
    held->outcome[0] = '\0';
    if (!stopped)
        snprintf(held->outcome, OUTCOME_BYTES, "unchanged %lld\n", held->here.when);
    else if (stopped[0])
        snprintf(held->outcome, OUTCOME_BYTES, "stopped %lld %.*s\n", held->here.when,
                 TWX_STOPPED_BYTES - 1, stopped);
    for (char *c = held->outcome; *c && c[1]; c++)
        if (*c == '\n') *c = ' ';
}

static void remove_file(const twx_lock *held) {
    (void)!unlink(held->name); /* while it is locked: seize() */
}

/* The file stays for the next run, but not beside a file that is perhaps no store. */
void twx_lock_release(twx_lock *held, twx_rc rc) {
    if (!held) return;
    if (rc == TWX_E_CORRUPT || rc == TWX_E_IO || rc == TWX_E_INTERNAL)
        twx_lock_set_checked(held, false);
    if (held->fd >= 0) {
        write_note(held->fd, &held->noted);
        if (rc == TWX_OK || rc == TWX_E_GUARD)
            append(held->fd, held->outcome, (int)strnlen(held->outcome, OUTCOME_BYTES));
        if (held->made && rc != TWX_OK) remove_file(held);
        close(held->fd);
    }
    twx_free(held->name);
    twx_free(held);
}

void twx_lock_remove(twx_lock *held) {
    if (held->fd >= 0) remove_file(held);
    twx_lock_release(held, TWX_OK);
}
