#include "cluster/cluster.h"

#include "sql_text.h"

typedef TWX_VEC(int64_t) doc_list;

/* ==== changed_since */

/* The documents of a shard that have changed since a run judged them. */
typedef struct changed_since {
    doc_list docs; /* ascending: those that differ, or are gone */
    /* Some of them represent others, or their links lead there, or it is not known which they are:
     * `reason` says why the store has to be pushed and judged again. NULL: no */
    const char *reason;
} changed_since;

/* ---- the hashes of the store's documents --------------------------------- */

typedef struct hashing {
    twx_shard_store *store;
    twx_buf row; /* scratch */
    uint64_t documents, hash;
    const twx_pushed_list *judged; /* NULL: only sums are wanted */
    size_t at;
    doc_list *changed;
} hashing;

static twx_rc note(hashing *h, int64_t doc) {
    return TWX_VEC_PUSH(h->store->job->cx, h->changed, doc) ? TWX_OK : TWX_E_NOMEM;
}

/* Documents that were judged and come before `doc` are gone. */
static twx_rc note_gone(hashing *h, int64_t doc, bool all) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && h->at < h->judged->n && (all || h->judged->at[h->at].doc < doc))
        rc = note(h, h->judged->at[h->at++].doc);
    return rc;
}

/* Documents come ascending by doc. */
static twx_rc hash_document(void *arg, const twx_stored *stored) {
    hashing *h = arg;
    uint64_t hash = 0;
    const int64_t doc = stored->doc;
    twx_buf_clear(&h->row);
    twx_rc rc = twx_shard_store_row(h->store, stored, 0, &h->row, &hash);
    h->documents++;
    h->hash += hash;
    if (rc == TWX_OK && h->documents % 4096 == 0) rc = twx_cancelled(h->store->job->cx);
    if (rc != TWX_OK || !h->judged) return rc;
    rc = note_gone(h, doc, false);
    if (rc != TWX_OK || h->at == h->judged->n || h->judged->at[h->at].doc != doc) return rc;
    return h->judged->at[h->at++].hash == hash ? TWX_OK : note(h, doc);
}

static twx_rc hash_documents(hashing *h) {
    h->row.max = 1 << 23;
    twx_rc rc = twx_signatures_each(h->store->o.signatures, true, hash_document, h);
    if (rc == TWX_OK && h->judged) rc = note_gone(h, 0, true);
    twx_buf_done(&h->row);
    return rc;
}

/* ---- what refers to them ------------------------------------------------- */

TWX_ORDER_0(by_document_number, int64_t)

/* Whether the result refers to some documents of a shard. */
typedef struct referring {
    uint32_t shard;
    const doc_list *docs;
    bool any; /* to one of docs */
} referring;

static twx_rc referred_row(void *arg, twx_row_reader *r) {
    referring *f = arg;
    const twx_slice bytes = twx_row_string(r);
    const twx_uid uid = bytes.n == TWX_UID_BYTES ? twx_uid_read(bytes.p) : (twx_uid){0, 0};
    r->broken |= uid.shard != f->shard;
    f->any |= bsearch(&uid.doc, f->docs->at, f->docs->n, sizeof uid.doc, by_document_number) !=
              NULL;
    return TWX_OK;
}

/* The servers have the rows that were judged, unless the store was pushed again. */
static bool is_what_was_judged(const twx_pushed_list *pushed, const twx_manifest *judged) {
    uint64_t hash = 0;
    for (size_t i = 0; i < pushed->n; i++) hash += pushed->at[i].hash;
    return pushed->n == judged->documents && hash == judged->hash;
}

