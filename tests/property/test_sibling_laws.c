/* Stores of siblings: templates filled with names, and copies of these pages (mirrors with a banner
 * and a date, print views, session ids). Law: of each name exactly one page is visible, the best of
 * the name's own pages. Order of rows, threads, memory and history do not matter. */
#include "store_maker.h"

#include "judge/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STORES = TEST_SANITIZED ? 15 : 60,
    HISTORIES = TEST_SANITIZED ? 5 : 20,
    PAGES_MAX = 400,
    NAMES_MAX = 30, /* of a template */
    BODY_WORDS = 90,
    NAME_BYTES = 16,
    TEXT_BYTES = 4096,
    URL_MAX = 160
};

typedef struct page {
    size_t name;
    char url[URL_MAX], title[96], headings[96], text[TEXT_BYTES];
} page;

enum { CONSTANT = 3 /* the form of titles that consist of the site's name only */ };

/* Where the names are. In the other places but titles, titles are constant. */
typedef enum name_place { IN_TITLES, IN_TEXTS, IN_HEADINGS } name_place;

typedef struct site {
    name_place place;
    uint64_t seed;
    test_rng rng;
    size_t n, names;
    page at[PAGES_MAX];
} site;

typedef enum copy_kind { ORIGINAL, MIRROR, PRINT, SESSION, COPIES } copy_kind;

/* A pronounceable word that is drawn only once: its number is part of it. */
static void invent(site *s, size_t number, char ret_word[NAME_BYTES]) {
    static const char CONSONANTS[] = "bdfgklmnprstvz", VOWELS[] = "aeiou";
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        ret_word[n++] = CONSONANTS[test_rng_below(&s->rng, 14)];
        ret_word[n++] = VOWELS[test_rng_below(&s->rng, 5)];
    }
    for (size_t left = number + 1; left; left /= 14) {
        ret_word[n++] = CONSONANTS[left % 14];
        ret_word[n++] = VOWELS[left % 5];
    }
    ret_word[n] = '\0';
}

typedef struct template {
    size_t number;
    char host[32], site_name[NAME_BYTES];
    char words[BODY_WORDS][NAME_BYTES];
    bool names_in_urls, logo; /* logo: the site's name is a heading, too */
    name_place place;
    size_t title_form;
}
template;

static void draw_template(site *s, size_t number, template *t) {
    t->number = number;
    snprintf(t->host, sizeof t->host, "site%zu.example", number);
    invent(s, 9000 + number, t->site_name);
    for (size_t i = 0; i < BODY_WORDS; i++) invent(s, 10000 + number * BODY_WORDS + i, t->words[i]);
    t->names_in_urls = test_rng_below(&s->rng, 2);
    t->place = s->place;
    t->title_form = s->place != IN_TITLES ? CONSTANT : test_rng_below(&s->rng, CONSTANT);
    t->logo = s->place == IN_HEADINGS && test_rng_below(&s->rng, 2);
}

/* The template's words, with the name at the beginning, in the middle and at the end. A name that
 * is in a heading is in the text once, where only the heading says that it is the name. */
static void write_text(const template *t, const char *name, copy_kind kind, size_t day,
                       char ret_text[TEXT_BYTES]) {
    size_t n = 0;
    if (kind == MIRROR)
        n += (size_t)snprintf(ret_text, TEXT_BYTES, "Mirror, retrieved on 2024-05-%02zu. ", day);
    if (t->place == IN_HEADINGS)
        n += (size_t)snprintf(ret_text + n, TEXT_BYTES - n, "More about %s here: ", name);
    for (size_t i = 0; i < BODY_WORDS; i++) {
        if (t->place != IN_HEADINGS && i % (BODY_WORDS / 3) == 0)
            n += (size_t)snprintf(ret_text + n, TEXT_BYTES - n, "The %s page. ", name);
        n += (size_t)snprintf(ret_text + n, TEXT_BYTES - n, "%s%s", t->words[i],
                              i % 10 == 9 ? ". " : " ");
    }
    snprintf(ret_text + n, TEXT_BYTES - n, kind == PRINT ? "Print this page." : "End.");
}

