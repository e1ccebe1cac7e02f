#include "cluster/cluster.h"

#include <unistd.h>

static const char *path_of(const twx_job *job) {
    const char *path = job->settings->cluster_ledger;
    return path && path[0] ? path : NULL;
}

/* Only pull creates the file, so that a wrong path is not taken for an empty ledger. */
static twx_rc open_ledger(const twx_job *job, twx_vote_ledger **ret_ledger) {
    const char *path = path_of(job);
    if (!path)
        return twx_fail(job->cx, TWX_E_CONFIG,
                        "cluster.ledger is not set: name the file that the stores of the cluster "
                        "share");
    if (access(path, F_OK) != 0)
        return twx_fail(job->cx, TWX_E_DATA,
                        "%s: there is no ledger yet: run 'twindex cluster pull' (cluster.ledger)",
                        path);
    return twx_vote_ledger_open(job->cx, path, job->settings->run_busy_ms, ret_ledger);
}

/* The first store that keeps the run from being committed. */
static twx_rc fail_vote(const twx_job *job, const twx_ballot *ballot) {
    size_t missing = 0;
    const twx_vote *first = NULL;
    if (ballot->votes.n == 0)
        return twx_fail(job->cx, TWX_E_DATA,
                        "%s: the ledger does not know run %" PRId64
                        ", which this store has prepared: set cluster.ledger to the file that it "
                        "was pulled with, or judge again and pull all stores",
                        path_of(job), ballot->run);
    for (size_t i = 0; i < ballot->votes.n; i++) {
        const twx_vote *v = &ballot->votes.at[i];
        if (v->kind == TWX_VOTE_AGAIN)
            return twx_fail(job->cx, TWX_E_BUSY,
                            "run %" PRId64 ": shard %" PRIu32
                            " has voted 'again', because its documents have changed: push it, "
                            "judge, and pull all stores",
                            ballot->run, v->shard);
        if (v->kind == TWX_VOTE_PREPARED) continue;
        missing++;
        if (!first) first = v;
    }
    return twx_fail(job->cx, TWX_E_BUSY,
                    "run %" PRId64 ": %zu of %zu %s not prepared, the first is shard %" PRIu32
                    ": run 'twindex cluster pull' for each",
                    ballot->run, missing, ballot->votes.n,
                    twx_plural(ballot->votes.n, "store is", "stores are"),
                    first ? first->shard : 0);
}

/* ballot->votes are the caller's. */
static twx_rc commit(const twx_job *job, twx_vote_ledger *ledger, int64_t run,
                     twx_ballot *ret_ballot) {
    twx_rc rc = twx_vote_ledger_commit(ledger, run, twx_job_now(), ret_ballot);
    return rc == TWX_OK && !ret_ballot->committed_at ? fail_vote(job, ret_ballot) : rc;
}

typedef struct publisher {
    twx_job job;
    twx_vote_ledger *ledger;
    twx_lock *lock;
    twx_opened o;
    twx_arena bytes;
    twx_state state;
    twx_store_place place;
    twx_prepared prepared;
    twx_published_store *line;
} publisher;

static twx_rc open_store(publisher *p) {
    const unsigned needs = TWX_NEED_SOURCE | TWX_NEED_RESULTS;
    twx_rc rc = twx_lock_take(p->job.cx, twx_own_path(&p->job), &p->lock);
    if (rc == TWX_OK) rc = twx_open_store(&p->job, needs, &p->o); /* creates nothing */
    twx_opened_done(&p->o);
    if (rc == TWX_OK) rc = twx_open_store(&p->job, needs | TWX_NEED_TABLES, &p->o);
    if (rc == TWX_OK) rc = twx_state_read(p->o.generations, &p->state);
    if (rc == TWX_OK) rc = twx_check_names(&p->job, p->o.writer, &p->state);
    if (rc == TWX_OK) rc = twx_store_place_read(p->o.writer, &p->bytes, &p->place);
    return rc;
}

/* The run whose result the store shows; 0: that of a run of its own. */
static int64_t shown_run(const publisher *p) {
    return p->state.generation ? p->place.run[p->state.generation == 'b'] : 0;
}

/* After a process that was killed between the two transactions, the ledger does not know that the
 * store was published. */
static twx_rc note_published(publisher *p, int64_t run, uint32_t shard) {
    p->line->run = (uint64_t)run;
    p->line->shard = shard;
    return twx_vote_ledger_published(p->ledger, run, shard, twx_job_now());
}

