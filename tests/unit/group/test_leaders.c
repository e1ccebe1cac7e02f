#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "group/leaders.h"

enum { ITEMS_MAX = 4000, ENTRIES_MAX = 40000, SMALL = 30 };

typedef struct entry {
    uint64_t key, check;
    uint32_t item;
} entry;

/* Items are on a line; their similarity decreases with their distance. */
typedef struct line {
    int32_t at[ITEMS_MAX];
    int32_t reach; /* at a larger distance: not a pair */
    /* may_join: representative and item: not these two; those it was asked for last */
    uint32_t no_join[2], asked[2];
    int32_t names; /* items whose numbers are equal modulo this contain each other; 0: all do */
    uint64_t calls;
    bool disorder; /* similarity was asked for a pair in the wrong order */
    const uint32_t *rank;
} line;

static int32_t nearness(const line *l, uint32_t a, uint32_t b) {
    int32_t apart = abs(l->at[a] - l->at[b]);
    return apart > l->reach ? -1 : TWX_LEADERS_SAME - apart;
}

static int32_t similarity(void *arg, uint32_t a, uint32_t b) {
    line *l = arg;
    l->calls++;
    l->disorder |= l->rank[a] >= l->rank[b];
    return nearness(l, a, b);
}

static bool may_join(void *arg, twx_likeness relation, uint32_t representative, uint32_t item) {
    line *l = arg;
    if (relation != TWX_SIMILAR) return true;
    l->asked[0] = representative, l->asked[1] = item;
    return representative != l->no_join[0] || item != l->no_join[1];
}

static unsigned contains(void *arg, uint32_t representative, uint32_t item) {
    const line *l = arg;
    return l->names == 0 || representative % (uint32_t)l->names == item % (uint32_t)l->names;
}

/* Groups `n` items by the entries, added as they stand. Owned result; *ret_spilled: parts in
 * temporary files. */
static twx_leaders lead(const twx_leading *how, const entry *entries, size_t n, size_t bytes,
                        size_t *ret_spilled) {
    twx_ctx cx;
    twx_grouper *g = NULL;
    twx_leaders made = {0};
    twx_ctx_init(&cx);
    assert_int_equal(twx_grouper_open(&cx, bytes, test_folder(), &g), TWX_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(twx_grouper_add(g, entries[i].key, entries[i].check, entries[i].item),
                         TWX_OK);
    *ret_spilled = twx_grouper_sorted_bytes(g);
    assert_int_equal(twx_leaders_make(&cx, how, g, NULL, &made), TWX_OK);
    twx_grouper_close(g);
    return made;
}

/* Five items in order of rank that share one key, at these places. */
static twx_leaders lead_five(twx_leading how, line *l) {
    static const uint32_t RANK[] = {0, 1, 2, 3, 4};
    static const entry ENTRIES[] = {{7, 7, 0}, {7, 7, 1}, {7, 7, 2}, {7, 7, 3}, {7, 7, 4}};
    size_t spilled;
    if (!how.rank) how.rank = RANK;
    how.n = 5;
    how.similarity = similarity;
    how.arg = l;
    l->rank = how.rank;
    if (!how.candidates) how.candidates = 64;
    twx_leaders made = lead(&how, ENTRIES, 5, 0, &spilled);
    assert_false(l->disorder);
    return made;
}

static void expect(twx_leaders *made, const uint32_t *of, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (made->of[TWX_SIMILAR][i] != of[i])
            fail_msg("item %zu follows %u, not %u", i, made->of[TWX_SIMILAR][i], of[i]);
}

/* ---- examples ----------------------------------------------------------- */

static void r2_a_chain_does_not_run_away(void **state) {
    line l = {.at = {0, 10, 20, 30, 40}, .reach = 10};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_REPRESENTATIVE}, &l);
    (void)state;
    /* 1 joins 0; 2 is similar to 1, but no item is compared with 1 */
    expect(&made, (const uint32_t[]){0, 0, 2, 2, 4}, 5);
    assert_int_equal(made.similarity[TWX_SIMILAR][1], TWX_LEADERS_SAME - 10);
    assert_int_equal(made.similarity[TWX_SIMILAR][0], TWX_LEADERS_SAME);
    twx_leaders_done(&made);
}

