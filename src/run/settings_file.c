/* The configuration file. inih splits it into keys; this file adds continued values and line
 * numbers in messages, which inih lacks. */
#include "run/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <unistd.h>

enum { NAME_BYTES = 256, VALUE_BYTES = 1 << 16 };

/* A setting of the file and its line. */
typedef struct given {
    const char *name;
    size_t line;
} given;

/* The state of inih's callbacks: inih reads lines from `text` and passes keys without numbers. */
typedef struct config {
    twx_ctx cx; /* separate, so that "file:line: " can be prepended to messages */
    twx_settings *s;
    const char *path;
    twx_slice text;  /* the part that has not been read yet */
    size_t line;     /* number of the last line read, from 1 */
    size_t bad_line; /* the line that cx.message refers to */
    /* The open key: its value may continue on the next line, so the setting is only set when a line
     * begins that does not continue it. */
    bool open;
    size_t key_line;
    char name[NAME_BYTES];
    twx_buf value;
    TWX_VEC(given) given;
    twx_buf hosts;      /* the value of `hosts` so far */
    size_t host_values; /* where the values of the open section [host ...] begin in it */
    bool in_host;       /* such a section is open */
    twx_arena names;    /* of `given` */
} config;

static void fail_at(config *c, size_t line, const char *message) {
    c->bad_line = line;
    (void)twx_fail(&c->cx, TWX_E_CONFIG, "%s", message);
}

/* [R3] Resolves a file name against the folder of the configuration file. */
static char *beside(twx_ctx *cx, const char *path, const char *file) {
    const char *slash = strrchr(path, '/');
    if (file[0] == '/' || file[0] == '\0' || !slash) return twx_strdup(cx, file);
    return twx_sprintf(cx, "%.*s/%s", (int)(slash - path), path, file);
}

static twx_rc set_key(config *c) {
    twx_setting_row row;
    const char *value = c->value.p ? c->value.p : "";
    if (c->in_host) {
        const twx_slice known = twx_slice_sub(twx_buf_slice(&c->hosts), c->host_values, c->hosts.n);
        const twx_rc rc = twx_host_value_add(&c->cx, c->name, value, known, &c->hosts);
        return rc == TWX_OK ? twx_settings_set(&c->cx, c->s, "hosts", c->hosts.p) : rc;
    }
    if (!twx_setting_row_find(c->name, &row) || row.kind != TWX_KIND_FILE)
        return twx_settings_set(&c->cx, c->s, c->name, value);
    char *path = beside(&c->cx, c->path, value);
    twx_rc rc = path ? twx_settings_set(&c->cx, c->s, c->name, path) : TWX_E_NOMEM;
    twx_free(path);
    return rc;
}

/* A setting that is given twice is a mistake, and which value would count is not obvious. */
static twx_rc note_key(config *c) {
    twx_setting_row row;
    twx_slice name;
    /* set_key() reports the others */
    if (c->in_host || !twx_setting_row_find(c->name, &row)) return TWX_OK;
    for (size_t i = 0; i < c->given.n; i++)
        if (strcmp(c->given.at[i].name, row.shown.name) == 0)
            return twx_fail(&c->cx, TWX_E_CONFIG, "%s is given twice, first in line %zu",
                            row.shown.name, c->given.at[i].line);
    twx_rc rc = twx_arena_copy(&c->cx, &c->names,
                               (twx_slice){row.shown.name, strlen(row.shown.name) + 1}, &name);
    const given key = {.name = name.p, .line = c->key_line};
    return rc == TWX_OK && !TWX_VEC_PUSH(&c->cx, &c->given, key) ? TWX_E_NOMEM : rc;
}

/* Whether a "#" follows a blank outside of quotes: a comment that would become part of the value.
 * Names of files and patterns may contain it. */
static bool has_comment(const config *c) {
    twx_setting_row row;
    char quote = '\0';
    if (!twx_setting_row_find(c->name, &row) || row.kind == TWX_KIND_FILE ||
        strcmp(row.shown.name, "text.sentence_end") == 0)
        return false;
    for (const char *p = c->value.n ? c->value.p : ""; *p; p++) {
        if (*p == quote)
            quote = '\0';
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (!quote && *p == '#' && p > c->value.p && (p[-1] == ' ' || p[-1] == '\t'))
            return true;
    }
    return false;
}

