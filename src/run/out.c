#include "run/run.h"

#include <math.h>

/* ==== excerpt */

enum { UTF8_BYTES = 4 };

static const char *skip_blank(const char *p, const char *end) {
    while (p < end && twx_is_space((unsigned char)*p)) p++;
    return p;
}

/* Reads one character of the excerpt; returns the position after it. */
static const char *next_shown(const char *p, const char *end, uint32_t *ret_code) {
    if (twx_is_space((unsigned char)*p)) {
        *ret_code = ' ';
        return skip_blank(p, end);
    }
    p += twx_utf8_next(p, end, ret_code);
    if (twx_utf8_is_hidden(*ret_code)) *ret_code = TWX_REPLACEMENT;
    return p;
}

twx_rc twx_excerpt(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out) {
    twx_rc rc = TWX_OK;
    size_t n = 0;
    for (const char *p = text.p, *end = text.p + text.n; rc == TWX_OK && p < end; n++) {
        uint32_t code = 0;
        char bytes[UTF8_BYTES];
        if (n == most) return twx_buf_add_text(cx, out, "...");
        p = next_shown(p, end, &code);
        rc = twx_buf_add(cx, out, bytes, twx_utf8_put(code, bytes));
    }
    return rc;
}

/* Examines only the last bytes, however long the text is. */
twx_rc twx_excerpt_end(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out) {
    const char *end = text.p + text.n, *p = text.p;
    size_t n = 0;
    bool cut = false;
    if (text.n > most * UTF8_BYTES) {
        cut = true;
        p = end - most * UTF8_BYTES;
        while (p < end && ((unsigned char)*p & 0xC0) == 0x80) p++;
    }
    uint32_t code = 0;
    for (const char *at = p; at < end; n++) at = next_shown(at, end, &code);
    for (; n > most; n--, cut = true) p = next_shown(p, end, &code);
    twx_rc rc = cut ? twx_buf_add_text(cx, out, "...") : TWX_OK;
    return rc == TWX_OK ? twx_excerpt(cx, (twx_slice){p, (size_t)(end - p)}, most, out) : rc;
}

/* ==== json_values */

enum { TEXT_MAX = 64 << 20, NAME_BYTES = 64, MILLION = 1000000 };

json_t *twx_json_count(uint64_t n) {
    return json_integer((json_int_t)n);
}

json_t *twx_json_share(double share) {
    return json_real(round(share * MILLION) / MILLION);
}

json_t *twx_json_ppm(int32_t ppm) {
    return ppm < 0 ? json_null() : json_real(ppm / (double)MILLION);
}

json_t *twx_json_slice(twx_slice s) {
    if (!s.p) return json_null();
    if (twx_utf8_valid(s)) return json_stringn(s.p, s.n);
    twx_buf clean;
    twx_buf_init(&clean, TEXT_MAX);
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
    twx_buf text;
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
    twx_buf_init(&text, 1024);
    json_t *literal = twx_value_print(&cx, &text, v) == TWX_OK
                          ? twx_json_slice(twx_buf_slice(&text))
                          : NULL;
    twx_buf_done(&text);
    return literal;
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

void twx_json_put_measure(json_t *to, const char *name, const twx_measure *m) {
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

json_t *twx_change_list_json(const twx_change_list *list) {
    json_t *all = json_object();
    for (size_t k = 0; k < TWX_CHANGE_KINDS; k++) {
        json_t *rows = json_array();
        for (size_t i = 0; i < list->rows[k].n; i++) {
            const twx_listed_change *row = &list->rows[k].at[i];
            json_array_append_new(
                rows,
                json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "id", twx_json_text(row->id), "url",
                          twx_json_text(row->url), "title", twx_json_text(row->title),
                          "representative_before", twx_json_text(row->before), "representative",
                          twx_json_text(row->after), "why", twx_json_text(row->why)));
        }
        json_object_set_new(
            all, KINDS[k].key,
            json_pack("{s:I, s:o}", "documents", (json_int_t)list->documents[k], "rows", rows));
    }
    return all;
}

static twx_rc write_row(const twx_out *out, const twx_listed_change *row) {
    const struct {
        const char *label, *text;
    } parts[] = {
        {"  ", row->url},
        {row->after ? "\n      by " : NULL, row->after},
        {row->before ? row->after ? "\n      before by " : "\n      before hidden by " : NULL,
         row->before},
        {"\n      ", row->why}};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(parts); i++) {
        if (!parts[i].label || !parts[i].text || !parts[i].text[0]) continue;
        rc = twx_out_text(out, "%s", parts[i].label);
        if (rc == TWX_OK) rc = twx_out_line(out, twx_slice_of(parts[i].text));
    }
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_change_list_write(const twx_out *out, const twx_change_list *list) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < TWX_CHANGE_KINDS; k++) {
        const uint64_t rest = list->documents[k] - list->rows[k].n;
        if (list->documents[k] == 0) continue;
        rc = twx_out_text(out, "\n%s (%" PRIu64 "):\n", KINDS[k].heading, list->documents[k]);
        for (size_t i = 0; rc == TWX_OK && i < list->rows[k].n; i++)
            rc = write_row(out, &list->rows[k].at[i]);
        if (rc == TWX_OK && rest)
            rc = twx_out_text(out, "  ... and %" PRIu64 " more (--limit)\n", rest);
    }
    return rc;
}

