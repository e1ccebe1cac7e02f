#include "store_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES                                                                                    \
    "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, content); INSERT INTO pages(url, content) " \
    "VALUES ('u', 't');"                                                                         \
    "CREATE VIEW mine AS SELECT * FROM pages; CREATE TABLE audit(what UNIQUE);"

/* ---- what a connection may do ------------------------------------------- */

/* What only the owner of the store may do. */
static const char *const FORBIDDEN[] = {
    "INSERT INTO pages(url) VALUES ('x')",
    "UPDATE pages SET url = 'x'",
    "DELETE FROM pages",
    "DROP TABLE pages",
    "ALTER TABLE pages RENAME TO stolen",
    "ALTER TABLE pages ADD COLUMN x",
    "CREATE TABLE other(x)",
    "CREATE INDEX pages_url ON pages(url)",
    "REINDEX audit",
    "CREATE TEMP TABLE other(x)",
    "CREATE TRIGGER twindex_t AFTER INSERT ON pages BEGIN DELETE FROM pages; END",
    "CREATE TEMP TRIGGER t AFTER UPDATE ON twindex_state BEGIN DELETE FROM pages; END",
    "CREATE VIEW other AS SELECT 1",
    "DROP VIEW mine",
    "CREATE VIRTUAL TABLE twindex_v USING fts5(x)",
    "ATTACH DATABASE ':memory:' AS other",
    "ATTACH DATABASE '/etc/passwd' AS other",
    "VACUUM INTO '/tmp/copy'",
    "SELECT load_extension('x')",
    "DELETE FROM sqlite_schema",
    "DROP TABLE twindex_flag",
};

static void refuse_all(twx_ctx *cx, twx_db *db) {
    for (size_t i = 0; i < TWX_COUNTOF(FORBIDDEN); i++) {
        if (twx_db_script(db, FORBIDDEN[i]) == TWX_OK) fail_msg("allowed: %s", FORBIDDEN[i]);
        twx_ctx_clear(cx);
        twx_db_rollback(db);
    }
}

/* R1 */
TEST(r1_a_reader_cannot_write) {
    twx_ctx cx;
    const char *path = store_of("db.db", PAGES);
    twx_db_close(open_migrated(&cx, path));
    const uint64_t content = test_store_content(path);
    twx_db *db = open_as(&cx, path, TWX_DB_READER);
    refuse_all(&cx, db);
    assert_int_not_equal(twx_db_script(db, "UPDATE twindex_state SET token = 1"), TWX_OK);
    assert_int_not_equal(twx_db_script(db, "CREATE VIEW document_flags AS SELECT 1"), TWX_OK);
    assert_int_not_equal(twx_db_script(db, "PRAGMA query_only=OFF; UPDATE pages SET url = 1"),
                         TWX_OK);
    twx_db_close(db);
    assert_int_equal(test_store_content(path), content);
}

/* R2 */
TEST(r2_a_writer_writes_what_is_ours_and_nothing_else) {
    twx_ctx cx;
    const char *path = store_of("db.db", PAGES);
    twx_db *db = open_migrated(&cx, path);
    const uint64_t content = test_store_content(path);
    refuse_all(&cx, db);
    assert_int_equal(test_store_content(path), content);
    expect_ok(&cx, twx_db_script(db, "UPDATE twindex_state SET token = 1"));
    expect_ok(
        &cx,
        twx_db_script(
            db, "CREATE VIEW document_flags AS SELECT * FROM pages; DROP VIEW document_flags"));
    assert_int_not_equal(twx_db_script(db, "INSERT INTO documents(url) VALUES ('x')"), TWX_OK);
    twx_db_close(db);
}

