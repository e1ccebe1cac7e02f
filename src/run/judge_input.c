/* What judging is given besides settings: the signed documents, and the texts that it asks for. */
#include "run/internal.h"

/* ==== judged_texts */

/* Several threads read at the same time, each on its own connections; one of them uses those of the
 * run. In rollback-journal mode all threads share these: a program that waits to commit keeps new
 * readers out until the readers that have begun have ended. */

enum {
    READS_AT_ONCE = 64, /* in one transaction, which takes and releases a lock, and pins the WAL */
    ALONE = 256         /* documents that one thread judges */
};

typedef struct read_store {
    twx_db *db;
    twx_source *source;
    int64_t signed_at;   /* data version while the rows are those that were signed; -1: unknown */
    int64_t compared_at; /* the same, since documents are marked in `compared` */
    uint8_t left;        /* reads until the transaction ends; 0: there is none */
    bool unchanged;      /* the version is signed_at, in this transaction */
} read_store;

typedef struct twx_text_reader {
    struct twx_text_reader *next;
    bool in_use;
    twx_ctx *cx, own; /* a reader that has connections of its own uses its own context */
    twx_workspace *workspace;
    uint64_t *compared;  /* bit by document: its digest was compared, and is the one signed */
    read_store stores[]; /* by number */
} twx_text_reader;

static bool is_of_run(const twx_text_reader *r) {
    return r->cx != &r->own;
}

static void end_reads(read_store *store) {
    if (store->left) twx_db_unpin(store->db);
    store->left = 0;
}

static twx_rc data_version(const twx_judged_texts *t, const twx_text_reader *r, uint16_t store,
                           int64_t *ret_version) {
    const twx_opened *o = t->stores[store].o;
    const bool by_writer = is_of_run(r) && !twx_is_separate(t->stores[store].job) && o->writer &&
                           !o->trial;
    return twx_db_data_version(by_writer ? o->writer : r->stores[store].db, ret_version);
}

/* Begins a transaction if there is none, and finds out whether another connection has written to
 * the store since its rows were signed. */
static twx_rc begin_reads(const twx_judged_texts *t, twx_text_reader *r, uint16_t number) {
    read_store *store = &r->stores[number];
    int64_t version = 0;
    if (!t->versions || store->left) return TWX_OK;
    twx_rc rc = twx_db_pin(store->db);
    store->left = READS_AT_ONCE;
    if (rc == TWX_OK) rc = data_version(t, r, number, &version);
    store->unchanged = version == store->signed_at;
    if (r->compared && version != store->compared_at)
        memset(r->compared, 0, (t->j->capacity / 64 + 1) * sizeof *r->compared);
    store->compared_at = version;
    if (rc != TWX_OK) end_reads(store);
    return rc;
}

static twx_rc is_signed(const twx_judged_texts *t, twx_text_reader *r, uint32_t i, twx_slice text,
                        bool *ret_signed) {
    unsigned char digest[TWX_SHA256_BYTES];
    const uint64_t bit = UINT64_C(1) << i % 64;
    if (!r->compared) r->compared = twx_calloc(r->cx, t->j->capacity / 64 + 1, sizeof bit);
    if (!r->compared) return TWX_E_NOMEM;
    *ret_signed = t->versions && r->compared[i / 64] & bit;
    if (*ret_signed) return TWX_OK;
    const twx_signed_as signed_as = twx_signed_as_of(t->j, i);
    const twx_rc rc = twx_sha256(r->cx, r->workspace, text, digest);
    *ret_signed = rc == TWX_OK && signed_as.known >> TWX_RELATION_EXACT & 1 &&
                  signed_as.sig[TWX_RELATION_EXACT] == twx_load_be64(digest);
    if (*ret_signed && t->versions) r->compared[i / 64] |= bit;
    return rc;
}

