/* The text index: what is put and forgotten, what is found, in which order; snippets. */
#include "store_fixture.h"

/* Documents 1 to 4: 2 stands for 1; 3 is alone; 4 takes no part. Their flags are published. */
static const char *make_store(void) {
    const char *path = store_of("search.db",
                                "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT)");
    twx_flag_row rows[4] = {0};
    twx_generations *g = NULL;
    twx_ctx cx;
    twx_db *db = open_migrated(&cx, path);
    const twx_publication p = {.direct = true, .summary = "{}"};
    twx_claim claim = {.token = 1, .settings = "{}"};
    for (int i = 0; i < 4; i++) {
        rows[i].doc = i + 1;
        twx_flag_set(&rows[i], TWX_FLAG_eligibility, i == 3);
        twx_flag_set(&rows[i], TWX_FLAG_link_state, 0);
    }
    twx_flag_set(&rows[0], TWX_FLAG_duplicate_of, 2);
    twx_flag_edit edit = {.rows = rows, .n_rows = 4};
    expect_ok(&cx, twx_generations_open(db, &g));
    expect_ok(&cx, twx_generation_claim(g, &claim));
    expect_ok(&cx, twx_generation_write(g, &claim, &edit));
    expect_ok(&cx, twx_generation_publish(g, &claim, &p));
    twx_generations_close(g);
    twx_db_close(db);
    return path;
}

/* To write; makes the text index. */
static twx_db *open_index(twx_ctx *cx, const char *path, twx_text_index **ret_index) {
    twx_db *db = open_as(cx, path, TWX_DB_WRITER);
    expect_ok(cx, twx_text_index_make(db));
    expect_ok(cx, twx_text_index_open(db, ret_index));
    return db;
}

static void close_index(twx_db *db, twx_text_index *x) {
    twx_text_index_close(x);
    twx_db_close(db);
}

static void put(twx_ctx *cx, twx_text_index *x, int64_t doc, const char *title, const char *text) {
    const twx_text_entry e = {.doc = doc,
                              .hash = (uint64_t)doc * 7,
                              .title = twx_slice_of(title),
                              .text = twx_slice_of(text)};
    expect_ok(cx, twx_text_index_put(x, &e));
}

typedef struct found {
    char text[256]; /* "2/2+ 1/2+": document, its cluster, + when it takes part */
    double score, text_score, part;
} found;

static twx_rc note(void *arg, const twx_hit *hit) {
    found *f = arg;
    const size_t n = strlen(f->text);
    snprintf(f->text + n, sizeof f->text - n, "%s%d/%d%s", n ? " " : "", (int)hit->doc,
             hit->has_cluster ? (int)hit->cluster : 0, hit->takes_part ? "+" : "");
    f->score = hit->score;
    f->text_score = hit->text_score;
    f->part = hit->parts[0];
    return TWX_OK;
}

static found search(twx_ctx *cx, twx_db *db, const char *query, const twx_ranking *ranking) {
    found f = {.text = ""};
    const twx_search s = {.query = twx_slice_of(query),
                          .generation = 'a',
                          .direct = true,
                          .ranking = ranking,
                          .limit = UINT64_MAX};
    expect_ok(cx, twx_text_search(db, &s, note, &f));
    return f;
}

static twx_rc note_both(void *arg, const twx_hit *hit) {
    found *f = arg;
    twx_hit other = *hit;
    other.score = hit->other_score;
    other.parts = hit->other_parts;
    if (hit->passes) assert_int_equal(note(&f[0], hit), TWX_OK);
    return hit->passes_other ? note(&f[1], &other) : TWX_OK;
}

/* Two rankings that are read at once say what each says alone, here of one document. */
static void read_at_once(twx_ctx *cx, twx_db *db, const twx_ranking *a, const twx_ranking *b) {
    const twx_search s = {TWX_SLICE_LIT("apple"), 'a', true, a, b, UINT64_MAX};
    const found alone[] = {search(cx, db, "apple", a), search(cx, db, "apple", b)};
    found f[2] = {{.text = ""}, {.text = ""}};
    expect_ok(cx, twx_text_search(db, &s, note_both, f));
    assert_memory_equal(f, alone, sizeof f);
}

