/* A run, from top to bottom:
 *   open     all stores of the run (run_stores.c). First read-only, because a store that fails the
 *            checks must stay unchanged; then with Twindex's tables (in a dry run: tables in a
 *            scratch file, unless the stored signatures are those that the settings need)
 *   sign     brings twindex_signature up to date with the documents (sign.c), store by store
 *   skip     if no signature has changed since the published flags were judged, there is nothing
 *            to do (unchanged in flag_changes.c)
 *   judge    loads the signatures of all stores (judge_input.c) and computes the flags in memory
 *            (judge/)
 *   compare  counts what differs from the published results
 *   guard    stops the run if the difference looks like an accident (judge/guard.c)
 *   publish  prepares the other generation of each store, checks that the result is still valid,
 *            commits (publish_stores, publish.c)
 * One store is a list of one. The result does not depend on which store a document is in.
 * The crawler may write at any time. A document that changes after it was signed is left to the
 * next run, unless it is a representative: documents must not be hidden in favour of one that was
 * deleted or changed, so it is withdrawn (judge/judge.c). A run always publishes its result,
 * however fast the store changes. */

#include "run/internal.h"

#include <malloc.h>

static const char NOTHING_CHANGED[] = "nothing changed, nothing was written";

typedef struct run {
    twx_job job; /* store: what the run is called in messages */
    const twindex_run_options *options;
    const twx_rules_try *rules;
    twx_run_stores all;
    twx_judge_plan plan;
    bool planned;
    twx_doc_set j;
    twx_load_store *stores; /* in the order of the document set */
    int64_t *versions;      /* of the stores, for the texts */
    twx_judged_texts texts; /* read while documents are judged */
    uint64_t fingerprint;   /* of what the result depends on besides the signatures */
    twx_summary *summary;
} run;

/* Ends the stage that began at `began`. */
static void end_stage(run *r, const char *name, double began) {
    twx_summary_stage(r->summary, name, twx_job_clock() - began);
}

/* ---- open and sign -------------------------------------------------------- */

/* The plan of judging borrows that of signing from the first store. */
static twx_rc make_plan(run *r) {
    if (r->planned) twx_judge_plan_done(&r->plan);
    const twx_rc rc = twx_judge_plan_make(&r->job, &r->all.at.at[0]->sign, &r->plan);
    r->planned = rc == TWX_OK;
    r->fingerprint = twx_mix64(twx_judged_fingerprint(&r->all),
                               rc == TWX_OK ? twx_parameters_fingerprint(r->plan.parameters) : 0);
    return rc;
}

static twx_rc open_and_sign(run *r) {
    twx_rc rc = twx_run_stores_open(&r->all);
    if (rc == TWX_OK) rc = make_plan(r); /* its errors come before documents are signed */
    if (rc == TWX_OK) rc = twx_run_stores_sign(&r->all);
    /* otherwise what signing has released stays resident and adds to the limit */
    if (r->job.settings->run_memory) (void)malloc_trim(0);
    if (rc == TWX_OK) rc = make_plan(r); /* a store may have been left out */
    if (rc == TWX_OK) twx_judge_plan_warn(&r->job, &r->plan);
    return rc;
}

/* ---- judge -------------------------------------------------------------- */

/* Warns of the hosts in the summary, which a run that does not judge has from the ledger. */
static void report_collapsed(const run *r) {
    for (twx_slice rest = twx_buf_slice(&r->summary->collapsed); rest.n;) {
        const twx_slice host = twx_slice_next_line(&rest);
        twx_job_message(&r->job, TWINDEX_WARNING,
                        "host %.*s: all of its pages link to one page as canonical or redirect; "
                        "these links are ignored (canonical.collapse_min)",
                        (int)host.n, host.p);
    }
    if (r->summary->collapsed_left_out)
        twx_job_message(&r->job, TWINDEX_WARNING, "there are more such hosts");
}

/* The texts of copies are read again while documents are judged. Unless all rows were compared, a
 * text may have changed without a trace (a column of changes that is not set, triggers that are
 * switched off), so it is compared with its digest. */
