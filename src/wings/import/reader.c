#include "import/import.h"

enum { SNIFF_BYTES = 4096, HEADER_BYTES = 1 << 20 };

typedef struct format format;

struct twx_reader {
    twx_ctx *cx;
    twx_reader_options options;
    char *path;
    twx_input *file, *in; /* in: the file, or the open entry of the archive */
    twx_zip *zip;
    twx_slice entry;
    const format *format;
    twx_warc *warc;
    twx_buf row, line;
    uint64_t lines;
    bool in_list; /* within the brackets of a JSON list */
    twx_csv_header header;
    twx_arena names;
    bool any_entry;
};

struct format {
    const char *name;
    bool (*fits)(twx_slice head);
    twx_rc (*next)(twx_reader *r, twx_raw *raw);
    bool items;
};

static bool is_warc(twx_slice head) {
    return twx_slice_starts(head, TWX_SLICE_LIT("WARC/"));
}

static twx_rc next_warc(twx_reader *r, twx_raw *raw) {
    twx_rc rc = r->warc ? TWX_OK : twx_warc_open(r->cx, r->in, r->options.max_record, &r->warc);
    if (rc != TWX_OK) return rc;
    raw->kind = TWX_RAW_WARC;
    raw->at = twx_input_offset(r->in);
    rc = twx_warc_next(r->warc, &raw->warc, &raw->fault);
    if (rc == TWX_E_DATA && r->cx->rc == TWX_OK) {
        if (!raw->fault) raw->fault = "broken record";
        return TWX_OK;
    }
    if (rc == TWX_OK) {
        raw->at = raw->warc.offset;
        raw->too_long = raw->warc.too_long;
    }
    return rc;
}

static twx_slice after_blanks(twx_slice s) {
    while (s.n && twx_is_space((unsigned char)s.p[0])) s = twx_slice_sub(s, 1, s.n);
    return s;
}

/* One object per line: the first line has more than its opening brace. */
static bool is_lines(twx_slice head) {
    if (!head.n || head.p[0] != '{') return false;
    twx_slice line = twx_slice_sub(head, 1, twx_slice_find(head, '\n', 0));
    return twx_slice_trim(line).n > 0;
}

static bool is_values(twx_slice head) {
    if (!head.n || (head.p[0] != '{' && head.p[0] != '[')) return false;
    head = after_blanks(twx_slice_sub(head, 1, head.n));
    return head.n == 0 || memchr("{}[]\"", head.p[0], 5);
}

static twx_rc next_line(twx_reader *r, twx_raw *raw) {
    raw->kind = TWX_RAW_JSON;
    raw->by_line = true;
    for (;;) {
        twx_rc rc = twx_input_line(r->in, &r->line);
        raw->at = ++r->lines;
        raw->too_long = rc == TWX_E_LIMIT && r->cx->rc == TWX_OK;
        raw->bytes = twx_buf_slice(&r->line);
        if (raw->too_long) return TWX_OK;
        if (rc != TWX_OK || twx_slice_trim(raw->bytes).n > 0) return rc;
    }
}

/* Skips blanks, commas and brackets of the list before the next value. TWX_DONE: no more values. */
static twx_rc skip_to_value(twx_reader *r) {
    for (;;) {
        twx_slice next;
        uint64_t taken = 0;
        twx_rc rc = twx_input_peek(r->in, 1, &next);
        if (rc != TWX_OK) return rc;
        if (next.n == 0) return TWX_DONE;
        char c = next.p[0];
        bool bracket = c == (r->in_list ? ']' : '[');
        if (!bracket && c != ',' && !twx_is_space((unsigned char)c)) return TWX_OK;
        r->lines += c == '\n';
        if (bracket) r->in_list = !r->in_list;
        rc = twx_input_take(r->in, 1, NULL, &taken);
        if (rc != TWX_OK) return rc;
    }
}

/* The state of a scan through a value. */
typedef struct json_scan {
    size_t depth;
    bool string, escaped, begun;
} json_scan;

/* The length of the value within s; s.n if it does not end there. */
static size_t scan_value(json_scan *scan, twx_slice s) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (scan->escaped) {
            scan->escaped = false;
        } else if (scan->string) {
            scan->escaped = c == '\\';
            scan->string = c != '"';
        } else if (c == '"') {
            scan->string = true;
        } else if (c == '{' || c == '[') {
            scan->depth++;
        } else if ((c == '}' || c == ']') && scan->depth > 0) {
            if (--scan->depth == 0) return i + 1;
        } else if (scan->depth == 0 && scan->begun &&
                   (c == ',' || c == ']' || twx_is_space((unsigned char)c))) {
            return i; /* a number or word, which is not a record */
        }
        scan->begun = true;
    }
    return s.n;
}

