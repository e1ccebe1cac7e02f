/* inspect/undo.h: publishes the generation of flags that was published before. */
#ifndef TWX_INSPECT_UNDO_H
#define TWX_INSPECT_UNDO_H

#include "inspect/generation_line.h"
#include "run/job.h"

TWX_CHECK twx_rc twx_undo(const twx_job *job, twx_restored *ret_restored);

#endif
