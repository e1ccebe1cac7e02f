/* Payload, candidates and verification of content_links. */
#include "detect_fixture.h"

#include "lab/lab.h"

enum {
    MEMORY = 1 << 22,
    ELEMENTS = 2 * TWX_LINK_SCORES,
    PAYLOAD_BYTES = 4 * ELEMENTS,
    MILLION = 1000000
};

static const twx_detector *const D = &TWX_DETECTOR_CONTENT_LINKS;
static const char *const PAGES[][2] = {
    {"http://web.example/a", "several words that make this page about apples and pears"},
    {"http://web.example/b", "another page about boats which nobody rows across harbours"},
    {"http://web.example/c", "nothing here resembles either page, except some words about words"},
};

/* Every page links to the next one, if there are links. */
static void collect(fixture *f, bool links) {
    twx_link_scores_maker *m = NULL;
    assert_ok(twx_link_scores_maker_open(&f->cx, MEMORY, &m));
    for (size_t i = 0; i < TWX_COUNTOF(PAGES); i++) {
        const twx_slice from = twx_slice_of(PAGES[i][0]),
                        to = twx_slice_of(PAGES[(i + 1) % TWX_COUNTOF(PAGES)][0]);
        twx_bag bag;
        assert_ok(twx_bag_of(&f->cx, f->w, twx_slice_of(PAGES[i][1]), &bag));
        assert_ok(twx_link_scores_maker_document(m, from, &bag));
        twx_workspace_reset(f->w);
        if (links) assert_ok(twx_link_scores_maker_link(m, from, to));
    }
    twx_collection_done(&f->collection);
    f->collection.by = &TWX_COLLECTING;
    assert_ok(twx_link_scores_make(m, &f->collection.link_scores));
    twx_link_scores_maker_close(m);
    f->params.collection = &f->collection;
}

/* The number of keys. *ret_payload: a copy, valid until the next call. */
static size_t sign(fixture *f, const char *address, const char *text, twx_slice *ret_payload) {
    static char copy[PAYLOAD_BYTES];
    twx_url url;
    const twx_document doc = {.url = &url, .text = twx_slice_of(text)};
    f->signature.keys.n = 0;
    f->signature.payload = (twx_slice){NULL, 0};
    assert_ok(
        twx_url_normalize(&f->cx, twx_workspace_scratch(f->w), NULL, twx_slice_of(address), &url));
    assert_ok(D->sign(&f->cx, f->w, &f->params, &doc, &f->signature));
    if (f->signature.payload.n == PAYLOAD_BYTES)
        memcpy(copy, f->signature.payload.p, PAYLOAD_BYTES);
    *ret_payload = (twx_slice){copy, f->signature.payload.n};
    twx_workspace_reset(f->w);
    return f->signature.keys.n;
}

TEST_OF(the_payload_is_both_vectors, fixture *f) {
    twx_slice payload;
    int32_t values[ELEMENTS];
    twx_bag bag;
    collect(f, true);
    for (size_t i = 0; i < TWX_COUNTOF(PAGES); i++) {
        assert_int_equal(sign(f, PAGES[i][0], PAGES[i][1], &payload), 1);
        assert_int_equal(payload.n, PAYLOAD_BYTES);
        assert_ok(twx_bag_of(&f->cx, f->w, twx_slice_of(PAGES[i][1]), &bag));
        twx_project(&bag, values);
        twx_workspace_reset(f->w);
        assert_true(twx_link_scores_find(f->collection.link_scores, twx_slice_of(PAGES[i][0]),
                                         values + TWX_LINK_SCORES));
        for (size_t k = 0; k < ELEMENTS; k++)
            assert_int_equal((int32_t)twx_load_le32(payload.p + 4 * k), values[k]);
    }
}

TEST_OF(who_is_not_among_the_links_has_no_key, fixture *f) {
    twx_collection empty = {0};
    twx_slice payload;
    assert_int_equal(sign(f, PAGES[0][0], PAGES[0][1], &payload), 0); /* no collection */
    f->params.collection = &empty;
    assert_int_equal(sign(f, PAGES[0][0], PAGES[0][1], &payload), 0); /* one without values */
    collect(f, false);
    assert_int_equal(f->collection.link_scores->links, 0);
    assert_int_equal(sign(f, PAGES[0][0], PAGES[0][1], &payload), 0); /* no links */
    collect(f, true);
    assert_int_equal(sign(f, PAGES[0][0], PAGES[0][1], &payload), 1);
    assert_int_equal(sign(f, "http://web.example/unknown", PAGES[0][1], &payload), 0);
    assert_int_equal(sign(f, "no url", PAGES[0][1], &payload), 0);
    assert_int_equal(sign(f, PAGES[0][0], "", &payload), 0);
    assert_int_equal(sign(f, PAGES[0][0], "of to in", &payload), 0); /* no word that counts */
    assert_int_equal(payload.n, 0);
}

/* ---- pairs -------------------------------------------------------------- */

typedef struct packed {
    char bytes[PAYLOAD_BYTES];
} packed;

