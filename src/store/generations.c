#include "store/internal.h"

#include "sql_text.h"

/* ==== generations */

/* What is stored of a column. Most clusters of copies are those of near-duplicates: then 0, which
 * takes no bytes, is stored as copy_sig. No cluster has the number 0, a hash, but by chance, and it
 * is then shown as that of near-duplicates. */
static inline int64_t flag_stored(const twx_flag_row *row, twx_flag_column c) {
    const bool is_near = c == TWX_FLAG_copy_sig && twx_flag_known(row, TWX_FLAG_near_sig) &&
                         row->v[c] == row->v[TWX_FLAG_near_sig];
    return is_near ? 0 : row->v[c];
}

/* Undoes flag_stored(): a copy_sig of 0 is the row's near_sig. */
static inline void flag_row_was_stored(twx_flag_row *row) {
    const bool is_near = twx_flag_known(row, TWX_FLAG_copy_sig) &&
                         twx_flag_known(row, TWX_FLAG_near_sig) && !row->v[TWX_FLAG_copy_sig];
    if (is_near) row->v[TWX_FLAG_copy_sig] = row->v[TWX_FLAG_near_sig];
}

enum { SQL_BYTES = 1 << 18 };

typedef enum query { READ, GET, COUNT, ROWS, UNSHARED, PART, DROP, SHARE, PUT, STATEMENTS } query;

static const char *const SQL[STATEMENTS] = {
    [READ] = TWX_SQL_QUERY_FLAG_READ,         [GET] = TWX_SQL_QUERY_FLAG_GET,
    [COUNT] = TWX_SQL_QUERY_FLAG_COUNT_GET,   [ROWS] = TWX_SQL_QUERY_FLAG_ROWS,
    [UNSHARED] = TWX_SQL_QUERY_FLAG_UNSHARED, [PART] = TWX_SQL_QUERY_FLAG_PART,
    [DROP] = TWX_SQL_QUERY_FLAG_DROP,         [SHARE] = TWX_SQL_QUERY_FLAG_SHARE,
    [PUT] = TWX_SQL_QUERY_FLAG_PUT,
};

static const char BOTH = 0; /* in the place of a generation: rows that belong to both */
enum { KINDS = 3 };         /* a, b and both */

struct twx_generations {
    twx_db *db;
    sqlite3_stmt *stmt[KINDS][STATEMENTS];
};

static int index_of(char generation) {
    return generation == BOTH ? 2 : generation == 'b';
}

twx_rc twx_generations_open(twx_db *db, twx_generations **ret_generations) {
    twx_generations *g = twx_calloc(db->cx, 1, sizeof *g);
    if (!g) return TWX_E_NOMEM;
    g->db = db;
    *ret_generations = g;
    return TWX_OK;
}

/* Statements are prepared when they are first needed, because a reader may not even prepare one
 * that writes. The values are bound. */
static twx_rc need(twx_generations *g, char generation, query which, const twx_value *values,
                   size_t n, sqlite3_stmt **ret_stmt) {
    sqlite3_stmt **stmt = &g->stmt[index_of(generation)][which];
    const twx_template t = {.generation = generation, .direct = true};
    twx_buf sql = {.max = SQL_BYTES};
    twx_rc rc = *stmt ? TWX_OK : twx_template_fill(g->db->cx, &sql, SQL[which], &t);
    if (rc == TWX_OK && !*stmt) rc = twx_stmt_prepare(g->db, sql.p, stmt);
    twx_buf_done(&sql);
    *ret_stmt = *stmt;
    return rc == TWX_OK ? twx_bind(g->db, *stmt, values, n) : rc;
}

void twx_generations_close(twx_generations *g) {
    if (!g) return;
    for (size_t i = 0; i < KINDS * (size_t)STATEMENTS; i++)
        sqlite3_finalize(g->stmt[i / STATEMENTS][i % STATEMENTS]);
    twx_free(g);
}

/* ---- state -------------------------------------------------------------- */

