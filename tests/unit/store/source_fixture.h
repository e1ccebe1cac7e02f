/* A source opened for a test: its mapping, and what a scan of it reads. */
#ifndef TWINDEX_TEST_SOURCE_FIXTURE_H
#define TWINDEX_TEST_SOURCE_FIXTURE_H

#include "store_fixture.h"

typedef struct fixture {
    twx_ctx cx;
    twx_db *db;
    twx_mapping m;
    twx_source *s;
} fixture;

static inline void put(fixture *f, char **field, const char *text) {
    twx_free(*field);
    *field = text ? twx_strdup(&f->cx, text) : NULL;
}

static inline void map(fixture *f, const char *from, const char *id) {
    put(f, &f->m.from, from);
    put(f, &f->m.map[TWX_COL_ID], id);
    put(f, &f->m.map[TWX_COL_URL], "url");
    put(f, &f->m.map[TWX_COL_TEXT], "content");
}

static inline void begin(fixture *f, const char *path) {
    *f = (fixture){0};
    f->db = open_as(&f->cx, path, TWX_DB_READER);
    map(f, "pages", "id");
}

static inline twx_rc open_source(fixture *f) {
    twx_source_close(f->s);
    f->s = NULL;
    return twx_source_open(f->db, &f->m, &f->s);
}

static void end(fixture *f) {
    twx_source_close(f->s);
    twx_mapping_done(&f->m);
    twx_db_close(f->db);
}

TESTS_OF(fixture, TEST_NOTHING, end);

typedef struct seen {
    size_t n, enough_at;
    int64_t key[64], id[64];
    char id_text[64][16], url[64][32];
    bool has_text;
} seen;

static inline twx_rc note(void *arg, const twx_source_row *row, bool *ret_enough) {
    seen *s = arg;
    const twx_value *id = &row->value[TWX_COL_ID], *url = &row->value[TWX_COL_URL];
    s->key[s->n] = row->scan_key.i;
    s->id[s->n] = id->i;
    snprintf(s->id_text[s->n], 16, TWX_SLICE_FMT, TWX_SLICE_ARG(id->bytes));
    snprintf(s->url[s->n], 32, TWX_SLICE_FMT, TWX_SLICE_ARG(url->bytes));
    s->has_text |= row->value[TWX_COL_TEXT].type != TWX_NULL;
    s->n++;
    *ret_enough = s->enough_at && s->n % s->enough_at == 0;
    return TWX_OK;
}

static inline void read_all(fixture *f, twx_source_want want, uint32_t limit, seen *out) {
    twx_source_cursor cursor = {0};
    const twx_source_batch batch = {.want = want, .limit = limit, .fn = note, .arg = out};
    twx_rc rc = TWX_OK;
    for (int calls = 0; rc == TWX_OK; calls++) {
        assert_true(calls < 100);
        rc = twx_source_read(f->s, &cursor, &batch);
    }
    assert_int_equal(rc, TWX_DONE);
    assert_int_equal(twx_source_read(f->s, &cursor, &batch), TWX_DONE); /* and it stays so */
    twx_source_cursor_done(&cursor);
}

#endif
