#include "cluster/cluster.h"

/* With what all statements of the run name; counts it for progress. */
static twx_statement of_run(twx_judging *j, const twx_statement *statement) {
    twx_statement s = *statement;
    s.run = j->run;
    s.relations = j->relations;
    s.collapse_min = j->collapse_min;
    twx_job_progress(j->job, "judge", "statements", ++j->statements, 0);
    return s;
}

twx_rc twx_judging_ask(twx_judging *j, const twx_statement *statement, twx_buf *ret_answers) {
    const twx_statement s = of_run(j, statement);
    return twx_nodes_run_all(j->nodes, &s, ret_answers);
}

twx_rc twx_judging_read(twx_judging *j, const twx_statement *statement, twx_row_fn read,
                        void *arg) {
    const twx_statement s = of_run(j, statement);
    return twx_nodes_read(j->nodes, &s, read, arg);
}

twx_rc twx_judging_put(twx_judging *j, const twx_statement *statement, twx_slice rows) {
    const twx_statement s = of_run(j, statement);
    const size_t node = (size_t)(j->statements % twx_nodes_count(j->nodes));
    return twx_nodes_run(j->nodes, node, &s, rows, NULL);
}

twx_rc twx_judging_step(twx_judging *j, const twx_statement *statement) {
    return twx_judging_ask(j, statement, NULL);
}

twx_rc twx_judging_steps(twx_judging *j, const twx_statement *steps, size_t n) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = twx_judging_step(j, &steps[i]);
    return rc;
}

twx_rc twx_judging_ranges(twx_judging *j, const twx_statement *statement) {
    twx_statement s = *statement;
    twx_rc rc = TWX_OK;
    for (; rc == TWX_OK && s.range < j->job->settings->cluster_ranges; s.range++)
        rc = twx_judging_step(j, &s);
    return rc;
}

twx_rc twx_judging_sums(twx_judging *j, const twx_statement *statement, uint64_t *ret_sums,
                        size_t n) {
    const twx_statement s = of_run(j, statement);
    return twx_nodes_sums(j->nodes, &s, ret_sums, n);
}
