#include "import/import.h"

#include <math.h>

/* ==== csv */

enum { TWX_CSV_COLUMNS_MAX = 2000 };

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

/* The next field of a row, without its quotes; room: at least rest->n bytes, for fields with
 * doubled quotes. false: no more. */
static bool csv_field(twx_slice *rest, char separator, char *room, twx_slice *ret_field) {
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
    while (header.n < TWX_CSV_COLUMNS_MAX && csv_field(&rest, header.separator, room, &field)) {
        twx_rc rc = twx_arena_copy(cx, arena, twx_slice_trim(field), &header.names[header.n++]);
        if (rc != TWX_OK) return rc;
    }
    *ret_header = header;
    return TWX_OK;
}

/* ==== item */

enum {
    FAULT_BYTES = 256,
    TEXT_MAX = 1 << 30,
    PATH_BYTES = 128,
    FIELDS_BYTES = 1000,
    DEPTH = 3,
    MEMBERS_MAX = 2000
};

/* How a field's value is interpreted. The lenient kinds ignore a value that does not fit, because
 * other programs use the same name for other things. */
typedef enum kind {
    TEXT,
    EXTRACTED, /* text of the page, extracted by the crawler */
    BODY,      /* text of the page or HTML */
    HTML,      /* HTML */
    FIRST,     /* lenient: text; of a list, its first */
    LIST,      /* lenient: text; of a list, all, one a line */
    LINK,      /* lenient: an absolute URL */
    INTEGER,
    STATUS, /* lenient: 100 to 599 */
    DATE,
    ANY_DATE, /* lenient */
    NUMBER
} kind;

static const struct field {
    const char *name;
    kind kind;
    size_t member;
} FIELDS[] = {
#define FIELD(name, kind, member) \
    { name, kind, offsetof(twx_capture, member) }
#define PAGE(name, kind) \
    { name, kind, offsetof(twx_capture, text) }
#include "import/item_fields.inc"
#undef FIELD
#undef PAGE
};

enum { FIELDS_N = TWX_COUNTOF(FIELDS) };

struct twx_items {
    twx_ctx *cx;
    json_t *root;     /* of the previous record */
    twx_arena joined; /* texts that do not occur literally in the JSON */
    twx_buf utf8;
    char fault[FAULT_BYTES];
    const json_t *value[FIELDS_N]; /* of the record, by index in FIELDS */
    char fields[FIELDS_BYTES];
    size_t fields_n, members;
};

twx_rc twx_items_open(twx_ctx *cx, twx_items **ret_items) {
    twx_items *j = twx_calloc(cx, 1, sizeof *j);
    if (!j) return TWX_E_NOMEM;
    j->cx = cx;
    twx_arena_init(&j->joined, 1 << 20);
    twx_buf_init(&j->utf8, TEXT_MAX);
    *ret_items = j;
    return TWX_OK;
}

void twx_items_close(twx_items *j) {
    if (!j) return;
    json_decref(j->root);
    twx_arena_done(&j->joined);
    twx_buf_done(&j->utf8);
    twx_free(j);
}

/* ---- names ---------------------------------------------------------------- */

static bool is_ignored(char c) {
    return c == '_' || c == '-' || c == ' ';
}

/* [R1] */
static bool same_name(const char *name, const char *path) {
    for (;; name++, path++) {
        while (is_ignored(*name)) name++;
        while (is_ignored(*path)) path++;
        char c = *path == '/' ? '.' : twx_lower(*path);
        if (*name != c) return false;
        if (!c) return true;
    }
}

bool twx_item_names_url(const char *name) {
    for (size_t i = 0; i < FIELDS_N; i++)
        if (FIELDS[i].member == offsetof(twx_capture, url) && same_name(FIELDS[i].name, name))
            return true;
    return false;
}

static void note_name(twx_items *j, const char *path) {
    int n = snprintf(j->fields + j->fields_n, sizeof j->fields - j->fields_n, "%s%s",
                     j->fields_n ? ", " : "", path);
    if (n > 0 && j->fields_n + (size_t)n < sizeof j->fields)
        j->fields_n += (size_t)n;
    else
        j->fields[j->fields_n] = '\0';
}

/* Records the members of an object whose names are in the table; nested objects to a fixed
 * depth. */
static void find_fields(twx_items *j, const json_t *object, const char *prefix, int depth) {
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        char path[PATH_BYTES];
        int n = snprintf(path, sizeof path, "%s%s", prefix, key);
        if (n < 0 || (size_t)n >= sizeof path - 1 || j->members++ >= MEMBERS_MAX) continue;
        if (depth == 1) note_name(j, path);
        if (json_is_null(value)) continue;
        for (size_t i = 0; i < FIELDS_N; i++)
            if (!j->value[i] && same_name(FIELDS[i].name, path)) j->value[i] = value;
        if (!json_is_object(value) || depth == DEPTH) continue;
        path[n] = '.';
        path[n + 1] = '\0';
        find_fields(j, value, path, depth + 1);
    }
}

