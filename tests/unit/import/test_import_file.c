/* import_file, and with it warc, http, input and item: from files to documents, with a
 * real store. */
#include "support.h"

#include <dirent.h>
#include <unistd.h>
#include <zlib.h>

#include "import/import.h"

static twx_ctx cx;
static twx_db *db;
static twx_import_counts counts;
static char store[600], file[600], broken[400];

static void note(void *arg, const char *place, const char *reason) {
    (void)arg;
    snprintf(broken, sizeof broken, "%.150s|%.200s",
             strrchr(place, '/') ? strrchr(place, '/') + 1 : place, reason);
}

static void progress(void *arg, uint64_t done, uint64_t total) {
    (void)arg;
    assert_true(total == 0 || done <= total);
}

static void setup(void) {
    static int number;
    twx_ctx_clear(&cx);
    snprintf(store, sizeof store, "%s/store-%d.db", test_folder(), number);
    snprintf(file, sizeof file, "%s/input-%d", test_folder(), number++);
    const twx_db_options options = {.mode = TWX_DB_OWNER, .create = true, .busy_ms = 1000};
    assert_ok(twx_db_open(&cx, store, &options, &db));
    assert_ok(twx_make_documents(db));
}

static void teardown(void) {
    twx_db_close(db);
}

static twx_rc import(const char *path) {
    const twx_import_options options = {.max_page = 16 << 20,
                                        .max_record = 64 << 20,
                                        .types = TWX_DOCUMENT_TYPES,
                                        .on_note = note,
                                        .on_progress = progress};
    twx_documents *documents = NULL;
    memset(&counts, 0, sizeof counts);
    broken[0] = '\0';
    twx_rc rc = twx_documents_open(&cx, db, &documents);
    if (rc == TWX_OK) rc = twx_import_file(&cx, path, documents, &options, &counts);
    twx_documents_close(documents);
    return rc;
}

static twx_rc import_bytes(const char *bytes, size_t n) {
    test_write_file(file, bytes, n);
    return import(file);
}

static twx_rc import_text(const char *text) {
    return import_bytes(text, strlen(text));
}

TEST(a_second_import_changes_nothing) {
    const char *lines =
        "{\"url\":\"https://a/1\",\"text\":\"one\",\"fetched_at\":\"2024-01-02T03:04:05Z\"}\n"
        "{\"sku\":\"https://a/"
        "2\",\"text_t\":\"two\",\"title\":[\"t\",\"u\"],\"httpstatus_i\":404,\"robots_i\":8}\n";
    assert_ok(import_text(lines));
    assert_int_equal(counts.put[TWX_PUT_NEW], 2);
    assert_ok(import_text(lines));
    assert_int_equal(counts.put[TWX_PUT_SAME], 2);
}

TEST(newer_wins_and_older_stays_out) {
    assert_ok(import_text("{\"url\":\"https://a/1\",\"text\":\"b\",\"fetched_at\":20}\n"
                          "{\"url\":\"https://a/1\",\"text\":\"a\",\"fetched_at\":10}\n"
                          "{\"url\":\"https://a/1\",\"text\":\"c\",\"fetched_at\":30}\n"));
    assert_int_equal(counts.put[TWX_PUT_NEW], 1);
    assert_int_equal(counts.put[TWX_PUT_OLDER], 1);
    assert_int_equal(counts.put[TWX_PUT_REPLACED], 1);
}

TEST(of_undated_captures_in_one_import_the_last_stays) {
    const char *lines =
        "{\"url\":\"https://a/1\",\"text\":\"x\"}\n{\"url\":\"https://a/1\",\"text\":\"y\"}\n";
    for (size_t i = 0; i < 2; i++) {
        assert_ok(import_text(lines));
        assert_int_equal(counts.put[TWX_PUT_REPLACED], 1 + i);
    }
    assert_ok(import_text("{\"url\":\"https://a/1\",\"text\":\"y\"}\n"));
    assert_int_equal(counts.put[TWX_PUT_SAME], 1);
}

