/* lab/evaluation_json.h: an evaluation as JSON. */
#ifndef TWX_LAB_EVALUATION_JSON_H
#define TWX_LAB_EVALUATION_JSON_H

#include "lab/evaluation.h"

json_t *twx_evaluation_json(const twx_evaluation *e); /* new reference, NULL: out of memory */

#endif
