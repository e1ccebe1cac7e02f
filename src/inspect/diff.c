#include "inspect/internal.h"

void twx_result_diff_done(twx_result_diff *d) {
    TWX_VEC_DONE(&d->rows);
    twx_change_list_done(&d->changes);
    twx_arena_done(&d->arena);
}

static json_t *diff_json(const twx_result_diff *d) {
    static const twx_field DIFF[] = {
        TWX_FIELD(twx_result_diff, "documents", documents),
        TWX_FIELD_COUNTS_OF(twx_result_diff, "flips", changed_flags, twx_flag_name)};
    json_t *o = twx_row_json(TWX_ROWS_AT(DIFF, d, 1)), *rows = json_array();
    for (size_t i = 0; i < d->rows.n; i++)
        json_array_append_new(rows, twx_json_slice(d->rows.at[i]));
    json_object_set_new(o, "changes", twx_change_list_json(&d->changes));
    json_object_set_new(o, "rows", rows);
    json_object_set_new(o, "last_run_changed_nothing", json_boolean(d->unchanged_at != 0));
    return o;
}

static twx_rc write_diff(const twx_out *out, const twx_result_diff *d) {
    if (twx_out_is_json(out)) return twx_out_json(out, diff_json(d));
    twx_rc rc = twx_change_list_sentence(out, &d->changes);
    if (rc == TWX_OK && d->unchanged_at)
        rc = twx_out_text(out,
                          "the last run, at %s UTC, changed nothing: these are the changes of the "
                          "last run before it that changed something\n",
                          twx_minute_text(d->unchanged_at, (char[TWX_TIME_BYTES]){0}));
    if (rc == TWX_OK) rc = twx_change_list_write(out, &d->changes);
    if (rc == TWX_OK)
        rc = twx_out_text(out, "\n%s %s between the published result and the one before\n",
                          TWX_N(d->documents),
                          twx_plural(d->documents, "document differs", "documents differ"));
    for (size_t i = 0; rc == TWX_OK && i < d->rows.n; i++) {
        rc = twx_out_text(out, "  ");
        if (rc == TWX_OK) rc = twx_out_line(out, d->rows.at[i]);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    if (rc == TWX_OK && d->documents > d->rows.n)
        rc = twx_out_text(out, "  ... and %s more\n", TWX_N(d->documents - d->rows.n));
    return rc == TWX_OK ? twx_counts_write(out, d->changed_flags, 0, TWX_FLAGS, "", twx_flag_name)
                        : rc;
}

/* ---- differences ------------------------------------------------------- */

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

static twx_rc add_difference(twx_ctx *cx, twx_arena *arena, const twx_compared_passage *d,
                             twx_compared_passages *passages) {
    twx_compared_passage copy;
    twx_rc rc = twx_arena_copy(cx, arena, d->before, &copy.before);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, d->a, &copy.a);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, d->b, &copy.b);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, passages, copy) ? TWX_E_NOMEM : rc;
}

twx_rc twx_differences_list(twx_ctx *cx, const twx_text_diff *diff, size_t limit, twx_arena *arena,
                            twx_compared_passages *passages, size_t *ret_differences) {
    twx_compared_passage d;
    twx_rc rc = TWX_OK;
    size_t n = 0;
    for (size_t at = 0; rc == TWX_OK && next_difference(diff, &at, &d);)
        if (n++ < limit || limit == 0) rc = add_difference(cx, arena, &d, passages);
    if (rc == TWX_OK) *ret_differences = n;
    return rc;
}

/* ---- diff -------------------------------------------------------------- */

typedef struct diff {
    const twx_job *job;
    twx_result_diff *result;
    twx_store_set set;
    twx_set_member *of; /* whose generations are compared */
    twx_flags_cursor was, is;
    twx_change_notes notes;
    twx_pins *pins; /* NULL: none */
} diff;

/* "42 https://..." */
static twx_rc print_document(diff *d, int64_t doc, twx_buf *out) {
    const twx_rc rc = twx_add_document(&d->of->o, doc, out);
    if (rc != TWX_OK || !d->of->shard.p) return rc;
    return twx_buf_printf(d->job->cx, out, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(d->of->shard));
}

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

static twx_rc describe(diff *d, const twx_flag_row *was, const twx_flag_row *is, twx_buf *line) {
    twx_ctx *cx = d->job->cx;
    twx_rc rc = print_document(d, is ? is->doc : was->doc, line);
    for (size_t i = 0; rc == TWX_OK && i < TWX_FLAGS; i++) {
        const twx_flag *flag = twx_flag_at(i);
        if (!twx_flag_differs(flag, was, is)) continue;
        rc = twx_buf_printf(cx, line, "  %s ", flag->name);
        if (rc == TWX_OK) rc = print_value(d, flag, was, line);
        if (rc == TWX_OK) rc = twx_buf_add_text(cx, line, " -> ");
        if (rc == TWX_OK) rc = print_value(d, flag, is, line);
    }
    return rc;
}

