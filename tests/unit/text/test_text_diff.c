/* The differing passages of two texts: examples, and laws over random and hostile texts. */
#include "text_fixture.h"

#include <signal.h>

enum { ROUNDS = 4000, SHOWN_MAX = 8192, LARGE = 60 << 10 };

static twx_text_diff passages_of(twx_slice a, twx_slice b) {
    twx_ctx cx = {0};
    twx_text_diff p;
    assert_ok(twx_text_diff_of(&cx, a, b, &p));
    return p;
}

/* wanted: "=both|-only a|+only b|"; a passage that both have as b spells it. */
static void expect(const char *a, const char *b, const char *wanted) {
    char found[SHOWN_MAX] = "";
    twx_text_diff p = passages_of(twx_slice_of(a), twx_slice_of(b));
    size_t n = 0;
    for (size_t i = 0; i < p.at.n; i++) {
        const twx_passage *passage = &p.at.at[i];
        twx_slice text = passage->kind == TWX_PASSAGE_ONLY_A ? passage->a : passage->b;
        n += (size_t)snprintf(found + n, sizeof found - n, "%c" TWX_SLICE_FMT "|",
                              "=-+"[passage->kind], TWX_SLICE_ARG(text));
        assert_true(n < sizeof found);
    }
    assert_string_equal(found, wanted);
    assert_false(p.coarse);
    twx_text_diff_done(&p);
}

TEST(examples) {
    expect("", "", "");
    expect("", "a b", "+a b|");
    expect("a b", "", "-a b|");
    expect("the same", "the same", "=the same|");
    expect("The quick brown fox. It jumps.", "The quick red fox. It jumps.",
           "=The quick |-brown |+red |=fox. It jumps.|");
    expect("One. Two. Three.", "One. Three.", "=One. |-Two. |=Three.|");
    expect("One.\nThree.", "One.\nTwo.\nThree.", "=One.\n|+Two.\n|=Three.|");
    expect("x y z a b c", "a b c x y z", "-x y z |=a b c |+x y z|");
}

TEST(r2_white_space_between_words_is_not_compared) {
    expect("a  b\n\nc", "a b c ", "=a b c |");
    expect(" a. b", "a. b", "=a. b|");
    expect("ab", "a b", "-ab|+a b|");
}

TEST(words_end_after_punctuation_marks) {
    expect("see example.org/a for it", "see example.org/b for it",
           "=see example.org/|-a |+b |=for it|");
    expect("(a)", "(b)", "=(|-a)|+b)|");
}

TEST(a_chinese_character_is_a_word) {
    expect("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", "\xE6\x97\xA5\xE8\xAA\x9E",
           "=\xE6\x97\xA5|-\xE6\x9C\xAC|=\xE8\xAA\x9E|");
}

/* ---- laws --------------------------------------------------------------- */

/* Equal but for white space. */
static bool same_words(twx_slice a, twx_slice b) {
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a.n && twx_is_space((unsigned char)a.p[i])) i++;
        while (j < b.n && twx_is_space((unsigned char)b.p[j])) j++;
        if (i == a.n || j == b.n) return i == a.n && j == b.n;
        if (a.p[i++] != b.p[j++]) return false;
    }
}

static void check(twx_slice a, twx_slice b, uint64_t seed) {
    twx_text_diff p = passages_of(a, b);
    size_t at_a = 0, at_b = 0;
    for (size_t i = 0; i < p.at.n; i++) {
        const twx_passage *passage = &p.at.at[i], *before = i ? passage - 1 : NULL;
        const bool both = passage->kind == TWX_PASSAGE_BOTH;
        bool holds = passage->a.p == a.p + at_a && passage->b.p == b.p + at_b; /* R1 */
        holds = holds && (passage->a.n > 0) == (passage->kind != TWX_PASSAGE_ONLY_B);
        holds = holds && (passage->b.n > 0) == (passage->kind != TWX_PASSAGE_ONLY_A);
        holds = holds && (!both || same_words(passage->a, passage->b)); /* R2 */
        holds = holds && (!before || before->kind != passage->kind);    /* R3 */
        holds = holds && (!before || before->kind != TWX_PASSAGE_ONLY_B || both);
        if (!holds) fail_msg("seed %" PRIu64 ", passage %zu", seed, i);
        at_a += passage->a.n;
        at_b += passage->b.n;
    }
    if (at_a != a.n || at_b != b.n) fail_msg("seed %" PRIu64 ": the passages end early", seed);
    twx_text_diff_done(&p);
}

/* Few different words, so that texts have much in common, in any order. */
static size_t any_words(test_rng *rng, char out[PLAIN_TEXT_MAX]) {
    static const char *const WORDS[] = {"a ",           "b ", "c. ", "d\n", "\xE3\x80\x82",
                                        "\xE6\x97\xA5", "e",  "  ",  "f! ", "."};
    size_t n = 0, kinds = 2 + test_rng_below(rng, TWX_COUNTOF(WORDS) - 1);
    for (size_t words = test_rng_below(rng, 150); words > 0; words--) {
        const char *word = WORDS[test_rng_below(rng, kinds)];
        memcpy(out + n, word, strlen(word));
        n += strlen(word);
    }
    return n;
}

