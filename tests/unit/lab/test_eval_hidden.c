/* lab/eval_hidden: hidden wrongly and duplicates left visible, on stores so small that every
 * pair is compared by the textbook table. */
#include "eval_store.h"

#include <math.h>

enum { PAGES = 60, THRESHOLD = 800000, WORDS_MIN = 5 };

typedef struct made {
    eval_store store;
    char url[PAGES][40], text[PAGES][400];
    test_row row[PAGES];
    uint32_t rep[PAGES];
} made;

/* Pages of 6 templates of 12 to 40 words, in which up to a third of the words is replaced; some
 * pages have the text of an earlier one, a few of them are gone or too short. */
static void make(made *m, uint64_t seed) {
    static const char *const SETTINGS[] = {"near.min_words", "5", NULL};
    test_rng rng = test_rng_seed(seed);
    memset(m, 0, sizeof *m);
    for (uint32_t i = 0; i < PAGES; i++) {
        const size_t template = test_rng_below(&rng, 6), share = test_rng_below(&rng, 5);
        test_rng words = test_rng_seed(template + 1);
        const size_t n = i % 10 == 9 ? 3 : 12 + 5 * template;
        char *out = m->text[i];
        for (size_t k = 0; k < n; k++) {
            unsigned long long word = test_rng_next(&words) % 100000;
            if (test_rng_below(&rng, 12) < share) word = test_rng_next(&rng) % 100000;
            out += sprintf(out, "w%llu ", word);
        }
        if (i % 7 == 6) memcpy(m->text[i], m->text[i - 5], sizeof m->text[i]);
        sprintf(m->url[i], "https://h.example/%" PRIu64 "/%" PRIu32, seed, i);
        m->row[i] = (test_row){m->url[i], m->text[i], i % 13 == 12 ? 404 : 200, NULL};
        m->rep[i] = TWX_NO_DOCUMENT;
        if (i > 0 && test_rng_below(&rng, 2)) m->rep[i] = (uint32_t)test_rng_below(&rng, i);
    }
    /* a representative represents itself */
    for (uint32_t i = 0; i < PAGES; i++)
        if (m->rep[i] != TWX_NO_DOCUMENT) {
            while (m->rep[m->rep[i]] != TWX_NO_DOCUMENT && m->rep[m->rep[i]] != m->rep[i])
                m->rep[i] = m->rep[m->rep[i]];
            m->rep[m->rep[i]] = m->rep[i];
        }
    eval_store_open(&m->store, m->row, PAGES, SETTINGS);
}

static twx_hiding measure(made *m, uint64_t sample, uint64_t seed) {
    twx_hiding hiding;
    const twx_eval_finding how = {.job = &m->store.job,
                                  .documents = &m->store.documents,
                                  .texts = &m->store.texts,
                                  .sample = sample,
                                  .seed = seed};
    assert_int_equal(twx_eval_hiding_measure(&how, m->rep, THRESHOLD, &hiding), TWX_OK);
    assert_true(hiding.measured);
    return hiding;
}

static bool is_part(const made *m, uint32_t i) {
    return m->row[i].status == 200;
}

static bool is_hidden(const made *m, uint32_t i) {
    return m->rep[i] != TWX_NO_DOCUMENT && m->rep[i] != i;
}

static size_t words_of(const char *text) {
    size_t n = 0;
    for (; *text; text++) n += *text == ' ';
    return n;
}

static void assert_share(const twx_measure *share, double count, double all) {
    assert_true(fabs(share->value - (all > 0 ? count / all : 0)) < 1e-9);
}

/* Of all documents that one with another text represents: plain counts. */
TEST(hidden_wrongly_is_what_the_table_says) {
    static made m;
    double wrong = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double hidden = 0, below = 0, far_below = 0;
        make(&m, seed);
        for (uint32_t i = 0; i < PAGES; i++) {
            const uint32_t rep = m.rep[i];
            if (!is_part(&m, i) || !is_hidden(&m, i) || !is_part(&m, rep)) continue;
            if (strcmp(m.text[i], m.text[rep]) == 0) continue;
            const double similarity = plain_similarity(m.text[i], m.text[rep]);
            hidden++;
            below += similarity < 0.8;
            far_below += similarity < 0.75;
        }
        const twx_hiding h = measure(&m, 0, seed);
        assert_int_equal(h.hidden, hidden);
        assert_int_equal(h.hidden_sampled, hidden);
        assert_share(&h.below, below, hidden);
        assert_share(&h.far_below, far_below, hidden);
        assert_true(h.below.low == h.below.value && h.below.high == h.below.value);
        wrong += below;
        eval_store_close(&m.store);
    }
    assert_true(wrong > 20);
}

static bool is_visible_text(const made *m, uint32_t i) {
    if (words_of(m->text[i]) < WORDS_MIN || !is_part(m, i)) return false;
    for (uint32_t k = 0; k < i; k++) /* counted at its first document */
        if (is_part(m, k) && strcmp(m->text[k], m->text[i]) == 0) return false;
    for (uint32_t k = i; k < PAGES; k++)
        if (is_part(m, k) && !is_hidden(m, k) && strcmp(m->text[k], m->text[i]) == 0) return true;
    return false;
}

