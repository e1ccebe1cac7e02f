#include "serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/run.h"

/* ==== static_files */

typedef struct twx_static_file {
    const char *name;
    twx_answer_type content;
    const char *text;
} twx_static_file;

#include "serve_text.h"

bool twx_static_file_find(twx_slice path, twx_slice *ret_text, twx_answer_type *ret_content) {
    if (path.n == 0 || path.p[0] != '/') return false;
    const twx_slice name = path.n == 1 ? TWX_SLICE_LIT("index.html")
                                       : twx_slice_sub(path, 1, path.n);
    for (size_t i = 0; i < TWX_COUNTOF(TWX_STATIC_FILES); i++) {
        const twx_static_file *file = &TWX_STATIC_FILES[i];
        if (!twx_slice_eq(name, twx_slice_of(file->name))) continue;
        *ret_text = twx_slice_of(file->text);
        *ret_content = file->content;
        return true;
    }
    return false;
}

/* ==== user_files */

enum { TWX_USER_FILE_BYTES = 1 << 22, TWX_VERSION_ROOM = 17 };

/* A pipe or a device could block or never end. */
twx_rc twx_user_file_read(twx_ctx *cx, const char *path, twx_buf *ret_bytes) {
    struct stat st;
    twx_buf_init(ret_bytes, TWX_USER_FILE_BYTES);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) return TWX_OK;
    if (fd < 0 || fstat(fd, &st) != 0) {
        const twx_rc rc = twx_fail(cx, TWX_E_IO, "read %.300s: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
        return rc;
    }
    twx_rc rc = S_ISREG(st.st_mode)
                    ? twx_buf_add_file(cx, ret_bytes, path, fd, TWX_E_IO)
                    : twx_fail(cx, TWX_E_DATA, "%.300s is not a regular file", path);
    close(fd);
    return rc;
}

/* A text that changes with the content. */
static void user_file_version(twx_slice bytes, char ret_version[TWX_VERSION_ROOM]) {
    snprintf(ret_version, TWX_VERSION_ROOM, "%016" PRIx64, twx_hash64(bytes, 0));
}

/* {name, text, version}; owned. */
static twx_rc user_file_json(twx_ctx *cx, const char *path, json_t **ret_json) {
    char version[TWX_VERSION_ROOM];
    twx_buf bytes;
    twx_rc rc = twx_user_file_read(cx, path, &bytes);
    user_file_version(twx_buf_slice(&bytes), version);
    if (rc == TWX_OK)
        *ret_json = json_pack("{s:o, s:o, s:s}", "name", twx_json_text(path), "text",
                              twx_json_slice(twx_buf_slice(&bytes)), "version", version);
    twx_buf_done(&bytes);
    return rc;
}

/* Answers with the object, or releases it after an error. */
static twx_rc answer_made(twx_exchange *x, twx_rc rc, json_t *object) {
    if (rc == TWX_OK)
        twx_answer_json(x->answer, TWX_HTTP_OK, object);
    else
        json_decref(object);
    return rc;
}

/* ==== about_requests */

/* What the workbench loads when it opens: state of the store, files named at start, settings. */

/* The rules are a list; of others null: no such file was named. */
static twx_rc add_files(twx_exchange *x, json_t *about) {
    const twx_serve_options *o = x->server->options;
    const struct {
        const char *name, *path;
    } files[] = {{"queries", o->queries}, {"judgements", o->judgements}, {"labels", o->labels}};
    json_t *rules = json_array(), *one = NULL;
    twx_rc rc = TWX_OK;
    json_object_set_new(about, "rules", rules);
    for (size_t i = 0; rc == TWX_OK && i < o->n_rules; i++) {
        rc = user_file_json(x->cx, o->rules[i], &one);
        if (rc == TWX_OK) json_array_append_new(rules, one);
    }
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(files); i++) {
        one = json_null();
        if (files[i].path) rc = user_file_json(x->cx, files[i].path, &one);
        if (rc == TWX_OK) json_object_set_new(about, files[i].name, one);
    }
    return rc;
}

