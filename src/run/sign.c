/* The calling thread reads the source, passes batches to the workers and writes the results;
 * docs/internals.md explains why. */
#include "run/sign.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash64.h"
#include "base/plural.h"
#include "job/collect.h"
#include "job/detector_params.h"
#include "job/document_scan.h"
#include "method/detectors.h"
#include "run/pending.h"
#include "run/sign_batch.h"
#include "store/turn.h"
#include "url/domain.h"
#include "url/url_rules.h"

enum { LIST_ROWS = 2000, KEYS_OF_QUEUE = 1000, FLUSH_BYTES = 8 << 20 };
static const double FLUSH_SECONDS = 0.5; /* how long finished work may wait to be written */

/* ---- plan --------------------------------------------------------------- */

static const twx_detector *detector_of(const twx_job *job, size_t slot) {
    const char *name = slot == TWX_RELATION_NEAR ? job->settings->near_detector
                                                 : twx_relation_at(slot)->detector;
    /* copies are near-duplicates, distinguished from siblings by what their texts repeat */
    if (slot == TWX_RELATION_COPY)
        return detector_of(job, TWX_RELATION_NEAR) ? &TWX_DETECTOR_REPEATED : NULL;
    return name ? twx_detector_find(name) : NULL;
}

/* Warns if a global detector finds nothing only because it has no input. */
static void tell_what_lacks(const twx_job *job, const twx_detector *near, const twx_collection *c) {
    if (!(near->needs & TWX_NEED_LINK_SCORES) ||
        (c->link_scores && twx_link_scores_count(c->link_scores) > 0))
        return;
    twx_job_message(job, TWINDEX_WARNING,
                    "%s: near.detector = %s finds nothing without a table of links: import the "
                    "pages with --links",
                    job->store, near->name);
}

/* Without its queue and triggers, changes of our own documents table go unnoticed, so every row is
 * read. */
static twx_rc check_queue(const twx_job *job, twx_opened *o, twx_feed *feed) {
    static const char *const NEEDED[] = {
        "twindex_change",        "twindex_change_before_insert", "twindex_change_before_update",
        "twindex_change_insert", "twindex_change_update",        "twindex_change_delete"};
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

twx_rc twx_sign_plan_make(const twx_job *job, twx_opened *o, bool full, twx_sign_plan *ret_plan) {
    twx_sign_plan plan = {.full = full};
    twx_rc rc = twx_params_make(job, &plan.params, &plan.rules);
    const twx_detector *near = detector_of(job, TWX_RELATION_NEAR);
    if (rc == TWX_OK && near && twx_detector_needs(near, &plan.params)) {
        rc = twx_collect(job, o, &plan.params, twx_detector_needs(near, &plan.params),
                         &plan.collection);
        plan.params.collection = &plan.collection;
        tell_what_lacks(job, near, &plan.collection);
    }
    if (rc == TWX_OK) rc = twx_choose_feed(job, &o->mapping, &plan.feed);
    if (rc == TWX_OK) rc = check_queue(job, o, &plan.feed);
    if (rc != TWX_OK) {
        twx_sign_plan_done(&plan);
        return rc;
    }
    uint64_t f = twx_mix64(TWX_FACTS_VERSION, TWX_URL_NORM_VERSION);
    f = twx_mix64(f, plan.params.url.steps);
    f = twx_mix64(f, twx_url_rules_fingerprint(plan.rules));
    f = twx_mix64(f, twx_domain_fingerprint());
    f = twx_mix64(f, twx_source_fingerprint(o->source));
    f = twx_mix64(f, plan.feed);
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        plan.detectors[i] = detector_of(job, i);
        if (plan.detectors[i])
            f = twx_mix64(f, twx_detector_fingerprint(plan.detectors[i], &plan.params));
    }
    plan.name = plan.detectors[TWX_RELATION_COPY] ? &TWX_DETECTOR_NAME : NULL;
    if (plan.name) f = twx_mix64(f, twx_detector_fingerprint(plan.name, &plan.params));
    plan.fingerprint = f;
    for (size_t i = 0; i < TWX_RELATIONS; i++)
        if (plan.detectors[i]) add_signing(&plan, plan.detectors[i]);
    if (plan.name) add_signing(&plan, plan.name);
    *ret_plan = plan;
    if (plan.params.collection) ret_plan->params.collection = &ret_plan->collection;
    return TWX_OK;
}

