/* search/hits.h: measures ranked lists of documents: how many duplicates are near the top, and how
 * rules change the order. A duplicate is a hit whose cluster has a hit above it. A document without
 * a cluster is never a duplicate. */
#ifndef TWX_SEARCH_HITS_H
#define TWX_SEARCH_HITS_H

#include "base/map64.h"
#include "base/vec.h"

typedef struct twx_ranked {
    int64_t doc;
    int64_t cluster; /* number of its representative */
    bool has_cluster;
    bool takes_part; /* a redirect has a cluster and takes no part: its absence is not a loss */
    double score;
} twx_ranked;

typedef TWX_VEC(twx_ranked) twx_hits;

enum { TWX_TOP_FEW = 10, TWX_TOP_MANY = 100 };

/* The number of duplicates among the first `most` hits, and of those hits. */
typedef struct twx_duplicates {
    size_t duplicates, hits;
} twx_duplicates;
TWX_CHECK twx_rc twx_duplicates_among(twx_ctx *cx, const twx_hits *hits, size_t most,
                                      twx_duplicates *ret_duplicates);
/* 0 when there are no hits. */
double twx_duplicates_share(const twx_duplicates *d);

/* What became of the first TWX_TOP_MANY hits of `before`, and of the clusters that had a hit that
 * takes part. */
typedef struct twx_moves {
    size_t moved, vanished; /* to another rank; no longer a hit */
    size_t fresh;           /* of the first TWX_TOP_MANY of `after`: not hits before */
    size_t clusters_before, clusters_gone;
} twx_moves;
TWX_CHECK twx_rc twx_moves_between(twx_ctx *cx, const twx_hits *before, const twx_hits *after,
                                   twx_moves *ret_moves);

/* Rank (from 1) of each document. Memory: initialises ret_ranks, which the caller owns. */
TWX_CHECK twx_rc twx_ranks_of(twx_ctx *cx, const twx_hits *hits, twx_map64 *ret_ranks);

#endif
