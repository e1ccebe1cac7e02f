#include "ingest/import.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/iso8601.h"
#include "ingest/http.h"
#include "ingest/jsonl.h"
#include "ingest/warc.h"
#include "page/encoding.h"
#include "page/html.h"

enum { RECORD_MAX = 64 << 20, PLACE_BYTES = 512, PROGRESS_EVERY = 64, HTTP_OK = 200 };

typedef struct importer {
    twx_ctx *cx;
    twx_documents *documents;
    const twx_import_options *options;
    twx_import_counts *counts;
    twx_input *in;
    size_t max_record;
    /* rooms that are reused from record to record */
    twx_buf body, utf8, robots;
    twx_html html;
    twx_http http;
    twx_arena scratch;
} importer;

/* ---- what goes wrong is counted and named ----------------------------------------------------------- */

static void note_broken(importer *m, uint64_t at, bool line, const char *reason) {
    char place[PLACE_BYTES];
    m->counts->broken++;
    if (!m->options->on_broken) return;
    snprintf(place, sizeof place, line ? "%.400s:%" PRIu64 : "%.400s: offset %" PRIu64,
             twx_input_name(m->in), at);
    m->options->on_broken(m->options->arg, place, reason);
}

static void note_progress(importer *m, bool last) {
    uint64_t done = 0, total = 0;
    if (!m->options->on_progress || (!last && m->counts->records % PROGRESS_EVERY != 0)) return;
    twx_input_progress(m->in, &done, &total);
    m->options->on_progress(m->options->arg, done, total, m->counts->records);
}

static twx_rc put(importer *m, const twx_capture *c) {
    twx_put what = TWX_PUT_SAME;
    twx_rc rc = twx_documents_put(m->documents, c, &what);
    if (rc == TWX_OK) m->counts->put[what]++;
    return rc;
}

/* ---- pages ------------------------------------------------------------------------------------------ */

typedef enum content { HTML, PLAIN, OTHER } content;

static content content_of(twx_slice type, twx_slice body) {
    static const struct {
        const char *type;
        content content;
    } TYPES[] = {{"text/html", HTML},
                 {"application/xhtml+xml", HTML},
                 {"application/vnd.wap.xhtml+xml", HTML}};
    for (size_t i = 0; i < TWX_COUNTOF(TYPES); i++)
        if (twx_slice_eq_nocase(type, twx_slice_of(TYPES[i].type))) return TYPES[i].content;
    if (twx_slice_starts_nocase(type, TWX_SLICE_LIT("text/"))) return PLAIN;
    if (type.n > 0) return OTHER;
    /* no type at all: what begins like markup is taken for it, as browsers do */
    body = twx_slice_trim(twx_slice_sub(body, 0, 1024));
    return twx_slice_starts_nocase(body, TWX_SLICE_LIT("<!doctype html")) ||
                   twx_slice_starts_nocase(body, TWX_SLICE_LIT("<html"))
               ? HTML
               : OTHER;
}

static twx_slice known(const twx_buf *b) {
    return b->n ? twx_buf_slice(b) : (twx_slice){NULL, 0};
}

/* X-Robots-Tag and meta robots together: either may forbid. */
static twx_rc join_robots(importer *m) {
    twx_buf_clear(&m->robots);
    twx_rc rc = twx_buf_add_slice(m->cx, &m->robots, twx_buf_slice(&m->http.robots));
    if (rc == TWX_OK && m->http.robots.n && m->html.robots.n)
        rc = twx_buf_add_text(m->cx, &m->robots, ", ");
    return rc == TWX_OK ? twx_buf_add_slice(m->cx, &m->robots, twx_buf_slice(&m->html.robots)) : rc;
}

static twx_rc take_html(importer *m, twx_slice body, twx_slice charset, const twx_url *url,
                        twx_capture *c) {
    twx_rc rc = twx_html_parse(m->cx, body, charset, url, &m->html);
    if (rc == TWX_OK) rc = join_robots(m);
    if (rc != TWX_OK) return rc;
    c->text = twx_buf_slice(&m->html.text);
    if (m->html.has_title) c->title = twx_buf_slice(&m->html.title);
    if (m->html.has_description) c->description = twx_buf_slice(&m->html.description);
    c->robots = known(&m->robots);
    c->canonical_url = known(&m->html.canonical_url);
    if (!c->redirect_url.p) c->redirect_url = known(&m->html.redirect_url);
    c->hreflang_group = known(&m->html.hreflang_group);
    c->language = known(&m->html.language);
    if (m->html.keep_links) c->links = twx_buf_slice(&m->html.links);
    if (m->html.layout_digest[0]) c->layout_digest = twx_slice_of(m->html.layout_digest);
    return TWX_OK;
}

