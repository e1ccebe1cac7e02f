#include "predict/predict_text.h"

#include "predict/predict.h"
#include "predict/url_model.h"
#include "run/open_store.h"

static const double THRESHOLD = 0.98; /* as of the command */

typedef struct quoting {
    twx_ctx *cx;
    twx_buf *text;
} quoting;

static int add(void *arg, const char *bytes, size_t n) {
    quoting *q = arg;
    return twx_buf_add(q->cx, q->text, bytes, n) == TWX_OK ? 0 : 1;
}

static twx_rc is_learned(const twx_job *job, bool *ret_learned) {
    twx_opened o = {0};
    twx_url_model_head head;
    twx_rc rc = twx_open_store(job, TWX_NEED_RESULTS, &o);
    if (rc == TWX_OK) rc = twx_url_model_head_read(o.writer, &head);
    twx_opened_done(&o);
    *ret_learned = rc == TWX_OK;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Is there a line besides comments? */
static bool has_rule(twx_slice text) {
    for (size_t at = 0; at < text.n; at = twx_slice_find(text, '\n', at) + 1)
        if (text.p[at] != '#' && text.p[at] != '\n') return true;
    return false;
}

twx_rc twx_rules_text(const twx_job *job, twx_buf *text, const char **ret_why) {
    const twindex_predict_options how = {.rules = true, .threshold = THRESHOLD};
    quoting q = {job->cx, text};
    const twindex_sink sink = {.write = add, .arg = &q, .format = TWINDEX_TEXT};
    const twx_out out = {.cx = job->cx, .sink = &sink};
    bool learned = false;
    twx_rc rc = is_learned(job, &learned);
    if (rc != TWX_OK) return rc;
    *ret_why = learned ? NULL : "The URLs of this store have not been learned yet.";
    if (!learned) return TWX_OK;
    rc = twx_predict(job, &how, &out);
    if (rc == TWX_OK && !has_rule(twx_buf_slice(text)))
        *ret_why = "No learned parameter has a probability of 0.98 or more.";
    if (rc != TWX_E_DATA) return rc;
    twx_ctx_clear(job->cx);
    *ret_why = "The URLs were learned by another version of twindex: run 'twindex learn' again.";
    return TWX_OK;
}
