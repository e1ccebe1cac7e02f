#include "search/read_overview.h"

#include "run/open_store.h"
#include "store/display.h"
#include "store/text_index.h"

enum { RUNS = 1000, RUN = 0, ENDED_AT = 2, SUMMARY = 6 };

typedef struct reading {
    const twx_job *job;
    twx_overview *result;
} reading;

/* Of the ledger, newest first. */
static twx_rc take_run(void *arg, const twx_value *columns, size_t n) {
    const reading *r = arg;
    (void)n;
    if (columns[RUN].i != r->result->run) return TWX_OK;
    r->result->published_at = columns[ENDED_AT].i;
    twx_rc rc = columns[SUMMARY].type == TWX_TEXT
                    ? twx_buf_add_slice(r->job->cx, &r->result->summary, columns[SUMMARY].bytes)
                    : TWX_OK;
    return rc == TWX_OK ? TWX_DONE : rc;
}

static twx_rc read_run(const twx_job *job, twx_opened *o, twx_overview *result) {
    const twx_value limit = {.type = TWX_INT, .i = RUNS};
    const twx_display_query runs = {.sql = twx_display_runs(), .values = &limit, .n_values = 1};
    reading r = {job, result};
    twx_state state;
    twx_rc rc = twx_state_read(o->generations, &state);
    if (rc != TWX_OK || !state.generation) return rc;
    result->run = state.run[state.generation == 'b'];
    return twx_display(o->writer, &runs, take_run, &r);
}

twx_rc twx_read_overview(const twx_job *job, const twx_ranking_rules *rules,
                         twx_overview *ret_overview) {
    twx_opened o = {0};
    twx_text_index_state index = TWX_TEXT_NONE;
    twx_rc rc = twx_open_store(job, TWX_NEED_LOOK, &o);
    ret_overview->store = job->store;
    ret_overview->fields = twx_rules_fields(rules->rules);
    if (rc == TWX_OK && o.generations) rc = read_run(job, &o, ret_overview);
    if (rc == TWX_OK && o.generations) rc = twx_text_index_look(o.writer, &index);
    ret_overview->indexed = index == TWX_TEXT_READY;
    twx_opened_done(&o);
    return rc;
}
