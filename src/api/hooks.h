/* api/hooks.h: what a wing does when calls of the core ask for it. */
#ifndef TWX_API_HOOKS_H
#define TWX_API_HOOKS_H

#include "base/buf.h"
#include "run/job.h"

typedef struct twx_hooks {
    /* flags of job->store were published */
    TWX_CHECK twx_rc (*published)(const twx_job *job);
    /* the rules for a crawler that the report page shows; *ret_why: why there are none, or NULL */
    TWX_CHECK twx_rc (*rules)(const twx_job *job, twx_buf *text, const char **ret_why);
} twx_hooks;

/* Calls them of all wings of the build. */
TWX_CHECK twx_rc twx_hooks_published(const twx_job *job);
TWX_CHECK twx_rc twx_hooks_rules(const twx_job *job, twx_buf *text, const char **ret_why);

#endif
