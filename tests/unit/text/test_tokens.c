/* The words of a text, and how often they occur. */
#include "text_fixture.h"

enum { SEEDS = 4000 };

/* The words joined by '|'. */
static void assert_words(const char *text, size_t n, const char *expected) {
    twx_ctx cx = {0};
    twx_tokens t;
    twx_token token;
    twx_buf words = {.max = 1000};
    char *exact = test_exact(text, n);
    twx_tokens_init(&t);
    twx_tokens_start(&t, (twx_slice){exact, n});
    while (twx_tokens_next(&cx, &t, &token) == TWX_OK) {
        if (words.n > 0) assert_ok(twx_buf_add_char(&cx, &words, '|'));
        assert_ok(twx_buf_add_slice(&cx, &words, token.text));
    }
    if (!twx_slice_eq(twx_buf_slice(&words), twx_slice_of(expected)))
        fail_msg("words '" TWX_SLICE_FMT "', expected '%s'", TWX_SLICE_ARG(twx_buf_slice(&words)),
                 expected);
    twx_buf_done(&words);
    twx_tokens_done(&t);
    free(exact);
}

#define ASSERT_WORDS(text, expected) assert_words((text), sizeof(text) - 1, (expected))

TEST(words_are_runs_of_letters_and_digits) {
    ASSERT_WORDS("", "");
    ASSERT_WORDS(" .,;", "");
    ASSERT_WORDS("one", "one");
    ASSERT_WORDS("One two2-3THREE", "one|two2|3three");
    ASSERT_WORDS("snake_case don't", "snake|case|don|t");
    ASSERT_WORDS("\xC3\x84rger \xC4\xB0z \xE6\xBC\xA2\xE5\xAD\x97",
                 "\xC3\xA4rger|iz|\xE6\xBC\xA2\xE5\xAD\x97");
    ASSERT_WORDS("plain\u00dcber plain\xC2\xA0plain", "plain\u00fcber|plain|plain");
}

TEST(words_longer_than_a_step_are_whole) {
    ASSERT_WORDS("aaaaaaaa bbbbbbbbb CCCCCCCCCCCCCCCCC", "aaaaaaaa|bbbbbbbbb|ccccccccccccccccc");
    ASSERT_WORDS("abcdefghijklmnopQ", "abcdefghijklmnopq");
    ASSERT_WORDS("abcdefgh\u00c4bcdefghI", "abcdefgh\u00e4bcdefghi");
}

TEST(r1_hostile_bytes_separate) {
    ASSERT_WORDS("a\0b\0\0c", "a|b|c");
    ASSERT_WORDS("a\xFF"
                 "b\xC3"
                 "c\xE2\x82"
                 "d\xF0\x9F\x98"
                 "e",
                 "a|b|c|d|e");
    ASSERT_WORDS("a\U0001f600b\xF0\x90\x90\x80", "a|b");
    ASSERT_WORDS("a\xED\xA0\x80"
                 "b",
                 "a|b");
    ASSERT_WORDS("\xC3", "");
    ASSERT_WORDS("ab\xC3", "ab");
}

TEST(an_absent_text_has_no_words) {
    twx_ctx cx = {0};
    twx_tokens t;
    twx_token token;
    twx_tokens_init(&t);
    twx_tokens_start(&t, (twx_slice){NULL, 0});
    assert_int_equal(twx_tokens_next(&cx, &t, &token), TWX_DONE);
    assert_int_equal(twx_tokens_next(&cx, &t, &token), TWX_DONE);
    twx_tokens_done(&t);
}

TEST(a_word_knows_where_it_starts) {
    static const char TEXT[] = "one Two-\xC3\x84rger";
    static const size_t STARTS[] = {0, 4, 8};
    twx_ctx cx = {0};
    twx_tokens t;
    twx_token token;
    twx_tokens_init(&t);
    twx_tokens_start(&t, twx_slice_of(TEXT));
    for (size_t i = 0; i < TWX_COUNTOF(STARTS); i++) {
        assert_ok(twx_tokens_next(&cx, &t, &token));
        assert_ptr_equal(token.start, t.end - (sizeof TEXT - 1) + STARTS[i]);
    }
    twx_tokens_done(&t);
}

