/* search/query_quality.h: how well searches do by relevance judgements: the measures of each query,
 * their means, and the paired differences of two sides with 95 % intervals (search/hits.h).
 * Memory: embedded struct; zero-initialized, twx_query_quality_done(). */
#ifndef TWX_SEARCH_QUERY_QUALITY_H
#define TWX_SEARCH_QUERY_QUALITY_H

#include "base/vec.h"
#include "run/out.h"
#include "search/hits.h"

enum { TWX_SEARCH_SIDES = 2 };

typedef enum twx_query_measure {
    TWX_NDCG,
    TWX_MRR,
    TWX_DUPLICATES, /* share of duplicates in the first 10 */
    TWX_MEASURES
} twx_query_measure;

typedef TWX_VEC(double) twx_query_values;

typedef struct twx_query_quality {
    twx_query_values of[TWX_SEARCH_SIDES][TWX_MEASURES]; /* of the judged queries */
    size_t n_sides;
} twx_query_quality;

/* A judged query: n_sides values of each; duplicates: their share in the first 10 hits. */
TWX_CHECK twx_rc twx_query_quality_add(twx_ctx *cx, twx_query_quality *q, size_t n_sides,
                                       const twx_quality *quality, const double *duplicates);
void twx_query_quality_done(twx_query_quality *q);
twx_interval twx_query_quality_mean(const twx_query_quality *q, size_t side, twx_query_measure m);
/* B - A, of the same queries. */
twx_interval twx_query_quality_difference(const twx_query_values *a, const twx_query_values *b);
/* {"mean", "low", "high"}; without an interval if it is not known */
json_t *twx_interval_json(const twx_interval *i);
/* {"queries", "a": {measure: interval}, "b", "difference"}; new reference, NULL: out of memory */
json_t *twx_query_quality_json(const twx_query_quality *q);
TWX_CHECK twx_rc twx_query_quality_write(const twx_out *out, const twx_query_quality *q);

#endif
