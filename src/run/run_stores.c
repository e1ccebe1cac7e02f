#include "run/internal.h"

#include <sys/stat.h>
#include <unistd.h>

/* ==== run_store */

/* ---- open --------------------------------------------------------------- */

static twx_rc make_plan(twx_run_store *m) {
    return twx_sign_plan_make(&m->job, &m->o, m->options->full, &m->sign);
}

/* Opens the store read-only, as far as a dry run of stored signatures needs it; m->stored says
 * whether that is enough. Otherwise the store is closed again. */
static twx_rc open_stored(twx_run_store *m) {
    const bool there = !twx_is_separate(&m->job) || access(twx_own_path(&m->job), F_OK) == 0;
    twx_state state = {0};
    if (!m->options->stored || !there) return TWX_OK;
    twx_rc rc = twx_open_store(&m->job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &m->o);
    if (rc == TWX_OK) rc = make_plan(m);
    if (rc == TWX_OK && m->o.generations) rc = twx_state_read(m->o.generations, &state);
    if (rc != TWX_OK) return rc;
    /* every document is signed as the settings require */
    m->stored = state.has_fingerprint && state.fingerprint == m->sign.fingerprint;
    if (m->stored) return TWX_OK;
    twx_sign_plan_done(&m->sign);
    twx_opened_done(&m->o);
    return TWX_OK;
}

static twx_rc open_tables(twx_run_store *m) {
    /* twx_check_store() has checked the store; a file of --flags is another one */
    const unsigned tables = TWX_NEED_TABLES |
                            (twx_is_separate(&m->job) && m->checks ? TWX_NEED_SOUND : 0);
    const unsigned needs = TWX_NEED_SOURCE | (m->options->dry_run ? TWX_NEED_TRIAL : tables);
    twx_rc rc = twx_open_store(&m->job, needs, &m->o);
    return rc == TWX_OK ? make_plan(m) : rc;
}

static twx_rc read_published(twx_run_store *m) {
    twx_generations *published = twx_run_store_published(m);
    if (!published) return TWX_OK;
    twx_rc rc = twx_state_read(published, &m->state);
    if (rc == TWX_OK)
        rc = twx_store_place_read(twx_run_store_published_db(m), &m->names, &m->place);
    return rc == TWX_OK && m->state.generation
               ? twx_losses_read(m->job.cx, published, m->state.generation, &m->losses)
               : rc;
}

/* Checks and opens the store, and plans signing. A store that fails the checks is unchanged. */
static twx_rc store_open(twx_run_store *m, twx_summary *summary) {
    twx_memo *ahead = NULL;
    bool is_signed = twx_is_separate(&m->job);
    const twindex_run_options *how = m->options;
    m->checks = (!how->stored || m->job.settings->run_check != TWX_CHECKED_AUTO) &&
                twx_is_check_due(&m->job, m->lock, how->full || how->verify);
    twx_rc rc = twx_open_store(&m->job, TWX_NEED_SOURCE, &m->o);
    if (rc == TWX_OK && !is_signed) rc = twx_db_has(m->o.reader, "twindex_signature", &is_signed);
    if (rc == TWX_OK)
        rc = twx_check_store(&m->job, &m->o, m->checks, summary,
                             m->options->full || !is_signed ? &ahead : NULL);
    twx_opened_done(&m->o);
    if (rc == TWX_OK) rc = open_stored(m);
    if (rc == TWX_OK && !m->stored) rc = open_tables(m);
    if (rc == TWX_OK) rc = read_published(m);
    /* publishing would drop a user's view that has one of our names */
    if (rc == TWX_OK && !m->options->dry_run) rc = twx_check_names(&m->job, m->o.writer, &m->state);
    m->sign.memo = ahead;
    return rc;
}

/* rc: how the work on the store ended. */
static void store_close(twx_run_store *m, twx_rc rc) {
    if (!m) return;
    /* after a failure the next run checks the file; a guard is no failure of the file */
    const bool ended = rc == TWX_OK || rc == TWX_E_GUARD;
    if (m->lock && (!ended || m->checks)) twx_lock_set_checked(m->lock, ended);
    twx_judged_done(&m->judged);
    TWX_VEC_DONE(&m->differ);
    twx_group_counts_done(&m->counts_of_groups);
    twx_losses_done(&m->losses);
    twx_sign_plan_done(&m->sign);
    twx_opened_done(&m->o);
    twx_lock_release(m->lock, rc);
    m->lock = NULL;
    twx_arena_done(&m->names);
    twx_free(m->path);
    m->path = NULL;
}