/* judged: what the run has judged of the shard. Memory: docs owned, TWX_VEC_DONE(). */
static twx_rc changed_since_find(twx_shard_store *store, twx_nodes *nodes, uint64_t run,
                                 const twx_manifest *judged, changed_since *ret_changed) {
    const twx_statement referred = TWX_PULL_WITH(REFERRED, .run = run, .shard = store->shard);
    hashing h = {.store = store, .changed = &ret_changed->docs};
    referring f = {.shard = store->shard, .docs = &ret_changed->docs};
    twx_pushed_list pushed = {0};
    twx_rc rc = hash_documents(&h);
    if (rc == TWX_OK && h.documents == judged->documents && h.hash == judged->hash) return TWX_OK;
    if (rc == TWX_OK) rc = twx_pushed_read(nodes, store->shard, &pushed);
    if (rc == TWX_OK && !is_what_was_judged(&pushed, judged)) {
        ret_changed->reason = "it was pushed with changes after that run";
    } else if (rc == TWX_OK) {
        h = (hashing){.store = store, .judged = &pushed, .changed = &ret_changed->docs};
        rc = hash_documents(&h);
        if (rc == TWX_OK && f.docs->n) rc = twx_nodes_read(nodes, &referred, referred_row, &f);
        if (f.any) ret_changed->reason = "documents that represent others have changed since";
    }
    TWX_VEC_DONE(&pushed);
    return rc;
}

/* ==== pulled_rows */

/* The flags of a shard after a run over the cluster, one document after the
 * other: what the servers judged (flag_text), and the signatures and the form of the URL, which
 * the store has.
 * [R1] Rows that the store's inactive generation already has are not sent: the documents are
 * divided into parts, and only parts whose sum of hashes differs are read. What the generation
 * really holds is compared, so it does not matter which run wrote it, or whether it ended.
 * [R2] A document that was not judged, or has changed since, has no flags. */

enum {
    DOCS_AT_ONCE = 4096,
    PART_DOCUMENTS = 16, /* so a changed document has the rows of about so many sent */
    PARTS_AT_ONCE = 2000 /* their numbers have to fit into TWX_STATEMENT_BYTES */
};

/* Memory: embedded in the puller, which releases what it owns. */
typedef struct pulled_rows {
    twx_shard_store *store; /* borrowed, like the next four */
    twx_nodes *nodes;
    const doc_list *changed; /* ascending */
    twx_flag_home home;
    uint64_t run;
    char generation; /* the inactive one */
    int64_t width;
    twx_pulled_parts parts;
    uint64_t documents, pulled; /* rows of this pass so far; rows that were sent */
    twx_site_count whole;       /* documents of this pass that take part */
    /* Of the pass through the documents */
    twx_flags_cursor stored;
    int64_t *docs; /* owned; a batch */
    size_t doc_at, docs_n;
    bool docs_end;
    size_t part_at, fetched_end; /* in parts */
    twx_flag_row_list fetched;
    size_t fetched_at;
} pulled_rows;

/* So wide that a part has about PART_DOCUMENTS documents. */
static twx_rc choose_width(pulled_rows *p) {
    int64_t first = 0, last = 0;
    twx_rc rc = twx_signatures_range(p->store->o.signatures, &first, &last);
    p->width = PART_DOCUMENTS;
    if (rc != TWX_OK || p->store->documents == 0) return rc;
    const uint64_t span = ((uint64_t)last - (uint64_t)first) / p->store->documents;
    if (span > 1)
        p->width = span > INT64_MAX / PART_DOCUMENTS / 2 ? INT64_MAX / 2
                                                         : (int64_t)span * PART_DOCUMENTS;
    return TWX_OK;
}

static twx_rc ask_sums(pulled_rows *p) {
    const twx_statement sums = TWX_PULL_WITH(SUMS, .run = p->run, .shard = p->home.shard,
                                             .width = (uint64_t)p->width);
    twx_buf answers = {.max = TWX_ANSWER_BYTES};
    twx_rc rc = twx_nodes_run_all(p->nodes, &sums, &answers);
    if (rc == TWX_OK)
        rc = twx_pulled_parts_read(p->store->job->cx, twx_buf_slice(&answers), &p->parts);
    twx_buf_done(&answers);
    return rc;
}

