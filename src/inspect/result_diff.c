#include "inspect/result_diff.h"

#include <inttypes.h>

#include "base/plural.h"
#include "inspect/markup_parts.h"

void twx_result_diff_init(twx_result_diff *d, size_t limit) {
    *d = (twx_result_diff){.limit = limit};
    twx_arena_init(&d->arena, 0);
}

void twx_result_diff_done(twx_result_diff *d) {
    TWX_VEC_DONE(&d->rows);
    twx_change_list_done(&d->changes);
    twx_arena_done(&d->arena);
}

static json_t *diff_json(const twx_result_diff *d) {
    json_t *flags = json_object(), *rows = json_array();
    for (size_t i = 0; i < TWX_FLAGS; i++)
        if (d->changed_flags[i])
            json_object_set_new(flags, twx_flag_at(i)->name, twx_json_count(d->changed_flags[i]));
    for (size_t i = 0; i < d->rows.n; i++)
        json_array_append_new(rows, twx_json_slice(d->rows.at[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:b}", "documents", twx_json_count(d->documents),
                     "flips", flags, "changes", twx_change_list_json(&d->changes), "rows", rows,
                     "last_run_changed_nothing", d->unchanged_at != 0);
}

static twx_rc write_unchanged(const twx_out *out, int64_t at) {
    char when[TWX_TIME_BYTES];
    return twx_out_text(out,
                        "the last run, at %s UTC, changed nothing: these are the changes of the "
                        "last run before it that changed something\n",
                        twx_minute_text(at, when));
}

twx_rc twx_result_diff_write(const twx_out *out, const twx_result_diff *d) {
    twx_rc rc = TWX_OK;
    if (twx_out_is_json(out)) return twx_out_json(out, diff_json(d));
    for (size_t i = 0; rc == TWX_OK && i < d->rows.n; i++) {
        rc = twx_out_line(out, d->rows.at[i]);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    if (rc == TWX_OK && d->documents > d->rows.n)
        rc = twx_out_text(out, "... and %" PRIu64 " more\n", d->documents - d->rows.n);
    if (rc == TWX_OK) rc = twx_change_list_write(out, &d->changes);
    if (rc == TWX_OK)
        rc = twx_out_text(out, "%s%" PRIu64 " %s between the published result and the one before\n",
                          d->documents ? "\n" : "", d->documents,
                          twx_plural(d->documents, "document differs", "documents differ"));
    if (rc == TWX_OK && d->unchanged_at) rc = write_unchanged(out, d->unchanged_at);
    for (size_t i = 0; rc == TWX_OK && i < TWX_FLAGS; i++)
        if (d->changed_flags[i])
            rc = twx_out_text(out, "  %12" PRIu64 "  %s\n", d->changed_flags[i],
                              twx_flag_at(i)->name);
    return rc;
}
