#include "inspect/suggestion.h"

#include <inttypes.h>

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