static void with_links_a_chain_is_one_group(void **state) {
    line l = {.at = {0, 10, 20, 30, 41}, .reach = 10};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_LINK}, &l);
    (void)state;
    expect(&made, (const uint32_t[]){0, 0, 0, 0, 4}, 5);
    /* to 2, which it was joined by */
    assert_int_equal(made.similarity[TWX_SIMILAR][3], TWX_LEADERS_SAME - 10);
    twx_leaders_done(&made);
}

static void the_most_similar_representative_is_joined(void **state) {
    line l = {.at = {0, 30, 16, 29, 31}, .reach = 20};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_REPRESENTATIVE}, &l);
    (void)state;
    expect(&made, (const uint32_t[]){0, 1, 1, 1, 1}, 5); /* 2: 14 from 1, 16 from 0 */
    twx_leaders_done(&made);
}

static void ties_go_to_the_better_rank(void **state) {
    line l = {.at = {0, 30, 15, 30, 0}, .reach = 20};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_REPRESENTATIVE}, &l);
    (void)state;
    expect(&made, (const uint32_t[]){0, 1, 0, 1, 0}, 5);
    twx_leaders_done(&made);
    made = lead_five(
        (twx_leading){.join = TWX_JOIN_REPRESENTATIVE, .rank = (const uint32_t[]){8, 3, 9, 40, 50}},
        &l);
    expect(&made, (const uint32_t[]){0, 1, 1, 1, 0}, 5); /* 1 before 0 */
    twx_leaders_done(&made);
}

static void who_takes_no_part_is_alone(void **state) {
    line l = {.at = {0, 0, 0, 0, 0}, .reach = 1};
    static const uint32_t RANK[] = {TWX_LEADERS_OUT, 5, TWX_LEADERS_OUT, 2, 9};
    twx_leaders made = lead_five((twx_leading){.rank = RANK}, &l);
    (void)state;
    expect(&made, (const uint32_t[]){0, 3, 2, 3, 3}, 5);
    assert_int_equal(made.compared, 2);
    twx_leaders_done(&made);
}

static void who_may_not_join_goes_to_the_next_best_or_stays_alone(void **state) {
    line l = {.at = {0, 30, 14, 90, 91}, .reach = 20, .no_join = {0, 2}};
    twx_leaders made = lead_five((twx_leading){.may_join = may_join}, &l);
    (void)state;
    expect(&made, (const uint32_t[]){0, 1, 1, 3, 3}, 5); /* 2 is nearer to 0 */
    assert_int_equal(made.similarity[TWX_SIMILAR][2], TWX_LEADERS_SAME - 16);
    assert_int_equal(l.asked[0], 3); /* the last question: before 4 joins 3 */
    assert_int_equal(l.asked[1], 4);
    twx_leaders_done(&made);
    l = (line){.at = {0, 50, 2, 1, 90}, .reach = 20, .no_join = {0, 2}};
    made = lead_five((twx_leading){.may_join = may_join}, &l);
    /* 2 stays alone; 3 is as near to it as to 0, whose rank is better */
    expect(&made, (const uint32_t[]){0, 1, 2, 0, 4}, 5);
    twx_leaders_done(&made);
}

/* The group is asked for by its representative, also when a member is what the item resembles. */
static void with_links_the_representative_is_asked(void **state) {
    line l = {.at = {0, 10, 20, 900, 990}, .reach = 10, .no_join = {0, 2}};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_LINK, .may_join = may_join}, &l);
    (void)state;
    expect(&made, (const uint32_t[]){0, 0, 2, 3, 4}, 5);
    assert_int_equal(l.asked[0], 0);
    assert_int_equal(l.asked[1], 2);
    twx_leaders_done(&made);
}

