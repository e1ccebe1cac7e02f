#include "cluster/cluster.h"

#include "sql_text.h"

enum { SENT_BYTES = 4 << 20, ROWS_BYTES = 1 << 30 }; /* of a request: it is sent beyond that */

/* Sends the rows that have been gathered to the node *node, and makes the next one the next. */
static twx_rc send(twx_nodes *nodes, size_t *node, const twx_statement *put, twx_buf *rows) {
    if (rows->n == 0) return TWX_OK;
    const twx_rc rc = twx_nodes_run(nodes, *node, put, twx_buf_slice(rows), NULL);
    *node = (*node + 1) % twx_nodes_count(nodes);
    twx_buf_clear(rows);
    return rc;
}

/* ==== push_texts */

/* Sends the texts that the last run has asked of a store (judging_copies.c), before the
 * manifest of a push.
 * [R1] Only texts that still are as they were signed are sent. The others belong to documents that
 * have changed, and the next run asks anew.
 * [R2] What the servers have is not sent again, so a push that was interrupted sends the rest. */

typedef struct sender {
    twx_shard_store *store;
    twx_nodes *nodes;
    twx_workspace *workspace;
    twx_buf text, rows;
    size_t node;         /* that gets the next rows */
    uint64_t asked, all; /* texts: so far, in all */
    twx_push_summary *summary;
} sender;

static twx_rc send_texts(sender *s) {
    s->summary->text_bytes += s->rows.n;
    return send(s->nodes, &s->node, &TWX_CLUSTER_STATEMENT(PUT_TEXTS), &s->rows);
}

/* [R1] Unless the document is gone, or has another text. */
static twx_rc send_text(sender *s, int64_t doc, uint64_t digest) {
    twx_opened *o = &s->store->o;
    twx_ctx *cx = s->store->job->cx;
    unsigned char bytes[TWX_SHA256_BYTES];
    twx_value id = {.type = TWX_INT, .i = doc};
    twx_buf_clear(&s->text);
    twx_rc rc = twx_source_is_direct(o->source) ? TWX_OK : twx_id_of(o, doc, &id);
    if (rc == TWX_OK) rc = twx_source_text(o->source, &id, &s->text);
    twx_signatures_release(o->signatures); /* the id pins the WAL */
    if (rc == TWX_OK) rc = twx_sha256(cx, s->workspace, twx_buf_slice(&s->text), bytes);
    if (rc == TWX_OK && twx_load_be64(bytes) != digest) rc = TWX_DONE;
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    rc = twx_row_add_numbers(cx, &s->rows, "88", (const uint64_t[]){digest, s->text.n});
    if (rc == TWX_OK) rc = twx_row_add_string(cx, &s->rows, twx_buf_slice(&s->text));
    s->summary->texts++;
    if (rc == TWX_OK && s->rows.n > SENT_BYTES) rc = send_texts(s);
    return rc;
}

static twx_rc wanted_row(void *arg, twx_row_reader *r) {
    sender *s = arg;
    const int64_t doc = (int64_t)twx_row_number(r, 8);
    const uint64_t digest = twx_row_number(r, 8);
    if (r->broken) return TWX_OK;
    if (s->asked++ % 256 == 0)
        twx_job_progress(s->store->job, "push", "texts", s->asked - 1, s->all);
    const twx_rc rc = send_text(s, doc, digest);
    return rc == TWX_OK ? twx_cancelled(r->cx) : rc;
}

/* runs: as the servers have them. The summary gets the numbers of texts and bytes. */
static twx_rc push_texts(twx_shard_store *store, twx_nodes *nodes, const twx_cluster_runs *runs,
                         twx_push_summary *summary) {
    enum { ROW_BYTES = 16 };
    twx_ctx *cx = store->job->cx;
    const twx_statement wanted = TWX_CLUSTER_WITH(WANTED, .run = runs->newest,
                                                  .shard = store->shard);
    sender s = {.store = store,
                .nodes = nodes,
                .summary = summary,
                .text = {.max = ROWS_BYTES / 2},
                .rows = {.max = ROWS_BYTES}};
    twx_buf answers = {.max = (size_t)TWX_ANSWER_BYTES};
    if (runs->round == 0 || !twx_manifest_of(&runs->open, store->shard)) return TWX_OK;
    twx_rc rc = twx_nodes_run_all(nodes, &wanted, &answers);
    s.all = answers.n / ROW_BYTES;
    if (rc == TWX_OK && answers.n) rc = twx_workspace_open(cx, &store->sign.params, &s.workspace);
    if (rc == TWX_OK) rc = twx_rows_each(cx, "wanted", twx_buf_slice(&answers), wanted_row, &s);
    if (rc == TWX_OK) rc = send_texts(&s);
    twx_workspace_close(s.workspace);
    twx_buf_done(&s.text);
    twx_buf_done(&s.rows);
    twx_buf_done(&answers);
    return rc;
}