void twx_sign_plan_done(twx_sign_plan *plan) {
    if (!plan) return;
    twx_url_rules_close(plan->rules);
    plan->rules = NULL;
    twx_collection_done(&plan->collection);
}

/* ---- the pass ----------------------------------------------------------- */

typedef struct pass {
    const twx_job *job;
    twx_opened *o;
    const twx_sign_plan *plan;
    twx_sign_counts counts;
    twx_workers *workers;
    TWX_VEC(twx_batch *) idle; /* batches that no worker has */
    size_t n_batches;
    twx_batch *filling;
    twx_pending pending;
    twx_pending_write write;
    twx_docs seen; /* documents that are in the source */
    double flushed_at;
    uint64_t total; /* for progress, 0: not known */
    bool refetch; /* the row being read was already selected, so it is signed whatever is stored */
    bool listed;  /* and was added to `seen` then */
} pass;

static twx_rc flush(pass *p) {
    twx_rc rc = twx_pending_flush(p->job->cx, &p->pending, &p->write, &p->seen, &p->counts);
    p->flushed_at = twx_job_clock();
    return rc;
}

/* Writes pending rows if they are many or have waited for long. */
static twx_rc flush_if_due(pass *p) {
    size_t rows = p->pending.rows.n + p->pending.gone.n;
    bool due = rows >= p->job->settings->run_batch_rows || p->pending.bytes.n >= FLUSH_BYTES ||
               twx_job_clock() - p->flushed_at > FLUSH_SECONDS;
    if (rows == 0 || !due) return TWX_OK;
    return flush(p);
}

static void count_batch(pass *p, const twx_batch *b) {
    for (size_t i = 0; i < b->rows.n; i++) {
        const twx_batch_row *row = &b->rows.at[i];
        p->counts.signed_now++;
        p->counts.bytes += row->column[TWX_COL_TEXT].bytes.n;
        p->counts.bad_urls += (row->oddities & TWX_ODD_URL) != 0;
        p->counts.bad_utf8 += (row->oddities & TWX_ODD_UTF8) != 0;
        p->counts.odd_values += (row->oddities & (TWX_ODD_STATUS | TWX_ODD_DATE)) != 0;
        if ((row->oddities & TWX_ODD_URL) && p->job->settings->run_notify_all)
            twx_job_message(p->job, TWINDEX_DETAIL,
                            "id %" PRId64 ": '" TWX_SLICE_FMT "' is not an absolute URL", row->doc,
                            TWX_SLICE_ARG(row->column[TWX_COL_URL].bytes));
    }
}

/* Takes finished batches from the queue; with `wait`, at least one if there is any. */
static twx_rc collect(pass *p, bool wait) {
    for (;;) {
        void *item = NULL;
        twx_rc rc = twx_workers_take(p->workers, wait, &item);
        if (rc != TWX_OK || !item) return rc;
        twx_batch *b = item;
        wait = false;
        count_batch(p, b);
        rc = twx_pending_add(p->job->cx, &p->pending, b);
        twx_batch_clear(b);
        if (rc == TWX_OK && !TWX_VEC_PUSH(p->job->cx, &p->idle, b)) rc = TWX_E_NOMEM;
        if (rc == TWX_OK) rc = flush_if_due(p);
        if (rc != TWX_OK) return rc;
    }
}

static twx_rc hand_over(pass *p) {
    if (!p->filling || p->filling->rows.n == 0) return TWX_OK;
    twx_rc rc = twx_workers_give(p->workers, p->filling);
    if (rc == TWX_OK) p->filling = NULL;
    return rc == TWX_OK ? collect(p, false) : rc;
}

/* Ensures that there is a batch to fill. */
static twx_rc need_batch(pass *p) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && !p->filling) {
        if (p->idle.n > 0)
            p->filling = p->idle.at[--p->idle.n];
        else
            rc = collect(p, true);
    }
    return rc;
}

/* Values that cannot be a document's key: NULL, and INT64_MIN, after which reading of our own
 * tables starts. */
static bool unusable_id(const pass *p, const twx_value *id) {
    return id->type == TWX_NULL || (twx_source_is_direct(p->o->source) && id->i == INT64_MIN);
}

