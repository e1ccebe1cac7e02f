/* What a result changes: the rows of a judged document set, the differences between them and what
 * is published, their counts for the summary and for the guard against losses, and how a run knows
 * without judging that there would be none. */
#include "run/internal.h"

/* ==== judged */

static int by_doc(const void *a, const void *b, void *arg) {
    const twx_doc_table *p = arg;
    int64_t x = p->at.at[*(const uint32_t *)a].doc, y = p->at.at[*(const uint32_t *)b].doc;
    return (x > y) - (x < y);
}

/* Lists the documents of each store, and sorts those whose numbers do not ascend with their ids. */
static void list_documents(const twx_doc_table *p, twx_judged *const *judged, size_t n) {
    for (size_t i = 0; i < p->at.n; i++) {
        twx_judged *of = judged[p->at.at[i].store];
        of->by_doc[of->n++] = (uint32_t)i;
    }
    for (size_t m = 0; m < n; m++) {
        const uint32_t *order = judged[m]->by_doc;
        bool ordered = true;
        for (size_t k = 1; k < judged[m]->n; k++)
            ordered &= p->at.at[order[k - 1]].doc < p->at.at[order[k]].doc;
        if (!ordered)
            qsort_r(judged[m]->by_doc, judged[m]->n, sizeof *order, by_doc, (void *)(uintptr_t)p);
    }
}

twx_rc twx_judged_order(twx_ctx *cx, const twx_doc_set *j, const twx_judge_options *options,
                        twx_judged *const *ret_judged, size_t n) {
    const twx_doc_table *p = &j->docs;
    bool ordered = n == 1;
    for (size_t m = 0; m < n; m++) *ret_judged[m] = (twx_judged){.j = j, .options = options};
    for (size_t i = 0; i < p->at.n; i++) {
        ret_judged[p->at.at[i].store]->n++;
        ordered &= i == 0 || p->at.at[i - 1].doc < p->at.at[i].doc;
    }
    if (ordered) return TWX_OK;
    for (size_t m = 0; m < n; m++) {
        twx_judged *of = ret_judged[m];
        of->by_doc = twx_malloc(cx, (of->n + 1) * sizeof *of->by_doc);
        if (!of->by_doc) return TWX_E_NOMEM;
        of->n = 0;
    }
    list_documents(p, ret_judged, n);
    return TWX_OK;
}

void twx_judged_done(twx_judged *judged) {
    twx_free(judged->by_doc);
    judged->by_doc = NULL;
}

/* Withdrawn documents have no flags. */
static twx_rc next_judged(void *arg, twx_flag_row *ret_row, uint32_t *ret_index) {
    twx_judged *judged = arg;
    while (judged->at < judged->n) {
        const uint32_t index = twx_judged_index(judged, judged->at++);
        if (twx_is_withdrawn(judged->j, index)) continue;
        twx_judged_row(judged->j, judged->options, index, ret_row);
        *ret_index = index;
        return TWX_OK;
    }
    return TWX_DONE;
}

static twx_rc rewind_judged(void *arg) {
    twx_judged *judged = arg;
    judged->at = 0;
    return TWX_OK;
}

static int64_t doc_at(const twx_judged *judged, size_t at) {
    return judged->j->docs.at.at[twx_judged_index(judged, at)].doc;
}

static twx_rc find_judged(void *arg, int64_t doc, twx_flag_row *ret_row) {
    twx_judged *judged = arg;
    uint32_t index = 0;
    while (judged->at < judged->n && doc_at(judged, judged->at) < doc) judged->at++;
    if (judged->at == judged->n || doc_at(judged, judged->at) != doc ||
        twx_is_withdrawn(judged->j, twx_judged_index(judged, judged->at)))
        return TWX_DONE;
    return next_judged(judged, ret_row, &index);
}

twx_flag_rows twx_judged_rows(twx_judged *judged) {
    return (twx_flag_rows){judged, rewind_judged, next_judged, find_judged};
}

/* ==== flag_changes */

/* Published and judged rows are merged by their numbers. A number that only one side has is a
 * difference; the next row of the other side is kept for the next step. */

enum { BATCHES = 3, BATCH_ROWS = 1024, ASK_EVERY = 4096 /* pairs between two checks for a stop */ };

