/* import/import.h: creates and fills stores with our own schema: init and import. */
#ifndef TWX_IMPORT_IMPORT_H
#define TWX_IMPORT_IMPORT_H

#include "import/import_summary.h"
#include "run/job.h"

TWX_CHECK twx_rc twx_init_store(const twx_job *job);
TWX_CHECK twx_rc twx_import(const twx_job *job, const char *const *files, size_t n,
                            twx_import_summary *ret_summary);

#endif
