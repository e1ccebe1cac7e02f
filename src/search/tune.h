/* search/tune.h: tries all combinations of values for named numbers of a rules file, and ranks them
 * by relevance judgements. */
#ifndef TWX_SEARCH_TUNE_H
#define TWX_SEARCH_TUNE_H

#include "run/job.h"
#include "search/tuning.h"

enum {
    TWX_VARIED_VALUES = 100, /* of one number */
    TWX_COMBINATIONS = 1000
};

typedef struct twx_varied {
    char name[TWX_RULES_NAME];
    double values[TWX_VARIED_VALUES];
    size_t n;
} twx_varied;

/* Reads "NAME=1,2.5,-3". Errors TWX_E_USAGE */
TWX_CHECK twx_rc twx_varied_parse(twx_ctx *cx, const char *text, twx_varied *ret_varied);

/* ret_tuning: zeroed by the caller; twx_tuning_done() even after an error.
 * Errors TWX_E_USAGE: options are missing or wrong, too many combinations; TWX_E_CONFIG: the rules;
 * TWX_E_DATA: the judgements, or none of them belongs to a query */
TWX_CHECK twx_rc twx_tune(const twx_job *job, const twindex_tune_options *options,
                          twx_tuning *ret_tuning);

#endif
