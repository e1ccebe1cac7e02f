#include "run/sign_plan.h"

#include "base/hash64.h"
#include "run/collect.h"
#include "run/detector_params.h"
#include "run/host_settings.h"
#include "sign/detectors.h"
#include "sign/record.h"
#include "store/packed_row.h"
#include "url/domain.h"
#include "url/url_norm.h"
#include "url/url_rules.h"

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

/* Warns if a global detector finds nothing only because it has no input. */
static void warn_of_missing_links(const twx_job *job, const twx_detector *near,
                                  const twx_collection *c) {
    if (!(near->needs & TWX_NEED_LINK_SCORES) || c->n_links > 0) return;
    twx_job_message(job, TWINDEX_WARNING,
                    "%s: near.detector = %s finds nothing without a table of links: import the "
                    "pages with --links",
                    job->store, near->name);
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

/* Without its queue and triggers, changes of our own documents table go unnoticed, so every row is
 * read. */
static twx_rc check_queue(const twx_job *job, twx_opened *o, twx_sign_plan *plan) {
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

/* Records have their entries in order of the detectors' ids. */
static void add_signing(twx_sign_plan *plan, const twx_detector *d) {
    size_t i = plan->n_signing++;
    for (; i > 0 && plan->signing[i - 1]->id > d->id; i--) plan->signing[i] = plan->signing[i - 1];
    plan->signing[i] = d;
}

/* Which text near-duplicate methods get: nothing if it is all of it everywhere. */
static uint64_t mix_texts(uint64_t f, const twx_settings *s) {
    const uint64_t hosts = twx_host_texts_of(s).fingerprint;
    const bool main = s->near_text == TWX_SIGNED_MAIN;
    return main || hosts ? twx_mix64(f, twx_mix64(hosts, main)) : f;
}

/* Of everything that decides what a record contains, and how it is stored. */
static uint64_t fingerprint_of(const twx_sign_plan *plan, const twx_source *source,
                               const twx_settings *settings) {
    uint64_t f = twx_mix64(twx_mix64(TWX_FACTS_VERSION, TWX_RECORD_VERSION), TWX_URL_NORM_VERSION);
    f = twx_mix64(f, TWX_PACKED_ROW_VERSION);
    f = twx_mix64(f, plan->params.url.steps);
    f = twx_mix64(f, twx_url_rules_fingerprint(plan->rules));
    f = twx_mix64(f, twx_domain_fingerprint());
    f = twx_mix64(f, twx_source_fingerprint(source));
    f = twx_mix64(f, plan->feed);
    for (size_t i = 0; i < TWX_RELATIONS; i++)
        if (plan->detectors[i])
            f = twx_mix64(f, twx_detector_fingerprint(plan->detectors[i], &plan->params));
    if (plan->detectors[TWX_RELATION_NEAR]) f = mix_texts(f, settings);
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
    const twx_detector *near = detector_of(job, TWX_RELATION_NEAR);
    if (rc == TWX_OK && near && twx_detector_needs(near, &plan.params)) {
        rc = twx_collect(job, o, &plan.params, twx_detector_needs(near, &plan.params),
                         &plan.collection);
        plan.params.collection = &plan.collection;
        warn_of_missing_links(job, near, &plan.collection);
    }
    if (rc == TWX_OK && near) warn_of_missing_areas(job, o);
    if (rc == TWX_OK) rc = twx_choose_feed(job, o, &plan.feed, &plan.queued);
    if (rc == TWX_OK) rc = check_queue(job, o, &plan);
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
    plan->rules = NULL;
    twx_collection_done(&plan->collection);
}
