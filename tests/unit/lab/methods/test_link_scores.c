/* Values of pages by their words, and over small webs whose result is known by other means. */
#include "detect_fixture.h"

#include <math.h>

#include "lab/lab.h"

enum { MEMORY = 1 << 22, PAGES_MAX = 60, LINKS_MAX = 400, PAGE_WORDS = 8 };

typedef struct web {
    size_t pages, links;
    size_t from[LINKS_MAX], to[LINKS_MAX];
    twx_bag bags[PAGES_MAX];
    twx_bag_word words[PAGES_MAX][PAGE_WORDS];
} web;

static twx_slice url_of(size_t page, char room[64]) {
    snprintf(room, 64, "http://web.example/%zu", page);
    return twx_slice_of(room);
}

static void make_pages(web *w, size_t pages, uint64_t seed) {
    test_rng rng = test_rng_seed(seed);
    *w = (web){.pages = pages};
    for (size_t i = 0; i < pages; i++) {
        w->bags[i] = (twx_bag){.at = w->words[i], .n = PAGE_WORDS};
        for (size_t k = 0; k < PAGE_WORDS; k++)
            w->words[i][k] = (twx_bag_word){.hash = test_rng_next(&rng),
                                            .tf = 1 + (uint32_t)test_rng_below(&rng, 9)};
    }
}

static void add_link(web *w, size_t from, size_t to) {
    w->from[w->links] = from;
    w->to[w->links++] = to;
}

static void random_links(web *w, uint64_t seed) {
    test_rng rng = test_rng_seed(seed);
    for (size_t n = test_rng_below(&rng, LINKS_MAX); n > 0; n--)
        add_link(w, test_rng_below(&rng, w->pages), test_rng_below(&rng, w->pages));
}

/* pages, links: in which order they are given. */
static twx_link_scores *values_of(const web *w, const uint64_t *pages, const uint64_t *links,
                                  size_t max_bytes) {
    char a[64], b[64];
    twx_ctx cx = {0};
    twx_link_scores_maker *m = NULL;
    twx_link_scores *v = NULL;
    assert_ok(twx_link_scores_maker_open(&cx, max_bytes, &m));
    for (size_t i = 0; i < w->pages; i++) {
        const size_t p = pages ? (size_t)pages[i] : i;
        assert_ok(twx_link_scores_maker_document(m, url_of(p, a), &w->bags[p]));
    }
    for (size_t i = 0; i < w->links; i++) {
        const size_t k = links ? (size_t)links[i] : i;
        assert_ok(twx_link_scores_maker_link(m, url_of(w->from[k], a), url_of(w->to[k], b)));
    }
    assert_ok(twx_link_scores_make(m, &v));
    twx_link_scores_maker_close(m);
    return v;
}

static void expect_values(const twx_link_scores *v, size_t page,
                          int32_t ret_values[TWX_LINK_SCORES]) {
    char room[64];
    if (!twx_link_scores_find(v, url_of(page, room), ret_values))
        fail_msg("page %zu is not known", page);
}

/* ---- projection --------------------------------------------------------- */

TEST(bags_are_projected_as_the_header_says) {
    web w;
    int32_t values[TWX_LINK_SCORES], same[TWX_LINK_SCORES];
    double squares = 0;
    size_t apart = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        make_pages(&w, 1, seed);
        twx_project(&w.bags[0], values);
        for (size_t k = 0; k < TWX_LINK_SCORES; k++)
            squares += pow(values[k] / 250000.0, 2) / TWX_LINK_SCORES / 500;
        for (size_t k = 1; k < TWX_LINK_SCORES; k++) apart += values[k] != values[0];
        for (size_t k = 0; k < PAGE_WORDS / 2; k++) {
            twx_bag_word swap = w.words[0][k];
            w.words[0][k] = w.words[0][PAGE_WORDS - 1 - k];
            w.words[0][PAGE_WORDS - 1 - k] = swap;
        }
        twx_project(&w.bags[0], same);
        assert_memory_equal(values, same, sizeof same);
        /* the length of a text does not count */
        for (size_t k = 0; k < PAGE_WORDS; k++) w.words[0][k].tf *= 100;
        twx_project(&w.bags[0], same);
        for (size_t k = 0; k < TWX_LINK_SCORES; k++)
            if (abs(values[k] - same[k]) > 300)
                fail_msg("seed %" PRIu64 ": %d, %d", seed, values[k], same[k]);
    }
    assert_true(apart > 500 * (TWX_LINK_SCORES - 1) * 9 / 10);
    if (squares < 0.9 || squares > 1.1) fail_msg("mean square %f", squares);
}

