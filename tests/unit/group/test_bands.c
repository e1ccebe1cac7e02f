/* The plans of group/band_search.c: strangers computed and simulated with random sketches, and
 * how many similar texts are found. */
#include "support.h"

#include <math.h>

#include "group/group.h"

enum { TRIALS = 1500 };

static const uint64_t LIMITS[] = {7900, 730000, 2800000, 43000000, 4500000000};
static const uint64_t LARGEST = 10000000000; /* the largest collection that is promised */

TEST(a_plan_depends_on_the_number_of_documents) {
    assert_ptr_equal(twx_band_plan_for(0), twx_band_plan_for(1));
    for (size_t i = 0; i < TWX_COUNTOF(LIMITS); i++) {
        const twx_band_plan *plan = twx_band_plan_for(LIMITS[i]);
        assert_true(plan->documents == LIMITS[i]);
        assert_ptr_equal(twx_band_plan_for(LIMITS[i] - 1), plan);
        assert_ptr_equal(twx_band_plan_for(LIMITS[i] + 1), plan + 1);
    }
    assert_ptr_equal(twx_band_plan_for(UINT64_MAX), twx_band_plan_for(LARGEST));
}

/* Texts of unrelated content that a short text meets in a collection of short texts. */
static double strangers_of(const twx_band_plan *plan, uint64_t documents) {
    double strangers = 0;
    for (size_t i = 0; i < twx_band_count(plan); i++)
        strangers += (double)documents / pow(256, twx_band_of(plan, i).bytes);
    return strangers;
}

TEST(strangers_stay_below_eight_in_all_collections) {
    for (size_t i = 0; i <= TWX_COUNTOF(LIMITS); i++) {
        const uint64_t n = i < TWX_COUNTOF(LIMITS) ? LIMITS[i] : LARGEST;
        const double strangers = strangers_of(twx_band_plan_for(n), n);
        print_message("%" PRIu64 " documents: %zu bands, %.2f strangers\n", n,
                      twx_band_count(twx_band_plan_for(n)), strangers);
        assert_true(strangers < 8);
    }
}

static size_t common_places(const twx_band *a, const twx_band *b) {
    size_t common = 0;
    for (size_t i = 0; i < a->bytes; i++)
        for (size_t k = 0; k < b->bytes; k++) common += a->at[i] == b->at[k];
    return common;
}

TEST(bands_of_one_length_have_few_places_in_common) {
    static twx_band bands[TWX_BANDS_MAX];
    for (size_t p = 0; p <= TWX_COUNTOF(LIMITS); p++) {
        const twx_band_plan *plan = twx_band_plan_for(p < TWX_COUNTOF(LIMITS) ? LIMITS[p]
                                                                              : LARGEST);
        const size_t n = twx_band_count(plan);
        assert_true(n <= TWX_BANDS_MAX);
        for (size_t i = 0; i < n; i++) {
            bands[i] = twx_band_of(plan, i);
            assert_int_equal(common_places(&bands[i], &bands[i]), bands[i].bytes);
            for (size_t k = 0; k < i; k++) {
                const size_t common = common_places(&bands[i], &bands[k]);
                /* disjoint bands of 3 may have two places in common with one that is not */
                const size_t most = bands[i].bytes == 5 ? 3 : i >= 42 && k < 42 ? 2 : 1;
                if (bands[i].bytes == bands[k].bytes && common > most)
                    fail_msg("plan %zu: bands %zu and %zu have %zu places in common", p, i, k,
                             common);
            }
        }
    }
}

TEST(a_value_has_the_bytes_of_the_places) {
    unsigned char sketch[TWX_SKETCH_BYTES];
    for (size_t i = 0; i < sizeof sketch; i++) sketch[i] = (unsigned char)i;
    const twx_band band = {.bytes = 5, .at = {3, 1, 127, 0, 9}};
    assert_true(twx_band_value(&band, sketch) == UINT64_C(0x03017F0009));
    /* the bands of a small store */
    const twx_band_plan *small = twx_band_plan_for(0);
    twx_band b = twx_band_of(small, 41);
    assert_true(b.bytes == 3 && b.at[0] == 123 && b.at[2] == 125 && !b.of_short);
    b = twx_band_of(small, 42 + 63);
    assert_true(b.bytes == 2 && b.at[0] == 126 && b.at[1] == 127 && b.of_short);
    assert_int_equal(twx_band_count(small), 42 + 64);
}

