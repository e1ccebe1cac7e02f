/* sign/statistics.h: the statistics of the whole collection that global methods use, computed in
 * one pass over its documents. Which parts exist depends on the needs of the methods
 * (twx_detector_need), and only the methods look into them; how they are computed comes with the
 * methods' rows (twx_detector.collecting).
 * Memory: owned struct; twx_collection_done(). Read-only and shared by all threads once made. */
#ifndef TWX_SIGN_STATISTICS_H
#define TWX_SIGN_STATISTICS_H

#include "base/ctx.h"
#include "base/slice.h"

struct twx_workspace;
struct twx_document;
struct twx_collecting;

typedef struct twx_collection {
    struct twx_lexicon *lexicon;               /* TWX_NEED_LEXICON */
    struct twx_term_selection *term_selection; /* TWX_NEED_TERM_SELECTION */
    struct twx_link_scores *link_scores;       /* TWX_NEED_LINK_SCORES */
    struct twx_boilerplate *boilerplate;       /* TWX_NEED_BOILERPLATE */
    size_t n_links;                            /* of link_scores */
    uint64_t fingerprint;                      /* of all parts */
    const struct twx_collecting *by;           /* NULL: it is empty */
} twx_collection;

typedef struct twx_collection_maker twx_collection_maker;

typedef struct twx_collecting {
    /* needs: bits of twx_detector_need. max_bytes: memory limit, shared by the parts. */
    TWX_CHECK twx_rc (*open)(twx_ctx *cx, unsigned needs, size_t max_bytes,
                             twx_collection_maker **ret_maker);
    /* Adds one document. Uses the workspace's scratch without resetting it. */
    TWX_CHECK twx_rc (*add)(twx_collection_maker *m, struct twx_workspace *w,
                            const struct twx_document *doc);
    /* Adds one link of the collection, with normal URLs. Only with TWX_NEED_LINK_SCORES. */
    TWX_CHECK twx_rc (*add_link)(twx_collection_maker *m, twx_slice from_url, twx_slice to_url);
    /* Ends adding. */
    TWX_CHECK twx_rc (*make)(twx_collection_maker *m, twx_collection *ret_collection);
    void (*close)(twx_collection_maker *m);
    void (*done)(twx_collection *c);
} twx_collecting;

void twx_collection_done(twx_collection *c);

#endif
