#include "run/run.h"
#include "job/content_sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/plural.h"
#include "job/lock.h"
#include "job/obstacles.h"
#include "job/pins_file.h"
#include "run/list_changes.h"
#include "run/load.h"
#include "run/losses.h"
#include "run/publish.h"
#include "run/rules_trial.h"

enum { ROUNDS_MAX = 3 /* times a run judges again because survivors changed while it worked */ };

typedef struct run {
    const twx_job *job;
    const twindex_run_options *options;
    twx_opened o;
    twx_sign_plan sign;
    twx_judge_plan plan;
    twx_judgement j;
    twx_judged judged;
    twx_state state; /* what was published when the run began */
    twx_losses losses;
    int64_t data_version; /* of the store when its documents were read */
    twx_summary *summary;
    double stage_began;
} run;

static void begin_stage(run *r) {
    r->stage_began = twx_job_clock();
}

static void end_stage(run *r, const char *name) {
    double seconds = twx_job_clock() - r->stage_began;
    for (size_t i = 0; i < r->summary->n_stages; i++) {
        if (r->summary->stage[i].name != name) continue;
        r->summary->stage[i].seconds += seconds; /* judged again */
        return;
    }
    if (r->summary->n_stages == TWX_STAGES_MAX) return;
    r->summary->stage[r->summary->n_stages].name = name;
    r->summary->stage[r->summary->n_stages++].seconds = seconds;
}

/* ---- before anything is written ----------------------------------------- */

static twx_rc accept_mapping(run *r) {
    const twx_mapping *m = &r->o.mapping;
    if (!m->chosen) return TWX_OK;
    bool accepted = r->job->settings->store_accept_mapping;
    twx_job_message(r->job, m->doubtful && !accepted ? TWINDEX_WARNING : TWINDEX_NOTE, "%s",
                    twx_buf_slice(&m->note).p);
    if (!m->doubtful || accepted) return TWX_OK;
    return twx_fail(r->job->cx, TWX_E_CONFIG,
                    "%s: more than one mapping fits: say --accept-mapping, or name it in [store] "
                    "of a config file",
                    r->job->store);
}

static twx_rc warn_of_content(void *arg, const char *warning) {
    const run *r = arg;
    twx_job_message(r->job, TWINDEX_WARNING, "%s: %s", r->job->store, warning);
    return TWX_OK;
}

/* A mapping of somebody else's store can be valid and yet not meant. */
static twx_rc check_content(run *r) {
    twx_content_sample look;
    if (r->o.mapping.own) return TWX_OK;
    twx_rc rc = twx_content_sample_read(&r->o, &look);
    return rc == TWX_OK ? twx_content_warnings(&look, &r->o.mapping, warn_of_content, r) : rc;
}

static twx_rc check_file(run *r) {
    twx_buf faults, skipped;
    if (!r->job->settings->run_check) return TWX_OK;
    twx_buf_init(&faults, 1 << 16);
    twx_buf_init(&skipped, 1 << 16);
    begin_stage(r);
    twx_job_progress(r->job, "check the file", "", 0, 0);
    twx_rc rc = twx_db_quick_check(r->o.reader, &faults, &skipped);
    if (rc == TWX_OK && faults.n)
        rc = twx_fail(r->job->cx, TWX_E_CORRUPT, "%s: the file is corrupt: %.300s", r->job->store,
                      faults.p);
    if (rc == TWX_OK && skipped.n)
        twx_job_message(r->job, TWINDEX_NOTE, "not checked: %.500s", skipped.p);
    end_stage(r, "check");
    twx_buf_done(&faults);
    twx_buf_done(&skipped);
    return rc;
}

/* A view of the user's that has one of our names would be dropped by publishing. */
static twx_rc check_names(run *r) {
    return r->state.generation ? TWX_OK : twx_check_names(r->job, r->o.writer);
}

/* The store itself, when twindex keeps its tables there: its own writer does not notice its own
 * commits. */
static twx_rc data_version(run *r, int64_t *ret_version) {
    bool same_file = !r->o.trial && !twx_is_separate(r->job);
    return twx_db_data_version(same_file ? r->o.writer : r->o.reader, ret_version);
}

/* ---- the stages --------------------------------------------------------- */

