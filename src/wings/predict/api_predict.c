#include "api/api.h"
#include "predict/predict.h"

int twindex_learn(twindex *t, const twindex_sink *sink) {
    twx_call c = twx_call_begin(t, sink);
    twx_learn_summary s;
    if (c.rc == TWX_OK) c.rc = twx_learn(&c.job, &s);
    if (c.rc == TWX_OK) c.rc = twx_learn_summary_write(&c.out, &s);
    return twx_call_finish(&c);
}

int twindex_predict(twindex *t, const twindex_predict_options *options, const twindex_sink *sink) {
    twx_call c = twx_call_begin(t, sink);
    if (c.rc == TWX_OK) c.rc = twx_predict(&c.job, options, &c.out);
    return twx_call_finish(&c);
}

extern const twx_hooks TWX_HOOKS_PREDICT;
const twx_hooks TWX_HOOKS_PREDICT = {.published = twx_learn_again, .rules = twx_rules_text};
