#include "api/api.h"

#include <unistd.h>

#include "search/search.h"

/* ==== call */

static twx_job job_of(twindex *t) {
    return (twx_job){.cx = &t->cx,
                     .settings = &t->settings,
                     .store = t->store,
                     .stores = (const char *const *)t->stores,
                     .n_stores = t->n_stores,
                     .config = t->config,
                     .progress = t->progress,
                     .progress_arg = t->progress_arg,
                     .message = t->message,
                     .message_arg = t->message_arg,
                     .kept = t->kept};
}

twx_rc twx_call_begin(twx_call *c, twindex *t, const twindex_sink *sink, unsigned how) {
    twx_ctx_clear(&t->cx);
    (void)twx_allocation_failed(); /* of an earlier call */
    *c = (twx_call){.job = job_of(t), .out = {&t->cx, sink, t->link, t->link_arg}, .how = how};
    c->outer = c->out;
    if (how & TWX_CALL_FITS) {
        twx_fit_lines_init(&c->lines, &c->outer);
        c->lines.hanging = how & TWX_CALL_HANGING ? 31 : 0;
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
    if (c->how & TWX_CALL_NO_STORE) return rc;
    if (!config) return twx_name_damaged(cx, &c->job, rc);
    snprintf(fault, sizeof fault, "%s", cx->message);
    twx_ctx_clear(cx);
    return twx_fail(cx, rc, "%.700s (configuration: %.200s)", fault, c->job.config);
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

static twx_rc rules_of_wings(const twx_job *job, twx_buf *text, const char **ret_why) {
    twx_rc rc = TWX_OK;
    *ret_why = "This build of twindex learns no rules.";
    for (size_t i = 0; rc == TWX_OK && HOOKS[i]; i++)
        if (HOOKS[i]->rules) rc = HOOKS[i]->rules(job, text, ret_why);
    return rc;
}

static twx_rc sweep(const twx_job *job, const twindex_sweep_options *options, const twx_out *out) {
    for (size_t i = 0; HOOKS[i]; i++)
        if (HOOKS[i]->sweep) return HOOKS[i]->sweep(job, options, out);
    return twx_fail(job->cx, TWX_E_USAGE, "this build of twindex tries no values of settings");
}

/* ==== twindex */

/* The public API, a thin layer: each call builds a job from the handle and runs it. */

enum { VALUE_BYTES = 1 << 20 };

const char *twindex_version(void) {
    return TWINDEX_VERSION;
}

static twindex *new_handle(void) {
    twx_ctx cx = {0};
    twindex *t = twx_calloc(&cx, 1, sizeof *t);
    if (!t) return NULL;
    twx_ctx_init(&t->cx);
    twx_buf_init(&t->value, VALUE_BYTES);
    t->cx.cancel = &t->cancel;
    t->cx.suspension = &t->suspension;
    return t;
}

static void forget_stores(twindex *t) {
    for (size_t i = 0; i < t->n_stores; i++) twx_free(t->stores[i]);
    twx_free(t->stores);
    twx_free(t->store);
    t->stores = NULL;
    t->n_stores = 0;
    t->store = NULL;
}

static twx_rc name_store(twindex *t, const char *store) {
    char *copy = twx_strdup(&t->cx, store);
    if (!copy) return TWX_E_NOMEM;
    forget_stores(t);
    t->store = copy;
    return TWX_OK;
}

static twx_rc name_stores(twindex *t, const char *const *stores, size_t n) {
    char **copies = twx_calloc(&t->cx, n, sizeof *copies);
    twx_rc rc = copies ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        copies[i] = twx_strdup(&t->cx, stores[i]);
        if (!copies[i]) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) rc = name_store(t, stores[0]);
    if (rc == TWX_OK) {
        t->stores = copies;
        t->n_stores = n;
        return TWX_OK;
    }
    for (size_t i = 0; copies && i < n; i++) twx_free(copies[i]);
    twx_free(copies);
    return rc;
}

twindex *twindex_copy(const twindex *from) {
    twindex *t = new_handle();
    if (!t) return NULL;
    twx_rc rc = twx_settings_copy(&t->cx, &from->settings, &t->settings);
    if (rc == TWX_OK && from->n_stores)
        rc = name_stores(t, (const char *const *)from->stores, from->n_stores);
    else if (rc == TWX_OK && from->store)
        rc = name_store(t, from->store);
    if (rc == TWX_OK && from->config && !(t->config = twx_strdup(&t->cx, from->config)))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK) return t;
    twindex_free(t);
    return NULL;
}