static twx_rc sign(run *r) {
    twx_sign_counts counts;
    begin_stage(r);
    twx_rc rc = data_version(r, &r->data_version);
    if (rc == TWX_OK) rc = twx_sign(r->job, &r->o, &r->sign, &counts);
    end_stage(r, "read and sign");
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

static void report_collapsed(const run *r) {
    for (size_t i = 0; i < r->j.links.collapsed.n; i++) {
        const twx_host *h = &r->j.docs.hosts.at[r->j.links.collapsed.at[i]];
        twx_job_message(r->job, TWINDEX_WARNING,
                        "host %.*s: all of its pages link to one page as canonical or redirect; "
                        "that is not believed (canonical.collapse_min)",
                        (int)h->name_length, h->name);
    }
}

static twx_rc judge(run *r) {
    twx_judged_done(&r->judged);
    twx_judgement_done(&r->j);
    twx_judgement_init(&r->j);
    begin_stage(r);
    twx_job_progress(r->job, "load", "documents", 0, 0);
    twx_rc rc = twx_load(r->job, &r->o, &r->plan, &r->j);
    end_stage(r, "load");
    begin_stage(r);
    if (rc == TWX_OK) rc = twx_judge(r->job->cx, &r->j, &r->plan.options);
    if (rc == TWX_OK) rc = twx_judged_order(r->job->cx, &r->j, &r->plan.options, &r->judged);
    end_stage(r, "group and judge");
    if (rc != TWX_OK) return rc;
    twx_summary *s = r->summary;
    memset(s->eligibility, 0, sizeof s->eligibility);
    memset(s->link_state, 0, sizeof s->link_state);
    s->hidden = 0;
    twx_summary_judged(s, &r->j);
    report_collapsed(r);
    return twx_pins_report(r->job, r->plan.pins, &r->j, s);
}

/* ---- what differs from what is published -------------------------------- */

typedef struct flips {
    run *r;
    uint64_t *by_host;       /* flips per host of the docs; NULL: not counted */
    twx_change_notes *notes; /* NULL: not listed */
} flips;

static twx_rc count_flips(void *arg, const twx_flag_row *stored, const twx_flag_row *fresh,
                          uint32_t index) {
    flips *f = arg;
    twx_summary *s = f->r->summary;
    s->changed++;
    for (size_t i = 0; i < TWX_FLAGS; i++) {
        int64_t was = 0, is = 0;
        bool had = stored && twx_flag_value(twx_flag_at(i), stored, &was);
        bool has = fresh && twx_flag_value(twx_flag_at(i), fresh, &is);
        if (had == has && (!has || was == is)) continue;
        s->flips[i]++;
        if (f->by_host && index != TWX_NO_DOCUMENT) f->by_host[f->r->j.docs.at.at[index].host]++;
    }
    return f->notes ? twx_change_note(f->notes, stored, fresh) : TWX_OK;
}

static int by_flips(const void *a, const void *b) {
    const twx_host_flag_changes *x = a, *y = b;
    return (x->flips < y->flips) - (x->flips > y->flips);
}

static twx_rc list_hosts(run *r, const uint64_t *by_host) {
    const twx_doc_table *p = &r->j.docs;
    TWX_VEC(twx_host_flag_changes) all = {0};
    twx_rc rc = TWX_OK;
    for (size_t h = 0; rc == TWX_OK && h < p->hosts.n; h++) {
        twx_host_flag_changes row = {
            .host = twx_strndup(r->job->cx, p->hosts.at[h].name, p->hosts.at[h].name_length),
            .flips = by_host[h]};
        if (!row.host || !TWX_VEC_PUSH(r->job->cx, &all, row)) {
            rc = TWX_E_NOMEM;
            twx_free(row.host);
        }
    }
    for (uint32_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        all.at[p->at.at[i].host].documents++;
        all.at[p->at.at[i].host].hidden += twx_is_hidden(&r->j, i);
    }
    if (rc == TWX_OK && all.n) qsort(all.at, all.n, sizeof *all.at, by_flips);
    for (size_t h = 0; h < all.n; h++) {
        bool shown = rc == TWX_OK && all.at[h].flips > 0;
        if (shown && !TWX_VEC_PUSH(r->job->cx, &r->summary->hosts, all.at[h])) rc = TWX_E_NOMEM;
        if (!shown || rc != TWX_OK) twx_free(all.at[h].host);
    }
    TWX_VEC_DONE(&all);
    return rc;
}

static twx_rc compare_with_published(run *r) {
    twx_change_notes notes = {
        .cx = r->job->cx, .relations = r->plan.options.relations, .limit = r->options->limit};
    flips f = {.r = r, .notes = r->options->list ? &notes : NULL};
    twx_rc rc = TWX_OK;
    r->summary->changed = 0;
    memset(r->summary->flips, 0, sizeof r->summary->flips);
    if (r->options->dry_run) {
        f.by_host = twx_calloc(r->job->cx, r->j.docs.hosts.n, sizeof *f.by_host);
        if (!f.by_host) return TWX_E_NOMEM;
    }
    begin_stage(r);
    const twx_flag_change_sink eyes = {.differs = count_flips, .arg = &f};
    rc = twx_flag_changes_compare(r->job->cx, &r->judged,
                                  r->o.trial ? r->o.published : r->o.generations,
                                  r->state.generation, &eyes);
    if (rc == TWX_OK && f.by_host) rc = list_hosts(r, f.by_host);
    if (rc == TWX_OK && f.notes)
        rc = twx_change_notes_list(&notes, &r->o, r->plan.pins, &r->summary->changes);
    r->summary->listed = f.notes != NULL;
    twx_change_notes_done(&notes);
    end_stage(r, "compare");
    twx_free(f.by_host);
    return rc;
}

/* What a guard says besides is a note, a line each. */
static void report_notes(const run *r, twx_slice lines) {
    while (lines.n > 0) {
        const char *end = memchr(lines.p, '\n', lines.n);
        const size_t n = end ? (size_t)(end - lines.p) : lines.n;
        twx_job_message(r->job, TWINDEX_NOTE, "%.*s", (int)n, lines.p);
        lines = twx_slice_sub(lines, n + (end != NULL), lines.n);
    }
}

static twx_rc guard(run *r) {
    twx_buf notes;
    twx_guard_says says = {.stops = &r->summary->guards, .notes = &notes};
    twx_buf_init(&notes, 1 << 16);
    twx_buf_clear(&r->summary->guards);
    twx_guard against = r->plan.guard;
    against.before = r->losses.before.at;
    against.n_before = r->losses.before.n;
    twx_rc rc = twx_guard_check(r->job->cx, &r->j, &r->plan.options, &against, &says);
    if (rc == TWX_OK) report_notes(r, twx_buf_slice(&notes));
    twx_buf_done(&notes);
    if (rc != TWX_OK || says.n_stops == 0 || r->options->force || r->options->dry_run) return rc;
    /* the findings stand in the summary, a line each; the first is in the message, which cron mails
     */
    twx_slice findings = twx_buf_slice(&r->summary->guards);
    twx_slice first = twx_slice_sub(findings, 0, twx_slice_find(findings, '\n', 0));
    return twx_fail(
        r->job->cx, TWX_E_GUARD,
        "%s: a guard stopped the run (%zu %s: " TWX_SLICE_FMT
        "%s), the flags are as they were; look at --dry-run, and --force publishes all the same",
        r->job->store, says.n_stops, twx_plural(says.n_stops, "finding", "findings"),
        TWX_SLICE_ARG(first), says.n_stops > 1 ? " ..." : "");
}

/* ---- publishing --------------------------------------------------------- */

/* The survivors have to exist still, with the signatures they were judged by. When nobody else has
 * written, they do; else what
 * changed is signed, and only a change of a survivor makes it necessary to judge again: the rest
 * waits for the next run. */
static twx_rc still_true(void *arg) {
    run *r = arg;
    int64_t version = 0;
    twx_rc rc = data_version(r, &version);
    if (rc != TWX_OK || version == r->data_version) return rc;
    rc = sign(r);
    for (uint32_t i = 0; rc == TWX_OK && i < r->j.docs.at.n; i++) {
        if (r->j.clusters.rep[i] != i) continue;
        twx_stored stored;
        rc = twx_signatures_get(r->o.signatures, r->j.docs.at.at[i].doc, &stored);
        if (rc == TWX_DONE || (rc == TWX_OK && twx_judgement_hash(stored.facts, stored.keys) !=
                                                   r->j.docs.at.at[i].made))
            rc = TWX_E_SUPERSEDED;
        twx_signatures_release(r->o.signatures);
    }
    return rc;
}

/* What the flags depend on, for the ledger. */
static json_t *settings_json(const run *r) {
    const twx_settings *s = r->job->settings;
    json_t *scopes = json_object();
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        static const char *const NAMES[] = {"store", "domain", "host"};
        if (r->sign.detectors[i])
            json_object_set_new(scopes, twx_relation_at(i)->name,
                                json_string(NAMES[r->plan.options.scope[i]]));
    }
    json_t *pins = json_null();
    if (r->plan.pins) {
        char fingerprint[24];
        snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64,
                 twx_pins_fingerprint(r->plan.pins));
        pins = json_pack("{s:o, s:s}", "file",
                         twx_json_slice(twx_slice_of(twx_pins_path(r->plan.pins))), "fingerprint",
                         fingerprint);
    }
    json_t *near = json_pack("{s:s, s:i, s:i, s:i}", "detector", s->near_detector, "min_words",
                             (int)s->near_min_words, "candidates", (int)s->near_candidates, "join",
                             (int)s->near_join);
    json_t *copy = json_pack("{s:s, s:i, s:i, s:s}", "versions",
                             s->copy_versions == TWX_VERSIONS_NEWEST ? "newest" : "separate",
                             "common_ppm", (int)s->copy_common_ppm, "site_ppm",
                             (int)s->copy_site_ppm, "ignore", s->copy_ignore ? s->copy_ignore : "");
    return json_pack(
        "{s:s, s:o, s:s, s:b, s:b, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "verdict.relations",
        s->verdict_relations, "verdict.pins", pins, "verdict.order", s->verdict_order,
        "preferhttps", s->prefer_https, "preferwwwprefix", s->prefer_www, "fuzzy.min_token_len",
        (int)s->fuzzy_min_token_len, "fuzzy.quant_rate_ppm", (int)s->fuzzy_quant_rate_ppm,
        "url.steps", (int)s->url_steps, "canonical.collapse_min", (int)s->canonical_collapse_min,
        "near", near, "copy", copy, "scope", scopes);
}

