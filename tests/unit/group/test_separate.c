#include "support.h"

#include "group/group.h"

enum { N_MAX = 40, NONE = -1 };

/* A group: member i is document doc[i], whose text and hreflang group are looked up by document. */
typedef struct group {
    size_t n;
    uint32_t doc[N_MAX], subgroup[N_MAX];
    uint64_t text[N_MAX], hreflang[N_MAX];
} group;

static group draw_group(uint64_t seed) {
    group g = {0};
    uint64_t order[N_MAX];
    test_rng rng = test_rng_seed(seed);
    g.n = 1 + test_rng_below(&rng, N_MAX);
    const size_t texts = 1 + test_rng_below(&rng, 8), families = 1 + test_rng_below(&rng, 5),
                 share = seed % 4;
    for (size_t i = 0; i < g.n; i++) {
        order[i] = i;
        g.text[i] = 1000 + test_rng_below(&rng, texts);
        g.hreflang[i] = share && test_rng_below(&rng, 4) < share
                            ? 1 + test_rng_below(&rng, families)
                            : 0;
    }
    test_rng_shuffle(&rng, order, g.n);
    for (size_t i = 0; i < g.n; i++) g.doc[i] = (uint32_t)order[i];
    return g;
}

static void split(group *g) {
    twx_ctx cx = {0};
    assert_ok(twx_keep_separate(&cx, g->doc, g->n, g->text, g->hreflang, g->subgroup));
}

static uint64_t text_of(const group *g, size_t i) {
    return g->text[g->doc[i]];
}

static uint64_t family_of(const group *g, size_t i) {
    return g->hreflang[g->doc[i]];
}

/* Has the text of member i an hreflang group in common with the text of member k? */
static bool translated(const group *g, size_t i, size_t k) {
    for (size_t a = 0; a < g->n; a++)
        for (size_t b = 0; b < g->n; b++)
            if (text_of(g, a) == text_of(g, i) && text_of(g, b) == text_of(g, k) &&
                family_of(g, a) && family_of(g, a) == family_of(g, b))
                return true;
    return false;
}

TEST(r1_r2_translations_are_apart_and_equal_texts_together) {
    for (uint64_t seed = 0; seed < 500; seed++) {
        group g = draw_group(seed);
        split(&g);
        for (size_t i = 0; i < g.n; i++)
            for (size_t k = 0; k < g.n; k++) {
                const bool together = g.subgroup[i] == g.subgroup[k],
                           same = text_of(&g, i) == text_of(&g, k);
                if (same && !together)
                    fail_msg("seed %" PRIu64 ": one text in two subgroups", seed);
                if (!same && together && translated(&g, i, k))
                    fail_msg("seed %" PRIu64 ": translations together", seed);
            }
    }
}

TEST(r3_without_hreflang_everything_stays_together) {
    for (uint64_t seed = 0; seed < 400; seed += 4) { /* these have none */
        group g = draw_group(seed);
        split(&g);
        for (size_t i = 0; i < g.n; i++) assert_int_equal(g.subgroup[i], 0);
    }
}

/* R4: each text, in the order of the members, takes the first subgroup that is free of its
 * translations. */
TEST(r4_each_text_takes_the_first_subgroup_that_is_free) {
    for (uint64_t seed = 0; seed < 500; seed++) {
        group g = draw_group(seed);
        int wanted[N_MAX];
        split(&g);
        for (size_t i = 0; i < g.n; i++) wanted[i] = NONE;
        for (size_t i = 0; i < g.n; i++) {
            if (wanted[i] != NONE) continue;
            int subgroup = 0;
            for (size_t k = 0; k < g.n; k++)
                if (wanted[k] == subgroup && translated(&g, i, k)) {
                    subgroup++;
                    k = (size_t)-1; /* from the beginning again */
                }
            for (size_t k = i; k < g.n; k++)
                if (text_of(&g, k) == text_of(&g, i)) wanted[k] = subgroup;
        }
        for (size_t i = 0; i < g.n; i++)
            if ((int)g.subgroup[i] != wanted[i])
                fail_msg("seed %" PRIu64 ": member %zu is in subgroup %u, not %d", seed, i,
                         g.subgroup[i], wanted[i]);
    }
}

/* A page in a hundred thousand languages with as many texts must not take quadratic time. */
TEST(many_translations_take_linear_time) {
    enum { MANY = 200000 };
    static uint32_t doc[MANY], subgroup[MANY];
    static uint64_t text[MANY], hreflang[MANY];
    twx_ctx cx = {0};
    for (uint32_t i = 0; i < MANY; i++) {
        doc[i] = i;
        text[i] = i + 1;
        hreflang[i] = 5;
    }
    assert_ok(twx_keep_separate(&cx, doc, MANY, text, hreflang, subgroup));
    for (uint32_t i = 0; i < MANY; i += 997) assert_int_equal(subgroup[i], i);
}
