/* cluster/near_columns.c: decisions of a round against the rule itself, in order of rank; pushes of
 * another version. */
#include "support.h"

#include "cluster/cluster.h"

enum { TEXTS = 40 };

typedef struct round_case {
    bool matches[TEXTS][TEXTS]; /* by rank, [better][worse] */
    bool sure[TEXTS][TEXTS];    /* the pair: a representative is listed for the other one */
    bool blocked[TEXTS], rep[TEXTS];
    twx_near_match pairs[TEXTS * TEXTS];
    size_t n;
} round_case;

static uint64_t text_of(size_t rank) {
    return rank * UINT64_C(0x9E3779B97F4A7C15); /* text 0, too */
}

static void draw(test_rng *rng, round_case *c) {
    const uint64_t density = 1 + test_rng_below(rng, 8);
    *c = (round_case){0};
    for (size_t i = 0; i < TEXTS; i++) {
        c->rep[i] = test_rng_below(rng, 8) == 0;
        c->blocked[i] = !c->rep[i] && test_rng_below(rng, 5) == 0;
    }
    for (size_t a = 0; a < TEXTS; a++)
        for (size_t b = a + 1; b < TEXTS; b++)
            /* representatives are compared as the better texts only */
            if (!c->rep[b] && test_rng_below(rng, TEXTS) < density) {
                c->matches[a][b] = true;
                c->sure[a][b] = test_rng_below(rng, 4) != 0;
                c->pairs[c->n++] = (twx_near_match){text_of(a), text_of(b), c->rep[a],
                                                    c->sure[a][b]};
            }
    for (size_t i = c->n; i > 1; i--) {
        const size_t k = (size_t)test_rng_below(rng, i);
        const twx_near_match pair = c->pairs[k];
        c->pairs[k] = c->pairs[i - 1];
        c->pairs[i - 1] = pair;
    }
}

/* What the rule says, text by text in order of rank. */
static void decide(const round_case *c, twx_near_state *states) {
    for (size_t b = 0; b < TEXTS; b++) {
        bool follows = false, unsure = c->blocked[b];
        for (size_t a = 0; a < b; a++) {
            const bool leads = c->matches[a][b] && states[a] == TWX_NEAR_LEADS;
            follows |= leads && c->sure[a][b];
            unsure |= leads || (c->matches[a][b] && states[a] == TWX_NEAR_OPEN);
        }
        states[b] = c->rep[b] ? TWX_NEAR_LEADS
                    : follows ? TWX_NEAR_FOLLOWS
                    : unsure  ? TWX_NEAR_OPEN
                              : TWX_NEAR_LEADS;
    }
}

static size_t rank_of(uint64_t text) {
    size_t rank = 0;
    while (rank < TEXTS && text_of(rank) != text) rank++;
    return rank;
}

TEST(r1_decisions_are_those_of_the_rule) {
    for (uint64_t seed = 1; seed <= 500; seed++) {
        test_rng rng = test_rng_seed(seed);
        round_case c;
        twx_near_state wanted[TEXTS];
        bool seen[TEXTS] = {false}, matched[TEXTS] = {false};
        twx_near_saids said = {0};
        twx_map64 blocked = {.seed = seed};
        twx_ctx cx = {0};
        draw(&rng, &c);
        decide(&c, wanted);
        for (size_t i = 0; i < TEXTS; i++)
            if (c.blocked[i]) assert_ok(twx_map64_put(&cx, &blocked, text_of(i), 1));
        assert_ok(twx_near_resolve(&cx, c.pairs, c.n, &blocked, &said));
        for (size_t i = 0; i < said.n; i++) {
            const size_t rank = rank_of(said.at[i].text);
            if (rank == TEXTS || seen[rank] || said.at[i].state != wanted[rank])
                fail_msg("seed %d, text %zu", (int)seed, rank);
            seen[rank] = true;
        }
        for (size_t a = 0; a < TEXTS; a++)
            for (size_t b = 0; b < TEXTS; b++) matched[b] |= c.matches[a][b];
        for (size_t i = 0; i < TEXTS; i++) assert_int_equal(seen[i], matched[i]);
        twx_map64_done(&blocked);
        TWX_VEC_DONE(&said);
    }
}