/* ==== push */

typedef struct pusher {
    const twx_job *job;
    twx_nodes *nodes;
    twx_shard_store store;
    twx_pushed_list there;
    size_t at; /* in there */
    twx_buf rows;
    size_t node;   /* that gets the next rows */
    uint64_t hash; /* of the documents so far */
    twx_cluster_runs runs;
    twx_push_summary *summary;
} pusher;

#define ONE_RUN "judge the stores in one run, 'twindex run A.db B.db'"

/* Refuses pins, and near-duplicates that depend on more than pairs of texts. */
static twx_rc check_settings(const twx_job *job) {
    const char *pins = job->settings->verdict_pins;
    twx_near_plan plan = {0};
    if (pins && pins[0])
        return twx_fail(job->cx, TWX_E_CONFIG, "verdict.pins: a cluster obeys no pins: " ONE_RUN);
    twx_rc rc = twx_near_plan_make(job, &plan);
    const char *reason = rc == TWX_OK ? twx_near_refusal(&plan.judge.options) : NULL;
    if (reason)
        rc = twx_fail(job->cx, TWX_E_CONFIG,
                      "near.detector = %s %s, which a cluster cannot judge: choose another one "
                      "('twindex detectors'), or " ONE_RUN,
                      job->settings->near_detector, reason);
    twx_near_plan_done(&plan);
    return rc;
}

/* A version that is larger than all of the shard's rows and manifests. */
static twx_rc choose_version(pusher *p, bool replace) {
    twx_manifests manifests = {0};
    twx_rc rc = twx_manifests_read(p->nodes, &manifests);
    const twx_manifest *m = twx_manifest_of(&manifests, p->summary->shard);
    const uint64_t version = m ? m->version : 0, found = m ? m->found_version : 0;
    p->summary->version = 1 + (version > found ? version : found);
    if (rc == TWX_OK && m && m->version && m->store != p->store.key && !replace) /* [R4] */
        rc = twx_fail(p->job->cx, TWX_E_CONFIG,
                      "%s: shard %" PRIu32
                      " was pushed from another store, whose documents would count as gone: give "
                      "each store its own cluster.shard, or use --force to replace that store",
                      p->job->store, p->summary->shard);
    twx_manifests_done(&manifests);
    return rc;
}

static twx_rc send_rows(pusher *p) {
    p->summary->bytes += p->rows.n;
    return send(p->nodes, &p->node, &TWX_CLUSTER_STATEMENT(PUSH), &p->rows);
}

static twx_rc mark_gone(pusher *p) {
    p->summary->gone++;
    return twx_document_row_gone(p->job->cx, p->summary->shard, p->there.at[p->at++].doc,
                                 p->summary->version, &p->rows);
}

/* Before anything is sent, so that a store that cannot be judged changes nothing. */
static twx_rc check_document(void *arg, const twx_stored *stored) {
    const pusher *p = arg;
    twx_facts facts;
    twx_record record;
    twx_rc rc = twx_facts_unpack(p->job->cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_record_read(p->job->cx, stored->record, &record);
    if (rc != TWX_OK || !facts.hreflang_key) return rc;
    return twx_fail(p->job->cx, TWX_E_DATA,
                    "%s: document %" PRId64
                    " has translations (hreflang), which a cluster cannot keep separate: " ONE_RUN,
                    p->job->store, stored->doc);
}

/* Documents come ascending by doc. */
static twx_rc push_document(void *arg, const twx_stored *stored) {
    pusher *p = arg;
    twx_ctx *cx = p->job->cx;
    twx_push_summary *s = p->summary;
    uint64_t hash = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && p->at < p->there.n && p->there.at[p->at].doc < stored->doc)
        rc = mark_gone(p);
    const size_t before = p->rows.n;
    if (rc == TWX_OK) rc = twx_shard_store_row(&p->store, stored, s->version, &p->rows, &hash);
    if (rc != TWX_OK) return rc;
    const bool there = p->at < p->there.n && p->there.at[p->at].doc == stored->doc;
    if (there && p->there.at[p->at].hash == hash)
        p->rows.n = before;
    else
        s->sent++;
    p->at += there;
    p->hash += hash;
    if (++s->documents % 4096 == 0)
        twx_job_progress(p->job, "push", "documents", s->documents, p->store.documents);
    return p->rows.n > SENT_BYTES ? send_rows(p) : twx_cancelled(cx);
}

