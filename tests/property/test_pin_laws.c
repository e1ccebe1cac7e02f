/* Pins over random stores, checked with the SQL that users would write: whatever the pins are, kept
 * documents pass every filter, separated ones never hide each other, `prefer` lines take
 * precedence, and the laws of the flags hold as without pins. The file of pins is drawn with the
 * store; contradictions are drawn, too. */
#include "store_maker.h"

#include <stdio.h>
#include <string.h>

enum { STORES = TEST_RACES_ONLY ? 5 : TEST_SANITIZED ? 60 : 200, PAGES = 60, PINS_MAX = 24 };

typedef struct scene {
    uint64_t seed;
    test_rng rng;
    test_world *w;
    test_shape shape;
    const char *store, *file;
    size_t separated, kept, preferred; /* lines drawn */
    sqlite3 *pins;                     /* their content as tables */
} scene;

static size_t below(scene *s, size_t n) {
    return test_rng_below(&s->rng, n);
}

/* The URL of a page, or sometimes one that no page has. */
static void draw_url(scene *s, char url[TEST_URL_BYTES]) {
    const test_page *const *pages = NULL;
    const size_t n = test_world_pages(s->w, &pages);
    for (int tries = 0; n && tries < 20; tries++) {
        const test_page *page = pages[below(s, n)];
        if (!page->means.usable || below(s, 20) == 0) continue;
        memcpy(url, page->means.url, TEST_URL_BYTES);
        return;
    }
    snprintf(url, TEST_URL_BYTES, "https://nowhere.example/%zu", below(s, 100));
}

/* From scheme and host to the whole URL; not cut where normalising would change the prefix. */
static void draw_prefix(scene *s, char url[TEST_URL_BYTES]) {
    draw_url(s, url);
    char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    if (!path || below(s, 2)) return;
    size_t cut = 1 + below(s, strlen(path));
    while (cut > 1 && strpbrk(path, "%.")) cut--;
    path[cut] = '\0';
}

static void note(scene *s, const char *sql, size_t line, const char *a, const char *b) {
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_prepare_v2(s->pins, sql, -1, &stmt, NULL), SQLITE_OK);
    sqlite3_bind_int64(stmt, 1, (sqlite3_int64)line);
    sqlite3_bind_text(stmt, 2, a, -1, SQLITE_STATIC);
    if (b) sqlite3_bind_text(stmt, 3, b, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
}

/* Writes a file of pins and tables with the same content. */
static void draw_pins(scene *s) {
    char a[TEST_URL_BYTES], b[TEST_URL_BYTES];
    FILE *f = fopen(s->file, "w");
    assert_non_null(f);
    test_exec(s->pins, "DELETE FROM separate; DELETE FROM prefer; DELETE FROM keep");
    fputs("# drawn\n\n", f);
    for (size_t line = 1, n = below(s, PINS_MAX); line <= n; line++) {
        const size_t kind = below(s, 6);
        draw_url(s, a);
        draw_url(s, b);
        if (kind == 0) {
            draw_prefix(s, a);
            fprintf(f, "prefer %s\n", a);
            note(s, "INSERT INTO prefer VALUES (?1, ?2)", line, a, NULL);
            s->preferred++;
        } else if (kind < 3) {
            fprintf(f, "  KEEP %s # by hand\r\n", a);
            note(s, "INSERT INTO keep VALUES (?1, ?2)", line, a, NULL);
            s->kept++;
        } else if (strcmp(a, b) != 0) {
            fprintf(f, "separate\t%s %s\n", a, b);
            note(s, "INSERT INTO separate VALUES (?1, ?2, ?3)", line, a, b);
            s->separated++;
        }
    }
    assert_int_equal(fclose(f), 0);
}

