#include "cluster/push.h"

#include <inttypes.h>

#include "cluster/manifests.h"
#include "cluster/near_columns.h"
#include "cluster/near_plan.h"
#include "cluster/push_texts.h"
#include "cluster/pushed.h"
#include "cluster/row_binary.h"
#include "cluster/shard_store.h"
#include "cluster/tables.h"
#include "sign/detectors.h"
#include "sql_text.h"

enum { SENT_BYTES = 4 << 20, ROWS_BYTES = 1 << 30 }; /* of a request: it is sent beyond that */

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

/* ---- what the cluster can judge ------------------------------------------ */

#define ONE_RUN "judge the stores in one run, 'twindex run A.db B.db'"

/* Near-duplicates that depend on more than pairs of texts. */
static twx_rc check_near(const twx_job *job) {
    twx_near_plan plan = {0};
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

static twx_rc check_settings(const twx_job *job) {
    const twx_settings *s = job->settings;
    if (s->verdict_pins && s->verdict_pins[0])
        return twx_fail(job->cx, TWX_E_CONFIG, "verdict.pins: a cluster obeys no pins: " ONE_RUN);
    return check_near(job);
}

/* ---- what the servers have ----------------------------------------------- */

/* [R4] */
static twx_rc fail_store(const pusher *p) {
    return twx_fail(
        p->job->cx, TWX_E_CONFIG,
        "%s: shard %" PRIu32 " was pushed from another store, whose documents would count "
        "as gone: give each store its own cluster.shard, or use --force to replace that "
        "store",
        p->job->store, p->summary->shard);
}

/* A version that is larger than all of the shard's rows and manifests. */
static twx_rc choose_version(pusher *p, bool replace) {
    twx_manifests manifests = {0};
    twx_rc rc = twx_manifests_read(p->job->cx, p->nodes, &manifests);
    const twx_manifest *m = twx_manifest_of(&manifests, p->summary->shard);
    const uint64_t version = m ? m->version : 0, found = m ? m->found_version : 0;
    p->summary->version = 1 + (version > found ? version : found);
    if (rc == TWX_OK && m && m->version && m->store != p->store.key && !replace) rc = fail_store(p);
    twx_manifests_done(&manifests);
    return rc;
}

/* ---- sending ------------------------------------------------------------- */

static twx_rc send_rows(pusher *p) {
    const twx_statement push = TWX_CLUSTER_STATEMENT("push", PUSH);
    if (p->rows.n == 0) return TWX_OK;
    twx_rc rc = twx_nodes_run(p->nodes, p->node, &push, twx_buf_slice(&p->rows), NULL);
    p->node = (p->node + 1) % twx_nodes_count(p->nodes);
    p->summary->bytes += p->rows.n;
    twx_buf_clear(&p->rows);
    return rc;
}

static twx_rc mark_gone(pusher *p) {
    p->summary->gone++;
    return twx_document_row_gone(p->job->cx, p->summary->shard, p->there.at[p->at++].doc,
                                 p->summary->version, &p->rows);
}

static twx_rc fail_translations(const pusher *p, int64_t doc) {
    return twx_fail(p->job->cx, TWX_E_DATA,
                    "%s: document %" PRId64 " has translations (hreflang), which a cluster cannot "
                    "keep separate: " ONE_RUN,
                    p->job->store, doc);
}

/* Before anything is sent, so that a store that cannot be judged changes nothing. */
static twx_rc check_document(void *arg, const twx_stored *stored) {
    const pusher *p = arg;
    twx_facts facts;
    twx_rc rc = twx_facts_unpack(p->job->cx, stored->facts, &facts);
    return rc == TWX_OK && facts.hreflang_key ? fail_translations(p, stored->doc) : rc;
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
    const twx_statement put = TWX_CLUSTER_STATEMENT("put_manifest", PUT_MANIFEST);
    const twx_push_summary *s = p->summary;
    const twx_judge_options *options = &p->store.plan.options;
    const uint64_t fingerprint = twx_shard_store_fingerprint(&p->store);
    const uint64_t columns[] = {s->version, s->documents, p->hash, fingerprint,
                                (uint64_t)twx_job_now()};
    twx_rc rc = twx_row_add_number(p->job->cx, &p->rows, s->shard, 2);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(columns); i++)
        rc = twx_row_add_number(p->job->cx, &p->rows, columns[i], 8);
    if (rc == TWX_OK) rc = twx_row_add_number(p->job->cx, &p->rows, options->relations, 4);
    if (rc == TWX_OK) rc = twx_row_add_number(p->job->cx, &p->rows, options->collapse_min, 4);
    if (rc == TWX_OK)
        rc = twx_row_add_number(p->job->cx, &p->rows, twx_near_fingerprint(options), 8);
    if (rc == TWX_OK) rc = twx_row_add_number(p->job->cx, &p->rows, p->store.key, 8);
    return rc == TWX_OK ? twx_nodes_run(p->nodes, 0, &put, twx_buf_slice(&p->rows), NULL) : rc;
}

/* ---- the push ------------------------------------------------------------ */

static twx_rc push_all(pusher *p) {
    twx_rc rc = TWX_OK;
    if (p->store.plan.options.separate)
        rc = twx_signatures_each(p->store.o.signatures, true, check_document, p);
    if (rc == TWX_OK) rc = twx_signatures_each(p->store.o.signatures, true, push_document, p);
    while (rc == TWX_OK && p->at < p->there.n) rc = mark_gone(p);
    if (rc == TWX_OK) rc = send_rows(p);
    if (rc == TWX_OK) rc = twx_push_texts(&p->store, p->nodes, &p->runs, p->summary);
    return rc == TWX_OK ? put_manifest(p) : rc;
}

twx_rc twx_cluster_push(const twx_job *job, twx_nodes *nodes, bool replace,
                        twx_push_summary *ret_summary) {
    const double began = twx_job_clock();
    pusher p = {.job = job, .nodes = nodes, .summary = ret_summary};
    *ret_summary = (twx_push_summary){.store = job->store, .shard = job->settings->cluster_shard};
    twx_buf_init(&p.rows, ROWS_BYTES);
    twx_rc rc = twx_shard_number_check(job);
    if (rc == TWX_OK) rc = check_settings(job);
    if (rc == TWX_OK) rc = twx_cluster_check_tables(job, nodes);
    if (rc == TWX_OK) rc = twx_shard_store_open(job, TWX_NEED_TABLES, &p.store);
    if (rc == TWX_OK) rc = choose_version(&p, replace);
    if (rc == TWX_OK) rc = twx_pushed_read(job->cx, nodes, p.summary->shard, &p.there);
    if (rc == TWX_OK) rc = twx_cluster_runs_read(job->cx, nodes, &p.runs);
    if (rc == TWX_OK) rc = push_all(&p);
    twx_shard_store_close(&p.store, rc);
    twx_buf_done(&p.rows);
    twx_cluster_runs_done(&p.runs);
    TWX_VEC_DONE(&p.there);
    ret_summary->seconds = twx_job_clock() - began;
    return rc;
}
