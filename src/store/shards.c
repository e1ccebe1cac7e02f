#include "store/store.h"

#include "sql_text.h"

/* ==== store_key */

static twx_rc read_key(twx_db *db, int64_t *ret_key) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_store_key", &has);
    if (rc != TWX_OK || !has) return rc == TWX_OK ? TWX_DONE : rc;
    return twx_db_integer(db, TWX_SQL_QUERY_STORE_KEY_READ, ret_key);
}

twx_rc twx_store_key(twx_db *db, uint64_t *ret_key) {
    int64_t key = 0;
    twx_rc rc = read_key(db, &key);
    if (rc == TWX_DONE) {
        rc = twx_db_transact(db, TWX_SQL_SCHEMA_STORE_KEY);
        if (rc == TWX_OK) rc = read_key(db, &key);
        if (rc == TWX_DONE)
            rc = twx_fail(db->cx, TWX_E_CORRUPT,
                          "%s: twindex_store_key cannot be given a row: drop it with sqlite3, "
                          "then push again",
                          db->path);
    }
    if (rc == TWX_OK) *ret_key = (uint64_t)key;
    return rc;
}

/* ==== prepared */

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

twx_rc twx_prepared_keep(twx_generations *g, twx_db *db, const twx_prepared *prepared,
                         int64_t ended_at) {
    const twx_prepared *p = prepared;
    const twx_slice base = {p->claim.base ? &p->claim.base : NULL, 1};
    bool has = false;
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_generation_end_prepared(g, &p->claim, ended_at, p->summary);
    if (rc == TWX_OK) rc = twx_db_has(db, "twindex_prepared", &has);
    if (rc == TWX_OK && !has) rc = twx_db_script(db, TWX_SQL_SCHEMA_PREPARED);
    if (rc == TWX_OK)
        rc = twx_db_run(db, TWX_SQL_QUERY_PREPARED_PUT,
                        TWX_VALUES(twx_int(p->claim.token), twx_text(base), twx_int(p->claim.run),
                                   twx_int(p->judge_run), twx_int(p->shard),
                                   twx_int((int64_t)p->documents), twx_text_of(p->digest),
                                   twx_text_of(p->summary)));
    return twx_db_end(db, rc);
}

