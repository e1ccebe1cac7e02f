/* evaluate/eval_scores.h: from pairs found and truth to recall, precision and F (report/estimate.h
 * has the arithmetic). All sums run over the pairs of the pool, each with the chance it was sampled
 * with, and over the pairs within each text, which are known without sampling. */
#ifndef TWX_EVALUATE_EVAL_SCORES_H
#define TWX_EVALUATE_EVAL_SCORES_H

#include "evaluate/eval_labels.h"
#include "evaluate/eval_pairs.h"
#include "evaluate/eval_verify.h"
#include "report/evaluation.h"

/* What was found. Memory: all borrowed. */
typedef struct twx_eval_found {
    const twx_eval_texts *texts;
    const twx_eval_pool *pool;
    const uint32_t *has_key; /* by text: bit d: detector d gives it a key */
    size_t n;                /* detectors */
} twx_eval_found;

/* Pairs of each detector and the Dice coefficients of each two: 2 |A and B| / (|A| + |B|), in pairs
 * of documents. */
void twx_eval_count(const twx_eval_found *found, twx_evaluation *e);
/* Truth by similarity, of the pairs that were drawn; recall is relative to what all detectors found
 * together. */
void twx_eval_score_similarity(const twx_eval_found *found, const twx_eval_draw *draw,
                               twx_evaluation *e);
/* Truth by labelled pairs (with their `found` bits set): nothing else counts. */
void twx_eval_score_pairs(const twx_eval_labels *labels, twx_evaluation *e);
/* The rating of one way to join pairs: joined[i] says whether it joins labelled pair i. */
void twx_eval_rate_pairs(const twx_eval_labels *labels, const bool *joined, twx_rating *ret_rating);
/* Truth by clusters: all pairs of labelled documents count. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_eval_score_clusters(twx_ctx *cx, const twx_eval_found *found,
                                         const twx_eval_labels *labels, twx_evaluation *e);

#endif
