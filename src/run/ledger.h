/* run/ledger.h: the settings that flags depend on, in the form stored in the ledger of runs. */
#ifndef TWX_RUN_LEDGER_H
#define TWX_RUN_LEDGER_H

#include <jansson.h>

#include "judge/judgement.h"
#include "run/settings.h"

/* New reference; NULL: out of memory. */
json_t *twx_ledger_settings(const twx_settings *settings, const twx_judge_options *options);

#endif
