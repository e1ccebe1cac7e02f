/* twindex_link: with its documents it comes and goes. */
#include "documents_fixture.h"

static twx_capture capture_of(const char *url, const char *text, int64_t fetched_at,
                              const char *links) {
    twx_capture c = twx_capture_none();
    c.url = twx_slice_of(url);
    c.text = twx_slice_of(text);
    c.fetched_at = fetched_at;
    c.links = twx_slice_of(links);
    return c;
}

static twx_put put(fixture *f, const char *url, const char *text, int64_t fetched_at,
                   const char *links) {
    const twx_capture c = capture_of(url, text, fetched_at, links);
    twx_put result = TWX_PUT_COUNT;
    expect_ok(&f->cx, twx_documents_put(f->d, &c, &result));
    return result;
}

typedef struct listing {
    char text[2000];
    size_t n;
} listing;

static twx_rc take_link(void *arg, twx_slice from_url, twx_slice to_url) {
    listing *l = arg;
    l->n += (size_t)snprintf(l->text + l->n, sizeof l->text - l->n,
                             TWX_SLICE_FMT ">" TWX_SLICE_FMT " ", TWX_SLICE_ARG(from_url),
                             TWX_SLICE_ARG(to_url));
    return TWX_OK;
}

/* What a reader sees after a commit, "from>to " for each link. */
static void expect_links(fixture *f, const char *wanted) {
    twx_ctx cx;
    listing l = {.n = 0};
    expect_ok(&f->cx, twx_documents_commit(f->d));
    twx_db *reader = open_as(&cx, f->path, TWX_DB_READER);
    expect_ok(&cx, twx_links_each(reader, take_link, &l));
    twx_db_close(reader);
    assert_string_equal(l.text, wanted);
}

TEST_OF(without_being_asked_nothing_is_kept, fixture *f) {
    bool has = true;
    assert_int_equal(put(f, "http://a/", "x", 1, "http://b/\n"), TWX_PUT_NEW);
    expect_links(f, "");
    expect_ok(&f->cx, twx_db_has(f->db, "twindex_link", &has));
    assert_false(has);
    assert_false(twx_documents_keeps_links(f->d));
    assert_int_equal(twx_documents_links(f->d), 0);
}

TEST_OF(links_are_kept_once_and_in_order, fixture *f) {
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    assert_true(twx_documents_keeps_links(f->d));
    assert_int_equal(put(f, "http://a/", "x", 1, "http://c/\nhttp://b/\nhttp://c/\n"), TWX_PUT_NEW);
    assert_int_equal(put(f, "http://b/", "x", 1, ""), TWX_PUT_NEW);
    assert_int_equal(put(f, "http://c/", "x", 1, "http://a/"), TWX_PUT_NEW);
    expect_links(f, "http://a/>http://b/ http://a/>http://c/ http://c/>http://a/ ");
    assert_int_equal(twx_documents_links(f->d), 3);
}

/* R2 */
TEST_OF(r2_a_second_import_changes_nothing, fixture *f) {
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    assert_int_equal(put(f, "http://a/", "x", 1, "http://b/\n"), TWX_PUT_NEW);
    import_again(f);
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    assert_int_equal(put(f, "http://a/", "x", 1, "http://b/\n"), TWX_PUT_SAME);
    /* links do not make a capture another one */
    assert_int_equal(put(f, "http://a/", "x", 1, "http://other/\n"), TWX_PUT_SAME);
    assert_int_equal(put(f, "http://a/", "old", 0, "http://older/\n"), TWX_PUT_OLDER);
    assert_int_equal(twx_documents_links(f->d), 0);
    expect_links(f, "http://a/>http://b/ ");
}

TEST_OF(documents_that_were_imported_without_links_get_them, fixture *f) {
    assert_int_equal(put(f, "http://a/", "x", 1, NULL), TWX_PUT_NEW);
    import_again(f);
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    assert_int_equal(put(f, "http://a/", "x", 1, "http://b/\n"), TWX_PUT_SAME);
    expect_links(f, "http://a/>http://b/ ");
}

TEST_OF(a_newer_capture_has_the_links_it_has, fixture *f) {
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    assert_int_equal(put(f, "http://a/", "x", 1, "http://b/\n"), TWX_PUT_NEW);
    assert_int_equal(put(f, "http://a/", "y", 2, "http://c/\n"), TWX_PUT_REPLACED);
    expect_links(f, "http://a/>http://c/ ");
    import_again(f); /* and none when they were not looked for */
    assert_int_equal(put(f, "http://a/", "z", 3, NULL), TWX_PUT_REPLACED);
    expect_links(f, "");
}

