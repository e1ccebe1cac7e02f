#include "cluster/cluster.h"

#include <unistd.h>

#include "sql_text.h"

/* ==== cluster_mirrors */

/* The step mirrors: hosts that have most of their documents in
 * common (judge/mirrors.c), by the result of the last run over the cluster.
 * [R1] They are those of a run over one store with all documents.
 * Memory: 16 bytes a document that takes part, besides that of judge/mirrors.c. */

enum { DOCUMENTS_AT_ONCE = 4000000 }; /* about, of a statement */

typedef struct reading {
    const twx_job *job;
    twx_nodes *nodes;
    uint64_t run;
    twx_mirror_intake in;
    uint64_t documents; /* that take part */
} reading;

/* The key of a group; name: of its representative, empty for none. */
static const uint64_t *group_of(twx_slice name, uint64_t *key) {
    *key = twx_hash64(name, 0);
    return name.n ? key : NULL;
}

static twx_rc mirror_row(void *arg, twx_row_reader *row) {
    reading *r = arg;
    twx_mirror_entry e = {.host = twx_row_string(row)};
    const twx_slice exact = twx_row_string(row), near = twx_row_string(row);
    uint64_t keys[2];
    e.exact = group_of(exact, &keys[0]);
    e.near = group_of(near, &keys[1]);
    e.survive = twx_row_number(row, 1) != 0;
    e.n = twx_row_number(row, 8);
    if (row->broken || e.host.n == 0 || e.n > r->documents - r->in.documents.n)
        return twx_fail(r->job->cx, TWX_E_DATA,
                        "cluster: the answer to 'read_mirrors' is not that of its run: if "
                        "'cluster judge' has ended meanwhile, try again");
    return twx_mirror_intake_add(r->job->cx, &r->in, &e);
}

/* ==== cluster_summary */

typedef struct published_store {
    const char *store, *outcome;
    uint32_t shard;
    uint64_t run, documents;
} published_store;

typedef struct publish_summary {
    TWX_VEC(published_store) stores;
    /* Without stores: the run that is committed, its stores, and how many have published it */
    uint64_t run;
    size_t shards, published;
} publish_summary;

typedef struct cluster_shard {
    uint32_t shard;
    uint64_t version, documents, found_documents, pushed_at;
    bool holds;              /* the servers have what its last push left */
    uint64_t judged_version; /* of the last run; 0: it was not judged */
    const char *vote;        /* on the last run; NULL: not known */
    uint64_t owed;           /* texts that the newest run has asked for and the servers have not */
} cluster_shard;

typedef struct cluster_status {
    const char *database;
    size_t nodes;
    uint64_t run;   /* the last run that has ended; 0: none */
    bool committed; /* it is, in the ledger */
    /* Of the newest run: pairs that wait for texts, and how often in turn; 0: none */
    uint64_t open_pairs, round;
    TWX_VEC(cluster_shard) shards;
} cluster_status;

static json_t *vote_json(const void *shard) {
    const char *vote = ((const cluster_shard *)shard)->vote;
    return json_string(vote ? vote : "");
}

#define J(...) TWX_FIELD(twx_judge_summary, __VA_ARGS__)
static const twx_field JUDGED[] = {TWX_FIELDS(
    J("run", run), J("shards", shards), J("documents", documents), J("indexable", indexable),
    J("hidden", hidden), J("linked", linked), J("link_rounds", link_rounds),
    J("near_rounds", near_rounds), J("copy_rounds", copy_rounds), J("compared", compared),
    J("read", read), J("cluster_rounds", group_rounds), J("statements", statements),
    J("seconds", seconds))};
#define P(...) TWX_FIELD(twx_pull_summary, __VA_ARGS__)
static const twx_field PULLED[] = {TWX_FIELDS(
    P("shard", shard), P("outcome", outcome), P("run", run), P("documents", documents),
    P("pulled", pulled), P("changed", changed), P("elsewhere", elsewhere), P("seconds", seconds))};
#define PU(...) TWX_FIELD(published_store, __VA_ARGS__)
static const twx_field PUBLISHED[] = {PU("store", store), PU("shard", shard), PU("run", run),
                                      PU("outcome", outcome)};
#define S(...) TWX_FIELD(publish_summary, __VA_ARGS__)
static const twx_field STORES[] = {TWX_FIELD_ROWS_OF(publish_summary, "stores", stores, PUBLISHED)},
                       COMMITTED[] = {S("run", run), S("shards", shards),
                                      S("published", published)};
