/* A run, from top to bottom:
 *   open     first read-only, because a store that fails the checks must stay unchanged; then with
 *            Twindex's tables (in a dry run: tables in a scratch file, unless the stored signatures
 *            are those that the settings need)
 *   sign     brings twindex_signature up to date with the documents (sign.c)
 *   skip     if no signature has changed since the published flags were judged, there is nothing
 *            to do (unchanged.c)
 *   judge    loads all signatures and computes the flags in memory (load.c, judge/)
 *   compare  counts what differs from the published result
 *   guard    stops the run if the difference looks like an accident (judge/guard.h)
 *   publish  prepares the other generation, checks that the judgement is still valid, commits
 *            (publish.c)
 * The crawler may write at any time. A document that changes after it was signed is left to the
 * next run, unless it is a representative: documents must not be hidden in favour of one that was
 * deleted or changed, so it is withdrawn (judge/withdraw.h). A run always publishes its judgement,
 * however fast the store changes. */
#include "run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/plural.h"
#include "job/lock.h"
#include "job/obstacles.h"
#include "job/pins_file.h"
#include "run/check_store.h"
#include "run/count_changes.h"
#include "run/ledger.h"
#include "run/load.h"
#include "run/losses.h"
#include "run/publish.h"
#include "run/rules_trial.h"
#include "run/unchanged.h"
#include "run/withdraw_signed.h"
#include "store/turn.h"

/* How often the representatives are checked before the flags are published. Without a change queue
 * each check reads the whole source, and the crawler would overtake a second one as it did the
 * first. */
enum { CHECKS_WITH_QUEUE = 3, CHECKS_WITHOUT = 1 };

typedef struct run {
    const twx_job *job;
    const twindex_run_options *options;
    twx_opened o;
    twx_sign_plan sign;
    twx_judge_plan plan;
    twx_judgement j;
    twx_judged judged;
    twx_state state; /* the state when the run began */
    twx_losses losses;
    int64_t data_version; /* data version of the store when its documents were read */
    uint64_t fingerprint; /* of what the judgement depends on besides the signatures */
    twx_summary *summary;
    bool checks; /* the file is checked for damage first */
    bool stored; /* the signatures of the store are judged as they are */
} run;

/* Ends the stage that began at `began`. */
static void end_stage(run *r, const char *name, double began) {
    twx_summary_stage(r->summary, name, twx_job_clock() - began);
}

/* The handle for the published result; NULL in a dry run of a store without one. */
static twx_generations *published(const run *r) {
    return r->o.trial ? r->o.published : r->o.generations;
}

/* ---- open --------------------------------------------------------------- */

static twx_rc make_plans(run *r) {
    twx_rc rc = twx_sign_plan_make(r->job, &r->o, r->options->full, &r->sign);
    if (rc == TWX_OK) r->fingerprint = twx_judged_fingerprint(r->job, &r->sign);
    return rc == TWX_OK ? twx_judge_plan_make(r->job, &r->sign, &r->plan) : rc;
}

/* Sets r->stored if every document is signed as the settings require. */
static twx_rc read_signed(run *r) {
    twx_state state;
    if (!r->o.generations) return TWX_OK;
    twx_rc rc = twx_state_read(r->o.generations, &state);
    if (rc == TWX_OK) r->stored = state.has_fingerprint && state.fingerprint == r->sign.fingerprint;
    return rc;
}

/* Opens the store read-only, as far as a dry run of stored signatures needs it; r->stored says
 * whether that is enough. Otherwise the store is closed again. */
static twx_rc open_stored(run *r) {
    const bool there = !twx_is_separate(r->job) || access(twx_own_path(r->job), F_OK) == 0;
    if (!r->options->stored || !there) return TWX_OK;
    twx_rc rc = twx_open_store(r->job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &r->o);
    if (rc == TWX_OK) rc = make_plans(r);
    if (rc == TWX_OK) rc = read_signed(r);
    if (rc != TWX_OK || r->stored) return rc;
    twx_judge_plan_done(&r->plan);
    twx_sign_plan_done(&r->sign);
    twx_opened_done(&r->o);
    return TWX_OK;
}

static twx_rc open_tables(run *r) {
    /* twx_check_store() has checked the store; a file of --flags is another one */
    const unsigned tables = TWX_NEED_TABLES |
                            (twx_is_separate(r->job) && r->checks ? TWX_NEED_SOUND : 0);
    const unsigned needs = TWX_NEED_SOURCE | (r->options->dry_run ? TWX_NEED_TRIAL : tables);
    twx_rc rc = twx_open_store(r->job, needs, &r->o);
    return rc == TWX_OK ? make_plans(r) : rc;
}