static twx_rc read_by(const twx_judged_texts *t, twx_text_reader *r, uint32_t i,
                      twx_buf *ret_text) {
    twx_doc_row row;
    twx_rc rc = twx_doc_row_of(r->cx, &t->j->docs, i, &row);
    if (rc != TWX_OK) return rc;
    twx_opened *o = t->stores[row.store].o;
    read_store *store = &r->stores[row.store];
    bool is = false;
    twx_value id = {.type = TWX_INT, .i = row.doc};
    rc = begin_reads(t, r, row.store);
    const bool unchanged = store->unchanged;
    if (rc == TWX_OK && !twx_source_is_direct(o->source)) rc = twx_id_of(o, row.doc, &id);
    if (rc == TWX_OK) rc = twx_source_text(store->source, &id, ret_text);
    if (is_of_run(r) && o->signatures)
        twx_signatures_release(o->signatures); /* the id pins the WAL */
    if (store->left && --store->left == 0) twx_db_unpin(store->db);
    if (rc != TWX_OK || unchanged) return rc;
    rc = is_signed(t, r, i, twx_buf_slice(ret_text), &is);
    return rc == TWX_OK && !is ? TWX_DONE : rc;
}

static void drop_reader(twx_judged_texts *t) {
    twx_text_reader *r = t->readers;
    for (size_t i = 0; !is_of_run(r) && i < t->n; i++) {
        twx_source_close(r->stores[i].source);
        twx_db_close(r->stores[i].db);
    }
    twx_workspace_close(r->workspace);
    twx_free(r->compared);
    t->readers = r->next;
    twx_free(r);
}

static twx_rc add_reader(twx_judged_texts *t, twx_ctx *cx, bool of_run) {
    twx_text_reader *r = twx_calloc(cx, 1, sizeof *r + t->n * sizeof *r->stores);
    if (!r) return TWX_E_NOMEM;
    r->cx = of_run ? cx : &r->own;
    r->own = (twx_ctx){.cancel = cx->cancel, .faults = cx->faults};
    r->next = t->readers;
    t->readers = r;
    return twx_workspace_open(r->cx, t->params, &r->workspace);
}

static twx_rc connect(const twx_judged_texts *t, twx_text_reader *r) {
    twx_rc rc = TWX_OK;
    for (uint16_t i = 0; rc == TWX_OK && i < t->n; i++) {
        read_store *store = &r->stores[i];
        rc = twx_open_source_again(r->cx, t->stores[i].job, t->stores[i].o, &store->db,
                                   &store->source);
        if (rc == TWX_OK) rc = twx_db_pin(store->db);
        if (rc == TWX_OK) rc = data_version(t, r, i, &store->signed_at);
        if (store->db) twx_db_unpin(store->db);
    }
    return rc;
}

/* Before the first text is read. Without memory or files for more there are fewer readers. */
static twx_rc add_readers(twx_judged_texts *t) {
    twx_text_reader *of_run = t->readers;
    twx_ctx cx = {.cancel = of_run->cx->cancel, .faults = of_run->cx->faults};
    size_t more = twx_job_threads(t->stores[0].job->settings) - 1;
    if (!t->versions || t->j->docs.at.n <= ALONE) more = 0;
    for (size_t i = 0; more && i < t->n; i++) {
        bool wal = false;
        const twx_rc rc = twx_db_is_wal(t->stores[i].o->reader, &wal);
        if (rc != TWX_OK) return rc;
        if (!wal || !twx_source_is_direct(t->stores[i].o->source)) more = 0;
    }
    for (; more; more--) {
        const twx_text_reader *last = t->readers;
        if (add_reader(t, &cx, false) == TWX_OK && connect(t, t->readers) == TWX_OK) continue;
        if (t->readers != last) drop_reader(t);
        break;
    }
    /* was the store as it was signed, when they looked? */
    for (uint16_t i = 0; t->readers != of_run && i < t->n; i++) {
        const twx_rc rc = begin_reads(t, of_run, i);
        if (rc != TWX_OK) return rc;
        for (twx_text_reader *r = t->readers; r != of_run; r = r->next)
            if (!of_run->stores[i].unchanged) r->stores[i].signed_at = -1;
    }
    t->opened = true;
    return TWX_OK;
}

