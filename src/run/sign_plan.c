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
    f = twx_mix64(f, twx_page_patterns_fingerprint(plan->pages));
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
    if (rc == TWX_OK) rc = twx_pages_load(job, &plan.pages);
    const twx_detector *near = detector_of(job, TWX_RELATION_NEAR);
    if (rc == TWX_OK && near && twx_detector_needs(near, &plan.params)) {
        rc = twx_collect(job, o, &plan.params, twx_detector_needs(near, &plan.params),
                         &plan.collection);
        plan.params.collection = &plan.collection;
        warn_of_missing_links(job, near, &plan.collection);
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
    twx_url url;
    twx_document doc = {.url = &url, .text = twx_bytes_of(&row->value[TWX_COL_TEXT])};
    twx_slice stored = twx_bytes_of(&row->value[TWX_COL_URL]);
    if (doc.text.n == 0 || !stored.p) return TWX_OK;
    doc.main = twx_bytes_of(&row->value[TWX_COL_MAIN]);
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

/* Only our own `documents` table has a table of links. */
static twx_rc read_links(pass *p, twx_opened *o, unsigned needs) {
    if (!(needs & TWX_NEED_LINK_SCORES) || !o->mapping.own) return TWX_OK;
    twx_job_progress(p->job, "read links", "", 0, 0);
    return twx_links_each(o->reader, take_link, p);
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
    if (rc == TWX_OK)
        rc = p.by->open(job->cx, needs, (size_t)job->settings->run_memory / 2, &p.maker);
    if (rc == TWX_OK) rc = twx_scan_documents(job, o, "collect statistics", take_row, &p);
    if (rc == TWX_OK) rc = read_links(&p, o, needs);
    if (rc == TWX_OK) rc = p.by->make(p.maker, ret_collection);
    if (p.maker) p.by->close(p.maker);
    twx_workspace_close(p.workspace);
    return rc;
}

/* ==== key_ranges */

enum { WIDTH_AT_FIRST = 64, ROWS_WANTED = 32 /* fewer: the next range is wider */ };

static twx_rc add(twx_ctx *cx, twx_key_ranges *r, int64_t first, int64_t last, bool whole) {
    const twx_key_range range = {first, last, whole};
    return TWX_VEC_PUSH(cx, &r->left, range) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_key_ranges_init(twx_ctx *cx, twx_key_ranges *r, int64_t least, int64_t most) {
    *r = (twx_key_ranges){.width = WIDTH_AT_FIRST};
    twx_rc rc = least > INT64_MIN ? add(cx, r, INT64_MIN, least - 1, true) : TWX_OK;
    if (rc == TWX_OK) rc = add(cx, r, least, most, false);
    if (rc == TWX_OK && most < INT64_MAX) rc = add(cx, r, most + 1, INT64_MAX, true);
    return rc;
}

void twx_key_ranges_done(twx_key_ranges *r) {
    if (r) TWX_VEC_DONE(&r->left);
}

static void remove_first(twx_key_ranges *r) {
    r->left.n--;
    memmove(r->left.at, r->left.at + 1, r->left.n * sizeof *r->left.at);
}

bool twx_key_ranges_take(twx_key_ranges *r, twx_key_range *ret_range) {
    if (r->left.n == 0) return false;
    twx_key_range *from = &r->left.at[0];
    *ret_range = *from;
    /* as unsigned numbers: the difference of two keys can be more than INT64_MAX */
    const uint64_t more = (uint64_t)from->last - (uint64_t)from->first;
    if (from->whole || more < r->width) {
        remove_first(r);
        return true;
    }
    ret_range->last = (int64_t)((uint64_t)from->first + r->width - 1);
    from->first = ret_range->last + 1;
    return true;
}

twx_rc twx_key_ranges_put(twx_ctx *cx, twx_key_ranges *r, const twx_key_range *range, bool ended,
                          int64_t next, uint64_t rows) {
    if (ended) {
        if (!range->whole && rows < ROWS_WANTED && r->width < UINT64_MAX / 4) r->width *= 2;
        return TWX_OK;
    }
    if (!range->whole && next > range->first) r->width = (uint64_t)next - (uint64_t)range->first;
    twx_rc rc = add(cx, r, next, range->last, range->whole);
    for (size_t i = r->left.n; rc == TWX_OK && i-- > 1;) {
        twx_key_range *at = &r->left.at[i], moved = *at;
        if (at[-1].first < moved.first) break;
        *at = at[-1];
        at[-1] = moved;
    }
    return rc;
}

/* ==== pending */

enum { ARENA_KEEP = 16 << 20 };

void twx_pending_init(twx_pending *p) {
    *p = (twx_pending){0};
    twx_arena_init(&p->arena, ARENA_KEEP);
}

void twx_pending_done(twx_pending *p) {
    if (!p) return;
    TWX_VEC_DONE(&p->rows);
    TWX_VEC_DONE(&p->gone);
    twx_arena_done(&p->arena);
}

static void clear(twx_pending *p) {
    p->rows.n = p->gone.n = p->bytes = 0;
    twx_arena_reset(&p->arena);
}

static twx_rc keep(twx_ctx *cx, twx_pending *p, twx_slice *bytes) {
    p->bytes += bytes->n;
    return twx_arena_copy(cx, &p->arena, *bytes, bytes);
}

twx_rc twx_pending_add(twx_ctx *cx, twx_pending *p, const twx_batch *b) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < b->rows.n; i++) {
        twx_signed_row row = b->rows.at[i].made;
        row.place = p->rows.n;
        rc = keep(cx, p, &row.stored.facts);
        if (rc == TWX_OK) rc = keep(cx, p, &row.stored.record);
        if (rc == TWX_OK && !row.has_doc) rc = keep(cx, p, &row.id.bytes);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &p->rows, row)) rc = TWX_E_NOMEM;
    }
    return rc;
}