/* Compares the sums with those of the store's rows, which come in order of doc. */
static twx_rc compare_sums(pulled_rows *p) {
    twx_ctx *cx = p->store->job->cx;
    const twx_flag_row *row = NULL;
    twx_flags_cursor cursor = {0};
    twx_buf text = {.max = 1 << 16};
    twx_rc rc = twx_flags_cursor_init(cx, p->store->o.generations, p->generation, &cursor);
    if (rc == TWX_OK) rc = twx_flags_cursor_read(&cursor, &row);
    for (size_t i = 0; rc == TWX_OK && i < p->parts.n; i++) {
        twx_pulled_part *part = &p->parts.at[i];
        uint64_t sum = 0;
        for (; rc == TWX_OK && row && row->doc / p->width <= part->number;
             twx_flags_cursor_move(&cursor), rc = twx_flags_cursor_read(&cursor, &row)) {
            if (row->doc / p->width < part->number) continue;
            twx_buf_clear(&text);
            rc = twx_flag_text_write(cx, &p->home, row, &text);
            if (rc != TWX_OK) break;
            sum += twx_flag_text_hash(twx_buf_slice(&text));
        }
        part->same = sum == part->sum;
        if (rc == TWX_OK && i % 4096 == 0) rc = twx_cancelled(cx);
    }
    twx_flags_cursor_done(&cursor);
    twx_buf_done(&text);
    return rc;
}

/* Asks the servers for the sums. */
static twx_rc pulled_rows_open(twx_shard_store *store, twx_nodes *nodes, uint64_t run,
                               const twx_remote_list *remotes, const doc_list *changed,
                               pulled_rows *ret_rows) {
    pulled_rows *p = ret_rows;
    twx_state state;
    *p = (pulled_rows){.store = store,
                       .nodes = nodes,
                       .changed = changed,
                       .home = {store->shard, remotes},
                       .run = run,
                       .whole = {TWX_WHOLE_STORE, 0}};
    twx_rc rc = twx_state_read(store->o.generations, &state);
    if (rc == TWX_OK) p->generation = twx_other_generation(state.generation);
    p->docs = twx_calloc(store->job->cx, DOCS_AT_ONCE, sizeof *p->docs);
    if (rc == TWX_OK && !p->docs) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = choose_width(p);
    if (rc == TWX_OK) rc = ask_sums(p);
    return rc == TWX_OK ? compare_sums(p) : rc;
}

/* The condition for the parts from `first` that differ, at most PARTS_AT_ONCE of them, which are
 * appended to `asked`. */
static twx_rc list_parts(pulled_rows *p, size_t first, twx_pulled_parts *asked, twx_buf *out) {
    twx_ctx *cx = p->store->job->cx;
    twx_rc rc = twx_buf_printf(cx, out, "intDiv(doc, toInt64(%" PRId64 ")) IN (", p->width);
    size_t i = first;
    for (; rc == TWX_OK && i < p->parts.n && asked->n < PARTS_AT_ONCE; i++) {
        const twx_pulled_part *part = &p->parts.at[i];
        if (part->same) continue;
        rc = twx_buf_printf(cx, out, "%s%" PRId64, asked->n ? "," : "", part->number);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, asked, *part)) rc = TWX_E_NOMEM;
    }
    p->fetched_end = i;
    return rc == TWX_OK ? twx_buf_add_char(cx, out, ')') : rc;
}

/* Fetches the rows of the part `first` and of those after it. */
static twx_rc fetch(pulled_rows *p, size_t first) {
    twx_ctx *cx = p->store->job->cx;
    twx_statement rows = TWX_PULL_WITH(ROWS, .run = p->run, .shard = p->home.shard);
    twx_pulled_parts asked = {0};
    twx_buf answers = {.max = TWX_ANSWER_BYTES}, condition = {.max = TWX_STATEMENT_BYTES};
    twx_rc rc = list_parts(p, first, &asked, &condition);
    rows.key = condition.p;
    if (rc == TWX_OK) rc = twx_nodes_run_all(p->nodes, &rows, &answers);
    if (rc == TWX_OK)
        rc = twx_pulled_rows_read(cx, &p->home, twx_buf_slice(&answers), asked.at, asked.n,
                                  p->width, &p->fetched);
    p->fetched_at = 0;
    p->pulled += p->fetched.n;
    TWX_VEC_DONE(&asked);
    twx_buf_done(&condition);
    twx_buf_done(&answers);
    return rc;
}

