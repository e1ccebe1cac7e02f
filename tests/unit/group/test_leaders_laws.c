/* Laws of group/leaders.c over random instances, and a plain program that gives the same groups. */
#include "leaders_fixture.h"

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

/* Do the same items that take part have both keys? */
static bool same_members(const plain *p, const instance *x, size_t key, size_t other) {
    for (size_t i = 0; i < x->how.n; i++)
        if (x->rank[i] != TWX_LEADERS_OUT && p->has[i][key] != p->has[i][other]) return false;
    return true;
}

/* Of keys with the same items only one counts. */
static void plain_cap(plain *p, const instance *x, uint32_t item) {
    for (size_t key = 0; key < SMALL; key++) {
        size_t before = 0, sharing = 0, first = 0;
        while (first < key && !same_members(p, x, first, key)) first++;
        if (!p->has[item][key] || first < key) continue;
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

TEST(the_rule_is_that_of_a_plain_program) {
    static instance x;
    static plain p;
    size_t joined = 0, capped = 0;
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
            if (made.of[TWX_SIMILAR][i] != p.of[i] || made.similarity[i] != p.similarity[i])
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

/* Are the first relations of two results equal, and their counts? */
static bool is_same(const twx_leaders *a, const twx_leaders *b, size_t n, size_t relations) {
    bool same = a->capped == b->capped;
    for (size_t k = 0; k < relations; k++)
        same &= memcmp(a->of[k], b->of[k], n * sizeof *a->of[k]) == 0;
    return same && memcmp(a->similarity, b->similarity, n * sizeof *a->similarity) == 0;
}

TEST(r1_order_of_adding_and_memory_never_show) {
    static instance x;
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
        assert_true(is_same(&one, &other, ITEMS_MAX, 1) && one.compared == other.compared);
        twx_leaders_done(&one);
        twx_leaders_done(&other);
    }
}

TEST(r2_members_verify_against_their_representative) {
    static instance x;
    test_rng rng = test_rng_seed(5);
    size_t spilled, members = 0;
    draw(&x, &rng, ITEMS_MAX, 6, 300);
    x.how.join = TWX_JOIN_REPRESENTATIVE;
    x.how.candidates = 50;
    twx_leaders made = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
    for (uint32_t i = 0; i < ITEMS_MAX; i++) {
        if (made.of[TWX_SIMILAR][i] == i) continue;
        members++;
        assert_int_equal(nearness(&x.places, made.of[TWX_SIMILAR][i], i), made.similarity[i]);
        assert_true(made.similarity[i] >= 0 && x.rank[made.of[TWX_SIMILAR][i]] < x.rank[i] &&
                    made.of[TWX_SIMILAR][made.of[TWX_SIMILAR][i]] == made.of[TWX_SIMILAR][i]);
    }
    assert_true(members > 100);
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
        assert_true(least >= 0);
        ++*ret_copies;
        *ret_siblings += made->of[TWX_SIMILAR][i] != of[i];
    }
}

TEST(r4_the_first_relation_is_the_same_without_the_second) {
    static instance x;
    size_t copies = 0, siblings = 0;
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
        if (!is_same(&one, &both, x.how.n, 1))
            fail_msg("seed %" PRIu64 ": near-duplicates differ when copies are wanted", seed);
        check_copies(&x, &both, &copies, &siblings);
        twx_leaders_done(&one);
        twx_leaders_done(&both);
    }
    assert_true(copies > 1000 && siblings > 300);
}

static twx_confirmation confirm(void *arg, uint32_t leader, uint32_t item, int32_t similar,
                                bool ahead) {
    const line *l = arg;
    const uint32_t a = id_of(l, leader), b = id_of(l, item), drawn = a * 7 + b + (similar < 0);
    if (ahead && (a ^ b) % 5 == 0) return TWX_LATER;
    return l->refused  ? (drawn % l->refused ? TWX_REFUSED : TWX_CONFIRMED)
           : drawn % 3 ? TWX_CONFIRMED
                       : TWX_REFUSED;
}

static bool may_prove(void *arg, uint32_t a, uint32_t b) {
    return named_similarity(arg, a, b) >= 0;
}

