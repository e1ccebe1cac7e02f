#include "inspect/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/hash64.h"
#include "base/map64.h"
#include "base/plural.h"
#include "job/open_store.h"
#include "judge/eligible.h"
#include "judge/relations.h"
#include "store/flags_cursor.h"
#include "store/look.h"

enum { HOSTS_SHOWN = 30, RUNS_SHOWN = 10 };

typedef struct host {
    char *name;
    uint64_t documents, indexable, hidden, copies[TWX_RELATIONS];
} host;

typedef struct telling {
    const twx_job *job;
    const twx_out *out;
    twx_opened o;
    twx_state state;
    TWX_VEC(host) hosts;
    twx_map64 by_name;
    host all;
    uint64_t eligibility[TWX_ELIGIBILITIES], links[TWX_LINK_STATES];
    twx_flags_cursor flags;
    json_t *json; /* the whole report */
    json_t *list; /* the list being filled; borrowed */
} telling;

/* ---- counting ----------------------------------------------------------- */

static void count(host *h, const twx_flag_row *row) {
    h->documents++;
    if (!row || row->v[TWX_FLAG_eligibility] != TWX_ELIGIBLE) return;
    h->indexable++;
    h->hidden += twx_flag_known(row, TWX_FLAG_duplicate_of);
    for (size_t s = 0; s < TWX_RELATIONS; s++) {
        const twx_relation *slot = twx_relation_at(s);
        h->copies[s] += twx_flag_known(row, slot->rep) && row->v[slot->rep] != row->doc;
    }
}

