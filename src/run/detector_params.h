/* run/detector_params.h: the parameters of the detectors, from the settings. */
#ifndef TWX_RUN_DETECTOR_PARAMS_H
#define TWX_RUN_DETECTOR_PARAMS_H

#include "run/open_store.h"
#include "url/url_rules.h"

/* Also loads the file of url.rules: params borrow the rules (NULL: none), and the caller closes
 * them after the last use of params.
 * Errors TWX_E_CONFIG, naming file and line of an invalid rule. */
TWX_CHECK twx_rc twx_params_make(const twx_job *job, twx_params *ret_params,
                                 twx_url_rules **ret_rules);
/* Sets the number of documents that a run judges, which decides by which keys candidates are found;
 * before the first run it stays 0. */
TWX_CHECK twx_rc twx_params_count_documents(twx_opened *o, twx_params *params);

#endif
