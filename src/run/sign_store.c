/* What the signatures of a store are made with (detector_params, sign_plan, collect), and what is
 * done around the pass of sign.c: the store is checked before, the command `sign` does no more than
 * this, and what the change queue has missed is found by a pass that writes nothing. */
#include "run/internal.h"

#include "patterns_text.h"

/* ==== detector_params */

enum { PATTERNS_MAX = 1 << 20 };

twx_rc twx_params_make(const twx_job *job, twx_params *ret_params, twx_url_rules **ret_rules) {
    const twx_settings *s = job->settings;
    twx_params p = twx_params_default();
    twx_url_rules *rules = NULL;
    twx_rc rc = TWX_OK;
    if (s->url_rules_file && s->url_rules_file[0])
        rc = twx_url_rules_load(job->cx, s->url_rules_file, &rules);
    if (rc != TWX_OK) return rc;
    p.url.steps = s->url_steps;
    p.url.rules = rules;
    p.near_min_words = s->near_min_words;
    p.near_main = s->near_text == TWX_SIGNED_MAIN;
    p.hosts = s->hosts;
    p.sentence_end = s->sentence_end;
    p.methods = s->methods;
    *ret_params = p;
    *ret_rules = rules;
    return TWX_OK;
}

twx_rc twx_pages_load(const twx_job *job, twx_page_patterns **ret_patterns) {
    twx_ctx *cx = job->cx;
    const char *path = job->settings->pages_patterns_file;
    twx_page_file files[2] = {{"share/patterns/pages.tsv", twx_slice_of(TWX_PATTERNS)}};
    size_t n = 1;
    twx_buf text = {.max = PATTERNS_MAX};
    twx_rc rc = TWX_OK;
    if (path && path[0]) {
        rc = twx_file_read_named(cx, "page_class.patterns", path, TWX_E_CONFIG, &text);
        files[n++] = files[0];
        files[0] = (twx_page_file){path, twx_buf_slice(&text)};
    }
    if (rc == TWX_OK) rc = twx_page_patterns_open(cx, files, n, ret_patterns);
    /* at once, so that a mistake in the user's file is told before anything is read */
    if (rc == TWX_OK && n > 1) rc = twx_page_patterns_make(cx, *ret_patterns);
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_params_count_documents(twx_opened *o, twx_params *params) {
    return o->signatures ? twx_signatures_count(o->signatures, &params->documents) : TWX_OK;
}

/* ==== sign_plan */

static const twx_detector *detector_of(const twx_job *job, size_t relation) {
    const char *name = relation == TWX_RELATION_NEAR ? job->settings->near_detector
                                                     : twx_relation_at(relation)->detector;
    /* copies are distinguished from siblings by what their texts repeat; without a method for
     * near-duplicates there are equal texts, which have the same name or not */
    if (relation == TWX_RELATION_COPY)
        return job->settings->copy_proof == TWX_PROOF_TEXT || detector_of(job, TWX_RELATION_NEAR)
                   ? &TWX_DETECTOR_REPEATED
                   : NULL;
    return name ? twx_detector_find(name) : NULL;
}

static void warn_of_missing_areas(const twx_job *job, const twx_opened *o) {
    const bool wanted = job->settings->near_text == TWX_SIGNED_MAIN ||
                        twx_host_texts_of(job->settings).main;
    if (wanted && !o->mapping.map[TWX_COL_MAIN])
        twx_job_message(job, TWINDEX_WARNING,
                        "%s: near.text = main, but the store has no content areas: whole texts are "
                        "compared (store.main maps them; 'twindex import' records them)",
                        job->store);
}

/* Without queue and triggers, changes of our documents table go unnoticed: every row is read. */
static twx_rc check_queue(const twx_job *job, const twx_opened *o, twx_sign_plan *plan) {
    twx_feed *feed = &plan->feed;
    static const char *const NEEDED[] = {
        "twindex_change",        "twindex_change_before_insert", "twindex_change_before_update",
        "twindex_change_insert", "twindex_change_update",        "twindex_change_delete"};
    if (plan->queued && *feed == TWX_FEED_SCAN)
        twx_job_message(job, TWINDEX_NOTE,
                        "%s: %s, so the change queue cannot have every change, and every document "
                        "is read",
                        job->store, twx_source_beyond(o->source));
    for (size_t i = 0; *feed == TWX_FEED_TRIGGER && i < TWX_COUNTOF(NEEDED); i++) {
        bool has = false;
        twx_rc rc = twx_db_has(o->reader, NEEDED[i], &has);
        if (rc != TWX_OK) return rc;
        if (has) continue;
        twx_job_message(job, TWINDEX_WARNING,
                        "%s: %s was dropped, so changes are not queued: every document is read (to "
                        "have the queue again, import into a store made by 'twindex init')",
                        job->store, NEEDED[i]);
        *feed = TWX_FEED_SCAN;
    }
    return TWX_OK;
}

twx_rc twx_feed_find(const twx_job *job, const twx_opened *o, twx_sign_plan *ret_plan) {
    const twx_rc rc = twx_choose_feed(job, o, &ret_plan->feed, &ret_plan->queued);
    return rc == TWX_OK ? check_queue(job, o, ret_plan) : rc;
}

/* Records have their entries in order of the detectors' ids. */
static void add_signing(twx_sign_plan *plan, const twx_detector *d) {
    size_t i = plan->n_signing++;
    for (; i > 0 && plan->signing[i - 1]->id > d->id; i--) plan->signing[i] = plan->signing[i - 1];
    plan->signing[i] = d;
}

/* Of everything that decides what a record contains, and how it is stored. */
static uint64_t fingerprint_of(const twx_sign_plan *plan, const twx_source *source,
                               const twx_settings *settings) {
    uint64_t f = twx_mix64(twx_mix64(TWX_FACTS_VERSION, TWX_RECORD_VERSION), TWX_URL_NORM_VERSION);
    f = twx_mix64(f, TWX_PACKED_ROW_VERSION);
    f = twx_mix64(f, plan->params.url.steps);
    f = twx_mix64(f, twx_url_rules_fingerprint(plan->rules));
    f = twx_mix64(f, twx_page_patterns_fingerprint(plan->pages));
    f = twx_mix64(f, twx_domain_fingerprint());
    f = twx_mix64(f, twx_source_fingerprint(source));
    f = twx_mix64(f, plan->feed);
    for (size_t i = 0; i < TWX_RELATIONS; i++)
        if (plan->detectors[i])
            f = twx_mix64(f, twx_detector_fingerprint(plan->detectors[i], &plan->params));
    /* which text near-duplicate methods get: nothing if it is all of it everywhere */
    const uint64_t hosts = twx_host_texts_of(settings).fingerprint;
    const bool main = settings->near_text == TWX_SIGNED_MAIN;
    if (plan->detectors[TWX_RELATION_NEAR] && (main || hosts))
        f = twx_mix64(f, twx_mix64(hosts, main));
    return plan->name ? twx_mix64(f, twx_detector_fingerprint(plan->name, &plan->params)) : f;
}

static void choose_detectors(twx_sign_plan *plan, const twx_job *job) {
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        plan->detectors[i] = detector_of(job, i);
        if (plan->detectors[i]) add_signing(plan, plan->detectors[i]);
    }
    plan->name = plan->detectors[TWX_RELATION_COPY] ? &TWX_DETECTOR_NAME : NULL;
    if (plan->name) add_signing(plan, plan->name);
}