static twx_rc list_row(diff *d, const twx_flag_row *was, const twx_flag_row *is) {
    twx_result_diff *r = d->result;
    twx_ctx *cx = d->job->cx;
    twx_buf line;
    twx_slice row;
    bool any = false;
    for (size_t i = 0; i < TWX_FLAGS; i++) {
        const bool differs = twx_flag_differs(twx_flag_at(i), was, is);
        r->changed_flags[i] += differs;
        any |= differs;
    }
    if (!any) return TWX_OK;
    twx_rc rc = twx_change_note(&d->notes, was, is);
    if (rc != TWX_OK) return rc;
    if (r->documents++ >= r->limit && r->limit != 0) return TWX_OK;
    twx_buf_init(&line, 1 << 22);
    rc = describe(d, was, is, &line);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &r->arena, twx_slice_of(line.p), &row);
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &r->rows, row)) rc = TWX_E_NOMEM;
    twx_buf_done(&line);
    return rc;
}

static twx_rc compare(diff *d) {
    for (;;) {
        const twx_flag_row *was = NULL, *is = NULL;
        twx_rc rc = twx_flags_cursor_read(&d->was, &was);
        if (rc == TWX_OK) rc = twx_flags_cursor_read(&d->is, &is);
        if (rc != TWX_OK || (!was && !is)) return rc;
        if (was && is && was->doc != is->doc) {
            if (was->doc < is->doc)
                is = NULL;
            else
                was = NULL;
        }
        if (!was || !is || !twx_flag_row_eq(was, is)) rc = list_row(d, was, is);
        if (rc == TWX_OK) rc = twx_cancelled(d->job->cx);
        if (rc != TWX_OK) return rc;
        if (was) twx_flags_cursor_move(&d->was);
        if (is) twx_flags_cursor_move(&d->is);
    }
}

static twx_rc open_both(diff *d) {
    const twx_state *state = &d->of->state;
    twx_generations *g = d->of->o.generations;
    if (!state->run[0] || !state->run[1])
        return twx_fail(d->job->cx, TWX_E_DATA,
                        "%s: there is no earlier complete result to compare with: the next "
                        "'twindex run' makes one",
                        twx_own_path(&d->of->job));
    twx_rc rc = twx_flags_cursor_init(d->job->cx, g, state->generation, &d->is);
    return rc == TWX_OK ? twx_flags_cursor_init(d->job->cx, g,
                                                twx_other_generation(state->generation), &d->was)
                        : rc;
}

static twx_rc compare_all(diff *d) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < d->set.n; i++) {
        d->of = &d->set.at[i];
        d->notes.member = (uint16_t)i;
        rc = open_both(d);
        if (rc == TWX_OK) rc = compare(d);
        twx_flags_cursor_done(&d->was);
        twx_flags_cursor_done(&d->is);
    }
    return rc;
}

/* Looks up what was noted. */
static twx_rc list_all(diff *d) {
    twx_listing_store *stores = twx_calloc(d->job->cx, d->set.n, sizeof *stores);
    if (!stores) return TWX_E_NOMEM;
    for (size_t i = 0; i < d->set.n; i++) {
        twx_set_member *m = &d->set.at[i];
        stores[i] = (twx_listing_store){&m->o, m->o.writer, m->shard};
    }
    const twx_listing where = {.stores = stores, .pins = d->pins};
    const twx_rc rc = twx_change_notes_list(&d->notes, &where, &d->result->changes);
    twx_free(stores);
    return rc;
}

/* The last run changed nothing, so it published nothing either. */
static twx_rc note_last_run(diff *d) {
    twx_lock_state state;
    const twx_rc rc = twx_lock_look(d->job->cx, twx_own_path(d->job), &state);
    if (rc == TWX_OK) d->result->unchanged_at = state.unchanged_at;
    return rc;
}

/* Relations of the verdict and pins, as currently configured. */
static twx_rc read_settings(diff *d) {
    const twx_rc rc = twx_relations_parse(
        d->job->cx, twx_slice_of(d->job->settings->verdict_relations), &d->notes.relations);
    return rc == TWX_OK ? twx_files_load(d->job, &d->pins, NULL) : rc;
}

twx_rc twx_compare_results(const twx_job *job, twx_result_diff *ret_diff) {
    diff d = {.job = job, .result = ret_diff, .notes = {.cx = job->cx, .limit = ret_diff->limit}};
    twx_rc rc = read_settings(&d);
    if (rc == TWX_OK) rc = twx_store_set_open(job, TWX_NEED_SOURCE, &d.set);
    if (rc == TWX_OK) rc = compare_all(&d);
    if (rc == TWX_OK) rc = note_last_run(&d);
    if (rc == TWX_OK) rc = list_all(&d);
    twx_change_notes_done(&d.notes);
    twx_pins_close(d.pins);
    twx_store_set_done(&d.set);
    return rc;
}

twx_rc twx_diff(const twx_job *job, size_t limit, const twx_out *out) {
    twx_result_diff d = {.limit = limit};
    twx_rc rc = twx_compare_results(job, &d);
    if (rc == TWX_OK) rc = write_diff(out, &d);
    if (rc == TWX_OK && d.documents) rc = TWX_E_DOUBT;
    twx_result_diff_done(&d);
    return rc;
}
