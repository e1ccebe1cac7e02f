/* What 'twindex follow' does when a crawler locks the store at the wrong moment. The rest is in
 * tests/cli/test_follow.sh. */
#include "store_maker.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct scene {
    twindex *t;
    sqlite3 *crawler;
    unsigned runs, told;
} scene;

static void hear(void *arg, twindex_level level, const char *text) {
    scene *s = arg;
    s->told += level == TWINDEX_NOTE && strstr(text, "locked.db") && strstr(text, "tried again");
}

static void *unlock_later(void *crawler) {
    usleep(400000);
    test_exec(crawler, "COMMIT");
    return NULL;
}

/* After the first run, and before the follower looks at the store again, the crawler locks it for
 * longer than is waited. */
static int run_and_lock(void *arg) {
    scene *s = arg;
    pthread_t other;
    test_run(s->t, NULL, TWINDEX_OK);
    if (s->runs++) {
        twindex_stop(s->t, SIGTERM);
        return TWINDEX_OK;
    }
    test_exec(s->crawler, "BEGIN EXCLUSIVE; UPDATE documents SET http_status = 404 WHERE id = 1");
    assert_int_equal(pthread_create(&other, NULL, unlock_later, s->crawler), 0);
    assert_int_equal(pthread_detach(other), 0);
    return TWINDEX_OK;
}

TEST(a_store_locked_after_a_run_is_waited_for) {
    const char *path = test_file("locked.db");
    test_world *w = test_world_new(7, TEST_OWN);
    test_store_make(w, path);
    scene s = {.t = test_twindex(w, path, NULL, false), .crawler = test_open(path)};
    test_exec(s.crawler, "PRAGMA journal_mode = DELETE; INSERT INTO documents(id, url, text) VALUES"
                         "(1, 'http://a.example/', 'one'), (2, 'http://b.example/', 'two')");
    test_set(s.t, "run.busy_ms", "50");
    test_set(s.t, "follow.every", "0");
    twindex_on_message(s.t, hear, &s);
    assert_int_equal(twindex_follow(s.t, run_and_lock, &s), TWINDEX_OK);
    assert_int_equal(s.runs, 2);
    assert_int_equal(s.told, 1);
    assert_int_equal(test_integer(s.crawler, "SELECT sum(indexable_b) FROM document_flags"), 1);
    assert_int_equal(sqlite3_close(s.crawler), SQLITE_OK);
    twindex_free(s.t);
    test_world_free(w);
}
