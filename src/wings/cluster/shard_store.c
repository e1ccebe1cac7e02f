#include "cluster/shard_store.h"

#include <inttypes.h>

#include "base/hash64.h"
#include "run/sign_store.h"
#include "sign/detectors.h"
#include "sign/record.h"
#include "store/store_key.h"
#include "url/domain.h"
#include "url/url_rules.h"

twx_rc twx_shard_number_check(const twx_job *job) {
    if (job->settings->cluster_shard) return TWX_OK;
    return twx_fail(job->cx, TWX_E_CONFIG,
                    "cluster.shard is not set: give each store of the cluster its own number");
}

/* The lock of the store is held. */
static twx_rc check_signed(twx_shard_store *s) {
    twx_state state;
    twx_rc rc = twx_state_read(s->o.generations, &state);
    if (rc != TWX_OK || (state.has_fingerprint && state.fingerprint == s->sign.fingerprint))
        return rc;
    return twx_fail(s->job->cx, TWX_E_BUSY,
                    "%s: another process has changed signatures meanwhile: try again",
                    s->job->store);
}

twx_rc twx_shard_store_open(const twx_job *job, unsigned needs, twx_shard_store *ret_store) {
    twx_shard_store *s = ret_store;
    twx_sign_summary summary;
    s->job = job;
    s->shard = job->settings->cluster_shard;
    twx_rc rc = twx_sign_store(job, false, &summary);
    if (rc == TWX_OK) rc = twx_lock_take(job->cx, twx_own_path(job), &s->lock);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | needs, &s->o);
    if (rc == TWX_OK) rc = twx_sign_plan_make(job, &s->o, false, &s->sign);
    if (rc == TWX_OK) rc = twx_judge_plan_make(job, &s->sign, &s->plan);
    if (rc == TWX_OK) rc = check_signed(s);
    if (rc == TWX_OK) rc = twx_store_key(s->o.writer, &s->key);
    return rc == TWX_OK ? twx_signatures_count(s->o.signatures, &s->documents) : rc;
}

void twx_shard_store_close(twx_shard_store *s, twx_rc rc) {
    twx_judge_plan_done(&s->plan);
    twx_sign_plan_done(&s->sign);
    twx_opened_done(&s->o);
    twx_lock_release(s->lock, rc);
    *s = (twx_shard_store){0};
}

static uint64_t signing_fingerprint(const twx_sign_plan *plan) {
    uint64_t f = twx_mix64(twx_mix64(TWX_FACTS_VERSION, TWX_RECORD_VERSION), TWX_URL_NORM_VERSION);
    f = twx_mix64(f, plan->params.url.steps);
    f = twx_mix64(f, twx_url_rules_fingerprint(plan->rules));
    f = twx_mix64(f, twx_domain_fingerprint());
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        if (plan->detectors[r])
            f = twx_mix64(f, twx_detector_fingerprint(plan->detectors[r], &plan->params));
    return f;
}

uint64_t twx_shard_store_fingerprint(const twx_shard_store *s) {
    return twx_document_row_fingerprint(&s->plan.options, signing_fingerprint(&s->sign));
}

static twx_rc read_id(twx_shard_store *s, int64_t doc, twx_value *ret_id) {
    *ret_id = (twx_value){.type = TWX_INT, .i = doc};
    if (twx_source_is_direct(s->o.source)) return TWX_OK;
    twx_rc rc = twx_document_id(s->o.signatures, doc, ret_id);
    return rc == TWX_DONE
               ? twx_fail(s->job->cx, TWX_E_CORRUPT,
                          "%s: twindex_document has no document %" PRId64, s->job->store, doc)
               : rc;
}

twx_rc twx_shard_store_row(twx_shard_store *s, const twx_stored *stored, uint64_t version,
                           twx_buf *out, uint64_t *ret_hash) {
    twx_document_row row = {.shard = s->shard,
                            .doc = stored->doc,
                            .version = version,
                            .facts = stored->facts,
                            .record = stored->keys};
    twx_rc rc = read_id(s, stored->doc, &row.id);
    return rc == TWX_OK ? twx_document_row_add(s->job->cx, &s->plan.options, &row, out, ret_hash)
                        : rc;
}