static twx_rc open_texts(run *r) {
    if (r->job.settings->copy_proof != TWX_PROOF_TEXT) return TWX_OK;
    for (size_t i = 0; i < r->all.at.n; i++) {
        const twx_run_store *m = r->all.at.at[i];
        r->versions[i] = m->whole && !m->stored ? m->data_version : -1;
    }
    twx_judged_texts_done(&r->texts);
    const twx_rc rc = twx_judged_texts_init(r->stores, r->all.at.n, &r->j,
                                            &r->all.at.at[0]->sign.params, r->versions, &r->texts);
    r->plan.options.texts = rc == TWX_OK ? &r->texts.source : NULL;
    return rc;
}

/* Is the published run the last one here, and the newest of the ledger? Else a run was stopped,
 * which has left rows in the other generation, or the store is another copy, restored in place. */
static bool is_last_here(const twx_run_store *m, const twx_kept *kept) {
    return m->state.run[m->state.generation == 'b'] == kept->published.run &&
           m->state.newest == kept->newest;
}

/* ret_failed: the number of the store that an error concerns. */
static twx_rc load_all(run *r, size_t *ret_failed) {
    const size_t n = r->all.at.n;
    twx_free(r->stores);
    twx_free(r->versions);
    r->stores = twx_calloc(r->job.cx, n, sizeof *r->stores);
    r->versions = twx_calloc(r->job.cx, n, sizeof *r->versions);
    twx_rc rc = r->stores && r->versions ? TWX_OK : TWX_E_NOMEM;
    *ret_failed = n;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        twx_run_store *m = r->all.at.at[i];
        r->stores[i] = (twx_load_store){&m->job, &m->o};
        rc = twx_run_store_begin_judging(m);
        if (rc != TWX_OK) *ret_failed = i;
    }
    if (rc == TWX_OK) rc = open_texts(r);
    twx_kept *kept = n == 1 && !r->options->dry_run ? r->job.kept : NULL;
    r->plan.options.kept = kept;
    if (kept) twx_kept_begin(kept, r->fingerprint);
    if (kept && !is_last_here(r->all.at.at[0], kept)) {
        kept->knows_changes = false;
        kept->published.run = 0;
    }
    if (kept && !kept->knows_changes) kept->unshared_of = 0;
    if (rc == TWX_OK) rc = twx_load(r->job.cx, r->stores, n, &r->plan, ret_failed, &r->j);
    if (!kept) return rc;
    kept->changes.n = 0;
    kept->knows_changes = rc == TWX_OK;
    return rc;
}

/* Repeated without a store that cannot be read, if it may be left out. */
static twx_rc load(run *r) {
    const double began = twx_job_clock();
    twx_rc rc = TWX_OK;
    bool again = false;
    do {
        const size_t n = r->all.at.n;
        size_t failed = n;
        twx_doc_set_done(&r->j);
        twx_doc_set_init(&r->j);
        twx_job_progress(&r->job, "load", "documents", 0, 0);
        rc = load_all(r, &failed);
        rc = twx_run_stores_leave_out(&r->all, failed, rc);
        again = rc == TWX_OK && r->all.at.n < n;
        if (again) rc = make_plan(r);
    } while (rc == TWX_OK && again);
    end_stage(r, "load", began);
    return rc;
}

static twx_rc order_documents(run *r) {
    const size_t n = r->all.at.n;
    twx_judged **judged = twx_calloc(r->job.cx, n, sizeof *judged);
    if (!judged) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) judged[i] = &r->all.at.at[i]->judged;
    twx_rc rc = twx_judged_order(r->job.cx, &r->j, &r->plan.options, judged, n);
    if (rc == TWX_OK) rc = twx_foreign_find(&r->all, &r->j);
    twx_free(judged);
    return rc;
}

static bool has_bad_ids(const run *r) {
    for (size_t i = 0; i < r->all.at.n; i++)
        if (r->all.at.at[i]->counts.bad_ids) return true;
    return false;
}

