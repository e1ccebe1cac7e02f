/* search/tuning.h: how good the combinations of values of a rules file are, best first.
 * Memory: embedded struct, zeroed by the caller; twx_tuning_done(). The name of the file is
 * borrowed. */
#ifndef TWX_SEARCH_TUNING_H
#define TWX_SEARCH_TUNING_H

#include "search/query_quality.h"
#include "search/rule_parse.h"

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

#endif
