#include "import/import.h"

enum { HEADS_MAX = 8 /* informational heads before the last one */, STATUS_OK = 200 };

/* How the body is encoded according to the head. */
typedef struct codings {
    bool chunked;
    twx_slice content; /* Content-Encoding */
} codings;

/* ---- head ----------------------------------------------------------------- */

static bool next_line(twx_slice *rest, twx_slice *ret_line) {
    if (rest->n == 0) return false;
    *ret_line = twx_slice_next_line(rest);
    while (ret_line->n && ret_line->p[ret_line->n - 1] == '\r') ret_line->n--; /* CR CR LF occurs */
    return true;
}

/* "HTTP/1.1 200 OK", "HTTP/1.0 404", "ICY 200 OK" */
static bool read_status(twx_slice line, int *ret_status) {
    size_t blank = twx_slice_find(line, ' ', 0);
    bool known = twx_slice_starts_nocase(line, TWX_SLICE_LIT("HTTP/")) ||
                 twx_slice_starts(line, TWX_SLICE_LIT("ICY "));
    twx_slice code = twx_slice_sub(twx_slice_trim(twx_slice_sub(line, blank, line.n)), 0, 3);
    int64_t status = 0;
    if (!known || code.n < 3 || !twx_is_number(code) || !twx_slice_integer(code, &status))
        return false;
    *ret_status = (int)status;
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
    const twx_slice directives = TWX_SLICE_LIT(
        "unavailable_after max-snippet max-image-preview max-video-preview");
    size_t colon = twx_slice_find(value, ':', 0), comma = twx_slice_find(value, ',', 0);
    if (colon == value.n || comma < colon) return false;
    return !twx_slice_has_word(directives, twx_slice_trim(twx_slice_sub(value, 0, colon)));
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

/* ---- extract ----------------------------------------------------------- */

enum { ROBOTS_BYTES = 1 << 16, REASON_BYTES = 200, HTTP_OK = 200, CAPTURE_FIELDS = 18 };

struct twx_extractor {
    twx_ctx *cx;
    twx_extract_options options;
    /* reused from record to record */
    twx_buf body, utf8, robots;
    twx_html html;
    twx_http http;
    twx_items *items;
    twx_arena scratch;
    char reason[REASON_BYTES];
};

twx_rc twx_extractor_open(twx_ctx *cx, const twx_extract_options *options,
                          twx_extractor **ret_extractor) {
    twx_extractor *x = twx_calloc(cx, 1, sizeof *x);
    if (!x) return TWX_E_NOMEM;
    x->cx = cx;
    x->options = *options;
    twx_buf_init(&x->body, options->max_page);
    twx_buf_init(&x->utf8, 4 * options->max_page);
    twx_buf_init(&x->robots, 2 * ROBOTS_BYTES);
    twx_buf_init(&x->http.robots, ROBOTS_BYTES);
    twx_html_init(&x->html, options->max_page);
    x->html.keep_links = options->keep_links;
    twx_arena_init(&x->scratch, 1 << 20);
    twx_rc rc = twx_items_open(cx, &x->items);
    TWX_HAND_OVER(rc, ret_extractor, x, twx_extractor_close(x));
    return rc;
}

void twx_extractor_close(twx_extractor *x) {
    if (!x) return;
    twx_buf_done(&x->body);
    twx_buf_done(&x->utf8);
    twx_buf_done(&x->robots);
    twx_buf_done(&x->http.robots);
    twx_html_done(&x->html);
    twx_items_close(x->items);
    twx_arena_done(&x->scratch);
    twx_free(x);
}

/* ---- pages ---------------------------------------------------------------- */

static twx_slice known(const twx_buf *b) {
    return b->n ? twx_buf_slice(b) : (twx_slice){NULL, 0};
}

static void set_absent(twx_slice *field, twx_slice value) {
    if (!field->p) *field = value;
}

/* Combines X-Robots-Tag and meta robots, since either may forbid indexing. */
static twx_rc join_robots(twx_extractor *x, twx_slice outer) {
    twx_buf_clear(&x->robots);
    if (x->html.robots.n + outer.n + 2 > x->robots.max)
        outer.n = 0; /* a crawler's record can have an absurdly long value */
    twx_rc rc = twx_buf_add_slice(x->cx, &x->robots, outer);
    if (rc == TWX_OK && outer.n && x->html.robots.n) rc = twx_buf_add_text(x->cx, &x->robots, ", ");
    return rc == TWX_OK ? twx_buf_add_slice(x->cx, &x->robots, twx_buf_slice(&x->html.robots)) : rc;
}

/* Fills in the missing fields of the capture from an HTML page. */
static twx_rc read_html(twx_extractor *x, twx_slice body, twx_slice charset, const twx_url *url,
                        twx_capture *c) {
    twx_rc rc = twx_html_parse(x->cx, body, charset, url, &x->html);
    if (rc == TWX_OK) rc = join_robots(x, c->robots);
    if (rc != TWX_OK) return rc;
    if (!c->text.p) { /* the places are those of this text */
        c->text = twx_buf_slice(&x->html.text);
        c->main_parts = known(&x->html.parts);
    }
    if (x->html.has_title) set_absent(&c->title, twx_buf_slice(&x->html.title));
    set_absent(&c->headings, known(&x->html.headings));
    set_absent(&c->names, known(&x->html.names));
    if (x->html.has_description) set_absent(&c->description, twx_buf_slice(&x->html.description));
    c->robots = known(&x->robots);
    set_absent(&c->canonical_url, known(&x->html.canonical_url));
    set_absent(&c->redirect_url, known(&x->html.redirect_url));
    set_absent(&c->hreflang_group, known(&x->html.hreflang_group));
    set_absent(&c->language, known(&x->html.language));
    if (x->html.keep_links) c->links = twx_buf_slice(&x->html.links);
    if (x->html.layout_digest[0])
        set_absent(&c->layout_digest, twx_slice_of(x->html.layout_digest));
    return TWX_OK;
}

/* Reads a page of any type. *ret: what it is. */
static twx_rc read_page(twx_extractor *x, twx_slice type, twx_slice charset, twx_slice body,
                        const twx_url *url, twx_capture *c, twx_extraction *ret) {
    const twx_document_type content = twx_document_type_of(x->options.types, type, body);
    *ret = content == TWX_TYPE_OTHER ? TWX_FOUND_OTHER_TYPE : TWX_FOUND_DOCUMENT;
    if (*ret == TWX_FOUND_DOCUMENT && body.n > x->options.max_page) *ret = TWX_FOUND_TOO_LONG;
    if (*ret != TWX_FOUND_DOCUMENT) return TWX_OK;
    if (content == TWX_TYPE_HTML) return read_html(x, body, charset, url, c);
    twx_decoded plain;
    const twx_rc rc = twx_decode(x->cx, body, charset, false, &x->utf8, &plain);
    if (rc == TWX_OK) c->text = plain.text;
    return rc;
}

/* ---- WARC ----------------------------------------------------------------- */

static twx_rc base_capture(twx_extractor *x, const twx_warc_record *r, twx_url *ret_url,
                           twx_capture *ret_capture) {
    *ret_capture = twx_capture_none();
    ret_capture->url = r->target_uri;
    ret_capture->payload_digest = r->payload_digest;
    /* an unreadable date counts as absent */
    if (twx_iso8601_parse(r->date, &ret_capture->fetched_at))
        ret_capture->fetched_day = twx_iso8601_is_day(r->date);
    return twx_url_normalize(x->cx, &x->scratch, NULL, r->target_uri, ret_url);
}

static twx_rc set_redirect(twx_extractor *x, const twx_url *url, twx_capture *c) {
    twx_url target;
    if (!x->http.location.p || x->http.status < 300 || x->http.status > 399 ||
        url->fault != TWX_URL_OK)
        return TWX_OK;
    twx_rc rc = twx_url_resolve(x->cx, &x->scratch, NULL, url, x->http.location, &target);
    if (rc == TWX_OK && target.fault == TWX_URL_OK) c->redirect_url = target.whole;
    return rc;
}

static twx_rc read_response(twx_extractor *x, const twx_warc_record *r, twx_extracted *e) {
    twx_url url;
    twx_capture *c = &e->capture;
    twx_rc rc = base_capture(x, r, &url, c);
    if (rc == TWX_OK) rc = twx_http_parse(x->cx, r->block, x->options.max_page, &x->body, &x->http);
    if (rc != TWX_OK) return rc;
    e->reason = twx_slice_of(x->http.fault);
    e->type = twx_media_type(x->http.content_type);
    c->http_status = x->http.status;
    c->content_type = x->http.content_type;
    c->robots = known(&x->http.robots);
    rc = set_redirect(x, &url, c);
    if (rc != TWX_OK) return rc;
    const bool redirect = c->redirect_url.p != NULL;
    rc = read_page(x, x->http.content_type, x->http.charset, x->http.body, &url, c, &e->what);
    if (x->http.too_long && e->what == TWX_FOUND_DOCUMENT) e->what = TWX_FOUND_TOO_LONG;
    /* the content type of a redirect is irrelevant, and an error response without a type is a
     * document too; an error of another type is not a page */
    if (e->what == TWX_FOUND_OTHER_TYPE &&
        (redirect || (x->http.status != HTTP_OK && e->type.n == 0)))
        e->what = TWX_FOUND_DOCUMENT;
    return rc;
}

/* Reads a resource or conversion (WET) record, whose block is the page itself. */
static twx_rc read_resource(twx_extractor *x, const twx_warc_record *r, twx_extracted *e) {
    twx_url url;
    twx_rc rc = base_capture(x, r, &url, &e->capture);
    e->type = e->capture.content_type = twx_media_type(r->content_type);
    e->capture.http_status = HTTP_OK;
    return rc == TWX_OK
               ? read_page(x, e->type, (twx_slice){0}, r->block, &url, &e->capture, &e->what)
               : rc;
}

static twx_rc read_revisit(twx_extractor *x, const twx_warc_record *r, twx_extracted *e) {
    twx_url url;
    e->what = TWX_FOUND_REVISIT;
    return base_capture(x, r, &url, &e->capture);
}

static twx_rc extract_warc(twx_extractor *x, const twx_warc_record *r, twx_extracted *e) {
    static const struct {
        const char *type;
        twx_rc (*read)(twx_extractor *x, const twx_warc_record *r, twx_extracted *e);
    } READERS[] = {{"response", read_response},
                   {"resource", read_resource},
                   {"conversion", read_resource},
                   {"revisit", read_revisit}};
    bool web = twx_slice_starts_nocase(r->target_uri, TWX_SLICE_LIT("http:")) ||
               twx_slice_starts_nocase(r->target_uri, TWX_SLICE_LIT("https:"));
    e->url = r->target_uri;
    for (size_t i = 0; web && i < TWX_COUNTOF(READERS); i++)
        if (twx_slice_eq_nocase(r->type, twx_slice_of(READERS[i].type)))
            return READERS[i].read(x, r, e);
    e->what = TWX_FOUND_NO_DOCUMENT;
    return TWX_OK;
}

/* ---- JSON and CSV --------------------------------------------------------- */

static bool was_loaded(const twx_capture *c) {
    return (c->http_status < 0 || c->http_status == HTTP_OK) && !c->redirect_url.n && !c->failure.n;
}

static twx_rc extract_item(twx_extractor *x, const twx_item *item, twx_extracted *e) {
    twx_url url;
    twx_capture *c = &e->capture;
    *c = item->capture;
    e->url = c->url;
    e->type = twx_media_type(c->content_type);
    e->what = TWX_FOUND_DOCUMENT;
    twx_rc rc = twx_url_normalize(x->cx, &x->scratch, NULL, c->url, &url);
    if (rc != TWX_OK) return rc;
    /* text that a crawler extracted is a document regardless of its type; for a body the type
     * decides */
    const bool raw = !item->text_is_extracted;
    if (raw && e->type.n &&
        twx_document_type_of(x->options.types, e->type, item->html) == TWX_TYPE_OTHER) {
        e->what = TWX_FOUND_OTHER_TYPE;
        return TWX_OK;
    }
    if (item->html.n > x->options.max_page || c->text.n > x->options.max_page) {
        e->what = TWX_FOUND_TOO_LONG;
        return TWX_OK;
    }
    if (item->html.n) rc = read_html(x, item->html, TWX_SLICE_LIT("utf-8"), &url, c);
    e->no_text = rc == TWX_OK && twx_slice_trim(c->text).n == 0 && was_loaded(c);
    if (e->no_text) e->fields = item->fields;
    return rc;
}

static twx_rc extract_record(twx_extractor *x, const twx_raw *raw, twx_extracted *e) {
    twx_item item;
    const char *fault = NULL;
    twx_rc rc = TWX_OK;
    if (raw->kind == TWX_RAW_CSV)
        rc = twx_items_of_row(x->items, raw->header, raw->bytes, &item, &fault);
    else
        rc = twx_items_of_json(x->items, raw->bytes, &item, &fault);
    if (rc == TWX_DONE) e->what = TWX_FOUND_NO_DOCUMENT;
    if (rc == TWX_E_DATA && x->cx->rc == TWX_OK) {
        e->what = TWX_FOUND_BROKEN;
        e->reason = twx_slice_of(fault);
    }
    if (rc == TWX_DONE || e->what == TWX_FOUND_BROKEN) return TWX_OK;
    return rc == TWX_OK ? extract_item(x, &item, e) : rc;
}

/* ---- results -------------------------------------------------------------- */

/* Copies the result into the caller's arena. A document whose fields do not fit into a row is too
 * long. */
static twx_rc hand_over(twx_extractor *x, twx_arena *arena, twx_extracted *e) {
    twx_capture *c = &e->capture;
    twx_slice *fields[] = {
        &c->url,          &c->title,         &c->description,    &c->text,           &c->failure,
        &c->robots,       &c->canonical_url, &c->redirect_url,   &c->hreflang_group, &c->language,
        &c->content_type, &c->layout_digest, &c->payload_digest, &c->crawl_id,       &c->links,
        &c->headings,     &c->names,         &c->main_parts};
    _Static_assert(TWX_COUNTOF(fields) == CAPTURE_FIELDS, "every field is copied");
    size_t bytes = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; i < CAPTURE_FIELDS; i++) bytes += fields[i]->n;
    if (bytes > x->options.max_row && e->what == TWX_FOUND_DOCUMENT) e->what = TWX_FOUND_TOO_LONG;
    const bool keep = e->what == TWX_FOUND_DOCUMENT || e->what == TWX_FOUND_REVISIT;
    if (!keep) e->capture = twx_capture_none();
    for (size_t i = 0; keep && rc == TWX_OK && i < CAPTURE_FIELDS; i++)
        rc = twx_arena_copy(x->cx, arena, *fields[i], fields[i]);
    twx_slice *rest[] = {&e->url, &e->type, &e->reason, &e->fields};
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(rest); i++) {
        *rest[i] = twx_slice_sub(*rest[i], 0, 1000); /* these are only for messages */
        rc = twx_arena_copy(x->cx, arena, *rest[i], rest[i]);
    }
    return rc;
}

twx_rc twx_extract(twx_extractor *x, const twx_raw *raw, twx_arena *arena, twx_extracted *ret) {
    twx_extracted e = {.what = TWX_FOUND_NO_DOCUMENT, .capture = twx_capture_none()};
    twx_rc rc = TWX_OK;
    twx_arena_reset(&x->scratch);
    if (raw->fault) {
        e.what = TWX_FOUND_BROKEN;
        e.reason = twx_slice_of(raw->fault);
    } else if (raw->too_long) {
        e.what = TWX_FOUND_TOO_LONG;
        e.url = raw->warc.target_uri;
    } else {
        rc = raw->kind == TWX_RAW_WARC ? extract_warc(x, &raw->warc, &e)
                                       : extract_record(x, raw, &e);
    }
    if (rc == TWX_OK) rc = hand_over(x, arena, &e);
    if (rc == TWX_OK) *ret = e;
    return rc;
}