/* ---- settings ------------------------------------------------------------- */

/* Settings of these sections define how documents are read and written, not what a duplicate is.
 * Settings whose values would reach SQL or name a file are refused in every section. */
static const char *const OTHER_SECTIONS[] = {"store.", "import.", "index.", "run."},
                         *const OTHER_VALUES[] = {"SQL", "table", "file"};

static bool may_be_tried(const twindex_setting *s) {
    for (size_t i = 0; i < TWX_COUNTOF(OTHER_SECTIONS); i++)
        if (twx_slice_starts(twx_slice_of(s->name), twx_slice_of(OTHER_SECTIONS[i]))) return false;
    for (size_t i = 0; i < TWX_COUNTOF(OTHER_VALUES); i++)
        if (twx_slice_starts(twx_slice_of(s->values), twx_slice_of(OTHER_VALUES[i]))) return false;
    return true;
}

static json_t *setting_json(const twindex_setting *s, const char *value) {
    json_t *o = json_pack("{s:s, s:o, s:s, s:s, s:b}", "name", s->name, "value",
                          twx_json_text(value), "values", s->values, "help", s->help, "dry_run",
                          (int)may_be_tried(s));
    if (strcmp(s->name, "near.detector") != 0) return o;
    twindex_detector d;
    json_t *choices = json_array();
    for (size_t i = 0; twindex_detector_at(i, &d); i++)
        if (d.near) json_array_append_new(choices, json_string(d.name));
    json_array_append_new(choices, json_string("none"));
    json_object_set_new(o, "choices", choices);
    return o;
}

static twx_rc answer_about(twx_exchange *x) {
    const int result = twindex_overview(x->t, &x->sink);
    if (result != TWINDEX_OK) return twx_exchange_end(x, result);
    json_t *about = json_loadb(twx_buf_slice(&x->answer->body).p, x->answer->body.n, 0, NULL);
    if (!about) return twx_fail(x->cx, TWX_E_NOMEM, "out of memory for JSON");
    json_object_set_new(about, "read_only", json_boolean(x->server->options->read_only));
    json_t *settings = json_array();
    const char *value = NULL;
    twx_rc rc = TWX_OK;
    json_object_set_new(about, "settings", settings);
    for (size_t i = 0; rc == TWX_OK && twindex_setting_at(i); i++) {
        rc = twx_exchange_get(x, twindex_setting_at(i)->name, &value);
        if (rc == TWX_OK)
            json_array_append_new(settings, setting_json(twindex_setting_at(i), value));
    }
    return answer_made(x, rc == TWX_OK ? add_files(x, about) : rc, about);
}

/* ==== document_requests */

/* Documents found, explained and compared, and the report: what commands of these names write. */

enum { FOUND = 20, FOUND_MAX = 1000, PASSAGES = 200, PASSAGES_MAX = 100000 };

static twx_rc answer_documents(twx_exchange *x) {
    const char *words = NULL;
    size_t limit = FOUND;
    twx_rc rc = twx_request_needs(x->cx, x->request, "q", x->arena, &words);
    if (rc == TWX_OK) rc = twx_request_number(x->cx, x->request, "limit", FOUND_MAX, &limit);
    return rc == TWX_OK ? twx_exchange_end(x, twindex_find(x->t, words, limit, &x->sink)) : rc;
}

/* "id", or "url" */
static twx_rc answer_explain(twx_exchange *x) {
    twx_slice id;
    const char *name = NULL;
    twx_rc rc = twx_request_param(x->cx, x->request, "id", x->arena, &id);
    if (rc == TWX_OK)
        rc = twx_request_needs(x->cx, x->request, id.n ? "id" : "url", x->arena, &name);
    return rc == TWX_OK ? twx_exchange_end(x, twindex_explain(x->t, name, &x->sink)) : rc;
}