twindex *twindex_new(void) {
    twindex *t = new_handle();
    if (!t) return NULL;
    if (twx_settings_init(&t->cx, &t->settings) == TWX_OK) return t;
    twindex_free(t);
    return NULL;
}

void twindex_free(twindex *t) {
    if (!t) return;
    twx_settings_done(&t->settings);
    twx_buf_done(&t->value);
    twx_free(t->config);
    forget_stores(t);
    twx_free(t);
}

const char *twindex_message(const twindex *t) {
    return t->cx.message;
}

int twindex_stopped(const twindex *t) {
    return atomic_load(&t->cancel);
}

void twindex_stop(twindex *t, int signal_number) {
    atomic_store(&t->cancel, signal_number);
}

void twindex_suspend(twindex *t, void (*stop)(void)) {
    twx_suspend(&t->suspension, stop);
}

void twindex_on_progress(twindex *t, twindex_progress_fn *fn, void *arg) {
    t->progress = fn;
    t->progress_arg = arg;
}

void twindex_on_message(twindex *t, twindex_message_fn *fn, void *arg) {
    t->message = fn;
    t->message_arg = arg;
}

void twindex_on_link(twindex *t, twindex_link_fn *fn, void *arg) {
    t->link = fn;
    t->link_arg = arg;
}

int twindex_init(twindex *t, const char *store) {
    twx_ctx_clear(&t->cx);
    twx_rc rc = name_store(t, store);
    const twx_job job = job_of(t);
    return twx_rc_exit(rc == TWX_OK ? twx_init_store(&job) : rc);
}

int twindex_check(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL, twx_check_stores(&c.job, false, &c.out));
}

int twindex_doctor(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL, twx_check_stores(&c.job, true, &c.out));
}

int twindex_suggest(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_suggest(&c.job, &c.out));
}

/* The run's own error is kept; one of the metrics counts if there is no other. */
static int write_metrics(twindex *t, const twindex_sink *sink, const twx_run_metrics *m) {
    twx_ctx cx = {0};
    const twx_out out = {.cx = &cx, .sink = sink};
    const twx_rc rc = twx_metrics_write(&out, m);
    if (rc == TWX_OK || m->exit_code != TWINDEX_OK) return m->exit_code;
    return twx_rc_exit(twx_ctx_take(&t->cx, &cx));
}

/* After a guard stopped a run, the summary with its findings is written too. */
static twx_rc write_summary(twx_call *c, const twx_summary *summary, twx_rc rc) {
    const twx_ctx said = *c->job.cx;
    twx_ctx_clear(c->job.cx);
    const twx_rc written = twx_summary_write(&c->out, summary);
    if (written != TWX_OK) return written;
    *c->job.cx = said;
    return rc;
}

/* Of the stores whose flags were published; those that were left out keep what they have. */
static twx_rc tell_published(const twx_job *job, const twx_summary *summary) {
    twx_rc rc = summary->stores.n ? TWX_OK : twx_hooks_published(job);
    for (size_t i = 0; rc == TWX_OK && i < summary->stores.n; i++) {
        twx_job one = *job;
        one.store = summary->stores.at[i].store;
        if (!summary->stores.at[i].left_out) rc = twx_hooks_published(&one);
    }
    return rc;
}

