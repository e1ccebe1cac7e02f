#include "cluster/cluster.h"

#include "sql_text.h"

/* ==== tables */

/* The run that a table belongs to, by its name, as w17_document or w17_document_local; 0: it is no
 * table of a run. */
static uint64_t work_run_of(twx_slice name) {
    int64_t run = 0;
    const size_t end = twx_slice_find(name, '_', 0);
    if (name.n < 3 || name.p[0] != 'w' || end == name.n || end > 19) return 0;
    return twx_slice_integer(twx_slice_sub(name, 1, end), &run) && run > 0 ? (uint64_t)run : 0;
}

static int64_t next_number(twx_slice *line) {
    int64_t n = 0;
    return twx_slice_integer(twx_slice_cut(line, '\t'), &n) ? n : -1;
}

/* What a node says of itself; `seen` has a bit for each part of the cluster. */
static twx_rc check_node(const twx_job *job, const twx_nodes *nodes, size_t node, twx_slice line,
                         unsigned char *seen) {
    twx_ctx *cx = job->cx;
    const char *url = twx_nodes_url(nodes, node), *cluster = job->settings->cluster_name;
    const size_t wanted = twx_nodes_count(nodes);
    const int64_t part = next_number(&line), parts = next_number(&line),
                  replicas = next_number(&line);
    if (parts == 0)
        return twx_fail(cx, TWX_E_CONFIG,
                        "%s knows no cluster '%s': it is not in remote_servers of its "
                        "configuration (cluster.name)",
                        url, cluster);
    if (parts != (int64_t)wanted)
        return twx_fail(cx, TWX_E_CONFIG,
                        "%s: the cluster '%s' has %" PRId64
                        " shards, but cluster.urls names %zu nodes: name one node of each shard",
                        url, cluster, parts, wanted);
    if (replicas != 1 || part < 1 || part > parts)
        return twx_fail(cx, TWX_E_CONFIG,
                        "%s is not one shard of the cluster '%s' with one replica: its own address "
                        "must be in remote_servers once",
                        url, cluster);
    if (seen[part - 1]++)
        return twx_fail(cx, TWX_E_CONFIG,
                        "cluster.urls: %s is shard %" PRId64
                        " of '%s', like a node named before it",
                        url, part, cluster);
    return TWX_OK;
}

static twx_rc check_layout(const twx_job *job, twx_nodes *nodes) {
    const twx_statement layout = TWX_CLUSTER_STATEMENT(LAYOUT);
    unsigned char seen[TWX_NODES_MAX] = {0};
    twx_buf answers = {.max = TWX_ANSWER_BYTES};
    twx_rc rc = twx_nodes_run_all(nodes, &layout, &answers);
    twx_slice rest = twx_buf_slice(&answers);
    for (size_t i = 0; rc == TWX_OK && i < twx_nodes_count(nodes); i++)
        rc = check_node(job, nodes, i, twx_slice_next_line(&rest), seen);
    twx_buf_done(&answers);
    return rc;
}

twx_rc twx_cluster_make_tables(const twx_job *job, twx_nodes *nodes) {
    const twx_statement steps[] = {
        TWX_CLUSTER_STATEMENT(DATABASE), TWX_CLUSTER_STATEMENT(DOCUMENT_LOCAL),
        TWX_CLUSTER_STATEMENT(DOCUMENT), TWX_CLUSTER_STATEMENT(MANIFEST_LOCAL),
        TWX_CLUSTER_STATEMENT(MANIFEST), TWX_CLUSTER_STATEMENT(RUN_LOCAL),
        TWX_CLUSTER_STATEMENT(RUN),      TWX_CLUSTER_STATEMENT(TEXT_LOCAL),
        TWX_CLUSTER_STATEMENT(TEXT)};
    twx_rc rc = check_layout(job, nodes);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++)
        rc = twx_nodes_run_all(nodes, &steps[i], NULL);
    return rc;
}

