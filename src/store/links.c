#include "store/links.h"

#include "base/alloc.h"
#include "sql_text.h"
#include "store/stmt.h"

enum { BATCH_ROWS = 10000, URL_MAX = 1 << 30 };

struct twx_links {
    twx_db *db;
    sqlite3_stmt *any, *drop, *put, *copy;
    uint64_t written;
};

twx_rc twx_links_make(twx_db *db) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_link", &has);
    if (rc != TWX_OK) return rc;
    return twx_db_transact(db, has ? TWX_SQL_QUERY_LINK_SWEEP : TWX_SQL_SCHEMA_LINKS);
}

twx_rc twx_links_open(twx_db *db, twx_links **ret_links) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_link", &has);
    if (rc == TWX_OK && !has) rc = TWX_DONE;
    if (rc != TWX_OK) return rc;
    twx_links *l = twx_calloc(twx_db_ctx(db), 1, sizeof *l);
    if (!l) return TWX_E_NOMEM;
    l->db = db;
    const twx_stmt_row statements[] = {{TWX_SQL_QUERY_LINK_ANY, &l->any},
                                       {TWX_SQL_QUERY_LINK_DROP, &l->drop},
                                       {TWX_SQL_QUERY_LINK_PUT, &l->put},
                                       {TWX_SQL_QUERY_LINK_COPY, &l->copy}};
    if (rc == TWX_OK) rc = twx_stmts_prepare(db, statements, TWX_COUNTOF(statements));
    if (rc != TWX_OK) {
        twx_links_close(l);
        return rc;
    }
    *ret_links = l;
    return TWX_OK;
}

void twx_links_close(twx_links *l) {
    if (!l) return;
    sqlite3_stmt *all[] = {l->any, l->drop, l->put, l->copy};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) sqlite3_finalize(all[i]);
    twx_free(l);
}

uint64_t twx_links_written(const twx_links *l) {
    return l->written;
}

twx_rc twx_links_has_any(twx_links *l, int64_t doc, bool *ret_any) {
    twx_rc rc = twx_bind_int(l->db, l->any, 1, doc);
    if (rc == TWX_OK) rc = twx_stmt_step(l->db, l->any);
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    *ret_any = rc == TWX_OK;
    sqlite3_reset(l->any);
    return TWX_OK;
}

static twx_rc drop(twx_links *l, int64_t doc) {
    twx_rc rc = twx_bind_int(l->db, l->drop, 1, doc);
    return rc == TWX_OK ? twx_stmt_run(l->db, l->drop) : rc;
}

static twx_rc put(twx_links *l, int64_t doc, twx_slice url) {
    twx_rc rc = twx_bind_int(l->db, l->put, 1, doc);
    if (rc == TWX_OK) rc = twx_bind_text(l->db, l->put, 2, url);
    if (rc == TWX_OK) rc = twx_stmt_run(l->db, l->put);
    if (rc == TWX_OK) l->written += (uint64_t)sqlite3_changes(l->db->handle);
    return rc;
}

twx_rc twx_links_replace(twx_links *l, int64_t doc, twx_slice urls) {
    twx_rc rc = drop(l, doc);
    for (size_t from = 0, end; rc == TWX_OK && from < urls.n; from = end + 1) {
        end = twx_slice_find(urls, '\n', from);
        if (end > from) rc = put(l, doc, twx_slice_sub(urls, from, end));
    }
    return rc;
}

twx_rc twx_links_copy(twx_links *l, int64_t from, int64_t doc) {
    if (from == doc) return TWX_OK;
    twx_rc rc = drop(l, doc);
    if (rc == TWX_OK) rc = twx_bind_int(l->db, l->copy, 1, from);
    if (rc == TWX_OK) rc = twx_bind_int(l->db, l->copy, 2, doc);
    return rc == TWX_OK ? twx_stmt_run(l->db, l->copy) : rc;
}

/* ---- reading ------------------------------------------------------------ */

typedef struct reading {
    twx_db *db;
    sqlite3_stmt *each;
    int64_t doc; /* of the last link, with its target in to_url */
    twx_buf to_url;
    twx_link_fn *fn;
    void *arg;
} reading;

/* TWX_DONE: this was the last batch. */
static twx_rc read_batch(reading *r) {
    twx_buf target = r->to_url; /* bound while the next one is written */
    size_t rows = 0;
    twx_buf_init(&r->to_url, target.max);
    twx_rc rc = twx_bind_int(r->db, r->each, 1, r->doc);
    if (rc == TWX_OK) rc = twx_bind_text(r->db, r->each, 2, twx_buf_slice(&target));
    if (rc == TWX_OK) rc = twx_bind_int(r->db, r->each, 3, BATCH_ROWS);
    while (rc == TWX_OK && (rc = twx_stmt_step(r->db, r->each)) == TWX_OK) {
        const twx_slice to = twx_column_text(r->each, 2);
        rows++;
        if (rows == BATCH_ROWS) {
            r->doc = sqlite3_column_int64(r->each, 0);
            rc = twx_buf_add_slice(twx_db_ctx(r->db), &r->to_url, to);
        }
        if (rc == TWX_OK) rc = r->fn(r->arg, twx_column_text(r->each, 1), to);
    }
    sqlite3_reset(r->each);
    sqlite3_clear_bindings(r->each);
    twx_buf_done(&target);
    return rc == TWX_DONE && rows == BATCH_ROWS ? TWX_OK : rc;
}

twx_rc twx_links_each(twx_db *db, twx_link_fn *fn, void *arg) {
    reading r = {.db = db, .doc = INT64_MIN, .fn = fn, .arg = arg};
    bool has = false;
    twx_buf_init(&r.to_url, URL_MAX);
    twx_rc rc = twx_db_has(db, "twindex_link", &has);
    if (rc != TWX_OK || !has) return rc;
    rc = twx_stmt_prepare(db, TWX_SQL_QUERY_LINK_EACH, &r.each);
    while (rc == TWX_OK) {
        rc = twx_cancelled(twx_db_ctx(db));
        if (rc == TWX_OK) rc = read_batch(&r);
    }
    sqlite3_finalize(r.each);
    twx_buf_done(&r.to_url);
    return rc == TWX_DONE ? TWX_OK : rc;
}