/* The document's number, if it has one. TWX_DONE: it has none yet. */
static twx_rc number_of(pass *p, const twx_value *id, int64_t *ret_doc) {
    if (!twx_source_is_direct(p->o->source))
        return twx_document_find(p->o->signatures, id, ret_doc);
    *ret_doc = id->i;
    return TWX_OK;
}

typedef struct identity {
    bool has_doc, has_token, stale;
    int64_t doc;
    uint64_t token;
} identity;

/* The identity of a row, and whether its stored signature is still valid. */
static twx_rc identify(pass *p, const twx_source_row *row, bool whole, identity *ret) {
    identity who = {.stale = true};
    twx_stored stored;
    twx_rc rc = number_of(p, &row->value[TWX_COL_ID], &who.doc);
    who.has_doc = rc == TWX_OK;
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    who.has_token = p->plan->feed == TWX_FEED_COLUMN || (p->plan->feed == TWX_FEED_SCAN && whole);
    if (who.has_token)
        who.token = p->plan->feed == TWX_FEED_COLUMN
                        ? twx_value_hash(&row->value[TWX_COL_CHANGED], 0)
                        : twx_row_token(row->value);
    if (p->write.track && who.has_doc && !p->listed && !TWX_VEC_PUSH(p->job->cx, &p->seen, who.doc))
        return TWX_E_NOMEM;
    if (p->write.compare && who.has_doc) {
        rc = p->plan->full ? TWX_DONE : twx_signatures_get(p->o->signatures, who.doc, &stored);
        if (rc != TWX_OK && rc != TWX_DONE) return rc;
        who.stale = rc == TWX_DONE || stored.fingerprint != p->plan->fingerprint ||
                    stored.has_token != who.has_token ||
                    (who.has_token && stored.token != who.token);
        /* after a commit by another connection, an open read would block our next transaction */
        twx_signatures_release(p->o->signatures);
    }
    *ret = who;
    return TWX_OK;
}

/* Called for each row that is read completely. */
static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    pass *p = arg;
    identity who;
    twx_batch_row *copy = NULL;
    p->counts.read++;
    if (unusable_id(p, &row->value[TWX_COL_ID])) {
        p->counts.bad_ids++;
        return TWX_OK;
    }
    twx_rc rc = identify(p, row, true, &who);
    if (rc != TWX_OK || (!who.stale && !p->refetch)) return rc;
    rc = twx_batch_add(p->job->cx, p->filling, row, &copy);
    if (rc != TWX_OK) return rc;
    copy->has_doc = who.has_doc;
    copy->doc = who.doc;
    copy->has_token = who.has_token;
    copy->token = who.token;
    *ret_enough = twx_batch_is_full(p->filling);
    return TWX_OK;
}

/* Fetches one complete document by its scan key; one longer than the row limit is counted and gets
 * no signature. */
static twx_rc fetch_row(pass *p, const twx_value *scan_key) {
    twx_rc rc = need_batch(p);
    p->refetch = true;
    if (rc == TWX_OK) rc = twx_source_fetch(p->o->source, scan_key, take_row, p);
    p->refetch = false;
    if (rc == TWX_E_LIMIT) {
        p->counts.too_long++;
        return twx_warn_row_too_long(p->job, scan_key, "the document gets no flags");
    }
    if (rc == TWX_OK && twx_batch_is_full(p->filling)) rc = hand_over(p);
    return rc;
}

/* Keys of rows to be fetched, collected because a statement of the reader is open while they are
 * listed. */
typedef struct key_list {
    pass *p;
    TWX_VEC(twx_value) keys;
    twx_arena bytes;
    bool all; /* every row, not only stale ones */
} key_list;

static twx_rc list_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    key_list *list = arg;
    pass *p = list->p;
    identity who = {.stale = true};
    twx_rc rc = TWX_OK;
    (void)ret_enough;
    if (!list->all && unusable_id(p, &row->value[TWX_COL_ID])) {
        p->counts.bad_ids++;
        return TWX_OK;
    }
    if (!list->all) {
        rc = identify(p, row, false, &who);
        p->counts.read++;
    }
    if (rc != TWX_OK || !who.stale) return rc;
    twx_value key = row->scan_key;
    rc = twx_arena_copy(p->job->cx, &list->bytes, row->scan_key.bytes, &key.bytes);
    if (rc == TWX_OK && !TWX_VEC_PUSH(p->job->cx, &list->keys, key)) rc = TWX_E_NOMEM;
    return rc;
}

