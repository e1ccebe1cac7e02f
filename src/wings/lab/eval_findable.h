/* lab/eval_findable.h: measures whether documents hidden by a method can still be found.
 *
 * Only hidden documents whose text no visible document has are considered; of those with equal text
 * and title, one counts.
 * Title words (lab/title_words.h): is each word of the title in the title or the text of the
 * representative? All words count: common words of a site are not removed, and words are neither
 * stemmed nor weighted. No code is shared with the relation `copy`, which this measure judges
 * (scripts/findable-plain.py computes the same in Python; a test compares the two).
 * Search: the title is looked up in the text index like `twindex search` without rules. Of the hits
 * that take part and are not hidden by the method, the first 10 count. The document is found if one
 * of them is the representative, or has the text of either document. A title that more than 10
 * different visible texts have cannot identify one of them: such documents are also counted
 * separately (shared), and the share that is found among the others is reported beside the total
 * share. Visible copies: lab/visible_copies.h.
 * [R1] The result depends only on the documents, the text index, the settings, sample and seed. */
#ifndef TWX_LAB_EVAL_FINDABLE_H
#define TWX_LAB_EVAL_FINDABLE_H

#include "lab/findability.h"
#include "lab/finding.h"

typedef struct twx_eval_finder twx_eval_finder;

/* Memory: owned handle; how is borrowed. Errors TWX_E_DATA: an invalid line in the file of known
 * copies. */
TWX_CHECK twx_rc twx_eval_finder_open(const twx_job *job, twx_opened *o,
                                      const twx_eval_finding *how, twx_eval_finder **ret_finder);
void twx_eval_finder_close(twx_eval_finder *f);
bool twx_eval_finder_searches(const twx_eval_finder *f); /* is there a text index? */
uint64_t twx_eval_finder_known(const twx_eval_finder *f);
/* rep: by document, as in twx_eval_hiding. Sets all members of *result except name, relation and
 * missing. */
TWX_CHECK twx_rc twx_eval_find(twx_eval_finder *f, const uint32_t *rep, twx_findable *result);

#endif