static twx_rc open_store(run *r) {
    twx_rc rc = twx_open_store(r->job, TWX_NEED_SOURCE, &r->o);
    if (rc == TWX_OK) rc = twx_check_store(r->job, &r->o, r->checks, r->summary);
    twx_opened_done(&r->o);
    if (rc == TWX_OK) rc = open_stored(r);
    if (rc == TWX_OK && !r->stored) rc = open_tables(r);
    if (rc == TWX_OK && published(r)) rc = twx_state_read(published(r), &r->state);
    if (rc == TWX_OK && r->state.generation)
        rc = twx_losses_read(r->job->cx, published(r), r->state.generation, &r->losses);
    /* publishing would drop a user's view that has one of our names */
    if (rc == TWX_OK && !r->options->dry_run) rc = twx_check_names(r->job, r->o.writer, &r->state);
    return rc;
}

/* ---- sign --------------------------------------------------------------- */

/* data_version does not count a connection's own commits: if Twindex's tables are in the store, ask
 * the writer, so that our commits do not count. */
static twx_rc data_version(run *r, int64_t *ret_version) {
    const bool same_file = !r->o.trial && !twx_is_separate(r->job);
    return twx_db_data_version(same_file ? r->o.writer : r->o.reader, ret_version);
}

/* ret_changed: gets the documents whose signature is new, changed or gone; NULL: not wanted. */
static twx_rc sign(run *r, twx_docs *ret_changed) {
    twx_sign_counts counts;
    const double began = twx_job_clock();
    twx_rc rc = data_version(r, &r->data_version);
    if (rc == TWX_OK) rc = twx_sign(r->job, &r->o, &r->sign, ret_changed, &counts);
    end_stage(r, "read and sign", began);
    if (rc != TWX_OK) return rc;
    twx_summary *s = r->summary;
    s->read += counts.read;
    s->signed_now += counts.signed_now;
    s->deleted += counts.deleted;
    s->text_bytes += counts.bytes;
    s->bad_urls += counts.bad_urls;
    s->bad_ids += counts.bad_ids;
    s->bad_utf8 += counts.bad_utf8;
    s->odd_values += counts.odd_values;
    s->too_long += counts.too_long;
    return TWX_OK;
}

/* ---- judge -------------------------------------------------------------- */

/* Warns of the hosts in the summary, which a run that does not judge has from the ledger. */
static void report_collapsed(const run *r) {
    for (twx_slice rest = twx_buf_slice(&r->summary->collapsed); rest.n;) {
        const twx_slice host = twx_slice_next_line(&rest);
        twx_job_message(r->job, TWINDEX_WARNING,
                        "host %.*s: all of its pages link to one page as canonical or redirect; "
                        "these links are ignored (canonical.collapse_min)",
                        (int)host.n, host.p);
    }
    if (r->summary->collapsed_left_out)
        twx_job_message(r->job, TWINDEX_WARNING, "there are more such hosts");
}

static twx_rc begin_judging(run *r) {
    if (r->options->dry_run) return TWX_OK;
    twx_rc rc = twx_turn_begin(r->o.writer);
    if (rc == TWX_OK) rc = twx_state_begin_judging(r->o.generations);
    return twx_turn_end(r->o.writer, rc, false);
}

static twx_rc load(run *r) {
    const double began = twx_job_clock();
    twx_judged_done(&r->judged);
    twx_judgement_done(&r->j);
    twx_judgement_init(&r->j);
    twx_job_progress(r->job, "load", "documents", 0, 0);
    twx_rc rc = begin_judging(r);
    if (rc == TWX_OK) rc = twx_load(r->job, &r->o, &r->plan, &r->j);
    end_stage(r, "load", began);
    return rc;
}

static twx_rc judge(run *r) {
    twx_rc rc = load(r);
    const double began = twx_job_clock();
    twx_job_progress(r->job, "group and judge", "documents", 0, r->j.docs.at.n);
    if (rc == TWX_OK) rc = twx_judge(r->job->cx, &r->j, &r->plan.options);
    if (rc == TWX_OK) rc = twx_judged_order(r->job->cx, &r->j, &r->plan.options, &r->judged);
    end_stage(r, "group and judge", began);
    if (rc != TWX_OK) return rc;
    rc = twx_summary_judged(r->job->cx, r->summary, &r->j);
    if (rc != TWX_OK) return rc;
    report_collapsed(r);
    if (r->j.docs.at.n == 0 && r->summary->bad_ids)
        return twx_fail(r->job->cx, TWX_E_DATA,
                        "%s: store.id is NULL, or -2^63, in all rows: no document can get flags",
                        r->job->store);
    return twx_pins_report(r->job, r->plan.pins, &r->j, r->summary);
}