/* ---- sign --------------------------------------------------------------- */

/* data_version does not count a connection's own commits: if Twindex's tables are in the store, ask
 * the writer, so that our commits do not count. */
twx_rc twx_run_store_data_version(const twx_run_store *m, int64_t *ret_version) {
    const bool same_file = !m->o.trial && !twx_is_separate(&m->job);
    return twx_db_data_version(same_file ? m->o.writer : m->o.reader, ret_version);
}

/* Looks for changes that the queue does not have: by the contents of all documents if the file was
 * checked, too (a dry run always checks it), or if the numbers of rows show that there are any. */
static twx_rc compare_queue(twx_run_store *m, twx_summary *summary) {
    const bool verify = m->options->verify;
    const double began = twx_job_clock();
    twx_silent_changes silent = {0};
    bool agree = true;
    if (!verify && (m->sign.feed != TWX_FEED_TRIGGER || m->sign.full)) return TWX_OK;
    twx_rc rc = twx_queue_agrees(&m->o, &m->sign, &agree);
    if (rc == TWX_OK && (verify || (m->checks && m->lock) || !agree))
        rc = twx_silent_changes_find(&m->job, &m->o, &m->sign, &silent);
    twx_summary_stage(summary, "check", twx_job_clock() - began);
    if (rc != TWX_OK || !silent.n) return rc;
    m->sign.full = true;
    const char *documents = twx_plural(silent.n, "document", "documents");
    if (verify)
        return twx_fail(m->job.cx, TWX_E_INTERNAL,
                        "%s: --verify: the change queue lacks %" PRIu64
                        " %s that changed (%s): 'twindex run --full' corrects the flags; "
                        "docs/runs.md, \"Changes\", names what a queue cannot have",
                        m->job.store, silent.n, documents, silent.first);
    twx_job_message(&m->job, TWINDEX_WARNING,
                    "%s: the change queue lacks %" PRIu64
                    " %s that changed (%s): every document is read; docs/runs.md, \"Changes\", "
                    "names what a queue cannot have",
                    m->job.store, silent.n, documents, silent.first);
    return TWX_OK;
}

twx_rc twx_run_store_sign(twx_run_store *m, twx_docs *ret_changed, twx_summary *summary) {
    twx_sign_counts counts;
    const double began = twx_job_clock();
    twx_rc rc = twx_run_store_data_version(m, &m->data_version);
    if (rc == TWX_OK) rc = twx_sign(&m->job, &m->o, &m->sign, ret_changed, &counts);
    twx_memo_close(m->sign.memo);
    m->sign.memo = NULL;
    twx_summary_stage(summary, "read and sign", twx_job_clock() - began);
    if (rc == TWX_OK) twx_sign_counts_add(&m->counts, &counts);
    m->whole = rc == TWX_OK && counts.whole;
    return rc;
}

/* ---- judge and publish ---------------------------------------------------- */

twx_rc twx_run_store_begin_judging(twx_run_store *m) {
    bool known = false;
    if (m->options->dry_run) return TWX_OK;
    twx_rc rc = twx_turn_begin(m->o.writer);
    if (rc == TWX_OK) rc = twx_state_begin_judging(m->o.generations, &known);
    if (m->job.kept && !known) { /* another program has changed signatures or flags */
        m->job.kept->knows_changes = false;
        m->job.kept->published.run = m->job.kept->unshared_of = 0;
    }
    return twx_turn_end(m->o.writer, rc, false);
}

twx_rc twx_run_store_has_views(twx_run_store *m, bool *ret_there) {
    static const char *const VIEWS[] = {"document_flags", "duplicate_groups", "document_alternates",
                                        "twindex_group_member"};
    twx_db *db = twx_run_store_published_db(m);
    twx_rc rc = TWX_OK;
    *ret_there = true;
    for (size_t i = 0; rc == TWX_OK && db && *ret_there && i < TWX_COUNTOF(VIEWS); i++)
        rc = twx_db_has(db, VIEWS[i], ret_there);
    /* publishing also drops the joined view of a run with other settings */
    bool joined = twx_joined_select(&m->job, &m->o) != NULL, has_joined = joined;
    if (rc == TWX_OK && db) rc = twx_db_has(db, "flagged_documents", &has_joined);
    *ret_there = *ret_there && joined == has_joined;
    return rc;
}

