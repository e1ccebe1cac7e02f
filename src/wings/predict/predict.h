/* predict/predict.h: what was learned, applied: predictions for URLs, and rules for a crawler. */
#ifndef TWX_PREDICT_PREDICT_H
#define TWX_PREDICT_PREDICT_H

#include "base/buf.h"
#include "predict/model.h"
#include "run/job.h"
#include "run/out.h"

/* What was learned of parameters, as a file of rules and as JSON. */

/* Memory: borrowed. */
typedef struct twx_learned_rules {
    double threshold;
    twx_slice file;
    const twx_context *const *at; /* the contexts that are rules */
    size_t n;
} twx_learned_rules;

TWX_CHECK twx_rc twx_learned_rules_write(const twx_out *out, const twx_learned_rules *r);

/* Writes the learned model as rules for review: rewrite rules in the
 * format of url.rules (url/url_rules.h), and lines for robots.txt as comments.
 * [R1] The file is valid as url.rules. Its rules drop parameters of hypotheses 2, 3, 5 and 6 whose
 * probability reaches the threshold; a rule that a more general one covers is omitted. Of a
 * repeated name, adjacent occurrences are dropped.
 * [R2] Names and values are quoted: no byte of a URL has a special meaning in the regular
 * expression. */
TWX_CHECK twx_rc twx_predict_rules(const twx_job *job, const twx_model *m, double threshold,
                                   const twx_out *out);

/* Predicts the probability that a URL leads to a duplicate, for URLs given as
 * arguments or streamed on standard input. The model is loaded once; nothing is written to the
 * store.
 * [R1] One answer for each URL, in order. Every line that has been read is answered before the
 * program blocks for more input, so a crawler can use it as a co-process.
 * [R2] Filtering: only URLs worth fetching are printed, and count as seen from then on. Some of the
 * likely duplicates are printed all the same (exploration), chosen by a hash of the URL. */

/* Errors TWX_E_DATA: no model has been learned yet. */
TWX_CHECK twx_rc twx_predict(const twx_job *job, const twindex_predict_options *options,
                             const twx_out *out);

/* The learned rules (predict/predict.h) as text in memory, for
 * results that quote them. */

/* Appends the rules of `twindex predict --rules`, or sets *ret_why to the reason why there are
 * none, a text of the program. */
TWX_CHECK twx_rc twx_rules_text(const twx_job *job, twx_buf *text, const char **ret_why);

#endif
