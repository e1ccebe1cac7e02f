/* Pages without content: the patterns of share/patterns/pages.tsv on titles and beginnings of such
 * pages, of articles about them, and what a file of patterns may say. */
#include "detect_fixture.h"

#include <time.h>

static twx_page_patterns *patterns;
static int wanted, found, wrong;

/* As in the first page of a run. */
static twx_class_memo *fresh_memo(void) {
    static twx_class_memo memo;
    memset(&memo, 0, sizeof memo);
    return &memo;
}

static void check_page(fixture *f, char **fields) {
    const twx_document doc = {.title = twx_slice_of(fields[2]), .text = twx_slice_of(fields[3])};
    const bool is_page = strcmp(fields[1], "page") == 0;
    twx_page_finding is;
    assert_int_equal(twx_page_class_of(&f->cx, patterns, fresh_memo(), &doc, &is), TWX_OK);
    for (int i = 0; i < 2; i++) { /* the second time it is remembered */
        static twx_class_memo memo;
        twx_page_finding again;
        assert_int_equal(twx_page_class_of(&f->cx, patterns, &memo, &doc, &again), TWX_OK);
        assert_true(again.class == is.class && again.is_short == is.is_short &&
                    again.is_echoed == is.is_echoed);
    }
    const bool same = strcmp(TWX_PAGE_NAMES[is.class], fields[1]) == 0;
    wanted += !is_page;
    found += !is_page && same;
    wrong += is_page && !same;
    if (!same) print_message("# %s: %s is %s\n", fields[0], fields[2], TWX_PAGE_NAMES[is.class]);
}

TEST_OF(pages_of_known_systems_are_recognised, fixture *f) {
    twx_buf text = {.max = 1 << 20};
    FILE *in = fopen(TWINDEX_SOURCE_DIR "/share/patterns/pages.tsv", "r");
    assert_non_null(in);
    assert_int_equal(twx_buf_add_file(&f->cx, &text, "pages.tsv", fileno(in), TWX_E_IO), TWX_OK);
    fclose(in);
    const twx_page_file file = {"pages.tsv", twx_buf_slice(&text)};
    if (twx_page_patterns_open(&f->cx, &file, 1, &patterns) != TWX_OK ||
        twx_page_patterns_make(&f->cx, patterns) != TWX_OK)
        fail_msg("%s", f->cx.message);
    assert_true(fixture_vectors(f, "page_class.tsv", 4, check_page) > 200);
    assert_int_equal(wrong, 0);
    assert_true(found * 100 >= wanted * 98);
    twx_page_patterns_close(patterns);
    twx_buf_done(&text);
}

/* R1 */
TEST_OF(long_texts_are_pages, fixture *f) {
    const twx_page_file file = {"f", TWX_SLICE_LIT("error\tx\t250\t^gone$\t-\n")};
    char text[4 * TWX_PAGE_WORDS];
    assert_int_equal(twx_page_patterns_open(&f->cx, &file, 1, &patterns), TWX_OK);
    for (size_t words = TWX_PAGE_WORDS - 1; words <= TWX_PAGE_WORDS + 1; words++) {
        twx_page_finding is;
        for (size_t i = 0; i < words; i++) memcpy(text + 3 * i, "we ", 3);
        const twx_document doc = {.title = TWX_SLICE_LIT("Gone!"), .text = {text, 3 * words}};
        assert_int_equal(twx_page_class_of(&f->cx, patterns, fresh_memo(), &doc, &is), TWX_OK);
        assert_int_equal(is.class, words <= TWX_PAGE_WORDS ? TWX_PAGE_ERROR : TWX_PAGE_PAGE);
    }
    twx_page_patterns_close(patterns);
}

TEST_OF(what_is_wrong_in_a_file_is_named, fixture *f) {
    static const char *const CASES[][2] = {
        {"bad\tx\t1\ta\tb\n", "f:1: the first column is none of page error"},
        {"# note\n\nerror\tx\t251\ta\tb\n", "f:3: the number of words is not in 0..250"},
        {"error\tx\t1\ta\n", "f:1: a line has five columns"},
        {"error\tx\t1\t(\t-\n", "f:1: missing closing parenthesis"},
        {"error\tx\t1\t(*UTF)a\t-\n", "f:1: a pattern must not begin with (*"},
        {"error\tx\t1\t-\t-\n", "f:1: neither title nor text is asked"},
        {"error\tx\t1\t<FOUND>\t-\n", "f:1: a pattern names words that no line has"},
        {"words\tA\ten\n", "f:1: a line of words has four columns"}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        const twx_page_file file = {"f", twx_slice_of(CASES[i][0])};
        assert_int_equal(twx_page_patterns_open(&f->cx, &file, 1, &patterns), TWX_OK);
        assert_int_equal(twx_page_patterns_make(&f->cx, patterns), TWX_E_CONFIG);
        if (!strstr(f->cx.message, CASES[i][1])) fail_msg("%s", f->cx.message);
        twx_ctx_clear(&f->cx);
        twx_page_patterns_close(patterns);
    }
}

