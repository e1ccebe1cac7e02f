#include "run/member.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/plural.h"
#include "run/check_store.h"
#include "run/obstacles.h"
#include "run/silent_changes.h"
#include "store/turn.h"

/* ---- open --------------------------------------------------------------- */

static twx_rc make_plan(twx_member *m) {
    return twx_sign_plan_make(&m->job, &m->o, m->options->full, &m->sign);
}

/* Sets m->stored if every document is signed as the settings require. */
static twx_rc read_signed(twx_member *m) {
    twx_state state;
    if (!m->o.generations) return TWX_OK;
    twx_rc rc = twx_state_read(m->o.generations, &state);
    if (rc == TWX_OK) m->stored = state.has_fingerprint && state.fingerprint == m->sign.fingerprint;
    return rc;
}

/* Opens the store read-only, as far as a dry run of stored signatures needs it; m->stored says
 * whether that is enough. Otherwise the store is closed again. */
static twx_rc open_stored(twx_member *m) {
    const bool there = !twx_is_separate(&m->job) || access(twx_own_path(&m->job), F_OK) == 0;
    if (!m->options->stored || !there) return TWX_OK;
    twx_rc rc = twx_open_store(&m->job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &m->o);
    if (rc == TWX_OK) rc = make_plan(m);
    if (rc == TWX_OK) rc = read_signed(m);
    if (rc != TWX_OK || m->stored) return rc;
    twx_sign_plan_done(&m->sign);
    twx_opened_done(&m->o);
    return TWX_OK;
}

static twx_rc open_tables(twx_member *m) {
    /* twx_check_store() has checked the store; a file of --flags is another one */
    const unsigned tables = TWX_NEED_TABLES |
                            (twx_is_separate(&m->job) && m->checks ? TWX_NEED_SOUND : 0);
    const unsigned needs = TWX_NEED_SOURCE | (m->options->dry_run ? TWX_NEED_TRIAL : tables);
    twx_rc rc = twx_open_store(&m->job, needs, &m->o);
    return rc == TWX_OK ? make_plan(m) : rc;
}

twx_generations *twx_member_published(const twx_member *m) {
    return m->o.trial ? m->o.published : m->o.generations;
}

twx_db *twx_member_published_db(const twx_member *m) {
    return m->o.trial ? m->o.published_db : m->o.writer;
}

static bool is_check_due(const twx_member *m) {
    const twindex_run_options *o = m->options;
    if (o->stored && m->job.settings->run_check == TWX_CHECKED_AUTO) return false;
    return twx_is_check_due(&m->job, m->lock, o->full || o->verify);
}

static twx_rc read_published(twx_member *m) {
    twx_generations *published = twx_member_published(m);
    if (!published) return TWX_OK;
    twx_rc rc = twx_state_read(published, &m->state);
    if (rc == TWX_OK) rc = twx_membership_read(twx_member_published_db(m), &m->names, &m->place);
    if (rc == TWX_OK && m->state.generation)
        rc = twx_losses_read(m->job.cx, published, m->state.generation, &m->losses);
    return rc;
}

twx_rc twx_member_open(twx_member *m, twx_summary *summary) {
    m->checks = is_check_due(m);
    twx_rc rc = twx_open_store(&m->job, TWX_NEED_SOURCE, &m->o);
    if (rc == TWX_OK) rc = twx_check_store(&m->job, &m->o, m->checks, summary);
    twx_opened_done(&m->o);
    if (rc == TWX_OK) rc = open_stored(m);
    if (rc == TWX_OK && !m->stored) rc = open_tables(m);
    if (rc == TWX_OK) rc = read_published(m);
    /* publishing would drop a user's view that has one of our names */
    if (rc == TWX_OK && !m->options->dry_run) rc = twx_check_names(&m->job, m->o.writer, &m->state);
    return rc;
}

/* After a failure the next run checks the file. A guard is no failure of the file. */
static void note_check(const twx_member *m, twx_rc rc) {
    const bool ended = rc == TWX_OK || rc == TWX_E_GUARD;
    if (m->lock && (!ended || m->checks)) twx_lock_set_checked(m->lock, ended);
}

void twx_member_close(twx_member *m, twx_rc rc) {
    if (!m) return;
    note_check(m, rc);
    twx_judged_done(&m->judged);
    TWX_VEC_DONE(&m->differ);
    twx_losses_done(&m->losses);
    twx_sign_plan_done(&m->sign);
    twx_opened_done(&m->o);
    twx_lock_release(m->lock, rc);
    m->lock = NULL;
    twx_arena_done(&m->names);
    twx_free(m->path);
    m->path = NULL;
}

