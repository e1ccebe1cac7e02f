#include "cluster/cluster.h"

#include <unistd.h>

#include "sql_text.h"

/* ==== listed_rows */

/* The documents of all nodes in one order (listed in
 * sql/cluster/work.sql): a merge of what the nodes send, some thousand rows at a time.
 * Memory: embedded struct; listed_rows_close(). */

enum { ROWS_AT_ONCE = 8192 };

/* A node with its next row. */
typedef struct listed_node {
    twx_buf answer;
    twx_row_reader rest;
    size_t rows; /* of the answer that were read */
    bool has, ended;
    twx_slice place, stored;
    bool takes_part;
} listed_node;

typedef enum listed_order { LISTED_BY_ID, LISTED_BY_RANK } listed_order;

/* facts and record: of LISTED_BY_ID; takes_part: of LISTED_BY_RANK. */
typedef struct listed_row {
    twx_uid uid;
    bool takes_part;
    twx_slice facts, record;
} listed_row;

typedef struct listed_rows {
    twx_judging *j; /* borrowed */
    listed_order order;
    listed_node *nodes;
    size_t n;
    twx_buf after; /* an expression: the place of the row before */
} listed_rows;

/* The rows after that which was read last. */
static twx_rc ask(listed_rows *rows, size_t number) {
    listed_node *node = &rows->nodes[number];
    twx_ctx *cx = rows->j->job->cx;
    twx_buf_clear(&rows->after);
    twx_rc rc = twx_buf_add_text(cx, &rows->after, "unhex('");
    if (rc == TWX_OK) rc = twx_buf_add_hex(cx, &rows->after, node->place);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &rows->after, "')");
    if (rc != TWX_OK) return rc;
    const twx_statement read = TWX_JUDGING_WITH(READ_LISTED, .run = rows->j->run,
                                                .pass = rows->order, .batch = ROWS_AT_ONCE,
                                                .key = rows->after.p);
    twx_buf_clear(&node->answer);
    rc = twx_nodes_run(rows->j->nodes, number, &read, (twx_slice){NULL, 0}, &node->answer);
    node->rest = (twx_row_reader){.rest = twx_buf_slice(&node->answer)};
    node->rows = 0;
    node->ended = node->answer.n == 0;
    return rc;
}

static twx_rc fill(listed_rows *rows, size_t number) {
    listed_node *node = &rows->nodes[number];
    twx_rc rc = TWX_OK;
    if (node->has || node->ended) return TWX_OK;
    if (node->rest.rest.n == 0) {
        node->ended = node->rows > 0 && node->rows < ROWS_AT_ONCE;
        rc = node->ended ? TWX_OK : ask(rows, number);
        if (rc != TWX_OK || node->ended) return rc;
    }
    node->place = twx_row_string(&node->rest);
    node->takes_part = twx_row_number(&node->rest, 1) != 0;
    node->stored = twx_row_string(&node->rest);
    node->rows++;
    node->has = true;
    return node->rest.broken || node->place.n < TWX_UID_BYTES
               ? twx_fail_answer(rows->j->job->cx, "read_listed")
               : TWX_OK;
}

/* TWX_DONE: there are no more. ret_row: borrowed until the next call. Errors TWX_E_DATA: an answer
 * is cut */
static twx_rc listed_rows_next(listed_rows *rows, listed_row *ret_row) {
    listed_node *first = NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < rows->n; i++) {
        listed_node *node = &rows->nodes[i];
        rc = fill(rows, i);
        if (rc == TWX_OK && node->has && (!first || twx_slice_cmp(node->place, first->place) < 0))
            first = node;
    }
    if (rc != TWX_OK || !first) return rc == TWX_OK ? TWX_DONE : rc;
    first->has = false;
    twx_row_reader stored = {.rest = first->stored};
    *ret_row = (listed_row){.uid = twx_uid_read(first->place.p + first->place.n - TWX_UID_BYTES),
                            .takes_part = first->takes_part};
    if (rows->order != LISTED_BY_ID) return TWX_OK;
    ret_row->facts = twx_row_string(&stored);
    ret_row->record = stored.rest;
    return stored.broken ? twx_fail_answer(rows->j->job->cx, "read_listed") : TWX_OK;
}

