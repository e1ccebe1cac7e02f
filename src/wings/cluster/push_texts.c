#include "cluster/push_texts.h"

#include "base/hash64.h"
#include "cluster/row_binary.h"
#include "run/document_label.h"
#include "sql_text.h"

enum { SENT_BYTES = 4 << 20, ROWS_BYTES = 1 << 30 }; /* of a request: it is sent beyond that */

typedef struct sender {
    twx_shard_store *store;
    twx_nodes *nodes;
    twx_workspace *workspace;
    twx_buf text, rows;
    size_t node; /* that gets the next rows */
    twx_push_summary *summary;
} sender;

static twx_rc send_rows(sender *s) {
    const twx_statement put = TWX_CLUSTER_STATEMENT("put_texts", PUT_TEXTS);
    if (s->rows.n == 0) return TWX_OK;
    s->summary->text_bytes += s->rows.n;
    const twx_rc rc = twx_nodes_run(s->nodes, s->node, &put, twx_buf_slice(&s->rows), NULL);
    s->node = (s->node + 1) % twx_nodes_count(s->nodes);
    twx_buf_clear(&s->rows);
    return rc;
}

/* TWX_DONE: the document is gone, or has another text. [R1] */
static twx_rc read_text(sender *s, int64_t doc, uint64_t digest) {
    twx_opened *o = &s->store->o;
    twx_ctx *cx = s->store->job->cx;
    unsigned char bytes[TWX_SHA256_BYTES];
    twx_value id = {.type = TWX_INT, .i = doc};
    twx_buf_clear(&s->text);
    twx_rc rc = twx_source_is_direct(o->source) ? TWX_OK : twx_id_of(o, doc, &id);
    if (rc == TWX_OK) rc = twx_source_text(o->source, &id, &s->text);
    twx_signatures_release(o->signatures); /* the id pins the WAL */
    if (rc == TWX_OK) rc = twx_sha256(cx, s->workspace, twx_buf_slice(&s->text), bytes);
    return rc == TWX_OK && twx_load_be64(bytes) != digest ? TWX_DONE : rc;
}

static twx_rc send_text(sender *s, int64_t doc, uint64_t digest) {
    twx_ctx *cx = s->store->job->cx;
    twx_rc rc = read_text(s, doc, digest);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    rc = twx_row_add_number(cx, &s->rows, digest, 8);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, &s->rows, s->text.n, 8);
    if (rc == TWX_OK) rc = twx_row_add_string(cx, &s->rows, twx_buf_slice(&s->text));
    s->summary->texts++;
    if (rc == TWX_OK && s->rows.n > SENT_BYTES) rc = send_rows(s);
    return rc;
}

static twx_rc send_wanted(sender *s, twx_slice wanted) {
    enum { ROW_BYTES = 16 };
    const twx_job *job = s->store->job;
    const uint64_t all = wanted.n / ROW_BYTES;
    twx_row_reader r = {.rest = wanted};
    twx_rc rc = twx_workspace_open(job->cx, &s->store->sign.params, &s->workspace);
    for (uint64_t n = 0; rc == TWX_OK && r.rest.n > 0; n++) {
        const int64_t doc = (int64_t)twx_row_number(&r, 8);
        const uint64_t digest = twx_row_number(&r, 8);
        if (r.broken)
            return twx_fail(job->cx, TWX_E_DATA, "cluster: the answer to 'wanted' is cut");
        if (n % 256 == 0) twx_job_progress(job, "push", "texts", n, all);
        rc = send_text(s, doc, digest);
        if (rc == TWX_OK) rc = twx_cancelled(job->cx);
    }
    return rc == TWX_OK ? send_rows(s) : rc;
}

twx_rc twx_push_texts(twx_shard_store *store, twx_nodes *nodes, const twx_cluster_runs *runs,
                      twx_push_summary *summary) {
    twx_statement wanted = TWX_CLUSTER_STATEMENT("wanted", WANTED);
    sender s = {.store = store, .nodes = nodes, .summary = summary};
    twx_buf answers;
    if (runs->round == 0 || !twx_manifest_of(&runs->open, store->shard)) return TWX_OK;
    wanted.run = runs->newest;
    wanted.shard = store->shard;
    twx_buf_init(&answers, (size_t)TWX_ANSWER_BYTES);
    twx_buf_init(&s.text, ROWS_BYTES / 2);
    twx_buf_init(&s.rows, ROWS_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &wanted, &answers);
    if (rc == TWX_OK && answers.n) rc = send_wanted(&s, twx_buf_slice(&answers));
    twx_workspace_close(s.workspace);
    twx_buf_done(&s.text);
    twx_buf_done(&s.rows);
    twx_buf_done(&answers);
    return rc;
}
