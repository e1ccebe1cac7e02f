/* The clock of these tests moves only as they say. */
#include "support.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "store/store.h"
#include "store_maker.h"

enum { PAUSE_MS = 15 };

static int64_t clock_ms, tick_ms; /* a look at the clock takes a tick */
static int64_t slept_ms;
static bool faked;

/* These two take the place of the C library's. */
int clock_gettime(clockid_t id, struct timespec *ret_now) {
    if (!faked) return (int)syscall(SYS_clock_gettime, id, ret_now);
    clock_ms += tick_ms;
    *ret_now = (struct timespec){.tv_sec = (time_t)(clock_ms / 1000),
                                 .tv_nsec = (long)(clock_ms % 1000) * 1000000};
    return 0;
}

typedef struct fixture {
    twx_ctx cx;
    twx_db *db;
    sqlite3 *other; /* another connection */
} fixture;

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    if (!faked) return (int)syscall(SYS_nanosleep, wanted, left);
    slept_ms += wanted->tv_sec * 1000 + wanted->tv_nsec / 1000000;
    return 0;
}

static void setup(fixture *f) {
    const char *path = test_file("turns.db");
    const twx_db_options make = {.mode = TWX_DB_OWNER, .create = true, .pause_ms = PAUSE_MS};
    clock_ms = 1000000;
    tick_ms = slept_ms = 0;
    faked = true;
    assert_int_equal(twx_db_open(&f->cx, path, &make, &f->db), TWX_OK);
    assert_int_equal(twx_make_documents(f->db), TWX_OK);
    f->other = test_open(path);
}

static void teardown(fixture *f) {
    faked = false;
    sqlite3_close(f->other);
    twx_db_close(f->db);
}

/* How many milliseconds a turn lasts until it is over. */
static int64_t length_of_a_turn(fixture *f) {
    assert_int_equal(twx_turn_begin(f->db), TWX_OK);
    const int64_t began = clock_ms;
    while (!twx_turn_is_over(f->db)) clock_ms++;
    const int64_t length = clock_ms - began;
    assert_int_equal(twx_turn_end(f->db, TWX_OK, false), TWX_OK);
    return length;
}

static void other_commits(fixture *f) {
    test_exec(f->other, "INSERT INTO documents(url) VALUES ('http://a.example/' || random())");
}

TEST_OF(r1_turns_are_short_while_others_write, fixture *f) {
    assert_int_equal(length_of_a_turn(f), 20); /* at first others count as writing */
    clock_ms += 5000;
    assert_int_equal(length_of_a_turn(f), 100);
    clock_ms += 5000; /* of other work, during which others begin to write */
    other_commits(f);
    assert_int_equal(length_of_a_turn(f), 20);
    clock_ms += 1900;
    assert_int_equal(length_of_a_turn(f), 20);
    clock_ms += 2000;
    assert_int_equal(length_of_a_turn(f), 100);
}

/* No process that waits gets the lock between two turns without a pause. */
TEST_OF(r1_a_turn_leaves_time_for_those_without_a_pause, fixture *f) {
    const int64_t before[] = {0, 1, 12, 15, 19};
    const int64_t wanted[] = {20, 19, 8, 5, 5};
    for (size_t i = 0; i < TWX_COUNTOF(before); i++) {
        assert_int_equal(twx_turn_begin(f->db), TWX_OK);
        clock_ms += before[i];
        slept_ms = 0;
        assert_int_equal(twx_turn_end(f->db, TWX_OK, false), TWX_OK);
        assert_int_equal(slept_ms, 0);
        assert_int_equal(length_of_a_turn(f), wanted[i]);
        assert_int_equal(slept_ms, 0);
        assert_int_equal(length_of_a_turn(f), 20);
        assert_int_equal(slept_ms, PAUSE_MS);
    }
}

static int slow_commit(void *arg) {
    clock_ms += *(int *)arg;
    return 0;
}

TEST_OF(r1_a_turn_leaves_time_for_its_commit, fixture *f) {
    int ms = 8;
    sqlite3_commit_hook(f->db->handle, slow_commit, &ms);
    const int64_t wanted[] = {20, 16, 14, 13};
    for (size_t i = 0; i < TWX_COUNTOF(wanted); i++) {
        other_commits(f);
        assert_int_equal(twx_turn_begin(f->db), TWX_OK);
        assert_int_equal(twx_db_script(f->db, "DELETE FROM twindex_change WHERE seq % 2"), TWX_OK);
        assert_int_equal(length_of_a_turn(f), wanted[i]);
    }
    ms = 1000; /* a slow disk: what is left is short, but something is written */
    for (int i = 0; i < 2; i++) {
        other_commits(f);
        assert_int_equal(twx_turn_begin(f->db), TWX_OK);
        assert_int_equal(twx_db_script(f->db, "DELETE FROM twindex_change WHERE seq % 2"), TWX_OK);
        (void)length_of_a_turn(f);
    }
    assert_int_equal(length_of_a_turn(f), 5);
}

/* How long the next turn waits before it begins. */
static int64_t pause_of_the_next(fixture *f) {
    const int64_t before = slept_ms;
    assert_int_equal(twx_turn_begin(f->db), TWX_OK);
    return slept_ms - before;
}

