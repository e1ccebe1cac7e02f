/* What the workbench loads when it opens: the state of the store, the files named at start, and the
 * settings. */
#include <string.h>

#include "run/json_values.h"
#include "serve/exchange.h"
#include "serve/user_files.h"

enum { QUERIES_MAX = 10000 };

static twx_rc add_rules(twx_exchange *x, json_t *about) {
    const twx_serve_options *o = x->server->options;
    json_t *all = json_array();
    twx_rc rc = TWX_OK;
    json_object_set_new(about, "rules", all);
    for (size_t i = 0; rc == TWX_OK && i < o->n_rules; i++) {
        json_t *one = NULL;
        rc = twx_user_file_json(x->cx, o->rules[i], &one);
        if (rc == TWX_OK) json_array_append_new(all, one);
    }
    return rc;
}

/* One query a line, as search --queries reads them. */
static twx_rc add_queries(twx_exchange *x, json_t *about) {
    json_t *all = json_array();
    twx_buf bytes;
    json_object_set_new(about, "queries", all);
    if (!x->server->options->queries) return TWX_OK;
    twx_rc rc = twx_user_file_read(x->cx, x->server->options->queries, &bytes);
    const twx_slice text = twx_buf_slice(&bytes);
    for (size_t from = 0, to; rc == TWX_OK && from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        const twx_slice line = twx_slice_trim(twx_slice_sub(text, from, to));
        if (line.n && line.p[0] != '#' && json_array_size(all) < QUERIES_MAX)
            json_array_append_new(all, twx_json_slice(line));
    }
    twx_buf_done(&bytes);
    return rc;
}

/* ---- settings ------------------------------------------------------------- */

static json_t *choices_json(const char *values) {
    const twx_slice list = twx_slice_of(values);
    json_t *all = json_array();
    for (size_t from = 0, to; from < list.n; from = to + 1) {
        to = twx_slice_find(list, '|', from);
        json_array_append_new(all, twx_json_slice(twx_slice_sub(list, from, to)));
    }
    return all;
}

/* The methods that find near-duplicates. */
static json_t *near_choices_json(void) {
    twindex_detector d;
    json_t *all = json_array();
    for (size_t i = 0; twindex_detector_at(i, &d); i++)
        if (d.near) json_array_append_new(all, json_string(d.name));
    json_array_append_new(all, json_string("none"));
    return all;
}

static json_t *setting_json(const twindex_setting *s, const char *value) {
    const twx_slice name = twx_slice_of(s->name);
    const size_t point = twx_slice_find(name, '.', 0);
    json_t *o = json_pack("{s:s, s:o, s:o, s:s, s:s, s:s}", "name", s->name, "section",
                          twx_json_slice(twx_slice_sub(name, 0, point < name.n ? point : 0)),
                          "value", twx_json_text(value), "default", s->default_value, "values",
                          s->values, "help", s->help);
    json_object_set_new(o, "dry_run", json_boolean(twx_setting_may_be_tried(s)));
    if (strchr(s->values, '|')) json_object_set_new(o, "choices", choices_json(s->values));
    if (strcmp(s->name, "near.detector") == 0)
        json_object_set_new(o, "choices", near_choices_json());
    return o;
}

static twx_rc add_settings(twx_exchange *x, json_t *about) {
    json_t *all = json_array();
    const char *value = NULL;
    twx_rc rc = TWX_OK;
    json_object_set_new(about, "settings", all);
    for (size_t i = 0; rc == TWX_OK && twindex_setting_at(i); i++) {
        rc = twx_exchange_get(x, twindex_setting_at(i)->name, &value);
        if (rc == TWX_OK) json_array_append_new(all, setting_json(twindex_setting_at(i), value));
    }
    return rc;
}

/* ---- all of it ------------------------------------------------------------ */

/* "" is a setting that is not set. */
static twx_rc add_pins(twx_exchange *x, json_t *about) {
    const char *path = NULL;
    twx_rc rc = twx_exchange_get(x, "verdict.pins", &path);
    if (rc == TWX_OK)
        json_object_set_new(about, "pins", path[0] ? twx_json_text(path) : json_null());
    return rc;
}

static twx_rc complete(twx_exchange *x, json_t *about) {
    const twx_serve_options *o = x->server->options;
    json_object_set_new(about, "version", json_string(twindex_version()));
    json_object_set_new(about, "read_only", json_boolean(o->read_only));
    json_object_set_new(about, "judgements", json_boolean(o->judgements != NULL));
    twx_rc rc = add_pins(x, about);
    if (rc == TWX_OK) rc = add_settings(x, about);
    if (rc == TWX_OK) rc = add_rules(x, about);
    return rc == TWX_OK ? add_queries(x, about) : rc;
}

twx_rc twx_answer_about(twx_exchange *x) {
    const twindex_sink sink = twx_answer_sink(x->answer);
    const int result = twindex_overview(x->t, &sink);
    if (result != TWINDEX_OK) return twx_exchange_end(x, result);
    json_t *about = json_loadb(twx_buf_slice(&x->answer->body).p, x->answer->body.n, 0, NULL);
    if (!about) return twx_fail(x->cx, TWX_E_NOMEM, "out of memory for JSON");
    twx_rc rc = complete(x, about);
    if (rc == TWX_OK)
        twx_answer_json(x->answer, TWX_HTTP_OK, about);
    else
        json_decref(about);
    return rc;
}
