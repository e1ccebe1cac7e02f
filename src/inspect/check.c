#include "inspect/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/plural.h"
#include "base/print.h"
#include "run/content_sample.h"
#include "run/obstacles.h"
#include "run/pins_file.h"
#include "run/sign.h"
#include "store/migrate.h"

typedef struct inspection {
    const twx_job *job;
    twx_findings *findings;
    twx_opened o;
    twx_state state;
    bool results; /* twindex's own tables exist there */
} inspection;

/* Reports a problem; the check continues. */
static twx_rc problem(inspection *x, const char *text) {
    return twx_findings_problem(x->findings, text);
}

/* Turns an error of a step into a finding. */
static twx_rc as_problem(inspection *x, twx_rc rc) {
    twx_ctx *cx = x->job->cx;
    if (rc == TWX_OK || rc == TWX_E_NOMEM || rc == TWX_E_INTERRUPTED || rc == TWX_E_TERMINATED)
        return rc;
    char text[TWX_MESSAGE_MAX];
    snprintf(text, sizeof text, "%s", cx->message);
    twx_ctx_clear(cx);
    return problem(x, text);
}

static twx_rc check_mapping(inspection *x) {
    const twx_mapping *m = &x->o.mapping;
    twx_rc rc = twx_findings_fact(x->findings, "mapping", "%s",
                                  m->own      ? "twindex's own documents table"
                                  : m->chosen ? "found by the usual names"
                                              : "configured");
    if (rc == TWX_OK) rc = twx_findings_fact(x->findings, "from", "%s", m->from);
    if (rc == TWX_OK && m->where) rc = twx_findings_fact(x->findings, "where", "%s", m->where);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++)
        if (m->map[i]) rc = twx_findings_fact(x->findings, twx_column_name(i), "%s", m->map[i]);
    if (rc == TWX_OK && m->doubtful)
        rc = problem(x, "more than one table or column fits: use --accept-mapping, or name it in "
                        "[store] of a configuration file");
    if (rc == TWX_OK)
        rc = twx_findings_fact(x->findings, "document numbers", "%s",
                               twx_source_is_direct(x->o.source)
                                   ? "the id is the table's integer primary key"
                                   : "ids are mapped to numbers");
    return rc;
}

static twx_rc check_file(inspection *x) {
    twx_buf faults, skipped;
    bool wal = false;
    twx_buf_init(&faults, 1 << 16);
    twx_buf_init(&skipped, 1 << 16);
    twx_rc rc = twx_db_is_wal(x->o.reader, &wal);
    if (rc == TWX_OK)
        rc = twx_findings_fact(x->findings, "journal", "%s",
                               wal ? "WAL"
                                   : "rollback: readers wait while a run writes; WAL is better");
    if (rc == TWX_OK && x->job->settings->run_check != TWX_CHECKED_NEVER) {
        rc = as_problem(x, twx_db_quick_check(x->o.reader, &faults, &skipped));
        if (rc == TWX_OK && faults.n)
            rc = problem(x, faults.p);
        else if (rc == TWX_OK)
            rc = twx_findings_fact(x->findings, "file", "quick_check finds nothing wrong");
        if (rc == TWX_OK && skipped.n)
            rc = twx_findings_fact(x->findings, "not checked", "%s", skipped.p);
    }
    twx_buf_done(&faults);
    twx_buf_done(&skipped);
    return rc;
}

static twx_rc name_obstacle(void *arg, const char *text) {
    return problem(arg, text);
}

static twx_rc check_pins(inspection *x, const twx_sign_plan *plan) {
    twx_pins *pins = NULL;
    twx_rc rc = as_problem(x, twx_pins_load(x->job, &plan->params.url, &pins));
    size_t n = 0;
    while (pins && twx_pins_at(pins, n)) n++;
    if (rc == TWX_OK && pins)
        rc = twx_findings_fact(x->findings, "pins", "%zu of %s", n, twx_pins_path(pins));
    twx_pins_close(pins);
    return rc;
}

static twx_rc check_results(inspection *x) {
    int64_t version = 0;
    if (!x->o.writer) return twx_findings_fact(x->findings, "flags", "none yet");
    twx_rc rc = twx_schema_version(x->o.writer, &version);
    if (rc != TWX_OK) return as_problem(x, rc);
    x->results = version > 0 && version <= TWX_SCHEMA_VERSION;
    if (version > TWX_SCHEMA_VERSION) return problem(x, "the store was written by a newer twindex");
    if (!x->results) return twx_findings_fact(x->findings, "flags", "none yet");
    rc = twx_state_read(x->o.generations, &x->state);
    if (rc == TWX_OK && x->state.generation)
        rc = twx_findings_fact(x->findings, "flags", "generation %c, of run %" PRId64,
                               x->state.generation, x->state.run[x->state.generation == 'b']);
    else if (rc == TWX_OK)
        rc = twx_findings_fact(x->findings, "flags", "none yet");
    return rc;
}

