#include "import/http.h"

#include <string.h>

#include "page/unpack.h"

enum { HEADS_MAX = 8 /* informational heads before the last one */, STATUS_OK = 200 };

/* How the body is encoded according to the head. */
typedef struct codings {
    bool chunked;
    twx_slice content; /* Content-Encoding */
} codings;

/* ---- head ----------------------------------------------------------------- */

static bool next_line(twx_slice *rest, twx_slice *ret_line) {
    if (rest->n == 0) return false;
    size_t end = twx_slice_find(*rest, '\n', 0);
    *ret_line = twx_slice_sub(*rest, 0, end);
    while (ret_line->n && ret_line->p[ret_line->n - 1] == '\r') ret_line->n--; /* CR CR LF occurs */
    *rest = twx_slice_sub(*rest, end + (end < rest->n), rest->n);
    return true;
}

/* "HTTP/1.1 200 OK", "HTTP/1.0 404", "ICY 200 OK" */
static bool read_status(twx_slice line, int *ret_status) {
    size_t blank = twx_slice_find(line, ' ', 0);
    bool known = twx_slice_starts_nocase(line, TWX_SLICE_LIT("HTTP/")) ||
                 twx_slice_starts(line, TWX_SLICE_LIT("ICY "));
    twx_slice code = twx_slice_trim(twx_slice_sub(line, blank, line.n));
    int status = 0;
    if (!known || code.n < 3) return false;
    for (size_t i = 0; i < 3; i++) {
        if (!twx_is_digit((unsigned char)code.p[i])) return false;
        status = status * 10 + (code.p[i] - '0');
    }
    *ret_status = status;
    return true;
}

/* The value of a parameter of a header: charset in 'text/html; charset="utf-8"'. */
static twx_slice parameter(twx_slice value, twx_slice name) {
    for (size_t at = twx_slice_find(value, ';', 0); at < value.n;) {
        size_t end = twx_slice_find(value, ';', at + 1);
        twx_slice part = twx_slice_trim(twx_slice_sub(value, at + 1, end));
        size_t equals = twx_slice_find(part, '=', 0);
        if (equals < part.n &&
            twx_slice_eq_nocase(twx_slice_trim(twx_slice_sub(part, 0, equals)), name)) {
            part = twx_slice_trim(twx_slice_sub(part, equals + 1, part.n));
            bool quoted = part.n >= 2 && (part.p[0] == '"' || part.p[0] == '\'') &&
                          part.p[part.n - 1] == part.p[0];
            return quoted ? twx_slice_sub(part, 1, part.n - 1) : part;
        }
        at = end;
    }
    return (twx_slice){NULL, 0};
}

/* "googlebot: noindex" addresses one agent; "unavailable_after: ..." and "max-snippet:-1" are
 * directives. */
static bool speaks_to_one_agent(twx_slice value) {
    static const char *const DIRECTIVES[] = {"unavailable_after", "max-snippet",
                                             "max-image-preview", "max-video-preview"};
    size_t colon = twx_slice_find(value, ':', 0), comma = twx_slice_find(value, ',', 0);
    if (colon == value.n || comma < colon) return false;
    twx_slice name = twx_slice_trim(twx_slice_sub(value, 0, colon));
    for (size_t i = 0; i < TWX_COUNTOF(DIRECTIVES); i++)
        if (twx_slice_eq_nocase(name, twx_slice_of(DIRECTIVES[i]))) return false;
    return true;
}

static twx_rc add_robots(twx_ctx *cx, twx_http *http, twx_slice value) {
    if (value.n == 0 || speaks_to_one_agent(value)) return TWX_OK;
    /* beyond the limit further values are ignored */
    if (value.n + 2 > http->robots.max - http->robots.n) return TWX_OK;
    twx_rc rc = http->robots.n ? twx_buf_add_text(cx, &http->robots, ", ") : TWX_OK;
    return rc == TWX_OK ? twx_buf_add_slice(cx, &http->robots, value) : rc;
}

static twx_rc take_header(twx_ctx *cx, twx_http *http, codings *c, twx_slice name,
                          twx_slice value) {
    if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("Content-Type"))) {
        http->content_type = twx_slice_trim(twx_slice_sub(value, 0, twx_slice_find(value, ';', 0)));
        http->charset = parameter(value, TWX_SLICE_LIT("charset"));
    } else if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("Location"))) {
        http->location = value;
    } else if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("Content-Encoding"))) {
        c->content = value;
    } else if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("Transfer-Encoding"))) {
        c->chunked = twx_slice_eq_nocase(value, TWX_SLICE_LIT("chunked"));
    } else if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("X-Robots-Tag"))) {
        return add_robots(cx, http, value);
    }
    return TWX_OK;
}