static twx_rc listed_rows_open(twx_judging *j, listed_order order, listed_rows *ret_rows) {
    *ret_rows = (listed_rows){.j = j, .order = order, .n = twx_nodes_count(j->nodes)};
    twx_buf_init(&ret_rows->after, TWX_STATEMENT_BYTES);
    ret_rows->nodes = twx_calloc(j->job->cx, ret_rows->n, sizeof *ret_rows->nodes);
    if (!ret_rows->nodes) return TWX_E_NOMEM;
    for (size_t i = 0; i < ret_rows->n; i++)
        twx_buf_init(&ret_rows->nodes[i].answer, (size_t)TWX_ANSWER_BYTES);
    return TWX_OK;
}

/* ==== copy_texts */

/* The texts by which copies are proved (judge/proof.c), where the stores are on other machines.
 * [R1] A text is found by its digest, as it was signed. One that the servers have not is noted when
 * it is read, and reported as unreadable: what depends on it is not decided. The stores are asked
 * for it, each text once, whatever the number of documents that have it.
 * Memory: embedded struct; twx_copy_texts_done(). The texts are in a temporary file; 40 bytes each
 * besides. */

typedef struct twx_copy_text {
    uint64_t at, bytes; /* in the file */
    bool used;          /* it was read */
} twx_copy_text;

typedef struct twx_copy_texts {
    twx_text_source source; /* for twx_judge_options.texts */
    twx_judging *j;
    const twx_doc_set *judged;
    twx_map64 index; /* digest -> number in `at` */
    TWX_VEC(twx_copy_text) at;
    int fd;                   /* -1: there is no file */
    uint64_t written, used;   /* bytes in the file, of those texts that were read */
    twx_map64 noted;          /* digests of texts that are missing */
    TWX_VEC(uint32_t) wanted; /* documents with these texts, one for each */
    /* Documents whose stores have been asked and have not sent the text: it is no longer the signed
     * one. As rows of the table `wanted` */
    twx_map64 refused;
    twx_buf refused_rows;
} twx_copy_texts;

enum { PART_BYTES = 8 << 20, SENT_BYTES = 4 << 20 };

static twx_rc text_row(void *arg, twx_row_reader *r) {
    twx_copy_texts *t = arg;
    const uint64_t digest = twx_row_number(r, 8), next = t->at.n;
    const twx_slice text = twx_row_string(r);
    uint64_t number = next;
    twx_rc rc = r->broken ? TWX_OK : twx_map64_add(r->cx, &t->index, digest, next, &number);
    if (r->broken || rc != TWX_OK || number != next) return rc; /* it was pushed twice */
    if (!TWX_VEC_PUSH(r->cx, &t->at, ((twx_copy_text){t->written, text.n, false})))
        return TWX_E_NOMEM;
    rc = twx_temporary_file_write(r->cx, t->fd, text.p, text.n, (off_t)t->written);
    t->written += text.n;
    return rc;
}

static twx_rc fetch(twx_copy_texts *t, uint64_t bytes) {
    const uint64_t parts = 1 + bytes / PART_BYTES, step = UINT64_MAX / parts;
    twx_rc rc = twx_temporary_file_open(t->j->job->cx, NULL, &t->fd);
    for (uint64_t i = 0; rc == TWX_OK && i < parts; i++) {
        const uint64_t last = i + 1 < parts ? (i + 1) * step - 1 : UINT64_MAX;
        rc = twx_judging_read(t->j, &TWX_JUDGING_WITH(READ_TEXTS, .base = i * step, .cap = last),
                              text_row, t);
    }
    return rc;
}

static uint64_t refusal_key(uint64_t digest, uint64_t shard, int64_t doc) {
    return twx_mix64(twx_mix64(digest, shard), (uint64_t)doc);
}

static twx_rc refused_row(void *arg, twx_row_reader *r) {
    twx_copy_texts *t = arg;
    const uint64_t digest = twx_row_number(r, 8), shard = twx_row_number(r, 2),
                   doc = twx_row_number(r, 8);
    return twx_map64_put(r->cx, &t->refused, refusal_key(digest, shard, (int64_t)doc), 1);
}

