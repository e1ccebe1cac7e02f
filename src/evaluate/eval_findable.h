/* evaluate/eval_findable.h: a searcher's question about what a method hides: is whoever looks for
 * it served by its representative?
 *
 * Looked at are hidden documents whose text no visible document has; of those with equal text and
 * title one. A *title word* is a word of text/tokens.h: a longest run of letters and digits,
 * lower-cased. It is *contained* when it is a word of the title or of the text of the
 * representative; a word that begins with a digit and holds no letter is a number. This is all: no
 * word is left out as the site's own, none is stemmed or weighted, and nothing is shared with the
 * relation `copy`, whose judge this is (scripts/findable-plain.py says the same in Python and is
 * compared with it in a test).
 * Search: the words of the title, all of them, are looked up in the text index in the order of bm25
 * without rules; of the hits that take part and are not hidden by the method the first 10 are
 * looked at. Found: one of them is the representative or has the text of it or of the hidden
 * document.
 * Visible copies: of visible documents that share their title with another visible text, whether
 * one of at most 32 others (in order of their texts) is .9 similar. Known copies come from a file
 * of `relation TAB prefix TAB prefix` (documents whose URLs are equal behind the prefixes) and
 * `query-... TAB prefix* TAB ?a= ?b=` (a URL with one of these parameters alone, and without); the
 * relations version, variant and redirect are left out. Of those with equal titles and different
 * texts a sample is compared; the .9 similar ones count.
 * [R1] Depends on the documents, the settings, sample and seed alone. */
#ifndef TWX_EVALUATE_EVAL_FINDABLE_H
#define TWX_EVALUATE_EVAL_FINDABLE_H

#include "evaluate/eval_hidden.h"
#include "report/findability.h"

typedef struct twx_eval_finder twx_eval_finder;

typedef struct twx_eval_finding {
    const twx_eval_documents *documents;
    const twx_eval_texts *texts;
    uint64_t sample, seed; /* sample 0: all */
    const char *known;     /* NULL: none */
} twx_eval_finding;

/* Memory: owned handle; how is borrowed. Errors TWX_E_DATA: a line of the file of known copies. */
TWX_CHECK twx_rc twx_eval_finder_open(const twx_job *job, twx_opened *o,
                                      const twx_eval_finding *how, twx_eval_finder **ret_finder);
void twx_eval_finder_close(twx_eval_finder *f);
bool twx_eval_finder_searches(const twx_eval_finder *f); /* there is a text index */
uint64_t twx_eval_finder_known(const twx_eval_finder *f);
/* rep: by document, as in twx_eval_hiding. Fills all of *result but name, relation and missing. */
TWX_CHECK twx_rc twx_eval_find(twx_eval_finder *f, const uint32_t *rep, twx_findable *result);

#endif
