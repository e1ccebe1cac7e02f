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

twx_call twx_call_begin_all(twindex *t, const twindex_sink *sink) {
    twx_ctx_clear(&t->cx);
    (void)twx_allocation_failed(); /* of an earlier call */
    twx_call c = {.job = twx_job_of(t), .out = {.cx = &t->cx, .sink = sink}};
    twx_db_limit_memory(t->settings.run_sqlite_memory);
    if (!t->store)
        c.rc = twx_fail(&t->cx, TWX_E_USAGE, "no store is open: call twindex_open() first");
    return c;
}

twx_call twx_call_begin(twindex *t, const twindex_sink *sink) {
    twx_call c = twx_call_begin_all(t, sink);
    if (c.rc == TWX_OK && t->n_stores > 1)
        c.rc = twx_fail(&t->cx, TWX_E_USAGE, "%zu stores are named, but this command works on one",
                        t->n_stores);
    return c;
}

/* An error of the configuration names its file. */
static twx_rc name_config(const twx_call *c) {
    twx_ctx *cx = c->job.cx;
    char fault[TWX_MESSAGE_MAX];
    if (!c->job.config || strstr(cx->message, c->job.config)) return c->rc;
    snprintf(fault, sizeof fault, "%s", cx->message);
    twx_ctx_clear(cx);
    return twx_fail(cx, TWX_E_CONFIG, "%.700s (configuration: %.200s)", fault, c->job.config);
}

int twx_call_finish(const twx_call *c) {
    const twx_rc rc = c->rc;
    twx_ctx *cx = c->job.cx;
    char fault[TWX_MESSAGE_MAX];
    if (rc == TWX_E_CONFIG) return twx_rc_exit(name_config(c));
    if (rc != TWX_E_CORRUPT ||
        strncmp(cx->message, TWX_DAMAGED_ROW, sizeof TWX_DAMAGED_ROW - 1) != 0)
        return twx_rc_exit(rc);
    snprintf(fault, sizeof fault, "%s", cx->message);
    twx_ctx_clear(cx);
    return twx_rc_exit(twx_fail(cx, rc, "%.300s: %.500s: 'twindex run --full' writes it again",
                                twx_own_path(&c->job), fault));
}

void twx_call_fit(twx_call *c, twx_call_fitting *ret_fitting) {
    ret_fitting->outer = c->out;
    twx_fit_lines_init(&ret_fitting->lines, &ret_fitting->outer);
    c->out = ret_fitting->lines.out;
}

void twx_call_unfit(twx_call *c, twx_call_fitting *fitting) {
    if (c->rc == TWX_OK || c->rc == TWX_E_DOUBT) {
        const twx_rc rc = twx_fit_lines_end(&fitting->lines);
        if (rc != TWX_OK) c->rc = rc;
    }
    twx_fit_lines_done(&fitting->lines);
    c->out = fitting->outer;
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