static twx_rc note(twx_copy_texts *t, uint64_t digest, uint32_t i) {
    twx_ctx *cx = t->j->job->cx;
    const twx_doc_row *doc = &t->judged->docs.at.at[i];
    uint64_t first = i;
    if (twx_map64_get(&t->refused, refusal_key(digest, doc->store, doc->doc), &first))
        return TWX_DONE;
    const size_t before = t->noted.n;
    twx_rc rc = twx_map64_add(cx, &t->noted, digest, i, &first);
    if (rc == TWX_OK && t->noted.n > before && !TWX_VEC_PUSH(cx, &t->wanted, i)) rc = TWX_E_NOMEM;
    return rc == TWX_OK ? TWX_DONE : rc;
}

static uint64_t digest_of(const twx_copy_texts *t, uint32_t i) {
    return twx_signed_as_of(t->judged, i).sig[TWX_RELATION_EXACT];
}

static twx_rc read_text(void *arg, uint32_t i, twx_buf *ret_text) {
    twx_copy_texts *t = arg;
    twx_ctx *cx = t->j->job->cx;
    const uint64_t digest = digest_of(t, i);
    uint64_t number = 0;
    if (!twx_map64_get(&t->index, digest, &number)) {
        const twx_rc rc = twx_doc_set_error(cx, t->judged);
        return rc == TWX_OK ? note(t, digest, i) : rc;
    }
    twx_copy_text *text = &t->at.at[number];
    if (!text->used) t->used += text->bytes;
    text->used = true;
    const twx_rc rc = twx_buf_reserve(cx, ret_text, (size_t)text->bytes);
    if (rc != TWX_OK || text->bytes == 0) return rc;
    const int error = twx_temporary_file_read(t->fd, ret_text->p + ret_text->n, (size_t)text->bytes,
                                              (off_t)text->at);
    if (error) return twx_temporary_file_failed(cx, error);
    ret_text->n += (size_t)text->bytes;
    ret_text->p[ret_text->n] = '\0';
    return TWX_OK;
}

/* Asks the stores for the texts that were missing, in the table `wanted` of the run. */
static twx_rc copy_texts_ask(const twx_copy_texts *t) {
    const twx_statement put = TWX_JUDGING(PUT_WANTED);
    twx_rc rc = TWX_OK;
    twx_buf rows = {.max = 2 * SENT_BYTES};
    for (size_t k = 0; rc == TWX_OK && k < t->wanted.n; k++) {
        const twx_doc_row *doc = &t->judged->docs.at.at[t->wanted.at[k]];
        const uint64_t row[] = {digest_of(t, t->wanted.at[k]), doc->store, (uint64_t)doc->doc};
        rc = twx_row_add_numbers(t->j->job->cx, &rows, "828", row);
        if (rc != TWX_OK || (rows.n < SENT_BYTES && k + 1 < t->wanted.n)) continue;
        rc = twx_judging_put(t->j, &put, twx_buf_slice(&rows));
        twx_buf_clear(&rows);
    }
    twx_buf_done(&rows);
    /* those are asked for again */
    return rc == TWX_OK && t->refused_rows.n
               ? twx_judging_put(t->j, &put, twx_buf_slice(&t->refused_rows))
               : rc;
}

static twx_rc copy_texts_fetch(twx_judging *j, const twx_doc_set *judged,
                               twx_copy_texts *ret_texts) {
    const twx_statement measure = TWX_JUDGING(MEASURE_TEXTS),
                        read = TWX_JUDGING_WITH(READ_REFUSED, .base = j->asked);
    twx_buf *refused = &ret_texts->refused_rows;
    uint64_t sums[2] = {0}; /* texts, bytes */
    *ret_texts = (twx_copy_texts){.source = {.read = read_text, .arg = ret_texts},
                                  .j = j,
                                  .judged = judged,
                                  .fd = -1,
                                  .refused_rows = {.max = TWX_ANSWER_BYTES}};
    twx_rc rc = twx_judging_sums(j, &measure, sums, TWX_COUNTOF(sums));
    if (rc == TWX_OK && sums[0]) rc = fetch(ret_texts, sums[1]);
    /* after the stores have been pushed, what they were asked for is there, or cannot be had */
    if (rc == TWX_OK && j->asked) rc = twx_judging_ask(j, &read, refused);
    return rc == TWX_OK ? twx_rows_each(j->job->cx, read.name, twx_buf_slice(refused), refused_row,
                                        ret_texts)
                        : rc;
}

