#include "api/api.h"
#include "cluster/cluster.h"

int twindex_verify(twindex *t, const twindex_verify_options *options, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_NO_STORE, twx_verify(&c.job, options, &c.out));
}

int twindex_cluster(twindex *t, twindex_cluster_action action,
                    const twindex_cluster_options *options, const twindex_sink *sink) {
    static const twindex_cluster_options NONE = {.force = false};
    const bool publishes = action == TWINDEX_CLUSTER_PUBLISH && t->store;
    const bool needs = action == TWINDEX_CLUSTER_PUSH || action == TWINDEX_CLUSTER_PULL;
    twx_call c;
    twx_rc rc = twx_call_begin(&c, t, sink,
                               publishes ? TWX_CALL_SEVERAL
                               : needs   ? 0
                                         : TWX_CALL_NO_STORE);
    if (!options) options = &NONE;
    if (rc == TWX_OK) rc = twx_cluster_step(&c.job, action, options, &c.out);
    for (size_t i = 0; rc == TWX_OK && publishes && i < (c.job.n_stores ? c.job.n_stores : 1);
         i++) {
        twx_job one = c.job;
        if (one.n_stores) one.store = one.stores[i];
        rc = twx_hooks_published(&one);
    }
    return twx_call_finish(&c, rc);
}