/* Reads keys from the cursor on and fetches the rows: those that are stale, or all. */
static twx_rc read_by_keys(pass *p, twx_source_cursor *cursor, bool all) {
    key_list list = {.p = p, .all = all};
    twx_arena_init(&list.bytes, 1 << 20);
    const twx_source_batch batch = {.want = all ? TWX_WANT_KEYS : TWX_WANT_IDENTITY,
                                    .limit = all ? TWX_BATCH_ROWS : LIST_ROWS,
                                    .fn = list_row,
                                    .arg = &list};
    twx_rc more = twx_source_read(p->o->source, cursor, &batch);
    twx_rc rc = more == TWX_DONE ? TWX_OK : more;
    uint64_t read = p->counts.read;
    p->listed = !all;
    for (size_t i = 0; rc == TWX_OK && i < list.keys.n; i++) {
        rc = fetch_row(p, &list.keys.at[i]);
        /* deleted after it was listed: the next run removes its signature */
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    p->listed = false;
    if (!all) p->counts.read = read; /* a row that was listed and then fetched counts once */
    TWX_VEC_DONE(&list.keys);
    twx_arena_done(&list.bytes);
    return rc == TWX_OK ? more : rc;
}

/* Reads the next rows. A row beyond the row limit ends the batch with an error that does not
 * identify it. Then the same rows are listed by key alone and fetched one by one to find it. */
static twx_rc read_next(pass *p, twx_source_cursor *cursor, bool whole) {
    twx_rc rc = need_batch(p);
    if (rc != TWX_OK) return rc;
    const size_t seen = p->seen.n;
    const uint64_t read = p->counts.read, bad_ids = p->counts.bad_ids;
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = TWX_BATCH_ROWS, .fn = take_row, .arg = p};
    rc = whole ? twx_source_read(p->o->source, cursor, &batch) : read_by_keys(p, cursor, false);
    if (rc == TWX_E_LIMIT) {
        twx_ctx_clear(p->job->cx);
        if (p->filling) twx_batch_clear(p->filling);
        p->seen.n = seen;
        p->counts.read = read;
        p->counts.bad_ids = bad_ids;
        return read_by_keys(p, cursor, true);
    }
    twx_rc handed = rc == TWX_OK || rc == TWX_DONE ? hand_over(p) : TWX_OK;
    return handed == TWX_OK ? rc : handed;
}

static void show_progress(const pass *p) {
    twx_job_progress(p->job, "read and sign", "documents", p->counts.read,
                     p->total > p->counts.read ? p->total : 0);
}

