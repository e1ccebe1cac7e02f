/* Sentences are cut where they should be, by the default and by patterns, and nothing a text or a
 * pattern holds breaks them. */
#include "text_fixture.h"

enum { SHOWN_MAX = 1 << 16, BIG = 20 << 20, ROUNDS = 1500 };

/* The same as the default, in a spelling that PCRE2 gets to see. */
static const char SPELLED[] = "(?:[.!?]|\\r|\\n)+",
                  UNJITTED[] = "(?(?C1)(?=[.!?\\r\\n])[.!?\\r\\n]+|;;;)";

static twx_sentences *sentences_of(twx_ctx *cx, const char *pattern) {
    twx_sentences *s = NULL;
    twx_ctx_init(cx);
    if (twx_sentences_open(cx, pattern, &s) != TWX_OK) fail_msg("'%s': %s", pattern, cx->message);
    return s;
}

static void next_holds_its_laws(twx_slice text, twx_slice sentence, size_t *at) {
    const size_t from = (size_t)(sentence.p - text.p);
    assert_true(sentence.n > 0 && from >= *at && from + sentence.n <= text.n);
    assert_true(!twx_is_space((unsigned char)sentence.p[0]) &&
                !twx_is_space((unsigned char)sentence.p[sentence.n - 1]));
    *at = from + sentence.n;
}

/* "one|two": the sentences of a text, cut at SHOWN_MAX. Borrowed until the next call. [R2] is
 * checked on the way. */
static const char *parted(twx_sentences *s, twx_slice text) {
    static char shown[SHOWN_MAX];
    twx_ctx cx = {0};
    twx_slice sentence;
    twx_rc rc;
    size_t n = 0, at = 0;
    twx_sentences_start(s, text);
    while ((rc = twx_sentences_next(&cx, s, &sentence)) == TWX_OK) {
        next_holds_its_laws(text, sentence, &at);
        if (n + sentence.n + 2 > sizeof shown) continue;
        if (n > 0) shown[n++] = '|';
        memcpy(shown + n, sentence.p, sentence.n);
        n += sentence.n;
    }
    assert_int_equal(rc, TWX_DONE);
    assert_int_equal(twx_sentences_next(&cx, s, &sentence), TWX_DONE); /* and stays there */
    shown[n] = '\0';
    return shown;
}

static size_t count(twx_sentences *s, twx_slice text) {
    twx_ctx cx = {0};
    twx_slice sentence;
    size_t n = 0, at = 0;
    twx_sentences_start(s, text);
    for (; twx_sentences_next(&cx, s, &sentence) == TWX_OK; n++)
        next_holds_its_laws(text, sentence, &at);
    return n;
}

typedef struct example {
    const char *pattern, *text, *expected;
} example;

static void check_examples(const example *examples, size_t n) {
    twx_ctx cx;
    for (size_t i = 0; i < n; i++) {
        twx_sentences *s = sentences_of(&cx, examples[i].pattern);
        const char *found = parted(s, twx_slice_of(examples[i].text));
        if (strcmp(found, examples[i].expected) != 0)
            fail_msg("'%s' by '%s': '%s', expected '%s'", examples[i].text,
                     examples[i].pattern ? examples[i].pattern : "", found, examples[i].expected);
        twx_sentences_close(s);
    }
}