static void r3_a_key_knows_the_best_candidates_only_and_counts_the_others(void **state) {
    line l = {.at = {0, 100, 200, 201, 101}, .reach = 10};
    twx_leaders made = lead_five((twx_leading){.candidates = 2}, &l);
    (void)state;
    /* 2 is no candidate any more, and 3 finds no room either */
    expect(&made, (const uint32_t[]){0, 1, 2, 3, 1}, 5);
    assert_int_equal(made.capped, 2);
    assert_int_equal(made.compared, 1 + 2 + 2 + 2);
    twx_leaders_done(&made);
}

static void without_verification_who_shares_a_key_is_alike(void **state) {
    static const uint32_t RANK[] = {3, 2, 1, 0};
    /* 3: another check */
    static const entry ENTRIES[] = {{1, 0, 0}, {1, 0, 1}, {2, 0, 1}, {2, 0, 2}, {2, 1, 3}};
    const twx_leading how = {.rank = RANK, .n = 4, .candidates = 1};
    size_t spilled;
    twx_leaders made = lead(&how, ENTRIES, 5, 0, &spilled);
    (void)state;
    expect(&made, (const uint32_t[]){0, 2, 2, 3}, 4);
    assert_int_equal(made.similarity[TWX_SIMILAR][1], TWX_LEADERS_SAME);
    twx_leaders_done(&made);
}

/* A pair that shares many keys is compared once. */
static void a_pair_is_compared_once(void **state) {
    static const uint32_t RANK[] = {1, 0};
    entry entries[20];
    line l = {.at = {0, 100}, .reach = 10, .rank = RANK};
    const twx_leading how = {
        .rank = RANK, .n = 2, .candidates = 9, .similarity = similarity, .arg = &l};
    size_t spilled;
    (void)state;
    for (uint32_t i = 0; i < 20; i++) entries[i] = (entry){i / 2, 0, i % 2};
    twx_leaders made = lead(&how, entries, 20, 0, &spilled);
    assert_int_equal(made.compared, 1);
    assert_int_equal(l.calls, 1);
    twx_leaders_done(&made);
}

static void nothing_is_no_trouble(void **state) {
    const twx_leading how = {.n = 0, .candidates = 1};
    size_t spilled;
    twx_leaders made = lead(&how, NULL, 0, 0, &spilled);
    (void)state;
    assert_int_equal(made.compared + made.capped, 0);
    twx_leaders_done(&made);
    twx_leaders_done(&made);
    twx_leaders_done(NULL);
}

/* ---- laws --------------------------------------------------------------- */

typedef struct instance {
    twx_leading how;
    line places;
    uint32_t rank[ITEMS_MAX];
    entry entries[ENTRIES_MAX];
    size_t n_entries;
} instance;

/* `keys` of each item of so many; one item in eight takes no part. */
static void draw(instance *x, test_rng *rng, size_t items, size_t keys, size_t of) {
    uint64_t order[ITEMS_MAX];
    memset(x, 0, sizeof *x);
    for (size_t i = 0; i < items; i++) order[i] = i;
    test_rng_shuffle(rng, order, items);
    for (size_t i = 0; i < items; i++) {
        x->rank[i] = test_rng_below(rng, 8) ? (uint32_t)order[i] * 3 : TWX_LEADERS_OUT;
        x->places.at[i] = (int32_t)test_rng_below(rng, 4 * items);
        for (size_t k = 0; k < keys; k++) {
            const size_t key = test_rng_below(rng, of);
            x->entries[x->n_entries++] = (entry){key * UINT64_C(0x9E3779B97F4A7C15), key % 3,
                                                 (uint32_t)i};
        }
    }
    x->places.reach = 1 + (int32_t)test_rng_below(rng, items);
    x->places.rank = x->rank;
    x->places.no_join[0] = (uint32_t)test_rng_below(rng, items);
    x->places.no_join[1] = (uint32_t)test_rng_below(rng, items);
    x->how = (twx_leading){.rank = x->rank,
                           .n = items,
                           .join = test_rng_below(rng, 2) ? TWX_JOIN_LINK : TWX_JOIN_REPRESENTATIVE,
                           .candidates = 1 + (uint32_t)test_rng_below(rng, 6),
                           .similarity = similarity,
                           .may_join = may_join,
                           .arg = &x->places};
}

