#include "inspect/internal.h"

#include <unistd.h>

/* ==== check */

typedef struct twx_finding {
    const char *name; /* of a fact; NULL: a problem, or advice */
    bool problem;
    twx_slice text;
} twx_finding;

static twx_rc add(twx_findings *f, twx_finding row, const char *text) {
    const twx_rc rc = twx_arena_copy(f->cx, &f->arena, twx_slice_of(text), &row.text);
    return rc == TWX_OK && !TWX_VEC_PUSH(f->cx, &f->rows, row) ? TWX_E_NOMEM : rc;
}

twx_rc twx_findings_fact(twx_findings *f, const char *name, const char *fmt, ...) {
    char text[TWX_FINDING_BYTES];
    TWX_PRINT_ARGUMENTS(text, fmt);
    return add(f, (twx_finding){.name = name}, text);
}

twx_rc twx_findings_problem(twx_findings *f, const char *text) {
    for (size_t i = 0; i < f->rows.n; i++)
        if (f->rows.at[i].problem && twx_slice_eq(f->rows.at[i].text, twx_slice_of(text)))
            return TWX_OK;
    f->problems++;
    return add(f, (twx_finding){.problem = true}, text);
}

twx_rc twx_findings_error(twx_findings *f) {
    char text[TWX_MESSAGE_MAX];
    snprintf(text, sizeof text, "%s", f->cx->message);
    twx_ctx_clear(f->cx);
    return twx_findings_problem(f, text);
}

static twx_rc take_problem(void *arg, const char *text) {
    return twx_findings_problem(arg, text);
}

static json_t *findings_json(const twx_findings *f) {
    json_t *facts = json_object(), *problems = json_array(), *advice = json_array();
    for (size_t i = 0; i < f->rows.n; i++) {
        const twx_finding *row = &f->rows.at[i];
        json_t *text = twx_json_slice(row->text);
        json_t *before = row->name ? json_object_get(facts, row->name) : NULL;
        if (!row->name)
            json_array_append_new(row->problem ? problems : advice, text);
        else if (!before)
            json_object_set_new(facts, row->name, text);
        else if (json_is_array(before)) /* several facts share the name */
            json_array_append_new(before, text);
        else
            json_object_set_new(facts, row->name, json_pack("[O, o]", before, text));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "store", twx_json_text(f->store), "facts", facts,
                     "problems", problems, "advice", advice);
}

static twx_rc write_text(const twx_out *out, const twx_findings *f) {
    twx_rc rc = twx_out_text(out, "%s\n", f->store);
    for (size_t i = 0; rc == TWX_OK && i < f->rows.n; i++) {
        const twx_finding *row = &f->rows.at[i];
        rc = twx_out_text(out, "  %-18s ",
                          row->name      ? row->name
                          : row->problem ? "PROBLEM"
                                         : "advice");
        if (rc == TWX_OK) rc = twx_out_line(out, row->text);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    if (rc != TWX_OK) return rc;
    return f->problems ? twx_out_text(out, "%" PRIu64 " %s\n", f->problems,
                                      twx_plural(f->problems, "problem", "problems"))
                       : twx_out_text(out, "no problems\n");
}

twx_rc twx_findings_write(const twx_out *out, const twx_findings *at, size_t n) {
    const bool json = twx_out_is_json(out);
    json_t *all = json && n > 1 ? json_array() : NULL;
    twx_rc rc = TWX_OK;
    if (json && n == 1) return twx_out_json(out, findings_json(at));
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        if (json)
            json_array_append_new(all, findings_json(&at[i]));
        else
            rc = write_text(out, &at[i]);
    }
    return json ? twx_out_json(out, all) : rc;
}

typedef struct inspection {
    const twx_job *job;
    twx_findings *findings;
    twx_opened o;
    twx_state state;
    bool results; /* twindex's own tables exist there */
} inspection;

static twx_rc as_problem(inspection *x, twx_rc rc) {
    if (rc == TWX_OK || rc == TWX_E_NOMEM || rc == TWX_E_INTERRUPTED || rc == TWX_E_TERMINATED)
        return rc;
    return twx_findings_error(x->findings);
}

