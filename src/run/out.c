#include "run/internal.h"

#include <math.h>

/* ==== json_values */

enum { TEXT_MAX = 64 << 20, NAME_BYTES = 64, MILLION = 1000000 };

json_t *twx_json_count(uint64_t n) {
    return json_integer((json_int_t)n);
}

json_t *twx_json_share(double share) {
    return json_real(round(share * MILLION) / MILLION);
}

json_t *twx_json_slice(twx_slice s) {
    if (!s.p) return json_null();
    if (twx_utf8_valid(s)) return json_stringn(s.p, s.n);
    twx_buf clean = {.max = TEXT_MAX};
    twx_rc rc = TWX_OK;
    for (const char *p = s.p, *end = s.p + s.n; rc == TWX_OK && p < end;) {
        uint32_t cp;
        char bytes[4];
        p += twx_utf8_next(p, end, &cp);
        rc = twx_buf_add(NULL, &clean, bytes, twx_utf8_put(cp, bytes));
    }
    json_t *value = rc == TWX_OK ? json_stringn(twx_buf_slice(&clean).p, clean.n) : NULL;
    twx_buf_done(&clean);
    return value;
}

json_t *twx_json_text(const char *text) {
    return text ? twx_json_slice(twx_slice_of(text)) : json_null();
}

json_t *twx_json_value(const twx_value *v) {
    twx_buf text = {.max = 1024};
    twx_ctx cx;
    switch (v->type) {
    case TWX_INT: return json_integer((json_int_t)v->i);
    case TWX_REAL:
        if (isfinite(v->r)) return json_real(v->r);
        break;
    case TWX_TEXT: return twx_json_slice(v->bytes);
    case TWX_NULL: return json_null();
    case TWX_BLOB: break;
    }
    twx_ctx_init(&cx);
    json_t *literal = twx_value_print(&cx, &text, v) == TWX_OK
                          ? twx_json_slice(twx_buf_slice(&text))
                          : NULL;
    twx_buf_done(&text);
    return literal;
}

/* Before main(), so that a program that uses jansson, too, may choose its own functions. */
__attribute__((constructor)) static void note_failures(void) {
    json_set_alloc_funcs(twx_noted_malloc, twx_free);
}

static twx_rc fail_made(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_NOMEM, "out of memory for JSON");
}

twx_rc twx_json_made(twx_ctx *cx) {
    return twx_allocation_failed() ? fail_made(cx) : TWX_OK;
}

twx_rc twx_json_append(twx_ctx *cx, json_t *list, json_t *value) {
    const bool failed = json_array_append_new(list, value) != 0;
    return failed ? fail_made(cx) : twx_json_made(cx);
}

/* ==== change_list */

static const struct {
    const char *key, *heading;
} KINDS[TWX_CHANGE_KINDS] = {
    [TWX_NEWLY_HIDDEN] = {"hidden", "newly hidden"},
    [TWX_NEWLY_SHOWN] = {"shown", "newly shown"},
    [TWX_MOVED] = {"moved", "hidden by another document than before"},
    [TWX_GONE] = {"gone", "no longer in the store"},
};

const char *twx_change_kind_text(twx_change_kind kind) {
    return KINDS[kind].heading;
}

const char *twx_change_kind_key(twx_change_kind kind) {
    return KINDS[kind].key;
}

void twx_change_list_done(twx_change_list *list) {
    for (size_t k = 0; k < TWX_CHANGE_KINDS; k++) {
        for (size_t i = 0; i < list->rows[k].n; i++) {
            twx_listed_change *row = &list->rows[k].at[i];
            char *const texts[] = {row->id,     row->url,   row->title,
                                   row->before, row->after, row->why};
            for (size_t t = 0; t < TWX_COUNTOF(texts); t++) twx_free(texts[t]);
        }
        TWX_VEC_DONE(&list->rows[k]);
    }
}

#define C(...) TWX_FIELD(twx_listed_change, __VA_ARGS__)
static const twx_field CHANGE[] = {TWX_FIELDS(C("change", change), C("id", id), C("url", url),
                                              C("title", title), C("representative_before", before),
                                              C("representative", after), C("why", why))};

