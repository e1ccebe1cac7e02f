/* evaluate/eval_findable.h: what a searcher loses by the documents that a method hides.
 *
 * Measured on the hidden documents whose text no visible document has; of those with equal text and
 * title, one counts. Title words (evaluate/title_words.h): is each word of the title in the title
 * or text of the representative? No word is left out as the site's own, none is stemmed or
 * weighted, and no code is shared with the relation `copy`, which this judges
 * (scripts/findable-plain.py computes the same in Python; a test compares them). Search: the title
 * is looked up in the text index as `twindex search` does without rules; of the hits that take part
 * and are not hidden by the method, the first 10 count. Found: one of them is the representative,
 * or has its text or that of the hidden document. A title that more than 10 different visible texts
 * have cannot identify one of them: these are also counted on their own (shared), and the share of
 * the others that are found is given beside the share of all. Visible copies:
 * evaluate/visible_copies.h.
 * [R1] Depends on the documents, the text index, the settings, sample and seed alone. */
#ifndef TWX_EVALUATE_EVAL_FINDABLE_H
#define TWX_EVALUATE_EVAL_FINDABLE_H

#include "evaluate/finding.h"
#include "report/findability.h"

typedef struct twx_eval_finder twx_eval_finder;

/* Memory: owned handle; how is borrowed. Errors TWX_E_DATA: a line of the file of known copies. */
TWX_CHECK twx_rc twx_eval_finder_open(const twx_job *job, twx_opened *o,
                                      const twx_eval_finding *how, twx_eval_finder **ret_finder);
void twx_eval_finder_close(twx_eval_finder *f);
bool twx_eval_finder_searches(const twx_eval_finder *f); /* there is a text index */
uint64_t twx_eval_finder_known(const twx_eval_finder *f);
/* rep: by document, as in twx_eval_hiding. Fills all of *result but name, relation and missing. */
TWX_CHECK twx_rc twx_eval_find(twx_eval_finder *f, const uint32_t *rep, twx_findable *result);

#endif
