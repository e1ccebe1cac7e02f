#include "store/store.h"

#include "sql_text.h"

enum { AT_ONCE = 1024, KEEP_BYTES = 1 << 20, COLLISIONS_MAX = 4 };

int64_t twx_remote_number(twx_slice shard, const twx_value *id) {
    const uint64_t hash = twx_mix64(twx_hash64(shard, 0x7368617264 /* "shard" */),
                                    twx_value_hash(id, 0));
    return TWX_REMOTE_LAST - (int64_t)(hash >> 2);
}

static bool same_value(const twx_value *a, const twx_value *b) {
    if (a->type != b->type) return false;
    if (a->type == TWX_INT) return a->i == b->i;
    if (a->type == TWX_REAL) return twx_value_hash(a, 0) == twx_value_hash(b, 0);
    return twx_slice_eq(a->bytes, b->bytes);
}

bool twx_remote_eq(const twx_remote *a, const twx_remote *b) {
    return a->doc == b->doc && twx_slice_eq(a->shard, b->shard) && same_value(&a->id, &b->id) &&
           !a->url.p == !b->url.p && twx_slice_eq(a->url, b->url);
}

twx_rc twx_remote_copy(twx_ctx *cx, twx_arena *a, const twx_remote *remote, twx_remote *ret_copy) {
    twx_remote copy = *remote;
    twx_rc rc = twx_arena_copy(cx, a, remote->shard, &copy.shard);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, a, remote->id.bytes, &copy.id.bytes);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, a, remote->url, &copy.url);
    if (rc == TWX_OK) *ret_copy = copy;
    return rc;
}

/* Other programs can have changed the table. */
static twx_rc take_row(twx_db *db, sqlite3_stmt *stmt, twx_arena *a, twx_remote *ret_remote) {
    const twx_remote row = {.doc = sqlite3_column_int64(stmt, 0),
                            .shard = twx_column_text(stmt, 1),
                            .id = twx_column_value(stmt, 2),
                            .url = twx_column_text(stmt, 3)};
    if (!twx_is_remote(row.doc) || !row.shard.p || row.id.type == TWX_NULL)
        return twx_fail(db->cx, TWX_E_CORRUPT,
                        "%s: twindex_remote has an invalid row (doc %lld): delete it with sqlite3, "
                        "then 'twindex run'",
                        db->path, (long long)row.doc);
    return twx_remote_copy(db->cx, a, &row, ret_remote);
}

/* The name of a generation, whose bytes outlive the statement. */
static twx_slice name_of(char generation) {
    return generation == 'a' ? TWX_SLICE_LIT("a") : TWX_SLICE_LIT("b");
}