TEST(odd_bags_stay_in_range) {
    int32_t values[TWX_LINK_SCORES];
    twx_bag_word word = {.hash = 5, .tf = UINT32_MAX};
    twx_project(&(twx_bag){0}, values);
    for (size_t k = 0; k < TWX_LINK_SCORES; k++) assert_int_equal(values[k], 0);
    twx_project(&(twx_bag){.at = &word, .n = 1}, values); /* one word is one deviation away */
    for (size_t k = 0; k < TWX_LINK_SCORES; k++) assert_int_equal(abs(values[k]), 250000);
    static twx_bag_word many[100000];
    for (size_t i = 0; i < TWX_COUNTOF(many); i++) many[i] = word;
    /* no bag repeats a word; these are 316 away */
    twx_project(&(twx_bag){.at = many, .n = TWX_COUNTOF(many)}, values);
    for (size_t k = 0; k < TWX_LINK_SCORES; k++) assert_int_equal(abs(values[k]), 1000000);
}

/* ---- propagation -------------------------------------------------------- */

TEST(without_links_values_are_those_of_the_words) {
    web w;
    make_pages(&w, 20, 3);
    twx_link_scores *v = values_of(&w, NULL, NULL, MEMORY);
    assert_int_equal(v->links, 0);
    for (size_t i = 0; i < w.pages; i++) {
        int32_t values[TWX_LINK_SCORES], own[TWX_LINK_SCORES];
        expect_values(v, i, values);
        twx_project(&w.bags[i], own);
        for (size_t k = 0; k < TWX_LINK_SCORES; k++) assert_true(abs(values[k] - own[k]) <= 1);
    }
    twx_link_scores_close(v);
}

/* 0 -> 2, 1 -> 2: a visitor of 2 began there (weight 1 * 0.15), or on 0 or 1 (0.85 * 0.15 each,
 * once they are at rest). */
TEST(a_page_takes_after_those_that_link_to_it) {
    web w;
    int32_t own[3][TWX_LINK_SCORES], values[TWX_LINK_SCORES];
    make_pages(&w, 3, 4);
    add_link(&w, 0, 2);
    add_link(&w, 1, 2);
    twx_link_scores *v = values_of(&w, NULL, NULL, MEMORY);
    assert_int_equal(v->links, 2);
    for (size_t i = 0; i < 3; i++) twx_project(&w.bags[i], own[i]);
    expect_values(v, 2, values);
    for (size_t k = 0; k < TWX_LINK_SCORES; k++) {
        const double wanted = (own[2][k] + 0.85 * (own[0][k] + own[1][k])) / (1 + 2 * 0.85);
        if (fabs(values[k] - wanted) > 50) fail_msg("value %zu: %d, not %f", k, values[k], wanted);
    }
    expect_values(v, 0, values);
    for (size_t k = 0; k < TWX_LINK_SCORES; k++) assert_true(abs(values[k] - own[0][k]) <= 1);
    twx_link_scores_close(v);
}

/* The same sums in floating point, the plain way. */
static double by_floats(const web *w, bool (*linked)[PAGES_MAX], size_t page, const double *own) {
    double now[PAGES_MAX], next[PAGES_MAX];
    memcpy(now, own, w->pages * sizeof *own);
    for (int round = 0; round < 16; round++) {
        for (size_t i = 0; i < w->pages; i++) next[i] = 0.15 * own[i];
        for (size_t i = 0; i < w->pages; i++) {
            size_t out = 0;
            for (size_t j = 0; j < w->pages; j++) out += linked[i][j];
            for (size_t j = 0; j < w->pages; j++)
                if (linked[i][j]) next[j] += 0.85 * now[i] / (double)out;
        }
        memcpy(now, next, sizeof now);
    }
    return now[page];
}

