/* The words in which two texts differ, as evidence about copies: examples, and laws over random
 * texts. */
#include "text_fixture.h"

enum { ROUNDS = 3000, SHOWN_MAX = 4096 };

static const twx_difference_rules ALL = {0};

static void compare(const char *a, const char *b, const twx_difference_rules *rules,
                    twx_difference *d) {
    twx_ctx cx = {0};
    assert_ok(twx_difference_of(&cx, twx_slice_of(a), twx_slice_of(b), rules, d));
}

/* wanted: "added|", "inside|", "substituted|", each with the words of a and of b. */
static void expect_by(const char *a, const char *b, const twx_difference_rules *rules,
                      const char *wanted) {
    static const char *const KINDS[] = {"added", "inside", "substituted"};
    char found[SHOWN_MAX] = "";
    twx_difference d = {0};
    size_t n = 0;
    compare(a, b, rules, &d);
    for (size_t i = 0; i < d.at.n; i++) {
        const twx_block *block = &d.at.at[i];
        n += (size_t)snprintf(found + n, sizeof found - n,
                              "%s -" TWX_SLICE_FMT " +" TWX_SLICE_FMT "|", KINDS[block->kind],
                              TWX_SLICE_ARG(block->a), TWX_SLICE_ARG(block->b));
        assert_true(n < sizeof found);
    }
    assert_string_equal(found, wanted);
    twx_difference_done(&d);
}

static void expect(const char *a, const char *b, const char *wanted) {
    expect_by(a, b, &ALL, wanted);
}

TEST(blocks_are_added_inside_or_substituted) {
    expect("", "", "");
    expect("the tide is low", "the tide is low", "");
    expect("The tide is low today.", "The tide is high today.", "substituted -low +high|");
    expect("Dogs are permitted here.", "Dogs are not permitted here.", "inside - +not|");
    expect("Boats leave at six.", "Boats leave at six. Bring a coat.", "added - +Bring a coat|");
    expect("Home\nBoats leave at six.", "Boats leave at six.", "added -Home +|");
    expect("", "Boats leave.", "added - +Boats leave|");
}

TEST(numbers_are_compared_as_written) {
    expect("It costs 1,500 pounds.", "It costs 1.500 pounds.", "substituted -1,500 +1.500|");
    expect("Take 1,5 mg.", "Take 15 mg.", "substituted -1,5 +15|");
    expect("Take .5 mg.", "Take 5 mg.", "substituted -.5 +5|");
    expect("Snow at -7 degrees", "Snow at 7 degrees", "substituted --7 +7|");
    expect("-7 degrees", "7 degrees", "substituted --7 +7|");
    expect("We open at 10:30 on Sundays", "We open at 1030 on Sundays",
           "substituted -10:30 +1030|");
    expect("Lines 1/2 and 3", "Lines 1-2 and 3", "substituted -1/2 +1-2|");
    expect("1.500,20 euros", "1,500.20 euros", "substituted -1.500,20 +1,500.20|");
    expect("Take 1\xC2\xBD tablets", "Take 1 tablets", "inside -\xC2\xBD +|");
    expect("Some 10\xC2\xB2 cells", "Some 10\xC2\xB3 cells", "substituted -\xC2\xB2 +\xC2\xB3|");
    expect("In 1.500 homes", "In 1.600 homes", "substituted -1.500 +1.600|");
}

/* Typesetting is no difference: dashes and apostrophes have several characters. */
TEST(punctuation_beside_numbers_is_not_compared) {
    expect("COVID-19, page 5.", "COVID 19: page 5", "");
    expect("Pages 5-7 of [3], (4)", "Pages 5\u20137 of 3 - 4;", "");
    expect("All 1'500", "All 1\u2019500", "");
    expect("1, 2 and 3", "1 2 and 3", "");
}

/* Of scripts without spaces each character is a word, and so are signs, powers and fractions. A
 * mark between two digits belongs to the number, unless it is a space. */
