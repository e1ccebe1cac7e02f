/* evaluate/evaluate.h: compares detectors on a store: what they find, how much of it is true, what
 * they cost. Nothing is written.
 *
 * Documents of equal text are one text, so a pair of texts stands for many pairs of documents.
 * Detectors are taken one after the other: the store is read again, each text is signed, texts that
 * share a key are candidates, verification decides. Of pairs that are too many an even sample is
 * kept (evaluate/eval_pairs.h). Source of the method: Zelenkov and Segalovich 2007, section 5:
 * recall is relative to the pool of what all methods find. */
#ifndef TWX_EVALUATE_EVALUATE_H
#define TWX_EVALUATE_EVALUATE_H

#include "job/job.h"
#include "report/out.h"

/* Errors TWX_E_USAGE (no such detector), TWX_E_DATA (the file of labels), TWX_E_BUSY (documents
 * changed meanwhile), TWX_E_LIMIT. */
TWX_CHECK twx_rc twx_evaluate(const twx_job *job, const twindex_evaluate_options *options,
                              const twx_out *out);

#endif
