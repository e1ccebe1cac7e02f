#include "run/internal.h"

#include <sys/random.h>

/* ==== publish */

/* The protocol, step by step. Readers see one of two generations of flags, through views; the other
 * one is updated in short transactions, and a final transaction swaps them.
 *   claim   stores a random token in twindex_state and marks the generation as incomplete. Each
 *           later transaction checks the token: a suspended run that was presumed dead finds
 *           another token when it resumes, and stops.
 *   write   writes the rows that differ from the result, one chunk per transaction, and pauses
 *           after each, so that other writers of the store get their turn. Which rows differ is
 *           known from the comparison with the published generation: outside of those, and of the
 *           rows that the generations do not share, both generations are equal. Without such a
 *           comparison the rows are compared now. Each chunk is read back and compared with what
 *           was written: together with the rows that did not differ, these are all rows.
 *   commit  points the views at the generation and marks it complete.
 * All the time, a read transaction of our own keeps the WAL from being reset (store/turn.c). */

struct twx_publisher {
    const twx_job *job;
    twx_opened *o;
    const twx_publishing *publishing;
    twx_claim claim;
    bool committed;             /* or kept */
    TWX_VEC(twx_flag_row) rows; /* rows and docs to be written */
    TWX_VEC(int64_t) gone;
    TWX_VEC(twx_remote) remotes; /* the same for the documents of other stores */
    TWX_VEC(int64_t) gone_remotes;
    twx_arena remote_bytes;
    twx_group_counts counts; /* of the rows that were compared last */
    uint64_t written;
};

/* ---- claim -------------------------------------------------------------- */

/* A random number, never 0. */
static twx_rc draw(twx_ctx *cx, int64_t *ret_number) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return twx_fail(cx, TWX_E_INTERNAL, "the system provides no random numbers");
    *ret_number = (int64_t)(number >> 1 | 1);
    return TWX_OK;
}

static twx_rc claim(twx_publisher *p) {
    p->claim = (twx_claim){.base = p->publishing->base,
                           .started_at = twx_job_now(),
                           .settings = p->publishing->settings};
    twx_rc rc = twx_check_space(p->job, p->publishing->documents, 0);
    if (rc == TWX_OK) rc = draw(p->job->cx, &p->claim.token);
    return rc == TWX_OK ? twx_generation_claim(p->o->generations, &p->claim) : rc;
}

/* ---- write -------------------------------------------------------------- */

/* In turns, between which other writers get theirs. */
static twx_rc write_edit(twx_publisher *p, twx_flag_edit edit) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && !twx_flag_edit_is_done(&edit)) {
        rc = twx_generation_write(p->o->generations, &p->claim, &edit);
        if (rc == TWX_OK) rc = twx_cancelled(p->job->cx);
    }
    return rc;
}

static size_t n_waiting(const twx_publisher *p) {
    return p->rows.n + p->gone.n + p->remotes.n + p->gone_remotes.n;
}

static twx_rc fail_stored(twx_publisher *p, int64_t doc) {
    return twx_fail(p->job->cx, TWX_E_CORRUPT,
                    "%s: flags of document number %lld were read back differently: nothing was "
                    "published. The file may be damaged: PRAGMA integrity_check",
                    twx_own_path(p->job), (long long)doc);
}

/* Reads back the rows that were written, which are in order of doc: one statement for many rows
 * takes a quarter of the time of one for each, unless the generation has many rows between them. */
static twx_rc verify_rows(twx_publisher *p) {
    enum { SPARSE = 4 };
    const char generation = twx_other_generation(p->publishing->base);
    const twx_flag_row *rows = p->rows.at;
    const size_t n = p->rows.n;
    if (n == 0) return TWX_OK;
    const uint64_t first = (uint64_t)rows[0].doc, last = (uint64_t)rows[n - 1].doc;
    const size_t each = (last - first) / SPARSE < n ? n : 1;
    size_t equal = 0;
    twx_rc rc = TWX_OK;
    for (size_t is = each; rc == TWX_OK && is == each && equal < n; equal += is)
        rc = twx_flags_match(p->o->generations, generation, &rows[equal], each, &is);
    return rc == TWX_OK && equal < n ? fail_stored(p, rows[equal].doc) : rc;
}