static twx_rc answer_compare(twx_exchange *x) {
    const char *a = NULL, *b = NULL;
    twindex_compare_options options = {.limit = PASSAGES};
    twx_rc rc = twx_request_needs(x->cx, x->request, "a", x->arena, &a);
    if (rc == TWX_OK) rc = twx_request_needs(x->cx, x->request, "b", x->arena, &b);
    if (rc == TWX_OK)
        rc = twx_request_number(x->cx, x->request, "limit", PASSAGES_MAX, &options.limit);
    return rc == TWX_OK ? twx_exchange_end(x, twindex_compare(x->t, a, b, &options, &x->sink)) : rc;
}

static twx_rc answer_report(twx_exchange *x) {
    x->answer->content = TWX_ANSWER_REPORT;
    return twx_exchange_end(x, twindex_report_page(x->t, &x->sink));
}

/* ==== file_requests */

/* The files that are written. */

/* ---- rules, judgements and labels ---------------------------------------------- */

/* The path as it was named at start; NULL: there is none of this name. */
static const char *written_file(const twx_serve_options *o, const char *name) {
    const char *const others[] = {o->judgements, o->labels};
    for (size_t i = 0; i < o->n_rules; i++)
        if (strcmp(o->rules[i], name) == 0) return o->rules[i];
    for (size_t i = 0; i < TWX_COUNTOF(others); i++)
        if (others[i] && strcmp(others[i], name) == 0) return others[i];
    return NULL;
}

/* Reads a file that the workbench has shown. If it has other content by now, that is the answer. */
static twx_rc read_shown(twx_exchange *x, const char *path, const char *version, twx_buf *ret_bytes,
                         bool *ret_same) {
    char now[TWX_VERSION_ROOM];
    twx_rc rc = twx_user_file_read(x->cx, path, ret_bytes);
    user_file_version(twx_buf_slice(ret_bytes), now);
    *ret_same = rc == TWX_OK && strcmp(now, version) == 0;
    if (rc == TWX_OK && !*ret_same)
        twx_answer_error(x->answer, TWX_HTTP_CONFLICT,
                         "%.300s was changed by another program: load it again", path);
    return rc;
}

static twx_rc save_file(twx_exchange *x, const char *path, const char *version, twx_slice text) {
    char saved[TWX_VERSION_ROOM];
    bool same = false;
    twx_buf bytes;
    twx_rc rc = read_shown(x, path, version, &bytes, &same);
    twx_buf_done(&bytes);
    if (same) rc = x->server->options->save(x->cx, path, text);
    if (!same || rc != TWX_OK) return rc;
    user_file_version(text, saved);
    twx_answer_json(x->answer, TWX_HTTP_OK,
                    json_pack("{s:o, s:s}", "saved", twx_json_text(path), "version", saved));
    return TWX_OK;
}

static twx_rc answer_save_file(twx_exchange *x) {
    const char *name = NULL, *text = NULL, *version = NULL;
    twx_rc rc = twx_member_needs(x->cx, x->body, "name", &name);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, x->body, "text", &text);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, x->body, "version", &version);
    const char *path = rc == TWX_OK ? written_file(x->server->options, name) : NULL;
    if (rc == TWX_OK && !path)
        twx_answer_error(x->answer, TWX_HTTP_FORBIDDEN,
                         "'%.300s' was not named when the workbench was started", name);
    const size_t n = json_string_length(json_object_get(x->body, "text"));
    return path ? save_file(x, path, version, (twx_slice){text, n}) : rc;
}

/* ---- pins ------------------------------------------------------------------- */

/* The file of pins; NULL, and an answer, if there is none. */
static twx_rc pins_file(twx_exchange *x, const char **ret_path) {
    const char *pins = NULL;
    twx_slice copy = {NULL, 0};
    twx_rc rc = twx_exchange_get(x, "verdict.pins", &pins);
    if (rc == TWX_OK && !pins[0])
        twx_answer_error(x->answer, TWX_HTTP_FORBIDDEN,
                         "no file of pins was named with --pins when the workbench was started");
    else if (rc == TWX_OK)
        rc = twx_arena_copy(x->cx, x->arena, twx_slice_of(pins), &copy);
    *ret_path = copy.p;
    return rc;
}