twx_rc twx_sign_plan_make(const twx_job *job, twx_opened *o, bool full, twx_sign_plan *ret_plan) {
    twx_sign_plan plan = {.full = full};
    twx_rc rc = twx_params_make(job, &plan.params, &plan.rules);
    if (rc == TWX_OK) rc = twx_pages_load(job, &plan.pages);
    const twx_detector *near = detector_of(job, TWX_RELATION_NEAR);
    if (rc == TWX_OK && near && twx_detector_needs(near, &plan.params)) {
        rc = twx_collect(job, o, &plan.params, twx_detector_needs(near, &plan.params),
                         &plan.collection);
        plan.params.collection = &plan.collection;
        if (near->needs & TWX_NEED_LINK_SCORES && plan.collection.n_links == 0)
            twx_job_message(job, TWINDEX_WARNING,
                            "%s: near.detector = %s finds nothing without a table of links: import "
                            "the pages with --links",
                            job->store, near->name);
    }
    if (rc == TWX_OK && near) warn_of_missing_areas(job, o);
    if (rc == TWX_OK) rc = twx_feed_find(job, o, &plan);
    if (rc != TWX_OK) {
        twx_sign_plan_done(&plan);
        return rc;
    }
    choose_detectors(&plan, job);
    plan.fingerprint = fingerprint_of(&plan, o->source, job->settings);
    *ret_plan = plan;
    if (plan.params.collection) ret_plan->params.collection = &ret_plan->collection;
    return TWX_OK;
}

