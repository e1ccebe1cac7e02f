/* inspect/compare.h: two documents side by side: how alike their texts are, what each detector
 * says, and where they differ. Nothing is written. */
#ifndef TWX_INSPECT_COMPARE_H
#define TWX_INSPECT_COMPARE_H

#include "job/job.h"
#include "report/out.h"

/* a, b: id or URL. Errors TWX_E_NOTFOUND, TWX_E_CONFIG, those of reading, cancelled ones: long
 * texts take seconds. */
TWX_CHECK twx_rc twx_compare(const twx_job *job, const char *a, const char *b,
                             const twindex_compare_options *options, const twx_out *out);

#endif
