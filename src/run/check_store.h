/* run/check_store.h: checks a store before a run writes anything to it. */
#ifndef TWX_RUN_CHECK_STORE_H
#define TWX_RUN_CHECK_STORE_H

#include "run/lock.h"
#include "run/open_store.h"
#include "run/summary.h"

/* Checks the mapping, the contents of its columns, and, if wanted, the file itself. Warns about
 * what looks unintended.
 * Errors TWX_E_CONFIG (more than one mapping fits), TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_check_store(const twx_job *job, twx_opened *o, bool file,
                                 twx_summary *summary);
/* Whether the file is to be checked (run.check): after a check within the last days it is not read
 * again, unless `asked`. held: NULL in a dry run. */
bool twx_is_check_due(const twx_job *job, const twx_lock *held, bool asked);

#endif