twx_rc twx_sign_plan_of_settings(const twx_job *job, twx_sign_plan *ret_plan) {
    twx_rc rc = twx_params_make(job, &ret_plan->params, &ret_plan->rules);
    if (rc == TWX_OK) choose_detectors(ret_plan, job);
    return rc;
}

void twx_sign_plan_done(twx_sign_plan *plan) {
    if (!plan) return;
    twx_url_rules_close(plan->rules);
    twx_page_patterns_close(plan->pages);
    plan->rules = NULL;
    twx_memo_close(plan->memo);
    plan->memo = NULL;
    plan->pages = NULL;
    twx_collection_done(&plan->collection);
}

/* ==== collect */

typedef struct pass {
    const twx_job *job;
    const twx_params *params;
    const twx_collecting *by;
    twx_collection_maker *maker;
    twx_workspace *workspace;
} pass;

static twx_rc take_row(void *arg, const twx_source_row *row) {
    pass *p = arg;
    twx_url url = {.fault = TWX_URL_EMPTY};
    twx_document doc = twx_document_of(row->value, &url);
    twx_slice stored = twx_bytes_of(&row->value[TWX_COL_URL]);
    if (doc.text.n == 0 || !stored.p) return TWX_OK;
    twx_rc rc = twx_url_normalize(p->job->cx, twx_workspace_scratch(p->workspace), &p->params->url,
                                  stored, &url);
    doc.text = twx_near_text_of(p->params, &doc);
    if (rc == TWX_OK && url.fault == TWX_URL_OK) rc = p->by->add(p->maker, p->workspace, &doc);
    twx_workspace_reset(p->workspace);
    return rc;
}

/* Normalizes both ends as the settings require, like the documents' own URLs. */
static twx_rc take_link(void *arg, twx_slice from_url, twx_slice to_url) {
    pass *p = arg;
    twx_url from, to;
    twx_arena *scratch = twx_workspace_scratch(p->workspace);
    twx_rc rc = twx_url_normalize(p->job->cx, scratch, &p->params->url, from_url, &from);
    if (rc == TWX_OK) rc = twx_url_normalize(p->job->cx, scratch, &p->params->url, to_url, &to);
    if (rc == TWX_OK && from.fault == TWX_URL_OK && to.fault == TWX_URL_OK)
        rc = p->by->add_link(p->maker, from.whole, to.whole);
    twx_workspace_reset(p->workspace);
    return rc;
}

twx_rc twx_collect(const twx_job *job, twx_opened *o, const twx_params *params, unsigned needs,
                   twx_collection *ret_collection) {
    pass p = {.job = job, .params = params};
    if (needs == 0) {
        *ret_collection = (twx_collection){0};
        return TWX_OK;
    }
    const twx_detector *d = NULL;
    for (size_t i = 0; !p.by && (d = twx_detector_at(i)); i++)
        if (d->needs & needs) p.by = d->collecting;
    twx_rc rc = twx_workspace_open(job->cx, params, &p.workspace);
    if (rc == TWX_OK) rc = p.by->open(job->cx, needs, twx_job_memory(job->settings) / 2, &p.maker);
    if (rc == TWX_OK) rc = twx_scan_documents(job, o, "collect statistics", take_row, &p);
    /* only our own `documents` table has a table of links */
    if (rc == TWX_OK && needs & TWX_NEED_LINK_SCORES && o->mapping.own) {
        twx_job_progress(job, "read links", "", 0, 0);
        rc = twx_links_each(o->reader, take_link, &p);
    }
    if (rc == TWX_OK) rc = p.by->make(p.maker, ret_collection);
    if (p.maker) p.by->close(p.maker);
    twx_workspace_close(p.workspace);
    return rc;
}

