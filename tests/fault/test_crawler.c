/* A crawler writes and a reader reads all the time while runs come and go: the crawler is never
 * turned away, each read sees a whole result, and when the crawler rests the flags are those of
 * what it has left. */
#include "store_maker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DOCUMENTS = 800, SECONDS = 3, BUSY_MS = 5000, DEADLINE_SECONDS = 120 };

static const char *store;

static volatile sig_atomic_t stopped;

static void on_stop(int number) {
    (void)number;
    stopped = 1;
}

static int put_document(sqlite3 *db, test_rng *rng) {
    char sql[512];
    const unsigned id = (unsigned)test_rng_below(rng, DOCUMENTS),
                   kind = (unsigned)test_rng_below(rng, 10);
    if (kind == 0)
        snprintf(sql, sizeof sql, "DELETE FROM documents WHERE id = %u", id);
    else
        snprintf(sql, sizeof sql,
                 "INSERT OR REPLACE INTO documents(id, url, text, title, score) VALUES (%u, "
                 "'http%s://%sexample.com/%u', 'text %u and more of it', 'title %u', %u)",
                 id, kind % 2 ? "s" : "", kind % 3 ? "www." : "", id / 3,
                 (unsigned)test_rng_below(rng, 60), id % 50, kind);
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* Small transactions until it is told to stop. Exit code 0: no statement was refused. */
static int crawl(void) {
    sqlite3 *db = NULL;
    test_rng rng = test_rng_seed(4711);
    int rc = sqlite3_open(store, &db);
    sqlite3_busy_timeout(db, BUSY_MS);
    while (rc == SQLITE_OK && !stopped) {
        rc = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
        for (int i = 0; rc == SQLITE_OK && i < 5; i++) rc = put_document(db, &rng);
        if (rc == SQLITE_OK) rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
        usleep(2000);
    }
    if (rc != SQLITE_OK) fprintf(stderr, "crawler: %s\n", sqlite3_errmsg(db));
    sqlite3_close(db);
    return rc != SQLITE_OK;
}

/* Half a result has a group that misses members, or a survivor that is hidden itself. */
static const char *const LAWS[] = {
    "SELECT count(*) FROM (SELECT 1 FROM twindex_group_member GROUP BY detector, representative "
    "HAVING count(*) <> max(documents) OR min(documents) <> max(documents) OR sum(document = "
    "representative) <> 1)",
    "SELECT count(*) FROM document_flags AS f LEFT JOIN document_flags AS s ON s.id = "
    "f.duplicate_of WHERE f.duplicate_of IS NOT NULL AND s.representative_b IS NOT 1",
};

static int law_holds(sqlite3 *db, const char *sql, bool *ret_broken) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(stmt) == SQLITE_ROW ? SQLITE_OK : sqlite3_errcode(db);
    if (rc == SQLITE_OK) *ret_broken |= sqlite3_column_int(stmt, 0) != 0;
    sqlite3_finalize(stmt);
    return rc;
}

/* Exit code 0: some reads, each of them whole. */
static int read_on(void) {
    sqlite3 *db = NULL;
    bool broken = false;
    size_t reads = 0;
    int rc = sqlite3_open(store, &db);
    sqlite3_busy_timeout(db, BUSY_MS);
    while (rc == SQLITE_OK && !broken && !stopped) {
        rc = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
        for (size_t i = 0; rc == SQLITE_OK && i < sizeof LAWS / sizeof *LAWS; i++)
            rc = law_holds(db, LAWS[i], &broken);
        if (rc == SQLITE_OK) rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
        reads++;
        usleep(3000);
    }
    if (rc != SQLITE_OK) fprintf(stderr, "reader: %s\n", sqlite3_errmsg(db));
    if (broken) fprintf(stderr, "reader: read %zu saw a mixture\n", reads);
    sqlite3_close(db);
    return rc != SQLITE_OK || broken || reads < 5;
}

/* The children that run now. A test that fails leaves through a longjmp, so the teardown stops
 * them; a test that is killed takes them with it (PR_SET_PDEATHSIG); the alarm ends one that hangs.
 */
static pid_t children[2];