/* What was judged of a document; documents come ascending. *ret_row NULL: nothing. */
static twx_rc find_judged(pulled_rows *p, int64_t doc, const twx_flag_row **ret_row) {
    const int64_t number = doc / p->width;
    twx_rc rc = TWX_OK;
    *ret_row = NULL;
    while (p->part_at < p->parts.n && p->parts.at[p->part_at].number < number) p->part_at++;
    if (p->part_at == p->parts.n || p->parts.at[p->part_at].number != number) return TWX_OK;
    if (p->parts.at[p->part_at].same) return twx_flags_cursor_of(&p->stored, doc, ret_row);
    if (p->part_at >= p->fetched_end) rc = fetch(p, p->part_at);
    while (rc == TWX_OK && p->fetched_at < p->fetched.n && p->fetched.at[p->fetched_at].doc < doc)
        p->fetched_at++;
    if (rc == TWX_OK && p->fetched_at < p->fetched.n && p->fetched.at[p->fetched_at].doc == doc)
        *ret_row = &p->fetched.at[p->fetched_at];
    return rc;
}

/* The signatures that flags show: the first keys of their detectors. */
static twx_rc set_signatures(const pulled_rows *p, twx_slice bytes, twx_flag_row *row) {
    const twx_judge_options *o = &p->store->plan.options;
    twx_record record;
    const twx_rc rc = twx_record_read(p->store->job->cx, bytes, &record);
    for (size_t r = 0; rc == TWX_OK && r < TWX_RELATIONS; r++) {
        if (!o->detectors[r] || twx_relation_at(r)->sig < 0) continue;
        const twx_record_entry *entry = twx_record_find(&record, o->detectors[r]->id);
        if (entry && entry->n_keys > 0)
            twx_flag_set(row, (twx_flag_column)twx_relation_at(r)->sig,
                         (int64_t)twx_record_key(entry, 0).key);
    }
    return rc;
}

/* Relations between forms of one URL. */
static const struct {
    twx_relation_id relation;
    twx_flag_column unique;
    unsigned bit;
} FORMS[] = {{TWX_RELATION_SCHEME, TWX_FLAG_http_unique, TWX_FORM_SCHEME},
             {TWX_RELATION_WWW, TWX_FLAG_www_unique, TWX_FORM_WWW}};

/* The form of a representative. false: it is gone, then this document has changed, or will. */
static twx_rc find_form(pulled_rows *p, int64_t doc, unsigned *ret_form, bool *ret_found) {
    twx_stored stored;
    twx_facts facts;
    *ret_found = true;
    if (twx_is_remote(doc)) {
        const twx_remote_entry *e = twx_remote_list_of_number(p->home.remotes, doc);
        *ret_found = e != NULL;
        if (e) *ret_form = e->form;
        return TWX_OK;
    }
    twx_rc rc = twx_signatures_get(p->store->o.signatures, doc, &stored);
    *ret_found = rc == TWX_OK;
    if (rc == TWX_DONE) return TWX_OK;
    if (rc == TWX_OK) rc = twx_facts_unpack(p->store->job->cx, stored.facts, &facts);
    if (rc == TWX_OK) *ret_form = twx_form_of(facts.bits, &p->store->plan.options.preference);
    return rc;
}

/* A URL is unique when it has the form of the representative (judge.c). */
static twx_rc set_forms(pulled_rows *p, unsigned own, twx_flag_row *row) {
    twx_rc rc = TWX_OK;
    for (size_t f = 0; rc == TWX_OK && f < TWX_COUNTOF(FORMS); f++) {
        const twx_flag_column rep = twx_relation_at(FORMS[f].relation)->rep;
        unsigned form = 0;
        bool found = false;
        if (!p->store->plan.options.detectors[FORMS[f].relation]) continue;
        if (twx_flag_known(row, rep)) rc = find_form(p, row->v[rep], &form, &found);
        twx_flag_set(row, FORMS[f].unique, !found || !((own ^ form) & FORMS[f].bit));
    }
    return rc;
}