static twx_rc take_document(void *arg, const twx_stored *stored) {
    telling *t = arg;
    twx_facts facts;
    const twx_flag_row *row = NULL;
    uint64_t index = t->hosts.n;
    twx_rc rc = twx_facts_unpack(t->job->cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_flags_cursor_of(&t->flags, stored->doc, &row);
    if (rc == TWX_OK)
        rc = twx_map64_add(t->job->cx, &t->by_name, twx_hash64(facts.host, 0), t->hosts.n, &index);
    if (rc != TWX_OK) return rc;
    if (index == t->hosts.n) {
        host fresh = {.name = twx_strndup(t->job->cx, facts.host.n ? facts.host.p : "(no host)",
                                          facts.host.n ? facts.host.n : 9)};
        if (!fresh.name || !TWX_VEC_PUSH(t->job->cx, &t->hosts, fresh)) {
            twx_free(fresh.name);
            return TWX_E_NOMEM;
        }
    }
    count(&t->hosts.at[index], row);
    count(&t->all, row);
    if (row) t->eligibility[row->v[TWX_FLAG_eligibility] % TWX_ELIGIBILITIES]++;
    if (row) t->links[row->v[TWX_FLAG_link_state] % TWX_LINK_STATES]++;
    return TWX_OK;
}

static int by_documents(const void *a, const void *b) {
    const host *x = a, *y = b;
    if (x->documents != y->documents) return x->documents < y->documents ? 1 : -1;
    return twx_slice_cmp(twx_slice_of(x->name), twx_slice_of(y->name));
}

/* ---- telling ------------------------------------------------------------ */

static json_t *number(uint64_t v) {
    return json_integer((json_int_t)v);
}

static json_t *host_json(const host *h) {
    json_t *copies = json_object();
    for (size_t s = 0; s < TWX_RELATIONS; s++)
        if (h->copies[s])
            json_object_set_new(copies, twx_relation_at(s)->name, number(h->copies[s]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "host", h->name ? h->name : "", "documents",
                     number(h->documents), "indexable", number(h->indexable), "hidden",
                     number(h->hidden), "copies", copies);
}

static twx_rc tell_whole(telling *t) {
    if (twx_out_is_json(t->out)) {
        json_t *states = json_object(), *links = json_object();
        for (size_t i = 0; i < TWX_ELIGIBILITIES; i++)
            if (t->eligibility[i])
                json_object_set_new(states, twx_eligibility_text((twx_eligibility)i),
                                    number(t->eligibility[i]));
        for (size_t i = 0; i < TWX_LINK_STATES; i++)
            if (t->links[i])
                json_object_set_new(links, twx_link_state_text((twx_link_state)i),
                                    number(t->links[i]));
        t->json = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "store", t->job->store, "documents",
                            number(t->all.documents), "indexable", number(t->all.indexable),
                            "hidden", number(t->all.hidden), "eligibility", states, "links", links);
        return t->json ? TWX_OK : twx_fail(t->job->cx, TWX_E_NOMEM, "out of memory for JSON");
    }
    twx_rc rc = twx_out_text(
        t->out,
        "%s\n  %12" PRIu64 "  %s\n  %12" PRIu64
        "  hidden by the verdict (%.1f %% of those that take part)\n",
        t->job->store, t->all.documents, twx_plural(t->all.documents, "document", "documents"),
        t->all.hidden,
        t->all.indexable ? 100.0 * (double)t->all.hidden / (double)t->all.indexable : 0.0);
    for (size_t i = 0; rc == TWX_OK && i < TWX_ELIGIBILITIES; i++)
        if (t->eligibility[i])
            rc = twx_out_text(t->out, "  %12" PRIu64 "  %s\n", t->eligibility[i],
                              twx_eligibility_text((twx_eligibility)i));
    for (size_t i = 1; rc == TWX_OK && i < TWX_LINK_STATES; i++)
        if (t->links[i])
            rc = twx_out_text(t->out, "  %12" PRIu64 "  links: %s\n", t->links[i],
                              twx_link_state_text((twx_link_state)i));
    return rc;
}

static twx_rc tell_total(void *arg, const twx_value *columns, size_t n) {
    telling *t = arg;
    (void)n;
    if (twx_out_is_json(t->out)) {
        json_array_append_new(t->list, json_pack("{s:o, s:o, s:o, s:o}", "detector",
                                                 twx_json_slice(columns[0].bytes), "groups",
                                                 json_integer((json_int_t)columns[1].i), "copies",
                                                 json_integer((json_int_t)columns[2].i), "largest",
                                                 json_integer((json_int_t)columns[3].i)));
        return TWX_OK;
    }
    return twx_out_text(t->out, "  %-12.*s %12" PRId64 " %12" PRId64 " %12" PRId64 "\n",
                        (int)columns[0].bytes.n, columns[0].bytes.p, columns[1].i, columns[2].i,
                        columns[3].i);
}

/* The table of hosts has a column for each relation by which at least one document is a
 * duplicate. */
enum { NUMBER_WIDTH = 10 };

static twx_rc write_heading(const telling *t) {
    twx_rc rc = twx_out_text(t->out, "\n  %*s %*s %*s", NUMBER_WIDTH, "documents", NUMBER_WIDTH,
                             "take part", NUMBER_WIDTH, "verdict");
    for (size_t s = 0; rc == TWX_OK && s < TWX_RELATIONS; s++)
        if (t->all.copies[s])
            rc = twx_out_text(t->out, " %*s", NUMBER_WIDTH, twx_relation_at(s)->name);
    return rc == TWX_OK ? twx_out_text(t->out, "  host\n") : rc;
}

static twx_rc write_host(const telling *t, const host *h) {
    size_t column = 2 + 3 * (NUMBER_WIDTH + 1) + 1;
    twx_rc rc = twx_out_text(t->out, "  %*" PRIu64 " %*" PRIu64 " %*" PRIu64, NUMBER_WIDTH,
                             h->documents, NUMBER_WIDTH, h->indexable, NUMBER_WIDTH, h->hidden);
    for (size_t s = 0; rc == TWX_OK && s < TWX_RELATIONS; s++) {
        if (!t->all.copies[s]) continue;
        rc = twx_out_text(t->out, " %*" PRIu64, NUMBER_WIDTH, h->copies[s]);
        column += NUMBER_WIDTH + 1;
    }
    return rc == TWX_OK
               ? twx_out_text(t->out, "  %.*s\n", twx_out_fitting(t->out, h->name, column), h->name)
               : rc;
}

static twx_rc tell_hosts(telling *t) {
    twx_rc rc = TWX_OK;
    if (t->hosts.n) qsort(t->hosts.at, t->hosts.n, sizeof *t->hosts.at, by_documents);
    if (twx_out_is_json(t->out)) {
        json_t *all = json_array();
        for (size_t i = 0; i < t->hosts.n; i++)
            json_array_append_new(all, host_json(&t->hosts.at[i]));
        return json_object_set_new(t->json, "hosts", all) == 0 ? TWX_OK : TWX_E_NOMEM;
    }
    rc = write_heading(t);
    for (size_t i = 0; rc == TWX_OK && i < t->hosts.n && i < HOSTS_SHOWN; i++)
        rc = write_host(t, &t->hosts.at[i]);
    if (rc == TWX_OK && t->hosts.n > HOSTS_SHOWN)
        rc = twx_out_text(t->out, "  ... and %zu more %s (--json has all)\n",
                          t->hosts.n - HOSTS_SHOWN,
                          twx_plural(t->hosts.n - HOSTS_SHOWN, "host", "hosts"));
    return rc;
}

static void utc(int64_t seconds, char text[24]) {
    time_t when = (time_t)seconds;
    struct tm tm;
    if (!gmtime_r(&when, &tm) || !strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &tm)) text[0] = '\0';
}

