#include "predict/predict.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/hash64.h"
#include "predict/answers.h"
#include "predict/learn_urls.h"
#include "predict/line_reader.h"
#include "predict/predict_rules.h"
#include "predict/replay.h"
#include "predict/stored_model.h"

enum { SCRATCH_KEPT = 1 << 16 };

typedef struct predicting {
    const twx_job *job;
    const twindex_predict_options *options;
    const twx_out *out;
    twx_opened o;
    twx_learn_normalizer urls;
    twx_model model;
    twx_key_table remembered; /* URLs printed by the filter */
    twx_arena scratch;
    twx_answers answers;
    twx_url_variants page;
} predicting;

/* ---- answers ------------------------------------------------------------ */

/* An unusable URL is not judged: the caller detects it. */
static twx_rc judge(predicting *p, twx_slice line, twx_answer *ret_answer) {
    twx_answer a = {.line = line, .fetch = true};
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
        twx_job_message(p->job, TWINDEX_DETAIL, "'" TWX_SLICE_FMT "' is not a usable URL: %s",
                        TWX_SLICE_ARG(line), twx_url_fault_text(url.fault));
    }
    *ret_answer = a;
    return rc;
}

static twx_rc answer_line(predicting *p, twx_slice line) {
    twx_answer a;
    twx_rc rc = judge(p, line, &a);
    if (rc == TWX_OK) rc = twx_answers_add(&p->answers, &a);
    twx_arena_reset(&p->scratch);
    return rc;
}

static twx_rc flush(void *arg) {
    predicting *p = arg;
    return twx_answers_flush(&p->answers);
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
    if (rc == TWX_OK && head->fingerprint != p->urls.fingerprint)
        twx_job_message(p->job, TWINDEX_WARNING,
                        "the model was learned with other url.* settings: run 'twindex learn' to "
                        "replace it");
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
    twx_answers_init(&p->answers, out, options->filter);
    const unsigned needs = TWX_NEED_RESULTS | (options->evaluate ? TWX_NEED_SOURCE : 0);
    twx_rc rc = twx_learn_normalizer_make(job, &p->urls);
    if (rc == TWX_OK) rc = twx_open_store(job, needs, &p->o);
    if (rc == TWX_OK)
        rc = options->evaluate ? twx_replay(job, &p->o, &p->urls, options, out) : with_model(p);
    twx_answers_done(&p->answers);
    twx_arena_done(&p->scratch);
    twx_key_table_done(&p->remembered);
    twx_model_done(&p->model);
    twx_learn_normalizer_done(&p->urls);
    twx_opened_done(&p->o);
    twx_free(p);
    return rc;
}
