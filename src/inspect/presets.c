#include "inspect/presets.h"

#include "base/alloc.h"
#include "presets_text.h"
#include "store/db.h"

static twx_slice next_line(twx_slice *text) {
    size_t end = twx_slice_find(*text, '\n', 0);
    twx_slice line = twx_slice_sub(*text, 0, end);
    *text = twx_slice_sub(*text, end + 1, text->n);
    return line;
}

/* The part before the character, trimmed; *rest continues after it. */
static twx_slice take_until(twx_slice *rest, char c) {
    size_t end = twx_slice_find(*rest, c, 0);
    twx_slice part = twx_slice_trim(twx_slice_sub(*rest, 0, end));
    *rest = twx_slice_sub(*rest, end + 1, rest->n);
    return part;
}

/* *ret_columns: the number of required columns, all of which exist; 0: one of them is missing. */
static twx_rc has_needed(twx_db *db, twx_slice needs, size_t *ret_columns) {
    twx_rc rc = TWX_OK;
    bool has = true;
    size_t n = 0;
    while (rc == TWX_OK && has && twx_slice_find(needs, '(', 0) < needs.n) {
        twx_slice table = take_until(&needs, '('), columns = take_until(&needs, ')');
        while (rc == TWX_OK && has && columns.n) {
            rc = twx_db_has_column(db, table, take_until(&columns, ','), &has);
            n++;
        }
        take_until(&needs, ',');
    }
    *ret_columns = has ? n : 0;
    return rc;
}

twx_rc twx_preset_find(twx_db *reader, twx_preset *ret_preset) {
    size_t best = 0, columns = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(TWX_PRESETS); i++) {
        twx_slice text = twx_slice_of(TWX_PRESETS[i].text);
        twx_slice about = next_line(&text), needs = next_line(&text);
        take_until(&needs, ':');
        rc = has_needed(reader, needs, &columns);
        if (rc != TWX_OK || columns <= best) continue;
        best = columns;
        *ret_preset = (twx_preset){TWX_PRESETS[i].name, twx_slice_sub(about, 2, about.n), text};
    }
    return rc == TWX_OK && best == 0 ? TWX_DONE : rc;
}
