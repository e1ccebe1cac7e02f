#include "support.h"

#include "group/group.h"

enum { N_MAX = 60 };

/* Sets as labels that are renamed at each join. */
static void join_labels(size_t *label, size_t n, size_t a, size_t b) {
    const size_t from = label[a], to = label[b];
    for (size_t i = 0; i < n; i++)
        if (label[i] == from) label[i] = to;
}

TEST(sets_are_those_of_plain_labels_and_roots_their_smallest) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        twx_ctx cx = {0};
        twx_union_find u;
        test_rng rng = test_rng_seed(seed);
        size_t label[N_MAX];
        const size_t n = 1 + test_rng_below(&rng, N_MAX), joins = test_rng_below(&rng, n);
        assert_ok(twx_union_find_init(&cx, &u, n));
        for (size_t i = 0; i < n; i++) label[i] = i;
        for (size_t k = 0; k < joins; k++) {
            const size_t a = test_rng_below(&rng, n), b = test_rng_below(&rng, n);
            join_labels(label, n, a, b);
            twx_union_find_join(&u, (uint32_t)a, (uint32_t)b);
        }
        for (size_t i = 0; i < n; i++) {
            size_t smallest = 0;
            while (label[smallest] != label[i]) smallest++;
            if (twx_union_find_root(&u, (uint32_t)i) != smallest)
                fail_msg("seed %" PRIu64 ", item %zu", seed, i);
        }
        twx_union_find_done(&u);
    }
}

TEST(a_long_chain_joins_without_recursion) {
    enum { LONG = 1 << 20 };
    twx_ctx cx = {0};
    twx_union_find u;
    assert_ok(twx_union_find_init(&cx, &u, LONG));
    for (uint32_t i = LONG - 1; i > 0; i--) twx_union_find_join(&u, i - 1, i);
    for (uint32_t i = 0; i < LONG; i += 1000) assert_int_equal(twx_union_find_root(&u, i), 0);
    twx_union_find_done(&u);
}

TEST(nothing_is_a_set_too) {
    twx_ctx cx = {0};
    twx_union_find u;
    assert_ok(twx_union_find_init(&cx, &u, 0));
    twx_union_find_done(&u);
    twx_union_find_done(&u);
    twx_union_find_done(NULL);
}
