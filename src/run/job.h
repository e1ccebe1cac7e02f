/* run/job.h: the context of every job of the library: one store, its settings, and the caller's
 * callbacks. Jobs over several stores have a list of them.
 * Memory: everything is borrowed from the caller (api/). */
#ifndef TWX_RUN_JOB_H
#define TWX_RUN_JOB_H

#include "run/settings.h"
#include "twindex/twindex.h"

typedef struct twx_job {
    twx_ctx *cx;
    const twx_settings *settings;
    const char *store;         /* path; of several stores the first */
    const char *const *stores; /* n_stores of them; 0: only `store` */
    size_t n_stores;
    const char *config; /* the configuration file; NULL: none */
    twindex_progress_fn *progress;
    void *progress_arg;
    twindex_message_fn *message;
    void *message_arg;
} twx_job;

void twx_job_progress(const twx_job *job, const char *stage, const char *unit, uint64_t done,
                      uint64_t total);
/* In one line: control characters become '?'. */
void twx_job_message(const twx_job *job, twindex_level level, const char *fmt, ...)
    TWX_PRINTF(3, 4);
/* What the stores are called in messages and results: "a.db", "a.db and 2 more stores". Owned by
 * the caller; NULL: out of memory. */
char *twx_job_title(const twx_job *job);
/* The first: seconds of a monotonic clock, for measuring. The second: seconds since 1970, for the
 * ledger. */
double twx_job_clock(void);
int64_t twx_job_now(void);
/* run.jobs, or one per processor. */
size_t twx_job_threads(const twx_settings *settings);

#endif
