#include "predict/predict.h"

#include "sql_text.h"

/* ==== url_model */

enum { BATCH_ROWS = 10000 };

twx_rc twx_url_model_make(twx_db *db) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_url_model", &has);
    return rc != TWX_OK || has ? rc : twx_db_transact(db, TWX_SQL_SCHEMA_URL_HYPOTHESIS);
}

/* ---- reading ------------------------------------------------------------ */

static twx_rc read_head(twx_db *db, twx_url_model_head *ret_head) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_PREDICT_HEAD, NULL, 0, &stmt);
    if (rc == TWX_OK)
        *ret_head = (twx_url_model_head){.run = sqlite3_column_int64(stmt, 0),
                                         .fingerprint = (uint64_t)sqlite3_column_int64(stmt, 1),
                                         .urls = (uint64_t)sqlite3_column_int64(stmt, 2),
                                         .share = (uint64_t)sqlite3_column_int64(stmt, 3)};
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_url_model_head_read(twx_db *db, twx_url_model_head *ret_head) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_url_model", &has);
    if (rc != TWX_OK) return rc;
    return has ? read_head(db, ret_head) : TWX_DONE;
}

twx_rc twx_url_contexts_each(twx_db *db, twx_url_context_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_PREDICT_CONTEXTS, &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        const twx_context row = twx_url_context_of(stmt);
        rc = fn(arg, &row);
    }
    return twx_stmt_end(stmt, rc);
}

/* Keys in order, in batches. INT64_MIN, one hash in 2^64, cannot be a key, because reading starts
 * after it. */
typedef struct seen_reader {
    twx_db *db;
    sqlite3_stmt *stmt;
    twx_map64_slot *rows;
    size_t at, n;
    int64_t after;
    bool end;
} seen_reader;

static twx_rc reader_open(twx_db *db, seen_reader *ret_reader) {
    *ret_reader = (seen_reader){.db = db, .after = INT64_MIN};
    ret_reader->rows = twx_calloc(twx_db_ctx(db), BATCH_ROWS, sizeof *ret_reader->rows);
    if (!ret_reader->rows) return TWX_E_NOMEM;
    return twx_stmt_prepare(db, TWX_SQL_QUERY_PREDICT_SEEN, &ret_reader->stmt);
}

static void reader_done(seen_reader *r) {
    sqlite3_finalize(r->stmt);
    twx_free(r->rows);
}

