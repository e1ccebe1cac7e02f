/* Copies that are proved by texts. What decides about them (what is learned of hosts, the families
 * that documents belong to, the differences of texts) is known only where all documents are, so
 * this program reads their facts and signatures, in the order of ids, and does what a run over one
 * store does: judge/near.h and judge/proof.h, with the places and the links that the servers have
 * found. Texts come from the servers. Those that are missing are asked of the stores; the pairs
 * they belong to are open, and the next judgement begins again, with more texts, until none is. */
#include "cluster/judging_copies.h"

#include "base/alloc.h"
#include "base/hash64.h"
#include "cluster/copy_texts.h"
#include "cluster/listed_rows.h"
#include "sql_text.h"

enum { SENT_BYTES = 4 << 20, OTHER = 1 }; /* OTHER: any eligibility but TWX_ELIGIBLE */

typedef struct copying {
    twx_judging *j;
    twx_judge_options options;
    twx_judgement judged;
    uint8_t *eligibility;
    twx_map64 index; /* of documents, by their uids */
    twx_copy_texts texts;
} copying;

static uint64_t key_of(twx_uid uid) {
    return twx_mix64((uint64_t)uid.doc, uid.shard);
}

static twx_rc fail_documents(const copying *c) {
    return twx_fail(c->j->job->cx, TWX_E_DATA,
                    "cluster: the documents that the servers list are not those of the manifests");
}

static void show_progress(const copying *c, uint64_t n) {
    if (n % 4096 == 0) twx_job_progress(c->j->job, "judge", "documents", n, c->j->documents);
}

/* ---- reading --------------------------------------------------------------- */

static twx_rc add_document(copying *c, const twx_listed_row *row) {
    twx_ctx *cx = c->j->job->cx;
    const uint64_t next = c->judged.docs.at.n;
    uint64_t number = next;
    const twx_judged_document doc = {.member = (uint16_t)row->uid.shard,
                                     .doc = row->uid.doc,
                                     .facts = row->facts,
                                     .record = row->record};
    twx_rc rc = next < c->j->documents ? twx_judgement_add(cx, &c->judged, &doc)
                                       : fail_documents(c);
    if (rc == TWX_OK) rc = twx_map64_add(cx, &c->index, key_of(row->uid), next, &number);
    return rc == TWX_OK && number != next ? fail_documents(c) : rc;
}

static twx_rc rank_document(copying *c, const twx_listed_row *row, uint32_t rank) {
    uint64_t number = 0;
    if (!twx_map64_get(&c->index, key_of(row->uid), &number)) return fail_documents(c);
    c->judged.rank[number] = rank;
    c->eligibility[number] = row->takes_part ? TWX_ELIGIBLE : OTHER;
    return TWX_OK;
}

static twx_rc read_order(copying *c, twx_listed_order order) {
    twx_listed_rows rows = {0};
    twx_listed_row row;
    uint64_t n = 0;
    twx_rc rc = twx_listed_rows_open(c->j, order, &rows);
    while (rc == TWX_OK) {
        rc = twx_listed_rows_next(&rows, &row);
        if (rc == TWX_OK)
            rc = order == TWX_LISTED_BY_ID ? add_document(c, &row)
                                           : rank_document(c, &row, (uint32_t)n);
        if (rc == TWX_OK) show_progress(c, n++);
    }
    twx_listed_rows_close(&rows);
    if (rc != TWX_DONE) return rc;
    return n == c->j->documents ? TWX_OK : fail_documents(c);
}

static twx_rc read_documents(copying *c) {
    twx_ctx *cx = c->j->job->cx;
    const size_t n = (size_t)c->j->documents;
    twx_rc rc = twx_judgement_begin(cx, &c->judged, &c->options, n,
                                    (size_t)c->j->job->settings->run_memory);
    if (rc == TWX_OK) rc = read_order(c, TWX_LISTED_BY_ID);
    if (rc != TWX_OK) return rc;
    c->eligibility = twx_calloc(cx, n + 1, 1);
    c->judged.rank = twx_calloc(cx, n + 1, sizeof *c->judged.rank);
    rc = c->eligibility && c->judged.rank ? read_order(c, TWX_LISTED_BY_RANK) : TWX_E_NOMEM;
    twx_map64_done(&c->index);
    return rc;
}

/* ---- writing --------------------------------------------------------------- */

/* The number of a document's group of a relation; 0: it is in none. */
static uint64_t group_of(const copying *c, twx_relation_id relation, uint32_t i) {
    const twx_groups *g = &c->judged.groups[relation];
    const uint32_t rep = g->made ? twx_groups_rep(g, i) : TWX_NO_DOCUMENT;
    return rep == TWX_NO_DOCUMENT ? 0 : (uint64_t)rep + 1;
}

