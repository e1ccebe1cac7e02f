#include "inspect/collect_page.h"

#include "inspect/diff.h"
#include "inspect/find_mirrors.h"
#include "inspect/report.h"
#include "store/display.h"

typedef struct counting {
    twx_ctx *cx;
    twx_page_counts *counts;
} counting;

static twx_rc take_count(void *arg, const twx_value *columns, size_t n) {
    counting *c = arg;
    const twx_page_count count = {columns[0].i, columns[1].i};
    (void)n;
    return TWX_VEC_PUSH(c->cx, c->counts, count) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc read_counts(const twx_listed_reading *r, const char *sql, twx_page_counts *counts) {
    counting c = {r->job->cx, counts};
    const twx_display_query question = {.sql = sql};
    return twx_display(r->o->writer, &question, take_count, &c);
}

static twx_rc read_figures(const twx_listed_reading *r, twx_report_page *p) {
    p->sizes_sql = twx_display_sizes();
    p->similarities_sql = twx_display_similarities();
    p->totals_sql = twx_display_totals();
    twx_rc rc = read_counts(r, p->sizes_sql, &p->sizes);
    if (rc == TWX_OK) rc = read_counts(r, p->similarities_sql, &p->similarities);
    const uint64_t shown = p->figures.all.indexable - p->figures.all.hidden;
    for (size_t i = 0; i < p->sizes.n; i++) p->clusters += (uint64_t)p->sizes.at[i].n;
    if (p->clusters > shown) p->clusters = shown; /* another program edited the flags */
    return rc;
}

/* The figures are read in several steps, in which a run may publish another result. */
static twx_rc check_unchanged(const twx_listed_reading *r, const twx_state *before) {
    twx_state now;
    twx_rc rc = twx_state_read(r->o->generations, &now);
    if (rc == TWX_OK && (now.generation != before->generation || now.run[0] != before->run[0] ||
                         now.run[1] != before->run[1]))
        rc = twx_fail(r->job->cx, TWX_E_BUSY,
                      "%s: a run published another result while the report was made; try again",
                      twx_own_path(r->job));
    return rc;
}

twx_rc twx_report_page_collect(const twx_job *job, twx_report_page *p) {
    twx_opened o = {0};
    const twx_listed_reading r = {.job = job, .o = &o, .arena = &p->arena};
    twx_state state = {0};
    p->made_at = twx_job_now();
    twx_rc rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_RESULTS, &o);
    if (rc == TWX_OK) rc = twx_state_read(o.generations, &state);
    if (rc == TWX_OK) rc = twx_report(job, &p->figures);
    if (rc == TWX_OK) rc = read_figures(&r, p);
    if (rc == TWX_OK) rc = twx_page_groups_read(&r, p);
    if (rc == TWX_OK) rc = twx_page_suspects_read(&r, p);
    if (rc == TWX_OK) rc = twx_see_mirrors(job, &p->mirrors);
    p->has_diff = state.run[0] && state.run[1];
    if (rc == TWX_OK && p->has_diff) rc = twx_diff(job, &p->diff);
    if (rc == TWX_OK) rc = check_unchanged(&r, &state);
    twx_opened_done(&o);
    return rc;
}
