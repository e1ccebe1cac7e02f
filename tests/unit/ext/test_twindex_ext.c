/* wings: predict lab */
/* The extension from within: its values are those of the detectors, every allocation may fail,
 * connections share nothing. */
#define SQLITE_CORE 1
#include "ext/ext.h"

#include "sqlite_faults.h"

#include <pthread.h>

int sqlite3_twindex_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

/* ---- asking ------------------------------------------------------------- */

static sqlite3 *open_with(twx_faults *faults) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(twx_ext_register(db, faults), SQLITE_OK);
    return db;
}

/* The first column of the first row as quoted text, or the error; ?1 is the text. Returns the
 * result code. */
static int ask(sqlite3 *db, const char *sql, twx_slice text, char ret_answer[1024]) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK && sqlite3_bind_parameter_count(statement) > 0)
        code = sqlite3_bind_text(statement, 1, text.p, (int)text.n, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        const unsigned char *answer = sqlite3_column_text(statement, 0);
        snprintf(ret_answer, 1024, "%s", answer ? (const char *)answer : "NULL");
        code = SQLITE_OK;
    } else {
        snprintf(ret_answer, 1024, "%s", sqlite3_errmsg(db));
    }
    sqlite3_finalize(statement);
    return code;
}

static void quote_blob(twx_slice bytes, char ret_text[1024]) {
    size_t at = (size_t)snprintf(ret_text, 1024, "X'");
    for (size_t i = 0; i < bytes.n; i++)
        at += (size_t)snprintf(ret_text + at, 1024 - at, "%02X",
                               (unsigned)(unsigned char)bytes.p[i]);
    snprintf(ret_text + at, 1024 - at, "'");
}

/* What the row of the detector makes of a text, as `quote()` shows it. */
static void expected(twx_ctx *cx, const twx_detector *d, bool payload, twx_slice text,
                     char ret_text[1024]) {
    const twx_params params = twx_params_default();
    const twx_document doc = {.text = text};
    twx_workspace *w = NULL;
    twx_signature signature = {0};
    assert_int_equal(twx_workspace_open(cx, &params, &w), TWX_OK);
    assert_int_equal(d->sign(cx, w, &params, &doc, &signature), TWX_OK);
    if (signature.keys.n == 0)
        snprintf(ret_text, 1024, "NULL");
    else if (payload)
        quote_blob(signature.payload, ret_text);
    else
        snprintf(ret_text, 1024, "%" PRId64, (int64_t)signature.keys.at[0].key);
    TWX_VEC_DONE(&signature.keys);
    twx_workspace_close(w);
}

/* Words of a small alphabet, with bytes of all kinds in between; often few, sometimes none. */
static twx_slice random_text(test_rng *rng, char room[512]) {
    static const char *const PIECES[] = {
        "hare", "Hedgehog", "\xC3\x84ste", "\xFF",    ".",
        "\n",   "a",        "1999",        "run run", "\xF0\x9F\x98\x80"};
    size_t n = 0;
    for (size_t words = test_rng_below(rng, 40); words > 0; words--) {
        const char *piece = PIECES[test_rng_below(rng, TWX_COUNTOF(PIECES))];
        n += (size_t)snprintf(room + n, 512 - n, "%s ", piece);
    }
    if (n > 0 && test_rng_below(rng, 4) == 0) room[test_rng_below(rng, n)] = '\0';
    return (twx_slice){room, n};
}

TEST(values_are_those_of_the_detectors) {
    static const struct {
        const char *sql;
        const twx_detector *detector;
        bool payload;
    } ROWS[] = {
        {"SELECT quote(exact_signature(?1))", &TWX_DETECTOR_EXACT, false},
        {"SELECT quote(exact_signature(CAST(?1 AS BLOB)))", &TWX_DETECTOR_EXACT, false},
        {"SELECT quote(fuzzy_signature(?1))", &TWX_DETECTOR_PROFILE, false},
        {"SELECT quote(fuzzy_signature(?1, 2, 0.01))", &TWX_DETECTOR_PROFILE, false},
        {"SELECT quote(simhash(?1))", &TWX_DETECTOR_SIMHASH, false},
        {"SELECT quote(minhash(?1))", &TWX_DETECTOR_MINHASH, true},
    };
    twx_ctx cx = {0};
    sqlite3 *db = open_with(NULL);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        char room[512], found[1024], wanted[1024];
        test_rng rng = test_rng_seed(seed);
        const twx_slice text = random_text(&rng, room);
        for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
            expected(&cx, ROWS[i].detector, ROWS[i].payload, text, wanted);
            if (ask(db, ROWS[i].sql, text, found) != SQLITE_OK || strcmp(found, wanted) != 0)
                fail_msg("seed %" PRIu64 ": %s is %s, not %s", seed, ROWS[i].sql, found, wanted);
        }
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

