#include "inspect/store_report.h"

#include <inttypes.h>
#include <time.h>

#include "base/plural.h"
#include "run/count_rows.h"

enum { HOSTS_SHOWN = 30, RUNS_SHOWN = 10, NUMBER_WIDTH = 10, UTC_BYTES = 24 };

void twx_store_report_init(twx_store_report *r) {
    *r = (twx_store_report){.runs_most = RUNS_SHOWN};
    twx_arena_init(&r->arena, 0);
}

void twx_store_report_done(twx_store_report *r) {
    TWX_VEC_DONE(&r->relations);
    TWX_VEC_DONE(&r->hosts);
    TWX_VEC_DONE(&r->runs);
    twx_arena_done(&r->arena);
}

static const char *utc(int64_t seconds, char room[UTC_BYTES]) {
    time_t when = (time_t)seconds;
    struct tm tm;
    if (!gmtime_r(&when, &tm) || !strftime(room, UTC_BYTES, "%Y-%m-%dT%H:%M:%SZ", &tm))
        room[0] = '\0';
    return room;
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *relations_json(const twx_store_report *r) {
    json_t *all = json_array();
    for (size_t i = 0; i < r->relations.n; i++) {
        const twx_relation_figures *f = &r->relations.at[i];
        json_array_append_new(all,
                              json_pack("{s:o, s:I, s:I, s:I}", "detector", twx_json_slice(f->name),
                                        "groups", (json_int_t)f->groups, "copies",
                                        (json_int_t)f->copies, "largest", (json_int_t)f->largest));
    }
    return all;
}

static json_t *hosts_json(const twx_store_report *r) {
    json_t *all = json_array();
    for (size_t i = 0; i < r->hosts.n; i++) {
        const twx_host_figures *h = &r->hosts.at[i];
        json_t *copies = json_object();
        for (size_t k = 0; k < TWX_RELATIONS; k++)
            if (h->copies[k])
                json_object_set_new(copies, twx_relation_at(k)->name, twx_json_count(h->copies[k]));
        json_array_append_new(all, json_pack("{s:o, s:o, s:o, s:o, s:o}", "host",
                                             twx_json_slice(h->name), "documents",
                                             twx_json_count(h->documents), "indexable",
                                             twx_json_count(h->indexable), "hidden",
                                             twx_json_count(h->hidden), "copies", copies));
    }
    return all;
}

static json_t *runs_json(const twx_store_report *r) {
    json_t *all = json_array();
    for (size_t i = 0; i < r->runs.n; i++) {
        const twx_run_row *run = &r->runs.at[i];
        char started[UTC_BYTES];
        json_t *summary = run->summary.p ? json_loadb(run->summary.p, run->summary.n, 0, NULL)
                                         : NULL;
        json_array_append_new(
            all,
            json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:o?, s:o, s:o*}", "run",
                      (json_int_t)run->run, "started", utc(run->started_at, started), "seconds",
                      run->ended ? json_integer((json_int_t)(run->ended_at - run->started_at))
                                 : json_null(),
                      "state", twx_json_slice(run->state), "generation",
                      twx_json_slice(run->generation), "version", twx_json_slice(run->version),
                      "summary", summary, "message", twx_json_slice(run->message), "store",
                      run->store.p ? twx_json_slice(run->store) : NULL));
    }
    return all;
}

static json_t *report_json(const twx_store_report *r) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "store",
                     twx_json_text(r->store), "documents", twx_json_count(r->all.documents),
                     "indexable", twx_json_count(r->all.indexable), "hidden",
                     twx_json_count(r->all.hidden), "eligibility",
                     twx_counts_json(r->eligibility, TWX_ELIGIBILITIES, twx_eligibility_text),
                     "links", twx_counts_json(r->links, TWX_LINK_STATES, twx_link_state_text),
                     "detectors", relations_json(r), "hosts", hosts_json(r), "runs", runs_json(r));
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_whole(const twx_out *out, const twx_store_report *r) {
    const twx_host_figures *all = &r->all;
    twx_rc rc = twx_out_text(
        out,
        "%s\n  %12" PRIu64 "  %s\n  %12" PRIu64
        "  hidden by the verdict (%.1f %% of those that take part)\n",
        r->store, all->documents, twx_plural(all->documents, "document", "documents"), all->hidden,
        all->indexable ? 100.0 * (double)all->hidden / (double)all->indexable : 0.0);
    if (rc == TWX_OK)
        rc = twx_counts_write(out, r->eligibility, 0, TWX_ELIGIBILITIES, "", twx_eligibility_text);
    if (rc == TWX_OK)
        rc = twx_counts_write(out, r->links, 1, TWX_LINK_STATES, "links: ", twx_link_state_text);
    return rc;
}