TEST(r2_an_owner_writes_documents_as_well) {
    twx_ctx cx;
    const char *path = store_of("db.db", "PRAGMA user_version = 1");
    twx_db *db = open_as(&cx, path, TWX_DB_OWNER);
    expect_ok(&cx, twx_make_documents(db));
    test_exec_in(path, PAGES);
    expect_ok(&cx,
              twx_db_script(
                  db, "INSERT INTO documents(url) VALUES ('x'); UPDATE documents SET text = 'y'"));
    expect_ok(&cx, twx_db_script(db, "ALTER TABLE documents ADD COLUMN size"));
    assert_int_not_equal(twx_db_script(db, "ALTER TABLE pages ADD COLUMN size"), TWX_OK);
    assert_int_not_equal(twx_db_script(db, "DELETE FROM pages"), TWX_OK);
    twx_ctx_clear(&cx);
    expect_fail(&cx, twx_make_documents(db), TWX_E_DATA, "has a table `documents` already");
    twx_db_close(db);
    db = open_as(&cx, store_of("foreign.db", PAGES), TWX_DB_OWNER);
    expect_fail(&cx, twx_make_documents(db), TWX_E_DATA, "has tables of its own ('audit')");
    twx_db_close(db);
}

TEST(one_that_removes_drops_what_is_ours_and_nothing_else) {
    static const char *const KEPT[] = {"DROP TABLE pages", "DROP VIEW mine", "DROP TRIGGER theirs"};
    twx_ctx cx;
    const char *path = store_of("db.db", PAGES "CREATE TRIGGER theirs AFTER INSERT ON audit BEGIN "
                                               "DELETE FROM audit; END");
    twx_db_close(open_migrated(&cx, path));
    twx_db *db = open_as(&cx, path, TWX_DB_REMOVER);
    for (size_t i = 0; i < TWX_COUNTOF(KEPT); i++) {
        expect_fail(&cx, twx_db_script(db, KEPT[i]), TWX_E_CONFIG, "not authorized");
        twx_db_rollback(db);
    }
    expect_ok(&cx, twx_db_script(db, "DROP TABLE twindex_flag"));
    twx_db_close(db);
}

/* R3: one on our table once emptied the documents (RELIABILITY: defensive mode and trusted_schema
 * do not stop it). */
TEST(r3_triggers_of_the_user_do_not_fire) {
    twx_ctx cx;
    const char *path = store_of("db.db", PAGES);
    twx_db_close(open_migrated(&cx, path));
    test_exec_in(path, "CREATE TRIGGER trap AFTER UPDATE ON twindex_state BEGIN DELETE FROM "
                       "pages;INSERT INTO audit VALUES ('fired'); END");
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_ok(&cx, twx_db_script(db, "UPDATE twindex_state SET token = 7"));
    twx_db_close(db);
    assert_int_equal(test_integer_in(path, "SELECT count(*) FROM pages"), 1);
    assert_int_equal(test_integer_in(path, "SELECT count(*) FROM audit"), 0);
    assert_int_equal(test_integer_in(path, "SELECT token FROM twindex_state"), 7);
}

/* ---- which files are opened --------------------------------------------- */

static twx_rc try_open(twx_ctx *cx, const char *path) {
    twx_db *db = NULL;
    const twx_db_options options = {.mode = TWX_DB_READER};
    twx_ctx_init(cx);
    twx_rc rc = twx_db_open(cx, path, &options, &db);
    twx_db_close(db);
    return rc;
}

static void write_file(const char *path, const char *bytes, size_t n) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
}

TEST(files_that_are_no_store_are_named) {
    static char garbage[8192];
    twx_ctx cx;
    const char *path = test_file("none.db");
    expect_fail(&cx, try_open(&cx, path), TWX_E_NOSTORE, "none.db");
    expect_fail(&cx, try_open(&cx, "/nowhere/at/all/x.db"), TWX_E_NOSTORE, "/nowhere/at/all");
    expect_fail(&cx, try_open(&cx, test_folder()), TWX_E_NOSTORE, "is not a file");
    write_file(path, "", 0);
    expect_fail(&cx, try_open(&cx, path), TWX_E_NOSTORE, "is empty");
    memset(garbage, 'x', sizeof garbage);
    write_file(path, garbage, sizeof garbage);
    expect_fail(&cx, try_open(&cx, path), TWX_E_CORRUPT, "not an SQLite database");
}