twx_rc twx_state_read(twx_generations *g, twx_state *ret_state) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(g->db, TWX_SQL_QUERY_STATE_READ, NULL, 0, &stmt);
    if (rc == TWX_OK) {
        twx_slice generation = twx_column_text(stmt, 0), id_kind = twx_column_text(stmt, 5);
        *ret_state = (twx_state){
            .generation = generation.n ? generation.p[0] : '\0',
            .run = {sqlite3_column_int64(stmt, 1), sqlite3_column_int64(stmt, 2)},
            .token = sqlite3_column_int64(stmt, 3),
            .has_fingerprint = sqlite3_column_type(stmt, 4) != SQLITE_NULL,
            .fingerprint = (uint64_t)sqlite3_column_int64(stmt, 4),
            .newest = twx_hash64(twx_column_text(stmt, 6), 0),
        };
        memcpy(ret_state->id_kind, id_kind.p ? id_kind.p : "", id_kind.n < 7 ? id_kind.n : 7);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE
               ? twx_fail(g->db->cx, TWX_E_CORRUPT, "%s: twindex_state is empty", g->db->path)
               : rc;
}

/* fingerprint: NULL binds NULL */
static twx_rc set_fingerprint(twx_generations *g, const char *sql, const uint64_t *fingerprint) {
    const int64_t value = fingerprint ? (int64_t)*fingerprint : 0;
    return twx_db_run(g->db, sql, TWX_VALUES(twx_int_if(fingerprint, value)));
}

twx_rc twx_state_signed(twx_generations *g, const uint64_t *fingerprint) {
    return set_fingerprint(g, TWX_SQL_QUERY_STATE_SIGNED, fingerprint);
}

twx_rc twx_state_judged(twx_generations *g, uint64_t *ret_fingerprint, twx_buf *ret_counts) {
    sqlite3_stmt *stmt = NULL;
    bool known = false;
    twx_rc rc = twx_db_row(g->db, TWX_SQL_QUERY_STATE_JUDGED, NULL, 0, &stmt);
    if (rc == TWX_OK) {
        known = sqlite3_column_type(stmt, 0) != SQLITE_NULL;
        *ret_fingerprint = (uint64_t)sqlite3_column_int64(stmt, 0);
        rc = twx_buf_add_slice(g->db->cx, ret_counts, twx_column_blob(stmt, 1));
    }
    sqlite3_finalize(stmt);
    return rc == TWX_OK && !known ? TWX_DONE : rc;
}

twx_rc twx_state_set_judged(twx_generations *g, const uint64_t *fingerprint) {
    return set_fingerprint(g, TWX_SQL_QUERY_STATE_SET_JUDGED, fingerprint);
}

twx_rc twx_state_note(twx_generations *g) {
    return twx_db_script(g->db, TWX_SQL_QUERY_STATE_NOTE);
}

twx_rc twx_state_begin_judging(twx_generations *g, bool *ret_known) {
    const twx_rc rc = twx_db_script(g->db, TWX_SQL_QUERY_STATE_JUDGING);
    *ret_known = rc == TWX_OK && sqlite3_changes(g->db->handle) == 0;
    return rc;
}

twx_rc twx_state_finish(twx_generations *g, uint64_t fingerprint, uint64_t was) {
    return twx_db_run(g->db, TWX_SQL_QUERY_STATE_FINISH,
                      TWX_VALUES(twx_int((int64_t)fingerprint), twx_int((int64_t)was)));
}

/* ---- rows --------------------------------------------------------------- */

/* Reasons are small numbers; other programs can have changed the tables. */
enum { REASONS_MAX = 64 };

