/* duplicate_probability(): what the model in memory says, of the tables of the database; what goes
 * wrong with them. */
#define SQLITE_CORE 1
#include "ext/ext.h"

#include "support.h"

#include <math.h>

#include "predict/predict.h"
#include "sql_text.h"

/* ---- a model in a database ---------------------------------------------- */

/* Of pages under /story the parameter sid does not matter, of /list the parameter page does. */
static void learn(twx_ctx *cx, twx_model *ret_model) {
    twx_learner *l = NULL;
    char url[128];
    assert_ok(twx_learner_open(cx, 1 << 20, NULL, &l));
    for (unsigned n = 0; n < 60; n++) {
        for (unsigned k = 0; k < 3; k++) {
            const int length = snprintf(url, sizeof url, "http://tale.example/story/%u?sid=%u", n,
                                        100 * n + k);
            assert_ok(twx_learner_add(l, (twx_slice){url, (size_t)length}, 1000 + n));
        }
        const int length = snprintf(url, sizeof url, "http://tale.example/list?page=%u", n);
        assert_ok(twx_learner_add(l, (twx_slice){url, (size_t)length}, 2000 + n));
    }
    twx_model_init(ret_model);
    assert_ok(twx_learner_make(l, ret_model));
    twx_learner_close(l);
}

static void run(sqlite3 *db, const char *sql) {
    char *error = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK) fail_msg("%s: %s", sql, error);
}

static void bind_slice(sqlite3_stmt *stmt, int at, twx_slice text) {
    if (text.p) sqlite3_bind_text(stmt, at, text.p, (int)text.n, SQLITE_TRANSIENT);
}

static void finish(sqlite3_stmt *stmt) {
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
}

static sqlite3_stmt *prepared(sqlite3 *db, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    return stmt;
}

