/* predict/predict_rules.h: writes the learned model as rules for review: rewrite rules in the
 * format of url.rules (url/url_rules.h), and lines for robots.txt as comments.
 * [R1] The file is valid as url.rules. Its rules drop parameters of hypotheses 2, 3, 5 and 6 whose
 * probability reaches the threshold; a rule that a more general one covers is omitted. Of a
 * repeated name, adjacent occurrences are dropped.
 * [R2] Names and values are quoted: no byte of a URL has a special meaning in the regular
 * expression. */
#ifndef TWX_PREDICT_PREDICT_RULES_H
#define TWX_PREDICT_PREDICT_RULES_H

#include "predict/model.h"
#include "run/job.h"
#include "run/out.h"

TWX_CHECK twx_rc twx_predict_rules(const twx_job *job, const twx_model *m, double threshold,
                                   const twx_out *out);

#endif