TEST(a_symbolic_link_is_opened_at_its_target) {
    char link[4400], folder[4400], inside[4500];
    twx_ctx cx;
    const char *path = store_of("real.db", PAGES);
    snprintf(link, sizeof link, "%s/link.db", test_folder());
    snprintf(folder, sizeof folder, "%s/folder", test_folder());
    snprintf(inside, sizeof inside, "%s/real.db", folder);
    assert_int_equal(symlink(path, link), 0);
    expect_ok(&cx, try_open(&cx, link));
    char *resolved = twx_db_resolve(&cx, link), *direct = twx_db_resolve(&cx, path);
    assert_string_equal(resolved, direct);
    twx_free(resolved);
    twx_free(direct);
    unlink(link);
    assert_int_equal(symlink("nowhere.db", link), 0);
    expect_fail(&cx, try_open(&cx, link), TWX_E_NOSTORE, "symbolic link");
    assert_int_equal(symlink(test_folder(), folder), 0);
    expect_ok(&cx, try_open(&cx, inside));
    unlink(link);
    unlink(folder);
}

TEST(a_name_in_the_working_folder_needs_no_slash) {
    char before[4096];
    twx_ctx cx;
    (void)store_of("plain.db", PAGES);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(test_folder()), 0);
    expect_ok(&cx, try_open(&cx, "plain.db"));
    assert_int_equal(chdir(before), 0);
}

TEST(a_file_of_ours_is_made_in_wal_mode_and_others_keep_theirs) {
    twx_ctx cx = {0};
    bool wal = false;
    twx_db *db = NULL;
    const twx_db_options make = {.mode = TWX_DB_WRITER, .create = true};
    expect_ok(&cx, twx_db_open(&cx, test_file("made.db"), &make, &db));
    expect_ok(&cx, twx_db_is_wal(db, &wal));
    assert_true(wal);
    twx_db_close(db);
    db = open_as(&cx, store_of("rollback.db", PAGES), TWX_DB_WRITER);
    expect_ok(&cx, twx_db_is_wal(db, &wal));
    assert_false(wal);
    twx_db_close(db);
}

/* A writer of somebody's is killed in the middle of a transaction: its journal is played back by
 * whoever comes next. */
TEST(a_hot_journal_is_rolled_back) {
    twx_ctx cx;
    int status = 0;
    const char *path = store_of("hot.db", PAGES);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        sqlite3 *db = test_open(path);
        test_exec(db, "PRAGMA cache_size=1; BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                      "SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO pages(url, content) SELECT "
                      "i, hex(zeroblob(200)) FROM n;UPDATE pages SET content = 'half'");
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    char journal[4400];
    snprintf(journal, sizeof journal, "%s-journal", path);
    assert_int_equal(access(journal, F_OK), 0);
    twx_db *db = open_as(&cx, path, TWX_DB_READER);
    twx_db_close(db);
    assert_int_equal(test_integer_in(path, "SELECT count(*) FROM pages WHERE content = 't'"), 1);
}

/* ---- what a connection sees --------------------------------------------- */

TEST(commits_of_others_are_noticed) {
    twx_ctx cx;
    int64_t one = 0, two = 0, three = 0;
    const char *path = store_of("db.db", PAGES);
    twx_db *db = open_as(&cx, path, TWX_DB_READER);
    expect_ok(&cx, twx_db_data_version(db, &one));
    expect_ok(&cx, twx_db_data_version(db, &two));
    assert_int_equal(one, two);
    test_exec_in(path, "UPDATE pages SET url = 'new'");
    expect_ok(&cx, twx_db_data_version(db, &three));
    assert_int_not_equal(two, three);
    twx_db_close(db);
}

TEST(somebody_elses_lock_is_waited_for_and_then_reported) {
    twx_ctx cx;
    const char *path = store_of("db.db", PAGES);
    twx_db *db = open_migrated(&cx, path);
    sqlite3 *user = test_open(path);
    test_exec(user, "BEGIN IMMEDIATE");
    expect_fail(&cx, twx_db_begin(db), TWX_E_BUSY,
                "database is locked: another program is using it; try again later");
    test_exec(user, "COMMIT");
    expect_ok(&cx, twx_db_begin(db));
    expect_ok(&cx, twx_db_commit(db));
    sqlite3_close(user);
    twx_db_close(db);
}