TEST(a_sentence_ends_at_full_stop_question_mark_exclamation_mark_or_newline) {
    static const example EXAMPLES[] = {
        {NULL, "One. Two! Three? Four\nFive\r\nSix", "One|Two|Three|Four|Five|Six"},
        {NULL, "No end", "No end"},
        {NULL, "Well... really?!\n\n\nYes.", "Well|really|Yes"},
        {NULL, " \t white space \v\f around \t.\t tabs", "white space \v\f around|tabs"},
        {NULL, "version 1.5", "version 1|5"},
        {NULL, "", ""},
        {NULL, " \n . ! \r ?", ""},
        {NULL, NULL, ""},
        {"", "One. Two", "One|Two"},
        {"[.!?\\r\\n]+", "One. Two", "One|Two"},
        {NULL, "\xFF\xC3.\x80 a", "\xFF\xC3|\x80 a"},
    };
    check_examples(EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(nul_is_a_byte_like_others) {
    twx_ctx cx;
    twx_slice sentence;
    static const char TEXT[] = "a\0b.\0";
    twx_sentences *s = sentences_of(&cx, NULL);
    twx_sentences_start(s, (twx_slice){TEXT, 5});
    assert_ok(twx_sentences_next(&cx, s, &sentence));
    assert_true(twx_slice_eq(sentence, (twx_slice){TEXT, 3}));
    assert_ok(twx_sentences_next(&cx, s, &sentence));
    assert_true(twx_slice_eq(sentence, (twx_slice){TEXT + 4, 1}));
    assert_int_equal(twx_sentences_next(&cx, s, &sentence), TWX_DONE);
    twx_sentences_close(s);
}

TEST(a_pattern_takes_the_place_of_the_default) {
    static const example EXAMPLES[] = {
        {";", "One. Two; three", "One. Two|three"},
        {"[\xE3\x80\x82.]", "\xE3\x81\x82\xE3\x80\x82\xE3\x81\x84.\xE3\x81\x86",
         "\xE3\x81\x82|\xE3\x81\x84|\xE3\x81\x86"},
        {"\\x{3002}", "\xE3\x81\x82\xE3\x80\x82\xE3\x81\x84", "\xE3\x81\x82|\xE3\x81\x84"},
        {"(?<=[.!?])\\s+(?=[A-Z])", "Of St. Peter. See p. 5 there! So",
         "Of St.|Peter.|See p. 5 there!|So"},
        {"(?i)stop", "one STOP two Stop three", "one|two|three"},
        {"^x", "xax\nx", "ax\nx"},   /* the text's beginning, not a sentence's */
        {"\\bx", "ax x b", "ax|b"},  /* what lies before is seen */
        {"b$", "ab\nab\n", "ab\na"}, /* the end, or before the last line feed */
        {".", "ab\ncd", ""},         /* a line ends at LF: what is left is white space */
        {"y*", "ayyb", "a|b"},       /* an empty match ends nothing */
        {"(b)(c)(d)", "abcde", "a|e"},
        {"a\\Kb", "xabx", "xa|x"},
        {"(?(?C1)(?=;);|[.])", "a.\x80;b", "a|\x80|b"}, /* nothing for the JIT */
        {"x", "\xFFx\x80x\xC3", "\xFF|\x80|\xC3"},
        {"\xC3\xA4", "a\xC3\xA4\xA4 b\xC3", "a|\xA4 b\xC3"},
    };
    check_examples(EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(r1_the_default_and_pcre2_part_alike) {
    static const char *const PATTERNS[] = {SPELLED, UNJITTED};
    static char expected[SHOWN_MAX];
    twx_ctx cx;
    twx_sentences *own = sentences_of(&cx, NULL);
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        size_t n;
        char *text = hostile_text(&rng, 900, &n);
        twx_sentences *pcre = sentences_of(&cx, PATTERNS[seed % 2]);
        for (size_t i = 0; i < n; i++)
            if (text[i] == '-' || text[i] == '_') text[i] = "?!\r"[test_rng_below(&rng, 3)];
        memcpy(expected, parted(own, (twx_slice){text, n}), sizeof expected);
        if (memcmp(expected, parted(pcre, (twx_slice){text, n}), strlen(expected) + 1) != 0)
            fail_msg("seed %" PRIu64 ": '%s'", seed, expected);
        twx_sentences_close(pcre);
        free(text);
    }
    twx_sentences_close(own);
}

/* [R3] Wherever an end lies among the windows, all of it is found, up to the length that is
 * promised. */
static void check_end(twx_sentences *s, const char *fill, size_t at, size_t length) {
    static char text[3 * TWX_SENTENCE_WINDOW];
    twx_slice sentence;
    twx_ctx cx = {0};
    size_t n = 0, bytes = 0;
    for (size_t i = 0; i < sizeof text; i++) text[i] = fill[i % strlen(fill)];
    memset(text + at, '-', length);
    text[at] = '<';
    text[at + length - 1] = '>';
    twx_sentences_start(s, (twx_slice){text, sizeof text});
    for (; twx_sentences_next(&cx, s, &sentence) == TWX_OK; n++) bytes += sentence.n;
    if (n != 2 || bytes != sizeof text - length)
        fail_msg("'%s': an end of %zu bytes at %zu is lost", fill, length, at);
}

TEST(r3_no_end_is_lost_between_windows) {
    /* a shorter match would be there; the second is nothing for the JIT */
    static const char *const PATTERNS[] = {"<[^>]*>|<", "(?(?C1)(?=<[^>]*>)<[^>]*>|<)"};
    twx_ctx cx;
    for (size_t i = 0; i < TWX_COUNTOF(PATTERNS); i++) {
        twx_sentences *s = sentences_of(&cx, PATTERNS[i]);
        for (size_t at = 2;
             at<2 * TWX_SENTENCE_WINDOW; at += at % 1024> 990 || at % 1024 < 6 ? 1 : 29) {
            check_end(s, "a", at, TWX_SENTENCE_END_MAX);
            check_end(s, "\x80", at, 4);
            check_end(s, "\xC3\xA4", at & ~(size_t)1, TWX_SENTENCE_END_MAX);
        }
        twx_sentences_close(s);
    }
}

TEST(the_end_of_a_window_is_no_end_of_a_line) {
    static char text[TWX_SENTENCE_WINDOW + 100];
    twx_ctx cx;
    twx_sentences *s = sentences_of(&cx, "b{2000,}$");
    memset(text, 'b', sizeof text);
    assert_int_equal(count(s, (twx_slice){text, 3000}), 0);
    text[0] = text[sizeof text - 1] = 'c';
    assert_int_equal(count(s, (twx_slice){text, sizeof text}), 1);
    twx_sentences_close(s);
}

TEST(bad_patterns_are_named) {
    static char longer[TWX_SENTENCE_PATTERN_MAX + 2];
    memset(longer, 'a', sizeof longer - 1);
    const char *const PATTERNS[] = {"[",   "a)",   "(*UTF)a",  "(*LIMIT_MATCH=1)a",
                                    "\\C", "\xFF", "(?<=a*)b", longer};
    for (size_t i = 0; i < TWX_COUNTOF(PATTERNS); i++) {
        twx_ctx cx = {0};
        twx_sentences *s = NULL;
        assert_int_equal(twx_sentences_open(&cx, PATTERNS[i], &s), TWX_E_CONFIG);
        assert_null(s);
        assert_non_null(strstr(cx.message, "text.sentence_end: "));
    }
    longer[TWX_SENTENCE_PATTERN_MAX] = '\0';
    twx_ctx cx;
    twx_sentences_close(sentences_of(&cx, longer));
}

/* [R4] Patterns that backtrack for ever, match nothing, everything or themselves. */
TEST(r4_hostile_patterns_come_to_an_end) {
    /* clang-format off */
    static const char *const PATTERNS[] = {
        "(a+)+[bc]", "(?:a|aa)+$", "(a*)*[bc]", "(?:(?:a|b)*)*c", "(.*)*x", "x*", "()", "^", "$",
        "\\s*$", ".*", "(?s).*", "(?=a)", "\\n(?=[^Z]*Z)", "a\\K", "(?<=a)\\Kb", "(a(?1)?b)", "\\A",
        "\\z", "\\G", "\\Ga", "(?(DEFINE)(a\\K))(?=(?1))", "(a)(?!.*\\1)", "(?>a*)*b", "a{0,999}b"};
    /* clang-format on */
    enum { N = 40000 };
    static char text[N];
    for (size_t i = 0; i < TWX_COUNTOF(PATTERNS); i++) {
        twx_ctx cx;
        twx_sentences *s = sentences_of(&cx, PATTERNS[i]);
        for (int kind = 0; kind < 4; kind++) {
            for (size_t k = 0; k < N; k++)
                text[k] = kind == 0   ? 'a'
                          : kind == 1 ? '\n'
                          : kind == 2 ? "ab"[k % 2]
                                      : "a.\n\xC3"[k % 4];
            (void)count(s, (twx_slice){text, N});
            assert_ok(cx.rc);
        }
        twx_sentences_close(s);
    }
}

TEST(r4_where_a_pattern_gives_up_the_default_goes_on) {
    static char text[400];
    twx_ctx cx;
    twx_sentences *s = sentences_of(&cx, ";|(?:a|aa)+[bc]");
    memset(text, 'a', sizeof text);
    memcpy(text, "One. Two; Three ", 16);
    memcpy(text + sizeof text - 15, ". Four; five c;", 15);
    const char *shown = parted(s, (twx_slice){text, sizeof text});
    assert_memory_equal(shown, "One. Two|Three aaa", 18);
    assert_string_equal(shown + strlen(shown) - 15, "a|Four; five c;");
    /* the next text is another matter */
    assert_string_equal(parted(s, TWX_SLICE_LIT("One. Two; Three")), "One. Two|Three");
    twx_sentences_close(s);
}

TEST(texts_of_20_mb_are_parted) {
    twx_ctx cx;
    char *text = malloc(BIG);
    assert_non_null(text);
    for (int spelled = 0; spelled < 2; spelled++) {
        twx_sentences *s = sentences_of(&cx, spelled ? SPELLED : NULL);
        for (size_t i = 0; i < BIG; i++) text[i] = i % 64 == 63 ? '.' : 'a';
        assert_int_equal(count(s, (twx_slice){text, BIG}), BIG / 64);
        memset(text, 'a', BIG);
        assert_int_equal(count(s, (twx_slice){text, BIG}), 1);
        memset(text, '.', BIG);
        assert_int_equal(count(s, (twx_slice){text, BIG}), 0);
        twx_sentences_close(s);
    }
    free(text);
}

TEST(failed_allocations_leak_nothing) {
    static const char *const PATTERNS[] = {NULL, "(a|b)+;"};
    for (size_t i = 0; i < TWX_COUNTOF(PATTERNS); i++) {
        twx_rc rc = TWX_E_NOMEM;
        uint64_t fail_at = 0;
        while (rc != TWX_OK) {
            twx_ctx cx = {0};
            twx_faults faults = {.fail_at = ++fail_at, .forever = fail_at % 2};
            twx_sentences *s = NULL;
            cx.faults = &faults;
            rc = twx_sentences_open(&cx, PATTERNS[i], &s);
            assert_true(rc == TWX_OK || (rc == TWX_E_NOMEM && !s && cx.message[0] != '\0'));
            twx_sentences_close(s);
        }
        assert_true(fail_at > 1 && fail_at < 100);
    }
}

TEST(fingerprints_tell_patterns_apart) {
    const uint64_t plain = twx_sentences_fingerprint(NULL);
    assert_true(plain == twx_sentences_fingerprint("") &&
                plain == twx_sentences_fingerprint("[.!?\\r\\n]+"));
    assert_true(plain != twx_sentences_fingerprint(";") &&
                plain != twx_sentences_fingerprint(SPELLED));
}
