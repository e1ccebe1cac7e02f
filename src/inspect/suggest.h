/* inspect/suggest.h: `check --suggest`: a configuration for a store that another program fills,
 * with comments that show what it does: three rows as they would be read, fill rates, and warnings.
 * Writes nothing. */
#ifndef TWX_INSPECT_SUGGEST_H
#define TWX_INSPECT_SUGGEST_H

#include "job/job.h"
#include "report/out.h"

/* TWX_E_CONFIG: no documents were found. TWX_E_DOUBT (with a clear context): there are warnings. */
TWX_CHECK twx_rc twx_suggest(const twx_job *job, const twx_out *out);

#endif
