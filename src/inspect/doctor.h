/* inspect/doctor.h: `doctor`: everything that `check` reports, and the state of the files, the lock
 * and the versions, what programs that were killed have left, and what would make runs faster.
 * Writes nothing into the store. Errors those of check. */
#ifndef TWX_INSPECT_DOCTOR_H
#define TWX_INSPECT_DOCTOR_H

#include "inspect/check.h"
#include "run/job.h"

TWX_CHECK twx_rc twx_doctor(const twx_job *job, twx_findings *ret_findings);

#endif
