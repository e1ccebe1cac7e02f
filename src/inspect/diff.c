#include "inspect/internal.h"

/* "42 https://example.org/  exact_unique_b 1 -> 0" */
typedef struct twx_result_row {
    twx_slice text;
    twx_mention of; /* the document; its id is not kept */
} twx_result_row;

void twx_result_diff_done(twx_result_diff *d) {
    TWX_VEC_DONE(&d->rows);
    TWX_VEC_DONE(&d->causes);
    twx_change_list_done(&d->changes);
    twx_arena_done(&d->arena);
}

/* After `undo` the published result is that of the earlier run. */
static bool is_undone(const twx_result_diff *d) {
    return d->runs[1] < d->runs[0];
}

/* lines: structs that begin with a twx_slice. */
static json_t *lines_json(const void *lines, size_t n, size_t bytes) {
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            all, twx_json_slice(*(const twx_slice *)((const char *)lines + i * bytes)));
    return all;
}

static json_t *diff_json(const twx_result_diff *d) {
    static const twx_field DIFF[] = {
        TWX_FIELD(twx_result_diff, "documents", documents),
        TWX_FIELD(twx_result_diff, "new_documents", added),
        TWX_FIELD(twx_result_diff, "gone_documents", gone),
        TWX_FIELD_COUNTS_OF(twx_result_diff, "flips", changed_flags, twx_flag_name)};
    json_t *o = twx_row_json(TWX_ROWS_AT(DIFF, d, 1));
    json_object_set_new(o, "causes", lines_json(d->causes.at, d->causes.n, sizeof *d->causes.at));
    json_object_set_new(o, "changes", twx_change_list_json(&d->changes));
    json_object_set_new(o, "rows", lines_json(d->rows.at, d->rows.n, sizeof *d->rows.at));
    json_object_set_new(o, "last_run_changed_nothing", json_boolean(d->last.unchanged_at != 0));
    if (d->last.stopped_at)
        json_object_set_new(o, "last_run_stopped", twx_json_text(d->last.stopped));
    if (d->documents > d->rows.n)
        json_object_set_new(o, "cut", json_string("--limit 0 lists all documents"));
    if (is_undone(d)) json_object_set_new(o, "undone_run", json_integer(d->runs[0]));
    return o;
}

twx_rc twx_outcome_write(const twx_out *out, const twx_lock_state *last) {
    char when[TWX_TIME_BYTES];
    if (!last->stopped_at) return TWX_OK;
    return twx_out_text(out, "the last run, at %s UTC, was stopped by a guard: %s\n",
                        twx_minute_text(last->stopped_at, when), last->stopped);
}

