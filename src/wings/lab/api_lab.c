#include "api/api.h"
#include "lab/lab.h"

int twindex_evaluate(twindex *t, const twindex_evaluate_options *options,
                     const twindex_sink *sink) {
    twindex_sink whole = *sink;
    if (options->html) whole.columns = 0;
    TWX_CALL(t, &whole, TWX_CALL_FITS, twx_evaluate(&c.job, options, &c.out));
}

extern const twx_hooks TWX_HOOKS_LAB;
const twx_hooks TWX_HOOKS_LAB = {.sweep = twx_sweep};
