#include "store/prepared.h"

#include <inttypes.h>
#include <stdio.h>

#include "sql_text.h"
#include "store/stmt.h"

void twx_digest_text(const twx_hash128 *digest, char ret_text[TWX_DIGEST_TEXT_BYTES]) {
    snprintf(ret_text, TWX_DIGEST_TEXT_BYTES, "%016" PRIx64 "%016" PRIx64, digest->hi, digest->lo);
}

bool twx_digest_read(twx_slice text, twx_hash128 *ret_digest) {
    uint64_t half[2] = {0, 0};
    if (text.n != TWX_DIGEST_TEXT_BYTES - 1) return false;
    for (size_t i = 0; i < text.n; i++) {
        const int digit = twx_hex_value((unsigned char)text.p[i]);
        if (digit < 0) return false;
        half[i / 16] = half[i / 16] << 4 | (uint64_t)digit;
    }
    *ret_digest = (twx_hash128){.hi = half[0], .lo = half[1]};
    return true;
}

static twx_rc put(twx_db *db, const twx_prepared *p) {
    sqlite3_stmt *stmt = NULL;
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_prepared", &has);
    if (rc == TWX_OK && !has) rc = twx_db_script(db, TWX_SQL_SCHEMA_PREPARED);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_PREPARED_PUT, &stmt);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 1, p->claim.token);
    if (rc == TWX_OK && p->claim.base)
        rc = twx_bind_text(db, stmt, 2, (twx_slice){&p->claim.base, 1});
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 3, p->claim.run);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 4, p->judgement);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 5, p->shard);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 6, (int64_t)p->documents);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 7, twx_slice_of(p->digest));
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 8, twx_slice_of(p->summary));
    if (rc == TWX_OK) rc = twx_stmt_run(db, stmt);
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_prepared_keep(twx_generations *g, twx_db *db, const twx_prepared *prepared,
                         int64_t ended_at) {
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK)
        rc = twx_generation_end_prepared(g, &prepared->claim, ended_at, prepared->summary);
    if (rc == TWX_OK) rc = put(db, prepared);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    return rc;
}

/* Other programs can have changed the table. */
static twx_rc take_row(twx_db *db, sqlite3_stmt *stmt, twx_arena *a, twx_prepared *ret_prepared) {
    const twx_slice base = twx_column_text(stmt, 1), digest = twx_column_text(stmt, 6);
    const int64_t shard = sqlite3_column_int64(stmt, 4), documents = sqlite3_column_int64(stmt, 5);
    twx_prepared p = {.claim = {.token = sqlite3_column_int64(stmt, 0),
                                .base = base.n ? base.p[0] : '\0',
                                .run = sqlite3_column_int64(stmt, 2)},
                      .judgement = sqlite3_column_int64(stmt, 3),
                      .shard = (uint32_t)shard,
                      .documents = (uint64_t)documents};
    twx_hash128 sum;
    twx_slice summary = {NULL, 0};
    twx_rc rc = twx_arena_copy(db->cx, a, twx_column_text(stmt, 7), &summary);
    if (rc != TWX_OK) return rc;
    if (!twx_digest_read(digest, &sum) || shard < 1 || shard > UINT16_MAX || documents < 0 ||
        !summary.p || (p.claim.base && p.claim.base != 'a' && p.claim.base != 'b'))
        return twx_fail(db->cx, TWX_E_CORRUPT,
                        "%s: twindex_prepared has an invalid row: delete it with sqlite3, then "
                        "'twindex cluster pull'",
                        db->path);
    twx_digest_text(&sum, p.digest);
    p.summary = summary.p;
    *ret_prepared = p;
    return TWX_OK;
}

twx_rc twx_prepared_read(twx_generations *g, twx_db *db, twx_arena *a, twx_prepared *ret_prepared) {
    sqlite3_stmt *stmt = NULL;
    twx_prepared p = {.judgement = 0};
    twx_state state;
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_prepared", &has);
    if (rc != TWX_OK || !has) return rc == TWX_OK ? TWX_DONE : rc;
    rc = twx_state_read(g, &state);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_PREPARED_READ, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) rc = take_row(db, stmt, a, &p);
    sqlite3_finalize(stmt);
    if (rc != TWX_OK) return rc;
    if (p.claim.token != state.token || p.claim.base != state.generation) return TWX_DONE;
    *ret_prepared = p;
    return TWX_OK;
}
