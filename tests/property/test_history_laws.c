/* Laws of runs over the life of a store: the flags depend on its state only, not on its history.
 *   A second run writes no row, and judging all documents would change nothing. A run after
 *   inserts, updates and deletes ends with the digest of --full and of a store that holds the same
 *   rows from the beginning. Threads, batches, memory and the order of rows do not matter. A dry
 *   run writes nothing; undo restores the previous flags; the tables of the store's owner never
 *   change. All of it also with near-duplicates, by detectors that use the text and by those that
 *   use the whole collection. */
#include "store_maker.h"

#include "sign/sign.h"

enum {
    HISTORIES = TEST_RACES_ONLY  ? 8 /* each of NEAR */
                : TEST_SANITIZED ? 50
                                 : 300,
    STEPS = TEST_RACES_ONLY ? 2 : 4,
    MANY = TEST_RACES_ONLY ? 12000 : 40000 /* a batch for each thread in any case */
};

/* The ways to detect changes, with the kinds of keys. */
static const struct {
    test_shape shape;
    const char *feed;
    bool changed;                             /* store.changed is mapped */
    bool separate;                            /* --flags FILE */
} WAYS[] = {{TEST_OWN, "auto", false, false}, /* trigger */
            {TEST_OWN, "scan", false, false},
            {TEST_OWN, "auto", false, true},
            {TEST_PAGES, "auto", false, false}, /* scan */
            {TEST_PAGES, "auto", true, false},  /* column */
            {TEST_OWN, "trigger", false, false},
            {TEST_PAGES, "column", true, true},
            {TEST_NARROW, "auto", false, false},
            {TEST_TEXT_KEYS, "scan", false, false},
            {TEST_TEXT_KEYS, "column", true, false},
            {TEST_OWN, "auto", false, false},
            {TEST_TEXT_KEYS, "column", true, true},
            {TEST_WITHOUT_ROWID, "scan", false, false},
            {TEST_WITHOUT_ROWID, "column", true, false},
            {TEST_WITHOUT_ROWID, "scan", false, true},
            {TEST_JSON, "scan", false, false},
            {TEST_JSON, "column", true, false}};

/* The ways to find near-duplicates; imatch and minhash use the whole collection. */
static const struct {
    const char *detector, *join, *scope, *candidates, *min_words;
} NEAR[] = {{"alignment", "representative", "store", "64", "20"},
            {"imatch", "representative", "store", "64", "5"},
            {"alignment", "link", "domain", "2", "5"},
            {"minhash", "link", "store", "64", "20"},
            {"alignment", "representative", "host", "1", "20"},
            {"none", "representative", "store", "64", "20"},
            {"tf", "representative", "store", "64", "5"},
            {"simhash", "link", "store", "3", "5"}};
/* Content areas, settings of hosts, and both. */
static const struct {
    const char *text, *hosts;
} AREAS[] = {
    {"all", ""},
    {"main", ""},
    {"all", ".com near.text=main verdict.order=fetched_at | example.com alignment.threshold=0.9"},
    {"main", "example.org near.text=all alignment.threshold=0.7 verdict.order=url_length,score"}};
enum { AREA_WAYS = sizeof AREAS / sizeof *AREAS };
enum { NEAR_WAYS = sizeof NEAR / sizeof *NEAR };

typedef struct history {
    uint64_t seed;
    size_t way;
    test_rng rng;
    test_world *w;
    const char *store, *flags; /* flags NULL: in the store */
    twindex *t;
    sqlite3 *watcher;   /* sees every commit to the file with the flags */
    char digest[2][33]; /* of the published result, of the previous one */
    bool undoable;
    const char *min_token_len; /* a setting that makes all signatures stale */
    size_t near;               /* into NEAR */
    size_t area;               /* into AREAS */
} history;

static bool chance(history *h, size_t share) {
    return test_rng_below(&h->rng, 100) < share;
}

static const char *own_path(const history *h) {
    return h->flags ? h->flags : h->store;
}

#define HISTORY_FAIL(h, what) fail_msg("seed %" PRIu64 ", way %zu: %s", (h)->seed, (h)->way, (what))

/* Threads and batches are drawn again before each run. */
static void draw_speed(history *h, twindex *t) {
    static const char *const JOBS[] = {"1", "2", "4"}, *const BATCH[] = {"1", "3", "17", "10000"};
    test_set(t, "run.jobs", JOBS[test_rng_below(&h->rng, 3)]);
    test_set(t, "run.batch_rows", BATCH[test_rng_below(&h->rng, 4)]);
    test_set(t, "run.memory", chance(h, 50) ? "16M" : "1G");
    test_set(t, "guard.max_lost", "1"); /* histories empty stores */
}

static void run(history *h, const twindex_run_options *options) {
    const uint64_t before = test_store_source(h->w, h->store);
    draw_speed(h, h->t);
    test_run(h->t, options, TWINDEX_OK);
    if (test_store_source(h->w, h->store) != before)
        HISTORY_FAIL(h, "a run has changed a table of the owner");
}

