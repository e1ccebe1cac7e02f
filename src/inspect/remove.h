/* inspect/remove.h: takes everything of Twindex out of a store, and removes the lock file; a file
 * of --flags is removed as a whole.
 * [R1] What is not Twindex's is unchanged: rows, schema, settings of the file.
 * [R2] A process that is killed leaves all objects or none. */
#ifndef TWX_INSPECT_REMOVE_H
#define TWX_INSPECT_REMOVE_H

#include "inspect/removal_summary.h"
#include "run/job.h"

/* dry_run: only lists what would be removed. Errors TWX_E_BUSY: a run is at work. */
TWX_CHECK twx_rc twx_remove(const twx_job *job, bool dry_run, twx_removal_summary *ret_summary);

#endif