/* ---- compare ------------------------------------------------------------ */

static twx_rc compare_with_published(run *r) {
    const double began = twx_job_clock();
    const twx_count_changes_options options = {.judged = &r->judged,
                                               .published = published(r),
                                               .generation = r->state.generation,
                                               .by_host = r->options->dry_run,
                                               .list = r->options->list,
                                               .limit = r->options->limit};
    twx_rc rc = twx_count_changes(r->job, &r->o, &options, r->summary);
    end_stage(r, "compare", began);
    return rc;
}

static twx_rc try_rules(run *r) {
    if (!r->options->rules) return TWX_OK;
    const double began = twx_job_clock();
    twx_rc rc = twx_rules_trial(r->job, &r->o, &r->judged, r->options->rules, r->summary);
    end_stage(r, "rules", began);
    return rc;
}

/* Whether all views of the results exist; publishing recreates those that another process has
 * dropped. */
static twx_rc views_exist(run *r, bool *ret_there) {
    static const char *const VIEWS[] = {"document_flags", "duplicate_groups", "document_alternates",
                                        "twindex_group_member"};
    twx_db *db = r->o.trial ? r->o.published_db : r->o.writer;
    twx_rc rc = TWX_OK;
    *ret_there = true;
    for (size_t i = 0; rc == TWX_OK && db && *ret_there && i < TWX_COUNTOF(VIEWS); i++)
        rc = twx_db_has(db, VIEWS[i], ret_there);
    /* views of earlier versions lack a column */
    if (rc == TWX_OK && db && *ret_there)
        rc = twx_db_has_column(db, TWX_SLICE_LIT("document_flags"),
                               TWX_SLICE_LIT("duplicate_of_shard"), ret_there);
    /* publishing also drops the joined view that earlier versions made in stores of other
     * programs */
    bool joined = twx_joined_select(r->job, &r->o) != NULL, has_joined = joined;
    if (rc == TWX_OK && db) rc = twx_db_has(db, "flagged_documents", &has_joined);
    *ret_there = *ret_there && joined == has_joined;
    return rc;
}

/* ---- guard -------------------------------------------------------------- */

/* Writes further findings of a guard as notes, one per line. */
static void report_notes(const run *r, twx_slice lines) {
    while (lines.n > 0) {
        const twx_slice line = twx_slice_next_line(&lines);
        twx_job_message(r->job, TWINDEX_NOTE, "%.*s", (int)line.n, line.p);
    }
}

static twx_rc guard(run *r) {
    twx_buf notes;
    twx_guard_findings says = {.stops = &r->summary->guards, .notes = &notes};
    twx_buf_init(&notes, 1 << 16);
    twx_buf_clear(&r->summary->guards);
    twx_guard against = r->plan.guard;
    against.before = r->losses.before.at;
    against.n_before = r->losses.before.n;
    twx_rc rc = twx_guard_check(r->job->cx, &r->j, &r->plan.options, &against, &says);
    if (rc == TWX_OK) report_notes(r, twx_buf_slice(&notes));
    twx_buf_done(&notes);
    if (rc != TWX_OK || says.n_stops == 0 || r->options->force || r->options->dry_run) return rc;
    /* the summary has all findings, one per line; the message, which cron mails, has the first */
    twx_slice findings = twx_buf_slice(&r->summary->guards);
    twx_slice first = twx_slice_sub(findings, 0, twx_slice_find(findings, '\n', 0));
    return twx_fail(r->job->cx, TWX_E_GUARD,
                    "%s: a guard stopped the run (%zu %s: " TWX_SLICE_FMT
                    "%s), the flags are unchanged; --dry-run --list shows what would change, and "
                    "--force publishes it anyway",
                    r->job->store, says.n_stops, twx_plural(says.n_stops, "finding", "findings"),
                    TWX_SLICE_ARG(first), says.n_stops > 1 ? " ..." : "");
}

/* ---- publish ------------------------------------------------------------ */

/* Signs what other processes have changed, and withdraws representatives among it from the result.
 * If they write continuously, there can always be one more; after the last check the rest is left
 * to the next run. */