/* Sets the open key, if any. */
static bool close_key(config *c) {
    if (!c->open) return true;
    c->open = false;
    c->bad_line = c->key_line;
    if (note_key(c) != TWX_OK) return false;
    if (has_comment(c)) {
        fail_at(c, c->key_line,
                "a comment needs a line of its own: '#' would be part of the value");
        return false;
    }
    return set_key(c) == TWX_OK;
}

static twx_rc open_key(config *c, const char *section, const char *name) {
    twx_buf_clear(&c->value);
    c->open = true;
    c->key_line = c->line;
    if (c->in_host) section = ""; /* its settings have full names */
    int n = snprintf(c->name, sizeof c->name, "%s%s%s", section, section[0] ? "." : "", name);
    if (n < 0 || (size_t)n >= sizeof c->name) fail_at(c, c->line, "the name is too long");
    return c->cx.rc;
}

/* inih's handler: receives a key and its value, or one more line of the value of the open key
 * ([R2]). Returns 0 on error. */
static int take_key(void *arg, const char *section, const char *name, const char *value) {
    config *c = arg;
    twx_rc rc = c->cx.rc;
    if (rc == TWX_OK && !c->open)
        rc = open_key(c, section, name);
    else if (rc == TWX_OK && c->value.n)
        rc = twx_buf_add_char(&c->cx, &c->value, ' ');
    if (rc == TWX_OK) rc = twx_buf_add_text(&c->cx, &c->value, value);
    return rc == TWX_OK;
}

/* Whether an indented line looks like a setting that was indented for readability, such as
 * "  id = rowid" below "from = pages". It would silently become part of the previous value. */
static bool looks_like_key(const config *c, twx_slice words) {
    twx_setting_row row;
    const char *dot = c->in_host ? NULL : strrchr(c->name, '.');
    char name[NAME_BYTES];
    size_t end = 0, section = dot ? (size_t)(dot + 1 - c->name) : 0;
    while (end < words.n && words.p[end] != '=' && words.p[end] != ':') end++;
    twx_slice key = twx_slice_trim(twx_slice_sub(words, 0, end));
    if (!c->open || end == words.n || section + key.n >= sizeof name) return false;
    memcpy(name, c->name, section);
    memcpy(name + section, key.p, key.n);
    name[section + key.n] = '\0';
    return twx_slice_find(key, '\0', 0) == key.n && twx_setting_row_find(name, &row);
}

/* Begins a section. "[host docs.example.org]" is read here: inih shortens long names. */
static twx_rc open_section(config *c, twx_slice line) {
    twx_slice name = twx_slice_trim(twx_slice_sub(line, 1, twx_slice_find(line, ']', 0)));
    const twx_slice word = TWX_SLICE_LIT("host");
    c->in_host = twx_slice_starts_nocase(name, word) &&
                 (name.n == word.n || twx_is_space((unsigned char)name.p[word.n]));
    if (!c->in_host || twx_slice_find(line, ']', 0) == line.n) return TWX_OK;
    c->bad_line = c->line;
    for (size_t i = 0; i < c->given.n; i++)
        if (strcmp(c->given.at[i].name, "hosts") == 0)
            return twx_fail(
                &c->cx, TWX_E_CONFIG,
                "hosts is set in line %zu: it and sections [host ...] exclude each other",
                c->given.at[i].line);
    name = twx_slice_trim(twx_slice_sub(name, word.n, name.n));
    twx_rc rc = twx_host_pattern_check(&c->cx, name, twx_buf_slice(&c->hosts));
    if (rc == TWX_OK && c->hosts.n) rc = twx_buf_add_text(&c->cx, &c->hosts, " | ");
    if (rc == TWX_OK) rc = twx_buf_add_slice(&c->cx, &c->hosts, name);
    c->host_values = c->hosts.n;
    return rc == TWX_OK ? twx_settings_set(&c->cx, c->s, "hosts", c->hosts.p) : rc;
}

