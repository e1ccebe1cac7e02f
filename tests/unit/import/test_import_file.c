/* import_file, and with it warc, http, input and item: from files to documents, with a
 * real store. */
#include "support.h"

#include <dirent.h>
#include <unistd.h>
#include <zlib.h>

#include "import/import.h"

typedef struct room {
    twx_ctx cx;
    twx_db *db;
    twx_documents *documents;
    twx_import_counts counts;
    char path[600], file[600];
    char broken[400];
} room;

static void note(void *arg, twx_import_note kind, const char *place, const char *reason) {
    room *r = arg;
    (void)kind;
    snprintf(r->broken, sizeof r->broken, "%.150s|%.200s",
             strrchr(place, '/') ? strrchr(place, '/') + 1 : place, reason);
}

static int setup(void **state) {
    static int number;
    room *r = calloc(1, sizeof *r);
    twx_ctx_init(&r->cx);
    snprintf(r->path, sizeof r->path, "%s/store-%d.db", test_folder(), number);
    snprintf(r->file, sizeof r->file, "%s/input-%d", test_folder(), number++);
    const twx_db_options options = {.mode = TWX_DB_OWNER, .create = true, .busy_ms = 1000};
    if (twx_db_open(&r->cx, r->path, &options, &r->db) != TWX_OK ||
        twx_make_documents(r->db) != TWX_OK)
        return -1;
    *state = r;
    return 0;
}

static int teardown(void **state) {
    room *r = *state;
    twx_db_close(r->db);
    free(r);
    return 0;
}

static twx_rc import(room *r, const char *path) {
    const twx_import_options options = {.on_note = note, .arg = r};
    twx_documents *documents = NULL;
    memset(&r->counts, 0, sizeof r->counts);
    r->broken[0] = '\0';
    twx_rc rc = twx_documents_open(&r->cx, r->db, &documents);
    if (rc == TWX_OK) rc = twx_import_file(&r->cx, path, documents, &options, &r->counts);
    twx_documents_close(documents);
    return rc;
}

static twx_rc import_bytes(room *r, const char *bytes, size_t n) {
    FILE *f = fopen(r->file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
    return import(r, r->file);
}

static twx_rc import_text(room *r, const char *text) {
    return import_bytes(r, text, strlen(text));
}

TEST_WITH(a_second_import_changes_nothing, setup, teardown) {
    room *r = *state;
    const char *lines =
        "{\"url\":\"https://a/1\",\"text\":\"one\",\"fetched_at\":\"2024-01-02T03:04:05Z\"}\n"
        "{\"sku\":\"https://a/"
        "2\",\"text_t\":\"two\",\"title\":[\"t\",\"u\"],\"httpstatus_i\":404,\"robots_i\":8}\n";
    assert_int_equal(import_text(r, lines), TWX_OK);
    assert_int_equal(r->counts.put[TWX_PUT_NEW], 2);
    assert_int_equal(import_text(r, lines), TWX_OK);
    assert_int_equal(r->counts.put[TWX_PUT_SAME], 2);
}

TEST_WITH(newer_wins_and_older_stays_out, setup, teardown) {
    room *r = *state;
    assert_int_equal(import_text(r, "{\"url\":\"https://a/1\",\"text\":\"b\",\"fetched_at\":20}\n"
                                    "{\"url\":\"https://a/1\",\"text\":\"a\",\"fetched_at\":10}\n"
                                    "{\"url\":\"https://a/1\",\"text\":\"c\",\"fetched_at\":30}\n"),
                     TWX_OK);
    assert_int_equal(r->counts.put[TWX_PUT_NEW], 1);
    assert_int_equal(r->counts.put[TWX_PUT_OLDER], 1);
    assert_int_equal(r->counts.put[TWX_PUT_REPLACED], 1);
}

TEST_WITH(of_undated_captures_in_one_import_the_last_stays, setup, teardown) {
    room *r = *state;
    const char *lines =
        "{\"url\":\"https://a/1\",\"text\":\"x\"}\n{\"url\":\"https://a/1\",\"text\":\"y\"}\n";
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(import_text(r, lines), TWX_OK);
        assert_int_equal(r->counts.put[TWX_PUT_REPLACED], 1 + i);
    }
    assert_int_equal(import_text(r, "{\"url\":\"https://a/1\",\"text\":\"y\"}\n"), TWX_OK);
    assert_int_equal(r->counts.put[TWX_PUT_SAME], 1);
}