static twx_rc withdraw_changed(run *r, twx_publisher *publisher) {
    const int checks = r->sign.feed == TWX_FEED_TRIGGER ? CHECKS_WITH_QUEUE : CHECKS_WITHOUT;
    twx_docs signed_again = {0};
    size_t withdrawn = 0;
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < checks; i++) {
        const size_t before = withdrawn;
        int64_t version = 0;
        rc = data_version(r, &version);
        if (rc != TWX_OK || version == r->data_version) break;
        rc = sign(r, &signed_again);
        if (rc == TWX_OK)
            rc = twx_withdraw_signed(r->job->cx, r->o.signatures, &signed_again, &r->j, &withdrawn);
        if (withdrawn == before) break;
        if (rc == TWX_OK) rc = twx_publisher_amend(publisher);
    }
    TWX_VEC_DONE(&signed_again);
    if (rc == TWX_OK && withdrawn > 0)
        twx_job_message(r->job, TWINDEX_NOTE,
                        "%zu %s changed while the run worked: another document of the group takes "
                        "its place until the next run",
                        withdrawn, twx_plural(withdrawn, "representative", "representatives"));
    return rc;
}

static twx_rc prepare_check_commit(run *r, const twx_publishing *publishing) {
    twx_publisher *publisher = NULL;
    twx_rc rc = twx_publisher_open(r->job, &r->o, publishing, &publisher);
    if (rc == TWX_OK) rc = twx_publisher_prepare(publisher);
    if (rc == TWX_OK) rc = withdraw_changed(r, publisher);
    if (rc == TWX_OK) rc = twx_cancelled(r->job->cx);
    if (rc == TWX_OK) rc = twx_publisher_commit(publisher, r->fingerprint);
    twx_publisher_close(publisher);
    return rc;
}

static char *compact(json_t *value) {
    /* a member that could not be made is missing in the value */
    char *text = value && !twx_allocation_failed() ? json_dumps(value, JSON_COMPACT) : NULL;
    json_decref(value);
    return text;
}

static twx_rc publish(run *r) {
    const double began = twx_job_clock();
    (void)twx_allocation_failed();
    /* the ledger keeps this summary only if the run is published */
    r->summary->outcome = "published";
    char *summary = compact(twx_summary_json(r->summary)),
         *settings = compact(twx_ledger_settings(r->job->settings, &r->plan.options));
    r->summary->outcome = "failed";
    twx_rc rc = summary && settings
                    ? TWX_OK
                    : twx_fail(r->job->cx, TWX_E_NOMEM, "out of memory for the ledger");
    if (rc == TWX_OK)
        rc = twx_losses_count(r->job->cx, &r->j, r->plan.guard.min_documents, &r->losses);
    const twx_flag_rows rows = twx_judged_rows(&r->judged);
    const twx_publishing publishing = {.rows = &rows,
                                       .documents = r->j.docs.at.n,
                                       .base = r->state.generation,
                                       .sites = r->losses.now.at,
                                       .n_sites = r->losses.now.n,
                                       .settings = settings,
                                       .summary = summary};
    if (rc == TWX_OK) rc = prepare_check_commit(r, &publishing);
    end_stage(r, "write and publish", began);
    free(summary);  /* style: jansson allocated it */
    free(settings); /* style: jansson allocated it */
    return rc;
}

/* Cleanup after publishing. Neither a signal nor an error here may turn the run into a failed
 * one. */
static void sweep(run *r) {
    twx_ctx *cx = r->job->cx;
    atomic_int *cancel = cx->cancel;
    cx->cancel = NULL;
    if (twx_document_sweep(r->o.signatures) != TWX_OK) {
        twx_job_message(r->job, TWINDEX_WARNING, "%s; the flags are published nevertheless",
                        cx->message);
        twx_ctx_clear(cx);
    }
    cx->cancel = cancel;
}

/* ---- the run ------------------------------------------------------------ */

/* held: NULL in a dry run. */
static bool is_check_due(const run *r, const twx_lock *held) {
    const twx_when_checked when = r->job->settings->run_check;
    if (when != TWX_CHECKED_AUTO) return when == TWX_CHECKED_ALWAYS;
    if (r->options->stored) return false;
    return !held || r->options->full || r->options->verify || twx_is_separate(r->job) ||
           !twx_lock_is_checked(held);
}

/* After a failure the next run checks the file. A guard is no failure of the file. */
static void note_check(const run *r, twx_rc rc, twx_lock *held) {
    const bool ended = rc == TWX_OK || rc == TWX_E_GUARD;
    if (held && (!ended || r->checks)) twx_lock_set_checked(held, ended);
}

