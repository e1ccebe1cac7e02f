#include "inspect/suggest.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "inspect/presets.h"
#include "run/content_sample.h"
#include "run/document_reader.h"
#include "store/guess.h"

void twx_suggestion_init(twx_suggestion *s) {
    *s = (twx_suggestion){0};
    twx_arena_init(&s->arena, 0);
}

void twx_suggestion_done(twx_suggestion *s) {
    TWX_VEC_DONE(&s->rows);
    TWX_VEC_DONE(&s->warnings);
    twx_arena_done(&s->arena);
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *filled_json(const twx_suggestion *s) {
    json_t *o = json_object();
    for (size_t i = 0; s->sampled && i < TWX_SUGGESTED_COLUMNS; i++)
        if (s->columns[i].name)
            json_object_set_new(o, s->columns[i].name,
                                json_real((double)s->columns[i].filled / (double)s->sampled));
    return o;
}

static json_t *suggestion_json(const twx_suggestion *s) {
    json_t *rows = json_array(), *warnings = json_array();
    for (size_t i = 0; i < s->rows.n; i++) {
        json_t *row = json_object();
        for (size_t c = 0; c < TWX_SUGGESTED_COLUMNS; c++)
            if (s->rows.at[i].value[c].p)
                json_object_set_new(row, s->columns[c].name,
                                    twx_json_slice(s->rows.at[i].value[c]));
        json_array_append_new(rows, row);
    }
    for (size_t i = 0; i < s->warnings.n; i++)
        json_array_append_new(warnings, twx_json_slice(s->warnings.at[i]));
    return json_pack("{s:o, s:s?, s:o, s:o, s:o, s:o}", "store", twx_json_text(s->store), "preset",
                     s->preset, "config", twx_json_slice(s->config), "filled", filled_json(s),
                     "rows", rows, "warnings", warnings);
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_rows(const twx_out *out, const twx_suggestion *s) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s->rows.n; i++) {
        rc = twx_out_text(out, "#\n# row %zu\n", i + 1);
        for (size_t c = 0; rc == TWX_OK && c < TWX_SUGGESTED_COLUMNS; c++)
            if (s->rows.at[i].value[c].p)
                rc = twx_out_text(out, "#   %-14s %s\n", s->columns[c].name,
                                  s->rows.at[i].value[c].p);
    }
    return rc;
}

static twx_rc write_filled(const twx_out *out, const twx_suggestion *s) {
    twx_rc rc = twx_out_text(out, "#\n# filled, of the first %" PRIu64 " rows:\n", s->sampled);
    for (size_t i = 0; rc == TWX_OK && s->sampled && i < TWX_SUGGESTED_COLUMNS; i++)
        if (s->columns[i].name)
            rc = twx_out_text(out, "#   %-14s %3" PRIu64 " %%\n", s->columns[i].name,
                              s->columns[i].filled * 100 / s->sampled);
    return rc;
}

twx_rc twx_suggestion_write(const twx_out *out, const twx_suggestion *s) {
    if (twx_out_is_json(out)) return twx_out_json(out, suggestion_json(s));
    twx_rc rc = twx_out_text(
        out,
        "# How twindex would read %s. Save this as twindex.conf in the directory of the store.\n",
        s->store);
    if (rc == TWX_OK) rc = twx_out_bytes(out, s->config);
    if (rc == TWX_OK) rc = write_rows(out, s);
    if (rc == TWX_OK) rc = write_filled(out, s);
    for (size_t i = 0; rc == TWX_OK && i < s->warnings.n; i++)
        rc = twx_out_text(out, "# WARNING: %s\n", s->warnings.at[i].p);
    return rc;
}

/* ---- suggest ----------------------------------------------------------- */

_Static_assert((int)TWX_COLUMNS <= (int)TWX_SUGGESTED_COLUMNS, "room for every column");

enum { CONFIG_BYTES = 1 << 20, WHY_BYTES = 1 << 16, SHOWN_ROWS = 3, SHOWN_BYTES = 60 };

typedef struct suggestion {
    const twx_job *job;
    twx_suggestion *result;
    twx_opened o;
    twx_buf config; /* text of the configuration file */
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
        x->result->preset = preset.name;
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
                      "%s: no table has a URL and a text, nor do two joined tables%s%s%s: describe "
                      "in [store] how to read the store",
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

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    suggestion *x = arg;
    twx_ctx *cx = x->job->cx;
    twx_suggestion *r = x->result;
    twx_suggested_row shown = {{{NULL, 0}}};
    twx_rc rc = TWX_OK;
    (void)ret_enough;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++) {
        twx_buf text;
        if (!x->o.mapping.map[i] || row->value[i].type == TWX_NULL) continue;
        twx_buf_init(&text, 1 << 12);
        rc = shorten(cx, &text, &row->value[i]);
        if (rc == TWX_OK)
            rc = twx_arena_copy(cx, &r->arena, text.n ? twx_buf_slice(&text) : TWX_SLICE_LIT(""),
                                &shown.value[i]);
        twx_buf_done(&text);
    }
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &r->rows, shown) ? TWX_E_NOMEM : rc;
}

static twx_rc read_rows(suggestion *x) {
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = SHOWN_ROWS, .fn = take_row, .arg = x, .sample = true};
    twx_rc rc = twx_source_read(x->o.source, &cursor, &batch);
    twx_source_cursor_done(&cursor);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc add_warning(void *arg, const char *warning) {
    suggestion *x = arg;
    twx_slice copy;
    twx_rc rc = twx_arena_copy(x->job->cx, &x->result->arena, twx_slice_of(warning), &copy);
    return rc == TWX_OK && !TWX_VEC_PUSH(x->job->cx, &x->result->warnings, copy) ? TWX_E_NOMEM : rc;
}

static twx_rc read_sample(suggestion *x) {
    twx_suggestion *r = x->result;
    twx_content_sample sample;
    twx_rc rc = twx_content_sample_read(&x->o, &sample);
    if (rc == TWX_OK) rc = read_rows(x);
    if (rc == TWX_OK) rc = twx_content_warnings(&sample, &x->o.mapping, add_warning, x);
    if (rc != TWX_OK) return rc;
    r->sampled = sample.rows;
    for (size_t i = 0; i < TWX_COLUMNS; i++) {
        r->columns[i].name = x->o.mapping.map[i] ? twx_column_name(i) : NULL;
        r->columns[i].filled = sample.filled[i];
    }
    return TWX_OK;
}

twx_rc twx_suggest(const twx_job *job, twx_suggestion *ret_suggestion) {
    suggestion x = {.job = job, .result = ret_suggestion};
    const twx_settings *s = job->settings;
    const twx_db_options reading = {
        .mode = TWX_DB_READER, .busy_ms = s->run_busy_ms, .row_bytes = s->run_row_bytes};
    ret_suggestion->store = job->store;
    twx_buf_init(&x.config, CONFIG_BYTES);
    twx_rc rc = twx_db_open(job->cx, job->store, &reading, &x.o.reader);
    if (rc == TWX_OK) rc = choose(&x);
    if (rc == TWX_OK) rc = open_suggested(&x);
    if (rc == TWX_OK) rc = read_sample(&x);
    if (rc == TWX_OK)
        rc = twx_arena_copy(job->cx, &ret_suggestion->arena, twx_buf_slice(&x.config),
                            &ret_suggestion->config);
    twx_buf_done(&x.config);
    twx_opened_done(&x.o);
    return rc;
}
