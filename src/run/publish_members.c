#include "run/publish_members.h"

#include <stdio.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/plural.h"
#include "run/publish.h"
#include "run/withdraw_signed.h"

/* How often the representatives of a store are checked before the flags are published. Without a
 * change queue each check reads the whole source, and the crawler would overtake a second one as it
 * did the first. */
enum { CHECKS_WITH_QUEUE = 3, CHECKS_WITHOUT = 1 };

/* What is published to one store. */
typedef struct part {
    twx_member *member;
    twx_flag_rows rows;
    twx_foreign foreign;
    twx_remote_rows remotes;
    twx_publishing publishing;
    twx_publisher *publisher;
} part;

typedef struct publication {
    twx_members *members;
    twx_judgement *j;
    const twx_publish_plan *plan;
    part *parts; /* by member */
} publication;

/* ---- prepare ------------------------------------------------------------- */

/* The number of a run over several stores; 0 for one store. */
static twx_rc draw_run(const twx_members *members, int64_t *ret_run) {
    uint64_t number = 0;
    *ret_run = 0;
    if (members->at.n == 1) return TWX_OK;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return twx_fail(members->job->cx, TWX_E_INTERNAL, "the system provides no random numbers");
    *ret_run = (int64_t)(number >> 1 | 1);
    return TWX_OK;
}

static twx_rc prepare(publication *p, size_t at, int64_t run) {
    part *q = &p->parts[at];
    twx_member *m = p->members->at.at[at];
    q->member = m;
    q->rows = twx_judged_rows(&m->judged);
    twx_foreign_init(p->members, p->j, m, &q->foreign);
    q->remotes = twx_foreign_rows(&q->foreign);
    twx_rc rc = twx_losses_count(m->job.cx, &m->judged, p->plan->min_documents, &m->losses);
    q->publishing = (twx_publishing){.rows = &q->rows,
                                     .documents = m->judged.n,
                                     .remotes = &q->remotes,
                                     .collection_run = run,
                                     .shard = m->shard,
                                     .base = m->state.generation,
                                     .base_run = m->state.run[m->state.generation == 'b'],
                                     .differ = m->state.generation ? &m->differ : NULL,
                                     .sites = m->losses.now.at,
                                     .n_sites = m->losses.now.n,
                                     .settings = p->plan->settings,
                                     .summary = p->plan->summary,
                                     .figures = &p->plan->figures};
    if (rc == TWX_OK) rc = twx_publisher_open(&m->job, &m->o, &q->publishing, &q->publisher);
    return rc == TWX_OK ? twx_publisher_prepare(q->publisher) : rc;
}

static twx_rc prepare_all(publication *p) {
    int64_t run = 0;
    twx_rc rc = draw_run(p->members, &run);
    for (size_t i = 0; rc == TWX_OK && i < p->members->at.n; i++) rc = prepare(p, i, run);
    return rc;
}

/* ---- withdraw ------------------------------------------------------------ */

static int checks_of(const twx_member *m) {
    return m->sign.feed == TWX_FEED_TRIGGER ? CHECKS_WITH_QUEUE : CHECKS_WITHOUT;
}

/* Signs what other processes have changed in the stores that have checks left. */
static twx_rc sign_changed(publication *p, int check, twx_signed_again *again, bool *ret_any) {
    twx_rc rc = TWX_OK;
    *ret_any = false;
    for (size_t i = 0; rc == TWX_OK && i < p->members->at.n; i++) {
        twx_member *m = p->members->at.at[i];
        int64_t version = 0;
        again[i].signatures = m->o.signatures;
        if (check >= checks_of(m)) continue;
        rc = twx_member_data_version(m, &version);
        if (rc != TWX_OK || version == m->data_version) continue;
        *ret_any = true;
        rc = twx_member_sign(m, &again[i].docs, p->members->summary);
    }
    return rc;
}

static twx_rc amend_all(publication *p) {
    twx_rc rc = twx_foreign_find(p->members, p->j);
    for (size_t i = 0; rc == TWX_OK && i < p->members->at.n; i++)
        rc = twx_publisher_amend(p->parts[i].publisher);
    return rc;
}

static twx_rc withdraw(publication *p, twx_signed_again *again, size_t *withdrawn) {
    const size_t n = p->members->at.n;
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < CHECKS_WITH_QUEUE; i++) {
        const size_t before = *withdrawn;
        bool any = false;
        rc = sign_changed(p, i, again, &any);
        if (rc == TWX_OK && any)
            rc = twx_withdraw_signed(p->members->job->cx, again, n, p->j, withdrawn);
        if (*withdrawn == before) break;
        if (rc == TWX_OK) rc = amend_all(p);
    }
    return rc;
}

/* Withdraws representatives that other processes have changed. If they write continuously, there
 * can always be one more; after the last check the rest is left to the next run. */
static twx_rc withdraw_changed(publication *p) {
    const size_t n = p->members->at.n;
    size_t withdrawn = 0;
    twx_signed_again *again = twx_calloc(p->members->job->cx, n, sizeof *again);
    if (!again) return TWX_E_NOMEM;
    twx_rc rc = withdraw(p, again, &withdrawn);
    for (size_t i = 0; i < n; i++) TWX_VEC_DONE(&again[i].docs);
    twx_free(again);
    if (rc == TWX_OK && withdrawn > 0)
        twx_job_message(p->members->job, TWINDEX_NOTE,
                        "%zu %s changed while the run worked: another document of the group takes "
                        "its place until the next run",
                        withdrawn, twx_plural(withdrawn, "representative", "representatives"));
    return rc;
}

/* ---- commit -------------------------------------------------------------- */

/* [R2] */
static twx_rc fail_between(publication *p, size_t committed, twx_rc rc) {
    twx_ctx *cx = p->members->job->cx;
    char reason[TWX_MESSAGE_MAX];
    if (committed == 0) return rc;
    snprintf(reason, sizeof reason, "%s", cx->message);
    twx_ctx_clear(cx);
    return twx_fail(cx, rc,
                    "%.700s; %zu of %zu stores have the new flags already: run again to publish "
                    "them to all",
                    reason, committed, p->members->at.n);
}

static twx_rc commit_all(publication *p) {
    twx_rc rc = twx_cancelled(p->members->job->cx);
    for (size_t i = 0; rc == TWX_OK && i < p->members->at.n; i++) {
        rc = twx_publisher_commit(p->parts[i].publisher, p->plan->fingerprint);
        if (rc != TWX_OK) rc = fail_between(p, i, rc);
    }
    return rc;
}

twx_rc twx_publish_members(twx_members *members, twx_judgement *j, const twx_publish_plan *plan) {
    const size_t n = members->at.n;
    publication p = {.members = members, .j = j, .plan = plan};
    p.parts = twx_calloc(members->job->cx, n, sizeof *p.parts);
    if (!p.parts) return TWX_E_NOMEM;
    twx_rc rc = prepare_all(&p);
    if (rc == TWX_OK) rc = withdraw_changed(&p);
    if (rc == TWX_OK) rc = twx_judgement_error(members->job->cx, j);
    if (rc == TWX_OK) rc = commit_all(&p);
    for (size_t i = 0; i < n; i++) {
        twx_publisher_close(p.parts[i].publisher);
        if (p.parts[i].member) twx_foreign_done(&p.parts[i].foreign);
    }
    twx_free(p.parts);
    return rc;
}