/* Whether the published flags are those of the stored signatures, with these settings. */
static twx_rc is_judged(run *r, bool *ret_judged) {
    bool complete = false;
    *ret_judged = false;
    if (r->options->dry_run || r->options->full || !r->state.generation) return TWX_OK;
    twx_rc rc = views_exist(r, &complete);
    return rc == TWX_OK && complete ? twx_is_judged(r->job->cx, r->o.generations, &r->plan,
                                                    r->fingerprint, ret_judged, r->summary)
                                    : rc;
}

/* The judgement has found the published flags again: the next run need not judge. */
static twx_rc keep(run *r) {
    r->summary->outcome = "nothing changed, nothing was written";
    twx_rc rc = twx_turn_begin(r->o.writer);
    if (rc == TWX_OK)
        rc = twx_keep_judged(r->job->cx, r->o.generations, r->fingerprint, r->summary);
    return twx_turn_end(r->o.writer, rc, false);
}

static twx_rc judge_and_publish(run *r, bool judged) {
    bool complete = false;
    twx_rc rc = judge(r);
    if (rc == TWX_OK) rc = compare_with_published(r);
    if (rc == TWX_OK) rc = try_rules(r);
    if (rc == TWX_OK) rc = views_exist(r, &complete);
    if (rc != TWX_OK) return rc;
    if (r->options->dry_run) {
        r->summary->outcome = "dry run, nothing was written";
        return guard(r);
    }
    if (judged && r->summary->changed)
        return twx_fail(r->job->cx, TWX_E_INTERNAL,
                        "%s: --verify: the published flags of %" PRIu64
                        " documents are not those of the signatures: 'twindex run --full' corrects "
                        "them",
                        r->job->store, r->summary->changed);
    /* The result stays as it is, so no guard is asked: it may have been published with --force. */
    if (r->state.generation && r->summary->changed == 0 && complete) return keep(r);
    rc = guard(r);
    if (rc == TWX_OK) rc = publish(r);
    if (rc == TWX_OK) r->summary->outcome = "published";
    return rc;
}

static twx_rc work(run *r) {
    bool judged = false;
    twx_rc rc = open_store(r);
    if (rc == TWX_OK && !r->stored) rc = sign(r, NULL);
    if (rc == TWX_OK) rc = is_judged(r, &judged);
    if (rc == TWX_OK && judged && !r->options->verify) {
        r->summary->outcome = "nothing changed, nothing was written";
        report_collapsed(r);
    } else if (rc == TWX_OK) {
        rc = judge_and_publish(r, judged);
    }
    if (rc == TWX_OK && !r->options->dry_run && r->summary->deleted &&
        !twx_source_is_direct(r->o.source))
        sweep(r);
    return rc;
}

static twx_rc check_options(twx_ctx *cx, const twindex_run_options *o) {
    if (o->rules && !o->dry_run)
        return twx_fail(cx, TWX_E_USAGE, "rules are tried in a dry run: --dry-run --rules FILE");
    if (o->list && !o->dry_run)
        return twx_fail(cx, TWX_E_USAGE,
                        "changes are listed in a dry run: --dry-run --list; 'twindex diff' lists "
                        "those of the last run");
    if (o->stored && (!o->dry_run || o->full || o->rules))
        return twx_fail(cx, TWX_E_USAGE,
                        "stored signatures are judged in a dry run: --dry-run --stored, without "
                        "--full and --rules");
    return TWX_OK;
}

twx_rc twx_run(const twx_job *job, const twindex_run_options *options, twx_summary *ret_summary) {
    run r = {.job = job, .options = options, .summary = ret_summary};
    twx_lock *lock = NULL;
    ret_summary->store = job->store;
    ret_summary->outcome = "failed";
    ret_summary->dry_run = options->dry_run;
    twx_judgement_init(&r.j);
    twx_rc rc = check_options(job->cx, options);
    if (rc == TWX_OK && options->rules) rc = twx_rules_trial_check(job, options->rules);
    if (rc != TWX_OK) return rc;
    rc = options->dry_run ? TWX_OK : twx_lock_take(job->cx, twx_own_path(job), &lock);
    r.checks = rc == TWX_OK && is_check_due(&r, lock);
    if (rc == TWX_OK) rc = work(&r);
    note_check(&r, rc, lock);
    if (rc == TWX_E_GUARD) ret_summary->outcome = "stopped by a guard, nothing was published";
    twx_judged_done(&r.judged);
    twx_judgement_done(&r.j);
    ret_summary->pins_file = r.plan.pins ? job->settings->verdict_pins : NULL;
    twx_judge_plan_done(&r.plan);
    twx_sign_plan_done(&r.sign);
    twx_losses_done(&r.losses);
    twx_opened_done(&r.o);
    twx_lock_release(lock, rc);
    return rc;
}
