/* The shingles of a text equal those found the slow way: word by word, line by line, each shingle
 * from scratch. */
#include "text_fixture.h"

enum { SEEDS = 3000, WORDS_MAX = PLAIN_TEXT_MAX };

static twx_ctx cx;
static twx_arena scratch;

static void fixture_open(void) {
    twx_arena_init(&scratch, 1 << 16);
}

static void fixture_close(void) {
    twx_arena_done(&scratch);
}

static uint64_t slow_fold(uint64_t h) {
    return h ^ (h >> 32);
}

static uint64_t slow_word(const char *word, size_t n) {
    uint64_t h = 0;
    for (size_t at = 0; at < n; at += 8) {
        uint64_t number = 0;
        for (size_t i = 0; i < 8 && at + i < n; i++)
            number += (uint64_t)(unsigned char)word[at + i] << (8 * i);
        h = slow_fold((h ^ number) * UINT64_C(0x9E3779B97F4A7C15));
    }
    return h;
}

/* Of words[from], words[from + 1], ..., k of n words, around the end. */
static uint64_t slow_shingle(const uint64_t *words, size_t n, size_t from, size_t k) {
    uint64_t h = 0;
    for (size_t i = 0; i < k; i++) h = h * UINT64_C(0xD1342543DE82EF95) + words[(from + i) % n];
    return slow_fold(slow_fold(h) * UINT64_C(0xAF251AF3B0F025B5));
}

/* Appends the shingles of a line (or a text). */
static size_t slow_line(const twx_shingling *how, twx_slice line, uint64_t *out, size_t *words) {
    static uint64_t hashes[WORDS_MAX];
    char word[PLAIN_TEXT_MAX];
    size_t n = 0, length, units;
    for (size_t at = 0; plain_word(line, &at, word, &length, &units);)
        hashes[n++] = slow_word(word, length);
    *words += n;
    if (n == 0) return 0;
    const size_t k = n < how->words ? n : how->words;
    const size_t count = n < how->words ? 1 : how->wrap ? n : n - k + 1;
    for (size_t i = 0; i < count; i++) out[i] = slow_shingle(hashes, n, i, k);
    return count;
}

static size_t slow_shingles(const twx_shingling *how, twx_slice text, uint64_t *out,
                            size_t *words) {
    size_t n = 0;
    *words = 0;
    if (!how->within_lines) return slow_line(how, text, out, words);
    for (size_t at = 0; at <= text.n;) {
        const size_t end = twx_slice_find(text, '\n', at);
        n += slow_line(how, twx_slice_sub(text, at, end), out + n, words);
        at = end + 1;
    }
    return n;
}

static twx_shingles shingles_of(twx_shingling how, twx_slice text) {
    twx_shingles s;
    assert_ok(twx_shingles_of(&cx, &scratch, &how, text, &s));
    return s;
}

TEST(shingles_equal_those_found_the_slow_way) {
    static uint64_t expected[WORDS_MAX];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        size_t n, words;
        test_rng rng = test_rng_seed(seed);
        char *text = hostile_text(&rng, PLAIN_TEXT_MAX - 1, &n);
        const twx_shingling how = {.words = 1 +
                                            (uint32_t)test_rng_below(&rng, TWX_SHINGLE_WORDS_MAX),
                                   .within_lines = test_rng_below(&rng, 2) == 0,
                                   .wrap = test_rng_below(&rng, 2) == 0};
        const twx_shingles s = shingles_of(how, (twx_slice){text, n});
        const size_t count = slow_shingles(&how, (twx_slice){text, n}, expected, &words);
        if (s.n != count || s.words != words)
            fail_msg("seed %" PRIu64 ": %zu of %zu, expected %zu of %zu", seed, s.n, s.words, count,
                     words);
        for (size_t i = 0; i < count; i++)
            if (s.at[i] != expected[i])
                fail_msg("seed %" PRIu64 ", k %u: shingle %zu differs", seed, how.words, i);
        free(text);
        twx_arena_reset(&scratch);
    }
}