static twx_rc publish_prepared(publisher *p) {
    char name[12];
    const twx_prepared *q = &p->prepared;
    snprintf(name, sizeof name, "%" PRIu32, q->shard);
    const twx_run_figures figures = {.documents = q->documents, .documents_alone = true};
    const twx_publication publication = {.direct = twx_source_is_direct(p->o.source),
                                         .select = twx_joined_select(&p->job, &p->o),
                                         .ended_at = twx_job_now(),
                                         .summary = q->summary,
                                         .figures = &figures,
                                         .collection_run = q->judge_run,
                                         .shard = twx_slice_of(name)};
    twx_rc rc = twx_cancelled(p->job.cx);
    if (rc == TWX_OK) rc = twx_generation_publish(p->o.generations, &q->claim, &publication);
    p->line->documents = q->documents;
    p->line->outcome = "published";
    return rc == TWX_OK ? note_published(p, q->judge_run, q->shard) : rc;
}

static twx_rc publish(publisher *p) {
    twx_ballot ballot = {.run = 0};
    int64_t newest = 0, committed = 0, shard = 0;
    twx_rc rc = open_store(p);
    if (rc != TWX_OK) return rc;
    rc = twx_prepared_read(p->o.generations, p->o.writer, &p->bytes, &p->prepared);
    if (rc == TWX_OK) {
        rc = commit(&p->job, p->ledger, p->prepared.judge_run, &ballot);
        TWX_VEC_DONE(&ballot.votes);
        return rc == TWX_OK ? publish_prepared(p) : rc;
    }
    if (rc == TWX_DONE) rc = twx_vote_ledger_newest(p->ledger, &newest, &committed);
    if (rc != TWX_OK) return rc;
    if (!shown_run(p) || shown_run(p) != committed || !p->place.shard.p ||
        !twx_slice_integer(p->place.shard, &shard))
        return twx_fail(p->job.cx, TWX_E_DATA,
                        "%s: nothing is prepared, or a run has begun since: run 'twindex cluster "
                        "pull' for this store",
                        p->job.store);
    p->line->outcome = "published already";
    return note_published(p, committed, (uint32_t)shard);
}

/* Neither an error here nor a signal turns the publication into a failed one. */
static void sweep(publisher *p) {
    twx_ctx *cx = p->job.cx;
    atomic_int *cancel = cx->cancel;
    if (twx_source_is_direct(p->o.source)) return;
    cx->cancel = NULL;
    if (twx_document_sweep(p->o.signatures) != TWX_OK) twx_ctx_clear(cx);
    cx->cancel = cancel;
}

static twx_rc publish_store(const twx_job *job, const char *store, twx_vote_ledger *ledger,
                            twx_publish_summary *s) {
    twx_published_store line = {.store = store};
    publisher p = {.job = *job, .ledger = ledger, .line = &line};
    p.job.store = store;
    twx_rc rc = publish(&p);
    if (rc == TWX_OK) sweep(&p);
    if (rc == TWX_OK && !TWX_VEC_PUSH(job->cx, &s->stores, line)) rc = TWX_E_NOMEM;
    twx_opened_done(&p.o);
    twx_lock_release(p.lock, rc);
    twx_arena_done(&p.bytes);
    return rc;
}

static twx_rc commit_newest(const twx_job *job, twx_vote_ledger *ledger, twx_publish_summary *s) {
    twx_ballot ballot = {.run = 0};
    int64_t newest = 0, committed = 0;
    twx_rc rc = twx_vote_ledger_newest(ledger, &newest, &committed);
    if (rc == TWX_OK && newest == 0)
        rc = twx_fail(job->cx, TWX_E_DATA, "no store has pulled a run: 'twindex cluster pull'");
    if (rc == TWX_OK) rc = commit(job, ledger, newest, &ballot);
    s->run = (uint64_t)newest;
    s->shards = ballot.votes.n;
    for (size_t i = 0; i < ballot.votes.n; i++)
        s->published += ballot.votes.at[i].published_at != 0;
    TWX_VEC_DONE(&ballot.votes);
    return rc;
}

twx_rc twx_cluster_publish(const twx_job *job, twx_publish_summary *ret_summary) {
    twx_vote_ledger *ledger = NULL;
    const size_t n = job->n_stores ? job->n_stores : job->store ? 1 : 0;
    twx_rc rc = open_ledger(job, &ledger);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = publish_store(job, job->n_stores ? job->stores[i] : job->store, ledger, ret_summary);
    if (rc == TWX_OK && n == 0) rc = commit_newest(job, ledger, ret_summary);
    twx_vote_ledger_close(ledger);
    return rc;
}