static void add_page(site *s, const template *t, const char *name, copy_kind kind) {
    page *p = &s->at[s->n++];
    char leaf[48], query[48] = "";
    p->name = s->names;
    if (t->names_in_urls)
        snprintf(leaf, sizeof leaf, "%s.html", name);
    else
        snprintf(leaf, sizeof leaf, "page%zu.html", s->names);
    if (kind == PRINT) snprintf(query, sizeof query, "?print=1");
    if (kind == SESSION)
        snprintf(query, sizeof query, "?sid=%016llx", (unsigned long long)test_rng_next(&s->rng));
    if (kind == MIRROR)
        snprintf(p->url, sizeof p->url, "http://mirror%zu.example/%s/%s", t->number, t->host, leaf);
    else
        snprintf(p->url, sizeof p->url, "https://%s/docs/%s%s", t->host, leaf, query);
    if (t->title_form == 0) snprintf(p->title, sizeof p->title, "%s - %s", name, t->site_name);
    if (t->title_form == 1)
        snprintf(p->title, sizeof p->title, "%s | The %s handbook", name, t->site_name);
    if (t->title_form == CONSTANT)
        snprintf(p->title, sizeof p->title, "The %s handbook", t->site_name);
    if (t->title_form == 2) snprintf(p->title, sizeof p->title, "%s", name);
    if (t->place == IN_HEADINGS)
        snprintf(p->headings, sizeof p->headings, "%s%s%s", t->logo ? t->site_name : "",
                 t->logo ? "\n" : "", name);
    write_text(t, name, kind, 1 + test_rng_below(&s->rng, 28), p->text);
}

static void draw_site(site *s, uint64_t seed, name_place place) {
    memset(s, 0, sizeof *s);
    s->place = place;
    s->seed = seed;
    s->rng = test_rng_seed(seed);
    const size_t templates = 1 + test_rng_below(&s->rng, 3);
    for (size_t k = 0; k < templates; k++) {
        static template t;
        const size_t names = 2 + test_rng_below(&s->rng, NAMES_MAX - 1);
        draw_template(s, k, &t);
        for (size_t i = 0; i < names; i++, s->names++) {
            char name[NAME_BYTES];
            invent(s, s->names, name);
            add_page(s, &t, name, ORIGINAL);
            for (copy_kind kind = MIRROR; kind < COPIES; kind++)
                if (test_rng_below(&s->rng, 2)) add_page(s, &t, name, kind);
        }
    }
}

/* ---- stores ------------------------------------------------------------- */