/* Texts whose blocks have words beyond ASCII, words before such bytes, or neither. */
TEST(single_words_equal_shingles_of_one_word) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        size_t n;
        test_rng rng = test_rng_seed(seed);
        char *text = hostile_text(&rng, PLAIN_TEXT_MAX - 1, &n);
        const bool plain = test_rng_below(&rng, 2) == 0;
        for (size_t i = 0; plain && i < n; i++)
            if (i / 300 % 2 == 0) text[i] = (char)(text[i] & 0x7F);
        for (int keep_case = 0; keep_case < 2; keep_case++) {
            const twx_shingling how = {.words = 1, .keep_case = keep_case};
            const twx_shingles expected = shingles_of(how, (twx_slice){text, n});
            twx_shingles s;
            assert_ok(twx_word_shingles(&cx, &scratch, keep_case, (twx_slice){text, n}, &s));
            if (s.n != expected.n || s.words != expected.words ||
                memcmp(s.at, expected.at, s.n * sizeof *s.at) != 0)
                fail_msg("seed %" PRIu64 ": %zu words, expected %zu, or others", seed, s.n,
                         expected.n);
        }
        free(text);
        twx_arena_reset(&scratch);
    }
}

/* Lines that end where a block of the scanner ends, in one piece of more than one block. */
TEST(long_texts_equal_those_found_the_slow_way) {
    static uint64_t expected[WORDS_MAX];
    static char text[PLAIN_TEXT_MAX];
    for (uint64_t seed = 1; seed <= 200; seed++) {
        size_t n = 0, words;
        test_rng rng = test_rng_seed(seed);
        while (n + 20 < sizeof text) {
            for (size_t letters = test_rng_below(&rng, 18); letters > 0; letters--)
                text[n++] = "abcXYZ019"[test_rng_below(&rng, 9)];
            text[n++] = " \n."[test_rng_below(&rng, 3)];
        }
        const twx_shingling how = {.words = 4, .within_lines = test_rng_below(&rng, 2) == 0};
        const twx_shingles s = shingles_of(how, (twx_slice){text, n});
        assert_int_equal(s.n, slow_shingles(&how, (twx_slice){text, n}, expected, &words));
        assert_memory_equal(s.at, expected, s.n * sizeof *s.at);
        twx_arena_reset(&scratch);
    }
}

static size_t count_of(twx_shingling how, const char *text) {
    return shingles_of(how, twx_slice_of(text)).n;
}

TEST(capitals_count_when_they_are_asked_for) {
    const twx_shingling any = {.words = 2}, kept = {.words = 2, .keep_case = true};
    const twx_slice upper = TWX_SLICE_LIT("Licence GRANTED"),
                    lower = TWX_SLICE_LIT("licence granted");
    assert_int_equal(shingles_of(any, upper).at[0], shingles_of(any, lower).at[0]);
    assert_int_not_equal(shingles_of(kept, upper).at[0], shingles_of(kept, lower).at[0]);
    assert_int_equal(shingles_of(kept, lower).at[0], shingles_of(any, lower).at[0]);
}

TEST(r2_what_is_short_has_one_shingle_and_nothing_none) {
    const twx_shingling plain = {.words = 3}, lines = {.words = 3, .within_lines = true},
                        wrap = {.words = 3, .wrap = true},
                        both = {.words = 3, .within_lines = true, .wrap = true};
    assert_int_equal(shingles_of(plain, (twx_slice){NULL, 0}).n, 0);
    assert_int_equal(count_of(plain, ""), 0);
    assert_int_equal(count_of(wrap, " .\n"), 0);
    assert_int_equal(count_of(plain, "a b"), 1);
    assert_int_equal(count_of(wrap, "a b"), 1);
    assert_int_equal(count_of(plain, "a b c"), 1);
    assert_int_equal(count_of(wrap, "a b c"), 3);
    assert_int_equal(count_of(plain, "a b c d"), 2);
    assert_int_equal(count_of(wrap, "a b c d"), 4);
    assert_int_equal(count_of(lines, "a b\n\nc\nd e f g\n"), 1 + 1 + 2);
    assert_int_equal(count_of(both, "a b\n\nc\nd e f g\n"), 1 + 1 + 4);
    assert_int_equal(count_of(plain, "a b\n\nc\nd e f g\n"), 5);
}