/* Other programs can have changed the table. */
static twx_rc take_row(twx_db *db, sqlite3_stmt *stmt, twx_arena *a, twx_prepared *ret_prepared) {
    const twx_slice base = twx_column_text(stmt, 1), digest = twx_column_text(stmt, 6);
    const int64_t shard = sqlite3_column_int64(stmt, 4), documents = sqlite3_column_int64(stmt, 5);
    twx_prepared p = {.claim = {.token = sqlite3_column_int64(stmt, 0),
                                .base = base.n ? base.p[0] : '\0',
                                .run = sqlite3_column_int64(stmt, 2)},
                      .judge_run = sqlite3_column_int64(stmt, 3),
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
    twx_prepared p = {.judge_run = 0};
    twx_state state;
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_prepared", &has);
    if (rc != TWX_OK || !has) return rc == TWX_OK ? TWX_DONE : rc;
    rc = twx_state_read(g, &state);
    if (rc == TWX_OK) rc = twx_db_row(db, TWX_SQL_QUERY_PREPARED_READ, NULL, 0, &stmt);
    if (rc == TWX_OK) rc = take_row(db, stmt, a, &p);
    sqlite3_finalize(stmt);
    if (rc != TWX_OK) return rc;
    if (p.claim.token != state.token || p.claim.base != state.generation) return TWX_DONE;
    *ret_prepared = p;
    return TWX_OK;
}

/* ==== vote_ledger */

static const char *const NAMES[] = {
    [TWX_VOTE_NONE] = "", [TWX_VOTE_PREPARED] = "prepared", [TWX_VOTE_AGAIN] = "again"};

struct twx_vote_ledger {
    twx_ctx *cx;
    twx_db *db;
};

/* [R3] The version is read first: another process may make the tables meanwhile. */
static twx_rc make_tables(twx_db *db) {
    int64_t version = 0;
    bool has = false;
    twx_rc rc = twx_db_integer(db, "PRAGMA schema_version", &version);
    if (rc == TWX_OK) rc = twx_db_has(db, "twindex_vote", &has);
    if (rc != TWX_OK || has) return rc;
    if (version != 0)
        return twx_fail(db->cx, TWX_E_CONFIG,
                        "%s is not a ledger but another database: set cluster.ledger to a file of "
                        "its own",
                        db->path);
    return twx_db_transact(db, TWX_SQL_SCHEMA_VOTE_LEDGER);
}

twx_rc twx_vote_ledger_open(twx_ctx *cx, const char *path, uint32_t busy_ms,
                            twx_vote_ledger **ret_ledger) {
    const twx_db_options options = {
        .mode = TWX_DB_WRITER, .create = true, .network = true, .busy_ms = busy_ms};
    twx_vote_ledger *ledger = twx_calloc(cx, 1, sizeof *ledger);
    if (!ledger) return TWX_E_NOMEM;
    ledger->cx = cx;
    twx_rc rc = twx_db_open(cx, path, &options, &ledger->db);
    if (rc == TWX_OK) rc = make_tables(ledger->db);
    TWX_HAND_OVER(rc, ret_ledger, ledger, twx_vote_ledger_close(ledger));
    return rc;
}

void twx_vote_ledger_close(twx_vote_ledger *ledger) {
    if (!ledger) return;
    twx_db_close(ledger->db);
    twx_free(ledger);
}

/* Other programs can have changed the file. */
static twx_rc take_vote(twx_db *db, sqlite3_stmt *stmt, twx_vote *ret_vote) {
    const twx_slice name = twx_column_text(stmt, 1), digest = twx_column_text(stmt, 3);
    const int64_t shard = sqlite3_column_int64(stmt, 0), documents = sqlite3_column_int64(stmt, 2);
    twx_hash128 sum = {0, 0};
    twx_vote v = {.shard = (uint32_t)shard,
                  .documents = (uint64_t)documents,
                  .voted_at = sqlite3_column_int64(stmt, 4),
                  .published_at = sqlite3_column_int64(stmt, 5)};
    size_t kind = 0;
    while (kind < TWX_COUNTOF(NAMES) && !twx_slice_eq(name, twx_slice_of(NAMES[kind]))) kind++;
    if (!name.p) kind = TWX_VOTE_NONE;
    v.kind = (twx_vote_kind)kind;
    if (kind == TWX_COUNTOF(NAMES) || shard < 1 || shard > UINT16_MAX || documents < 0 ||
        (v.kind == TWX_VOTE_PREPARED && !twx_digest_read(digest, &sum)))
        return twx_fail(db->cx, TWX_E_CORRUPT,
                        "%s: twindex_vote has an invalid row (shard %" PRId64
                        "): delete it with sqlite3, then 'twindex cluster pull' that shard",
                        db->path, shard);
    if (v.kind == TWX_VOTE_PREPARED) twx_digest_text(&sum, v.digest);
    *ret_vote = v;
    return TWX_OK;
}

static twx_rc read_ballot(twx_db *db, int64_t run, twx_ballot *ret_ballot) {
    twx_ballot b = {.run = run};
    twx_vote vote;
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_bind(db, TWX_SQL_QUERY_VOTE_EACH, TWX_VALUES(twx_int(run)), &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        b.committed_at = sqlite3_column_int64(stmt, 6);
        rc = take_vote(db, stmt, &vote);
        if (rc == TWX_OK && !TWX_VEC_PUSH(db->cx, &b.votes, vote)) rc = TWX_E_NOMEM;
    }
    rc = twx_stmt_end(stmt, rc);
    TWX_HAND_OVER(rc, ret_ballot, b, TWX_VEC_DONE(&b.votes));
    return rc;
}

twx_rc twx_vote_ledger_read(twx_vote_ledger *ledger, int64_t run, twx_ballot *ret_ballot) {
    return read_ballot(ledger->db, run, ret_ballot);
}

twx_rc twx_vote_ledger_newest(twx_vote_ledger *ledger, int64_t *ret_run, int64_t *ret_committed) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(ledger->db, TWX_SQL_QUERY_VOTE_NEWEST, NULL, 0, &stmt);
    if (rc == TWX_OK) {
        *ret_run = sqlite3_column_int64(stmt, 0);
        *ret_committed = sqlite3_column_int64(stmt, 1);
    }
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_vote_ledger_begin(twx_vote_ledger *ledger, int64_t run, uint32_t shard,
                             const uint32_t *shards, size_t n) {
    twx_db *db = ledger->db;
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_db_run(db, TWX_SQL_QUERY_VOTE_ADD_RUN, TWX_VALUES(twx_int(run)));
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_db_run(db, TWX_SQL_QUERY_VOTE_ADD_SHARD,
                        TWX_VALUES(twx_int(run), twx_int(shards[i])));
    if (rc == TWX_OK) rc = twx_db_run(db, TWX_SQL_QUERY_VOTE_WITHDRAW, TWX_VALUES(twx_int(shard)));
    return twx_db_end(db, rc);
}

twx_rc twx_vote_ledger_vote(twx_vote_ledger *ledger, int64_t run, const twx_vote *vote) {
    twx_db *db = ledger->db;
    const char *digest = vote->kind == TWX_VOTE_PREPARED ? vote->digest : NULL;
    twx_ballot ballot = {.run = 0};
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = read_ballot(db, run, &ballot);
    if (rc == TWX_OK && ballot.committed_at && vote->kind == TWX_VOTE_AGAIN)
        rc = twx_fail(db->cx, TWX_E_DATA, "%s: run %" PRId64 " is committed", db->path, run);
    if (rc == TWX_OK)
        rc = twx_db_run(db, TWX_SQL_QUERY_VOTE_PUT,
                        TWX_VALUES(twx_int(run), twx_int(vote->shard),
                                   twx_text_of(NAMES[vote->kind]),
                                   twx_int((int64_t)vote->documents), twx_text_of(digest),
                                   twx_int(vote->voted_at)));
    if (rc == TWX_OK && sqlite3_changes(db->handle) != 1)
        rc = twx_fail(db->cx, TWX_E_DATA,
                      "%s: the ledger has no vote of shard %" PRIu32 " on run %" PRId64
                      ": if the ledger is new, judge again and pull all stores",
                      db->path, vote->shard, run);
    TWX_VEC_DONE(&ballot.votes);
    return twx_db_end(db, rc);
}

static bool all_prepared(const twx_ballot *ballot) {
    for (size_t i = 0; i < ballot->votes.n; i++)
        if (ballot->votes.at[i].kind != TWX_VOTE_PREPARED) return false;
    return ballot->votes.n > 0;
}

twx_rc twx_vote_ledger_commit(twx_vote_ledger *ledger, int64_t run, int64_t now,
                              twx_ballot *ret_ballot) {
    twx_db *db = ledger->db;
    twx_ballot ballot = {.run = 0};
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = read_ballot(db, run, &ballot);
    if (rc == TWX_OK && !ballot.committed_at && all_prepared(&ballot)) {
        rc = twx_db_run(db, TWX_SQL_QUERY_VOTE_COMMIT, TWX_VALUES(twx_int(run), twx_int(now)));
        ballot.committed_at = now;
    }
    rc = twx_db_end(db, rc);
    TWX_HAND_OVER(rc, ret_ballot, ballot, TWX_VEC_DONE(&ballot.votes));
    return rc;
}

twx_rc twx_vote_ledger_published(twx_vote_ledger *ledger, int64_t run, uint32_t shard,
                                 int64_t now) {
    twx_rc rc = twx_db_begin(ledger->db);
    if (rc == TWX_OK)
        rc = twx_db_run(ledger->db, TWX_SQL_QUERY_VOTE_PUBLISHED,
                        TWX_VALUES(twx_int(run), twx_int(shard), twx_int(now)));
    return twx_db_end(ledger->db, rc);
}
