#include "run/internal.h"

/* ==== sign */

/* Signing, from top to bottom:
 *   choose   which documents may have changed: those of the queue, or all whose stored signature
 *            does not match the row (read_what_changed)
 *   read     the workers read ranges of keys if all rows are wanted and the store allows it
 *            (can_divide); else the calling thread reads the rows and hands them to the workers
 *   sign     the workers compute facts and keys (sign_batch.c)
 *   write    the calling thread collects finished batches and writes those that differ from what
 *            is stored, in turns (store/turn.c)
 *   remove   signatures of documents that are not in the source any more
 * Rows are written only between two statements of the reader, in twx_document_reader.prepare(). */

enum { KEYS_OF_QUEUE = 1000, FLUSH_BYTES = 8 << 20, ARENA_KEEP = 2 * FLUSH_BYTES };
static const double FLUSH_SECONDS = 0.5; /* how long finished work may wait to be written */

typedef struct pass {
    const twx_job *job;
    twx_opened *o;
    const twx_sign_plan *plan;
    twx_sign_counts counts;
    twx_document_reader reader;
    twx_signer_shared shared;
    twx_workers *workers;
    TWX_VEC(twx_batch *) batches; /* owned */
    TWX_VEC(twx_batch *) idle;    /* those that no worker has */
    twx_batch *filling;
    twx_key_ranges ranges;
    TWX_VEC(twx_key_range) slow; /* ranges that have a row which is too long */
    bool compares;               /* there are stored rows to compare with */
    bool keeps_seen;
    twx_docs seen;     /* documents that are in the source */
    twx_docs *changed; /* gets those whose stored row changes; NULL: not wanted */
    /* signed rows until they are written, so that no write transaction is open while workers
     * compute */
    TWX_VEC(twx_signed_row) rows;
    TWX_VEC(int64_t) gone; /* documents that are no longer in the source */
    twx_arena arena;       /* has what `rows` point to: so many bytes */
    size_t bytes;
    double flushed_at;
} pass;

/* ---- writing ------------------------------------------------------------- */

static twx_rc keep_bytes(pass *p, twx_slice *bytes) {
    p->bytes += bytes->n;
    return twx_arena_copy(p->job->cx, &p->arena, *bytes, bytes);
}

/* a: as it is stored. */
static bool is_stored(const twx_stored *a, const twx_stored *b) {
    return a->has_token == b->has_token && (!a->has_token || a->token == b->token) &&
           a->fingerprint == b->fingerprint && twx_slice_eq(a->facts, b->facts) &&
           twx_slice_eq(a->record, b->record);
}

