/* wings: import predict */
/* Schedules of writers: while a command works, a crawler and a reader act at points that a seed
 * chooses: before any statement of the command's connections, and whenever the command sleeps (a
 * pause between its transactions, or a wait for a lock). Everything happens in one thread, and the
 * clock is a counter, so one seed is one schedule. The crawler keeps transactions open across
 * points; a copy in memory has what it committed.
 *
 * After each schedule: the command succeeded, the crawler's locks were granted in the end, the
 * reader saw the old flags and then the new ones and nothing else, the source has what the crawler
 * committed, the file is sound, and the next run gives the flags of a fresh store.
 *
 * test_schedules [N [SEED]]: N schedules, and one line that sums up. */
#include "store_maker.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { DOCUMENTS = 60, IMPORTED = 20, SCHEDULES = TEST_SANITIZED ? 20 : 50, LAST_ID = 100000 };

static const int64_t PATIENCE_NS = INT64_C(5000000000); /* the crawler's busy timeout */

typedef enum command { RUN, IMPORT, INDEX, LEARN } command;

typedef struct schedule {
    uint64_t seed;
    test_rng rng, data; /* data: what the crawler writes */
    command command;
    bool wal, first;
    size_t one_in; /* the crawler acts at one point in so many */
    const char *store, *lines;
    sqlite3 *crawler, *mirror, *reader;
    bool open, inside;  /* the crawler's transaction is open; a point is being worked on */
    int64_t refused_ns; /* when its COMMIT was first refused; 0: it was not */
    size_t points, commits, waits, reads;
    uint64_t trace; /* hash of what happened at all points */
    uint64_t old_flags, new_flags;
    bool has_new;
} schedule;

static schedule *active; /* NULL: the clock is the real one, and nothing happens at points */
static pthread_t its_thread;
static int64_t clock_ns, tick_ns; /* a look at the clock takes a tick */
static size_t all_points, all_commits, all_waits, all_reads;

/* ---- points --------------------------------------------------------------- */

static void note(schedule *s, uint64_t what) {
    s->trace = (s->trace ^ what) * 1099511628211u;
}

static uint64_t hash_rows(sqlite3 *db, const char *sql, int *ret_rc) {
    sqlite3_stmt *stmt = NULL;
    uint64_t h = 14695981039346656037u;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        for (int c = 0; c < sqlite3_column_count(stmt); c++) {
            const unsigned char *text = sqlite3_column_text(stmt, c);
            for (; text && *text; text++) h = (h ^ *text) * 1099511628211u;
            h = (h ^ 0xff) * 1099511628211u;
        }
        rc = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    *ret_rc = rc == SQLITE_DONE ? SQLITE_OK : rc;
    return h;
}

/* Readers and commands use the views; twindex_state says which generation they select from. */
static const char FLAGS[] = "SELECT (SELECT generation FROM twindex_state), * FROM document_flags "
                            "ORDER BY id";

/* One read sees the old or the new flags; after the new ones, never the old ones again. */
static void read_flags(schedule *s) {
    int rc = SQLITE_OK;
    const uint64_t h = hash_rows(s->reader, FLAGS, &rc);
    note(s, (uint64_t)rc);
    if (rc != SQLITE_OK) return; /* locked, or there are no flags yet */
    s->reads++;
    if (!s->has_new && h == s->old_flags) return;
    if (s->has_new && h != s->new_flags)
        fail_msg("seed %" PRIu64 ", point %zu: a reader sees a third state of the flags", s->seed,
                 s->points);
    s->has_new = true;
    s->new_flags = h;
}

