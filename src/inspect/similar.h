/* inspect/similar.h: finds the documents most similar to a given one by one detector, and compares
 * the texts of the best ones. It writes nothing. Signatures stored by a run are used if they were
 * made with the current settings and this detector; they reflect the state of that run. Otherwise
 * every document is read and signed, once (twice for global detectors). */
#ifndef TWX_INSPECT_SIMILAR_H
#define TWX_INSPECT_SIMILAR_H

#include "inspect/similar_list.h"
#include "run/job.h"

enum { TWX_SIMILAR_REFINED = 20 /* documents whose texts are compared */ };

/* Errors TWX_E_NOTFOUND, TWX_E_USAGE (unknown detector), those of reading, and those of
 * cancellation. */
TWX_CHECK twx_rc twx_similar(const twx_job *job, const char *url_or_id,
                             const twindex_similar_options *options, twx_similar_list *ret_list);

#endif