TEST(r6_threads_never_show) {
    static instance x;
    static line places[8];
    for (uint64_t seed = 1; seed <= (TEST_RACES_ONLY ? 5 : 12); seed++) {
        test_rng rng = test_rng_seed(seed);
        size_t spilled;
        draw(&x, &rng, ITEMS_MAX, 10, seed % 3 ? ITEMS_MAX / 4 : ITEMS_MAX / 30);
        x.places.names = (int32_t)test_rng_below(&rng, 4);
        for (size_t t = 0; t < TWX_COUNTOF(places); t++) places[t] = x.places;
        x.how.arg = places;
        x.how.arg_bytes = sizeof *places;
        x.how.candidates *= 8;
        x.how.contains = contains;
        x.how.confirm = seed % 4 ? confirm : NULL;
        x.how.named_similarity = seed % 5 ? named_similarity : NULL;
        x.how.may_prove = seed % 2 ? may_prove : NULL;
        twx_leaders one = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
        for (x.how.threads = 2; x.how.threads <= 8; x.how.threads *= 2) {
            twx_leaders other = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
            if (!is_same(&one, &other, ITEMS_MAX, 2) || one.compared != other.compared)
                fail_msg("seed %" PRIu64 ", %zu threads", seed, x.how.threads);
            twx_leaders_done(&other);
        }
        twx_leaders_done(&one);
    }
}

enum { MORE = SMALL * 3, THINGS = SMALL * 4 };

/* Texts, and from MORE on further items of them, that change from step to step. */
typedef struct changing {
    size_t texts, items;
    bool texts_alone;
    uint32_t value[THINGS], keys[THINGS]; /* that decides the rank; bits: keys */
    int32_t place[THINGS];
    bool out[THINGS];
    uint32_t text_of[THINGS]; /* by item beyond the texts */
    uint32_t id[THINGS];      /* by item: its place in the other arrays */
    uint64_t known[THINGS], of_texts[THINGS];
} changing;

static void change_item(changing *c, test_rng *rng, size_t i, unsigned what) {
    if (what & 1) c->place[i] = (int32_t)test_rng_below(rng, SMALL * 4);
    if (what & 2) c->value[i] = (uint32_t)test_rng_below(rng, 1 << 20);
    if (what & 4) c->keys[i] = (uint32_t)(test_rng_next(rng) & test_rng_next(rng)) & 0xFFF;
    if (what & 8) c->out[i] = test_rng_below(rng, 6) == 0;
}

static void add_thing(changing *c, test_rng *rng) {
    const bool is_item = c->texts && !c->texts_alone && test_rng_below(rng, 2);
    const size_t i = is_item ? MORE + c->items : c->texts;
    if (i == THINGS || (!is_item && i == MORE)) return;
    if (i >= MORE) c->text_of[c->items] = (uint32_t)test_rng_below(rng, c->texts);
    change_item(c, rng, i, 15);
    c->items += i >= MORE;
    c->texts += i < MORE;
}

static twx_summary_line places_of[THINGS];

static bool may_be_near(const void *arg, const unsigned char *a, const unsigned char *b) {
    int32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return abs(x - y) <= ((const line *)arg)->reach;
}

static void summarize(const void *arg, uint32_t item, twx_summary_line *ret_summary) {
    (void)arg;
    *ret_summary = places_of[item];
}

/* Decides the rank: the first item of a text comes before the others. */
static uint64_t value_of(const changing *c, size_t i) {
    const size_t id = c->id[i];
    const uint64_t value = i < c->texts ? c->value[id]
                                        : c->value[c->text_of[i - c->texts]] + c->value[id] / 2;
    return value * THINGS + id;
}

static void set_changed(instance *x, changing *c) {
    const size_t n = x->how.n = c->texts + c->items;
    x->how.texts = c->texts;
    x->how.text = c->text_of;
    x->n_entries = 0;
    for (size_t i = 0; i < n; i++) c->id[i] = (uint32_t)(i < c->texts ? i : MORE + i - c->texts);
    for (size_t i = 0; i < n; i++) {
        const size_t id = c->id[i], text = i < c->texts ? i : c->text_of[i - c->texts];
        x->rank[i] = 0;
        for (size_t k = 0; k < n; k++) x->rank[i] += value_of(c, k) < value_of(c, i);
        if (c->out[id] || c->out[text]) x->rank[i] = TWX_LEADERS_OUT;
        x->places.at[i] = c->place[id];
        c->known[i] = twx_mix64(twx_mix64((uint64_t)c->place[id], value_of(c, i)), text) | 1;
        if (i < c->texts) {
            memcpy(places_of[i].at, &c->place[i], sizeof c->place[i]);
            c->of_texts[i] = c->keys[i];
        }
        c->of_texts[text] += twx_mix64(c->known[i], x->rank[i] == TWX_LEADERS_OUT);
        for (uint32_t key = 0; i < c->texts && key < 12; key++)
            if (c->keys[i] >> key & 1) x->entries[x->n_entries++] = (entry){key, 0, (uint32_t)i};
    }
    x->places.id = c->id;
}

