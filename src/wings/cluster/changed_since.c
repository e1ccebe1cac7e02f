#include "cluster/changed_since.h"

#include <stdlib.h>

#include "cluster/pushed.h"
#include "cluster/row_binary.h"
#include "sql_text.h"

/* ---- the hashes of the store's documents --------------------------------- */

typedef struct hashing {
    twx_shard_store *store;
    twx_buf row; /* scratch */
    uint64_t documents, hash;
    const twx_pushed_list *judged; /* NULL: only sums are wanted */
    size_t at;
    twx_doc_list *changed;
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
    twx_buf_init(&h->row, 1 << 23);
    twx_rc rc = twx_signatures_each(h->store->o.signatures, true, hash_document, h);
    if (rc == TWX_OK && h->judged) rc = note_gone(h, 0, true);
    twx_buf_done(&h->row);
    return rc;
}

/* ---- what refers to them ------------------------------------------------- */

static int by_number(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static twx_rc look_up(twx_ctx *cx, twx_slice uids, uint32_t shard, const twx_doc_list *docs,
                      bool *ret_any) {
    twx_row_reader r = {.rest = uids};
    while (r.rest.n > 0) {
        const twx_slice bytes = twx_row_string(&r);
        const twx_uid uid = bytes.n == TWX_UID_BYTES ? twx_uid_read(bytes.p) : (twx_uid){0, 0};
        if (r.broken || uid.shard != shard)
            return twx_fail(cx, TWX_E_DATA, "cluster: the answer to 'referred' is not complete");
        *ret_any |= bsearch(&uid.doc, docs->at, docs->n, sizeof uid.doc, by_number) != NULL;
    }
    return TWX_OK;
}

static twx_rc is_referred(const twx_shard_store *store, twx_nodes *nodes, uint64_t run,
                          const twx_doc_list *docs, bool *ret_any) {
    const twx_statement referred = {.name = "referred",
                                    .sql = TWX_SQL_CLUSTER_PULL_REFERRED,
                                    .run = run,
                                    .shard = store->shard};
    twx_buf answers;
    *ret_any = false;
    if (docs->n == 0) return TWX_OK;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &referred, &answers);
    if (rc == TWX_OK)
        rc = look_up(store->job->cx, twx_buf_slice(&answers), store->shard, docs, ret_any);
    twx_buf_done(&answers);
    return rc;
}

/* ---- finding ------------------------------------------------------------- */

/* The servers have the rows that were judged, unless the store was pushed again. */
static bool is_what_was_judged(const twx_pushed_list *pushed, const twx_manifest *judged) {
    uint64_t hash = 0;
    for (size_t i = 0; i < pushed->n; i++) hash += pushed->at[i].hash;
    return pushed->n == judged->documents && hash == judged->hash;
}

twx_rc twx_changed_since_find(twx_shard_store *store, twx_nodes *nodes, uint64_t run,
                              const twx_manifest *judged, twx_changed_since *ret_changed) {
    hashing h = {.store = store, .changed = &ret_changed->docs};
    twx_pushed_list pushed = {0};
    bool any = false;
    twx_rc rc = hash_documents(&h);
    if (rc == TWX_OK && h.documents == judged->documents && h.hash == judged->hash) return TWX_OK;
    if (rc == TWX_OK) rc = twx_pushed_read(store->job->cx, nodes, store->shard, &pushed);
    if (rc == TWX_OK && !is_what_was_judged(&pushed, judged)) {
        ret_changed->reason = "it was pushed with changes after that run";
    } else if (rc == TWX_OK) {
        h = (hashing){.store = store, .judged = &pushed, .changed = &ret_changed->docs};
        rc = hash_documents(&h);
        if (rc == TWX_OK) rc = is_referred(store, nodes, run, &ret_changed->docs, &any);
        if (any) ret_changed->reason = "documents that represent others have changed since";
    }
    TWX_VEC_DONE(&pushed);
    return rc;
}
