/* A store of our own, open for import. */
#ifndef TWINDEX_TEST_DOCUMENTS_FIXTURE_H
#define TWINDEX_TEST_DOCUMENTS_FIXTURE_H

#include "store_fixture.h"

typedef struct fixture {
    twx_ctx cx;
    const char *path;
    twx_db *db;
    twx_documents *d;
} fixture;

static void setup(fixture *f) {
    const twx_db_options make = {.mode = TWX_DB_OWNER, .create = true};
    f->path = test_file("documents.db");
    expect_ok(&f->cx, twx_db_open(&f->cx, f->path, &make, &f->db));
    expect_ok(&f->cx, twx_make_documents(f->db));
    expect_ok(&f->cx, twx_documents_open(&f->cx, f->db, &f->d));
}

static void teardown(fixture *f) {
    twx_documents_close(f->d);
    twx_db_close(f->db);
}

TESTS_OF(fixture, setup, teardown);

/* A new import. */
static inline void import_again(fixture *f) {
    expect_ok(&f->cx, twx_documents_commit(f->d));
    twx_documents_close(f->d);
    f->d = NULL;
    expect_ok(&f->cx, twx_documents_open(&f->cx, f->db, &f->d));
}

#endif
