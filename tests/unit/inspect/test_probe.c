/* wings: lab */
/* How near two signatures are, for every row of sign/detectors.c that needs no statistics of a
 * collection. */
#include "packed_record.h"

#include "inspect/internal.h"

enum { MILLION = 1000000, TEXTS = 24, TEXT_MAX = 4000, RECORD_MAX = 1 << 20 };

typedef struct fixture {
    twx_ctx cx;
    twx_params params;
    twx_buf records[TEXTS];
    bool asked[256]; /* by id of the detector */
} fixture;

/* Text 0, and copies of it with more and more other words; the last ones are short or empty. */
static size_t make_text(test_rng *rng, size_t number, char text[TEXT_MAX]) {
    size_t n = 0, words = number + 2 < TEXTS ? 300 : number + 1 < TEXTS ? 3 : 0;
    for (size_t i = 0; i < words; i++) {
        const bool other = test_rng_below(rng, 3 * TEXTS) < number * number / 8;
        n += (size_t)snprintf(text + n, TEXT_MAX - n, "%s%zu%s", other ? "odd" : "word",
                              other ? test_rng_below(rng, 1000) : i * i % 97,
                              i % 11 == 10 ? ". " : " ");
    }
    return n;
}

static void sign_texts(fixture *f, const twx_signing *signing) {
    twx_workspace *w = NULL;
    assert_int_equal(twx_workspace_open(&f->cx, &f->params, &w), TWX_OK);
    for (size_t i = 0; i < TEXTS; i++) {
        char bytes[TEXT_MAX];
        test_rng rng = test_rng_seed(i + 1);
        const twx_url url = {.fault = TWX_URL_EMPTY};
        const twx_slice text = {bytes, make_text(&rng, i, bytes)};
        const twx_document doc = {
            .url = &url, .text = text, .title = twx_slice_sub(text, 0, 9), .description = text};
        twx_buf_init(&f->records[i], RECORD_MAX);
        assert_int_equal(twx_sign_document(&f->cx, w, signing, &doc, &f->records[i]), TWX_OK);
        twx_workspace_reset(w);
    }
    twx_workspace_close(w);
}

static void setup(fixture *f) {
    const twx_detector *detectors[256], *d = NULL;
    f->params = twx_params_default();
    f->params.methods.of[TWX_DETECTOR_MINHASH.id][0] = false;
    twx_signing signing = {.params = &f->params, .detectors = detectors};
    for (size_t i = 0; (d = twx_detector_at(i)); i++) {
        if (twx_detector_needs(d, &f->params)) continue;
        detectors[signing.n++] = d;
        f->asked[d->id] = true;
    }
    sign_texts(f, &signing);
    assert_true(signing.n > 6);
}

static void teardown(fixture *f) {
    for (size_t i = 0; i < TEXTS; i++) twx_buf_done(&f->records[i]);
}

static twx_nearness near_of(fixture *f, const twx_detector *d, size_t a, size_t b) {
    twx_record of_a, of_b;
    twx_probe y;
    const twx_record_entry *entry = entry_in(&of_a, &f->records[a], d->id);
    assert_int_equal(twx_probe_open(&f->cx, d, &f->params, entry, &y), TWX_OK);
    twx_nearness near = twx_probe_try(&y, entry_in(&of_b, &f->records[b], d->id));
    twx_probe_done(&y);
    return near;
}

static void check_pair(fixture *f, const twx_detector *d, size_t a, size_t b) {
    const twx_nearness forth = near_of(f, d, a, b), back = near_of(f, d, b, a);
    bool holds = forth.similarity == back.similarity && forth.pair == back.pair &&
                 forth.shared == back.shared && forth.keys == back.other_keys &&
                 forth.other_keys == back.keys;
    holds = holds && forth.similarity >= -1 && forth.similarity <= MILLION;
    holds = holds && forth.shared <= forth.keys && forth.shared <= forth.other_keys;
    holds = holds && (!forth.pair || (forth.shared > 0 && forth.similarity >= 0));
    if (forth.keys == 0 || forth.other_keys == 0)
        holds = holds && forth.similarity == -1 && forth.shared == 0 && !forth.pair;
    if (a == b && forth.keys > 0)
        holds = holds && forth.pair && forth.similarity == MILLION && forth.shared == forth.keys;
    if (!holds)
        fail_msg("%s, texts %zu and %zu: %d and %d, %zu and %zu keys in common", d->name, a, b,
                 forth.similarity, back.similarity, forth.shared, back.shared);
}

TEST_OF(r1_symmetric_and_whole_with_itself, fixture *f) {
    const twx_detector *d = NULL;
    for (size_t i = 0; (d = twx_detector_at(i)); i++)
        if (f->asked[d->id])
            for (size_t a = 0; a < TEXTS; a++)
                for (size_t b = a; b < TEXTS; b++) check_pair(f, d, a, b);
}

/* A signature with a payload says how alike two texts are, not only whether they pass. */
TEST_OF(thresholds_do_not_hide_the_similarity, fixture *f) {
    const twx_detector *d = NULL;
    size_t below = 0;
    for (size_t i = 0; (d = twx_detector_at(i)); i++) {
        if (!f->asked[d->id] || !d->verify) continue;
        for (size_t b = 0; b < TEXTS; b++) {
            const twx_nearness near = near_of(f, d, 0, b);
            below += !near.pair && near.similarity > 0;
        }
    }
    assert_true(below > TEXTS);
}

TEST_OF(without_a_signature_nothing_is_near, fixture *f) {
    const twx_detector *exact = twx_detector_find("exact");
    const twx_nearness near = near_of(f, exact, 0, TEXTS - 1),
                       nothing = near_of(f, exact, TEXTS - 1, TEXTS - 1);
    assert_true(near.keys == 1 && near.other_keys == 0 && near.similarity == -1 && !near.pair);
    assert_true(nothing.keys == 0 && nothing.similarity == -1 && !nothing.pair);
}

TESTS_SHARE(fixture, setup, teardown);