#define SH(...) TWX_FIELD(cluster_shard, __VA_ARGS__)
static const twx_field SHARD[] = {
    TWX_FIELDS(SH("shard", shard), SH("version", version), SH("documents", documents),
               SH("found_documents", found_documents), SH("pushed_at", pushed_at),
               SH("judged_version", judged_version), SH("complete", holds), SH("owed", owed),
               TWX_FIELD_GOT("vote", vote_json))};
#define ST(...) TWX_FIELD(cluster_status, __VA_ARGS__)
static const twx_field STATUS[] = {
    TWX_FIELDS(ST("database", database), ST("nodes", nodes), ST("run", run),
               ST("committed", committed), ST("round", round), ST("open_pairs", open_pairs),
               TWX_FIELD_ROWS_OF(cluster_status, "shards", shards, SHARD))};

static twx_rc publish_summary_write(const twx_out *out, const publish_summary *s) {
    twx_rc rc = TWX_OK;
    if (twx_out_is_json(out) && s->stores.n)
        return twx_out_json(out, twx_row_json(TWX_ROWS_AT(STORES, s, 1)));
    if (twx_out_is_json(out)) return twx_out_json(out, twx_row_json(TWX_ROWS_AT(COMMITTED, s, 1)));
    for (size_t i = 0; rc == TWX_OK && i < s->stores.n; i++) {
        const published_store *line = &s->stores.at[i];
        rc = twx_out_text(out, "%s: shard %" PRIu32 ", run %" PRIu64 ": %s\n", line->store,
                          line->shard, line->run, line->outcome);
    }
    if (rc == TWX_OK && s->stores.n == 0)
        rc = twx_out_text(
            out, "run %" PRIu64 " is committed, %zu of %zu stores have published it%s\n", s->run,
            s->published, s->shards,
            s->published < s->shards ? ": 'twindex cluster publish STORE' for each" : "");
    return rc;
}

static const char *state_of(const cluster_shard *shard) {
    if (shard->holds && shard->judged_version == shard->version) return "complete, judged";
    if (shard->holds) return "complete";
    return shard->version ? "differs from its manifest: push it again"
                          : "its first push has not ended: push it again";
}

static twx_rc cluster_status_write(const twx_out *out, const cluster_status *s) {
    if (twx_out_is_json(out)) return twx_out_json(out, twx_row_json(TWX_ROWS_AT(STATUS, s, 1)));
    twx_rc rc = twx_out_text(out, "database %s on %zu %s, %zu %s\n", s->database, s->nodes,
                             twx_plural(s->nodes, "node", "nodes"), s->shards.n,
                             twx_plural(s->shards.n, "shard", "shards"));
    if (rc == TWX_OK && s->run)
        rc = twx_out_text(out, "  the last run is %" PRIu64 "%s\n", s->run,
                          s->committed ? ", committed" : "");
    if (rc == TWX_OK && s->round)
        rc = twx_out_text(out, "  round %" PRIu64 " of texts: %" PRIu64 " %s open\n", s->round,
                          s->open_pairs, twx_plural(s->open_pairs, "pair is", "pairs are"));
    for (size_t i = 0; rc == TWX_OK && i < s->shards.n; i++) {
        const cluster_shard *shard = &s->shards.at[i];
        rc = twx_out_text(
            out, "  shard %-5" PRIu32 "  version %-5" PRIu64 "  %12" PRIu64 " documents  %s%s%s\n",
            shard->shard, shard->version, shard->found_documents, state_of(shard),
            shard->vote && shard->vote[0] ? ", " : "", shard->vote ? shard->vote : "");
        if (rc == TWX_OK && shard->owed)
            rc = twx_out_text(out, "               owes %" PRIu64 " %s: push it\n", shard->owed,
                              twx_plural(shard->owed, "text", "texts"));
    }
    return rc;
}

/* ==== cluster_steps */

/* What a step works with. */
typedef struct step {
    const twx_job *job;
    twx_nodes *nodes; /* NULL: the step needs the ledger only */
    const twindex_cluster_options *options;
    const twx_out *out;
} step;

/* ---- publish and digest: the ledger (store/shards.c), and no server ------ */

/* [R1] A run is committed when all its stores have voted 'prepared'; what is published to a store
 * is what it has prepared, and only if that run is committed.
 * [R2] A publish that is repeated does what is left. */