TEST_WITH(broken_lines_are_named_and_skipped, setup, teardown) {
    room *r = *state;
    assert_int_equal(
        import_text(r, "{\"url\":\"https://a/1\",\"text\":\"t\"}\n{\"url\":\n\n{\"text\":\"no "
                       "url\"}\n{\"url\":\"https://a/2\",\"text\":\"t\"}\n"),
        TWX_OK);
    assert_int_equal(r->counts.put[TWX_PUT_NEW], 2);
    assert_int_equal(r->counts.broken, 2);
    assert_non_null(strstr(r->broken, ":4|no URL; the fields are text"));
}

TEST_WITH(unknown_formats_are_refused, setup, teardown) {
    room *r = *state;
    assert_int_equal(import_text(r, "<html>"), TWX_E_DATA);
    assert_non_null(strstr(r->cx.message, "neither WARC, WET, WACZ, JSON Lines"));
    twx_ctx_clear(&r->cx);
    assert_int_equal(import_text(r, "filedesc://x 0.0.0.0 20240101 text/plain 1\n"), TWX_E_DATA);
    assert_non_null(strstr(r->cx.message, "ARC"));
    twx_ctx_clear(&r->cx);
    assert_int_equal(import(r, "/nowhere/at/all"), TWX_E_NOSTORE);
    twx_ctx_clear(&r->cx);
    assert_int_equal(import_text(r, ""), TWX_OK);
}

static const char RECORD[] = "WARC/1.0\r\nwarc-type: response\r\nWARC-Target-URI: "
                             "<http://a.example/x>\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n"
                             "Content-Length: %zu\r\n\r\n%s\r\n\r\n";

static size_t add_response(char *to, const char *response) {
    return (size_t)sprintf(to, RECORD, strlen(response), response);
}

TEST_WITH(warc_responses_become_documents, setup, teardown) {
    room *r = *state;
    char warc[4000];
    size_t n = add_response(warc, "HTTP/1.1 301 Moved\r\nLocation: /y\r\nX-Robots-Tag: googlebot: "
                                  "noindex\r\nX-Robots-Tag: noarchive\r\n\r\n");
    n += (size_t)sprintf(warc + n, "junk between records\r\n");
    n += (size_t)sprintf(warc + n,
                         "WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n");
    assert_int_equal(import_bytes(r, warc, n), TWX_OK);
    assert_int_equal(r->counts.put[TWX_PUT_NEW], 1);
    assert_int_equal(r->counts.not_documents, 1);
    assert_int_equal(r->counts.broken, 1);
}

TEST_WITH(gzip_members_and_cut_streams, setup, teardown) {
    room *r = *state;
    char warc[4000];
    unsigned char packed[8000];
    size_t total = 0, first = 0;
    for (int i = 0; i < 2; i++) {
        size_t n = add_response(warc, i ? "HTTP/1.1 404 No\r\n\r\n"
                                        : "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x");
        if (i)
            warc[strlen("WARC/1.0\r\nwarc-type: response\r\nWARC-Target-URI: <http://a.example/")] =
                'z';
        z_stream z = {.next_in = (Bytef *)warc,
                      .avail_in = (uInt)n,
                      .next_out = packed + total,
                      .avail_out = 4000};
        assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
        assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
        total += 4000 - z.avail_out;
        if (!i) first = total;
        deflateEnd(&z);
    }
    assert_int_equal(import_bytes(r, (char *)packed, total - 10), TWX_OK);
    assert_int_equal(r->counts.put[TWX_PUT_NEW] + r->counts.broken > 1, 1);
    assert_int_equal(import_bytes(r, (char *)packed, total), TWX_OK);
    assert_int_equal(r->counts.records, 2);
    assert_int_equal(r->counts.broken, 0);
    assert_true(first > 0);
}

