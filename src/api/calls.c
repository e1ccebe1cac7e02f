#include "api/api.h"

/* ==== call */

twx_job twx_job_of(twindex *t) {
    return (twx_job){.cx = &t->cx,
                     .settings = &t->settings,
                     .store = t->store,
                     .stores = (const char *const *)t->stores,
                     .n_stores = t->n_stores,
                     .config = t->config,
                     .progress = t->progress,
                     .progress_arg = t->progress_arg,
                     .message = t->message,
                     .message_arg = t->message_arg};
}

twx_rc twx_call_begin(twx_call *c, twindex *t, const twindex_sink *sink, unsigned how) {
    twx_ctx_clear(&t->cx);
    (void)twx_allocation_failed(); /* of an earlier call */
    *c = (twx_call){.job = twx_job_of(t), .out = {.cx = &t->cx, .sink = sink}, .how = how};
    c->outer = c->out;
    if (how & TWX_CALL_FITS) {
        twx_fit_lines_init(&c->lines, &c->outer);
        c->out = c->lines.out;
    }
    twx_db_limit_memory(t->settings.run_sqlite_memory);
    if (how & TWX_CALL_NO_STORE) return TWX_OK;
    if (!t->store)
        return twx_fail(&t->cx, TWX_E_USAGE, "no store is open: call twindex_open() first");
    if (!(how & TWX_CALL_SEVERAL) && t->n_stores > 1)
        return twx_fail(&t->cx, TWX_E_USAGE, "%zu stores are named, but this command works on one",
                        t->n_stores);
    return TWX_OK;
}

/* An error of the configuration names its file; one about stored signatures that of the store. */
static twx_rc explain(const twx_call *c, twx_rc rc) {
    twx_ctx *cx = c->job.cx;
    char fault[TWX_MESSAGE_MAX];
    const bool config = rc == TWX_E_CONFIG && c->job.config && !strstr(cx->message, c->job.config);
    const bool damaged = rc == TWX_E_CORRUPT &&
                         strncmp(cx->message, TWX_DAMAGED_ROW, sizeof TWX_DAMAGED_ROW - 1) == 0;
    if ((c->how & TWX_CALL_NO_STORE) || (!config && !damaged)) return rc;
    snprintf(fault, sizeof fault, "%s", cx->message);
    twx_ctx_clear(cx);
    if (config) return twx_fail(cx, rc, "%.700s (configuration: %.200s)", fault, c->job.config);
    return twx_fail(cx, rc, "%.300s: %.500s: 'twindex run --full' writes it again",
                    twx_own_path(&c->job), fault);
}

int twx_call_finish(twx_call *c, twx_rc rc) {
    if (c->how & TWX_CALL_FITS) {
        const bool whole = rc == TWX_OK || rc == TWX_E_DOUBT;
        const twx_rc written = whole ? twx_fit_lines_end(&c->lines) : TWX_OK;
        if (written != TWX_OK) rc = written;
        twx_fit_lines_done(&c->lines);
    }
    return twx_rc_exit(explain(c, rc));
}

/* ==== hooks */

#define DECLARE(name) extern const twx_hooks TWX_HOOKS_##name;

TWX_HOOKS_ROWS(DECLARE)

#define ADDRESS(name) &TWX_HOOKS_##name,
static const twx_hooks *const HOOKS[] = {TWX_HOOKS_ROWS(ADDRESS) NULL};

twx_rc twx_hooks_published(const twx_job *job) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && HOOKS[i]; i++)
        if (HOOKS[i]->published) rc = HOOKS[i]->published(job);
    return rc;
}

twx_rc twx_hooks_rules(const twx_job *job, twx_buf *text, const char **ret_why) {
    twx_rc rc = TWX_OK;
    *ret_why = "This build of twindex learns no rules.";
    for (size_t i = 0; rc == TWX_OK && HOOKS[i]; i++)
        if (HOOKS[i]->rules) rc = HOOKS[i]->rules(job, text, ret_why);
    return rc;
}
