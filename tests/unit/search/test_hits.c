/* Duplicates near the top, and what moves between two lists. */
#include "support.h"

#include "search/search.h"

/* Documents and their clusters (0: none, negative: it takes no part), best first. */
static twx_hits hits_of(const int (*pairs)[2], size_t n) {
    twx_hits hits = {0};
    twx_ctx cx = {0};
    for (size_t i = 0; i < n; i++) {
        const int c = pairs[i][1];
        assert_true(TWX_VEC_PUSH(&cx, &hits,
                                 (twx_ranked){pairs[i][0], c < 0 ? -c : c, c != 0, c > 0, 0, 1.0}));
    }
    return hits;
}

TEST(duplicates_are_hits_whose_cluster_is_above) {
    static const int PAIRS[][2] = {{1, 1}, {2, 1}, {3, 3}, {4, 0}, {5, 0}, {6, 3}, {7, -1}};
    twx_hits hits = hits_of(PAIRS, 7);
    twx_duplicates d;
    twx_ctx cx = {0};
    assert_int_equal(twx_duplicates_among(&cx, &hits, 10, &d), TWX_OK);
    assert_int_equal(d.duplicates, 3);
    assert_int_equal(d.hits, 7);
    assert_int_equal(twx_duplicates_among(&cx, &hits, 2, &d), TWX_OK);
    assert_true(twx_duplicates_share(&d) == 0.5);
    hits.n = 0;
    assert_int_equal(twx_duplicates_among(&cx, &hits, 10, &d), TWX_OK);
    assert_true(twx_duplicates_share(&d) == 0);
    TWX_VEC_DONE(&hits);
}

TEST(moves_are_counted_and_clusters_missed) {
    static const int A[][2] = {{1, 1}, {2, 1}, {3, 3}, {4, -9}, {5, 5}, {6, 0}},
                     B[][2] = {{3, 3}, {2, 1}, {8, 8}};
    twx_hits a = hits_of(A, 6), b = hits_of(B, 3);
    twx_map64 was, is;
    twx_moves m;
    twx_ctx cx = {0};
    assert_int_equal(twx_ranks_of(&cx, &a, &was), TWX_OK);
    assert_int_equal(twx_ranks_of(&cx, &b, &is), TWX_OK);
    assert_int_equal(twx_moves_between(&cx, &a, &was, &b, &is, &m), TWX_OK);
    twx_map64_done(&was);
    twx_map64_done(&is);
    assert_int_equal(m.moved, 1);    /* 3; 2 stays */
    assert_int_equal(m.vanished, 4); /* 1 4 5 6 */
    assert_int_equal(m.fresh, 1);    /* 8 */
    assert_int_equal(m.clusters_before, 3);
    assert_int_equal(m.clusters_gone, 1); /* 5; 9, a redirect's, is not a loss */
    TWX_VEC_DONE(&a);
    TWX_VEC_DONE(&b);
}