/* Makes the next row available, unless there are no more rows. */
static twx_rc refill(seen_reader *r) {
    if (r->at < r->n || r->end) return TWX_OK;
    r->at = r->n = 0;
    twx_rc rc = twx_cancelled(twx_db_ctx(r->db));
    if (rc == TWX_OK)
        rc = twx_bind(r->db, r->stmt, TWX_VALUES(twx_int(r->after), twx_int(BATCH_ROWS)));
    while (rc == TWX_OK && (rc = twx_stmt_step(r->db, r->stmt)) == TWX_OK)
        r->rows[r->n++] = (twx_map64_slot){(uint64_t)sqlite3_column_int64(r->stmt, 0),
                                           (uint64_t)sqlite3_column_int64(r->stmt, 1)};
    r->end = r->n < BATCH_ROWS;
    if (r->n) r->after = (int64_t)r->rows[r->n - 1].key;
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_url_seen_each(twx_db *db, twx_url_seen_fn *fn, void *arg) {
    seen_reader r;
    twx_rc rc = reader_open(db, &r);
    while (rc == TWX_OK && (rc = refill(&r)) == TWX_OK && r.at < r.n) rc = fn(arg, &r.rows[r.at++]);
    reader_done(&r);
    return rc;
}

/* ---- writing ------------------------------------------------------------ */

typedef struct writing {
    twx_db *db;
    sqlite3_stmt *put, *gone;
    uint64_t changed;
} writing;

static twx_rc writing_open(twx_db *db, const char *put, const char *gone, writing *ret_writing) {
    *ret_writing = (writing){.db = db};
    twx_rc rc = twx_stmt_prepare(db, put, &ret_writing->put);
    return rc == TWX_OK ? twx_stmt_prepare(db, gone, &ret_writing->gone) : rc;
}

static void writing_done(writing *w) {
    sqlite3_finalize(w->put);
    sqlite3_finalize(w->gone);
}

static twx_rc change(writing *w, sqlite3_stmt *stmt, const twx_value *values, size_t n) {
    w->changed++;
    twx_rc rc = twx_bind(w->db, stmt, values, n);
    return rc == TWX_OK ? twx_stmt_run(w->db, stmt) : rc;
}

static twx_rc drop_row(writing *w, int64_t key) {
    return change(w, w->gone, TWX_VALUES(twx_int(key)));
}

/* Merges both sorted sides: new rows are written, rows that are no longer in the model are
 * deleted. */
static twx_rc merge_seen(writing *w, seen_reader *was, const twx_url_model_rows *rows) {
    size_t i = 0;
    for (;;) {
        twx_rc rc = refill(was);
        const twx_map64_slot *old = was->at < was->n ? &was->rows[was->at] : NULL;
        const twx_map64_slot *fresh = i < rows->seen_n ? &rows->seen[i] : NULL;
        if (rc != TWX_OK || (!old && !fresh)) return rc;
        const bool gone = old && (!fresh || (int64_t)old->key < (int64_t)fresh->key),
                   is_new = fresh && !gone && (!old || fresh->key != old->key);
        if (gone)
            rc = drop_row(w, (int64_t)old->key);
        else if (is_new || old->value != fresh->value)
            rc = change(w, w->put,
                        TWX_VALUES(twx_int((int64_t)fresh->key), twx_int((int64_t)fresh->value)));
        if (rc != TWX_OK) return rc;
        was->at += !is_new;
        i += !gone;
    }
}

static twx_rc write_seen(twx_db *db, const twx_url_model_rows *rows, uint64_t *changed) {
    writing w;
    seen_reader was = {0};
    twx_rc rc = writing_open(db, TWX_SQL_QUERY_PREDICT_SEEN_PUT, TWX_SQL_QUERY_PREDICT_SEEN_DELETE,
                             &w);
    if (rc == TWX_OK) rc = reader_open(db, &was);
    if (rc == TWX_OK) rc = merge_seen(&w, &was, rows);
    reader_done(&was);
    writing_done(&w);
    *changed += w.changed;
    return rc;
}

/* Contexts are few, so one pass finds those that are unchanged and those that are gone. */
typedef struct comparing {
    const twx_url_model_rows *rows;
    bool *stands; /* by index of rows->contexts */
    size_t at;
    twx_ctx *cx;
    TWX_VEC(int64_t) gone;
} comparing;

static bool same_context(const twx_context *a, const twx_context *b) {
    return a->row == b->row && twx_slice_eq(a->path, b->path) && twx_slice_eq(a->name, b->name) &&
           twx_slice_eq(a->second, b->second) && twx_slice_eq(a->value, b->value) &&
           a->dup == b->dup && a->nodup == b->nodup;
}

static twx_rc compare_context(void *arg, const twx_context *old) {
    comparing *c = arg;
    const twx_url_model_rows *rows = c->rows;
    const int64_t key = (int64_t)old->key;
    while (c->at < rows->contexts_n && (int64_t)rows->contexts[c->at].key < key) c->at++;
    if (c->at == rows->contexts_n || rows->contexts[c->at].key != old->key)
        return TWX_VEC_PUSH(c->cx, &c->gone, key) ? TWX_OK : TWX_E_NOMEM;
    c->stands[c->at] = same_context(&rows->contexts[c->at], old);
    return TWX_OK;
}

static twx_rc put_context(writing *w, const twx_context *row) {
    const twx_hypothesis *h = &TWX_HYPOTHESIS[row->row];
    return change(w, w->put,
                  TWX_VALUES(twx_int((int64_t)row->key), twx_int(h->number), twx_text_of(h->form),
                             twx_text(row->path), twx_text(row->name), twx_text(row->second),
                             twx_text(row->value), twx_int(row->dup), twx_int(row->nodup)));
}

static twx_rc write_contexts(twx_db *db, const twx_url_model_rows *rows, uint64_t *changed) {
    writing w;
    comparing c = {.rows = rows, .cx = twx_db_ctx(db)};
    c.stands = twx_calloc(c.cx, rows->contexts_n + 1, sizeof *c.stands);
    twx_rc rc = writing_open(db, TWX_SQL_QUERY_PREDICT_CONTEXT_PUT,
                             TWX_SQL_QUERY_PREDICT_CONTEXT_DELETE, &w);
    if (rc == TWX_OK && !c.stands) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = twx_url_contexts_each(db, compare_context, &c);
    for (size_t i = 0; rc == TWX_OK && i < c.gone.n; i++) rc = drop_row(&w, c.gone.at[i]);
    for (size_t i = 0; rc == TWX_OK && i < rows->contexts_n; i++)
        if (!c.stands[i]) rc = put_context(&w, &rows->contexts[i]);
    writing_done(&w);
    TWX_VEC_DONE(&c.gone);
    twx_free(c.stands);
    *changed += w.changed;
    return rc;
}

static twx_rc write_head(twx_db *db, const twx_url_model_head *head, uint64_t *changed) {
    twx_url_model_head old;
    twx_rc rc = read_head(db, &old);
    if (rc == TWX_OK && old.run == head->run && old.fingerprint == head->fingerprint &&
        old.urls == head->urls && old.share == head->share)
        return TWX_OK;
    if (rc == TWX_OK || rc == TWX_DONE)
        rc = twx_db_run(db, TWX_SQL_QUERY_PREDICT_HEAD_PUT,
                        TWX_VALUES(twx_int(head->run), twx_int((int64_t)head->fingerprint),
                                   twx_int((int64_t)head->urls), twx_int((int64_t)head->share)));
    ++*changed;
    return rc;
}

twx_rc twx_url_model_write(twx_db *db, const twx_url_model_rows *rows, uint64_t *ret_changed) {
    uint64_t changed = 0;
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = write_contexts(db, rows, &changed);
    if (rc == TWX_OK) rc = write_seen(db, rows, &changed);
    if (rc == TWX_OK) rc = write_head(db, &rows->head, &changed);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    TWX_HAND_OVER(rc, ret_changed, changed, twx_db_rollback(db));
    return rc;
}

/* ==== learn_urls */

TWX_ORDER(by_context, twx_context,
          ((int64_t)a->key > (int64_t)b->key) - ((int64_t)a->key < (int64_t)b->key))

/* Writes what differs; creates the tables if necessary. db: a writer. */
static twx_rc model_store(const twx_job *job, twx_db *db, const twx_model *m,
                          const twx_url_model_head *head, uint64_t *ret_changed) {
    twx_context *contexts = twx_calloc(job->cx, m->contexts.n + 1, sizeof *contexts);
    twx_map64_slot *seen = NULL;
    twx_rc rc = contexts ? twx_url_model_make(db) : TWX_E_NOMEM;
    if (rc == TWX_OK && m->contexts.n) {
        memcpy(contexts, m->contexts.at, m->contexts.n * sizeof *contexts);
        qsort(contexts, m->contexts.n, sizeof *contexts, by_context);
    }
    if (rc == TWX_OK) rc = twx_map64_list(job->cx, &m->seen, &seen);
    if (rc == TWX_OK) {
        const twx_url_model_rows rows = {.head = *head,
                                         .contexts = contexts,
                                         .contexts_n = m->contexts.n,
                                         .seen = seen,
                                         .seen_n = m->seen.n};
        twx_job_progress(job, "write what was learned", "", 0, 0);
        rc = twx_url_model_write(db, &rows, ret_changed);
    }
    twx_free(contexts);
    twx_free(seen);
    return rc;
}

/* ---- recalling ---------------------------------------------------------- */

typedef struct recalling {
    twx_ctx *cx;
    twx_model *model;
} recalling;

/* A form that this program does not know is ignored. */
static twx_rc take_context(void *arg, const twx_context *row) {
    recalling *r = arg;
    return row->row < TWX_HYPOTHESES ? twx_model_add_context(r->cx, r->model, row) : TWX_OK;
}

static twx_rc take_seen(void *arg, const twx_map64_slot *row) {
    recalling *r = arg;
    return twx_map64_place(r->cx, &r->model->seen, row->key, row->value, NULL, NULL);
}

twx_rc twx_model_load(const twx_job *job, twx_db *db, bool with_seen, twx_model *ret_model,
                      twx_url_model_head *ret_head) {
    recalling r = {job->cx, ret_model};
    twx_rc rc = twx_url_model_head_read(db, ret_head);
    if (rc == TWX_DONE)
        return twx_fail(job->cx, TWX_E_DATA,
                        "%s: no model has been learned yet: run 'twindex learn', after a run",
                        twx_db_path(db));
    if (rc == TWX_OK && !twx_model_is_current(ret_head->fingerprint))
        return twx_fail(job->cx, TWX_E_DATA,
                        "%s: the model was learned by another version of twindex, with other "
                        "evidence: run 'twindex learn' to replace it",
                        twx_db_path(db));
    if (rc == TWX_OK) rc = twx_url_contexts_each(db, take_context, &r);
    if (rc == TWX_OK) rc = twx_model_ready(job->cx, ret_model);
    return rc == TWX_OK && with_seen ? twx_url_seen_each(db, take_seen, &r) : rc;
}

enum { SCRATCH_KEPT = 1 << 16 };

/* ---- content classes: of each document, in order of doc ----------------- */

typedef struct judged {
    int64_t doc;
    uint64_t content;
} judged;

typedef struct classes {
    const twx_job *job;
    TWX_VEC(judged) at;
    bool judged; /* the run looked for copies */
} classes;

/* A class is a document number, hashed so that it is never TWX_NO_CLASS. */
static uint64_t class_of(const twx_flag_row *row) {
    const bool copied = twx_flag_known(row, TWX_FLAG_copy_rep);
    return twx_mix64((uint64_t)(copied ? row->v[TWX_FLAG_copy_rep] : row->doc), 0) | 1;
}

static twx_rc take_flags(void *arg, const twx_flag_row *row) {
    classes *c = arg;
    judged j = {.doc = row->doc, .content = TWX_NO_CLASS};
    if (row->v[TWX_FLAG_eligibility] == TWX_ELIGIBLE && twx_flag_known(row, TWX_FLAG_copy_count)) {
        c->judged = true;
        if (twx_flag_known(row, TWX_FLAG_exact_sig)) j.content = class_of(row);
    }
    return TWX_VEC_PUSH(c->job->cx, &c->at, j) ? TWX_OK : TWX_E_NOMEM;
}

TWX_ORDER_1(by_doc, judged, doc)

static const judged *find(const classes *c, int64_t doc) {
    const judged wanted = {.doc = doc};
    return c->at.n ? bsearch(&wanted, c->at.at, c->at.n, sizeof wanted, by_doc) : NULL;
}

/* ---- documents ---------------------------------------------------------- */

typedef struct reading {
    const twx_job *job;
    twx_opened *o;
    const twx_page_reading *how;
    classes classes;
    twx_arena scratch;
    twx_learn_counts counts;
} reading;

static twx_rc give(reading *r, const twx_source_row *row, const judged *j) {
    twx_url url;
    twx_facts facts;
    unsigned oddities = 0;
    twx_rc rc = twx_facts_of(r->job->cx, &r->scratch, r->how->urls, row->value, &url, &facts,
                             &oddities);
    if (rc != TWX_OK) return rc;
    if (url.fault != TWX_URL_OK) return TWX_OK;
    r->counts.no_page += j->content == TWX_NO_CLASS;
    r->counts.contents += j->content != TWX_NO_CLASS;
    const twx_learn_document page = {.url = url.whole,
                                     .content = j->content,
                                     .fetched_at = facts.bits & TWX_FACT_DATED ? facts.fetched_at
                                                                               : INT64_MAX,
                                     .doc = j->doc};
    return r->how->fn(r->how->arg, &page);
}

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_wait) {
    reading *r = arg;
    int64_t doc = 0;
    (void)ret_wait;
    r->counts.documents++;
    twx_rc rc = twx_document_number(r->o, &row->value[TWX_COL_ID], &doc);
    const judged *j = rc == TWX_OK ? find(&r->classes, doc) : NULL;
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    r->counts.unjudged += !j;
    if (!j) return TWX_OK;
    rc = give(r, row, j);
    twx_arena_reset(&r->scratch);
    return rc;
}

