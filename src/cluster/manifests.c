#include "cluster/manifests.h"

#include <stdlib.h>

#include "cluster/row_binary.h"
#include "sql_text.h"

/* The shard's entry, made if it is missing. NULL: out of memory */
static twx_manifest *entry_of(twx_ctx *cx, twx_manifests *m, uint32_t shard) {
    for (size_t i = 0; i < m->n; i++)
        if (m->at[i].shard == shard) return &m->at[i];
    return TWX_VEC_PUSH(cx, m, (twx_manifest){.shard = shard}) ? &m->at[m->n - 1] : NULL;
}

static twx_rc fail_rows(twx_ctx *cx, const char *statement) {
    return twx_fail(cx, TWX_E_DATA, "cluster: the answer to '%s' is not complete", statement);
}

static twx_rc read_manifests(twx_ctx *cx, twx_slice rows, twx_manifests *m) {
    twx_row_reader r = {.rest = rows};
    while (r.rest.n > 0) {
        twx_manifest *e = entry_of(cx, m, (uint32_t)twx_row_number(&r, 2));
        if (!e) return TWX_E_NOMEM;
        e->version = twx_row_number(&r, 8);
        e->documents = twx_row_number(&r, 8);
        e->hash = twx_row_number(&r, 8);
        e->fingerprint = twx_row_number(&r, 8);
        e->pushed_at = twx_row_number(&r, 8);
        e->relations = (uint32_t)twx_row_number(&r, 4);
        e->collapse_min = (uint32_t)twx_row_number(&r, 4);
        e->near = twx_row_number(&r, 8);
        if (r.broken) return fail_rows(cx, "manifests");
    }
    return TWX_OK;
}

/* The documents of a shard are on all nodes. */
static twx_rc read_contents(twx_ctx *cx, twx_slice rows, bool versions, twx_manifests *m) {
    twx_row_reader r = {.rest = rows};
    while (r.rest.n > 0) {
        twx_manifest *e = entry_of(cx, m, (uint32_t)twx_row_number(&r, 2));
        if (!e) return TWX_E_NOMEM;
        e->found_documents += twx_row_number(&r, 8);
        e->found_hash += twx_row_number(&r, 8);
        const uint64_t version = versions ? twx_row_number(&r, 8) : 0;
        if (version > e->found_version) e->found_version = version;
        if (r.broken) return fail_rows(cx, "contents");
    }
    return TWX_OK;
}

static int by_shard(const void *left, const void *right) {
    const twx_manifest *a = left, *b = right;
    return (a->shard > b->shard) - (a->shard < b->shard);
}

twx_rc twx_manifests_read(twx_ctx *cx, twx_nodes *nodes, twx_manifests *ret_manifests) {
    const twx_statement manifests = TWX_CLUSTER_STATEMENT("manifests", MANIFESTS),
                        contents = TWX_CLUSTER_STATEMENT("contents", CONTENTS);
    twx_manifests m = {0};
    twx_buf answers;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &manifests, &answers);
    if (rc == TWX_OK) rc = read_manifests(cx, twx_buf_slice(&answers), &m);
    twx_buf_clear(&answers);
    if (rc == TWX_OK) rc = twx_nodes_run_all(nodes, &contents, &answers);
    if (rc == TWX_OK) rc = read_contents(cx, twx_buf_slice(&answers), true, &m);
    twx_buf_done(&answers);
    if (rc == TWX_OK && m.n > 1) qsort(m.at, m.n, sizeof *m.at, by_shard);
    if (rc == TWX_OK)
        *ret_manifests = m;
    else
        twx_manifests_done(&m);
    return rc;
}

void twx_manifests_done(twx_manifests *m) {
    if (m) TWX_VEC_DONE(m);
}

const twx_manifest *twx_manifest_of(const twx_manifests *m, uint32_t shard) {
    for (size_t i = 0; i < m->n; i++)
        if (m->at[i].shard == shard) return &m->at[i];
    return NULL;
}

bool twx_manifest_holds(const twx_manifest *m) {
    return m->version > 0 && m->documents == m->found_documents && m->hash == m->found_hash;
}

twx_rc twx_manifests_read_copy(twx_ctx *cx, twx_slice rows, twx_manifests *ret_manifests) {
    return read_contents(cx, rows, false, ret_manifests);
}

/* ---- runs ---------------------------------------------------------------- */

/* Rows of earlier runs are skipped. */
static twx_rc read_runs(twx_ctx *cx, twx_slice rows, twx_cluster_runs *runs) {
    twx_row_reader r = {.rest = rows};
    while (r.rest.n > 0) {
        const uint64_t run = twx_row_number(&r, 8), ended_at = twx_row_number(&r, 8);
        twx_manifest m = {.shard = (uint32_t)twx_row_number(&r, 2)};
        m.version = twx_row_number(&r, 8);
        m.documents = twx_row_number(&r, 8);
        m.hash = twx_row_number(&r, 8);
        const bool stopped = twx_row_number(&r, 1) != 0;
        if (r.broken) return fail_rows(cx, "runs");
        if (run > runs->newest) runs->newest = run;
        if (stopped || run < runs->last) continue;
        if (run > runs->last) runs->judged.n = 0;
        runs->last = run;
        runs->ended_at = ended_at;
        if (!TWX_VEC_PUSH(cx, &runs->judged, m)) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

twx_rc twx_cluster_runs_read(twx_ctx *cx, twx_nodes *nodes, twx_cluster_runs *ret_runs) {
    const twx_statement statement = TWX_CLUSTER_STATEMENT("runs", RUNS);
    twx_buf answers;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &statement, &answers);
    if (rc == TWX_OK) rc = read_runs(cx, twx_buf_slice(&answers), ret_runs);
    twx_buf_done(&answers);
    return rc;
}

void twx_cluster_runs_done(twx_cluster_runs *runs) {
    if (runs) twx_manifests_done(&runs->judged);
}
