/* job/fill.h: makes stores of our own schema and fills them: init and import. */
#ifndef TWX_JOB_FILL_H
#define TWX_JOB_FILL_H

#include "job/job.h"
#include "report/out.h"

TWX_CHECK twx_rc twx_fill_init(const twx_job *job);
TWX_CHECK twx_rc twx_fill_import(const twx_job *job, const char *const *files, size_t n,
                                 const twx_out *out);

#endif