/* The row as it is stored, without the counts of large groups. */
static twx_rc fill_stored(twx_generations *g, sqlite3_stmt *stmt, twx_flag_row *row) {
    static const twx_flag_column REASONS[] = {TWX_FLAG_eligibility, TWX_FLAG_link_state};
    *row = (twx_flag_row){.doc = sqlite3_column_int64(stmt, 0)};
    for (int c = 0; c < TWX_FLAG_COLUMNS; c++) {
        sqlite3_value *value = sqlite3_column_value(stmt, c + 1);
        if (sqlite3_value_type(value) != SQLITE_NULL)
            twx_flag_set(row, (twx_flag_column)c, sqlite3_value_int64(value));
    }
    flag_row_was_stored(row);
    for (size_t i = 0; i < TWX_COUNTOF(REASONS); i++) {
        const char *name = i ? "link_state" : "eligibility";
        const int64_t v = row->v[REASONS[i]];
        if (v < 0 || v >= REASONS_MAX)
            return twx_fail(g->db->cx, TWX_E_CORRUPT,
                            "%s: the stored flags of document number %lld are damaged (%s %lld): "
                            "delete the rows of twindex_flag whose %s is not between 0 and %d "
                            "with sqlite3, then 'twindex run'",
                            g->db->path, (long long)row->doc, name, (long long)v, name,
                            REASONS_MAX - 1);
    }
    return TWX_OK;
}

/* counts: of the generation; NULL: they are looked up. */
static twx_rc fill_row(twx_generations *g, char generation, const twx_group_counts *counts,
                       sqlite3_stmt *stmt, twx_flag_row *row) {
    sqlite3_stmt *one = NULL;
    twx_rc rc = fill_stored(g, stmt, row);
    if (rc == TWX_OK && !counts) rc = need(g, generation, COUNT, NULL, 0, &one);
    return rc == TWX_OK ? twx_group_counts_fill(g->db, counts, one, row) : rc;
}