static twx_rc check_mapping(inspection *x) {
    const twx_mapping *m = &x->o.mapping;
    twx_buf unread = {.max = 1 << 16};
    twx_rc rc = twx_findings_fact(x->findings, "mapping", "%s",
                                  m->own      ? "twindex's own documents table"
                                  : m->chosen ? "found by the usual names"
                                              : "configured");
    if (rc == TWX_OK) rc = twx_findings_fact(x->findings, "from", "%s", m->from);
    if (rc == TWX_OK && m->where) rc = twx_findings_fact(x->findings, "where", "%s", m->where);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++)
        if (m->map[i]) rc = twx_findings_fact(x->findings, twx_column_name(i), "%s", m->map[i]);
    if (rc == TWX_OK && !m->own) rc = twx_mapping_unread(x->o.reader, m, &unread);
    if (rc == TWX_OK && unread.n) rc = twx_findings_fact(x->findings, "not mapped", "%s", unread.p);
    twx_buf_done(&unread);
    if (rc == TWX_OK && m->doubtful)
        rc = twx_findings_problem(
            x->findings, "more than one table or column fits: use --accept-mapping, or name it in "
                         "[store] of a configuration file");
    if (rc == TWX_OK)
        rc = twx_findings_fact(x->findings, "document numbers", "%s",
                               twx_source_is_direct(x->o.source)
                                   ? "the id is the table's integer primary key"
                                   : "ids are mapped to numbers");
    return rc;
}

static twx_rc check_file(inspection *x) {
    twx_buf faults = {.max = 1 << 16}, skipped = {.max = 1 << 16};
    bool wal = false;
    twx_rc rc = twx_db_is_wal(x->o.reader, &wal);
    if (rc == TWX_OK)
        rc = twx_findings_fact(x->findings, "journal", "%s",
                               wal ? "WAL"
                                   : "rollback: readers wait while a run writes; WAL is better");
    if (rc == TWX_OK && x->job->settings->run_check != TWX_CHECKED_NEVER) {
        rc = as_problem(x, twx_db_quick_check(x->o.reader, &faults, &skipped));
        if (rc == TWX_OK && faults.n)
            rc = twx_findings_problem(x->findings, faults.p);
        else if (rc == TWX_OK)
            rc = twx_findings_fact(x->findings, "file", "quick_check finds nothing wrong");
        if (rc == TWX_OK && skipped.n)
            rc = twx_findings_fact(x->findings, "not checked", "%s", skipped.p);
    }
    twx_buf_done(&faults);
    twx_buf_done(&skipped);
    return rc;
}

/* The files of verdict.pins and parameters.model. */
static twx_rc check_files(inspection *x) {
    twx_pins *pins = NULL;
    twx_parameters *learned = NULL;
    twx_rc rc = as_problem(x, twx_files_load(x->job, &pins, &learned));
    size_t n = 0;
    while (pins && twx_pins_at(pins, n)) n++;
    if (rc == TWX_OK && pins)
        rc = twx_findings_fact(x->findings, "pins", "%zu of %s", n, twx_pins_path(pins));
    if (rc == TWX_OK && learned)
        rc = twx_findings_fact(x->findings, "parameters", "%zu hypotheses of %s",
                               twx_parameters_count(learned), twx_parameters_path(learned));
    twx_pins_close(pins);
    twx_parameters_close(learned);
    return rc;
}

static twx_rc check_results(inspection *x) {
    const twx_state *state = &x->state;
    int64_t version = 0;
    twx_rc rc = x->o.writer ? twx_schema_version(x->o.writer, &version) : TWX_OK;
    if (rc != TWX_OK) return as_problem(x, rc);
    x->results = version > 0;
    if (x->results) rc = twx_state_read(x->o.generations, &x->state);
    if (rc != TWX_OK) return rc;
    if (!state->generation) return twx_findings_fact(x->findings, "flags", "none yet");
    return twx_findings_fact(x->findings, "flags", "generation %c, of run %" PRId64,
                             state->generation, state->run[state->generation == 'b']);
}

