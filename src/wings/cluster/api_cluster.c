#include "api/api.h"
#include "cluster/cluster.h"

int twindex_verify(twindex *t, const twindex_verify_options *options, const twindex_sink *sink) {
    twx_ctx_clear(&t->cx);
    const twx_job job = twx_job_of(t);
    const twx_out out = {.cx = &t->cx, .sink = sink};
    return twx_rc_exit(twx_verify(&job, options, &out));
}

static twx_rc tell_published(const twx_job *job) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < (job->n_stores ? job->n_stores : 1); i++) {
        twx_job one = *job;
        if (job->n_stores) one.store = job->stores[i];
        rc = twx_hooks_published(&one);
    }
    return rc;
}

int twindex_cluster(twindex *t, twindex_cluster_action action,
                    const twindex_cluster_options *options, const twindex_sink *sink) {
    static const twindex_cluster_options NONE = {.force = false};
    const bool publishes = action == TWINDEX_CLUSTER_PUBLISH && t->store;
    if (!options) options = &NONE;
    if (action == TWINDEX_CLUSTER_PUSH || action == TWINDEX_CLUSTER_PULL || publishes) {
        twx_call c = publishes ? twx_call_begin_all(t, sink) : twx_call_begin(t, sink);
        if (c.rc == TWX_OK) c.rc = twx_cluster_step(&c.job, action, options, &c.out);
        if (c.rc == TWX_OK && publishes) c.rc = tell_published(&c.job);
        return twx_call_finish(&c);
    }
    twx_ctx_clear(&t->cx);
    const twx_job job = twx_job_of(t);
    const twx_out out = {.cx = &t->cx, .sink = sink};
    return twx_rc_exit(twx_cluster_step(&job, action, options, &out));
}