static twx_rc read_all(pass *p, bool whole) {
    twx_source_cursor cursor = {0};
    twx_rc rc = TWX_OK;
    if (twx_source_is_copied(p->o->source)) twx_job_progress(p->job, "copy the rows", "", 0, 0);
    while (rc == TWX_OK) {
        rc = twx_cancelled(p->job->cx);
        if (rc == TWX_OK) rc = read_next(p, &cursor, whole);
        show_progress(p);
    }
    twx_source_cursor_done(&cursor);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Processes the documents of the change queue: fetches them, or records that they are gone. */
static twx_rc read_queue(pass *p, int64_t mark) {
    int64_t docs[KEYS_OF_QUEUE], after = INT64_MIN;
    size_t n = KEYS_OF_QUEUE;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && n == KEYS_OF_QUEUE) {
        rc = twx_changes_list(p->o->changes, mark, after, docs, KEYS_OF_QUEUE, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            const twx_value key = {.type = TWX_INT, .i = docs[i]};
            rc = fetch_row(p, &key);
            if (rc == TWX_DONE)
                rc = TWX_VEC_PUSH(p->job->cx, &p->pending.gone, docs[i]) ? TWX_OK : TWX_E_NOMEM;
            after = docs[i];
        }
        if (rc == TWX_OK) rc = flush_if_due(p);
        if (rc == TWX_OK) rc = twx_cancelled(p->job->cx);
        show_progress(p);
    }
    return rc;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Refuses a mapped id shared by two rows, because the flags would depend on which was read last. */
static twx_rc check_unique(pass *p) {
    size_t n = p->seen.n, repeated = 0;
    if (n) qsort(p->seen.at, n, sizeof *p->seen.at, by_value);
    for (size_t i = 1; i < n; i++) repeated += p->seen.at[i] == p->seen.at[i - 1];
    if (repeated == 0) return TWX_OK;
    return twx_fail(p->job->cx, TWX_E_CONFIG,
                    "%s: store.id does not tell documents apart: %zu %s an id of another row",
                    p->job->store, repeated, twx_plural(repeated, "row repeats", "rows repeat"));
}

/* Removes stored documents that were not seen in the source. */
static twx_rc drop_unseen(pass *p) {
    int64_t stored[KEYS_OF_QUEUE], after = INT64_MIN;
    size_t n = KEYS_OF_QUEUE, at = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && n == KEYS_OF_QUEUE) {
        rc = twx_signatures_docs(p->o->signatures, after, stored, KEYS_OF_QUEUE, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            while (at < p->seen.n && p->seen.at[at] < stored[i]) at++;
            bool gone = at == p->seen.n || p->seen.at[at] != stored[i];
            if (gone && !TWX_VEC_PUSH(p->job->cx, &p->pending.gone, stored[i])) rc = TWX_E_NOMEM;
            after = stored[i];
        }
        if (rc == TWX_OK) rc = flush_if_due(p);
    }
    return rc;
}

/* Waits for all batches under way and writes them. */
static twx_rc drain(pass *p) {
    twx_rc rc = hand_over(p);
    while (rc == TWX_OK && p->idle.n + (p->filling != NULL) < p->n_batches) rc = collect(p, true);
    return rc == TWX_OK ? flush(p) : rc;
}

static twx_rc open_pass(pass *p, twx_signer_shared *shared) {
    size_t jobs = p->job->settings->run_jobs;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs == 0) jobs = cores > 0 ? (size_t)cores : 1;
    p->n_batches = 2 * jobs + 2;
    twx_work_kind kind = twx_signer_kind(shared);
    twx_pending_init(&p->pending);
    p->flushed_at = twx_job_clock();
    twx_rc rc = twx_workers_open(p->job->cx, jobs, p->n_batches, &kind, &p->workers);
    for (size_t i = 0; rc == TWX_OK && i < p->n_batches; i++) {
        twx_batch *b = NULL;
        rc = twx_batch_open(p->job->cx, &b);
        if (rc == TWX_OK && !TWX_VEC_PUSH(p->job->cx, &p->idle, b)) {
            twx_batch_close(b);
            rc = TWX_E_NOMEM;
        }
    }
    return rc;
}

/* Frees all batches, including those under way when a pass failed, which the workers do not own. */
static void close_pass(pass *p, twx_batch **all, size_t n) {
    twx_workers_close(p->workers);
    for (size_t i = 0; i < n; i++) twx_batch_close(all[i]);
    TWX_VEC_DONE(&p->idle);
    TWX_VEC_DONE(&p->seen);
    twx_pending_done(&p->pending);
}

/* Reads the documents that may have changed: the queue if everything is signed; every row if
 * nothing is signed or changes can only be detected by a scan; else the keys of all rows, to find
 * those that are missing or stale. */
static twx_rc read_what_changed(pass *p, const twx_state *state, uint64_t stored, int64_t mark) {
    const twx_sign_plan *plan = p->plan;
    bool complete = state->has_fingerprint && state->fingerprint == plan->fingerprint && stored > 0;
    bool whole = stored == 0 || plan->full || plan->feed == TWX_FEED_SCAN ||
                 twx_source_is_copied(p->o->source);
    p->write.compare = stored > 0;
    p->write.track = stored > 0 || !twx_source_is_direct(p->o->source);
    twx_rc rc = TWX_OK;
    if (plan->feed == TWX_FEED_TRIGGER && !whole) {
        rc = read_queue(p, mark);
        if (rc == TWX_OK) rc = drain(p);
        if (rc != TWX_OK || complete) return rc;
        p->seen.n = 0; /* the following pass sees every document, including those of the queue */
        p->counts.read = 0;
    }
    if (rc == TWX_OK) rc = read_all(p, whole);
    if (rc == TWX_OK) rc = drain(p);
    if (rc == TWX_OK && p->write.track) rc = check_unique(p);
    if (rc == TWX_OK && p->write.compare) rc = drop_unseen(p);
    return rc == TWX_OK ? flush(p) : rc;
}