/* a: as it is stored. */
static bool is_stored(const twx_stored *a, const twx_stored *b) {
    return a->has_token == b->has_token && (!a->has_token || a->token == b->token) &&
           a->fingerprint == b->fingerprint && twx_slice_eq(a->facts, b->facts) &&
           twx_slice_eq(a->record, b->record);
}

static twx_rc note(twx_ctx *cx, twx_docs *docs, int64_t doc) {
    return !docs || TWX_VEC_PUSH(cx, docs, doc) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc write_row(twx_ctx *cx, twx_signed_row *row, const twx_pending_write *how,
                        twx_sign_counts *counts) {
    twx_signatures *signatures = how->opened->signatures;
    twx_stored *fresh = &row->stored, stored;
    twx_rc rc = TWX_OK;
    fresh->fingerprint = how->fingerprint;
    if (!row->has_doc) {
        rc = twx_document_make(signatures, &row->id, &fresh->doc);
        if (rc == TWX_OK) rc = note(cx, how->seen, fresh->doc);
    }
    if (rc != TWX_OK) return rc;
    rc = how->compare ? twx_signatures_get(signatures, fresh->doc, &stored) : TWX_DONE;
    if (rc == TWX_OK && is_stored(&stored, fresh)) return TWX_OK;
    if (rc == TWX_E_CORRUPT) twx_ctx_clear(cx); /* it is replaced */
    if (rc != TWX_OK && rc != TWX_DONE && rc != TWX_E_CORRUPT) return rc;
    counts->written++;
    rc = note(cx, how->changed, fresh->doc);
    return rc == TWX_OK ? twx_signatures_put(signatures, fresh) : rc;
}

/* One turn; *done rows and gone documents have been written before. */
static twx_rc write_turn(twx_ctx *cx, twx_pending *p, const twx_pending_write *how,
                         twx_sign_counts *counts, size_t *done) {
    twx_db *writer = how->opened->writer;
    twx_signatures *signatures = how->opened->signatures;
    const size_t n = p->rows.n;
    const uint64_t before = counts->written + counts->deleted;
    twx_rc rc = twx_turn_begin(writer);
    for (; rc == TWX_OK && *done < n && !twx_turn_is_over(writer); ++*done)
        rc = write_row(cx, &p->rows.at[*done], how, counts);
    for (; rc == TWX_OK && *done >= n && *done < n + p->gone.n && !twx_turn_is_over(writer);
         ++*done) {
        rc = twx_signatures_delete(signatures, p->gone.at[*done - n]);
        if (rc == TWX_OK) rc = note(cx, how->changed, p->gone.at[*done - n]);
        counts->deleted++;
    }
    twx_signatures_release(signatures);
    /* the published flags are no longer those of the signatures */
    if (rc == TWX_OK && counts->written + counts->deleted > before)
        rc = twx_state_set_judged(how->opened->generations, NULL);
    return twx_turn_end(writer, rc, *done < n + p->gone.n);
}

/* A damaged row is no change of a document: it is an error here, as where it is judged. */
static twx_rc check_sound(twx_ctx *cx, const twx_stored *stored) {
    twx_facts facts;
    twx_record record;
    const twx_rc rc = twx_facts_unpack(cx, stored->facts, &facts);
    return rc == TWX_OK ? twx_record_read(cx, stored->record, &record) : rc;
}

/* The same without writing. */
static twx_rc look_at_rows(twx_ctx *cx, const twx_pending *p, const twx_pending_write *how) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < p->rows.n; i++) {
        const twx_stored *is = &p->rows.at[i].stored;
        twx_stored stored;
        rc = twx_signatures_get(how->opened->signatures, is->doc, &stored);
        if (rc == TWX_OK && twx_slice_eq(stored.facts, is->facts) &&
            twx_slice_eq(stored.record, is->record))
            continue;
        if (rc == TWX_OK) rc = check_sound(cx, &stored);
        if (rc == TWX_OK || rc == TWX_DONE) rc = note(cx, how->changed, is->doc);
    }
    twx_signatures_release(how->opened->signatures);
    for (size_t i = 0; rc == TWX_OK && i < p->gone.n; i++)
        rc = note(cx, how->changed, p->gone.at[i]);
    return rc;
}

/* By document; those without a number after all others, in the order in which they were added. */
static int in_order_of_documents(const void *a, const void *b) {
    const twx_signed_row *x = a, *y = b;
    if (x->has_doc != y->has_doc) return x->has_doc ? -1 : 1;
    if (x->has_doc && x->stored.doc != y->stored.doc) return x->stored.doc < y->stored.doc ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Workers finish their batches in any order. Rows that are added to a table in the order of its key
 * fill its pages. */
static void sort_rows(twx_pending *p) {
    size_t sorted = 1;
    while (sorted < p->rows.n &&
           in_order_of_documents(&p->rows.at[sorted - 1], &p->rows.at[sorted]) < 0)
        sorted++;
    if (sorted < p->rows.n) qsort(p->rows.at, p->rows.n, sizeof *p->rows.at, in_order_of_documents);
}

twx_rc twx_pending_flush(twx_ctx *cx, twx_pending *p, const twx_pending_write *how,
                         twx_sign_counts *counts) {
    sort_rows(p);
    twx_rc rc = how->look ? look_at_rows(cx, p, how) : TWX_OK;
    for (size_t done = 0; rc == TWX_OK && !how->look && done < p->rows.n + p->gone.n;) {
        rc = write_turn(cx, p, how, counts, &done);
        if (rc == TWX_OK) rc = twx_cancelled(cx);
    }
    clear(p);
    return rc;
}