/* The absolute path, if the file exists. */
static json_t *path_json(const char *path) {
    char real[PATH_MAX];
    return twx_json_text(path && realpath(path, real) ? real : path);
}

/* Adds whether the next run reads the file. A run has the configuration, but not the options and
 * the environment of this command. */
static twx_rc add_reader(twx_exchange *x, const char *path, json_t *o) {
    const char *config = x->server->options->config;
    struct stat own, other;
    twindex *run = twindex_new();
    if (!run) return twx_fail(x->cx, TWX_E_NOMEM, "out of memory");
    const bool broken = config && access(config, F_OK) == 0 &&
                        twindex_load_config(run, config) != TWINDEX_OK;
    const char *read = broken ? NULL : twindex_get(run, "verdict.pins");
    const bool same = read && stat(path, &own) == 0 && stat(read, &other) == 0 &&
                      own.st_dev == other.st_dev && own.st_ino == other.st_ino;
    json_object_update_new(o, json_pack("{s:o, s:o, s:b, s:o, s:o}", "path", path_json(path),
                                        "config", path_json(config), "read", (int)same, "reads",
                                        twx_json_text(read && read[0] ? read : NULL), "problem",
                                        twx_json_text(broken ? twindex_message(run) : NULL)));
    twindex_free(run);
    return TWX_OK;
}

static twx_rc answer_pins(twx_exchange *x) {
    const char *path = NULL;
    json_t *o = NULL;
    twx_rc rc = pins_file(x, &path);
    if (rc != TWX_OK || !path) return rc;
    rc = user_file_json(x->cx, path, &o);
    return answer_made(x, rc == TWX_OK ? add_reader(x, path, o) : rc, o);
}

/* number: of the line, from 1. The other lines keep their bytes. */
static twx_rc remove_line(twx_exchange *x, const char *path, const char *version, size_t number) {
    twx_buf bytes, rest = {.max = TWX_USER_FILE_BYTES};
    bool same = false;
    twx_rc rc = read_shown(x, path, version, &bytes, &same);
    const twx_slice text = twx_buf_slice(&bytes);
    size_t from = 0;
    for (size_t i = 1; i < number && from < text.n; i++)
        from = twx_slice_find(text, '\n', from) + 1;
    const size_t to = twx_slice_find(text, '\n', from) + 1;
    if (same && (number == 0 || from >= text.n))
        rc = twx_fail(x->cx, TWX_E_USAGE, "%.300s has no line %zu", path, number);
    if (rc == TWX_OK) rc = twx_buf_add_slice(x->cx, &rest, twx_slice_sub(text, 0, from));
    if (rc == TWX_OK) rc = twx_buf_add_slice(x->cx, &rest, twx_slice_sub(text, to, text.n));
    if (rc == TWX_OK && same) rc = x->server->options->save(x->cx, path, twx_buf_slice(&rest));
    twx_buf_done(&bytes);
    twx_buf_done(&rest);
    return rc == TWX_OK && same ? answer_pins(x) : rc;
}

static twx_rc answer_undo_pin(twx_exchange *x) {
    const char *path = NULL, *version = NULL;
    size_t number = 0;
    twx_rc rc = twx_request_needs(x->cx, x->request, "version", x->arena, &version);
    if (rc == TWX_OK)
        rc = twx_request_number(x->cx, x->request, "line", TWX_USER_FILE_BYTES, &number);
    if (rc == TWX_OK) rc = pins_file(x, &path);
    return rc == TWX_OK && path ? remove_line(x, path, version, number) : rc;
}

/* Reads the file and appends a pin. ret_answer: what the library wrote, where `added` is "" if the
 * file has the line already; NULL: it is refused, and that is the answer. */