static bool is_known(const pass *p, const twx_state *state) {
    return state->has_fingerprint && state->fingerprint == p->plan->fingerprint;
}

/* During the pass the stored fingerprint is one that no run has, but not NULL: a trigger sets it to
 * NULL when another process deletes rows of the cache, which finish() then detects. */
static uint64_t while_signing(const pass *p, const twx_state *state) {
    return is_known(p, state) ? p->plan->fingerprint : ~p->plan->fingerprint;
}

static twx_rc start(pass *p, const twx_state *state) {
    const uint64_t fingerprint = while_signing(p, state);
    if (is_known(p, state)) return TWX_OK;
    twx_rc rc = twx_turn_begin(p->o->writer);
    if (rc == TWX_OK) rc = twx_state_signed(p->o->generations, &fingerprint);
    return twx_turn_end(p->o->writer, rc, false);
}

/* Removes the processed entries from the queue. A run that is killed between two turns has signed
 * what is left, and the next one signs it again. */
static twx_rc forget_changes(pass *p, int64_t mark) {
    bool more = true;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && more) {
        rc = twx_turn_begin(p->o->writer);
        while (rc == TWX_OK && more && !twx_turn_is_over(p->o->writer))
            rc = twx_changes_forget(p->o->changes, mark, &more);
        rc = twx_turn_end(p->o->writer, rc, false);
        if (rc == TWX_OK) rc = twx_cancelled(p->job->cx);
    }
    return rc;
}

/* Ends the pass: empties the queue and records that everything is signed under this fingerprint. */
static twx_rc finish(pass *p, const twx_state *state, int64_t mark) {
    bool known = is_known(p, state);
    bool queued = p->plan->feed == TWX_FEED_TRIGGER && mark > 0 && !p->o->trial;
    twx_rc rc = queued ? forget_changes(p, mark) : TWX_OK;
    if (known || rc != TWX_OK) return rc;
    rc = twx_turn_begin(p->o->writer);
    if (rc == TWX_OK)
        rc = twx_state_finish(p->o->generations, p->plan->fingerprint, while_signing(p, state));
    return twx_turn_end(p->o->writer, rc, false);
}

twx_rc twx_sign(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                twx_sign_counts *ret_counts) {
    pass p = {
        .job = job, .o = o, .plan = plan, .write = {.opened = o, .fingerprint = plan->fingerprint}};
    twx_signer_shared shared = {.plan = plan};
    TWX_VEC(twx_batch *) all = {0};
    twx_state state;
    uint64_t stored = 0;
    int64_t mark = 0;
    twx_rc rc = twx_state_read(o->generations, &state);
    if (rc == TWX_OK) rc = twx_signatures_count(o->signatures, &stored);
    if (rc == TWX_OK && plan->feed == TWX_FEED_TRIGGER) rc = twx_changes_mark(o->changes, &mark);
    if (rc == TWX_OK) rc = twx_source_estimate(o->source, &p.total);
    if (rc == TWX_OK) rc = twx_memo_open(job->cx, job->settings->run_memory / 4, &shared.memo);
    if (rc == TWX_OK) rc = open_pass(&p, &shared);
    for (size_t i = 0; i < p.idle.n && rc == TWX_OK; i++)
        if (!TWX_VEC_PUSH(job->cx, &all, p.idle.at[i])) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = start(&p, &state);
    if (rc == TWX_OK) rc = read_what_changed(&p, &state, stored, mark);
    if (rc == TWX_OK) rc = finish(&p, &state, mark);
    if (all.n < p.idle.n)
        close_pass(&p, p.idle.at,
                   p.idle.n); /* failed before the list was complete, so nothing is under way */
    else
        close_pass(&p, all.at, all.n);
    TWX_VEC_DONE(&all);
    twx_memo_close(shared.memo);
    p.counts.changed = p.counts.written + p.counts.deleted > 0;
    if (rc == TWX_OK) *ret_counts = p.counts;
    return rc;
}
