/* bm25 over several indexes: equal to SQLite's own bm25() of one index with all documents, to the
 * last bit; on one index with any expression. */
#include "store_fixture.h"

#include "support.h"

enum { DOCUMENTS = 60, SHARDS = 3, TEXT_BYTES = 400 };

static const char *const WORDS[] = {"apple", "pear",  "plum", "cherry", "quince",
                                    "lemon", "grape", "fig",  "melon",  "date"};

static void draw(test_rng *rng, size_t words, char ret[TEXT_BYTES]) {
    ret[0] = '\0';
    for (size_t i = 0; i < words; i++) {
        const size_t n = strlen(ret);
        /* the first words are frequent, the last ones rare */
        const uint64_t most = 1 + test_rng_below(rng, TWX_COUNTOF(WORDS));
        snprintf(ret + n, TEXT_BYTES - n, "%s ", WORDS[test_rng_below(rng, most)]);
    }
}

static twx_db *open_index(twx_ctx *cx, const char *name, twx_text_index **ret_index) {
    twx_db *db = open_migrated(cx, store_of(name, "CREATE TABLE pages(id INTEGER PRIMARY KEY)"));
    expect_ok(cx, twx_text_index_make(db));
    expect_ok(cx, twx_text_index_open(db, ret_index));
    return db;
}

typedef struct scores {
    double ours[DOCUMENTS + 1], theirs[DOCUMENTS + 1]; /* by document; 0: it does not match */
    size_t n;
} scores;

static void add_scores(twx_db *db, const char *query, scores *s) {
    static const char SQL[] =
        "SELECT t.doc, collection_bm25(twindex_text, 10, 1.5), -bm25(twindex_text, 10, 1.5) "
        "FROM twindex_text JOIN twindex_text_slot AS t ON t.slot = twindex_text.rowid "
        "WHERE twindex_text MATCH ?1";
    sqlite3_stmt *stmt = NULL;
    assert_ok(sqlite3_prepare_v2(db->handle, SQL, -1, &stmt, NULL));
    assert_ok(sqlite3_bind_text(stmt, 1, query, -1, SQLITE_STATIC));
    for (; sqlite3_step(stmt) == SQLITE_ROW; s->n++) {
        s->ours[sqlite3_column_int(stmt, 0)] = sqlite3_column_double(stmt, 1);
        s->theirs[sqlite3_column_int(stmt, 0)] = sqlite3_column_double(stmt, 2);
    }
    assert_ok(sqlite3_finalize(stmt));
}

typedef struct indexes {
    twx_db *one, *shard[SHARDS];
} indexes;

static void fill(twx_ctx *cx, indexes *x, uint64_t seed) {
    char name[40], title[TEXT_BYTES], text[TEXT_BYTES];
    twx_text_index *one = NULL, *part[SHARDS] = {NULL};
    test_rng rng = test_rng_seed(seed);
    x->one = open_index(cx, "one.db", &one);
    for (size_t i = 0; i < SHARDS; i++) {
        snprintf(name, sizeof name, "part%zu.db", i);
        x->shard[i] = open_index(cx, name, &part[i]);
    }
    for (int64_t doc = 1; doc <= DOCUMENTS; doc++) {
        draw(&rng, 1 + test_rng_below(&rng, 3), title);
        draw(&rng, 1 + test_rng_below(&rng, 40), text);
        const twx_text_entry e = {
            .doc = doc, .title = twx_slice_of(title), .text = twx_slice_of(text)};
        /* the last store has only the first word: it matches few queries */
        expect_ok(cx, twx_text_index_put(one, &e));
        expect_ok(cx, twx_text_index_put(part[test_rng_below(&rng, SHARDS)], &e));
    }
    twx_text_index_close(one);
    for (size_t i = 0; i < SHARDS; i++) twx_text_index_close(part[i]);
}

static void close_all(indexes *x) {
    twx_db_close(x->one);
    for (size_t i = 0; i < SHARDS; i++) twx_db_close(x->shard[i]);
}

TEST(r1_of_one_index_it_is_the_bm25_of_sqlite) {
    static const char *const QUERIES[] = {"apple",
                                          "apple AND fig",
                                          "date OR melon NOT plum",
                                          "title : pear",
                                          "\"apple apple\" OR NEAR(pear fig, 3)",
                                          "che* OR ^plum",
                                          "apple OR apple"};
    twx_ctx cx;
    indexes x;
    fill(&cx, &x, 1);
    for (size_t i = 0; i < TWX_COUNTOF(QUERIES); i++) {
        scores s = {.n = 0};
        add_scores(x.one, QUERIES[i], &s);
        assert_true(s.n > 0);
        assert_memory_equal(s.ours, s.theirs, sizeof s.ours);
    }
    close_all(&x);
}

TEST(of_several_indexes_it_is_that_of_one_with_all_documents) {
    static const char *const QUERIES[] = {
        "apple",     "apple fig",      "date OR melon -plum",       "title:pear grape",
        "date fig*", "\"apple pear\"", "melon -date OR fig -apple", "lemon OR lemon -lemon"};
    twx_buf expression = {.max = TWX_EXPRESSION_BYTES}, phrases;
    twx_buf_init(&phrases, TWX_EXPRESSION_BYTES);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        twx_ctx cx;
        indexes x;
        size_t matches = 0;
        fill(&cx, &x, seed);
        for (size_t i = 0; i < TWX_COUNTOF(QUERIES); i++) {
            const twx_slice query = twx_slice_of(QUERIES[i]);
            twx_text_statistics statistics = {0};
            scores one = {.n = 0}, several = {.n = 0};
            expect_ok(&cx, twx_text_query(x.one, query, false, &expression));
            expect_ok(&cx, twx_text_phrases(x.one, query, &phrases));
            add_scores(x.one, expression.p, &one);
            for (size_t k = 0; k < SHARDS; k++)
                expect_ok(
                    &cx, twx_text_statistics_add(x.shard[k], twx_buf_slice(&phrases), &statistics));
            assert_int_equal(statistics.rows, DOCUMENTS);
            for (size_t k = 0; k < SHARDS; k++) {
                twx_text_statistics_use(x.shard[k], &statistics);
                add_scores(x.shard[k], expression.p, &several);
                twx_text_statistics_use(x.shard[k], NULL);
            }
            assert_int_equal(several.n, one.n);
            assert_memory_equal(several.ours, one.theirs, sizeof one.theirs);
            matches += one.n;
            twx_text_statistics_done(&statistics);
        }
        assert_true(matches > DOCUMENTS);
        close_all(&x);
    }
    twx_buf_done(&phrases);
    twx_buf_done(&expression);
}

/* Statistics of another query are an error, not a wrong score. */
TEST(statistics_of_another_query_are_refused) {
    twx_text_statistics statistics = {0};
    sqlite3_stmt *stmt = NULL;
    twx_ctx cx;
    indexes x;
    fill(&cx, &x, 1);
    expect_ok(&cx, twx_text_statistics_add(x.one, TWX_SLICE_LIT("apple OR pear"), &statistics));
    twx_text_statistics_use(x.one, &statistics);
    assert_ok(sqlite3_prepare_v2(x.one->handle,
                                 "SELECT collection_bm25(twindex_text) FROM twindex_text "
                                 "WHERE twindex_text MATCH 'apple'",
                                 -1, &stmt, NULL));
    assert_int_equal(sqlite3_step(stmt), SQLITE_MISMATCH);
    sqlite3_finalize(stmt);
    twx_text_statistics_done(&statistics);
    close_all(&x);
}