static twx_rc tell_run(void *arg, const twx_value *columns, size_t n) {
    telling *t = arg;
    char started[24];
    (void)n;
    utc(columns[1].i, started);
    if (twx_out_is_json(t->out)) {
        json_t *summary = columns[6].type == TWX_TEXT
                              ? json_loadb(columns[6].bytes.p, columns[6].bytes.n, 0, NULL)
                              : NULL;
        json_array_append_new(
            t->list,
            json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:o?, s:o}", "run", (json_int_t)columns[0].i,
                      "started", started, "seconds",
                      columns[2].type == TWX_INT
                          ? json_integer((json_int_t)(columns[2].i - columns[1].i))
                          : json_null(),
                      "state", twx_json_slice(columns[3].bytes), "generation",
                      twx_json_slice(columns[4].bytes), "version", twx_json_slice(columns[5].bytes),
                      "summary", summary, "message", twx_json_slice(columns[7].bytes)));
        return TWX_OK;
    }
    return twx_out_text(t->out, "  %6" PRId64 "  %s  %-10.*s %.*s\n", columns[0].i, started,
                        (int)columns[3].bytes.n, columns[3].bytes.p, (int)columns[7].bytes.n,
                        columns[7].bytes.p ? columns[7].bytes.p : "");
}

static twx_rc tell_list(telling *t, const char *name, const char *heading,
                        const twx_question *question, twx_look_fn *fn) {
    twx_rc rc = TWX_OK;
    if (twx_out_is_json(t->out)) {
        t->list = json_array();
        if (json_object_set_new(t->json, name, t->list) != 0) return TWX_E_NOMEM;
    } else {
        rc = twx_out_text(t->out, "%s", heading);
    }
    return rc == TWX_OK ? twx_look(t->o.writer, question, fn, t) : rc;
}

twx_rc twx_report(const twx_job *job, const twx_out *out) {
    telling t = {.job = job, .out = out};
    const twx_value limit[] = {{.type = TWX_INT, .i = RUNS_SHOWN}};
    const twx_question totals = {.sql = twx_look_totals()},
                       runs = {.sql = twx_look_runs(), .values = limit, .n_values = 1};
    twx_map64_init(&t.by_name, 0);
    twx_rc rc = twx_open_store(job, TWX_NEED_RESULTS, &t.o);
    if (rc == TWX_OK) rc = twx_state_read(t.o.generations, &t.state);
    if (rc == TWX_OK && !t.state.generation)
        rc = twx_fail(job->cx, TWX_E_DATA, "%s: no run has published flags yet", twx_own_path(job));
    if (rc == TWX_OK)
        rc = twx_flags_cursor_init(job->cx, t.o.generations, t.state.generation, &t.flags);
    if (rc == TWX_OK) rc = twx_signatures_each(t.o.signatures, true, take_document, &t);
    if (rc == TWX_OK) rc = tell_whole(&t);
    char heading[96];
    snprintf(heading, sizeof heading, "\n  %-12s %12s %12s %12s\n", "detector", "groups", "copies",
             "largest");
    if (rc == TWX_OK) rc = tell_list(&t, "detectors", heading, &totals, tell_total);
    if (rc == TWX_OK) rc = tell_hosts(&t);
    if (rc == TWX_OK) rc = tell_list(&t, "runs", "\nlast runs:\n", &runs, tell_run);
    if (rc == TWX_OK && twx_out_is_json(out)) rc = twx_out_json(out, json_incref(t.json));
    json_decref(t.json);
    for (size_t i = 0; i < t.hosts.n; i++) twx_free(t.hosts.at[i].name);
    TWX_VEC_DONE(&t.hosts);
    twx_map64_done(&t.by_name);
    twx_flags_cursor_done(&t.flags);
    twx_opened_done(&t.o);
    return rc;
}