twx_rc twx_learn_documents_each(const twx_job *job, twx_opened *o, const twx_page_reading *how,
                                twx_learn_counts *ret_counts) {
    reading r = {.job = job, .o = o, .how = how, .classes = {.job = job}};
    twx_document_reader reader = {.job = job,
                                  .source = o->source,
                                  .stage = "read URLs",
                                  .too_long = "nothing is learned from it",
                                  .want = TWX_WANT_OUTSIDE,
                                  .take = take_row,
                                  .arg = &r};
    twx_arena_init(&r.scratch, SCRATCH_KEPT);
    twx_rc rc = twx_flags_each(job->cx, o->generations, how->state.generation, take_flags,
                               &r.classes);
    if (rc == TWX_OK) rc = twx_document_reader_scan(&reader);
    r.counts.judged = r.classes.judged;
    if (rc == TWX_OK) *ret_counts = r.counts;
    TWX_VEC_DONE(&r.classes.at);
    twx_arena_done(&r.scratch);
    return rc;
}

/* ---- learn urls -------------------------------------------------------- */

static const double CONFIDENT = 0.98; /* for the counts of the summary */

typedef struct learning {
    const twx_job *job;
    twx_opened o;
    twx_params params;
    twx_url_rules *rules;
    twx_learner *learner;
    twx_model model;
    twx_learn_counts counts;
    twx_url_model_head head;
    uint64_t changed;
} learning;

