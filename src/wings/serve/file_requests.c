/* The two kinds of files that are written. One request at a time writes, so that none overwrites
 * what another one has just written. */
#include <string.h>

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

/* Whether the file still has the content that the workbench has shown. */
static twx_rc is_unchanged(twx_exchange *x, const char *path, const char *version, bool *ret_same) {
    char now[TWX_VERSION_ROOM];
    twx_buf bytes;
    twx_rc rc = twx_user_file_read(x->cx, path, &bytes);
    twx_user_file_version(twx_buf_slice(&bytes), now);
    *ret_same = strcmp(now, version) == 0;
    twx_buf_done(&bytes);
    return rc;
}

static twx_rc save_rules(twx_exchange *x, const char *path, const char *version, twx_slice text) {
    char saved[TWX_VERSION_ROOM];
    bool same = false;
    twx_rc rc = is_unchanged(x, path, version, &same);
    if (rc == TWX_OK && !same) {
        twx_answer_error(x->answer, TWX_HTTP_CONFLICT,
                         "%.300s was changed by another program: load it again, or save the rules "
                         "elsewhere",
                         path);
        return TWX_OK;
    }
    if (rc == TWX_OK) rc = x->server->options->save(x->cx, path, text);
    if (rc != TWX_OK) return rc;
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
    twx_slice path = {NULL, 0};
    const char *pins = NULL;
    twx_rc rc = twx_exchange_get(x, "verdict.pins", &pins);
    if (rc == TWX_OK) rc = twx_arena_copy(x->cx, x->arena, twx_slice_of(pins), &path);
    if (rc == TWX_OK) rc = twx_request_json(x->cx, x->request, &body);
    if (rc == TWX_OK) rc = twx_member_needs(x->cx, body, "kind", &pin.kind);
    if (rc == TWX_OK) rc = read_id(x, body, "a", &pin.a);
    if (rc == TWX_OK) rc = read_id(x, body, "b", &pin.b);
    if (rc == TWX_OK && path.n == 0) {
        twx_answer_error(x->answer, TWX_HTTP_FORBIDDEN,
                         "no file of pins was named with --pins when the workbench was started");
    } else if (rc == TWX_OK) {
        pthread_mutex_lock(&x->server->writing);
        rc = add_pin(x, path.p, &pin);
        pthread_mutex_unlock(&x->server->writing);
    }
    json_decref(body);
    return rc;
}