TEST(documents_are_found_in_the_order_of_the_ranking) {
    static const char *const PARTS[] = {"(CASE WHEN f.representative_b THEN 5.0 ELSE 0.0 END)",
                                        "0.5"};
    const twx_ranking plain = {.filter = "1", .weight = {1, 1}}, boosted = {"1", PARTS, 2, {1, 1}},
                      filtered = {"f.indexable_b", PARTS, 1, {0, 1}},
                      first = {"f.id < 2 OR NULL", PARTS + 1, 1, {1, 1}},
                      second = {"f.id = 2", PARTS, 2, {1, 1}};
    const char *path = make_store();
    twx_text_index *x = NULL;
    twx_ctx cx;
    twx_text_index_state index = TWX_TEXT_READY;
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_ok(&cx, twx_text_index_look(db, &index));
    assert_int_equal(index, TWX_TEXT_NONE);
    expect_ok(&cx, twx_text_index_make(db));
    expect_ok(&cx, twx_text_index_open(db, &x));
    put(&cx, x, 1, "one", "apple apple apple");
    put(&cx, x, 2, "two", "apple pear and words that make it longer");
    put(&cx, x, 3, "three", "plum");
    put(&cx, x, 4, "gone", "apple and words that make it even much longer than those");
    assert_string_equal(search(&cx, db, "apple", &plain).text, "1/2+ 2/2+ 4/0");
    const found best = search(&cx, db, "apple", &boosted);
    assert_string_equal(best.text, "2/2+ 1/2+ 4/0");
    assert_true(best.part == 0 && best.score == best.text_score + 0.5);
    assert_string_equal(search(&cx, db, "apple", &filtered).text, "2/2+ 1/2+");
    assert_string_equal(search(&cx, db, "apple NOT pear", &filtered).text, "1/2+");
    assert_string_equal(search(&cx, db, "apple", &first).text, "1/2+");
    assert_string_equal(search(&cx, db, "apple", &second).text, "2/2+");
    read_at_once(&cx, db, &second, &first);
    read_at_once(&cx, db, &first, &second);
    assert_true(search(&cx, db, "title:two", &filtered).text_score == 0);
    close_index(db, x);
}

/* A language that was first used in a transaction that is rolled back is recorded the next time. */
TEST(a_rollback_forgets_the_language) {
    const twx_text_entry e = {.doc = 1,
                              .hash = 1,
                              .language = twx_stem_language(TWX_SLICE_LIT("en")),
                              .text = TWX_SLICE_LIT("houses")};
    const char *path = make_store();
    const int64_t bit = (int64_t)1 << e.language;
    twx_text_index *x = NULL;
    twx_ctx cx;
    assert_int_not_equal(e.language, TWX_LANGUAGE_NONE);
    twx_db *db = open_index(&cx, path, &x);
    expect_ok(&cx, twx_db_begin(db));
    expect_ok(&cx, twx_text_index_put(x, &e));
    twx_db_rollback(db);
    assert_int_equal(test_integer_in(path, "SELECT languages FROM twindex_text_state"), 0);
    for (int i = 0; i < 2; i++) {
        expect_ok(&cx, twx_db_begin(db));
        expect_ok(&cx, twx_text_index_put(x, &e));
        expect_ok(&cx, twx_db_commit(db));
        assert_int_equal(test_integer_in(path, "SELECT languages FROM twindex_text_state"), bit);
    }
    close_index(db, x);
}

