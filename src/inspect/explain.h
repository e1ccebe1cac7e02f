/* inspect/explain.h: explains every flag of one document: its value, the rule, the representative
 * and the evidence. */
#ifndef TWX_INSPECT_EXPLAIN_H
#define TWX_INSPECT_EXPLAIN_H

#include "inspect/explain_print.h"
#include "run/job.h"

/* Errors TWX_E_NOTFOUND: no document has this id or URL. */
TWX_CHECK twx_rc twx_explain(const twx_job *job, const char *url_or_id,
                             twx_explanation *ret_explanation);

#endif
