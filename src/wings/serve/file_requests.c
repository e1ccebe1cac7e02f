/* The two kinds of files that are written. One request at a time writes, so that none overwrites
 * what another one has just written. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/json_values.h"
#include "serve/exchange.h"
#include "serve/user_files.h"

/* ---- rules ------------------------------------------------------------------ */

/* The path as it was named at start; NULL: there is none of this name. */
static const char *rules_file(const twx_serve_options *o, const char *name) {
    for (size_t i = 0; i < o->n_rules; i++)
        if (strcmp(o->rules[i], name) == 0) return o->rules[i];
    return NULL;
}

/* Reads a file that the workbench has shown. If it has other content by now, that is the answer. */
static twx_rc read_shown(twx_exchange *x, const char *path, const char *version, twx_buf *ret_bytes,
                         bool *ret_same) {
    char now[TWX_VERSION_ROOM];
    twx_rc rc = twx_user_file_read(x->cx, path, ret_bytes);
    twx_user_file_version(twx_buf_slice(ret_bytes), now);
    *ret_same = rc == TWX_OK && strcmp(now, version) == 0;
    if (rc == TWX_OK && !*ret_same)
        twx_answer_error(x->answer, TWX_HTTP_CONFLICT,
                         "%.300s was changed by another program: load it again", path);
    return rc;
}

static twx_rc save_rules(twx_exchange *x, const char *path, const char *version, twx_slice text) {
    char saved[TWX_VERSION_ROOM];
    bool same = false;
    twx_buf bytes;
    twx_rc rc = read_shown(x, path, version, &bytes, &same);
    twx_buf_done(&bytes);
    if (same) rc = x->server->options->save(x->cx, path, text);
    if (!same || rc != TWX_OK) return rc;
    twx_user_file_version(text, saved);
    twx_answer_json(x->answer, TWX_HTTP_OK,
                    json_pack("{s:o, s:s}", "saved", twx_json_text(path), "version", saved));
    return TWX_OK;
}

twx_rc twx_answer_save_rules(twx_exchange *x) {
    json_t *body = NULL;
    const char *name = NULL, *text = NULL, *version = NULL;
    twx_rc rc = twx_request_json(x->cx, x->request, &body);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, body, "name", &name);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, body, "text", &text);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, body, "version", &version);
    const char *path = rc == TWX_OK ? rules_file(x->server->options, name) : NULL;
    if (rc == TWX_OK && !path)
        twx_answer_error(x->answer, TWX_HTTP_FORBIDDEN,
                         "'%.300s' was not named with --rules when the workbench was started",
                         name);
    if (path) {
        const twx_slice bytes = {text, json_string_length(json_object_get(body, "text"))};
        pthread_mutex_lock(&x->server->writing);
        rc = save_rules(x, path, version, bytes);
        pthread_mutex_unlock(&x->server->writing);
    }
    json_decref(body);
    return rc;
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
    if (config) (void)twindex_load_config(run, config);
    const char *read = twindex_get(run, "verdict.pins");
    const bool same = read && stat(path, &own) == 0 && stat(read, &other) == 0 &&
                      own.st_dev == other.st_dev && own.st_ino == other.st_ino;
    json_object_update_new(o, json_pack("{s:o, s:o, s:b, s:o}", "path", path_json(path), "config",
                                        path_json(config), "read", (int)same, "reads",
                                        twx_json_text(read && read[0] ? read : NULL)));
    twindex_free(run);
    return TWX_OK;
}

twx_rc twx_answer_pins(twx_exchange *x) {
    const char *path = NULL;
    json_t *o = NULL;
    twx_rc rc = pins_file(x, &path);
    if (rc != TWX_OK || !path) return rc;
    rc = twx_user_file_json(x->cx, path, &o);
    if (rc == TWX_OK) rc = add_reader(x, path, o);
    if (rc == TWX_OK)
        twx_answer_json(x->answer, TWX_HTTP_OK, o);
    else
        json_decref(o);
    return rc;
}