/* inih's reader: copies the next line into room[0..size). NULL ends the input: no more lines, or an
 * error in cx. */
static char *next_line(char *room, int size, void *arg) {
    config *c = arg;
    if (c->cx.rc != TWX_OK || c->text.n == 0) return NULL;
    size_t end = twx_slice_find(c->text, '\n', 0);
    twx_slice line = twx_slice_sub(c->text, 0, end), words = twx_slice_trim(line);
    c->text = twx_slice_sub(c->text, end + 1, c->text.n);
    c->line++;
    if (words.n && strchr(";#", words.p[0])) words.n = 0; /* a comment may be of any length */
    bool goes_on = words.n && (line.p[0] == ' ' || line.p[0] == '\t');
    if (words.n && !goes_on && !close_key(c)) return NULL;
    if (words.n && !goes_on && words.p[0] == '[' && open_section(c, words) != TWX_OK) return NULL;
    if (twx_slice_find(words, '\0', 0) < words.n) fail_at(c, c->line, "a NUL byte");
    if (goes_on && looks_like_key(c, words))
        fail_at(c, c->line,
                "a setting must not be indented: an indented line continues the value above it");
    if (words.n + goes_on >= (size_t)size)
        fail_at(c, c->line,
                "the line is too long; a value can continue on the next line, indented");
    if (c->cx.rc != TWX_OK) return NULL;
    if (goes_on) room[0] = ' '; /* tells inih that the line continues a value */
    if (words.n) memcpy(room + goes_on, words.p, words.n);
    room[goes_on + words.n] = '\0';
    return room;
}

twx_rc twx_settings_parse(twx_ctx *cx, twx_settings *s, const char *path, twx_slice text) {
    config c = {
        .cx = {.cancel = cx->cancel, .faults = cx->faults}, .s = s, .path = path, .text = text};
    twx_buf_init(&c.value, VALUE_BYTES);
    twx_buf_init(&c.hosts, TWX_CONFIG_MAX);
    /* the first bad line; <0: out of memory */
    int bad = ini_parse_stream(next_line, &c, take_key, &c);
    if (bad == 0 && c.cx.rc == TWX_OK) (void)close_key(&c);
    if (bad < 0) (void)twx_fail(&c.cx, TWX_E_NOMEM, "out of memory");
    if (bad > 0 && (c.cx.rc == TWX_OK || (size_t)bad < c.bad_line)) {
        twx_ctx_clear(&c.cx);
        fail_at(&c, (size_t)bad, "neither [section] nor name = value");
    }
    twx_buf_done(&c.value);
    twx_buf_done(&c.hosts);
    TWX_VEC_DONE(&c.given);
    twx_arena_done(&c.names);
    return c.cx.rc == TWX_OK ? TWX_OK
                             : twx_fail(cx, c.cx.rc, "%s:%zu: %s", path, c.bad_line, c.cx.message);
}

static twx_rc load(twx_ctx *cx, twx_settings *s, const char *path, int fd) {
    twx_buf text = {.max = TWX_CONFIG_MAX};
    twx_rc rc = twx_buf_add_file(cx, &text, path, fd, TWX_E_IO);
    if (rc == TWX_OK) rc = twx_settings_parse(cx, s, path, twx_buf_slice(&text));
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_settings_load(twx_ctx *cx, twx_settings *s, const char *path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return twx_fail(cx, errno == ENOENT ? TWX_E_NOTFOUND : TWX_E_IO, "cannot read '%s': %s",
                        path, strerror(errno));
    twx_rc rc = twx_file_trust(cx, path, fd, TWX_FILE_CHOSEN);
    if (rc == TWX_OK) rc = load(cx, s, path, fd);
    close(fd);
    return rc;
}

twx_rc twx_settings_load_found(twx_ctx *cx, twx_settings *s, const char *path) {
    int fd = -1;
    twx_rc rc = twx_file_open_found(cx, path, &fd);
    if (rc == TWX_OK && fd >= 0) rc = load(cx, s, path, fd);
    if (fd >= 0) close(fd);
    return rc;
}