twx_rc twx_flags_match(twx_generations *g, char generation, const twx_flag_row *rows, size_t n,
                       size_t *ret_equal) {
    sqlite3_stmt *stmt = NULL;
    twx_flag_row stored, room;
    *ret_equal = 0;
    if (n == 0 || rows[0].doc == INT64_MIN) return TWX_OK; /* no document has this number */
    const int64_t after = rows[0].doc - 1, no_limit = -1;
    twx_rc rc = need(g, generation, READ, TWX_VALUES(twx_int(after), twx_int(no_limit)), &stmt);
    while (rc == TWX_OK && *ret_equal < n && (rc = twx_stmt_step(g->db, stmt)) == TWX_OK) {
        if (sqlite3_column_int64(stmt, 0) < rows[*ret_equal].doc) continue;
        rc = fill_stored(g, stmt, &stored);
        const twx_flag_row *wanted = twx_flag_row_stored(&rows[*ret_equal], &room);
        if (rc != TWX_OK || !twx_flag_row_eq(&stored, wanted)) break;
        ++*ret_equal;
    }
    if (rc != TWX_DONE) sqlite3_reset(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_flags_get(twx_generations *g, char generation, int64_t doc, twx_flag_row *ret_row) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = need(g, generation, GET, TWX_VALUES(twx_int(doc)), &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(g->db, stmt);
    if (rc == TWX_OK) rc = fill_row(g, generation, NULL, stmt, ret_row);
    sqlite3_reset(stmt);
    return rc;
}

twx_rc twx_flags_unshared(twx_generations *g, int64_t after, int64_t *ret_docs, size_t limit,
                          size_t *ret_n) {
    sqlite3_stmt *stmt = NULL;
    const twx_rc rc = need(g, BOTH, UNSHARED, TWX_VALUES(twx_int(after), twx_int((int64_t)limit)),
                           &stmt);
    return rc == TWX_OK ? twx_stmt_integers(g->db, stmt, ret_docs, ret_n) : rc;
}

/* Runs a statement about the flags of a document. row: the columns, or NULL. */
static twx_rc change_row(twx_generations *g, char generation, query which, int64_t doc,
                         const twx_flag_row *row) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = need(g, generation, which, TWX_VALUES(twx_int(doc)), &stmt);
    for (int c = 0; row && rc == TWX_OK && c < TWX_FLAG_COLUMNS; c++)
        if (twx_flag_known(row, (twx_flag_column)c))
            rc = twx_bind_int(g->db, stmt, c + 2, flag_stored(row, (twx_flag_column)c));
    return rc == TWX_OK ? twx_stmt_run(g->db, stmt) : rc;
}

/* The flags of a document in this generation and in the other one, as they are stored. */
typedef struct both_rows {
    bool shared, has_own, has_other;
    bool unknown;            /* there is a row whose only_in is not valid, which both would show */
    twx_flag_row own, other; /* own is that of both if they are shared */
} both_rows;

static twx_rc read_both(twx_generations *g, char generation, int64_t doc, both_rows *ret_rows) {
    const int64_t only_own = generation == 'b' ? 2 : 1;
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = need(g, generation, ROWS, TWX_VALUES(twx_int(doc)), &stmt);
    ret_rows->shared = ret_rows->has_own = ret_rows->has_other = ret_rows->unknown = false;
    while (rc == TWX_OK && (rc = twx_stmt_step(g->db, stmt)) == TWX_OK) {
        const int64_t only_in = sqlite3_column_int64(stmt, 1 + TWX_FLAG_COLUMNS);
        const bool own = only_in == 0 || only_in == only_own;
        ret_rows->unknown |= only_in < 0 || only_in > 2;
        ret_rows->shared |= only_in == 0;
        *(own ? &ret_rows->has_own : &ret_rows->has_other) = true;
        rc = fill_stored(g, stmt, own ? &ret_rows->own : &ret_rows->other);
    }
    if (rc != TWX_DONE) sqlite3_reset(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Gives the generation that is not `base` these flags of a document: those of the other one, if
 * they are the same. If nothing is published, they become those of both: the next run then writes
 * only what it changes. */
static twx_rc put_row(twx_generations *g, char base, const twx_flag_row *of) {
    const char generation = twx_other_generation(base);
    twx_flag_row room;
    const twx_flag_row *row = twx_flag_row_stored(of, &room);
    both_rows was;
    twx_rc rc = read_both(g, generation, row->doc, &was);
    if (rc == TWX_OK && was.unknown) {
        rc = change_row(g, generation, DROP, row->doc, NULL);
        if (rc == TWX_OK) rc = read_both(g, generation, row->doc, &was);
    }
    if (rc != TWX_OK) return rc;
    const bool as_other = was.has_other && twx_flag_row_eq(&was.other, row);
    if (was.has_own && !as_other && twx_flag_row_eq(&was.own, row)) return TWX_OK;
    const bool for_both = !base && was.has_own == was.shared && !was.has_other;
    if (for_both) return change_row(g, BOTH, PUT, row->doc, row);
    if (was.shared) rc = change_row(g, generation, PART, row->doc, NULL);
    if (!as_other) return rc == TWX_OK ? change_row(g, generation, PUT, row->doc, row) : rc;
    if (was.has_own) rc = change_row(g, generation, DROP, row->doc, NULL);
    return rc == TWX_OK ? change_row(g, generation, SHARE, row->doc, NULL) : rc;
}

/* ---- the protocol ------------------------------------------------------- */

/* in: the parameters of the statement, in order; 0 binds NULL */
typedef struct step {
    const char *sql;
    int64_t token;
    char base;
    int64_t run;
    const char *id_kind;
    const uint64_t *judged;
} step;

/* Runs an UPDATE of twindex_state inside the caller's transaction. If it does not match the row,
 * another run has taken over. */
static twx_rc change_state(twx_generations *g, const step *s) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(g->db, s->sql, &stmt);
    if (rc == TWX_OK) rc = twx_bind_int(g->db, stmt, 1, s->token);
    if (rc == TWX_OK && s->base) rc = twx_bind_text(g->db, stmt, 2, (twx_slice){&s->base, 1});
    if (rc == TWX_OK && s->run) rc = twx_bind_int(g->db, stmt, 3, s->run);
    if (rc == TWX_OK && s->id_kind) rc = twx_bind_text(g->db, stmt, 4, twx_slice_of(s->id_kind));
    if (rc == TWX_OK && s->judged) rc = twx_bind_int(g->db, stmt, 5, (int64_t)*s->judged);
    if (rc == TWX_OK) rc = twx_stmt_run(g->db, stmt);
    sqlite3_finalize(stmt);
    if (rc == TWX_OK && sqlite3_changes(g->db->handle) != 1)
        rc = twx_fail(g->db->cx, TWX_E_SUPERSEDED,
                      "%s: another run took over while this one worked: nothing was published",
                      g->db->path);
    return rc;
}

typedef struct run_end {
    int64_t run, ended_at;
    const char *state, *summary, *message;
    const twx_run_figures *figures; /* NULL: none */
} run_end;

static twx_rc bind_figures(twx_generations *g, sqlite3_stmt *stmt, const twx_run_figures *f) {
    twx_rc rc = twx_bind_int(g->db, stmt, 6, (int64_t)f->documents);
    if (rc == TWX_OK && !f->documents_alone)
        rc = twx_bind_int(g->db, stmt, 7, (int64_t)f->indexable);
    if (rc == TWX_OK && !f->documents_alone) rc = twx_bind_int(g->db, stmt, 8, (int64_t)f->hidden);
    return rc == TWX_OK && f->counts.n ? twx_bind_blob(g->db, stmt, 9, f->counts) : rc;
}

twx_rc twx_ledger_drop(twx_db *db, int64_t run) {
    twx_rc rc = twx_turn_begin(db);
    if (rc == TWX_OK) rc = twx_db_run(db, TWX_SQL_QUERY_RUN_DROP, TWX_VALUES(twx_int(run)));
    return twx_turn_end(db, rc, false);
}

static twx_rc end_run(twx_generations *g, const run_end *end) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_bind(g->db, TWX_SQL_QUERY_RUN_END,
                            TWX_VALUES(twx_int(end->run), twx_int(end->ended_at),
                                       twx_text_of(end->state), twx_text_of(end->summary),
                                       twx_text_of(end->message)),
                            &stmt);
    if (rc == TWX_OK && end->figures) rc = bind_figures(g, stmt, end->figures);
    if (rc == TWX_OK) rc = twx_stmt_run(g->db, stmt);
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_generation_claim(twx_generations *g, twx_claim *claim) {
    const char generation = twx_other_generation(claim->base);
    const step claims = {.sql = generation == 'a' ? TWX_SQL_QUERY_STATE_CLAIM_A
                                                  : TWX_SQL_QUERY_STATE_CLAIM_B,
                         .token = claim->token,
                         .base = claim->base};
    twx_rc rc = twx_db_begin(g->db);
    if (rc == TWX_OK) rc = change_state(g, &claims);
    if (rc == TWX_OK) rc = twx_db_script(g->db, TWX_SQL_QUERY_RUN_BURY);
    if (rc == TWX_OK)
        rc = twx_db_run(g->db, TWX_SQL_QUERY_RUN_BEGIN,
                        TWX_VALUES(twx_int(claim->started_at),
                                   twx_text((twx_slice){&generation, 1}),
                                   twx_text_of(TWINDEX_VERSION), twx_text_of(claim->settings)));
    if (rc == TWX_OK) claim->run = sqlite3_last_insert_rowid(g->db->handle);
    return twx_db_end(g->db, rc);
}

/* [R2] */
static twx_rc still_ours(twx_generations *g, const twx_claim *claim) {
    twx_state state;
    twx_rc rc = twx_state_read(g, &state);
    if (rc == TWX_OK && (state.token != claim->token || state.generation != claim->base))
        rc = twx_fail(g->db->cx, TWX_E_SUPERSEDED,
                      "%s: another run took over while this one worked: nothing was published",
                      g->db->path);
    return rc;
}

/* Counts of sites are few and are written as a whole. */
static twx_rc write_sites(twx_generations *g, char generation, twx_flag_edit *edit) {
    twx_rc rc = edit->clear_sites ? twx_site_counts_clear(g->db, generation) : TWX_OK;
    if (rc == TWX_OK && edit->n_sites)
        rc = twx_site_counts_put(g->db, generation, edit->sites, edit->n_sites);
    edit->clear_sites = false;
    edit->n_sites = 0;
    return rc;
}

/* Some at a time, which take a few milliseconds. */
static twx_rc write_counts(twx_generations *g, char generation, twx_flag_edit *edit) {
    enum { AT_ONCE = 200 };
    const size_t n = edit->n_counts < AT_ONCE ? edit->n_counts : AT_ONCE;
    const twx_rc rc = twx_group_counts_write(g->db, generation, edit->counts, n);
    edit->counts += n;
    edit->n_counts -= n;
    return rc;
}

/* The same. */
static twx_rc write_remotes(twx_generations *g, char generation, twx_flag_edit *edit) {
    enum { AT_ONCE = 100 };
    const size_t n = edit->n_remotes < AT_ONCE ? edit->n_remotes : AT_ONCE,
                 gone = edit->n_gone_remotes < AT_ONCE ? edit->n_gone_remotes : AT_ONCE;
    twx_rc rc = n ? twx_remotes_put(g->db, generation, edit->remotes, n) : TWX_OK;
    if (rc == TWX_OK && gone) rc = twx_remotes_delete(g->db, generation, edit->gone_remotes, gone);
    edit->remotes += n;
    edit->n_remotes -= n;
    edit->gone_remotes += gone;
    edit->n_gone_remotes -= gone;
    return rc;
}

twx_rc twx_generation_write(twx_generations *g, const twx_claim *claim, twx_flag_edit *edit) {
    const char generation = twx_other_generation(claim->base);
    twx_rc rc = twx_turn_begin(g->db);
    if (rc == TWX_OK) rc = still_ours(g, claim);
    while (rc == TWX_OK && edit->n_rows && !twx_turn_is_over(g->db)) {
        rc = put_row(g, claim->base, edit->rows++);
        edit->n_rows--;
    }
    while (rc == TWX_OK && edit->n_gone && !twx_turn_is_over(g->db)) {
        rc = change_row(g, generation, PART, *edit->gone, NULL); /* the other keeps its flags */
        if (rc == TWX_OK) rc = change_row(g, generation, DROP, *edit->gone, NULL);
        edit->gone++;
        edit->n_gone--;
    }
    while (rc == TWX_OK && (edit->n_remotes || edit->n_gone_remotes) && !twx_turn_is_over(g->db))
        rc = write_remotes(g, generation, edit);
    while (rc == TWX_OK && edit->n_counts && !twx_turn_is_over(g->db))
        rc = write_counts(g, generation, edit);
    if (rc == TWX_OK && !edit->n_rows && !edit->n_gone) rc = write_sites(g, generation, edit);
    return twx_turn_end(g->db, rc, true);
}

bool twx_flag_edit_is_done(const twx_flag_edit *e) {
    return e->n_rows == 0 && e->n_gone == 0 && e->n_sites == 0 && !e->clear_sites &&
           e->n_counts == 0 && e->n_remotes == 0 && e->n_gone_remotes == 0;
}

twx_rc twx_generation_sites(twx_generations *g, char generation, twx_site_count_fn *fn, void *arg) {
    return twx_site_counts_each(g->db, generation, fn, arg);
}

static twx_rc point_views(twx_generations *g, char generation, const twx_publication *p) {
    return twx_flag_views_point(
        g->db,
        &(twx_flag_views){.generation = generation, .direct = p->direct, .select = p->select});
}

/* The same for one of the generations. direct: document numbers are the ids. */
static twx_rc generation_view_of(twx_generations *g, char generation, bool direct) {
    return twx_flag_views_temporary(g->db,
                                    &(twx_flag_views){.generation = generation, .direct = direct});
}

twx_rc twx_generation_view(twx_generations *g) {
    twx_state state;
    twx_rc rc = twx_state_read(g, &state);
    return rc == TWX_OK && state.generation
               ? generation_view_of(g, state.generation, state.id_kind[0] != 'm')
               : rc;
}

twx_rc twx_generation_publish(twx_generations *g, const twx_claim *claim,
                              const twx_publication *p) {
    const char generation = twx_other_generation(claim->base);
    const step publishes = {.sql = generation == 'a' ? TWX_SQL_QUERY_STATE_PUBLISH_A
                                                     : TWX_SQL_QUERY_STATE_PUBLISH_B,
                            .token = claim->token,
                            .base = claim->base,
                            .run = claim->run,
                            .id_kind = p->direct ? "direct" : "mapped",
                            .judged = p->judged};
    const run_end end = {.run = claim->run,
                         .ended_at = p->ended_at,
                         .state = "published",
                         .summary = p->summary,
                         .figures = p->figures};
    twx_rc rc = twx_db_begin(g->db);
    if (rc == TWX_OK) rc = change_state(g, &publishes);
    if (rc == TWX_OK) rc = twx_store_place_set(g->db, generation, p->shard, p->collection_run);
    if (rc == TWX_OK) rc = point_views(g, generation, p);
    if (rc == TWX_OK) rc = end_run(g, &end);
    return twx_db_end(g->db, rc);
}

twx_rc twx_generation_abandon(twx_generations *g, const twx_claim *claim, int64_t ended_at,
                              const char *message) {
    const run_end end = {
        .run = claim->run, .ended_at = ended_at, .state = "stopped", .message = message};
    twx_rc rc = twx_db_begin(g->db);
    if (rc == TWX_OK) rc = end_run(g, &end);
    return twx_db_end(g->db, rc);
}

twx_rc twx_generation_end_prepared(twx_generations *g, const twx_claim *claim, int64_t ended_at,
                                   const char *summary) {
    const run_end end = {
        .run = claim->run, .ended_at = ended_at, .state = "prepared", .summary = summary};
    twx_rc rc = still_ours(g, claim);
    return rc == TWX_OK ? end_run(g, &end) : rc;
}

twx_rc twx_generation_undo(twx_generations *g, const twx_publication *p, char *ret_generation) {
    twx_state state;
    twx_rc rc = twx_db_begin(g->db);
    if (rc == TWX_OK) rc = twx_state_read(g, &state);
    if (rc != TWX_OK) return twx_db_end(g->db, rc);
    const char other = state.generation ? twx_other_generation(state.generation) : '\0';
    if (!other || !state.run[index_of(other)])
        rc = twx_fail(g->db->cx, TWX_E_DATA,
                      "%s: there is no earlier result to go back to (the other generation is %s)",
                      g->db->path,
                      other ? "not the complete result of a run"
                            : "empty: no run has published yet");
    if (rc == TWX_OK)
        rc = twx_db_run(g->db, TWX_SQL_QUERY_STATE_UNDO,
                        TWX_VALUES(twx_text((twx_slice){&other, 1})));
    if (rc == TWX_OK) rc = point_views(g, other, p);
    rc = twx_db_end(g->db, rc);
    if (rc == TWX_OK) *ret_generation = other;
    return rc;
}

/* ==== flags_cursor */

enum { AT_ONCE = 4096 };

twx_rc twx_flags_cursor_init(twx_ctx *cx, twx_generations *generations, char generation,
                             twx_flags_cursor *ret_flags) {
    *ret_flags = (twx_flags_cursor){.cx = cx,
                                    .generations = generations,
                                    .generation = generation,
                                    .after = INT64_MIN,
                                    .end = generation == 0};
    return generation ? twx_group_counts_read(generations->db, generation, &ret_flags->counts)
                      : TWX_OK;
}

void twx_flags_cursor_done(twx_flags_cursor *f) {
    if (!f) return;
    twx_free(f->rows);
    twx_group_counts_done(&f->counts);
    *f = (twx_flags_cursor){0};
}

twx_rc twx_flags_cursor_fill(twx_ctx *cx, twx_flags_cursor *f, twx_flag_row *ret_rows, size_t limit,
                             size_t *ret_n) {
    *ret_n = 0;
    if (f->end) return TWX_OK;
    twx_generations *g = f->generations;
    twx_ctx *const before = g->db->cx;
    sqlite3_stmt *stmt = NULL;
    size_t n = 0;
    g->db->cx = cx;
    twx_rc rc = need(g, f->generation, READ, TWX_VALUES(twx_int(f->after), twx_int((int64_t)limit)),
                     &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(g->db, stmt)) == TWX_OK)
        rc = fill_row(g, f->generation, &f->counts, stmt, &ret_rows[n++]);
    if (rc != TWX_DONE) sqlite3_reset(stmt);
    g->db->cx = before;
    if (rc != TWX_DONE) return rc;
    f->end = n < limit;
    if (n) f->after = ret_rows[n - 1].doc;
    *ret_n = n;
    return TWX_OK;
}

twx_rc twx_flags_cursor_read(twx_flags_cursor *f, const twx_flag_row **ret_row) {
    twx_rc rc = TWX_OK;
    *ret_row = NULL;
    if (f->at == f->n && !f->end) {
        if (!f->rows) f->rows = twx_malloc(f->cx, AT_ONCE * sizeof *f->rows);
        if (!f->rows) return TWX_E_NOMEM;
        f->at = 0;
        rc = twx_flags_cursor_fill(f->cx, f, f->rows, AT_ONCE, &f->n);
    }
    if (rc == TWX_OK && f->at < f->n) *ret_row = &f->rows[f->at];
    return rc;
}

void twx_flags_cursor_move(twx_flags_cursor *f) {
    f->at += f->at < f->n;
}

twx_rc twx_flags_cursor_of(twx_flags_cursor *f, int64_t doc, const twx_flag_row **ret_row) {
    twx_rc rc = twx_flags_cursor_read(f, ret_row);
    while (rc == TWX_OK && *ret_row && (*ret_row)->doc < doc) {
        twx_flags_cursor_move(f);
        rc = twx_flags_cursor_read(f, ret_row);
    }
    if (*ret_row && (*ret_row)->doc != doc) *ret_row = NULL;
    return rc;
}

twx_rc twx_flags_each(twx_ctx *cx, twx_generations *generations, char generation,
                      twx_flag_row_fn *fn, void *arg) {
    twx_flags_cursor flags = {0};
    const twx_flag_row *row = NULL;
    twx_rc rc = twx_flags_cursor_init(cx, generations, generation, &flags);
    while (rc == TWX_OK && (rc = twx_flags_cursor_read(&flags, &row)) == TWX_OK && row) {
        rc = fn(arg, row);
        twx_flags_cursor_move(&flags);
    }
    twx_flags_cursor_done(&flags);
    return rc;
}

/* ==== flags_digest */

enum { DIGEST_SQL_BYTES = 1 << 14 };

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
    twx_buf filled = {.max = DIGEST_SQL_BYTES};
    twx_rc rc = twx_template_fill(db->cx, &filled, sql, &t);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, filled.p, &stmt);
    twx_buf_done(&filled);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        twx_hash128 row = hash_row(stmt, seed);
        sum->hi += row.hi + __builtin_add_overflow(sum->lo, row.lo, &sum->lo);
    }
    return twx_stmt_end(stmt, rc);
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
    if (rc == TWX_OK) rc = generation_view_of(g, generation, direct);
    if (rc == TWX_OK) rc = digest_views(db, ret_digest);
    twx_generations_close(g);
    twx_db_close(db);
    return rc;
}