static twx_rc judge(run *r) {
    twx_rc rc = load(r);
    const double began = twx_job_clock();
    twx_job_progress(&r->job, "group and judge", "documents", 0, r->j.docs.at.n);
    if (rc == TWX_OK) rc = twx_judge(r->job.cx, &r->j, &r->plan.options);
    twx_judged_texts_rest(&r->texts);
    twx_near_judged(&r->j.near);
    if (rc == TWX_OK) rc = order_documents(r);
    end_stage(r, "group and judge", began);
    if (rc != TWX_OK) return rc;
    rc = twx_summary_judged(r->job.cx, r->summary, &r->j);
    if (rc != TWX_OK) return rc;
    report_collapsed(r);
    if (r->j.docs.at.n == 0 && has_bad_ids(r))
        return twx_fail(r->job.cx, TWX_E_DATA,
                        "%s: store.id is NULL, or -2^63, in all rows: no document can get flags",
                        r->job.store);
    return twx_pins_report(&r->job, r->plan.pins, &r->j, r->summary);
}

/* ---- compare ------------------------------------------------------------ */

static twx_rc try_rules(run *r) {
    if (!r->options->rules) return TWX_OK;
    const double began = twx_job_clock();
    twx_run_store *m = r->all.at.at[0]; /* the only one */
    twx_rc rc = r->rules->judge(&m->job, &m->o, &m->judged, r->options->rules, r->summary);
    end_stage(r, "rules", began);
    return rc;
}

/* Whether the published results lack nothing besides differing flags: views, documents of other
 * stores, and that they are of one run. */
static twx_rc is_complete(run *r, bool *ret_complete) {
    twx_rc rc = TWX_OK;
    *ret_complete = twx_is_one_result(&r->all);
    for (size_t i = 0; rc == TWX_OK && *ret_complete && i < r->all.at.n; i++) {
        twx_run_store *m = r->all.at.at[i];
        twx_foreign foreign;
        rc = twx_run_store_has_views(m, ret_complete);
        if (rc != TWX_OK || !*ret_complete) break;
        twx_foreign_init(&r->all, &r->j, m, &foreign);
        rc = twx_foreign_is_published(&foreign, ret_complete);
        twx_foreign_done(&foreign);
    }
    return rc;
}

/* ---- guard -------------------------------------------------------------- */

static twx_rc guard(run *r) {
    twx_buf notes;
    twx_guard_findings says = {.stops = &r->summary->guards, .notes = &notes};
    twx_buf_init(&notes, 1 << 16);
    twx_buf_clear(&r->summary->guards);
    twx_losses losses = {0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < r->all.at.n; i++)
        rc = twx_losses_add(r->job.cx, &losses, &r->all.at.at[i]->losses);
    twx_guard against = r->plan.guard;
    against.before = losses.before.at;
    against.n_before = losses.before.n;
    if (rc == TWX_OK) rc = twx_guard_check(r->job.cx, &r->j, &r->plan.options, &against, &says);
    for (twx_slice lines = twx_buf_slice(&notes); rc == TWX_OK && lines.n > 0;) {
        const twx_slice line = twx_slice_next_line(&lines);
        twx_job_message(&r->job, TWINDEX_NOTE, "%.*s", (int)line.n, line.p);
    }
    twx_losses_done(&losses);
    twx_buf_done(&notes);
    if (rc != TWX_OK || says.n_stops == 0 || r->options->force || r->options->dry_run) return rc;
    /* the summary has all findings, one per line; the message, which cron mails, has the first */
    twx_slice findings = twx_buf_slice(&r->summary->guards);
    twx_slice first = twx_slice_sub(findings, 0, twx_slice_find(findings, '\n', 0));
    return twx_fail(r->job.cx, TWX_E_GUARD,
                    "%s: a guard stopped the run (%zu %s: " TWX_SLICE_FMT
                    "%s), the flags are unchanged; --dry-run --list shows what would change, and "
                    "--force publishes it anyway",
                    r->job.store, says.n_stops, twx_plural(says.n_stops, "finding", "findings"),
                    TWX_SLICE_ARG(first), says.n_stops > 1 ? " ..." : "");
}

