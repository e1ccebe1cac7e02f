/* evaluate/eval_verify.h: the truth by similarity: which pairs of the pool are texts that resemble
 * each other (text/similarity.h).
 *
 * When the pool has more pairs than asked for, each is drawn by itself with a probability that
 * grows with the pairs of documents it stands for, so that both the figures for pairs of documents
 * and those for pairs of texts come out of one sample.
 * [R1] Which pairs are drawn depends on the texts alone. [R2] The number of threads never shows.
 * [R3] At most half of run.memory holds texts: pairs are taken block by block, and each text is
 * fetched once a block. */
#ifndef TWX_EVALUATE_EVAL_VERIFY_H
#define TWX_EVALUATE_EVAL_VERIFY_H

#include "evaluate/eval_pairs.h"
#include "evaluate/eval_texts.h"

/* "String::Similarity of the texts >= 80 %": Zelenkov and Segalovich 2007, section 5 */
enum { TWX_EVAL_SIMILAR_PPM = 800000 };

/* How pairs are drawn. */
typedef struct twx_eval_draw {
    /* chance = by_documents * pairs of documents + by_texts, at most 1 */
    double by_documents, by_texts;
} twx_eval_draw;

/* pairs of documents that a pair of texts stands for */
double twx_eval_weight(const twx_eval_texts *t, uint64_t pair);
double twx_eval_draw_chance(const twx_eval_draw *draw, double weight);
/* A draw of about `sample` pairs of the pool; 0, or no fewer than there are: all. */
twx_eval_draw twx_eval_draw_of(const twx_eval_texts *t, const twx_eval_pool *pool, uint64_t sample);

typedef struct twx_eval_verified {
    uint64_t pairs, too_long; /* verified; left out because comparing them would take minutes */
} twx_eval_verified;

/* Sets the truth of the pairs drawn. Errors TWX_E_BUSY: documents changed since they were signed.
 */
TWX_CHECK twx_rc twx_eval_verify(const twx_job *job, twx_opened *o, const twx_eval_texts *t,
                                 const twx_eval_draw *draw, twx_eval_pool *pool,
                                 twx_eval_verified *ret_verified);

#endif