static void store_context(sqlite3 *db, const twx_context *c) {
    sqlite3_stmt *stmt = prepared(
        db, "INSERT INTO twindex_url_hypothesis VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    sqlite3_bind_int64(stmt, 1, (int64_t)c->key);
    sqlite3_bind_int(stmt, 2, TWX_HYPOTHESIS[c->row].number);
    bind_slice(stmt, 3, twx_slice_of(TWX_HYPOTHESIS[c->row].form));
    bind_slice(stmt, 4, c->path);
    bind_slice(stmt, 5, c->name);
    bind_slice(stmt, 6, c->second);
    bind_slice(stmt, 7, c->value);
    sqlite3_bind_int64(stmt, 8, c->dup);
    sqlite3_bind_int64(stmt, 9, c->nodup);
    finish(stmt);
}

static void store_head(sqlite3 *db, int run_number, uint64_t fingerprint) {
    sqlite3_stmt *stmt = prepared(db, "REPLACE INTO twindex_url_model VALUES (1, ?1, ?2, 240, 1)");
    sqlite3_bind_int(stmt, 1, run_number);
    sqlite3_bind_int64(stmt, 2, (int64_t)fingerprint);
    finish(stmt);
}

/* As learn_urls.c has it, of default settings. */
static uint64_t usual_fingerprint(void) {
    return twx_model_fingerprint(&(twx_url_options){0});
}

static void store_model(twx_ctx *cx, sqlite3 *db, const twx_model *m) {
    twx_map64_slot *slots = NULL;
    run(db, TWX_SQL_SCHEMA_URL_HYPOTHESIS);
    store_head(db, 1, usual_fingerprint());
    for (size_t i = 0; i < m->contexts.n; i++) store_context(db, &m->contexts.at[i]);
    assert_ok(twx_map64_list(cx, &m->seen, &slots));
    for (size_t i = 0; i < m->seen.n; i++) {
        sqlite3_stmt *stmt = prepared(db, "INSERT INTO twindex_url_seen VALUES (?1, ?2)");
        sqlite3_bind_int64(stmt, 1, (int64_t)slots[i].key);
        sqlite3_bind_int64(stmt, 2, (int64_t)slots[i].value);
        finish(stmt);
    }
    twx_free(slots);
}

typedef struct world {
    twx_ctx cx;
    twx_model model;
    sqlite3 *db;
    twx_faults faults;
} world;

static void setup(world *w) {
    learn(&w->cx, &w->model);
    assert_int_equal(sqlite3_open(":memory:", &w->db), SQLITE_OK);
    assert_int_equal(twx_ext_register(w->db, &w->faults), SQLITE_OK);
    store_model(&w->cx, w->db, &w->model);
}

static void teardown(world *w) {
    twx_model_done(&w->model);
    assert_int_equal(sqlite3_close(w->db), SQLITE_OK);
}

/* ---- asking ------------------------------------------------------------- */

enum { NO_ANSWER = -1 };

/* The probability, or NO_ANSWER for NULL; on another code than SQLITE_OK the message is in
 * sqlite3_errmsg(). */
static int ask(world *w, const char *url, double *ret_probability) {
    sqlite3_stmt *stmt = prepared(w->db, "SELECT duplicate_probability(?1)");
    sqlite3_bind_text(stmt, 1, url, -1, SQLITE_STATIC);
    const int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        *ret_probability = sqlite3_column_type(stmt, 0) == SQLITE_NULL
                               ? NO_ANSWER
                               : sqlite3_column_double(stmt, 0);
    sqlite3_finalize(stmt);
    return code == SQLITE_ROW ? SQLITE_OK : code;
}

static double sure(world *w, const char *url) {
    double probability = NO_ANSWER;
    if (ask(w, url, &probability) != SQLITE_OK) fail_msg("%s: %s", url, sqlite3_errmsg(w->db));
    return probability;
}

static void same(double a, double b) {
    if (fabs(a - b) > 1e-12) fail_msg("%.12f is not %.12f", a, b);
}

static void refused(world *w, const char *message) {
    double probability = NO_ANSWER;
    char wanted[256];
    snprintf(wanted, sizeof wanted, "duplicate_probability(): %s", message);
    assert_int_equal(ask(w, "http://tale.example/story/7?sid=9", &probability), SQLITE_ERROR);
    assert_string_equal(sqlite3_errmsg(w->db), wanted);
}

TEST_OF(it_says_what_the_model_says, world *w) {
    static const char *const URLS[] = {"http://tale.example/story/7?sid=999999",
                                       "http://tale.example/story/7",
                                       "http://tale.example/story/7?sid=700",
                                       "http://tale.example/list?page=999",
                                       "http://tale.example/list",
                                       "https://other.example/"};
    twx_url_variants *page = twx_calloc(&w->cx, 1, sizeof *page);
    for (size_t i = 0; i < TWX_COUNTOF(URLS); i++) {
        twx_url_variants_of(twx_slice_of(URLS[i]), page);
        same(sure(w, URLS[i]), twx_model_predict(&w->model, NULL, page).probability);
    }
    twx_free(page);
    assert_true(sure(w, URLS[0]) > 0.9);
    assert_true(sure(w, URLS[3]) < 0.1);
}

TEST_OF(urls_are_normalised_first, world *w) {
    same(sure(w, "HTTP://Tale.Example:80/x/../story/7?sid=999999#end"),
         sure(w, "http://tale.example/story/7?sid=999999"));
    same(sure(w, "no URL"), NO_ANSWER);
    same(sure(w, NULL), NO_ANSWER);
}

TEST_OF(a_new_model_is_read_again, world *w) {
    assert_true(sure(w, "http://tale.example/story/7?sid=9") > 0.9);
    run(w->db, "DELETE FROM twindex_url_hypothesis");
    assert_true(sure(w, "http://tale.example/story/7?sid=9") > 0.9); /* its head is the same */
    store_head(w->db, 2, usual_fingerprint());
    same(sure(w, "http://tale.example/story/7?sid=9"), 0);
}

TEST_OF(nothing_learned_is_said, world *w) {
    run(w->db, "DELETE FROM twindex_url_model");
    refused(w, "no model has been learned yet: run 'twindex learn' on the store");
    run(w->db, "DROP TABLE twindex_url_model");
    refused(w, "cannot read the learned model: no such table: twindex_url_model; run 'twindex "
               "learn' on the store");
}

TEST_OF(another_version_is_said, world *w) {
    store_head(w->db, 1, usual_fingerprint() + 1);
    refused(w,
            "the learned model is of another version, or of url.* settings, which URLs in SQL do "
            "not have");
}

TEST_OF(rows_of_any_kind_do_no_harm, world *w) {
    run(w->db, "UPDATE twindex_url_hypothesis SET dup = -1 WHERE context % 3 = 0;UPDATE "
               "twindex_url_hypothesis SET nodup = 1e300, form = 'telepathy' WHERE context % 3 = "
               "1;UPDATE twindex_url_hypothesis SET path = x'00ff', name = 7, value = "
               "zeroblob(100000) WHERE context % 3 = 2;UPDATE twindex_url_seen SET value = key "
               "WHERE key % 2 = 0; INSERT INTO twindex_url_seen VALUES (0, -1)");
    const double probability = sure(w, "http://tale.example/story/7?sid=999999");
    assert_true(probability >= 0 && probability <= 1);
}

/* A table of the model that is a view calling a function of ours comes while the state is in use.
 */
TEST_OF(a_call_within_a_call_is_refused, world *w) {
    run(w->db, "SELECT twindex_config('indirect', 1); ALTER TABLE twindex_url_seen RENAME TO "
               "seen;CREATE VIEW twindex_url_seen AS SELECT key + 0 * "
               "length(url_host('http://a/')) AS key, value FROM seen");
    refused(w, "cannot read the learned model: url_host(): it was called while another function of "
               "twindex reads a table; run 'twindex learn' on the store");
}

static int always(void *arg) {
    (void)arg;
    return 1;
}

TEST_OF(reading_can_be_interrupted, world *w) {
    double probability = NO_ANSWER;
    sqlite3_progress_handler(w->db, 50, always, NULL);
    assert_int_equal(ask(w, "http://tale.example/story/7?sid=9", &probability), SQLITE_INTERRUPT);
    sqlite3_progress_handler(w->db, 0, NULL, NULL);
    assert_true(sure(w, "http://tale.example/story/7?sid=9") > 0.9);
}

TEST_OF(every_allocation_may_fail, world *w) {
    int code = SQLITE_NOMEM;
    for (uint64_t nth = 1; code != SQLITE_OK; nth++) {
        double probability = NO_ANSWER;
        store_head(w->db, (int)nth + 10, usual_fingerprint()); /* it has to be read again */
        atomic_store(&w->faults.count, 0);
        w->faults.fail_at = nth;
        code = ask(w, "http://tale.example/story/7?sid=9", &probability);
        w->faults.fail_at = 0;
        assert_true(code == SQLITE_OK || code == SQLITE_NOMEM);
        assert_true(sure(w, "http://tale.example/story/7?sid=9") > 0.9);
    }
}

TESTS_OF(world, setup, teardown);