TEST(characters_that_are_words) {
    enum { IN_WORD, ALONE, MARK, SPACE };
    static const struct {
        uint32_t c;
        int is;
    } ROWS[] = {
        {'a', IN_WORD},  {0x5D0, IN_WORD},  {0xE01, ALONE},  {0xF40, IN_WORD},
        {0x1000, ALONE}, {0x10D0, IN_WORD}, {0x1780, ALONE}, {0x1820, IN_WORD},
        {0x4E00, ALONE}, {0xA000, IN_WORD}, {0xF900, ALONE}, {0xFF21, IN_WORD},
        {'$', ALONE},    {0xA3, ALONE},     {0xA4, MARK},    {0xA5, ALONE},
        {0xB0, ALONE},   {0xB1, ALONE},     {0xB2, ALONE},   {0xB3, ALONE},
        {0xB7, MARK},    {0xB9, ALONE},     {0xBB, MARK},    {0xBC, ALONE},
        {0xBE, ALONE},   {0xBF, MARK},      {0xD7, ALONE},   {0xF7, MARK},
        {0x2070, ALONE}, {0x20AC, ALONE},   {0x2155, ALONE}, {0x2190, ALONE},
        {0x2265, ALONE}, {0x2302, MARK},    {0x2440, MARK},  {0x2460, ALONE},
        {0x2500, MARK},  {',', MARK},       {0x2019, MARK},  {0x2212, ALONE},
        {' ', SPACE},    {0xA0, SPACE},     {0x2009, SPACE}, {0x206F, SPACE},
        {0x3000, SPACE}, {0x3001, MARK},
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        char text[8] = "1";
        const size_t n = twx_utf8_put(ROWS[i].c, text + 1), words[] = {1, 3, 2, 2},
                     first[] = {n + 2, 1, n + 1, 1};
        text[n + 1] = '2';
        twx_word_reader reader = {.rest = {text, n + 2}};
        size_t found = 0, bytes = 0;
        for (twx_text_word word; twx_written_word_next(&reader, &word); found++)
            if (found == 0) bytes = word.text.n;
        if (found != words[ROWS[i].is] || bytes != first[ROWS[i].is])
            fail_msg("U+%04X: %zu words, the first of %zu bytes", (unsigned)ROWS[i].c, found,
                     bytes);
    }
}

TEST(case_counts_inside_a_sentence) {
    expect("The rules of the US apply to both.", "The rules of the us apply to both.",
           "substituted -US +us|");
    expect("She bought some Polish wax.", "She bought some polish wax.",
           "substituted -Polish +polish|");
    expect("Polish wax is here.", "polish wax is here.", "");
    expect("Note: Polish wax is here.", "Note: polish wax is here.", "");
    expect("THE TIDE IS LOW TODAY", "The tide is low today", "");
    expect("How to Wax a Wooden Boat", "How to wax a wooden boat", "");
    expect("The Compiler", "The compiler", "");
}

TEST(spaces_and_punctuation_are_not_compared) {
    expect("The tide, is  low", "the tide is low!", "");
    expect("Costs 5 $", "Costs 5 \xE2\x82\xAC", "substituted -$ +\xE2\x82\xAC|");
}

TEST(a_list_in_another_order_is_no_difference) {
    expect("one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "seven\nsix\nfive\nfour\nthree\ntwo\none\n",
           "");
}

/* A page has its own name at the top and the other's among similar ones. */
TEST(two_lines_in_each_others_places_differ) {
    expect("north pier\nabout the sights\nabout the way\nsouth pier\n",
           "south pier\nabout the sights\nabout the way\nnorth pier\n",
           "substituted -north +south|substituted -south +north|");
}

TEST(numbers_of_one_date_are_one_block) {
    expect("Seen on 19. 5. 2024 at noon", "Seen on 7. 5. 2022 at noon",
           "substituted -19. 5. 2024 +7. 5. 2022|");
}

TEST(a_block_between_common_words_is_known) {
    twx_difference d = {0};
    compare("Row.\nHold the oar.\nPull.", "Row.\nPull.", &ALL, &d);
    assert_int_equal(d.at.n, 1);
    assert_true(d.at.at[0].is_between);
    compare("Banner.\nRow.\nPull.\nFooter.", "Row.\nPull.", &ALL, &d);
    assert_int_equal(d.at.n, 2);
    assert_false(d.at.at[0].is_between || d.at.at[1].is_between);
    twx_difference_done(&d);
}