/* A run that a guard stopped signed documents and left the flags, so nothing else shows it. */
static twx_rc check_outcome(const twx_job *job, twx_findings *f) {
    char when[TWX_TIME_BYTES];
    twx_lock_state last;
    const twx_rc rc = twx_outcome_read(job, &last);
    if (rc != TWX_OK || !last.stopped_at) return rc;
    return twx_findings_fact(f, "stopped", "the last run, at %s UTC, by a guard: %s",
                             twx_minute_text(last.stopped_at, when), last.stopped);
}

static twx_rc expect_run(inspection *x) {
    twx_sign_plan plan = {0};
    uint64_t estimate = 0, signed_now = 0;
    int64_t mark = 0;
    twx_rc rc = as_problem(x, twx_sign_plan_make(x->job, &x->o, false, &plan));
    if (rc != TWX_OK || !plan.fingerprint) return rc;
    rc = check_files(x);
    if (rc == TWX_OK)
        rc = twx_findings_fact(x->findings, "change feed", "%s", twx_feed_name(plan.feed));
    if (rc == TWX_OK) rc = as_problem(x, twx_source_estimate(x->o.source, &estimate));
    if (rc == TWX_OK && x->results) rc = twx_signatures_count(x->o.signatures, &signed_now);
    if (rc == TWX_OK && x->o.changes) rc = twx_changes_mark(x->o.changes, &mark);
    bool current = x->results && x->state.has_fingerprint &&
                   x->state.fingerprint == plan.fingerprint;
    static const char *const READS[] = {
        [TWX_FEED_TRIGGER] = "find no document changed",
        [TWX_FEED_SCAN] = "read every document and sign what changed",
        [TWX_FEED_COLUMN] = "compare the changed column of every document and sign what changed"};
    if (rc == TWX_OK && !current)
        rc = twx_findings_fact(
            x->findings, "a run would", "sign every document%s (at most %" PRIu64 ")",
            signed_now ? " again: settings, mapping or version changed" : "", estimate);
    else if (rc == TWX_OK)
        rc = twx_findings_fact(x->findings, "a run would", "%s; %" PRIu64 " %s signed",
                               plan.feed == TWX_FEED_TRIGGER && mark > 0
                                   ? "sign what is in the change queue"
                                   : READS[plan.feed],
                               signed_now, twx_plural(signed_now, "document is", "documents are"));
    twx_sign_plan_done(&plan);
    return rc;
}

unsigned twx_needs_to_look(const twx_job *job) {
    bool there = !twx_is_separate(job) || access(twx_own_path(job), F_OK) == 0;
    return TWX_NEED_SOURCE | (there ? TWX_NEED_LOOK : 0);
}

/* A valid mapping can still name the wrong columns. */
static twx_rc check_content(inspection *x) {
    twx_content_sample sample;
    const twx_mapping *m = &x->o.mapping;
    const char *text = m->map[TWX_COL_TEXT];
    twx_rc rc = as_problem(x, twx_content_sample_read(&x->o, &sample));
    if (rc == TWX_OK) rc = twx_content_warnings(&sample, m, take_problem, x->findings);
    /* one that takes the text of a page can leave out that the page forbids to be indexed */
    if (rc != TWX_OK || !text || !strstr(text, "html_text(") || m->map[TWX_COL_ROBOTS] ||
        m->map[TWX_COL_CANONICAL_URL])
        return rc;
    return twx_findings_fact(
        x->findings, NULL,
        "text is read from HTML, but what pages say about themselves is not: for "
        "whole pages map robots = html_robots(), canonical_url = html_canonical(), "
        "redirect_url = html_refresh(), hreflang_group = html_hreflang()");
}

twx_rc twx_check(const twx_job *job, twx_findings *ret_findings) {
    inspection x = {.job = job, .findings = ret_findings};
    ret_findings->store = job->store;
    /* must precede the opening of the files by SQLite */
    twx_rc rc = twx_file_obstacles(job, take_problem, ret_findings);
    if (rc == TWX_OK && job->config)
        rc = twx_findings_fact(ret_findings, "configuration", "%s", job->config);
    if (rc == TWX_OK) rc = as_problem(&x, twx_open_store(job, twx_needs_to_look(job), &x.o));
    if (rc == TWX_OK && x.o.source) rc = check_mapping(&x);
    if (rc == TWX_OK && x.o.source) rc = check_content(&x);
    if (rc == TWX_OK && x.o.source) rc = check_file(&x);
    if (rc == TWX_OK && x.o.source) rc = twx_store_obstacles(job, &x.o, take_problem, ret_findings);
    if (rc == TWX_OK && x.o.source) rc = check_results(&x);
    if (rc == TWX_OK && x.o.source) rc = check_outcome(job, ret_findings);
    if (rc == TWX_OK && x.o.source) rc = expect_run(&x);
    twx_opened_done(&x.o);
    return rc;
}

