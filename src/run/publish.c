#include "run/publish.h"

#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "job/obstacles.h"

typedef struct writer {
    const twx_job *job;
    twx_opened *o;
    twx_claim claim;
    TWX_VEC(twx_flag_row) rows;
    TWX_VEC(int64_t) gone;
    twx_db *guard[2]; /* readers, one of them always inside a read transaction; NULL: no WAL */
    int holding;      /* which of them */
    uint64_t written, total;
} writer;

/* ---- the guard: as long as a read transaction of ours is open, nobody can reset the WAL ---- */

static twx_rc guard_open(writer *w) {
    bool wal = false;
    const twx_db_options options = {.mode = TWX_DB_READER,
                                    .busy_ms = w->job->settings->run_busy_ms};
    twx_rc rc = twx_db_is_wal(w->o->writer, &wal);
    for (int i = 0; rc == TWX_OK && wal && i < 2; i++)
        rc = twx_db_open(w->job->cx, twx_own_path(w->job), &options, &w->guard[i]);
    return rc == TWX_OK && wal ? twx_db_pin(w->guard[0]) : rc;
}

/* A transaction that stays open pins the WAL: the other guard begins before this one ends. */
static twx_rc guard_renew(writer *w) {
    if (!w->guard[0]) return TWX_OK;
    twx_rc rc = twx_db_pin(w->guard[!w->holding]);
    if (rc != TWX_OK) return rc;
    twx_db_unpin(w->guard[w->holding]);
    w->holding = !w->holding;
    return TWX_OK;
}

static void guard_close(writer *w) {
    for (int i = 0; i < 2; i++) {
        if (w->guard[i]) twx_db_unpin(w->guard[i]);
        twx_db_close(w->guard[i]);
    }
}

/* ---- writing ------------------------------------------------------------ */

static twx_rc note_difference(void *arg, const twx_flag_row *stored, const twx_flag_row *fresh,
                              uint32_t index) {
    writer *w = arg;
    (void)index;
    bool pushed = fresh ? TWX_VEC_PUSH(w->job->cx, &w->rows, *fresh)
                        : TWX_VEC_PUSH(w->job->cx, &w->gone, stored->doc);
    return pushed ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc write_chunk(writer *w, size_t n_rows, size_t n_gone) {
    const twx_flag_edit edit = {
        .rows = w->rows.at, .n_rows = n_rows, .gone = w->gone.at, .n_gone = n_gone};
    twx_rc rc = twx_generation_write(w->o->generations, &w->claim, &edit);
    if (rc != TWX_OK) return rc;
    w->written += n_rows + n_gone;
    w->rows.n -= n_rows;
    w->gone.n -= n_gone;
    if (w->rows.n) memmove(w->rows.at, w->rows.at + n_rows, w->rows.n * sizeof *w->rows.at);
    if (w->gone.n) memmove(w->gone.at, w->gone.at + n_gone, w->gone.n * sizeof *w->gone.at);
    twx_job_progress(w->job, "write flags", "rows", w->written, w->total);
    return guard_renew(w);
}

/* Writes what waits, a chunk a transaction, and leaves the store to others in between. */
static twx_rc write_waiting(void *arg, bool last) {
    writer *w = arg;
    const size_t most = w->job->settings->run_batch_rows;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && (w->rows.n + w->gone.n >= most || (last && w->rows.n + w->gone.n > 0))) {
        size_t rows = w->rows.n < most ? w->rows.n : most;
        size_t gone = w->gone.n < most - rows ? w->gone.n : most - rows;
        rc = write_chunk(w, rows, gone);
        if (rc == TWX_OK) twx_job_sleep_ms(w->job->settings->run_pause_ms);
        if (rc == TWX_OK) rc = twx_cancelled(w->job->cx);
    }
    return rc;
}

/* The counts of sites are rewritten whole: they are few. */
static twx_rc write_sites(writer *w, const twx_publishing *p) {
    const size_t most = w->job->settings->run_batch_rows;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && (i == 0 || i < p->n_sites); i += most) {
        const size_t left = p->n_sites - i;
        const twx_flag_edit edit = {
            .sites = p->sites + i, .n_sites = left < most ? left : most, .clear_sites = i == 0};
        rc = twx_generation_write(w->o->generations, &w->claim, &edit);
        if (rc == TWX_OK) rc = guard_renew(w);
        if (rc == TWX_OK) twx_job_sleep_ms(w->job->settings->run_pause_ms);
    }
    return rc;
}