static twx_unit_use ignore_menu(const void *arg, bool in_a, uint64_t before, uint64_t unit,
                                uint64_t after) {
    (void)in_a, (void)before, (void)after;
    if (unit == twx_sentence_form(TWX_SLICE_LIT("Home and contact"))) return TWX_UNIT_IGNORED;
    if (unit == twx_sentence_form(TWX_SLICE_LIT("Available")))
        return *(const bool *)arg ? TWX_UNIT_ANNOUNCED : TWX_UNIT_IGNORED;
    return TWX_UNIT_COMPARED;
}

TEST(what_is_left_out_makes_no_block) {
    static const bool no = false, yes = true;
    const twx_difference_rules ignoring = {.ignored = ignore_menu, .arg = &no},
                               announcing = {.ignored = ignore_menu, .arg = &yes};
    expect_by("Home and contact\nA boat", "A boat", &ignoring, "");
    expect_by("A boat\nAvailable", "A boat\nSold yesterday", &ignoring, "added - +Sold yesterday|");
    expect_by("A boat\nAvailable", "A boat\nSold yesterday", &announcing,
              "substituted - +Sold yesterday|");
}

/* Sentences may stand for each other if they end with the same letter, but not with an e. */
static uint64_t last_letter(const void *arg, bool in_a, twx_slice sentence) {
    (void)arg, (void)in_a;
    return sentence.p[sentence.n - 1] == 'e' ? 0 : (uint64_t)sentence.p[sentence.n - 1];
}

TEST(what_may_be_exchanged_makes_no_block) {
    const twx_difference_rules rules = {.exchanged = last_letter};
    expect_by("A boat\nBuilt in March", "A boat\nBuilt with much", &rules, "");
    expect_by("A boat\nBuilt in March", "A boat", &rules, "added -Built in March +|");
    expect_by("A boat\nThe red one", "A boat\nThe blue one", &rules, "substituted -red +blue|");
}

static size_t asked;

static uint64_t count_asked(const void *arg, bool in_a, twx_slice sentence) {
    (void)arg, (void)in_a;
    return ++asked + sentence.n;
}

/* Hostile pages have thousands of sentences that may stand for none of the others. */
TEST(a_sentence_is_asked_for_once) {
    enum { LINES = 300 };
    const twx_difference_rules rules = {.exchanged = count_asked};
    static char a[LINES * 16], b[LINES * 16];
    twx_difference d = {0};
    twx_ctx cx = {0};
    for (size_t i = 0, n = 0, m = 0; i < LINES; i++) {
        n += (size_t)sprintf(a + n, "red %zu\n", i);
        m += (size_t)sprintf(b + m, "blue %zu\n", i);
    }
    assert_ok(twx_difference_of(&cx, twx_slice_of(a), twx_slice_of(b), &rules, &d));
    assert_in_range(asked, 1, 2 * LINES);
    twx_difference_done(&d);
}

static bool is_substituted(const void *arg, const twx_block *block) {
    (void)arg;
    return block->kind == TWX_BLOCK_SUBSTITUTED;
}

TEST(the_comparison_ends_with_a_block_that_is_enough) {
    const twx_difference_rules rules = {.enough = is_substituted};
    expect_by("a red boat\nsame\na red car", "a blue boat\nsame\na blue car", &rules,
              "substituted -red +blue|");
}

/* One place on two pages, so that what machines put there is known again. */
TEST(places_depend_on_the_words_around_a_block) {
    twx_difference d = {0}, other = {0};
    compare("Viewed 36 times so far", "Viewed 40 times so far", &ALL, &d);
    compare("Viewed 7 times so far", "Viewed 88 times so far", &ALL, &other);
    assert_int_equal(d.at.n, 1);
    assert_int_equal(other.at.n, 1);
    assert_memory_equal(d.at.at[0].place, other.at.at[0].place, 3 * sizeof(uint64_t));
    assert_true(d.at.at[0].place[TWX_PLACE_AROUND] != 0);
    compare("Sold 7 times so far", "Sold 88 times so far", &ALL, &other);
    assert_true(d.at.at[0].place[TWX_PLACE_AROUND] != other.at.at[0].place[TWX_PLACE_AROUND]);
    twx_difference_done(&d);
    twx_difference_done(&other);
}

/* The first `of` parts are words. */
enum { WORDS_DRAWN = 5, PARTS_DRAWN = 10 };

