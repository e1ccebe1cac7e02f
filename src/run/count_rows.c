#include "run/count_rows.h"

#include <inttypes.h>

#include "base/plural.h"

void twx_count_rows_put(json_t *to, const twx_count_row *rows, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (rows[i].name) json_object_set_new(to, rows[i].name, twx_json_count(rows[i].n));
}

twx_rc twx_count_rows_write(const twx_out *out, const twx_count_row *rows, size_t n) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const twx_count_row *row = &rows[i];
        if (!row->one || (row->n == 0 && !row->always)) continue;
        rc = twx_out_text(out, "  %12" PRIu64 "  %s", row->n,
                          row->many ? twx_plural(row->n, row->one, row->many) : row->one);
        if (rc == TWX_OK && row->has_bytes)
            rc = twx_out_text(out, " (%.1f MB)", (double)row->bytes / 1e6);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

json_t *twx_counts_json(const uint64_t *counts, size_t n, const char *(*name)(size_t)) {
    json_t *all = json_object();
    for (size_t i = 0; i < n; i++)
        if (counts[i]) json_object_set_new(all, name(i), twx_json_count(counts[i]));
    return all;
}

twx_rc twx_counts_write(const twx_out *out, const uint64_t *counts, size_t from, size_t n,
                        const char *prefix, const char *(*name)(size_t)) {
    twx_rc rc = TWX_OK;
    for (size_t i = from; rc == TWX_OK && i < n; i++)
        if (counts[i])
            rc = twx_out_text(out, "  %12" PRIu64 "  %s%s\n", counts[i], prefix, name(i));
    return rc;
}

twx_rc twx_count_result_write(const twx_out *out, const char *store, const char *what,
                              const twx_count_row *rows, size_t n, double seconds) {
    if (twx_out_is_json(out)) {
        json_t *o = json_object();
        twx_count_rows_put(o, rows, n);
        json_object_set_new(o, "seconds", json_real(seconds));
        return twx_out_json(out, o);
    }
    twx_rc rc = twx_out_text(out, "%s: %s\n", store, what);
    if (rc == TWX_OK) rc = twx_count_rows_write(out, rows, n);
    return rc == TWX_OK ? twx_out_text(out, "  %12.2f  seconds\n", seconds) : rc;
}