/* Random sketches agree in a byte once in 256. */
TEST(random_sketches_share_as_many_bands_as_computed) {
    test_rng rng = test_rng_seed(1);
    const twx_band_plan *plan = twx_band_plan_for(0);
    double expected = 0, shared = 0;
    for (size_t t = 0; t < 4000; t++) {
        unsigned char x[TWX_SKETCH_BYTES], y[TWX_SKETCH_BYTES];
        for (size_t i = 0; i < sizeof x; i++) {
            x[i] = (unsigned char)test_rng_next(&rng);
            y[i] = (unsigned char)test_rng_next(&rng);
        }
        for (size_t i = 0; i < twx_band_count(plan); i++) {
            const twx_band band = twx_band_of(plan, i);
            shared += twx_band_value(&band, x) == twx_band_value(&band, y);
        }
        expected += strangers_of(plan, 1);
    }
    print_message("%.0f bands shared, %.2f computed\n", shared, expected);
    assert_true(fabs(shared - expected) < 4 * sqrt(expected) + 1);
}

/* Two sketches whose bytes agree with probability p; more often found are sketches of few shingles,
 * whose number of equal bytes varies less (bands). */
static double share_found(const twx_band_plan *plan, bool is_short, double jaccard, test_rng *rng) {
    static twx_band bands[TWX_BANDS_MAX];
    const double p = jaccard + (1 - jaccard) / 256;
    const size_t n = twx_band_count(plan);
    size_t found = 0;
    for (size_t i = 0; i < n; i++) bands[i] = twx_band_of(plan, i);
    for (size_t t = 0; t < TRIALS; t++) {
        unsigned char differ[TWX_SKETCH_BYTES];
        bool meet = false;
        for (size_t i = 0; i < sizeof differ; i++)
            differ[i] = test_rng_below(rng, 1000000) >= (uint64_t)(1000000 * p);
        for (size_t i = 0; i < n && !meet; i++)
            meet = (is_short || !bands[i].of_short) && twx_band_value(&bands[i], differ) == 0;
        found += meet;
    }
    return (double)found / TRIALS;
}

/* A little below what is computed in bands, whose sketches are those of texts. */
TEST(similar_texts_are_found_in_collections_of_any_size) {
    static const struct {
        double jaccard, least[TWX_COUNTOF(LIMITS) + 1];
        bool is_short;
    } EXPECTED[] = {{0.32, {0.99, 0.98, 0.965, 0.975, 0.93, 0.83}, true},
                    {0.40, {0.995, 0.995, 0.995, 0.995, 0.99, 0.98}, true},
                    {0.40, {0.92, 0.92, 0.92, 0.92, 0.95, 0.95}, false},
                    {0.50, {0.99, 0.99, 0.99, 0.99, 0.99, 0.99}, false}};
    test_rng rng = test_rng_seed(2);
    for (size_t i = 0; i <= TWX_COUNTOF(LIMITS); i++)
        for (size_t k = 0; k < TWX_COUNTOF(EXPECTED); k++) {
            const uint64_t n = i < TWX_COUNTOF(LIMITS) ? LIMITS[i] : LARGEST;
            const double found = share_found(twx_band_plan_for(n), EXPECTED[k].is_short,
                                             EXPECTED[k].jaccard, &rng);
            print_message("%" PRIu64 " documents, %s texts with %.2f in common: %.2f %% found\n", n,
                          EXPECTED[k].is_short ? "short" : "long", EXPECTED[k].jaccard,
                          100 * found);
            assert_true(found >= EXPECTED[k].least[i]);
        }
}