/* Writes pages [from, to) of an order. */
static void write_pages(const site *s, const char *path, const uint64_t *order, size_t from,
                        size_t to) {
    sqlite3 *db = test_open(path);
    sqlite3_stmt *stmt = NULL;
    test_exec(db, "CREATE TABLE IF NOT EXISTS pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, "
                  "headings TEXT, text TEXT); BEGIN");
    assert_ok(
        sqlite3_prepare_v2(db, "INSERT INTO pages VALUES(?1, ?2, ?3, ?4, ?5)", -1, &stmt, NULL));
    for (size_t i = from; i < to; i++) {
        const page *p = &s->at[order[i]];
        sqlite3_bind_int64(stmt, 1, (int64_t)order[i] + 1);
        sqlite3_bind_text(stmt, 2, p->url, -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 3, p->title, -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 4, *p->headings ? p->headings : NULL, -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 5, p->text, -1, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    test_exec(db, "COMMIT");
    sqlite3_close(db);
}

/* The numbers of the pages, in order. */
static void in_order(const site *s, uint64_t *order) {
    for (size_t i = 0; i < s->n; i++) order[i] = i;
}

static void print_pages(const site *s, size_t a, size_t b) {
    for (int i = 0; i < 2; i++) {
        const page *p = &s->at[i ? b : a];
        print_message("%s\n  %s\n  %s\n", p->url, p->title, p->text);
    }
}

/* Exactly one visible page a name, and each page refers to one of its own name. */
static void check_visible(const site *s, const char *path, size_t *ret_hidden) {
    size_t *visible = calloc(s->names, sizeof *visible);
    sqlite3 *db = test_open(path);
    sqlite3_stmt *stmt = NULL;
    assert_non_null(visible);
    assert_ok(sqlite3_prepare_v2(
        db, "SELECT id, representative_b, duplicate_of FROM document_flags ORDER BY id", -1, &stmt,
        NULL));
    for (size_t i = 0; i < s->n; i++) {
        assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int64(stmt, 0), i + 1);
        visible[s->at[i].name] += sqlite3_column_int(stmt, 1) == 1;
        if (sqlite3_column_int(stmt, 1)) continue;
        const size_t other = (size_t)sqlite3_column_int64(stmt, 2) - 1;
        ++*ret_hidden;
        if (s->at[other].name == s->at[i].name) continue;
        print_pages(s, i, other);
        fail_msg("seed %" PRIu64 ": %s is hidden behind %s", s->seed, s->at[i].title,
                 s->at[other].title);
    }
    for (size_t i = 0; i < s->n; i++) {
        if (visible[s->at[i].name] == 1) continue;
        for (size_t k = 0; k < s->n; k++)
            if (s->at[k].name == s->at[i].name)
                print_message("%zu %s | %s\n", k + 1, s->at[k].url, s->at[k].text);
        fail_msg("seed %" PRIu64 ": %zu pages of '%s' are visible", s->seed, visible[s->at[i].name],
                 s->at[i].title);
    }
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    free(visible);
}

/* ---- the laws ----------------------------------------------------------- */

static void visible_in_stores(uint64_t first, name_place place) {
    static site s;
    size_t hidden = 0, pages = 0;
    for (uint64_t seed = first; seed < first + STORES; seed++) {
        uint64_t order[PAGES_MAX];
        const char *path = test_file("siblings.db");
        draw_site(&s, seed, place);
        in_order(&s, order);
        write_pages(&s, path, order, 0, s.n);
        twindex *t = test_open_store(path);
        test_run(t, NULL, TWINDEX_OK);
        check_visible(&s, path, &hidden);
        twindex_free(t);
        pages += s.n;
    }
    print_message("%zu pages, %zu hidden\n", pages, hidden);
    assert_true(hidden > pages / 3);
}

TEST(one_page_a_name_is_visible) {
    visible_in_stores(1, IN_TITLES);
}

/* All pages have one title: the names are in the texts only. */
TEST(one_page_a_name_is_visible_although_titles_are_constant) {
    visible_in_stores(501, IN_TEXTS);
}

TEST(one_page_a_name_is_visible_although_only_headings_say_names) {
    visible_in_stores(751, IN_HEADINGS);
}

/* The digest of all flags after the pages were added in this order and in so many runs. */
static void flags_after(const site *s, const char *const setting[2], const uint64_t *order,
                        size_t runs, const char *memory, const char *threads, char ret_digest[33]) {
    const char *path = test_file("siblings.db");
    twindex *t = NULL;
    for (size_t run = 0, from = 0; run < runs; run++) {
        const size_t to = run + 1 == runs ? s->n : s->n * (run + 1) / runs;
        write_pages(s, path, order, from, to);
        from = to;
        t = test_open_store(path);
        test_set(t, "run.memory", memory);
        test_set(t, "run.jobs", threads);
        test_set(t, setting[0], setting[1]);
        test_run(t, NULL, TWINDEX_OK);
        if (run + 1 == runs) test_digest(t, ret_digest);
        twindex_free(t);
    }
}

/* ---- versions ----------------------------------------------------------- */

enum { BASES = 12, VERSIONS = 5 };

/* Pages whose titles are equal except for their versions. by_folder: each version has a folder, so
 * that they are editions; all bases have two or more then. *ret_newest: by base, the page with its
 * newest version. */
static void draw_versions(site *s, uint64_t seed, bool by_folder, size_t ret_newest[BASES],
                          size_t *ret_bases) {
    static template t;
    memset(s, 0, sizeof *s);
    s->seed = seed;
    s->rng = test_rng_seed(seed);
    draw_template(s, 0, &t);
    *ret_bases = by_folder ? VERSIONS + test_rng_below(&s->rng, BASES - VERSIONS)
                           : 1 + test_rng_below(&s->rng, BASES);
    for (size_t base = 0; base < *ret_bases; base++) {
        char name[NAME_BYTES];
        uint64_t order[VERSIONS] = {1, 2, 9, 10, 11};
        const size_t n = by_folder ? 2 + test_rng_below(&s->rng, VERSIONS - 1)
                                   : 1 + test_rng_below(&s->rng, VERSIONS);
        size_t best = 0;
        invent(s, base, name);
        test_rng_shuffle(&s->rng, order, VERSIONS);
        for (size_t i = 0; i < n; i++, s->names++) {
            page *p = &s->at[s->n];
            p->name = base;
            if (by_folder)
                snprintf(p->url, sizeof p->url, "https://%s/1.%zu/%s.html", t.host,
                         (size_t)order[i], name);
            else
                snprintf(p->url, sizeof p->url, "https://%s/%s/1.%zu.html", t.host, name,
                         (size_t)order[i]);
            snprintf(p->title, sizeof p->title, "%s 1.%zu release notes", name, (size_t)order[i]);
            write_text(&t, name, ORIGINAL, 1, p->text);
            snprintf(p->text + strlen(p->text), TEXT_BYTES - strlen(p->text), " This is %s 1.%zu.",
                     name, (size_t)order[i]);
            if (order[i] > best) ret_newest[base] = s->n;
            best = order[i] > best ? order[i] : best;
            s->n++;
        }
    }
}

TEST(every_version_survives) {
    static site s;
    for (uint64_t seed = 2001; seed < 2000 + STORES / 2; seed++) {
        size_t newest[BASES] = {0}, bases = 0;
        uint64_t order[PAGES_MAX];
        const char *path = test_file("versions.db");
        draw_versions(&s, seed, seed % 2, newest, &bases);
        in_order(&s, order);
        write_pages(&s, path, order, 0, s.n);
        twindex *t = test_open_store(path);
        test_run(t, NULL, TWINDEX_OK);
        if (test_integer_in(path, "SELECT count(*) FROM document_flags WHERE representative_b") !=
            (int64_t)s.n)
            fail_msg("seed %" PRIu64 ": a version is hidden", seed);
        twindex_free(t);
    }
}

/* Of each page in several editions one document is unique, the newest one; with the relation in the
 * verdict it is the only one that is visible. */
TEST(the_newest_edition_of_a_page_is_unique) {
    static site s;
    for (uint64_t seed = 3001; seed < 3000 + STORES / 2; seed++) {
        size_t newest[BASES] = {0}, bases = 0;
        uint64_t order[PAGES_MAX];
        char sql[300];
        const char *path = test_file("editions.db");
        draw_versions(&s, seed, true, newest, &bases);
        in_order(&s, order);
        write_pages(&s, path, order, 0, s.n);
        twindex *t = test_open_store(path);
        test_set(t, "verdict.relations", "copy edition");
        test_run(t, NULL, TWINDEX_OK);
        sqlite3 *db = test_open(path);
        for (size_t i = 0; i < bases; i++) {
            snprintf(sql, sizeof sql,
                     "SELECT edition_unique_b AND edition_newest_b AND representative_b FROM "
                     "document_flags WHERE id = %zu",
                     newest[i] + 1);
            if (!test_integer(db, sql))
                fail_msg("seed %" PRIu64 ": '%s' is not the newest", seed, s.at[newest[i]].title);
        }
        if (test_integer(db, "SELECT sum(edition_unique_b) FROM document_flags") !=
                (int64_t)bases ||
            test_integer(db, "SELECT sum(representative_b) FROM document_flags") !=
                (int64_t)bases ||
            test_integer(db, "SELECT count(DISTINCT edition_cluster_l) FROM document_flags") !=
                (int64_t)bases)
            fail_msg("seed %" PRIu64 ": not %zu pages", seed, bases);
        sqlite3_close(db);
        twindex_free(t);
    }
}

/* ---- parameters --------------------------------------------------------- */

/* A model that knows of sessions and print views, right or wrong, and of a parameter that no page
 * has; of each site. */
static const char *model(void) {
    static char path[600];
    snprintf(path, sizeof path, "%s", test_file("siblings.model"));
    FILE *f = fopen(path, "w");
    fprintf(f, TWX_PARAMETERS_BEGIN "%016" PRIx64 "\n",
            twx_model_fingerprint(&(twx_url_options){0}));
    for (int i = 0; i < 8; i++)
        fprintf(f,
                "parameter 1000 0 path=site%d.example/docs/ name=sid\n"
                "added 900 1 path=site%d.example/docs/ name=print value=1\n"
                "segment 800 0 path=site%d.example name=docs\n",
                i, i, i);
    fclose(f);
    return path;
}

/* Of each group one document is unique; members are copies, and pages of one name; as the only
 * relation of the verdict it hides the documents that are not unique. */
TEST(documents_equal_but_for_parameters_are_copies) {
    static const char COUNTS[] =
        "SELECT count(*) FROM document_flags AS f WHERE parameters_unique_b IS NOT "
        "representative_b OR (parameters_unique_b AND parameters_copycount_i <> 1 + (SELECT "
        "count(*) FROM document_flags WHERE duplicate_of = f.id)) OR (duplicate_of IS NOT NULL AND "
        "copy_cluster_l <> (SELECT copy_cluster_l FROM document_flags WHERE id = f.duplicate_of))";
    static site s;
    int64_t joined = 0;
    for (uint64_t seed = 4001; seed < 4000 + STORES / 2; seed++) {
        uint64_t order[PAGES_MAX];
        const char *path = test_file("parameters.db");
        draw_site(&s, seed, (name_place)(seed % 3));
        in_order(&s, order);
        write_pages(&s, path, order, 0, s.n);
        twindex *t = test_open_store(path);
        test_set(t, "verdict.relations", "parameters");
        test_set(t, "parameters.model", model());
        test_run(t, NULL, TWINDEX_OK);
        sqlite3 *db = test_open(path);
        if (test_integer(db, COUNTS)) fail_msg("seed %" PRIu64 ": flags contradict", seed);
        for (size_t i = 0; i < s.n; i++) {
            char sql[96];
            snprintf(sql, sizeof sql, "SELECT duplicate_of FROM document_flags WHERE id = %zu",
                     i + 1);
            const int64_t other = test_integer(db, sql);
            joined += other != 0;
            if (other && s.at[other - 1].name != s.at[i].name)
                fail_msg("seed %" PRIu64 ": %s is no %s", seed, s.at[i].url, s.at[other - 1].url);
        }
        sqlite3_close(db);
        twindex_free(t);
    }
    assert_true(joined > 0);
}

/* ---- histories ---------------------------------------------------------- */

TEST(order_threads_memory_and_histories_do_not_matter) {
    static site s;
    const char *const SETTINGS[][2] = {{"near.candidates", "64"}, /* the default */
                                       {"copy.margin", "0"},
                                       {"copy.common", "0.4"},
                                       {"near.join", "link"},
                                       {"parameters.model", model()}};
    for (uint64_t seed = 1001; seed <= 1000 + HISTORIES; seed++) {
        const char *const *setting = SETTINGS[seed % (sizeof SETTINGS / sizeof *SETTINGS)];
        uint64_t order[PAGES_MAX];
        size_t newest[BASES], bases;
        char plain[33], other[33];
        if (seed % 4 == 0)
            draw_versions(&s, seed, seed % 8 == 0, newest, &bases);
        else
            draw_site(&s, seed, (name_place)(seed % 3));
        in_order(&s, order);
        flags_after(&s, setting, order, 1, "1G", "1", plain);
        test_rng_shuffle(&s.rng, order, s.n);
        flags_after(&s, setting, order, 1 + test_rng_below(&s.rng, 4), "16M", "4", other);
        if (strcmp(plain, other) != 0)
            fail_msg("seed %" PRIu64 ", %s = %s: the flags depend on how they came about", seed,
                     setting[0], setting[1]);
    }
}