void twx_run_store_sweep(twx_run_store *m) {
    twx_ctx *cx = m->job.cx;
    atomic_int *cancel = cx->cancel;
    if (!m->counts.deleted || twx_source_is_direct(m->o.source)) return;
    cx->cancel = NULL;
    if (twx_document_sweep(m->o.signatures) != TWX_OK) {
        twx_job_message(&m->job, TWINDEX_WARNING, "%s; the flags are published nevertheless",
                        cx->message);
        twx_ctx_clear(cx);
    }
    cx->cancel = cancel;
}

/* ==== run_stores */

/* ---- list and lock ------------------------------------------------------- */

TWX_ORDER(by_path, twx_run_store *const, strcmp((*a)->path, (*b)->path))

static twx_rc add_store(twx_run_stores *all, const char *store) {
    twx_ctx *cx = all->job->cx;
    twx_run_store *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->job = *all->job;
    m->job.store = store;
    m->options = all->options;
    if (!TWX_VEC_PUSH(cx, &all->at, m)) {
        twx_free(m);
        return TWX_E_NOMEM;
    }
    m->path = twx_db_resolve(cx, store);
    if (m->path || cx->rc != TWX_E_NOSTORE) return m->path ? TWX_OK : cx->rc;
    twx_ctx_clear(cx); /* locking it reports that it is missing */
    m->path = twx_strdup(cx, store);
    return m->path ? TWX_OK : TWX_E_NOMEM;
}

typedef struct named_file {
    dev_t device;
    ino_t inode;
    size_t at; /* the store */
} named_file;

TWX_ORDER_3(by_file, named_file, device, inode, at)

/* [R2] Files that do not exist are left to the open. */
static twx_rc check_distinct(const twx_run_stores *all) {
    const size_t stores = all->at.n;
    size_t n = 0, second = stores, first = 0; /* the first store whose file was named before */
    struct stat st;
    named_file *files = twx_calloc(all->job->cx, stores ? stores : 1, sizeof *files);
    if (!files) return TWX_E_NOMEM;
    for (size_t i = 0; i < stores; i++)
        if (stat(all->at.at[i]->path, &st) == 0)
            files[n++] = (named_file){.device = st.st_dev, .inode = st.st_ino, .at = i};
    qsort(files, n, sizeof *files, by_file);
    for (size_t i = 1; i < n; i++)
        if (files[i].device == files[i - 1].device && files[i].inode == files[i - 1].inode &&
            files[i].at < second) {
            first = files[i - 1].at;
            second = files[i].at;
        }
    twx_free(files);
    return second == stores ? TWX_OK
                            : twx_fail(all->job->cx, TWX_E_USAGE,
                                       "%s and %s are the same file: name each store once",
                                       all->at.at[first]->job.store, all->at.at[second]->job.store);
}

static twx_rc check_possible(const twx_run_stores *all) {
    twx_ctx *cx = all->job->cx;
    if (all->at.n > UINT16_MAX) return twx_fail(cx, TWX_E_LIMIT, "more than %d stores", UINT16_MAX);
    if (all->at.n > 1 && twx_is_separate(all->job))
        return twx_fail(cx, TWX_E_USAGE,
                        "--flags %s: one file cannot hold the flags of several stores",
                        twx_own_path(all->job));
    if (all->at.n > 1 && all->options->rules)
        return twx_fail(cx, TWX_E_USAGE,
                        "--rules: a dry run tries rules on one store; name only one");
    return check_distinct(all);
}

static twx_rc lock_store(twx_run_store *m, twx_summary *unused) {
    struct stat st;
    (void)unused;
    if (stat(m->path, &st) != 0)
        return twx_fail(m->job.cx, TWX_E_NOSTORE, "%s: no such store", m->job.store);
    return m->options->dry_run ? TWX_OK : twx_lock_take(&m->job, twx_own_path(&m->job), &m->lock);
}

