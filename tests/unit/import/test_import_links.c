/* import_file with links: from a WARC of our own to the table twindex_link. */
#include "store_maker.h"

#include "import/import.h"

enum { WARC_MAX = 1 << 14 };

typedef struct warc {
    char bytes[WARC_MAX];
    size_t n;
} warc;

static void add_record(warc *w, const char *head, const char *block) {
    w->n += (size_t)snprintf(w->bytes + w->n, WARC_MAX - w->n,
                             "WARC/1.0\r\n%sContent-Length: %zu\r\n\r\n%s\r\n\r\n", head,
                             strlen(block), block);
    assert_true(w->n < WARC_MAX);
}

static void add_page(warc *w, const char *url, const char *second, const char *body) {
    char head[400], block[2000];
    snprintf(head, sizeof head,
             "WARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-05-01T00:00:%sZ\r\n"
             "WARC-Payload-Digest: sha1:%zu\r\n",
             url, second, strlen(body));
    snprintf(block, sizeof block, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%s", body);
    add_record(w, head, block);
}

static void make_warc(warc *w) {
    w->n = 0;
    add_page(w, "http://a.example/", "01",
             "<title>a</title><p>home<a href='b'>b</a><a href='b#x'>b</a><a href='/c?d'>c</a>");
    add_page(w, "http://a.example/b", "01",
             "<title>b</title><p>another page<a href='http://a.example/'>home</a>");
    add_page(w, "http://a.example/c?d", "01", "<title>c</title><p>no links at all");
    add_record(w,
               "WARC-Type: revisit\r\nWARC-Target-URI: http://a.example/d\r\nWARC-Date: "
               "2024-05-01T00:00:01Z\r\n"
               "WARC-Payload-Digest: sha1:67\r\n",
               "");
    add_record(w,
               "WARC-Type: resource\r\nWARC-Target-URI: http://a.example/e\r\nWARC-Date: "
               "2024-05-01T00:00:01Z\r\n"
               "Content-Type: text/plain\r\n",
               "<a href='/no'>plain text has no links</a>");
}

static void fail_by_note(void *arg, const char *place, const char *reason) {
    (void)arg;
    fail_msg("%s: %s", place, reason);
}

static void ignore_progress(void *arg, uint64_t done, uint64_t total) {
    (void)arg, (void)done, (void)total;
}

/* links: keep them? */
static void import(const char *store, const warc *w, bool links, twx_import_counts *ret_counts) {
    const char *path = test_file("links.warc");
    const twx_db_options own = {.mode = TWX_DB_OWNER, .busy_ms = 1000};
    const twx_import_options options = {.max_page = 1 << 20,
                                        .max_record = 1 << 20,
                                        .types = TWX_DOCUMENT_TYPES,
                                        .on_note = fail_by_note,
                                        .on_progress = ignore_progress};
    twx_documents *d = NULL;
    twx_db *db = NULL;
    twx_ctx cx = {0};
    test_write_file(path, w->bytes, w->n);
    *ret_counts = (twx_import_counts){0};
    assert_ok(twx_db_open(&cx, store, &own, &db));
    assert_ok(twx_documents_open(&cx, db, &d));
    if (links) assert_ok(twx_documents_keep_links(d));
    if (twx_import_file(&cx, path, d, &options, ret_counts) != TWX_OK) fail_msg("%s", cx.message);
    twx_documents_close(d);
    twx_db_close(db);
}

static const char *fresh_store(const char *name) {
    const twx_db_options make = {.mode = TWX_DB_OWNER, .create = true};
    const char *path = test_file(name);
    twx_db *db = NULL;
    twx_ctx cx = {0};
    assert_ok(twx_db_open(&cx, path, &make, &db));
    assert_ok(twx_make_documents(db));
    twx_db_close(db);
    return path;
}

static void expect_links(const char *store, const char *wanted) {
    sqlite3 *db = test_open(store);
    sqlite3_stmt *stmt = NULL;
    assert_ok(sqlite3_prepare_v2(
        db,
        "SELECT group_concat(substr(url, 17) || '>' || substr(to_url, 17), ' ') FROM (SELECT "
        "url, to_url FROM twindex_link JOIN documents ON id = doc ORDER BY url, to_url)",
        -1, &stmt, NULL));
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(stmt, 0), wanted);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

static const char LINKS[] = "/>/b />/c?d /b>/ /d>/";

TEST(links_of_html_pages_and_of_revisits_are_kept) {
    static warc w;
    twx_import_counts counts;
    const char *store = fresh_store("kept.db");
    make_warc(&w);
    import(store, &w, true, &counts);
    assert_int_equal(counts.put[TWX_PUT_NEW], 5);
    expect_links(store, LINKS);
    import(store, &w, true, &counts); /* again */
    assert_int_equal(counts.put[TWX_PUT_SAME], 5);
    expect_links(store, LINKS);
}

TEST(a_store_that_was_filled_before_gets_its_links) {
    static warc w;
    twx_import_counts counts;
    const char *store = fresh_store("later.db");
    make_warc(&w);
    import(store, &w, false, &counts);
    import(store, &w, true, &counts);
    assert_int_equal(counts.put[TWX_PUT_SAME], 5);
    expect_links(store, LINKS);
}

TEST(a_newer_page_brings_its_own_links) {
    static warc w;
    twx_import_counts counts;
    const char *store = fresh_store("newer.db");
    make_warc(&w);
    import(store, &w, true, &counts);
    w.n = 0;
    add_page(&w, "http://a.example/", "30", "<p>home<a href='/news'>news</a>");
    import(store, &w, true, &counts);
    assert_int_equal(counts.put[TWX_PUT_REPLACED], 1);
    expect_links(store, "/>/news /b>/ /d>/");
}
