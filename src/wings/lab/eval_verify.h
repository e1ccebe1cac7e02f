/* lab/eval_verify.h: truth by similarity: which pairs of the pool consist of similar texts
 * (text/similarity.h).
 *
 * If the pool has more pairs than requested, each pair is drawn independently with a probability
 * that grows with the number of document pairs it represents. One sample then yields the figures
 * for pairs of documents as well as those for pairs of texts.
 * [R1] Which pairs are drawn depends only on the texts.
 * [R2] The number of threads does not affect the result.
 * [R3] At most half of run.memory holds texts: pairs are processed block by block, and each text is
 * fetched once per block. */
#ifndef TWX_LAB_EVAL_VERIFY_H
#define TWX_LAB_EVAL_VERIFY_H

#include "lab/eval_pairs.h"
#include "lab/eval_texts.h"

/* "String::Similarity of the texts >= 80 %": Zelenkov and Segalovich 2007, section 5 */
enum { TWX_EVAL_SIMILAR_PPM = 800000 };

/* The probabilities with which pairs are drawn. */
typedef struct twx_eval_draw {
    /* probability = by_documents * pairs of documents + by_texts, at most 1 */
    double by_documents, by_texts;
} twx_eval_draw;

/* number of document pairs that a pair of texts represents */
double twx_eval_weight(const twx_eval_texts *t, uint64_t pair);
double twx_eval_draw_chance(const twx_eval_draw *draw, double weight);
/* Draws about `sample` pairs of the pool; all if sample is 0 or at least the number of pairs. */
twx_eval_draw twx_eval_draw_of(const twx_eval_texts *t, const twx_eval_pool *pool, uint64_t sample);

typedef struct twx_eval_verified {
    uint64_t pairs, too_long; /* compared; skipped because comparing them would take minutes */
} twx_eval_verified;

/* Sets the truth of the drawn pairs, except those of texts that have changed (eval_texts.h). */
TWX_CHECK twx_rc twx_eval_verify(const twx_job *job, twx_opened *o, const twx_eval_texts *t,
                                 const twx_eval_draw *draw, twx_eval_pool *pool,
                                 twx_eval_verified *ret_verified);

#endif