static twx_rc put_manifest(pusher *p) {
    const twx_statement put = TWX_CLUSTER_STATEMENT(PUT_MANIFEST);
    const twx_push_summary *s = p->summary;
    const twx_judge_options *options = &p->store.plan.options;
    const uint64_t now = (uint64_t)twx_job_now(), near = twx_near_fingerprint(options),
                   fingerprint = twx_shard_store_fingerprint(&p->store);
    const uint64_t row[] = {s->shard,    s->version,  s->documents,       p->hash,
                            fingerprint, now,         options->relations, options->collapse_min,
                            near,        p->store.key};
    twx_rc rc = twx_row_add_numbers(p->job->cx, &p->rows, "2888884488", row);
    return rc == TWX_OK ? twx_nodes_run(p->nodes, 0, &put, twx_buf_slice(&p->rows), NULL) : rc;
}

twx_rc twx_cluster_push(const twx_job *job, twx_nodes *nodes, bool replace,
                        twx_push_summary *ret_summary) {
    const double began = twx_job_clock();
    pusher p = {.job = job, .nodes = nodes, .summary = ret_summary, .rows = {.max = ROWS_BYTES}};
    *ret_summary = (twx_push_summary){.store = job->store, .shard = job->settings->cluster_shard};
    twx_rc rc = twx_shard_number_check(job);
    if (rc == TWX_OK) rc = check_settings(job);
    if (rc == TWX_OK) rc = twx_cluster_check_tables(job, nodes);
    if (rc == TWX_OK) rc = twx_shard_store_open(job, TWX_NEED_TABLES, &p.store);
    if (rc == TWX_OK) twx_judge_plan_warn(job, &p.store.plan);
    if (rc == TWX_OK && p.store.plan.options.relations >> TWX_RELATION_EDITION & 1)
        twx_job_message(job, TWINDEX_WARNING,
                        "verdict.relations has edition, which hides nothing in a cluster: to have "
                        "editions, " ONE_RUN);
    if (rc == TWX_OK) rc = choose_version(&p, replace);
    if (rc == TWX_OK) rc = twx_pushed_read(nodes, p.summary->shard, &p.there);
    if (rc == TWX_OK) rc = twx_cluster_runs_read(nodes, &p.runs);
    twx_signatures *signatures = p.store.o.signatures;
    if (rc == TWX_OK && p.store.plan.options.separate)
        rc = twx_signatures_each(signatures, true, check_document, &p);
    if (rc == TWX_OK) rc = twx_signatures_each(signatures, true, push_document, &p);
    while (rc == TWX_OK && p.at < p.there.n) rc = mark_gone(&p);
    if (rc == TWX_OK) rc = send_rows(&p);
    if (rc == TWX_OK) rc = push_texts(&p.store, nodes, &p.runs, ret_summary);
    if (rc == TWX_OK) rc = put_manifest(&p);
    twx_shard_store_close(&p.store, rc);
    twx_buf_done(&p.rows);
    twx_cluster_runs_done(&p.runs);
    TWX_VEC_DONE(&p.there);
    ret_summary->seconds = twx_job_clock() - began;
    return rc;
}

/* ==== pushed */

TWX_ORDER_1(by_doc, twx_pushed, doc)

twx_rc twx_pushed_row(void *arg, twx_row_reader *r) {
    twx_pushed_list *list = arg;
    const int64_t doc = (int64_t)twx_row_number(r, 8);
    const twx_pushed e = {doc, twx_row_number(r, 8)};
    return TWX_VEC_PUSH(r->cx, list, e) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_pushed_read(twx_nodes *nodes, uint32_t shard, twx_pushed_list *ret_list) {
    const twx_rc rc = twx_nodes_read(nodes, &TWX_CLUSTER_WITH(PUSHED, .shard = shard),
                                     twx_pushed_row, ret_list);
    if (ret_list->n > 1) qsort(ret_list->at, ret_list->n, sizeof *ret_list->at, by_doc);
    return rc;
}
