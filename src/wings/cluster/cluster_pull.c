#include "cluster/cluster.h"

#include "sql_text.h"

/* ==== changed_since */

/* The documents of a shard that have changed since a run judged them. */
typedef struct twx_changed_since {
    twx_doc_list docs; /* ascending: those that differ, or are gone */
    /* Some of them represent others, or their links lead there, or it is not known which they are:
     * `reason` says why the store has to be pushed and judged again. NULL: no */
    const char *reason;
} twx_changed_since;

/* ---- the hashes of the store's documents --------------------------------- */

typedef struct hashing {
    twx_shard_store *store;
    twx_buf row; /* scratch */
    uint64_t documents, hash;
    const twx_pushed_list *judged; /* NULL: only sums are wanted */
    size_t at;
    twx_doc_list *changed;
} hashing;

static twx_rc note(hashing *h, int64_t doc) {
    return TWX_VEC_PUSH(h->store->job->cx, h->changed, doc) ? TWX_OK : TWX_E_NOMEM;
}

/* Documents that were judged and come before `doc` are gone. */
static twx_rc note_gone(hashing *h, int64_t doc, bool all) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && h->at < h->judged->n && (all || h->judged->at[h->at].doc < doc))
        rc = note(h, h->judged->at[h->at++].doc);
    return rc;
}

/* Documents come ascending by doc. */
static twx_rc hash_document(void *arg, const twx_stored *stored) {
    hashing *h = arg;
    uint64_t hash = 0;
    const int64_t doc = stored->doc;
    twx_buf_clear(&h->row);
    twx_rc rc = twx_shard_store_row(h->store, stored, 0, &h->row, &hash);
    h->documents++;
    h->hash += hash;
    if (rc == TWX_OK && h->documents % 4096 == 0) rc = twx_cancelled(h->store->job->cx);
    if (rc != TWX_OK || !h->judged) return rc;
    rc = note_gone(h, doc, false);
    if (rc != TWX_OK || h->at == h->judged->n || h->judged->at[h->at].doc != doc) return rc;
    return h->judged->at[h->at++].hash == hash ? TWX_OK : note(h, doc);
}

static twx_rc hash_documents(hashing *h) {
    h->row.max = 1 << 23;
    twx_rc rc = twx_signatures_each(h->store->o.signatures, true, hash_document, h);
    if (rc == TWX_OK && h->judged) rc = note_gone(h, 0, true);
    twx_buf_done(&h->row);
    return rc;
}

/* ---- what refers to them ------------------------------------------------- */

TWX_ORDER_0(by_document_number, int64_t)

/* Whether the result refers to some documents of a shard. */
typedef struct referring {
    uint32_t shard;
    const twx_doc_list *docs;
    bool any; /* to one of docs */
} referring;

static twx_rc referred_row(void *arg, twx_row_reader *r) {
    referring *f = arg;
    const twx_slice bytes = twx_row_string(r);
    const twx_uid uid = bytes.n == TWX_UID_BYTES ? twx_uid_read(bytes.p) : (twx_uid){0, 0};
    r->broken |= uid.shard != f->shard;
    f->any |= bsearch(&uid.doc, f->docs->at, f->docs->n, sizeof uid.doc, by_document_number) !=
              NULL;
    return TWX_OK;
}

/* The servers have the rows that were judged, unless the store was pushed again. */
static bool is_what_was_judged(const twx_pushed_list *pushed, const twx_manifest *judged) {
    uint64_t hash = 0;
    for (size_t i = 0; i < pushed->n; i++) hash += pushed->at[i].hash;
    return pushed->n == judged->documents && hash == judged->hash;
}

