#include "run/file_check.h"

twx_rc twx_file_check(const twx_job *job, twx_db *db) {
    twx_buf faults, skipped;
    if (job->settings->run_check == TWX_CHECKED_NEVER) return TWX_OK;
    twx_buf_init(&faults, 1 << 16);
    twx_buf_init(&skipped, 1 << 16);
    twx_job_progress(job, "check the file", "", 0, 0);
    twx_rc rc = twx_db_quick_check(db, &faults, &skipped);
    for (size_t i = 0; i < faults.n; i++)
        if (faults.p[i] == '\n') faults.p[i] = ' ';
    if (rc == TWX_OK && faults.n)
        rc = twx_fail(job->cx, TWX_E_CORRUPT, "%s: the file is corrupt: %.300s", twx_db_path(db),
                      faults.p);
    if (rc == TWX_OK && skipped.n)
        twx_job_message(job, TWINDEX_NOTE, "%s: not checked: %.500s", twx_db_path(db), skipped.p);
    twx_buf_done(&faults);
    twx_buf_done(&skipped);
    return rc;
}
