/* lab/titled_texts.h: the titles that stay visible under a method: each pair of a visible text
 * and one of its titles once, sorted by title.
 * Memory: embedded vector, owned; TWX_VEC_DONE(). */
#ifndef TWX_LAB_TITLED_TEXTS_H
#define TWX_LAB_TITLED_TEXTS_H

#include "lab/finding.h"

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

#endif
