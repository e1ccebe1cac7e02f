#include "inspect/check_set.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "run/store_set.h"

/* ---- the stores together -------------------------------------------------- */

typedef struct examination {
    const twx_store_set *set;
    twx_findings *findings;
} examination;

static twx_rc take_missing(void *arg, uint32_t member, twx_slice shard, int64_t documents) {
    const examination *x = arg;
    char text[TWX_FINDING_BYTES];
    snprintf(text, sizeof text,
             "the flags of %.400s name %" PRId64
             " representatives in %.*s, which is not among these stores",
             x->set->at[member].job.store, documents, (int)(shard.n < 400 ? shard.n : 400),
             shard.p);
    return twx_findings_problem(x->findings, text);
}

static bool is_problem(twx_rc rc) {
    return rc == TWX_E_DATA || rc == TWX_E_USAGE || rc == TWX_E_NOSTORE || rc == TWX_E_CORRUPT ||
           rc == TWX_E_CONFIG;
}

/* Why they cannot be read as one collection is a problem, unless it is none of theirs. */
static twx_rc check_together(const twx_job *job, twx_findings *f) {
    twx_store_set set;
    f->store = "all of these stores";
    twx_rc rc = twx_store_set_open(job, 0, &set);
    if (rc == TWX_OK)
        rc = twx_findings_fact(f, "flags", "those of one run over all %zu stores", set.n);
    examination x = {&set, f};
    if (rc == TWX_OK) rc = twx_store_set_missing(&set, take_missing, &x);
    if (is_problem(rc)) {
        char text[TWX_MESSAGE_MAX];
        snprintf(text, sizeof text, "%s", job->cx->message);
        twx_ctx_clear(job->cx);
        rc = twx_findings_problem(f, text);
    }
    twx_store_set_done(&set);
    return rc;
}

/* ---- all ------------------------------------------------------------------ */

static twx_rc check_one(const twx_job *all, size_t i, twx_check_fn *check, twx_findings *f) {
    twx_job job = *all;
    if (i == all->n_stores && i > 0) return check_together(all, f);
    if (all->n_stores) job.store = all->stores[i];
    job.n_stores = 0;
    return check(&job, f);
}

twx_rc twx_check_set(const twx_job *job, twx_check_fn *check, const twx_out *out,
                     uint64_t *ret_problems) {
    const size_t stores = job->n_stores > 1 ? job->n_stores : 1, n = stores + (stores > 1);
    twx_findings *all = twx_calloc(job->cx, n, sizeof *all);
    twx_rc rc = all ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; all && i < n; i++) twx_findings_init(job->cx, &all[i]);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = check_one(job, i, check, &all[i]);
        *ret_problems += all[i].problems;
    }
    if (rc == TWX_OK)
        rc = n == 1 ? twx_findings_write(out, &all[0]) : twx_findings_list_write(out, all, n);
    for (size_t i = 0; all && i < n; i++) twx_findings_done(&all[i]);
    twx_free(all);
    return rc;
}
