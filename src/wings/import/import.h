/* import/import.h: fills stores with our own schema. */
#ifndef TWX_IMPORT_IMPORT_H
#define TWX_IMPORT_IMPORT_H

#include "import/import_summary.h"
#include "run/job.h"

TWX_CHECK twx_rc twx_import(const twx_job *job, const char *const *files, size_t n,
                            twx_import_summary *ret_summary);

#endif