/* ==== check_store */

typedef struct signing_ahead {
    const twx_job *job;
    const twx_opened *o;
    twx_sign_plan plan;
    twx_signer_shared shared;
    atomic_bool checked;
} signing_ahead;

static twx_rc sign_until_checked(twx_ctx *cx, signing_ahead *s) {
    const twx_work_kind kind = twx_signer_kind(&s->shared);
    twx_key_range range = {.first = INT64_MIN, .last = INT64_MAX};
    twx_batch *b = NULL;
    void *state = NULL;
    twx_rc rc = twx_batch_open(cx, &b);
    if (rc == TWX_OK) rc = kind.open(cx, kind.arg, &state);
    for (bool end = false; rc == TWX_OK && !end && !atomic_load(&s->checked);) {
        twx_batch_clear(b);
        b->reads = true;
        b->read = (twx_range_read){.range = range};
        rc = kind.work(cx, state, b);
        end = b->read.stopped || b->read.ended;
        range.first = b->read.next;
    }
    if (state) kind.close(state);
    twx_batch_close(b);
    twx_ctx_clear(cx); /* the pass has the same errors */
    return TWX_OK;
}

static twx_rc check_or_sign(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    signing_ahead *s = arg;
    (void)thread;
    if (task > 0) return sign_until_checked(cx, s);
    const twx_rc rc = twx_check_file(s->job, s->o->reader);
    atomic_store(&s->checked, true);
    return rc;
}

/* Checks the file, and meanwhile another thread signs texts, on a connection of its own. */
static twx_rc check_and_sign(const twx_job *job, const twx_opened *o, twx_memo **ret_memo) {
    signing_ahead s = {.job = job, .o = o, .shared = {job, o, &s.plan, NULL}};
    twx_rc rc = twx_sign_plan_of_settings(job, &s.plan);
    const twx_detector *near = s.plan.detectors[TWX_RELATION_NEAR];
    const size_t threads = twx_job_threads(job->settings) > 1 ? 2 : 1;
    const bool possible = threads > 1 && twx_source_is_direct(o->source) &&
                          twx_source_has_ranges(o->source) &&
                          !(near && twx_detector_needs(near, &s.plan.params));
    if (rc == TWX_OK && possible)
        rc = twx_memo_open(job->cx, twx_job_memory(job->settings) / 4, &s.shared.memo);
    if (rc == TWX_OK) rc = twx_parallel(job->cx, threads, possible ? 2 : 1, check_or_sign, &s);
    twx_sign_plan_done(&s.plan);
    *ret_memo = s.shared.memo;
    return rc;
}

twx_rc twx_check_store(const twx_job *job, twx_opened *o, bool file, twx_summary *summary,
                       twx_memo **ret_memo) {
    twx_rc rc = twx_check_mapping(job, o);
    if (rc != TWX_OK || !file) return rc;
    const double began = twx_job_clock();
    rc = ret_memo ? check_and_sign(job, o, ret_memo) : twx_check_file(job, o->reader);
    twx_summary_stage(summary, "check", twx_job_clock() - began);
    return rc;
}

/* ==== sign_store */

static twx_rc sign(const twx_job *job, bool full, bool checks, twx_sign_summary *s) {
    const unsigned sound = twx_is_separate(job) && checks ? TWX_NEED_SOUND : 0;
    twx_opened o = {0};
    twx_sign_plan plan = {0};
    twx_summary stages;
    twx_summary_init(&stages);
    twx_rc rc = twx_open_store(job, TWX_NEED_SOURCE, &o);
    if (rc == TWX_OK) rc = twx_check_store(job, &o, checks, &stages, NULL);
    twx_opened_done(&o);
    twx_summary_done(&stages);
    /* a store that fails the checks stays unchanged */
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_TABLES | sound, &o);
    if (rc == TWX_OK) rc = twx_sign_plan_make(job, &o, full, &plan);
    if (rc == TWX_OK) rc = twx_sign(job, &o, &plan, NULL, &s->counts);
    if (rc == TWX_OK) rc = twx_signatures_count(o.signatures, &s->documents);
    /* The numbers of deleted documents stay: published flags may still need them. */
    twx_sign_plan_done(&plan);
    twx_opened_done(&o);
    return rc;
}