static twx_rc note_seen(pass *p, int64_t doc) {
    return !p->keeps_seen || TWX_VEC_PUSH(p->job->cx, &p->seen, doc) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc note_changed(pass *p, int64_t doc) {
    twx_kept *kept = p->plan->look ? NULL : p->job->kept;
    if (kept && kept->knows_changes && !TWX_VEC_PUSH(p->job->cx, &kept->changes, doc))
        return TWX_E_NOMEM;
    return !p->changed || TWX_VEC_PUSH(p->job->cx, p->changed, doc) ? TWX_OK : TWX_E_NOMEM;
}

/* The published flags are no longer those of the signatures. */
static twx_rc forget_judged(const pass *p) {
    const twx_kept *kept = p->job->kept;
    return kept && kept->knows_changes ? twx_state_note(p->o->generations)
                                       : twx_state_set_judged(p->o->generations, NULL);
}

static twx_rc write_row(pass *p, twx_signed_row *row) {
    twx_signatures *signatures = p->o->signatures;
    twx_stored *fresh = &row->stored, stored;
    twx_rc rc = TWX_OK;
    fresh->fingerprint = p->plan->fingerprint;
    if (!row->has_doc) {
        rc = twx_document_make(signatures, &row->id, &fresh->doc);
        if (rc == TWX_OK) rc = note_seen(p, fresh->doc);
    }
    if (rc != TWX_OK) return rc;
    rc = p->compares ? twx_signatures_get(signatures, fresh->doc, &stored) : TWX_DONE;
    if (rc == TWX_OK && is_stored(&stored, fresh)) return TWX_OK;
    if (rc == TWX_E_CORRUPT) twx_ctx_clear(p->job->cx); /* it is replaced */
    if (rc != TWX_OK && rc != TWX_DONE && rc != TWX_E_CORRUPT) return rc;
    p->counts.written++;
    rc = note_changed(p, fresh->doc);
    return rc == TWX_OK ? twx_signatures_put(signatures, fresh) : rc;
}

/* One turn; *done rows and gone documents have been written before. */
static twx_rc write_turn(pass *p, size_t *done) {
    twx_db *writer = p->o->writer;
    twx_signatures *signatures = p->o->signatures;
    twx_sign_counts *counts = &p->counts;
    const size_t n = p->rows.n;
    const uint64_t before = counts->written + counts->deleted;
    twx_rc rc = twx_turn_begin(writer);
    for (; rc == TWX_OK && *done < n && !twx_turn_is_over(writer); ++*done)
        rc = write_row(p, &p->rows.at[*done]);
    for (; rc == TWX_OK && *done >= n && *done < n + p->gone.n && !twx_turn_is_over(writer);
         ++*done) {
        rc = twx_signatures_delete(signatures, p->gone.at[*done - n]);
        if (rc == TWX_OK) rc = note_changed(p, p->gone.at[*done - n]);
        counts->deleted++;
    }
    twx_signatures_release(signatures);
    if (rc == TWX_OK && counts->written + counts->deleted > before) rc = forget_judged(p);
    return twx_turn_end(writer, rc, *done < n + p->gone.n);
}

/* A damaged row is no change of a document: it is an error here, as where it is judged. */
static twx_rc check_sound(twx_ctx *cx, const twx_stored *stored) {
    twx_facts facts;
    twx_record record;
    const twx_rc rc = twx_facts_unpack(cx, stored->facts, &facts);
    return rc == TWX_OK ? twx_record_read(cx, stored->record, &record) : rc;
}

/* With plan->look: notes the documents whose facts or records differ, and writes nothing. All
 * documents have numbers then. */
static twx_rc look_at_rows(pass *p) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < p->rows.n; i++) {
        const twx_stored *is = &p->rows.at[i].stored;
        twx_stored stored;
        rc = twx_signatures_get(p->o->signatures, is->doc, &stored);
        if (rc == TWX_OK && twx_slice_eq(stored.facts, is->facts) &&
            twx_slice_eq(stored.record, is->record))
            continue;
        if (rc == TWX_OK) rc = check_sound(p->job->cx, &stored);
        if (rc == TWX_OK || rc == TWX_DONE) rc = note_changed(p, is->doc);
    }
    twx_signatures_release(p->o->signatures);
    for (size_t i = 0; rc == TWX_OK && i < p->gone.n; i++) rc = note_changed(p, p->gone.at[i]);
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
static void sort_rows(pass *p) {
    size_t sorted = 1;
    while (sorted < p->rows.n &&
           in_order_of_documents(&p->rows.at[sorted - 1], &p->rows.at[sorted]) < 0)
        sorted++;
    if (sorted < p->rows.n) qsort(p->rows.at, p->rows.n, sizeof *p->rows.at, in_order_of_documents);
}

/* Writes everything that differs from the stored rows, in turns, and forgets it. */
static twx_rc flush(pass *p) {
    sort_rows(p);
    twx_rc rc = p->plan->look ? look_at_rows(p) : TWX_OK;
    for (size_t done = 0; rc == TWX_OK && !p->plan->look && done < p->rows.n + p->gone.n;) {
        rc = write_turn(p, &done);
        if (rc == TWX_OK) rc = twx_cancelled(p->job->cx);
    }
    p->rows.n = p->gone.n = p->bytes = 0;
    twx_arena_reset(&p->arena);
    p->flushed_at = twx_job_clock();
    return rc;
}

