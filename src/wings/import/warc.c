#include "import/warc.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"

enum { LINE_MAX_BYTES = 1 << 16, HEADERS_MAX_BYTES = 1 << 20, FAULT_BYTES = 200 };

/* The headers that are read. */
enum { TYPE, TARGET_URI, DATE, CONTENT_TYPE, CONTENT_LENGTH, PAYLOAD_DIGEST, REFERS_TO_URI, NAMES };

static const char *const NAME[NAMES] = {
    [TYPE] = "WARC-Type",
    [TARGET_URI] = "WARC-Target-URI",
    [DATE] = "WARC-Date",
    [CONTENT_TYPE] = "Content-Type",
    [CONTENT_LENGTH] = "Content-Length",
    [PAYLOAD_DIGEST] = "WARC-Payload-Digest",
    [REFERS_TO_URI] = "WARC-Refers-To-Target-URI",
};

struct twx_warc {
    twx_ctx *cx;
    twx_input *in;
    size_t max_block;
    twx_buf line, headers, block;
    struct {
        size_t at, n;
        bool known;
    } value[NAMES]; /* positions in `headers` */
    char fault[FAULT_BYTES];
    bool resync; /* the last record was broken: search for the next one line by line */
};

twx_rc twx_warc_open(twx_ctx *cx, twx_input *in, size_t max_block, twx_warc **ret_warc) {
    twx_warc *w = twx_calloc(cx, 1, sizeof *w);
    if (!w) return TWX_E_NOMEM;
    w->cx = cx;
    w->in = in;
    w->max_block = max_block;
    twx_buf_init(&w->line, LINE_MAX_BYTES);
    twx_buf_init(&w->headers, HEADERS_MAX_BYTES);
    twx_buf_init(&w->block, max_block);
    *ret_warc = w;
    return TWX_OK;
}

void twx_warc_close(twx_warc *w) {
    if (!w) return;
    twx_buf_done(&w->line);
    twx_buf_done(&w->headers);
    twx_buf_done(&w->block);
    twx_free(w);
}

static twx_rc broken(twx_warc *w, uint64_t offset, const char *what, const char **ret_fault) {
    snprintf(w->fault, sizeof w->fault, "record at byte %" PRIu64 " of the unpacked stream: %s",
             offset, what);
    w->resync = true;
    *ret_fault = w->fault;
    return TWX_E_DATA;
}

/* Reads a header line. A line that is too long becomes "x", which has no meaning as a header; it is
 * not an error. */
static twx_rc next_line(twx_warc *w, twx_slice *ret_line) {
    twx_rc rc = twx_input_line(w->in, &w->line);
    bool too_long = rc == TWX_E_LIMIT && w->cx->rc == TWX_OK;
    twx_slice line = twx_buf_slice(&w->line);
    while (line.n > 0 && line.p[line.n - 1] == '\r')
        line.n--; /* some writers end lines in CR CR LF */
    *ret_line = too_long ? TWX_SLICE_LIT("x") : line;
    return too_long ? TWX_OK : rc;
}

static bool begins_record(twx_slice line) {
    return twx_slice_starts(line, TWX_SLICE_LIT("WARC/")) && line.n < 16;
}

/* Skips lines up to the one that begins a record. Anything but empty lines between records is a
 * fault, reported once. */
static twx_rc find_record(twx_warc *w, uint64_t *ret_offset, const char **ret_fault) {
    for (;;) {
        twx_slice line;
        *ret_offset = twx_input_offset(w->in);
        twx_rc rc = next_line(w, &line);
        if (rc != TWX_OK) return rc;
        if (begins_record(line)) break;
        if (line.n > 0 && !w->resync)
            return broken(w, *ret_offset, "no WARC/ line where a record should begin", ret_fault);
    }
    w->resync = false;
    return TWX_OK;
}

static twx_rc keep_value(twx_warc *w, int name, twx_slice value) {
    if (w->value[name].known) return TWX_OK; /* the first one counts */
    value = twx_slice_trim(value);
    w->value[name].known = true;
    w->value[name].at = w->headers.n;
    w->value[name].n = value.n;
    return twx_buf_add_slice(w->cx, &w->headers, value);
}

