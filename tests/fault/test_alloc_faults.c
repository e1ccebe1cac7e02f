/* wings: import predict lab cluster */
/* Every allocation of every call of the library fails once, and then from one on all of them: the
 * call ends with an error that has a message, or it succeeds; the flags are the old or the new
 * ones; nothing leaks (under asan); and the next run without faults completes. SQLite's own
 * allocations fail the same way. */
#include "fault_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/api.h"
#include "sqlite_faults.h"

enum { PAGES = 14, STRIDE_RUN = 7 /* every so many failures the next run is checked, too */ };

/* ---- scenes ------------------------------------------------------------- */

typedef struct scene {
    test_world *w;
    const char *store, *pins;
    char *template; /* the bytes of the store */
    size_t template_n;
    char old[33], fresh[33]; /* digests; "": no flags yet */
} scene;

static const char *const TAILS[] = {"-wal", "-shm", "-journal"};

/* Whether the store has the bytes of the template: then it has its flags, too. */
static bool is_unchanged(const scene *s) {
    char buffer[1 << 16], name[4400];
    struct stat st;
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", s->store, TAILS[i]);
        if (strcmp(TAILS[i], "-shm") != 0 && stat(name, &st) == 0 && st.st_size > 0) return false;
    }
    const int fd = open(s->store, O_RDONLY | O_CLOEXEC);
    size_t at = 0;
    bool same = fd >= 0;
    for (ssize_t n; same && (n = read(fd, buffer, sizeof buffer)) > 0; at += (size_t)n)
        same = (size_t)n <= s->template_n - at && memcmp(buffer, s->template + at, (size_t)n) == 0;
    if (fd >= 0) close(fd);
    return same && at == s->template_n;
}

static void restore(const scene *s) {
    char name[4400];
    const bool same = is_unchanged(s);
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", s->store, TAILS[i]);
        unlink(name);
    }
    if (same) return;
    const int out = open(s->store, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(out >= 0);
    assert_int_equal(write(out, s->template, s->template_n), s->template_n);
    close(out);
}

static twindex *open_store(const scene *s) {
    twindex *t = test_twindex(s->w, s->store, NULL, false);
    test_set(t, "run.jobs", "1");
    test_set(t, "run.batch_rows", "5");
    if (s->pins) test_set(t, "verdict.pins", s->pins);
    return t;
}

static void read_digest(const scene *s, char ret_digest[33]) {
    twindex *t = open_store(s);
    test_digest(t, ret_digest);
    twindex_free(t);
}

static void run_plainly(const scene *s) {
    twindex *t = open_store(s);
    test_run(t, NULL, TWINDEX_OK);
    twindex_free(t);
}

static void make_text_index(const scene *s) {
    const twindex_sink sink = {.write = test_discard};
    twindex *t = open_store(s);
    if (twindex_index(t, false, &sink) != TWINDEX_OK) fail_msg("%s", twindex_message(t));
    twindex_free(t);
}

static void learn_urls(const scene *s) {
    const twindex_sink sink = {.write = test_discard};
    twindex *t = open_store(s);
    if (twindex_learn(t, &sink) != TWINDEX_OK) fail_msg("%s", twindex_message(t));
    twindex_free(t);
}

static void choose_explained(const scene *s, sqlite3 *db, test_shape shape) {
    const test_page *const *pages = NULL;
    const size_t n = test_world_pages(s->w, &pages);
    for (size_t i = 0; i < n; i++) {
        char sql[128], id[TEST_ID_BYTES];
        test_page_id(shape, pages[i]->key, id);
        snprintf(sql, sizeof sql, "SELECT count(*) FROM document_flags WHERE id = '%s'", id);
        const test_cell *url = &pages[i]->cell[TEST_URL];
        if (test_integer(db, sql) == 0 || !pages[i]->means.usable || strpbrk(url->bytes, " \t\r\n"))
            continue;
        fault_calls_prepare(s->store, id, url->bytes);
        return;
    }
    fail_msg("no page has flags");
}

