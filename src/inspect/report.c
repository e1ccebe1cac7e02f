#include "inspect/report.h"

#include <stdlib.h>

#include "base/hash64.h"
#include "base/map64.h"
#include "run/store_set.h"
#include "store/flags_cursor.h"

typedef struct reporting {
    const twx_job *job;
    twx_store_report *report;
    twx_store_set set;
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

/* The rows of all stores come in order of the name. */
static twx_rc take_relation(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    reporting *t = arg;
    twx_store_report *r = t->report;
    twx_relation_figures f = {
        .groups = columns[1].i, .copies = columns[2].i, .largest = columns[3].i};
    twx_relation_figures *last = r->relations.n ? &r->relations.at[r->relations.n - 1] : NULL;
    (void)member, (void)n;
    if (last && twx_slice_eq(last->name, columns[0].bytes)) {
        last->groups += f.groups;
        last->copies += f.copies;
        if (f.largest > last->largest) last->largest = f.largest;
        return TWX_OK;
    }
    twx_rc rc = twx_arena_copy(t->job->cx, &t->report->arena, columns[0].bytes, &f.name);
    return rc == TWX_OK && !TWX_VEC_PUSH(t->job->cx, &t->report->relations, f) ? TWX_E_NOMEM : rc;
}

/* A run over several stores has one summary in the logs of all of them, and is listed once. */
static bool is_listed(const twx_store_report *r, twx_slice summary, twx_run_row **ret_row) {
    for (size_t i = r->runs.n; summary.n && i-- > 0;)
        if (twx_slice_eq(r->runs.at[i].summary, summary)) {
            *ret_row = &r->runs.at[i];
            return true;
        }
    return false;
}

/* Another program can have changed the numbers. */
static int64_t count_or_none(const twx_value *v) {
    return v->type == TWX_INT && v->i >= 0 ? v->i : -1;
}

/* Nor need the times be right: a run that ended before it began has no duration. */
static twx_rc take_run(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    reporting *t = arg;
    twx_run_row *listed = NULL;
    if (t->set.n > 1 && is_listed(t->report, columns[6].bytes, &listed)) {
        listed->store = (twx_slice){NULL, 0};
        return TWX_OK;
    }
    if (t->report->runs.n == t->report->runs_most) return TWX_DONE;
    const int64_t began = columns[1].i, ended = columns[2].i;
    twx_run_row run = {.run = columns[0].i,
                       .started_at = began,
                       .ended_at = ended,
                       .store = t->set.at[member].shard,
                       .documents = count_or_none(&columns[8]),
                       .indexable = count_or_none(&columns[9]),
                       .hidden = count_or_none(&columns[10]),
                       .ended = columns[2].type == TWX_INT && began >= 0 && ended >= began};
    twx_slice *const texts[] = {&run.state, &run.generation, &run.version, &run.summary,
                                &run.message};
    twx_rc rc = TWX_OK;
    (void)n;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(texts); i++)
        rc = twx_arena_copy(t->job->cx, &t->report->arena, columns[3 + i].bytes, texts[i]);
    return rc == TWX_OK && !TWX_VEC_PUSH(t->job->cx, &t->report->runs, run) ? TWX_E_NOMEM : rc;
}

static twx_rc read_tables(reporting *t) {
    static const int BY_NAME[] = {1, 0}, NEWEST[] = {-2, -1, 0};
    const twx_value limit = {.type = TWX_INT, .i = (int64_t)t->report->runs_most};
    const twx_set_query totals = {{.sql = twx_display_totals()}, false, BY_NAME},
                        runs = {{.sql = twx_display_runs(), .values = &limit, .n_values = 1},
                                false,
                                NEWEST};
    twx_rc rc = twx_store_set_display(&t->set, &totals, take_relation, t);
    return rc == TWX_OK ? twx_store_set_display(&t->set, &runs, take_run, t) : rc;
}

static twx_rc count_all(reporting *t) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < t->set.n; i++) {
        twx_set_member *m = &t->set.at[i];
        rc = twx_flags_cursor_init(t->job->cx, m->o.generations, m->state.generation, &t->flags);
        if (rc == TWX_OK) rc = twx_signatures_each(m->o.signatures, true, take_document, t);
        twx_flags_cursor_done(&t->flags);
    }
    return rc;
}

static twx_rc name_report(reporting *t) {
    char *title = twx_job_title(t->job);
    twx_slice copy = {NULL, 0};
    if (!title) return TWX_E_NOMEM;
    const twx_rc rc = twx_arena_copy(t->job->cx, &t->report->arena, twx_slice_of(title), &copy);
    if (rc == TWX_OK) t->report->store = copy.p;
    twx_free(title);
    return rc;
}

twx_rc twx_report(const twx_job *job, twx_store_report *ret_report) {
    reporting t = {.job = job, .report = ret_report};
    ret_report->store = job->store;
    ret_report->stores = job->n_stores ? job->stores : &job->store;
    ret_report->n_stores = job->n_stores ? job->n_stores : 1;
    twx_map64_init(&t.by_name, 0);
    twx_rc rc = twx_store_set_open(job, 0, &t.set);
    if (rc == TWX_OK) rc = twx_store_set_warn(&t.set);
    if (rc == TWX_OK) rc = name_report(&t);
    if (rc == TWX_OK) rc = count_all(&t);
    if (rc == TWX_OK && ret_report->hosts.n)
        qsort(ret_report->hosts.at, ret_report->hosts.n, sizeof *ret_report->hosts.at,
              by_documents);
    if (rc == TWX_OK) rc = read_tables(&t);
    if (rc == TWX_OK) rc = twx_store_set_kept(&t.set);
    twx_map64_done(&t.by_name);
    twx_store_set_done(&t.set);
    return rc;
}