static const char *const MADE[] = {"document", "document_local", "manifest", "manifest_local",
                                   "run",      "run_local",      "text",     "text_local"};

static bool is_made(twx_slice name) {
    for (size_t i = 0; i < TWX_COUNTOF(MADE); i++)
        if (twx_slice_eq(name, twx_slice_of(MADE[i]))) return true;
    return false;
}

/* Of one node after the other, the names of its tables. */
typedef struct visit {
    const twx_job *job;
    twx_nodes *nodes;
    size_t node;
    uint64_t kept[2]; /* runs */
} visit;

static twx_rc each_node(visit v, twx_rc (*tables_of)(const visit *v, twx_slice names)) {
    const twx_statement tables = TWX_CLUSTER_STATEMENT(TABLES);
    twx_rc rc = TWX_OK;
    twx_buf answer = {.max = TWX_ANSWER_BYTES};
    for (; rc == TWX_OK && v.node < twx_nodes_count(v.nodes); v.node++) {
        twx_buf_clear(&answer);
        rc = twx_nodes_run(v.nodes, v.node, &tables, (twx_slice){NULL, 0}, &answer);
        if (rc == TWX_OK) rc = tables_of(&v, twx_buf_slice(&answer));
    }
    twx_buf_done(&answer);
    return rc;
}

/* Are the tables that init makes in the list? It may have those of runs as well. */
static twx_rc check_made(const visit *v, twx_slice list) {
    size_t found = 0;
    while (list.n > 0) found += is_made(twx_slice_next_line(&list));
    return found == TWX_COUNTOF(MADE)
               ? TWX_OK
               : twx_fail(v->job->cx, TWX_E_DATA,
                          "%s: the database '%s' has not the tables of this version: run 'twindex "
                          "cluster init', after 'twindex cluster drop' if it has others",
                          twx_nodes_url(v->nodes, v->node), v->job->settings->cluster_database);
}

twx_rc twx_cluster_check_tables(const twx_job *job, twx_nodes *nodes) {
    return each_node((visit){.job = job, .nodes = nodes}, check_made);
}

/* Refuses a database that has tables of others, which would be dropped with it. */
static twx_rc check_foreign(const visit *v, twx_slice list) {
    while (list.n > 0) {
        const twx_slice name = twx_slice_next_line(&list);
        if (is_made(name) || work_run_of(name)) continue;
        return twx_fail(v->job->cx, TWX_E_DATA,
                        "%s: the database '%s' also has the table '" TWX_SLICE_FMT
                        "', which is not one of twindex: nothing is dropped (cluster.database)",
                        twx_nodes_url(v->nodes, v->node), v->job->settings->cluster_database,
                        TWX_SLICE_ARG(name));
    }
    return TWX_OK;
}

twx_rc twx_cluster_drop_tables(const twx_job *job, twx_nodes *nodes) {
    const twx_statement drop = TWX_CLUSTER_STATEMENT(DROP);
    const twx_rc rc = each_node((visit){.job = job, .nodes = nodes}, check_foreign);
    return rc == TWX_OK ? twx_nodes_run_all(nodes, &drop, NULL) : rc;
}

/* ==== work_tables */

enum { NAME_BYTES = 64 };

static const struct {
    const char *name, *key, *sql;
} TABLES[TWX_WORK_TABLES] = {
#define ROW(name, text, key, statement) {#text, key, TWX_SQL_CLUSTER_WORK_##statement},
    TWX_WORK_TABLE_ROWS(ROW)};

twx_rc twx_work_make(twx_nodes *nodes, uint64_t run, twx_work_table table) {
    const twx_statement local = {.name = TABLES[table].name,
                                 .sql = TABLES[table].sql,
                                 .run = run,
                                 .table = TABLES[table].name},
                        all = {.name = "distributed",
                               .sql = TWX_SQL_CLUSTER_WORK_DISTRIBUTED,
                               .run = run,
                               .table = TABLES[table].name,
                               .key = TABLES[table].key};
    twx_rc rc = twx_nodes_run_all(nodes, &local, NULL);
    return rc == TWX_OK ? twx_nodes_run_all(nodes, &all, NULL) : rc;
}