/* ==== suggest */

/* A row as it would be read: a value for each column; absent: NULL or not mapped. */
typedef struct suggested_row {
    twx_slice value[TWX_COLUMNS];
} suggested_row;

/* A configuration for a store, with comments that show its effect.
 * Memory: embedded struct; bytes are in the arena. */
typedef struct suggestion {
    twx_arena arena;
    const char *preset; /* NULL: the mapping was guessed */
    twx_content_sample sample;
    TWX_VEC(suggested_row) rows;
    TWX_VEC(twx_slice) warnings;

    const twx_job *job;
    twx_opened o;
    twx_buf config; /* text of the configuration file */
} suggestion;

/* ---- JSON --------------------------------------------------------------- */

static json_t *suggestion_json(const suggestion *s) {
    json_t *rows = json_array(), *warnings = json_array(), *filled = json_object();
    for (size_t i = 0; s->sample.rows && i < TWX_COLUMNS; i++)
        if (s->o.mapping.map[i])
            json_object_set_new(filled, twx_column_name(i),
                                json_real((double)s->sample.filled[i] / (double)s->sample.rows));
    for (size_t i = 0; i < s->rows.n; i++) {
        json_t *row = json_object();
        for (size_t c = 0; c < TWX_COLUMNS; c++)
            if (s->rows.at[i].value[c].p)
                json_object_set_new(row, twx_column_name(c),
                                    twx_json_slice(s->rows.at[i].value[c]));
        json_array_append_new(rows, row);
    }
    for (size_t i = 0; i < s->warnings.n; i++)
        json_array_append_new(warnings, twx_json_slice(s->warnings.at[i]));
    return json_pack("{s:o, s:s?, s:o, s:o, s:o, s:o}", "store", twx_json_text(s->job->store),
                     "preset", s->preset, "config", twx_json_slice(twx_buf_slice(&s->config)),
                     "filled", filled, "rows", rows, "warnings", warnings);
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_suggestion(const twx_out *out, const suggestion *s) {
    if (twx_out_is_json(out)) return twx_out_json(out, suggestion_json(s));
    twx_rc rc = twx_out_text(
        out,
        "# How twindex would read %s. Save this as twindex.conf in the directory of the store.\n",
        s->job->store);
    if (rc == TWX_OK) rc = twx_out_bytes(out, twx_buf_slice(&s->config));
    for (size_t i = 0; rc == TWX_OK && i < s->rows.n; i++) {
        rc = twx_out_text(out, "#\n# row %zu\n", i + 1);
        for (size_t c = 0; rc == TWX_OK && c < TWX_COLUMNS; c++)
            if (s->rows.at[i].value[c].p)
                rc = twx_out_text(out, "#   %-14s %s\n", twx_column_name(c),
                                  s->rows.at[i].value[c].p);
    }
    const uint64_t n = s->sample.rows;
    if (rc == TWX_OK) rc = twx_out_text(out, "#\n# filled, of the first %" PRIu64 " rows:\n", n);
    for (size_t i = 0; rc == TWX_OK && n && i < TWX_COLUMNS; i++)
        if (s->o.mapping.map[i])
            rc = twx_out_text(out, "#   %-14s %3" PRIu64 " %%\n", twx_column_name(i),
                              s->sample.filled[i] * 100 / n);
    for (size_t i = 0; rc == TWX_OK && i < s->warnings.n; i++)
        rc = twx_out_text(out, "# WARNING: %s\n", s->warnings.at[i].p);
    return rc;
}

enum { CONFIG_BYTES = 1 << 20, WHY_BYTES = 1 << 16, SHOWN_ROWS = 3, SHOWN_BYTES = 60 };

/* ---- the configuration --------------------------------------------------- */

/* Parses the configuration into a mapping, without the user's settings: it must work alone. */
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
    twx_buf kept = {.max = CONFIG_BYTES};
    twx_rc rc = TWX_OK;
    bool drops = false;
    while (rc == TWX_OK && rest.n) {
        const twx_slice line = twx_slice_next_line(&rest);
        const size_t sign = twx_slice_find(line, '=', 0);
        const bool continues = line.n && twx_is_space((unsigned char)line.p[0]);
        if (!continues) drops = twx_slice_eq(twx_slice_trim(twx_slice_sub(line, 0, sign)), setting);
        if (drops) rc = twx_buf_add_text(cx, &kept, continues ? "#" : "# not in this store: ");
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &kept, line);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, &kept, '\n');
    }
    twx_buf_done(&x->config);
    x->config = kept;
    return rc;
}

