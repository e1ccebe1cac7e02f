/* tests/property/store_maker.h: random stores with a known meaning.
 *
 * A world is a set of pages in memory. Each page has cells, the content of a row, and a meaning,
 * the interpretation of the cells: both are drawn together from a seed, so the tests need no parser
 * of their own for URLs, dates or robots directives. One world can be written into stores of
 * several shapes, changed, and written again. More than half of the texts are near-duplicates:
 * edits of one another.
 * Memory: the caller owns a world; everything it returns is valid until it is changed or freed. */
#ifndef TWINDEX_TEST_STORE_MAKER_H
#define TWINDEX_TEST_STORE_MAKER_H

#include "support.h"

#include <sqlite3.h>

#include "twindex/twindex.h"

typedef enum test_shape {
    TEST_OWN, /* our own `documents`, made by twindex_init() */
    /* pages(id INTEGER PRIMARY KEY, ...) with the usual names: found without a mapping */
    TEST_PAGES,
    TEST_NARROW,        /* pages(id, url, title, content, status_code, fetched_at) and no more */
    TEST_TEXT_KEYS,     /* articles(key TEXT PRIMARY KEY, ...) with names of its own */
    TEST_WITHOUT_ROWID, /* items(site, number, ..., PRIMARY KEY(site, number)) WITHOUT ROWID */
    TEST_JSON,          /* docs(key TEXT PRIMARY KEY, body TEXT): everything in a JSON object */
    TEST_SHAPES
} test_shape;

/* The columns of a page, in the order in which stores are written. */
typedef enum test_column {
    TEST_URL,
    TEST_TEXT,
    TEST_TITLE,
    TEST_DESCRIPTION,
    TEST_STATUS,
    TEST_FAILURE,
    TEST_ROBOTS,
    TEST_CANONICAL,
    TEST_REDIRECT,
    TEST_HREFLANG,
    TEST_FETCHED,
    TEST_SCORE,
    TEST_LAYOUT,
    TEST_COLUMNS
} test_column;

enum { TEST_CELL_BYTES = 256, TEST_URL_BYTES = 96, TEST_ID_BYTES = 40 };

typedef struct test_cell {
    int type; /* SQLITE_NULL, SQLITE_INTEGER, ... */
    int64_t i;
    double r;
    size_t n;
    char bytes[TEST_CELL_BYTES];
} test_cell;

typedef struct test_meaning {
    bool usable, web, https, www;
    bool session, print;      /* of the URL */
    char url[TEST_URL_BYTES]; /* normal form; the parts it was made of follow */
    char scheme[8], host[32], domain[32], path[32];
    bool linked, redirect;     /* has a link; it is a redirect */
    char link[TEST_URL_BYTES]; /* normal form of its target; "?": a target that is not a URL */
    int status;                /* 200 when unknown */
    bool failed, noindex, scored, dated;
    double score;
    int64_t fetched_at;
    char hreflang[8], layout[8]; /* "": none */
} test_meaning;

typedef struct test_page {
    int64_t key;  /* its id is made of this */
    int64_t born; /* key it is stored under; differs from key after a change of its id */
    bool alive, stored, dirty;
    bool replaces; /* is written by INSERT OR REPLACE over another page's URL */
    bool pushed;   /* its row disappears when the page that replaces it is written */
    test_cell cell[TEST_COLUMNS];
    test_meaning means;
} test_page;

typedef struct test_world test_world;

test_world *test_world_new(uint64_t seed, test_shape shape);
void test_world_free(test_world *w);
test_rng *test_world_rng(test_world *w);
/* Adds pages. */
void test_world_grow(test_world *w, size_t pages);
/* Adds, changes, renames and drops some pages. */
void test_world_change(test_world *w, size_t changes);
/* The current pages, lowest id first. */
size_t test_world_pages(test_world *w, const test_page *const **ret_pages);
/* The id of a page as the store has it, as text. */
void test_page_id(test_shape shape, int64_t key, char ret_id[TEST_ID_BYTES]);

/* Creates an empty store of the world's shape; the file must not exist. */
void test_store_make(const test_world *w, const char *path);
/* Writes what changed since the last call, in a connection of its own, as a crawler would. */
void test_store_sync(test_world *w, const char *path);
/* Writes all pages into an empty store, in an order determined by the seed. */
void test_store_fill(test_world *w, const char *path, uint64_t seed);
/* Digest of the source tables and of every object of the schema that is not Twindex's. */
uint64_t test_store_source(const test_world *w, const char *path);
/* Digest of the rows of every table of the file; 0 when there is no such file. */
uint64_t test_store_content(const char *path);

/* A handle with the world's mapping, the store open. flags NULL: flags are kept in the store;
 * changed: `changed` is mapped. Fails the test on errors. */
twindex *test_twindex(const test_world *w, const char *store, const char *flags, bool changed);
/* A handle of a store that needs no mapping; no guard stops its runs. Fails the test on errors. */
twindex *test_open_store(const char *path);
void test_set(twindex *t, const char *name, const char *value);
/* Runs; fails the test unless it ends with `wanted`. */
void test_run(twindex *t, const twindex_run_options *options, int wanted);
/* 32 hex digits. */
void test_digest(twindex *t, char ret_digest[33]);
int test_discard(void *arg, const char *bytes, size_t n); /* for twindex_sink.write */

/* SQL for tests. */
sqlite3 *test_open(const char *path);
/* Registers what queries to the text index need. */
void test_text_functions(sqlite3 *db);
void test_exec(sqlite3 *db, const char *sql);
int64_t test_integer(sqlite3 *db, const char *sql); /* first column of the first row; 0 when NULL */
/* The same by a connection of its own. */
void test_exec_in(const char *path, const char *sql);
int64_t test_integer_in(const char *path, const char *sql);
/* Path of a file in this test's folder, which is emptied. Borrowed until exit; at most 16. */
const char *test_file(const char *name);
/* Removes the journals and the lock file of a store, not the store. */
void test_remove_leftovers(const char *path);

#endif
