/* Every second allocation of a run over two stores fails once: the run ends with an error that has
 * a message, or with the flags of a run without faults, which the next run also has. SQLite's own
 * allocations and those of other libraries do not fail; test_alloc_faults does that for one store.
 */
#include "store_maker.h"

#include <unistd.h>

#include "api/api.h"

enum { STORES = 2, DOCUMENTS = 12, NEXT_RUN = 5 };

static char path[STORES][4400];
static struct {
    char *bytes;
    size_t n;
} template[STORES];

/* Each text is in both stores, twice in one of them; some documents of the first run change before
 * the second, so that representatives move from one store to the other. */
static void fill(size_t store) {
    char sql[600];
    snprintf(
        sql, sizeof sql,
        "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, title, content);"
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
        "INSERT INTO pages SELECT i, 'http://%c.example/' || substr('longer', 1, (i + %d) %% 5)"
        "|| i, 'Title ' || i %% 5, 'everybody says ' || char(97 + i %% 6) || 'ooooo' FROM n",
        DOCUMENTS - 1, 'a' + (int)store, 2 * (int)store);
    test_exec_in(path[store], sql);
}

static void change(size_t store) {
    test_exec_in(path[store],
                 store ? "UPDATE pages SET content = 'everybody says ' || char(98 + id % 4) || "
                         "'ooooo' WHERE id < 5; DELETE FROM pages WHERE id = 7"
                       : "UPDATE pages SET content = 'nobody' WHERE id IN (0, 1, 8)");
}

static twindex *open_stores(void) {
    const char *const stores[STORES] = {path[0], path[1]};
    twindex *t = twindex_new();
    assert_non_null(t);
    assert_int_equal(twindex_open_several(t, stores, STORES), TWINDEX_OK);
    test_set(t, "store.accept_mapping", "yes");
    test_set(t, "guard.max_lost", "1");
    test_set(t, "guard.max_hidden", "1");
    test_set(t, "run.jobs", "1");
    return t;
}

static void run(char ret_digest[33]) {
    twindex *t = open_stores();
    test_run(t, NULL, TWINDEX_OK);
    test_digest(t, ret_digest);
    twindex_free(t);
}

static void put_templates(void) {
    for (size_t i = 0; i < STORES; i++) {
        test_remove_leftovers(path[i]);
        test_write_file(path[i], template[i].bytes, template[i].n);
    }
}

TEST(each_allocation_of_a_run_over_two_stores) {
    char old[33], fresh[33], digest[33];
    size_t failures = 0, replaced = 0;
    for (size_t i = 0; i < STORES; i++) {
        snprintf(path[i], sizeof path[i], "%s", test_file(i ? "b.db" : "a.db"));
        unlink(path[i]);
        fill(i);
    }
    run(old);
    for (size_t i = 0; i < STORES; i++) {
        change(i);
        template[i].bytes = test_read_file(path[i], &template[i].n);
    }
    run(fresh);
    assert_string_not_equal(old, fresh);
    bool reached = true;
    const size_t step = TEST_SANITIZED ? 11 : 16 / test_share_of(8, 4);
    for (uint64_t nth = 1; reached; nth += step) {
        twx_faults faults = {.fail_at = nth};
        put_templates();
        twindex *t = open_stores();
        t->cx.faults = &faults;
        const int rc = twindex_run(t, &(twindex_run_options){0},
                                   &(twindex_sink){.write = test_discard});
        t->cx.faults = NULL;
        reached = atomic_load(&faults.count) >= nth;
        failures += rc != TWINDEX_OK;
        replaced += reached && rc == TWINDEX_OK;
        if (rc != TWINDEX_OK && (!reached || !strstr(twindex_message(t), "memory")))
            fail_msg("allocation %" PRIu64 ": %d: %s", nth, rc, twindex_message(t));
        twindex_free(t);
        if (rc != TWINDEX_OK) {
            if (failures % NEXT_RUN) continue;
            run(digest);
        } else {
            t = open_stores();
            test_digest(t, digest);
            twindex_free(t);
        }
        if (strcmp(digest, fresh) != 0)
            fail_msg("allocation %" PRIu64 ": other flags after %d", nth, rc);
    }
    print_message("%zu runs failed, %zu did without what they could not allocate\n", failures,
                  replaced);
    assert_true(failures * step > 500);
    for (size_t i = 0; i < STORES; i++) free(template[i].bytes);
}