static twx_rc complain(void *arg, const twx_flag_row *stored, const twx_flag_row *fresh,
                       uint32_t index) {
    writer *w = arg;
    (void)index;
    return twx_fail(w->job->cx, TWX_E_INTERNAL,
                    "%s: flags of document number %lld were not stored as they were made: nothing "
                    "was published",
                    twx_own_path(w->job), (long long)(fresh ? fresh->doc : stored->doc));
}

static twx_rc start(writer *w, const twx_publishing *p) {
    uint64_t token = 0;
    w->claim = (twx_claim){.base = p->base, .started_at = twx_job_now(), .settings = p->settings};
    twx_rc rc = twx_check_space(w->job, p->judged->j->docs.at.n, 0);
    if (rc == TWX_OK && getrandom(&token, sizeof token, 0) != (ssize_t)sizeof token)
        rc = twx_fail(w->job->cx, TWX_E_INTERNAL, "no random numbers from the system");
    w->claim.token = (int64_t)(token >> 1 | 1); /* never 0 */
    if (rc == TWX_OK) rc = twx_generation_claim(w->o->generations, &w->claim);
    return rc == TWX_OK ? guard_open(w) : rc;
}

/* The exit code of a COMMIT is not the state of the file: what the state says now is. */
static bool was_published(writer *w, const twx_claim *claim) {
    twx_ctx quiet;
    twx_ctx_init(&quiet);
    twx_db *db = NULL;
    twx_generations *g = NULL;
    twx_state state = {0};
    const twx_db_options options = {.mode = TWX_DB_READER,
                                    .busy_ms = w->job->settings->run_busy_ms};
    twx_rc rc = twx_db_open(&quiet, twx_own_path(w->job), &options, &db);
    if (rc == TWX_OK) rc = twx_generations_open(db, &g);
    if (rc == TWX_OK) rc = twx_state_read(g, &state);
    twx_generations_close(g);
    twx_db_close(db);
    return rc == TWX_OK && state.generation == twx_other_generation(claim->base) &&
           state.run[state.generation == 'b'] == claim->run;
}

static twx_rc finish(writer *w, const twx_publishing *p) {
    const twx_publication publication = {
        .direct = twx_source_is_direct(w->o->source),
        .select = twx_joined_select(w->job, w->o),
        .ended_at = twx_job_now(),
        .summary = p->summary,
    };
    twx_rc rc = twx_generation_publish(w->o->generations, &w->claim, &publication);
    if (rc == TWX_OK || rc == TWX_E_SUPERSEDED || !was_published(w, &w->claim)) return rc;
    twx_job_message(w->job, TWINDEX_WARNING, "%s; but the new flags are there",
                    w->job->cx->message);
    twx_ctx_clear(w->job->cx);
    return TWX_OK;
}

twx_rc twx_publish(const twx_job *job, twx_opened *o, const twx_publishing *p) {
    writer w = {.job = job, .o = o, .total = p->judged->j->docs.at.n};
    const char inactive = twx_other_generation(p->base);
    const twx_flag_change_sink writes = {
        .differs = note_difference, .pause = write_waiting, .arg = &w};
    const twx_flag_change_sink verifies = {.differs = complain, .arg = &w};
    twx_rc rc = start(&w, p);
    if (rc == TWX_OK)
        rc = twx_flag_changes_compare(job->cx, p->judged, o->generations, inactive, &writes);
    if (rc == TWX_OK)
        rc = twx_flag_changes_compare(job->cx, p->judged, o->generations, inactive, &verifies);
    if (rc == TWX_OK) rc = write_sites(&w, p);
    if (rc == TWX_OK) rc = p->still_true(p->arg);
    if (rc == TWX_OK) rc = twx_cancelled(job->cx);
    if (rc == TWX_OK) rc = finish(&w, p);
    if (rc != TWX_OK && w.claim.run) {
        /* the ledger is told why, if it can be, also when we are asked to stop; the reason itself
         * is the caller's */
        twx_ctx said = *job->cx;
        twx_ctx_clear(job->cx);
        job->cx->cancel = NULL;
        (void)!twx_generation_abandon(o->generations, &w.claim, twx_job_now(), said.message);
        *job->cx = said;
    }
    guard_close(&w);
    TWX_VEC_DONE(&w.rows);
    TWX_VEC_DONE(&w.gone);
    *p->ret_written = w.written;
    return rc;
}
