#include "cli/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ==== console */

static const double BETWEEN_DRAWINGS = 0.1; /* seconds */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* systemd names the stream as "DEVICE:INODE"; a child may have the variable but another file. */
static bool is_journal(FILE *file) {
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device = 0, inode = 0;
    struct stat st;
    return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
           fstat(fileno(file), &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

twx_console twx_console_of(FILE *file) {
    const char *kind = getenv("TERM");
    bool terminal = isatty(fileno(file)) && kind && strcmp(kind, "dumb") != 0;
    const char *plain = getenv("NO_COLOR");
    return (twx_console){.file = file,
                         .terminal = terminal,
                         .colours = terminal && !(plain && plain[0]),
                         .journal = is_journal(file)};
}

/* Reads the character at p; returns whether it must not reach a terminal. Bytes of 0x80 to 0x9F
 * that are not part of a character are control characters to some terminals; other bytes that are
 * not UTF-8 are harmless. */
static bool is_control(const char *p, const char *end, size_t *ret_bytes) {
    uint32_t code = 0;
    *ret_bytes = twx_utf8_next(p, end, &code);
    if (*p == '\n' || *p == '\t') return false;
    if (code != TWX_REPLACEMENT || (*ret_bytes == 3 && (unsigned char)*p == 0xEF))
        return twx_utf8_is_hidden(code);
    *ret_bytes = 1;
    return ((unsigned char)*p & 0xE0) == 0x80;
}

bool twx_terminal_write(FILE *file, const char *bytes, size_t n) {
    const char *p = bytes, *end = p + n;
    while (p < end) {
        const char *from = p;
        size_t length = 0;
        while (p < end && !is_control(p, end, &length)) p += length;
        if (fwrite(from, 1, (size_t)(p - from), file) != (size_t)(p - from)) return false;
        if (p == end) break;
        p += length;
        if (fputc('?', file) == EOF) return false;
    }
    return true;
}

/* Of terminals that show colours: those that would print the escape sequence of a link. */
bool twx_console_links(FILE *file) {
    static const char *const WITHOUT[] = {"linux", "cons25", "eterm", "vt1", "vt2"};
    const char *kind = getenv("TERM");
    for (size_t i = 0; kind && i < TWX_COUNTOF(WITHOUT); i++)
        if (strncmp(kind, WITHOUT[i], strlen(WITHOUT[i])) == 0) return false;
    return twx_console_of(file).colours;
}

void twx_console_clear(twx_console *c) {
    if (!c->drawn) return;
    fputs("\r\033[K", c->file);
    c->drawn = false;
    fflush(c->file);
}

enum { ERROR = 3, WARNING = 4, NOTE = 5, DETAIL = 6 }; /* priorities of syslog */

static void say(twx_console *c, int priority, const char *label, const char *text) {
    twx_console_clear(c);
    if (c->journal) fprintf(c->file, "<%d>", priority);
    const bool coloured = c->colours && label[0];
    fprintf(c->file, "twindex%s%s: %s%s%s", c->command ? " " : "", c->command ? c->command : "",
            coloured ? "\033[1;33m" : "", label, coloured ? "\033[0m" : "");
    /* lines after the first get the priority, too */
    for (;;) {
        const size_t n = strcspn(text, "\n");
        (void)!twx_terminal_write(c->file, text, n);
        fputc('\n', c->file);
        if (!text[n]) break;
        text += n + 1;
        if (c->journal) fprintf(c->file, "<%d>", priority);
    }
    fflush(c->file);
}

void twx_console_say(twx_console *c, const char *fmt, ...) {
    char text[2048];
    TWX_PRINT_ARGUMENTS(text, fmt);
    say(c, ERROR, "", text);
}

void twx_console_message(void *arg, twindex_level level, const char *text) {
    twx_console *c = arg;
    if (level == TWINDEX_NOTE && c->quiet) return;
    if (level == TWINDEX_DETAIL && (c->quiet || !c->verbose)) return;
    const int priority = level == TWINDEX_WARNING ? WARNING : level == TWINDEX_NOTE ? NOTE : DETAIL;
    say(c, priority, level == TWINDEX_WARNING ? "warning: " : "", text);
}

/* Appends to the line as much as fits. */
static void TWX_PRINTF(4, 5) add(char *line, size_t size, size_t *n, const char *fmt, ...) {
    va_list args;
    if (*n + 1 >= size) return;
    va_start(args, fmt);
    int written = twx_vprint(line + *n, size - *n, fmt, args);
    va_end(args);
    if (written > 0) *n += (size_t)written;
}

void twx_progress_line(const twindex_progress *p, double seconds, char *line, size_t size) {
    size_t n = 0;
    double rate = seconds > 0 ? (double)p->done / seconds : 0;
    if (size) line[0] = '\0';
    add(line, size, &n, "%s: %" PRIu64, p->stage, p->done);
    if (p->total) add(line, size, &n, " of %" PRIu64, p->total);
    /* units are plurals that end with s */
    const size_t unit = strlen(p->unit);
    const bool one = (p->total ? p->total : p->done) == 1 && unit > 0 && p->unit[unit - 1] == 's';
    add(line, size, &n, " %.*s", (int)(unit - one), p->unit);
    if (p->total && p->done <= p->total)
        add(line, size, &n, ", %.0f %%", 100 * (double)p->done / (double)p->total);
    if (rate < 1) return;
    add(line, size, &n, ", %.0f/s", rate);
    if (p->total <= p->done) return;
    double left = (double)(p->total - p->done) / rate;
    if (left < 100)
        add(line, size, &n, ", %.0f s left", left);
    else
        add(line, size, &n, ", %.0f min left", left / 60);
}

unsigned twx_terminal_columns(FILE *file) {
    struct winsize w;
    if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &w) != 0) return 0;
    return w.ws_col;
}