/* A run that must not write: no row differs, and nothing was committed. */
static void run_in_vain(history *h, const twindex_run_options *options, const char *what) {
    const uint64_t content = test_store_content(own_path(h));
    const int64_t commits = test_integer(h->watcher, "PRAGMA data_version");
    run(h, options);
    if (test_store_content(own_path(h)) != content) HISTORY_FAIL(h, what);
    if (test_integer(h->watcher, "PRAGMA data_version") != commits) HISTORY_FAIL(h, what);
}

/* A run that signs nothing judges nothing; this one does, and fails if the result is another. */
static const twindex_run_options VERIFY = {.verify = true};

static void dry_run(history *h) {
    const twindex_run_options dry = {.dry_run = true};
    const uint64_t store = test_store_content(h->store),
                   flags = h->flags ? test_store_content(h->flags) : 0;
    run(h, &dry);
    if (test_store_content(h->store) != store ||
        (h->flags && test_store_content(h->flags) != flags))
        HISTORY_FAIL(h, "a dry run has written");
}

static void undo_and_redo(history *h) {
    const twindex_sink sink = {.write = test_discard};
    char digest[33];
    if (!h->undoable || !chance(h, 30)) return;
    if (twindex_undo(h->t, &sink) != TWINDEX_OK) HISTORY_FAIL(h, twindex_message(h->t));
    test_digest(h->t, digest);
    if (strcmp(digest, h->digest[1]) != 0) HISTORY_FAIL(h, "undo does not give the flags before");
    if (chance(h, 50)) { /* the next run publishes new ones from here */
        memcpy(h->digest[1], h->digest[0], sizeof digest);
        memcpy(h->digest[0], digest, sizeof digest);
        return;
    }
    run(h, NULL);
    test_digest(h->t, digest);
    if (strcmp(digest, h->digest[0]) != 0) HISTORY_FAIL(h, "a run after undo does not go forward");
}

/* The signatures are a cache: any row may be deleted. */
static void drop_signatures(history *h) {
    char sql[128];
    if (!chance(h, 15)) return;
    snprintf(sql, sizeof sql, "DELETE FROM twindex_signature WHERE doc %% 3 = %d",
             (int)test_rng_below(&h->rng, 3));
    test_exec_in(own_path(h), sql);
}

/* The settings that the flags depend on; threads and batches do not count. */
static void apply_settings(const history *h, twindex *t) {
    test_set(t, "fuzzy.min_token_len", h->min_token_len);
    const char *detector = NEAR[h->near].detector;
    const bool has_detector = strcmp(detector, "none") == 0 || twx_detector_find(detector) != NULL;
    test_set(t, "near.detector", has_detector ? detector : "alignment"); /* without wings */
    test_set(t, "near.join", NEAR[h->near].join);
    test_set(t, "near.scope", NEAR[h->near].scope);
    test_set(t, "near.candidates", NEAR[h->near].candidates);
    test_set(t, "near.min_words", NEAR[h->near].min_words);
    if (WAYS[h->way].shape == TEST_OWN) test_set(t, "store.main", "substr(text, 1, 150)");
    test_set(t, "near.text", AREAS[h->area].text);
    test_set(t, "hosts", AREAS[h->area].hosts);
}

static void change_settings(history *h) {
    static const char *const LENGTHS[] = {"1", "2", "4"};
    if (chance(h, 15)) h->min_token_len = LENGTHS[test_rng_below(&h->rng, 3)];
    if (chance(h, 10)) h->near = test_rng_below(&h->rng, NEAR_WAYS);
    if (chance(h, 20)) h->area = test_rng_below(&h->rng, AREA_WAYS);
    apply_settings(h, h->t);
}

static void step(history *h, size_t changes) {
    char digest[33];
    test_world_change(h->w, changes);
    test_store_sync(h->w, h->store);
    drop_signatures(h);
    change_settings(h);
    if (chance(h, 15)) dry_run(h);
    run(h, NULL);
    test_digest(h->t, digest);
    h->undoable = strcmp(digest, h->digest[0]) != 0;
    if (h->undoable) {
        memcpy(h->digest[1], h->digest[0], sizeof digest);
        memcpy(h->digest[0], digest, sizeof digest);
    }
    run_in_vain(h, NULL, "a second run has written");
    if (chance(h, 50)) run_in_vain(h, &VERIFY, "a run that verifies has written");
    undo_and_redo(h);
}

/* The same rows in a store without history, written in another order, read in another way. */
static void compare_with_fresh_store(history *h) {
    const char *store = test_file("fresh.db");
    char digest[33];
    test_store_make(h->w, store);
    test_store_fill(h->w, store, h->seed + 1);
    twindex *t = test_twindex(h->w, store, NULL, false);
    apply_settings(h, t);
    draw_speed(h, t);
    test_run(t, NULL, TWINDEX_OK);
    test_digest(t, digest);
    twindex_free(t);
    if (strcmp(digest, h->digest[0]) != 0)
        HISTORY_FAIL(h, "a fresh store of the same rows has another digest");
}