TEST(integers_do_what_pagerank_does) {
    static bool linked[PAGES_MAX][PAGES_MAX];
    double ones[PAGES_MAX], own[PAGES_MAX];
    static web w;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        make_pages(&w, 10 + seed * 8, seed);
        random_links(&w, seed);
        memset(linked, 0, sizeof linked);
        for (size_t i = 0; i < w.links; i++) /* repeated links and those to itself do not count */
            if (w.from[i] != w.to[i]) linked[w.from[i]][w.to[i]] = true;
        for (size_t i = 0; i < w.pages; i++) {
            int32_t values[TWX_LINK_SCORES];
            twx_project(&w.bags[i], values);
            own[i] = values[1];
            ones[i] = 1;
        }
        twx_link_scores *v = values_of(&w, NULL, NULL, MEMORY);
        for (size_t i = 0; i < w.pages; i++) {
            int32_t values[TWX_LINK_SCORES];
            const double wanted = by_floats(&w, linked, i, own) / by_floats(&w, linked, i, ones);
            expect_values(v, i, values);
            if (fabs(values[1] - wanted) > 20)
                fail_msg("seed %" PRIu64 ", page %zu: %d, not %f", seed, i, values[1], wanted);
        }
        twx_link_scores_close(v);
    }
}

TEST(links_that_lead_nowhere_do_not_count) {
    static web w;
    twx_ctx cx = {0};
    twx_link_scores_maker *m = NULL;
    twx_link_scores *v = NULL;
    int32_t values[TWX_LINK_SCORES];
    const twx_slice here = TWX_SLICE_LIT("http://a/"), there = TWX_SLICE_LIT("http://b/"),
                    none = {NULL, 0};
    make_pages(&w, 2, 9);
    assert_ok(twx_link_scores_maker_open(&cx, MEMORY, &m));
    assert_ok(twx_link_scores_maker_link(m, here, there)); /* before the pages */
    assert_ok(twx_link_scores_maker_document(m, here, &w.bags[0]));
    assert_ok(twx_link_scores_maker_document(m, none, &w.bags[1]));
    assert_ok(twx_link_scores_maker_link(m, there, here));
    assert_ok(twx_link_scores_maker_link(m, here, here));
    assert_ok(twx_link_scores_maker_link(m, none, here));
    assert_ok(twx_link_scores_maker_link(m, here, none));
    assert_ok(twx_link_scores_make(m, &v));
    assert_int_equal(v->links, 0);
    assert_true(twx_link_scores_find(v, here, values));
    assert_false(twx_link_scores_find(v, there, values));
    assert_false(twx_link_scores_find(v, none, values));
    twx_link_scores_close(v);
    twx_link_scores_maker_close(m);
    twx_link_scores_close(NULL);
    twx_link_scores_maker_close(NULL);
}

static void assert_same(const web *w, const twx_link_scores *a, const twx_link_scores *b,
                        uint64_t seed) {
    if (a->fingerprint != b->fingerprint) fail_msg("seed %" PRIu64, seed);
    assert_int_equal(a->links, b->links);
    for (size_t i = 0; i < w->pages; i++) {
        int32_t of_a[TWX_LINK_SCORES], of_b[TWX_LINK_SCORES];
        expect_values(a, i, of_a);
        expect_values(b, i, of_b);
        assert_memory_equal(of_a, of_b, sizeof of_a);
    }
}

TEST(r1_the_order_of_adding_never_shows) {
    static web w;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t pages[PAGES_MAX], links[LINKS_MAX];
        test_rng rng = test_rng_seed(seed);
        make_pages(&w, 2 + test_rng_below(&rng, PAGES_MAX - 2), seed);
        random_links(&w, seed);
        for (size_t i = 0; i < PAGES_MAX; i++) pages[i] = i;
        for (size_t i = 0; i < LINKS_MAX; i++) links[i] = i;
        twx_link_scores *forth = values_of(&w, NULL, NULL, MEMORY);
        test_rng_shuffle(&rng, pages, w.pages);
        test_rng_shuffle(&rng, links, w.links);
        twx_link_scores *other = values_of(&w, pages, links, MEMORY);
        assert_same(&w, forth, other, seed);
        twx_link_scores_close(forth);
        twx_link_scores_close(other);
    }
}

