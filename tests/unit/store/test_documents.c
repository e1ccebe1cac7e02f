#include "documents_fixture.h"

#include <math.h>

static twx_capture capture_of(const char *url, const char *text, int64_t fetched_at) {
    twx_capture c = twx_capture_none();
    c.url = twx_slice_of(url);
    c.text = twx_slice_of(text);
    c.fetched_at = fetched_at;
    return c;
}

static twx_put put(fixture *f, const twx_capture *c) {
    twx_put result = TWX_PUT_COUNT;
    expect_ok(&f->cx, twx_documents_put(f->d, c, &result));
    return result;
}

static twx_put put_text(fixture *f, const char *url, const char *text, int64_t fetched_at) {
    const twx_capture c = capture_of(url, text, fetched_at);
    return put(f, &c);
}

/* The captures of the table in docs/import.md, "Which capture stays". */
static const struct {
    const char *name;
    int64_t at;
    bool day;
} CAPTURES[] = {{"undated", INT64_MIN, false},      {"early", 1714557600, false},
                {"late", 1714561200, false},        {"day before", 1714435200, true},
                {"day", 1714521600, true},          {"midnight", 1714521600, false},
                {"the next day", 1714608000, true}, {"future", 32472144000, false},
                {"future day", 32503680000, true}};

enum { CAPTURES_N = TWX_COUNTOF(CAPTURES), NOW = 1800000000 };

static twx_capture listed(const char *url, size_t i) {
    twx_capture c = capture_of(url, CAPTURES[i].name, CAPTURES[i].at);
    c.fetched_day = CAPTURES[i].day;
    return c;
}

/* Only two dates with a time, neither in the future, say that a capture is older. */
static bool keeps(size_t stored, size_t later) {
    static const size_t TIMED[] = {5, 1, 2}; /* midnight, early, late */
    size_t s = 0, l = 0;
    while (s < 3 && TIMED[s] != stored) s++;
    while (l < 3 && TIMED[l] != later) l++;
    return s < 3 && l < s;
}

/* R1 */
TEST_OF(r1_the_later_import_wins_unless_it_is_known_to_be_older, fixture *f) {
    twx_documents_set_latest(f->d, NOW);
    for (size_t stored = 0; stored < CAPTURES_N; stored++)
        for (size_t later = 0; later < CAPTURES_N; later++) {
            char url[40], sql[100];
            snprintf(url, sizeof url, "http://%zu/%zu", stored, later);
            const twx_capture first = listed(url, stored), second = listed(url, later);
            assert_int_equal(put(f, &first), TWX_PUT_NEW);
            assert_int_equal(put(f, &first), TWX_PUT_SAME);
            const twx_put got = put(f, &second);
            const twx_put want = keeps(stored, later) ? TWX_PUT_OLDER
                                 : stored == later    ? TWX_PUT_SAME
                                                      : TWX_PUT_REPLACED;
            if (got != want)
                fail_msg("%s after %s: %d", CAPTURES[later].name, CAPTURES[stored].name, got);
            expect_ok(&f->cx, twx_documents_commit(f->d));
            snprintf(sql, sizeof sql, "SELECT text = '%s' FROM documents WHERE url = '%s'",
                     CAPTURES[want == TWX_PUT_OLDER ? stored : later].name, url);
            assert_int_equal(test_integer_in(f->path, sql), 1);
        }
}

TEST_OF(r1_of_equal_dates_the_later_text_stays, fixture *f) {
    static const int64_t DATES[] = {20, INT64_MIN};
    for (size_t date = 0; date < TWX_COUNTOF(DATES); date++)
        for (size_t i = 0; i < 20; i++) {
            char url[40];
            snprintf(url, sizeof url, "http://%zu/%zu", date, i);
            assert_int_equal(put_text(f, url, "old", DATES[date]), TWX_PUT_NEW);
            assert_int_equal(put_text(f, url, "new", DATES[date]), TWX_PUT_REPLACED);
        }
    expect_ok(&f->cx, twx_documents_commit(f->d));
    assert_int_equal(test_integer_in(f->path, "SELECT count(*) FROM documents WHERE text = 'new'"),
                     40);
}