/* Flags that every document has if such groups are looked for: it is alone unless it is in one. */
static void set_likeness(const pulled_rows *p, twx_flag_row *row) {
    const twx_judge_options *o = &p->store->plan.options;
    const bool near = o->detectors[TWX_RELATION_NEAR] != NULL;
    const struct {
        twx_flag_column column;
        int64_t alone;
        bool is_set;
    } COUNTS[] = {{TWX_FLAG_near_count, 1, near},
                  {TWX_FLAG_copy_count, 1, near || o->names.own},
                  {TWX_FLAG_sibling_count, 0, near},
                  {TWX_FLAG_parameters_count, 1, o->parameters != NULL}};
    for (size_t i = 0; i < TWX_COUNTOF(COUNTS); i++)
        if (COUNTS[i].is_set && !twx_flag_known(row, COUNTS[i].column))
            twx_flag_set(row, COUNTS[i].column, COUNTS[i].alone);
}

static twx_rc compose(pulled_rows *p, const twx_flag_row *judged, twx_flag_row *ret_row) {
    twx_signatures *s = p->store->o.signatures;
    twx_flag_row row = {.doc = judged->doc};
    twx_stored stored;
    twx_facts facts;
    twx_flag_text_copy(judged, &row);
    twx_rc rc = twx_signatures_get(s, row.doc, &stored);
    if (rc == TWX_DONE)
        rc = twx_fail(p->store->job->cx, TWX_E_BUSY, "%s: signatures are deleted by others",
                      p->store->job->store);
    if (rc == TWX_OK) rc = twx_facts_unpack(p->store->job->cx, stored.facts, &facts);
    if (rc == TWX_OK && facts.page & TWX_PAGE_CLASS)
        twx_flag_set(&row, TWX_FLAG_page_class, facts.page & TWX_PAGE_CLASS);
    if (rc == TWX_OK) rc = set_signatures(p, stored.record, &row);
    if (rc == TWX_OK && row.v[TWX_FLAG_eligibility] == 0) {
        set_likeness(p, &row);
        rc = set_forms(p, twx_form_of(facts.bits, &p->store->plan.options.preference), &row);
    }
    twx_signatures_release(s);
    if (rc == TWX_OK) *ret_row = row;
    return rc;
}

/* The next document of the store; no statement stays open. */
static twx_rc next_doc(pulled_rows *p, int64_t *ret_doc) {
    twx_rc rc = TWX_OK;
    if (p->doc_at == p->docs_n && !p->docs_end) {
        const int64_t after = p->docs_n ? p->docs[p->docs_n - 1] : INT64_MIN;
        rc = twx_signatures_docs(p->store->o.signatures, after, p->docs, DOCS_AT_ONCE, &p->docs_n);
        p->doc_at = 0;
        p->docs_end = p->docs_n < DOCS_AT_ONCE;
    }
    if (rc != TWX_OK) return rc;
    if (p->doc_at == p->docs_n) return TWX_DONE;
    *ret_doc = p->docs[p->doc_at++];
    return TWX_OK;
}

static twx_rc next_row(void *arg, twx_flag_row *ret_row, uint32_t *ret_index) {
    pulled_rows *p = arg;
    const twx_flag_row *judged = NULL;
    int64_t doc = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && !judged) { /* the next document with flags [R2] */
        rc = next_doc(p, &doc);
        const bool changed = p->changed->n && bsearch(&doc, p->changed->at, p->changed->n,
                                                      sizeof doc, by_document_number);
        if (rc == TWX_OK && !changed) rc = find_judged(p, doc, &judged);
    }
    if (rc == TWX_OK) rc = compose(p, judged, ret_row);
    if (rc != TWX_OK) return rc;
    p->documents++;
    p->whole.documents += ret_row->v[TWX_FLAG_eligibility] == 0;
    *ret_index = 0;
    return TWX_OK;
}

static twx_rc rewind_rows(void *arg) {
    pulled_rows *p = arg;
    twx_flags_cursor_done(&p->stored);
    p->doc_at = p->docs_n = p->part_at = p->fetched_end = p->fetched_at = p->fetched.n = 0;
    p->docs_end = false;
    p->documents = p->whole.documents = 0;
    return twx_flags_cursor_init(p->store->job->cx, p->store->o.generations, p->generation,
                                 &p->stored);
}