/* ==== out */

int twx_out_fitting(const twx_out *out, const char *text, size_t column) {
    const size_t n = strlen(text), columns = out->sink->columns; /* style: not crawled text */
    if (columns == 0 || column + n <= columns) return (int)n;
    return column + 8 < columns ? (int)(columns - column) : 8;
}

bool twx_out_is_json(const twx_out *out) {
    return out->sink->format == TWINDEX_JSON;
}

twx_rc twx_out_bytes(const twx_out *out, twx_slice bytes) {
    if (bytes.n == 0 || out->sink->write(out->sink->arg, bytes.p, bytes.n) == 0) return TWX_OK;
    return twx_fail(out->cx, TWX_E_IO, "the output cannot be written");
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

static bool ends_line(char c) {
    return c >= '\n' && c <= '\r';
}

twx_rc twx_out_line(const twx_out *out, twx_slice text) {
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to = 0; rc == TWX_OK && from < text.n; from = to + 1) {
        for (to = from; to < text.n && !ends_line(text.p[to]);) to++;
        rc = twx_out_bytes(out, twx_slice_sub(text, from, to));
        if (rc == TWX_OK && to < text.n) rc = twx_out_bytes(out, TWX_SLICE_LIT("?"));
    }
    return rc;
}

static twx_rc write_buf(const twx_out *out, twx_rc rc, twx_buf *text) {
    if (rc == TWX_OK) rc = twx_out_line(out, twx_buf_slice(text));
    twx_buf_done(text);
    return rc;
}

twx_rc twx_out_value(const twx_out *out, const twx_value *v) {
    twx_buf text;
    twx_buf_init(&text, SIZE_MAX / 4);
    return write_buf(out, twx_value_print(out->cx, &text, v), &text);
}

twx_rc twx_out_excerpt(const twx_out *out, twx_slice text, size_t most) {
    twx_buf shown;
    twx_buf_init(&shown, SIZE_MAX / 4);
    return write_buf(out, twx_excerpt(out->cx, text, most, &shown), &shown);
}

twx_rc twx_out_excerpt_end(const twx_out *out, twx_slice text, size_t most) {
    twx_buf shown;
    twx_buf_init(&shown, SIZE_MAX / 4);
    return write_buf(out, twx_excerpt_end(out->cx, text, most, &shown), &shown);
}

const char *twx_ppm_text(int32_t ppm, char room[TWX_PPM_BYTES]) {
    enum { PERCENT = 10000 };
    if (ppm < 0)
        snprintf(room, TWX_PPM_BYTES, "-");
    else
        snprintf(room, TWX_PPM_BYTES, "%d.%02d %%", ppm / PERCENT, ppm % PERCENT / (PERCENT / 100));
    return room;
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
        return twx_fail(out->cx, TWX_E_NOMEM, "out of memory for JSON");
    }
    twx_out copy = *out;
    int failed = json_dump_callback(value, dump, &copy,
                                    JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    json_decref(value);
    if (failed && out->cx->rc == TWX_OK)
        return twx_fail(out->cx, TWX_E_NOMEM, "out of memory for JSON");
    return failed ? out->cx->rc : twx_out_text(out, "\n");
}
