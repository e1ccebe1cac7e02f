#include "import/csv.h"

#include <string.h>

/* Whether a quote is open at the end of these bytes. open: whether one was open before them; if
 * not, they begin a field. A quote counts at the beginning of a field and after a quote that closed
 * one. [R2] */
static bool ends_quoted(twx_slice bytes, char separator, bool open) {
    bool start = !open, closed = false;
    for (size_t i = 0; i < bytes.n; i++) {
        char c = bytes.p[i];
        if (open) {
            open = c != '"';
            closed = !open;
            start = false;
        } else {
            open = c == '"' && (start || closed);
            closed = false;
            start = c == separator;
        }
    }
    return open;
}

twx_rc twx_csv_row(twx_ctx *cx, const twx_csv_source *from, char separator, twx_buf *row) {
    bool open = false, too_long = false;
    twx_buf_clear(row);
    do {
        twx_rc rc = twx_input_line(from->in, from->line);
        bool long_line = rc == TWX_E_LIMIT; /* without a message: the line was skipped */
        if (rc == TWX_DONE && (row->n || too_long)) break;
        if (rc != TWX_OK && !long_line) return rc;
        ++*from->lines;
        too_long |= long_line || from->line->n + 1 > row->max - row->n;
        if (too_long) continue; /* its quotes are unknown, so the next line is taken as a new row */
        const twx_slice more = twx_buf_slice(from->line);
        rc = row->n ? twx_buf_add_char(cx, row, '\n') : TWX_OK;
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, row, more);
        if (rc != TWX_OK) return rc;
        open = ends_quoted(more, separator, open);
    } while (open && !too_long);
    if (!too_long) return TWX_OK;
    twx_buf_clear(row);
    return TWX_E_LIMIT;
}

bool twx_csv_field(twx_slice *rest, char separator, char *room, twx_slice *ret_field) {
    if (!rest->p) return false;
    if (rest->n == 0 || rest->p[0] != '"') {
        size_t end = twx_slice_find(*rest, separator, 0);
        *ret_field = twx_slice_sub(*rest, 0, end);
        *rest = end < rest->n ? twx_slice_sub(*rest, end + 1, rest->n) : (twx_slice){NULL, 0};
        return true;
    }
    size_t n = 0, i = 1;
    for (; i < rest->n; i++) {
        if (rest->p[i] == '"' && (i + 1 >= rest->n || rest->p[i + 1] != '"')) break;
        i += rest->p[i] == '"';
        room[n++] = rest->p[i];
    }
    i++;
    /* what follows a closing quote belongs to the field, as in other readers */
    while (i < rest->n && rest->p[i] != separator) room[n++] = rest->p[i++];
    *ret_field = (twx_slice){room, n};
    *rest = i < rest->n ? twx_slice_sub(*rest, i + 1, rest->n) : (twx_slice){NULL, 0};
    return true;
}

/* [R1] */
static char separator_of(twx_slice row) {
    static const char SEPARATORS[] = {',', ';', '\t'};
    size_t count[sizeof SEPARATORS] = {0}, best = 0;
    bool quoted = false;
    for (size_t i = 0; i < row.n; i++) {
        quoted ^= row.p[i] == '"';
        for (size_t s = 0; !quoted && s < sizeof SEPARATORS; s++)
            count[s] += row.p[i] == SEPARATORS[s];
    }
    for (size_t s = 1; s < sizeof SEPARATORS; s++)
        if (count[s] > count[best]) best = s;
    return SEPARATORS[best];
}

twx_rc twx_csv_header_read(twx_ctx *cx, twx_arena *arena, twx_slice row,
                           twx_csv_header *ret_header) {
    twx_csv_header header = {.separator = separator_of(row)};
    header.names = twx_arena_alloc(cx, arena, TWX_CSV_COLUMNS_MAX, sizeof *header.names);
    char *room = twx_arena_alloc(cx, arena, row.n + 1, 1);
    if (!header.names || !room) return TWX_E_NOMEM;
    twx_slice rest = row, field;
    while (header.n < TWX_CSV_COLUMNS_MAX && twx_csv_field(&rest, header.separator, room, &field)) {
        twx_rc rc = twx_arena_copy(cx, arena, twx_slice_trim(field), &header.names[header.n++]);
        if (rc != TWX_OK) return rc;
    }
    *ret_header = header;
    return TWX_OK;
}