static void both(schedule *s, const char *sql) {
    assert_int_equal(sqlite3_exec(s->crawler, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(s->mirror, sql, NULL, NULL, NULL), SQLITE_OK);
}

static void put_document(schedule *s, unsigned id) {
    char sql[400];
    test_rng *r = &s->data;
    snprintf(sql, sizeof sql,
             "INSERT OR REPLACE INTO documents(id, url, title, text, http_status) VALUES (%u, "
             "'http%s://%sa.example/%u?s=%u', 'title %u', 'text %u of a page', %d)",
             id, test_rng_below(r, 2) ? "s" : "", test_rng_below(r, 2) ? "www." : "", id / 3,
             id * 2 + (unsigned)test_rng_below(r, 2), (unsigned)test_rng_below(r, 9),
             (unsigned)test_rng_below(r, 15), test_rng_below(r, 20) ? 200 : 404);
    both(s, sql);
}

static void write_something(schedule *s) {
    char sql[80];
    const unsigned id = 1 + (unsigned)test_rng_below(&s->data, DOCUMENTS + 10);
    if (test_rng_below(&s->data, 5)) {
        put_document(s, id);
    } else {
        snprintf(sql, sizeof sql, "DELETE FROM documents WHERE id = %u", id);
        both(s, sql);
    }
}

static void end_transaction(schedule *s, const char *how) {
    const int rc = sqlite3_exec(s->crawler, how, NULL, NULL, NULL);
    note(s, (uint64_t)rc);
    s->waits += rc == SQLITE_BUSY;
    if (rc == SQLITE_BUSY) { /* a reader is at work; the transaction stays open */
        if (!s->refused_ns) s->refused_ns = clock_ns;
        if (clock_ns - s->refused_ns > PATIENCE_NS)
            fail_msg("seed %" PRIu64 ", point %zu: the crawler cannot commit", s->seed, s->points);
        return;
    }
    s->refused_ns = 0;
    if (rc != SQLITE_OK)
        fail_msg("seed %" PRIu64 ", point %zu: the crawler's %s: %s", s->seed, s->points, how,
                 sqlite3_errmsg(s->crawler));
    assert_int_equal(sqlite3_exec(s->mirror, how, NULL, NULL, NULL), SQLITE_OK);
    s->open = false;
    s->commits++;
}

static void crawl(schedule *s) {
    if (!s->open) {
        const int rc = sqlite3_exec(s->crawler, "BEGIN IMMEDIATE", NULL, NULL, NULL);
        note(s, 10 + (uint64_t)rc);
        s->waits += rc == SQLITE_BUSY;
        s->open = rc == SQLITE_OK;
        if (s->open)
            assert_int_equal(sqlite3_exec(s->mirror, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
        if (s->open) write_something(s);
        if (!s->open || test_rng_below(&s->rng, 2)) return;
    }
    const size_t what = test_rng_below(&s->rng, 8);
    if (s->refused_ns)
        end_transaction(s, "COMMIT"); /* as SQLite's busy handler does */
    else if (what < 2)
        write_something(s);
    else
        end_transaction(s, what == 2 ? "ROLLBACK" : "COMMIT");
}

static void at_point(uint64_t kind) {
    schedule *s = active;
    if (!s || s->inside || !pthread_equal(pthread_self(), its_thread)) return;
    s->inside = true;
    s->points++;
    note(s, kind);
    if (test_rng_below(&s->rng, s->one_in) == 0) {
        if (test_rng_below(&s->rng, 3))
            crawl(s);
        else
            read_flags(s);
    }
    s->inside = false;
}

static int on_statement(unsigned type, void *arg, void *stmt, void *text) {
    (void)type, (void)arg, (void)stmt, (void)text;
    at_point(1);
    return 0;
}

/* Called for each connection that is opened. */
static int watch(sqlite3 *db, char **message, const struct sqlite3_api_routines *api) {
    (void)message, (void)api;
    if (active) sqlite3_trace_v2(db, SQLITE_TRACE_STMT, on_statement, NULL);
    return SQLITE_OK;
}

static bool is_scheduled(void) {
    return active && pthread_equal(pthread_self(), its_thread);
}

/* These two take the place of the C library's. */
int nanosleep(const struct timespec *wanted, struct timespec *left) {
    if (!is_scheduled()) return (int)syscall(SYS_nanosleep, wanted, left);
    clock_ns += wanted->tv_sec * INT64_C(1000000000) + wanted->tv_nsec;
    at_point(2);
    return 0;
}

int clock_gettime(clockid_t id, struct timespec *ret_now) {
    if (!is_scheduled()) return (int)syscall(SYS_clock_gettime, id, ret_now);
    clock_ns += tick_ns;
    *ret_now = (struct timespec){.tv_sec = (time_t)(1000 + clock_ns / 1000000000),
                                 .tv_nsec = (long)(clock_ns % 1000000000)};
    return 0;
}

/* ---- stores ----------------------------------------------------------------- */

static sqlite3 *open_plain(const char *path) {
    sqlite3 *db = NULL;
    schedule *const was = active;
    active = NULL; /* not watched */
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    active = was;
    return db;
}

static void make_store(schedule *s) {
    char sql[64];
    twindex *t = twindex_new();
    assert_int_equal(twindex_init(t, s->store), TWINDEX_OK);
    twindex_free(t);
    s->crawler = open_plain(s->store);
    s->reader = open_plain(s->store);
    s->mirror = open_plain(":memory:");
    snprintf(sql, sizeof sql, "PRAGMA journal_mode=%s", s->wal ? "WAL" : "DELETE");
    test_exec(s->crawler, sql);
    test_exec(s->mirror, "CREATE TABLE documents(id INTEGER PRIMARY KEY, url TEXT UNIQUE, title, "
                         "text, http_status)");
    both(s, "BEGIN");
    for (unsigned id = 1; id <= DOCUMENTS; id++) put_document(s, id);
    put_document(s, LAST_ID); /* documents that are imported come after it */
    both(s, "COMMIT");
}

static void make_lines(const schedule *s) {
    FILE *out = fopen(s->lines, "w");
    assert_non_null(out);
    for (int i = 0; i < IMPORTED; i++)
        fprintf(out,
                "{\"url\": \"http://imported.example/%d\", \"title\": \"title %d\", \"text\": "
                "\"text %d of a page\", \"fetched_at\": 1700000000}\n",
                i, i % 9, i % 15);
    fclose(out);
}

static twindex *open_twindex(const char *store, const char *rows, const char *pause_ms) {
    twindex *t = twindex_new();
    test_set(t, "guard.max_hidden", "1");
    test_set(t, "guard.max_lost", "1");
    test_set(t, "run.jobs", "1");
    test_set(t, "run.batch_rows", rows);
    test_set(t, "run.pause_ms", pause_ms);
    assert_int_equal(twindex_open(t, store), TWINDEX_OK);
    return t;
}

static int work(twindex *t, const schedule *s, command what) {
    const twindex_sink sink = {.write = test_discard};
    /* with `full`, and in a first run, the rows are read by ranges if the store is in WAL mode */
    const twindex_run_options how = {.full = s->seed % 3 == 0};
    switch (what) {
    case RUN: return twindex_run(t, &how, &sink);
    case IMPORT: return twindex_import(t, &s->lines, 1, &sink);
    case INDEX: return twindex_index(t, false, &sink);
    case LEARN: return twindex_learn(t, &sink);
    }
    return TWINDEX_INTERNAL;
}

static void expect_ok(const schedule *s, twindex *t, command what) {
    static const char *const NAMES[] = {"run", "import", "index", "learn"};
    const int result = work(t, s, what);
    if (result != TWINDEX_OK)
        fail_msg("seed %" PRIu64 ": %s ends with %d: %s", s->seed, NAMES[what], result,
                 twindex_message(t));
}

/* ---- what must hold ----------------------------------------------------------- */

static void check_source(const schedule *s) {
    static const char SQL[] = "SELECT id, url, title, text, http_status FROM documents WHERE id <= "
                              "100000 ORDER BY id";
    int rc = SQLITE_OK, mirror_rc = SQLITE_OK;
    const uint64_t found = hash_rows(s->crawler, SQL, &rc);
    if (found != hash_rows(s->mirror, SQL, &mirror_rc) || rc != SQLITE_OK || mirror_rc != SQLITE_OK)
        fail_msg("seed %" PRIu64 ": the documents are not those that the crawler committed",
                 s->seed);
    if (s->command == IMPORT &&
        test_integer(s->crawler,
                     "SELECT count(*) FROM documents WHERE url GLOB "
                     "'http://imported.example/*' AND text GLOB 'text * of a page'") != IMPORTED)
        fail_msg("seed %" PRIu64 ": imported documents are missing", s->seed);
    if (test_integer(s->crawler, "SELECT count(*) FROM pragma_integrity_check WHERE "
                                 "integrity_check <> 'ok'"))
        fail_msg("seed %" PRIu64 ": the file is damaged", s->seed);
}

static void compare_with_fresh(const schedule *s) {
    static const char COPY[] = "ATTACH '%s' AS old; INSERT INTO documents SELECT * FROM "
                               "old.documents; DETACH old";
    static const char SLOTS[] = "SELECT doc, hash FROM twindex_text_slot ORDER BY doc";
    const char *path = test_file("fresh.db");
    char sql[4600], digest[33], fresh_digest[33];
    int rc = SQLITE_OK, fresh_rc = SQLITE_OK;
    twindex *t = open_twindex(s->store, "10000", "0"), *fresh = twindex_new();
    expect_ok(s, t, RUN);
    expect_ok(s, t, INDEX);
    test_digest(t, digest);
    assert_int_equal(twindex_init(fresh, path), TWINDEX_OK);
    twindex_free(fresh);
    sqlite3 *db = open_plain(path);
    snprintf(sql, sizeof sql, COPY, s->store);
    test_exec(db, sql);
    fresh = open_twindex(path, "10000", "0");
    expect_ok(s, fresh, RUN);
    expect_ok(s, fresh, INDEX);
    test_digest(fresh, fresh_digest);
    if (strcmp(digest, fresh_digest) != 0)
        fail_msg("seed %" PRIu64 ": the next run gives other flags than a fresh store", s->seed);
    if (hash_rows(s->crawler, SLOTS, &rc) != hash_rows(db, SLOTS, &fresh_rc) || rc || fresh_rc)
        fail_msg("seed %" PRIu64 ": the text index is not that of a fresh store", s->seed);
    sqlite3_close(db);
    twindex_free(t);
    twindex_free(fresh);
}

/* ---- schedules ------------------------------------------------------------------ */

static void prepare(schedule *s) {
    static const size_t ONE_IN[] = {1, 2, 5, 20};
    static const int64_t TICKS[] = {20000, 1000000, 4000000};
    twindex *t = open_twindex(s->store, "10000", "0");
    s->command = (command)(test_rng_below(&s->rng, 5) % 4); /* RUN twice as often */
    s->first = s->command != LEARN && test_rng_below(&s->rng, 5) == 0;
    tick_ns = TICKS[test_rng_below(&s->rng, 3)];
    s->one_in = ONE_IN[test_rng_below(&s->rng, 4)];
    if (!s->first) {
        expect_ok(s, t, RUN);
        both(s, "BEGIN");
        for (int i = 0; i < 10; i++) write_something(s);
        both(s, "COMMIT");
    }
    twindex_free(t);
}

/* Runs one schedule; returns the hash of what happened. */
static uint64_t run_schedule(uint64_t seed) {
    static const char *const ROWS[] = {"3", "20", "10000"};
    schedule s = {.seed = seed,
                  .rng = test_rng_seed(seed),
                  .data = test_rng_seed(seed + 1000000007u),
                  .store = test_file("scheduled.db"),
                  .lines = test_file("lines.jsonl")};
    int rc = SQLITE_OK;
    s.wal = test_rng_below(&s.rng, 2);
    make_store(&s);
    make_lines(&s);
    prepare(&s);
    s.old_flags = hash_rows(s.reader, FLAGS, &rc);
    if (rc != SQLITE_OK) s.old_flags = 0; /* there are none */
    twindex *t = open_twindex(s.store, ROWS[test_rng_below(&s.rng, 3)], "15");
    clock_ns = 0;
    its_thread = pthread_self();
    active = &s;
    const int result = work(t, &s, s.command);
    active = NULL;
    if (result != TWINDEX_OK)
        fail_msg("seed %" PRIu64 ", %s, point %zu: command %d ends with %d: %s", seed,
                 s.wal ? "WAL" : "rollback journal", s.points, (int)s.command, result,
                 twindex_message(t));
    twindex_free(t);
    if (s.open) end_transaction(&s, "COMMIT");
    if (s.open) fail_msg("seed %" PRIu64 ": a lock was left", seed);
    read_flags(&s);
    check_source(&s);
    sqlite3_close(s.reader);
    compare_with_fresh(&s);
    sqlite3_close(s.crawler);
    sqlite3_close(s.mirror);
    all_points += s.points;
    all_commits += s.commits;
    all_waits += s.waits;
    all_reads += s.reads;
    return s.trace;
}

static size_t wanted;
static uint64_t first_seed = 1;

static void schedules_leave_whole_results(void **state) {
    (void)state;
    for (uint64_t i = 0; i < wanted; i++) run_schedule(first_seed + i);
    print_message("test_schedules: %zu schedules from seed %" PRIu64
                  ": %zu points, %zu transactions of the crawler, %zu waits, %zu reads; 0 mixed, 0 "
                  "lost, 0 not completed\n",
                  wanted, first_seed, all_points, all_commits, all_waits, all_reads);
    assert_true(all_commits > wanted && all_reads > wanted && all_waits > 0);
}

static void one_seed_is_one_schedule(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const uint64_t trace = run_schedule(seed);
        if (run_schedule(seed) != trace) fail_msg("seed %" PRIu64 " gave two schedules", seed);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_seed_is_one_schedule),
        cmocka_unit_test(schedules_leave_whole_results),
    };
    wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : test_share_of(SCHEDULES, 1);
    if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
    sqlite3_auto_extension((void (*)(void))watch);
    return cmocka_run_group_tests_name("schedules", tests, NULL, NULL);
}
