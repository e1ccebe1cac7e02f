/* cli/stop_signals.h: SIGINT and SIGTERM ask the running call to stop; a second one kills at once. SIGPIPE is ignored, so that
 * writing to a pipe nobody reads is an error like any other. */
#ifndef TWX_CLI_STOP_SIGNALS_H
#define TWX_CLI_STOP_SIGNALS_H

#include "twindex/twindex.h"

/* From now on signals stop calls on t; NULL: they kill, as before. */
void twx_stop_on_signals(twindex *t);

#endif
