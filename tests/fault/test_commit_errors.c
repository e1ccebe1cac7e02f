/* A COMMIT that publishes and returns an error: what the run reports is what the file has. The
 * program's sqlite3_exec() is replaced (the linker's --wrap), so that this one COMMIT is carried
 * out or not, independently of what it returns. test_io_faults reaches the same place by errors of
 * the disk. */
#include "store_maker.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef enum outcome {
    AS_IT_IS,
    WRITTEN,       /* in spite of the error */
    LOST,          /* nothing has reached the file */
    HIDDEN,        /* nothing has, and the file cannot be opened to find out */
    OTHER_RUN,     /* another run has published the generation that this one prepared */
    NOT_PUBLISHED, /* the state names this run, but not its generation as the published one */
} outcome;

static outcome planted;
static char published; /* the generation before the run; 0: none */
static const char *store, *away;
static size_t errors;

typedef int on_row(void *arg, int n, char **values, char **names);
int __real_sqlite3_exec(sqlite3 *db, const char *sql, on_row *fn, void *arg, char **ret_error);
int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, on_row *fn, void *arg, char **ret_error);

static int first_letter(void *arg, int n, char **values, char **names) {
    (void)n, (void)names;
    if (values[0]) *(char *)arg = values[0][0];
    return 0;
}

static char generation_of(sqlite3 *db) {
    char letter = '\0';
    __real_sqlite3_exec(db, "SELECT generation FROM twindex_state", first_letter, &letter, NULL);
    return letter;
}

static void instead_of_commit(sqlite3 *db, char prepared) {
    char sql[120];
    if (planted == WRITTEN) {
        assert_int_equal(__real_sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
        return;
    }
    const int64_t run = test_integer(db, "SELECT max(run) FROM twindex_run");
    assert_int_equal(__real_sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    if (planted == HIDDEN) assert_int_equal(rename(store, away), 0);
    if (planted == OTHER_RUN)
        snprintf(sql, sizeof sql, "UPDATE twindex_state SET generation = '%c', run_%c = 1000",
                 prepared, prepared);
    if (planted == NOT_PUBLISHED)
        snprintf(sql, sizeof sql, "UPDATE twindex_state SET run_%c = %d", prepared, (int)run);
    if (planted == OTHER_RUN || planted == NOT_PUBLISHED)
        assert_int_equal(__real_sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

__attribute__((visibility("default"))) int __wrap_sqlite3_exec(sqlite3 *db, const char *sql,
                                                               on_row *fn, void *arg,
                                                               char **ret_error) {
    if (planted != AS_IT_IS && strcmp(sql, "COMMIT") == 0) {
        const char prepared = generation_of(db);
        if (prepared && prepared != published) { /* the transaction that publishes */
            instead_of_commit(db, prepared);
            planted = AS_IT_IS;
            errors++;
            return SQLITE_IOERR_FSYNC;
        }
    }
    return __real_sqlite3_exec(db, sql, fn, arg, ret_error);
}

/* ---- runs ---------------------------------------------------------------- */

static void keep_warning(void *arg, twindex_level level, const char *text) {
    if (level == TWINDEX_WARNING) snprintf(arg, 1000, "%s", text);
}

/* Changes a document, and runs with this outcome of the COMMIT that publishes. */
static void run_with(twindex *t, outcome what, int wanted) {
    static unsigned n;
    char sql[120];
    const size_t before = errors;
    sqlite3 *db = test_open(store);
    snprintf(sql, sizeof sql, "UPDATE documents SET text = 'a text' || (%u %% 2) WHERE id = 2",
             n++);
    test_exec(db, sql);
    published = generation_of(db);
    sqlite3_close(db);
    planted = what;
    test_run(t, NULL, wanted);
    planted = AS_IT_IS;
    assert_int_equal(errors - before, what != AS_IT_IS);
}

static twindex *new_store(const char *mode) {
    char sql[80];
    store = test_file("store.db");
    away = test_file("away.db");
    unlink(store);
    twindex *t = twindex_new();
    assert_int_equal(twindex_init(t, store), TWINDEX_OK);
    assert_int_equal(twindex_open(t, store), TWINDEX_OK);
    sqlite3 *db = test_open(store);
    snprintf(sql, sizeof sql, "PRAGMA journal_mode = %s", mode);
    test_exec(db, sql);
    test_exec(db, "INSERT INTO documents(id, url, text) VALUES (1, 'http://a.example/', 'a text1'),"
                  "(2, 'http://b.example/', ''), (3, 'http://c.example/', 'a text1')");
    sqlite3_close(db);
    return t;
}

static char now_published(void) {
    sqlite3 *db = test_open(store);
    const char letter = generation_of(db);
    sqlite3_close(db);
    return letter;
}

/* How the last run ended, as the ledger has it. */
static bool ended(const char *how) {
    char sql[120];
    snprintf(sql, sizeof sql, "SELECT state = '%s' FROM twindex_run ORDER BY run DESC LIMIT 1",
             how);
    const bool is = test_integer_in(store, sql) != 0;
    return is;
}

TEST(a_commit_that_was_carried_out_is_a_success) {
    static const char *const MODES[] = {"DELETE", "WAL"};
    for (size_t i = 0; i < 2; i++) {
        char warning[1000] = "", digest[33], again[33];
        twindex *t = new_store(MODES[i]);
        twindex_on_message(t, keep_warning, warning);
        for (int runs = 0; runs < 3; runs++) { /* the first one, and each generation */
            warning[0] = '\0';
            run_with(t, WRITTEN, TWINDEX_OK);
            assert_non_null(strstr(warning, "commit"));
            assert_non_null(strstr(warning, "but the new flags are published"));
            assert_string_equal(twindex_message(t), "");
            assert_int_not_equal(now_published(), published);
            assert_true(ended("published"));
            test_digest(t, digest);
            test_run(t, NULL, TWINDEX_OK);
            test_digest(t, again);
            assert_string_equal(digest, again);
        }
        twindex_free(t);
    }
}

TEST(a_commit_that_was_not_carried_out_is_a_failure) {
    static const outcome FAILURES[] = {LOST, HIDDEN, NOT_PUBLISHED, OTHER_RUN};
    for (size_t i = 0; i < sizeof FAILURES / sizeof *FAILURES; i++)
        for (int runs = 0; runs < 3; runs++) { /* nothing is published; generation a; b */
            char warning[1000] = "";
            twindex *t = new_store(i % 2 ? "DELETE" : "WAL");
            for (int r = 0; r < runs; r++) run_with(t, AS_IT_IS, TWINDEX_OK);
            twindex_on_message(t, keep_warning, warning);
            run_with(t, FAILURES[i], TWINDEX_IO);
            assert_string_equal(warning, "");
            assert_non_null(strstr(twindex_message(t), "commit"));
            if (FAILURES[i] == HIDDEN) assert_int_equal(rename(away, store), 0);
            assert_true((now_published() == published) == (FAILURES[i] != OTHER_RUN));
            assert_true(ended("stopped") == (FAILURES[i] != HIDDEN));
            run_with(t, AS_IT_IS, TWINDEX_OK);
            twindex_free(t);
        }
}