static twx_rc add_found(copying *c, uint32_t i, twx_buf *rows) {
    const twx_near *near = &c->judged.near;
    const twx_doc_row *doc = &c->judged.docs.at.at[i];
    const uint64_t similar = group_of(c, TWX_RELATION_NEAR, i),
                   copies = group_of(c, TWX_RELATION_COPY, i);
    const int32_t similarity = similar && twx_near_has(near, i)
                                   ? near->similarity[TWX_SIMILAR][near->node[i]]
                                   : 0;
    twx_ctx *cx = c->j->job->cx;
    unsigned char uid[TWX_UID_BYTES];
    if (!similar && !copies) return TWX_OK;
    twx_uid_write((twx_uid){doc->member, doc->doc}, uid);
    twx_rc rc = twx_row_add_string(cx, rows, (twx_slice){(const char *)uid, sizeof uid});
    if (rc == TWX_OK) rc = twx_row_add_number(cx, rows, similar, 8);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, rows, copies, 8);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, rows, (uint32_t)similarity, 4);
    return rc == TWX_OK ? twx_row_add_number(cx, rows, near->siblings ? near->siblings[i] : 0, 8)
                        : rc;
}

static twx_rc send_found(copying *c) {
    const twx_statement put = TWX_JUDGING_STATEMENT("put_copied", PUT_COPIED),
                        steps[] = {TWX_JUDGING_STATEMENT("find_copy_keys", FIND_COPY_KEYS),
                                   TWX_JUDGING_STATEMENT("fill_copy_flags", FILL_COPY_FLAGS)};
    const size_t n = c->judged.docs.at.n;
    twx_rc rc = TWX_OK;
    twx_buf rows;
    twx_buf_init(&rows, 2 * SENT_BYTES);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        if (c->eligibility[i] == TWX_ELIGIBLE) rc = add_found(c, i, &rows);
        if (rc != TWX_OK || rows.n == 0 || (rows.n < SENT_BYTES && i + 1 < n)) continue;
        rc = twx_judging_put(c->j, &put, twx_buf_slice(&rows));
        twx_buf_clear(&rows);
    }
    twx_buf_done(&rows);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++)
        rc = twx_judging_step(c->j, &steps[i]);
    return rc;
}

/* ---- judging --------------------------------------------------------------- */

/* Records are read for these relations; the servers group the others. */
static twx_judge_options options_of(const twx_near_plan *plan) {
    twx_judge_options o = plan->judge.options;
    for (int r = 0; r < TWX_RELATIONS; r++)
        if (r != TWX_RELATION_EXACT && r != TWX_RELATION_DESCRIPTION && r != TWX_RELATION_NEAR &&
            r != TWX_RELATION_COPY)
            o.detectors[r] = NULL;
    return o;
}

static twx_rc find_groups(copying *c) {
    twx_judgement *judged = &c->judged;
    const twx_grouping how = {
        .p = &judged->docs, .rank = judged->rank, .eligibility = c->eligibility};
    twx_near_loaded(&judged->near);
    return twx_near_groups(c->j->job->cx, &judged->near, &how, judged->grouper[TWX_RELATION_NEAR],
                           judged->grouper[TWX_RELATION_COPY], &judged->groups[TWX_RELATION_NEAR],
                           &judged->groups[TWX_RELATION_COPY]);
}

twx_rc twx_judging_copies(twx_judging *j, const twx_near_plan *plan, twx_near_summary *summary) {
    const twx_statement list = TWX_JUDGING_STATEMENT("list_ranks", LIST_RANKS);
    copying c = {.j = j, .options = options_of(plan)};
    twx_judgement_init(&c.judged);
    twx_map64_init(&c.index, 0);
    twx_rc rc = twx_judging_step(j, &list);
    if (rc == TWX_OK) rc = twx_copy_texts_fetch(j, &c.judged, &c.texts);
    c.options.texts = &c.texts.source;
    if (rc == TWX_OK) rc = read_documents(&c);
    if (rc == TWX_OK) rc = find_groups(&c);
    summary->compared = c.judged.near.compared;
    summary->read = c.judged.near.read;
    summary->open = c.judged.near.unread;
    summary->wanted = c.texts.wanted.n;
    const bool open = c.texts.wanted.n > 0;
    if (rc == TWX_OK) rc = open ? twx_copy_texts_ask(&c.texts) : send_found(&c);
    if (rc == TWX_OK && !open) rc = twx_copy_texts_forget(&c.texts);
    twx_copy_texts_done(&c.texts);
    twx_judgement_done(&c.judged);
    twx_map64_done(&c.index);
    twx_free(c.eligibility);
    return rc;
}