/* A capture that says "the page of that document again". */
TEST_OF(a_repeated_page_repeats_its_links, fixture *f) {
    twx_put what;
    twx_capture c = capture_of("http://a/", "x", 1, "http://b/\nhttp://c/\n"), found;
    c.payload_digest = TWX_SLICE_LIT("sha1:X");
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    expect_ok(&f->cx, twx_documents_put(f->d, &c, &what));
    for (int i = 0; i < 2; i++) {
        expect_ok(&f->cx, twx_documents_find_payload(f->d, TWX_SLICE_LIT("sha1:X"), &found));
        found.url = i ? TWX_SLICE_LIT("http://a/") : TWX_SLICE_LIT("http://alias/");
        found.fetched_at = 9;
        expect_ok(&f->cx, twx_documents_put(f->d, &found, &what));
    }
    expect_links(
        f,
        "http://a/>http://b/ http://a/>http://c/ http://alias/>http://b/ http://alias/>http://c/ ");
    import_again(f);
    expect_ok(&f->cx, twx_documents_find_payload(f->d, TWX_SLICE_LIT("sha1:X"), &found));
    found.url = TWX_SLICE_LIT("http://a/");
    found.fetched_at = 10; /* the same page again: its links are right without being looked at */
    expect_ok(&f->cx, twx_documents_put(f->d, &found, &what));
    expect_links(
        f,
        "http://a/>http://b/ http://a/>http://c/ http://alias/>http://b/ http://alias/>http://c/ ");
}

/* R1 */
TEST_OF(r1_links_go_with_their_document, fixture *f) {
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    assert_int_equal(put(f, "http://a/", "x", 1, "http://b/\n"), TWX_PUT_NEW);
    assert_int_equal(put(f, "http://b/", "x", 1, "http://a/\n"), TWX_PUT_NEW);
    assert_int_equal(put(f, "http://c/", "x", 1, "http://a/\n"), TWX_PUT_NEW);
    expect_ok(&f->cx, twx_documents_commit(f->d));
    sqlite3 *crawler = test_open(f->path);
    test_exec(crawler, "DELETE FROM documents WHERE url = 'http://a/'");
    test_exec(crawler, "UPDATE documents SET id = 77 WHERE url = 'http://b/'");
    test_exec(crawler, "INSERT OR REPLACE INTO documents(id, url) VALUES (3, 'http://new/')");
    /* stays, and so do its links */
    test_exec(crawler, "INSERT OR IGNORE INTO documents(url) VALUES ('http://b/')");
    assert_int_equal(test_integer(crawler, "SELECT count(*) FROM twindex_link"), 1);
    assert_int_equal(test_integer(crawler, "SELECT doc FROM twindex_link"), 77);
    expect_links(f, "http://b/>http://a/ ");
    /* this fires no trigger for the row that is pushed out: nothing reads its links, and the next
     * import drops them */
    test_exec(crawler, "REPLACE INTO documents(id, url) VALUES (99, 'http://b/')");
    expect_links(f, "");
    assert_int_equal(test_integer(crawler, "SELECT count(*) FROM twindex_link"), 1);
    sqlite3_close(crawler);
    import_again(f);
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    assert_int_equal(test_integer_in(f->path, "SELECT count(*) FROM twindex_link"), 0);
}

static twx_rc count_link(void *arg, twx_slice from_url, twx_slice to_url) {
    assert_true(from_url.n > strlen("http://x/") && to_url.n > strlen("http://y/"));
    ++*(size_t *)arg;
    return TWX_OK;
}

static twx_rc stop(void *arg, twx_slice from_url, twx_slice to_url) {
    (void)arg, (void)from_url, (void)to_url;
    return TWX_E_LIMIT;
}

/* More than two batches, some of them ending within a document. */
TEST_OF(r3_all_links_are_read_in_batches, fixture *f) {
    twx_ctx cx;
    size_t links = 0;
    expect_ok(&f->cx, twx_documents_keep_links(f->d));
    sqlite3 *crawler = test_open(f->path);
    test_exec(crawler, "INSERT INTO documents(id, url) WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL "
                       "SELECT i + 1 FROM n LIMIT 70) SELECT i, 'http://x/' || i FROM n");
    test_exec(crawler,
              "INSERT INTO twindex_link WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i + 1 "
              "FROM n LIMIT 23000) SELECT i % 70 + 1, 'http://y/' || i FROM n");
    /* no text; no document */
    test_exec(crawler, "INSERT INTO twindex_link VALUES (1, x'00FF'), (500, 'http://lost/')");
    twx_db *reader = open_as(&cx, f->path, TWX_DB_READER);
    expect_ok(&cx, twx_links_each(reader, count_link, &links));
    assert_int_equal(links, 23000);
    assert_int_equal(twx_links_each(reader, stop, NULL), TWX_E_LIMIT);
    twx_db_close(reader);
    sqlite3_close(crawler);
}