TEST(r3_a_word_before_a_byte_beyond_ascii_is_lowered) {
    static const char TEXT[] = "One\xC2\xA0Two Three\xFF";
    static const twx_token_kind KINDS[] = {TWX_TOKEN_LOWERED, TWX_TOKEN_ASCII, TWX_TOKEN_LOWERED};
    twx_ctx cx = {0};
    twx_tokens t;
    twx_token token;
    twx_tokens_init(&t);
    twx_tokens_start(&t, twx_slice_of(TEXT));
    for (size_t i = 0; i < TWX_COUNTOF(KINDS); i++) {
        assert_ok(twx_tokens_next_raw(&cx, &t, &token));
        assert_int_equal(token.kind, KINDS[i]);
    }
    assert_int_equal(twx_tokens_next_raw(&cx, &t, &token), TWX_DONE);
    twx_tokens_done(&t);
}

/* Is the word of a text that is repeated always written with a capital? */
static bool has_capital(const char *text) {
    twx_ctx cx = {0};
    twx_word_counts c;
    twx_word word;
    size_t at = 0;
    twx_word_counts_init(&c, 7);
    assert_ok(twx_word_counts_of(&cx, &c, twx_slice_of(text), 0));
    assert_true(twx_word_counts_next(&c, 2, &at, &word));
    const bool capital = word.capital;
    assert_false(twx_word_counts_next(&c, 2, &at, &word));
    twx_word_counts_done(&c);
    return capital;
}

TEST(a_capital_is_one_every_time) {
    assert_true(has_capital("Ink and Ink"));
    assert_true(has_capital("INK and Ink"));
    assert_false(has_capital("Ink and ink"));
    assert_false(has_capital("ink and Ink"));
    assert_false(has_capital("iNK and iNK"));
    assert_false(has_capital("7Ink and 7Ink"));
    assert_true(has_capital("Averylongwordindeed and Averylongwordindeed"));
    assert_false(has_capital("Averylongwordindeed and averylongwordindeed"));
    assert_true(has_capital("\xC3\x84rger and \xC3\x84rger"));
    assert_false(has_capital("\xC3\x84rger and \xC3\xA4rger"));
    assert_false(has_capital("\xD7\xA9\xD7\x9C and \xD7\xA9\xD7\x9C"));
}

TEST(the_scanner_agrees_with_the_slow_way) {
    twx_ctx cx = {0};
    twx_tokens t;
    twx_tokens_init(&t);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        twx_slice text;
        twx_token token;
        size_t at = 0, n, units;
        char word[PLAIN_TEXT_MAX];
        char *owned = hostile_text(&rng, 400, &text.n);
        text.p = owned;
        twx_tokens_start(&t, text);
        while (plain_word(text, &at, word, &n, &units)) {
            if (twx_tokens_next(&cx, &t, &token) != TWX_OK || token.units != units ||
                !twx_slice_eq(token.text, (twx_slice){word, n}))
                fail_msg("seed %" PRIu64 ", before byte %zu", seed, at);
        }
        if (twx_tokens_next(&cx, &t, &token) != TWX_DONE)
            fail_msg("seed %" PRIu64 ": a word too many", seed);
        free(owned);
    }
    twx_tokens_done(&t);
}

static uint32_t plain_count(twx_slice text, twx_slice wanted) {
    size_t at = 0, n, units;
    char word[PLAIN_TEXT_MAX];
    uint32_t count = 0;
    while (plain_word(text, &at, word, &n, &units))
        count += twx_slice_eq((twx_slice){word, n}, wanted);
    return count;
}

