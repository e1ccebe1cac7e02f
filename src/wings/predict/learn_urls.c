#include "predict/learn_urls.h"

#include <inttypes.h>

#include "base/hash64.h"
#include "predict/stored_model.h"
#include "run/lock.h"

static const double CONFIDENT = 0.98; /* for the counts of the summary */

typedef struct learning {
    const twx_job *job;
    twx_opened o;
    twx_learn_normalizer urls;
    twx_learner *learner;
    twx_model model;
    twx_learn_counts counts;
    twx_url_model_head head;
    uint64_t changed;
} learning;

twx_rc twx_published_state(const twx_job *job, twx_opened *o, twx_state *ret_state) {
    twx_rc rc = twx_state_read(o->generations, ret_state);
    if (rc == TWX_OK && !ret_state->generation)
        rc = twx_fail(job->cx, TWX_E_DATA,
                      "%s: no run has published flags yet: run 'twindex run' first",
                      twx_own_path(job));
    return rc;
}

void twx_warn_learn_counts(const twx_job *job, const twx_learn_counts *counts) {
    if (counts->documents && !counts->judged)
        twx_job_message(job, TWINDEX_NOTE,
                        "nothing can be learned: the last run did not look for copies "
                        "(near.detector), or no document takes part");
    else if (counts->documents && !counts->contents)
        twx_job_message(job, TWINDEX_NOTE,
                        "nothing can be learned: no document that takes part has a text");
    if (counts->unjudged)
        twx_job_message(
            job, TWINDEX_WARNING,
            "%" PRIu64
            " documents are newer than the last run and were left out: run 'twindex run' first",
            counts->unjudged);
}

static twx_rc take_page(void *arg, const twx_learn_document *page) {
    learning *l = arg;
    return page->content == TWX_NO_CLASS ? TWX_OK
                                         : twx_learner_add(l->learner, page->url, page->content);
}

static twx_rc read_pages(learning *l) {
    twx_page_reading reading = {.urls = &l->urls, .fn = take_page, .arg = l};
    twx_rc rc = twx_published_state(l->job, &l->o, &reading.state);
    if (rc == TWX_OK)
        rc = twx_learner_open(l->job->cx, (size_t)l->job->settings->run_memory, NULL, &l->learner);
    if (rc == TWX_OK) rc = twx_learn_documents_each(l->job, &l->o, &reading, &l->counts);
    l->head.run = twx_published_run(&reading.state);
    l->head.fingerprint = l->urls.fingerprint;
    return rc;
}

static twx_rc learn(learning *l) {
    twx_job_progress(l->job, "learn", "", 0, 0);
    twx_rc rc = twx_learner_make(l->learner, &l->model);
    l->head.urls = twx_learner_urls(l->learner);
    l->head.share = twx_learner_share(l->learner);
    return rc == TWX_OK ? twx_model_store(l->job, l->o.writer, &l->model, &l->head, &l->changed)
                        : rc;
}

/* ---- the command --------------------------------------------------------- */

static void count_rows(const twx_model *m, twx_learned_row rows[TWX_HYPOTHESES]) {
    for (size_t i = 0; i < m->contexts.n; i++) {
        const twx_context *c = &m->contexts.at[i];
        twx_learned_row *row = &rows[c->row];
        row->contexts++;
        row->confident += c->probability >= CONFIDENT;
        row->dup += c->dup;
        row->nodup += c->nodup;
    }
}

static void summarize(const learning *l, twx_learn_summary *s) {
    *s = (twx_learn_summary){.store = l->job->store,
                             .run = l->head.run,
                             .urls = l->head.urls,
                             .share = l->head.share,
                             .seen_keys = l->model.seen.n,
                             .rows_written = l->changed,
                             .no_page = l->counts.no_page};
    count_rows(&l->model, s->rows);
}

/* ret_summary: NULL: none, and no warnings, after a run, which has checked the file. */
static twx_rc learn_and_store(const twx_job *job, twx_learn_summary *ret_summary) {
    learning l = {.job = job};
    twx_lock *lock = NULL;
    twx_model_init(&l.model);
    twx_rc rc = twx_lock_take(job->cx, twx_own_path(job), &lock);
    if (rc == TWX_OK) rc = twx_learn_normalizer_make(job, &l.urls);
    if (rc == TWX_OK)
        rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_RESULTS,
                            /* nothing is created without results */
                            &l.o);
    twx_opened_done(&l.o);
    if (rc == TWX_OK)
        rc = twx_open_store(
            job, TWX_NEED_SOURCE | TWX_NEED_TABLES | (ret_summary ? TWX_NEED_SOUND : 0), &l.o);
    if (rc == TWX_OK) rc = read_pages(&l);
    if (rc == TWX_OK) rc = learn(&l);
    if (rc == TWX_OK && ret_summary) {
        twx_warn_learn_counts(job, &l.counts);
        summarize(&l, ret_summary);
    }
    twx_learner_close(l.learner);
    twx_model_done(&l.model);
    twx_learn_normalizer_done(&l.urls);
    twx_opened_done(&l.o);
    twx_lock_release(lock, rc);
    return rc;
}

twx_rc twx_learn(const twx_job *job, twx_learn_summary *ret_summary) {
    return learn_and_store(job, ret_summary);
}

/* Is there a model of another run than the published one, or of an earlier version? */
static twx_rc is_outdated(const twx_job *job, bool *ret_outdated) {
    twx_opened o = {0};
    twx_state state;
    twx_url_model_head head;
    *ret_outdated = false;
    /* a writer, which leaves no WAL */
    twx_rc rc = twx_open_store(job, TWX_NEED_TABLES, &o);
    if (rc == TWX_OK) rc = twx_url_model_head_read(o.writer, &head);
    if (rc == TWX_OK) rc = twx_state_read(o.generations, &state);
    if (rc == TWX_OK)
        *ret_outdated = state.generation && (twx_published_run(&state) != head.run ||
                                             !twx_model_is_current(head.fingerprint));
    twx_opened_done(&o);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_learn_again(const twx_job *job) {
    bool outdated = false;
    twx_rc rc = is_outdated(job, &outdated);
    if (rc == TWX_OK && outdated) rc = learn_and_store(job, NULL);
    if (rc == TWX_OK || rc == TWX_E_INTERRUPTED || rc == TWX_E_TERMINATED) return rc;
    twx_job_message(
        job, TWINDEX_WARNING,
        "the flags are published, but the URL model is still that of an earlier run: %s",
        job->cx->message);
    twx_ctx_clear(job->cx);
    return TWX_OK;
}