static void copy_texts_done(twx_copy_texts *t) {
    if (!t || !t->j) return;
    twx_map64_done(&t->index);
    twx_map64_done(&t->noted);
    twx_map64_done(&t->refused);
    twx_buf_done(&t->refused_rows);
    TWX_VEC_DONE(&t->at);
    TWX_VEC_DONE(&t->wanted);
    if (t->fd >= 0) close(t->fd);
    *t = (twx_copy_texts){0};
}

/* ==== judging_copies */

/* Copies that are proved by texts. What decides about them (what is learned of hosts, the families
 * that documents belong to, the differences of texts) is known only where all documents are, so
 * this program reads their facts and signatures, in the order of ids, and does what a run over one
 * store does: judge/near.c and judge/proof.c, with the places and the links that the servers have
 * found. Texts come from the servers. Those that are missing are asked of the stores; the pairs
 * they belong to are open, and the next run begins again, with more texts, until none is. */

enum { OTHER = 1 }; /* OTHER: any eligibility but TWX_ELIGIBLE */

typedef struct copying {
    twx_judging *j;
    twx_judge_options options;
    twx_doc_set judged;
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

static twx_rc add_document(copying *c, const listed_row *row) {
    twx_ctx *cx = c->j->job->cx;
    const uint64_t next = c->judged.docs.at.n;
    uint64_t number = next;
    const twx_signed_document doc = {.store = (uint16_t)row->uid.shard,
                                     .doc = row->uid.doc,
                                     .facts = row->facts,
                                     .record = row->record};
    twx_rc rc = next < c->j->documents ? twx_doc_set_add(cx, &c->judged, &doc) : fail_documents(c);
    if (rc == TWX_OK) rc = twx_map64_add(cx, &c->index, key_of(row->uid), next, &number);
    return rc == TWX_OK && number != next ? fail_documents(c) : rc;
}

static twx_rc rank_document(copying *c, const listed_row *row, uint32_t rank) {
    uint64_t number = 0;
    if (!twx_map64_get(&c->index, key_of(row->uid), &number)) return fail_documents(c);
    c->judged.rank[number] = rank;
    c->eligibility[number] = row->takes_part ? TWX_ELIGIBLE : OTHER;
    return TWX_OK;
}

static twx_rc read_order(copying *c, listed_order order) {
    listed_rows rows = {0};
    listed_row row;
    uint64_t n = 0;
    twx_rc rc = listed_rows_open(c->j, order, &rows);
    while (rc == TWX_OK) {
        rc = listed_rows_next(&rows, &row);
        if (rc == TWX_OK)
            rc = order == LISTED_BY_ID ? add_document(c, &row)
                                       : rank_document(c, &row, (uint32_t)n);
        if (rc == TWX_OK && n++ % 4096 == 0)
            twx_job_progress(c->j->job, "judge", "documents", n - 1, c->j->documents);
    }
    for (size_t i = 0; rows.nodes && i < rows.n; i++) twx_buf_done(&rows.nodes[i].answer);
    twx_free(rows.nodes);
    twx_buf_done(&rows.after);
    if (rc != TWX_DONE) return rc;
    return n == c->j->documents ? TWX_OK : fail_documents(c);
}

static twx_rc read_documents(copying *c) {
    twx_ctx *cx = c->j->job->cx;
    const size_t n = (size_t)c->j->documents;
    twx_rc rc = twx_doc_set_begin(cx, &c->judged, &c->options, n,
                                  twx_job_memory(c->j->job->settings));
    if (rc == TWX_OK) rc = read_order(c, LISTED_BY_ID);
    if (rc != TWX_OK) return rc;
    c->eligibility = twx_calloc(cx, n + 1, 1);
    c->judged.rank = twx_calloc(cx, n + 1, sizeof *c->judged.rank);
    rc = c->eligibility && c->judged.rank ? read_order(c, LISTED_BY_RANK) : TWX_E_NOMEM;
    twx_map64_done(&c->index);
    return rc;
}

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
    const int32_t similarity = similar && twx_near_has(near, i) ? near->similarity[near->node[i]]
                                                                : 0;
    twx_ctx *cx = c->j->job->cx;
    unsigned char uid[TWX_UID_BYTES];
    if (!similar && !copies) return TWX_OK;
    twx_uid_write((twx_uid){doc->store, doc->doc}, uid);
    twx_rc rc = twx_row_add_string(cx, rows, (twx_slice){(const char *)uid, sizeof uid});
    const uint64_t numbers[] = {similar, copies, (uint32_t)similarity,
                                near->siblings ? near->siblings[i] : 0};
    return rc == TWX_OK ? twx_row_add_numbers(cx, rows, "8848", numbers) : rc;
}

