/* job/detector_params.h: the parameters of the detectors, from the settings. */
#ifndef TWX_JOB_DETECTOR_PARAMS_H
#define TWX_JOB_DETECTOR_PARAMS_H

#include "job/job.h"
#include "url/url_rules.h"

/* Also loads the file of url.rules: params borrow the rules (NULL: none), and the caller closes
 * them after the last use of params.
 * Errors TWX_E_CONFIG, naming file and line of an invalid rule. */
TWX_CHECK twx_rc twx_params_make(const twx_job *job, twx_params *ret_params,
                                 twx_url_rules **ret_rules);

#endif
