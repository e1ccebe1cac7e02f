/* api/call.h: what every call of the library begins and ends with; private to api/. */
#ifndef TWX_API_CALL_H
#define TWX_API_CALL_H

#include "api/handle.h"
#include "inspect/fit_lines.h"
#include "run/job.h"

typedef struct twx_call {
    twx_job job;
    twx_out out;
    twx_rc rc; /* TWX_OK: go on */
} twx_call;

/* Clears the last error and sets up the job and the output. */
twx_call twx_call_begin(twindex *t, const twindex_sink *sink);
/* The same for calls that work on several stores. */
twx_call twx_call_begin_all(twindex *t, const twindex_sink *sink);
/* Returns the exit code of the call. Errors about stored signatures get the name of the file and
 * advice. */
int twx_call_finish(const twx_call *c);
twx_job twx_job_of(twindex *t);

/* Cuts the lines of a call's output at the width of the terminal (inspect/fit_lines.h), from
 * twx_call_fit() to twx_call_unfit(). Memory: embedded struct; it must not move in between. */
typedef struct twx_call_fitting {
    twx_out outer;
    twx_fit_lines lines;
} twx_call_fitting;
void twx_call_fit(twx_call *c, twx_call_fitting *ret_fitting);
void twx_call_unfit(twx_call *c, twx_call_fitting *fitting);

#endif