/* bm25 prefers the short document that repeats the words; whole_title() the one that they name. */
TEST(a_title_that_is_the_query_counts) {
    const twx_ranking plain = {.filter = "1", .weight = {1, 1, 0}},
                      whole = {.filter = "1", .weight = {1, 1, 100}};
    const struct {
        const char *query, *expected;
    } CASES[] = {
        {"apache module", "2/2+ 3/3+ 4/0"}, /* the title has more words */
        {"mod_proxy", "2/2+ 3/3+ 4/0"},     /* no title has it */
        {"\"Apache\" \"module\" \"proxy\"", "3/3+ 2/2+ 4/0"},
        {"apache \"MODULE proxy\"", "3/3+ 2/2+ 4/0"}, /* phrases; case does not matter */
        {"apache + module + proxy", "3/3+ 2/2+ 4/0"},
        {"proxy module apache", "2/2+ 3/3+ 4/0"}, /* another order is another title */
        {"apache module prox*", "3/3+ 2/2+ 4/0"},
        {"text: apache module proxy", "2/2+ 3/3+ 4/0"}, /* not looked for in titles */
        {"\"\" apache module proxy", "3/3+ 2/2+ 4/0"},  /* a phrase without words */
    };
    twx_text_index *x = NULL;
    twx_ctx cx;
    twx_db *db = open_index(&cx, make_store(), &x);
    put(&cx, x, 1, "", "nothing of it");
    put(&cx, x, 2, "", "apache module proxy mod_proxy apache module proxy");
    put(&cx, x, 3, "Apache: module-proxy",
        "apache module proxy mod_proxy and so many other words that bm25 takes it for a document "
        "about something else, such as gardens, boats, harbours, lighthouses or the weather");
    put(&cx, x, 4, NULL,
        "apache module proxy mod_proxy in a document without a title, and so many other words that "
        "bm25 takes it for one about something else, such as gardens, boats, harbours, "
        "lighthouses, the weather or the tides");
    assert_string_equal(search(&cx, db, "apache module proxy", &plain).text, "2/2+ 3/3+ 4/0");
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        assert_string_equal(search(&cx, db, CASES[i].query, &whole).text, CASES[i].expected);
    /* one word */
    put(&cx, x, 5, NULL, "zebra zebra zebra");
    put(&cx, x, 6, "Zebra", "an animal with stripes, and other words that make the text longer");
    assert_string_equal(search(&cx, db, "zebra", &plain).text, "5/0 6/0");
    assert_string_equal(search(&cx, db, "zebra", &whole).text, "6/0 5/0");
    close_index(db, x);
}

/* 1 is represented by 2: at equal score the representative comes first. */
TEST(representatives_come_first_at_equal_score) {
    const twx_ranking plain = {.filter = "1", .weight = {1, 1, 0}};
    twx_text_index *x = NULL;
    twx_ctx cx;
    twx_db *db = open_index(&cx, make_store(), &x);
    for (int64_t doc = 1; doc <= 4; doc++) put(&cx, x, doc, "same", "words");
    assert_string_equal(search(&cx, db, "words", &plain).text, "2/2+ 3/3+ 1/2+ 4/0");
    close_index(db, x);
}

static twx_rc count_slot(void *arg, int64_t doc, uint64_t hash) {
    uint64_t *sum = arg;
    assert_int_equal(hash, (uint64_t)doc * 7);
    *sum = *sum * 10 + (uint64_t)doc;
    return TWX_OK;
}

