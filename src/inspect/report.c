#include "inspect/report.h"

#include <stdlib.h>

#include "base/hash64.h"
#include "base/map64.h"
#include "job/open_store.h"
#include "store/display.h"
#include "store/flags_cursor.h"

typedef struct reporting {
    const twx_job *job;
    twx_store_report *report;
    twx_opened o;
    twx_state state;
    twx_map64 by_name;
    twx_flags_cursor flags;
} reporting;

/* ---- counting ----------------------------------------------------------- */

static void count(twx_host_figures *h, const twx_flag_row *row) {
    h->documents++;
    if (!row || row->v[TWX_FLAG_eligibility] != TWX_ELIGIBLE) return;
    h->indexable++;
    h->hidden += twx_flag_known(row, TWX_FLAG_duplicate_of);
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        const twx_relation *relation = twx_relation_at(i);
        h->copies[i] += twx_flag_known(row, relation->rep) && row->v[relation->rep] != row->doc;
    }
}

static twx_rc take_document(void *arg, const twx_stored *stored) {
    reporting *t = arg;
    twx_store_report *r = t->report;
    twx_facts facts;
    const twx_flag_row *row = NULL;
    uint64_t index = r->hosts.n;
    twx_rc rc = twx_facts_unpack(t->job->cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_flags_cursor_of(&t->flags, stored->doc, &row);
    if (rc == TWX_OK)
        rc = twx_map64_add(t->job->cx, &t->by_name, twx_hash64(facts.host, 0), r->hosts.n, &index);
    if (rc == TWX_OK && index == r->hosts.n) {
        twx_host_figures fresh = {.name = {NULL, 0}};
        rc = twx_arena_copy(t->job->cx, &r->arena,
                            facts.host.n ? facts.host : TWX_SLICE_LIT("(no host)"), &fresh.name);
        if (rc == TWX_OK && !TWX_VEC_PUSH(t->job->cx, &r->hosts, fresh)) rc = TWX_E_NOMEM;
    }
    if (rc != TWX_OK) return rc;
    count(&r->hosts.at[index], row);
    count(&r->all, row);
    if (row) r->eligibility[row->v[TWX_FLAG_eligibility] % TWX_ELIGIBILITIES]++;
    if (row) r->links[row->v[TWX_FLAG_link_state] % TWX_LINK_STATES]++;
    return TWX_OK;
}

static int by_documents(const void *a, const void *b) {
    const twx_host_figures *x = a, *y = b;
    if (x->documents != y->documents) return x->documents < y->documents ? 1 : -1;
    return twx_slice_cmp(x->name, y->name);
}

/* ---- tables of the store -------------------------------------------------- */

static twx_rc take_relation(void *arg, const twx_value *columns, size_t n) {
    reporting *t = arg;
    twx_relation_figures f = {
        .groups = columns[1].i, .copies = columns[2].i, .largest = columns[3].i};
    (void)n;
    twx_rc rc = twx_arena_copy(t->job->cx, &t->report->arena, columns[0].bytes, &f.name);
    return rc == TWX_OK && !TWX_VEC_PUSH(t->job->cx, &t->report->relations, f) ? TWX_E_NOMEM : rc;
}

/* Another program can have changed the times: a run that ended before it began has no duration. */
static twx_rc take_run(void *arg, const twx_value *columns, size_t n) {
    reporting *t = arg;
    const int64_t began = columns[1].i, ended = columns[2].i;
    twx_run_row run = {.run = columns[0].i,
                       .started_at = began,
                       .ended_at = ended,
                       .ended = columns[2].type == TWX_INT && began >= 0 && ended >= began};
    twx_slice *const texts[] = {&run.state, &run.generation, &run.version, &run.summary,
                                &run.message};
    twx_rc rc = TWX_OK;
    (void)n;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(texts); i++)
        rc = twx_arena_copy(t->job->cx, &t->report->arena, columns[3 + i].bytes, texts[i]);
    return rc == TWX_OK && !TWX_VEC_PUSH(t->job->cx, &t->report->runs, run) ? TWX_E_NOMEM : rc;
}

twx_rc twx_report(const twx_job *job, twx_store_report *ret_report) {
    reporting t = {.job = job, .report = ret_report};
    const twx_value limit[] = {{.type = TWX_INT, .i = (int64_t)ret_report->runs_most}};
    const twx_display_query totals = {.sql = twx_display_totals()},
                            runs = {.sql = twx_display_runs(), .values = limit, .n_values = 1};
    ret_report->store = job->store;
    twx_map64_init(&t.by_name, 0);
    twx_rc rc = twx_open_store(job, TWX_NEED_RESULTS, &t.o);
    if (rc == TWX_OK) rc = twx_state_read(t.o.generations, &t.state);
    if (rc == TWX_OK && !t.state.generation)
        rc = twx_fail(job->cx, TWX_E_DATA, "%s: no run has published flags yet", twx_own_path(job));
    if (rc == TWX_OK)
        rc = twx_flags_cursor_init(job->cx, t.o.generations, t.state.generation, &t.flags);
    if (rc == TWX_OK) rc = twx_signatures_each(t.o.signatures, true, take_document, &t);
    if (rc == TWX_OK && ret_report->hosts.n)
        qsort(ret_report->hosts.at, ret_report->hosts.n, sizeof *ret_report->hosts.at,
              by_documents);
    if (rc == TWX_OK) rc = twx_display(t.o.writer, &totals, take_relation, &t);
    if (rc == TWX_OK) rc = twx_display(t.o.writer, &runs, take_run, &t);
    if (rc == TWX_OK) rc = twx_result_kept(job, &t.o, &t.state);
    twx_map64_done(&t.by_name);
    twx_flags_cursor_done(&t.flags);
    twx_opened_done(&t.o);
    return rc;
}
