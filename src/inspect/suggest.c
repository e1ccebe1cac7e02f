#include "inspect/suggest.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "inspect/presets.h"
#include "job/content_sample.h"
#include "job/document_reader.h"
#include "store/guess.h"

enum { CONFIG_BYTES = 1 << 20, WHY_BYTES = 1 << 16, SHOWN_ROWS = 3, SHOWN_BYTES = 60 };

typedef struct suggestion {
    const twx_job *job;
    const twx_out *out;
    twx_opened o;
    const char *preset; /* NULL: the mapping was guessed */
    twx_buf config;     /* text of the configuration file */
    twx_content_sample look;
    uint64_t warnings, shown;
    json_t *warned, *rows;
} suggestion;

/* ---- the configuration --------------------------------------------------- */

/* Parses the configuration into a mapping. The user's settings are not applied, because the file
 * must work on its own. */
static twx_rc map_config(suggestion *x, twx_mapping *m) {
    twx_settings s;
    twx_ctx *cx = x->job->cx;
    twx_rc rc = twx_settings_init(cx, &s);
    if (rc == TWX_OK) rc = twx_settings_parse(cx, &s, "suggestion", twx_buf_slice(&x->config));
    const twx_job job = {.cx = cx, .settings = &s, .store = x->job->store};
    if (rc == TWX_OK) rc = twx_mapping_of(&job, m);
    twx_settings_done(&s);
    return rc;
}

/* Comments out the setting and its continuation lines, which begin with a blank. */
static twx_rc comment_out(suggestion *x, twx_slice setting) {
    twx_ctx *cx = x->job->cx;
    twx_slice rest = twx_buf_slice(&x->config);
    twx_buf kept;
    twx_rc rc = TWX_OK;
    bool drops = false;
    twx_buf_init(&kept, CONFIG_BYTES);
    while (rc == TWX_OK && rest.n) {
        const size_t end = twx_slice_find(rest, '\n', 0);
        const twx_slice line = twx_slice_sub(rest, 0, end);
        const size_t sign = twx_slice_find(line, '=', 0);
        const bool continues = line.n && twx_is_space((unsigned char)line.p[0]);
        if (!continues) drops = twx_slice_eq(twx_slice_trim(twx_slice_sub(line, 0, sign)), setting);
        rest = twx_slice_sub(rest, end + 1, rest.n);
        if (drops) rc = twx_buf_add_text(cx, &kept, continues ? "#" : "# not in this store: ");
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &kept, line);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, &kept, '\n');
    }
    twx_buf_done(&x->config);
    x->config = kept;
    return rc;
}

/* The columns of a program differ between releases: settings of a preset that do not work with this
 * store are commented out. */
static twx_rc drop_invalid(suggestion *x) {
    for (size_t round = 0; round < TWX_COLUMNS; round++) {
        twx_mapping m = {0};
        twx_rc rc = map_config(x, &m);
        size_t bad = rc == TWX_OK ? twx_mapping_invalid(x->o.reader, &m, m.from) : TWX_COLUMNS;
        bool needed = bad <= TWX_COL_TEXT;
        twx_mapping_done(&m);
        if (rc != TWX_OK || bad == TWX_COLUMNS || needed) return rc;
        rc = comment_out(x, twx_slice_of(twx_column_name(bad)));
        if (rc != TWX_OK) return rc;
    }
    return TWX_OK;
}

static twx_rc choose(suggestion *x) {
    twx_ctx *cx = x->job->cx;
    twx_preset preset = {0};
    twx_rc rc = twx_preset_find(x->o.reader, &preset);
    if (rc == TWX_OK) {
        x->preset = preset.name;
        rc = twx_buf_printf(cx, &x->config, "# preset %s: " TWX_SLICE_FMT "\n", preset.name,
                            TWX_SLICE_ARG(preset.about));
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &x->config, preset.config);
        return rc == TWX_OK ? drop_invalid(x) : rc;
    }
    if (rc == TWX_DONE)
        rc = twx_buf_add_text(cx, &x->config, "# found by what the columns hold\n[store]\n");
    if (rc != TWX_OK) return rc;
    twx_buf why;
    twx_buf_init(&why, WHY_BYTES);
    rc = twx_guess(x->o.reader, &x->config, &why);
    if (rc == TWX_DONE)
        rc = twx_fail(cx, TWX_E_CONFIG,
                      "%s: no table has a URL and a text, nor do two that are joined%s%s%s: say in "
                      "[store] how to read it",
                      x->job->store, why.n ? " (" : "", why.n ? why.p : "", why.n ? ")" : "");
    twx_buf_done(&why);
    return rc;
}

/* Opens the source with the configuration. A source that is a view, a virtual table or has a
 * generated column gets the setting that permits it; a table without a key gets a setting that
 * makes the URL its key. */
static twx_rc open_suggested(suggestion *x) {
    twx_ctx *cx = x->job->cx;
    twx_rc rc = map_config(x, &x->o.mapping);
    if (rc == TWX_OK) rc = twx_source_open(x->o.reader, &x->o.mapping, &x->o.source);
    if (rc != TWX_E_CONFIG) return rc;
    const char *setting = strstr(cx->message, "store.allow_view")    ? "allow_view = yes\n"
                          : strstr(cx->message, "store.allow_rowid") ? "allow_rowid = yes\n"
                                                                     : NULL;
    if (!setting) return rc;
    twx_ctx_clear(cx);
    twx_mapping_done(&x->o.mapping);
    rc = twx_buf_add_text(cx, &x->config, setting);
    if (rc == TWX_OK) rc = map_config(x, &x->o.mapping);
    return rc == TWX_OK ? twx_source_open(x->o.reader, &x->o.mapping, &x->o.source) : rc;
}

