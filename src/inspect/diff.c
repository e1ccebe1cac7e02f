#include "inspect/diff.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/plural.h"
#include "job/detector_params.h"
#include "job/document_label.h"
#include "job/lock.h"
#include "job/open_store.h"
#include "job/pins_file.h"
#include "judge/flags.h"
#include "run/list_changes.h"
#include "store/digest.h"
#include "store/flags_cursor.h"

/* ---- diff --------------------------------------------------------------- */

typedef struct diff {
    const twx_job *job;
    const twx_out *out;
    twx_opened o;
    twx_flags_cursor was, is;
    size_t limit;
    uint64_t documents, flips[TWX_FLAGS];
    json_t *listed;
    twx_change_notes notes;
    twx_pins *pins; /* NULL: none */
} diff;

/* "42 https://..." */
static twx_rc print_document(diff *d, int64_t doc, twx_buf *out) {
    twx_value id;
    twx_rc rc = twx_id_of(&d->o, doc, &id);
    if (rc == TWX_DONE) return twx_buf_add_text(d->job->cx, out, "(gone)");
    if (rc == TWX_OK) rc = twx_value_print(d->job->cx, out, &id);
    if (rc == TWX_OK) rc = twx_buf_add_char(d->job->cx, out, ' ');
    return rc == TWX_OK ? twx_url_of(&d->o, &id, out) : rc;
}

static twx_rc print_value(twx_ctx *cx, const twx_flag *flag, const twx_flag_row *row,
                          twx_buf *out) {
    int64_t v = 0;
    if (!row) return twx_buf_add_text(cx, out, "-");
    if (!twx_flag_value(flag, row, &v)) return twx_buf_add_text(cx, out, "NULL");
    if (flag->kind == TWX_FLAG_IS_TYPE)
        return twx_buf_add_text(cx, out, twx_duplicate_type_name(v));
    return twx_buf_printf(cx, out, "%" PRId64, v);
}

static twx_rc describe(diff *d, const twx_flag_row *was, const twx_flag_row *is, twx_buf *line) {
    twx_ctx *cx = d->job->cx;
    twx_rc rc = print_document(d, is ? is->doc : was->doc, line);
    for (size_t i = 0; rc == TWX_OK && i < TWX_FLAGS; i++) {
        const twx_flag *flag = twx_flag_at(i);
        if (!twx_flag_differs(flag, was, is)) continue;
        rc = twx_buf_printf(cx, line, "  %s ", flag->name);
        if (rc == TWX_OK) rc = print_value(cx, flag, was, line);
        if (rc == TWX_OK) rc = twx_buf_add_text(cx, line, " -> ");
        if (rc == TWX_OK) rc = print_value(cx, flag, is, line);
    }
    return rc;
}

static twx_rc report_row(diff *d, const twx_flag_row *was, const twx_flag_row *is) {
    twx_buf line;
    bool any = false;
    for (size_t i = 0; i < TWX_FLAGS; i++) {
        bool flip = twx_flag_differs(twx_flag_at(i), was, is);
        d->flips[i] += flip;
        any |= flip;
    }
    if (!any) return TWX_OK;
    twx_rc rc = twx_change_note(&d->notes, was, is);
    if (rc != TWX_OK) return rc;
    if (d->documents++ >= d->limit && d->limit != 0) return TWX_OK;
    twx_buf_init(&line, 1 << 22);
    rc = describe(d, was, is, &line);
    if (rc == TWX_OK && twx_out_is_json(d->out))
        json_array_append_new(d->listed, twx_json_slice(twx_buf_slice(&line)));
    else if (rc == TWX_OK)
        rc = twx_out_text(d->out, "%s\n", line.p);
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
        if (!was || !is || !twx_flag_row_eq(was, is)) rc = report_row(d, was, is);
        if (rc == TWX_OK) rc = twx_cancelled(d->job->cx);
        if (rc != TWX_OK) return rc;
        if (was) twx_flags_cursor_move(&d->was);
        if (is) twx_flags_cursor_move(&d->is);
    }
}

static twx_rc write_totals(diff *d, const twx_change_list *changes) {
    if (twx_out_is_json(d->out)) {
        json_t *flips = json_object();
        for (size_t i = 0; i < TWX_FLAGS; i++)
            if (d->flips[i])
                json_object_set_new(flips, twx_flag_at(i)->name,
                                    json_integer((json_int_t)d->flips[i]));
        json_t *all = json_pack("{s:I, s:o, s:o, s:O}", "documents", (json_int_t)d->documents,
                                "flips", flips, "changes", twx_change_list_json(changes), "rows",
                                d->listed);
        return twx_out_json(d->out, all);
    }
    twx_rc rc = TWX_OK;
    if (d->limit && d->documents > d->limit)
        rc = twx_out_text(d->out, "... and %" PRIu64 " more\n", d->documents - d->limit);
    if (rc == TWX_OK) rc = twx_change_list_write(d->out, changes);
    if (rc == TWX_OK)
        rc = twx_out_text(d->out,
                          "%s%" PRIu64 " %s between the published result and the one before\n",
                          d->documents ? "\n" : "", d->documents,
                          twx_plural(d->documents, "document differs", "documents differ"));
    for (size_t i = 0; rc == TWX_OK && i < TWX_FLAGS; i++)
        if (d->flips[i])
            rc = twx_out_text(d->out, "  %12" PRIu64 "  %s\n", d->flips[i], twx_flag_at(i)->name);
    return rc;
}