twx_rc twx_sign_store(const twx_job *job, bool full, twx_sign_summary *ret_summary) {
    const double began = twx_job_clock();
    twx_lock *lock = NULL;
    *ret_summary = (twx_sign_summary){.store = job->store};
    twx_rc rc = twx_lock_take(job, twx_own_path(job), &lock);
    if (rc != TWX_OK) return rc;
    const bool checks = twx_is_check_due(job, lock, full);
    rc = sign(job, full, checks, ret_summary);
    if (rc != TWX_OK || checks) twx_lock_set_checked(lock, rc == TWX_OK);
    twx_lock_release(lock, rc);
    ret_summary->seconds = twx_job_clock() - began;
    return rc;
}

/* ==== silent_changes */

enum { DOCS = 1000, NAMED = 3, LINE_BYTES = 1 << 20, SHOWN_BYTES = 180 };

TWX_ORDER_0(by_silent_value, int64_t)

/* Leaves out the documents that are queued, also since the comparison began. */
static twx_rc drop_queued(twx_opened *o, twx_docs *differ) {
    int64_t docs[DOCS], after = INT64_MIN;
    size_t n = DOCS, kept = 0, at = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && o->changes && n == DOCS && differ->n) {
        rc = twx_changes_list(o->changes, INT64_MAX, after, docs, DOCS, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            after = docs[i];
            while (at < differ->n && differ->at[at] < after) differ->at[kept++] = differ->at[at++];
            at += at < differ->n && differ->at[at] == after;
        }
    }
    while (at < differ->n) differ->at[kept++] = differ->at[at++];
    differ->n = kept;
    return rc;
}

static twx_rc name_first(twx_opened *o, const twx_docs *differ, twx_silent_changes *ret) {
    twx_buf line = {.max = LINE_BYTES};
    size_t at = 0;
    twx_rc rc = TWX_OK;
    ret->n = differ->n;
    ret->first[0] = '\0';
    for (size_t i = 0; rc == TWX_OK && i < differ->n && i < NAMED; i++) {
        twx_buf_clear(&line);
        rc = twx_add_document(o, differ->at[i], &line, NULL);
        if (rc == TWX_OK)
            at += (size_t)snprintf(ret->first + at, sizeof ret->first - at, "%s%.*s", i ? ", " : "",
                                   SHOWN_BYTES, line.p);
    }
    if (differ->n > NAMED) snprintf(ret->first + at, sizeof ret->first - at, ", ...");
    twx_buf_done(&line);
    return rc;
}

static twx_rc is_comparable(twx_opened *o, const twx_sign_plan *plan, bool *ret_is) {
    twx_state state = {0};
    *ret_is = false;
    if (!plan->queued || !o->generations || !o->signatures) return TWX_OK;
    const twx_rc rc = twx_state_read(o->generations, &state);
    *ret_is = state.has_fingerprint && state.fingerprint == plan->fingerprint;
    return rc;
}

twx_rc twx_silent_changes_find(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                               twx_silent_changes *ret) {
    twx_sign_plan look = *plan; /* borrows what the other owns */
    twx_sign_counts counts;
    twx_docs differ = {0};
    bool is = false;
    look.full = look.look = true;
    *ret = (twx_silent_changes){0};
    twx_rc rc = is_comparable(o, plan, &is);
    if (rc == TWX_OK && is) rc = twx_sign(job, o, &look, &differ, &counts);
    if (differ.n) qsort(differ.at, differ.n, sizeof *differ.at, by_silent_value);
    if (rc == TWX_OK) rc = drop_queued(o, &differ);
    if (rc == TWX_OK) rc = name_first(o, &differ, ret);
    TWX_VEC_DONE(&differ);
    return rc;
}

twx_rc twx_queue_agrees(twx_opened *o, const twx_sign_plan *plan, bool *ret_agree) {
    bool is = false;
    *ret_agree = true;
    twx_rc rc = o->mapping.where || plan->feed != TWX_FEED_TRIGGER ? TWX_OK
                                                                   : is_comparable(o, plan, &is);
    return rc == TWX_OK && is ? twx_changes_agree(o->reader, ret_agree) : rc;
}