/* Ids and normal URLs of all pages, in the order of their ids. */
static void note_pages(scene *s, sqlite3 *db) {
    const test_page *const *pages = NULL;
    const size_t n = test_world_pages(s->w, &pages);
    sqlite3_stmt *stmt = NULL;
    test_exec(db, "CREATE TEMP TABLE page(id, url TEXT)");
    assert_int_equal(sqlite3_prepare_v2(db, "INSERT INTO page VALUES (?1, ?2)", -1, &stmt, NULL),
                     SQLITE_OK);
    for (size_t i = 0; i < n; i++) {
        char id[TEST_ID_BYTES];
        test_page_id(s->shape, pages[i]->key, id);
        sqlite3_bind_text(stmt, 1, id, -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 2, pages[i]->means.usable ? pages[i]->means.url : NULL, -1,
                          SQLITE_STATIC);
        assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
}

#define PASSES                                                               \
    "f.http_unique_b AND f.www_unique_b AND f.exact_signature_unique_b AND " \
    "f.fuzzy_signature_unique_b "                                            \
    "AND f.title_unique_b AND f.description_unique_b AND f.near_unique_b IS NOT 0"

static const struct {
    const char *what, *sql; /* counts violations */
} LAWS[] = {
    {"of the documents with a kept URL that take part one passes every filter and is no duplicate",
     "SELECT count(*) FROM (SELECT DISTINCT url FROM keep) AS k WHERE EXISTS (SELECT 1 FROM flags "
     "AS f WHERE f.url = k.url AND f.indexable_b) AND NOT EXISTS (SELECT 1 FROM flags AS f WHERE "
     "f.url = k.url AND f.representative_b AND " PASSES ")"},
    {"a kept document is not left out for its link",
     "SELECT count(*) FROM flags AS f JOIN keep USING (url) WHERE f.duplicate_of IS NOT NULL AND "
     "NOT f.indexable_b"},
    {"separated documents are in no common group and no common cluster",
     "SELECT count(*) FROM separate AS s JOIN flags AS f ON f.url = s.a JOIN flags AS g ON g.url = "
     "s.b JOIN member AS m ON m.document = f.id JOIN member AS n ON n.document = g.id AND "
     "n.detector = m.detector AND n.representative = m.representative"},
    {"neither of a separated pair stands for the other",
     "SELECT count(*) FROM separate AS s JOIN flags AS f ON f.url = s.a JOIN flags AS g ON g.url = "
     "s.b WHERE f.duplicate_of = g.id OR g.duplicate_of = f.id"},
    {"no document with a better `prefer` line than the representative is in its group",
     "SELECT count(*) FROM member AS m JOIN rank AS d ON d.id = m.document JOIN rank AS r ON r.id "
     "= m.representative WHERE d.line < r.line"},
    {"filtering on all content and URL flags leaves a document of every cluster that relations of "
     "groups join",
     "WITH RECURSIVE edge(a, b) AS (SELECT document, representative FROM member WHERE detector <> "
     "'verdict' UNION SELECT representative, document FROM member WHERE detector <> 'verdict'), "
     "reach(root, id) AS (SELECT id, id FROM flags WHERE indexable_b UNION SELECT r.root, e.b FROM "
     "reach AS r JOIN edge AS e ON e.a = r.id) SELECT count(*) FROM flags AS d WHERE d.indexable_b "
     "AND NOT EXISTS (SELECT 1 FROM reach AS r JOIN flags AS f ON f.id = r.id WHERE r.root = d.id "
     "AND " PASSES ")"},
    {"the survivor of a cluster passes the filters of the relations of the verdict",
     "SELECT count(*) FROM flags AS f WHERE f.representative_b AND NOT (f.http_unique_b AND "
     "f.www_unique_b AND f.exact_signature_unique_b AND f.near_unique_b IS NOT 0)"},
    {"a cluster has one survivor",
     "SELECT count(*) FROM (SELECT representative FROM member JOIN flags ON flags.id = document "
     "WHERE detector = 'verdict' GROUP BY representative HAVING sum(representative_b) <> 1 OR "
     "count(*) <> max(documents))"},
    {"duplicate_of is a survivor",
     "SELECT count(*) FROM flags AS f LEFT JOIN flags AS s ON s.id = f.duplicate_of WHERE "
     "f.duplicate_of IS NOT NULL AND s.representative_b IS NOT 1"},
    {"groups are a partition",
     "SELECT count(*) FROM (SELECT 1 FROM member GROUP BY detector, document HAVING count(*) > 1)"},
    {"a group has one representative, which is one of its members",
     "SELECT count(*) FROM (SELECT 1 FROM member GROUP BY detector, representative HAVING count(*) "
     "<> max(documents) OR count(*) < 2 OR sum(document = representative) <> 1)"},
};

static void check_laws(scene *s) {
    sqlite3 *db = test_open(s->store);
    char attach[4400];
    snprintf(attach, sizeof attach, "ATTACH '%s' AS pins", sqlite3_db_filename(s->pins, "main"));
    test_exec(db, attach);
    note_pages(s, db);
    test_exec(db, "CREATE TEMP TABLE flags AS SELECT f.*, p.url AS url FROM document_flags AS f "
                  "JOIN page AS p ON CAST(f.id AS TEXT) = p.id;CREATE TEMP TABLE member AS SELECT "
                  "* FROM twindex_group_member;CREATE TEMP TABLE rank AS SELECT f.id AS id, "
                  "coalesce((SELECT min(line) FROM prefer WHERE substr(f.url, 1, length(prefix)) = "
                  "prefix), 1000) AS line FROM flags AS f;CREATE INDEX temp.flags_id ON flags(id); "
                  "CREATE INDEX temp.member_id ON member(document)");
    if (test_integer(db, "SELECT count(*) FROM flags") !=
        test_integer(db, "SELECT count(*) FROM document_flags"))
        fail_msg("seed %" PRIu64 ": the test does not know all ids", s->seed);
    for (size_t i = 0; i < sizeof LAWS / sizeof *LAWS; i++)
        if (test_integer(db, LAWS[i].sql) != 0)
            fail_msg("seed %" PRIu64 ", shape %d: it is not so that %s", s->seed, s->shape,
                     LAWS[i].what);
    sqlite3_close(db);
}

static twindex *open_with_pins(scene *s, const char *store, bool pinned) {
    twindex *t = test_twindex(s->w, store, NULL, false);
    test_set(t, "guard.max_hidden", "1");
    test_set(t, "guard.max_lost", "1");
    test_set(t, "verdict.relations",
             s->seed % 3 ? "scheme www canonical redirect exact near" : "scheme www exact near");
    test_set(t, "exact.scope", s->seed % 4 ? "store" : "host");
    if (pinned) test_set(t, "verdict.pins", s->file);
    return t;
}

static void digest(scene *s, const char *store, bool pinned, bool full, char ret_digest[33]) {
    const twindex_run_options options = {.full = full};
    twindex *t = open_with_pins(s, store, pinned);
    test_set(t, "run.jobs", below(s, 2) ? "1" : "3");
    test_run(t, &options, TWINDEX_OK);
    test_digest(t, ret_digest);
    twindex_free(t);
}

static scene begin(uint64_t seed) {
    scene s = {.seed = seed, .rng = test_rng_seed(seed), .shape = (test_shape)(seed % TEST_SHAPES)};
    s.store = test_file("pinned.db");
    s.file = test_file("pins.txt");
    s.w = test_world_new(seed, s.shape);
    s.pins = test_open(test_file("pins.db"));
    test_exec(s.pins, "CREATE TABLE separate(line, a TEXT, b TEXT); CREATE TABLE prefer(line, "
                      "prefix TEXT);CREATE TABLE keep(line, url TEXT)");
    test_world_grow(s.w, PAGES);
    test_store_make(s.w, s.store);
    test_store_sync(s.w, s.store);
    return s;
}

/* An unchanged store is judged again under other pins; earlier runs and order do not matter. */
TEST(pins_are_law_and_the_laws_of_the_flags_hold) {
    const size_t stores = test_share_of(STORES, TEST_RACES_ONLY ? 1 : TEST_SANITIZED ? 3 : 4);
    size_t moved = 0, separated = 0, kept = 0, preferred = 0;
    for (uint64_t seed = 1; seed <= stores; seed++) {
        char plain[33], pinned[33], other[33];
        scene s = begin(seed);
        digest(&s, s.store, false, false, plain);
        draw_pins(&s);
        digest(&s, s.store, true, false, pinned);
        check_laws(&s);
        moved += strcmp(plain, pinned) != 0;
        test_world_change(s.w, 10);
        test_store_sync(s.w, s.store);
        draw_pins(&s);
        digest(&s, s.store, true, false, pinned);
        check_laws(&s);
        digest(&s, s.store, true, true, other);
        assert_string_equal(other, pinned);
        const char *shuffled = test_file("shuffled.db");
        test_store_make(s.w, shuffled);
        test_store_fill(s.w, shuffled, seed * 31);
        digest(&s, shuffled, true, false, other);
        if (strcmp(other, pinned) != 0 && s.shape != TEST_OWN)
            fail_msg("seed %" PRIu64 ": the order of rows shows", seed);
        digest(&s, s.store, false, false, other);
        digest(&s, shuffled, false, false, plain);
        if (s.shape != TEST_OWN) assert_string_equal(other, plain);
        separated += s.separated, kept += s.kept, preferred += s.preferred;
        sqlite3_close(s.pins);
        test_world_free(s.w);
    }
    print_message("%zu separate, %zu keep, %zu prefer lines; flags changed in %zu of %zu stores\n",
                  separated, kept, preferred, moved, stores);
    assert_true(moved > stores / 2);
}
