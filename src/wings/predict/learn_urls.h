/* predict/learn_urls.h: learns from the published flags which parts of URLs do not matter, and
 * stores the model in the store's tables. */
#ifndef TWX_PREDICT_LEARN_URLS_H
#define TWX_PREDICT_LEARN_URLS_H

#include "predict/learn_documents.h"
#include "predict/learn_summary.h"
#include "predict/learner.h"

/* [R1] Writes nothing when nothing differs. Errors TWX_E_DATA: no run has been published yet;
 * TWX_E_BUSY: a run is in progress. */
TWX_CHECK twx_rc twx_learn(const twx_job *job, twx_learn_summary *ret_summary);

/* After a run: learns again if a model exists and another run is published now. Failures are
 * reported as warnings, because the run itself succeeded. Errors: those of twx_cancelled() only. */
TWX_CHECK twx_rc twx_learn_again(const twx_job *job);

/* Reads the state, which must have a published generation. Errors TWX_E_DATA. */
TWX_CHECK twx_rc twx_published_state(const twx_job *job, twx_opened *o, twx_state *ret_state);
static inline int64_t twx_published_run(const twx_state *state) {
    return state->run[state->generation == 'b'];
}
/* Warns of what limits learning: no near detector, documents newer than the run. */
void twx_warn_learn_counts(const twx_job *job, const twx_learn_counts *counts);

#endif