/* A pin of each kind, and one that concerns no document. */
static void pin_some(scene *s) {
    const test_page *const *pages = NULL;
    const char *urls[4] = {NULL};
    const size_t n = test_world_pages(s->w, &pages);
    size_t k = 0;
    for (size_t i = 0; i < n && k < 4; i++)
        if (pages[i]->means.usable && pages[i]->means.web &&
            (k == 0 || strcmp(urls[k - 1], pages[i]->means.url) != 0))
            urls[k++] = pages[i]->means.url;
    assert_int_equal(k, 4);
    s->pins = test_file("pins.txt");
    FILE *f = fopen(s->pins, "w");
    assert_non_null(f);
    fprintf(f, "keep %s\nseparate %s %s\nprefer %s\nkeep https://nowhere.example/\n", urls[0],
            urls[1], urls[2], urls[3]);
    assert_int_equal(fclose(f), 0);
}

/* A store with two generations of flags and changes that wait for the next run. */
static void set_scene(scene *s, test_shape shape) {
    *s = (scene){.w = test_world_new(2 * shape + 5, shape), .store = test_file("faults.db")};
    test_world_grow(s->w, PAGES);
    test_store_make(s->w, s->store);
    pin_some(s);
    for (int i = 0; i < 2; i++) {
        test_store_sync(s->w, s->store);
        run_plainly(s);
        test_world_change(s->w, 12);
    }
    make_text_index(s);
    learn_urls(s);
    test_store_sync(s->w, s->store);
    sqlite3 *db = test_open(s->store);
    test_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    choose_explained(s, db, shape);
    assert_true(test_integer(db, "SELECT count(*) FROM duplicate_groups WHERE detector = 'near'") >
                0);
    sqlite3_close(db);
    s->template = test_read_file(s->store, &s->template_n);
    read_digest(s, s->old);
    run_plainly(s);
    read_digest(s, s->fresh);
    assert_string_not_equal(s->old, s->fresh);
}

/* ---- failing ------------------------------------------------------------ */

typedef struct trial {
    const scene *s;
    const fault_call *call;
    bool in_sqlite, forever;
} trial;

/* Whether `remove` has taken everything of Twindex out. */
static bool is_removed(const trial *f) {
    if (!(f->call->changes & FAULT_REMOVED)) return false;
    const bool removed = test_integer_in(f->s->store,
                                         "SELECT count(*) FROM sqlite_schema WHERE sql LIKE "
                                         "'%twindex%' OR name LIKE 'twindex%'") == 0;
    return removed;
}

static void check_state(const trial *f, uint64_t nth) {
    char digest[33] = "";
    if (f->call->changes & FAULT_MADE) return; /* no flags yet */
    if (is_unchanged(f->s)) return;            /* what comes next is known, too */
    const bool removed = is_removed(f);
    if (!removed) read_digest(f->s, digest);
    const bool writes = f->call->changes & FAULT_FLAGS;
    if (!f->call->toggles && !removed && strcmp(digest, f->s->old) != 0 &&
        (!writes || strcmp(digest, f->s->fresh) != 0))
        fail_msg("%s, allocation %" PRIu64 ": neither the old nor the new flags", f->call->name,
                 nth);
    if (nth % STRIDE_RUN) return;
    run_plainly(f->s);
    read_digest(f->s, digest);
    if (!(f->call->changes & FAULT_DOCUMENTS) && strcmp(digest, f->s->fresh) != 0)
        fail_msg("%s, allocation %" PRIu64 ": the next run does not end as it should",
                 f->call->name, nth);
}