static twx_rc read_text(void *arg, uint32_t i, twx_buf *ret_text) {
    twx_judged_texts *t = arg;
    twx_text_reader *r = NULL;
    pthread_mutex_lock(&t->lock);
    twx_rc rc = t->opened ? TWX_OK : add_readers(t);
    for (r = t->readers; r->in_use; r = r->next ? r->next : t->readers)
        if (!r->next) pthread_cond_wait(&t->free, &t->lock);
    r->in_use = true;
    pthread_mutex_unlock(&t->lock);
    if (rc == TWX_OK) rc = read_by(t, r, i, ret_text);
    pthread_mutex_lock(&t->lock);
    r->in_use = false;
    if (!is_of_run(r) && rc != TWX_OK) (void)!twx_ctx_take(t->stores[0].job->cx, r->cx);
    pthread_cond_signal(&t->free);
    pthread_mutex_unlock(&t->lock);
    return rc;
}

twx_rc twx_judged_texts_init(const twx_load_store *stores, size_t n, const twx_doc_set *j,
                             const twx_params *params, const int64_t *versions,
                             twx_judged_texts *ret_texts) {
    twx_judged_texts *t = ret_texts;
    *t = (twx_judged_texts){.source = {read_text, t, .any_thread = true},
                            .stores = stores,
                            .n = n,
                            .j = j,
                            .params = params,
                            .versions = versions,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .free = PTHREAD_COND_INITIALIZER};
    const twx_rc rc = add_reader(t, stores[0].job->cx, true);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        t->readers->stores[i] = (read_store){.db = stores[i].o->reader,
                                             .source = stores[i].o->source,
                                             .signed_at = versions ? versions[i] : -1};
    return rc;
}

void twx_judged_texts_rest(twx_judged_texts *t) {
    for (twx_text_reader *r = t->readers; r; r = r->next)
        for (size_t i = 0; i < t->n; i++) end_reads(&r->stores[i]);
}

void twx_judged_texts_done(twx_judged_texts *t) {
    if (!t) return;
    twx_judged_texts_rest(t);
    while (t->readers) drop_reader(t);
    *t = (twx_judged_texts){0};
}

/* ==== load */

/* Rows of twindex_signature are read in order of the source's id and added to the set
 * unchanged: a heap has the next row of each store. The set reserves memory for the initial
 * number of rows; an additional row means that another process is signing documents at the same
 * time.
 * While the caller's thread adds a batch of documents, another one reads and unpacks the next ones.
 * It alone uses the connections of the stores meanwhile. Its error is reported after the rows
 * before it were added, as if rows were read and added one by one. */

enum { BATCHES = 3, BATCH_ROWS = 4096, UNPACKED_ROWS = 64, BATCH_BYTES = 24 << 10 };

/* A store with its next row. */
typedef struct reading {
    twx_signatures_cursor *rows;
    twx_stored stored;
    twx_value id;
    uint16_t store;
} reading;

/* n documents of the set before; 0: the next one of docs. */
typedef struct loaded {
    uint32_t was, n;
} loaded;

typedef struct doc_batch {
    size_t n, rows; /* 0: all rows have been read */
    loaded at[BATCH_ROWS];
    size_t unpacked, filled; /* documents, and their bytes */
    twx_doc_unpacked docs[UNPACKED_ROWS];
    twx_arena bytes; /* of their slices */
} doc_batch;

typedef struct loader {
    twx_ctx *cx;
    const twx_load_store *stores;
    size_t n;
    twx_doc_set *j;
    reading *readings; /* by store */
    reading **heap;    /* those that have a row; the first has the lowest id */
    size_t waiting, rows;
    size_t failed, failed_read;
    uint32_t next_before; /* document of the set before */
    /* The documents that were signed since it was loaded, by number, ascending; if they are not
     * known, all rows are read */
    bool knows_changes;
    const int64_t *changes;
    size_t n_changes, next_change;
    doc_batch *batches;
} loader;

