#include "predict/replay_table.h"

#include <inttypes.h>

static double percent(uint64_t part, uint64_t all) {
    return all ? 100.0 * (double)part / (double)all : 0;
}

static json_t *rows_json(const twx_replay_part *p) {
    json_t *list = json_array();
    for (size_t i = 0; i < TWX_REPLAY_ROWS; i++) {
        const twx_replay_row *row = &p->rows[i];
        json_array_append_new(
            list, json_pack("{s:f, s:o, s:f, s:o, s:f, s:o, s:o, s:f}", "threshold", row->threshold,
                            "saved", twx_json_count(row->saved), "saved_share",
                            percent(row->saved, p->predicted) / 100, "copies_skipped",
                            twx_json_count(row->copies), "copies_skipped_share",
                            percent(row->copies, p->copies) / 100, "wrongly_skipped",
                            twx_json_count(row->wrong), "lost", twx_json_count(row->lost),
                            "lost_share", percent(row->lost, p->unique) / 100));
    }
    return list;
}

static json_t *part_json(const twx_replay_part *p) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "learned_from",
                     twx_json_count(p->learned_from), "predicted", twx_json_count(p->predicted),
                     "unique_pages", twx_json_count(p->unique), "unique_pages_only_in_predicted",
                     twx_json_count(p->unique_rest), "copies", twx_json_count(p->copies),
                     "thresholds", rows_json(p));
}

static json_t *table_json(const twx_replay_table *t) {
    json_t *all = part_json(&t->by_time);
    json_object_set_new(all, "exploration", json_real(t->exploration));
    json_object_set_new(all, "new_pages", part_json(&t->by_page));
    return all;
}

static twx_rc write_rows(const twx_out *out, const twx_replay_part *p) {
    twx_rc rc = twx_out_text(out, "\nthreshold  downloads saved     of all  copies skipped  unique "
                                  "pages lost     of all  URLs skipped wrongly\n");
    for (size_t i = 0; rc == TWX_OK && i < TWX_REPLAY_ROWS; i++) {
        const twx_replay_row *row = &p->rows[i];
        rc = twx_out_text(
            out,
            "%9.3f  %15" PRIu64 "  %7.2f %%  %12.2f %%  %17" PRIu64 "  %7.3f %%  %20" PRIu64 "\n",
            row->threshold, row->saved, percent(row->saved, p->predicted),
            percent(row->copies, p->copies), row->lost, percent(row->lost, p->unique), row->wrong);
    }
    return rc;
}

twx_rc twx_replay_table_write(const twx_out *out, const twx_replay_table *t) {
    if (twx_out_is_json(out)) return twx_out_json(out, table_json(t));
    twx_rc rc = twx_out_text(
        out,
        "learned from the first %zu documents, predicted the other %zu; %" PRIu64
        " unique pages, %" PRIu64
        " of them only among the predicted; %.3g %% of likely duplicates let through\n",
        t->by_time.learned_from, t->by_time.predicted, t->by_time.unique, t->by_time.unique_rest,
        100 * t->exploration);
    if (rc == TWX_OK) rc = write_rows(out, &t->by_time);
    if (rc == TWX_OK)
        rc = twx_out_text(out,
                          "\nlearned from the %zu documents of one half of the pages, predicted "
                          "%zu others, with %" PRIu64 " pages that are new\n",
                          t->by_page.learned_from, t->by_page.predicted, t->by_page.unique_rest);
    return rc == TWX_OK ? write_rows(out, &t->by_page) : rc;
}