/* Reports what a run would do. */
static twx_rc expect_run(inspection *x) {
    twx_sign_plan plan = {0};
    uint64_t estimate = 0, signed_now = 0;
    int64_t mark = 0;
    twx_rc rc = as_problem(x, twx_sign_plan_make(x->job, &x->o, false, &plan));
    if (rc != TWX_OK || !plan.fingerprint) return rc;
    rc = check_pins(x, &plan);
    if (rc == TWX_OK)
        rc = twx_findings_fact(x->findings, "change feed", "%s", twx_feed_name(plan.feed));
    if (rc == TWX_OK) rc = as_problem(x, twx_source_estimate(x->o.source, &estimate));
    if (rc == TWX_OK && x->results) rc = twx_signatures_count(x->o.signatures, &signed_now);
    if (rc == TWX_OK && x->o.changes) rc = twx_changes_mark(x->o.changes, &mark);
    bool current = x->results && x->state.has_fingerprint &&
                   x->state.fingerprint == plan.fingerprint;
    if (rc != TWX_OK) goto out;
    if (!current)
        rc = twx_findings_fact(
            x->findings, "a run would", "sign every document%s (at most %" PRIu64 ")",
            signed_now ? " again: settings, mapping or version changed" : "", estimate);
    else if (plan.feed != TWX_FEED_TRIGGER)
        rc = twx_findings_fact(
            x->findings, "a run would", "%s and sign what changed; %" PRIu64 " %s signed",
            plan.feed == TWX_FEED_SCAN ? "read every document"
                                       : "compare the changed column of every document",
            signed_now, twx_plural(signed_now, "document is", "documents are"));
    else if (mark > 0)
        rc = twx_findings_fact(x->findings, "a run would",
                               "sign what is in the change queue; %" PRIu64 " %s signed",
                               signed_now, twx_plural(signed_now, "document is", "documents are"));
    else
        rc = twx_findings_fact(x->findings, "a run would",
                               "find nothing changed; %" PRIu64 " %s signed", signed_now,
                               twx_plural(signed_now, "document is", "documents are"));
out:
    twx_sign_plan_done(&plan);
    return rc;
}

/* With --flags FILE, the file need not exist yet. */
static unsigned needs_of(const twx_job *job) {
    bool there = !twx_is_separate(job) || access(twx_own_path(job), F_OK) == 0;
    return TWX_NEED_SOURCE | (there ? TWX_NEED_LOOK : 0);
}

static twx_rc content_problem(void *arg, const char *warning) {
    return problem(arg, warning);
}

/* A mapping that takes the text of a page can leave out that the page forbids to be indexed. */
static twx_rc advise_page(inspection *x) {
    const twx_mapping *m = &x->o.mapping;
    const char *text = m->map[TWX_COL_TEXT];
    if (!text || !strstr(text, "html_text(") || m->map[TWX_COL_ROBOTS] ||
        m->map[TWX_COL_CANONICAL_URL])
        return TWX_OK;
    return twx_findings_advice(
        x->findings, "text is read from HTML, but what pages say about themselves is not: for "
                     "whole pages map robots = html_robots(), canonical_url = html_canonical(), "
                     "redirect_url = html_refresh(), hreflang_group = html_hreflang()");
}

/* A valid mapping can still name the wrong columns. */
static twx_rc check_content(inspection *x) {
    twx_content_sample sample;
    twx_rc rc = as_problem(x, twx_content_sample_read(&x->o, &sample));
    if (rc == TWX_OK) rc = twx_content_warnings(&sample, &x->o.mapping, content_problem, x);
    return rc == TWX_OK ? advise_page(x) : rc;
}

twx_rc twx_check(const twx_job *job, twx_findings *ret_findings) {
    inspection x = {.job = job, .findings = ret_findings};
    ret_findings->store = job->store;
    /* must precede the opening of the files by SQLite */
    twx_rc rc = twx_file_obstacles(job, name_obstacle, &x);
    if (rc == TWX_OK && job->config)
        rc = twx_findings_fact(ret_findings, "configuration", "%s", job->config);
    if (rc == TWX_OK) rc = as_problem(&x, twx_open_store(job, needs_of(job), &x.o));
    if (rc == TWX_OK && x.o.source) rc = check_mapping(&x);
    if (rc == TWX_OK && x.o.source) rc = check_content(&x);
    if (rc == TWX_OK && x.o.source) rc = check_file(&x);
    if (rc == TWX_OK && x.o.source) rc = twx_store_obstacles(job, &x.o, name_obstacle, &x);
    if (rc == TWX_OK && x.o.source) rc = check_results(&x);
    if (rc == TWX_OK && x.o.source) rc = expect_run(&x);
    twx_opened_done(&x.o);
    return rc;
}
