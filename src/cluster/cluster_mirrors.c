#include "cluster/cluster_mirrors.h"

#include "base/hash64.h"
#include "cluster/manifests.h"
#include "cluster/row_binary.h"
#include "cluster/tables.h"
#include "sql_text.h"

enum { DOCUMENTS_AT_ONCE = 4000000 }; /* about, of a statement */

/* Maps hosts, or representatives of groups, to consecutive numbers. */
typedef struct numbers {
    twx_map64 of;
    uint32_t n;
} numbers;

typedef struct reading {
    const twx_job *job;
    twx_nodes *nodes;
    uint64_t run;
    twx_mirror_list *list;
    numbers host, exact, near;
    TWX_VEC(twx_mirror_document) documents;
    twx_buf rows;
} reading;

static twx_rc number_of(twx_ctx *cx, numbers *known, twx_slice name, uint32_t *ret_number) {
    uint64_t number = 0;
    *ret_number = TWX_NO_DOCUMENT;
    if (name.n == 0) return TWX_OK;
    twx_rc rc = twx_map64_add(cx, &known->of, twx_hash64(name, 0), known->n, &number);
    if (rc != TWX_OK) return rc;
    known->n += number == known->n;
    *ret_number = (uint32_t)number;
    return TWX_OK;
}

static twx_rc host_of(reading *r, twx_slice name, uint32_t *ret_host) {
    twx_ctx *cx = r->job->cx;
    twx_slice copy = {0};
    twx_rc rc = number_of(cx, &r->host, name, ret_host);
    if (rc != TWX_OK || *ret_host < r->list->hosts.n) return rc;
    rc = twx_arena_copy(cx, &r->list->names, name, &copy);
    if (rc != TWX_OK) return rc;
    return TWX_VEC_PUSH(cx, &r->list->hosts, copy) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc read_row(reading *r, twx_row_reader *row) {
    twx_ctx *cx = r->job->cx;
    twx_mirror_document d = {0};
    const twx_slice host = twx_row_string(row), exact = twx_row_string(row),
                    near = twx_row_string(row);
    d.survives = twx_row_number(row, 1) != 0;
    const uint64_t n = twx_row_number(row, 8);
    if (row->broken || host.n == 0)
        return twx_fail(cx, TWX_E_DATA, "cluster: the answer to 'read_mirrors' is cut");
    twx_rc rc = host_of(r, host, &d.host);
    if (rc == TWX_OK) rc = number_of(cx, &r->exact, exact, &d.exact);
    if (rc == TWX_OK) rc = number_of(cx, &r->near, near, &d.near);
    for (uint64_t i = 0; rc == TWX_OK && i < n; i++)
        if (!TWX_VEC_PUSH(cx, &r->documents, d)) rc = TWX_E_NOMEM;
    return rc;
}

static twx_rc count_documents(reading *r, uint64_t *ret_documents) {
    twx_statement count = TWX_CLUSTER_STATEMENT("count_mirrors", COUNT_MIRRORS);
    count.run = r->run;
    *ret_documents = 0;
    twx_buf_clear(&r->rows);
    twx_rc rc = twx_nodes_run_all(r->nodes, &count, &r->rows);
    twx_slice rest = twx_buf_slice(&r->rows);
    while (rc == TWX_OK && rest.n > 0) {
        int64_t n = 0;
        if (!twx_slice_integer(twx_slice_next_line(&rest), &n) || n < 0)
            return twx_fail(r->job->cx, TWX_E_DATA,
                            "cluster: the answer to 'count_mirrors' is no number");
        *ret_documents += (uint64_t)n;
    }
    return rc;
}

static twx_rc read_documents(reading *r) {
    twx_statement read = TWX_CLUSTER_STATEMENT("read_mirrors", READ_MIRRORS);
    uint64_t documents = 0;
    twx_rc rc = count_documents(r, &documents);
    read.run = r->run;
    read.parts = 1 + documents / DOCUMENTS_AT_ONCE;
    for (read.range = 0; rc == TWX_OK && read.range < read.parts; read.range++) {
        twx_job_progress(r->job, "mirrors", "documents", r->documents.n, documents);
        twx_buf_clear(&r->rows);
        rc = twx_nodes_run_all(r->nodes, &read, &r->rows);
        twx_row_reader row = {.rest = twx_buf_slice(&r->rows)};
        while (rc == TWX_OK && row.rest.n > 0) rc = read_row(r, &row);
    }
    return rc;
}

static twx_rc find(reading *r) {
    const twx_settings *s = r->job->settings;
    const twx_mirror_case in = {.documents = r->documents.at,
                                .n = r->documents.n,
                                .hosts = r->list->hosts.at,
                                .hosts_n = r->host.n,
                                .exact_groups = r->exact.n,
                                .near_groups = r->near.n,
                                .ratio_ppm = s->mirrors_ratio_ppm,
                                .min_documents = s->mirrors_min_documents,
                                .group_hosts = TWX_MIRROR_GROUP_HOSTS};
    return twx_mirrors_find(r->job->cx, &in, &r->list->found);
}

static twx_rc find_run(reading *r) {
    twx_cluster_runs runs = {0};
    twx_rc rc = twx_cluster_runs_read(r->job->cx, r->nodes, &runs);
    r->run = runs.last;
    twx_cluster_runs_done(&runs);
    return rc == TWX_OK && r->run == 0
               ? twx_fail(r->job->cx, TWX_E_DATA,
                          "nothing has been judged: run 'twindex cluster judge'")
               : rc;
}

twx_rc twx_cluster_mirrors(const twx_job *job, twx_nodes *nodes, twx_mirror_list *ret_list) {
    reading r = {.job = job, .nodes = nodes, .list = ret_list};
    numbers *all[] = {&r.host, &r.exact, &r.near};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) twx_map64_init(&all[i]->of, 0);
    twx_buf_init(&r.rows, (size_t)TWX_ANSWER_BYTES);
    ret_list->store = job->settings->cluster_database;
    ret_list->ratio_ppm = job->settings->mirrors_ratio_ppm;
    ret_list->min_documents = job->settings->mirrors_min_documents;
    twx_rc rc = twx_cluster_check_tables(job, nodes);
    if (rc == TWX_OK) rc = find_run(&r);
    if (rc == TWX_OK) rc = read_documents(&r);
    if (rc == TWX_OK) rc = find(&r);
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) twx_map64_done(&all[i]->of);
    TWX_VEC_DONE(&r.documents);
    twx_buf_done(&r.rows);
    return rc;
}
