/* corpus/collection.h: the statistics of the whole collection that global detectors use, computed
 * in one pass. The needs of the selected detectors determine which parts exist.
 * Memory: owned struct; twx_collection_done(). Read-only and shared by all threads once made. */
#ifndef TWX_CORPUS_COLLECTION_H
#define TWX_CORPUS_COLLECTION_H

#include "corpus/boilerplate.h"
#include "corpus/lexicon.h"
#include "corpus/link_scores.h"
#include "corpus/term_selection.h"

typedef struct twx_collection {
    twx_lexicon *lexicon;               /* TWX_NEED_LEXICON */
    twx_term_selection *term_selection; /* TWX_NEED_TERM_SELECTION */
    twx_link_scores *link_scores;       /* TWX_NEED_LINK_SCORES */
    twx_boilerplate *boilerplate;       /* TWX_NEED_BOILERPLATE */
    uint64_t fingerprint;               /* of all parts */
} twx_collection;

typedef struct twx_collection_maker twx_collection_maker;

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
void twx_collection_done(twx_collection *c);

#endif