/* Only pull creates the file, so that a wrong path is not taken for an empty ledger. */
static twx_rc open_ledger(const twx_job *job, twx_vote_ledger **ret_ledger) {
    const char *path = job->settings->cluster_ledger;
    if (!path || !path[0])
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
                        job->settings->cluster_ledger, ballot->run);
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
    published_store *line;
} publisher;

static twx_rc open_store(publisher *p) {
    const unsigned needs = TWX_NEED_SOURCE | TWX_NEED_RESULTS;
    twx_rc rc = twx_lock_take(&p->job, twx_own_path(&p->job), &p->lock);
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

static twx_rc publish_to(publisher *p) {
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
                            publish_summary *s) {
    published_store line = {.store = store};
    publisher p = {.job = *job, .ledger = ledger, .line = &line};
    p.job.store = store;
    twx_rc rc = publish_to(&p);
    if (rc == TWX_OK) sweep(&p);
    if (rc == TWX_OK && !TWX_VEC_PUSH(job->cx, &s->stores, line)) rc = TWX_E_NOMEM;
    twx_opened_done(&p.o);
    twx_lock_release(p.lock, rc);
    twx_arena_done(&p.bytes);
    return rc;
}

static twx_rc commit_newest(const twx_job *job, twx_vote_ledger *ledger, publish_summary *s) {
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

/* Commits the newest run, then publishes to the stores of the job, if it names some. */
static twx_rc publish(const step *s) {
    publish_summary summary = {.run = 0};
    twx_vote_ledger *ledger = NULL;
    const twx_job *job = s->job;
    const size_t n = job->n_stores ? job->n_stores : job->store ? 1 : 0;
    twx_rc rc = open_ledger(job, &ledger), written = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = publish_store(job, job->n_stores ? job->stores[i] : job->store, ledger, &summary);
    if (rc == TWX_OK && n == 0) rc = commit_newest(job, ledger, &summary);
    twx_vote_ledger_close(ledger);
    /* what was published before an error is reported, too */
    if (rc == TWX_OK || summary.stores.n) written = publish_summary_write(s->out, &summary);
    TWX_VEC_DONE(&summary.stores);
    return rc == TWX_OK ? written : rc;
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

/* The sum of the digests of the newest run that all stores have prepared: that of one store with
 * all documents. */
static twx_rc digest(const step *s) {
    const twx_job *job = s->job;
    twx_hash128 sum = {0, 0};
    twx_vote_ledger *ledger = NULL;
    int64_t runs[2] = {0, 0}; /* the newest, the newest committed one */
    bool found = false;
    twx_rc rc = open_ledger(job, &ledger);
    if (rc == TWX_OK) rc = twx_vote_ledger_newest(ledger, &runs[0], &runs[1]);
    for (size_t i = 0; rc == TWX_OK && !found && i < TWX_COUNTOF(runs); i++) {
        twx_ballot ballot = {.run = 0};
        rc = twx_vote_ledger_read(ledger, runs[i], &ballot);
        found = rc == TWX_OK && add_digests(&ballot, &sum);
        TWX_VEC_DONE(&ballot.votes);
    }
    if (rc == TWX_OK && !found)
        rc = twx_fail(job->cx, TWX_E_DATA,
                      "there is no run that all stores have prepared: run 'twindex cluster pull' "
                      "for each");
    twx_vote_ledger_close(ledger);
    return rc == TWX_OK ? twx_digest_write(s->out, &sum) : rc;
}

/* Adds to each shard what it has voted on the run of the status. */
static twx_rc add_votes(const twx_job *job, cluster_status *status) {
    static const char *const KINDS[] = {
        [TWX_VOTE_NONE] = "", [TWX_VOTE_PREPARED] = "prepared", [TWX_VOTE_AGAIN] = "again"};
    twx_ballot ballot = {.run = 0};
    const twx_rc rc = twx_votes_read(job, status->run, &ballot);
    status->committed = ballot.committed_at != 0;
    for (size_t i = 0; i < ballot.votes.n; i++) {
        const twx_vote *v = &ballot.votes.at[i];
        for (size_t k = 0; k < status->shards.n; k++)
            if (status->shards.at[k].shard == v->shard)
                status->shards.at[k].vote = v->published_at ? "published" : KINDS[v->kind];
    }
    TWX_VEC_DONE(&ballot.votes);
    return rc;
}

/* ---- the steps that ask servers ----------------------------------------- */

static twx_rc write_made(const step *s, const char *outcome) {
    const char *database = s->job->settings->cluster_database;
    const size_t nodes = twx_nodes_count(s->nodes);
    if (twx_out_is_json(s->out))
        return twx_out_json(s->out, json_pack("{s:s, s:i, s:s}", "database", database, "nodes",
                                              (int)nodes, "outcome", outcome));
    return twx_out_text(s->out, "database %s on %zu %s: %s\n", database, nodes,
                        twx_plural(nodes, "node", "nodes"), outcome);
}

static twx_rc make(const step *s) {
    twx_rc rc = twx_cluster_make_tables(s->job, s->nodes);
    return rc == TWX_OK ? write_made(s, "ready") : rc;
}

static twx_rc drop(const step *s) {
    twx_rc rc = twx_cluster_drop_tables(s->job, s->nodes);
    return rc == TWX_OK ? write_made(s, "dropped") : rc;
}

static twx_rc push(const step *s) {
    twx_push_summary pushed;
    twx_rc rc = twx_cluster_push(s->job, s->nodes, s->options->force, &pushed);
    if (rc != TWX_OK) return rc;
    const twx_count_row rows[] = {
        {"shard", .n = pushed.shard},
        {"version", .n = pushed.version},
        {"documents", "documents", .n = pushed.documents, .always = true},
        {"sent", "sent", NULL, pushed.sent, pushed.bytes, true, true},
        {"gone", "gone", .n = pushed.gone, .always = true},
        {"bytes", .n = pushed.bytes},
        {"texts", "texts sent to prove copies", NULL, pushed.texts, pushed.text_bytes, true, true},
        {"text_bytes", .n = pushed.text_bytes}};
    char what[64];
    snprintf(what, sizeof what, "shard %" PRIu32 ", version %" PRIu64, pushed.shard,
             pushed.version);
    return twx_count_result_write(s->out, pushed.store, what, rows, TWX_COUNTOF(rows),
                                  pushed.seconds);
}

static twx_rc judge(const step *s) {
    twx_judge_summary run;
    twx_rc rc = twx_cluster_judge(s->job, s->nodes, s->options->force, s->options->discard, &run);
    if (rc != TWX_OK) return rc;
    if (twx_out_is_json(s->out))
        return twx_out_json(s->out, twx_row_json(TWX_ROWS_AT(JUDGED, &run, 1)));
    return twx_out_text(
        s->out,
        "run %" PRIu64 ": %zu %s judged, no flags published\n  %12" PRIu64
        "  documents\n  %12" PRIu64 "  take part\n  %12" PRIu64
        "  of these are duplicates of another one\n  %12" PRIu64 "  links count\n  %12" PRIu64
        "  rounds for links, %" PRIu64 " for near-duplicates, %" PRIu64 " for copies, %" PRIu64
        " for groups\n  %12" PRIu64 "  pairs of texts compared, %" PRIu64
        " of them word by word\n  %12.2f  seconds\n",
        run.run, run.shards, twx_plural(run.shards, "shard", "shards"), run.documents,
        run.indexable, run.hidden, run.linked, run.link_rounds, run.near_rounds, run.copy_rounds,
        run.group_rounds, run.compared, run.read, run.seconds);
}

/* Errors TWX_E_DATA: nothing has been judged */
static twx_rc mirrors(const step *s) {
    const twx_settings *settings = s->job->settings;
    twx_mirror_list list = {.store = settings->cluster_database,
                            .ratio_ppm = settings->mirrors_ratio_ppm,
                            .min_documents = settings->mirrors_min_documents};
    reading r = {.job = s->job, .nodes = s->nodes};
    twx_cluster_runs runs = {0};
    twx_mirror_intake_init(&r.in, &list.names, &list.hosts);
    twx_rc rc = twx_cluster_check_tables(s->job, s->nodes);
    if (rc == TWX_OK) rc = twx_cluster_runs_read(s->nodes, &runs);
    r.run = runs.last;
    if (rc == TWX_OK && r.run == 0)
        rc = twx_fail(s->job->cx, TWX_E_DATA,
                      "nothing has been judged: run 'twindex cluster judge'");
    twx_statement read = TWX_CLUSTER_WITH(READ_MIRRORS, .run = r.run);
    if (rc == TWX_OK)
        rc = twx_nodes_sums(r.nodes, &TWX_CLUSTER_WITH(COUNT_MIRRORS, .run = r.run), &r.documents,
                            1);
    read.parts = 1 + r.documents / DOCUMENTS_AT_ONCE;
    for (read.range = 0; rc == TWX_OK && read.range < read.parts; read.range++) {
        twx_job_progress(r.job, "mirrors", "documents", r.in.documents.n, r.documents);
        rc = twx_nodes_read(r.nodes, &read, mirror_row, &r);
    }
    if (rc == TWX_OK)
        rc = twx_mirror_intake_find(s->job->cx, &r.in, list.ratio_ppm, list.min_documents,
                                    &list.found);
    twx_cluster_runs_done(&runs);
    twx_mirror_intake_done(&r.in);
    if (rc == TWX_OK) rc = twx_mirror_list_write(s->out, &list);
    twx_mirror_list_done(&list);
    return rc;
}

static twx_rc pull(const step *s) {
    twx_pull_summary p;
    twx_rc rc = twx_cluster_pull(s->job, s->nodes, &p);
    if (rc != TWX_OK) return rc;
    if (twx_out_is_json(s->out))
        return twx_out_json(s->out, twx_row_json(TWX_ROWS_AT(PULLED, &p, 1)));
    return twx_out_text(s->out,
                        "%s: shard %" PRIu32 ", run %" PRIu64 ": %s\n  %12" PRIu64
                        "  documents with flags\n  %12" PRIu64 "  rows pulled\n  %12" PRIu64
                        "  documents of other stores referred to\n  %12" PRIu64
                        "  documents changed since they were pushed\n  %12.2f  seconds\n",
                        p.store, p.shard, p.run, p.outcome, p.documents, p.pulled, p.elsewhere,
                        p.changed, p.seconds);
}

static twx_rc status(const step *s) {
    cluster_status found = {.database = s->job->settings->cluster_database,
                            .nodes = twx_nodes_count(s->nodes)};
    twx_manifests manifests = {0};
    twx_cluster_runs runs = {0};
    twx_owed_list owed = {0};
    twx_rc rc = twx_cluster_check_tables(s->job, s->nodes);
    if (rc == TWX_OK) rc = twx_manifests_read(s->nodes, &manifests);
    if (rc == TWX_OK) rc = twx_cluster_runs_read(s->nodes, &runs);
    if (rc == TWX_OK) rc = twx_owed_read(s->nodes, &runs, &owed);
    found.round = runs.round;
    found.open_pairs = runs.open_pairs;
    found.run = runs.last;
    for (size_t i = 0; rc == TWX_OK && i < manifests.n; i++) {
        const twx_manifest *m = &manifests.at[i], *judged = twx_manifest_of(&runs.judged, m->shard);
        const cluster_shard shard = {.shard = m->shard,
                                     .version = m->version,
                                     .documents = m->documents,
                                     .found_documents = m->found_documents,
                                     .pushed_at = m->pushed_at,
                                     .holds = twx_manifest_holds(m),
                                     .judged_version = judged ? judged->version : 0,
                                     .owed = twx_owed_of(&owed, m->shard)};
        if (!TWX_VEC_PUSH(s->job->cx, &found.shards, shard)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) rc = add_votes(s->job, &found);
    if (rc == TWX_OK) rc = cluster_status_write(s->out, &found);
    TWX_VEC_DONE(&owed);
    twx_cluster_runs_done(&runs);
    twx_manifests_done(&manifests);
    TWX_VEC_DONE(&found.shards);
    return rc;
}

twx_rc twx_cluster_step(const twx_job *job, twindex_cluster_action action,
                        const twindex_cluster_options *options, const twx_out *out) {
    static const struct {
        twx_rc (*take)(const step *);
        bool needs_nodes;
    } STEPS[] = {
        [TWINDEX_CLUSTER_INIT] = {make, true},     [TWINDEX_CLUSTER_PUSH] = {push, true},
        [TWINDEX_CLUSTER_JUDGE] = {judge, true},   [TWINDEX_CLUSTER_MIRRORS] = {mirrors, true},
        [TWINDEX_CLUSTER_PULL] = {pull, true},     [TWINDEX_CLUSTER_PUBLISH] = {publish, false},
        [TWINDEX_CLUSTER_STATUS] = {status, true}, [TWINDEX_CLUSTER_DIGEST] = {digest, false},
        [TWINDEX_CLUSTER_DROP] = {drop, true}};
    step s = {.job = job, .options = options, .out = out};
    if ((size_t)action >= TWX_COUNTOF(STEPS))
        return twx_fail(job->cx, TWX_E_USAGE, "no such step of a cluster");
    twx_rc rc = STEPS[action].needs_nodes ? twx_nodes_open(job, &s.nodes) : TWX_OK;
    if (rc == TWX_OK) rc = STEPS[action].take(&s);
    twx_nodes_close(s.nodes);
    return rc;
}