static twx_rc send_found(copying *c) {
    const twx_statement put = TWX_JUDGING(PUT_COPIED),
                        steps[] = {TWX_JUDGING(FIND_COPY_KEYS), TWX_JUDGING(FILL_COPY_FLAGS)};
    const size_t n = c->judged.docs.at.n;
    twx_rc rc = TWX_OK;
    twx_buf rows = {.max = 2 * SENT_BYTES};
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) {
        if (c->eligibility[i] == TWX_ELIGIBLE) rc = add_found(c, i, &rows);
        if (rc != TWX_OK || rows.n == 0 || (rows.n < SENT_BYTES && i + 1 < n)) continue;
        rc = twx_judging_put(c->j, &put, twx_buf_slice(&rows));
        twx_buf_clear(&rows);
    }
    twx_buf_done(&rows);
    return rc == TWX_OK ? twx_judging_steps(c->j, steps, TWX_COUNTOF(steps)) : rc;
}

/* Records are read for these relations; the servers group the others. */
static twx_judge_options options_of(const twx_near_plan *plan) {
    twx_judge_options o = plan->judge.options;
    for (int r = 0; r < TWX_RELATIONS; r++)
        if (r != TWX_RELATION_EXACT && r != TWX_RELATION_DESCRIPTION && r != TWX_RELATION_NEAR &&
            r != TWX_RELATION_COPY)
            o.detectors[r] = NULL;
    o.parameters = NULL;
    return o;
}

twx_rc twx_judging_copies(twx_judging *j, const twx_near_plan *plan, twx_near_summary *summary) {
    copying c = {.j = j, .options = options_of(plan)};
    twx_doc_set *judged = &c.judged;
    twx_doc_set_init(judged);
    twx_rc rc = twx_judging_step(j, &TWX_JUDGING(LIST_RANKS));
    if (rc == TWX_OK) rc = copy_texts_fetch(j, judged, &c.texts);
    c.options.texts = &c.texts.source;
    if (rc == TWX_OK) rc = read_documents(&c);
    twx_grouping how = {.p = &judged->docs, .rank = judged->rank, .eligibility = c.eligibility};
    if (rc == TWX_OK) twx_near_loaded(&judged->near);
    if (rc == TWX_OK)
        rc = twx_near_groups(j->job->cx, &judged->near, &how, judged->grouper[TWX_RELATION_NEAR],
                             judged->grouper[TWX_RELATION_COPY], &judged->groups[TWX_RELATION_NEAR],
                             &judged->groups[TWX_RELATION_COPY]);
    summary->compared = judged->near.compared;
    summary->read = judged->near.read;
    summary->open = judged->near.unread;
    summary->wanted = c.texts.wanted.n;
    const bool open = c.texts.wanted.n > 0;
    if (rc == TWX_OK) rc = open ? copy_texts_ask(&c.texts) : send_found(&c);
    /* servers that have more texts that were not needed than needed ones forget all of them, and
     * the next run asks for those that it needs */
    if (rc == TWX_OK && !open && c.texts.written - c.texts.used > c.texts.used)
        rc = twx_judging_step(j, &TWX_JUDGING(FORGET_TEXTS));
    copy_texts_done(&c.texts);
    twx_doc_set_done(judged);
    twx_map64_done(&c.index);
    twx_free(c.eligibility);
    return rc;
}
