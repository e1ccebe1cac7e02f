#include "api/api.h"
#include "predict/predict.h"

int twindex_learn(twindex *t, const twindex_sink *sink) {
    twx_call c;
    twx_rc rc = twx_call_begin(&c, t, sink, 0);
    twx_learn_summary s;
    if (rc == TWX_OK) rc = twx_learn(&c.job, &s);
    if (rc == TWX_OK) rc = twx_learn_summary_write(&c.out, &s);
    return twx_call_finish(&c, rc);
}

int twindex_predict(twindex *t, const twindex_predict_options *options, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_predict(&c.job, options, &c.out));
}

extern const twx_hooks TWX_HOOKS_PREDICT;
const twx_hooks TWX_HOOKS_PREDICT = {.published = twx_learn_again, .rules = twx_rules_text};