static bool add_digests(const twx_ballot *ballot, twx_hash128 *ret_sum) {
    twx_hash128 sum = {0, 0};
    for (size_t i = 0; i < ballot->votes.n; i++) {
        twx_hash128 one;
        if (!twx_digest_read(twx_slice_of(ballot->votes.at[i].digest), &one)) return false;
        sum.hi += one.hi + __builtin_add_overflow(sum.lo, one.lo, &sum.lo);
    }
    *ret_sum = sum;
    return ballot->votes.n > 0;
}

twx_rc twx_cluster_digest(const twx_job *job, twx_hash128 *ret_digest) {
    twx_vote_ledger *ledger = NULL;
    int64_t runs[2] = {0, 0}; /* the newest, the newest committed one */
    bool found = false;
    twx_rc rc = open_ledger(job, &ledger);
    if (rc == TWX_OK) rc = twx_vote_ledger_newest(ledger, &runs[0], &runs[1]);
    for (size_t i = 0; rc == TWX_OK && !found && i < TWX_COUNTOF(runs); i++) {
        twx_ballot ballot = {.run = 0};
        rc = twx_vote_ledger_read(ledger, runs[i], &ballot);
        found = rc == TWX_OK && add_digests(&ballot, ret_digest);
        TWX_VEC_DONE(&ballot.votes);
    }
    if (rc == TWX_OK && !found)
        rc = twx_fail(job->cx, TWX_E_DATA,
                      "there is no run that all stores have prepared: run 'twindex cluster pull' "
                      "for each");
    twx_vote_ledger_close(ledger);
    return rc;
}

static twx_rc fail_unpublished(const twx_job *job, const twx_ballot *ballot) {
    enum { NAMED = 10 };
    twx_rc rc = TWX_OK;
    size_t n = 0;
    twx_buf list = {.max = (size_t)1 << 10};
    for (size_t i = 0; rc == TWX_OK && i < ballot->votes.n; i++)
        if (ballot->votes.at[i].published_at == 0 && n++ < NAMED)
            rc = twx_buf_printf(job->cx, &list, "%s%" PRIu32, n > 1 ? ", " : "",
                                ballot->votes.at[i].shard);
    if (rc == TWX_OK && n > NAMED) rc = twx_buf_printf(job->cx, &list, " and %zu more", n - NAMED);
    if (rc == TWX_OK && n)
        rc = twx_fail(job->cx, TWX_E_BUSY,
                      "run %" PRId64 " is committed, and %s " TWX_SLICE_FMT
                      " %s not published it: run 'twindex cluster publish STORE' for each, or "
                      "judge with --discard, after which they cannot pull it again",
                      ballot->run, twx_plural(n, "shard", "shards"),
                      TWX_SLICE_ARG(twx_buf_slice(&list)), twx_plural(n, "has", "have"));
    twx_buf_done(&list);
    return rc;
}

twx_rc twx_cluster_check_published(const twx_job *job, uint64_t run) {
    twx_vote_ledger *ledger = NULL;
    twx_ballot ballot = {.run = 0};
    if (!path_of(job) || access(path_of(job), F_OK) != 0) return TWX_OK;
    twx_rc rc = open_ledger(job, &ledger);
    if (rc == TWX_OK) rc = twx_vote_ledger_read(ledger, (int64_t)run, &ballot);
    if (rc == TWX_OK && ballot.committed_at) rc = fail_unpublished(job, &ballot);
    TWX_VEC_DONE(&ballot.votes);
    twx_vote_ledger_close(ledger);
    return rc;
}

static const char *text_of(const twx_vote *vote) {
    static const char *const KINDS[] = {
        [TWX_VOTE_NONE] = "", [TWX_VOTE_PREPARED] = "prepared", [TWX_VOTE_AGAIN] = "again"};
    return vote->published_at ? "published" : KINDS[vote->kind];
}

twx_rc twx_cluster_add_votes(const twx_job *job, twx_cluster_status *status) {
    twx_vote_ledger *ledger = NULL;
    twx_ballot ballot = {.run = 0};
    if (!path_of(job) || access(path_of(job), F_OK) != 0) return TWX_OK;
    twx_rc rc = open_ledger(job, &ledger);
    if (rc == TWX_OK) rc = twx_vote_ledger_read(ledger, (int64_t)status->run, &ballot);
    status->committed = ballot.committed_at != 0;
    for (size_t i = 0; i < ballot.votes.n; i++)
        for (size_t k = 0; k < status->shards.n; k++)
            if (status->shards.at[k].shard == ballot.votes.at[i].shard)
                status->shards.at[k].vote = text_of(&ballot.votes.at[i]);
    TWX_VEC_DONE(&ballot.votes);
    twx_vote_ledger_close(ledger);
    return rc;
}
