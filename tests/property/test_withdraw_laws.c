/* Laws of judge/judge.c on random documents: a result from which documents are withdrawn is
 * compared with the result of judging the other documents. */
#include "../unit/judge/judge_fixture.h"

enum { SEEDS = TEST_SANITIZED ? 300 : 2000, DOCUMENTS_MAX = 40, KEYS = 12, SITES = 3, URLS = 8 };

static const twx_relation_id DRAWN[] = {TWX_RELATION_SCHEME, TWX_RELATION_WWW,
                                        TWX_RELATION_EXACT,  TWX_RELATION_FUZZY,
                                        TWX_RELATION_TITLE,  TWX_RELATION_DESCRIPTION};

typedef struct drawn {
    uint64_t seed;
    size_t n;
    entry at[DOCUMENTS_MAX];
    uint64_t key[TWX_COUNTOF(DRAWN)][DOCUMENTS_MAX]; /* 0: none */
    bool leaves[DOCUMENTS_MAX];
    twx_judge_options options;
} drawn;

/* Most documents share a key in several relations. links: some have a canonical or a redirect. */
static void draw(drawn *d, uint64_t seed, bool links) {
    static const char *const HOSTS[SITES] = {"a.example", "b.example", "c.example"};
    static const char *const NAMES[URLS] = {"u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7"};
    test_rng rng = test_rng_seed(seed);
    *d = (drawn){.seed = seed, .n = 1 + test_rng_below(&rng, DOCUMENTS_MAX)};
    const size_t keys = 1 + test_rng_below(&rng, KEYS), leaving = 1 + test_rng_below(&rng, 4);
    for (size_t i = 0; i < d->n; i++) {
        entry *e = &d->at[i];
        e->host = HOSTS[test_rng_below(&rng, SITES)];
        e->score = (double)test_rng_below(&rng, 5);
        e->url_length = (uint32_t)test_rng_below(&rng, 4);
        e->layout = (int)test_rng_below(&rng, 3);
        if (test_rng_below(&rng, 4) == 0) e->not_bits = TWX_FACT_HTTPS;
        if (test_rng_below(&rng, 4) == 0) e->not_bits |= TWX_FACT_WWW;
        if (test_rng_below(&rng, 8) == 0) e->status = 404;
        if (links) e->url = NAMES[test_rng_below(&rng, URLS)];
        if (links && test_rng_below(&rng, 4) == 0) e->link = NAMES[test_rng_below(&rng, URLS)];
        if (e->link && test_rng_below(&rng, 2)) e->bits = TWX_FACT_REDIRECT;
        for (size_t r = 0; r < TWX_COUNTOF(DRAWN); r++)
            if (test_rng_below(&rng, 2)) d->key[r][i] = 1 + test_rng_below(&rng, keys);
        d->leaves[i] = test_rng_below(&rng, leaving) == 0;
    }
    d->options = (twx_judge_options){.collapse_min = 100};
    /* a document that leaves may give the form or the origin of another one another place, which it
     * gets by the next run */
    d->options.preference = (twx_preference){.criteria = {TWX_BY_SCORE, TWX_BY_URL_LENGTH}};
    for (size_t r = 0; r < TWX_COUNTOF(DRAWN); r++)
        if (test_rng_below(&rng, 2)) d->options.relations |= 1u << DRAWN[r];
    d->options.relations |= TWX_JOIN_CANONICAL | TWX_JOIN_REDIRECT;
}

/* Judges all documents, or only those that stay; a document keeps its number. */
static void judge(twx_ctx *cx, const drawn *d, bool all, twx_doc_set *ret_j) {
    twx_doc_set_init(ret_j);
    ret_j->options = &d->options;
    for (size_t r = 0; r < TWX_COUNTOF(DRAWN); r++)
        assert_ok(twx_grouper_open(cx, 0, NULL, &ret_j->grouper[DRAWN[r]]));
    for (size_t i = 0; i < d->n; i++) {
        const uint32_t index = (uint32_t)ret_j->docs.at.n;
        if (!all && d->leaves[i]) continue;
        populate_one(cx, &ret_j->docs, &d->at[i], i);
        for (size_t r = 0; r < TWX_COUNTOF(DRAWN); r++)
            if (d->key[r][i])
                assert_ok(twx_grouper_add(ret_j->grouper[DRAWN[r]], d->key[r][i], 0, index));
    }
    assert_ok(twx_judge(cx, ret_j, &d->options));
}

/* Withdraws the documents that leave: together, or one by one from the last to the first. */
static void withdraw(twx_ctx *cx, const drawn *d, twx_doc_set *j, bool together) {
    uint32_t indexes[DOCUMENTS_MAX];
    size_t n = 0;
    for (uint32_t i = (uint32_t)d->n; i-- > 0;)
        if (d->leaves[i]) indexes[n++] = i;
    if (together) assert_ok(twx_doc_set_withdraw(cx, j, indexes, n));
    for (size_t k = 0; !together && k < n; k++)
        assert_ok(twx_doc_set_withdraw(cx, j, &indexes[k], 1));
}

static uint32_t head_of(const twx_doc_set *j, uint32_t i) {
    return twx_groups_rep(&j->clusters, i) == TWX_NO_DOCUMENT ? i : twx_groups_rep(&j->clusters, i);
}

/* The markup of a withdrawn document still counts for the type. */
static bool is_compared(int column, bool clusters) {
    if (column == TWX_FLAG_duplicate_type) return false;
    return clusters || (column != TWX_FLAG_cluster_count && column != TWX_FLAG_duplicate_of);
}

