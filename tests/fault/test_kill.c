/* The real program is killed at 200 random moments: each time the flags are the whole old or the
 * whole new state, the tables of the store's owner have not changed, the file is sound, and the
 * next run completes. Signals that ask to stop, and a second run at the same time. */
#include "store_maker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLS = TEST_SANITIZED ? 16 : 200, DOCUMENTS = 2000, IN_A_ROW = 3, BUSY = 75 };
enum { SIGNALLED = TEST_SANITIZED ? 2 : 8 }; /* runs of a case: of each signal one or more */

/* Where flags are killed: our own table and the trigger feed in WAL mode, a foreign table with a
 * rollback journal, a file of flags beside the store, a store that has no flags yet. */
static const struct {
    const char *name;
    bool own, separate, first;
} CASES[] = {{"own", true, false, false},
             {"pages", false, false, false},
             {"flags file", false, true, false},
             {"first run", true, false, true}};
enum { CASES_N = 4 };

typedef struct scene {
    size_t at;               /* of CASES */
    char old[33], fresh[33]; /* digests: before, "" when there are no flags; after */
    double seconds;          /* that an undisturbed run takes */
    uint64_t source;         /* digest of the owner's tables */
    const char *template, *template_flags, *store, *flags;
} scene;

/* ---- stores ------------------------------------------------------------- */

#define ROWS                                                                                      \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i, "   \
    "CASE i % 3 WHEN 0 THEN 'http' ELSE 'https' END || '://' || CASE i % 4 WHEN 1 THEN 'www.' "   \
    "ELSE '' END || "                                                                             \
    "'example.com/' || (i / 5), 'title ' || (i % 300), 'text of page ' || (i / 2) || ' and more " \
    "text', "                                                                                     \
    "iif(i % 50 = 0, 404, 200) FROM n"

static const char *table_of(const scene *s) {
    return CASES[s->at].own ? "documents" : "pages";
}

static void make_store(const scene *s) {
    if (CASES[s->at].own) {
        twindex *t = twindex_new();
        assert_int_equal(twindex_init(t, s->template), TWINDEX_OK);
        twindex_free(t);
    }
    sqlite3 *db = test_open(s->template);
    if (CASES[s->at].own)
        test_exec(db, "INSERT OR IGNORE INTO documents(id, url, title, text, http_status) " ROWS);
    else
        test_exec(db, "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, title, content, "
                      "status_code);INSERT INTO pages " ROWS);
    sqlite3_close(db);
}

/* What the crawler does between the old and the new state. */
static void change_store(const scene *s) {
    char sql[512];
    const char *text = CASES[s->at].own ? "text" : "content";
    snprintf(sql, sizeof sql,
             "UPDATE %s SET %s = %s || ' changed' WHERE id %% 3 = 0; DELETE FROM %s WHERE id %% 11 "
             "= 0;UPDATE %s SET url = url || '/moved' WHERE id %% 17 = 0;",
             table_of(s), text, text, table_of(s), table_of(s));
    test_exec_in(s->template, sql);
}

static uint64_t source_of(const scene *s) {
    static const char SQL[] =
        "SELECT sum(id), total(length(url)), total(length(title)), count(*), group_concat(url || "
        "coalesce(title, '') || coalesce(%s, ''), x'0a') FROM (SELECT * FROM %s ORDER BY id)";
    char sql[512];
    sqlite3_stmt *stmt = NULL;
    uint64_t h = 1;
    sqlite3 *db = test_open(s->store);
    snprintf(sql, sizeof sql, SQL, CASES[s->at].own ? "text" : "content", table_of(s));
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    for (int c = 0; c < 5; c++)
        for (const unsigned char *p = sqlite3_column_text(stmt, c); p && *p; p++)
            h = (h ^ *p) * 1099511628211u;
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return h;
}

static void copy_file(const char *from, const char *to) {
    char buffer[1 << 16];
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0) return; /* no flags yet */
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(out >= 0);
    for (ssize_t n; (n = read(in, buffer, sizeof buffer)) > 0;)
        assert_int_equal(write(out, buffer, (size_t)n), n);
    close(in);
    close(out);
}

/* The store as it was before, with no leftovers of a killed run. */
static void put_back(scene *s) {
    const char *const files[] = {s->store, s->flags};
    for (size_t f = 0; f < 2; f++) {
        unlink(files[f]);
        test_remove_leftovers(files[f]);
    }
    copy_file(s->template, s->store);
    copy_file(s->template_flags, s->flags);
}