static void draw_text(test_rng *rng, size_t of, char *out) {
    static const char *const PARTS[PARTS_DRAWN] = {"boat ", "tide ", "pier ", "low ", "sea ",
                                                   "12 ",   "7 ",    ". ",    "\n",   "! "};
    *out = '\0';
    for (size_t n = test_rng_below(rng, 24); n > 0; n--)
        strcat(out, PARTS[test_rng_below(rng, of)]);
}

static size_t words_of(const twx_difference *d, bool of_a) {
    size_t n = 0;
    for (size_t i = 0; i < d->at.n; i++) n += of_a ? d->at.at[i].words_a : d->at.at[i].words_b;
    return n;
}

TEST(r1_equal_texts_have_no_blocks) {
    twx_difference d = {0};
    char a[256], b[256];
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        draw_text(&rng, PARTS_DRAWN, a);
        draw_text(&rng, PARTS_DRAWN, b);
        compare(a, a, &ALL, &d);
        if (d.at.n) fail_msg("seed %" PRIu64 ": equal texts have blocks", seed);
        compare(a, b, &ALL, &d);
        for (size_t i = 0; i < d.at.n; i++) {
            const twx_block *block = &d.at.at[i];
            assert_int_equal(block->words_a && block->words_b,
                             block->kind == TWX_BLOCK_SUBSTITUTED);
            assert_true(block->words_a + block->words_b > 0);
        }
    }
    twx_difference_done(&d);
}

/* Within one sentence; which of several lines is the one that moved depends on the side. */
TEST(r2_exchanged_texts_have_as_many_words_in_blocks) {
    twx_difference d = {0}, back = {0};
    char a[256], b[256];
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        draw_text(&rng, WORDS_DRAWN, a);
        draw_text(&rng, WORDS_DRAWN, b);
        compare(a, b, &ALL, &d);
        compare(b, a, &ALL, &back);
        if (words_of(&d, true) != words_of(&back, false) ||
            words_of(&d, false) != words_of(&back, true))
            fail_msg("seed %" PRIu64 ": '%s' and '%s'", seed, a, b);
    }
    twx_difference_done(&d);
    twx_difference_done(&back);
}

/* Beyond the limit of edits one block has all words between the first and the last difference. */
TEST(r3_texts_without_common_words_are_one_block) {
    enum { WORDS = 2 * TWX_DIFFERENCE_EDITS };
    static char a[WORDS * 8 + 32], b[WORDS * 8 + 32];
    twx_difference d = {0};
    strcpy(a, "first ");
    strcpy(b, "first ");
    for (size_t i = 0; i < WORDS; i++) {
        snprintf(a + strlen(a), 8, "a%zu ", i);
        snprintf(b + strlen(b), 8, "b%zu ", i);
    }
    strcat(a, "last");
    strcat(b, "last");
    compare(a, b, &ALL, &d);
    assert_int_equal(d.at.n, 1);
    assert_int_equal(d.at.at[0].words_a, WORDS);
    assert_int_equal(d.at.at[0].words_b, WORDS);
    twx_difference_done(&d);
}

TEST(forms_of_sentences_do_not_depend_on_numbers) {
    const uint64_t form = twx_sentence_form(TWX_SLICE_LIT("Viewed 36 times"));
    assert_true(form == twx_sentence_form(TWX_SLICE_LIT("Viewed 1234 times")));
    assert_true(form != twx_sentence_form(TWX_SLICE_LIT("Sold 36 times")));
    assert_true(twx_sentence_form((twx_slice){NULL, 0}) != 0);
}

TEST(sentences_end_at_marks_and_lines) {
    static const char *const WANTED[] = {"On 19. 5. 2024 it rained.", "Why?", "See a.b for it",
                                         "\xE6\x9C\x9D\xE3\x80\x82", "\xE5\xA4\x9C"};
    twx_unit_list units = {0};
    twx_ctx cx = {0};
    const twx_slice text = TWX_SLICE_LIT("On 19. 5. 2024 it rained.  Why? See a.b for it\n \n"
                                         "\xE6\x9C\x9D\xE3\x80\x82\xE5\xA4\x9C");
    assert_ok(twx_units_of(&cx, text, &units));
    assert_int_equal(units.at.n, TWX_COUNTOF(WANTED));
    for (size_t i = 0; i < units.at.n; i++)
        assert_true(twx_slice_eq(units.at.at[i].text, twx_slice_of(WANTED[i])));
    TWX_VEC_DONE(&units.at);
}
