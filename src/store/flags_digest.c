#include "store/flags_digest.h"

#include "sql_text.h"
#include "store/generations.h"
#include "store/stmt.h"
#include "store/template.h"

enum { SQL_BYTES = 1 << 14 };

static twx_hash128 hash_row(sqlite3_stmt *stmt, uint64_t seed) {
    twx_hash128 h = {seed, ~seed};
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
        twx_value v = twx_column_value(stmt, i);
        h.lo = twx_mix64(h.lo, twx_value_hash(&v, (uint64_t)i));
        h.hi = twx_mix64(h.hi, twx_value_hash(&v, ~(uint64_t)i));
    }
    return h;
}

static twx_rc add_rows(twx_db *db, const char *sql, uint64_t seed, twx_hash128 *sum) {
    const twx_template t = {.generation = 'a', .direct = true}; /* neither is used */
    sqlite3_stmt *stmt = NULL;
    twx_buf filled;
    twx_buf_init(&filled, SQL_BYTES);
    twx_rc rc = twx_template_fill(db->cx, &filled, sql, &t);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, filled.p, &stmt);
    twx_buf_done(&filled);
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        twx_hash128 row = hash_row(stmt, seed);
        sum->hi += row.hi + __builtin_add_overflow(sum->lo, row.lo, &sum->lo);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc digest_views(twx_db *db, twx_hash128 *ret_digest) {
    twx_hash128 sum = {0, 0};
    twx_rc rc = add_rows(db, TWX_SQL_QUERY_FLAG_DIGEST_FLAGS, 1, &sum);
    if (rc == TWX_OK) rc = add_rows(db, TWX_SQL_QUERY_FLAG_DIGEST_GROUPS, 2, &sum);
    if (rc == TWX_OK) *ret_digest = sum;
    return rc;
}

twx_rc twx_flags_digest(twx_db *db, twx_hash128 *ret_digest) {
    bool published = false;
    twx_rc rc = twx_db_has(db, "document_flags", &published);
    if (rc == TWX_OK && !published)
        rc = twx_fail(db->cx, TWX_E_DATA,
                      "%s: no run has published flags yet: run 'twindex run' first", db->path);
    return rc == TWX_OK ? digest_views(db, ret_digest) : rc;
}

twx_rc twx_flags_digest_of(twx_ctx *cx, const char *path, const twx_db_options *options,
                           char generation, bool direct, twx_hash128 *ret_digest) {
    twx_db *db = NULL;
    twx_generations *g = NULL;
    twx_rc rc = twx_db_open(cx, path, options, &db);
    if (rc == TWX_OK) rc = twx_generations_open(db, &g);
    if (rc == TWX_OK) rc = twx_generation_view_of(g, generation, direct);
    if (rc == TWX_OK) rc = digest_views(db, ret_digest);
    twx_generations_close(g);
    twx_db_close(db);
    return rc;
}