/* ==== cluster_pull */

typedef struct puller {
    const twx_job *job;
    twx_nodes *nodes;
    twx_shard_store store;
    twx_vote_ledger *ledger;
    twx_cluster_runs runs;
    const twx_manifest *judged; /* of this shard */
    twx_state state;
    twx_store_place place;
    twx_prepared prepared;
    bool committed; /* the run */
    twx_arena bytes;
    changed_since changed;
    twx_remote_list remotes;
    pulled_rows rows;
    twx_pull_summary *summary;
} puller;

static int64_t run_of(const puller *p) {
    return (int64_t)p->runs.last;
}

/* ---- what is pulled ------------------------------------------------------ */

/* Rows of the store are compared with those of the push, so they have to be made alike. */
static twx_rc check_manifest(puller *p) {
    twx_manifests manifests = {0};
    twx_rc rc = twx_manifests_read(p->nodes, &manifests);
    const twx_manifest *m = twx_manifest_of(&manifests, p->store.shard);
    if (rc == TWX_OK && m && m->store != p->store.key)
        rc = twx_fail(p->job->cx, TWX_E_CONFIG,
                      "%s: shard %" PRIu32 " was pushed from another store: use the cluster.shard "
                      "under which this one was pushed",
                      p->job->store, p->store.shard);
    if (rc == TWX_OK && m && m->fingerprint != twx_shard_store_fingerprint(&p->store))
        rc = twx_fail(p->job->cx, TWX_E_CONFIG,
                      "%s: the settings are not those it was pushed with: use the same "
                      "configuration, or push and judge again",
                      p->job->store);
    twx_manifests_done(&manifests);
    return rc;
}

static twx_rc find_run(puller *p) {
    twx_rc rc = twx_cluster_runs_read(p->nodes, &p->runs);
    if (rc != TWX_OK) return rc;
    p->judged = twx_manifest_of(&p->runs.judged, p->store.shard);
    p->summary->run = p->runs.last;
    if (p->runs.last == 0)
        return twx_fail(p->job->cx, TWX_E_DATA,
                        "nothing is judged yet: run 'twindex cluster judge'");
    if (!p->judged)
        return twx_fail(p->job->cx, TWX_E_DATA,
                        "run %" PRIu64 " has not judged shard %" PRIu32
                        ": push the store and judge again",
                        p->runs.last, p->store.shard);
    return check_manifest(p);
}

/* ---- the ledger ---------------------------------------------------------- */

static twx_rc vote(puller *p, twx_vote_kind kind) {
    twx_vote v = {.shard = p->store.shard,
                  .kind = kind,
                  .documents = p->prepared.documents,
                  .voted_at = twx_job_now()};
    if (kind == TWX_VOTE_PREPARED) snprintf(v.digest, sizeof v.digest, "%s", p->prepared.digest);
    return twx_vote_ledger_vote(p->ledger, run_of(p), &v);
}

static twx_rc is_committed(puller *p, int64_t run, bool *ret_committed) {
    twx_ballot ballot = {.run = 0};
    twx_rc rc = twx_vote_ledger_read(p->ledger, run, &ballot);
    *ret_committed = rc == TWX_OK && ballot.committed_at != 0;
    TWX_VEC_DONE(&ballot.votes);
    return rc;
}

/* Registers the run, and takes back what the store has voted so far [R3]. */
static twx_rc begin(puller *p) {
    const size_t n = p->runs.judged.n;
    bool bound = false;
    uint32_t *shards = twx_calloc(p->job->cx, n + 1, sizeof *shards);
    if (!shards) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) shards[i] = p->runs.judged.at[i].shard;
    twx_rc rc = twx_vote_ledger_begin(p->ledger, run_of(p), p->store.shard, shards, n);
    twx_free(shards);
    if (rc == TWX_OK) rc = is_committed(p, run_of(p), &p->committed);
    if (rc == TWX_OK && p->prepared.judge_run) rc = is_committed(p, p->prepared.judge_run, &bound);
    if (rc == TWX_OK && bound)
        rc = twx_fail(p->job->cx, TWX_E_DATA,
                      "%s: run %" PRId64 " is prepared here and committed: publish it first, "
                      "'twindex cluster publish %s'",
                      p->job->store, p->prepared.judge_run, p->job->store);
    return rc;
}