static void open_history(history *h, uint64_t seed) {
    h->seed = seed;
    h->min_token_len = "2";
    /* most have the defaults */
    h->near = seed % (NEAR_WAYS + 5) < NEAR_WAYS ? seed % (NEAR_WAYS + 5) : 0;
    h->area = seed % 3 ? 0 : seed / 3 % AREA_WAYS;
    h->way = seed % (sizeof WAYS / sizeof *WAYS);
    h->rng = test_rng_seed(seed);
    h->w = test_world_new(seed, WAYS[h->way].shape);
    h->store = test_file("history.db");
    h->flags = WAYS[h->way].separate ? test_file("history-flags.db") : NULL;
    test_world_grow(h->w, 2 + test_rng_below(&h->rng, 40));
    test_store_make(h->w, h->store);
    test_store_sync(h->w, h->store);
    h->t = test_twindex(h->w, h->store, h->flags, WAYS[h->way].changed);
    test_set(h->t, "store.feed", WAYS[h->way].feed);
    apply_settings(h, h->t);
    run(h, NULL);
    test_digest(h->t, h->digest[0]);
    h->watcher = test_open(own_path(h));
    run_in_vain(h, NULL, "a second run has written");
}

/* Returns the number of near-duplicate groups in the last published result. */
static size_t live(uint64_t seed) {
    const twindex_run_options full = {.full = true};
    char digest[33];
    history h = {0};
    open_history(&h, seed);
    for (size_t i = 0; i < STEPS; i++) step(&h, test_rng_below(&h.rng, 12));
    run(&h, NULL); /* forward again, when the last step has gone back */
    test_digest(h.t, h.digest[0]);
    run_in_vain(&h, &full, "--full after a run has written");
    test_digest(h.t, digest);
    if (strcmp(digest, h.digest[0]) != 0) HISTORY_FAIL(&h, "--full has another digest");
    compare_with_fresh_store(&h);
    if (test_integer(h.watcher,
                     "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") !=
        0)
        HISTORY_FAIL(&h, "the file is damaged");
    const int64_t near = test_integer(
        h.watcher, "SELECT count(*) FROM duplicate_groups WHERE detector = 'near'");
    sqlite3_close(h.watcher);
    twindex_free(h.t);
    test_world_free(h.w);
    return (size_t)near;
}

TEST(histories_end_like_full_runs) {
    const size_t histories = test_share_of(HISTORIES, TEST_RACES_ONLY ? 1 : TEST_SANITIZED ? 3 : 8);
    size_t near = 0;
    for (uint64_t seed = 1; seed <= histories; seed++) near += live(seed);
    print_message("%zu groups of near copies at the end of the histories\n", near);
    assert_true(near > histories / 2);
}

/* ---- memory: so many documents that 16 MB do not hold the keys ---------- */

/* Keys of text, so that the rows can be written in any order: row i is number i * stride modulo
 * MANY. Each twelve consecutive pages are near-duplicates. */
static const char *make_many(const char *name, int stride) {
    char sql[2048];
    const char *path = test_file(name);
    snprintf(sql, sizeof sql,
             "PRAGMA synchronous=OFF;CREATE TABLE pages(name TEXT PRIMARY KEY, url TEXT, title "
             "TEXT, content TEXT, status_code INTEGER);INSERT INTO pages WITH RECURSIVE n(i) AS "
             "(SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d - 1),m(k) AS (SELECT i * %d %% "
             "%d FROM n), w(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM w WHERE v < 22)SELECT 'p' "
             "|| k,CASE k %% 3 WHEN 0 THEN 'http' ELSE 'https' END || '://' || CASE k %% 4 WHEN 1 "
             "THEN 'www.' ELSE '' END|| 'example.com/' || (k / 5), 'title ' || (k %% 7000), "
             "(SELECT group_concat('w' || ((k / 12 * 7919 + v * 104729) %% 99991), ' ') FROM w) || "
             "' text of page ' || (k / 2) || ' text page', iif(k %% 50 = 0, 404, 200) FROM m",
             MANY, stride, MANY);
    test_exec_in(path, sql);
    return path;
}

static void digest_of_many(const char *path, const char *jobs, const char *memory, const char *rows,
                           char ret[33]) {
    twindex *t = twindex_new();
    assert_non_null(t);
    test_set(t, "run.jobs", jobs);
    test_set(t, "run.memory", memory);
    test_set(t, "run.batch_rows", rows);
    test_set(t, "run.pause_ms", "0");
    test_set(t, "guard.max_group", "1000000");
    assert_int_equal(twindex_open(t, path), TWINDEX_OK);
    test_run(t, NULL, TWINDEX_OK);
    test_digest(t, ret);
    twindex_free(t);
    assert_true(
        test_integer_in(path, "SELECT count(*) FROM duplicate_groups WHERE detector = 'near'") >
        MANY / 13);
}

TEST(memory_threads_batches_and_order_never_show) {
    char one[33], other[33];
    digest_of_many(make_many("many.db", 1), "1", "16M", "1000", one);
    digest_of_many(make_many("other.db", 7919), "4", "1G", "3000", other);
    assert_string_equal(one, other);
}