typedef struct row_batch {
    size_t n; /* 0: there are no more rows */
    twx_flag_row rows[BATCH_ROWS];
    uint32_t index[BATCH_ROWS]; /* of the documents of judged rows */
} row_batch;

/* The stored rows, or those of a result, which another thread reads or makes ahead in batches. */
typedef struct rows_ahead {
    const twx_flag_rows *judged; /* NULL: the stored ones */
    twx_flags_cursor cursor;
    twx_workers *reader;
    row_batch *batches;
    void *batch; /* the one that is used; NULL: none was read */
    size_t at;   /* in it */
} rows_ahead;

static twx_rc read_batch(twx_ctx *cx, void *state, void *item) {
    rows_ahead *r = state;
    row_batch *b = item;
    twx_rc rc = TWX_OK;
    if (!r->judged) return twx_flags_cursor_fill(cx, &r->cursor, b->rows, BATCH_ROWS, &b->n);
    for (b->n = 0; rc == TWX_OK && b->n < BATCH_ROWS; b->n += rc == TWX_OK)
        rc = r->judged->next(r->judged->arg, &b->rows[b->n], &b->index[b->n]);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc begin_ahead(twx_ctx *cx, const twx_flag_base *base, rows_ahead *r) {
    const twx_work_kind kind = {
        .work = read_batch, .arg = r, .inline_if_one = base->threads <= 1, .in_order = true};
    const size_t n = base->threads > 1 ? BATCHES : 1;
    r->batches = twx_calloc(cx, n, sizeof *r->batches);
    if (!r->batches) return TWX_E_NOMEM;
    twx_rc rc = twx_flags_cursor_init(cx, base->g, base->generation, &r->cursor);
    if (rc == TWX_OK) rc = twx_workers_open(cx, 1, n, &kind, &r->reader);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = twx_workers_give(r->reader, &r->batches[i]);
    return rc;
}

/* NULL: there are no more. */
static twx_rc next_ahead(rows_ahead *r, const twx_flag_row **ret_row) {
    const row_batch *b = r->batch;
    twx_rc rc = TWX_OK;
    if (!b || (b->n && r->at == b->n)) {
        rc = twx_workers_next(r->reader, &r->batch);
        b = r->batch;
        r->at = 0;
    }
    *ret_row = rc == TWX_OK && r->at < b->n ? &b->rows[r->at++] : NULL;
    return rc;
}

static void end_ahead(rows_ahead *r) {
    twx_workers_close(r->reader);
    twx_flags_cursor_done(&r->cursor);
    twx_free(r->batches);
}

/* The change of a document whose row is known to differ from what is stored, or to be new or gone
 * (fresh NULL). */
static twx_rc change_of(const twx_flag_base *base, int64_t doc, bool is_stored,
                        const twx_flag_row *fresh, uint32_t index, twx_flag_change_fn *fn,
                        void *arg) {
    twx_flag_row row;
    twx_rc rc = is_stored ? twx_flags_get(base->g, base->generation, doc, &row) : TWX_DONE;
    const twx_flag_row *stored = rc == TWX_OK ? &row : NULL;
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    if ((!stored && !fresh) || (stored && fresh && twx_flag_row_eq(stored, fresh))) return TWX_OK;
    return fn(arg, &(twx_flag_change){stored, fresh, fresh ? index : TWX_NO_DOCUMENT});
}

twx_published_row twx_published_row_of(const twx_flag_row *row) {
    const twx_slice bytes = {(const char *)row->v, sizeof row->v};
    return (twx_published_row){row->doc, twx_hash64(bytes, row->known)};
}

/* Where only the numbers of large groups may differ, the row follows from those that are stored.
 * row: as it is stored; becomes that row. */
static twx_rc change_of_numbers(const twx_group_counts *counts, twx_flag_row *row,
                                const twx_flag_row *fresh, uint32_t index, twx_flag_change_fn *fn,
                                void *arg) {
    const twx_rc rc = twx_group_counts_fill(NULL, counts, NULL, row);
    return rc == TWX_OK && !twx_flag_row_eq(row, fresh)
               ? fn(arg, &(twx_flag_change){row, fresh, index})
               : rc;
}

/* Reads of the stored rows only those whose hashes differ. */
static twx_rc changes_of_published(twx_ctx *cx, const twx_flag_rows *rows,
                                   const twx_flag_base *base, twx_group_counts *counts,
                                   twx_flag_change_fn *fn, void *arg) {
    const twx_published *was = base->published;
    twx_published made = {0};
    rows_ahead judged = {.judged = rows};
    const twx_flag_row *row = NULL;
    size_t at = 0;
    twx_rc rc = rows->rewind(rows->arg);
    if (rc == TWX_OK) rc = begin_ahead(cx, base, &judged);
    while (rc == TWX_OK) {
        rc = next_ahead(&judged, &row);
        for (; rc == TWX_OK && at < was->rows.n && (!row || was->rows.at[at].doc < row->doc); at++)
            rc = change_of(base, was->rows.at[at].doc, true, NULL, TWX_NO_DOCUMENT, fn, arg);
        if (rc != TWX_OK || !row) break;
        const uint32_t index = ((const row_batch *)judged.batch)->index[judged.at - 1];
        twx_flag_row room;
        const twx_flag_row *stored = twx_flag_row_stored(row, &room);
        const twx_published_row own = twx_published_row_of(stored);
        const bool is_large = stored == &room;
        const bool is_stored = at < was->rows.n && was->rows.at[at].doc == row->doc;
        const bool is_same = is_stored && was->rows.at[at].hash == own.hash;
        if (counts && is_large) rc = twx_group_counts_add(cx, counts, row);
        if (rc == TWX_OK && is_same && is_large)
            rc = change_of_numbers(&judged.cursor.counts, &room, row, index, fn, arg);
        else if (rc == TWX_OK && !is_same)
            rc = change_of(base, row->doc, is_stored, row, index, fn, arg);
        at += is_stored;
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &made.rows, own)) rc = TWX_E_NOMEM;
        if (rc == TWX_OK && made.rows.n % ASK_EVERY == 0) rc = twx_cancelled(cx);
    }
    end_ahead(&judged);
    TWX_VEC_DONE(&base->published->rows);
    *base->published = made;
    return rc;
}

