#include "api/api.h"
#include "predict/predict.h"

int twindex_learn(twindex *t, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_learn(&c.job, &c.out));
}

int twindex_predict(twindex *t, const twindex_predict_options *options, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_predict(&c.job, options, &c.out));
}

extern const twx_hooks TWX_HOOKS_PREDICT;
const twx_hooks TWX_HOOKS_PREDICT = {.published = twx_learn_again, .rules = twx_rules_text};