static twx_rc open_both(diff *d) {
    twx_state state;
    twx_rc rc = twx_state_read(d->o.generations, &state);
    if (rc != TWX_OK) return rc;
    if (!state.generation || !state.run[0] || !state.run[1])
        return twx_fail(d->job->cx, TWX_E_DATA,
                        "%s: there is no earlier whole result to compare with",
                        twx_own_path(d->job));
    rc = twx_flags_cursor_init(d->job->cx, d->o.generations, state.generation, &d->is);
    return rc == TWX_OK ? twx_flags_cursor_init(d->job->cx, d->o.generations,
                                                twx_other_generation(state.generation), &d->was)
                        : rc;
}

/* Relations of the verdict and pins, as currently configured. */
static twx_rc read_settings(diff *d) {
    twx_params params;
    twx_url_rules *rules = NULL;
    twx_rc rc = twx_relations_parse(d->job->cx, twx_slice_of(d->job->settings->verdict_relations),
                                    &d->notes.relations);
    if (rc == TWX_OK) rc = twx_params_make(d->job, &params, &rules);
    if (rc == TWX_OK) rc = twx_pins_load(d->job, &params.url, &d->pins);
    twx_url_rules_close(rules);
    return rc;
}

static twx_rc write_changes(diff *d) {
    twx_change_list changes = {0};
    twx_rc rc = twx_change_notes_list(&d->notes, &d->o, d->pins, &changes);
    if (rc == TWX_OK) rc = write_totals(d, &changes);
    twx_change_list_done(&changes);
    return rc;
}

twx_rc twx_diff(const twx_job *job, size_t limit, const twx_out *out) {
    diff d = {.job = job,
              .out = out,
              .limit = limit,
              .listed = json_array(),
              .notes = {.cx = job->cx, .limit = limit}};
    twx_rc rc = read_settings(&d);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_RESULTS, &d.o);
    if (rc == TWX_OK) rc = open_both(&d);
    if (rc == TWX_OK && !d.listed) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = compare(&d);
    if (rc == TWX_OK) rc = write_changes(&d);
    json_decref(d.listed);
    twx_flags_cursor_done(&d.was);
    twx_flags_cursor_done(&d.is);
    twx_change_notes_done(&d.notes);
    twx_pins_close(d.pins);
    twx_opened_done(&d.o);
    return rc == TWX_OK && d.documents > 0 ? TWX_E_DOUBT : rc;
}

/* ---- undo, digest ------------------------------------------------------- */

twx_rc twx_undo(const twx_job *job, const twx_out *out) {
    twx_opened o = {0};
    twx_lock *lock = NULL;
    twx_state state;
    char generation = '\0';
    unsigned needs = TWX_NEED_RESULTS | (twx_is_separate(job) ? 0 : TWX_NEED_SOURCE);
    twx_rc rc = twx_lock_take(job->cx, twx_own_path(job), &lock);
    if (rc == TWX_OK)
        rc = twx_open_store(job, needs, &o); /* creates nothing if there are no results */
    twx_opened_done(&o);
    if (rc == TWX_OK) rc = twx_open_store(job, needs | TWX_NEED_TABLES, &o);
    if (rc == TWX_OK) rc = twx_state_read(o.generations, &state);
    if (rc == TWX_OK) {
        const twx_publication p = {.direct = state.id_kind[0] != 'm',
                                   .select = twx_joined_select(job, &o)};
        rc = twx_generation_undo(o.generations, &p, &generation);
    }
    if (rc == TWX_OK && twx_out_is_json(out))
        rc = twx_out_json(out, json_pack("{s:s%, s:I}", "generation", &generation, (size_t)1, "run",
                                         (json_int_t)state.run[generation == 'b']));
    else if (rc == TWX_OK)
        rc = twx_out_text(out,
                          "the flags are those of run %" PRId64
                          " again (generation %c); the next run goes forward\n",
                          state.run[generation == 'b'], generation);
    twx_opened_done(&o);
    twx_lock_release(lock);
    return rc;
}

twx_rc twx_digest_flags(const twx_job *job, const twx_out *out) {
    twx_opened o = {0};
    twx_hash128 digest = {0, 0};
    char hex[40];
    twx_rc rc = twx_open_store(job, TWX_NEED_RESULTS, &o);
    if (rc == TWX_OK) rc = twx_flags_digest(o.writer, &digest);
    snprintf(hex, sizeof hex, "%016" PRIx64 "%016" PRIx64, digest.hi, digest.lo);
    if (rc == TWX_OK && twx_out_is_json(out))
        rc = twx_out_json(out, json_pack("{s:s}", "digest", hex));
    else if (rc == TWX_OK)
        rc = twx_out_text(out, "%s\n", hex);
    twx_opened_done(&o);
    return rc;
}