/* judged: what the run has judged of the shard. Memory: docs owned, TWX_VEC_DONE(). */
static twx_rc changed_since_find(twx_shard_store *store, twx_nodes *nodes, uint64_t run,
                                 const twx_manifest *judged, twx_changed_since *ret_changed) {
    const twx_statement referred = TWX_PULL_WITH(REFERRED, .run = run, .shard = store->shard);
    hashing h = {.store = store, .changed = &ret_changed->docs};
    referring f = {.shard = store->shard, .docs = &ret_changed->docs};
    twx_pushed_list pushed = {0};
    twx_rc rc = hash_documents(&h);
    if (rc == TWX_OK && h.documents == judged->documents && h.hash == judged->hash) return TWX_OK;
    if (rc == TWX_OK) rc = twx_pushed_read(nodes, store->shard, &pushed);
    if (rc == TWX_OK && !is_what_was_judged(&pushed, judged)) {
        ret_changed->reason = "it was pushed with changes after that run";
    } else if (rc == TWX_OK) {
        h = (hashing){.store = store, .judged = &pushed, .changed = &ret_changed->docs};
        rc = hash_documents(&h);
        if (rc == TWX_OK && f.docs->n) rc = twx_nodes_read(nodes, &referred, referred_row, &f);
        if (f.any) ret_changed->reason = "documents that represent others have changed since";
    }
    TWX_VEC_DONE(&pushed);
    return rc;
}

/* ==== listed_rows */

enum { ROWS_AT_ONCE = 8192 };

/* A node with its next row. */
typedef struct twx_listed_node {
    twx_buf answer;
    twx_row_reader rest;
    size_t rows; /* of the answer that were read */
    bool has, ended;
    twx_slice place, stored;
    bool takes_part;
} listed_node;

/* The rows after that which was read last. */
static twx_rc ask(twx_listed_rows *rows, size_t number) {
    listed_node *node = &rows->nodes[number];
    twx_ctx *cx = rows->j->job->cx;
    twx_buf_clear(&rows->after);
    twx_rc rc = twx_buf_add_text(cx, &rows->after, "unhex('");
    if (rc == TWX_OK) rc = twx_buf_add_hex(cx, &rows->after, node->place);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &rows->after, "')");
    if (rc != TWX_OK) return rc;
    const twx_statement read = TWX_JUDGING_WITH(READ_LISTED, .run = rows->j->run,
                                                .pass = rows->order, .batch = ROWS_AT_ONCE,
                                                .key = rows->after.p);
    twx_buf_clear(&node->answer);
    rc = twx_nodes_run(rows->j->nodes, number, &read, (twx_slice){NULL, 0}, &node->answer);
    node->rest = (twx_row_reader){.rest = twx_buf_slice(&node->answer)};
    node->rows = 0;
    node->ended = node->answer.n == 0;
    return rc;
}

static twx_rc fill(twx_listed_rows *rows, size_t number) {
    listed_node *node = &rows->nodes[number];
    twx_rc rc = TWX_OK;
    if (node->has || node->ended) return TWX_OK;
    if (node->rest.rest.n == 0) {
        node->ended = node->rows > 0 && node->rows < ROWS_AT_ONCE;
        rc = node->ended ? TWX_OK : ask(rows, number);
        if (rc != TWX_OK || node->ended) return rc;
    }
    node->place = twx_row_string(&node->rest);
    node->takes_part = twx_row_number(&node->rest, 1) != 0;
    node->stored = twx_row_string(&node->rest);
    node->rows++;
    node->has = true;
    return node->rest.broken || node->place.n < TWX_UID_BYTES
               ? twx_fail_answer(rows->j->job->cx, "read_listed")
               : TWX_OK;
}

twx_rc twx_listed_rows_next(twx_listed_rows *rows, twx_listed_row *ret_row) {
    listed_node *first = NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < rows->n; i++) {
        listed_node *node = &rows->nodes[i];
        rc = fill(rows, i);
        if (rc == TWX_OK && node->has && (!first || twx_slice_cmp(node->place, first->place) < 0))
            first = node;
    }
    if (rc != TWX_OK || !first) return rc == TWX_OK ? TWX_DONE : rc;
    first->has = false;
    twx_row_reader stored = {.rest = first->stored};
    *ret_row = (twx_listed_row){
        .uid = twx_uid_read(first->place.p + first->place.n - TWX_UID_BYTES),
        .takes_part = first->takes_part};
    if (rows->order != TWX_LISTED_BY_ID) return TWX_OK;
    ret_row->facts = twx_row_string(&stored);
    ret_row->record = stored.rest;
    return stored.broken ? twx_fail_answer(rows->j->job->cx, "read_listed") : TWX_OK;
}