static pid_t start(int (*work)(void)) {
    const pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        signal(SIGTERM, on_stop);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(DEADLINE_SECONDS);
        _exit(getppid() == parent ? work() : EXIT_FAILURE);
    }
    for (size_t i = 0; i < sizeof children / sizeof *children; i++)
        if (children[i] == 0) {
            children[i] = pid;
            break;
        }
    return pid;
}

static void stop(pid_t pid, const char *who) {
    int status = 0;
    kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    for (size_t i = 0; i < sizeof children / sizeof *children; i++)
        if (children[i] == pid) children[i] = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("the %s has failed", who);
}

static void stop_children(void) {
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
        if (children[i] == 0) continue;
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
        children[i] = 0;
    }
}

static void set_deadline(void) {
    alarm(DEADLINE_SECONDS);
}

TESTS_IN(set_deadline, TEST_NOTHING);
TESTS_WITH(TEST_NOTHING, stop_children);

static void digest_of_a_fresh_copy(char ret_digest[33]) {
    const char *copy = test_file("fresh.db");
    char sql[4500];
    twindex *t = twindex_new();
    assert_int_equal(twindex_init(t, copy), TWINDEX_OK);
    snprintf(sql, sizeof sql,
             "ATTACH '%s' AS crawled; INSERT INTO documents SELECT * FROM crawled.documents",
             store);
    test_exec_in(copy, sql);
    assert_int_equal(twindex_open(t, copy), TWINDEX_OK);
    test_set(t, "guard.max_hidden", "1");
    test_run(t, NULL, TWINDEX_OK);
    test_digest(t, ret_digest);
    twindex_free(t);
}

static twindex *open_crawled(const char *journal_mode) {
    char sql[64];
    twindex *t = twindex_new();
    store = test_file("crawled.db");
    assert_int_equal(twindex_init(t, store), TWINDEX_OK);
    assert_int_equal(twindex_open(t, store), TWINDEX_OK);
    snprintf(sql, sizeof sql, "PRAGMA journal_mode=%s", journal_mode);
    test_exec_in(store, sql);
    test_set(t, "store.where", "id >= 0"); /* numbers of rows are not compared */
    test_set(t, "run.batch_rows", "50");
    test_set(t, "run.pause_ms", "2");
    test_set(t, "guard.max_hidden", "1");
    test_run(t, NULL, TWINDEX_OK);
    return t;
}

static void run_while_others_work(const char *journal_mode) {
    const twindex_sink sink = {.write = test_discard};
    char digest[33], fresh[33];
    size_t published = 0;
    twindex *t = open_crawled(journal_mode);
    const pid_t crawler = start(crawl), reader = start(read_on);
    for (time_t end = time(NULL) + SECONDS; time(NULL) < end;) {
        /* every second one reads all rows, in WAL mode on all workers (run/sign.c) */
        const twindex_run_options how = {.full = published % 2 == 1};
        int result = twindex_run(t, &how, &sink);
        /* neither a lock nor the speed of the crawler is a reason not to publish */
        if (result != TWINDEX_OK) fail_msg("%s: %d: %s", journal_mode, result, twindex_message(t));
        published++;
    }
    stop(crawler, "crawler");
    stop(reader, "reader");
    print_message("%s: %zu runs published\n", journal_mode, published);
    assert_true(published > 0);
    test_run(t, NULL, TWINDEX_OK);
    test_digest(t, digest);
    twindex_free(t);
    digest_of_a_fresh_copy(fresh);
    assert_string_equal(digest, fresh);
}

TEST(crawler_and_reader_in_wal_mode) {
    run_while_others_work("WAL");
}

TEST(crawler_and_reader_with_a_rollback_journal) {
    run_while_others_work("DELETE");
}

/* A child that is still at work when its test ends, as after a failure, is stopped by the teardown.
 */
TEST(children_do_not_outlive_a_test) {
    twindex *t = open_crawled("WAL");
    const pid_t crawler = start(crawl), reader = start(read_on);
    twindex_free(t);
    stop_children();
    assert_int_equal(kill(crawler, 0), -1);
    assert_int_equal(kill(reader, 0), -1);
}
