#include "report/replay_table.h"

#include <inttypes.h>

static double percent(uint64_t part, uint64_t all) {
    return all ? 100.0 * (double)part / (double)all : 0;
}

static json_t *table_json(const twx_replay_table *t) {
    json_t *list = json_array();
    for (size_t i = 0; i < TWX_REPLAY_ROWS; i++) {
        const twx_replay_row *row = &t->rows[i];
        json_array_append_new(
            list, json_pack("{s:f, s:o, s:f, s:o, s:o, s:f}", "threshold", row->threshold, "saved",
                            twx_json_count(row->saved), "saved_share",
                            percent(row->saved, t->predicted) / 100, "wrongly_skipped",
                            twx_json_count(row->wrong), "lost", twx_json_count(row->lost),
                            "lost_share", percent(row->lost, t->unique) / 100));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:f, s:b, s:o}", "learned_from",
                     twx_json_count(t->learned_from), "predicted", twx_json_count(t->predicted),
                     "unique_pages", twx_json_count(t->unique), "unique_pages_only_in_predicted",
                     twx_json_count(t->unique_rest), "exploration", t->exploration,
                     "by_near_copies", (int)t->by_near, "thresholds", list);
}

twx_rc twx_replay_table_write(const twx_out *out, const twx_replay_table *t) {
    if (twx_out_is_json(out)) return twx_out_json(out, table_json(t));
    twx_rc rc = twx_out_text(
        out,
        "learned from the first %zu documents, predicted the other %zu; %" PRIu64
        " unique pages, %" PRIu64
        " of them only among the predicted; %.3g %% of likely duplicates let through\n\nthreshold  "
        "downloads saved     of all  unique pages lost     of all  URLs skipped wrongly\n",
        t->learned_from, t->predicted, t->unique, t->unique_rest, 100 * t->exploration);
    for (size_t i = 0; rc == TWX_OK && i < TWX_REPLAY_ROWS; i++) {
        const twx_replay_row *row = &t->rows[i];
        rc = twx_out_text(
            out, "%9.3f  %15" PRIu64 "  %7.2f %%  %17" PRIu64 "  %7.3f %%  %20" PRIu64 "\n",
            row->threshold, row->saved, percent(row->saved, t->predicted), row->lost,
            percent(row->lost, t->unique), row->wrong);
    }
    return rc;
}
