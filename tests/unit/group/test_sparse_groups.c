/* Sparse groups against plain arrays. */
#include "support.h"

#include "group/group.h"

enum { ITEMS_MAX = 700 };

typedef struct plain {
    uint32_t n, rep[ITEMS_MAX], size[ITEMS_MAX];
} plain;

/* Groups of random members, of which any may be the representative. Of 8 items, `share` are in no
 * group. */
static void draw(plain *p, uint64_t seed) {
    test_rng rng = test_rng_seed(seed);
    uint32_t heads[ITEMS_MAX], n_heads = 0;
    const uint64_t share = seed % 9;
    p->n = (uint32_t)test_rng_below(&rng, ITEMS_MAX + 1);
    for (uint32_t i = 0; i < p->n; i++) {
        p->rep[i] = TWX_IN_NO_GROUP;
        p->size[i] = 0;
        if (test_rng_below(&rng, 8) < share) continue;
        if (n_heads == 0 || test_rng_below(&rng, 3) == 0) heads[n_heads++] = i;
        p->rep[i] = heads[test_rng_below(&rng, n_heads)];
    }
    for (uint32_t h = 0; h < n_heads; h++) p->rep[heads[h]] = heads[h];
}

static void count(plain *p) {
    for (uint32_t i = 0; i < p->n; i++) p->size[i] = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->rep[i] != TWX_IN_NO_GROUP) p->size[p->rep[i]]++;
}

static void expect(const plain *p, const twx_sparse_groups *g, uint64_t seed) {
    for (uint32_t i = 0; i < p->n; i++) {
        const uint32_t rep = p->rep[i], size = rep == TWX_IN_NO_GROUP ? 0 : p->size[rep];
        if (twx_sparse_groups_rep(g, i) != rep || twx_sparse_groups_size(g, i) != size)
            fail_msg("seed %" PRIu64 ", item %u of %u", seed, i, p->n);
    }
}

TEST(groups_are_those_of_the_array) {
    static plain p;
    for (uint64_t seed = 0; seed < 300; seed++) {
        twx_sparse_groups g = {0};
        twx_ctx cx = {0};
        draw(&p, seed);
        count(&p);
        assert_ok(twx_sparse_groups_make(&cx, p.rep, p.n, &g));
        expect(&p, &g, seed);
        twx_sparse_groups_done(&g);
    }
}

/* Some members leave their groups; the last of those that stay becomes the representative. */
TEST(members_leave_and_follow) {
    static plain p, left;
    for (uint64_t seed = 0; seed < 300; seed++) {
        test_rng rng = test_rng_seed(seed + 1000);
        twx_sparse_groups g = {0};
        uint32_t last[ITEMS_MAX] = {0};
        twx_ctx cx = {0};
        draw(&p, seed);
        assert_ok(twx_sparse_groups_make(&cx, p.rep, p.n, &g));
        left = p;
        for (uint32_t i = 0; i < p.n; i++)
            if (test_rng_below(&rng, 4) == 0) left.rep[i] = TWX_IN_NO_GROUP;
        for (uint32_t i = 0; i < p.n; i++)
            if (left.rep[i] != TWX_IN_NO_GROUP) last[p.rep[i]] = i;
        for (uint32_t i = 0; i < p.n; i++)
            if (left.rep[i] != TWX_IN_NO_GROUP) left.rep[i] = last[p.rep[i]];
        count(&left);
        for (uint32_t i = 0; i < p.n; i++) {
            if (p.rep[i] == TWX_IN_NO_GROUP) continue;
            if (left.rep[i] == TWX_IN_NO_GROUP)
                twx_sparse_groups_leave(&g, i);
            else if (left.rep[i] == i)
                twx_sparse_groups_head(&g, i, left.size[i]);
            else
                twx_sparse_groups_follow(&g, i, left.rep[i]);
        }
        expect(&left, &g, seed);
        twx_sparse_groups_done(&g);
    }
}

TEST(failed_allocations_are_reported) {
    const uint32_t rep[] = {1, 1, TWX_IN_NO_GROUP};
    twx_rc rc = TWX_E_NOMEM;
    for (uint64_t fail_at = 1; rc == TWX_E_NOMEM; fail_at++) {
        twx_faults faults = {.fail_at = fail_at};
        twx_sparse_groups g = {0};
        twx_ctx cx = {0};
        cx.faults = &faults;
        rc = twx_sparse_groups_make(&cx, rep, 3, &g);
        assert_true(rc == TWX_OK ? fail_at == 5 : rc == TWX_E_NOMEM);
        assert_int_equal(twx_sparse_groups_rep(&g, 0), rc == TWX_OK ? 1 : TWX_IN_NO_GROUP);
        twx_sparse_groups_done(&g);
    }
}
