/* lab/evaluate.h: compares detectors on a store: what they find, how much of it is true, and
 * what they cost. It writes nothing.
 *
 * Documents with equal text share one text, so a pair of texts represents many pairs of documents.
 * Detectors are evaluated one after another: the store is read again, each text is signed, texts
 * that share a key become candidates, and verification decides. If there are too many pairs, a
 * uniform sample is kept (lab/eval_pairs.h). The method follows Zelenkov and Segalovich 2007,
 * section 5: recall is relative to the pool of what all methods find. */
#ifndef TWX_LAB_EVALUATE_H
#define TWX_LAB_EVALUATE_H

#include "run/job.h"
#include "run/out.h"

/* Errors TWX_E_USAGE (unknown detector), TWX_E_DATA (the file of labels), TWX_E_BUSY (documents
 * changed meanwhile), TWX_E_LIMIT. */
TWX_CHECK twx_rc twx_evaluate(const twx_job *job, const twindex_evaluate_options *options,
                              const twx_out *out);

#endif
