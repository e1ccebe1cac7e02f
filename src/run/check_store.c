#include "run/check_store.h"

#include "base/print.h"
#include "run/content_sample.h"
#include "run/file_check.h"

static twx_rc accept_mapping(const twx_job *job, const twx_mapping *m) {
    if (!m->chosen) return TWX_OK;
    const bool accepted = job->settings->store_accept_mapping;
    char text[TWX_MESSAGE_MAX];
    twx_print(text, sizeof text, "%s: %s", job->store, twx_buf_slice(&m->note).p);
    /* not by twx_job_message(), which makes one line */
    if (job->message)
        job->message(job->message_arg, m->doubtful && !accepted ? TWINDEX_WARNING : TWINDEX_NOTE,
                     text);
    if (!m->doubtful || accepted) return TWX_OK;
    return twx_fail(job->cx, TWX_E_CONFIG,
                    "%s: more than one mapping fits: use --accept-mapping, or name it in [store] "
                    "of a configuration file",
                    job->store);
}

static twx_rc warn_of_content(void *arg, const char *warning) {
    const twx_job *const *job = arg;
    twx_job_message(*job, TWINDEX_WARNING, "%s: %s", (*job)->store, warning);
    return TWX_OK;
}

/* A mapping of another program's store can be valid and still not be what the user intended. */
static twx_rc check_content(const twx_job *job, twx_opened *o) {
    twx_content_sample look;
    if (o->mapping.own) return TWX_OK;
    twx_rc rc = twx_content_sample_read(o, &look);
    return rc == TWX_OK ? twx_content_warnings(&look, &o->mapping, warn_of_content, &job) : rc;
}

twx_rc twx_check_store(const twx_job *job, twx_opened *o, bool file, twx_summary *summary) {
    twx_rc rc = accept_mapping(job, &o->mapping);
    if (rc == TWX_OK) rc = check_content(job, o);
    if (rc != TWX_OK || !file) return rc;
    const double began = twx_job_clock();
    rc = twx_file_check(job, o->reader);
    twx_summary_stage(summary, "check", twx_job_clock() - began);
    return rc;
}

bool twx_is_check_due(const twx_job *job, const twx_lock *held, bool asked) {
    const twx_when_checked when = job->settings->run_check;
    if (when != TWX_CHECKED_AUTO) return when == TWX_CHECKED_ALWAYS;
    return asked || !held || twx_is_separate(job) || !twx_lock_is_checked(held);
}
