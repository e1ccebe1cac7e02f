#include "api/api.h"
#include "lab/lab.h"

int twindex_evaluate(twindex *t, const twindex_evaluate_options *options,
                     const twindex_sink *sink) {
    twindex_sink whole = *sink;
    if (options->html) whole.columns = 0;
    twx_call c = twx_call_begin(t, &whole);
    twx_call_fit(&c);
    if (c.rc == TWX_OK) c.rc = twx_evaluate(&c.job, options, &c.out);
    return twx_call_finish(&c);
}

extern const twx_hooks TWX_HOOKS_LAB;
const twx_hooks TWX_HOOKS_LAB = {.sweep = twx_sweep};