/* A page of any type: text when it holds some. *ret_text: does it? */
static twx_rc take_page(importer *m, twx_slice type, twx_slice charset, twx_slice body,
                        const twx_url *url, twx_capture *c, bool *ret_text) {
    content what = content_of(type, body);
    *ret_text = what != OTHER;
    if (what == HTML) return take_html(m, body, charset, url, c);
    if (what == OTHER) return TWX_OK;
    twx_decoded decoded;
    twx_rc rc = twx_decode(m->cx, body, charset, false, &m->utf8, &decoded);
    if (rc == TWX_OK) c->text = decoded.text;
    return rc;
}

static twx_rc base_capture(importer *m, const twx_warc_record *r, twx_url *ret_url,
                           twx_capture *ret_capture) {
    *ret_capture = twx_capture_none();
    ret_capture->url = r->target_uri;
    ret_capture->payload_digest = r->payload_digest;
    (void)twx_iso8601_parse(r->date, &ret_capture->fetched_at); /* an unreadable date is none */
    return twx_url_normalize(m->cx, &m->scratch, NULL, r->target_uri, ret_url);
}

static twx_rc set_redirect(importer *m, const twx_url *url, twx_capture *c) {
    twx_url target;
    if (!m->http.location.p || m->http.status < 300 || m->http.status > 399 ||
        url->fault != TWX_URL_OK)
        return TWX_OK;
    twx_rc rc = twx_url_resolve(m->cx, &m->scratch, NULL, url, m->http.location, &target);
    if (rc == TWX_OK && target.fault == TWX_URL_OK) c->redirect_url = target.whole;
    return rc;
}

static twx_rc take_response(importer *m, const twx_warc_record *r) {
    twx_capture c;
    twx_url url;
    bool text = false;
    twx_rc rc = base_capture(m, r, &url, &c);
    if (rc == TWX_OK) rc = twx_http_parse(m->cx, r->block, m->max_record, &m->body, &m->http);
    if (rc != TWX_OK) return rc;
    if (m->http.fault) note_broken(m, r->offset, false, m->http.fault);
    c.http_status = m->http.status;
    c.content_type = m->http.content_type;
    c.robots = known(&m->http.robots);
    rc = set_redirect(m, &url, &c);
    if (rc == TWX_OK)
        rc = take_page(m, m->http.content_type, m->http.charset, m->http.body, &url, &c, &text);
    if (rc != TWX_OK) return rc;
    if (!text && m->http.status == HTTP_OK) {
        m->counts->not_text++;
        return TWX_OK;
    }
    return put(m, &c);
}

/* Resource and conversion (WET) records: the block is the page itself. */
static twx_rc take_resource(importer *m, const twx_warc_record *r) {
    twx_capture c;
    twx_url url;
    bool text = false;
    size_t semicolon = twx_slice_find(r->content_type, ';', 0);
    twx_slice type = twx_slice_trim(twx_slice_sub(r->content_type, 0, semicolon));
    twx_buf_clear(&m->http.robots);
    twx_rc rc = base_capture(m, r, &url, &c);
    c.content_type = type;
    c.http_status = HTTP_OK;
    if (rc == TWX_OK) rc = take_page(m, type, (twx_slice){0}, r->block, &url, &c, &text);
    if (rc == TWX_OK && !text) m->counts->not_text++;
    return rc == TWX_OK && text ? put(m, &c) : rc;
}

/* A revisit says: the same payload as a capture before, perhaps under another URL. */
static twx_rc take_revisit(importer *m, const twx_warc_record *r) {
    twx_capture c, found;
    twx_url url;
    twx_rc rc = base_capture(m, r, &url, &c);
    if (rc == TWX_OK)
        rc = r->payload_digest.p
                 ? twx_documents_find_payload(m->documents, r->payload_digest, &found)
                 : TWX_DONE;
    if (rc == TWX_DONE) {
        m->counts->unknown_revisits++;
        return TWX_OK;
    }
    if (rc != TWX_OK) return rc;
    found.url = c.url;
    found.fetched_at = c.fetched_at;
    return put(m, &found);
}

static twx_rc take_record(importer *m, const twx_warc_record *r) {
    static const struct {
        const char *type;
        twx_rc (*take)(importer *m, const twx_warc_record *r);
    } TAKERS[] = {{"response", take_response},
                  {"resource", take_resource},
                  {"conversion", take_resource},
                  {"revisit", take_revisit}};
    m->counts->records++;
    if (r->too_long) {
        m->counts->too_long++;
        return TWX_OK;
    }
    bool web = twx_slice_starts_nocase(r->target_uri, TWX_SLICE_LIT("http:")) ||
               twx_slice_starts_nocase(r->target_uri, TWX_SLICE_LIT("https:"));
    for (size_t i = 0; web && i < TWX_COUNTOF(TAKERS); i++)
        if (twx_slice_eq_nocase(r->type, twx_slice_of(TAKERS[i].type))) return TAKERS[i].take(m, r);
    m->counts->not_documents++;
    return TWX_OK;
}

/* ---- files ------------------------------------------------------------------------------------------ */