TEST_OF(r1_the_capture_that_is_stored_changes_nothing, fixture *f) {
    for (size_t i = 0; i < CAPTURES_N; i++) {
        const twx_capture c = listed(CAPTURES[i].name, i);
        assert_int_equal(put(f, &c), TWX_PUT_NEW);
    }
    expect_ok(&f->cx, twx_documents_commit(f->d));
    const uint64_t content = test_store_content(f->path);
    import_again(f);
    for (size_t i = 0; i < CAPTURES_N; i++) {
        const twx_capture c = listed(CAPTURES[i].name, i);
        assert_int_equal(put(f, &c), TWX_PUT_SAME);
    }
    import_again(f);
    assert_int_equal(test_store_content(f->path), content);
}

/* R2 */
TEST_OF(r2_each_change_is_queued_in_the_same_transaction, fixture *f) {
    (void)put_text(f, "http://a/", "one", 1);
    (void)put_text(f, "http://b/", "one", 1);
    (void)put_text(f, "http://a/", "two", 2);
    (void)put_text(f, "http://b/", "one", 1);
    /* not committed yet */
    assert_int_equal(test_integer_in(f->path, "SELECT count(*) FROM twindex_change"), 0);
    expect_ok(&f->cx, twx_documents_commit(f->d));
    assert_int_equal(test_integer_in(f->path, "SELECT count(*) FROM twindex_change"), 3);
    (void)put_text(f, "http://c/", "lost", 1);
    import_again(f);
    (void)put_text(f, "http://d/", "rolled back", 1);
    twx_documents_close(f->d);
    f->d = NULL;
    assert_int_equal(test_integer_in(f->path, "SELECT count(*) FROM documents"), 3);
    assert_int_equal(test_integer_in(f->path, "SELECT count(*) FROM twindex_change"), 4);
}

TEST_OF(r1_the_same_capture_adds_headings_and_never_removes_them, fixture *f) {
    twx_capture c = capture_of("http://a/", "one", 20);
    assert_int_equal(put(f, &c), TWX_PUT_NEW);
    expect_ok(&f->cx, twx_documents_commit(f->d));
    assert_int_equal(
        test_integer_in(f->path,
                        "SELECT headings IS NULL AND length(content_digest) = 16 FROM documents"),
        1);
    c.headings = TWX_SLICE_LIT("First\nSecond");
    assert_int_equal(put(f, &c), TWX_PUT_REPLACED);
    assert_int_equal(put(f, &c), TWX_PUT_SAME);
    c.headings = (twx_slice){NULL, 0};
    assert_int_equal(put(f, &c), TWX_PUT_SAME);
    expect_ok(&f->cx, twx_documents_commit(f->d));
    assert_int_equal(test_integer_in(f->path,
                                     "SELECT headings = 'First' || char(10) || 'Second' FROM "
                                     "documents"),
                     1);
    c.fetched_at = 30;
    c.headings = TWX_SLICE_LIT("");
    assert_int_equal(put(f, &c), TWX_PUT_REPLACED);
    expect_ok(&f->cx, twx_documents_commit(f->d));
    assert_int_equal(test_integer_in(f->path, "SELECT headings IS NULL FROM documents"), 1);
}

/* The same for names, with and without headings. */
TEST_OF(r1_the_same_capture_adds_names_and_never_removes_them, fixture *f) {
    static const char *const HEADINGS[] = {NULL, "First"}, *const URLS[] = {"http://a/",
                                                                            "http://b/"};
    for (size_t i = 0; i < 2; i++) {
        twx_capture c = capture_of(URLS[i], "one", 20);
        c.headings = twx_slice_of(HEADINGS[i]);
        assert_int_equal(put(f, &c), TWX_PUT_NEW);
        c.names = TWX_SLICE_LIT("A hare");
        assert_int_equal(put(f, &c), TWX_PUT_REPLACED);
        assert_int_equal(put(f, &c), TWX_PUT_SAME);
        c.names = (twx_slice){NULL, 0};
        assert_int_equal(put(f, &c), TWX_PUT_SAME);
        c.headings = (twx_slice){NULL, 0};
        assert_int_equal(put(f, &c), TWX_PUT_SAME);
    }
    expect_ok(&f->cx, twx_documents_commit(f->d));
    assert_int_equal(test_integer_in(f->path,
                                     "SELECT count(*) FROM documents WHERE names = 'A hare' "
                                     "AND length(content_digest) = 32"),
                     2);
    assert_int_equal(test_integer_in(f->path, "SELECT count(headings) FROM documents"), 1);
}

