#include <unistd.h>

#include "store/store.h"
#include "world.h"

enum { SQL_MAX = 2048 };

/* ---- stores ------------------------------------------------------------- */

static int64_t site_of(int64_t key) {
    return ((key % 3) + 3) % 3;
}

void test_page_id(test_shape shape, int64_t key, char ret_id[TEST_ID_BYTES]) {
    switch (shape) {
    case TEST_TEXT_KEYS: snprintf(ret_id, TEST_ID_BYTES, "k%" PRId64, key); return;
    case TEST_JSON: snprintf(ret_id, TEST_ID_BYTES, "j%" PRId64, key); return;
    case TEST_WITHOUT_ROWID:
        snprintf(ret_id, TEST_ID_BYTES, "s%" PRId64 "/%" PRId64, site_of(key), key);
        return;
    default: snprintf(ret_id, TEST_ID_BYTES, "%" PRId64, key); return;
    }
}

/* ?1, ?2: the key's columns; ?3: the version; ?4 and on: the cells. ?20, ?21: the current key. */
typedef struct shape_sql {
    const char *make, *insert, *update, *drop, *source;
} shape_sql;

static const shape_sql SQL[TEST_SHAPES] = {
    [TEST_OWN] = {.insert = "INSERT INTO documents(id, url, text, title, description, http_status, "
                            "failure, robots, canonical_url, redirect_url, hreflang_group, "
                            "fetched_at, score, layout_digest) VALUES (?1, ?4, ?5, ?6, ?7, ?8, ?9, "
                            "?10, ?11, ?12, ?13, ?14, ?15, ?16)",
                  .update = "UPDATE OR REPLACE documents SET id = ?1, url = ?4, text = ?5, title = "
                            "?6, description = ?7, http_status = ?8, failure = ?9, robots = ?10, "
                            "canonical_url = ?11, redirect_url = ?12, hreflang_group = ?13, "
                            "fetched_at = ?14, score = ?15, layout_digest = ?16 WHERE id = ?20",
                  .drop = "DELETE FROM documents WHERE id = ?20",
                  .source = "SELECT * FROM documents ORDER BY id"},
    [TEST_PAGES] =
        {.make = "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, title, content, status_code, "
                 "fetched_at, description, error, robots, canonical, redirect_url, "
                 "translation_group, inlinks, layout_digest, v);CREATE TABLE visits(id INTEGER "
                 "PRIMARY KEY, page, at); INSERT INTO visits(page, at) VALUES (1, 2);",
         .insert =
             "INSERT INTO pages(id, url, content, title, description, status_code, error, robots, "
             "canonical, redirect_url, translation_group, fetched_at, inlinks, layout_digest, v) "
             "VALUES (?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?3)",
         .update = "UPDATE pages SET id = ?1, url = ?4, content = ?5, title = ?6, description = "
                   "?7, status_code = ?8, error = ?9, robots = ?10, canonical = ?11, redirect_url "
                   "= ?12, translation_group = ?13, fetched_at = ?14, inlinks = ?15, layout_digest "
                   "= ?16, v = ?3 WHERE id = ?20",
         .drop = "DELETE FROM pages WHERE id = ?20",
         .source = "SELECT * FROM pages ORDER BY id"},
    [TEST_NARROW] = {.make = "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, "
                             "content TEXT, status_code INTEGER, fetched_at TEXT)",
                     .insert = "INSERT INTO pages(id, url, content, title, status_code, "
                               "fetched_at) VALUES (?1, ?4, ?5, ?6, ?8, ?14)",
                     .update = "UPDATE pages SET id = ?1, url = ?4, content = ?5, title = ?6, "
                               "status_code = ?8, fetched_at = ?14 WHERE id = ?20",
                     .drop = "DELETE FROM pages WHERE id = ?20",
                     .source = "SELECT * FROM pages ORDER BY id"},
    [TEST_TEXT_KEYS] =
        {.make = "CREATE TABLE articles(name TEXT PRIMARY KEY, link, body, head, lead, code, "
                 "broken, meta, same_as, moved_to, family, seen, votes, markup, v)",
         .insert = "INSERT INTO articles VALUES (?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
                   "?14, ?15, ?16, ?3)",
         .update = "UPDATE articles SET name = ?1, link = ?4, body = ?5, head = ?6, lead = ?7, "
                   "code = ?8, broken = ?9, meta = ?10, same_as = ?11, moved_to = ?12, family = "
                   "?13, seen = ?14, votes = ?15, markup = ?16, v = ?3 WHERE name = ?20",
         .drop = "DELETE FROM articles WHERE name = ?20",
         .source = "SELECT rowid, * FROM articles ORDER BY name"},
    [TEST_WITHOUT_ROWID] =
        {.make = "CREATE TABLE items(site INTEGER, number INTEGER, link, body, head, lead, code, "
                 "broken, meta, same_as, moved_to, family, seen, votes, markup, v, PRIMARY "
                 "KEY(number, site)) WITHOUT ROWID",
         .insert = "INSERT INTO items VALUES (?1, ?2, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
                   "?14, ?15, ?16, ?3)",
         .update =
             "UPDATE items SET site = ?1, number = ?2, link = ?4, body = ?5, head = ?6, lead = ?7, "
             "code = ?8, broken = ?9, meta = ?10, same_as = ?11, moved_to = ?12, family = ?13, "
             "seen = ?14, votes = ?15, markup = ?16, v = ?3 WHERE site = ?20 AND number = ?21",
         .drop = "DELETE FROM items WHERE site = ?20 AND number = ?21",
         .source = "SELECT * FROM items ORDER BY number, site"},
    [TEST_JSON] =
        {.make = "CREATE TABLE docs(name TEXT PRIMARY KEY, body TEXT, v)",
         .insert = "INSERT INTO docs VALUES (?1, json_object('link', ?4, 'body', ?5, 'head', ?6, "
                   "'lead', ?7, 'code', ?8, 'broken', ?9, 'meta', ?10, 'same_as', ?11, 'moved_to', "
                   "?12, 'family', ?13, 'seen', ?14, 'votes', ?15, 'markup', ?16), ?3)",
         .update =
             "UPDATE docs SET name = ?1, body = json_object('link', ?4, 'body', ?5, 'head', ?6, "
             "'lead', ?7, 'code', ?8, 'broken', ?9, 'meta', ?10, 'same_as', ?11, 'moved_to', ?12, "
             "'family', ?13, 'seen', ?14, 'votes', ?15, 'markup', ?16), v = ?3 WHERE name = ?20",
         .drop = "DELETE FROM docs WHERE name = ?20",
         .source = "SELECT rowid, * FROM docs ORDER BY name"},
};

