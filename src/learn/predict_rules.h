/* learn/predict_rules.h: what was learned as rules for people to look at: rewrite rules in the
 * format of url.rules (url/url_rules.h), and lines for robots.txt as comments.
 * [R1] The file is one that url.rules takes. Its rules drop parameters of hypotheses 2, 3, 5 and 6
 * whose probability reaches the threshold; one that a more general one covers is left out. Of a
 * name that occurs again, the occurrences that stand together are dropped.
 * [R2] Names and values are quoted: no byte of a URL means anything in a regular expression. */
#ifndef TWX_LEARN_PREDICT_RULES_H
#define TWX_LEARN_PREDICT_RULES_H

#include "job/job.h"
#include "predict/model.h"
#include "report/out.h"

TWX_CHECK twx_rc twx_predict_rules(const twx_job *job, const twx_model *m, double threshold,
                                   const twx_out *out);

#endif