static char *compact(json_t *value) {
    char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
    json_decref(value);
    return text;
}

static twx_rc publish(run *r) {
    uint64_t written = 0;
    /* the ledger keeps this summary only if the run is published */
    r->summary->outcome = "published";
    char *summary_text = compact(twx_summary_json(r->summary)),
         *settings_text = compact(settings_json(r));
    r->summary->outcome = "failed";
    twx_rc rc = summary_text && settings_text
                    ? TWX_OK
                    : twx_fail(r->job->cx, TWX_E_NOMEM, "out of memory for the ledger");
    if (rc == TWX_OK)
        rc = twx_losses_count(r->job->cx, &r->j, r->plan.guard.min_documents, &r->losses);
    const twx_publishing p = {.judged = &r->judged,
                              .base = r->state.generation,
                              .sites = r->losses.now.at,
                              .n_sites = r->losses.now.n,
                              .settings = settings_text,
                              .summary = summary_text,
                              .still_true = still_true,
                              .arg = r,
                              .ret_written = &written};
    begin_stage(r);
    if (rc == TWX_OK) rc = twx_publish(r->job, &r->o, &p);
    end_stage(r, "write and publish");
    free(summary_text);  /* style: jansson allocated it */
    free(settings_text); /* style: jansson allocated it */
    return rc;
}