/* The columns of a shape whose names are its own, in the order of test_column. */
static const char *const OWN_NAMES[TEST_COLUMNS] = {
    "link",    "body",     "head",   "lead", "code",  "broken", "meta",
    "same_as", "moved_to", "family", "seen", "votes", "markup"};
static const char *const SETTINGS[TEST_COLUMNS] = {
    "store.url",           "store.text",           "store.title",      "store.description",
    "store.http_status",   "store.failure",        "store.robots",     "store.canonical_url",
    "store.redirect_url",  "store.hreflang_group", "store.fetched_at", "store.score",
    "store.layout_digest",
};

sqlite3 *test_open(const char *path) {
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK) fail_msg("open %s: %s", path, sqlite3_errmsg(db));
    sqlite3_busy_timeout(db, 10000);
    return db;
}

void test_text_functions(sqlite3 *db) {
    char name[] = "test";
    twx_ctx cx;
    twx_db connection = {.cx = &cx, .handle = db, .path = name};
    twx_ctx_init(&cx);
    if (twx_text_functions_register(&connection) != TWX_OK) fail_msg("%s", cx.message);
}

void test_exec(sqlite3 *db, const char *sql) {
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", message, sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(db), sql);
    return stmt;
}

int64_t test_integer(sqlite3 *db, const char *sql) {
    sqlite3_stmt *stmt = prepare(db, sql);
    if (sqlite3_step(stmt) != SQLITE_ROW) fail_msg("no row: %s: %s", sqlite3_errmsg(db), sql);
    int64_t value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return value;
}

void test_exec_in(const char *path, const char *sql) {
    sqlite3 *db = test_open(path);
    test_exec(db, sql);
    sqlite3_close(db);
}

int64_t test_integer_in(const char *path, const char *sql) {
    sqlite3 *db = test_open(path);
    const int64_t value = test_integer(db, sql);
    sqlite3_close(db);
    return value;
}

static void bind_key(sqlite3_stmt *stmt, test_shape shape, int64_t key, int at) {
    char id[TEST_ID_BYTES];
    if (at > sqlite3_bind_parameter_count(stmt)) return;
    test_page_id(shape, key, id);
    if (shape == TEST_WITHOUT_ROWID) {
        sqlite3_bind_int64(stmt, at, site_of(key));
        sqlite3_bind_int64(stmt, at + 1, key);
    } else if (test_integer_keys(shape)) {
        sqlite3_bind_int64(stmt, at, key);
    } else {
        sqlite3_bind_text(stmt, at, id, -1, SQLITE_TRANSIENT);
    }
}

