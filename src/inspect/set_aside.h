/* inspect/set_aside.h: which text of a document `compare` shows as no part of its content. */
#ifndef TWX_INSPECT_SET_ASIDE_H
#define TWX_INSPECT_SET_ASIDE_H

#include "inspect/comparison.h"
#include "text/sentence_units.h"

/* What only the whole text has, and not its content area `main`. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_outside_of_main(twx_ctx *cx, twx_slice text, twx_slice main,
                                     twx_unit_list *ret_blocks);
/* Adds a row for these blocks, in the order of the text, if there are any. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_set_aside_add(twx_ctx *cx, int side, const char *why,
                                   const twx_unit_list *blocks, twx_comparison *r);

#endif