twx_rc twx_listed_rows_open(twx_judging *j, twx_listed_order order, twx_listed_rows *ret_rows) {
    *ret_rows = (twx_listed_rows){.j = j, .order = order, .n = twx_nodes_count(j->nodes)};
    twx_buf_init(&ret_rows->after, TWX_STATEMENT_BYTES);
    ret_rows->nodes = twx_calloc(j->job->cx, ret_rows->n, sizeof *ret_rows->nodes);
    if (!ret_rows->nodes) return TWX_E_NOMEM;
    for (size_t i = 0; i < ret_rows->n; i++)
        twx_buf_init(&ret_rows->nodes[i].answer, (size_t)TWX_ANSWER_BYTES);
    return TWX_OK;
}

void twx_listed_rows_close(twx_listed_rows *rows) {
    for (size_t i = 0; rows->nodes && i < rows->n; i++) twx_buf_done(&rows->nodes[i].answer);
    twx_free(rows->nodes);
    twx_buf_done(&rows->after);
    *rows = (twx_listed_rows){0};
}

/* ==== cluster_pull */

typedef struct puller {
    const twx_job *job;
    twx_nodes *nodes;
    twx_shard_store store;
    twx_vote_ledger *ledger;
    twx_cluster_runs runs;
    const twx_manifest *judged; /* of this shard */
    twx_state state;
    twx_store_place place;
    twx_prepared prepared;
    bool committed; /* the run */
    twx_arena bytes;
    twx_changed_since changed;
    twx_remote_list remotes;
    twx_pulled_rows rows;
    twx_pull_summary *summary;
} puller;

static int64_t run_of(const puller *p) {
    return (int64_t)p->runs.last;
}

/* ---- what is pulled ------------------------------------------------------ */

/* Rows of the store are compared with those of the push, so they have to be made alike. */
static twx_rc check_manifest(puller *p) {
    twx_manifests manifests = {0};
    twx_rc rc = twx_manifests_read(p->nodes, &manifests);
    const twx_manifest *m = twx_manifest_of(&manifests, p->store.shard);
    if (rc == TWX_OK && m && m->store != p->store.key)
        rc = twx_fail(p->job->cx, TWX_E_CONFIG,
                      "%s: shard %" PRIu32 " was pushed from another store: use the cluster.shard "
                      "under which this one was pushed",
                      p->job->store, p->store.shard);
    if (rc == TWX_OK && m && m->fingerprint != twx_shard_store_fingerprint(&p->store))
        rc = twx_fail(p->job->cx, TWX_E_CONFIG,
                      "%s: the settings are not those it was pushed with: use the same "
                      "configuration, or push and judge again",
                      p->job->store);
    twx_manifests_done(&manifests);
    return rc;
}

static twx_rc find_run(puller *p) {
    twx_rc rc = twx_cluster_runs_read(p->nodes, &p->runs);
    if (rc != TWX_OK) return rc;
    p->judged = twx_manifest_of(&p->runs.judged, p->store.shard);
    p->summary->run = p->runs.last;
    if (p->runs.last == 0)
        return twx_fail(p->job->cx, TWX_E_DATA,
                        "nothing is judged yet: run 'twindex cluster judge'");
    if (!p->judged)
        return twx_fail(p->job->cx, TWX_E_DATA,
                        "run %" PRIu64 " has not judged shard %" PRIu32
                        ": push the store and judge again",
                        p->runs.last, p->store.shard);
    return check_manifest(p);
}

/* ---- the ledger ---------------------------------------------------------- */

static twx_rc vote(puller *p, twx_vote_kind kind) {
    twx_vote v = {.shard = p->store.shard,
                  .kind = kind,
                  .documents = p->prepared.documents,
                  .voted_at = twx_job_now()};
    if (kind == TWX_VOTE_PREPARED) snprintf(v.digest, sizeof v.digest, "%s", p->prepared.digest);
    return twx_vote_ledger_vote(p->ledger, run_of(p), &v);
}

static twx_rc is_committed(puller *p, int64_t run, bool *ret_committed) {
    twx_ballot ballot = {.run = 0};
    twx_rc rc = twx_vote_ledger_read(p->ledger, run, &ballot);
    *ret_committed = rc == TWX_OK && ballot.committed_at != 0;
    TWX_VEC_DONE(&ballot.votes);
    return rc;
}