/* ---- leaving out --------------------------------------------------------- */

/* Whether an error can be that of one store alone. */
static bool is_of_store(twx_rc rc) {
    switch (rc) {
    case TWX_E_DATA:
    case TWX_E_CONFIG:
    case TWX_E_LIMIT:
    case TWX_E_CORRUPT:
    case TWX_E_NOSTORE:
    case TWX_E_CREATE:
    case TWX_E_IO:
    case TWX_E_FULL:
    case TWX_E_BUSY:
    case TWX_E_SUPERSEDED: return true;
    default: return false;
    }
}

twx_rc twx_run_stores_leave_out(twx_run_stores *all, size_t i, twx_rc rc) {
    twx_ctx *cx = all->job->cx;
    if (rc == TWX_OK || !all->options->skip_broken || i >= all->at.n || all->at.n == 1 ||
        !is_of_store(rc))
        return rc;
    twx_run_store *m = all->at.at[i];
    twx_job_message(all->job, TWINDEX_WARNING, "%s is left out: %s", m->job.store, cx->message);
    const twx_summary_store line = {.store = (char *)(uintptr_t)m->job.store,
                                    .left_out = cx->message};
    const twx_rc noted = twx_summary_add_store(cx, all->summary, &line);
    twx_ctx_clear(cx);
    store_close(m, rc);
    twx_free(m);
    memmove(&all->at.at[i], &all->at.at[i + 1], (all->at.n - i - 1) * sizeof *all->at.at);
    all->at.n--;
    return noted;
}

/* Calls fn for each store. */
static twx_rc each(twx_run_stores *all, twx_rc (*fn)(twx_run_store *m, twx_summary *summary)) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < all->at.n;) {
        const size_t n = all->at.n;
        rc = twx_run_stores_leave_out(all, i, fn(all->at.at[i], all->summary));
        if (rc != TWX_OK && all->at.n == n) /* it is still there */
            return twx_name_damaged(all->job->cx, &all->at.at[i]->job, rc);
        i += all->at.n == n;
    }
    return rc;
}

twx_rc twx_run_stores_begin(const twx_job *job, const twindex_run_options *options,
                            twx_summary *summary, twx_run_stores *all) {
    *all = (twx_run_stores){.job = job, .options = options, .summary = summary};
    const char *const *stores = job->n_stores ? job->stores : &job->store;
    const size_t n = job->n_stores ? job->n_stores : 1;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = add_store(all, stores[i]);
    if (rc == TWX_OK) rc = check_possible(all);
    if (rc != TWX_OK) return rc;
    if (all->at.n > 1) qsort(all->at.at, all->at.n, sizeof *all->at.at, by_path);
    return each(all, lock_store); /* [R1] */
}

/* ---- names --------------------------------------------------------------- */

/* The last n components of a path; the whole path if it has no more. */
static twx_slice end_of(const char *path, size_t n) {
    const char *from = path + strlen(path);
    while (from > path && (from[-1] != '/' || --n > 0)) from--;
    return twx_slice_of(from);
}

/* Whether another store has this name, or may take it as the last n components of its path; n 0:
 * only stored names count. */
static bool is_taken(const twx_run_stores *all, const twx_run_store *m, twx_slice name, size_t n) {
    for (size_t i = 0; i < all->at.n; i++) {
        const twx_run_store *other = all->at.at[i];
        const bool named = other->place.shard.p != NULL;
        if (other == m || (!named && n == 0)) continue;
        if (twx_slice_eq(named ? other->place.shard : end_of(other->path, n), name)) return true;
    }
    return false;
}

/* [R3] */
static twx_rc name_store(const twx_run_stores *all, twx_run_store *m) {
    m->shard = m->place.shard;
    bool found = m->shard.p && !is_taken(all, m, m->shard, 0);
    for (size_t n = 1; !m->place.shard.p && !found && m->shard.p != m->path; n++) {
        m->shard = end_of(m->path, n);
        found = !is_taken(all, m, m->shard, n);
    }
    if (found) return TWX_OK;
    return twx_fail(all->job->cx, TWX_E_DATA,
                    "%s: another store of this run has its name too (" TWX_SLICE_FMT
                    "): if it is a copy, name one of them only; otherwise change the column shard "
                    "of twindex_collection in one of them with sqlite3",
                    m->job.store, TWX_SLICE_ARG(m->shard));
}