/* Each word of the counts occurs so often, has its length and its head; returns the sum. */
static uint64_t check_counts(const twx_word_counts *c, twx_slice text, uint64_t seed) {
    twx_word word;
    uint64_t sum = 0;
    uint32_t most = 0;
    size_t distinct = 0;
    for (size_t at = 0; twx_word_counts_next(c, 1, &at, &word); distinct++) {
        char bytes[PLAIN_TEXT_MAX];
        size_t n = (size_t)(twx_word_put(&word, bytes) - bytes);
        if (n != twx_word_length(&word) || word.count != plain_count(text, (twx_slice){bytes, n}))
            fail_msg("seed %" PRIu64 ": word '%.*s' %u times", seed, (int)n, bytes, word.count);
        sum += word.count;
        most = word.count > most ? word.count : most;
    }
    assert_int_equal(distinct, twx_word_counts_distinct(c, 1));
    assert_int_equal(most, c->most);
    return sum;
}

TEST(r1_counts_agree_with_the_slow_way) {
    twx_ctx cx = {0};
    twx_word_counts c;
    twx_word_counts_init(&c, 42);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        twx_slice text;
        const size_t min_units = seed % 4;
        size_t at = 0, n, units;
        uint64_t words = 0;
        char word[PLAIN_TEXT_MAX];
        char *owned = hostile_text(&rng, 400, &text.n);
        text.p = owned;
        while (plain_word(text, &at, word, &n, &units)) words += units > min_units;
        assert_ok(twx_word_counts_of(&cx, &c, text, min_units));
        if (check_counts(&c, text, seed) != words)
            fail_msg("seed %" PRIu64 ": sum of counts", seed);
        free(owned);
    }
    twx_word_counts_done(&c);
}

/* Numbers in letters, some words short, some long. */
static size_t add_number(char *out, uint64_t v) {
    size_t n = 0, tail = v % 3 == 0 ? 9 : 3;
    do out[n++] = (char)((v % 2 ? 'a' : 'A') + v % 26);
    while (v /= 26);
    memset(out + n, 'x', tail);
    n += tail;
    out[n++] = ' ';
    return n;
}

TEST(a_table_that_grows_loses_nothing_and_shrinks_again) {
    enum { WORDS = 200000, WORD_MAX = 32 };
    twx_ctx cx = {0};
    twx_word_counts c;
    twx_word word;
    size_t n = 0, twice = 0;
    char *text = malloc((size_t)WORDS * 2 * WORD_MAX);
    assert_non_null(text);
    twx_word_counts_init(&c, 7);
    for (uint64_t i = 0; i < 2 * WORDS; i++)
        n += add_number(text + n, UINT64_C(1000000) + i % WORDS);
    assert_ok(twx_word_counts_of(&cx, &c, (twx_slice){text, n}, 2));
    for (size_t at = 0; twx_word_counts_next(&c, 2, &at, &word);) twice += word.count % 2 == 0;
    assert_int_equal(twice, twx_word_counts_distinct(&c, 1));
    assert_true(c.table[0].room > TWX_WORD_COUNTS_KEEP);
    /* what the header promises */
    assert_true(c.table[0].room <= 3 * twx_word_counts_distinct(&c, 1));
    assert_ok(twx_word_counts_of(&cx, &c, TWX_SLICE_LIT("small"), 2));
    assert_int_equal(twx_word_counts_distinct(&c, 1), 1);
    assert_true(c.table[0].room <= TWX_WORD_COUNTS_KEEP);
    twx_word_counts_done(&c);
    free(text);
}

TEST(memory_that_runs_out_is_reported) {
    const twx_slice text = TWX_SLICE_LIT("Words Of_Capitals and \xC3\x84rgernisse VERYLONGWORDS");
    for (uint64_t nth = 1; nth <= 6; nth++) {
        twx_ctx cx = {0};
        twx_word_counts c;
        twx_faults faults = {.fail_at = nth};
        cx.faults = &faults;
        twx_word_counts_init(&c, 1);
        twx_rc rc = twx_word_counts_of(&cx, &c, text, 0);
        assert_int_equal(rc, atomic_load(&faults.count) >= nth ? TWX_E_NOMEM : TWX_OK);
        cx.faults = NULL;
        twx_ctx_clear(&cx);
        assert_ok(twx_word_counts_of(&cx, &c, text, 0)); /* still of use */
        assert_int_equal(twx_word_counts_distinct(&c, 1), 6);
        twx_word_counts_done(&c);
    }
}