/* Registers the run, and takes back what the store has voted so far [R3]. */
static twx_rc begin(puller *p) {
    const size_t n = p->runs.judged.n;
    bool bound = false;
    uint32_t *shards = twx_calloc(p->job->cx, n + 1, sizeof *shards);
    if (!shards) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) shards[i] = p->runs.judged.at[i].shard;
    twx_rc rc = twx_vote_ledger_begin(p->ledger, run_of(p), p->store.shard, shards, n);
    twx_free(shards);
    if (rc == TWX_OK) rc = is_committed(p, run_of(p), &p->committed);
    if (rc == TWX_OK && p->prepared.judge_run) rc = is_committed(p, p->prepared.judge_run, &bound);
    if (rc == TWX_OK && bound)
        rc = twx_fail(p->job->cx, TWX_E_DATA,
                      "%s: run %" PRId64 " is prepared here and committed: publish it first, "
                      "'twindex cluster publish %s'",
                      p->job->store, p->prepared.judge_run, p->job->store);
    return rc;
}

/* ---- preparing ----------------------------------------------------------- */

static twx_rc find_changed(puller *p) {
    twx_rc rc = changed_since_find(&p->store, p->nodes, p->runs.last, p->judged, &p->changed);
    if (rc != TWX_OK || !p->changed.reason || p->committed) return rc;
    rc = vote(p, TWX_VOTE_AGAIN);
    if (rc != TWX_OK) return rc;
    return twx_fail(p->job->cx, TWX_E_BUSY,
                    "%s: %s: voted 'again' on run %" PRIu64 ": push, judge and pull again",
                    p->job->store, p->changed.reason, p->runs.last);
}

static twx_rc read_remotes(puller *p) {
    const twx_statement remotes = TWX_PULL_WITH(REMOTES, .run = p->runs.last,
                                                .shard = p->store.shard);
    twx_buf answers = {.max = TWX_ANSWER_BYTES};
    twx_rc rc = twx_nodes_run_all(p->nodes, &remotes, &answers);
    if (rc == TWX_OK)
        rc = twx_remote_list_read(p->job->cx, twx_buf_slice(&answers), p->store.shard,
                                  &p->store.plan.options.preference, &p->remotes);
    twx_buf_done(&answers);
    return rc;
}

static twx_rc digest(puller *p) {
    const twx_db_options options = {.mode = TWX_DB_READER,
                                    .busy_ms = p->job->settings->run_busy_ms};
    twx_hash128 sum = {0, 0};
    twx_rc rc = twx_flags_digest_of(p->job->cx, twx_own_path(p->job), &options, p->rows.generation,
                                    twx_source_is_direct(p->store.o.source), &sum);
    if (rc == TWX_OK) twx_digest_text(&sum, p->prepared.digest);
    return rc;
}

/* The caller closes the publisher. */
static twx_rc write_flags(puller *p, twx_publisher *publisher) {
    char *summary = NULL;
    twx_rc rc = twx_publisher_prepare(publisher);
    if (rc == TWX_OK) rc = digest(p);
    p->prepared.judge_run = run_of(p);
    p->prepared.shard = p->store.shard;
    p->prepared.documents = p->rows.documents;
    if (rc == TWX_OK) /* for the ledger of the store's runs, when it is published */
        summary = twx_sprintf(p->job->cx,
                              "{\"outcome\":\"published\",\"cluster_run\":%" PRIu64
                              ",\"shard\":%" PRIu32 ",\"documents\":%" PRIu64 "}",
                              p->runs.last, p->store.shard, p->prepared.documents);
    if (rc == TWX_OK && !summary) rc = TWX_E_NOMEM;
    p->prepared.summary = summary;
    if (rc == TWX_OK) rc = twx_publisher_keep(publisher, &p->prepared);
    p->prepared.summary = NULL;
    twx_free(summary);
    return rc;
}

static twx_rc publish_inactive(puller *p, const char *settings) {
    const twx_flag_rows rows = twx_pulled_rows_of(&p->rows);
    const twx_remote_rows remotes = twx_remote_list_rows(&p->remotes);
    const twx_publishing publishing = {.rows = &rows,
                                       .documents = p->store.documents,
                                       .remotes = &remotes,
                                       .base = p->state.generation,
                                       .sites = &p->rows.whole,
                                       .n_sites = 1,
                                       .settings = settings};
    twx_publisher *publisher = NULL;
    twx_rc rc = twx_publisher_open(p->job, &p->store.o, &publishing, &publisher);
    if (rc == TWX_OK) rc = write_flags(p, publisher);
    twx_publisher_close(publisher);
    return rc;
}

