/* The terms of texts and of queries. test_search_terms.sh compares them with ICU and Snowball's own
 * program. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "text/internal.h"

typedef struct noted {
    twx_ctx cx;
    twx_buf out;
    size_t places;
} noted;

/* "run.7 running": places are separated by '|', a language's byte is shown as '.' and its number.
 * */
static twx_rc note(void *arg, const twx_term *term) {
    noted *n = arg;
    const twx_slice t = term->text;
    const unsigned last = t.n > 1 ? (unsigned char)t.p[t.n - 1] : 0;
    n->places += !term->same_place;
    if (n->out.n)
        assert_int_equal(twx_buf_add_text(&n->cx, &n->out, term->same_place ? " " : "|"), 0);
    const bool tagged = last > 0 && last <= TWX_LANGUAGES;
    assert_ok(twx_buf_add(&n->cx, &n->out, t.p, t.n - tagged));
    if (tagged) assert_ok(twx_buf_printf(&n->cx, &n->out, ".%u", last));
    return TWX_OK;
}

typedef struct asked {
    const char *text;
    const char *language;
    bool is_query;
    uint32_t languages;
} asked;

static size_t assert_terms(const asked *a, size_t bytes, const char *expected) {
    noted n = {.places = 0};
    twx_terms *terms = NULL;
    char *exact = test_exact(a->text, bytes);
    twx_ctx_init(&n.cx);
    twx_buf_init(&n.out, 1 << 20);
    assert_ok(twx_terms_open(&n.cx, &terms));
    twx_terms_set_language(terms, twx_stem_language(twx_slice_of(a->language)));
    twx_terms_set_languages(terms, a->languages);
    assert_ok(twx_terms_each(terms, (twx_slice){exact, bytes}, a->is_query, note, &n));
    if (expected && !twx_slice_eq(twx_buf_slice(&n.out), twx_slice_of(expected)))
        fail_msg("'%s': terms '%s', expected '%s'", a->text, n.out.p ? n.out.p : "", expected);
    twx_terms_close(terms);
    twx_buf_done(&n.out);
    free(exact);
    return n.places;
}

static void text_has(const char *text, const char *language, const char *expected) {
    const asked a = {text, language, false, 0};
    (void)assert_terms(&a, strlen(text), expected);
}

static void query_has(const char *text, uint32_t languages, const char *expected) {
    const asked a = {text, NULL, true, languages};
    (void)assert_terms(&a, strlen(text), expected);
}

TEST(words_are_folded) {
    text_has("", NULL, "");
    text_has(" .,;-+#", NULL, "");
    text_has("One two2-3THREE snake_case don't", NULL, "one|two2|3three|snake|case|don|t");
    text_has("\xC3\x84rger Stra\u00dfe \u0141\u00f3d\xC5\xBA \xC4\xB0zmir", NULL,
             "arger|strasse|lodz|izmir");
    text_has("cafe\xCC\x81 caf\xC3\xA9 \xEF\xBC\xA3\xEF\xBD\x81\xEF\xBD\x86\xEF\xBD\x85", NULL,
             "cafe|cafe|cafe");
    text_has("\xEF\xAC\x81nd so\u00adft x\xC2\xB2 \xD9\xA1\xD9\xA2", NULL, "find|soft|x2|12");
    text_has(
        "\xD0\x81\xD0\xBB\xD0\xBA\xD0\xB0 \xCE\xA3\xCE\xAF\xCF\x83\xCF\x85\xCF\x86\xCE\xBF\xCF\x82",
        NULL,
        "\xD0\xB5\xD0\xBB\xD0\xBA\xD0\xB0|"
        "\xCF\x83\xCE\xB9\xCF\x83\xCF\x85\xCF\x86\xCE\xBF\xCF\x83");
    text_has("\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80", NULL,
             "\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80");
}

TEST(r1_words_are_stemmed_by_the_language) {
    text_has("Running ponies 42", "en-US", "run.7|poni.7|42");
    text_has("H\xC3\xA4user", "de_AT", "haus.10");
    text_has("educaci\xC3\xB3n educaciones", "Spanish", "educ.24 educacion.24|educ.24");
    text_has("Running", "tlh", "running");
}

TEST(r2_a_query_has_the_stems_of_each_language) {
    query_has("running", 0, "running");
    query_has("running", 1 << 7 | 1 << 10, "running run.7 running.10");
    query_has("42", TWX_LANGUAGES_ALL, "42");
}

TEST(r3_characters_of_east_asia_are_paired) {
    text_has(
        "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", NULL,
        "\xE6\x97\xA5\xE6\x9C\xAC \xE6\x97\xA5|\xE6\x9C\xAC\xE8\xAA\x9E \xE6\x9C\xAC|\xE8\xAA\x9E");
    query_has("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", TWX_LANGUAGES_ALL,
              "\xE6\x97\xA5\xE6\x9C\xAC|\xE6\x9C\xAC\xE8\xAA\x9E|\xE8\xAA\x9E");
    query_has("\xE8\xAA\x9E", 0, "\xE8\xAA\x9E");
    text_has("\xEF\xBD\xB6\xEF\xBE\x9E x", NULL, "\xE3\x82\xAC|x"); /* half-width ka, voiced */
    text_has("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", NULL, "\xED\x95\x9C"); /* jamo of han */
    text_has("a\u8a9eb", NULL, "a|\xE8\xAA\x9E|b");
}

TEST(r4_signs_after_a_word_distinguish_it) {
    text_has("C++17, C#; c+++ a#b #c", NULL, "c c++|17|c c#|c|a|b|c");
    text_has("C## d#_ e#1 f# g#h i+ j+-", NULL, "c|d|e|1|f f#|g|h|i|j");
    query_has("C++", 0, "c++");
    query_has("C#", TWX_LANGUAGES_ALL, "c#");
}

TEST(r5_a_query_has_the_places_of_the_text) {
    static const char *const TEXTS[] = {"What's new in C++17?",
                                        "\u7b2c3\xE7\xAB\xA0\xE3\x81\xAF Python",
                                        "\xEF\xBD\xB6\xEF\xBE\x9E\xE3\x82\xAC",
                                        "\u00e9cole \xF0\x9D\x94\x98 42 \xCC\x81", "\xFF\xC3"};
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++) {
        const asked text = {TEXTS[i], "fr", false, 0},
                    query = {TEXTS[i], NULL, true, TWX_LANGUAGES_ALL};
        assert_int_equal(assert_terms(&text, strlen(TEXTS[i]), NULL),
                         assert_terms(&query, strlen(TEXTS[i]), NULL));
    }
}

TEST(long_words_are_cut) {
    static char word[100000];
    memset(word, 'A', sizeof word);
    const asked a = {word, "en", false, 0};
    assert_int_equal(assert_terms(&a, sizeof word, NULL), 1);
    for (size_t i = 0; i + 2 <= sizeof word; i += 2) memcpy(word + i, "\xC3\x9F", 2); /* grows */
    assert_int_equal(assert_terms(&a, sizeof word, NULL), 1);
}

TEST(fingerprints_are_equal) {
    char one[TWX_TERMS_FINGERPRINT], other[TWX_TERMS_FINGERPRINT];
    twx_terms *terms = NULL;
    twx_ctx cx = {0};
    assert_ok(twx_terms_open(&cx, &terms));
    assert_ok(twx_terms_fingerprint(terms, one));
    assert_ok(twx_terms_fingerprint(terms, other));
    assert_string_equal(one, other);
    assert_true(strlen(one) > 20);
    twx_terms_close(terms);
}