/* Reads back what was written. */
static twx_rc verify_waiting(twx_publisher *p) {
    const char generation = twx_other_generation(p->publishing->base);
    twx_generations *g = p->o->generations;
    twx_flag_row stored;
    twx_rc rc = verify_rows(p);
    for (size_t i = 0; rc == TWX_OK && i < p->gone.n; i++) {
        rc = twx_flags_get(g, generation, p->gone.at[i], &stored);
        rc = rc == TWX_OK ? fail_stored(p, p->gone.at[i]) : rc == TWX_DONE ? TWX_OK : rc;
    }
    for (size_t i = 0; rc == TWX_OK && i < p->remotes.n; i++) {
        twx_remote remote = {0};
        rc = twx_remote_get(p->o->writer, generation, p->remotes.at[i].doc, &p->remote_bytes,
                            &remote);
        if ((rc == TWX_OK || rc == TWX_DONE) && !twx_remote_eq(&remote, &p->remotes.at[i]))
            rc = fail_stored(p, p->remotes.at[i].doc);
    }
    return rc;
}

static twx_rc write_waiting(twx_publisher *p) {
    const twx_flag_edit edit = {.rows = p->rows.at,
                                .n_rows = p->rows.n,
                                .gone = p->gone.at,
                                .n_gone = p->gone.n,
                                .remotes = p->remotes.at,
                                .n_remotes = p->remotes.n,
                                .gone_remotes = p->gone_remotes.at,
                                .n_gone_remotes = p->gone_remotes.n};
    if (n_waiting(p) == 0) return TWX_OK;
    p->written += p->rows.n + p->gone.n;
    twx_rc rc = write_edit(p, edit);
    if (rc == TWX_OK) rc = verify_waiting(p);
    p->rows.n = p->gone.n = p->remotes.n = p->gone_remotes.n = 0;
    twx_arena_reset(&p->remote_bytes);
    twx_job_progress(p->job, "write flags", "rows", p->written, p->publishing->documents);
    return rc;
}

static twx_rc write_if_full(twx_publisher *p) {
    return n_waiting(p) >= p->job->settings->run_batch_rows ? write_waiting(p) : TWX_OK;
}

static twx_rc write_change(void *arg, const twx_flag_change *change) {
    twx_publisher *p = arg;
    const bool pushed = change->fresh ? TWX_VEC_PUSH(p->job->cx, &p->rows, *change->fresh)
                                      : TWX_VEC_PUSH(p->job->cx, &p->gone, change->stored->doc);
    return pushed ? write_if_full(p) : TWX_E_NOMEM;
}

static twx_rc write_remote(void *arg, const twx_remote *stored, const twx_remote *fresh) {
    twx_publisher *p = arg;
    twx_ctx *cx = p->job->cx;
    twx_remote copy = {0};
    const twx_rc rc = fresh ? twx_remote_copy(cx, &p->remote_bytes, fresh, &copy) : TWX_OK;
    if (rc != TWX_OK) return rc;
    const bool pushed = fresh ? TWX_VEC_PUSH(cx, &p->remotes, copy)
                              : TWX_VEC_PUSH(cx, &p->gone_remotes, stored->doc);
    return pushed ? write_if_full(p) : TWX_E_NOMEM;
}

static twx_rc write_remotes(twx_publisher *p) {
    const twx_rc rc = twx_remote_changes(p->publishing->remotes, p->o->writer,
                                         twx_other_generation(p->publishing->base), write_remote,
                                         p);
    return rc == TWX_OK ? write_waiting(p) : rc;
}

/* The documents to be written, ascending: those whose flags the generations do not share, and those
 * whose flags differ from the published ones. */
typedef struct known_docs {
    const twx_docs *differ;
    size_t at;
    int64_t found[1024];
    const int64_t *unshared; /* these, or those of the publishing */
    size_t n, next;          /* of unshared */
    bool end;                /* there are no more than these */
} known_docs;