/* ---- the program -------------------------------------------------------- */

static void nap(double seconds) {
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&t, &t) != 0 && errno == EINTR) continue;
}

/* After a killed run the next one checks the file, and then compares all documents, as it does when
 * their number is wrong: neither happens to our own table here, so that lost changes show. */
static void exec_run(const scene *s, const char *pause) {
    const char *args[12] = {"twindex", "run", "--quiet", "--set=run.batch_rows=40", "--set", pause};
    size_t n = 6;
    int quiet = open("/dev/null", O_RDWR);
    dup2(quiet, STDIN_FILENO);
    dup2(quiet, STDOUT_FILENO);
    if (!getenv("TWINDEX_TEST_LOUD")) dup2(quiet, STDERR_FILENO);
    if (CASES[s->at].own) {
        args[n++] = "--no-check";
        args[n++] = "--set=store.where=id > 0";
    }
    if (CASES[s->at].separate) {
        args[n++] = "--flags";
        args[n++] = s->flags;
    }
    args[n] = s->store;
    execv(test_program(), (char *const *)(uintptr_t)args);
    _exit(127);
}

static pid_t start_run(const scene *s, const char *pause) {
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) exec_run(s, pause);
    return pid;
}

/* Exit code, or 1000 and the signal. */
static int end_of(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) assert_int_equal(errno, EINTR);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- what a reader sees ------------------------------------------------- */

static const char *own_file(const scene *s) {
    return CASES[s->at].separate ? s->flags : s->store;
}

static int keep(void *arg, const char *bytes, size_t n) {
    char *to = arg;
    for (size_t i = 0, have = strlen(to); i < n && have < 32 && bytes[i] != '\n'; i++)
        to[have++] = bytes[i];
    return 0;
}

/* "" when nothing was published yet. */
static void read_digest(const scene *s, char ret_digest[33]) {
    memset(ret_digest, 0, 33);
    const twindex_sink sink = {.write = keep, .arg = ret_digest};
    twindex *t = twindex_new();
    if (CASES[s->at].separate) test_set(t, "store.flags", s->flags);
    assert_int_equal(twindex_open(t, s->store), TWINDEX_OK);
    int got = twindex_digest(t, &sink);
    if (got == TWINDEX_BAD_DATA || got == TWINDEX_NO_STORE)
        ret_digest[0] = '\0';
    else if (got != TWINDEX_OK)
        fail_msg("digest: %s", twindex_message(t));
    twindex_free(t);
}