static twx_rc drop_on(twx_nodes *nodes, size_t node, const char *table) {
    const twx_statement drop = {.name = "drop", .sql = TWX_SQL_CLUSTER_WORK_DROP, .table = table};
    return node == SIZE_MAX ? twx_nodes_run_all(nodes, &drop, NULL)
                            : twx_nodes_run(nodes, node, &drop, (twx_slice){NULL, 0}, NULL);
}

twx_rc twx_work_drop(twx_nodes *nodes, uint64_t run, twx_work_table table) {
    char name[NAME_BYTES];
    twx_rc rc = TWX_OK;
    for (int local = 0; rc == TWX_OK && local < 2; local++) {
        snprintf(name, sizeof name, "w%" PRIu64 "_%s%s", run, TABLES[table].name,
                 local ? "_local" : "");
        rc = drop_on(nodes, SIZE_MAX, name);
    }
    return rc;
}

twx_rc twx_work_empty(twx_nodes *nodes, uint64_t run, twx_work_table table) {
    twx_rc rc = twx_work_drop(nodes, run, table);
    return rc == TWX_OK ? twx_work_make(nodes, run, table) : rc;
}

static twx_rc sweep_node(const visit *v, twx_slice names) {
    char name[NAME_BYTES];
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && names.n > 0) {
        const twx_slice line = twx_slice_next_line(&names);
        const uint64_t run = work_run_of(line);
        if (run == 0 || run == v->kept[0] || run == v->kept[1] || line.n >= sizeof name) continue;
        snprintf(name, sizeof name, "%.*s", (int)line.n, line.p);
        rc = drop_on(v->nodes, v->node, name);
    }
    return rc;
}

twx_rc twx_work_sweep(twx_nodes *nodes, uint64_t kept, uint64_t also) {
    return each_node((visit){.nodes = nodes, .kept = {kept, also}}, sweep_node);
}

/* ==== manifests */