static twx_rc write_relations(const twx_out *out, const twx_store_report *r) {
    twx_rc rc = twx_out_text(out, "\n  %-12s %12s %12s %12s\n", "detector", "groups", "copies",
                             "largest");
    for (size_t i = 0; rc == TWX_OK && i < r->relations.n; i++) {
        const twx_relation_figures *f = &r->relations.at[i];
        rc = twx_out_text(out, "  %-12s %12" PRId64 " %12" PRId64 " %12" PRId64 "\n", f->name.p,
                          f->groups, f->copies, f->largest);
    }
    return rc;
}

/* The table of hosts has a column for each relation by which at least one document is a
 * duplicate. */
static twx_rc write_heading(const twx_out *out, const twx_store_report *r) {
    twx_rc rc = twx_out_text(out, "\n  %*s %*s %*s", NUMBER_WIDTH, "documents", NUMBER_WIDTH,
                             "take part", NUMBER_WIDTH, "verdict");
    for (size_t k = 0; rc == TWX_OK && k < TWX_RELATIONS; k++)
        if (r->all.copies[k])
            rc = twx_out_text(out, " %*s", NUMBER_WIDTH, twx_relation_at(k)->name);
    return rc == TWX_OK ? twx_out_text(out, "  host\n") : rc;
}

static twx_rc write_host(const twx_out *out, const twx_store_report *r, const twx_host_figures *h) {
    size_t column = 2 + 3 * (NUMBER_WIDTH + 1) + 1;
    twx_rc rc = twx_out_text(out, "  %*" PRIu64 " %*" PRIu64 " %*" PRIu64, NUMBER_WIDTH,
                             h->documents, NUMBER_WIDTH, h->indexable, NUMBER_WIDTH, h->hidden);
    for (size_t k = 0; rc == TWX_OK && k < TWX_RELATIONS; k++) {
        if (!r->all.copies[k]) continue;
        rc = twx_out_text(out, " %*" PRIu64, NUMBER_WIDTH, h->copies[k]);
        column += NUMBER_WIDTH + 1;
    }
    return rc == TWX_OK
               ? twx_out_text(out, "  %.*s\n", twx_out_fitting(out, h->name.p, column), h->name.p)
               : rc;
}

static twx_rc write_hosts(const twx_out *out, const twx_store_report *r) {
    const size_t n = r->hosts.n;
    twx_rc rc = write_heading(out, r);
    for (size_t i = 0; rc == TWX_OK && i < n && i < HOSTS_SHOWN; i++)
        rc = write_host(out, r, &r->hosts.at[i]);
    if (rc == TWX_OK && n > HOSTS_SHOWN)
        rc = twx_out_text(out, "  ... and %zu more %s (--json has all)\n", n - HOSTS_SHOWN,
                          twx_plural(n - HOSTS_SHOWN, "host", "hosts"));
    return rc;
}

static twx_rc write_runs(const twx_out *out, const twx_store_report *r) {
    twx_rc rc = twx_out_text(out, "\nlast runs:\n");
    for (size_t i = 0; rc == TWX_OK && i < r->runs.n; i++) {
        const twx_run_row *run = &r->runs.at[i];
        char started[UTC_BYTES];
        rc = twx_out_text(out, "  %6" PRId64 "  %s  %-10s %s%s%s\n", run->run,
                          utc(run->started_at, started), run->state.p ? run->state.p : "",
                          run->message.p ? run->message.p : "", run->store.p ? " only " : "",
                          run->store.p ? run->store.p : "");
    }
    return rc;
}

twx_rc twx_store_report_write(const twx_out *out, const twx_store_report *r) {
    if (twx_out_is_json(out)) return twx_out_json(out, report_json(r));
    twx_rc rc = write_whole(out, r);
    if (rc == TWX_OK) rc = write_relations(out, r);
    if (rc == TWX_OK) rc = write_hosts(out, r);
    return rc == TWX_OK ? write_runs(out, r) : rc;
}