static packed pack(const int32_t values[ELEMENTS]) {
    packed p;
    for (size_t k = 0; k < ELEMENTS; k++) twx_store_le32(p.bytes + 4 * k, (uint32_t)values[k]);
    return p;
}

static twx_slice slice_of(const packed *p) {
    return (twx_slice){p->bytes, PAYLOAD_BYTES};
}

static bool share_a_key(const twx_params *params, const packed *a, const packed *b) {
    twx_key of_a[TWX_CANDIDATE_KEYS_MAX], of_b[TWX_CANDIDATE_KEYS_MAX];
    const twx_signed x = {.payload = slice_of(a)}, y = {.payload = slice_of(b)};
    const size_t n = D->candidates(params, &x, of_a), m = D->candidates(params, &y, of_b);
    assert_true(n > 0 && n <= TWX_CANDIDATE_KEYS_MAX && n == m);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            if (of_a[i].key == of_b[j].key && of_a[i].check == of_b[j].check) return true;
    return false;
}

TEST_OF(verification_is_the_largest_difference, fixture *f) {
    int32_t values[ELEMENTS] = {0, -5, 1000000, -1000000, 7, 8, 9, 10};
    f->params.methods.of[TWX_DETECTOR_CONTENT_LINKS.id][0] = 50000;
    const packed a = pack(values);
    assert_int_equal(D->verify(&f->params, slice_of(&a), slice_of(&a)), MILLION);
    for (size_t k = 0; k < ELEMENTS; k++) {
        const int32_t before = values[k];
        values[k] = before + (before > 0 ? -50000 : 50000);
        const packed near = pack(values);
        assert_int_equal(D->verify(&f->params, slice_of(&a), slice_of(&near)), MILLION - 50000);
        assert_int_equal(D->verify(&f->params, slice_of(&near), slice_of(&a)), MILLION - 50000);
        values[k] = before + (before > 0 ? -50001 : 50001);
        const packed far = pack(values);
        assert_int_equal(D->verify(&f->params, slice_of(&a), slice_of(&far)), -1);
        values[k] = before;
    }
    assert_int_equal(D->verify(&f->params, slice_of(&a), (twx_slice){a.bytes, PAYLOAD_BYTES - 1}),
                     -1);
    assert_int_equal(D->verify(&f->params, (twx_slice){NULL, 0}, slice_of(&a)), -1);
    f->params.methods.of[TWX_DETECTOR_CONTENT_LINKS.id][0] =
        2000000; /* whatever is asked for, never below 0 */
    values[0] = INT32_MAX / 1000;
    const packed other = pack(values);
    assert_true(D->verify(&f->params, slice_of(&a), slice_of(&other)) >= -1);
}

TEST_OF(r5_pairs_that_verify_share_a_candidate_key, fixture *f) {
    static const uint32_t TOLERANCES[] = {0, 1, 2, 3, 777, 50000, 333333, 1000000};
    size_t pairs = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        test_rng rng = test_rng_seed(seed);
        const uint32_t tolerance = TOLERANCES[seed % TWX_COUNTOF(TOLERANCES)];
        int32_t values[ELEMENTS], other[ELEMENTS];
        f->params.methods.of[TWX_DETECTOR_CONTENT_LINKS.id][0] = tolerance;
        for (size_t k = 0; k < ELEMENTS; k++) {
            /* the largest difference that is allowed is the hardest case: draw it often */
            const int32_t step = test_rng_below(&rng, 2)
                                     ? (int32_t)tolerance
                                     : (int32_t)test_rng_below(&rng, tolerance + 1);
            values[k] = (int32_t)test_rng_below(&rng, 2 * MILLION + 1) - MILLION;
            other[k] = values[k] + (test_rng_below(&rng, 2) ? step : -step);
        }
        const packed a = pack(values), b = pack(other);
        assert_true(D->verify(&f->params, slice_of(&a), slice_of(&b)) >= 0);
        pairs += share_a_key(&f->params, &a, &b);
        if (pairs < seed) fail_msg("seed %" PRIu64 ", tolerance %" PRIu32, seed, tolerance);
    }
}

TEST_OF(strangers_rarely_share_a_key, fixture *f) {
    size_t shared = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        test_rng rng = test_rng_seed(seed);
        int32_t values[ELEMENTS], other[ELEMENTS];
        for (size_t k = 0; k < ELEMENTS; k++) {
            values[k] = (int32_t)test_rng_below(&rng, 2 * MILLION + 1) - MILLION;
            other[k] = (int32_t)test_rng_below(&rng, 2 * MILLION + 1) - MILLION;
        }
        const packed a = pack(values), b = pack(other);
        shared += share_a_key(&f->params, &a, &b);
    }
    assert_true(shared <= 2);
}

/* What is stored may be damaged. */
TEST_OF(a_payload_of_another_length_has_no_keys, fixture *f) {
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    const twx_signed odd = {.first = {5, 6}, .payload = {"abc", 3}};
    assert_int_equal(D->candidates(&f->params, &odd, keys), 0);
}
