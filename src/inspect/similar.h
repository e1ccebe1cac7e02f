/* inspect/similar.h: the documents most like one, by one detector; of the best the texts are
 * compared. Nothing is written. What a run has signed is used, when it was signed with these
 * settings and by this detector: that is the state of that run. Else every document is read and
 * signed, once (global detectors: twice). */
#ifndef TWX_INSPECT_SIMILAR_H
#define TWX_INSPECT_SIMILAR_H

#include "job/job.h"
#include "report/out.h"

enum { TWX_SIMILAR_REFINED = 20 /* documents whose texts are compared */ };

/* Errors TWX_E_NOTFOUND, TWX_E_USAGE (no such detector), those of reading, cancelled ones. */
TWX_CHECK twx_rc twx_similar(const twx_job *job, const char *url_or_id,
                             const twindex_similar_options *options, const twx_out *out);

#endif