twx_rc twx_published_read(twx_ctx *cx, const twx_flag_rows *rows, twx_published *ret_published) {
    twx_flag_row row, room;
    uint32_t index = 0;
    twx_rc rc = rows->rewind(rows->arg);
    *ret_published = (twx_published){.rows = ret_published->rows};
    ret_published->rows.n = 0;
    while (rc == TWX_OK && (rc = rows->next(rows->arg, &row, &index)) == TWX_OK) {
        const twx_published_row own = twx_published_row_of(twx_flag_row_stored(&row, &room));
        if (!TWX_VEC_PUSH(cx, &ret_published->rows, own)) rc = TWX_E_NOMEM;
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_flag_changes(twx_ctx *cx, const twx_flag_rows *rows, const twx_flag_base *base,
                        twx_group_counts *counts, twx_flag_change_fn *fn, void *arg) {
    if (base->published) return changes_of_published(cx, rows, base, counts, fn, arg);
    rows_ahead published = {0};
    twx_flag_row row;
    const twx_flag_row *stored = NULL, *judged = NULL;
    uint32_t index = TWX_NO_DOCUMENT;
    twx_rc rc = rows->rewind(rows->arg);
    if (rc == TWX_OK) rc = begin_ahead(cx, base, &published);
    for (uint64_t n = 1; rc == TWX_OK; n++) {
        const bool wanted = !judged;
        if (wanted) rc = rows->next(rows->arg, &row, &index);
        if (rc == TWX_OK) judged = &row;
        if (rc == TWX_OK && wanted && counts) rc = twx_group_counts_add(cx, counts, &row);
        if (rc == TWX_DONE) rc = TWX_OK;
        if (rc == TWX_OK && !stored) rc = next_ahead(&published, &stored);
        if (rc != TWX_OK || (!stored && !judged)) break;
        const twx_flag_row *fresh = stored && judged && stored->doc < judged->doc ? NULL : judged,
                           *was = judged && stored && judged->doc < stored->doc ? NULL : stored;
        if (!was || !fresh || !twx_flag_row_eq(was, fresh))
            rc = fn(arg, &(twx_flag_change){was, fresh, fresh ? index : TWX_NO_DOCUMENT});
        if (was) stored = NULL;
        if (fresh) judged = NULL;
        if (rc == TWX_OK && n % ASK_EVERY == 0) rc = twx_cancelled(cx);
    }
    end_ahead(&published);
    return rc;
}

/* The same of the documents of other stores, of which there are few. */
twx_rc twx_remote_changes(const twx_remote_rows *rows, twx_db *db, char generation,
                          twx_remote_change_fn *fn, void *arg) {
    twx_remotes_cursor published = {0};
    twx_remote row;
    const twx_remote *stored = NULL, *judged = NULL;
    twx_rc rc = rows->rewind(rows->arg);
    if (rc == TWX_OK) rc = twx_remotes_cursor_init(db, generation, &published);
    while (rc == TWX_OK) {
        if (!judged) rc = rows->next(rows->arg, &row);
        if (rc == TWX_OK) judged = &row;
        if (rc == TWX_DONE) rc = TWX_OK;
        if (rc == TWX_OK && !stored) rc = twx_remotes_cursor_next(&published, &stored);
        if (rc != TWX_OK || (!stored && !judged)) break;
        const twx_remote *fresh = stored && judged && stored->doc < judged->doc ? NULL : judged,
                         *was = judged && stored && judged->doc < stored->doc ? NULL : stored;
        if (!was || !fresh || !twx_remote_eq(was, fresh)) rc = fn(arg, was, fresh);
        if (was) stored = NULL;
        if (fresh) judged = NULL;
    }
    twx_remotes_cursor_done(&published);
    return rc;
}

/* ==== count_changes */

typedef struct counting {
    twx_ctx *cx;
    const twx_doc_set *j;
    twx_summary *summary;
    uint64_t *by_host;       /* changed flags, by index of the host; NULL: not counted */
    twx_change_notes *notes; /* NULL: not listed */
    twx_docs *differ;        /* gets the documents to be written; NULL: not wanted */
} counting;

/* As twx_is_hidden(), of a row; NULL: the document has no flags. */
static bool is_hidden(const twx_flag_row *row) {
    return row && row->v[TWX_FLAG_eligibility] == TWX_ELIGIBLE &&
           twx_flag_known(row, TWX_FLAG_duplicate_of);
}

/* Must the row itself be written, because more differs than what large groups share? */
static bool is_written(const twx_flag_change *change) {
    if (!change->stored || !change->fresh || change->stored->known & TWX_FLAG_STATED) return true;
    twx_flag_row rooms[2];
    return !twx_flag_row_eq(twx_flag_row_stored(change->stored, &rooms[0]),
                            twx_flag_row_stored(change->fresh, &rooms[1]));
}

static twx_rc count(void *arg, const twx_flag_change *change) {
    counting *c = arg;
    twx_summary *s = c->summary;
    s->changed++;
    s->hidden_before += is_hidden(change->stored);
    s->hidden_before -= is_hidden(change->fresh);
    for (size_t i = 0; i < TWX_FLAGS; i++) {
        if (!twx_flag_differs(twx_flag_at(i), change->stored, change->fresh)) continue;
        s->changed_flags[i]++;
        if (c->by_host && change->fresh) c->by_host[c->j->docs.at.at[change->index].host]++;
    }
    if (c->differ && is_written(change) &&
        !TWX_VEC_PUSH(c->cx, c->differ, change->fresh ? change->fresh->doc : change->stored->doc))
        return TWX_E_NOMEM;
    return c->notes ? twx_change_note(c->notes, change->stored, change->fresh) : TWX_OK;
}

TWX_ORDER(by_changed_flags, twx_host_flag_changes,
          TWX_DOWN_THEN(changed_flags, strcmp(a->host, b->host)))

static twx_rc list_hosts(counting *c) {
    const twx_doc_table *p = &c->j->docs;
    TWX_VEC(twx_host_flag_changes) all = {0};
    twx_rc rc = TWX_OK;
    for (size_t h = 0; rc == TWX_OK && h < p->hosts.n; h++) {
        twx_host_flag_changes row = {
            .host = twx_strndup(c->cx, p->hosts.at[h].name.p, p->hosts.at[h].name.n),
            .changed_flags = c->by_host[h]};
        if (!row.host || !TWX_VEC_PUSH(c->cx, &all, row)) {
            rc = TWX_E_NOMEM;
            twx_free(row.host);
        }
    }
    for (uint32_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        all.at[p->at.at[i].host].documents++;
        all.at[p->at.at[i].host].hidden += twx_is_hidden(c->j, i);
    }
    if (rc == TWX_OK && all.n) qsort(all.at, all.n, sizeof *all.at, by_changed_flags);
    for (size_t h = 0; h < all.n; h++) {
        bool shown = rc == TWX_OK && all.at[h].changed_flags > 0;
        if (shown && !TWX_VEC_PUSH(c->cx, &c->summary->hosts, all.at[h])) rc = TWX_E_NOMEM;
        if (!shown || rc != TWX_OK) twx_free(all.at[h].host);
    }
    TWX_VEC_DONE(&all);
    return rc;
}

twx_generations *twx_run_store_published(const twx_run_store *m) {
    return m->o.trial ? m->o.published : m->o.generations;
}

twx_db *twx_run_store_published_db(const twx_run_store *m) {
    return m->o.trial ? m->o.published_db : m->o.writer;
}

static twx_rc count_store(counting *c, twx_run_store *m) {
    const twx_flag_rows rows = twx_judged_rows(&m->judged);
    const uint64_t before = c->summary->changed;
    m->differ.n = 0;
    twx_group_counts_done(&m->counts_of_groups);
    c->differ = m->state.generation && !m->options->dry_run ? &m->differ : NULL;
    twx_kept *kept = m->judged.options->kept;
    const bool is_known = kept && m->state.generation && kept->published.run &&
                          kept->published.run == m->state.run[m->state.generation == 'b'];
    const twx_flag_base base = {twx_run_store_published(m), m->state.generation,
                                m->judged.options->threads, is_known ? &kept->published : NULL};
    twx_rc rc = twx_flag_changes(c->cx, &rows, &base, &m->counts_of_groups, count, c);
    if (rc == TWX_OK && kept && !is_known) rc = twx_published_read(c->cx, &rows, &kept->published);
    m->changed = c->summary->changed - before;
    return rc;
}

static twx_rc list_changes(counting *c, twx_run_stores *all, const twx_judge_options *how) {
    twx_listing_store *stores = twx_calloc(c->cx, all->at.n, sizeof *stores);
    if (!stores) return TWX_E_NOMEM;
    for (size_t i = 0; i < all->at.n; i++) {
        twx_run_store *m = all->at.at[i];
        stores[i] = (twx_listing_store){&m->o, twx_run_store_published_db(m), m->shard};
    }
    const twx_listing where = {.stores = stores, .j = c->j, .pins = how->pins};
    const twx_rc rc = twx_change_notes_list(c->notes, &where, &c->summary->changes);
    twx_free(stores);
    return rc;
}

twx_rc twx_count_changes(twx_run_stores *all, const twx_doc_set *j, const twx_judge_options *how,
                         twx_summary *ret_summary) {
    const twindex_run_options *options = all->options;
    twx_ctx *cx = all->job->cx;
    twx_summary *summary = ret_summary;
    twx_change_notes notes = {.cx = cx, .relations = how->relations, .limit = options->limit};
    counting c = {.cx = cx, .j = j, .summary = summary, .notes = options->list ? &notes : NULL};
    summary->changed = 0;
    summary->hidden_before = summary->hidden; /* count() subtracts the differences */
    memset(summary->changed_flags, 0, sizeof summary->changed_flags);
    summary->listed = options->list;
    if (options->dry_run) {
        c.by_host = twx_calloc(cx, j->docs.hosts.n, sizeof *c.by_host);
        if (!c.by_host) return TWX_E_NOMEM;
    }
    twx_rc rc = TWX_OK;
    for (size_t m = 0; rc == TWX_OK && m < all->at.n; m++) {
        notes.store = (uint16_t)m;
        rc = count_store(&c, all->at.at[m]);
    }
    if (rc == TWX_OK) rc = twx_doc_set_error(cx, j);
    if (rc == TWX_OK && c.by_host) rc = list_hosts(&c);
    if (rc == TWX_OK && options->list) rc = list_changes(&c, all, how);
    twx_change_notes_done(&notes);
    twx_free(c.by_host);
    return rc;
}

/* ==== losses */

/* Where the counts of a generation are added. */
typedef struct adding {
    twx_ctx *cx;
    twx_losses *losses;
} adding;

static twx_rc take_count(void *arg, const twx_site_count *count) {
    adding *c = arg;
    twx_site_before row = {{twx_strndup(c->cx, count->site.p, count->site.n), count->site.n},
                           count->documents};
    if (row.name.p && TWX_VEC_PUSH(c->cx, &c->losses->before, row)) return TWX_OK;
    twx_free((char *)(uintptr_t)row.name.p);
    return TWX_E_NOMEM;
}

twx_rc twx_losses_read(twx_ctx *cx, twx_generations *g, char generation, twx_losses *losses) {
    adding c = {cx, losses};
    return twx_generation_sites(g, generation, take_count, &c);
}

twx_rc twx_losses_add(twx_ctx *cx, twx_losses *losses, const twx_losses *other) {
    adding c = {cx, losses};
    twx_map64 by_name = {0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < losses->before.n; i++)
        rc = twx_map64_put(cx, &by_name, twx_hash64(losses->before.at[i].name, 0), i);
    for (size_t i = 0; rc == TWX_OK && i < other->before.n; i++) {
        const twx_site_before *theirs = &other->before.at[i];
        uint64_t at = 0;
        if (twx_map64_get(&by_name, twx_hash64(theirs->name, 0), &at))
            losses->before.at[at].documents += theirs->documents;
        else
            rc = take_count(&c, &(twx_site_count){theirs->name, theirs->documents});
    }
    twx_map64_done(&by_name);
    return rc;
}

static twx_rc push_counts(twx_ctx *cx, const twx_doc_set *j, const twx_sites *sites,
                          const uint64_t *counts, uint32_t min_documents, twx_losses *losses) {
    twx_site_count whole = {TWX_WHOLE_STORE, 0};
    for (size_t k = 0; k < sites->at.n; k++) {
        const twx_site *site = &sites->at.at[k];
        whole.documents += counts[k];
        if (site->documents < min_documents || counts[k] == 0) continue;
        const twx_site_count row = {twx_site_name(j, site), counts[k]};
        if (!TWX_VEC_PUSH(cx, &losses->now, row)) return TWX_E_NOMEM;
    }
    return TWX_VEC_PUSH(cx, &losses->now, whole) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_losses_count(twx_ctx *cx, const twx_judged *judged, uint32_t min_documents,
                        twx_losses *losses) {
    const twx_doc_set *j = judged->j;
    twx_sites sites = {0};
    uint64_t *counts = NULL;
    losses->now.n = 0;
    twx_rc rc = twx_sites_make(cx, j, &sites);
    if (rc == TWX_OK) counts = twx_calloc(cx, sites.at.n + 1, sizeof *counts);
    if (rc == TWX_OK && !counts) rc = TWX_E_NOMEM;
    for (size_t at = 0; rc == TWX_OK && at < judged->n; at++) {
        const uint32_t i = twx_judged_index(judged, at);
        if (j->links.eligibility[i] == TWX_ELIGIBLE) counts[sites.of_host[j->docs.at.at[i].host]]++;
    }
    if (rc == TWX_OK) rc = push_counts(cx, j, &sites, counts, min_documents, losses);
    twx_free(counts);
    twx_sites_done(&sites);
    return rc;
}

void twx_losses_done(twx_losses *losses) {
    for (size_t i = 0; i < losses->before.n; i++)
        twx_free((char *)(uintptr_t)losses->before.at[i].name.p);
    TWX_VEC_DONE(&losses->before);
    TWX_VEC_DONE(&losses->now);
}

/* ==== ledger */

/* A file can change while its name stays. */
static json_t *file_json(const char *path, uint64_t fingerprint) {
    return json_pack("{s:o, s:I}", "file", twx_json_slice(twx_slice_of(path)), "fingerprint",
                     (json_int_t)fingerprint);
}

/* Do flags depend on the setting? */
static bool decides_flags(const char *name) {
    static const char *const OTHERS[] = {"compat",      "run.",        "cluster.",
                                         "guard.",      "mirrors.",    "index.",
                                         "follow.",     "import.",     "store.accept_mapping",
                                         "store.feed",  "store.flags", "store.joined_view",
                                         "verdict.pins"};
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++)
        if (strncmp(name, OTHERS[i], strlen(OTHERS[i])) == 0) return false;
    return true;
}

json_t *twx_ledger_settings(const twx_settings *s, const twx_judge_options *o, uint64_t signed_by) {
    const twindex_setting *row = NULL;
    json_t *all = json_object();
    twx_buf value = {.max = SIZE_MAX / 4};
    twx_ctx cx = {0};
    for (size_t i = 0; (row = twx_settings_at(i)); i++) {
        if (!decides_flags(row->name)) continue;
        twx_buf_clear(&value);
        if (twx_settings_get(&cx, s, row->name, &value) == TWX_OK &&
            !twx_slice_eq(twx_buf_slice(&value), twx_slice_of(row->default_value)))
            json_object_set_new(all, row->name, twx_json_slice(twx_buf_slice(&value)));
    }
    twx_buf_done(&value);
    if (o->pins)
        json_object_set_new(all, "verdict.pins",
                            file_json(twx_pins_path(o->pins), twx_pins_fingerprint(o->pins)));
    if (o->parameters)
        json_object_set_new(all, "parameters.model",
                            file_json(twx_parameters_path(o->parameters),
                                      twx_parameters_fingerprint(o->parameters)));
    json_object_set_new(all, "signatures", json_integer((json_int_t)signed_by));
    return all;
}

/* ==== unchanged */

uint64_t twx_judged_fingerprint(const twx_run_stores *all) {
    uint64_t f = twx_mix64(twx_hash64(twx_slice_of(TWINDEX_VERSION), 0), TWX_JUDGE_VERSION);
    for (size_t i = 0; i < all->at.n; i++) {
        const twx_run_store *m = all->at.at[i];
        if (m->shard.p) f = twx_mix64(f, twx_hash64(m->shard, 0));
        f = twx_mix64(f, m->sign.fingerprint);
    }
    return twx_mix64(f, twx_settings_fingerprint(all->job->settings));
}

bool twx_is_one_result(const twx_run_stores *all) {
    const size_t n = all->at.n;
    int64_t run = 0;
    for (size_t i = 0; i < n; i++) {
        const twx_run_store *m = all->at.at[i];
        if (!m->state.generation) return false;
        const int64_t of = m->place.run[m->state.generation == 'b'];
        if (n > 1 && (of == 0 || (i > 0 && of != run))) return false;
        run = of;
    }
    return true;
}

/* ret_counts: of the ledger; none: they, or the fingerprint, are not known. */
static twx_rc read_judged(twx_generations *g, uint64_t *ret_stored, twx_buf *ret_counts) {
    twx_buf_clear(ret_counts);
    const twx_rc rc = twx_state_judged(g, ret_stored, ret_counts);
    if (rc == TWX_DONE) twx_buf_clear(ret_counts);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_is_judged(const twx_run_stores *all, const twx_judge_plan *plan, uint64_t fingerprint,
                     bool *ret_judged, twx_summary *ret_summary) {
    twx_ctx *cx = all->job->cx;
    bool judged = !plan->pins && twx_is_one_result(all);
    twx_rc rc = TWX_OK;
    twx_buf counts = {.max = SIZE_MAX - 1};
    for (size_t i = 0; rc == TWX_OK && judged && i < all->at.n; i++) {
        uint64_t stored = 0;
        rc = read_judged(all->at.at[i]->o.generations, &stored, &counts);
        if (rc == TWX_OK) rc = twx_summary_unpack(cx, twx_buf_slice(&counts), ret_summary, &judged);
        judged = judged && stored == fingerprint;
    }
    twx_buf_done(&counts);
    *ret_judged = rc == TWX_OK && judged;
    return rc;
}

static twx_rc keep(const twx_run_store *m, uint64_t fingerprint, twx_slice counts) {
    uint64_t stored = 0;
    twx_buf published = {.max = SIZE_MAX - 1};
    twx_rc rc = twx_turn_begin(m->o.writer);
    if (rc == TWX_OK) rc = read_judged(m->o.generations, &stored, &published);
    if (rc == TWX_OK && counts.n && stored != fingerprint &&
        twx_slice_eq(twx_buf_slice(&published), counts))
        rc = twx_state_set_judged(m->o.generations, &fingerprint);
    twx_buf_done(&published);
    return twx_turn_end(m->o.writer, rc, false);
}

twx_rc twx_keep_judged(const twx_run_stores *all, uint64_t fingerprint,
                       const twx_summary *summary) {
    twx_buf counts = {.max = TWX_COUNTS_BYTES};
    twx_rc rc = twx_summary_pack(all->job->cx, summary, &counts);
    for (size_t i = 0; rc == TWX_OK && i < all->at.n; i++)
        rc = keep(all->at.at[i], fingerprint, twx_buf_slice(&counts));
    twx_buf_done(&counts);
    return rc;
}