/* Settings of a preset that do not work with this release's columns are commented out. */
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
    twx_buf why = {.max = WHY_BYTES};
    rc = twx_guess(x->o.reader, &x->config, &why);
    if (rc == TWX_DONE)
        rc = twx_fail(cx, TWX_E_CONFIG,
                      "%s: no table has a URL and a text, nor do two joined tables%s%s%s: describe "
                      "in [store] how to read the store ('twindex help mapping')",
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
    const twx_slice s = twx_utf8_cut(v->bytes, SHOWN_BYTES);
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
    suggested_row shown = {{{NULL, 0}}};
    twx_rc rc = TWX_OK;
    (void)ret_enough;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++) {
        twx_buf text = {.max = 1 << 12};
        if (!x->o.mapping.map[i] || row->value[i].type == TWX_NULL) continue;
        rc = shorten(cx, &text, &row->value[i]);
        if (rc == TWX_OK)
            rc = twx_arena_copy(cx, &x->arena, text.n ? twx_buf_slice(&text) : TWX_SLICE_LIT(""),
                                &shown.value[i]);
        twx_buf_done(&text);
    }
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &x->rows, shown) ? TWX_E_NOMEM : rc;
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
    twx_rc rc = twx_arena_copy(x->job->cx, &x->arena, twx_slice_of(warning), &copy);
    return rc == TWX_OK && !TWX_VEC_PUSH(x->job->cx, &x->warnings, copy) ? TWX_E_NOMEM : rc;
}

/* So that what the other columns could be is not overlooked. */
static twx_rc list_unread(suggestion *x) {
    twx_buf names = {.max = CONFIG_BYTES / 2};
    twx_rc rc = twx_mapping_unread(x->o.reader, &x->o.mapping, &names);
    if (rc == TWX_OK && names.n) twx_one_line(names.p);
    if (rc == TWX_OK && names.n)
        rc = twx_buf_printf(x->job->cx, &x->config, "# not mapped: %s\n", names.p);
    twx_buf_done(&names);
    return rc;
}

twx_rc twx_suggest(const twx_job *job, const twx_out *out) {
    suggestion x = {.job = job, .config = {.max = CONFIG_BYTES}};
    const twx_settings *s = job->settings;
    const twx_db_options reading = {
        .mode = TWX_DB_READER, .busy_ms = s->run_busy_ms, .row_bytes = s->run_row_bytes};
    twx_rc rc = twx_db_open(job->cx, job->store, &reading, &x.o.reader);
    if (rc == TWX_OK) rc = choose(&x);
    if (rc == TWX_OK) rc = open_suggested(&x);
    if (rc == TWX_OK && !x.preset) rc = list_unread(&x);
    if (rc == TWX_OK) rc = twx_content_sample_read(&x.o, &x.sample);
    if (rc == TWX_OK) rc = read_rows(&x);
    if (rc == TWX_OK) rc = twx_content_warnings(&x.sample, &x.o.mapping, add_warning, &x);
    if (rc == TWX_OK) rc = write_suggestion(out, &x);
    if (rc == TWX_OK && x.warnings.n) rc = TWX_E_DOUBT;
    twx_opened_done(&x.o);
    twx_buf_done(&x.config);
    TWX_VEC_DONE(&x.rows);
    TWX_VEC_DONE(&x.warnings);
    twx_arena_done(&x.arena);
    return rc;
}
