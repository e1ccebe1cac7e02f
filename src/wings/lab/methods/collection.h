/* lab/methods/collection.h: computes the parts of the statistics (sign/statistics.h). */
#ifndef TWX_LAB_METHODS_COLLECTION_H
#define TWX_LAB_METHODS_COLLECTION_H

#include "lab/methods/boilerplate.h"
#include "lab/methods/lexicon.h"
#include "lab/methods/link_scores.h"
#include "lab/methods/term_selection.h"
#include "sign/statistics.h"

/* needs: bits of twx_detector_need. max_bytes: memory limit, shared by the parts. */
TWX_CHECK twx_rc twx_collection_maker_open(twx_ctx *cx, unsigned needs, size_t max_bytes,
                                           twx_collection_maker **ret_maker);
void twx_collection_maker_close(twx_collection_maker *m);
/* Adds one document. Uses the workspace's scratch without resetting it. */
TWX_CHECK twx_rc twx_collection_add(twx_collection_maker *m, twx_workspace *w,
                                    const twx_document *doc);
/* Adds one link of the collection, with normal URLs. Only with TWX_NEED_LINK_SCORES. */
TWX_CHECK twx_rc twx_collection_add_link(twx_collection_maker *m, twx_slice from_url,
                                         twx_slice to_url);
/* Ends adding. */
TWX_CHECK twx_rc twx_collection_make(twx_collection_maker *m, twx_collection *ret_collection);

extern const twx_collecting TWX_COLLECTING; /* the above, for the rows of methods */

#endif