/* ---- preparing ----------------------------------------------------------- */

static twx_rc find_changed(puller *p) {
    twx_rc rc = changed_since_find(&p->store, p->nodes, p->runs.last, p->judged, &p->changed);
    if (rc != TWX_OK || !p->changed.reason || p->committed) return rc;
    rc = vote(p, TWX_VOTE_AGAIN);
    if (rc != TWX_OK) return rc;
    return twx_fail(p->job->cx, TWX_E_BUSY,
                    "%s: %s: voted 'again' on run %" PRIu64 ": push, judge and pull again",
                    p->job->store, p->changed.reason, p->runs.last);
}

static twx_rc read_remotes(puller *p) {
    const twx_statement remotes = TWX_PULL_WITH(REMOTES, .run = p->runs.last,
                                                .shard = p->store.shard);
    twx_buf answers = {.max = TWX_ANSWER_BYTES};
    twx_rc rc = twx_nodes_run_all(p->nodes, &remotes, &answers);
    if (rc == TWX_OK)
        rc = twx_remote_list_read(p->job->cx, twx_buf_slice(&answers), p->store.shard,
                                  &p->store.plan.options.preference, &p->remotes);
    twx_buf_done(&answers);
    return rc;
}

static twx_rc digest(puller *p) {
    const twx_db_options options = {.mode = TWX_DB_READER,
                                    .busy_ms = p->job->settings->run_busy_ms};
    twx_hash128 sum = {0, 0};
    twx_rc rc = twx_flags_digest_of(p->job->cx, twx_own_path(p->job), &options, p->rows.generation,
                                    twx_source_is_direct(p->store.o.source), &sum);
    if (rc == TWX_OK) twx_digest_text(&sum, p->prepared.digest);
    return rc;
}

/* The caller closes the publisher. */
static twx_rc write_flags(puller *p, twx_publisher *publisher) {
    char *summary = NULL;
    twx_rc rc = twx_publisher_prepare(publisher);
    if (rc == TWX_OK) rc = digest(p);
    p->prepared.judge_run = run_of(p);
    p->prepared.shard = p->store.shard;
    p->prepared.documents = p->rows.documents;
    if (rc == TWX_OK) /* for the ledger of the store's runs, when it is published */
        summary = twx_sprintf(p->job->cx,
                              "{\"outcome\":\"published\",\"cluster_run\":%" PRIu64
                              ",\"shard\":%" PRIu32 ",\"documents\":%" PRIu64 "}",
                              p->runs.last, p->store.shard, p->prepared.documents);
    if (rc == TWX_OK && !summary) rc = TWX_E_NOMEM;
    p->prepared.summary = summary;
    if (rc == TWX_OK) rc = twx_publisher_keep(publisher, &p->prepared);
    p->prepared.summary = NULL;
    twx_free(summary);
    return rc;
}

static twx_rc publish_inactive(puller *p, const char *settings) {
    const twx_flag_rows rows = {&p->rows, rewind_rows, next_row, NULL};
    const twx_remote_rows remotes = twx_remote_list_rows(&p->remotes);
    const twx_publishing publishing = {.rows = &rows,
                                       .documents = p->store.documents,
                                       .remotes = &remotes,
                                       .base = p->state.generation,
                                       .sites = &p->rows.whole,
                                       .n_sites = 1,
                                       .settings = settings};
    twx_publisher *publisher = NULL;
    twx_rc rc = twx_publisher_open(p->job, &p->store.o, &publishing, &publisher);
    if (rc == TWX_OK) rc = write_flags(p, publisher);
    twx_publisher_close(publisher);
    return rc;
}