/* ---- sign --------------------------------------------------------------- */

/* data_version does not count a connection's own commits: if Twindex's tables are in the store, ask
 * the writer, so that our commits do not count. */
twx_rc twx_member_data_version(const twx_member *m, int64_t *ret_version) {
    const bool same_file = !m->o.trial && !twx_is_separate(&m->job);
    return twx_db_data_version(same_file ? m->o.writer : m->o.reader, ret_version);
}

/* Looks for changes that the queue does not have: by the contents of all documents if the file was
 * checked, too (a dry run always checks it), or if the numbers of rows show that there are any. */
twx_rc twx_member_compare(twx_member *m, twx_summary *summary) {
    const bool verify = m->options->verify;
    const double began = twx_job_clock();
    twx_silent_changes silent = {0};
    bool agree = true;
    if (!verify && (m->sign.feed != TWX_FEED_TRIGGER || m->sign.full)) return TWX_OK;
    twx_rc rc = twx_queue_agrees(&m->o, &m->sign, &agree);
    if (rc == TWX_OK && (verify || (m->checks && m->lock) || !agree))
        rc = twx_silent_changes_find(&m->job, &m->o, &m->sign, &silent);
    twx_summary_stage(summary, "check", twx_job_clock() - began);
    if (rc != TWX_OK || !silent.n) return rc;
    m->sign.full = true;
    const char *documents = twx_plural(silent.n, "document", "documents");
    if (verify)
        return twx_fail(m->job.cx, TWX_E_INTERNAL,
                        "%s: --verify: the change queue lacks %" PRIu64
                        " %s that changed (%s): 'twindex run --full' corrects the flags; the "
                        "manual, \"Changes\", names what a queue cannot have",
                        m->job.store, silent.n, documents, silent.first);
    twx_job_message(&m->job, TWINDEX_WARNING,
                    "%s: the change queue lacks %" PRIu64
                    " %s that changed (%s): every document is read; the manual, \"Changes\", names "
                    "what a queue cannot have",
                    m->job.store, silent.n, documents, silent.first);
    return TWX_OK;
}

twx_rc twx_member_sign(twx_member *m, twx_docs *ret_changed, twx_summary *summary) {
    twx_sign_counts counts;
    const double began = twx_job_clock();
    twx_rc rc = twx_member_data_version(m, &m->data_version);
    if (rc == TWX_OK) rc = twx_sign(&m->job, &m->o, &m->sign, ret_changed, &counts);
    twx_summary_stage(summary, "read and sign", twx_job_clock() - began);
    if (rc == TWX_OK) twx_sign_counts_add(&m->counts, &counts);
    m->whole = rc == TWX_OK && counts.whole;
    return rc;
}

/* ---- judge and publish ---------------------------------------------------- */

twx_rc twx_member_begin_judging(twx_member *m) {
    if (m->options->dry_run) return TWX_OK;
    twx_rc rc = twx_turn_begin(m->o.writer);
    if (rc == TWX_OK) rc = twx_state_begin_judging(m->o.generations);
    return twx_turn_end(m->o.writer, rc, false);
}

twx_rc twx_member_has_views(twx_member *m, bool *ret_there) {
    static const char *const VIEWS[] = {"document_flags", "duplicate_groups", "document_alternates",
                                        "twindex_group_member"};
    twx_db *db = twx_member_published_db(m);
    twx_rc rc = TWX_OK;
    *ret_there = true;
    for (size_t i = 0; rc == TWX_OK && db && *ret_there && i < TWX_COUNTOF(VIEWS); i++)
        rc = twx_db_has(db, VIEWS[i], ret_there);
    /* publishing also drops the joined view of a run with other settings */
    bool joined = twx_joined_select(&m->job, &m->o) != NULL, has_joined = joined;
    if (rc == TWX_OK && db) rc = twx_db_has(db, "flagged_documents", &has_joined);
    *ret_there = *ret_there && joined == has_joined;
    return rc;
}

void twx_member_sweep(twx_member *m) {
    twx_ctx *cx = m->job.cx;
    atomic_int *cancel = cx->cancel;
    if (!m->counts.deleted || twx_source_is_direct(m->o.source)) return;
    cx->cancel = NULL;
    if (twx_document_sweep(m->o.signatures) != TWX_OK) {
        twx_job_message(&m->job, TWINDEX_WARNING, "%s; the flags are published nevertheless",
                        cx->message);
        twx_ctx_clear(cx);
    }
    cx->cancel = cancel;
}
