/* A libtwindex of the test's own, to be included once in a program: settings are the real ones,
 * calls on a store print what they were asked for, and the name of the store says how they end:
 * "busy", "doubt", "endless", "signal". */
#ifndef TWINDEX_TEST_FAKE_H
#define TWINDEX_TEST_FAKE_H

#include <signal.h>

#include "run/run.h"
#include "serve/serve.h"

struct twindex {
    twx_ctx cx;
    twx_settings settings;
    char store[512];
    twx_buf value; /* of the last twindex_get() */
    volatile sig_atomic_t stopped;
    twindex_progress_fn *progress;
    twindex_message_fn *message;
    twindex_link_fn *link;
    void *progress_arg, *message_arg, *link_arg;
};

const char *twindex_version(void) {
    return "9.8.7";
}

twindex *twindex_new(void) {
    twindex *t = calloc(1, sizeof *t);
    if (t) twx_buf_init(&t->value, 1 << 16);
    if (t && twx_settings_init(&t->cx, &t->settings) == TWX_OK) return t;
    free(t);
    return NULL;
}

void twindex_free(twindex *t) {
    if (t) twx_settings_done(&t->settings);
    if (t) twx_buf_done(&t->value);
    free(t);
}

const char *twindex_message(const twindex *t) {
    return t->cx.message;
}

const twindex_setting *twindex_setting_at(size_t i) {
    return twx_settings_at(i);
}

const twindex_setting *twindex_setting_find(const char *name) {
    return twx_settings_find(name);
}

int twindex_set(twindex *t, const char *name, const char *value) {
    return twx_rc_exit(twx_settings_set(&t->cx, &t->settings, name, value));
}

const char *twindex_get(twindex *t, const char *name) {
    twx_buf_clear(&t->value);
    return twx_settings_get(&t->cx, &t->settings, name, &t->value) == TWX_OK
               ? twx_buf_slice(&t->value).p
               : NULL;
}

int twindex_load_config(twindex *t, const char *path) {
    return twx_rc_exit(twx_settings_load(&t->cx, &t->settings, path));
}

int twindex_find_config(twindex *t, const char *path) {
    return twx_rc_exit(twx_settings_load_found(&t->cx, &t->settings, path));
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

void twindex_suspend(twindex *t, void (*stop)(void)) {
    (void)t;
    stop();
}

void twindex_stop(twindex *t, int signal_number) {
    t->stopped = signal_number;
}

static int fake_fail(twindex *t, twx_rc rc, const char *reason) {
    return twx_rc_exit(twx_fail(&t->cx, rc, "%s", reason));
}

static bool fake_store(const twindex *t, const char *name) {
    const char *slash = strrchr(t->store, '/');
    return strcmp(slash ? slash + 1 : t->store, name) == 0;
}

/* What every call on a store does; fmt: what it was asked for. */
static TWX_PRINTF(3, 4) int fake_call(twindex *t, const twindex_sink *out, const char *fmt, ...) {
    char call[256], line[1024];
    va_list args;
    va_start(args, fmt);
    twx_vprint(call, sizeof call, fmt, args);
    va_end(args);
    const twx_settings *s = &t->settings;
    int n = snprintf(
        line, sizeof line, "%s json=%d quant=%u jobs=%u memory=%llu fuzzy=%d flags=%s rules=%s\n",
        call, out->format == TWINDEX_JSON,
        s->methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE], s->run_jobs,
        (unsigned long long)s->run_memory, (int)s->fuzzy_scope, s->flags_file ? s->flags_file : "-",
        s->url_rules_file ? s->url_rules_file : "-");
    if (t->message) {
        t->message(t->message_arg, TWINDEX_WARNING, "a warning");
        t->message(t->message_arg, TWINDEX_NOTE, "a note");
        t->message(t->message_arg, TWINDEX_DETAIL, "a detail");
    }
    if (t->progress) t->progress(t->progress_arg, &(twindex_progress){"sign", "documents", 1, 2});
    if (fake_store(t, "busy")) return fake_fail(t, TWX_E_BUSY, "another run holds it");
    if (fake_store(t, "signal")) {
        raise(SIGTERM);
        return t->stopped ? fake_fail(t, TWX_E_TERMINATED, "terminated") : TWINDEX_OK;
    }
    for (int i = 0; i < (fake_store(t, "endless") ? 100000 : 1); i++)
        if (out->write(out->arg, line, (size_t)n) != 0)
            return fake_fail(t, TWX_E_IO, "the sink does not take it");
    return fake_store(t, "doubt") ? TWINDEX_DOUBT : TWINDEX_OK;
}

int twindex_init(twindex *t, const char *store) {
    (void)t;
    printf("init %s\n", store);
    return TWINDEX_OK;
}

int twindex_open(twindex *t, const char *store) {
    snprintf(t->store, sizeof t->store, "%s", store);
    return fake_store(t, "missing") ? fake_fail(t, TWX_E_NOSTORE, "no such store") : TWINDEX_OK;
}

int twindex_open_several(twindex *t, const char *const *stores, size_t n) {
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(t->store + used, sizeof t->store - used, "%s%s", i ? "+" : "",
                                 stores[i]);
    return TWINDEX_OK;
}

int twindex_import(twindex *t, const char *const *files, size_t n, const twindex_sink *out) {
    return fake_call(t, out, "import %zu %s %s", n, files[0], files[n - 1]);
}

int twindex_check(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, t->settings.store_accept_mapping ? "check accept" : "check");
}

int twindex_doctor(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "doctor");
}