int twindex_run(twindex *t, const twindex_run_options *options, const twindex_sink *sink) {
    const double began = twx_job_clock();
    twx_call c;
    twx_rc rc = twx_call_begin(&c, t, sink, TWX_CALL_SEVERAL | TWX_CALL_FITS);
    if (rc != TWX_OK) return twx_call_finish(&c, rc);
    twx_summary summary;
    twx_summary_init(&summary);
    rc = twx_run(&c.job, options, &TWX_RULES_TRIAL, &summary);
    const bool complete = rc == TWX_OK;
    if (rc == TWX_OK && !options->dry_run) rc = tell_published(&c.job, &summary);
    if (rc == TWX_OK || rc == TWX_E_GUARD) rc = write_summary(&c, &summary, rc);
    if (rc == TWX_OK && twx_summary_has_left_out(&summary)) rc = TWX_E_DOUBT;
    int result = twx_call_finish(&c, rc);
    if (options->metrics) {
        const twx_run_metrics m = {.summary = &summary,
                                   .label = options->label,
                                   .complete = complete,
                                   .exit_code = result,
                                   .ended_at = twx_job_now(),
                                   .seconds = twx_job_clock() - began};
        result = write_metrics(t, options->metrics, &m);
    }
    twx_summary_done(&summary);
    return result;
}

int twindex_follow(twindex *t, twindex_follow_fn *run, void *arg) {
    twx_call c;
    twx_rc rc = twx_call_begin(&c, t, NULL, 0);
    twx_said said = {.message = t->message, .arg = t->message_arg};
    const twx_follow how = {run, arg};
    twx_kept kept = {0};
    int result = TWINDEX_OK;
    twindex_on_message(t, twx_say_once, &said);
    c.job.kept = t->kept = &kept;
    if (rc == TWX_OK) rc = twx_follow_store(&c.job, &how, &result);
    t->kept = NULL;
    twx_kept_done(&kept);
    twindex_on_message(t, said.message, said.arg);
    const int ended = twx_call_finish(&c, rc);
    return result != TWINDEX_OK ? result : ended;
}

int twindex_diff(twindex *t, size_t limit, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL | TWX_CALL_FITS, twx_diff(&c.job, limit, &c.out));
}

int twindex_undo(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_FITS, twx_undo(&c.job, &c.out));
}

int twindex_remove(twindex *t, bool dry_run, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_remove(&c.job, dry_run, &c.out));
}

int twindex_digest(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL, twx_digest_flags(&c.job, &c.out));
}

int twindex_sign(twindex *t, bool full, const twindex_sink *sink) {
    twx_call c;
    twx_rc rc = twx_call_begin(&c, t, sink, 0);
    twx_sign_summary s;
    if (rc == TWX_OK) rc = twx_sign_store(&c.job, full, &s);
    if (rc == TWX_OK) rc = twx_sign_summary_write(&c.out, &s);
    return twx_call_finish(&c, rc);
}

int twindex_explain(twindex *t, const char *url_or_id, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL | TWX_CALL_FITS | TWX_CALL_HANGING,
             twx_explain(&c.job, url_or_id, &c.out));
}

int twindex_groups(twindex *t, const char *detector, size_t limit, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL | TWX_CALL_FITS,
             twx_list_groups(&c.job, detector, limit, &c.out));
}

int twindex_compare(twindex *t, const char *a, const char *b,
                    const twindex_compare_options *options, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_FITS, twx_compare(&c.job, a, b, options, &c.out));
}

int twindex_similar(twindex *t, const char *url_or_id, const twindex_similar_options *options,
                    const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_FITS, twx_similar(&c.job, url_or_id, options, &c.out));
}

int twindex_report(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL | TWX_CALL_FITS, twx_report(&c.job, &c.out));
}

int twindex_report_page(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL, twx_report_as_page(&c.job, rules_of_wings, &c.out));
}

const char *twindex_sheet_name(twindex_sheet sheet) {
    return twx_sheet_name(sheet);
}

int twindex_report_sheet(twindex *t, twindex_sheet sheet, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL, twx_report_sheet(&c.job, sheet, &c.out));
}

int twindex_mirrors(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL | TWX_CALL_FITS, twx_find_mirrors(&c.job, &c.out));
}

int twindex_detectors(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_NO_STORE, twx_detector_list_write(&c.out, twx_detector_at));
}

bool twindex_detector_at(size_t i, twindex_detector *ret_detector) {
    const twx_detector *d = twx_detector_at(i);
    if (!d) return false;
    *ret_detector = (twindex_detector){d->name, d->summary, d->source, d->near};
    return true;
}