/* Each visible text against all others; the bound on bags of words excludes none at .8 here. */
TEST(left_visible_is_what_the_table_says) {
    static made m;
    double left = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double visible = 0, alike = 0, very_alike = 0;
        make(&m, seed);
        for (uint32_t i = 0; i < PAGES; i++) {
            double best = 0;
            if (!is_visible_text(&m, i)) continue;
            for (uint32_t k = 0; k < PAGES; k++)
                if (k != i && is_visible_text(&m, k))
                    best = fmax(best, plain_similarity(m.text[i], m.text[k]));
            visible++;
            alike += best >= 0.8;
            very_alike += best >= 0.85;
        }
        const twx_hiding h = measure(&m, 0, seed);
        assert_int_equal(h.visible, visible);
        assert_int_equal(h.visible_sampled, visible);
        assert_int_equal(h.audited_alike, 0);
        assert_int_equal(h.capped + h.too_long, 0);
        assert_share(&h.alike, alike, visible);
        assert_share(&h.very_alike, very_alike, visible);
        left += alike;
        eval_store_close(&m.store);
    }
    assert_true(left > 10);
}

/* Each text has one twin and shares three of five words with all others: more candidates than are
 * kept. The twin is the first of those that are. */
TEST(the_best_of_many_candidates_are_kept) {
    enum { COMMON = 12, OWN = 8 };
    static const char *const SETTINGS[] = {"near.min_words", "5", NULL};
    static made m;
    memset(&m, 0, sizeof m);
    test_rng rng = test_rng_seed(48);
    uint64_t place[PAGES];
    for (uint32_t i = 0; i < PAGES; i++) place[i] = i;
    test_rng_shuffle(&rng, place, PAGES);
    for (uint32_t i = 0; i < PAGES; i++) {
        const unsigned twins = (unsigned)place[i] / 2, twin = (unsigned)place[i] % 2;
        char *out = m.text[i];
        for (unsigned k = 0; k < COMMON; k++) out += sprintf(out, "common%02u ", k);
        for (unsigned k = 0; k < OWN; k++)
            out += sprintf(out, "own%02u%u%u ", twins, k, k == 0 && twin);
        sprintf(m.url[i], "https://h.example/%" PRIu32, i);
        m.row[i] = (test_row){m.url[i], m.text[i], 200, NULL};
        m.rep[i] = TWX_NO_DOCUMENT;
    }
    eval_store_open(&m.store, m.row, PAGES, SETTINGS);
    const twx_hiding h = measure(&m, 0, 1);
    assert_int_equal(h.visible_sampled, PAGES);
    assert_int_equal(h.capped, PAGES * (PAGES - 1 - TWX_EVAL_ALIKE_MAX));
    assert_int_equal(h.compared, PAGES);
    assert_share(&h.very_alike, PAGES, PAGES);
    eval_store_close(&m.store);
}

/* Over many seeds the mean of the sampled share is the share of all, and the intervals are wide
 * enough: the draw is even. */
TEST(samples_are_even_and_their_intervals_hold_the_share) {
    enum { DRAWS = 200 };
    static made m;
    double sum = 0, within = 0;
    make(&m, 3);
    const twx_hiding all = measure(&m, 0, 1);
    const uint64_t sample = all.hidden / 2;
    assert_true(sample >= 5);
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        const twx_hiding h = measure(&m, sample, seed);
        assert_int_equal(h.hidden, all.hidden);
        assert_int_equal(h.hidden_sampled, sample);
        assert_int_equal(h.visible_sampled, sample < h.visible ? sample : h.visible);
        sum += h.below.value / DRAWS;
        within += h.below.low <= all.below.value && all.below.value <= h.below.high;
    }
    assert_true(fabs(sum - all.below.value) < 0.03);
    assert_true(within >= 0.9 * DRAWS);
    const twx_hiding once = measure(&m, sample, 7), again = measure(&m, sample, 7);
    /* [R1] */
    assert_true(once.hidden_sampled == again.hidden_sampled && once.compared == again.compared);
    assert_true(once.below.value == again.below.value && once.below.low == again.below.low);
    assert_true(once.very_alike.value == again.very_alike.value);
    eval_store_close(&m.store);
}

TEST(the_smallest_lots_are_kept_in_order) {
    twx_eval_lot at[] = {{30, 1}, {10, 2}, {20, 3}, {10, 0}, {5, 9}};
    twx_eval_lots lots = {.at = at, .n = 5};
    twx_eval_lots_keep(&lots, 3);
    assert_int_equal(lots.n, 3);
    assert_int_equal(at[0].item, 9);
    assert_int_equal(at[1].item, 0); /* ties: the lower item */
    assert_int_equal(at[2].item, 2);
    lots.n = 5;
    twx_eval_lots_keep(&lots, 0);
    assert_int_equal(lots.n, 5);
    assert_int_equal(at[4].item, 1);
    lots.n = 0;
    twx_eval_lots_keep(&lots, 3);
    assert_int_equal(lots.n, 0);
}