static void http(const char *response, int status, const char *body) {
    twx_ctx cx = {0};
    twx_buf room_buf = {.max = 1 << 20};
    twx_http parsed = {0};
    twx_buf_init(&parsed.robots, 1 << 16);
    assert_int_equal(twx_http_parse(&cx, twx_slice_of(response), 1 << 20, &room_buf, &parsed),
                     TWX_OK);
    assert_int_equal(parsed.status, status);
    if (!twx_slice_eq(parsed.body, twx_slice_of(body)))
        fail_msg("body '%.*s', wanted '%s'", (int)parsed.body.n, parsed.body.p, body);
    twx_buf_done(&parsed.robots);
    twx_buf_done(&room_buf);
}

TEST(http_takes_what_archives_hold) {
    http("HTTP/1.1 200\r\n\r\nbody", 200, "body");
    http("no head at all", 200, "no head at all");
    http("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\nA: b\n\nx", 404, "x");
    http("HTTP/1.1 200 OK\r\nTransfer-Encoding: "
         "chunked\r\n\r\n3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\n\r\n",
         200, "abcdefgh");
    http("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n",
         200, "abcdefgh");
    http("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot chunked any more", 200,
         "not chunked any more");
    http("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nplain already", 200, "plain already");
}

TEST(dates) {
    static const struct {
        const char *text;
        int64_t seconds;
    } GOOD[] = {{"1970-01-01", 0},
                {"2024-02-29T12:00:00Z", 1709208000},
                {"2024-02-29 12:00:00.123+02:00", 1709200800},
                {"20240229120000", 1709208000},
                {"1969-12-31T23:59:59Z", -1},
                {"2000-03-01T00:00:00-0130", 951874200}};
    static const char *const BAD[] = {
        "",          "2023-02-29",          "2024-13-01",  "2024-1-1",
        "yesterday", "2024-01-01T25:00:00", "2024-01-01x", "0000-01-01"};
    for (size_t i = 0; i < TWX_COUNTOF(GOOD); i++) {
        int64_t seconds = 0;
        assert_true(twx_iso8601_parse(twx_slice_of(GOOD[i].text), &seconds));
        assert_int_equal(seconds, GOOD[i].seconds);
    }
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++) {
        int64_t seconds = 7;
        assert_false(twx_iso8601_parse(twx_slice_of(BAD[i]), &seconds));
        assert_int_equal(seconds, 7);
    }
}

TEST_WITH(real_archives, setup, teardown) {
    room *r = *state;
    const char *folder = test_corpus("warc");
    if (!folder) skip();
    char path[900], root[600];
    uint64_t documents = 0, refused = 0;
    snprintf(root, sizeof root, "%s", folder);
    DIR *d = opendir(root);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", root, e->d_name);
        twx_rc rc = import(r, path);
        bool arc = strstr(e->d_name, ".arc") != NULL;
        assert_int_equal(rc, arc ? TWX_E_DATA : TWX_OK);
        refused += arc;
        documents += r->counts.put[TWX_PUT_NEW];
        twx_ctx_clear(&r->cx);
        if (arc) continue;
        assert_int_equal(import(r, path), TWX_OK); /* a second time: nothing new */
        assert_int_equal(r->counts.put[TWX_PUT_NEW] + r->counts.put[TWX_PUT_REPLACED], 0);
    }
    closedir(d);
    assert_int_equal(refused, 3);
    assert_in_range(documents, 250, 300); /* without styles, scripts and feeds */
}

/* Allocation 1, 2, 3 ... fails, in the reader or in a worker: the error comes out, nothing is lost
 * twice. */
TEST_WITH(every_allocation_may_fail, setup, teardown) {
    room *r = *state;
    char files[2][4000];
    size_t n[2];
    n[0] = add_response(files[0],
                        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>t</title><p>x");
    n[1] = (size_t)snprintf(files[1], sizeof files[1],
                            "url,text,title\nhttps://a/1,\"a\"\"b\",t\nhttps://a/2,b,\n");
    for (size_t i = 0; i < TWX_COUNTOF(files); i++) {
        twx_rc rc = TWX_E_NOMEM;
        for (uint64_t at = 1; rc != TWX_OK && at < 2000; at++) {
            twx_faults faults = {.fail_at = at};
            twx_ctx_clear(&r->cx);
            r->cx.faults = &faults;
            rc = import_bytes(r, files[i], n[i]);
            r->cx.faults = NULL;
            assert_true(rc == TWX_OK || rc == TWX_E_NOMEM);
        }
        assert_int_equal(rc, TWX_OK);
        twx_ctx_clear(&r->cx);
    }
}
