/* The best sentences are those a slow search finds, whatever the text; leaving out what is too
 * short changes nothing. */
#include "sentence_texts.h"

#include "lab/lab.h"

enum { SENTENCES_MAX = 300, ROUNDS = 1500 };

/* A word weighs its length in units, minus 5: some weigh nothing, some less. Words of one unit do
 * not count. */
static int64_t weight_of(size_t units) {
    return (int64_t)units - 5;
}

static twx_rc weigh(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight) {
    (void)cx;
    (void)arg;
    if (word->units < 2) return TWX_DONE;
    *ret_weight = weight_of(word->units);
    return TWX_OK;
}

static twx_rc weigh_long_ones(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight) {
    (void)cx;
    (void)arg;
    if (word->units < 4) return TWX_DONE;
    *ret_weight = 1;
    return TWX_OK;
}

static twx_rc weigh_most(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight) {
    (void)cx;
    (void)arg;
    *ret_weight = word->text.p[0] == 'm' ? INT64_MIN + 1 : INT64_MAX - 1;
    return TWX_OK;
}

static twx_rc weigh_never(twx_ctx *cx, void *arg, const twx_token *word, int64_t *ret_weight) {
    (void)arg;
    (void)ret_weight;
    return word->text.p[0] == 'x' ? twx_fail(cx, TWX_E_INTERNAL, "a word with x") : TWX_DONE;
}

/* False: no word counts. */
static bool slow_read(twx_slice sentence, slow_sentence *ret_read) {
    char word[PLAIN_TEXT_MAX];
    size_t at = 0, n, units;
    bool counts = false;
    *ret_read = (slow_sentence){.n = 0};
    while (plain_word(sentence, &at, word, &n, &units)) {
        if (ret_read->n > 0) ret_read->text[ret_read->n++] = ' ';
        memcpy(ret_read->text + ret_read->n, word, n);
        ret_read->n += n;
        if (units < 2) continue;
        counts = true;
        ret_read->weight += weight_of(units);
    }
    return counts;
}

/* All that count, in order, none twice; returns how many there are. */
static size_t slow_sentences(fixture *f, twx_slice text, slow_sentence *ret_all,
                             uint64_t *ret_counted) {
    twx_sentences *s = NULL;
    twx_slice sentence;
    size_t n = 0, kept = 0;
    assert_ok(twx_workspace_sentences(&f->cx, f->w, &s));
    twx_sentences_start(s, text);
    while (twx_sentences_next(&f->cx, s, &sentence) == TWX_OK) {
        assert_true(n < SENTENCES_MAX);
        n += slow_read(sentence, &ret_all[n]);
    }
    qsort(ret_all, n, sizeof *ret_all, slow_order);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || slow_order(&ret_all[i], &ret_all[kept - 1]) != 0)
            ret_all[kept++] = ret_all[i];
    *ret_counted = n;
    return kept;
}

TEST_OF(r1_r2_r3_a_slow_search_finds_the_same, fixture *f) {
    static slow_sentence all[SENTENCES_MAX];
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        twx_best_sentences best;
        uint64_t counted = 0;
        size_t n;
        char *text = seed % 3 ? random_sentences(&rng, &n) : hostile_text(&rng, 900, &n);
        const twx_sentence_rule rule = {.keep = 1 + seed % TWX_BEST_SENTENCES_MAX, .weigh = weigh};
        const size_t there = slow_sentences(f, (twx_slice){text, n}, all, &counted);
        assert_ok(twx_best_sentences_of(&f->cx, f->w, &rule, (twx_slice){text, n}, &best));
        if (best.n != (there < rule.keep ? there : rule.keep) || best.counted != counted)
            fail_msg("seed %" PRIu64 ": %zu sentences of %" PRIu64, seed, best.n, best.counted);
        for (size_t i = 0; i < best.n; i++)
            if (!twx_slice_eq(best.text[i], (twx_slice){all[i].text, all[i].n}))
                fail_msg("seed %" PRIu64 ", %zu: '" TWX_SLICE_FMT "'", seed, i,
                         TWX_SLICE_ARG(best.text[i]));
        twx_workspace_reset(f->w);
        free(text);
    }
}

