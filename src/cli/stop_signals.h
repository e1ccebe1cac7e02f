/* cli/stop_signals.h: SIGINT and SIGTERM ask the running call to stop; a second one kills at once.
 * SIGTSTP (Ctrl-Z) stops the process when it keeps nobody from writing to the store.
 * SIGPIPE and SIGXFSZ are ignored, so that writing to a closed pipe or beyond the file size limit
 * is an error like any other. */
#ifndef TWX_CLI_STOP_SIGNALS_H
#define TWX_CLI_STOP_SIGNALS_H

#include "twindex/twindex.h"

/* From now on signals stop calls on t; NULL: they have their default effect again. */
void twx_stop_on_signals(twindex *t);

#endif
