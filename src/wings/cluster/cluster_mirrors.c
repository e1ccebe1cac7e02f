#include "cluster/cluster_mirrors.h"

#include "base/hash64.h"
#include "cluster/manifests.h"
#include "cluster/row_binary.h"
#include "cluster/tables.h"
#include "judge/mirror_intake.h"
#include "sql_text.h"

enum { DOCUMENTS_AT_ONCE = 4000000 }; /* about, of a statement */

typedef struct reading {
    const twx_job *job;
    twx_nodes *nodes;
    uint64_t run;
    twx_mirror_list *list;
    twx_mirror_intake in;
    uint64_t documents; /* that take part */
    twx_buf rows;
} reading;

/* The key of a group; name: of its representative, empty for none. */
static const uint64_t *group_of(twx_slice name, uint64_t *key) {
    *key = twx_hash64(name, 0);
    return name.n ? key : NULL;
}

static twx_rc read_row(reading *r, twx_row_reader *row) {
    twx_mirror_entry e = {.host = twx_row_string(row)};
    const twx_slice exact = twx_row_string(row), near = twx_row_string(row);
    uint64_t keys[2];
    e.exact = group_of(exact, &keys[0]);
    e.near = group_of(near, &keys[1]);
    e.survive = twx_row_number(row, 1) != 0;
    e.n = twx_row_number(row, 8);
    if (row->broken || e.host.n == 0 || e.n > r->documents - r->in.documents.n)
        return twx_fail(r->job->cx, TWX_E_DATA,
                        "cluster: the answer to 'read_mirrors' is not that of its run: if a "
                        "judgement has ended meanwhile, try again");
    return twx_mirror_intake_add(r->job->cx, &r->in, &e);
}

static twx_rc count_documents(reading *r) {
    twx_statement count = TWX_CLUSTER_STATEMENT("count_mirrors", COUNT_MIRRORS);
    count.run = r->run;
    twx_buf_clear(&r->rows);
    twx_rc rc = twx_nodes_run_all(r->nodes, &count, &r->rows);
    twx_slice rest = twx_buf_slice(&r->rows);
    while (rc == TWX_OK && rest.n > 0) {
        int64_t n = 0;
        if (!twx_slice_integer(twx_slice_next_line(&rest), &n) || n < 0)
            return twx_fail(r->job->cx, TWX_E_DATA,
                            "cluster: the answer to 'count_mirrors' is no number");
        r->documents += (uint64_t)n;
    }
    return rc;
}

static twx_rc read_documents(reading *r) {
    twx_statement read = TWX_CLUSTER_STATEMENT("read_mirrors", READ_MIRRORS);
    twx_rc rc = count_documents(r);
    read.run = r->run;
    read.parts = 1 + r->documents / DOCUMENTS_AT_ONCE;
    for (read.range = 0; rc == TWX_OK && read.range < read.parts; read.range++) {
        twx_job_progress(r->job, "mirrors", "documents", r->in.documents.n, r->documents);
        twx_buf_clear(&r->rows);
        rc = twx_nodes_run_all(r->nodes, &read, &r->rows);
        twx_row_reader row = {.rest = twx_buf_slice(&r->rows)};
        while (rc == TWX_OK && row.rest.n > 0) rc = read_row(r, &row);
    }
    return rc;
}

static twx_rc find(reading *r) {
    const twx_settings *s = r->job->settings;
    return twx_mirror_intake_find(r->job->cx, &r->in, s->mirrors_ratio_ppm,
                                  s->mirrors_min_documents, &r->list->found);
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
    twx_mirror_intake_init(&r.in, &ret_list->names, &ret_list->hosts);
    twx_buf_init(&r.rows, (size_t)TWX_ANSWER_BYTES);
    ret_list->store = job->settings->cluster_database;
    ret_list->ratio_ppm = job->settings->mirrors_ratio_ppm;
    ret_list->min_documents = job->settings->mirrors_min_documents;
    twx_rc rc = twx_cluster_check_tables(job, nodes);
    if (rc == TWX_OK) rc = find_run(&r);
    if (rc == TWX_OK) rc = read_documents(&r);
    if (rc == TWX_OK) rc = find(&r);
    twx_mirror_intake_done(&r.in);
    twx_buf_done(&r.rows);
    return rc;
}
