#include "cluster/manifests.h"

#include <stdlib.h>

#include "cluster/row_binary.h"
#include "sql_text.h"

static twx_rc fail_rows(twx_ctx *cx, const char *statement) {
    return twx_fail(cx, TWX_E_DATA, "cluster: the answer to '%s' is not complete", statement);
}

static twx_rc add(twx_ctx *cx, twx_manifests *m, const twx_row_reader *r, const twx_manifest *e,
                  const char *statement) {
    if (r->broken) return fail_rows(cx, statement);
    return TWX_VEC_PUSH(cx, m, *e) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_manifests_parse(twx_ctx *cx, twx_slice rows, twx_manifests *m) {
    twx_row_reader r = {.rest = rows};
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && r.rest.n > 0) {
        twx_manifest e = {.shard = (uint32_t)twx_row_number(&r, 2)};
        e.version = twx_row_number(&r, 8);
        e.documents = twx_row_number(&r, 8);
        e.hash = twx_row_number(&r, 8);
        e.fingerprint = twx_row_number(&r, 8);
        e.pushed_at = twx_row_number(&r, 8);
        e.relations = (uint32_t)twx_row_number(&r, 4);
        e.collapse_min = (uint32_t)twx_row_number(&r, 4);
        e.near = twx_row_number(&r, 8);
        e.store = twx_row_number(&r, 8);
        rc = add(cx, m, &r, &e, "manifests");
    }
    return rc;
}

twx_rc twx_contents_parse(twx_ctx *cx, twx_slice rows, bool versions, twx_manifests *m) {
    twx_row_reader r = {.rest = rows};
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && r.rest.n > 0) {
        twx_manifest e = {.shard = (uint32_t)twx_row_number(&r, 2)};
        e.found_documents = twx_row_number(&r, 8);
        e.found_hash = twx_row_number(&r, 8);
        e.found_version = versions ? twx_row_number(&r, 8) : 0;
        rc = add(cx, m, &r, &e, "contents");
    }
    return rc;
}

static int by_shard(const void *left, const void *right) {
    const twx_manifest *a = left, *b = right;
    if (a->shard != b->shard) return a->shard < b->shard ? -1 : 1;
    return (a->version < b->version) - (a->version > b->version);
}

/* The documents of a shard are on all nodes; of several manifests the newest one, which comes
 * first, counts. */
void twx_manifests_merge(twx_manifests *m) {
    size_t n = 0;
    if (m->n > 1) qsort(m->at, m->n, sizeof *m->at, by_shard);
    for (size_t i = 0; i < m->n; i++) {
        const twx_manifest e = m->at[i];
        twx_manifest *last = n > 0 ? &m->at[n - 1] : NULL;
        if (!last || last->shard != e.shard) {
            m->at[n++] = e;
            continue;
        }
        last->found_documents += e.found_documents;
        last->found_hash += e.found_hash;
        if (e.found_version > last->found_version) last->found_version = e.found_version;
    }
    m->n = n;
}

twx_rc twx_manifests_read(twx_ctx *cx, twx_nodes *nodes, twx_manifests *ret_manifests) {
    const twx_statement manifests = TWX_CLUSTER_STATEMENT("manifests", MANIFESTS),
                        contents = TWX_CLUSTER_STATEMENT("contents", CONTENTS);
    twx_manifests m = {0};
    twx_buf answers;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &manifests, &answers);
    if (rc == TWX_OK) rc = twx_manifests_parse(cx, twx_buf_slice(&answers), &m);
    twx_buf_clear(&answers);
    if (rc == TWX_OK) rc = twx_nodes_run_all(nodes, &contents, &answers);
    if (rc == TWX_OK) rc = twx_contents_parse(cx, twx_buf_slice(&answers), true, &m);
    twx_buf_done(&answers);
    twx_manifests_merge(&m);
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
    size_t low = 0, high = m->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (m->at[middle].shard == shard) return &m->at[middle];
        if (m->at[middle].shard < shard)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool twx_manifest_holds(const twx_manifest *m) {
    return m->version > 0 && m->documents == m->found_documents && m->hash == m->found_hash;
}

