/* Representatives change or vanish after a run has judged and before it publishes: what it
 * publishes names none of them, and the run after it gives the flags of a store that was always
 * so. */
#include "store_maker.h"

#include <unistd.h>

#include "base/base.h"

enum { GROUPS = 6, MEMBERS = 4 };

/* twindex's own table has a queue of changes; another one is read again. */
static const struct kind {
    const char *table, *text, *create;
} KINDS[] = {
    {"documents", "text", NULL},
    {"pages", "content", "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, content)"},
};

static const char *store;
static const struct kind *kind;
static size_t changes; /* still to be made */

static void execute(const char *format, ...) TWX_PRINTF(1, 2);
static void execute(const char *format, ...) {
    char sql[1000];
    va_list ap;
    va_start(ap, format);
    vsnprintf(sql, sizeof sql, format, ap);
    va_end(ap);
    test_exec_in(store, sql);
}

/* Documents 0 to 23, in groups of four with the same text; the first of each has the shortest URL
 * and represents it. */
static void fill(void) {
    if (kind->create) execute("PRAGMA journal_mode = WAL; %s", kind->create);
    execute("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
            "INSERT INTO %s(id, url, %s) SELECT i, 'http://a.example/' || i || "
            "substr('-longer', 1, i %% %d * 2), 'everybody says ' || char(97 + i / %d) || 'ooooo' "
            "FROM n",
            GROUPS * MEMBERS - 1, kind->table, kind->text, MEMBERS, MEMBERS);
}

/* Three groups get another text each, and stay groups. */
static void edit(void) {
    execute("UPDATE %s SET %s = %s || '.' WHERE id < 12", kind->table, kind->text, kind->text);
}

/* Each group has another fate. 0 to 3: the representative changes. 4 to 7: it vanishes. 8 to 11: it
 * and the next document change. 12 to 15: another member changes. 16 to 19: the representative is
 * written again as it was. 20 to 23: it and the next document vanish. */
static void change(void) {
    execute("UPDATE %s SET %s = 'nobody says ' || char(97 + id) || 'aaaaa' WHERE id IN (0, 8, 9, "
            "14); DELETE FROM %s WHERE id IN (4, 20, 21)",
            kind->table, kind->text, kind->table);
    execute("UPDATE %s SET %s = %s || '' WHERE id = 16", kind->table, kind->text, kind->text);
}

static void change_once(void *arg, const twindex_progress *progress) {
    (void)arg;
    if (changes == 0 || strcmp(progress->stage, "group and judge") != 0) return;
    changes--;
    change();
}

static int64_t count(const char *where) {
    char sql[1000];
    snprintf(
        sql, sizeof sql,
        "SELECT count(*) FROM document_flags AS f JOIN %s AS d ON d.id = f.id LEFT JOIN %s AS r "
        "ON r.id = f.duplicate_of LEFT JOIN document_flags AS g ON g.id = r.id WHERE %s",
        kind->table, kind->table, where);
    const int64_t n = test_integer_in(store, sql);
    return n;
}

static twindex *open_new(const char *name) {
    store = test_file(name);
    unlink(store);
    twindex *t = twindex_new();
    if (!kind->create) assert_int_equal(twindex_init(t, store), TWINDEX_OK);
    fill();
    assert_int_equal(twindex_open(t, store), TWINDEX_OK);
    test_set(t, "guard.max_hidden", "1");
    test_set(t, "near.detector", "none");
    /* equal texts without titles at URLs that name different pages are no copies */
    test_set(t, "verdict.relations", "scheme www canonical redirect exact");
    return t;
}

TEST(r5_no_representative_has_changed) {
    for (size_t k = 0; k < 2 * TWX_COUNTOF(KINDS); k++) {
        char wanted[33], digest[33], equal[200];
        kind = &KINDS[k / 2];
        snprintf(equal, sizeof equal, "f.duplicate_of IS NOT NULL AND r.%s = d.%s", kind->text,
                 kind->text);
        twindex *t = open_new("changed.db");
        if (k % 2) {
            test_run(t, NULL, TWINDEX_OK); /* flags that are replaced */
            edit();
        }
        twindex_on_progress(t, change_once, NULL);
        changes = 1;
        test_run(t, NULL, TWINDEX_OK);
        assert_int_equal(changes, 0);
        assert_int_equal(count("f.duplicate_of IS NOT NULL AND g.representative_b IS NOT 1"), 0);
        assert_int_equal(count("f.duplicate_of IN (0, 4, 8, 9, 20, 21)"), 0);
        assert_int_equal(count("f.duplicate_of = 16"), 3);
        assert_int_equal(count("f.id IN (0, 8, 9) AND f.representative_b = 1"), 0);
        /* duplicates of each group, in that order: the flags still count the changed member of the
         * fourth, whose text is another one now */
        assert_int_equal(count("f.duplicate_of IS NOT NULL"), 2 + 2 + 1 + 3 + 3 + 1);
        assert_int_equal(count(equal), 2 + 2 + 1 + 2 + 3 + 1);
        test_run(t, NULL, TWINDEX_OK);
        assert_int_equal(count("f.duplicate_of IS NOT NULL"), 2 + 2 + 1 + 2 + 3 + 1);
        test_digest(t, digest);
        twindex_free(t);
        t = open_new("wanted.db");
        if (k % 2) edit();
        change();
        test_run(t, NULL, TWINDEX_OK);
        test_digest(t, wanted);
        assert_string_equal(digest, wanted);
        twindex_free(t);
    }
}