static void bind_cell(sqlite3_stmt *stmt, int at, const test_cell *c) {
    switch (c->type) {
    case SQLITE_INTEGER: sqlite3_bind_int64(stmt, at, c->i); break;
    case SQLITE_FLOAT: sqlite3_bind_double(stmt, at, c->r); break;
    case SQLITE_TEXT: sqlite3_bind_text(stmt, at, c->bytes, (int)c->n, SQLITE_STATIC); break;
    case SQLITE_BLOB: sqlite3_bind_blob(stmt, at, c->bytes, (int)c->n, SQLITE_STATIC); break;
    default: sqlite3_bind_null(stmt, at); break;
    }
}

static void run_stmt(sqlite3 *db, sqlite3_stmt *stmt) {
    if (sqlite3_step(stmt) != SQLITE_DONE)
        fail_msg("%s: %s", sqlite3_errmsg(db), sqlite3_sql(stmt));
    sqlite3_finalize(stmt);
}

static void write_page(test_world *w, sqlite3 *db, const test_page *p, bool replace) {
    char insert[SQL_MAX];
    bool again = p->stored && !replace;
    snprintf(insert, sizeof insert, "INSERT%s %s", p->replaces || replace ? " OR REPLACE" : "",
             SQL[w->shape].insert + strlen("INSERT "));
    sqlite3_stmt *stmt = prepare(db, again ? SQL[w->shape].update : insert);
    bind_key(stmt, w->shape, p->key, 1);
    sqlite3_bind_int64(stmt, 3, ++w->version);
    for (int c = 0; c < TEST_COLUMNS; c++) bind_cell(stmt, 4 + c, &p->cell[c]);
    if (again) bind_key(stmt, w->shape, p->born, 20);
    run_stmt(db, stmt);
}

void test_store_make(const test_world *w, const char *path) {
    if (w->shape == TEST_OWN) {
        twindex *t = twindex_new();
        assert_non_null(t);
        if (twindex_init(t, path) != TWINDEX_OK) fail_msg("%s", twindex_message(t));
        twindex_free(t);
        return;
    }
    sqlite3 *db = test_open(path);
    test_exec(db, w->seed % 2 ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=DELETE");
    test_exec(db, SQL[w->shape].make);
    sqlite3_close(db);
}

void test_store_sync(test_world *w, const char *path) {
    sqlite3 *db = test_open(path);
    test_exec(db, "PRAGMA synchronous=OFF; BEGIN IMMEDIATE");
    for (size_t i = 0; i < w->n; i++) {
        test_page *p = &w->page[i];
        if (p->alive || !p->stored) continue;
        sqlite3_stmt *stmt = p->pushed ? NULL : prepare(db, SQL[w->shape].drop);
        if (stmt) bind_key(stmt, w->shape, p->born, 20);
        if (stmt) run_stmt(db, stmt);
        p->stored = p->pushed = false;
    }
    for (size_t i = 0; i < w->n; i++) {
        test_page *p = &w->page[i];
        if (!p->alive || !p->dirty) continue;
        write_page(w, db, p,
                   p->stored && p->born == p->key && test_integer_keys(w->shape) &&
                       test_world_percent(w, 30));
        p->born = p->key;
        p->stored = true;
        p->dirty = p->replaces = false;
    }
    test_exec(db, "COMMIT");
    sqlite3_close(db);
}

void test_store_fill(test_world *w, const char *path, uint64_t seed) {
    uint64_t order[PAGES_MAX];
    test_rng rng = test_rng_seed(seed);
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->page[i].alive) order[n++] = i;
    test_rng_shuffle(&rng, order, n);
    sqlite3 *db = test_open(path);
    test_exec(db, "PRAGMA synchronous=OFF; BEGIN IMMEDIATE");
    for (size_t i = 0; i < n; i++) {
        test_page copy = w->page[order[i]];
        copy.stored = copy.replaces = false;
        write_page(w, db, &copy, false);
    }
    test_exec(db, "COMMIT");
    sqlite3_close(db);
}

/* ---- digests ------------------------------------------------------------ */

static uint64_t hash_rows(sqlite3 *db, const char *sql, uint64_t h) {
    sqlite3_stmt *stmt = prepare(db, sql);
    int rc = SQLITE_ROW;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
        for (int c = 0; c < sqlite3_column_count(stmt); c++) {
            int type = sqlite3_column_type(stmt, c);
            h = test_hash_bytes(&type, sizeof type, h);
            const void *bytes = sqlite3_column_blob(stmt, c);
            h = test_hash_bytes(bytes ? bytes : "", (size_t)sqlite3_column_bytes(stmt, c), h);
        }
    if (rc != SQLITE_DONE) fail_msg("%s: %s", sqlite3_errmsg(db), sql);
    sqlite3_finalize(stmt);
    return h;
}