static twx_rc add_pin(twx_exchange *x, const char *path, twindex_pin *pin, twx_buf *ret_bytes,
                      json_t **ret_answer) {
    twx_rc rc = twx_user_file_read(x->cx, path, ret_bytes);
    pin->text = twx_buf_slice(ret_bytes).p;
    pin->n = ret_bytes->n;
    if (rc != TWX_OK) return rc;
    const int result = twindex_add_pin(x->t, pin, &x->sink);
    if (result != TWINDEX_OK) return twx_exchange_end(x, result);
    json_t *o = json_loadb(twx_buf_slice(&x->answer->body).p, x->answer->body.n, 0, NULL);
    const json_t *added = json_object_get(o, "added");
    if (json_is_string(added))
        rc = twx_buf_add(x->cx, ret_bytes, json_string_value(added), json_string_length(added));
    else
        rc = twx_fail(x->cx, TWX_E_NOMEM, "out of memory for JSON");
    TWX_HAND_OVER(rc, ret_answer, o, json_decref(o));
    return rc;
}

static twx_rc save_pin(twx_exchange *x, const char *path, twindex_pin *pin) {
    json_t *o = NULL;
    twx_buf bytes;
    twx_rc rc = add_pin(x, path, pin, &bytes, &o);
    if (o && json_string_length(json_object_get(o, "added")))
        rc = x->server->options->save(x->cx, path, twx_buf_slice(&bytes));
    json_object_del(o, "added");
    twx_buf_done(&bytes);
    return o ? answer_made(x, rc, o) : rc;
}

/* An id is a number or a text. */
static twx_rc read_id(twx_exchange *x, const json_t *body, const char *name, const char **ret_id) {
    const json_t *id = json_object_get(body, name);
    twx_slice copy;
    char digits[32];
    if (!json_is_integer(id)) return twx_member_text(x->cx, body, name, ret_id);
    snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(id));
    twx_rc rc = twx_arena_copy(x->cx, x->arena, twx_slice_of(digits), &copy);
    if (rc == TWX_OK) *ret_id = copy.p;
    return rc;
}

static twx_rc read_pin(twx_exchange *x, const json_t *body, twindex_pin *ret_pin) {
    twx_rc rc = twx_member_needs(x->cx, body, "kind", &ret_pin->kind);
    if (rc == TWX_OK) rc = read_id(x, body, "a", &ret_pin->a);
    return rc == TWX_OK ? read_id(x, body, "b", &ret_pin->b) : rc;
}

static twx_rc answer_pin(twx_exchange *x) {
    twindex_pin pin = {0};
    const char *path = NULL;
    twx_rc rc = read_pin(x, x->body, &pin);
    if (rc == TWX_OK) rc = pins_file(x, &path);
    return rc == TWX_OK && path ? save_pin(x, path, &pin) : rc;
}

/* ==== search_requests */

/* Queries ranked by the rules in the editors. */

/* The whole answer is in memory: some kilobytes for each hit that is listed. */
enum { SEARCHES_MAX = 1000, LIMIT = 10, LIMIT_MAX = 1000, LISTED_MAX = 20000 };

/* "query", or "queries", a list */
static twx_rc read_queries(twx_exchange *x, twindex_try_options *options) {
    const json_t *one = json_object_get(x->body, "query"),
                 *list = json_object_get(x->body, "queries");
    const size_t n = one ? 1 : json_array_size(list);
    if (n == 0 || n > SEARCHES_MAX)
        return twx_fail(x->cx, TWX_E_USAGE, "'query' or 'queries' must give 1 to %d queries",
                        SEARCHES_MAX);
    const char **queries = twx_arena_alloc(x->cx, x->arena, n, sizeof *queries);
    twx_rc rc = queries ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        queries[i] = json_string_value(one ? one : json_array_get(list, i));
        if (!queries[i]) rc = twx_fail(x->cx, TWX_E_USAGE, "a query is not a text");
    }
    options->n_queries = n;
    options->queries = queries;
    return rc;
}

static twx_rc read_text(twx_exchange *x, const json_t *value, twindex_rules_text *ret_text) {
    ret_text->n = json_string_length(json_object_get(value, "text"));
    return twx_member_needs(x->cx, value, "text", &ret_text->text);
}