/* Writes pending rows if they are many or have waited for long. */
static twx_rc flush_if_due(pass *p) {
    const size_t rows = p->rows.n + p->gone.n;
    const bool due = rows >= p->job->settings->run_batch_rows || p->bytes >= FLUSH_BYTES ||
                     twx_job_clock() - p->flushed_at > FLUSH_SECONDS;
    return rows && due ? flush(p) : TWX_OK;
}

/* ---- batches ------------------------------------------------------------- */

static void count_batch(pass *p, const twx_batch *b) {
    for (size_t i = 0; i < b->rows.n; i++) {
        const twx_batch_row *row = &b->rows.at[i];
        p->counts.signed_now++;
        p->counts.text_bytes += row->column[TWX_COL_TEXT].bytes.n;
        p->counts.bad_urls += (row->oddities & TWX_ODD_URL) != 0;
        p->counts.bad_utf8 += (row->oddities & TWX_ODD_UTF8) != 0;
        p->counts.odd_values += (row->oddities & (TWX_ODD_STATUS | TWX_ODD_DATE)) != 0;
        if ((row->oddities & TWX_ODD_URL) && p->job->settings->run_notify_all)
            twx_job_message(p->job, TWINDEX_DETAIL,
                            "id %" PRId64 ": '" TWX_SLICE_FMT "' is not an absolute URL",
                            row->made.stored.doc, TWX_SLICE_ARG(row->column[TWX_COL_URL].bytes));
    }
}

/* Takes over what a worker has read of a range. */
static twx_rc count_range(pass *p, const twx_batch *b) {
    const twx_range_read *read = &b->read;
    p->reader.read += read->rows;
    p->counts.bad_ids += read->bad_ids;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < b->rows.n; i++)
        rc = note_seen(p, b->rows.at[i].made.stored.doc);
    if (rc != TWX_OK) return rc;
    if (!read->stopped)
        return twx_key_ranges_put(p->job->cx, &p->ranges, &read->range, read->ended, read->next,
                                  read->rows);
    const twx_key_range slow = {read->next, read->range.last, false};
    return TWX_VEC_PUSH(p->job->cx, &p->slow, slow) ? TWX_OK : TWX_E_NOMEM;
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
        if (b->reads) rc = count_range(p, b);
        for (size_t i = 0; rc == TWX_OK && i < b->rows.n; i++) {
            twx_signed_row row = b->rows.at[i].made;
            row.place = p->rows.n;
            rc = keep_bytes(p, &row.stored.facts);
            if (rc == TWX_OK) rc = keep_bytes(p, &row.stored.record);
            if (rc == TWX_OK && !row.has_doc) rc = keep_bytes(p, &row.id.bytes);
            if (rc == TWX_OK && !TWX_VEC_PUSH(p->job->cx, &p->rows, row)) rc = TWX_E_NOMEM;
        }
        twx_batch_clear(b);
        if (rc == TWX_OK) p->idle.at[p->idle.n++] = b; /* it has room for all batches */
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

/* Makes room for at least one row in the batch that is being filled. */
static twx_rc make_room(void *arg) {
    pass *p = arg;
    twx_rc rc = p->filling && twx_batch_is_full(p->filling) ? hand_over(p) : TWX_OK;
    while (rc == TWX_OK && !p->filling) {
        if (p->idle.n > 0)
            p->filling = p->idle.at[--p->idle.n];
        else
            rc = collect(p, true);
    }
    return rc;
}

static bool is_busy(const pass *p) {
    return p->idle.n + (p->filling != NULL) < p->batches.n;
}

