/* inspect/precedence.h: which criterion of the total order (judge/order.h) made one document
 * precede another. Values that no document has by itself are those of the last run: the form of the
 * URL is known from the flags; origins of texts are counted in the signatures of all stores, which
 * are read for the first pair of two domains that nothing before `origin` decides.
 * Memory: owned handle. */
#ifndef TWX_INSPECT_PRECEDENCE_H
#define TWX_INSPECT_PRECEDENCE_H

#include "judge/pins.h"
#include "run/load.h"
#include "run/store_set.h"

typedef struct twx_precedence twx_precedence;

/* set, stores (of the set, in its order) and pins (NULL: none) are borrowed. */
TWX_CHECK twx_rc twx_precedence_open(const twx_job *job, twx_store_set *set,
                                     const twx_load_store *stores, const twx_pins *pins,
                                     twx_precedence **ret_precedence);
void twx_precedence_close(twx_precedence *p);

/* first: the document that precedes the other one. */
TWX_CHECK twx_rc twx_precedence_ask(twx_precedence *p, twx_set_document first,
                                    twx_set_document second, twx_criterion *ret_by);

#endif