void twx_console_progress(void *arg, const twindex_progress *p) {
    twx_console *c = arg;
    char line[TWX_PROGRESS_BYTES];
    if (c->quiet || !c->terminal) return;
    double t = now();
    if (strncmp(c->stage, p->stage, sizeof c->stage - 1) != 0) {
        snprintf(c->stage, sizeof c->stage, "%s", p->stage);
        c->stage_began = t;
        c->last_drawn = 0;
    }
    if (t - c->last_drawn < BETWEEN_DRAWINGS) return;
    c->last_drawn = t;
    c->drawn = true;
    const unsigned columns = twx_terminal_columns(c->file); /* a wrapped line is not redrawn */
    size_t room = columns < 2 ? 80 : columns;
    twx_progress_line(p, t - c->stage_began, line, room < sizeof line ? room : sizeof line);
    fprintf(c->file, "\r%s\033[K", line);
    fflush(c->file);
}

/* ==== page */

void twx_page_wrap(twx_page *page, const char *text, size_t n, size_t indent, size_t column) {
    bool begun = false;
    for (size_t i = 0; i < n;) {
        while (i < n && (text[i] == ' ' || text[i] == '\n')) i++;
        size_t from = i;
        while (i < n && text[i] != ' ' && text[i] != '\n') i++;
        if (i == from) break;
        bool breaks = begun && column + 1 + (i - from) > TWX_PAGE_COLUMNS;
        if (breaks)
            TWX_PAGE_PUT(page, "\n");
        else if (begun)
            TWX_PAGE_PUT(page, " ");
        column = breaks ? 0 : column + begun;
        if (column < indent) {
            TWX_PAGE_PUT(page, "%*s", (int)(indent - column), "");
            column = indent;
        }
        TWX_PAGE_PUT(page, "%.*s", (int)(i - from), text + from);
        column += i - from;
        begun = true;
    }
    TWX_PAGE_PUT(page, "\n");
}

void twx_page_parts(twx_page *page, const char *text, twx_page_part_fn *paragraph,
                    twx_page_part_fn *literal) {
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        (text[0] == ' ' ? literal : paragraph)(page, text, n);
        text += end ? n + 2 : n;
    }
}

/* ==== stdout_sink */

enum { LINK_BYTES = 2083 /* of a URL; terminals ignore longer ones */ };

static void failed(twx_stdout *out) {
    if (errno == EPIPE)
        out->closed = true;
    else
        out->error = errno ? errno : EIO;
}

int twx_stdout_write(void *arg, const char *bytes, size_t n) {
    twx_stdout *out = arg;
    if (out->muted) return 0;
    errno = 0;
    if (!out->closed && !out->error &&
        !(out->terminal ? twx_terminal_write(out->file, bytes, n)
                        : fwrite(bytes, 1, n, out->file) == n))
        failed(out);
    return (out->closed || out->error) && !out->patient;
}