json_t *twx_change_list_json(const twx_change_list *list) {
    json_t *all = json_object();
    for (size_t k = 0; k < TWX_CHANGE_KINDS; k++)
        json_object_set_new(all, KINDS[k].key,
                            json_pack("{s:I, s:o}", "documents", (json_int_t)list->documents[k],
                                      "rows", twx_rows_json(TWX_ROWS(CHANGE, list->rows[k]))));
    return all;
}

/* "https://hidden.example/ -> https://kept.example/ (same by copy)" */
static twx_rc write_row(const twx_out *out, const twx_listed_change *row) {
    const struct {
        const char *before, *text, *after;
    } parts[] = {{"  ", row->url, ""},
                 {" -> ", row->after, ""},
                 {row->after ? ", before " : ", before hidden by ", row->before, ""},
                 {" (", row->why, ")"}};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(parts); i++) {
        if (!parts[i].text || !parts[i].text[0]) continue;
        rc = twx_out_text(out, "%s", parts[i].before);
        const twx_slice text = twx_slice_of(parts[i].text);
        if (rc == TWX_OK) rc = i < 3 ? twx_out_url(out, text, 0) : twx_out_line(out, text);
        if (rc == TWX_OK) rc = twx_out_text(out, "%s", parts[i].after);
    }
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_change_list_sentence(const twx_out *out, const twx_change_list *list) {
    const char *before = "";
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < TWX_CHANGE_KINDS; k++) {
        if (list->documents[k] == 0) continue;
        rc = twx_out_text(out, "%s%s %s%s", before, TWX_N(list->documents[k]),
                          before[0] ? ""
                                    : twx_plural(list->documents[k], "document ", "documents "),
                          KINDS[k].heading);
        before = ", ";
    }
    return rc == TWX_OK
               ? twx_out_text(out, before[0] ? "\n" : "no document is newly hidden or shown\n")
               : rc;
}

twx_rc twx_change_list_write(const twx_out *out, const twx_change_list *list) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < TWX_CHANGE_KINDS; k++) {
        const uint64_t rest = list->documents[k] - list->rows[k].n;
        if (list->documents[k] == 0) continue;
        rc = twx_out_text(out, "\n%s (%s):\n", KINDS[k].heading, TWX_N(list->documents[k]));
        for (size_t i = 0; rc == TWX_OK && i < list->rows[k].n; i++)
            rc = write_row(out, &list->rows[k].at[i]);
        if (rc == TWX_OK && rest)
            rc = twx_out_text(out, "  ... and %s more (--limit)\n", TWX_N(rest));
    }
    return rc;
}

twx_rc twx_change_list_csv(const twx_out *out, const twx_change_list *list) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < TWX_CHANGE_KINDS; k++)
        rc = twx_rows_csv(out, TWX_ROWS(CHANGE, list->rows[k]), k == 0);
    return rc;
}

/* ==== out */

bool twx_out_is_json(const twx_out *out) {
    return out->sink->format == TWINDEX_JSON;
}

bool twx_out_is_csv(const twx_out *out) {
    return out->sink->format == TWINDEX_CSV;
}

static twx_rc cannot_write(const twx_out *out) {
    return twx_fail(out->cx, TWX_E_IO, "the output cannot be written");
}

twx_rc twx_out_bytes(const twx_out *out, twx_slice bytes) {
    const bool written = bytes.n == 0 || out->sink->write(out->sink->arg, bytes.p, bytes.n) == 0;
    return written ? TWX_OK : cannot_write(out);
}

twx_rc twx_out_text(const twx_out *out, const char *fmt, ...) {
    char small[512];
    va_list args;
    va_start(args, fmt);
    int n = twx_vprint(small, sizeof small, fmt, args);
    va_end(args);
    if (n < 0) return twx_fail(out->cx, TWX_E_INTERNAL, "cannot format '%s'", fmt);
    if ((size_t)n < sizeof small) return twx_out_bytes(out, (twx_slice){small, (size_t)n});
    char *large = twx_malloc(out->cx, (size_t)n + 1);
    if (!large) return TWX_E_NOMEM;
    va_start(args, fmt);
    twx_vprint(large, (size_t)n + 1, fmt, args);
    va_end(args);
    twx_rc rc = twx_out_bytes(out, (twx_slice){large, (size_t)n});
    twx_free(large);
    return rc;
}

