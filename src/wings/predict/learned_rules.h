/* predict/learned_rules.h: what was learned of parameters, as a file of rules and as JSON. */
#ifndef TWX_PREDICT_LEARNED_RULES_H
#define TWX_PREDICT_LEARNED_RULES_H

#include "predict/model.h"
#include "run/out.h"

/* Memory: borrowed. */
typedef struct twx_learned_rules {
    double threshold;
    twx_slice file;
    const twx_context *const *at; /* the contexts that are rules */
    size_t n;
} twx_learned_rules;

TWX_CHECK twx_rc twx_learned_rules_write(const twx_out *out, const twx_learned_rules *r);

#endif