uint64_t test_store_source(const test_world *w, const char *path) {
    sqlite3 *db = test_open(path);
    uint64_t h = hash_rows(db, SQL[w->shape].source, 7);
    h = hash_rows(db,
                  "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE "
                  "'twindex!_%' ESCAPE '!' AND name NOT LIKE 'sqlite!_autoindex!_twindex!_%' "
                  "ESCAPE '!' AND name NOT IN ('document_flags', 'flagged_documents', "
                  "'duplicate_groups', 'document_alternates', 'sqlite_sequence') ORDER BY name",
                  h);
    sqlite3_close(db);
    return h;
}

uint64_t test_store_content(const char *path) {
    if (access(path, F_OK) != 0) return 0;
    sqlite3 *db = test_open(path);
    uint64_t h = hash_rows(db, "SELECT * FROM sqlite_schema ORDER BY name", 3);
    sqlite3_stmt *tables = prepare(
        db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    while (sqlite3_step(tables) == SQLITE_ROW) {
        char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"",
                                    (const char *)sqlite3_column_text(tables, 0));
        h = hash_rows(db, sql, h);
        sqlite3_free(sql);
    }
    sqlite3_finalize(tables);
    sqlite3_close(db);
    return h;
}

/* ---- twindex ------------------------------------------------------------ */

void test_set(twindex *t, const char *name, const char *value) {
    if (twindex_set(t, name, value) != TWINDEX_OK)
        fail_msg("%s = %s: %s", name, value, twindex_message(t));
}

twindex *test_open_store(const char *path) {
    twindex *t = twindex_new();
    assert_non_null(t);
    test_set(t, "run.pause_ms", "0");
    test_set(t, "guard.max_hidden", "1");
    test_set(t, "guard.max_lost", "1");
    if (twindex_open(t, path) != TWINDEX_OK) fail_msg("%s", twindex_message(t));
    return t;
}

static void map_columns(const test_world *w, twindex *t) {
    static const char *const FROM[TEST_SHAPES] = {
        [TEST_TEXT_KEYS] = "articles", [TEST_WITHOUT_ROWID] = "items", [TEST_JSON] = "docs"};
    char expression[64];
    if (!FROM[w->shape]) return;
    test_set(t, "store.from", FROM[w->shape]);
    test_set(t, "store.id",
             w->shape == TEST_WITHOUT_ROWID ? "'s' || site || '/' || number" : "name");
    for (int c = 0; c < TEST_COLUMNS; c++) {
        snprintf(expression, sizeof expression,
                 w->shape == TEST_JSON ? "json_extract(body, '$.%s')" : "%s", OWN_NAMES[c]);
        test_set(t, SETTINGS[c], expression);
    }
}

twindex *test_twindex(const test_world *w, const char *store, const char *flags, bool changed) {
    twindex *t = twindex_new();
    assert_non_null(t);
    map_columns(w, t);
    test_set(t, "run.pause_ms", "0");
    test_set(t, "store.joined_view", "yes");
    if (flags) test_set(t, "store.flags", flags);
    if (changed) test_set(t, "store.changed", "v");
    if (twindex_open(t, store) != TWINDEX_OK) fail_msg("%s", twindex_message(t));
    return t;
}

int test_discard(void *arg, const char *bytes, size_t n) {
    (void)arg, (void)bytes, (void)n;
    return 0;
}

void test_run(twindex *t, const twindex_run_options *options, int wanted) {
    const twindex_sink sink = {.write = test_discard, .format = TWINDEX_TEXT};
    const twindex_run_options plain = {0};
    int got = twindex_run(t, options ? options : &plain, &sink);
    if (got != wanted) fail_msg("run ended with %d, not %d: %s", got, wanted, twindex_message(t));
}

static int keep_digest(void *arg, const char *bytes, size_t n) {
    char *to = arg;
    size_t have = strlen(to);
    for (size_t i = 0; i < n && have < 32 && bytes[i] != '\n'; i++) to[have++] = bytes[i];
    to[have] = '\0';
    return 0;
}

void test_digest(twindex *t, char ret_digest[33]) {
    memset(ret_digest, 0, 33);
    const twindex_sink sink = {.write = keep_digest, .arg = ret_digest, .format = TWINDEX_TEXT};
    if (twindex_digest(t, &sink) != TWINDEX_OK) fail_msg("digest: %s", twindex_message(t));
    assert_int_equal(strlen(ret_digest), 32);
}

void test_remove_leftovers(const char *path) {
    static const char *const TAILS[] = {"-wal", "-shm", "-journal", "-twindex-lock"};
    char name[4400];
    for (size_t i = 0; i < sizeof TAILS / sizeof *TAILS; i++) {
        snprintf(name, sizeof name, "%s%s", path, TAILS[i]);
        unlink(name);
    }
}

const char *test_file(const char *name) {
    static char paths[16][4300];
    static size_t next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
    unlink(path);
    test_remove_leftovers(path);
    return path;
}