twx_rc twx_out_line(const twx_out *out, twx_slice text) {
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to = 0; rc == TWX_OK && from < text.n; from = to + 1) {
        for (to = from; to < text.n && (text.p[to] < '\n' || text.p[to] > '\r');) to++;
        rc = twx_out_bytes(out, twx_slice_sub(text, from, to));
        if (rc == TWX_OK && to < text.n) rc = twx_out_bytes(out, TWX_SLICE_LIT("?"));
    }
    return rc;
}

bool twx_is_web_url(twx_slice url) {
    return twx_slice_starts_nocase(url, TWX_SLICE_LIT("http://")) ||
           twx_slice_starts_nocase(url, TWX_SLICE_LIT("https://"));
}

twx_rc twx_out_link(const twx_out *out, twx_slice url) {
    return !out->link || out->link(out->link_arg, url.p, url.n) == 0 ? TWX_OK : cannot_write(out);
}

twx_rc twx_out_url(const twx_out *out, twx_slice url, size_t most) {
    const bool linked = twx_is_web_url(url);
    twx_rc rc = linked ? twx_out_link(out, url) : TWX_OK;
    if (rc == TWX_OK) rc = most ? twx_out_excerpt(out, url, most) : twx_out_line(out, url);
    return rc == TWX_OK && linked ? twx_out_link(out, TWX_SLICE_LIT("")) : rc;
}

static twx_rc write_buf(const twx_out *out, twx_rc rc, twx_buf *text) {
    if (rc == TWX_OK) rc = twx_out_line(out, twx_buf_slice(text));
    twx_buf_done(text);
    return rc;
}

twx_rc twx_out_value(const twx_out *out, const twx_value *v) {
    twx_buf text = {.max = SIZE_MAX / 4};
    return write_buf(out, twx_value_print(out->cx, &text, v), &text);
}

twx_rc twx_out_excerpt(const twx_out *out, twx_slice text, size_t most) {
    twx_buf shown = {.max = SIZE_MAX / 4};
    return write_buf(out, twx_excerpt(out->cx, text, most, &shown), &shown);
}

twx_rc twx_out_excerpt_end(const twx_out *out, twx_slice text, size_t most) {
    twx_buf shown = {.max = SIZE_MAX / 4};
    return write_buf(out, twx_excerpt_end(out->cx, text, most, &shown), &shown);
}

/* After a write that failed jansson may write once more. */
static int dump(const char *bytes, size_t n, void *arg) {
    const twx_out *out = arg;
    if (out->cx->rc != TWX_OK) return -1;
    return twx_out_bytes(out, (twx_slice){bytes, n}) == TWX_OK ? 0 : -1;
}