/* ---- values --------------------------------------------------------------- */

static twx_rc fault(twx_items *j, const char **ret_fault, const char *name, const char *what) {
    snprintf(j->fault, sizeof j->fault, "field '%s' %s", name, what);
    *ret_fault = j->fault;
    return TWX_E_DATA;
}

static twx_slice string_of(const json_t *value) {
    return (twx_slice){json_string_value(value), json_string_length(value)};
}

/* [R2] Appends the text of a value: a string, a number as written, a list joined by line feeds;
 * nothing for null. */
static twx_rc add_text(twx_items *j, const json_t *value, twx_buf *out) {
    if (json_is_string(value)) return twx_buf_add_slice(j->cx, out, string_of(value));
    if (json_is_integer(value))
        return twx_buf_printf(j->cx, out, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value)) return twx_buf_printf(j->cx, out, "%.17g", json_real_value(value));
    if (json_is_boolean(value))
        return twx_buf_add_text(j->cx, out, json_is_true(value) ? "true" : "false");
    return TWX_OK;
}

static twx_rc text_of(twx_items *j, const json_t *value, twx_slice *ret_text) {
    twx_buf joined = {.max = TEXT_MAX};
    size_t parts = 0;
    if (json_is_string(value)) {
        *ret_text = string_of(value);
        return TWX_OK;
    }
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < json_array_size(value); i++) {
        const json_t *part = json_array_get(value, i);
        if (json_is_null(part) || json_is_array(part) || json_is_object(part)) continue;
        if (parts++ > 0) rc = twx_buf_add_char(j->cx, &joined, '\n');
        if (rc == TWX_OK) rc = add_text(j, part, &joined);
    }
    if (!json_is_array(value)) rc = add_text(j, value, &joined);
    if (rc == TWX_OK && (parts > 0 || !json_is_array(value)))
        rc = twx_arena_copy(j->cx, &j->joined, twx_buf_slice(&joined), ret_text);
    twx_buf_done(&joined);
    return rc;
}

static bool integer_of(const json_t *value, int64_t *ret_value) {
    if (json_is_string(value))
        return twx_slice_integer(twx_slice_trim(string_of(value)), ret_value);
    if (!json_is_number(value) || fabs(json_number_value(value)) >= 9e18) return false;
    *ret_value = json_is_integer(value) ? json_integer_value(value)
                                        : (int64_t)floor(json_real_value(value));
    return true;
}

/* *ret_day: whether it is a day without a time. */
static bool date_of(const json_t *value, int64_t *ret_seconds, bool *ret_day) {
    int64_t number = 0;
    *ret_day = false;
    if (json_is_string(value)) {
        twx_slice text = twx_slice_trim(string_of(value));
        if (twx_iso8601_parse(text, ret_seconds)) {
            *ret_day = twx_iso8601_is_day(text);
            return true;
        }
        text = twx_slice_sub(text, 0, twx_slice_find(text, '.', 0)); /* "1700000000.25" */
        if (!twx_slice_integer(text, &number)) return false;
    } else if (!integer_of(value, &number)) {
        return false;
    }
    *ret_seconds = twx_seconds_of(number);
    return true;
}

/* TWX_DONE: it is not a number. */
static twx_rc number_of(twx_items *j, const json_t *value, double *ret_number) {
    (void)twx_allocation_failed();
    json_t *parsed = json_is_string(value)
                         ? json_loadb(json_string_value(value), json_string_length(value),
                                      JSON_DECODE_ANY, NULL)
                         : NULL;
    if (!parsed && twx_allocation_failed())
        return twx_fail(j->cx, TWX_E_NOMEM, "out of memory for a number");
    const json_t *number = parsed ? parsed : value;
    bool is = json_is_number(number);
    if (is) *ret_number = json_number_value(number);
    json_decref(parsed);
    return is ? TWX_OK : TWX_DONE;
}

static bool is_absolute(twx_slice text) {
    size_t colon = twx_slice_find(text, ':', 0);
    return colon > 0 && colon < 20 &&
           twx_slice_starts(twx_slice_sub(text, colon, text.n), TWX_SLICE_LIT("://"));
}

/* ---- fields into members -------------------------------------------------- */