/* ---- what it reads ------------------------------------------------------- */

/* Formats a value on one line, truncated and without control characters. */
static twx_rc shorten(twx_ctx *cx, twx_buf *out, const twx_value *v) {
    if (v->type != TWX_TEXT && v->type != TWX_BLOB) return twx_value_print(cx, out, v);
    twx_slice s = twx_slice_sub(v->bytes, 0, SHOWN_BYTES);
    while (s.n < v->bytes.n && s.n > 0 && (v->bytes.p[s.n] & 0xC0) == 0x80) s.n--;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        rc = twx_buf_add_char(cx, out, c < 0x20 || c == 0x7F ? ' ' : s.p[i]);
    }
    return rc == TWX_OK && s.n < v->bytes.n ? twx_buf_add_text(cx, out, "...") : rc;
}

static twx_rc show_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    suggestion *x = arg;
    twx_ctx *cx = x->job->cx;
    json_t *object = json_object();
    twx_rc rc = TWX_OK;
    (void)ret_enough;
    x->shown++;
    if (!twx_out_is_json(x->out)) rc = twx_out_text(x->out, "#\n# row %" PRIu64 "\n", x->shown);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++) {
        twx_buf text;
        if (!x->o.mapping.map[i] || row->value[i].type == TWX_NULL) continue;
        twx_buf_init(&text, 1 << 12);
        rc = shorten(cx, &text, &row->value[i]);
        if (rc == TWX_OK && twx_out_is_json(x->out))
            json_object_set_new(object, twx_column_name(i), twx_json_slice(twx_buf_slice(&text)));
        else if (rc == TWX_OK)
            rc = twx_out_text(x->out, "#   %-14s %s\n", twx_column_name(i), text.n ? text.p : "");
        twx_buf_done(&text);
    }
    json_array_append_new(x->rows, object);
    return rc;
}

static twx_rc show_rows(suggestion *x) {
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = SHOWN_ROWS, .fn = show_row, .arg = x, .sample = true};
    twx_rc rc = twx_source_read(x->o.source, &cursor, &batch);
    twx_source_cursor_done(&cursor);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc show_fill(suggestion *x) {
    const twx_content_sample *look = &x->look;
    twx_rc rc = twx_out_text(x->out, "#\n# filled, of the first %" PRIu64 " rows:\n", look->rows);
    for (size_t i = 0; rc == TWX_OK && look->rows && i < TWX_COLUMNS; i++)
        if (x->o.mapping.map[i])
            rc = twx_out_text(x->out, "#   %-14s %3" PRIu64 " %%\n", twx_column_name(i),
                              look->filled[i] * 100 / look->rows);
    return rc;
}

static twx_rc warn(void *arg, const char *warning) {
    suggestion *x = arg;
    x->warnings++;
    json_array_append_new(x->warned, twx_json_slice(twx_slice_of(warning)));
    return twx_out_is_json(x->out) ? TWX_OK : twx_out_text(x->out, "# WARNING: %s\n", warning);
}

static twx_rc write_json(suggestion *x) {
    json_t *filled = json_object();
    for (size_t i = 0; x->look.rows && i < TWX_COLUMNS; i++)
        if (x->o.mapping.map[i])
            json_object_set_new(filled, twx_column_name(i),
                                json_real((double)x->look.filled[i] / (double)x->look.rows));
    return twx_out_json(x->out, json_pack("{s:s, s:s?, s:o, s:o, s:O, s:O}", "store", x->job->store,
                                          "preset", x->preset, "config",
                                          twx_json_slice(twx_buf_slice(&x->config)), "filled",
                                          filled, "rows", x->rows, "warnings", x->warned));
}

static twx_rc write_out(suggestion *x) {
    bool json = twx_out_is_json(x->out);
    twx_rc rc =
        json ? TWX_OK
             : twx_out_text(
                   x->out,
                   "# How twindex would read %s. Keep this as twindex.conf beside the store.\n",
                   x->job->store);
    if (rc == TWX_OK && !json) rc = twx_out_bytes(x->out, twx_buf_slice(&x->config));
    if (rc == TWX_OK) rc = show_rows(x);
    if (rc == TWX_OK && !json) rc = show_fill(x);
    if (rc == TWX_OK) rc = twx_content_warnings(&x->look, &x->o.mapping, warn, x);
    return rc == TWX_OK && json ? write_json(x) : rc;
}

twx_rc twx_suggest(const twx_job *job, const twx_out *out) {
    suggestion x = {.job = job, .out = out, .warned = json_array(), .rows = json_array()};
    const twx_settings *s = job->settings;
    const twx_db_options reading = {
        .mode = TWX_DB_READER, .busy_ms = s->run_busy_ms, .row_bytes = s->run_row_bytes};
    twx_buf_init(&x.config, CONFIG_BYTES);
    twx_rc rc = twx_db_open(job->cx, job->store, &reading, &x.o.reader);
    if (rc == TWX_OK) rc = choose(&x);
    if (rc == TWX_OK) rc = open_suggested(&x);
    if (rc == TWX_OK) rc = twx_content_sample_read(&x.o, &x.look);
    if (rc == TWX_OK) rc = write_out(&x);
    twx_buf_done(&x.config);
    json_decref(x.warned);
    json_decref(x.rows);
    twx_opened_done(&x.o);
    return rc == TWX_OK && x.warnings ? TWX_E_DOUBT : rc;
}