/* ---- publish ------------------------------------------------------------ */

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
         *settings = compact(twx_ledger_settings(r->job.settings, &r->plan.options,
                                                 r->all.at.at[0]->sign.fingerprint));
    r->summary->outcome = "failed";
    twx_buf counts = {.max = TWX_COUNTS_BYTES};
    twx_rc rc = summary && settings
                    ? twx_summary_pack(r->job.cx, r->summary, &counts)
                    : twx_fail(r->job.cx, TWX_E_NOMEM, "out of memory for the ledger");
    const twx_publish_plan plan = {.min_documents = r->plan.guard.min_documents,
                                   .fingerprint = r->fingerprint,
                                   .settings = settings,
                                   .summary = summary,
                                   .figures = {.documents = r->summary->documents,
                                               .indexable = r->summary->indexable,
                                               .hidden = r->summary->hidden,
                                               .counts = twx_buf_slice(&counts)}};
    if (rc == TWX_OK) rc = twx_publish_stores(&r->all, &r->j, &plan);
    end_stage(r, "write and publish", began);
    twx_buf_done(&counts);
    free(summary);  /* style: jansson allocated it */
    free(settings); /* style: jansson allocated it */
    return rc;
}

/* If this fails, the run has succeeded even so, and the next one reads all rows. */
static void keep_published(const run *r, bool is_new) {
    twx_kept *kept = r->plan.options.kept;
    twx_run_store *m = r->all.at.at[0];
    twx_state state = {0};
    if (!kept) return;
    twx_rc rc = twx_state_read(m->o.generations, &state);
    if (rc == TWX_OK && r->j.withdrawn) {
        const twx_flag_rows rows = twx_judged_rows(&m->judged);
        rc = twx_published_read(r->job.cx, &rows, &kept->published);
    }
    kept->published.run = rc == TWX_OK ? state.run[state.generation == 'b'] : 0;
    kept->newest = state.newest;
    if (is_new && m->state.generation && !r->j.withdrawn) {
        TWX_VEC_DONE(&kept->unshared);
        TWX_MOVE(kept->unshared, m->differ);
        kept->unshared_of = kept->published.run;
    }
    if (rc != TWX_OK) twx_ctx_clear(r->job.cx);
}

/* ---- the run ------------------------------------------------------------ */

/* Whether the published flags are those of the stored signatures, with these settings. */
static twx_rc is_judged(run *r, bool *ret_judged) {
    bool complete = true;
    twx_rc rc = TWX_OK;
    *ret_judged = false;
    if (r->options->dry_run || r->options->full) return TWX_OK;
    for (size_t i = 0; rc == TWX_OK && complete && i < r->all.at.n; i++) {
        complete = r->all.at.at[i]->state.generation != 0;
        if (complete) rc = twx_run_store_has_views(r->all.at.at[i], &complete);
    }
    return rc == TWX_OK && complete
               ? twx_is_judged(&r->all, &r->plan, r->fingerprint, ret_judged, r->summary)
               : rc;
}

static twx_rc add_line(run *r, const twx_run_store *m) {
    twx_summary_store line = {.store = (char *)(uintptr_t)m->job.store,
                              .changed = m->changed,
                              .read = m->counts.read,
                              .signed_now = m->counts.signed_now,
                              .deleted = m->counts.deleted};
    for (size_t k = 0; k < m->judged.n; k++)
        line.hidden += twx_is_hidden(&r->j, twx_judged_index(&m->judged, k));
    const twx_rc rc = twx_signatures_count(m->o.signatures, &line.documents);
    return rc == TWX_OK ? twx_summary_add_store(r->job.cx, r->summary, &line) : rc;
}

/* The counts of all stores, and a line for each of several. */
static twx_rc summarize_stores(run *r) {
    twx_summary *s = r->summary;
    twx_rc rc = TWX_OK;
    s->counts = (twx_sign_counts){0};
    twx_summary_forget_stores(s);
    for (size_t i = 0; rc == TWX_OK && i < r->all.at.n; i++) {
        twx_sign_counts_add(&s->counts, &r->all.at.at[i]->counts);
        if (r->job.n_stores > 1) rc = add_line(r, r->all.at.at[i]);
    }
    return rc;
}