/* Waits for all batches under way and writes them. */
static twx_rc drain(pass *p) {
    twx_rc rc = hand_over(p);
    while (rc == TWX_OK && is_busy(p)) rc = collect(p, true);
    return rc == TWX_OK ? flush(p) : rc;
}

/* ---- rows ---------------------------------------------------------------- */

/* Does the stored signature not match the row? */
static twx_rc check_stale(const pass *p, const twx_signed_row *row, bool *ret_stale) {
    const twx_stored *is = &row->stored;
    twx_stored stored;
    *ret_stale = true;
    if (!p->compares || !row->has_doc || p->plan->full) return TWX_OK;
    twx_rc rc = twx_signatures_get(p->o->lookup, is->doc, &stored);
    if (rc == TWX_OK)
        *ret_stale = stored.fingerprint != p->plan->fingerprint ||
                     stored.has_token != is->has_token ||
                     (is->has_token && stored.token != is->token);
    /* after a commit by another connection, an open read would block our next transaction */
    twx_signatures_release(p->o->lookup);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Of a scan: notes that the document is in the source, and wants it if its signature is stale. */
static twx_rc select_row(void *arg, const twx_source_row *row, bool *ret_wanted) {
    pass *p = arg;
    bool usable = false;
    twx_signed_row made;
    *ret_wanted = false;
    const twx_rc rc = twx_identify(p->o, p->plan->feed, row, &usable, &made);
    p->counts.bad_ids += rc == TWX_OK && !usable;
    if (rc != TWX_OK || !usable) return rc;
    if (made.has_doc && note_seen(p, made.stored.doc) != TWX_OK) return TWX_E_NOMEM;
    return check_stale(p, &made, ret_wanted);
}

/* Adds a complete row to the batch. */
static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_wait) {
    pass *p = arg;
    const twx_rc rc = twx_batch_take(p->job->cx, p->filling, p->o, p->plan->feed, row,
                                     &p->counts.bad_ids);
    *ret_wait = twx_batch_is_full(p->filling);
    return rc;
}

static twx_rc note_gone(void *arg, const twx_value *scan_key) {
    pass *p = arg;
    return TWX_VEC_PUSH(p->job->cx, &p->gone, scan_key->i) ? TWX_OK : TWX_E_NOMEM;
}

/* ---- which rows ---------------------------------------------------------- */

/* Signs the documents of the change queue, or records that they are gone. */
static twx_rc read_queue(pass *p, int64_t mark) {
    int64_t docs[KEYS_OF_QUEUE], after = INT64_MIN;
    twx_value keys[KEYS_OF_QUEUE];
    size_t n = KEYS_OF_QUEUE;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && n == KEYS_OF_QUEUE) {
        rc = twx_changes_list(p->o->changes, mark, after, docs, KEYS_OF_QUEUE, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++)
            keys[i] = (twx_value){.type = TWX_INT, .i = docs[i]};
        if (rc == TWX_OK) rc = twx_document_reader_fetch(&p->reader, keys, n);
        if (rc == TWX_OK) rc = flush_if_due(p);
        if (n) after = docs[n - 1];
    }
    return rc;
}

TWX_ORDER_0(by_value, int64_t)

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
            if (gone && !TWX_VEC_PUSH(p->job->cx, &p->gone, stored[i])) rc = TWX_E_NOMEM;
            after = stored[i];
        }
        if (rc == TWX_OK) rc = flush_if_due(p);
    }
    return rc;
}

/* ---- all rows, by range ---------------------------------------------------- */

TWX_ORDER_1(by_first_key, twx_key_range, first)