TWX_ORDER(by_name, twx_run_store *const, twx_slice_cmp((*a)->shard, (*b)->shard))

twx_rc twx_run_stores_open(twx_run_stores *all) {
    twx_rc rc = each(all, store_open);
    if (rc != TWX_OK || all->at.n == 1) return rc;
    /* statistics of one store would let the result depend on which store has a document */
    if (all->at.at[0]->sign.params.collection)
        return twx_fail(all->job->cx, TWX_E_CONFIG,
                        "near.detector = %s, with these settings, needs statistics of the whole "
                        "collection, which a run over several stores does not make: choose another "
                        "one ('twindex detectors')",
                        all->job->settings->near_detector);
    for (size_t i = 0; rc == TWX_OK && i < all->at.n; i++) rc = name_store(all, all->at.at[i]);
    if (rc == TWX_OK) qsort(all->at.at, all->at.n, sizeof *all->at.at, by_name); /* [R4] */
    return rc;
}

static twx_rc sign_each(twx_run_store *m, twx_summary *summary) {
    if (m->stored) return TWX_OK;
    const twx_rc rc = compare_queue(m, summary);
    return rc == TWX_OK ? twx_run_store_sign(m, NULL, summary) : rc;
}

twx_rc twx_run_stores_sign(twx_run_stores *all) {
    return each(all, sign_each);
}

void twx_run_stores_done(twx_run_stores *all, twx_rc rc) {
    for (size_t i = 0; i < all->at.n; i++) {
        store_close(all->at.at[i], rc);
        twx_free(all->at.at[i]);
    }
    TWX_VEC_DONE(&all->at);
}

/* ==== foreign */

/* ---- numbers ------------------------------------------------------------- */

/* The id of a document of a store; its bytes are borrowed until twx_signatures_release(). */
static twx_rc id_of(const twx_run_store *m, int64_t doc, twx_value *ret_id) {
    *ret_id = (twx_value){.type = TWX_INT, .i = doc};
    return twx_source_is_direct(m->o.source) ? TWX_OK
                                             : twx_document_id(m->o.signatures, doc, ret_id);
}

TWX_ORDER_2(by_number, twx_elsewhere, number, index)

TWX_ORDER_1(by_index, twx_elsewhere, index)

/* Documents that collide get lower numbers, in order of index. */
static twx_rc make_distinct(twx_ctx *cx, twx_doc_set *j) {
    twx_elsewhere *at = j->elsewhere.at;
    const size_t n = j->elsewhere.n;
    if (n < 2) return TWX_OK;
    qsort(at, n, sizeof *at, by_number);
    for (size_t i = n - 1; i-- > 0;) {
        if (at[i].number < at[i + 1].number) continue;
        if (at[i + 1].number <= INT64_MIN + 1)
            return twx_fail(cx, TWX_E_INTERNAL, "no number is left for a document");
        at[i].number = at[i + 1].number - 1;
    }
    qsort(at, n, sizeof *at, by_index);
    return TWX_OK;
}

twx_rc twx_foreign_find(const twx_run_stores *all, twx_doc_set *j) {
    twx_ctx *cx = all->job->cx;
    if (all->at.n == 1) return TWX_OK;
    twx_rc rc = twx_find_elsewhere(cx, j);
    for (size_t k = 0; rc == TWX_OK && k < j->elsewhere.n; k++) {
        const twx_doc_row *entry = &j->docs.at.at[j->elsewhere.at[k].index];
        const twx_run_store *home = all->at.at[entry->store];
        twx_value id;
        rc = id_of(home, entry->doc, &id);
        if (rc == TWX_OK) j->elsewhere.at[k].number = twx_remote_number(home->shard, &id);
        if (rc == TWX_OK && k % 4096 == 0) rc = twx_cancelled(cx);
        twx_signatures_release(home->o.signatures);
    }
    if (rc == TWX_DONE)
        rc = twx_fail(cx, TWX_E_BUSY, "ids of documents were removed while they were judged");
    return rc == TWX_OK ? make_distinct(cx, j) : rc;
}