static twx_rc write_diff(const twx_out *out, const twx_result_diff *d) {
    if (twx_out_is_json(out)) return twx_out_json(out, diff_json(d));
    twx_rc rc = twx_change_list_sentence(out, &d->changes);
    for (size_t i = 0; rc == TWX_OK && i < d->causes.n; i++) {
        rc = twx_out_text(out, "because of ");
        if (rc == TWX_OK) rc = twx_out_line(out, d->causes.at[i]);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    if (rc == TWX_OK && d->last.unchanged_at)
        rc = twx_out_text(out,
                          "the last run, at %s UTC, changed nothing: these are the changes of the "
                          "last run before it that changed something\n",
                          twx_minute_text(d->last.unchanged_at, (char[TWX_TIME_BYTES]){0}));
    if (rc == TWX_OK) rc = twx_outcome_write(out, &d->last);
    if (rc == TWX_OK && is_undone(d))
        rc = twx_out_text(out,
                          "run %" PRId64 " was undone: the flags are those of run %" PRId64 "\n",
                          d->runs[0], d->runs[1]);
    if (rc == TWX_OK) rc = twx_change_list_write(out, &d->changes);
    if (rc == TWX_OK)
        rc = twx_out_text(out, "\n%s %s between the published result and the one before\n",
                          TWX_N(d->documents),
                          twx_plural(d->documents, "document differs", "documents differ"));
    for (size_t i = 0; rc == TWX_OK && i < d->rows.n; i++) {
        rc = twx_out_text(out, "  ");
        if (rc == TWX_OK) rc = twx_out_mentions(out, d->rows.at[i].text, &d->rows.at[i].of, 1);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    if (rc == TWX_OK && d->documents > d->rows.n)
        rc = twx_out_text(out, "  ... and %s more\n", TWX_N(d->documents - d->rows.n));
    return rc == TWX_OK ? twx_counts_write(out, d->changed_flags, 0, TWX_FLAGS, "", twx_flag_name)
                        : rc;
}

/* Finds the next difference from passage *at on; false: there are no more. */
static bool next_difference(const twx_text_diff *p, size_t *at,
                            twx_compared_passage *ret_difference) {
    twx_compared_passage d = {.before = {"", 0}, .a = {"", 0}, .b = {"", 0}};
    bool found = false;
    for (; *at < p->at.n; ++*at) {
        const twx_passage *passage = &p->at.at[*at];
        if (passage->kind == TWX_PASSAGE_BOTH) {
            if (found) break;
            d.before = passage->a;
            continue;
        }
        found = true;
        if (passage->kind == TWX_PASSAGE_ONLY_A)
            d.a = passage->a;
        else
            d.b = passage->b;
    }
    *ret_difference = d;
    return found;
}

twx_rc twx_differences_list(twx_ctx *cx, const twx_text_diff *diff, size_t limit, twx_arena *arena,
                            twx_compared_passages *passages, size_t *ret_differences) {
    twx_compared_passage d;
    twx_rc rc = TWX_OK;
    size_t n = 0;
    for (size_t at = 0; rc == TWX_OK && next_difference(diff, &at, &d);) {
        if (n++ >= limit && limit > 0) continue;
        rc = twx_arena_copy(cx, arena, d.before, &d.before);
        if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, d.a, &d.a);
        if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, d.b, &d.b);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, passages, d)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) *ret_differences = n;
    return rc;
}

typedef struct diff {
    const twx_job *job;
    twx_result_diff *result;
    twx_store_set set;
    twx_set_store *of;   /* whose generations are compared */
    twx_flags_cursor is; /* of the published generation */
    twx_change_notes notes;
    twx_pins *pins; /* NULL: none */
} diff;

/* A document of another store by its id and store, one with an integer id by that, any other one by
 * its URL: its number means nothing to the user. */
static twx_rc print_number(diff *d, int64_t doc, twx_buf *out) {
    twx_arena bytes = {0};
    twx_remote remote = {0};
    twx_value id;
    twx_rc rc = TWX_DONE;
    if (!twx_is_remote(doc) && !twx_source_is_direct(d->of->o.source)) {
        rc = twx_id_of(&d->of->o, doc, &id);
        if (rc == TWX_OK) return twx_url_of(&d->of->o, &id, out);
        if (rc != TWX_DONE) return rc;
    }
    for (char g = 'a'; twx_is_remote(doc) && rc == TWX_DONE && g <= 'b'; g++)
        rc = twx_remote_get(d->of->o.writer, g, doc, &bytes, &remote);
    if (rc == TWX_DONE) {
        rc = twx_buf_printf(d->job->cx, out, "%" PRId64, doc);
    } else if (rc == TWX_OK) {
        rc = twx_value_print(d->job->cx, out, &remote.id);
        if (rc == TWX_OK)
            rc = twx_buf_printf(d->job->cx, out, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(remote.shard));
    }
    twx_arena_done(&bytes);
    return rc;
}

static twx_rc print_value(diff *d, const twx_flag *flag, const twx_flag_row *row, twx_buf *out) {
    twx_ctx *cx = d->job->cx;
    int64_t v = 0;
    if (!row) return twx_buf_add_text(cx, out, "-");
    if (!twx_flag_value(flag, row, &v)) return twx_buf_add_text(cx, out, "NULL");
    char room[TWX_EDITION_NUMBER_TEXT];
    const char *word = twx_flag_word(flag, v, room);
    if (word) return twx_buf_add_text(cx, out, word);
    if (flag->kind == TWX_FLAG_IS_DOC) return print_number(d, v, out);
    return twx_buf_printf(cx, out, "%" PRId64, v);
}

