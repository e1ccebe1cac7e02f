#include "cluster/tables.h"

#include <inttypes.h>

#include "cluster/work_tables.h"
#include "sql_text.h"

static twx_slice next_field(twx_slice *line) {
    const size_t end = twx_slice_find(*line, '\t', 0);
    const twx_slice field = twx_slice_sub(*line, 0, end);
    *line = twx_slice_sub(*line, end + (end < line->n), line->n);
    return field;
}

static int64_t next_number(twx_slice *line) {
    int64_t n = 0;
    return twx_slice_integer(next_field(line), &n) ? n : -1;
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
        return twx_fail(
            cx, TWX_E_CONFIG,
            "%s knows no cluster '%s': it is not in remote_servers of its configuration "
            "(cluster.name)",
            url, cluster);
    if (parts != (int64_t)wanted)
        return twx_fail(cx, TWX_E_CONFIG,
                        "%s: the cluster '%s' has %" PRId64 " shards, but cluster.urls names %zu "
                        "nodes: name one node of each shard",
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
    const twx_statement layout = TWX_CLUSTER_STATEMENT("layout", LAYOUT);
    unsigned char seen[TWX_NODES_MAX] = {0};
    twx_buf answers;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &layout, &answers);
    twx_slice rest = twx_buf_slice(&answers);
    for (size_t i = 0; rc == TWX_OK && i < twx_nodes_count(nodes); i++)
        rc = check_node(job, nodes, i, twx_slice_next_line(&rest), seen);
    twx_buf_done(&answers);
    return rc;
}

twx_rc twx_cluster_make_tables(const twx_job *job, twx_nodes *nodes) {
    const twx_statement steps[] = {TWX_CLUSTER_STATEMENT("database", DATABASE),
                                   TWX_CLUSTER_STATEMENT("document_local", DOCUMENT_LOCAL),
                                   TWX_CLUSTER_STATEMENT("document", DOCUMENT),
                                   TWX_CLUSTER_STATEMENT("manifest_local", MANIFEST_LOCAL),
                                   TWX_CLUSTER_STATEMENT("manifest", MANIFEST),
                                   TWX_CLUSTER_STATEMENT("run_local", RUN_LOCAL),
                                   TWX_CLUSTER_STATEMENT("run", RUN),
                                   TWX_CLUSTER_STATEMENT("text_local", TEXT_LOCAL),
                                   TWX_CLUSTER_STATEMENT("text", TEXT)};
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

/* Are the tables that init makes in the list? It may have those of runs as well. */
static bool has_tables(twx_slice list) {
    size_t found = 0;
    while (list.n > 0) found += is_made(twx_slice_next_line(&list));
    return found == TWX_COUNTOF(MADE);
}

twx_rc twx_cluster_check_tables(const twx_job *job, twx_nodes *nodes) {
    const twx_statement tables = TWX_CLUSTER_STATEMENT("tables", TABLES);
    twx_rc rc = TWX_OK;
    twx_buf answer;
    twx_buf_init(&answer, TWX_ANSWER_BYTES);
    for (size_t i = 0; rc == TWX_OK && i < twx_nodes_count(nodes); i++) {
        twx_buf_clear(&answer);
        rc = twx_nodes_run(nodes, i, &tables, (twx_slice){NULL, 0}, &answer);
        if (rc == TWX_OK && !has_tables(twx_buf_slice(&answer)))
            rc = twx_fail(job->cx, TWX_E_DATA,
                          "%s: the database '%s' has not the tables of this version: run 'twindex "
                          "cluster init', after 'twindex cluster drop' if it has others",
                          twx_nodes_url(nodes, i), job->settings->cluster_database);
    }
    twx_buf_done(&answer);
    return rc;
}

/* Refuses a database that has tables of others, which would be dropped with it. */
static twx_rc check_foreign(const twx_job *job, const char *url, twx_slice list) {
    while (list.n > 0) {
        const twx_slice name = twx_slice_next_line(&list);
        if (is_made(name) || twx_work_run_of(name)) continue;
        return twx_fail(job->cx, TWX_E_DATA,
                        "%s: the database '%s' also has the table '" TWX_SLICE_FMT
                        "', which is not one of twindex: nothing is dropped (cluster.database)",
                        url, job->settings->cluster_database, TWX_SLICE_ARG(name));
    }
    return TWX_OK;
}

twx_rc twx_cluster_drop_tables(const twx_job *job, twx_nodes *nodes) {
    const twx_statement drop = TWX_CLUSTER_STATEMENT("drop", DROP),
                        tables = TWX_CLUSTER_STATEMENT("tables", TABLES);
    twx_rc rc = TWX_OK;
    twx_buf answer;
    twx_buf_init(&answer, TWX_ANSWER_BYTES);
    for (size_t i = 0; rc == TWX_OK && i < twx_nodes_count(nodes); i++) {
        twx_buf_clear(&answer);
        rc = twx_nodes_run(nodes, i, &tables, (twx_slice){NULL, 0}, &answer);
        if (rc == TWX_OK) rc = check_foreign(job, twx_nodes_url(nodes, i), twx_buf_slice(&answer));
    }
    twx_buf_done(&answer);
    return rc == TWX_OK ? twx_nodes_run_all(nodes, &drop, NULL) : rc;
}