static twx_rc read_sides(twx_exchange *x, twindex_try_options *options) {
    const json_t *list = json_object_get(x->body, "rules");
    const size_t n = json_array_size(list);
    twx_rc rc = TWX_OK;
    if (n == 0 || n > TWINDEX_SIDES)
        return twx_fail(x->cx, TWX_E_USAGE, "'rules' must give one or two sides");
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const json_t *side = json_array_get(list, i);
        rc = twx_member_needs(x->cx, side, "name", &options->sides[i].name);
        if (rc == TWX_OK) rc = read_text(x, side, &options->sides[i]);
    }
    options->n_sides = n;
    return rc;
}

static twx_rc read_limit(twx_exchange *x, twindex_try_options *options) {
    const json_t *limit = json_object_get(x->body, "limit");
    options->limit = LIMIT;
    options->judgements = x->server->options->judgements;
    options->fts5 = json_is_true(json_object_get(x->body, "raw"));
    if (limit && (!json_is_integer(limit) || json_integer_value(limit) < 1 ||
                  json_integer_value(limit) > LIMIT_MAX))
        return twx_fail(x->cx, TWX_E_USAGE, "'limit' is not a number from 1 to %d", LIMIT_MAX);
    if (limit) options->limit = (size_t)json_integer_value(limit);
    if (options->limit * options->n_queries > LISTED_MAX)
        return twx_fail(
            x->cx, TWX_E_USAGE,
            "%zu queries with a limit of %zu hits each: at most %d hits are listed in one answer",
            options->n_queries, options->limit, LISTED_MAX);
    return TWX_OK;
}

static twx_rc answer_search(twx_exchange *x) {
    twindex_try_options options = {0};
    twx_rc rc = read_queries(x, &options);
    if (rc == TWX_OK) rc = read_sides(x, &options);
    if (rc == TWX_OK) rc = read_limit(x, &options);
    return rc == TWX_OK ? twx_exchange_end(x, twindex_try_rules(x->t, &options, &x->sink)) : rc;
}

static twx_rc answer_check_rules(twx_exchange *x) {
    twindex_rules_text text = {.name = "rules"};
    const twx_rc rc = read_text(x, x->body, &text);
    return rc == TWX_OK ? twx_exchange_end(x, twindex_check_rules(x->t, &text, &x->sink)) : rc;
}

/* ==== settings_requests */

/* A dry run with other settings, or one more pin: what it would hide and show. */

enum { LISTED = 1000 };

static twx_rc set(twx_exchange *x, const char *name, const json_t *value) {
    const twindex_setting *s = twindex_setting_find(name);
    if (s && !may_be_tried(s))
        return twx_fail(
            x->cx, TWX_E_USAGE,
            "%s does not decide what is a duplicate: it cannot be tried in the workbench", s->name);
    if (!json_is_string(value))
        return twx_fail(x->cx, TWX_E_USAGE, "the value of '%.100s' is not a text", name);
    const int result = twindex_set(x->t, name, json_string_value(value));
    if (result == TWINDEX_OK) return TWX_OK;
    return twx_fail(x->cx, result == twx_rc_exit(TWX_E_NOMEM) ? TWX_E_NOMEM : TWX_E_CONFIG, "%s",
                    twindex_message(x->t));
}

/* The dry run reads the pins of the file and this one from a file without a name, whose descriptor
 * is returned; -1: the pin is refused, and that is the answer. */
