/* evaluate/eval_hidden.h: is what a method hides really similar to its representative, and is what
 * stays visible really different?
 *
 * Hidden wrongly: of the documents whose representative has another text, `sample` are drawn; the
 * similarity of each to its representative is computed exactly (text/similarity.h).
 * Left visible: of the texts that stay visible and have near.min_words words, `sample` are drawn;
 * each is compared with the other visible texts. Candidates are found without any key of the tested
 * method: a scan over all visible texts, in which the length and the bag of words exclude pairs.
 * With L(w) = (bytes of w + 1) * occurrences, the bag similarity of two texts is 2 * sum min(L) /
 * sum L.
 * Pairs whose lengths cannot reach the threshold, and pairs whose bag similarity is below threshold
 * - TWX_EVAL_BAG_MARGIN, are excluded.
 * The length bound is exact; the bag bound is not, because different words share characters: so a
 * sample of the pairs that it excludes is compared exactly too, and the number of similar ones
 * among them is reported (audited_alike of audited). Of each drawn text the TWX_EVAL_ALIKE_MAX
 * candidates with the largest bag similarity are compared, in that order, until one resembles it at
 * threshold + 0.05; how many were left out is counted (capped).
 * [R1] Depends on the documents, the settings, sample and seed alone. */
#ifndef TWX_EVALUATE_EVAL_HIDDEN_H
#define TWX_EVALUATE_EVAL_HIDDEN_H

#include "evaluate/eval_groups.h"
#include "report/evaluation.h"

enum { TWX_EVAL_ALIKE_MAX = 48, TWX_EVAL_AUDIT_MAX = 1000, TWX_EVAL_FAR_PPM = 50000 };
#define TWX_EVAL_BAG_MARGIN 0.35

typedef struct twx_eval_hiding {
    const twx_eval_documents *documents;
    const twx_eval_texts *texts;
    const uint32_t *rep; /* by document; TWX_NO_DOCUMENT: alone */
    uint32_t threshold_ppm;
    uint64_t sample, seed;
} twx_eval_hiding;

/* Errors TWX_E_BUSY: documents changed since they were read. */
TWX_CHECK twx_rc twx_eval_hiding_measure(const twx_job *job, twx_opened *o,
                                         const twx_eval_hiding *how, twx_hiding *ret_hiding);

/* The `most` items with the smallest lots, in order of lot: a sample that does not depend on the
 * order of items. Also used by
 * evaluate/eval_findable.c. */
typedef struct twx_eval_lot {
    uint64_t lot;
    uint32_t item;
} twx_eval_lot;
typedef TWX_VEC(twx_eval_lot) twx_eval_lots;
void twx_eval_lots_keep(twx_eval_lots *lots, uint64_t most); /* 0: all */

#endif