void twx_warn_learn_counts(const twx_job *job, const twx_learn_counts *counts) {
    if (counts->documents && !counts->judged)
        twx_job_message(job, TWINDEX_NOTE,
                        "nothing can be learned: the last run did not look for copies "
                        "(near.detector), or no document takes part");
    else if (counts->documents && !counts->contents)
        twx_job_message(job, TWINDEX_NOTE,
                        "nothing can be learned: no document that takes part has a text");
    if (counts->unjudged)
        twx_job_message(
            job, TWINDEX_WARNING,
            "%" PRIu64
            " documents are newer than the last run and were left out: run 'twindex run' first",
            counts->unjudged);
}

static twx_rc take_page(void *arg, const twx_learn_document *page) {
    learning *l = arg;
    return page->content == TWX_NO_CLASS ? TWX_OK
                                         : twx_learner_add(l->learner, page->url, page->content);
}

static twx_rc learn(learning *l) {
    twx_job_progress(l->job, "learn", "", 0, 0);
    twx_rc rc = twx_learner_make(l->learner, &l->model);
    l->head.urls = twx_learner_urls(l->learner);
    l->head.share = twx_learner_share(l->learner);
    return rc == TWX_OK ? model_store(l->job, l->o.writer, &l->model, &l->head, &l->changed) : rc;
}