static twx_rc try_pin(twx_exchange *x, const json_t *body, int *ret_file) {
    char path[64];
    twindex_pin pin = {0};
    json_t *o = NULL;
    twx_buf bytes;
    const char *pins = NULL;
    twx_rc rc = read_pin(x, body, &pin);
    if (rc == TWX_OK) rc = twx_exchange_get(x, "verdict.pins", &pins);
    if (rc != TWX_OK) return rc;
    rc = add_pin(x, pins, &pin, &bytes, &o);
    if (o) {
        const int fd = *ret_file = memfd_create("pins", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        /* runs read no file that others may write */
        if (fd < 0 || fchmod(fd, S_IRUSR | S_IWUSR) != 0 ||
            write(fd, twx_buf_slice(&bytes).p, bytes.n) != (ssize_t)bytes.n)
            rc = twx_fail(x->cx, TWX_E_IO,
                          "cannot make the temporary file of pins for the dry run: %s",
                          strerror(errno));
        else if (twindex_set(x->t, "verdict.pins", path) != TWINDEX_OK)
            rc = twx_fail(x->cx, TWX_E_NOMEM, "%s", twindex_message(x->t));
        twx_buf_clear(&x->answer->body);
    }
    json_decref(o);
    twx_buf_done(&bytes);
    return rc;
}

/* The answer is the summary of the run, with the documents that change. */
static twx_rc answer_dry_run(twx_exchange *x) {
    const twindex_run_options options = {
        .dry_run = true, .list = true, .limit = LISTED, .stored = true};
    const json_t *pin = json_object_get(x->body, "pin");
    json_t *settings = json_object_get(x->body, "settings"), *value = NULL;
    const char *name = NULL;
    int pins = -1;
    twx_rc rc = TWX_OK;
    if (!json_is_object(settings)) rc = twx_fail(x->cx, TWX_E_USAGE, "'settings' is missing");
    /* the handle is this request's own */
    json_object_foreach(settings, name, value) if (rc == TWX_OK) rc = set(x, name, value);
    if (rc == TWX_OK && pin) rc = try_pin(x, pin, &pins);
    if (rc == TWX_OK && (!pin || pins >= 0)) {
        const int result = twindex_run(x->t, &options, &x->sink);
        /* the findings of a guard are part of the summary */
        rc = twx_exchange_end(x, result == TWINDEX_GUARD ? TWINDEX_OK : result);
    }
    if (pins >= 0) close(pins);
    return rc;
}

/* ==== sweep_requests */

/* What the values of a setting hide, and the pairs nearest to one. */

static twx_rc answer_sweep(twx_exchange *x) {
    twindex_sweep_options options = {.hidden = TWINDEX_EVALUATE_HIDDEN,
                                     .seed = 1,
                                     .limit = TWINDEX_SWEEP_PAIRS,
                                     .labels = x->server->options->labels};
    twx_rc rc = twx_member_needs(x->cx, x->body, "setting", &options.setting);
    if (rc == TWX_OK) rc = twx_member_text(x->cx, x->body, "pairs", &options.pairs);
    if (!json_is_true(json_object_get(x->body, "labels"))) options.labels = NULL;
    return rc == TWX_OK ? twx_exchange_end(x, twindex_sweep(x->t, &options, &x->sink)) : rc;
}

/* ==== routes */

static const twx_route ROUTES[] = {
    {"GET", "/api/about", answer_about, false, TWX_EFFORT_SHORT},
    {"GET", "/api/documents", answer_documents, false, TWX_EFFORT_SHORT},
    {"GET", "/api/explain", answer_explain, false, TWX_EFFORT_SHORT},
    {"GET", "/api/compare", answer_compare, false, TWX_EFFORT_LONG},
    {"POST", "/api/search", answer_search, false, TWX_EFFORT_SHORT},
    {"POST", "/api/rules/check", answer_check_rules, false, TWX_EFFORT_SHORT},
    {"PUT", "/api/files", answer_save_file, true, TWX_EFFORT_SHORT},
    {"GET", "/api/pins", answer_pins, false, TWX_EFFORT_SHORT},
    {"POST", "/api/pins", answer_pin, true, TWX_EFFORT_SHORT},
    {"DELETE", "/api/pins", answer_undo_pin, true, TWX_EFFORT_SHORT},
    {"POST", "/api/sweep", answer_sweep, false, TWX_EFFORT_TASK},
    {"POST", "/api/dry-run", answer_dry_run, false, TWX_EFFORT_TASK},
    {"POST", "/api/report", answer_report, false, TWX_EFFORT_TASK},
};

const twx_route *twx_route_at(size_t i) {
    return i < TWX_COUNTOF(ROUTES) ? &ROUTES[i] : NULL;
}