/* ---- the heap ------------------------------------------------------------ */

static void sift_down(loader *l, size_t at) {
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < l->waiting; child++) {
            const reading *a = l->heap[child], *b = l->heap[least];
            const int order = twx_value_compare(&a->id, &b->id);
            if (order ? order < 0 : a->store < b->store) least = child;
        }
        if (least == at) return;
        reading *moved = l->heap[at];
        l->heap[at] = l->heap[least];
        l->heap[least] = moved;
        at = least;
    }
}

/* ---- rows ---------------------------------------------------------------- */

/* Errors concern this store. TWX_DONE: it has no more rows. */
static twx_rc read_next(twx_ctx *cx, loader *l, reading *r) {
    const twx_load_store *from = &l->stores[r->store];
    l->failed_read = r->store;
    const twx_rc rc = twx_signatures_cursor_next(r->rows, &r->stored, &r->id);
    if (rc == TWX_OK && l->n > 1 && twx_is_remote(r->stored.doc))
        return twx_fail(cx, TWX_E_DATA,
                        "%s: the id %" PRId64
                        " is not possible in a run over several stores: documents of other stores "
                        "have numbers from -2^62 down",
                        from->job->store, r->stored.doc);
    return rc;
}

static twx_rc begin_all(twx_ctx *cx, void *arg, void **ret_state) {
    loader *l = *ret_state = arg;
    for (size_t m = 0; cx->rc == TWX_OK && m < l->n; m++) {
        const twx_opened *o = l->stores[m].o;
        reading *r = &l->readings[m];
        r->store = (uint16_t)m;
        l->failed_read = m;
        twx_rc rc = twx_signatures_cursor_open(o->signatures, twx_source_is_direct(o->source), cx,
                                               &r->rows);
        /* else the cursor only makes errors of the connection those of this thread */
        if (rc == TWX_OK && !l->knows_changes) rc = read_next(cx, l, r);
        if (rc == TWX_OK) l->heap[l->waiting++] = r;
    }
    for (size_t at = l->waiting / 2; at-- > 0;) sift_down(l, at);
    return cx->rc;
}

static void end_all(void *state) {
    const loader *l = state;
    for (size_t m = 0; m < l->n; m++) twx_signatures_cursor_close(l->readings[m].rows);
}

static twx_rc count_rows(twx_ctx *cx, loader *l, const reading *r, size_t n) {
    l->rows += n;
    return l->rows <= l->j->capacity
               ? TWX_OK
               : twx_fail(cx, TWX_E_BUSY, "%s: signatures were added while they were read",
                          l->stores[r->store].job->store);
}

static void carry(doc_batch *b, uint32_t was, uint32_t n) {
    loaded *last = b->n ? &b->at[b->n - 1] : NULL;
    b->rows += n;
    if (last && last->n && last->was + last->n == was)
        last->n += n;
    else
        b->at[b->n++] = (loaded){was, n};
}

static twx_rc unpack(twx_ctx *cx, loader *l, const reading *r, doc_batch *b) {
    twx_signed_document doc = {.store = r->store, .doc = r->stored.doc};
    l->failed_read = r->store;
    twx_rc rc = count_rows(cx, l, r, 1);
    if (rc != TWX_OK) return rc;
    const uint32_t was = l->j->before ? twx_doc_set_find_unchanged(
                                            l->j, doc.doc,
                                            twx_doc_set_hash(r->stored.facts, r->stored.record),
                                            &l->next_before)
                                      : TWX_NO_DOCUMENT;
    if (was != TWX_NO_DOCUMENT) {
        carry(b, was, 1);
        return TWX_OK;
    }
    rc = twx_arena_copy(cx, &b->bytes, r->stored.facts, &doc.facts);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &b->bytes, r->stored.record, &doc.record);
    if (rc == TWX_OK) rc = twx_doc_unpack(cx, l->j->options, &doc, &b->docs[b->unpacked]);
    if (rc != TWX_OK) return rc;
    b->at[b->n++] = (loaded){.n = 0};
    b->rows++;
    b->unpacked++;
    b->filled += doc.facts.n + doc.record.n;
    return rc;
}