TEST_OF(r1_other_headings_at_the_same_time, fixture *f) {
    twx_capture c = capture_of("http://a/", "one", 20);
    c.headings = TWX_SLICE_LIT("First");
    assert_int_equal(put(f, &c), TWX_PUT_NEW);
    c.headings = TWX_SLICE_LIT("Second");
    assert_int_equal(put(f, &c), TWX_PUT_REPLACED);
}

TEST_OF(fields_are_stored_as_captured, fixture *f) {
    twx_capture c = capture_of("http://a/", "text", 77), found;
    c.title = TWX_SLICE_LIT("title");
    c.headings = TWX_SLICE_LIT("heading");
    c.names = TWX_SLICE_LIT("name");
    c.http_status = 404;
    c.score = -1.5;
    c.payload_digest = TWX_SLICE_LIT("sha1:X");
    c.failure = TWX_SLICE_LIT("");
    (void)put(f, &c);
    expect_ok(&f->cx, twx_documents_find_payload(f->d, TWX_SLICE_LIT("sha1:X"), &found));
    assert_true(twx_slice_eq(found.text, c.text) && twx_slice_eq(found.title, c.title) &&
                twx_slice_eq(found.headings, c.headings) && twx_slice_eq(found.names, c.names) &&
                found.http_status == 404);
    assert_null(found.robots.p);
    /* a revisit has its own date */
    assert_true(found.fetched_at == INT64_MIN && isnan(found.score));
    assert_int_equal(twx_documents_find_payload(f->d, TWX_SLICE_LIT("sha1:Y"), &found), TWX_DONE);
    expect_ok(&f->cx, twx_documents_commit(f->d));
    assert_int_equal(test_integer_in(f->path,
                                     "SELECT count(*) FROM documents WHERE score = -1.5 AND "
                                     "failure = '' AND robots IS NULL AND fetched_at = 77"),
                     1);
    twx_capture again = c;
    again.failure = (twx_slice){NULL, 0}; /* absent is not empty */
    assert_int_not_equal(put(f, &again), TWX_PUT_SAME);
}

TEST(a_store_without_our_table_is_refused) {
    twx_ctx cx;
    twx_documents *d = NULL;
    twx_db *db = open_as(&cx, store_of("foreign.db", "CREATE TABLE documents(url)"), TWX_DB_OWNER);
    expect_fail(&cx, twx_documents_open(&cx, db, &d), TWX_E_DATA,
                "has no `documents` table of twindex");
    twx_db_close(db);
}

/* The queue, as a run takes it (store/turn.c): what a crawler does is seen, and what comes later
 * stays. */
TEST_OF(the_queue_is_taken_up_to_a_mark, fixture *f) {
    int64_t mark = 9, docs[2];
    size_t n = 0;
    expect_ok(&f->cx, twx_changes_mark(f->db, &mark));
    assert_int_equal(mark, 0);
    sqlite3 *crawler = test_open(f->path);
    test_exec(
        crawler,
        "INSERT INTO documents(id, url) VALUES (1, 'a'), (2, 'b'), (3, 'c'); UPDATE documents SET "
        "text = 1;DELETE FROM documents WHERE id = 2; UPDATE documents SET id = 9 WHERE id = 3");
    expect_ok(&f->cx, twx_changes_mark(f->db, &mark));
    test_exec(crawler, "INSERT OR REPLACE INTO documents(id, url) VALUES (20, 'a')");
    expect_ok(&f->cx, twx_changes_list(f->db, mark, INT64_MIN, docs, 2, &n));
    assert_true(n == 2 && docs[0] == 1 && docs[1] == 2);
    expect_ok(&f->cx, twx_changes_list(f->db, mark, 2, docs, 2, &n));
    assert_true(n == 2 && docs[0] == 3 && docs[1] == 9);
    bool more = false;
    expect_ok(&f->cx, twx_changes_forget(f->db, mark, &more));
    expect_ok(&f->cx, twx_changes_list(f->db, INT64_MAX, INT64_MIN, docs, 2, &n));
    assert_true(n == 2 && docs[0] == 1 && docs[1] == 20); /* REPLACE has pushed out document 1 */
    sqlite3_close(crawler);
}
