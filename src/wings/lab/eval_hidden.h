/* lab/eval_hidden.h: measures whether the documents that a method hides are similar to their
 * representatives, and whether those that stay visible are different.
 *
 * Hidden wrongly: of the documents whose representative has a different text, `sample` are drawn,
 * and the similarity of each to its representative is computed exactly (text/similarity.h).
 * Left visible: of the visible texts that have at least near.min_words words, `sample` are drawn,
 * and each is compared with the other visible texts. Candidates are found without the keys of the
 * tested method: a scan over all visible texts excludes pairs by their lengths and their bags of
 * words. With L(w) = (bytes of w + 1) * occurrences, the bag similarity of two texts is 2 * sum
 * min(L) / sum L. Pairs whose lengths cannot reach the threshold, and pairs whose bag similarity is
 * below threshold - TWX_EVAL_BAG_MARGIN, are excluded.
 * The length bound is exact. The bag bound is not, because different words share characters;
 * therefore a sample of the pairs that it excludes is compared exactly, and the number of similar
 * pairs among them is reported (audited_alike of audited). For each drawn text the
 * TWX_EVAL_ALIKE_MAX candidates with the largest bag similarity are compared in that order until
 * one has a similarity of at least threshold + 0.05; the number of candidates beyond that limit is
 * reported (capped).
 * [R1] The result depends only on the documents, the settings, sample and seed. */
#ifndef TWX_LAB_EVAL_HIDDEN_H
#define TWX_LAB_EVAL_HIDDEN_H

#include "lab/eval_groups.h"
#include "lab/evaluation.h"

enum { TWX_EVAL_ALIKE_MAX = 48, TWX_EVAL_AUDIT_MAX = 1000, TWX_EVAL_FAR_PPM = 50000 };
#define TWX_EVAL_BAG_MARGIN 0.35

typedef struct twx_eval_hiding {
    const twx_eval_documents *documents;
    const twx_eval_texts *texts;
    const uint32_t *rep; /* by document; TWX_NO_DOCUMENT: in no group */
    uint32_t threshold_ppm;
    uint64_t sample, seed;
} twx_eval_hiding;

/* Errors TWX_E_BUSY: documents changed after they were read. */
TWX_CHECK twx_rc twx_eval_hiding_measure(const twx_job *job, twx_opened *o,
                                         const twx_eval_hiding *how, twx_hiding *ret_hiding);

/* The `most` items with the smallest lots, ordered by lot: a sample that does not depend on the
 * order of the items. Also used by lab/eval_findable.c. */
typedef struct twx_eval_lot {
    uint64_t lot;
    uint32_t item;
} twx_eval_lot;
typedef TWX_VEC(twx_eval_lot) twx_eval_lots;
void twx_eval_lots_keep(twx_eval_lots *lots, uint64_t most); /* 0: all */

#endif