/* Of two documents with one URL the same one stands for both, whichever came first. */
TEST(a_url_that_repeats_is_one_page) {
    static web w;
    uint64_t fingerprints[2];
    make_pages(&w, 2, 12);
    for (size_t first = 0; first < 2; first++) {
        twx_ctx cx = {0};
        twx_link_scores_maker *m = NULL;
        twx_link_scores *v = NULL;
        assert_ok(twx_link_scores_maker_open(&cx, MEMORY, &m));
        for (size_t i = 0; i < 2; i++)
            assert_ok(twx_link_scores_maker_document(m, TWX_SLICE_LIT("http://a/"),
                                                     &w.bags[(first + i) % 2]));
        assert_ok(twx_link_scores_make(m, &v));
        fingerprints[first] = v->fingerprint;
        twx_link_scores_close(v);
        twx_link_scores_maker_close(m);
    }
    assert_int_equal(fingerprints[0], fingerprints[1]);
}

/* Each link hundreds of times, so that what is kept in memory is full again and again. */
TEST(the_limit_on_memory_never_shows) {
    enum { TIMES = 300 };
    static web w;
    char a[64], b[64];
    make_pages(&w, PAGES_MAX, 13);
    random_links(&w, 13);
    twx_link_scores *once = values_of(&w, NULL, NULL, (size_t)1 << 28), *often = NULL;
    twx_ctx cx = {0};
    twx_link_scores_maker *m = NULL;
    assert_ok(twx_link_scores_maker_open(&cx, 0, &m));
    for (size_t i = 0; i < w.pages; i++)
        assert_ok(twx_link_scores_maker_document(m, url_of(i, a), &w.bags[i]));
    for (size_t i = 0; i < TIMES * w.links; i++) {
        const size_t k = i % w.links;
        assert_ok(twx_link_scores_maker_link(m, url_of(w.from[k], a), url_of(w.to[k], b)));
    }
    assert_ok(twx_link_scores_make(m, &often));
    assert_same(&w, once, often, 13);
    twx_link_scores_maker_close(m);
    twx_link_scores_close(once);
    twx_link_scores_close(often);
}

TEST(too_many_pages_are_an_error_that_says_what_helps) {
    twx_ctx cx = {0};
    twx_link_scores_maker *m = NULL;
    twx_link_scores *v = NULL;
    char room[64];
    assert_ok(twx_link_scores_maker_open(&cx, 0, &m));
    for (size_t i = 0; i < 40000; i++)
        assert_ok(twx_link_scores_maker_document(m, url_of(i, room), &(twx_bag){0}));
    assert_int_equal(twx_link_scores_make(m, &v), TWX_E_LIMIT);
    assert_non_null(strstr(cx.message, "raise run.memory"));
    twx_link_scores_maker_close(m);
}

TEST(allocations_that_fail_are_reported) {
    static web w;
    char a[64], b[64];
    make_pages(&w, 30, 14);
    random_links(&w, 14);
    for (uint64_t nth = 1;; nth++) {
        twx_ctx cx = {0};
        twx_faults faults = {.fail_at = nth};
        twx_link_scores_maker *m = NULL;
        twx_link_scores *v = NULL;
        cx.faults = &faults;
        twx_rc rc = twx_link_scores_maker_open(&cx, MEMORY, &m);
        for (size_t i = 0; rc == TWX_OK && i < w.pages; i++)
            rc = twx_link_scores_maker_document(m, url_of(i, a), &w.bags[i]);
        for (size_t i = 0; rc == TWX_OK && i < w.links; i++)
            rc = twx_link_scores_maker_link(m, url_of(w.from[i], a), url_of(w.to[i], b));
        if (rc == TWX_OK) rc = twx_link_scores_make(m, &v);
        twx_link_scores_close(v);
        twx_link_scores_maker_close(m);
        if (rc == TWX_OK) {
            assert_true(nth > 5);
            return;
        }
        assert_int_equal(rc, TWX_E_NOMEM);
    }
}