static twx_rc list_row(void *arg, const twx_flag_change *change) {
    diff *d = arg;
    const twx_flag_row *was = change->stored, *is = change->fresh;
    twx_result_diff *r = d->result;
    twx_ctx *cx = d->job->cx;
    twx_buf line = {.max = 1 << 22};
    twx_result_row row = {.of.arena = NULL};
    bool any = false;
    r->added += !was;
    r->gone += !is;
    for (size_t i = 0; i < TWX_FLAGS; i++) {
        const bool differs = twx_flag_differs(twx_flag_at(i), was, is);
        r->changed_flags[i] += differs;
        any |= differs;
    }
    if (!any) return TWX_OK;
    twx_rc rc = twx_change_note(&d->notes, was, is);
    if (rc != TWX_OK) return rc;
    if (r->documents++ >= r->limit && r->limit != 0) return TWX_OK;
    rc = twx_add_document(&d->of->o, is ? is->doc : was->doc, &line, &row.of);
    if (rc == TWX_OK && d->of->shard.p)
        rc = twx_buf_printf(cx, &line, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(d->of->shard));
    for (size_t i = 0; rc == TWX_OK && i < TWX_FLAGS; i++) {
        const twx_flag *flag = twx_flag_at(i);
        if (!twx_flag_differs(flag, was, is)) continue;
        rc = twx_buf_printf(cx, &line, "  %s ", flag->name);
        if (rc == TWX_OK) rc = print_value(d, flag, was, &line);
        if (rc == TWX_OK) rc = twx_buf_add_text(cx, &line, " -> ");
        if (rc == TWX_OK) rc = print_value(d, flag, is, &line);
    }
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &r->arena, twx_buf_slice(&line), &row.text);
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &r->rows, row)) rc = TWX_E_NOMEM;
    twx_buf_done(&line);
    return rc;
}

static twx_rc rewind_published(void *arg) {
    diff *d = arg;
    return twx_flags_cursor_init(d->job->cx, d->of->o.generations, d->of->state.generation, &d->is);
}

static twx_rc next_published(void *arg, twx_flag_row *ret_row, uint32_t *ret_index) {
    diff *d = arg;
    const twx_flag_row *row = NULL;
    const twx_rc rc = twx_flags_cursor_read(&d->is, &row);
    if (rc != TWX_OK || !row) return rc == TWX_OK ? TWX_DONE : rc;
    *ret_row = *row;
    *ret_index = TWX_NO_DOCUMENT;
    twx_flags_cursor_move(&d->is);
    return TWX_OK;
}

static twx_rc compare(diff *d) {
    const twx_state *state = &d->of->state;
    const twx_flag_rows rows = {d, rewind_published, next_published, NULL};
    const twx_flag_base base = {d->of->o.generations, twx_other_generation(state->generation), 1,
                                NULL};
    twx_lock_state last;
    if (state->run[0] && state->run[1])
        return twx_flag_changes(d->job->cx, &rows, &base, NULL, list_row, d);
    const twx_rc rc = twx_outcome_read(&d->of->job, &last);
    if (rc != TWX_OK) return rc;
    return twx_fail(d->job->cx, TWX_E_DATA,
                    "%s: there is no earlier complete result to compare with: %s",
                    twx_own_path(&d->of->job),
                    last.stopped_at ? last.stopped : "the next 'twindex run' makes one");
}

static twx_rc list_all(diff *d) {
    twx_listing_store *stores = twx_calloc(d->job->cx, d->set.n, sizeof *stores);
    if (!stores) return TWX_E_NOMEM;
    for (size_t i = 0; i < d->set.n; i++) {
        twx_set_store *m = &d->set.at[i];
        stores[i] = (twx_listing_store){&m->o, m->o.writer, m->shard};
    }
    const twx_listing where = {.stores = stores, .pins = d->pins};
    const twx_rc rc = twx_change_notes_list(&d->notes, &where, &d->result->changes);
    twx_free(stores);
    return rc;
}