int twindex_run(twindex *t, const twindex_run_options *options, const twindex_sink *out) {
    return fake_call(t, out, "run full=%d force=%d dry=%d check=%d notify=%d", options->full,
                     options->force, options->dry_run, t->settings.run_check,
                     t->settings.run_notify_all);
}

int twindex_diff(twindex *t, size_t limit, const twindex_sink *out) {
    return fake_call(t, out, "diff %zu", limit);
}

int twindex_follow(twindex *t, twindex_follow_fn *run, void *arg) {
    (void)t;
    return run(arg);
}

int twindex_undo(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "undo");
}

int twindex_remove(twindex *t, bool dry_run, const twindex_sink *out) {
    return fake_call(t, out, dry_run ? "remove dry" : "remove");
}

int twindex_digest(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "digest");
}

int twindex_sign(twindex *t, bool full, const twindex_sink *out) {
    return fake_call(t, out, full ? "sign full" : "sign");
}

int twindex_verify(twindex *t, const twindex_verify_options *options, const twindex_sink *out) {
    return fake_call(t, out, "verify %s", options->format);
}

int twindex_cluster(twindex *t, twindex_cluster_action action,
                    const twindex_cluster_options *options, const twindex_sink *out) {
    return fake_call(t, out, "cluster %d%s%s", (int)action, options->force ? " force" : "",
                     options->discard ? " discard" : "");
}

int twindex_explain(twindex *t, const char *url_or_id, const twindex_sink *out) {
    return fake_call(t, out, "explain %s", url_or_id);
}

int twindex_groups(twindex *t, const char *detector, size_t limit, const twindex_sink *out) {
    return fake_call(t, out, "groups %s %zu", detector ? detector : "-", limit);
}

int twindex_compare(twindex *t, const char *a, const char *b,
                    const twindex_compare_options *options, const twindex_sink *out) {
    return fake_call(t, out, "compare %s %s %d %zu", a, b, options->all, options->limit);
}

int twindex_similar(twindex *t, const char *url_or_id, const twindex_similar_options *options,
                    const twindex_sink *out) {
    return fake_call(t, out, "similar %s %s %zu", url_or_id,
                     options->detector ? options->detector : "-", options->limit);
}

int twindex_tune(twindex *t, const twindex_tune_options *options, const twindex_sink *out) {
    return fake_call(t, out, "tune %s %zu", options->rules ? options->rules : "-", options->n_vary);
}

int twindex_report(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "report");
}

int twindex_report_page(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "report page");
}

int twindex_report_sheet(twindex *t, twindex_sheet sheet, const twindex_sink *out) {
    return fake_call(t, out, "report sheet %d", (int)sheet);
}

const char *twindex_sheet_name(twindex_sheet sheet) {
    static const char *const NAMES[TWINDEX_SHEETS] = {"groups", "hosts", "changes"};
    return NAMES[sheet] ? NAMES[sheet] : "other";
}

int twindex_suggest(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "suggest");
}

int twindex_mirrors(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "mirrors %u %u", t->settings.mirrors_ratio_ppm,
                     t->settings.mirrors_min_documents);
}

int twindex_evaluate(twindex *t, const twindex_evaluate_options *options, const twindex_sink *out) {
    return fake_call(
        t, out, "evaluate %s %s %llu %d", options->detectors ? options->detectors : "-",
        options->truth ? options->truth : "-", (unsigned long long)options->sample, options->html);
}

int twindex_sweep(twindex *t, const twindex_sweep_options *options, const twindex_sink *out) {
    return fake_call(t, out, "sweep %s %s %zu %d", options->setting,
                     options->pairs ? options->pairs : "-", options->limit, options->csv);
}

int twindex_rules(twindex *t, const char *path, bool sql, const twindex_sink *out) {
    return fake_call(t, out, "rules %s %d", path, sql);
}

int twindex_index(twindex *t, bool drop, const twindex_sink *out) {
    return fake_call(t, out, drop ? "index drop" : "index");
}

int twindex_search(twindex *t, const twindex_search_options *options, const twindex_sink *out) {
    const char *words[] = {options->query, options->queries, options->rules, options->compare};
    for (int i = 0; i < 4; i++) words[i] = words[i] ? words[i] : "-";
    return fake_call(t, out, "search %s %s %s %s %zu", words[0], words[1], words[2], words[3],
                     options->limit);
}

int twindex_learn(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "learn");
}

int twindex_predict(twindex *t, const twindex_predict_options *options, const twindex_sink *out) {
    return fake_call(t, out, "predict %zu %s %g %g %g %d%d%d", options->n,
                     options->n ? options->urls[0] : "-", options->threshold, options->exploration,
                     options->train, options->filter, options->rules, options->evaluate);
}

bool twindex_detector_at(size_t i, twindex_detector *ret_detector) {
    const twx_detector *d = twx_detector_at(i);
    if (!d) return false;
    *ret_detector = (twindex_detector){d->name, d->summary, d->source, d->near};
    return true;
}

int twindex_detectors(twindex *t, const twindex_sink *out) {
    return fake_call(t, out, "detectors");
}

/* The workbench: prints what it was asked for instead of an address. */
twx_rc twx_serve(twx_ctx *cx, twindex *t, const twx_serve_options *o) {
    char call[1024];
    (void)cx;
    snprintf(call, sizeof call, "serve %s %zu %zu %s %s %s %d", t->store, o->port, o->n_rules,
             o->n_rules ? o->rules[o->n_rules - 1] : "-", o->queries ? o->queries : "-",
             o->judgements ? o->judgements : "-", o->read_only);
    o->ready(o->arg, call);
    return TWX_OK;
}

#endif