/* ---- the command --------------------------------------------------------- */

/* Of a hypothesis: its contexts; those with a high probability; trials by result. */
typedef struct learned_row {
    uint64_t contexts, confident, dup, nodup;
} learned_row;

static json_t *summary_json(const learning *l, const learned_row rows[TWX_HYPOTHESES]) {
    json_t *list = json_array();
    for (size_t i = 0; i < TWX_HYPOTHESES; i++)
        json_array_append_new(
            list,
            json_pack("{s:i, s:s, s:o, s:o, s:o, s:o}", "hypothesis", TWX_HYPOTHESIS[i].number,
                      "form", TWX_HYPOTHESIS[i].form, "contexts", twx_json_count(rows[i].contexts),
                      "confident", twx_json_count(rows[i].confident), "dup",
                      twx_json_count(rows[i].dup), "nodup", twx_json_count(rows[i].nodup)));
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "run", (json_int_t)l->head.run, "urls",
                     twx_json_count(l->head.urls), "share", twx_json_count(l->head.share),
                     "seen_keys", twx_json_count(l->model.seen.n), "rows_written",
                     twx_json_count(l->changed), "no_page", twx_json_count(l->counts.no_page),
                     "hypotheses", list);
}

static twx_rc write_summary(const learning *l, const twx_out *out) {
    learned_row rows[TWX_HYPOTHESES] = {{0}};
    for (size_t i = 0; i < l->model.contexts.n; i++) {
        const twx_context *c = &l->model.contexts.at[i];
        learned_row *row = &rows[c->row];
        row->contexts++;
        row->confident += c->probability >= CONFIDENT;
        row->dup += c->dup;
        row->nodup += c->nodup;
    }
    if (twx_out_is_json(out)) return twx_out_json(out, summary_json(l, rows));
    twx_rc rc = twx_out_text(out, "%s: learned from %" PRIu64 " %s of run %" PRId64 "\n",
                             l->job->store, l->head.urls, twx_plural(l->head.urls, "URL", "URLs"),
                             l->head.run);
    if (rc == TWX_OK && l->head.share > 1)
        rc = twx_out_text(
            out, "  of all paths, one in %" PRIu64 " was looked at, to stay within run.memory\n",
            l->head.share);
    if (rc == TWX_OK && l->counts.no_page)
        rc = twx_out_text(out, "  %12" PRIu64 "  documents take no part or have no text\n",
                          l->counts.no_page);
    if (rc == TWX_OK)
        rc = twx_out_text(out,
                          "  %12" PRIu64 "  rows written\n\n"
                          "  hypothesis           learned  confident   duplicates  others\n",
                          l->changed);
    for (size_t i = 0; rc == TWX_OK && i < TWX_HYPOTHESES; i++)
        rc = twx_out_text(out,
                          "  %2d %-16s %8" PRIu64 "  %9" PRIu64 "  %11" PRIu64 "  %" PRIu64 "\n",
                          TWX_HYPOTHESIS[i].number, TWX_HYPOTHESIS[i].form, rows[i].contexts,
                          rows[i].confident, rows[i].dup, rows[i].nodup);
    return rc;
}