static twx_rc next_value(twx_reader *r, twx_raw *raw) {
    json_scan scan = {0};
    twx_rc rc = skip_to_value(r);
    raw->kind = TWX_RAW_JSON;
    raw->by_line = true;
    raw->at = r->lines + 1;
    twx_buf_clear(&r->line);
    for (bool ended = false; rc == TWX_OK && !ended;) {
        twx_slice some;
        uint64_t taken = 0;
        rc = twx_input_peek(r->in, 1, &some);
        if (rc == TWX_OK && some.n == 0) break; /* truncated: the parser reports where */
        if (rc == TWX_OK) rc = twx_input_window(r->in, &some);
        if (rc != TWX_OK) break;
        size_t n = scan_value(&scan, some);
        ended = scan.begun && scan.depth == 0 && !scan.string &&
                (n < some.n || some.p[n - 1] == '}' || some.p[n - 1] == ']');
        for (size_t i = 0; i < n; i++) r->lines += some.p[i] == '\n';
        raw->too_long |= n > r->line.max - r->line.n;
        if (!raw->too_long) rc = twx_buf_add(r->cx, &r->line, some.p, n);
        if (rc == TWX_OK) rc = twx_input_take(r->in, n, NULL, &taken);
    }
    raw->bytes = twx_buf_slice(&r->line);
    return rc;
}

/* Whether the first line has two or more column names, and does not look like markup or prose. */
static bool is_csv(twx_slice head) {
    twx_slice line = twx_slice_trim(twx_slice_sub(head, 0, twx_slice_find(head, '\n', 0)));
    size_t separators = 0;
    if (line.n == 0 || line.p[0] == '<') return false;
    for (size_t i = 0; i < line.n; i++) {
        unsigned char c = (unsigned char)line.p[i];
        if (c < ' ' && c != '\t') return false;
        separators += c == ',' || c == ';' || c == '\t';
    }
    return separators > 0;
}

static twx_rc read_header(twx_reader *r) {
    const twx_csv_source from = {r->in, &r->line, &r->lines};
    twx_rc rc = TWX_OK;
    do rc = twx_csv_row(r->cx, &from, '\0', &r->row);
    while (rc == TWX_OK && twx_slice_trim(twx_buf_slice(&r->row)).n == 0);
    if (rc == TWX_E_LIMIT || rc == TWX_DONE)
        return twx_fail(r->cx, TWX_E_DATA, "%s: no line with the names of the columns", r->path);
    if (rc == TWX_OK)
        rc = twx_csv_header_read(r->cx, &r->names, twx_buf_slice(&r->row), &r->header);
    for (size_t i = 0; rc == TWX_OK && i < r->header.n; i++)
        if (twx_item_names_url(r->header.names[i].p)) return TWX_OK;
    if (rc != TWX_OK) return rc;
    /* it may not be a header at all: any text with a comma gets here */
    const twx_slice line = twx_slice_trim(twx_buf_slice(&r->row));
    return twx_fail(r->cx, TWX_E_DATA,
                    "%s was taken for CSV, but its first line names no column of URLs (url, "
                    "page_url, ...): '" TWX_SLICE_FMT "'",
                    r->path, TWX_SLICE_ARG(line));
}

static twx_rc next_row(twx_reader *r, twx_raw *raw) {
    const twx_csv_source from = {r->in, &r->line, &r->lines};
    twx_rc rc = r->header.n ? TWX_OK : read_header(r);
    raw->kind = TWX_RAW_CSV;
    raw->by_line = true;
    raw->header = &r->header;
    while (rc == TWX_OK) {
        raw->at = r->lines + 1;
        rc = twx_csv_row(r->cx, &from, r->header.separator, &r->row);
        raw->too_long = rc == TWX_E_LIMIT && r->cx->rc == TWX_OK;
        raw->bytes = twx_buf_slice(&r->row);
        if (raw->too_long) return TWX_OK;
        if (rc == TWX_OK && twx_slice_trim(raw->bytes).n > 0) break;
    }
    return rc;
}

static const format FORMATS[] = {
    {"WARC", is_warc, next_warc, false},
    {"JSON Lines", is_lines, next_line, true},
    {"JSON", is_values, next_value, true},
    {"CSV", is_csv, next_row, true},
};

static twx_rc refuse(twx_reader *r, twx_slice head) {
    if (twx_slice_starts(head, TWX_SLICE_LIT("filedesc://")))
        return twx_fail(r->cx, TWX_E_DATA,
                        "%s is an ARC file: convert it to WARC first (warcio recompress)", r->path);
    if (twx_slice_starts(head, TWX_SLICE_LIT("PK\3\4")))
        return twx_fail(r->cx, TWX_E_DATA,
                        "%s: a ZIP archive cannot be read from a pipe: name the file", r->path);
    return twx_fail(
        r->cx, TWX_E_DATA,
        "%s is neither WARC, WET, WACZ, JSON Lines, a JSON list of objects nor CSV with a header",
        r->path);
}

