/* learn/predict.h: how likely it is that a URL leads to a duplicate, for URLs given or streamed on
 * standard input. The model is loaded once; nothing is written into the store.
 * [R1] One answer a URL, in order; whatever came is answered before more is waited for, so that a
 * crawler can talk to it.
 * [R2] Filtering: only URLs worth fetching come out, and count as seen from then on. Some of the
 * likely duplicates are let through all the same (exploration), chosen by a hash of the URL. */
#ifndef TWX_LEARN_PREDICT_H
#define TWX_LEARN_PREDICT_H

#include "job/job.h"
#include "report/out.h"

/* Errors TWX_E_DATA: nothing was learned yet. */
TWX_CHECK twx_rc twx_predict(const twx_job *job, const twindex_predict_options *options,
                             const twx_out *out);

#endif
