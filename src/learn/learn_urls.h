/* learn/learn_urls.h: learns from the published flags which parts of URLs do not matter, and keeps
 * that in the store's tables. */
#ifndef TWX_LEARN_LEARN_URLS_H
#define TWX_LEARN_LEARN_URLS_H

#include "learn/learn_documents.h"
#include "predict/learn.h"
#include "report/out.h"

/* [R1] Nothing is written when nothing differs. Errors TWX_E_DATA: no run has published yet;
 * TWX_E_BUSY: a run is at work. */
TWX_CHECK twx_rc twx_learn(const twx_job *job, const twx_out *out);

/* After a run: learns again where something was learned before and another run is published now.
 * What goes wrong is told as a warning, because the run itself went well. Errors: cancelled ones.
 */
TWX_CHECK twx_rc twx_learn_again(const twx_job *job);

/* The state, with a published generation. Errors TWX_E_DATA. */
TWX_CHECK twx_rc twx_published_state(const twx_job *job, twx_opened *o, twx_state *ret_state);
static inline int64_t twx_published_run(const twx_state *state) {
    return state->run[state->generation == 'b'];
}
/* Says what about the flags limits what can be learned: no near detector, documents newer than the
 * run. */
void twx_report_page_counts(const twx_job *job, const twx_page_counts *counts);

#endif