/* The rule of the header, as plainly as can be. */
typedef struct plain {
    bool has[SMALL][SMALL]; /* item, key */
    uint32_t of[SMALL];
    int32_t similarity[SMALL];
    uint32_t listed[SMALL], n_listed;
    uint64_t capped;
} plain;

static bool plain_meets(const plain *p, const instance *x, uint32_t item, uint32_t other) {
    for (size_t key = 0; key < SMALL; key++) {
        size_t before = 0;
        if (!p->has[item][key] || !p->has[other][key]) continue;
        for (size_t l = 0; p->listed[l] != other; l++) before += p->has[p->listed[l]][key];
        if (before < x->how.candidates) return true;
    }
    return false;
}

static void plain_join(plain *p, const instance *x, uint32_t item) {
    bool tried[SMALL] = {false};
    p->of[item] = item;
    p->similarity[item] = TWX_LEADERS_SAME;
    for (;;) {
        size_t best = SMALL;
        for (size_t l = 0; l < p->n_listed; l++) {
            const int32_t s = nearness(&x->places, p->listed[l], item);
            if (tried[l] || s < 0 || !plain_meets(p, x, item, p->listed[l])) continue;
            if (best == SMALL || s > nearness(&x->places, p->listed[best], item)) best = l;
        }
        if (best == SMALL) return;
        tried[best] = true;
        const uint32_t leader = p->of[p->listed[best]];
        if (leader == x->places.no_join[0] && item == x->places.no_join[1]) continue;
        p->of[item] = leader;
        p->similarity[item] = nearness(&x->places, p->listed[best], item);
        return;
    }
}

static void plain_cap(plain *p, const instance *x, uint32_t item) {
    for (size_t key = 0; key < SMALL; key++) {
        size_t before = 0, sharing = 0;
        if (!p->has[item][key]) continue;
        for (size_t l = 0; l < p->n_listed; l++) before += p->has[p->listed[l]][key];
        for (size_t i = 0; i < x->how.n; i++)
            sharing += x->rank[i] != TWX_LEADERS_OUT && p->has[i][key];
        p->capped += sharing > 1 && before >= x->how.candidates;
    }
}

static void plain_lead(plain *p, const instance *x) {
    memset(p, 0, sizeof *p);
    for (uint32_t i = 0; i < x->how.n; i++) p->of[i] = i;
    for (size_t e = 0; e < x->n_entries; e++)
        for (size_t key = 0; key < SMALL; key++)
            p->has[x->entries[e].item][key] |= x->entries[e].key ==
                                               key * UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t rank = 0; rank < 3 * SMALL; rank++)
        for (uint32_t i = 0; i < x->how.n; i++) {
            if (x->rank[i] != rank) continue;
            plain_join(p, x, i);
            if (x->how.join == TWX_JOIN_REPRESENTATIVE && p->of[i] != i) continue;
            plain_cap(p, x, i);
            p->listed[p->n_listed++] = i;
        }
}

static void the_rule_is_that_of_a_plain_program(void **state) {
    static instance x;
    static plain p;
    size_t joined = 0, capped = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        test_rng rng = test_rng_seed(seed);
        size_t spilled;
        draw(&x, &rng, 2 + test_rng_below(&rng, SMALL - 1), 1 + test_rng_below(&rng, 4),
             1 + test_rng_below(&rng, SMALL));
        plain_lead(&p, &x);
        twx_leaders made = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
        for (uint32_t i = 0; i < x.how.n; i++) {
            if (x.rank[i] == TWX_LEADERS_OUT) continue;
            joined += made.of[TWX_SIMILAR][i] != i;
            if (made.of[TWX_SIMILAR][i] != p.of[i] ||
                made.similarity[TWX_SIMILAR][i] != p.similarity[i])
                fail_msg("seed %" PRIu64 ": item %u follows %u, not %u", seed, i,
                         made.of[TWX_SIMILAR][i], p.of[i]);
        }
        if (made.capped != p.capped)
            fail_msg("seed %" PRIu64 ": %" PRIu64 " left out, not %" PRIu64, seed, made.capped,
                     p.capped);
        if (x.places.disorder) fail_msg("seed %" PRIu64 ": a pair in the wrong order", seed);
        capped += made.capped > 0;
        twx_leaders_done(&made);
    }
    assert_true(joined > 3000 && capped > 300);
}