static twx_rc scan_ranges(pass *p) {
    uint64_t total = 0;
    twx_key_range range;
    twx_rc rc = twx_source_estimate(p->o->source, &total);
    int64_t least = 0, most = 0;
    if (rc == TWX_OK) rc = twx_source_bounds(p->o->source, &least, &most);
    /* rows that other processes add meanwhile, with keys beyond those that the source has now, are
     * in the ranges at both ends */
    if (rc == TWX_OK || rc == TWX_DONE)
        rc = twx_key_ranges_init(p->job->cx, &p->ranges, least, most);
    do {
        if (rc == TWX_OK) rc = twx_cancelled(p->job->cx);
        while (rc == TWX_OK && p->idle.n > 0 && twx_key_ranges_take(&p->ranges, &range)) {
            twx_batch *b = p->idle.at[p->idle.n - 1];
            b->reads = true;
            b->read = (twx_range_read){.range = range};
            rc = twx_workers_give(p->workers, b);
            if (rc == TWX_OK) p->idle.n--;
        }
        if (rc == TWX_OK) rc = collect(p, true);
        twx_job_progress(p->job, p->reader.stage, "documents", p->reader.read,
                         total > p->reader.read ? total : 0);
    } while (rc == TWX_OK && (p->ranges.left.n > 0 || is_busy(p)));
    /* Ranges with rows that are too long are read one row at a time; in order of their keys, so
     * that the order of the warnings does not depend on the workers. */
    if (rc == TWX_OK && p->slow.n) qsort(p->slow.at, p->slow.n, sizeof *p->slow.at, by_first_key);
    for (size_t i = 0; rc == TWX_OK && i < p->slow.n; i++)
        rc = twx_document_reader_range(&p->reader, p->slow.at[i].first, p->slow.at[i].last);
    return rc;
}

/* ---- the documents that may have changed ----------------------------------- */

/* Reads the documents that may have changed: the queue if everything is signed; every row if
 * nothing is signed or changes can only be detected by a scan; else the keys of all rows, to find
 * those that are missing or stale. */
static twx_rc read_what_changed(pass *p, const twx_state *state, bool stored, int64_t mark) {
    const twx_sign_plan *plan = p->plan;
    bool complete = state->has_fingerprint && state->fingerprint == plan->fingerprint && stored;
    bool whole = !stored || plan->full || plan->feed == TWX_FEED_SCAN ||
                 twx_source_is_copied(p->o->source);
    p->counts.whole = whole;
    p->reader.want = whole ? TWX_WANT_WHOLE : TWX_WANT_IDENTITY;
    p->compares = stored;
    p->keeps_seen = stored || !twx_source_is_direct(p->o->source);
    twx_rc rc = TWX_OK;
    if (plan->feed == TWX_FEED_TRIGGER && !whole) {
        rc = read_queue(p, mark);
        if (rc == TWX_OK) rc = drain(p);
        if (rc != TWX_OK || complete) return rc;
        /* the following pass sees every document, including those of the queue */
        p->reader.read = p->reader.left_out = p->counts.bad_ids = 0;
    }
    /* Workers may read all rows by themselves if the keys are document numbers. With a rollback
     * journal several readers in turn would leave writers no moment without a lock. */
    bool divided = p->reader.want == TWX_WANT_WHOLE && (!p->compares || p->plan->full) &&
                   twx_source_is_direct(p->o->source) && twx_source_has_ranges(p->o->source);
    if (rc == TWX_OK && divided) rc = twx_db_is_wal(p->o->reader, &divided);
    if (rc == TWX_OK) rc = divided ? scan_ranges(p) : twx_document_reader_scan(&p->reader);
    if (rc == TWX_OK) rc = drain(p);
    if (rc == TWX_OK && p->keeps_seen) rc = check_unique(p);
    if (rc == TWX_OK && p->compares) rc = drop_unseen(p);
    return rc == TWX_OK ? flush(p) : rc;
}

