#include "inspect/collect_page.h"

#include "inspect/diff.h"
#include "inspect/find_mirrors.h"
#include "inspect/report.h"

typedef struct counting {
    twx_ctx *cx;
    twx_page_counts *counts;
} counting;

/* The rows of all stores come in order of the value. */
static twx_rc take_count(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    counting *c = arg;
    const twx_page_count count = {columns[0].i, columns[1].i};
    twx_page_count *last = c->counts->n ? &c->counts->at[c->counts->n - 1] : NULL;
    (void)member, (void)n;
    if (last && last->value == count.value) {
        last->n += count.n;
        return TWX_OK;
    }
    return TWX_VEC_PUSH(c->cx, c->counts, count) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc read_counts(const twx_listed_reading *r, const char *sql, twx_page_counts *counts) {
    counting c = {r->job->cx, counts};
    static const int BY_VALUE[] = {1, 0};
    const twx_set_query question = {{.sql = sql}, false, BY_VALUE};
    return twx_store_set_display(r->set, &question, take_count, &c);
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
static twx_rc check_unchanged(const twx_set_member *m) {
    const twx_state *before = &m->state;
    twx_state now;
    twx_rc rc = twx_state_read(m->o.generations, &now);
    if (rc == TWX_OK && (now.generation != before->generation || now.run[0] != before->run[0] ||
                         now.run[1] != before->run[1]))
        rc = twx_fail(m->job.cx, TWX_E_BUSY,
                      "%s: a run published another result while the report was made; try again",
                      twx_own_path(&m->job));
    return rc;
}

twx_rc twx_report_page_collect(const twx_job *job, twx_report_page *p) {
    twx_store_set set;
    const twx_listed_reading r = {.job = job, .set = &set, .arena = &p->arena};
    p->made_at = twx_job_now();
    twx_rc rc = twx_store_set_open(job, TWX_NEED_SOURCE, &set);
    if (rc == TWX_OK) rc = twx_report(job, &p->figures);
    if (rc == TWX_OK) rc = read_figures(&r, p);
    if (rc == TWX_OK) rc = twx_page_groups_read(&r, p);
    if (rc == TWX_OK) rc = twx_page_suspects_read(&r, p);
    if (rc == TWX_OK) rc = twx_see_mirrors(job, &p->mirrors);
    p->has_diff = rc == TWX_OK && twx_store_set_has_earlier(&set);
    if (rc == TWX_OK && p->has_diff) rc = twx_diff(job, &p->diff);
    for (size_t i = 0; rc == TWX_OK && i < set.n; i++) rc = check_unchanged(&set.at[i]);
    twx_store_set_done(&set);
    return rc;
}