int twx_stdout_link(void *arg, const char *url, size_t n) {
    static const char BEGIN[] = "\033]8;;", END[] = "\033\\";
    twx_stdout *out = arg;
    char text[LINK_BYTES + sizeof BEGIN + sizeof END];
    size_t at = sizeof BEGIN - 1;
    if (out->muted || out->closed || out->error) return 0;
    memcpy(text, BEGIN, at);
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)url[i];
        const bool plain = c > ' ' && c < 0x7f;
        if (at > LINK_BYTES) return 0;
        at += (size_t)snprintf(text + at, 4, plain ? "%c" : "%%%02X", c);
    }
    memcpy(text + at, END, sizeof END - 1);
    at += sizeof END - 1;
    errno = 0;
    if (fwrite(text, 1, at, out->file) != at) failed(out);
    return (out->closed || out->error) && !out->patient;
}

int twx_stdout_print(twx_stdout *out, const char *text) {
    return twx_stdout_write(out, text, strlen(text)) == 0 ? TWINDEX_OK : TWINDEX_IO;
}

int twx_stdout_finish(twx_stdout *out, int result) {
    errno = 0;
    if (!out->closed && !out->error && fflush(out->file) != 0) failed(out);
    if (out->error && (result == TWINDEX_OK || result == TWINDEX_DOUBT))
        return TWINDEX_IO;                                                       /* [R2] */
    if (out->closed && !out->patient && result == TWINDEX_IO) return TWINDEX_OK; /* [R1] */
    return result;
}

/* ==== output_file */

enum {
    PATH_BYTES = 1 << 16,
    NEW_MODE = 0666,
    PRIVATE_MODE = 0600,
    PERMISSIONS = 0777,
    READABLE = 0644
};

/* Whether the file can be replaced by a new one: not a device or a pipe. */
static bool is_replaceable(const struct stat *st) {
    return S_ISREG(st->st_mode) && st->st_nlink == 1;
}

static char *part_name(twx_ctx *cx, const char *path) {
    twx_buf name = {.max = PATH_BYTES};
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

bool twx_is_database(const char *path) {
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
    if (twx_is_database(path)) /* [R4] */
        return twx_fail(cx, TWX_E_USAGE,
                        "%.300s is an SQLite database, which is not overwritten: name another file",
                        path);
    if (exists && S_ISLNK(old.st_mode) && strncmp(path, "/dev/", 5) != 0 &&
        realpath(path, f->target) && lstat(f->target, &old) == 0 && is_replaceable(&old))
        path = f->target; /* a link stays one, and its file is replaced as a whole */
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
    if (written && f->part && rename(f->part, f->target[0] ? f->target : f->path) != 0)
        f->out.error = errno;
    if (f->part && (!written || f->out.error)) unlink(f->part);
    if (lock >= 0) close(lock);
    twx_free(f->part);
    if (!f->out.error) return result;
    return twx_rc_exit(twx_fail(cx, TWX_E_IO, "write %.300s: %s", f->path, strerror(f->out.error)));
}

/* ==== stop_signals */

/* Global because a signal handler has no argument. */
static _Atomic(twindex *) running;

/* flags without SA_RESTART: the signal interrupts a blocked read. */
static void handle(int number, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void on_signal(int number) {
    twindex *t = atomic_load(&running);
    handle(SIGINT, SIG_DFL, 0);
    handle(SIGTERM, SIG_DFL, 0);
    if (t)
        twindex_stop(t, number);
    else
        raise(number);
}

static void put_off_suspending(void);

/* As SIGTSTP does by default, so that it has no effect where no shell could continue the process.
 */
static void suspend_now(void) {
    const int error = errno;
    sigset_t suspends, before;
    sigemptyset(&suspends);
    sigaddset(&suspends, SIGTSTP);
    handle(SIGTSTP, SIG_DFL, 0);
    raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &suspends, &before); /* it is blocked in a handler */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    put_off_suspending();
    errno = error;
}

static void on_suspend(int number) {
    twindex *t = atomic_load(&running);
    (void)number;
    if (t)
        twindex_suspend(t, suspend_now);
    else
        suspend_now();
}

/* SA_RESTART: unlike SIGINT it ends no wait. */
static void put_off_suspending(void) {
    handle(SIGTSTP, on_suspend, SA_RESTART);
}

/* A signal that the parent ignores stays ignored: a shell does this for background jobs. */
static void unless_ignored(int number, void (*handler)(int)) {
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        handle(number, handler, 0);
}

void twx_stop_on_signals(twindex *t) {
    atomic_store(&running, t);
    handle(SIGPIPE, SIG_IGN, 0);
    handle(SIGXFSZ, SIG_IGN, 0);
    unless_ignored(SIGINT, t ? on_signal : SIG_DFL);
    unless_ignored(SIGTERM, t ? on_signal : SIG_DFL);
    struct sigaction before;
    if (t && sigaction(SIGTSTP, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        put_off_suspending();
}