/* ---- rows ---------------------------------------------------------------- */

void twx_foreign_init(const twx_run_stores *all, const twx_doc_set *j, const twx_run_store *of,
                      twx_foreign *ret_foreign) {
    *ret_foreign = (twx_foreign){.all = all, .j = j, .of = of};
    twx_arena_init(&ret_foreign->bytes, 1 << 16);
}

void twx_foreign_done(twx_foreign *f) {
    TWX_VEC_DONE(&f->used);
    twx_arena_done(&f->bytes);
}

static twx_rc rewind_rows(void *arg) {
    twx_foreign *f = arg;
    const twx_doc_set *j = f->j;
    twx_ctx *cx = f->all->job->cx;
    f->at = f->used.n = 0;
    if (j->elsewhere.n == 0) return TWX_OK;
    uint8_t *used = twx_calloc(cx, j->elsewhere.n, 1);
    twx_rc rc = used ? TWX_OK : TWX_E_NOMEM;
    for (size_t at = 0; rc == TWX_OK && at < f->of->judged.n; at++)
        twx_mark_elsewhere(j, twx_judged_index(&f->of->judged, at), used);
    for (size_t k = 0; rc == TWX_OK && k < j->elsewhere.n; k++)
        if (used[k] && !TWX_VEC_PUSH(cx, &f->used, j->elsewhere.at[k])) rc = TWX_E_NOMEM;
    twx_free(used);
    if (rc == TWX_OK && f->used.n > 1) qsort(f->used.at, f->used.n, sizeof *f->used.at, by_number);
    return rc;
}

/* The normal URL of a document, if it is kept completely. */
static twx_rc add_url(twx_foreign *f, const twx_run_store *home, const twx_doc_row *entry,
                      twx_remote *row) {
    twx_stored stored;
    twx_facts facts;
    twx_rc rc = twx_signatures_get(home->o.signatures, entry->doc, &stored);
    if (rc == TWX_DONE) return TWX_OK; /* deleted since */
    if (rc == TWX_OK) rc = twx_facts_unpack(f->all->job->cx, stored.facts, &facts);
    if (rc != TWX_OK || facts.url.n != entry->url_length) return rc;
    return twx_arena_copy(f->all->job->cx, &f->bytes, facts.url, &row->url);
}

static twx_rc next_row(void *arg, twx_remote *ret_row) {
    twx_foreign *f = arg;
    if (f->at == f->used.n) return TWX_DONE;
    const twx_elsewhere *e = &f->used.at[f->at++];
    const twx_doc_row *entry = &f->j->docs.at.at[e->index];
    const twx_run_store *home = f->all->at.at[entry->store];
    twx_remote row = {.doc = e->number, .shard = home->shard};
    twx_arena_reset(&f->bytes);
    twx_rc rc = id_of(home, entry->doc, &row.id);
    if (rc == TWX_DONE)
        rc = twx_fail(f->all->job->cx, TWX_E_BUSY,
                      "%s: the id of a document was removed while it was judged", home->job.store);
    if (rc == TWX_OK) rc = twx_arena_copy(f->all->job->cx, &f->bytes, row.id.bytes, &row.id.bytes);
    if (rc == TWX_OK) rc = add_url(f, home, entry, &row);
    twx_signatures_release(home->o.signatures);
    if (rc == TWX_OK) *ret_row = row;
    return rc;
}

twx_remote_rows twx_foreign_rows(twx_foreign *f) {
    return (twx_remote_rows){f, rewind_rows, next_row};
}

static twx_rc note_difference(void *arg, const twx_remote *stored, const twx_remote *fresh) {
    bool *published = arg;
    (void)stored, (void)fresh;
    *published = false;
    return TWX_DONE;
}

twx_rc twx_foreign_is_published(twx_foreign *f, bool *ret_published) {
    const twx_remote_rows rows = twx_foreign_rows(f);
    twx_db *db = twx_run_store_published_db(f->of);
    *ret_published = db && f->of->state.generation;
    if (!*ret_published) return TWX_OK;
    const twx_rc rc = twx_remote_changes(&rows, db, f->of->state.generation, note_difference,
                                         ret_published);
    return rc == TWX_DONE ? TWX_OK : rc;
}
