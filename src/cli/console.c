#include "cli/console.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/print.h"
#include "base/utf8.h"

static const double BETWEEN_DRAWINGS = 0.1; /* seconds */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* systemd names the stream as "DEVICE:INODE"; a child whose output was redirected has the variable,
 * but another file. */
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

void twx_console_clear(twx_console *c) {
    if (!c->drawn) return;
    fputs("\r\033[K", c->file);
    c->drawn = false;
    fflush(c->file);
}

enum { ERROR = 3, WARNING = 4, NOTE = 5, DETAIL = 6 }; /* priorities of syslog */

/* Lines after the first get the priority, too. */
static void write_text(const twx_console *c, int priority, const char *text) {
    for (;;) {
        const size_t n = strcspn(text, "\n");
        (void)!twx_terminal_write(c->file, text, n);
        fputc('\n', c->file);
        if (!text[n]) return;
        text += n + 1;
        if (c->journal) fprintf(c->file, "<%d>", priority);
    }
}

static void say(twx_console *c, int priority, const char *label, const char *text) {
    twx_console_clear(c);
    if (c->journal) fprintf(c->file, "<%d>", priority);
    const bool coloured = c->colours && label[0];
    fprintf(c->file, "twindex%s%s: %s%s%s", c->command ? " " : "", c->command ? c->command : "",
            coloured ? "\033[1;33m" : "", label, coloured ? "\033[0m" : "");
    write_text(c, priority, text);
    fflush(c->file);
}

void twx_console_say(twx_console *c, const char *fmt, ...) {
    char text[2048];
    va_list args;
    va_start(args, fmt);
    twx_vprint(text, sizeof text, fmt, args);
    va_end(args);
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

/* Columns that a line may use without wrapping: a wrapped line could not be redrawn. */
static size_t columns(const twx_console *c) {
    struct winsize w;
    if (ioctl(fileno(c->file), TIOCGWINSZ, &w) != 0 || w.ws_col < 2) return 79;
    return (size_t)w.ws_col - 1;
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
    size_t room = columns(c) + 1;
    twx_progress_line(p, t - c->stage_began, line, room < sizeof line ? room : sizeof line);
    fprintf(c->file, "\r%s\033[K", line);
    fflush(c->file);
}