TEST_OF(r2_a_pause_follows_what_lasted, fixture *f) {
    (void)length_of_a_turn(f);
    for (int i = 0; i < 4; i++) { /* 4 turns of 5 ms */
        assert_int_equal(pause_of_the_next(f), i ? 0 : PAUSE_MS);
        clock_ms += 5;
        assert_int_equal(twx_turn_end(f->db, TWX_OK, false), TWX_OK);
    }
    assert_int_equal(pause_of_the_next(f), PAUSE_MS);
    assert_int_equal(twx_turn_end(f->db, TWX_OK, true), TWX_OK);
    assert_int_equal(pause_of_the_next(f), PAUSE_MS);
    assert_int_equal(twx_turn_end(f->db, TWX_OK, false), TWX_OK);
}

TEST_OF(r2_work_between_turns_is_a_part_of_the_pause, fixture *f) {
    const int64_t work[] = {0, 6, 15, 400}, left[] = {15, 9, 0, 0};
    for (size_t i = 0; i < TWX_COUNTOF(work); i++) {
        assert_int_equal(twx_turn_begin(f->db), TWX_OK);
        assert_int_equal(twx_turn_end(f->db, TWX_OK, true), TWX_OK);
        clock_ms += work[i];
        assert_int_equal(pause_of_the_next(f), left[i]);
        assert_int_equal(twx_turn_end(f->db, TWX_OK, false), TWX_OK);
    }
}

TEST_OF(r2_with_a_rollback_journal_nothing_is_read_in_the_pause, fixture *f) {
    twx_db *db = NULL;
    const char *path = test_file("rollback.db");
    const twx_db_options make = {
        .mode = TWX_DB_OWNER, .create = true, .network = true, .pause_ms = PAUSE_MS};
    assert_int_equal(twx_db_open(&f->cx, path, &make, &db), TWX_OK);
    assert_int_equal(twx_turn_begin(db), TWX_OK);
    assert_int_equal(twx_turn_end(db, TWX_OK, true), TWX_OK);
    assert_int_equal(slept_ms, PAUSE_MS);
    twx_db_close(db);
}

/* The other connection waits with SQLite's own busy handler; the turn ends while it sleeps. */
static struct {
    fixture *f;
    int64_t ends_ms;              /* when the turn ends; 0: it has ended */
    int64_t pause_ms, attempt_ms; /* both after the end of the turn */
} waiting;

static int sleep_of_sqlite(sqlite3_vfs *vfs, int us) {
    const int64_t until = clock_ms + us / 1000;
    (void)vfs;
    if (waiting.ends_ms && until >= waiting.ends_ms) {
        clock_ms = waiting.ends_ms;
        waiting.ends_ms = 0;
        assert_int_equal(twx_turn_end(waiting.f->db, TWX_OK, true), TWX_OK);
        waiting.pause_ms = waiting.f->db->turns.paused_until_ms - clock_ms;
        waiting.attempt_ms = until - clock_ms;
    }
    clock_ms = until;
    return us;
}

TEST_OF(r2_a_waiting_connection_tries_within_the_pause, fixture *f) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    int (*const own_sleep)(sqlite3_vfs *, int) = vfs->xSleep;
    vfs->xSleep = sleep_of_sqlite;
    sqlite3_busy_timeout(f->other, 10000);
    for (int ms = 1; ms <= 400; ms++) {
        other_commits(f);
        assert_int_equal(twx_turn_begin(f->db), TWX_OK);
        waiting.f = f;
        waiting.ends_ms = clock_ms + ms;
        other_commits(f); /* waits for the turn */
        assert_int_equal(waiting.ends_ms, 0);
        if (waiting.attempt_ms >= waiting.pause_ms)
            fail_msg("a turn of %d ms: the pause takes %" PRId64 " ms, the attempt comes after "
                     "%" PRId64,
                     ms, waiting.pause_ms, waiting.attempt_ms);
        assert_in_range(waiting.pause_ms, PAUSE_MS, 102);
    }
    vfs->xSleep = own_sleep;
}

/* An import writes in turns: rows that take a millisecond each are committed after 20. */
TEST_OF(import_holds_the_lock_for_20_ms, fixture *f) {
    twx_documents *d = NULL;
    int64_t most = 0;
    assert_int_equal(twx_documents_open(&f->cx, f->db, &d), TWX_OK);
    for (int i = 0; i < 200; i++) {
        char url[40];
        twx_capture c = twx_capture_none();
        twx_put put;
        snprintf(url, sizeof url, "http://b.example/%d", i);
        c.url = twx_slice_of(url);
        c.text = TWX_SLICE_LIT("text");
        clock_ms++;
        assert_int_equal(twx_documents_put(d, &c, &put), TWX_OK);
        if (i % 10 == 0) {
            const int64_t seen = test_integer(f->other, "SELECT count(*) FROM documents");
            if (i + 1 - seen > most) most = i + 1 - seen;
        }
    }
    assert_in_range(most, 1, 20);
    assert_in_range(slept_ms, (PAUSE_MS - 1) * 9, PAUSE_MS * 12); /* a row is made meanwhile */
    assert_int_equal(twx_documents_commit(d), TWX_OK);
    twx_documents_close(d);
}

TESTS_OF(fixture, setup, teardown);
