/* lab/visible_copies.h: the copies that stay visible under a method. Same title: of the
 * visible texts that share their title with another visible text, how many have a similarity of at
 * least .9 to one of at most 32 others (ordered by lot)? Known copies (lab/known_copies.h)
 * with a similarity of at least .9: how many are not in one group? */
#ifndef TWX_LAB_VISIBLE_COPIES_H
#define TWX_LAB_VISIBLE_COPIES_H

#include "lab/findability.h"
#include "lab/known_copies.h"
#include "lab/titled_texts.h"

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

#endif
