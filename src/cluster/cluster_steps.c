#include "cluster/cluster_steps.h"

#include "cluster/cluster_judge.h"
#include "cluster/cluster_mirrors.h"
#include "cluster/cluster_publish.h"
#include "cluster/cluster_pull.h"
#include "cluster/manifests.h"
#include "cluster/push.h"
#include "cluster/tables.h"
#include "report/generation_line.h"

static twx_rc make(const twx_job *job, twx_nodes *nodes, const twindex_cluster_options *options,
                   const twx_out *out) {
    (void)options;
    twx_rc rc = twx_cluster_make_tables(job, nodes);
    return rc == TWX_OK ? twx_cluster_made_write(out, job->settings->cluster_database,
                                                 twx_nodes_count(nodes), "ready")
                        : rc;
}

static twx_rc drop(const twx_job *job, twx_nodes *nodes, const twindex_cluster_options *options,
                   const twx_out *out) {
    (void)options;
    twx_rc rc = twx_cluster_drop_tables(job, nodes);
    return rc == TWX_OK ? twx_cluster_made_write(out, job->settings->cluster_database,
                                                 twx_nodes_count(nodes), "dropped")
                        : rc;
}

static twx_rc push(const twx_job *job, twx_nodes *nodes, const twindex_cluster_options *options,
                   const twx_out *out) {
    twx_push_summary summary;
    twx_rc rc = twx_cluster_push(job, nodes, options->force, &summary);
    return rc == TWX_OK ? twx_push_summary_write(out, &summary) : rc;
}

static twx_rc judge(const twx_job *job, twx_nodes *nodes, const twindex_cluster_options *options,
                    const twx_out *out) {
    twx_judge_summary summary;
    twx_rc rc = twx_cluster_judge(job, nodes, options->force, options->discard, &summary);
    return rc == TWX_OK ? twx_judge_summary_write(out, &summary) : rc;
}

static twx_rc mirrors(const twx_job *job, twx_nodes *nodes, const twindex_cluster_options *options,
                      const twx_out *out) {
    (void)options;
    twx_mirror_list list;
    twx_mirror_list_init(&list);
    twx_rc rc = twx_cluster_mirrors(job, nodes, &list);
    if (rc == TWX_OK) rc = twx_mirror_list_write(out, &list);
    twx_mirror_list_done(&list);
    return rc;
}

static twx_rc pull(const twx_job *job, twx_nodes *nodes, const twindex_cluster_options *options,
                   const twx_out *out) {
    (void)options;
    twx_pull_summary summary;
    twx_rc rc = twx_cluster_pull(job, nodes, &summary);
    return rc == TWX_OK ? twx_pull_summary_write(out, &summary) : rc;
}

static twx_rc publish(const twx_job *job, const twx_out *out) {
    twx_publish_summary summary = {.run = 0};
    twx_rc rc = twx_cluster_publish(job, &summary), written = TWX_OK;
    /* what was published before an error is reported, too */
    if (rc == TWX_OK || summary.stores.n) written = twx_publish_summary_write(out, &summary);
    twx_publish_summary_done(&summary);
    return rc == TWX_OK ? written : rc;
}

static twx_rc digest(const twx_job *job, const twx_out *out) {
    twx_hash128 sum;
    twx_rc rc = twx_cluster_digest(job, &sum);
    return rc == TWX_OK ? twx_digest_write(out, &sum) : rc;
}

static twx_rc status(const twx_job *job, twx_nodes *nodes, const twindex_cluster_options *options,
                     const twx_out *out) {
    (void)options;
    twx_cluster_status s = {.database = job->settings->cluster_database,
                            .nodes = twx_nodes_count(nodes)};
    twx_manifests manifests = {0};
    twx_cluster_runs runs = {0};
    twx_rc rc = twx_cluster_check_tables(job, nodes);
    if (rc == TWX_OK) rc = twx_manifests_read(job->cx, nodes, &manifests);
    if (rc == TWX_OK) rc = twx_cluster_runs_read(job->cx, nodes, &runs);
    s.run = runs.last;
    s.ended_at = runs.ended_at;
    for (size_t i = 0; rc == TWX_OK && i < manifests.n; i++) {
        const twx_manifest *m = &manifests.at[i], *judged = twx_manifest_of(&runs.judged, m->shard);
        const twx_cluster_shard shard = {.shard = m->shard,
                                         .version = m->version,
                                         .documents = m->documents,
                                         .found_documents = m->found_documents,
                                         .pushed_at = m->pushed_at,
                                         .fingerprint = m->fingerprint,
                                         .holds = twx_manifest_holds(m),
                                         .judged_version = judged ? judged->version : 0};
        if (!TWX_VEC_PUSH(job->cx, &s.shards, shard)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) rc = twx_cluster_add_votes(job, &s);
    if (rc == TWX_OK) rc = twx_cluster_status_write(out, &s);
    twx_cluster_runs_done(&runs);
    twx_manifests_done(&manifests);
    twx_cluster_status_done(&s);
    return rc;
}

twx_rc twx_cluster_step(const twx_job *job, twindex_cluster_action action,
                        const twindex_cluster_options *options, const twx_out *out) {
    static twx_rc (*const STEPS[])(const twx_job *, twx_nodes *, const twindex_cluster_options *,
                                   const twx_out *) = {
        [TWINDEX_CLUSTER_INIT] = make,       [TWINDEX_CLUSTER_PUSH] = push,
        [TWINDEX_CLUSTER_JUDGE] = judge,     [TWINDEX_CLUSTER_PULL] = pull,
        [TWINDEX_CLUSTER_MIRRORS] = mirrors, [TWINDEX_CLUSTER_STATUS] = status,
        [TWINDEX_CLUSTER_DROP] = drop};
    twx_nodes *nodes = NULL;
    if (action == TWINDEX_CLUSTER_PUBLISH) return publish(job, out);
    if (action == TWINDEX_CLUSTER_DIGEST) return digest(job, out);
    if ((size_t)action >= TWX_COUNTOF(STEPS))
        return twx_fail(job->cx, TWX_E_USAGE, "no such step of a cluster");
    twx_rc rc = twx_nodes_open(job, &nodes);
    if (rc == TWX_OK) rc = STEPS[action](job, nodes, options, out);
    twx_nodes_close(nodes);
    return rc;
}