TEST(similarities_are_symmetric_shares) {
    static const char *const CALLS[] = {"jaccard", "shingle_resemblance", "text_similarity",
                                        "alignment_similarity"};
    sqlite3 *db = open_with(NULL);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        char room[512], sql[512], found[1024];
        test_rng rng = test_rng_seed(seed);
        const twx_slice text = random_text(&rng, room);
        for (size_t i = 0; i < TWX_COUNTOF(CALLS); i++) {
            snprintf(
                sql, sizeof sql,
                "WITH t(a, b) AS (SELECT ?1, substr(?1, 9) || ' hare'), r(x, y) AS (SELECT %s(a, "
                "b), %s(b, a) FROM t) SELECT x IS y AND (x IS NULL OR x BETWEEN 0 AND 1) FROM r",
                CALLS[i], CALLS[i]);
            assert_int_equal(ask(db, sql, text, found), SQLITE_OK);
            if (strcmp(found, "1") != 0)
                fail_msg("seed %" PRIu64 ": %s is not symmetric", seed, CALLS[i]);
        }
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* ---- failures ----------------------------------------------------------- */

static const char *const EVERY_CALL[] = {"SELECT exact_signature(?1)",
                                         "SELECT fuzzy_signature(?1)",
                                         "SELECT fuzzy_profile(?1, 0, 0.1)",
                                         "SELECT simhash(?1)",
                                         "SELECT quote(minhash(?1))",
                                         "SELECT jaccard(?1, 'a b c d e')",
                                         "SELECT shingle_resemblance(?1, ?1 || ' x')",
                                         "SELECT shingle_containment(?1, ?1 || ' x')",
                                         "SELECT text_similarity(?1, 'a hare ran')",
                                         "SELECT alignment_similarity(?1, ?1 || ' x y z')",
                                         "SELECT url_normalize('http://B\xC3\xBC"
                                         "cher.example/a/../' || ?1)",
                                         "SELECT url_twin_key('http://www.b.example/a/../' || ?1)",
                                         "SELECT url_host('http://b.example/' || ?1)",
                                         "SELECT url_domain('http://b.example/' || ?1)",
                                         "SELECT twindex_help()",
                                         "SELECT twindex_config('indirect', 1)"};

static const char TEXT[] =
    "Ein Igel und ein Hase, hare and hedgehog, run run run, \xC3\x84ste am Baum";

/* What a fault leaves: an error of memory or the right value, and then the right value. */
TEST(every_allocation_may_fail) {
    const twx_slice text = TWX_SLICE_LIT(TEXT);
    for (size_t i = 0; i < TWX_COUNTOF(EVERY_CALL); i++) {
        char wanted[1024], found[1024];
        sqlite3 *db = open_with(NULL);
        assert_int_equal(ask(db, EVERY_CALL[i], text, wanted), SQLITE_OK);
        sqlite3_close(db);
        bool failed = true;
        for (uint64_t nth = 1; failed; nth++) {
            twx_faults faults = {0};
            db = open_with(&faults);
            faults.forever = nth % 2 == 0;
            atomic_store(&faults.count, 0);
            faults.fail_at = (nth + 1) / 2;
            const int code = ask(db, EVERY_CALL[i], text, found);
            failed = code != SQLITE_OK || nth % 2 == 1;
            if (code == SQLITE_OK) assert_string_equal(found, wanted);
            if (code != SQLITE_OK && code != SQLITE_NOMEM)
                fail_msg("%s: %d %s", EVERY_CALL[i], code, found);
            faults.fail_at = 0;
            if (ask(db, EVERY_CALL[i], text, found) != SQLITE_OK)
                fail_msg("%s afterwards: %s", EVERY_CALL[i], found);
            assert_string_equal(found, wanted);
            assert_int_equal(sqlite3_close(db), SQLITE_OK);
        }
    }
}

TEST(registration_may_fail_anywhere) {
    char found[1024];
    int code = SQLITE_NOMEM;
    for (uint64_t nth = 1; code != SQLITE_OK; nth++) {
        twx_faults faults = {.fail_at = nth};
        sqlite3 *db = NULL;
        assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
        code = twx_ext_register(db, &faults);
        assert_true(code == SQLITE_OK || code == SQLITE_NOMEM);
        faults.fail_at = 0;
        /* those that are there are replaced */
        assert_int_equal(twx_ext_register(db, NULL), SQLITE_OK);
        assert_int_equal(ask(db, "SELECT hamming(0, 7)", (twx_slice){"", 0}, found), SQLITE_OK);
        assert_string_equal(found, "3");
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
}

TEST(sqlite_may_lack_memory_too) {
    const twx_slice text = TWX_SLICE_LIT(TEXT);
    char *error = NULL, found[1024];
    int code = SQLITE_NOMEM;
    for (uint64_t nth = 1; code != SQLITE_OK; nth++) {
        sqlite3 *db = NULL;
        assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
        atomic_store(&sqlite_faults.count, 0);
        sqlite_faults.forever = true;
        sqlite_faults.fail_at = nth;
        code = sqlite3_twindex_init(db, &error, NULL);
        for (size_t i = 0; code == SQLITE_OK && i < TWX_COUNTOF(EVERY_CALL); i++)
            code = ask(db, EVERY_CALL[i], text, found);
        if (code != SQLITE_OK && code != SQLITE_NOMEM)
            fail_msg("allocation %" PRIu64 ": %d", nth, code);
        sqlite_faults.fail_at = 0;
        sqlite3_free(error);
        error = NULL;
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
}

/* ---- connections -------------------------------------------------------- */

TEST(the_entry_registers) {
    sqlite3 *db = NULL;
    char *error = NULL, found[1024];
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_twindex_init(db, &error, NULL), SQLITE_OK);
    assert_null(error);
    assert_int_equal(ask(db, "SELECT twindex_version()", (twx_slice){"", 0}, found), SQLITE_OK);
    assert_string_equal(found, TWINDEX_VERSION);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

TEST(rows_are_in_order) {
    const twx_ext_function *f = NULL;
    for (size_t i = 0; (f = twx_ext_function_at(i)); i++) {
        assert_true(f->least <= f->most && f->call && strlen(f->help) > 10);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(f->name, twx_ext_function_at(j)->name);
    }
}

static void *sign_in_a_thread(void *arg) {
    const twx_slice text = TWX_SLICE_LIT(TEXT);
    char found[1024];
    sqlite3 *db = NULL;
    size_t good = 0;
    if (sqlite3_open(":memory:", &db) == SQLITE_OK && twx_ext_register(db, NULL) == SQLITE_OK)
        for (size_t i = 0; i < 20 * TWX_COUNTOF(EVERY_CALL); i++)
            good += ask(db, EVERY_CALL[i % TWX_COUNTOF(EVERY_CALL)], text, found) == SQLITE_OK;
    sqlite3_close(db);
    *(size_t *)arg = good;
    return NULL;
}

TEST(connections_share_nothing) {
    pthread_t threads[3];
    size_t good[TWX_COUNTOF(threads)] = {0};
    for (size_t i = 0; i < TWX_COUNTOF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, sign_in_a_thread, &good[i]), 0);
    for (size_t i = 0; i < TWX_COUNTOF(threads); i++) pthread_join(threads[i], NULL);
    for (size_t i = 0; i < TWX_COUNTOF(threads); i++)
        assert_int_equal(good[i], 20 * TWX_COUNTOF(EVERY_CALL));
}

TESTS_IN(install_memory, TEST_NOTHING);