static twx_rc judge_and_publish(run *r, bool judged) {
    bool complete = false;
    twx_rc rc = judge(r);
    if (rc != TWX_OK) return rc;
    const double began = twx_job_clock();
    rc = twx_count_changes(&r->all, &r->j, &r->plan.options, r->summary);
    end_stage(r, "compare", began);
    if (rc == TWX_OK) rc = try_rules(r);
    if (rc == TWX_OK) rc = is_complete(r, &complete);
    if (rc == TWX_OK) rc = summarize_stores(r);
    if (rc != TWX_OK) return rc;
    if (r->options->dry_run) {
        r->summary->outcome = "dry run, nothing was written";
        return guard(r);
    }
    if (judged && r->summary->changed)
        return twx_fail(r->job.cx, TWX_E_INTERNAL,
                        "%s: --verify: the published flags of %" PRIu64
                        " documents are not those of the signatures: 'twindex run --full' corrects "
                        "them",
                        r->job.store, r->summary->changed);
    /* The result stays as it is, so no guard is asked: it may have been published with --force. The
     * next run need not judge. */
    if (r->summary->changed == 0 && complete) {
        r->summary->outcome = NOTHING_CHANGED;
        keep_published(r, false);
        return twx_keep_judged(&r->all, r->fingerprint, r->summary);
    }
    rc = guard(r);
    if (rc == TWX_OK) rc = publish(r);
    if (rc == TWX_OK) keep_published(r, true);
    if (rc == TWX_OK) r->summary->outcome = "published";
    return rc;
}

/* A run that writes nothing is noted beside the store, for 'twindex diff'. */
static void note_outcome(const run *r, twx_rc rc) {
    const bool unchanged = r->summary->outcome == NOTHING_CHANGED;
    const char *stopped = rc == TWX_E_GUARD ? r->job.cx->message : unchanged ? NULL : "";
    for (size_t i = 0; (rc == TWX_OK || rc == TWX_E_GUARD) && i < r->all.at.n; i++)
        if (r->all.at.at[i]->lock) twx_lock_set_outcome(r->all.at.at[i]->lock, stopped);
}

static twx_rc work(run *r) {
    bool judged = false;
    twx_rc rc = open_and_sign(r);
    if (rc == TWX_OK) rc = is_judged(r, &judged);
    /* the first run of 'follow' judges, so that the first change need not wait for a whole one */
    const bool begins = r->job.kept && !r->job.kept->of;
    if (rc == TWX_OK && judged && !r->options->verify && !begins) {
        r->summary->outcome = NOTHING_CHANGED;
        report_collapsed(r);
    } else if (rc == TWX_OK) {
        rc = judge_and_publish(r, judged && !begins);
    }
    if (rc == TWX_OK) rc = summarize_stores(r);
    for (size_t i = 0; rc == TWX_OK && !r->options->dry_run && i < r->all.at.n; i++)
        twx_run_store_sweep(r->all.at.at[i]);
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

twx_rc twx_run(const twx_job *job, const twindex_run_options *options, const twx_rules_try *rules,
               twx_summary *ret_summary) {
    run r = {.job = *job, .options = options, .rules = rules, .summary = ret_summary};
    ret_summary->outcome = "failed";
    ret_summary->dry_run = options->dry_run;
    twx_doc_set_init(&r.j);
    /* what the run is called in messages, and in the summary, which owns the text */
    ret_summary->store = r.job.store = ret_summary->title = twx_job_title(job);
    twx_rc rc = ret_summary->title ? check_options(job->cx, options) : TWX_E_NOMEM;
    if (rc == TWX_OK && options->rules) rc = rules->check(job, options->rules);
    if (rc != TWX_OK) return rc;
    rc = twx_run_stores_begin(job, options, ret_summary, &r.all);
    if (rc == TWX_OK) rc = work(&r);
    note_outcome(&r, rc);
    if (rc == TWX_E_GUARD) ret_summary->outcome = "stopped by a guard, nothing was published";
    twx_judged_texts_done(&r.texts);
    if (r.planned && r.plan.options.kept) twx_kept_take_documents(r.plan.options.kept, &r.j);
    twx_doc_set_done(&r.j);
    twx_free(r.stores);
    twx_free(r.versions);
    ret_summary->pins_file = r.plan.pins ? job->settings->verdict_pins : NULL;
    if (r.planned) twx_judge_plan_done(&r.plan);
    twx_run_stores_done(&r.all, rc);
    return rc;
}
