/* predict/predict.h: predicts the probability that a URL leads to a duplicate, for URLs given as
 * arguments or streamed on standard input. The model is loaded once; nothing is written to the
 * store.
 * [R1] One answer for each URL, in order. Every line that has been read is answered before the
 * program blocks for more input, so a crawler can use it as a co-process.
 * [R2] Filtering: only URLs worth fetching are printed, and count as seen from then on. Some of the
 * likely duplicates are printed all the same (exploration), chosen by a hash of the URL. */
#ifndef TWX_PREDICT_PREDICT_H
#define TWX_PREDICT_PREDICT_H

#include "run/job.h"
#include "run/out.h"

/* Errors TWX_E_DATA: no model has been learned yet. */
TWX_CHECK twx_rc twx_predict(const twx_job *job, const twindex_predict_options *options,
                             const twx_out *out);

#endif
