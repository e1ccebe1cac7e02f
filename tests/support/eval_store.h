/* tests/support/eval_store.h: a small store of pages for tests of src/wings/lab, opened as an
 * evaluation opens it; and the similarity of two ASCII texts by the textbook table. */
#ifndef TWINDEX_TEST_EVAL_STORE_H
#define TWINDEX_TEST_EVAL_STORE_H

#include "support.h"

#include "lab/lab.h"

typedef struct test_row {
    const char *url, *text; /* text NULL: none */
    int status;             /* 0: none */
    const char *translation;
} test_row;

typedef struct eval_store {
    twx_ctx cx;
    twx_settings settings;
    char path[600];
    twx_job job;
    twx_params params;
    twx_url_rules *rules;
    twx_opened o;
    twx_eval_documents documents;
    twx_eval_texts texts;
} eval_store;

static inline void eval_store_sql(const eval_store *s, const char *sql) {
    sqlite3 *db = NULL;
    assert_ok(sqlite3_open(s->path, &db));
    assert_ok(sqlite3_exec(db, sql, NULL, NULL, NULL));
    sqlite3_close(db);
}

static inline void eval_store_write(const eval_store *s, const test_row *rows, size_t n) {
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL;
    assert_ok(sqlite3_open(s->path, &db));
    assert_ok(sqlite3_exec(db,
                           "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, content "
                           "TEXT, status_code INT, hreflang_group TEXT); BEGIN",
                           NULL, NULL, NULL));
    assert_ok(sqlite3_prepare_v2(db, "INSERT INTO pages VALUES (NULL, ?, ?, nullif(?, 0), ?)", -1,
                                 &insert, NULL));
    for (size_t i = 0; i < n; i++) {
        sqlite3_bind_text(insert, 1, rows[i].url, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 2, rows[i].text, -1, SQLITE_STATIC);
        sqlite3_bind_int(insert, 3, rows[i].status);
        sqlite3_bind_text(insert, 4, rows[i].translation, -1, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    assert_ok(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
    sqlite3_close(db);
}

/* Makes and opens the store, reads documents and texts. `settings`: names and values, NULL. */
static inline void eval_store_open(eval_store *s, const test_row *rows, size_t n,
                                   const char *const *settings) {
    static int made;
    memset(s, 0, sizeof *s);
    snprintf(s->path, sizeof s->path, "%s/%d.db", test_folder(), ++made);
    eval_store_write(s, rows, n);
    twx_ctx_init(&s->cx);
    assert_ok(twx_settings_init(&s->cx, &s->settings));
    for (; settings && *settings; settings += 2)
        assert_ok(twx_settings_set(&s->cx, &s->settings, settings[0], settings[1]));
    s->job = (twx_job){.cx = &s->cx, .settings = &s->settings, .store = s->path};
    assert_ok(twx_params_make(&s->job, &s->params, &s->rules));
    if (twx_open_store(&s->job, TWX_NEED_SOURCE, &s->o) != TWX_OK) fail_msg("%s", s->cx.message);
    assert_ok(twx_eval_documents_read(&s->job, &s->o, &s->params.url, &s->documents));
    const twx_eval_reading how = {.documents = &s->documents};
    assert_ok(twx_eval_texts_read(&how, &s->texts));
}

static inline void eval_store_close(eval_store *s) {
    twx_eval_texts_done(&s->texts);
    twx_eval_documents_done(&s->documents);
    twx_opened_done(&s->o);
    twx_url_rules_close(s->rules);
    twx_settings_done(&s->settings);
}

/* 2 * LCS / (a + b) of two ASCII texts, by the table of all pairs of places. */
static inline double plain_similarity(const char *a, const char *b) {
    const size_t n = strlen(a), m = strlen(b);
    size_t *row = calloc(m + 1, sizeof *row);
    assert_non_null(row);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0, corner = 0; j < m; j++) {
            const size_t above = row[j + 1];
            row[j + 1] = a[i] == b[j] ? corner + 1 : above > row[j] ? above : row[j];
            corner = above;
        }
    const double similarity = n + m ? 2 * (double)row[m] / (double)(n + m) : 1;
    free(row);
    return similarity;
}

#endif