static void check_sound(const scene *s, const char *path) {
    if (access(path, F_OK) != 0) return;
    if (test_integer_in(
            path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") != 0)
        fail_msg("%s: %s is damaged", CASES[s->at].name, path);
}

/* true: the new state */
static bool check_after(const scene *s, uint64_t seed) {
    char digest[33];
    /* twindex comes first half of the time: nothing cleans up for it what a killed run left */
    if (seed % 2) check_sound(s, own_file(s));
    read_digest(s, digest);
    check_sound(s, s->store);
    check_sound(s, own_file(s));
    if (source_of(s) != s->source)
        fail_msg("seed %" PRIu64 ", %s: the source has changed", seed, CASES[s->at].name);
    if (strcmp(digest, s->fresh) == 0) return true;
    if (strcmp(digest, s->old) != 0)
        fail_msg("seed %" PRIu64 ", %s: neither the old nor the new flags: '%s'", seed,
                 CASES[s->at].name, digest);
    return false;
}

static void complete(const scene *s, uint64_t seed) {
    int end = end_of(start_run(s, "run.pause_ms=0"));
    if (end != 0)
        fail_msg("seed %" PRIu64 ", %s: the next run ends with %d", seed, CASES[s->at].name, end);
    if (!check_after(s, seed))
        fail_msg("seed %" PRIu64 ", %s: the next run changed nothing", seed, CASES[s->at].name);
}

/* ---- scenes ------------------------------------------------------------- */

static void checkpoint(const char *path) {
    if (access(path, F_OK) != 0) return;
    test_exec_in(path, "PRAGMA wal_checkpoint(TRUNCATE)");
}

static void set_scene(scene *s, size_t at) {
    *s = (scene){.at = at,
                 .template = test_file("template.db"),
                 .template_flags = test_file("template-flags.db"),
                 .store = test_file("kill.db"),
                 .flags = test_file("kill-flags.db")};
    make_store(s);
    put_back(s);
    if (!CASES[at].first) {
        assert_int_equal(end_of(start_run(s, "run.pause_ms=0")), 0);
        read_digest(s, s->old);
        checkpoint(s->store);
        checkpoint(own_file(s));
        copy_file(s->store, s->template);
        copy_file(s->flags, s->template_flags);
        change_store(s);
    }
    put_back(s);
    s->source = source_of(s);
    double began = test_seconds(CLOCK_MONOTONIC);
    assert_int_equal(end_of(start_run(s, "run.pause_ms=0")), 0);
    s->seconds = test_seconds(CLOCK_MONOTONIC) - began;
    read_digest(s, s->fresh);
    assert_true(s->fresh[0] != '\0');
    assert_string_not_equal(s->old, s->fresh);
}

TEST(killed_runs_leave_the_old_or_the_new_flags) {
    const size_t kills = test_share_of(KILLS, TEST_SANITIZED ? 3 : 4);
    size_t killed = 0, kept_old = 0, was_new = 0;
    for (size_t at = 0; at < CASES_N; at++) {
        /* a run that was faster than its killer does not count */
        const size_t enough = killed + kills / CASES_N;
        scene s;
        set_scene(&s, at);
        put_back(&s);
        for (uint64_t seed = at * 1000, in_a_row = 0; killed < enough; seed++) {
            test_rng rng = test_rng_seed(seed);
            assert_true(seed < at * 1000 + 1000);
            pid_t pid = start_run(&s, "run.pause_ms=0");
            nap(s.seconds * (double)test_rng_below(&rng, 1000) / 1000);
            kill(pid, SIGKILL);
            killed += end_of(pid) == 1000 + SIGKILL;
            bool fresh = check_after(&s, seed);
            was_new += fresh;
            kept_old += !fresh;
            /* several runs may die one after the other before one completes */
            if (++in_a_row < 1 + seed % IN_A_ROW && !fresh) continue;
            complete(&s, seed);
            put_back(&s);
            in_a_row = 0;
        }
    }
    print_message("%zu runs killed, %zu times the old flags, %zu times the new\n", killed, kept_old,
                  was_new);
    assert_true(kept_old > kills / 4);
}

/* ---- asking to stop ----------------------------------------------------- */

TEST(signals_stop_a_run_with_their_exit_code) {
    static const struct {
        int number, exit_code;
    } SIGNALS[] = {{SIGINT, TWINDEX_INTERRUPTED}, {SIGTERM, TWINDEX_TERMINATED}};
    size_t stopped = 0;
    for (size_t at = 0; at < CASES_N; at++) {
        scene s;
        set_scene(&s, at);
        for (uint64_t seed = 0; seed < SIGNALLED; seed++) {
            put_back(&s);
            test_rng rng = test_rng_seed(seed);
            pid_t pid = start_run(&s, "run.pause_ms=1");
            nap(s.seconds * (double)(100 + test_rng_below(&rng, 1000)) / 1000);
            kill(pid, SIGNALS[seed % 2].number);
            int end = end_of(pid);
            bool fresh = check_after(&s, seed);
            stopped += end == SIGNALS[seed % 2].exit_code;
            /* it was done before the signal came, or had not begun to listen */
            if (end != SIGNALS[seed % 2].exit_code && !(end == 0 && fresh) &&
                end != 1000 + SIGNALS[seed % 2].number)
                fail_msg("seed %" PRIu64 ", %s: signal %d ends with %d", seed, CASES[at].name,
                         SIGNALS[seed % 2].number, end);
            /* a signal that comes when all is done may still kill the process */
            if (end == SIGNALS[seed % 2].exit_code && fresh)
                fail_msg("seed %" PRIu64 ": stopped, and yet published", seed);
            complete(&s, seed);
        }
    }
    print_message("%zu runs were stopped\n", stopped);
    assert_true(stopped >= SIGNALLED);
}

TEST(a_second_run_at_the_same_time_is_told_to_try_later) {
    char lock[4400];
    scene s;
    struct stat st;
    set_scene(&s, 0);
    put_back(&s);
    snprintf(lock, sizeof lock, "%s-twindex-lock", s.store);
    pid_t first = start_run(&s, "run.pause_ms=60000");
    for (int i = 0; i < 5000 && (stat(lock, &st) != 0 || st.st_size == 0); i++) nap(0.002);
    assert_int_equal(end_of(start_run(&s, "run.pause_ms=0")), BUSY);
    kill(first, SIGKILL);
    assert_int_equal(end_of(first), 1000 + SIGKILL);
    assert_false(check_after(&s, 0));
    complete(&s, 0); /* the lock has gone with its holder */
}