TEST(r1_r2_r3_for_texts_of_few_words) {
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        char text_a[PLAIN_TEXT_MAX], text_b[PLAIN_TEXT_MAX];
        size_t n = any_words(&rng, text_a), m = any_words(&rng, text_b);
        char *a = test_exact(text_a, n), *b = test_exact(text_b, m);
        check((twx_slice){a, n}, (twx_slice){b, m}, seed);
        free(a);
        free(b);
    }
}

TEST(r1_r2_r3_for_any_bytes) {
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        size_t n = 0, m = 0;
        char *a = hostile_text(&rng, 300, &n), *b = hostile_text(&rng, 300, &m);
        check((twx_slice){a, n}, (twx_slice){b, m}, seed);
        free(a);
        free(b);
    }
}

/* One word dropped, added or replaced is told as that and nothing else, wherever it stands. */
TEST(one_edit_is_one_difference) {
    for (uint64_t seed = 1; seed <= 500; seed++) {
        test_rng rng = test_rng_seed(seed);
        char a[PLAIN_TEXT_MAX], b[PLAIN_TEXT_MAX];
        size_t n = 0, m = 0, words = 5 + test_rng_below(&rng, 200),
               at = test_rng_below(&rng, words);
        for (size_t i = 0; i < words; i++) {
            char word[16];
            int length = snprintf(word, sizeof word, "w%zu%s", test_rng_below(&rng, 40),
                                  i % 9 == 8 ? ". " : " ");
            memcpy(a + n, word, (size_t)length);
            n += (size_t)length;
            if (i == at) m += (size_t)snprintf(b + m, sizeof b - m, "ODD ");
            memcpy(b + m, word, (size_t)length);
            m += (size_t)length;
        }
        twx_text_diff p = passages_of((twx_slice){a, n}, (twx_slice){b, m});
        size_t differing = 0, bytes = 0;
        for (size_t i = 0; i < p.at.n; i++) {
            differing += p.at.at[i].kind != TWX_PASSAGE_BOTH;
            bytes += p.at.at[i].kind == TWX_PASSAGE_ONLY_B ? p.at.at[i].b.n : 0;
        }
        if (differing != 1 || bytes != 4)
            fail_msg("seed %" PRIu64 ": %zu passages, %zu bytes", seed, differing, bytes);
        twx_text_diff_done(&p);
    }
}

/* ---- hostile texts ------------------------------------------------------ */

static void fill(char *text, size_t n, const char *letters, uint64_t seed) {
    test_rng rng = test_rng_seed(seed);
    for (size_t i = 0; i < n; i++) text[i] = letters[test_rng_below(&rng, strlen(letters))];
}

TEST(r5_texts_that_differ_everywhere_give_a_coarse_answer) {
    static const char *const LETTERS[] = {"ab ", "ab.", "a\n", ".", " ", "a b c d e f. g h"};
    char *a = malloc(LARGE), *b = malloc(LARGE);
    assert_true(a && b);
    for (size_t i = 0; i < TWX_COUNTOF(LETTERS); i++) {
        fill(a, LARGE, LETTERS[i], 1);
        fill(b, LARGE, LETTERS[i], 2);
        check((twx_slice){a, LARGE}, (twx_slice){b, LARGE}, i);
        check((twx_slice){a, LARGE}, (twx_slice){b, LARGE / 2}, i);
    }
    fill(a, LARGE, "ab ", 1);
    fill(b, LARGE, "ab ", 2);
    twx_text_diff p = passages_of((twx_slice){a, LARGE}, (twx_slice){b, LARGE});
    assert_true(p.coarse);
    twx_text_diff_done(&p);
    free(a);
    free(b);
}

TEST(cancelling_ends_it) {
    twx_ctx cx = {0};
    atomic_int cancel;
    twx_text_diff p = {0};
    atomic_init(&cancel, SIGTERM);
    cx.cancel = &cancel;
    assert_int_equal(twx_text_diff_of(&cx, TWX_SLICE_LIT("a b a"), TWX_SLICE_LIT("b a b"), &p),
                     TWX_E_TERMINATED);
    assert_int_equal(p.at.n, 0);
}

TEST(absent_texts_are_empty_ones) {
    const twx_slice absent = {NULL, 0};
    twx_text_diff p = passages_of(absent, absent);
    assert_int_equal(p.at.n, 0);
    twx_text_diff_done(&p);
    p = passages_of(absent, TWX_SLICE_LIT("a"));
    assert_int_equal(p.at.n, 1);
    assert_int_equal(p.at.at[0].kind, TWX_PASSAGE_ONLY_B);
    twx_text_diff_done(&p);
    twx_text_diff_done(NULL);
}