/* The user's file comes first, and its patterns have the words of ours. */
TEST_OF(words_of_all_files_have_one_list, fixture *f) {
    const twx_page_file files[] = {
        {"f", TWX_SLICE_LIT("error\tx\t9\t^a (?<N><GONE>)$\t-\nwords\tGONE\tde\tweg\n")},
        {"g", TWX_SLICE_LIT("words\tGONE\ten\tgone\nlogin\tx\t9\t^b <GONE>$\t-\n")}};
    static const char *const TITLES[] = {"a gone", "a weg", "b gone", "b weg"};
    assert_int_equal(twx_page_patterns_open(&f->cx, files, 2, &patterns), TWX_OK);
    for (size_t i = 0; i < TWX_COUNTOF(TITLES); i++) {
        const twx_document doc = {.title = twx_slice_of(TITLES[i]), .text = TWX_SLICE_LIT("text")};
        twx_page_finding is;
        assert_int_equal(twx_page_class_of(&f->cx, patterns, fresh_memo(), &doc, &is), TWX_OK);
        assert_int_equal(is.class, i < 2 ? TWX_PAGE_ERROR : TWX_PAGE_LOGIN);
    }
    twx_page_patterns_close(patterns);
}

/* A pattern is tried only where the words that it needs are; what it may do without, it does. */
TEST_OF(words_are_looked_for_first, fixture *f) {
    static const struct {
        const char *regex, *text;
        bool matches;
    } CASES[] = {
        {"^.{0,20}<P>$", "my password", true},
        {"^.{0,20}<P>$", "mypassword", false}, /* words begin where a word does */
        {"^.{0,20}<P>|^our (gate|<L>)", "our gate", true},
        {"^.{0,20}(<P>|gate)", "our gate", true},
        {"^our( <P>)? gate", "our gate", true},
        {"^our <P>?gate", "our gate", true},
        {"^(?!.*<P>)our", "our gate", true},
        {"^(?=.*<P>)(?=.*<L>|our)our", "our password", true},
        {"^(?=.*<P>)our .*<L>", "our login and password", true},
        {"^(?=.*<P>)our .*<L>", "our password", false},
        {"^our[)|] ?|^our .*<L>[<(]?", "our login", true},
        {"^(our \\)?|a\\Q)\\E)[a-z ]*(x<P>|gate)", "our gate", true},
        {"^([\\])]<P>)?our", "our gate", true},
        {"^([[:alpha:])]<P>)?our", "our gate", true},
        {"^(?=.*<P>)?our", "our gate", true},
        {"^our(*ACCEPT)<P>", "our gate", true},
        {"(?ix)^our #<P>", "our gate", true},
        {"(?i)^our <C>", "our gate", true},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        char text[200];
        snprintf(text, sizeof text, "%slogin\tx\t80\t-\t%s\n",
                 "words\tP\ten\tpassword\nwords\tL\ten\tlogin\nwords\tC\ten\tGate\n",
                 CASES[i].regex);
        const twx_page_file file = {"f", twx_slice_of(text)};
        const twx_document doc = {.text = twx_slice_of(CASES[i].text)};
        twx_page_finding is;
        assert_int_equal(twx_page_patterns_open(&f->cx, &file, 1, &patterns), TWX_OK);
        if (twx_page_class_of(&f->cx, patterns, fresh_memo(), &doc, &is) != TWX_OK)
            fail_msg("%s", f->cx.message);
        if ((is.class == TWX_PAGE_LOGIN) != CASES[i].matches) fail_msg("%s", CASES[i].regex);
        twx_page_patterns_close(patterns);
    }
}

/* A match has a limit from each place of a text, so the limit is low. */
TEST_OF(no_text_makes_a_pattern_slow, fixture *f) {
    const twx_page_file file = {
        "f", TWX_SLICE_LIT("error\tx\t250\t^gone$\ta.*(?:[bc]1|[bc]2|[bc]3|[bc]4|[bc]5)\n")};
    char text[1800];
    twx_page_finding is;
    for (size_t i = 0; i < sizeof text; i++) text[i] = i % 15 ? 'a' : ' ';
    const twx_document doc = {.title = TWX_SLICE_LIT("gone"), .text = {text, sizeof text}};
    assert_int_equal(twx_page_patterns_open(&f->cx, &file, 1, &patterns), TWX_OK);
    assert_int_equal(twx_page_patterns_make(&f->cx, patterns), TWX_OK);
    const clock_t from = clock();
    assert_int_equal(twx_page_class_of(&f->cx, patterns, fresh_memo(), &doc, &is), TWX_OK);
    assert_in_range((clock() - from) * 1000 / CLOCKS_PER_SEC, 0, 20);
    assert_int_equal(is.class, TWX_PAGE_PAGE);
    twx_page_patterns_close(patterns);
}
