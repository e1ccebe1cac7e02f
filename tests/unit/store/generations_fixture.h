/* What tests of generations share: a store with the tables of Twindex, open for writing. */
#ifndef TWINDEX_TEST_GENERATIONS_FIXTURE_H
#define TWINDEX_TEST_GENERATIONS_FIXTURE_H

#include "store_fixture.h"

typedef struct fixture {
    twx_ctx cx;
    const char *path;
    twx_db *db;
    twx_generations *g;
    twx_arena bytes;
    char base; /* the published generation, for tests that publish again and again */
} fixture;

static void setup(fixture *f) {
    f->path = store_of("generations.db", "CREATE TABLE pages(id INTEGER PRIMARY KEY, url)");
    f->db = open_migrated(&f->cx, f->path);
    expect_ok(&f->cx, twx_generations_open(f->db, &f->g));
    twx_arena_init(&f->bytes, 0);
}

static void teardown(fixture *f) {
    twx_arena_done(&f->bytes);
    twx_generations_close(f->g);
    twx_db_close(f->db);
}

TESTS_OF(fixture, setup, teardown);

#endif