static twx_rc try_rules(run *r) {
    if (!r->options->rules) return TWX_OK;
    begin_stage(r);
    twx_rc rc = twx_rules_trial(r->job, &r->o, &r->judged, r->options->rules, r->summary);
    end_stage(r, "rules");
    return rc;
}

/* Views of the results that another process dropped are made again by publishing. */
static twx_rc has_views(run *r, bool *ret_there) {
    static const char *const VIEWS[] = {"document_flags", "duplicate_groups", "document_alternates",
                                        "twindex_group_member"};
    twx_db *db = r->o.trial ? r->o.published_db : r->o.writer;
    twx_rc rc = TWX_OK;
    *ret_there = true;
    for (size_t i = 0; rc == TWX_OK && db && *ret_there && i < TWX_COUNTOF(VIEWS); i++)
        rc = twx_db_has(db, VIEWS[i], ret_there);
    /* publishing also drops the joined view that earlier versions made in stores of other programs
     */
    bool joined = twx_joined_select(r->job, &r->o) != NULL, has_joined = joined;
    if (rc == TWX_OK && db) rc = twx_db_has(db, "flagged_documents", &has_joined);
    *ret_there = *ret_there && joined == has_joined;
    return rc;
}

static twx_rc judge_and_publish(run *r) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
        twx_rc rc = judge(r);
        if (rc == TWX_OK) rc = compare_with_published(r);
        if (rc == TWX_OK) rc = try_rules(r);
        if (rc != TWX_OK) return rc;
        bool there = false;
        rc = has_views(r, &there);
        if (rc != TWX_OK) return rc;
        bool unchanged = r->state.generation && r->summary->changed == 0 && there;
        if (r->options->dry_run || unchanged) {
            r->summary->outcome = r->options->dry_run ? "dry run, nothing was written"
                                                      : "nothing changed, nothing was written";
            /* what is published already stays: --force let it through then, and nothing is
             * published now */
            return r->options->dry_run ? guard(r) : TWX_OK;
        }
        rc = guard(r);
        if (rc == TWX_OK) rc = publish(r);
        if (rc != TWX_E_SUPERSEDED || r->job->cx->rc != TWX_OK) {
            if (rc == TWX_OK) r->summary->outcome = "published";
            return rc;
        }
        twx_job_message(
            r->job, TWINDEX_NOTE,
            "documents that stand for others changed while the run worked: judging again");
    }
    return twx_fail(
        r->job->cx, TWX_E_BUSY,
        "%s: the store changes faster than it can be judged: try again when the crawler rests",
        r->job->store);
}

