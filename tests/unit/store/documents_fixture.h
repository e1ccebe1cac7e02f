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

static inline int setup(void **state) {
    static fixture f;
    const twx_db_options make = {.mode = TWX_DB_OWNER, .create = true};
    f = (fixture){.path = test_file("documents.db")};
    twx_ctx_init(&f.cx);
    expect_ok(&f.cx, twx_db_open(&f.cx, f.path, &make, &f.db));
    expect_ok(&f.cx, twx_make_documents(f.db));
    expect_ok(&f.cx, twx_documents_open(&f.cx, f.db, &f.d));
    *state = &f;
    return 0;
}

static inline int teardown(void **state) {
    fixture *f = *state;
    twx_documents_close(f->d);
    twx_db_close(f->db);
    return 0;
}

/* A new import. */
static inline void import_again(fixture *f) {
    expect_ok(&f->cx, twx_documents_commit(f->d));
    twx_documents_close(f->d);
    f->d = NULL;
    expect_ok(&f->cx, twx_documents_open(&f->cx, f->db, &f->d));
}

#endif