/* Text and HTML of the page: the first non-empty value of each. [R4] */
static void take_page(const struct field *f, twx_slice text, twx_item *item) {
    twx_slice *to = &item->capture.text;
    bool html = f->kind == HTML || (f->kind == BODY && twx_looks_like_html(text));
    if (f->kind == EXTRACTED && twx_looks_like_html(twx_slice_sub(text, 0, 64)))
        html = twx_slice_starts_nocase(twx_slice_trim(text), TWX_SLICE_LIT("<!doctype html")) ||
               twx_slice_starts_nocase(twx_slice_trim(text), TWX_SLICE_LIT("<html"));
    if (html) to = &item->html;
    if (twx_slice_trim(text).n == 0 || to->n) return;
    *to = text;
    if (!html && f->kind == EXTRACTED) item->text_is_extracted = true;
}

static twx_rc take_text(twx_items *j, const struct field *f, const json_t *value, twx_item *item,
                        const char **ret_fault) {
    twx_slice text = {NULL, 0}, *member = (twx_slice *)(void *)((char *)&item->capture + f->member);
    const bool page = f->kind == EXTRACTED || f->kind == BODY || f->kind == HTML;
    if (f->kind == FIRST && json_is_array(value)) value = json_array_get(value, 0);
    if (!value) return TWX_OK;
    /* {"text": {...}} is a mistake; with some crawlers "markdown" and "body" are objects */
    if (json_is_object(value))
        return page || f->kind == LINK || f->kind == FIRST || f->kind == LIST
                   ? TWX_OK
                   : fault(j, ret_fault, f->name, "holds an object where a text is expected");
    twx_rc rc = text_of(j, value, &text);
    if (rc != TWX_OK || !text.p) return rc;
    if (page)
        take_page(f, text, item);
    else if (f->kind != LINK || is_absolute(twx_slice_trim(text)))
        *member = text;
    return TWX_OK;
}

static twx_rc take_field(twx_items *j, const struct field *f, const json_t *value, twx_item *item,
                         const char **ret_fault) {
    void *member = (char *)&item->capture + f->member;
    int64_t number = 0;
    bool day = false, known = false;
    if (f->kind <= LINK) return take_text(j, f, value, item, ret_fault);
    /* YaCy writes a list with one element for multi-valued fields */
    if (json_is_array(value)) value = json_array_get(value, 0);
    if (!value || json_is_null(value) ||
        (json_is_string(value) && twx_slice_trim(string_of(value)).n == 0))
        return TWX_OK;
    switch (f->kind) {
    case INTEGER:
    case STATUS:
        known = json_is_string(value) ? twx_http_status(string_of(value), &number)
                                      : integer_of(value, &number);
        if (known && (f->kind == INTEGER || (number >= 100 && number < 600)))
            memcpy(member, &number, sizeof number);
        else if (f->kind == INTEGER)
            return fault(j, ret_fault, f->name, "is not an integer");
        return TWX_OK;
    case DATE:
    case ANY_DATE:
        if (date_of(value, &number, &day)) {
            item->capture.fetched_at = number;
            item->capture.fetched_day = day;
        } else if (f->kind == DATE)
            return fault(j, ret_fault, f->name, "is neither ISO 8601 nor seconds since 1970");
        return TWX_OK;
    default: {
        twx_rc rc = number_of(j, value, &item->capture.score);
        return rc == TWX_DONE ? fault(j, ret_fault, f->name, "is not a number") : rc;
    }
    }
}

/* Whether an earlier name of the table has filled the same member. */
static bool is_set(const twx_item *item, const struct field *f) {
    const void *member = (const char *)&item->capture + f->member;
    if (f->kind == INTEGER || f->kind == STATUS) return item->capture.http_status >= 0;
    if (f->kind == DATE || f->kind == ANY_DATE) return item->capture.fetched_at != INT64_MIN;
    if (f->kind == NUMBER) return !isnan(item->capture.score);
    if (f->kind == EXTRACTED || f->kind == BODY || f->kind == HTML)
        return false; /* take_page() decides */
    return ((const twx_slice *)member)->n > 0;
}

/* {"index": {}}: the line before each document in Elasticsearch's bulk format, which YaCy exports.
 * */
static bool is_bulk_action(const json_t *root) {
    return json_object_size(root) == 1 && (json_is_object(json_object_get(root, "index")) ||
                                           json_is_object(json_object_get(root, "create")));
}

