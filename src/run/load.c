/* Rows of twindex_signature are read in order of the source's id and added to the judgement
 * unchanged. The judgement reserves memory for the initial number of rows; an additional row means
 * that another process is signing documents at the same time. */
#include "run/load.h"

typedef struct loader {
    const twx_job *job;
    twx_judgement *j;
} loader;

static twx_rc load_row(void *arg, const twx_stored *stored) {
    const loader *l = arg;
    twx_ctx *cx = l->job->cx;
    const size_t n = l->j->docs.at.n;
    if (n == l->j->capacity)
        return twx_fail(cx, TWX_E_BUSY, "%s: signatures were added while they were read",
                        l->job->store);
    twx_rc rc = twx_judgement_add(cx, l->j, stored->doc, stored->facts, stored->keys);
    return rc == TWX_OK && n % 4096 == 0 ? twx_cancelled(cx) : rc;
}

twx_rc twx_load(const twx_job *job, twx_opened *o, const twx_judge_plan *plan,
                twx_judgement *ret_judgement) {
    loader l = {.job = job, .j = ret_judgement};
    uint64_t n = 0;
    twx_rc rc = twx_signatures_count(o->signatures, &n);
    if (rc == TWX_OK)
        rc = twx_judgement_begin(job->cx, ret_judgement, &plan->options, (size_t)n,
                                 (size_t)job->settings->run_memory);
    return rc == TWX_OK
               ? twx_signatures_each(o->signatures, twx_source_is_direct(o->source), load_row, &l)
               : rc;
}