twx_rc twx_out_json(const twx_out *out, json_t *value) {
    /* a member that could not be made is missing in the value */
    if (!value || twx_allocation_failed()) {
        json_decref(value);
        return fail_made(out->cx);
    }
    twx_out copy = *out;
    int failed = json_dump_callback(value, dump, &copy,
                                    JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    json_decref(value);
    if (failed && out->cx->rc == TWX_OK) return fail_made(out->cx);
    return failed ? out->cx->rc : twx_out_text(out, "\n");
}

/* ==== fields */

enum { FIELDS_MAX = 40, WIDEST_TEXT = 60, NARROWEST_TEXT = 12 };

static uint64_t count_of(const twx_field *f, const void *at) {
    return f->bytes == sizeof(uint64_t) ? *(const uint64_t *)at : *(const uint32_t *)at;
}

/* A TWX_VEC begins with its rows and their number. */
static twx_rows rows_in(const twx_field *f, const void *at) {
    struct {
        const void *at;
        size_t n;
    } vec;
    memcpy(&vec, at, sizeof vec);
    return (twx_rows){f->of, f->n_of, vec.at, vec.n, f->bytes};
}

/* Counts with names of their own, without those that are 0. */
static json_t *counts_json(const uint64_t *counts, size_t n, const char *(*name)(size_t)) {
    json_t *all = json_object();
    for (size_t i = 0; i < n; i++)
        if (counts[i]) json_object_set_new(all, name(i), twx_json_count(counts[i]));
    return all;
}

static json_t *field_json(const twx_field *f, const void *row) {
    const void *at = (const char *)row + f->offset;
    twx_rows rows;
    switch (f->kind) {
    case TWX_FIELD_COUNT: return twx_json_count(count_of(f, at));
    case TWX_FIELD_KNOWN:
        if (*(const int64_t *)at < 0) return json_null();
        return json_integer(*(const int64_t *)at);
    case TWX_FIELD_INT: return json_integer(*(const int64_t *)at);
    case TWX_FIELD_BOOL: return json_boolean(*(const bool *)at);
    case TWX_FIELD_REAL: return json_real(*(const double *)at);
    case TWX_FIELD_SHARE: return twx_json_share(*(const double *)at);
    case TWX_FIELD_WHOLE: return twx_json_count((uint64_t)(*(const double *)at + 0.5));
    case TWX_FIELD_PPM:
    case TWX_FIELD_RATIO:
        if (*(const int32_t *)at < 0) return json_null();
        return json_real(*(const int32_t *)at / (double)MILLION);
    case TWX_FIELD_TEXT: return twx_json_text(*(const char *const *)at);
    case TWX_FIELD_CHARS: return twx_json_text(at);
    case TWX_FIELD_OPTIONAL:
    case TWX_FIELD_SLICE: return twx_json_slice(*(const twx_slice *)at);
    case TWX_FIELD_VALUE: return twx_json_value(at);
    case TWX_FIELD_ROWS: rows = rows_in(f, at); return twx_rows_json(&rows);
    case TWX_FIELD_COUNTS: return counts_json(at, f->bytes / sizeof(uint64_t), f->names);
    case TWX_FIELD_GET: return f->get(row);
    case TWX_FIELD_MEASURE:
    case TWX_FIELD_FRACTION: break;
    }
    return NULL;
}

static bool is_measure(const twx_field *f) {
    return f->kind == TWX_FIELD_MEASURE || f->kind == TWX_FIELD_FRACTION;
}

/* Sets name, name_low and name_high; all null if it is unknown. */
static void put_measure(json_t *to, const char *name, const twx_measure *m) {
    const struct {
        const char *suffix;
        double value;
    } rows[] = {{"", m->value}, {"_low", m->low}, {"_high", m->high}};
    for (size_t i = 0; i < TWX_COUNTOF(rows); i++) {
        char key[NAME_BYTES];
        snprintf(key, sizeof key, "%s%s", name, rows[i].suffix);
        json_object_set_new(to, key, m->known ? twx_json_share(rows[i].value) : json_null());
    }
}

json_t *twx_row_put(json_t *to, const twx_rows *rows) {
    for (const twx_field *f = rows->fields; f < rows->fields + rows->n_fields; f++) {
        const void *at = (const char *)rows->at + f->offset;
        if (!f->name || (f->kind == TWX_FIELD_OPTIONAL && !((const twx_slice *)at)->p)) continue;
        if (is_measure(f))
            put_measure(to, f->name, at);
        else
            json_object_set_new(to, f->name, field_json(f, rows->at));
    }
    return to;
}

json_t *twx_row_json(const twx_rows *rows) {
    return twx_row_put(json_object(), rows);
}

/* The row with this number, alone. */
static twx_rows row_at(const twx_rows *rows, size_t i) {
    twx_rows row = *rows;
    row.at = (const char *)rows->at + i * rows->bytes;
    return row;
}

json_t *twx_rows_json(const twx_rows *rows) {
    json_t *all = json_array();
    for (size_t i = 0; i < rows->n; i++) {
        const twx_rows row = row_at(rows, i);
        json_array_append_new(all, twx_row_json(&row));
    }
    return all;
}

/* ---- text --------------------------------------------------------------- */

/* "15.8 (14.1-17.6)", per cent; "-" if it is not known */
static const char *measure_text(const twx_measure *m, char room[TWX_CELL_BYTES]) {
    if (!m->known)
        snprintf(room, TWX_CELL_BYTES, "-");
    else if (m->high - m->low < 0.00005)
        twx_print(room, TWX_CELL_BYTES, "%.1f", 100 * m->value);
    else
        twx_print(room, TWX_CELL_BYTES, "%.1f (%.1f-%.1f)", 100 * m->value, 100 * m->low,
                  100 * m->high);
    return room;
}

/* An end of an interval without the 0 before the point: ".851", "1". */
static const char *end_text(double v, char room[TWX_CELL_BYTES]) {
    twx_print(room, TWX_CELL_BYTES, v < 0.9995 ? "%.3f" : "%.0f", v);
    return v < 0.9995 ? room + 1 : room;
}

/* "0.872 (.851-.889)"; without the interval if the value is exact. */
static const char *fraction_text(const twx_measure *m, char room[TWX_CELL_BYTES]) {
    char low[TWX_CELL_BYTES], high[TWX_CELL_BYTES];
    if (!m->known)
        snprintf(room, TWX_CELL_BYTES, "-");
    else if (m->high - m->low < 0.00005)
        twx_print(room, TWX_CELL_BYTES, "%.3f", m->value);
    else
        twx_print(room, TWX_CELL_BYTES, "%.3f (%.8s-%.8s)", m->value, end_text(m->low, low),
                  end_text(m->high, high));
    return room;
}

static bool is_text(const twx_field *f) {
    return f->kind == TWX_FIELD_TEXT || f->kind == TWX_FIELD_CHARS || f->kind == TWX_FIELD_SLICE ||
           f->kind == TWX_FIELD_OPTIONAL;
}

twx_slice twx_field_text(const twx_field *f, const void *row, char room[TWX_CELL_BYTES]) {
    const void *at = (const char *)row + f->offset;
    room[0] = '\0';
    switch (f->kind) {
    case TWX_FIELD_COUNT: return twx_slice_of(twx_number_text(count_of(f, at), ' ', room));
    case TWX_FIELD_INT: {
        const int64_t n = *(const int64_t *)at;
        if (n >= 0) return twx_slice_of(twx_number_text((uint64_t)n, ' ', room));
        snprintf(room, TWX_CELL_BYTES, "%" PRId64, n);
        break;
    }
    case TWX_FIELD_REAL:
    case TWX_FIELD_SHARE: twx_print(room, TWX_CELL_BYTES, "%.2f", *(const double *)at); break;
    case TWX_FIELD_PPM: return twx_slice_of(twx_ppm_text(*(const int32_t *)at, room));
    case TWX_FIELD_RATIO: { /* rounded down, so that only all is 1 */
        const int32_t ppm = *(const int32_t *)at;
        snprintf(room, TWX_CELL_BYTES, "%d.%03d", ppm / MILLION, ppm / 1000 % 1000);
        break;
    }
    case TWX_FIELD_MEASURE: return twx_slice_of(measure_text(at, room));
    case TWX_FIELD_FRACTION: return twx_slice_of(fraction_text(at, room));
    case TWX_FIELD_WHOLE:
        if (*(const double *)at < 0) return TWX_SLICE_LIT("-");
        return twx_slice_of(twx_number_text((uint64_t)(*(const double *)at + 0.5), ' ', room));
    case TWX_FIELD_TEXT: return twx_slice_of(*(const char *const *)at);
    case TWX_FIELD_CHARS: return twx_slice_of(at);
    case TWX_FIELD_OPTIONAL:
    case TWX_FIELD_SLICE: return *(const twx_slice *)at;
    default: break;
    }
    return twx_slice_of(room);
}

static size_t blanks_before(const twx_field *f, bool first) {
    return first || (is_text(f) && f->width <= 0) ? 2 : 1;
}

/* The width of a column: that of its longest text, less if the line would not fit the terminal. */
static size_t column_width(const twx_out *out, const twx_rows *rows, const twx_field *column) {
    const size_t columns = out->sink->columns;
    size_t n = (size_t)abs(column->width), others = 1;
    char room[TWX_CELL_BYTES];
    if (!is_text(column) || column->width >= 0) return n;
    for (size_t i = 0; i < rows->n; i++) {
        const size_t text = twx_text_columns(twx_field_text(column, row_at(rows, i).at, room));
        if (text > n) n = text < WIDEST_TEXT ? text : WIDEST_TEXT;
    }
    for (const twx_field *f = rows->fields; f < rows->fields + rows->n_fields; f++)
        if (f->head) others += blanks_before(f, false) + (f != column) * (size_t)abs(f->width);
    /* a table that does not fit anyway is not spoilt for it */
    return columns == 0 || n + others <= columns || others + NARROWEST_TEXT >= columns
               ? n
               : columns - others;
}

/* How many of the n columns of a line's last cell, which begins at `column`, fit the terminal. */
static size_t fitting(const twx_out *out, size_t n, size_t column) {
    const size_t columns = out->sink->columns;
    if (columns == 0 || column + n <= columns) return n;
    return column + 8 < columns ? columns - column : 8;
}

/* row NULL: the headings. */
static twx_rc write_line(const twx_out *out, const twx_rows *rows, const size_t *widths,
                         const void *row) {
    const twx_field *last = rows->fields + rows->n_fields - 1;
    size_t column = 0;
    twx_rc rc = TWX_OK;
    while (last > rows->fields && !last->head) last--;
    for (const twx_field *f = rows->fields; rc == TWX_OK && f <= last; f++) {
        char room[TWX_CELL_BYTES];
        if (!f->head) continue;
        twx_slice text = row ? twx_field_text(f, row, room) : twx_slice_of(f->head);
        const bool left = is_text(f) && f->width <= 0;
        if (left && row && text.n == 0) text = TWX_SLICE_LIT("(none)");
        const size_t width = widths[f - rows->fields], blanks = blanks_before(f, column == 0);
        column += blanks;
        size_t used = twx_text_columns(text);
        const size_t room_left = f == last ? fitting(out, used, column) : width;
        const bool cut = left && out->sink->columns && used > room_left;
        if (cut) text.n = twx_text_fitting(text, room_left);
        if (cut) used = twx_text_columns(text) + 1;
        const size_t pad = used < width ? width - used : 0;
        rc = twx_out_text(out, "%*s", (int)(blanks + (left ? 0 : pad)), "");
        if (rc == TWX_OK) rc = twx_out_line(out, text);
        if (rc == TWX_OK) rc = twx_out_text(out, "%s", cut ? "\xE2\x80\xA6" : "");
        if (rc == TWX_OK && left && f != last) rc = twx_out_text(out, "%*s", (int)pad, "");
        column += used + pad;
    }
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_rows_write(const twx_out *out, const twx_rows *rows, bool heads) {
    size_t widths[FIELDS_MAX] = {0};
    if (rows->n_fields > FIELDS_MAX) return twx_fail(out->cx, TWX_E_INTERNAL, "too many fields");
    for (size_t i = 0; i < rows->n_fields; i++)
        widths[i] = column_width(out, rows, &rows->fields[i]);
    twx_rc rc = heads ? write_line(out, rows, widths, NULL) : TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < rows->n; i++)
        rc = write_line(out, rows, widths, row_at(rows, i).at);
    return rc;
}

/* ---- CSV ---------------------------------------------------------------- */

enum { CSV_TEXT_BYTES = 1 << 24, FULL_WIDTH = 0xFEE0 /* U+FF0B - '+' */ };

static bool is_formula(twx_slice text) {
    uint32_t code = 0;
    const twx_slice rest = twx_slice_trim(text);
    if (rest.n == 0) return false;
    twx_utf8_next(rest.p, rest.p + rest.n, &code);
    if (code > FULL_WIDTH) code -= FULL_WIDTH;
    return code == '=' || code == '+' || code == '-' || code == '@';
}

static twx_rc csv_text(const twx_out *out, twx_slice text) {
    twx_buf shown = {.max = CSV_TEXT_BYTES};
    if (!text.p) return TWX_OK;
    twx_rc rc = twx_excerpt(out->cx, text, CSV_TEXT_BYTES / 4, &shown);
    text = twx_buf_slice(&shown);
    if (rc == TWX_OK) rc = twx_out_text(out, is_formula(text) ? "\"'" : "\"");
    for (size_t from = 0; rc == TWX_OK && from <= text.n;) {
        const size_t quote = twx_slice_find(text, '"', from);
        rc = twx_out_bytes(out, twx_slice_sub(text, from, quote));
        if (rc == TWX_OK && quote < text.n) rc = twx_out_text(out, "\"\"");
        from = quote + 1;
    }
    twx_buf_done(&shown);
    return rc == TWX_OK ? twx_out_text(out, "\"") : rc;
}

static twx_rc csv_cell(const twx_out *out, const twx_field *f, const void *row) {
    const void *at = (const char *)row + f->offset;
    const twx_measure *m = at;
    char room[TWX_CELL_BYTES];
    twx_rc rc = TWX_OK;
    switch (f->kind) {
    case TWX_FIELD_COUNT: return twx_out_text(out, "%" PRIu64, count_of(f, at));
    case TWX_FIELD_BOOL: return twx_out_text(out, "%d", *(const bool *)at);
    case TWX_FIELD_REAL:
    case TWX_FIELD_SHARE: return twx_out_text(out, "%.4f", *(const double *)at);
    case TWX_FIELD_WHOLE: return twx_out_text(out, "%.0f", *(const double *)at);
    case TWX_FIELD_KNOWN:
        if (*(const int64_t *)at < 0) return TWX_OK;
        return twx_out_text(out, "%" PRId64, *(const int64_t *)at);
    case TWX_FIELD_INT: return twx_out_text(out, "%" PRId64, *(const int64_t *)at);
    case TWX_FIELD_PPM:
    case TWX_FIELD_RATIO: /* below 0: not known */
        if (*(const int32_t *)at < 0) return TWX_OK;
        return twx_out_text(out, "%.6f", *(const int32_t *)at / (double)MILLION);
    case TWX_FIELD_FRACTION:
    case TWX_FIELD_MEASURE:
        return m->known ? twx_out_text(out, "%.4f,%.4f,%.4f", m->value, m->low, m->high)
                        : twx_out_text(out, ",,");
    case TWX_FIELD_CHARS: return twx_out_text(out, "%s", (const char *)at);
    case TWX_FIELD_COUNTS:
        for (size_t i = 0; rc == TWX_OK && i < f->bytes / sizeof(uint64_t); i++)
            rc = twx_out_text(out, "%s%" PRIu64, i ? "," : "", ((const uint64_t *)at)[i]);
        return rc;
    default: return csv_text(out, twx_field_text(f, row, room));
    }
}

static twx_rc csv_heading(const twx_out *out, const twx_field *f) {
    twx_rc rc = TWX_OK;
    if (is_measure(f)) return twx_out_text(out, "%s,%s_low,%s_high", f->name, f->name, f->name);
    if (f->kind != TWX_FIELD_COUNTS) return twx_out_text(out, "%s", f->name);
    for (size_t i = 0; rc == TWX_OK && i < f->bytes / sizeof(uint64_t); i++)
        rc = twx_out_text(out, "%s%s", i ? "," : "", f->names(i));
    return rc;
}

twx_rc twx_rows_csv(const twx_out *out, const twx_rows *rows, bool heads) {
    twx_rc rc = heads ? twx_out_text(out, "\xEF\xBB\xBF") : TWX_OK;
    for (size_t line = heads ? 0 : 1; rc == TWX_OK && line <= rows->n; line++) {
        const char *comma = "";
        for (size_t i = 0; rc == TWX_OK && i < rows->n_fields; i++) {
            const twx_field *f = &rows->fields[i];
            if (!f->name) continue;
            rc = twx_out_text(out, "%s", comma);
            comma = ",";
            if (rc == TWX_OK)
                rc = line ? csv_cell(out, f, row_at(rows, line - 1).at) : csv_heading(out, f);
        }
        if (rc == TWX_OK) rc = twx_out_text(out, "\r\n");
    }
    return rc;
}

/* ==== count_rows */

void twx_count_rows_put(json_t *to, const twx_count_row *rows, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (rows[i].name) json_object_set_new(to, rows[i].name, twx_json_count(rows[i].n));
}

twx_rc twx_count_rows_write(const twx_out *out, const twx_count_row *rows, size_t n) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const twx_count_row *row = &rows[i];
        if (!row->one || (row->n == 0 && !row->always)) continue;
        rc = twx_out_text(out, "  %12s  %s", TWX_N(row->n),
                          row->many ? twx_plural(row->n, row->one, row->many) : row->one);
        if (rc == TWX_OK && row->has_bytes)
            rc = twx_out_text(out, " (%.1f MB)", (double)row->bytes / 1e6);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

twx_rc twx_counts_write(const twx_out *out, const uint64_t *counts, size_t from, size_t n,
                        const char *prefix, const char *(*name)(size_t)) {
    twx_rc rc = TWX_OK;
    for (size_t i = from; rc == TWX_OK && i < n; i++)
        if (counts[i]) rc = twx_out_text(out, "  %12s  %s%s\n", TWX_N(counts[i]), prefix, name(i));
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