twx_rc twx_remotes_any(twx_db *db, char generation, bool *ret_any) {
    sqlite3_stmt *stmt = NULL;
    *ret_any = false;
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_remote", &has);
    if (rc != TWX_OK || !has) return rc;
    rc = twx_db_row(db, TWX_SQL_QUERY_REMOTE_ANY, TWX_VALUES(twx_text(name_of(generation))), &stmt);
    if (rc == TWX_OK) *ret_any = sqlite3_column_int64(stmt, 0) != 0;
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_remote_get(twx_db *db, char generation, int64_t doc, twx_arena *a,
                      twx_remote *ret_remote) {
    sqlite3_stmt *stmt = NULL;
    bool has = false;
    twx_rc rc = twx_is_remote(doc) ? twx_db_has(db, "twindex_remote", &has) : TWX_OK;
    if (rc != TWX_OK || !has) return rc == TWX_OK ? TWX_DONE : rc;
    rc = twx_db_row(db, TWX_SQL_QUERY_REMOTE_GET,
                    TWX_VALUES(twx_text(name_of(generation)), twx_int(doc)), &stmt);
    if (rc == TWX_OK) rc = take_row(db, stmt, a, ret_remote);
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_remote_find(twx_db *db, char generation, twx_slice shard, const twx_value *id,
                       twx_arena *a, twx_remote *ret_remote) {
    int64_t number = twx_remote_number(shard, id);
    for (int i = 0; i < COLLISIONS_MAX && number > INT64_MIN + 1; i++, number--) {
        twx_remote row;
        const twx_rc rc = twx_remote_get(db, generation, number, a, &row);
        if (rc != TWX_OK && rc != TWX_DONE) return rc;
        if (rc == TWX_DONE || !twx_slice_eq(row.shard, shard) || !same_value(&row.id, id)) continue;
        *ret_remote = row;
        return TWX_OK;
    }
    return TWX_DONE;
}

twx_rc twx_remotes_cursor_init(twx_db *db, char generation, twx_remotes_cursor *ret_cursor) {
    bool has = false;
    twx_rc rc = generation ? twx_db_has(db, "twindex_remote", &has) : TWX_OK;
    if (rc != TWX_OK) return rc;
    twx_remotes_cursor c = {.db = db, .generation = generation, .after = INT64_MIN, .end = !has};
    twx_arena_init(&c.bytes, KEEP_BYTES);
    c.rows = has ? twx_malloc(db->cx, AT_ONCE * sizeof *c.rows) : NULL;
    if (has && !c.rows) return TWX_E_NOMEM;
    *ret_cursor = c;
    return TWX_OK;
}

void twx_remotes_cursor_done(twx_remotes_cursor *c) {
    if (!c) return;
    twx_arena_done(&c->bytes);
    twx_free(c->rows);
    *c = (twx_remotes_cursor){0};
}

static twx_rc read_rows(twx_remotes_cursor *c) {
    sqlite3_stmt *stmt = NULL;
    twx_arena_reset(&c->bytes);
    c->at = c->n = 0;
    twx_rc rc = twx_db_bind(
        c->db, TWX_SQL_QUERY_REMOTE_READ,
        TWX_VALUES(twx_text(name_of(c->generation)), twx_int(c->after), twx_int(AT_ONCE)), &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(c->db, stmt)) == TWX_OK) {
        rc = take_row(c->db, stmt, &c->bytes, &c->rows[c->n]);
        c->n += rc == TWX_OK;
    }
    sqlite3_finalize(stmt);
    if (rc != TWX_DONE) return rc;
    c->end = c->n < AT_ONCE;
    if (c->n) c->after = c->rows[c->n - 1].doc;
    return TWX_OK;
}

twx_rc twx_remotes_cursor_next(twx_remotes_cursor *c, const twx_remote **ret_row) {
    const twx_rc rc = c->at == c->n && !c->end ? read_rows(c) : TWX_OK;
    *ret_row = rc == TWX_OK && c->at < c->n ? &c->rows[c->at++] : NULL;
    return rc;
}

twx_rc twx_remotes_put(twx_db *db, char generation, const twx_remote *remotes, size_t n) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_script(db, TWX_SQL_SCHEMA_COLLECTION); /* does nothing if it exists */
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_REMOTE_PUT, &stmt);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_stmt_write(db, stmt,
                            TWX_VALUES(twx_text(name_of(generation)), twx_int(remotes[i].doc),
                                       twx_text(remotes[i].shard), remotes[i].id,
                                       twx_text(remotes[i].url)));
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_remotes_delete(twx_db *db, char generation, const int64_t *docs, size_t n) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_script(db, TWX_SQL_SCHEMA_COLLECTION);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_REMOTE_DELETE, &stmt);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_stmt_write(db, stmt, TWX_VALUES(twx_text(name_of(generation)), twx_int(docs[i])));
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_store_place_read(twx_db *db, twx_arena *a, twx_store_place *ret_place) {
    sqlite3_stmt *stmt = NULL;
    bool has = false;
    *ret_place = (twx_store_place){{NULL, 0}, {0, 0}};
    twx_rc rc = twx_db_has(db, "twindex_collection", &has);
    if (rc != TWX_OK || !has) return rc;
    rc = twx_db_row(db, TWX_SQL_QUERY_COLLECTION_READ, NULL, 0, &stmt);
    if (rc == TWX_OK) {
        ret_place->run[0] = sqlite3_column_int64(stmt, 1);
        ret_place->run[1] = sqlite3_column_int64(stmt, 2);
        rc = twx_arena_copy(db->cx, a, twx_column_text(stmt, 0), &ret_place->shard);
    }
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_store_place_set(twx_db *db, char generation, twx_slice shard, int64_t run) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_collection", &has);
    if (rc == TWX_OK && run) rc = twx_db_script(db, TWX_SQL_SCHEMA_COLLECTION);
    if (rc != TWX_OK || (!run && !has)) return rc;
    const twx_value values[] = {twx_text(name_of(generation)), twx_text(shard), twx_int(run)};
    return run ? twx_db_run(db, TWX_SQL_QUERY_COLLECTION_PUT, values, 3)
               : twx_db_run(db, TWX_SQL_QUERY_COLLECTION_ALONE, values, 1);
}