/* Sets the format from the first bytes of r->in, after a byte order mark; NULL: none fits.
 * TWX_DONE: the input is empty. */
static twx_rc find_format(twx_reader *r, twx_slice *ret_head) {
    uint64_t taken = 0;
    twx_rc rc = twx_input_peek(r->in, 3, ret_head);
    if (rc == TWX_OK && twx_slice_starts(*ret_head, (twx_slice){"\xEF\xBB\xBF", 3}))
        rc = twx_input_take(r->in, 3, NULL, &taken);
    /* one line is enough; an idle pipe may not have sent more yet */
    if (rc == TWX_OK) rc = twx_input_peek_line(r->in, SNIFF_BYTES, ret_head);
    if (rc != TWX_OK) return rc;
    if (ret_head->n == 0) return TWX_DONE;
    twx_slice start = after_blanks(*ret_head);
    r->format = NULL;
    for (size_t i = 0; !r->format && i < TWX_COUNTOF(FORMATS); i++)
        if (FORMATS[i].fits(start)) r->format = &FORMATS[i];
    return TWX_OK;
}

/* Opens the next WARC file of the archive. TWX_DONE: no more. */
static twx_rc next_entry(twx_reader *r) {
    for (;;) {
        twx_slice head;
        twx_warc_close(r->warc);
        r->warc = NULL;
        twx_rc rc = twx_zip_next(r->zip, &r->in, &r->entry);
        if (rc == TWX_DONE) r->in = r->file;
        if (rc == TWX_DONE && !r->any_entry)
            return twx_fail(r->cx, TWX_E_DATA, "%s: the archive holds no WARC file", r->path);
        if (rc != TWX_OK) return rc;
        rc = find_format(r, &head);
        if (rc == TWX_DONE) continue;
        if (rc != TWX_OK) return rc;
        if (r->format != &FORMATS[0]) continue; /* lists of pages, indexes, logs */
        r->any_entry = true;
        return TWX_OK;
    }
}

static twx_rc open_format(twx_reader *r) {
    twx_slice head = {NULL, 0};
    twx_rc rc = TWX_OK;
    if (strcmp(r->path, "standard input") != 0) rc = twx_input_peek(r->file, 4, &head);
    if (rc == TWX_OK && twx_slice_starts(head, TWX_SLICE_LIT("PK\3\4"))) {
        rc = twx_zip_open(r->cx, r->path, &r->zip);
        return rc == TWX_OK ? next_entry(r) : rc;
    }
    if (rc == TWX_OK) rc = find_format(r, &head);
    if (rc == TWX_DONE) return TWX_OK; /* an empty file has no documents */
    return rc == TWX_OK && !r->format ? refuse(r, head) : rc;
}

twx_rc twx_reader_open(twx_ctx *cx, const char *path, const twx_reader_options *options,
                       twx_reader **ret_reader) {
    twx_reader *r = twx_calloc(cx, 1, sizeof *r);
    if (!r) return TWX_E_NOMEM;
    r->cx = cx;
    r->options = *options;
    twx_buf_init(&r->row, options->max_record);
    twx_buf_init(&r->line, options->max_record);
    twx_arena_init(&r->names, 1 << 16);
    twx_rc rc = twx_input_open(cx, path, &r->file);
    if (rc == TWX_OK && !(r->path = twx_strdup(cx, twx_input_name(r->file)))) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) {
        r->in = r->file;
        twx_input_on_wait(r->file, options->on_wait, options->arg);
        rc = open_format(r);
    }
    TWX_HAND_OVER(rc, ret_reader, r, twx_reader_close(r));
    return rc;
}

void twx_reader_close(twx_reader *r) {
    if (!r) return;
    twx_warc_close(r->warc);
    twx_zip_close(r->zip);
    twx_input_close(r->file);
    twx_buf_done(&r->row);
    twx_buf_done(&r->line);
    twx_arena_done(&r->names);
    twx_free(r->path);
    twx_free(r);
}

twx_rc twx_reader_next(twx_reader *r, twx_raw *ret_raw) {
    if (!r->format) return TWX_DONE;
    for (;;) {
        *ret_raw = (twx_raw){.entry = r->entry};
        twx_rc rc = r->format->next(r, ret_raw);
        if (rc == TWX_DONE && r->zip)
            rc = next_entry(r);
        else
            return rc;
        if (rc != TWX_OK) return rc;
    }
}

const char *twx_reader_name(const twx_reader *r) {
    return r->path;
}

bool twx_reader_has_items(const twx_reader *r) {
    return r->format && r->format->items;
}

uint64_t twx_reader_offset(const twx_reader *r) {
    return twx_input_offset(r->in);
}

void twx_reader_progress(const twx_reader *r, uint64_t *ret_done, uint64_t *ret_total) {
    if (r->zip)
        twx_zip_progress(r->zip, ret_done, ret_total);
    else
        twx_input_progress(r->file, ret_done, ret_total);
}
