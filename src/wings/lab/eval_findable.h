/* lab/eval_findable.h: whether the titles of hidden documents are still found, and which copies
 * stay visible. */
#ifndef TWX_LAB_EVAL_FINDABLE_H
#define TWX_LAB_EVAL_FINDABLE_H

#include "base/map64.h"
#include "lab/findability.h"
#include "lab/finding.h"
#include "lab/known_copies.h"
#include "text/tokens.h"

/* Tests whether another document contains the words of a title. A *word* is
 * a word of text/tokens.h: a longest run of letters and digits, lower-cased. A *number* is a word
 * of ASCII digits.
 * Memory: embedded struct. */
typedef struct twx_title_words {
    twx_tokens tokens;
    twx_map64 words; /* hashes of the words of the other document */
} twx_title_words;

typedef struct twx_lost_words {
    bool any, word; /* the document lacks a word of the title; it lacks one that is not a number */
} twx_lost_words;

void twx_title_words_init(twx_title_words *w);
void twx_title_words_done(twx_title_words *w);
/* Removes the words of the document. */
void twx_title_words_clear(twx_title_words *w);
/* Adds the words of a part of the document. */
TWX_CHECK twx_rc twx_title_words_add(twx_ctx *cx, twx_title_words *w, twx_slice part);
TWX_CHECK twx_rc twx_title_words_lost(twx_ctx *cx, twx_title_words *w, twx_slice title,
                                      twx_lost_words *ret_lost);

/* The titles that stay visible under a method: each pair of a visible text
 * and one of its titles once, sorted by title.
 * Memory: embedded vector, owned; TWX_VEC_DONE(). */
typedef struct twx_titled_text {
    uint64_t title, lot;
    uint32_t document;
} twx_titled_text;
typedef TWX_VEC(twx_titled_text) twx_titled_texts;

/* Documents without text or title are ignored. Texts of one title are ordered by lot. */
TWX_CHECK twx_rc twx_titled_texts_list(twx_ctx *cx, const twx_eval_finding *how,
                                       const uint32_t *rep, twx_titled_texts *ret_list);
/* The texts of one title: list->at[*ret_from .. *ret_to). */
void twx_titled_texts_of(const twx_titled_texts *list, uint64_t title, size_t *ret_from,
                         size_t *ret_to);

/* The copies that stay visible under a method. Same title: of the
 * visible texts that share their title with another visible text, how many have a similarity of at
 * least .9 to one of at most 32 others (ordered by lot)? Known copies (lab/known_copies.h)
 * with a similarity of at least .9: how many are not in one group? */

/* Memory: owned handle; job, o and how are borrowed. Similarities are cached, because all methods
 * need the same pairs. */
typedef struct twx_visible_copies twx_visible_copies;

TWX_CHECK twx_rc twx_visible_copies_open(const twx_job *job, twx_opened *o,
                                         const twx_eval_finding *how,
                                         twx_visible_copies **ret_copies);
void twx_visible_copies_close(twx_visible_copies *v);
/* titled: the titles that stay visible under the method. Sets titled_sampled and same_title. */
TWX_CHECK twx_rc twx_visible_copies_by_title(twx_visible_copies *v, const twx_titled_texts *titled,
                                             twx_findable *result);
/* Sets known_sampled and known_visible. */
TWX_CHECK twx_rc twx_visible_copies_known(twx_visible_copies *v, const twx_known_pairs *known,
                                          const uint32_t *rep, twx_findable *result);

/* Measures whether documents hidden by a method can still be found.
 *
 * Only hidden documents whose text no visible document has are considered; of those with equal text
 * and title, one counts.
 * Title words (lab/eval_findable.h): is each word of the title in the title or the text of the
 * representative? All words count: common words of a site are not removed, and words are neither
 * stemmed nor weighted. No code is shared with the relation `copy`, which this measure judges
 * (scripts/findable-plain.py computes the same in Python; a test compares the two).
 * Search: the title is looked up in the text index like `twindex search` without rules. Of the hits
 * that take part and are not hidden by the method, the first 10 count. The document is found if one
 * of them is the representative, or has the text of either document. A title that more than 10
 * different visible texts have cannot identify one of them: such documents are also counted
 * separately (shared), and the share that is found among the others is reported beside the total
 * share. Visible copies: lab/eval_findable.h.
 * [R1] The result depends only on the documents, the text index, the settings, sample and seed. */
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