static void r1_order_of_adding_and_memory_never_show(void **state) {
    static instance x;
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        test_rng rng = test_rng_seed(seed);
        size_t spilled[2];
        draw(&x, &rng, ITEMS_MAX, 10, ITEMS_MAX);
        twx_leaders one = lead(&x.how, x.entries, x.n_entries, SIZE_MAX / 4, &spilled[0]);
        for (size_t i = x.n_entries; i > 1; i--) {
            const size_t k = test_rng_below(&rng, i);
            const entry swapped = x.entries[i - 1];
            x.entries[i - 1] = x.entries[k];
            x.entries[k] = swapped;
        }
        twx_leaders other = lead(&x.how, x.entries, x.n_entries, 0, &spilled[1]);
        assert_true(spilled[0] == 0 && spilled[1] > 0);
        assert_memory_equal(one.of[TWX_SIMILAR], other.of[TWX_SIMILAR],
                            ITEMS_MAX * sizeof *one.of[TWX_SIMILAR]);
        assert_memory_equal(one.similarity[TWX_SIMILAR], other.similarity[TWX_SIMILAR],
                            ITEMS_MAX * sizeof *one.similarity[TWX_SIMILAR]);
        assert_true(one.compared == other.compared && one.capped == other.capped);
        twx_leaders_done(&one);
        twx_leaders_done(&other);
    }
}

static void r2_members_verify_against_their_representative(void **state) {
    static instance x;
    test_rng rng = test_rng_seed(5);
    size_t spilled, members = 0;
    (void)state;
    draw(&x, &rng, ITEMS_MAX, 6, 300);
    x.how.join = TWX_JOIN_REPRESENTATIVE;
    x.how.candidates = 50;
    twx_leaders made = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
    for (uint32_t i = 0; i < ITEMS_MAX; i++) {
        if (made.of[TWX_SIMILAR][i] == i) continue;
        members++;
        assert_int_equal(nearness(&x.places, made.of[TWX_SIMILAR][i], i),
                         made.similarity[TWX_SIMILAR][i]);
        assert_true(made.similarity[TWX_SIMILAR][i] >= 0 &&
                    x.rank[made.of[TWX_SIMILAR][i]] < x.rank[i] &&
                    made.of[TWX_SIMILAR][made.of[TWX_SIMILAR][i]] == made.of[TWX_SIMILAR][i]);
    }
    assert_true(members > 100);
    twx_leaders_done(&made);
}

/* ---- the second relation ------------------------------------------------ */

static void a_sibling_represents_itself_and_its_copies_join_it(void **state) {
    line l = {.at = {0, 1, 2, 3, 4}, .reach = 10, .names = 2};
    twx_leaders made = lead_five((twx_leading){.contains = contains}, &l);
    static const uint32_t COPY_OF[] = {0, 1, 0, 1, 0};
    (void)state;
    expect(&made, (const uint32_t[]){0, 0, 0, 0, 0}, 5);
    assert_memory_equal(made.of[TWX_CONTAINED], COPY_OF, sizeof COPY_OF);
    assert_int_equal(made.similarity[TWX_CONTAINED][3], TWX_LEADERS_SAME - 2); /* to 1, not to 0 */
    twx_leaders_done(&made);
}

static int32_t named_similarity(void *arg, uint32_t a, uint32_t b) {
    const line *l = arg;
    const int32_t apart = abs(l->at[a] - l->at[b]);
    return apart > 2 * l->reach ? -1 : TWX_LEADERS_SAME - apart;
}

static void pairs_that_are_not_similar_may_be_copies(void **state) {
    line l = {.at = {0, 15, 25, 30, 41}, .reach = 10, .names = 2};
    twx_leaders made = lead_five(
        (twx_leading){.contains = contains, .named_similarity = named_similarity}, &l);
    static const uint32_t COPY_OF[] = {0, 1, 2, 1, 2};
    (void)state;
    expect(&made, (const uint32_t[]){0, 1, 1, 3, 4}, 5);
    assert_memory_equal(made.of[TWX_CONTAINED], COPY_OF, sizeof COPY_OF);
    assert_int_equal(made.similarity[TWX_CONTAINED][3], TWX_LEADERS_SAME - 15);
    twx_leaders_done(&made);
}

