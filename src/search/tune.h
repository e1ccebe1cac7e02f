/* search/tune.h: tries the numbers of a rules file, and shows which suit the judgements. */
#ifndef TWX_SEARCH_TUNE_H
#define TWX_SEARCH_TUNE_H

#include "run/job.h"
#include "search/query_quality.h"
#include "search/rule_parse.h"

/* How good the combinations of values of a rules file are, best first.
 * Memory: embedded struct, zeroed by the caller; twx_tuning_done(). The name of the file is
 * borrowed. */
enum { TWX_VARIED_MAX = 8 };

typedef struct twx_tuned {
    double values[TWX_VARIED_MAX];
    size_t place; /* in the order in which the combinations were tried */
    twx_interval ndcg, mrr, duplicates;
    twx_interval change; /* of nDCG: paired differences to the file as it is */
    bool allowed;        /* the share of duplicates is not above the limit */
} twx_tuned;

typedef struct twx_tuning {
    const char *rules;                          /* file */
    char names[TWX_VARIED_MAX][TWX_RULES_NAME]; /* of the numbers that are varied */
    size_t n_varied;
    size_t queries;        /* judged ones */
    double max_duplicates; /* 0 to 1 */
    size_t limit;          /* combinations shown; 0: all */
    twx_tuned file;        /* the values of the file itself */
    TWX_VEC(twx_tuned) combinations;
} twx_tuning;

void twx_tuning_done(twx_tuning *t);
/* Best first: those within the limit of duplicates, then by nDCG, fewer duplicates, and the order
 * in which they were tried. */
void twx_tuning_sort(twx_tuning *t);
TWX_CHECK twx_rc twx_tuning_write(const twx_out *out, const twx_tuning *t);

/* Tries all combinations of values for named numbers of a rules file, and ranks them
 * by relevance judgements. */
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
