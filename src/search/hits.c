#include "search/hits.h"

twx_rc twx_duplicates_among(twx_ctx *cx, const twx_hits *hits, size_t most,
                            twx_duplicates *ret_duplicates) {
    twx_duplicates d = {.hits = hits->n < most ? hits->n : most};
    twx_map64 seen;
    twx_rc rc = TWX_OK;
    twx_map64_init(&seen, 0);
    for (size_t i = 0; rc == TWX_OK && i < d.hits; i++) {
        uint64_t first = 0;
        if (!hits->at[i].has_cluster) continue;
        rc = twx_map64_add(cx, &seen, (uint64_t)hits->at[i].cluster, i, &first);
        d.duplicates += rc == TWX_OK && first != i;
    }
    twx_map64_done(&seen);
    if (rc == TWX_OK) *ret_duplicates = d;
    return rc;
}

double twx_duplicates_share(const twx_duplicates *d) {
    return d->hits ? (double)d->duplicates / (double)d->hits : 0;
}

twx_rc twx_ranks_of(twx_ctx *cx, const twx_hits *hits, twx_map64 *ret_ranks) {
    twx_rc rc = TWX_OK;
    twx_map64_init(ret_ranks, 0);
    for (size_t i = 0; rc == TWX_OK && i < hits->n; i++)
        rc = twx_map64_put(cx, ret_ranks, (uint64_t)hits->at[i].doc, i + 1);
    return rc;
}

/* Counts the clusters of `before` without a hit in `after`. */
static twx_rc count_gone(twx_ctx *cx, const twx_hits *before, const twx_hits *after,
                         twx_moves *moves) {
    twx_map64 left, seen;
    twx_rc rc = TWX_OK;
    twx_map64_init(&left, 0);
    twx_map64_init(&seen, 0);
    for (size_t i = 0; rc == TWX_OK && i < after->n; i++)
        if (after->at[i].has_cluster)
            rc = twx_map64_put(cx, &left, (uint64_t)after->at[i].cluster, 1);
    for (size_t i = 0; rc == TWX_OK && i < before->n; i++) {
        uint64_t first = 0, one = 0;
        const uint64_t cluster = (uint64_t)before->at[i].cluster;
        if (!before->at[i].has_cluster || !before->at[i].takes_part) continue;
        rc = twx_map64_add(cx, &seen, cluster, i, &first);
        if (rc != TWX_OK || first != i) continue;
        moves->clusters_before++;
        moves->clusters_gone += !twx_map64_get(&left, cluster, &one);
    }
    twx_map64_done(&left);
    twx_map64_done(&seen);
    return rc;
}

twx_rc twx_moves_between(twx_ctx *cx, const twx_hits *before, const twx_hits *after,
                         twx_moves *ret_moves) {
    twx_moves moves = {0};
    twx_map64 was, is;
    uint64_t rank = 0;
    twx_map64_init(&is, 0);
    twx_rc rc = twx_ranks_of(cx, before, &was);
    if (rc == TWX_OK) rc = twx_ranks_of(cx, after, &is);
    for (size_t i = 0; rc == TWX_OK && i < before->n && i < TWX_TOP_MANY; i++) {
        const bool there = twx_map64_get(&is, (uint64_t)before->at[i].doc, &rank);
        moves.vanished += !there;
        moves.moved += there && rank != i + 1;
    }
    for (size_t i = 0; rc == TWX_OK && i < after->n && i < TWX_TOP_MANY; i++)
        moves.fresh += !twx_map64_get(&was, (uint64_t)after->at[i].doc, &rank);
    if (rc == TWX_OK) rc = count_gone(cx, before, after, &moves);
    twx_map64_done(&was);
    twx_map64_done(&is);
    if (rc == TWX_OK) *ret_moves = moves;
    return rc;
}