/* Reads one head from *rest, up to and with its empty line. */
static twx_rc read_head(twx_ctx *cx, twx_slice *rest, twx_http *http, codings *c) {
    twx_slice line;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && next_line(rest, &line) && line.n > 0) {
        size_t colon = twx_slice_find(line, ':', 0);
        if (colon < line.n)
            rc = take_header(cx, http, c, twx_slice_trim(twx_slice_sub(line, 0, colon)),
                             twx_slice_trim(twx_slice_sub(line, colon + 1, line.n)));
    }
    return rc;
}

/* ---- body ----------------------------------------------------------------- */

static bool chunk_size(twx_slice line, size_t *ret_size) {
    size_t digits = 0, size = 0;
    line = twx_slice_trim(twx_slice_sub(line, 0, twx_slice_find(line, ';', 0)));
    for (; digits < line.n; digits++) {
        int v = twx_hex_value((unsigned char)line.p[digits]);
        if (v < 0 || digits >= 8) return false;
        size = size * 16 + (size_t)v;
    }
    *ret_size = size;
    return digits > 0;
}

/* [R1] Joins the chunks. TWX_DONE: the body is not chunked (any more). A truncated body gives the
 * chunks that are there. */
static twx_rc join_chunks(twx_ctx *cx, twx_slice body, twx_buf *out, twx_http *http) {
    twx_slice rest = body, line;
    size_t size = 0;
    if (!next_line(&rest, &line) || line.n > 64 || !chunk_size(line, &size)) return TWX_DONE;
    while (size > 0) {
        twx_slice data = twx_slice_sub(rest, 0, size);
        bool whole = data.n == size;
        http->too_long = data.n > out->max - out->n;
        if (http->too_long) return TWX_OK;
        twx_rc rc = twx_buf_add_slice(cx, out, data);
        if (rc != TWX_OK) return rc;
        rest = twx_slice_sub(rest, data.n, rest.n);
        bool more = next_line(&rest, &line) && line.n == 0 && next_line(&rest, &line) &&
                    chunk_size(line, &size);
        if (!whole || !more) {
            http->fault = "the chunked body is truncated or damaged; what was read is kept";
            break;
        }
    }
    return TWX_OK;
}

/* [R2] [R3] Some archives store the decoded body but keep the Content-Encoding header, so a body
 * that cannot be decoded at all is used as it is. */
static twx_rc unpack_body(twx_ctx *cx, twx_slice name, twx_slice packed, twx_buf *out,
                          twx_http *http) {
    size_t from = out->n;
    twx_unpacked how = TWX_UNPACK_NONE;
    twx_coding coding;
    if (name.n == 0 || twx_slice_eq_nocase(name, TWX_SLICE_LIT("identity"))) return TWX_OK;
    if (!twx_coding_of(name, &coding)) {
        http->fault = "unknown Content-Encoding; the body is used as it is";
        return TWX_OK;
    }
    twx_rc rc = twx_unpack(cx, packed, coding, out, &how);
    if (rc != TWX_OK || how == TWX_UNPACK_NONE) return rc;
    http->body = twx_slice_sub(twx_buf_slice(out), from, out->n);
    if (how == TWX_UNPACK_DAMAGED)
        http->fault = "the packed body is truncated or damaged; what could be unpacked is kept";
    http->too_long = how == TWX_UNPACK_TOO_LONG;
    return TWX_OK;
}

twx_rc twx_http_parse(twx_ctx *cx, twx_slice response, size_t max_body, twx_buf *room,
                      twx_http *ret_http) {
    twx_http http = {.status = STATUS_OK, .robots = ret_http->robots, .body = response};
    codings c = {0};
    twx_slice rest = response, line;
    twx_rc rc = TWX_OK;
    int status = 0;
    twx_buf_clear(room);
    twx_buf_clear(&http.robots);
    room->max = max_body;
    for (int heads = 0; rc == TWX_OK && heads < HEADS_MAX; heads++) {
        twx_slice after = rest;
        if (!next_line(&after, &line) || !read_status(line, &status)) break;
        c = (codings){0};
        rc = read_head(cx, &after, &http, &c);
        http.status = status;
        http.body = rest = after;
        if (status >= 200) break;
    }
    if (rc == TWX_OK && c.chunked) {
        rc = join_chunks(cx, http.body, room, &http);
        if (rc == TWX_OK) http.body = twx_buf_slice(room);
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    if (rc == TWX_OK && c.content.n && !http.too_long) {
        /* the decoder reads the joined chunks, so they must not move while it appends its output */
        twx_slice packed = http.body;
        bool joined = room->n > 0;
        twx_buf both = {.max = max_body};
        rc = unpack_body(cx, c.content, packed, joined ? &both : room, &http);
        if (joined && http.body.p != packed.p) {
            twx_buf_done(room);
            *room = both;
        } else {
            twx_buf_done(joined ? &both : NULL);
        }
    }
    http.too_long |= http.body.n > max_body;
    *ret_http = http;
    return rc;
}