twx_job twx_job_of_store(const twx_job *all, size_t i) {
    twx_job job = *all;
    if (all->n_stores) job.store = all->stores[i];
    job.n_stores = 0;
    return job;
}

twx_rc twx_outcome_read(const twx_job *job, twx_lock_state *ret_last) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && (i == 0 || i < job->n_stores); i++) {
        const twx_job one = twx_job_of_store(job, i);
        twx_lock_state state = {.exists = false};
        rc = twx_lock_look(job->cx, twx_own_path(&one), &state);
        if (rc == TWX_E_CREATE || rc == TWX_E_NOSTORE) { /* `check` reports such a lock file */
            twx_ctx_clear(job->cx);
            rc = TWX_OK;
        }
        if (rc == TWX_OK && (i == 0 || state.stopped_at > ret_last->stopped_at)) *ret_last = state;
    }
    return rc;
}

/* What the earlier run and the published one were made with. */
typedef struct made_with {
    diff *d;
    json_t *settings[2]; /* NULL: not known */
    twx_slice version[2];
    int64_t signed_documents; /* by the later run */
} made_with;

static twx_rc take_compared(void *arg, const twx_value *columns) {
    made_with *m = arg;
    twx_result_diff *r = m->d->result;
    const size_t i = columns[0].i == r->runs[1];
    r->started_at[i] = columns[1].i;
    json_decref(m->settings[i]);
    (void)twx_allocation_failed();
    m->settings[i] = json_loadb(columns[3].bytes.p ? columns[3].bytes.p : "", columns[3].bytes.n, 0,
                                NULL);
    if (!m->settings[i] && twx_allocation_failed())
        return twx_fail(m->d->job->cx, TWX_E_NOMEM, "out of memory for the log of runs");
    if (i != is_undone(r)) m->signed_documents = columns[4].i;
    return twx_arena_copy(m->d->job->cx, &r->arena, columns[2].bytes, &m->version[i]);
}

static TWX_PRINTF(2, 3) twx_rc add_cause(diff *d, const char *fmt, ...) {
    char text[TWX_FINDING_BYTES];
    twx_slice cause;
    TWX_PRINT_ARGUMENTS(text, fmt);
    const twx_rc rc = twx_arena_copy(d->job->cx, &d->result->arena, twx_slice_of(text), &cause);
    return rc == TWX_OK && !TWX_VEC_PUSH(d->job->cx, &d->result->causes, cause) ? TWX_E_NOMEM : rc;
}

/* The value of a setting in the ledger, which omits defaults; of a file its name. */
static const char *recorded(const json_t *settings, const twindex_setting *setting) {
    const json_t *value = json_object_get(settings, setting->name);
    const char *text = json_string_value(json_is_object(value) ? json_object_get(value, "file")
                                                               : value);
    return text ? text : setting->default_value[0] ? setting->default_value : "none";
}

static twx_rc compare_settings(diff *d, json_t *const settings[2]) {
    const twindex_setting *s = NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && (s = twx_settings_at(i)); i++) {
        const char *was = recorded(settings[0], s), *is = recorded(settings[1], s);
        const json_t *values[2] = {json_object_get(settings[0], s->name),
                                   json_object_get(settings[1], s->name)};
        if (strcmp(was, is) != 0)
            rc = add_cause(d, "the setting %s: %.200s -> %.200s", s->name, was, is);
        else if (json_is_object(values[0]) && !json_equal(values[0], values[1]))
            rc = add_cause(d, "the setting %s: the file %.200s has changed", s->name, is);
    }
    return rc;
}