/* What is true of copies in any instance: each is similar to its representative and contained in
 * it. */
static void check_copies(const instance *x, const twx_leaders *made, size_t *ret_copies,
                         size_t *ret_siblings) {
    const uint32_t *of = made->of[TWX_CONTAINED];
    for (uint32_t i = 0; i < x->how.n; i++) {
        if (x->rank[i] == TWX_LEADERS_OUT || of[i] == i) continue;
        assert_int_equal(of[of[i]], of[i]);
        assert_true(x->rank[of[i]] < x->rank[i]);
        assert_true(contains((void *)(uintptr_t)&x->places, of[i], i));
        const int32_t near = nearness(&x->places, of[i], i);
        const int32_t least = near < 0 && x->how.named_similarity
                                  ? named_similarity((void *)(uintptr_t)&x->places, of[i], i)
                                  : near;
        assert_int_equal(least, made->similarity[TWX_CONTAINED][i]);
        assert_true(made->similarity[TWX_CONTAINED][i] >= 0);
        ++*ret_copies;
        *ret_siblings += made->of[TWX_SIMILAR][i] != of[i];
    }
}

static void r4_the_first_relation_is_the_same_without_the_second(void **state) {
    static instance x;
    size_t copies = 0, siblings = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        test_rng rng = test_rng_seed(seed);
        size_t spilled;
        draw(&x, &rng, 2 + test_rng_below(&rng, SMALL - 1), 1 + test_rng_below(&rng, 4),
             1 + test_rng_below(&rng, SMALL));
        x.places.names = (int32_t)test_rng_below(&rng, 4);
        twx_leaders one = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
        x.how.contains = contains;
        x.how.named_similarity = seed % 2 ? named_similarity : NULL;
        twx_leaders both = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
        if (memcmp(one.of[TWX_SIMILAR], both.of[TWX_SIMILAR],
                   x.how.n * sizeof *one.of[TWX_SIMILAR]) != 0 ||
            memcmp(one.similarity[TWX_SIMILAR], both.similarity[TWX_SIMILAR],
                   x.how.n * sizeof *one.similarity[TWX_SIMILAR]) != 0 ||
            one.capped != both.capped)
            fail_msg("seed %" PRIu64 ": near-duplicates differ when copies are wanted", seed);
        check_copies(&x, &both, &copies, &siblings);
        twx_leaders_done(&one);
        twx_leaders_done(&both);
    }
    assert_true(copies > 1000 && siblings > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r2_a_chain_does_not_run_away),
        cmocka_unit_test(with_links_a_chain_is_one_group),
        cmocka_unit_test(the_most_similar_representative_is_joined),
        cmocka_unit_test(ties_go_to_the_better_rank),
        cmocka_unit_test(who_takes_no_part_is_alone),
        cmocka_unit_test(who_may_not_join_goes_to_the_next_best_or_stays_alone),
        cmocka_unit_test(with_links_the_representative_is_asked),
        cmocka_unit_test(r3_a_key_knows_the_best_candidates_only_and_counts_the_others),
        cmocka_unit_test(without_verification_who_shares_a_key_is_alike),
        cmocka_unit_test(a_pair_is_compared_once),
        cmocka_unit_test(pairs_that_are_not_similar_may_be_copies),
        cmocka_unit_test(nothing_is_no_trouble),
        cmocka_unit_test(the_rule_is_that_of_a_plain_program),
        cmocka_unit_test(r1_order_of_adding_and_memory_never_show),
        cmocka_unit_test(r2_members_verify_against_their_representative),
        cmocka_unit_test(a_sibling_represents_itself_and_its_copies_join_it),
        cmocka_unit_test(r4_the_first_relation_is_the_same_without_the_second),
    };
    return cmocka_run_group_tests_name("leaders", tests, NULL, NULL);
}
