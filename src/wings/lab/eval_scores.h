/* lab/eval_scores.h: computes recall, precision and F from the pairs found and the truth
 * (run/estimate.h has the formulas). All sums run over the pairs of the pool, each weighted by
 * its sampling probability, and over the pairs within each text, which are known without
 * sampling. */
#ifndef TWX_LAB_EVAL_SCORES_H
#define TWX_LAB_EVAL_SCORES_H

#include "lab/eval_labels.h"
#include "lab/eval_pairs.h"
#include "lab/eval_verify.h"
#include "lab/evaluation.h"

/* The pairs that were found. Memory: all borrowed. */
typedef struct twx_eval_found {
    const twx_eval_texts *texts;
    const twx_eval_pool *pool;
    const uint32_t *has_key; /* by text: bit d: detector d gives the text a key */
    size_t n;                /* number of detectors */
} twx_eval_found;

/* Counts the pairs of each detector, and computes the Dice coefficient of each two detectors: 2 |A
 * and B| / (|A| + |B|), in pairs of documents. */
void twx_eval_count(const twx_eval_found *found, twx_evaluation *e);
/* Scores against similarity, over the drawn pairs. Recall is relative to what all detectors
 * together find. */
void twx_eval_score_similarity(const twx_eval_found *found, const twx_eval_draw *draw,
                               twx_evaluation *e);
/* Scores against labelled pairs (with their `found` bits set); no other pairs count. */
void twx_eval_score_pairs(const twx_eval_labels *labels, twx_evaluation *e);
/* Rates one way to join pairs: joined[i] is true if it joins labelled pair i. */
void twx_eval_rate_pairs(const twx_eval_labels *labels, const bool *joined, twx_rating *ret_rating);
/* Scores against clusters: all pairs of labelled documents count. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_eval_score_clusters(twx_ctx *cx, const twx_eval_found *found,
                                         const twx_eval_labels *labels, twx_evaluation *e);

#endif