/* ---- the pass ------------------------------------------------------------ */

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
    if (is_known(p, state) || p->plan->look) return TWX_OK;
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
    if (p->plan->look) return TWX_OK;
    const bool queued = mark > 0 && !p->o->trial;
    twx_rc rc = queued ? forget_changes(p, mark) : TWX_OK;
    if (known || rc != TWX_OK) return rc;
    rc = twx_turn_begin(p->o->writer);
    if (rc == TWX_OK)
        rc = twx_state_finish(p->o->generations, p->plan->fingerprint, while_signing(p, state));
    return twx_turn_end(p->o->writer, rc, false);
}

static twx_rc open_pass(pass *p) {
    const size_t jobs = twx_job_threads(p->job->settings), n = 2 * jobs + 2;
    const twx_work_kind kind = twx_signer_kind(&p->shared);
    twx_ctx *cx = p->job->cx;
    p->flushed_at = twx_job_clock();
    twx_rc rc = TWX_OK;
    p->shared.memo = p->plan->memo;
    if (!p->shared.memo)
        rc = twx_memo_open(cx, twx_job_memory(p->job->settings) / 4, &p->shared.memo);
    if (rc == TWX_OK && (!TWX_VEC_RESERVE(cx, &p->batches, n) || !TWX_VEC_RESERVE(cx, &p->idle, n)))
        rc = TWX_E_NOMEM;
    while (rc == TWX_OK && p->batches.n < n) {
        twx_batch *b = NULL;
        rc = twx_batch_open(cx, &b);
        if (rc == TWX_OK) p->batches.at[p->batches.n++] = p->idle.at[p->idle.n++] = b;
    }
    if (rc == TWX_OK) rc = twx_workers_open(cx, jobs, p->batches.n, &kind, &p->workers);
    return rc;
}

/* The workers first: after a failure some still have batches. */
static void close_pass(pass *p) {
    twx_workers_close(p->workers);
    for (size_t i = 0; i < p->batches.n; i++) twx_batch_close(p->batches.at[i]);
    TWX_VEC_DONE(&p->batches);
    TWX_VEC_DONE(&p->idle);
    TWX_VEC_DONE(&p->seen);
    TWX_VEC_DONE(&p->slow);
    twx_key_ranges_done(&p->ranges);
    TWX_VEC_DONE(&p->rows);
    TWX_VEC_DONE(&p->gone);
    twx_arena_done(&p->arena);
    if (p->shared.memo != p->plan->memo) twx_memo_close(p->shared.memo);
}

twx_rc twx_sign(const twx_job *job, twx_opened *o, const twx_sign_plan *plan, twx_docs *ret_changed,
                twx_sign_counts *ret_counts) {
    pass p = {
        .job = job,
        .o = o,
        .plan = plan,
        .shared = {.job = job, .opened = o, .plan = plan},
        .changed = ret_changed,
        .reader = {.job = job,
                   .source = o->source,
                   .stage = "read and sign",
                   .too_long = "the document gets no flags",
                   .select = select_row,
                   .take = take_row,
                   .prepare = make_room,
                   .gone = note_gone},
    };
    twx_state state;
    int64_t first = 0, mark = 0;
    size_t stored = 0; /* 1: there are signatures */
    p.reader.arg = &p;
    twx_arena_init(&p.arena, ARENA_KEEP);
    twx_rc rc = twx_state_read(o->generations, &state);
    if (rc == TWX_OK) rc = twx_signatures_docs(o->signatures, INT64_MIN, &first, 1, &stored);
    /* a scan, too, empties a queue that cannot have every change */
    if (rc == TWX_OK && plan->queued && o->changes) rc = twx_changes_mark(o->changes, &mark);
    if (rc == TWX_OK) rc = open_pass(&p);
    if (rc == TWX_OK) rc = start(&p, &state);
    if (rc == TWX_OK) rc = read_what_changed(&p, &state, stored > 0, mark);
    if (rc == TWX_OK) rc = finish(&p, &state, mark);
    close_pass(&p);
    p.counts.read = p.reader.read;
    p.counts.too_long = p.reader.left_out;
    if (rc == TWX_OK) *ret_counts = p.counts;
    return rc;
}