/* The first column in which two rows differ, or -1. clusters: is their cluster the same? */
static int first_difference(const twx_flag_row *a, const twx_flag_row *b, bool clusters) {
    for (int c = 0; c < TWX_FLAG_COLUMNS; c++) {
        if (!is_compared(c, clusters)) continue;
        const bool known = twx_flag_known(a, (twx_flag_column)c);
        if (known != twx_flag_known(b, (twx_flag_column)c)) return c;
        if (known && a->v[c] != b->v[c]) return c;
    }
    return -1;
}

/* The groups of each relation are those of the other documents alone. So are the clusters, except
 * that those that only a withdrawn document joined stay joined until the next run. */
TEST(the_rest_is_judged_as_if_alone) {
    static drawn d;
    size_t joined = 0, equal = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        twx_ctx cx = {0};
        twx_doc_set j, alone;
        uint32_t at[DOCUMENTS_MAX], n = 0; /* of the documents that stay, by index in `alone` */
        draw(&d, seed, false);
        judge(&cx, &d, true, &j);
        judge(&cx, &d, false, &alone);
        withdraw(&cx, &d, &j, seed % 2);
        for (uint32_t i = 0; i < d.n; i++)
            if (!d.leaves[i]) at[n++] = i;
        for (uint32_t i = 0; i < n; i++) {
            bool same = true;
            for (uint32_t k = 0; k < n; k++) {
                const bool with = head_of(&j, at[i]) == head_of(&j, at[k]);
                if (head_of(&alone, i) == head_of(&alone, k) && !with)
                    fail_msg("seed %" PRIu64 ": a cluster was divided", seed);
                same &= with == (head_of(&alone, i) == head_of(&alone, k));
            }
            twx_flag_row row, plain;
            twx_judged_row(&j, &d.options, at[i], &row);
            twx_judged_row(&alone, &d.options, i, &plain);
            const int c = first_difference(&row, &plain, same);
            if (c >= 0)
                fail_msg("seed %" PRIu64 ", document %d, flag %d: %" PRId64 " and %" PRId64, seed,
                         (int)row.doc, c, row.v[c], plain.v[c]);
            joined += !same;
            equal += same;
        }
        twx_doc_set_done(&j);
        twx_doc_set_done(&alone);
        assert_ok(cx.rc);
    }
    print_message("%zu documents in a cluster of the others alone, %zu in a larger one\n", equal,
                  joined);
    assert_true(joined > 0 && equal > joined);
}

/* Each group has one representative, its best member; the representative of a cluster represents
 * each of its groups. */
TEST(r1_the_best_of_those_that_stay_represent) {
    static drawn d;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        twx_ctx cx = {0};
        twx_doc_set j;
        draw(&d, seed, seed % 2);
        judge(&cx, &d, true, &j);
        withdraw(&cx, &d, &j, true);
        for (int r = 0; r <= TWX_RELATIONS; r++) {
            const twx_groups *g = r < TWX_RELATIONS ? &j.groups[r] : &j.clusters;
            for (uint32_t i = 0; g->made && i < d.n; i++) {
                const uint32_t rep = twx_groups_rep(g, i), head = head_of(&j, i);
                uint32_t members = 0;
                if (rep == TWX_NO_DOCUMENT) continue;
                for (uint32_t k = 0; k < d.n; k++) {
                    if (twx_groups_rep(g, k) != rep) continue;
                    members++;
                    if (j.rank[k] < j.rank[rep]) fail_msg("seed %" PRIu64 ": not the best", seed);
                }
                if (d.leaves[i] || d.leaves[rep] || twx_groups_rep(g, rep) != rep ||
                    members != twx_groups_count(g, i) || members < 2)
                    fail_msg("seed %" PRIu64 ": document %u of relation %d", seed, i + 1, r);
                if (r < TWX_RELATIONS && d.options.relations >> r & 1 &&
                    twx_groups_rep(g, head) != TWX_NO_DOCUMENT && twx_groups_rep(g, head) != head)
                    fail_msg("seed %" PRIu64 ": a survivor is hidden by relation %d", seed, r);
            }
        }
        twx_doc_set_done(&j);
        assert_ok(cx.rc);
    }
}

TEST(r2_no_row_refers_to_a_withdrawn_document) {
    static drawn d;
    size_t links = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        twx_ctx cx = {0};
        twx_doc_set j;
        draw(&d, seed, true);
        judge(&cx, &d, true, &j);
        withdraw(&cx, &d, &j, seed % 2);
        for (uint32_t i = 0; i < d.n; i++) {
            twx_flag_row row;
            if (d.leaves[i]) continue;
            twx_judged_row(&j, &d.options, i, &row);
            for (size_t r = 0; r <= TWX_COUNTOF(DRAWN); r++) {
                const twx_flag_column c = r < TWX_COUNTOF(DRAWN) ? twx_relation_at(DRAWN[r])->rep
                                                                 : TWX_FLAG_duplicate_of;
                if (twx_flag_known(&row, c) && d.leaves[row.v[c] - 1])
                    fail_msg("seed %" PRIu64 ": document %u refers to %d", seed, i + 1,
                             (int)row.v[c]);
            }
            links += j.links.eligibility[i] != TWX_ELIGIBLE &&
                     twx_flag_known(&row, TWX_FLAG_duplicate_of);
        }
        twx_doc_set_done(&j);
        assert_ok(cx.rc);
    }
    assert_true(links > 0);
}
