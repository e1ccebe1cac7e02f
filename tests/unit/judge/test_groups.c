#include "judge_fixture.h"

enum { N_MAX = 60 };

typedef struct fixture {
    twx_ctx cx;
    twx_doc_table p;
    uint32_t *rank;
    uint8_t eligibility[N_MAX];
    uint64_t text[N_MAX], key[N_MAX];
    twx_groups g;
} fixture;

static void end(fixture *f) {
    twx_groups_done(&f->g);
    twx_free(f->rank);
    twx_doc_table_done(&f->p);
}

TESTS_OF(fixture, TEST_NOTHING, end);

static void begin(fixture *f, const entry *people, size_t n) {
    end(f);
    memset(f, 0, sizeof *f);
    populate(&f->cx, &f->p, people, n);
    assert_int_equal(twx_total_order(&f->cx, &f->p, &USUAL, &f->rank), TWX_OK);
}

static void make(fixture *f, bool apart) {
    twx_grouper *grouper = NULL;
    const twx_grouping how = {
        .p = &f->p, .rank = f->rank, .eligibility = f->eligibility, .text = apart ? f->text : NULL};
    assert_int_equal(twx_grouper_open(&f->cx, 0, NULL, &grouper), TWX_OK);
    for (uint32_t i = 0; i < f->p.at.n; i++)
        if (f->key[i]) assert_int_equal(twx_grouper_add(grouper, f->key[i], 0, i), TWX_OK);
    assert_int_equal(twx_groups_make(&f->cx, &how, grouper, &f->g), TWX_OK);
    twx_grouper_close(grouper);
}

TEST_OF(r2_the_best_member_represents_a_group, fixture *f) {
    const entry people[] = {{.score = 1}, {.score = 3}, {.score = 2}, {.score = 9}, {0}};
    begin(f, people, TWX_COUNTOF(people));
    f->key[0] = f->key[1] = f->key[2] = f->key[3] = 5;
    f->eligibility[3] = TWX_NOINDEX; /* the best of all does not take part */
    f->key[4] = 6;
    make(f, false);
    for (int i = 0; i < 3; i++) assert_int_equal(twx_groups_rep(&f->g, i), 1);
    for (int i = 0; i < 3; i++) assert_int_equal(twx_groups_count(&f->g, i), 3);
    for (int i = 3; i < 5; i++)
        assert_true(twx_groups_rep(&f->g, i) == TWX_NO_DOCUMENT && twx_groups_count(&f->g, i) == 0);
    assert_true(f->g.groups == 1 && f->g.copies == 2 && f->g.largest == 3 && f->g.largest_rep == 1);
}

TEST_OF(translations_are_kept_apart_best_first, fixture *f) {
    const entry people[] = {{.score = 1, .hreflang = 7},
                            {.score = 3, .hreflang = 7},
                            {.score = 2},
                            {.score = 5, .hreflang = 7}};
    begin(f, people, TWX_COUNTOF(people));
    for (int i = 0; i < 4; i++) f->key[i] = 5;
    f->text[0] = f->text[1] = 100; /* one text */
    f->text[2] = 300;
    f->text[3] = 400;
    make(f, true);
    assert_int_equal(twx_groups_rep(&f->g, 3), 3); /* the best, with the text that has no family */
    assert_int_equal(twx_groups_rep(&f->g, 2), 3);
    assert_int_equal(twx_groups_rep(&f->g, 0), 1);
    assert_int_equal(twx_groups_rep(&f->g, 1), 1);
    twx_groups_done(&f->g);
    make(f, false);
    for (int i = 0; i < 4; i++) assert_int_equal(twx_groups_rep(&f->g, i), 3);
}

/* Every text is a translation of all the others, but for the last one, which has none. */
TEST_OF(groups_of_translations_of_any_size, fixture *f) {
    for (size_t n = 2; n < N_MAX; n++) {
        entry people[N_MAX] = {{0}};
        for (size_t i = 0; i < n; i++)
            people[i] = (entry){.score = (double)(n - i), .hreflang = i + 1 < n ? 7 : 0};
        begin(f, people, n);
        for (size_t i = 0; i < n; i++) f->text[i] = 100 + i;
        for (size_t i = 0; i < n; i++) f->key[i] = 5;
        make(f, true);
        assert_true(f->g.groups == 1 && f->g.copies == 1);
        assert_int_equal(twx_groups_rep(&f->g, (uint32_t)n - 1), 0);
    }
}

/* R1: with random sets given by the caller, among them those of documents that do not take part. */
TEST_OF(r1_groups_are_a_partition, fixture *f) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        entry people[N_MAX] = {{0}};
        twx_union_find sets;
        test_rng rng = test_rng_seed(seed);
        const size_t n = 1 + test_rng_below(&rng, N_MAX - 1);
        for (size_t i = 0; i < n; i++) people[i].score = (double)test_rng_below(&rng, 5);
        begin(f, people, n);
        assert_int_equal(twx_union_find_init(&f->cx, &sets, n), TWX_OK);
        for (size_t i = 0; i < n / 2; i++)
            twx_union_find_join(&sets, (uint32_t)test_rng_below(&rng, n),
                                (uint32_t)test_rng_below(&rng, n));
        for (size_t i = 0; i < n; i++) f->eligibility[i] = test_rng_below(&rng, 4) == 0;
        const twx_grouping how = {.p = &f->p, .rank = f->rank, .eligibility = f->eligibility};
        assert_int_equal(twx_groups_of_sets(&f->cx, &how, &sets, &f->g), TWX_OK);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t members = 0, best = TWX_NO_DOCUMENT;
            for (uint32_t k = 0; k < n; k++) {
                if (f->eligibility[i] || f->eligibility[k] ||
                    twx_union_find_root(&sets, i) != twx_union_find_root(&sets, k))
                    continue;
                members++;
                if (best == TWX_NO_DOCUMENT || f->rank[k] < f->rank[best]) best = k;
            }
            const bool grouped = members > 1;
            if (twx_groups_rep(&f->g, i) != (grouped ? best : TWX_NO_DOCUMENT) ||
                twx_groups_count(&f->g, i) != (grouped ? members : 0))
                fail_msg("seed %" PRIu64 ", document %u", seed, i);
        }
        twx_union_find_done(&sets);
    }
}