static twx_rc prepare(puller *p) {
    (void)twx_allocation_failed();
    json_t *json = twx_ledger_settings(p->job->settings, &p->store.plan.options,
                                       twx_shard_store_fingerprint(&p->store));
    char *settings = json && !twx_allocation_failed() ? json_dumps(json, JSON_COMPACT) : NULL;
    twx_rc rc = settings ? TWX_OK
                         : twx_fail(p->job->cx, TWX_E_NOMEM, "out of memory for the ledger");
    if (rc == TWX_OK) rc = read_remotes(p);
    if (rc == TWX_OK)
        rc = pulled_rows_open(&p->store, p->nodes, p->runs.last, &p->remotes, &p->changed.docs,
                              &p->rows);
    if (rc == TWX_OK) rc = publish_inactive(p, settings);
    p->summary->pulled = p->rows.pulled;
    p->summary->elsewhere = p->remotes.at.n;
    json_decref(json);
    free(settings); /* style: jansson allocated it */
    return rc;
}

/* ---- the pull ------------------------------------------------------------ */

static twx_rc pull(puller *p) {
    twx_rc rc = TWX_OK;
    p->summary->outcome = "prepared";
    if (p->state.generation && p->place.run[p->state.generation == 'b'] == run_of(p)) {
        p->summary->outcome = "published already";
        return TWX_OK;
    }
    if (p->prepared.judge_run == run_of(p)) {
        p->summary->outcome = "prepared already";
    } else {
        rc = begin(p);
        if (rc == TWX_OK) rc = find_changed(p);
        if (rc == TWX_OK) rc = prepare(p);
    }
    p->summary->documents = p->prepared.documents;
    p->summary->changed = p->changed.docs.n;
    return rc == TWX_OK ? vote(p, TWX_VOTE_PREPARED) : rc;
}

static twx_rc open_ledger(puller *p) {
    const char *path = p->job->settings->cluster_ledger;
    if (!path || !path[0])
        return twx_fail(p->job->cx, TWX_E_CONFIG,
                        "cluster.ledger is not set: name a file that all stores of the cluster "
                        "share");
    return twx_vote_ledger_open(p->job->cx, path, p->job->settings->run_busy_ms, &p->ledger);
}

twx_rc twx_cluster_pull(const twx_job *job, twx_nodes *nodes, twx_pull_summary *ret_summary) {
    const double began = twx_job_clock();
    puller p = {.job = job, .nodes = nodes, .summary = ret_summary};
    *ret_summary = (twx_pull_summary){.store = job->store, .shard = job->settings->cluster_shard};
    twx_remote_list_init(&p.remotes);
    twx_rc rc = twx_shard_number_check(job);
    if (rc == TWX_OK) rc = open_ledger(&p);
    if (rc == TWX_OK) rc = twx_cluster_check_tables(job, nodes);
    if (rc == TWX_OK) rc = twx_shard_store_open(job, TWX_NEED_TABLES, &p.store);
    if (rc == TWX_OK) rc = find_run(&p);
    twx_opened *o = &p.store.o;
    if (rc == TWX_OK) rc = twx_state_read(o->generations, &p.state);
    if (rc == TWX_OK) rc = twx_check_names(job, o->writer, &p.state);
    if (rc == TWX_OK) rc = twx_store_place_read(o->writer, &p.bytes, &p.place);
    if (rc == TWX_OK) rc = twx_prepared_read(o->generations, o->writer, &p.bytes, &p.prepared);
    if (rc == TWX_OK || rc == TWX_DONE) rc = pull(&p);
    twx_flags_cursor_done(&p.rows.stored);
    TWX_VEC_DONE(&p.rows.parts);
    TWX_VEC_DONE(&p.rows.fetched);
    twx_free(p.rows.docs);
    twx_remote_list_done(&p.remotes);
    TWX_VEC_DONE(&p.changed.docs);
    twx_shard_store_close(&p.store, rc);
    twx_vote_ledger_close(p.ledger);
    twx_cluster_runs_done(&p.runs);
    twx_arena_done(&p.bytes);
    ret_summary->seconds = twx_job_clock() - began;
    return rc;
}