TEST(decisions_of_an_earlier_call_never_show) {
    static instance x;
    static line places[2];
    static const twx_sieve sieve = {
        .summary = places_of, .summarize = summarize, .may_pair = may_be_near, .arg = places};
    uint64_t decided = 0, all = 0;
    for (uint64_t seed = 1; seed <= (TEST_RACES_ONLY ? 100 : 900); seed++) {
        static changing c;
        test_rng rng = test_rng_seed(seed);
        twx_led led = {.known = NULL};
        size_t spilled;
        c = (changing){.texts_alone = seed % 7 == 0}; /* further items are for copies */
        draw(&x, &rng, 2, 1, 2);
        x.places.reach = 1 + (int32_t)test_rng_below(&rng, SMALL);
        x.places.names = (int32_t)test_rng_below(&rng, 4);
        x.how.may_join = NULL;
        x.how.contains = seed % 7 ? contains : NULL;
        x.how.confirm = seed % 4 ? confirm : NULL;
        x.how.named_similarity = seed % 5 ? named_similarity : NULL;
        x.how.may_prove = seed % 2 ? may_prove : NULL;
        x.how.sieve = seed % 3 ? &sieve : NULL;
        x.how.threads = 1 + seed % 2;
        x.how.arg = places;
        x.how.arg_bytes = sizeof *places;
        if (seed % 11 == 0) { /* most pairs are compared, and refused */
            x.how.candidates = 64;
            x.places.reach = SMALL * 4;
            x.places.names = 0;
            x.places.refused = 40;
        }
        for (size_t i = 2 + test_rng_below(&rng, SMALL * 2); i > 0; i--) add_thing(&c, &rng);
        for (int step = 0; step < 8; step++) {
            for (size_t k = test_rng_below(&rng, 3); step && k > 0; k--) add_thing(&c, &rng);
            for (size_t k = test_rng_below(&rng, 4); step && k > 0; k--) {
                const size_t i = test_rng_below(&rng, c.texts + c.items);
                change_item(&c, &rng, i < c.texts ? i : MORE + i - c.texts,
                            1u << test_rng_below(&rng, 4));
            }
            set_changed(&x, &c);
            places[0] = places[1] = x.places;
            led.known = c.known, led.of_texts = c.of_texts;
            twx_leaders whole = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
            x.how.led = &led;
            twx_leaders again = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
            x.how.led = NULL;
            if (!is_same(&whole, &again, x.how.n, x.how.contains ? 2 : 1) ||
                whole.compared != again.compared)
                fail_msg("seed %" PRIu64 ", step %d", seed, step);
            decided += step ? again.decided : 0;
            all += step ? x.how.n : 0;
            twx_leaders_done(&whole);
            twx_leaders_done(&again);
        }
        twx_led_done(&led);
    }
    print_message("%" PRIu64 " of %" PRIu64 " were decided again\n", decided, all);
    assert_true(decided > 1000 && 2 * decided < all);
}

/* What was kept before stays as it was. */
TEST(failed_allocations_are_reported_when_decisions_are_kept) {
    static instance x;
    static changing c;
    test_rng rng = test_rng_seed(1);
    twx_led led = {.known = c.known, .of_texts = c.of_texts};
    size_t spilled;
    twx_rc rc = TWX_E_NOMEM;
    draw(&x, &rng, SMALL, 1, 2);
    x.how.may_join = NULL;
    while (c.texts < SMALL) add_thing(&c, &rng);
    set_changed(&x, &c);
    x.how.led = &led;
    twx_leaders first = lead(&x.how, x.entries, x.n_entries, 0, &spilled);
    change_item(&c, &rng, 3, 15);
    set_changed(&x, &c);
    for (uint64_t fail_at = 1; rc == TWX_E_NOMEM; fail_at++) {
        twx_faults faults = {.fail_at = fail_at};
        twx_ctx cx = {0}, quiet = {0};
        twx_grouper *g = NULL;
        twx_leaders made = {0};
        assert_ok(twx_grouper_open(&quiet, 0, test_folder(), &g));
        for (size_t i = 0; i < x.n_entries; i++)
            assert_ok(twx_grouper_add(g, x.entries[i].key, 0, x.entries[i].item));
        cx.faults = &faults;
        led.known = c.known, led.of_texts = c.of_texts;
        rc = twx_leaders_make(&cx, &x.how, g, NULL, &made);
        assert_true(rc == TWX_OK ? fail_at > 10 && made.decided < x.how.n : rc == TWX_E_NOMEM);
        twx_leaders_done(&made);
        twx_grouper_close(g);
    }
    twx_led_done(&led);
    twx_leaders_done(&first);
}
