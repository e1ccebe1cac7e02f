#include "learn/predict.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/hash64.h"
#include "learn/learn_urls.h"
#include "learn/line_reader.h"
#include "learn/predict_rules.h"
#include "learn/replay.h"
#include "learn/stored_model.h"

enum {
    HELD_MOST = 1 << 16,
    LINE_MOST = 1 << 25,
    SCRATCH_KEPT = 1 << 16,
    FRONT_BYTES = 16,
    BEHIND_BYTES = 48
};

typedef struct predicting {
    const twx_job *job;
    const twindex_predict_options *options;
    const twx_out *out;
    twx_opened o;
    twx_learn_normalizer urls;
    twx_model model;
    twx_key_table remembered; /* URLs printed by the filter */
    twx_arena scratch;
    twx_buf held; /* answers that have not been written yet */
    /* the columns before and after the URL are rendered for this context */
    const twx_context *rendered;
    char front[FRONT_BYTES], behind[BEHIND_BYTES];
    twx_url_variants page;
} predicting;

/* ---- answers ------------------------------------------------------------ */

static twx_rc flush(void *arg) {
    predicting *p = arg;
    twx_rc rc = twx_out_bytes(p->out, twx_buf_slice(&p->held));
    twx_buf_clear(&p->held);
    return rc;
}

/* The given line or URL, its prediction, and whether it is worth fetching. */
typedef struct answer {
    twx_slice line;
    twx_prediction prediction;
    bool fetch;
} answer;

static twx_rc hold_json(predicting *p, const answer *a) {
    const twx_context *why = a->prediction.why;
    json_t *value = json_pack("{s:o, s:f, s:o, s:o, s:I, s:I, s:b}", "url", twx_json_slice(a->line),
                              "probability", a->prediction.probability, "hypothesis",
                              why ? json_integer(TWX_HYPOTHESIS[why->row].number) : json_null(),
                              "form",
                              why ? json_string(TWX_HYPOTHESIS[why->row].form) : json_null(), "dup",
                              why ? (json_int_t)why->dup : 0, "nodup",
                              why ? (json_int_t)why->nodup : 0, "fetch", (int)a->fetch);
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(6),
                 n = value ? json_dumpb(value, NULL, 0, flags) : 0;
    twx_rc rc = n ? twx_buf_reserve(p->job->cx, &p->held, n)
                  : twx_fail(p->job->cx, TWX_E_NOMEM, "out of memory for JSON");
    if (rc == TWX_OK) p->held.n += json_dumpb(value, p->held.p + p->held.n, n, flags);
    json_decref(value);
    return rc == TWX_OK ? twx_buf_add_char(p->job->cx, &p->held, '\n') : rc;
}

/* Consecutive answers often have the same reason, so the last one is cached. */
static void print_reason(predicting *p, const twx_context *why) {
    if (p->front[0] && p->rendered == why) return;
    p->rendered = why;
    snprintf(p->front, sizeof p->front, "%.6f\t", why ? why->probability : 0.0);
    if (why)
        snprintf(p->behind, sizeof p->behind, "\t%d\t%" PRIu32 "\t%" PRIu32 "\n",
                 TWX_HYPOTHESIS[why->row].number, why->dup, why->nodup);
    else
        snprintf(p->behind, sizeof p->behind, "\t-\t0\t0\n");
}

static twx_rc hold_columns(predicting *p, const answer *a) {
    print_reason(p, a->prediction.why);
    twx_rc rc = twx_buf_add_text(p->job->cx, &p->held, p->front);
    if (rc == TWX_OK) rc = twx_buf_add_slice(p->job->cx, &p->held, a->line);
    return rc == TWX_OK ? twx_buf_add_text(p->job->cx, &p->held, p->behind) : rc;
}

static twx_rc hold_line(predicting *p, const answer *a) {
    twx_rc rc = twx_buf_add_slice(p->job->cx, &p->held, a->line);
    return rc == TWX_OK ? twx_buf_add_char(p->job->cx, &p->held, '\n') : rc;
}

static twx_rc hold(predicting *p, const answer *a) {
    twx_rc rc = p->held.n >= HELD_MOST ? flush(p) : TWX_OK;
    if (rc != TWX_OK || (p->options->filter && !a->fetch)) return rc;
    if (twx_out_is_json(p->out)) return hold_json(p, a);
    return p->options->filter ? hold_line(p, a) : hold_columns(p, a);
}

