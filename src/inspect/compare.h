/* inspect/compare.h: compares two documents: the similarity of their texts, the result of each
 * detector, and the differences. It writes nothing. */
#ifndef TWX_INSPECT_COMPARE_H
#define TWX_INSPECT_COMPARE_H

#include "inspect/comparison.h"
#include "run/job.h"

/* a, b: id or URL. Errors TWX_E_NOTFOUND, TWX_E_CONFIG, those of reading, and those of
 * cancellation, because long texts take seconds. */
TWX_CHECK twx_rc twx_compare(const twx_job *job, const char *a, const char *b,
                             const twindex_compare_options *options,
                             twx_comparison *ret_comparison);

#endif