/* Says what the runs were made with, as far as it differs, and what the crawl brought. */
static twx_rc explain_causes(made_with *m) {
    diff *d = m->d;
    const twx_result_diff *r = d->result;
    const json_t *by[2] = {json_object_get(m->settings[0], "signatures"),
                           json_object_get(m->settings[1], "signatures")};
    const bool known = by[0] && by[1], same = known && json_equal(by[0], by[1]);
    const uint64_t first = is_undone(r) ? r->gone : r->added;
    const uint64_t again = same && m->signed_documents > (int64_t)first
                               ? (uint64_t)m->signed_documents - first
                               : 0;
    twx_rc rc = TWX_OK;
    if (m->version[0].n && m->version[1].n && !twx_slice_eq(m->version[0], m->version[1]))
        rc = add_cause(d, "another version: twindex %.40s -> %.40s", m->version[0].p,
                       m->version[1].p);
    if (rc == TWX_OK && !known) rc = add_cause(d, "settings that the log of runs does not have");
    if (rc == TWX_OK && known) rc = compare_settings(d, m->settings);
    if (rc == TWX_OK && known && !same && r->causes.n == 0)
        rc = add_cause(d, "the mapping, or the contents of a file of rules or patterns");
    if (rc == TWX_OK && (r->added || r->gone || again))
        rc = add_cause(d, "the crawl: %s %s new, %s changed, %s gone", TWX_N(r->added),
                       twx_plural(r->added, "document", "documents"), TWX_N(again), TWX_N(r->gone));
    return rc;
}

/* The runs over several stores have the same settings, so one store knows them. */
static twx_rc list_causes(diff *d) {
    twx_set_store *m = &d->set.at[0];
    const size_t now = m->state.generation == 'b';
    d->result->runs[0] = m->state.run[!now];
    d->result->runs[1] = m->state.run[now];
    const int64_t *runs = d->result->runs;
    const twx_display_query question = {twx_display_runs_compared,
                                        TWX_VALUES(twx_int(runs[0]), twx_int(runs[1]))};
    made_with with = {.d = d};
    twx_rc rc = twx_display(m->o.writer, &question, take_compared, &with);
    if (rc == TWX_OK) rc = explain_causes(&with);
    for (size_t i = 0; i < 2; i++) json_decref(with.settings[i]);
    return rc;
}

twx_rc twx_compare_results(const twx_job *job, twx_result_diff *ret_diff) {
    diff d = {.job = job, .result = ret_diff, .notes = {.cx = job->cx, .limit = ret_diff->limit}};
    /* the relations of the verdict and the pins are those that are configured now */
    twx_rc rc = twx_relations_parse(job->cx, twx_slice_of(job->settings->verdict_relations),
                                    &d.notes.relations);
    if (rc == TWX_OK) rc = twx_files_load(job, &d.pins, NULL);
    if (rc == TWX_OK) rc = twx_store_set_open(job, TWX_NEED_SOURCE, &d.set);
    for (size_t i = 0; rc == TWX_OK && i < d.set.n; i++) {
        d.of = &d.set.at[i];
        d.notes.store = (uint16_t)i;
        rc = compare(&d);
        twx_flags_cursor_done(&d.is);
    }
    if (rc == TWX_OK) rc = list_causes(&d);
    if (rc == TWX_OK) rc = list_all(&d);
    twx_change_notes_done(&d.notes);
    twx_pins_close(d.pins);
    twx_store_set_done(&d.set);
    return rc;
}

twx_rc twx_diff(const twx_job *job, size_t limit, const twx_out *out) {
    const bool csv = twx_out_is_csv(out);
    twx_result_diff d = {.limit = csv ? 0 : limit};
    twx_rc rc = twx_compare_results(job, &d);
    if (rc == TWX_OK) rc = twx_outcome_read(job, &d.last);
    if (rc == TWX_OK) rc = csv ? twx_change_list_csv(out, &d.changes) : write_diff(out, &d);
    if (rc == TWX_OK && d.documents && !csv) rc = TWX_E_DOUBT;
    twx_result_diff_done(&d);
    return rc;
}