int twindex_rules(twindex *t, const char *path, bool sql, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_NO_STORE | (sql ? 0 : TWX_CALL_FITS),
             twx_check_rules(c.job.cx, path, sql, &c.out));
}

int twindex_index(twindex *t, bool drop, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_text_index_update(&c.job, drop, &c.out));
}

int twindex_search(twindex *t, const twindex_search_options *options, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_SEVERAL | TWX_CALL_FITS,
             twx_search_documents(&c.job, options, &c.out));
}

int twindex_tune(twindex *t, const twindex_tune_options *options, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_FITS, twx_tune(&c.job, options, &c.out));
}

/* ==== stores */

int twindex_open(twindex *t, const char *store) {
    twx_db *db = NULL;
    const twx_db_options options = {
        .mode = TWX_DB_READER, .named = true, .busy_ms = t->settings.run_busy_ms};
    twx_ctx_clear(&t->cx);
    twx_rc rc = twx_db_open(&t->cx, store, &options, &db);
    twx_db_close(db);
    return twx_rc_exit(rc == TWX_OK ? name_store(t, store) : rc);
}

int twindex_open_several(twindex *t, const char *const *stores, size_t n) {
    twx_ctx_clear(&t->cx);
    if (n == 0) return twx_rc_exit(twx_fail(&t->cx, TWX_E_USAGE, "no store is named"));
    return twx_rc_exit(name_stores(t, stores, n));
}

/* ---- settings ----------------------------------------------------------- */

const twindex_setting *twindex_setting_at(size_t i) {
    return twx_settings_at(i);
}

const twindex_setting *twindex_setting_find(const char *name) {
    return twx_settings_find(name);
}

int twindex_set(twindex *t, const char *name, const char *value) {
    twx_ctx_clear(&t->cx);
    return twx_rc_exit(twx_settings_set(&t->cx, &t->settings, name, value));
}

const char *twindex_get(twindex *t, const char *name) {
    twx_ctx_clear(&t->cx);
    twx_buf_clear(&t->value);
    return twx_settings_get(&t->cx, &t->settings, name, &t->value) == TWX_OK
               ? twx_buf_slice(&t->value).p
               : NULL;
}

/* Remembers the file, which errors and `check` name. */
static twx_rc name_config(twindex *t, const char *path) {
    char *config = twx_strdup(&t->cx, path);
    if (!config) return TWX_E_NOMEM;
    twx_free(t->config);
    t->config = config;
    return TWX_OK;
}

int twindex_load_config(twindex *t, const char *path) {
    twx_ctx_clear(&t->cx);
    twx_rc rc = name_config(t, path);
    if (rc == TWX_OK) rc = twx_settings_load(&t->cx, &t->settings, path);
    return twx_rc_exit(rc);
}

int twindex_find_config(twindex *t, const char *path) {
    twx_ctx_clear(&t->cx);
    twx_rc rc = access(path, F_OK) == 0 ? name_config(t, path) : TWX_OK;
    if (rc == TWX_OK) rc = twx_settings_load_found(&t->cx, &t->settings, path);
    return twx_rc_exit(rc);
}

/* ==== workbench */

/* The calls that write what a workbench shows. */

int twindex_try_rules(twindex *t, const twindex_try_options *options, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_try_rules(&c.job, options, &c.out));
}

int twindex_check_rules(twindex *t, const twindex_rules_text *rules, const twindex_sink *sink) {
    TWX_CALL(t, sink, TWX_CALL_NO_STORE, twx_check_rules_text(c.job.cx, rules, &c.out));
}

int twindex_find(twindex *t, const char *words, size_t limit, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_find(&c.job, words, limit, &c.out));
}

int twindex_sweep(twindex *t, const twindex_sweep_options *options, const twindex_sink *sink) {
    twindex_sink whole = *sink;
    if (options->csv || options->answer) whole.columns = 0;
    TWX_CALL(t, &whole, TWX_CALL_FITS, sweep(&c.job, options, &c.out));
}

int twindex_add_pin(twindex *t, const twindex_pin *pin, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_add_pin(&c.job, pin, &c.out));
}

int twindex_overview(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_overview(&c.job, &c.out));
}