/* [R1] A line that begins with a blank continues the value of the previous line. */
static twx_rc read_headers(twx_warc *w) {
    int current = NAMES;
    twx_buf_clear(&w->headers);
    for (int i = 0; i < NAMES; i++) w->value[i].known = false;
    for (;;) {
        twx_slice line;
        twx_rc rc = next_line(w, &line);
        if (rc != TWX_OK || line.n == 0) return rc;
        bool folded = line.p[0] == ' ' || line.p[0] == '\t';
        if (folded && current < NAMES) {
            twx_slice more = twx_slice_trim(line);
            rc = twx_buf_add_char(w->cx, &w->headers, ' ');
            if (rc == TWX_OK) rc = twx_buf_add_slice(w->cx, &w->headers, more);
            w->value[current].n += 1 + more.n;
        }
        size_t colon = twx_slice_find(line, ':', 0);
        if (folded || colon == line.n) {
            if (rc != TWX_OK) return rc;
            continue;
        }
        twx_slice name = twx_slice_trim(twx_slice_sub(line, 0, colon));
        current = 0;
        while (current < NAMES && !twx_slice_eq_nocase(name, twx_slice_of(NAME[current])))
            current++;
        bool fresh = current < NAMES && !w->value[current].known;
        if (fresh) rc = keep_value(w, current, twx_slice_sub(line, colon + 1, line.n));
        if (!fresh) current = NAMES;
        if (rc != TWX_OK) return rc;
    }
}

static twx_slice value_of(const twx_warc *w, int name) {
    if (!w->value[name].known) return (twx_slice){NULL, 0};
    return twx_slice_sub(twx_buf_slice(&w->headers), w->value[name].at,
                         w->value[name].at + w->value[name].n);
}

static bool read_length(twx_slice text, uint64_t *ret_length) {
    uint64_t v = 0;
    if (text.n == 0 || text.n > 18) return false;
    for (size_t i = 0; i < text.n; i++) {
        if (!twx_is_digit((unsigned char)text.p[i])) return false;
        v = v * 10 + (uint64_t)(text.p[i] - '0');
    }
    *ret_length = v;
    return true;
}

static twx_slice without_brackets(twx_slice uri) {
    bool bracketed = uri.n >= 2 && uri.p[0] == '<' && uri.p[uri.n - 1] == '>';
    return bracketed ? twx_slice_sub(uri, 1, uri.n - 1) : uri;
}

static void fill_record(const twx_warc *w, twx_warc_record *r) {
    r->type = value_of(w, TYPE);
    r->target_uri = without_brackets(value_of(w, TARGET_URI));
    r->date = value_of(w, DATE);
    r->content_type = value_of(w, CONTENT_TYPE);
    r->payload_digest = value_of(w, PAYLOAD_DIGEST);
    r->refers_to_uri = without_brackets(value_of(w, REFERS_TO_URI));
    r->block = r->too_long ? (twx_slice){"", 0} : twx_buf_slice(&w->block);
}

twx_rc twx_warc_next(twx_warc *w, twx_warc_record *ret_record, const char **ret_fault) {
    twx_warc_record r = {0};
    uint64_t length = 0, taken = 0;
    twx_rc rc = find_record(w, &r.offset, ret_fault);
    if (rc != TWX_OK) return rc;
    rc = read_headers(w);
    if (rc == TWX_DONE) return broken(w, r.offset, "the file ends inside its headers", ret_fault);
    if (rc == TWX_E_LIMIT && w->cx->rc == TWX_E_LIMIT) {
        twx_ctx_clear(w->cx);
        return broken(w, r.offset, "its headers are longer than a megabyte", ret_fault);
    }
    if (rc != TWX_OK) return rc;
    if (!read_length(value_of(w, CONTENT_LENGTH), &length))
        return broken(w, r.offset, "no usable Content-Length", ret_fault);
    r.too_long = length > w->max_block; /* [R3] */
    twx_buf_clear(&w->block);
    rc = twx_input_take(w->in, length, r.too_long ? NULL : &w->block, &taken);
    if (rc == TWX_DONE) return broken(w, r.offset, "the file ends inside it", ret_fault);
    if (rc != TWX_OK) return rc;
    fill_record(w, &r);
    *ret_record = r;
    return TWX_OK;
}