TEST(nobody_resets_the_wal_while_we_pin_it) {
    twx_ctx cx;
    const char *path = store_of("wal.db", "PRAGMA journal_mode=WAL;" PAGES);
    twx_db *db = open_as(&cx, path, TWX_DB_READER);
    sqlite3 *user = test_open(path);
    sqlite3_busy_timeout(user, 10);
    test_exec(user, "UPDATE pages SET url = 'a'");
    expect_ok(&cx, twx_db_pin(db));
    test_exec(user, "UPDATE pages SET url = 'b'");
    assert_int_equal(test_integer(user, "PRAGMA wal_checkpoint(TRUNCATE)"), 1); /* busy */
    twx_db_unpin(db);
    assert_int_equal(test_integer(user, "PRAGMA wal_checkpoint(TRUNCATE)"), 0);
    sqlite3_close(user);
    twx_db_close(db);
}

TEST(damage_is_found) {
    twx_ctx cx;
    twx_buf faults = {.max = 1 << 16}, skipped;
    char page[100];
    const char *path = store_of(
        "bad.db", PAGES "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                        "2000) INSERT INTO pages(url, content) SELECT i, i FROM n");
    twx_buf_init(&skipped, 1 << 16);
    twx_db *db = open_as(&cx, path, TWX_DB_READER);
    expect_ok(&cx, twx_db_quick_check(db, &faults, &skipped));
    assert_int_equal(faults.n, 0);
    twx_db_close(db);
    memset(page, 0xEE, sizeof page);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, page, sizeof page, 4096 * 6), sizeof page);
    close(fd);
    db = open_as(&cx, path, TWX_DB_READER);
    twx_rc rc = twx_db_quick_check(db, &faults, &skipped);
    assert_true(rc == TWX_E_CORRUPT || (rc == TWX_OK && faults.n > 0));
    twx_db_close(db);
    twx_buf_done(&faults);
}

TEST(objects_are_found_by_name) {
    twx_ctx cx;
    bool has = false;
    twx_db *db = open_as(&cx, store_of("db.db", PAGES), TWX_DB_READER);
    expect_ok(&cx, twx_db_has(db, "mine", &has));
    assert_true(has);
    expect_ok(&cx, twx_db_has(db, "yours", &has));
    assert_false(has);
    twx_db_close(db);
}

TEST(a_long_statement_hears_a_request_to_stop) {
    twx_ctx cx;
    atomic_int cancel = 15;
    twx_db *db = open_as(&cx, store_of("db.db", PAGES), TWX_DB_READER);
    cx.cancel = &cancel;
    assert_int_equal(twx_db_script(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                                       "FROM n) SELECT count(*) FROM n"),
                     TWX_E_TERMINATED);
    twx_db_close(db);
}

/* A table of ours that vanishes between two steps is no damage: 'twindex remove' was faster. */
TEST(tables_that_were_removed_meanwhile_are_a_reason_to_try_again) {
    twx_ctx cx;
    sqlite3_stmt *stmt = NULL, *theirs = NULL;
    const char *path = store_of("removed.db", PAGES);
    twx_db_close(open_migrated(&cx, path));
    twx_db *db = open_as(&cx, path, TWX_DB_READER);
    assert_int_equal(twx_stmt_prepare(db, "SELECT generation FROM twindex_state", &stmt), TWX_OK);
    assert_int_equal(twx_stmt_prepare(db, "SELECT url FROM pages", &theirs), TWX_OK);
    test_exec_in(path, "DROP VIEW mine; DROP TABLE pages; DROP TABLE twindex_state");
    expect_fail(&cx, twx_stmt_step(db, stmt), TWX_E_BUSY, "removed.db: 'twindex remove'");
    expect_fail(&cx, twx_stmt_step(db, theirs), TWX_E_DATA, "no such table: pages");
    sqlite3_finalize(stmt);
    sqlite3_finalize(theirs);
    twx_db_close(db);
}