TEST(case_and_what_separates_words_never_matter) {
    const twx_shingling how = {.words = 4};
    const char *const same[] = {
        "The quick brown averylongwordindeed \xC3\x84rger kilo",
        "the, QUICK - brown\nAveryLongWordINDEED\t(\xC3\xA4RGER)\xFF Kilo!",
        "tHE quick brown averyLONGwordindeed \xC3\xA4rger \xE2\x84\xAAilo"}; /* the Kelvin sign */
    const twx_shingles first = shingles_of(how, twx_slice_of(same[0]));
    for (size_t i = 1; i < TWX_COUNTOF(same); i++) {
        const twx_shingles s = shingles_of(how, twx_slice_of(same[i]));
        assert_int_equal(s.n, first.n);
        assert_memory_equal(s.at, first.at, s.n * sizeof *s.at);
    }
}

TWX_ORDER_0(ascending, uint64_t)

TEST(unique_sorts_and_drops_repeats) {
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t at[600], expected[600];
        size_t kept = 0;
        test_rng rng = test_rng_seed(seed);
        twx_shingles s = {.at = at, .n = test_rng_below(&rng, seed % 2 ? 60 : 600)};
        const uint64_t mask = seed % 3 == 0   ? 0xFF
                              : seed % 3 == 1 ? UINT64_C(0xFF00000000FF0000)
                                              : UINT64_MAX;
        for (size_t i = 0; i < s.n; i++) expected[i] = at[i] = test_rng_next(&rng) & mask;
        qsort(expected, s.n, sizeof *expected, ascending);
        for (size_t i = 0; i < s.n; i++)
            if (i == 0 || expected[i] != expected[kept - 1]) expected[kept++] = expected[i];
        assert_ok(twx_shingles_unique(&cx, &scratch, &s));
        if (s.n != kept || (kept > 0 && memcmp(s.at, expected, kept * sizeof *expected) != 0))
            fail_msg("seed %" PRIu64, seed);
        twx_arena_reset(&scratch);
    }
}

/* Of shingles from few words in many orders no two collide: polynomials of words that are alike
 * could. */
TEST(different_runs_of_words_have_different_hashes) {
    enum { LETTERS = 7, K = 6, RUNS = 117649 }; /* LETTERS^K */
    static char text[RUNS * 2 * K + 1];
    char *p = text;
    for (size_t run = 0; run < RUNS; run++) {
        size_t rest = run;
        for (int i = 0; i < K; i++, rest /= LETTERS) {
            *p++ = "abcdef1"[rest % LETTERS];
            *p++ = i + 1 < K ? ' ' : '\n';
        }
    }
    twx_shingles s = shingles_of((twx_shingling){.words = K, .within_lines = true},
                                 (twx_slice){text, (size_t)(p - text)});
    assert_int_equal(s.n, RUNS);
    assert_ok(twx_shingles_unique(&cx, &scratch, &s));
    assert_int_equal(s.n, RUNS);
    /* each byte of a hash is evenly spread: chi-square of 255 degrees */
    for (int shift = 0; shift <= 56; shift += 8) {
        size_t counts[256] = {0};
        double chi = 0;
        for (size_t i = 0; i < s.n; i++) counts[s.at[i] >> shift & 0xFF]++;
        for (int v = 0; v < 256; v++)
            chi += ((double)counts[v] - RUNS / 256.0) * ((double)counts[v] - RUNS / 256.0) /
                   (RUNS / 256.0);
        if (chi > 255 + 6 * 22.6) fail_msg("bits from %d: chi-square %.0f", shift, chi);
    }
}

/* Stored payloads are made of these: another value needs new versions of the detectors that have
 * them. */
TEST(hashes_stay_what_they_are) {
    const twx_shingles s = shingles_of((twx_shingling){.words = 2},
                                       TWX_SLICE_LIT("One two thirteenletters"));
    assert_int_equal(s.n, 2);
    if (s.at[0] != UINT64_C(0x1F4B1252561299F8) || s.at[1] != UINT64_C(0xB874B1BCA0739636))
        fail_msg("%016" PRIx64 " %016" PRIx64, s.at[0], s.at[1]);
}

TESTS_WITH(fixture_open, fixture_close);