/* true: the allocation was reached */
static bool fail_nth(const trial *f, uint64_t nth) {
    const twindex_sink sink = {.write = test_discard,
                               .format = nth % 2 ? TWINDEX_JSON : TWINDEX_TEXT};
    twx_faults ours = {.fail_at = f->in_sqlite ? 0 : nth, .forever = f->forever};
    restore(f->s);
    twindex *t = open_store(f->s);
    if (f->call->changes & FAULT_MADE) unlink(f->s->store);
    t->cx.faults = &ours;
    if (f->in_sqlite) sqlite_faults.forever = f->forever;
    if (f->in_sqlite) atomic_store(&sqlite_faults.count, 0);
    if (f->in_sqlite) sqlite_faults.fail_at = nth;
    int result = f->call->call(t, &sink);
    sqlite_faults.fail_at = 0;
    const uint64_t seen = f->in_sqlite ? atomic_load(&sqlite_faults.count)
                                       : atomic_load(&ours.count);
    if (result != TWINDEX_OK && result != TWINDEX_DOUBT && !twindex_message(t)[0])
        fail_msg("%s, allocation %" PRIu64 ": exit code %d without a message", f->call->name, nth,
                 result);
    if (seen < nth && result != TWINDEX_OK && result != TWINDEX_DOUBT)
        fail_msg("%s without a failure ends with %d: %s", f->call->name, result,
                 twindex_message(t));
    twindex_free(t);
    check_state(f, nth);
    return seen >= nth;
}

/* The allocation that fails is chosen more and more rarely, of SQLite's, which are many and which
 * SQLite's own tests cover, sooner than of ours, and soonest under a sanitizer; test_io_faults has
 * one from each place in the code. TWINDEX_TEST_ALLOCATIONS is how many are chosen before that
 * (scripts/prove). */
static uint64_t fail_all(const trial *f) {
    const char *many = getenv("TWINDEX_TEST_ALLOCATIONS");
    const uint64_t plain = f->in_sqlite ? 8 : f->forever ? 16 : 25;
    const uint64_t sampled = TEST_SANITIZED ? (f->in_sqlite ? 3 : 8) : plain;
    const uint64_t thin = many ? strtoull(many, NULL, 10) + 1 : test_share_of(sampled, 2);
    uint64_t trials = 0;
    for (uint64_t nth = 1; fail_nth(f, nth); nth += 1 + nth / thin) trials++;
    return trials;
}

static void fail_calls(bool in_sqlite) {
    static const test_shape SHAPES[] = {TEST_OWN, TEST_TEXT_KEYS};
    const size_t shapes = getenv("TWINDEX_TEST_ALLOCATIONS") ? 2 : 1;
    uint64_t all = 0;
    for (size_t shape = 0; shape < shapes; shape++) {
        scene s;
        set_scene(&s, SHAPES[shape]);
        for (size_t i = 0; i < 2 * FAULT_CALLS; i++) {
            const fault_call *call = &FAULT_CALL[i / 2];
            const trial f = {.s = &s, .call = call, .in_sqlite = in_sqlite, .forever = i % 2};
            /* only into a table of ours */
            if ((call->changes & FAULT_DOCUMENTS) && SHAPES[shape] != TEST_OWN) continue;
            const uint64_t trials = fail_all(&f);
            all += trials;
            print_message("%s: %" PRIu64 " allocations failed%s\n", call->name, trials,
                          f.forever ? " for good" : "");
            /* without a store SQLite allocates nothing, and the list of detectors is constant */
            assert_true(trials > 3 ||
                        (call->alone && (in_sqlite || call->call == twindex_detectors)));
        }
        test_world_free(s.w);
        free(s.template);
    }
    print_message("%s: %" PRIu64 " allocations failed in all calls\n",
                  in_sqlite ? "SQLite's" : "Twindex's", all);
}

TEST(allocations_of_twindex_fail_one_after_the_other) {
    fail_calls(false);
}

TEST(allocations_of_sqlite_fail_one_after_the_other) {
    fail_calls(true);
}

TESTS_IN(install_memory, TEST_NOTHING);
