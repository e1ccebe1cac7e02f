/* predict/predict_text.h: the learned rules (predict/predict_rules.h) as text in memory, for
 * results that quote them. */
#ifndef TWX_PREDICT_PREDICT_TEXT_H
#define TWX_PREDICT_PREDICT_TEXT_H

#include "base/buf.h"
#include "run/job.h"

/* Appends the rules of `twindex predict --rules`, or sets *ret_why to the reason why there are
 * none, a text of the program. */
TWX_CHECK twx_rc twx_rules_text(const twx_job *job, twx_buf *text, const char **ret_why);

#endif