twx_rc twx_manifests_read_copy(twx_ctx *cx, twx_slice rows, twx_manifests *ret_manifests) {
    const twx_rc rc = twx_contents_parse(cx, rows, false, ret_manifests);
    twx_manifests_merge(ret_manifests);
    return rc;
}

/* ---- runs ---------------------------------------------------------------- */

twx_rc twx_cluster_runs_parse(twx_ctx *cx, twx_slice rows, twx_cluster_runs *runs) {
    twx_row_reader r = {.rest = rows};
    while (r.rest.n > 0) {
        const uint64_t run = twx_row_number(&r, 8), ended_at = twx_row_number(&r, 8);
        twx_manifest m = {.shard = (uint32_t)twx_row_number(&r, 2)};
        m.version = twx_row_number(&r, 8);
        m.documents = twx_row_number(&r, 8);
        m.hash = twx_row_number(&r, 8);
        const bool stopped = twx_row_number(&r, 1) != 0;
        const uint64_t round = twx_row_number(&r, 4), open_pairs = twx_row_number(&r, 8);
        if (r.broken) return fail_rows(cx, "runs");
        if (run > runs->newest) {
            runs->newest = run;
            runs->round = round;
            runs->open_pairs = open_pairs;
            runs->open.n = 0;
        }
        if (run == runs->newest && round && !TWX_VEC_PUSH(cx, &runs->open, m)) return TWX_E_NOMEM;
        if (stopped || run < runs->last) continue;
        if (run > runs->last) runs->judged.n = 0;
        runs->last = run;
        runs->ended_at = ended_at;
        if (!TWX_VEC_PUSH(cx, &runs->judged, m)) return TWX_E_NOMEM;
    }
    twx_manifests_merge(&runs->judged);
    twx_manifests_merge(&runs->open);
    return TWX_OK;
}

twx_rc twx_cluster_runs_read(twx_ctx *cx, twx_nodes *nodes, twx_cluster_runs *ret_runs) {
    const twx_statement statement = TWX_CLUSTER_STATEMENT("runs", RUNS);
    twx_buf answers;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &statement, &answers);
    if (rc == TWX_OK) rc = twx_cluster_runs_parse(cx, twx_buf_slice(&answers), ret_runs);
    twx_buf_done(&answers);
    return rc;
}

void twx_cluster_runs_done(twx_cluster_runs *runs) {
    if (!runs) return;
    twx_manifests_done(&runs->judged);
    twx_manifests_done(&runs->open);
}

/* ---- texts that are owed ------------------------------------------------- */

static twx_rc add_owed(twx_ctx *cx, twx_owed_list *list, const twx_owed *e) {
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].shard == e->shard) {
            list->at[i].texts += e->texts;
            return TWX_OK;
        }
    return TWX_VEC_PUSH(cx, list, *e) ? TWX_OK : TWX_E_NOMEM;
}

static int by_owing_shard(const void *left, const void *right) {
    const twx_owed *a = left, *b = right;
    return (a->shard > b->shard) - (a->shard < b->shard);
}

twx_rc twx_owed_read(twx_ctx *cx, twx_nodes *nodes, const twx_cluster_runs *runs,
                     twx_owed_list *ret_list) {
    twx_statement owed = TWX_CLUSTER_STATEMENT("owed", OWED);
    twx_buf answers;
    if (runs->round == 0) return TWX_OK;
    owed.run = runs->newest;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &owed, &answers);
    twx_row_reader r = {.rest = twx_buf_slice(&answers)};
    while (rc == TWX_OK && r.rest.n > 0) {
        twx_owed e = {.shard = (uint32_t)twx_row_number(&r, 2)};
        e.texts = twx_row_number(&r, 8);
        rc = r.broken ? fail_rows(cx, "owed") : add_owed(cx, ret_list, &e);
    }
    if (ret_list->n > 1) qsort(ret_list->at, ret_list->n, sizeof *ret_list->at, by_owing_shard);
    twx_buf_done(&answers);
    return rc;
}

uint64_t twx_owed_of(const twx_owed_list *list, uint32_t shard) {
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].shard == shard) return list->at[i].texts;
    return 0;
}