/* TWX_DONE: there are no more. */
static twx_rc next_known(const twx_publisher *p, known_docs *k, int64_t *ret_doc) {
    if (k->next == k->n && !k->end) {
        const int64_t after = k->n ? k->found[k->n - 1] : INT64_MIN;
        const twx_rc rc = twx_flags_unshared(p->o->generations, after, k->found,
                                             TWX_COUNTOF(k->found), &k->n);
        if (rc != TWX_OK) return rc;
        k->unshared = k->found;
        k->next = 0;
        k->end = k->n < TWX_COUNTOF(k->found);
    }
    const bool one = k->next < k->n, other = k->at < k->differ->n;
    if (!one && !other) return TWX_DONE;
    const int64_t a = one ? k->unshared[k->next] : INT64_MAX,
                  b = other ? k->differ->at[k->at] : INT64_MAX;
    *ret_doc = a < b ? a : b;
    k->next += one && a == *ret_doc;
    k->at += other && b == *ret_doc;
    return TWX_OK;
}

/* Rows are written whether they differ or not: nearly all do. */
static twx_rc write_known(twx_publisher *p) {
    const twx_publishing *q = p->publishing;
    const twx_flag_rows *rows = q->rows;
    known_docs known = {.differ = q->differ, .end = q->unshared != NULL};
    if (q->unshared) {
        known.unshared = q->unshared->at;
        known.n = q->unshared->n;
    }
    twx_rc rc = rows->rewind(rows->arg);
    while (rc == TWX_OK) {
        twx_flag_row fresh, gone;
        rc = next_known(p, &known, &gone.doc);
        if (rc != TWX_OK) break;
        rc = rows->find(rows->arg, gone.doc, &fresh);
        const twx_flag_change change = {&gone, rc == TWX_OK ? &fresh : NULL, TWX_NO_DOCUMENT};
        if (rc == TWX_OK || rc == TWX_DONE) rc = write_change(p, &change);
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Is the published generation still the one that was compared? */
static twx_rc is_known(twx_publisher *p, bool *ret_known) {
    const twx_publishing *q = p->publishing;
    twx_state state;
    *ret_known = false;
    if (!q->differ || !q->counts || !q->rows->find || !q->base) return TWX_OK;
    const twx_rc rc = twx_state_read(p->o->generations, &state);
    if (rc == TWX_OK) *ret_known = q->base_run && state.run[q->base == 'b'] == q->base_run;
    return rc;
}

/* ---- counts of large groups and of sites ---------------------------------- */

/* Those that differ, which are read back, too. */
static twx_rc write_counts(twx_publisher *p, const twx_group_counts *counts) {
    const char generation = twx_other_generation(p->publishing->base);
    twx_group_counts differ = {0};
    twx_rc rc = twx_group_counts_differ(p->o->writer, generation, counts, &differ);
    if (rc == TWX_OK)
        rc = write_edit(p, (twx_flag_edit){.counts = differ.at.at, .n_counts = differ.at.n});
    differ.at.n = 0;
    if (rc == TWX_OK) rc = twx_group_counts_differ(p->o->writer, generation, counts, &differ);
    if (rc == TWX_OK && differ.at.n) rc = fail_stored(p, differ.at.at[0].rep);
    twx_group_counts_done(&differ);
    return rc;
}

/* ---- commit ------------------------------------------------------------- */

/* A COMMIT that fails may still have reached the file; twindex_state shows whether it did. */
static bool was_published(const twx_publisher *p) {
    twx_ctx quiet = {0};
    twx_db *db = NULL;
    twx_generations *g = NULL;
    twx_state state = {0};
    const twx_db_options options = {.mode = TWX_DB_READER,
                                    .busy_ms = p->job->settings->run_busy_ms};
    twx_rc rc = twx_db_open(&quiet, twx_own_path(p->job), &options, &db);
    if (rc == TWX_OK) rc = twx_generations_open(db, &g);
    if (rc == TWX_OK) rc = twx_state_read(g, &state);
    twx_generations_close(g);
    twx_db_close(db);
    return rc == TWX_OK && state.generation == twx_other_generation(p->claim.base) &&
           state.run[state.generation == 'b'] == p->claim.run;
}

/* One transaction. judged: of the settings, for twx_state_judged(). Errors TWX_E_SUPERSEDED */
static twx_rc publisher_commit(twx_publisher *p, uint64_t judged) {
    const twx_kept *kept = p->job->kept;
    if (kept && kept->changes.n) judged = 0; /* the next run judges them */
    const twx_publication publication = {
        .direct = twx_source_is_direct(p->o->source),
        .select = twx_joined_select(p->job, p->o),
        .ended_at = twx_job_now(),
        .summary = p->publishing->summary,
        .figures = p->publishing->figures,
        .judged = &judged,
        .collection_run = p->publishing->collection_run,
        .shard = p->publishing->shard,
    };
    twx_rc rc = twx_generation_publish(p->o->generations, &p->claim, &publication);
    if (rc != TWX_OK && rc != TWX_E_SUPERSEDED && was_published(p)) {
        twx_job_message(p->job, TWINDEX_WARNING, "%s, but the new flags are published",
                        p->job->cx->message);
        twx_ctx_clear(p->job->cx);
        rc = TWX_OK;
    }
    p->committed = rc == TWX_OK;
    return rc;
}

twx_rc twx_publisher_keep(twx_publisher *p, twx_prepared *prepared) {
    prepared->claim = p->claim;
    const twx_rc rc = twx_prepared_keep(p->o->generations, p->o->writer, prepared, twx_job_now());
    p->committed = rc == TWX_OK;
    return rc;
}

/* ---- the publisher ------------------------------------------------------ */

twx_rc twx_publisher_open(const twx_job *job, twx_opened *o, const twx_publishing *publishing,
                          twx_publisher **ret_publisher) {
    twx_publisher *p = twx_calloc(job->cx, 1, sizeof *p);
    if (!p) return TWX_E_NOMEM;
    p->job = job;
    p->o = o;
    p->publishing = publishing;
    twx_arena_init(&p->remote_bytes, 1 << 20);
    *ret_publisher = p;
    return TWX_OK;
}

/* Writes the differences; again after the result was changed (judge/judge.c). */
static twx_rc write_changes(twx_publisher *p) {
    twx_group_counts_done(&p->counts);
    const twx_flag_base base = {p->o->generations, twx_other_generation(p->publishing->base), 1,
                                NULL};
    twx_rc rc = twx_flag_changes(p->job->cx, p->publishing->rows, &base, &p->counts, write_change,
                                 p);
    if (rc == TWX_OK) rc = write_remotes(p);
    return rc == TWX_OK ? write_counts(p, &p->counts) : rc;
}

twx_rc twx_publisher_prepare(twx_publisher *p) {
    const size_t most = p->job->settings->run_batch_rows, n = p->publishing->n_sites;
    bool known = false;
    twx_rc rc = claim(p);
    if (rc == TWX_OK) rc = twx_wal_hold(p->o->writer);
    if (rc == TWX_OK) rc = is_known(p, &known);
    if (rc == TWX_OK && known) rc = write_known(p);
    if (rc == TWX_OK) rc = known ? write_remotes(p) : write_changes(p);
    if (rc == TWX_OK && known) rc = write_counts(p, p->publishing->counts);
    /* all counts of sites, which are few, are rewritten */
    for (size_t i = 0; rc == TWX_OK && (i == 0 || i < n); i += most) {
        const twx_flag_edit edit = {.sites = p->publishing->sites + i,
                                    .n_sites = n - i < most ? n - i : most,
                                    .clear_sites = i == 0};
        rc = write_edit(p, edit);
    }
    return rc;
}

/* [R2] Works also after a request to stop. The caller's error message is preserved. */
static void abandon(twx_publisher *p) {
    twx_ctx *cx = p->job->cx;
    const twx_ctx reason = *cx;
    twx_ctx_clear(cx);
    cx->cancel = NULL;
    (void)!twx_generation_abandon(p->o->generations, &p->claim, twx_job_now(), reason.message);
    *cx = reason;
}

void twx_publisher_close(twx_publisher *p) {
    if (!p) return;
    if (p->claim.run && !p->committed) abandon(p);
    twx_wal_finish(p->o->writer);
    TWX_VEC_DONE(&p->rows);
    TWX_VEC_DONE(&p->gone);
    TWX_VEC_DONE(&p->remotes);
    TWX_VEC_DONE(&p->gone_remotes);
    twx_arena_done(&p->remote_bytes);
    twx_group_counts_done(&p->counts);
    twx_free(p);
}

/* ==== publish_stores */

/* How often the representatives of a store are checked before the flags are published. Without a
 * change queue each check reads the whole source, and the crawler would overtake a second one as it
 * did the first. */
enum { CHECKS_WITH_QUEUE = 3, CHECKS_WITHOUT = 1 };

/* What is published to one store. */
typedef struct part {
    twx_run_store *store;
    twx_flag_rows rows;
    twx_foreign foreign;
    twx_remote_rows remotes;
    twx_publishing publishing;
    twx_publisher *publisher;
    twx_docs again; /* documents that were signed again since they were judged */
} part;

typedef struct publication {
    twx_run_stores *all;
    twx_doc_set *j;
    const twx_publish_plan *plan;
    part *parts; /* by store */
} publication;

/* ---- prepare ------------------------------------------------------------- */

static twx_rc prepare(publication *p, size_t at, int64_t run) {
    part *q = &p->parts[at];
    twx_run_store *m = p->all->at.at[at];
    q->store = m;
    q->rows = twx_judged_rows(&m->judged);
    twx_foreign_init(p->all, p->j, m, &q->foreign);
    q->remotes = twx_foreign_rows(&q->foreign);
    twx_rc rc = twx_losses_count(m->job.cx, &m->judged, p->plan->min_documents, &m->losses);
    const twx_kept *kept = m->judged.options->kept;
    const int64_t base_run = m->state.run[m->state.generation == 'b'];
    const bool knows = kept && kept->unshared_of && kept->unshared_of == base_run;
    q->publishing = (twx_publishing){.rows = &q->rows,
                                     .documents = m->judged.n,
                                     .remotes = &q->remotes,
                                     .collection_run = run,
                                     .shard = m->shard,
                                     .base = m->state.generation,
                                     .base_run = base_run,
                                     .unshared = knows ? &kept->unshared : NULL,
                                     .differ = m->state.generation ? &m->differ : NULL,
                                     .counts = &m->counts_of_groups,
                                     .sites = m->losses.now.at,
                                     .n_sites = m->losses.now.n,
                                     .settings = p->plan->settings,
                                     .summary = p->plan->summary,
                                     .figures = &p->plan->figures};
    if (rc == TWX_OK) rc = twx_publisher_open(&m->job, &m->o, &q->publishing, &q->publisher);
    return rc == TWX_OK ? twx_publisher_prepare(q->publisher) : rc;
}

/* ---- withdraw ------------------------------------------------------------ */

typedef TWX_VEC(uint32_t) indexes;

/* Signs what other processes have changed in the stores that have checks left. */
static twx_rc sign_changed(publication *p, int check, bool *ret_any) {
    twx_rc rc = TWX_OK;
    *ret_any = false;
    for (part *q = p->parts; rc == TWX_OK && q < p->parts + p->all->at.n; q++) {
        int64_t version = 0;
        if (check >= (q->store->sign.feed == TWX_FEED_TRIGGER ? CHECKS_WITH_QUEUE : CHECKS_WITHOUT))
            continue;
        rc = twx_run_store_data_version(q->store, &version);
        if (rc != TWX_OK || version == q->store->data_version) continue;
        *ret_any = true;
        rc = twx_run_store_sign(q->store, &q->again, p->all->summary);
    }
    return rc;
}

/* Whether document i is unchanged since it was judged. */
static twx_rc still_stands(publication *p, uint32_t i, bool *ret_stands) {
    twx_stored stored;
    bool changed = true;
    twx_ctx *cx = p->all->job->cx;
    const twx_doc_row *entry = &p->j->docs.at.at[i];
    twx_signatures *signatures = p->parts[entry->store].store->o.signatures;
    twx_rc rc = twx_signatures_get(signatures, entry->doc, &stored);
    if (rc == TWX_OK) rc = twx_has_changed(cx, p->j, i, stored.facts, stored.record, &changed);
    twx_signatures_release(signatures);
    *ret_stands = !changed;
    return rc == TWX_DONE ? TWX_OK : rc;
}

TWX_ORDER_0(by_doc, int64_t)

/* Of the documents that were signed again, lists the representatives that vanished or differ from
 * what was judged. */
static twx_rc find_changed(publication *p, indexes *ret_changed) {
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < p->j->docs.at.n; i++) {
        bool stands = true;
        const twx_doc_row *entry = &p->j->docs.at.at[i];
        const twx_docs *again = &p->parts[entry->store].again;
        if (again->n == 0 ||
            !bsearch(&entry->doc, again->at, again->n, sizeof *again->at, by_doc) ||
            !twx_represents_others(p->j, i))
            continue;
        rc = still_stands(p, i, &stands);
        if (rc == TWX_OK && !stands && !TWX_VEC_PUSH(p->all->job->cx, ret_changed, i))
            rc = TWX_E_NOMEM;
    }
    return rc;
}

/* Withdraws these (judge/judge.c). The document that takes the place of a representative may
 * have changed too, so this is repeated until none is found. */
static twx_rc withdraw_signed(publication *p, size_t *withdrawn) {
    indexes changed = {0};
    size_t signed_again = 0;
    twx_rc rc = TWX_OK;
    for (part *q = p->parts; q < p->parts + p->all->at.n; q++) {
        if (q->again.n) qsort(q->again.at, q->again.n, sizeof *q->again.at, by_doc);
        signed_again += q->again.n;
    }
    if (signed_again == 0) return TWX_OK;
    do {
        changed.n = 0;
        rc = find_changed(p, &changed);
        if (rc == TWX_OK && changed.n > 0)
            rc = twx_doc_set_withdraw(p->all->job->cx, p->j, changed.at, changed.n);
        *withdrawn += changed.n;
    } while (rc == TWX_OK && changed.n > 0);
    TWX_VEC_DONE(&changed);
    return rc;
}

/* Withdraws representatives that other processes have changed. If they write continuously, there
 * can always be one more; after the last check the rest is left to the next run. */
static twx_rc withdraw_changed(publication *p) {
    size_t withdrawn = 0;
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < CHECKS_WITH_QUEUE; i++) {
        const size_t before = withdrawn;
        bool any = false;
        rc = sign_changed(p, i, &any);
        if (rc == TWX_OK && any) rc = withdraw_signed(p, &withdrawn);
        if (withdrawn == before) break;
        if (rc == TWX_OK) rc = twx_foreign_find(p->all, p->j);
        for (size_t k = 0; rc == TWX_OK && k < p->all->at.n; k++)
            rc = write_changes(p->parts[k].publisher);
    }
    if (rc == TWX_OK && withdrawn > 0)
        twx_job_message(p->all->job, TWINDEX_NOTE,
                        "%zu %s changed while the run worked: another document of the group takes "
                        "its place until the next run",
                        withdrawn, twx_plural(withdrawn, "representative", "representatives"));
    return rc;
}