static twx_rc import_warc(importer *m) {
    twx_warc *warc = NULL;
    twx_rc rc = twx_warc_open(m->cx, m->in, m->max_record, &warc);
    while (rc == TWX_OK) {
        twx_warc_record record;
        const char *fault = NULL;
        uint64_t at = twx_input_offset(m->in);
        rc = twx_cancelled(m->cx);
        if (rc == TWX_OK) rc = twx_warc_next(warc, &record, &fault);
        if (rc == TWX_OK) rc = take_record(m, &record);
        if (rc == TWX_E_DATA && m->cx->rc == TWX_OK) {
            note_broken(m, at, false, fault ? fault : "broken record");
            rc = TWX_OK;
        }
        twx_arena_reset(&m->scratch);
        note_progress(m, false);
    }
    twx_warc_close(warc);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc import_lines(importer *m) {
    twx_jsonl *jsonl = NULL;
    twx_buf line;
    twx_buf_init(&line, m->max_record);
    twx_rc rc = twx_jsonl_open(m->cx, &jsonl);
    for (uint64_t number = 1; rc == TWX_OK; number++) {
        twx_capture capture;
        const char *fault = NULL;
        rc = twx_cancelled(m->cx);
        if (rc == TWX_OK) rc = twx_input_line(m->in, &line);
        if (rc == TWX_E_LIMIT && m->cx->rc == TWX_OK) {
            m->counts->records++;
            m->counts->too_long++;
            rc = TWX_OK;
            continue;
        }
        if (rc != TWX_OK || twx_slice_trim(twx_buf_slice(&line)).n == 0) continue;
        m->counts->records++;
        rc = twx_jsonl_parse(jsonl, twx_buf_slice(&line), &capture, &fault);
        if (rc == TWX_OK) rc = put(m, &capture);
        if (rc == TWX_E_DATA && m->cx->rc == TWX_OK) {
            note_broken(m, number, true, fault ? fault : "not a document");
            rc = TWX_OK;
        }
        note_progress(m, false);
    }
    twx_jsonl_close(jsonl);
    twx_buf_done(&line);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* [R1] [R4] */
static twx_rc import_format(importer *m) {
    twx_slice head;
    twx_rc rc = twx_input_peek(m->in, 64, &head);
    if (rc != TWX_OK) return rc;
    twx_slice start = twx_slice_trim(head);
    if (twx_slice_starts(start, (twx_slice){"\xEF\xBB\xBF", 3}))
        start = twx_slice_sub(start, 3, start.n);
    if (twx_slice_starts(start, TWX_SLICE_LIT("WARC/"))) return import_warc(m);
    if (twx_slice_starts(start, TWX_SLICE_LIT("{"))) return import_lines(m);
    if (head.n == 0) return TWX_OK; /* an empty file has no documents */
    if (twx_slice_starts(start, TWX_SLICE_LIT("filedesc://")))
        return twx_fail(m->cx, TWX_E_DATA,
                        "%s is an ARC file: convert it to WARC first (warcio recompress)",
                        twx_input_name(m->in));
    return twx_fail(m->cx, TWX_E_DATA, "%s is neither WARC, WET nor JSON Lines",
                    twx_input_name(m->in));
}

static void importer_init(importer *m) {
    twx_buf_init(&m->body, m->max_record);
    twx_buf_init(&m->utf8, 4 * m->max_record);
    twx_buf_init(&m->robots, 1 << 16);
    twx_buf_init(&m->http.robots, 1 << 16);
    twx_html_init(&m->html, m->max_record);
    m->html.keep_links = twx_documents_keeps_links(m->documents);
    twx_arena_init(&m->scratch, 1 << 20);
}

static void importer_done(importer *m) {
    twx_buf_done(&m->body);
    twx_buf_done(&m->utf8);
    twx_buf_done(&m->robots);
    twx_buf_done(&m->http.robots);
    twx_html_done(&m->html);
    twx_arena_done(&m->scratch);
    twx_input_close(m->in);
}

twx_rc twx_import_file(twx_ctx *cx, const char *path, twx_documents *documents,
                       const twx_import_options *options, twx_import_counts *counts) {
    importer m = {.cx = cx,
                  .documents = documents,
                  .options = options,
                  .counts = counts,
                  .max_record = options->max_record ? options->max_record : RECORD_MAX};
    importer_init(&m);
    twx_rc rc = twx_input_open(cx, path, &m.in);
    if (rc == TWX_OK) rc = import_format(&m);
    if (rc == TWX_E_DATA && cx->rc != TWX_OK && counts->records > 0) {
        /* the file ends in the middle (a cut gzip stream): what came before it stays */
        note_broken(&m, twx_input_offset(m.in), false, cx->message);
        twx_ctx_clear(cx);
        rc = TWX_OK;
    }
    if (m.in) note_progress(&m, true);
    if (rc == TWX_OK) rc = twx_documents_commit(documents);
    importer_done(&m);
    return rc;
}
