/* Another program deletes rows of twindex_signature while a run signs: that run, or the next one,
 * makes them again, and the flags are those of a store in which nothing was deleted. */
#include "store_maker.h"

#include <string.h>
#include <unistd.h>

enum { DOCUMENTS = 2000 };

static const char *store;
static bool deletes;
static size_t times;

/* In each pass over the documents, also in those that look for changes before publishing. */
static void delete_rows(void *arg, const twindex_progress *progress) {
    (void)arg;
    if (!deletes || strcmp(progress->stage, "read and sign") != 0 || progress->done < DOCUMENTS / 2)
        return;
    test_exec_in(store, "DELETE FROM twindex_signature WHERE doc % 3 = 0");
    times++;
}

static void fill(void) {
    sqlite3 *db = test_open(store);
    test_exec(db, "PRAGMA journal_mode = WAL");
    test_exec(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
                  "INSERT INTO documents(id, url, text) SELECT i, 'http://a.example/' || i, "
                  "'the text of page ' || i / 2 FROM n");
    sqlite3_close(db);
}

/* The digest of the flags after a second run; in the first one rows are deleted, or not. */
static void run_twice(const char *length, bool disturbed, char ret_digest[33]) {
    const twindex_run_options full = {.full = true};
    store = test_file("store.db");
    unlink(store);
    twindex *t = twindex_new();
    assert_int_equal(twindex_init(t, store), TWINDEX_OK);
    assert_int_equal(twindex_open(t, store), TWINDEX_OK);
    fill();
    test_set(t, "guard.max_hidden", "1");
    test_set(t, "run.batch_rows", "100"); /* rows are compared with the stored ones early */
    test_set(t, "store.where", "id > 0"); /* the next run does not compare numbers of rows */
    test_run(t, NULL, TWINDEX_OK);
    test_set(t, "fuzzy.min_token_len", length);
    twindex_on_progress(t, delete_rows, NULL);
    deletes = disturbed;
    times = 0;
    test_run(t, &full, TWINDEX_OK);
    deletes = false;
    assert_true((times > 0) == disturbed);
    test_run(t, NULL, TWINDEX_OK);
    assert_int_equal(test_integer_in(store, "SELECT count(*) FROM document_flags"), DOCUMENTS);
    test_digest(t, ret_digest);
    twindex_free(t);
}

static void deleted_rows_are_made_again(const char *length) {
    char undisturbed[33], digest[33];
    run_twice(length, false, undisturbed);
    run_twice(length, true, digest);
    assert_string_equal(digest, undisturbed);
}

TEST(a_run_with_the_settings_of_before) {
    deleted_rows_are_made_again("2");
}

TEST(a_run_with_new_settings) {
    deleted_rows_are_made_again("3");
}