/* number: of the line, from 1. The other lines keep their bytes. */
static twx_rc remove_line(twx_exchange *x, const char *path, const char *version, size_t number) {
    twx_buf bytes, rest;
    bool same = false;
    twx_rc rc = read_shown(x, path, version, &bytes, &same);
    const twx_slice text = twx_buf_slice(&bytes);
    size_t from = 0;
    for (size_t i = 1; i < number && from < text.n; i++)
        from = twx_slice_find(text, '\n', from) + 1;
    const size_t to = twx_slice_find(text, '\n', from) + 1;
    twx_buf_init(&rest, TWX_USER_FILE_BYTES);
    if (same && (number == 0 || from >= text.n))
        rc = twx_fail(x->cx, TWX_E_USAGE, "%.300s has no line %zu", path, number);
    if (rc == TWX_OK) rc = twx_buf_add_slice(x->cx, &rest, twx_slice_sub(text, 0, from));
    if (rc == TWX_OK) rc = twx_buf_add_slice(x->cx, &rest, twx_slice_sub(text, to, text.n));
    if (rc == TWX_OK && same) rc = x->server->options->save(x->cx, path, twx_buf_slice(&rest));
    twx_buf_done(&bytes);
    twx_buf_done(&rest);
    return rc == TWX_OK && same ? twx_answer_pins(x) : rc;
}

twx_rc twx_answer_undo_pin(twx_exchange *x) {
    const char *path = NULL, *version = NULL;
    size_t number = 0;
    twx_rc rc = twx_request_needs(x->cx, x->request, "version", x->arena, &version);
    if (rc == TWX_OK)
        rc = twx_request_number(x->cx, x->request, "line", TWX_USER_FILE_BYTES, &number);
    if (rc == TWX_OK) rc = pins_file(x, &path);
    if (rc != TWX_OK || !path) return rc;
    pthread_mutex_lock(&x->server->writing);
    rc = remove_line(x, path, version, number);
    pthread_mutex_unlock(&x->server->writing);
    return rc;
}

/* The answer holds what the library wrote: the line, and the bytes that the file needs. */
static twx_rc save_pins(twx_exchange *x, const char *path, twx_buf *bytes) {
    json_t *o = json_loadb(twx_buf_slice(&x->answer->body).p, x->answer->body.n, 0, NULL);
    const json_t *added = json_object_get(o, "added");
    const size_t n = json_string_length(added);
    twx_rc rc = json_is_string(added) ? twx_buf_add(x->cx, bytes, json_string_value(added), n)
                                      : twx_fail(x->cx, TWX_E_NOMEM, "out of memory for JSON");
    if (rc == TWX_OK && n) rc = x->server->options->save(x->cx, path, twx_buf_slice(bytes));
    json_object_del(o, "added");
    if (rc == TWX_OK)
        twx_answer_json(x->answer, TWX_HTTP_OK, o);
    else
        json_decref(o);
    return rc;
}

static twx_rc add_pin(twx_exchange *x, const char *path, twindex_pin *pin) {
    const twindex_sink sink = twx_answer_sink(x->answer);
    twx_buf bytes;
    twx_rc rc = twx_user_file_read(x->cx, path, &bytes);
    pin->text = twx_buf_slice(&bytes).p;
    pin->n = bytes.n;
    if (rc == TWX_OK) {
        const int result = twindex_add_pin(x->t, pin, &sink);
        rc = result == TWINDEX_OK ? save_pins(x, path, &bytes) : twx_exchange_end(x, result);
    }
    twx_buf_done(&bytes);
    return rc;
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

twx_rc twx_answer_pin(twx_exchange *x) {
    json_t *body = NULL;
    twindex_pin pin = {0};
    const char *path = NULL;
    twx_rc rc = twx_request_json(x->cx, x->request, &body);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, body, "kind", &pin.kind);
    if (rc == TWX_OK) rc = read_id(x, body, "a", &pin.a);
    if (rc == TWX_OK) rc = read_id(x, body, "b", &pin.b);
    if (rc == TWX_OK) rc = pins_file(x, &path);
    if (rc == TWX_OK && path) {
        pthread_mutex_lock(&x->server->writing);
        rc = add_pin(x, path, &pin);
        pthread_mutex_unlock(&x->server->writing);
    }
    json_decref(body);
    return rc;
}