TEST(pairs_in_a_loop_are_refused) {
    static const twx_near_match LOOP[] = {
        {1, 2, false, true}, {2, 3, false, true}, {3, 2, false, true}};
    twx_near_saids said = {0};
    twx_map64 blocked = {0};
    twx_ctx cx = {0};
    assert_int_equal(twx_near_resolve(&cx, LOOP, TWX_COUNTOF(LOOP), &blocked, &said), TWX_E_DATA);
    TWX_VEC_DONE(&said);
    twx_map64_done(&blocked);
}

static size_t times_in(const char *text, const char *word) {
    size_t n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

/* The keys under which servers look for candidates: bands of sketches, or a key under masks. */
TEST(servers_are_given_all_keys_of_a_method) {
    static const struct {
        const char *detector, *scope, *begin;
        uint64_t documents;
    } CASES[] = {{"alignment", "store", "bitOr(", 1000},
                 {"alignment", "host", "cityHash64(scope,bitOr(", 1000},
                 {"alignment", "store", "bitOr(", UINT64_C(1) << 40},
                 {"simhash", "store", "cityHash64(scope,toUInt64(", 0},
                 {"imatch", "store", "(", 0}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_ctx cx = {0};
        twx_settings settings;
        twx_near_plan plan = {0};
        twx_near_keys keys = {.list = {.max = 1 << 20}};
        uint64_t masks[TWX_CANDIDATE_KEYS_MAX];
        size_t at = 0, found = 0, lists = 0;
        assert_ok(twx_settings_init(&cx, &settings));
        assert_ok(twx_settings_set(&cx, &settings, "near.detector", CASES[i].detector));
        assert_ok(twx_settings_set(&cx, &settings, "near.scope", CASES[i].scope));
        const twx_job job = {.cx = &cx, .settings = &settings};
        assert_ok(twx_near_plan_make(&job, &plan));
        const twx_detector *d = plan.judge.options.detectors[TWX_RELATION_NEAR];
        const size_t wanted = d->sketch  ? twx_band_count(twx_band_plan_for(CASES[i].documents))
                              : d->masks ? d->masks(plan.judge.options.params, masks)
                                         : 0;
        while (twx_near_keys_next(&cx, &plan, CASES[i].documents, &at, &keys) == TWX_OK) {
            const size_t here = times_in(keys.list.p, CASES[i].begin);
            assert_true(here > 0 && here <= 96 && keys.least <= keys.most);
            found += here;
            lists++;
        }
        if (found != wanted || at != wanted || (wanted > 0) != (lists > 0))
            fail_msg("%s: %zu keys of %zu", CASES[i].detector, found, wanted);
        twx_buf_done(&keys.list);
        twx_near_plan_done(&plan);
        twx_settings_done(&settings);
    }
}

/* near_columns.c once more, in a version of the program that packs rows in another form. */
#define TWX_DOCUMENT_ROW_VERSION (TWX_DOCUMENT_ROW_VERSION + 1)
#define twx_near_plan_make       next_plan_make
#define twx_near_plan_done       next_plan_done
#define twx_near_keys_next       next_keys_next
#define twx_near_fingerprint     next_fingerprint
#define twx_near_refusal         next_refusal
#define twx_near_payload         next_payload
#define twx_near_columns_add     next_columns_add
#define twx_near_resolve         next_resolve
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "cluster/near_columns.c"
#undef twx_near_fingerprint

/* judging_near.c refuses stores that were pushed with another fingerprint. */
TEST(rows_of_another_version_have_another_fingerprint) {
    const twx_judge_options copies = {.names.own = true}, none = {.relations = 0};
    assert_int_not_equal(twx_near_fingerprint(&copies), next_fingerprint(&copies));
    assert_int_equal(twx_near_fingerprint(&none), next_fingerprint(&none));
}