TEST_OF(what_is_too_short_may_be_left_out, fixture *f) {
    size_t left_out = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        twx_best_sentences all, some;
        size_t n;
        char *text = random_sentences(&rng, &n);
        const twx_sentence_rule reads_all = {.keep = 1 + seed % 3, .weigh = weigh_long_ones};
        const twx_sentence_rule leaves_out = {reads_all.keep, .word_bytes = 4, .word_weight = 1,
                                              .weigh = weigh_long_ones};
        assert_ok(twx_best_sentences_of(&f->cx, f->w, &reads_all, (twx_slice){text, n}, &all));
        assert_ok(twx_best_sentences_of(&f->cx, f->w, &leaves_out, (twx_slice){text, n}, &some));
        assert_int_equal(all.n, some.n);
        for (size_t i = 0; i < all.n; i++)
            if (!twx_slice_eq(all.text[i], some.text[i]))
                fail_msg("seed %" PRIu64 ", sentence %zu", seed, i);
        left_out += all.counted > some.counted;
        twx_workspace_reset(f->w);
        free(text);
    }
    assert_true(left_out > ROUNDS / 4); /* the law was put to the test */
}

TEST_OF(sums_stay_within_64_bits, fixture *f) {
    twx_best_sentences best;
    const twx_sentence_rule rule = {.keep = 3, .weigh = weigh_most};
    const twx_slice text = TWX_SLICE_LIT("minus minus. minus. b b b b b b. a a a a. one");
    assert_ok(twx_best_sentences_of(&f->cx, f->w, &rule, text, &best));
    assert_int_equal(best.n, 3);
    assert_true(twx_slice_eq(best.text[0], TWX_SLICE_LIT("a a a a")));
    assert_true(twx_slice_eq(best.text[1], TWX_SLICE_LIT("b b b b b b")));
    assert_true(twx_slice_eq(best.text[2], TWX_SLICE_LIT("one")));
    /* the largest word weight times the words of a long sentence is more than 64 bits hold: it has
     * to be read */
    const twx_sentence_rule huge = {
        .keep = 1, .word_bytes = 1, .word_weight = INT64_MAX - 1, .weigh = weigh_most};
    assert_ok(twx_best_sentences_of(&f->cx, f->w, &huge, text, &best));
    assert_true(twx_slice_eq(best.text[0], TWX_SLICE_LIT("a a a a")));
}

TEST_OF(errors_of_the_weight_and_of_the_pattern_are_handed_on, fixture *f) {
    twx_best_sentences best = {.n = 77};
    const twx_sentence_rule rule = {.keep = 2, .weigh = weigh_never};
    assert_ok(twx_best_sentences_of(&f->cx, f->w, &rule, TWX_SLICE_LIT("one two. three"), &best));
    assert_int_equal(best.n, 0);
    best.n = 77;
    assert_int_equal(
        twx_best_sentences_of(&f->cx, f->w, &rule, TWX_SLICE_LIT("one. xylophone"), &best),
        TWX_E_INTERNAL);
    assert_int_equal(best.n, 77);
    twx_ctx_clear(&f->cx);
    twx_workspace_close(f->w);
    f->params.sentence_end = "[";
    assert_ok(twx_workspace_open(&f->cx, &f->params, &f->w));
    assert_int_equal(twx_best_sentences_of(&f->cx, f->w, &rule, TWX_SLICE_LIT("one"), &best),
                     TWX_E_CONFIG);
}

TEST_OF(the_pattern_is_part_of_the_fingerprint, fixture *f) {
    const uint64_t plain = twx_best_sentences_fingerprint(&f->params);
    f->params.sentence_end = ";";
    assert_true(twx_best_sentences_fingerprint(&f->params) != plain);
}