static twx_rc prepare(puller *p) {
    (void)twx_allocation_failed();
    json_t *json = twx_ledger_settings(p->job->settings, &p->store.plan.options,
                                       twx_shard_store_fingerprint(&p->store));
    char *settings = json && !twx_allocation_failed() ? json_dumps(json, JSON_COMPACT) : NULL;
    twx_rc rc = settings ? TWX_OK
                         : twx_fail(p->job->cx, TWX_E_NOMEM, "out of memory for the ledger");
    if (rc == TWX_OK) rc = read_remotes(p);
    if (rc == TWX_OK)
        rc = twx_pulled_rows_open(&p->store, p->nodes, p->runs.last, &p->remotes, &p->changed.docs,
                                  &p->rows);
    if (rc == TWX_OK) rc = publish_inactive(p, settings);
    p->summary->pulled = p->rows.pulled;
    p->summary->elsewhere = p->remotes.at.n;
    json_decref(json);
    free(settings); /* style: jansson allocated it */
    return rc;
}

/* ---- the pull ------------------------------------------------------------ */

static twx_rc pull(puller *p) {
    twx_rc rc = TWX_OK;
    p->summary->outcome = "prepared";
    if (p->state.generation && p->place.run[p->state.generation == 'b'] == run_of(p)) {
        p->summary->outcome = "published already";
        return TWX_OK;
    }
    if (p->prepared.judge_run == run_of(p)) {
        p->summary->outcome = "prepared already";
    } else {
        rc = begin(p);
        if (rc == TWX_OK) rc = find_changed(p);
        if (rc == TWX_OK) rc = prepare(p);
    }
    p->summary->documents = p->prepared.documents;
    p->summary->changed = p->changed.docs.n;
    return rc == TWX_OK ? vote(p, TWX_VOTE_PREPARED) : rc;
}

static twx_rc open_ledger(puller *p) {
    const char *path = p->job->settings->cluster_ledger;
    if (!path || !path[0])
        return twx_fail(p->job->cx, TWX_E_CONFIG,
                        "cluster.ledger is not set: name a file that all stores of the cluster "
                        "share");
    return twx_vote_ledger_open(p->job->cx, path, p->job->settings->run_busy_ms, &p->ledger);
}

twx_rc twx_cluster_pull(const twx_job *job, twx_nodes *nodes, twx_pull_summary *ret_summary) {
    const double began = twx_job_clock();
    puller p = {.job = job, .nodes = nodes, .summary = ret_summary};
    *ret_summary = (twx_pull_summary){.store = job->store, .shard = job->settings->cluster_shard};
    twx_remote_list_init(&p.remotes);
    twx_rc rc = twx_shard_number_check(job);
    if (rc == TWX_OK) rc = open_ledger(&p);
    if (rc == TWX_OK) rc = twx_cluster_check_tables(job, nodes);
    if (rc == TWX_OK) rc = twx_shard_store_open(job, TWX_NEED_TABLES, &p.store);
    if (rc == TWX_OK) rc = find_run(&p);
    twx_opened *o = &p.store.o;
    if (rc == TWX_OK) rc = twx_state_read(o->generations, &p.state);
    if (rc == TWX_OK) rc = twx_check_names(job, o->writer, &p.state);
    if (rc == TWX_OK) rc = twx_store_place_read(o->writer, &p.bytes, &p.place);
    if (rc == TWX_OK) rc = twx_prepared_read(o->generations, o->writer, &p.bytes, &p.prepared);
    if (rc == TWX_OK || rc == TWX_DONE) rc = pull(&p);
    twx_pulled_rows_done(&p.rows);
    twx_remote_list_done(&p.remotes);
    TWX_VEC_DONE(&p.changed.docs);
    twx_shard_store_close(&p.store, rc);
    twx_vote_ledger_close(p.ledger);
    twx_cluster_runs_done(&p.runs);
    twx_arena_done(&p.bytes);
    ret_summary->seconds = twx_job_clock() - began;
    return rc;
}