static twx_rc next_row(twx_ctx *cx, loader *l, doc_batch *b) {
    reading *r = l->heap[0];
    twx_rc rc = unpack(cx, l, r, b);
    if (rc == TWX_OK) rc = read_next(cx, l, r);
    if (rc == TWX_DONE) l->heap[0] = l->heap[--l->waiting];
    if (l->waiting) sift_down(l, 0);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Without reading the rows of documents that are the same. */
static twx_rc next_change(twx_ctx *cx, loader *l, doc_batch *b) {
    const twx_doc_row *before = l->j->before->docs.at.at;
    const size_t n = l->j->before->docs.at.n;
    reading *r = &l->readings[0];
    const bool is_change = l->next_change < l->n_changes &&
                           (l->next_before == n ||
                            l->changes[l->next_change] <= before[l->next_before].doc);
    twx_rc rc = TWX_OK;
    if (is_change) {
        const int64_t doc = l->changes[l->next_change++];
        rc = twx_signatures_get(l->stores[0].o->signatures, doc, &r->stored);
        if (rc == TWX_OK) rc = unpack(cx, l, r, b);
        twx_signatures_release(l->stores[0].o->signatures);
        if (l->next_before < n && before[l->next_before].doc == doc) l->next_before++;
    } else if (l->next_before < n) {
        const size_t from = l->next_before, room = from + BATCH_ROWS - b->rows;
        size_t low = from, high = room < n ? room : n;
        TWX_BISECT(low, high,
                   l->next_change == l->n_changes ||
                       before[middle].doc < l->changes[l->next_change]);
        rc = count_rows(cx, l, r, low - from);
        if (rc == TWX_OK) carry(b, (uint32_t)from, (uint32_t)(low - from));
        l->next_before = (uint32_t)low;
    }
    l->waiting = l->next_before < n || l->next_change < l->n_changes;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc read_batch(twx_ctx *cx, void *state, void *item) {
    loader *l = state;
    doc_batch *b = item;
    twx_rc rc = cx->rc; /* of the batch before */
    b->n = b->rows = b->unpacked = b->filled = 0;
    twx_arena_reset(&b->bytes);
    while (rc == TWX_OK && l->waiting && b->rows < BATCH_ROWS && b->unpacked < UNPACKED_ROWS &&
           b->filled < BATCH_BYTES)
        rc = l->knows_changes ? next_change(cx, l, b) : next_row(cx, l, b);
    return b->n ? TWX_OK : rc;
}

static twx_rc add_all(loader *l, twx_workers *reader) {
    twx_rc rc = TWX_OK;
    void *item = NULL;
    for (size_t i = 0; rc == TWX_OK && i < BATCHES; i++)
        rc = twx_workers_give(reader, &l->batches[i]);
    while (rc == TWX_OK) {
        rc = twx_workers_next(reader, &item);
        if (rc != TWX_OK) l->failed = l->failed_read;
        const doc_batch *b = item;
        if (rc != TWX_OK || b->n == 0) break;
        rc = twx_cancelled(l->cx);
        for (size_t i = 0, next = 0; rc == TWX_OK && i < b->n; i++) {
            const loaded *at = &b->at[i];
            const twx_doc_unpacked *doc = at->n ? NULL : &b->docs[next++];
            l->failed = doc ? doc->from.store : 0; /* sets of one store are carried over */
            rc = doc ? twx_doc_set_add_unpacked(l->cx, l->j, doc)
                     : twx_doc_set_carry(l->cx, l->j, at->was, at->n);
        }
    }
    return rc;
}

TWX_ORDER_0(by_doc, int64_t)

/* How many documents there are: that decides by which bands near-duplicates are found. */
static twx_rc count_documents(loader *l, uint64_t *ret_documents) {
    twx_rc rc = TWX_OK;
    *ret_documents = 0;
    for (size_t m = 0; rc == TWX_OK && m < l->n; m++) {
        uint64_t more = 0;
        l->failed = m;
        rc = twx_signatures_count(l->stores[m].o->signatures, &more);
        *ret_documents += more;
    }
    return rc;
}

/* The same, by what has changed, each document once. */
static twx_rc take_changes(loader *l, twx_kept *kept, uint64_t *ret_documents) {
    twx_signatures *signatures = l->stores[0].o->signatures;
    const twx_doc_table *before = &kept->before->docs;
    int64_t *at = kept->changes.at;
    uint64_t documents = before->at.n;
    twx_rc rc = TWX_OK;
    if (kept->changes.n > 1) qsort(at, kept->changes.n, sizeof *at, by_doc);
    for (size_t i = 0; (rc == TWX_OK || rc == TWX_DONE) && i < kept->changes.n; i++) {
        twx_stored stored;
        size_t low = 0, high = before->at.n;
        if (l->n_changes && at[l->n_changes - 1] == at[i]) continue;
        TWX_BISECT(low, high, before->at.at[middle].doc < at[i]);
        documents -= low < before->at.n && before->at.at[low].doc == at[i];
        rc = twx_signatures_get(signatures, at[i], &stored);
        documents += rc == TWX_OK;
        at[l->n_changes++] = at[i];
    }
    twx_signatures_release(signatures);
    l->knows_changes = true;
    l->changes = at;
    *ret_documents = documents;
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_load(twx_ctx *cx, const twx_load_store *stores, size_t n, const twx_judge_plan *plan,
                size_t *ret_failed, twx_doc_set *ret_set) {
    loader l = {.cx = cx, .stores = stores, .n = n, .j = ret_set};
    const twx_work_kind kind = {.open = begin_all,
                                .work = read_batch,
                                .close = end_all,
                                .arg = &l,
                                .inline_if_one = plan->options.threads <= 1,
                                .in_order = true};
    twx_kept *kept = plan->options.kept;
    const bool knows = kept && kept->knows_changes && kept->before &&
                       twx_source_is_direct(stores[0].o->source);
    twx_workers *reader = NULL;
    uint64_t documents = 0;
    l.readings = twx_calloc(cx, n, sizeof *l.readings);
    l.heap = twx_calloc(cx, n, sizeof *l.heap);
    l.batches = twx_calloc(cx, BATCHES, sizeof *l.batches);
    twx_rc rc = l.readings && l.heap && l.batches ? TWX_OK : TWX_E_NOMEM;
    if (rc == TWX_OK)
        rc = knows ? take_changes(&l, kept, &documents) : count_documents(&l, &documents);
    if (rc == TWX_OK) {
        l.failed = n;
        rc = twx_doc_set_begin(cx, ret_set, &plan->options, (size_t)documents,
                               twx_job_memory(stores[0].job->settings));
    }
    l.knows_changes = l.knows_changes && ret_set->before; /* there may be no memory for it */
    if (rc == TWX_OK) rc = twx_workers_open(cx, 1, BATCHES, &kind, &reader);
    if (rc == TWX_OK) rc = add_all(&l, reader);
    twx_workers_close(reader);
    for (size_t i = 0; l.batches && i < BATCHES; i++) twx_arena_done(&l.batches[i].bytes);
    twx_free(l.batches);
    twx_free(l.readings);
    twx_free(l.heap);
    *ret_failed = l.failed;
    return rc != TWX_OK && l.failed < n ? twx_name_damaged(cx, stores[l.failed].job, rc) : rc;
}