TEST(broken_lines_are_named_and_skipped) {
    assert_ok(import_text("{\"url\":\"https://a/1\",\"text\":\"t\"}\n{\"url\":\n\n{\"text\":\"no "
                          "url\"}\n{\"url\":\"https://a/2\",\"text\":\"t\"}\n"));
    assert_int_equal(counts.put[TWX_PUT_NEW], 2);
    assert_int_equal(counts.broken, 2);
    assert_non_null(strstr(broken, ":4|no URL; the fields are text"));
}

TEST(unknown_formats_are_refused) {
    assert_int_equal(import_text("<html>"), TWX_E_DATA);
    assert_non_null(strstr(cx.message, "neither WARC, WET, WACZ, JSON Lines"));
    twx_ctx_clear(&cx);
    assert_int_equal(import_text("filedesc://x 0.0.0.0 20240101 text/plain 1\n"), TWX_E_DATA);
    assert_non_null(strstr(cx.message, "ARC"));
    twx_ctx_clear(&cx);
    assert_int_equal(import("/nowhere/at/all"), TWX_E_NOSTORE);
    twx_ctx_clear(&cx);
    assert_ok(import_text(""));
}

static const char RECORD[] = "WARC/1.0\r\nwarc-type: response\r\nWARC-Target-URI: "
                             "<http://a.example/x>\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n"
                             "Content-Length: %zu\r\n\r\n%s\r\n\r\n";

static size_t add_response(char *to, const char *response) {
    return (size_t)sprintf(to, RECORD, strlen(response), response);
}

TEST(warc_responses_become_documents) {
    char warc[4000];
    size_t n = add_response(warc, "HTTP/1.1 301 Moved\r\nLocation: /y\r\nX-Robots-Tag: googlebot: "
                                  "noindex\r\nX-Robots-Tag: noarchive\r\n\r\n");
    n += (size_t)sprintf(warc + n, "junk between records\r\n");
    n += (size_t)sprintf(warc + n,
                         "WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n");
    assert_ok(import_bytes(warc, n));
    assert_int_equal(counts.put[TWX_PUT_NEW], 1);
    assert_int_equal(counts.not_documents, 1);
    assert_int_equal(counts.broken, 1);
}

TEST(gzip_members_and_cut_streams) {
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
    assert_ok(import_bytes((char *)packed, total - 10));
    assert_int_equal(counts.put[TWX_PUT_NEW] + counts.broken > 1, 1);
    assert_ok(import_bytes((char *)packed, total));
    assert_int_equal(counts.records, 2);
    assert_int_equal(counts.broken, 0);
    assert_true(first > 0);
}

TEST(real_archives) {
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
        twx_rc rc = import(path);
        bool arc = strstr(e->d_name, ".arc") != NULL;
        assert_int_equal(rc, arc ? TWX_E_DATA : TWX_OK);
        refused += arc;
        documents += counts.put[TWX_PUT_NEW];
        twx_ctx_clear(&cx);
        if (arc) continue;
        assert_ok(import(path)); /* a second time: nothing new */
        assert_int_equal(counts.put[TWX_PUT_NEW] + counts.put[TWX_PUT_REPLACED], 0);
    }
    closedir(d);
    assert_int_equal(refused, 3);
    assert_in_range(documents, 250, 300); /* without styles, scripts and feeds */
}

/* Allocation 1, 2, 3 ... fails, in the reader or in a worker: the error comes out, nothing is lost
 * twice. */
TEST(every_allocation_may_fail) {
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
            twx_ctx_clear(&cx);
            cx.faults = &faults;
            rc = import_bytes(files[i], n[i]);
            cx.faults = NULL;
            assert_true(rc == TWX_OK || rc == TWX_E_NOMEM);
        }
        assert_ok(rc);
        twx_ctx_clear(&cx);
    }
}

TESTS_WITH(setup, teardown);
