#include "cluster/cluster_steps.h"

#include "cluster/cluster_judge.h"
#include "cluster/cluster_mirrors.h"
#include "cluster/cluster_publish.h"
#include "cluster/cluster_pull.h"
#include "cluster/manifests.h"
#include "cluster/push.h"
#include "cluster/tables.h"
#include "inspect/generation_line.h"

/* What a step works with. */
typedef struct step {
    const twx_job *job;
    twx_nodes *nodes; /* NULL: the step needs the ledger only */
    const twindex_cluster_options *options;
    const twx_out *out;
} step;

static twx_rc make(const step *s) {
    twx_rc rc = twx_cluster_make_tables(s->job, s->nodes);
    return rc == TWX_OK ? twx_cluster_made_write(s->out, s->job->settings->cluster_database,
                                                 twx_nodes_count(s->nodes), "ready")
                        : rc;
}

static twx_rc drop(const step *s) {
    twx_rc rc = twx_cluster_drop_tables(s->job, s->nodes);
    return rc == TWX_OK ? twx_cluster_made_write(s->out, s->job->settings->cluster_database,
                                                 twx_nodes_count(s->nodes), "dropped")
                        : rc;
}

static twx_rc push(const step *s) {
    twx_push_summary summary;
    twx_rc rc = twx_cluster_push(s->job, s->nodes, s->options->force, &summary);
    return rc == TWX_OK ? twx_push_summary_write(s->out, &summary) : rc;
}

static twx_rc judge(const step *s) {
    twx_judge_summary summary;
    twx_rc rc = twx_cluster_judge(s->job, s->nodes, s->options->force, s->options->discard,
                                  &summary);
    return rc == TWX_OK ? twx_judge_summary_write(s->out, &summary) : rc;
}

static twx_rc mirrors(const step *s) {
    twx_mirror_list list;
    twx_mirror_list_init(&list);
    twx_rc rc = twx_cluster_mirrors(s->job, s->nodes, &list);
    if (rc == TWX_OK) rc = twx_mirror_list_write(s->out, &list);
    twx_mirror_list_done(&list);
    return rc;
}

static twx_rc pull(const step *s) {
    twx_pull_summary summary;
    twx_rc rc = twx_cluster_pull(s->job, s->nodes, &summary);
    return rc == TWX_OK ? twx_pull_summary_write(s->out, &summary) : rc;
}

static twx_rc publish(const step *s) {
    twx_publish_summary summary = {.run = 0};
    twx_rc rc = twx_cluster_publish(s->job, &summary), written = TWX_OK;
    /* what was published before an error is reported, too */
    if (rc == TWX_OK || summary.stores.n) written = twx_publish_summary_write(s->out, &summary);
    twx_publish_summary_done(&summary);
    return rc == TWX_OK ? written : rc;
}

static twx_rc digest(const step *s) {
    twx_hash128 sum;
    twx_rc rc = twx_cluster_digest(s->job, &sum);
    return rc == TWX_OK ? twx_digest_write(s->out, &sum) : rc;
}

static twx_rc status(const step *s) {
    twx_cluster_status found = {.database = s->job->settings->cluster_database,
                                .nodes = twx_nodes_count(s->nodes)};
    twx_manifests manifests = {0};
    twx_cluster_runs runs = {0};
    twx_owed_list owed = {0};
    twx_rc rc = twx_cluster_check_tables(s->job, s->nodes);
    if (rc == TWX_OK) rc = twx_manifests_read(s->job->cx, s->nodes, &manifests);
    if (rc == TWX_OK) rc = twx_cluster_runs_read(s->job->cx, s->nodes, &runs);
    if (rc == TWX_OK) rc = twx_owed_read(s->job->cx, s->nodes, &runs, &owed);
    found.round = runs.round;
    found.open_pairs = runs.open_pairs;
    found.run = runs.last;
    found.ended_at = runs.ended_at;
    for (size_t i = 0; rc == TWX_OK && i < manifests.n; i++) {
        const twx_manifest *m = &manifests.at[i], *judged = twx_manifest_of(&runs.judged, m->shard);
        const twx_cluster_shard shard = {.shard = m->shard,
                                         .version = m->version,
                                         .documents = m->documents,
                                         .found_documents = m->found_documents,
                                         .pushed_at = m->pushed_at,
                                         .fingerprint = m->fingerprint,
                                         .holds = twx_manifest_holds(m),
                                         .judged_version = judged ? judged->version : 0,
                                         .owed = twx_owed_of(&owed, m->shard)};
        if (!TWX_VEC_PUSH(s->job->cx, &found.shards, shard)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) rc = twx_cluster_add_votes(s->job, &found);
    if (rc == TWX_OK) rc = twx_cluster_status_write(s->out, &found);
    TWX_VEC_DONE(&owed);
    twx_cluster_runs_done(&runs);
    twx_manifests_done(&manifests);
    twx_cluster_status_done(&found);
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
