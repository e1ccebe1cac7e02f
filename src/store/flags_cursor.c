#include "store/flags_cursor.h"

#include "base/alloc.h"

enum { AT_ONCE = 4096 };

twx_rc twx_flags_cursor_init(twx_ctx *cx, twx_generations *generations, char generation,
                             twx_flags_cursor *ret_flags) {
    twx_flag_row *rows = twx_malloc(cx, AT_ONCE * sizeof *rows);
    if (!rows) return TWX_E_NOMEM;
    *ret_flags = (twx_flags_cursor){.generations = generations,
                                    .generation = generation,
                                    .rows = rows,
                                    .after = INT64_MIN,
                                    .end = generation == 0};
    return TWX_OK;
}

void twx_flags_cursor_done(twx_flags_cursor *f) {
    if (!f) return;
    twx_free(f->rows);
    *f = (twx_flags_cursor){0};
}

twx_rc twx_flags_cursor_read(twx_flags_cursor *f, const twx_flag_row **ret_row) {
    *ret_row = NULL;
    if (f->at == f->n && !f->end) {
        twx_rc rc = twx_flags_read(f->generations, f->generation, f->after, f->rows, AT_ONCE,
                                   &f->n);
        if (rc != TWX_OK) return rc;
        f->at = 0;
        f->end = f->n < AT_ONCE;
        if (f->n) f->after = f->rows[f->n - 1].doc;
    }
    if (f->at < f->n) *ret_row = &f->rows[f->at];
    return TWX_OK;
}

void twx_flags_cursor_move(twx_flags_cursor *f) {
    f->at += f->at < f->n;
}

twx_rc twx_flags_cursor_of(twx_flags_cursor *f, int64_t doc, const twx_flag_row **ret_row) {
    twx_rc rc = twx_flags_cursor_read(f, ret_row);
    while (rc == TWX_OK && *ret_row && (*ret_row)->doc < doc) {
        twx_flags_cursor_move(f);
        rc = twx_flags_cursor_read(f, ret_row);
    }
    if (*ret_row && (*ret_row)->doc != doc) *ret_row = NULL;
    return rc;
}
