#include "run/job.h"

#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/plural.h"
#include "base/print.h"

void twx_job_progress(const twx_job *job, const char *stage, const char *unit, uint64_t done,
                      uint64_t total) {
    const twindex_progress progress = {.stage = stage, .unit = unit, .done = done, .total = total};
    if (job->progress) job->progress(job->progress_arg, &progress);
}

void twx_job_message(const twx_job *job, twindex_level level, const char *fmt, ...) {
    char text[TWX_MESSAGE_MAX];
    va_list args;
    if (!job->message) return;
    va_start(args, fmt);
    twx_vprint(text, sizeof text, fmt, args);
    va_end(args);
    twx_one_line(text);
    job->message(job->message_arg, level, text);
}

double twx_job_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int64_t twx_job_now(void) {
    return (int64_t)time(NULL);
}

size_t twx_job_threads(const twx_settings *settings) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return settings->run_jobs ? settings->run_jobs : processors > 0 ? (size_t)processors : 1;
}

char *twx_job_title(const twx_job *job) {
    const size_t more = job->n_stores ? job->n_stores - 1 : 0;
    if (!more) return twx_strdup(job->cx, job->store);
    return twx_sprintf(job->cx, "%s and %zu more %s", job->store, more,
                       twx_plural(more, "store", "stores"));
}