/* ---- commit -------------------------------------------------------------- */

/* [R2] */
static twx_rc fail_between(publication *p, size_t committed, twx_rc rc) {
    twx_ctx *cx = p->all->job->cx;
    char reason[TWX_MESSAGE_MAX];
    if (committed == 0) return rc;
    snprintf(reason, sizeof reason, "%s", cx->message);
    twx_ctx_clear(cx);
    return twx_fail(cx, rc,
                    "%.700s; %zu of %zu stores have the new flags already: run again to publish "
                    "them to all",
                    reason, committed, p->all->at.n);
}

twx_rc twx_publish_stores(twx_run_stores *all, twx_doc_set *j, const twx_publish_plan *plan) {
    const size_t n = all->at.n;
    publication p = {.all = all, .j = j, .plan = plan};
    p.parts = twx_calloc(all->job->cx, n, sizeof *p.parts);
    if (!p.parts) return TWX_E_NOMEM;
    int64_t run = 0; /* the number of a run over several stores */
    twx_rc rc = n > 1 ? draw(all->job->cx, &run) : TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = prepare(&p, i, run);
    if (rc == TWX_OK) rc = withdraw_changed(&p);
    if (rc == TWX_OK) rc = twx_doc_set_error(all->job->cx, j);
    if (rc == TWX_OK) rc = twx_cancelled(all->job->cx);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = publisher_commit(p.parts[i].publisher, plan->fingerprint);
        if (rc != TWX_OK) rc = fail_between(&p, i, rc);
    }
    for (size_t i = 0; i < n; i++) {
        twx_publisher_close(p.parts[i].publisher);
        if (p.parts[i].store) twx_foreign_done(&p.parts[i].foreign);
        TWX_VEC_DONE(&p.parts[i].again);
    }
    twx_free(p.parts);
    return rc;
}
