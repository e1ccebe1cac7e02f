#include "run/sign_store.h"

#include "run/check_store.h"
#include "run/lock.h"
#include "run/sign.h"

/* A store that fails the checks stays unchanged. */
static twx_rc check_first(const twx_job *job, bool checks) {
    twx_opened o = {0};
    twx_summary stages;
    twx_summary_init(&stages);
    twx_rc rc = twx_open_store(job, TWX_NEED_SOURCE, &o);
    if (rc == TWX_OK) rc = twx_check_store(job, &o, checks, &stages);
    twx_opened_done(&o);
    twx_summary_done(&stages);
    return rc;
}

static twx_rc sign(const twx_job *job, bool full, bool checks, twx_sign_summary *s) {
    const unsigned sound = twx_is_separate(job) && checks ? TWX_NEED_SOUND : 0;
    twx_opened o = {0};
    twx_sign_plan plan = {0};
    twx_rc rc = check_first(job, checks);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_TABLES | sound, &o);
    if (rc == TWX_OK) rc = twx_sign_plan_make(job, &o, full, &plan);
    if (rc == TWX_OK) rc = twx_sign(job, &o, &plan, NULL, &s->counts);
    if (rc == TWX_OK) rc = twx_signatures_count(o.signatures, &s->documents);
    /* The numbers of deleted documents stay: published flags may still need them. */
    twx_sign_plan_done(&plan);
    twx_opened_done(&o);
    return rc;
}

twx_rc twx_sign_store(const twx_job *job, bool full, twx_sign_summary *ret_summary) {
    const double began = twx_job_clock();
    twx_lock *lock = NULL;
    *ret_summary = (twx_sign_summary){.store = job->store};
    twx_rc rc = twx_lock_take(job->cx, twx_own_path(job), &lock);
    if (rc != TWX_OK) return rc;
    const bool checks = twx_is_check_due(job, lock, full);
    rc = sign(job, full, checks, ret_summary);
    if (rc != TWX_OK || checks) twx_lock_set_checked(lock, rc == TWX_OK);
    twx_lock_release(lock, rc);
    ret_summary->seconds = twx_job_clock() - began;
    return rc;
}