static twx_rc item_of(twx_items *j, twx_item *ret_item, const char **ret_fault) {
    twx_item item = {.capture = twx_capture_none()};
    twx_rc rc = TWX_OK;
    memset(j->value, 0, sizeof j->value);
    j->fields_n = j->members = 0;
    j->fields[0] = '\0';
    find_fields(j, j->root, "", 1);
    for (size_t i = 0; rc == TWX_OK && i < FIELDS_N; i++)
        if (j->value[i] && !is_set(&item, &FIELDS[i]))
            rc = take_field(j, &FIELDS[i], j->value[i], &item, ret_fault);
    item.capture.url = twx_slice_trim(item.capture.url);
    if (rc == TWX_OK && item.capture.url.n == 0) {
        if (json_object_get(j->root, "format") && json_object_get(j->root, "id")) return TWX_DONE;
        if (is_bulk_action(j->root)) return TWX_DONE;
        snprintf(j->fault, sizeof j->fault, "no URL%s%.200s",
                 j->fields_n ? "; the fields are " : ", and no other field", j->fields); /* [R3] */
        *ret_fault = j->fault;
        return TWX_E_DATA;
    }
    item.fields = (twx_slice){j->fields, j->fields_n};
    if (rc == TWX_OK) *ret_item = item;
    return rc;
}

static void forget(twx_items *j) {
    twx_arena_reset(&j->joined);
    json_decref(j->root);
    j->root = NULL;
}

/* ---- completeness of a parsed JSON value ---------------------------------- */

/* Bytes of all keys and strings of a valid JSON text, without their escapes. */
static size_t string_bytes_of(twx_slice json) {
    size_t bytes = 0;
    bool inside = false;
    for (size_t i = 0; i < json.n; i++) {
        const char c = json.p[i];
        if (c == '"') inside = !inside;
        if (c == '"' || !inside) continue;
        bytes++;
        if (c != '\\') continue;
        if (++i >= json.n || json.p[i] != 'u') continue;
        char hex[5] = "";
        memcpy(hex, json.p + i + 1, json.n - i > 4 ? 4 : 0);
        const unsigned long code = strtoul(hex, NULL, 16);
        const bool is_pair = code >= 0xD800 && code < 0xDC00;
        bytes += is_pair ? 3 : (size_t)(code >= 0x80) + (code >= 0x800);
        i += is_pair ? 10 : 4;
    }
    return bytes;
}

/* The same of a parsed value. Recursive: jansson has refused values of more than 2 048 levels
 * (JSON_PARSER_MAX_DEPTH). */
static size_t string_bytes_in(const json_t *value) {
    size_t bytes = json_string_length(value), i;
    json_t *member, *object = (json_t *)(uintptr_t)value; /* iterators are not const */
    json_array_foreach(value, i, member) bytes += string_bytes_in(member);
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at))
        bytes += json_object_iter_key_len(at) + string_bytes_in(json_object_iter_value(at));
    return bytes;
}

twx_rc twx_items_of_json(twx_items *j, twx_slice value, twx_item *ret_item,
                         const char **ret_fault) {
    json_error_t error;
    forget(j);
    (void)twx_allocation_failed();
    j->root = json_loadb(value.n ? value.p : "", value.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
                         &error);
    /* without memory, jansson leaves out characters or members, or reports a syntax error later */
    if (twx_allocation_failed() || (j->root && string_bytes_in(j->root) != string_bytes_of(value)))
        return twx_fail(j->cx, TWX_E_NOMEM, "out of memory for a JSON value of %zu bytes", value.n);
    if (json_is_object(j->root)) return item_of(j, ret_item, ret_fault);
    if (j->root)
        snprintf(j->fault, sizeof j->fault, "a JSON object is expected");
    else
        snprintf(j->fault, sizeof j->fault, "column %d: %s", error.column, error.text);
    *ret_fault = j->fault;
    return TWX_E_DATA;
}

/* A row is read as an object of strings; empty fields are absent. */
twx_rc twx_items_of_row(twx_items *j, const twx_csv_header *header, twx_slice row,
                        twx_item *ret_item, const char **ret_fault) {
    twx_decoded decoded;
    forget(j);
    twx_rc rc = twx_decode(j->cx, row, (twx_slice){0}, false, &j->utf8, &decoded);
    if (rc != TWX_OK) return rc;
    char *room = twx_arena_alloc(j->cx, &j->joined, decoded.text.n + 1, 1);
    j->root = json_object();
    if (!room || !j->root) return twx_fail(j->cx, TWX_E_NOMEM, "out of memory for a row");
    twx_slice rest = decoded.text, field;
    if (!rest.p) rest.p = "";
    size_t i = 0;
    for (; csv_field(&rest, header->separator, room, &field); i++)
        if (i < header->n && field.n && twx_utf8_valid(header->names[i]) &&
            json_object_set_new(j->root, header->names[i].p, json_stringn(field.p, field.n)) != 0)
            return twx_fail(j->cx, TWX_E_NOMEM, "out of memory for a row");
    if (i > header->n) {
        snprintf(j->fault, sizeof j->fault, "%zu fields, but the header names %zu", i, header->n);
        *ret_fault = j->fault;
        return TWX_E_DATA;
    }
    return item_of(j, ret_item, ret_fault);
}