/* An unusable URL is not judged: the caller detects it. */
static twx_rc judge(predicting *p, twx_slice line, answer *ret_answer) {
    answer a = {.line = line, .fetch = true};
    twx_url url;
    twx_rc rc = twx_url_normalize(p->job->cx, &p->scratch, &p->urls.options, line, &url);
    if (rc == TWX_OK && url.fault == TWX_URL_OK) {
        twx_url_variants_of(url.whole, &p->page);
        a.prediction = twx_model_predict(&p->model, p->remembered.n ? &p->remembered : NULL,
                                         &p->page);
        a.fetch = a.prediction.probability < p->options->threshold ||
                  twx_explores(url.whole, p->options->exploration);
        if (p->options->filter && a.fetch)
            rc = twx_model_add_seen(p->job->cx, &p->model, &p->page, &p->remembered);
    } else if (rc == TWX_OK) {
        twx_job_message(p->job, TWINDEX_DETAIL, "'" TWX_SLICE_FMT "' is no usable URL: %s",
                        TWX_SLICE_ARG(line), twx_url_fault_text(url.fault));
    }
    *ret_answer = a;
    return rc;
}

static twx_rc answer_line(predicting *p, twx_slice line) {
    answer a;
    twx_rc rc = judge(p, line, &a);
    if (rc == TWX_OK) rc = hold(p, &a);
    twx_arena_reset(&p->scratch);
    return rc;
}

static twx_rc answer_stream(predicting *p) {
    twx_line_reader *feed = NULL;
    twx_slice line;
    bool cut = false;
    twx_rc rc = twx_line_reader_open(p->job->cx, STDIN_FILENO, flush, p, &feed);
    while (rc == TWX_OK && (rc = twx_line_reader_next(feed, &line, &cut)) == TWX_OK) {
        if (cut)
            twx_job_message(p->job, TWINDEX_WARNING,
                            "a line of standard input is longer than %d bytes and was cut",
                            TWX_LINE_MAX);
        rc = answer_line(p, line);
    }
    twx_line_reader_close(feed);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc answer_all(predicting *p) {
    const twindex_predict_options *o = p->options;
    p->remembered.bytes_most = (size_t)p->job->settings->run_memory / 2;
    twx_rc rc = o->n ? TWX_OK : answer_stream(p);
    for (size_t i = 0; rc == TWX_OK && i < o->n; i++) rc = answer_line(p, twx_slice_of(o->urls[i]));
    return rc == TWX_OK ? flush(p) : rc;
}

/* ---- before that -------------------------------------------------------- */

/* Warns that the model may be outdated. */
static twx_rc warn_of_stale(predicting *p, const twx_url_model_head *head) {
    twx_state state;
    twx_rc rc = twx_published_state(p->job, &p->o, &state);
    if (rc == TWX_OK && twx_published_run(&state) != head->run)
        twx_job_message(p->job, TWINDEX_WARNING,
                        "the model was learned from run %" PRId64 ", and run %" PRId64
                        " is published now: run 'twindex learn' to update it",
                        head->run, twx_published_run(&state));
    if (rc == TWX_OK && head->fingerprint != twx_mix64(p->urls.fingerprint, TWX_MODEL_VERSION))
        twx_job_message(p->job, TWINDEX_WARNING,
                        "the model was learned with other url.* settings or by another version: "
                        "run 'twindex learn' to replace it");
    return rc;
}

static twx_rc with_model(predicting *p) {
    twx_url_model_head head;
    twx_rc rc = twx_model_load(p->job, p->o.writer, !p->options->rules, &p->model, &head);
    if (rc == TWX_OK) rc = warn_of_stale(p, &head);
    if (rc != TWX_OK) return rc;
    return p->options->rules ? twx_predict_rules(p->job, &p->model, p->options->threshold, p->out)
                             : answer_all(p);
}

twx_rc twx_predict(const twx_job *job, const twindex_predict_options *options, const twx_out *out) {
    predicting *p = twx_calloc(job->cx, 1, sizeof *p);
    if (!p) return TWX_E_NOMEM;
    p->job = job;
    p->options = options;
    p->out = out;
    twx_model_init(&p->model);
    twx_arena_init(&p->scratch, SCRATCH_KEPT);
    twx_buf_init(&p->held, LINE_MOST);
    const unsigned needs = TWX_NEED_RESULTS | (options->evaluate ? TWX_NEED_SOURCE : 0);
    twx_rc rc = twx_learn_normalizer_make(job, &p->urls);
    if (rc == TWX_OK) rc = twx_open_store(job, needs, &p->o);
    if (rc == TWX_OK)
        rc = options->evaluate ? twx_replay(job, &p->o, &p->urls, options, out) : with_model(p);
    twx_buf_done(&p->held);
    twx_arena_done(&p->scratch);
    twx_key_table_done(&p->remembered);
    twx_model_done(&p->model);
    twx_learn_normalizer_done(&p->urls);
    twx_opened_done(&p->o);
    twx_free(p);
    return rc;
}
