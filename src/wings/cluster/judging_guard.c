/* Guards (judge/guard.h) on the result of a run over the cluster. Sites are counted on the servers;
 * only those that may have a finding are read. What took part before is that of the last run that
 * no guard has stopped. */
#include "cluster/judging.h"
#include "cluster/row_binary.h"
#include "judge/guard_rules.h"
#include "sql_text.h"

typedef struct guarding {
    twx_judging *j;
    uint64_t before; /* the run to compare with; 0: none */
    twx_guard guard;
    twx_guard_findings *says;
    twx_buf rows;
} guarding;

static twx_rc fail_rows(const guarding *g, const char *name) {
    return twx_fail(g->j->job->cx, TWX_E_DATA, "cluster: the answer to '%s' is cut", name);
}

static twx_rc read_rows(guarding *g, const twx_statement *statement, twx_row_reader *ret_reader) {
    twx_buf_clear(&g->rows);
    twx_rc rc = twx_judging_ask(g->j, statement, &g->rows);
    *ret_reader = (twx_row_reader){.rest = twx_buf_slice(&g->rows)};
    return rc;
}

static twx_rc check_sites(guarding *g) {
    twx_statement read = TWX_JUDGING_STATEMENT("read_sites", READ_SITES);
    twx_row_reader r;
    read.base = g->guard.min_documents;
    read.cap = g->guard.max_hidden_ppm;
    twx_rc rc = read_rows(g, &read, &r);
    while (rc == TWX_OK && r.rest.n > 0) {
        twx_guard_site site = {.name = twx_row_string(&r)};
        site.documents = twx_row_number(&r, 8);
        site.hidden = twx_row_number(&r, 8);
        site.elsewhere = twx_row_number(&r, 8);
        site.main_site = twx_row_string(&r);
        rc = r.broken ? fail_rows(g, "read_sites")
                      : twx_guard_site_check(g->j->job->cx, &g->guard, &site, g->says);
    }
    return rc;
}

/* ---- losses -------------------------------------------------------------- */

static twx_rc count_kinds(guarding *g, uint64_t run, uint64_t ret_counts[TWX_ELIGIBILITIES]) {
    twx_statement read = TWX_JUDGING_STATEMENT("count_kinds", COUNT_KINDS);
    twx_row_reader r;
    read.base = run;
    twx_rc rc = read_rows(g, &read, &r);
    while (rc == TWX_OK && r.rest.n > 0) {
        const uint64_t kind = twx_row_number(&r, 1), n = twx_row_number(&r, 8);
        if (r.broken || kind >= TWX_ELIGIBILITIES) return fail_rows(g, "count_kinds");
        ret_counts[kind] += n;
    }
    return rc;
}

static twx_rc check_all(guarding *g) {
    uint64_t before[TWX_ELIGIBILITIES] = {0}, now[TWX_ELIGIBILITIES] = {0};
    twx_rc rc = count_kinds(g, g->j->run, now);
    if (rc == TWX_OK && g->before == 0)
        return twx_guard_first_check(g->j->job->cx, &g->guard, now, g->says);
    if (rc == TWX_OK) rc = count_kinds(g, g->before, before);
    const twx_guard_loss loss = {TWX_WHOLE_STORE, before[TWX_ELIGIBLE], now[TWX_ELIGIBLE], now};
    return rc == TWX_OK ? twx_guard_loss_check(g->j->job->cx, &g->guard, &loss, g->says) : rc;
}

static twx_rc read_loss(guarding *g, twx_row_reader *r) {
    uint8_t kinds[TWX_ELIGIBILITIES];
    uint64_t out[TWX_ELIGIBILITIES] = {0};
    twx_guard_loss loss = {.name = twx_row_string(r), .out = out};
    loss.before = twx_row_number(r, 8);
    loss.now = twx_row_number(r, 8);
    const uint64_t n = twx_row_length(r);
    if (n > TWX_ELIGIBILITIES) return fail_rows(g, "read_losses");
    for (uint64_t i = 0; i < n; i++) kinds[i] = (uint8_t)twx_row_number(r, 1);
    if (twx_row_length(r) != n) return fail_rows(g, "read_losses");
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t documents = twx_row_number(r, 8);
        if (kinds[i] < TWX_ELIGIBILITIES) out[kinds[i]] = documents;
    }
    return r->broken ? fail_rows(g, "read_losses")
                     : twx_guard_loss_check(g->j->job->cx, &g->guard, &loss, g->says);
}

static twx_rc check_losses(guarding *g) {
    twx_statement read = TWX_JUDGING_STATEMENT("read_losses", READ_LOSSES);
    twx_row_reader r;
    twx_rc rc = check_all(g);
    if (rc != TWX_OK || g->before == 0) return rc;
    read.base = g->before;
    if (rc == TWX_OK) rc = read_rows(g, &read, &r);
    while (rc == TWX_OK && r.rest.n > 0) rc = read_loss(g, &r);
    return rc;
}

/* ---- groups -------------------------------------------------------------- */

static twx_rc check_groups(guarding *g) {
    const twx_statement read = TWX_JUDGING_STATEMENT("largest_groups", LARGEST_GROUPS);
    uint64_t largest[TWX_RELATIONS] = {0};
    twx_row_reader r;
    twx_rc rc = read_rows(g, &read, &r);
    while (rc == TWX_OK && r.rest.n > 0) {
        const uint64_t relation = twx_row_number(&r, 1), n = twx_row_number(&r, 8);
        if (r.broken || relation >= TWX_RELATIONS) return fail_rows(g, "largest_groups");
        if (n > largest[relation]) largest[relation] = n;
    }
    for (size_t i = 0; rc == TWX_OK && i < TWX_RELATIONS; i++)
        if (g->j->relations >> i & 1)
            rc = twx_guard_group_check(g->j->job->cx, &g->guard, i, largest[i], g->says);
    return rc;
}

twx_rc twx_judging_guard(twx_judging *j, uint64_t before, twx_guard_findings *ret_says) {
    const twx_settings *s = j->job->settings;
    const twx_statement steps[] = {TWX_JUDGING_STATEMENT("count_sites", COUNT_SITES),
                                   TWX_JUDGING_STATEMENT("find_shown", FIND_SHOWN),
                                   TWX_JUDGING_STATEMENT("find_elsewhere", FIND_ELSEWHERE)};
    guarding g = {.j = j,
                  .before = before,
                  .guard = {.max_hidden_ppm = s->guard_max_hidden_ppm,
                            .max_lost_ppm = s->guard_max_lost_ppm,
                            .min_documents = s->guard_min_documents,
                            .max_group = s->guard_max_group},
                  .says = ret_says};
    twx_rc rc = TWX_OK;
    twx_buf_init(&g.rows, (size_t)TWX_ANSWER_BYTES);
    ret_says->n_stops = ret_says->n_notes = 0;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++)
        rc = twx_judging_step(j, &steps[i]);
    if (rc == TWX_OK) rc = check_losses(&g);
    if (rc == TWX_OK) rc = check_sites(&g);
    if (rc == TWX_OK) rc = check_groups(&g);
    twx_buf_done(&g.rows);
    return rc;
}