twx_rc twx_manifest_row(void *manifests, twx_row_reader *r) {
    twx_manifests *m = manifests;
    twx_manifest e = {.shard = (uint32_t)twx_row_number(r, 2)};
    e.version = twx_row_number(r, 8);
    e.documents = twx_row_number(r, 8);
    e.hash = twx_row_number(r, 8);
    e.fingerprint = twx_row_number(r, 8);
    e.pushed_at = twx_row_number(r, 8);
    e.relations = (uint32_t)twx_row_number(r, 4);
    e.collapse_min = (uint32_t)twx_row_number(r, 4);
    e.near = twx_row_number(r, 8);
    e.store = twx_row_number(r, 8);
    return TWX_VEC_PUSH(r->cx, m, e) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_contents_row(void *manifests, twx_row_reader *r) {
    twx_manifests *m = manifests;
    twx_manifest e = {.shard = (uint32_t)twx_row_number(r, 2)};
    e.found_documents = twx_row_number(r, 8);
    e.found_hash = twx_row_number(r, 8);
    e.found_version = twx_row_number(r, 8);
    return TWX_VEC_PUSH(r->cx, m, e) ? TWX_OK : TWX_E_NOMEM;
}

TWX_ORDER(by_shard, twx_manifest, TWX_UP_THEN(shard, TWX_DOWN(version)))

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

twx_rc twx_manifests_read(twx_nodes *nodes, twx_manifests *ret_manifests) {
    const twx_statement manifests = TWX_CLUSTER_STATEMENT(MANIFESTS),
                        contents = TWX_CLUSTER_STATEMENT(CONTENTS);
    twx_manifests m = {0};
    twx_rc rc = twx_nodes_read(nodes, &manifests, twx_manifest_row, &m);
    if (rc == TWX_OK) rc = twx_nodes_read(nodes, &contents, twx_contents_row, &m);
    twx_manifests_merge(&m);
    TWX_HAND_OVER(rc, ret_manifests, m, twx_manifests_done(&m));
    return rc;
}

void twx_manifests_done(twx_manifests *m) {
    if (m) TWX_VEC_DONE(m);
}

const twx_manifest *twx_manifest_of(const twx_manifests *m, uint32_t shard) {
    size_t low = 0, high = m->n;
    TWX_BISECT(low, high, m->at[middle].shard < shard);
    return low < m->n && m->at[low].shard == shard ? &m->at[low] : NULL;
}

bool twx_manifest_holds(const twx_manifest *m) {
    return m->version > 0 && m->documents == m->found_documents && m->hash == m->found_hash;
}

/* ---- runs ---------------------------------------------------------------- */

twx_rc twx_cluster_run_row(void *arg, twx_row_reader *r) {
    twx_cluster_runs *runs = arg;
    const uint64_t run = twx_row_number(r, 8);
    (void)twx_row_number(r, 8); /* when it ended */
    twx_manifest m = {.shard = (uint32_t)twx_row_number(r, 2)};
    m.version = twx_row_number(r, 8);
    m.documents = twx_row_number(r, 8);
    m.hash = twx_row_number(r, 8);
    const bool stopped = twx_row_number(r, 1) != 0;
    const uint64_t round = twx_row_number(r, 4), open_pairs = twx_row_number(r, 8);
    if (run > runs->newest) {
        runs->newest = run;
        runs->round = round;
        runs->open_pairs = open_pairs;
        runs->open.n = 0;
    }
    if (run == runs->newest && round && !TWX_VEC_PUSH(r->cx, &runs->open, m)) return TWX_E_NOMEM;
    if (stopped || run < runs->last) return TWX_OK;
    if (run > runs->last) runs->judged.n = 0;
    runs->last = run;
    return TWX_VEC_PUSH(r->cx, &runs->judged, m) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_cluster_runs_read(twx_nodes *nodes, twx_cluster_runs *ret_runs) {
    const twx_rc rc = twx_nodes_read(nodes, &TWX_CLUSTER_STATEMENT(RUNS), twx_cluster_run_row,
                                     ret_runs);
    twx_manifests_merge(&ret_runs->judged);
    twx_manifests_merge(&ret_runs->open);
    return rc;
}

void twx_cluster_runs_done(twx_cluster_runs *runs) {
    if (!runs) return;
    twx_manifests_done(&runs->judged);
    twx_manifests_done(&runs->open);
}

/* ---- texts that are owed ------------------------------------------------- */

static twx_owed *owed_of(const twx_owed_list *list, uint32_t shard) {
    size_t i = 0;
    while (i < list->n && list->at[i].shard != shard) i++;
    return i < list->n ? &list->at[i] : NULL;
}

static twx_rc owed_row(void *arg, twx_row_reader *r) {
    twx_owed_list *list = arg;
    twx_owed e = {.shard = (uint32_t)twx_row_number(r, 2)};
    e.texts = twx_row_number(r, 8);
    twx_owed *there = owed_of(list, e.shard);
    if (there) there->texts += e.texts;
    return there || TWX_VEC_PUSH(r->cx, list, e) ? TWX_OK : TWX_E_NOMEM;
}

TWX_ORDER_1(by_owing_shard, twx_owed, shard)

twx_rc twx_owed_read(twx_nodes *nodes, const twx_cluster_runs *runs, twx_owed_list *ret_list) {
    const twx_statement owed = TWX_CLUSTER_WITH(OWED, .run = runs->newest);
    const twx_rc rc = runs->round ? twx_nodes_read(nodes, &owed, owed_row, ret_list) : TWX_OK;
    if (ret_list->n > 1) qsort(ret_list->at, ret_list->n, sizeof *ret_list->at, by_owing_shard);
    return rc;
}

uint64_t twx_owed_of(const twx_owed_list *list, uint32_t shard) {
    const twx_owed *owed = owed_of(list, shard);
    return owed ? owed->texts : 0;
}