/* The flags are published: what is left is housekeeping, which neither a signal nor a failure may
 * turn into a failed run. */
static void sweep(run *r) {
    twx_ctx *cx = r->job->cx;
    atomic_int *cancel = cx->cancel;
    cx->cancel = NULL;
    if (twx_document_sweep(r->o.signatures) != TWX_OK) {
        twx_job_message(r->job, TWINDEX_WARNING, "%s; the flags are published all the same",
                        cx->message);
        twx_ctx_clear(cx);
    }
    cx->cancel = cancel;
}

static twx_rc work(run *r) {
    unsigned needs = TWX_NEED_SOURCE | (r->options->dry_run ? TWX_NEED_TRIAL : TWX_NEED_TABLES);
    twx_rc rc = twx_open_store(
        r->job, TWX_NEED_SOURCE,
        &r->o); /* first only read: a wrong mapping must leave no table behind */
    if (rc == TWX_OK) rc = accept_mapping(r);
    if (rc == TWX_OK) rc = check_content(r);
    if (rc == TWX_OK) rc = check_file(r);
    twx_opened_done(&r->o);
    if (rc == TWX_OK) rc = twx_open_store(r->job, needs, &r->o);
    if (rc == TWX_OK && !r->o.trial) rc = twx_state_read(r->o.generations, &r->state);
    if (rc == TWX_OK && r->o.trial && r->o.published)
        rc = twx_state_read(r->o.published, &r->state);
    if (rc == TWX_OK && r->state.generation)
        rc = twx_losses_read(r->job->cx, r->o.trial ? r->o.published : r->o.generations,
                             r->state.generation, &r->losses);
    if (rc == TWX_OK && !r->o.trial) rc = check_names(r);
    if (rc == TWX_OK) rc = twx_sign_plan_make(r->job, &r->o, r->options->full, &r->sign);
    if (rc == TWX_OK) rc = twx_judge_plan_make(r->job, &r->sign, &r->plan);
    if (rc == TWX_OK) rc = sign(r);
    if (rc == TWX_OK) rc = judge_and_publish(r);
    if (rc == TWX_OK && !r->o.trial && r->summary->deleted && !twx_source_is_direct(r->o.source))
        sweep(r);
    return rc;
}

twx_rc twx_run(const twx_job *job, const twindex_run_options *options, twx_summary *ret_summary) {
    run r = {.job = job, .options = options, .summary = ret_summary};
    twx_lock *lock = NULL;
    ret_summary->store = job->store;
    ret_summary->outcome = "failed";
    ret_summary->dry_run = options->dry_run;
    twx_judgement_init(&r.j);
    if (options->rules && !options->dry_run)
        return twx_fail(job->cx, TWX_E_USAGE,
                        "rules are tried in a dry run: --dry-run --rules FILE");
    if (options->list && !options->dry_run)
        return twx_fail(job->cx, TWX_E_USAGE,
                        "changes are listed in a dry run: --dry-run --list; 'twindex diff' lists "
                        "those of the last run");
    twx_rc rc = options->rules ? twx_rules_trial_check(job, options->rules) : TWX_OK;
    if (rc != TWX_OK) return rc;
    rc = options->dry_run ? TWX_OK : twx_lock_take(job->cx, twx_own_path(job), &lock);
    if (rc == TWX_OK) rc = work(&r);
    if (rc == TWX_E_GUARD) ret_summary->outcome = "stopped by a guard, nothing was published";
    twx_judged_done(&r.judged);
    twx_judgement_done(&r.j);
    ret_summary->pins_file = r.plan.pins ? job->settings->verdict_pins : NULL;
    twx_judge_plan_done(&r.plan);
    twx_sign_plan_done(&r.sign);
    twx_losses_done(&r.losses);
    twx_opened_done(&r.o);
    twx_lock_release(lock);
    return rc;
}
