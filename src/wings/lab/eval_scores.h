/* lab/eval_scores.h: the signatures of the texts that are compared, and recall, precision and F of
 * a method. */
#ifndef TWX_LAB_EVAL_SCORES_H
#define TWX_LAB_EVAL_SCORES_H

#include "group/grouper.h"
#include "lab/eval_labels.h"
#include "lab/eval_pairs.h"
#include "lab/eval_texts.h"
#include "lab/eval_verify.h"
#include "lab/evaluation.h"
#include "sign/detector_row.h"

/* Computes recall, precision and F from the pairs found and the truth
 * (run/estimate.h has the formulas). All sums run over the pairs of the pool, each weighted by
 * its sampling probability, and over the pairs within each text, which are known without
 * sampling. */

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

/* The signatures that one detector computes for all texts of a store, and
 * the comparison of two texts by them.
 * Memory: embedded struct; keys and payloads of one detector, at most run.memory. */
typedef struct twx_eval_signed {
    const twx_detector *detector;
    const twx_params *params;
    TWX_VEC(twx_key) keys;
    TWX_VEC(uint64_t) keys_from; /* index of the keys of text i in keys; one more at the end */
    twx_buf payloads;
    TWX_VEC(uint64_t) payload_from; /* offset of text i's payload; one more at the end */
    double seconds;                 /* spent in sign(), on one thread */
} twx_eval_signed;

/* params are borrowed until _done. TWX_E_LIMIT without a message: keys and payloads exceed
 * run.memory. */
TWX_CHECK twx_rc twx_eval_sign(const twx_job *job, twx_opened *o, const twx_eval_texts *texts,
                               const twx_params *params, const twx_detector *detector,
                               twx_eval_signed *ret_signed);
void twx_eval_signed_done(twx_eval_signed *s);

/* Does text i have a key? A text without one is in no pair. */
bool twx_eval_has_key(const twx_eval_signed *s, uint32_t i);
/* The payload that verification compares; borrowed. */
twx_slice twx_eval_payload(const twx_eval_signed *s, uint32_t i);
/* The keys by which candidates of text i are found: ret_n keys, stored in room if they must be
 * computed. */
const twx_key *twx_eval_candidate_keys(const twx_eval_signed *s, uint32_t i,
                                       twx_key room[TWX_CANDIDATE_KEYS_MAX], size_t *ret_n);
/* The similarity that verification computes for two texts that share a key, in millionths; -1: not
 * a pair. */
int32_t twx_eval_alike(const twx_eval_signed *s, uint32_t a, uint32_t b);
/* Are the two texts a pair: do they share a candidate key and pass verification? */
bool twx_eval_is_pair(const twx_eval_signed *s, uint32_t a, uint32_t b);
/* Adds the candidate keys of all texts to a grouper. */
TWX_CHECK twx_rc twx_eval_give_keys(const twx_eval_signed *s, twx_grouper *grouper);

#endif