twx_rc twx_learn(const twx_job *job, const twx_out *out) {
    learning l = {.job = job};
    twx_page_reading pages = {.urls = &l.params.url, .fn = take_page, .arg = &l};
    twx_lock *lock = NULL;
    twx_model_init(&l.model);
    twx_rc rc = twx_lock_take(job, twx_own_path(job), &lock);
    if (rc == TWX_OK) rc = twx_params_make(job, &l.params, &l.rules);
    if (rc == TWX_OK)
        rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_RESULTS,
                            /* nothing is created without results */
                            &l.o);
    twx_opened_done(&l.o);
    if (rc == TWX_OK)
        rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_TABLES | (out ? TWX_NEED_SOUND : 0),
                            &l.o);
    if (rc == TWX_OK) rc = twx_published_state(job, &l.o, &pages.state);
    if (rc == TWX_OK)
        rc = twx_learner_open(job->cx, twx_job_memory(job->settings), NULL, &l.learner);
    if (rc == TWX_OK) rc = twx_learn_documents_each(job, &l.o, &pages, &l.counts);
    l.head.run = twx_published_run(&pages.state);
    l.head.fingerprint = twx_model_fingerprint(&l.params.url);
    if (rc == TWX_OK) rc = learn(&l);
    if (rc == TWX_OK && out) {
        twx_warn_learn_counts(job, &l.counts);
        rc = write_summary(&l, out);
    }
    twx_learner_close(l.learner);
    twx_model_done(&l.model);
    twx_url_rules_close(l.rules);
    twx_opened_done(&l.o);
    twx_lock_release(lock, rc);
    return rc;
}

/* Is there a model of another run than the published one, or of an earlier version? */
static twx_rc is_outdated(const twx_job *job, bool *ret_outdated) {
    twx_opened o = {0};
    twx_state state;
    twx_url_model_head head;
    *ret_outdated = false;
    /* a writer, which leaves no WAL */
    twx_rc rc = twx_open_store(job, TWX_NEED_TABLES, &o);
    if (rc == TWX_OK) rc = twx_url_model_head_read(o.writer, &head);
    if (rc == TWX_OK) rc = twx_state_read(o.generations, &state);
    if (rc == TWX_OK)
        *ret_outdated = state.generation && (twx_published_run(&state) != head.run ||
                                             !twx_model_is_current(head.fingerprint));
    twx_opened_done(&o);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_learn_again(const twx_job *job) {
    bool outdated = false;
    twx_rc rc = is_outdated(job, &outdated);
    if (rc == TWX_OK && outdated) rc = twx_learn(job, NULL);
    if (rc == TWX_OK || rc == TWX_E_INTERRUPTED || rc == TWX_E_TERMINATED) return rc;
    twx_job_message(
        job, TWINDEX_WARNING,
        "the flags are published, but the URL model is still that of an earlier run: %s",
        job->cx->message);
    twx_ctx_clear(job->cx);
    return TWX_OK;
}