TEST(a_document_that_changes_gets_a_new_slot) {
    const twx_ranking plain = {.filter = "1", .weight = {1, 1}};
    const char *path = make_store();
    twx_text_index *x = NULL;
    twx_ctx cx;
    uint64_t documents = 0, slots = 0, seen = 0;
    twx_db *db = open_index(&cx, path, &x);
    put(&cx, x, 1, NULL, "old words");
    put(&cx, x, 2, "", "more words");
    put(&cx, x, 1, NULL, "new words");
    expect_ok(&cx, twx_text_index_forget(x, 2));
    put(&cx, x, 3, NULL, "words");
    expect_ok(&cx, twx_text_index_count(x, &documents, &slots));
    assert_int_equal(documents, 2);
    assert_int_equal(slots, 4);
    expect_ok(&cx, twx_text_index_each(x, count_slot, &seen));
    assert_int_equal(seen, 13);
    assert_string_equal(search(&cx, db, "old", &plain).text, "");
    assert_string_equal(search(&cx, db, "words", &plain).text, "3/3+ 1/2+");
    twx_text_index_close(x);
    expect_ok(&cx, twx_text_index_drop(db));
    twx_db_close(db);
    assert_int_equal(
        test_integer_in(path, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'twindex_text%'"),
        0);
}

TEST(r1_errors_of_a_query_are_those_of_fts5) {
    static const char *const BAD[] = {"(", "a AND", "\"a", "url:a", "*x", "a'b", "NEAR(a b, x)"};
    const twx_ranking plain = {.filter = "1", .weight = {1, 1}};
    const char *path = make_store();
    twx_ctx cx;
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_ok(&cx, twx_text_index_make(db));
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++) {
        found f = {.text = ""};
        const twx_search s = {.query = twx_slice_of(BAD[i]),
                              .generation = 'a',
                              .direct = true,
                              .ranking = &plain,
                              .limit = 9};
        expect_fail(&cx, twx_text_search(db, &s, note, &f), TWX_E_DATA, "");
    }
    twx_db_close(db);
}

/* A cursor that could not be opened is closed as any other. */
TEST(a_ranking_of_too_many_parts_opens_nothing) {
    const char *path = make_store();
    const twx_ranking many = {.filter = "1", .n_parts = TWX_SEARCH_PARTS + 1, .weight = {1, 1}};
    const twx_search s = {.query = TWX_SLICE_LIT("pear"), .ranking = &many, .limit = 1};
    twx_hit_cursor c;
    twx_ctx cx;
    twx_db *db = open_as(&cx, path, TWX_DB_READER);
    memset(&c, 0xAA, sizeof c);
    expect_fail(&cx, twx_hit_cursor_open(db, &s, &c), TWX_E_INTERNAL, "too many parts");
    twx_hit_cursor_close(&c);
    twx_db_close(db);
}

static int interrupt(void *arg) {
    (void)arg;
    return 1;
}

/* The functions are registered by asking FTS5, which can fail as any statement. */
TEST(an_interrupted_registration_says_so) {
    twx_ctx cx;
    twx_db *db = open_as(&cx, store_of("interrupted.db", "CREATE TABLE t(x)"), TWX_DB_WRITER);
    sqlite3_progress_handler(db->handle, 1, interrupt, NULL);
    expect_fail(&cx, twx_text_functions_register(db), TWX_E_INTERNAL, "interrupted");
    sqlite3_progress_handler(db->handle, 0, NULL, NULL);
    expect_ok(&cx, twx_text_functions_register(db));
    twx_db_close(db);
}

TEST(snippets_are_marked) {
    twx_snippets *s = NULL;
    twx_slice title, snippet;
    twx_ctx cx = {0};
    expect_ok(&cx, twx_snippets_open(&cx, &s));
    const twx_snippet_of both = {TWX_SLICE_LIT("pear"), 0, TWX_SLICE_LIT("A Pear"),
                                 TWX_SLICE_LIT("the pear tree")},
                         none = {TWX_SLICE_LIT("plum"), 0, TWX_SLICE_LIT("A Pear"), {NULL, 0}};
    expect_ok(&cx, twx_snippets_make(s, &both, &title, &snippet));
    assert_true(twx_slice_eq(title, TWX_SLICE_LIT("A \x02Pear\x03")));
    assert_true(twx_slice_eq(snippet, TWX_SLICE_LIT("the \x02pear\x03 tree")));
    assert_int_equal(twx_snippets_make(s, &none, &title, &snippet), TWX_DONE);
    twx_snippets_close(s);
}
