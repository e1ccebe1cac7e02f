/* rank/hits.h: ranked lists of documents: how many doubles stand near the top, and what rules do to
 * the order. A double is a hit whose cluster has a hit above it already. A document without a
 * cluster is nobody's double. */
#ifndef TWX_RANK_HITS_H
#define TWX_RANK_HITS_H

#include "base/map64.h"
#include "base/vec.h"

typedef struct twx_ranked {
    int64_t doc;
    int64_t cluster; /* number of the document that stands for it */
    bool has_cluster;
    bool takes_part; /* a redirect has a cluster and takes no part: nobody misses it */
    double score;
} twx_ranked;

typedef TWX_VEC(twx_ranked) twx_hits;

enum { TWX_TOP_FEW = 10, TWX_TOP_MANY = 100 };

/* Doubles among the first `most` hits, and how many hits these are. */
typedef struct twx_duplicates {
    size_t doubles, hits;
} twx_duplicates;
TWX_CHECK twx_rc twx_duplicates_among(twx_ctx *cx, const twx_hits *hits, size_t most,
                                      twx_duplicates *ret_duplicates);
/* 0 when there are no hits. */
double twx_duplicates_share(const twx_duplicates *d);

/* What became of the first TWX_TOP_MANY hits of `before`, and of the clusters that had a hit that
 * takes part. */
typedef struct twx_moves {
    size_t moved, vanished; /* to another rank; not a hit any more */
    size_t fresh;           /* of the first TWX_TOP_MANY of `after`: no hits before */
    size_t clusters_before, clusters_gone;
} twx_moves;
TWX_CHECK twx_rc twx_moves_between(twx_ctx *cx, const twx_hits *before, const twx_hits *after,
                                   twx_moves *ret_moves);

/* Rank (from 1) of each document. Memory: ret_ranks initialised by this, owned by the caller. */
TWX_CHECK twx_rc twx_ranks_of(twx_ctx *cx, const twx_hits *hits, twx_map64 *ret_ranks);

#endif
