/* The WAL is not reset while it is held, and turns copy it into the file when others write. SQLite
 * itself says what is in the WAL: PRAGMA wal_checkpoint, on a connection of its own. */
#include "support.h"

#include <sys/stat.h>

#include "store/store.h"
#include "store_maker.h"

typedef struct fixture {
    twx_ctx cx;
    const char *path;
    twx_db *db;
    sqlite3 *other; /* a connection of another program, which never copies by itself */
} fixture;

static void make(fixture *f, bool wal) {
    twx_db *owner = NULL;
    const twx_db_options as_owner = {.mode = TWX_DB_OWNER, .create = true, .network = !wal},
                         as_writer = {.mode = TWX_DB_WRITER};
    f->path = test_file("held.db");
    assert_int_equal(twx_db_open(&f->cx, f->path, &as_owner, &owner), TWX_OK);
    assert_int_equal(twx_make_documents(owner), TWX_OK);
    twx_db_close(owner);
    f->other = test_open(f->path);
    test_exec(f->other, "PRAGMA wal_autocheckpoint=0");
    sqlite3_busy_timeout(f->other, 0);
    assert_int_equal(twx_db_open(&f->cx, f->path, &as_writer, &f->db), TWX_OK);
}

static void setup(fixture *f) {
    make(f, true);
}

static void teardown(fixture *f) {
    twx_db_close(f->db);
    sqlite3_close(f->other);
}

TESTS_OF(fixture, setup, teardown);

static void other_commits(fixture *f) {
    test_exec(f->other, "INSERT INTO documents(url) VALUES ('http://a.example/' || random())");
}

/* A turn that removes the noted changes. */
static void write_turn(fixture *f) {
    assert_int_equal(twx_turn_begin(f->db), TWX_OK);
    assert_int_equal(twx_db_script(f->db, "DELETE FROM twindex_change"), TWX_OK);
    assert_int_equal(twx_turn_end(f->db, TWX_OK, false), TWX_OK);
}

/* Can a program that does not wait for locks reset the WAL? */
static bool can_reset(fixture *f) {
    int frames = 0, copied = 0;
    return sqlite3_wal_checkpoint_v2(f->other, "main", SQLITE_CHECKPOINT_TRUNCATE, &frames,
                                     &copied) == SQLITE_OK;
}

/* How many frames of the WAL are not in the file. Read from the index of the WAL, as
 * sqlite.org/walformat.html says, by another process: closing the file here would end the locks of
 * our connections. */
static uint32_t frames_to_copy(fixture *f) {
    char command[9000];
    uint32_t frames = 0, copied = 0;
    snprintf(command, sizeof command,
             "od -An -tu4 -j16 -N4 '%s-shm'; od -An -tu4 -j96 -N4 '%s-shm'", f->path, f->path);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    assert_int_equal(fscanf(in, "%" SCNu32 " %" SCNu32, &frames, &copied), 2);
    assert_int_equal(pclose(in), 0);
    assert_true(copied <= frames);
    return frames - copied;
}

TEST_OF(a_held_wal_is_not_reset, fixture *f) {
    other_commits(f);
    assert_int_equal(twx_wal_hold(f->db), TWX_OK);
    assert_true(twx_wal_is_held(f->db));
    assert_false(can_reset(f));
    for (int i = 0; i < 5; i++) {
        write_turn(f);
        other_commits(f);
        assert_false(can_reset(f));
    }
    twx_wal_release(f->db);
    assert_false(twx_wal_is_held(f->db));
    assert_true(can_reset(f));
}

/* Also when the file had everything at the time when it began to be held. */
TEST_OF(a_hold_of_an_empty_wal_lasts, fixture *f) {
    other_commits(f);
    assert_true(can_reset(f));
    assert_int_equal(twx_wal_hold(f->db), TWX_OK);
    write_turn(f);
    twx_wal_copy(f->db);
    assert_int_equal(frames_to_copy(f), 0);
    assert_false(can_reset(f));
    twx_wal_release(f->db);
    assert_true(can_reset(f));
}

TEST_OF(r3_a_turn_copies_what_it_wrote_if_others_commit, fixture *f) {
    write_turn(f);
    assert_true(frames_to_copy(f) > 0); /* no other connection has committed */
    other_commits(f);
    write_turn(f);
    assert_int_equal(frames_to_copy(f), 0);
    assert_false(twx_wal_is_held(f->db)); /* only while it was copied */
    assert_true(can_reset(f));
}

/* A turn that fails leaves nothing in the file. */
TEST_OF(a_turn_rolled_back_releases_the_wal, fixture *f) {
    other_commits(f);
    assert_int_equal(twx_turn_begin(f->db), TWX_OK);
    assert_true(twx_wal_is_held(f->db));
    assert_int_equal(twx_turn_end(f->db, TWX_E_DATA, false), TWX_E_DATA);
    assert_false(twx_wal_is_held(f->db));
    assert_true(can_reset(f));
}

TEST_OF(without_a_wal_nothing_is_held, fixture *f) {
    teardown(f);
    make(f, false);
    assert_int_equal(twx_wal_hold(f->db), TWX_OK);
    assert_false(twx_wal_is_held(f->db));
    other_commits(f);
    write_turn(f);
    assert_int_equal(twx_wal_renew(f->db), TWX_OK);
    twx_wal_copy(f->db);
    twx_wal_release(f->db);
    assert_int_equal(test_integer(f->other, "SELECT count(*) FROM twindex_change"), 0);
}
