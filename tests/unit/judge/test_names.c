/* May a document be hidden by another? Names of one host, signed by the detectors themselves.
 */
#include "names_fixture.h"

TEST(r1_every_word_of_the_title_is_demanded) {
    twx_demand missing = {0};
    const page a = {.title = "Red bicycle", .text = "x"},
               s = {.title = "Blue bicycle", .text = "y"};
    assert_false(hides(*state, a, s, &missing));
    assert_int_equal(missing.word, word_of("red"));
    assert_int_equal(missing.part, TWX_NAME_TITLE);
}

static const page RED_BICYCLE = {.title = "Red bicycle", .text = "x"};
static const char RED[] = "Red bicycle: Red paint, Red saddle, a bicycle bell";

TEST(r4_text_offers_what_a_title_demands_without_a_title) {
    assert_true(hides(*state, RED_BICYCLE, (page){.text = RED}, NULL));
}

TEST(r4_but_not_with_another_title) {
    twx_demand missing = {0};
    assert_false(hides(*state, RED_BICYCLE, (page){.title = "Bicycle", .text = RED}, &missing));
    assert_int_equal(missing.word, word_of("red"));
}

TEST(r4_headings_offer_what_a_title_demands) {
    assert_true(hides(*state, RED_BICYCLE,
                      (page){.title = "Bicycle", .headings = "Red", .text = "a"}, NULL));
}

TEST(r4_urls_offer_what_a_title_demands) {
    assert_true(hides(*state, RED_BICYCLE,
                      (page){.title = "Bicycle", .path = "red.html", .text = "c"}, NULL));
}

TEST(r1_every_heading_is_demanded) {
    twx_demand missing = {0};
    assert_false(hides(*state, (page){.title = "Shop", .headings = "Saddle", .text = "x"},
                       (page){.title = "Shop", .headings = "Pedal", .text = "y"}, &missing));
    assert_int_equal(missing.part, TWX_NAME_HEADING);
}

/* A page that mentions the other's heading has another heading. */
TEST(r4_a_heading_is_not_offered_by_repeated_words) {
    twx_demand missing = {0};
    const page commit = {.title = "SQL", .headings = "COMMIT", .text = "Statement"};
    assert_false(hides(*state, commit,
                       (page){.title = "SQL", .headings = "END", .text = "Commit, Commit"},
                       &missing));
    assert_int_equal(missing.part, TWX_NAME_HEADING);
}

TEST(r4_without_a_heading_repeated_words_suffice) {
    assert_true(hides(*state, (page){.title = "SQL", .headings = "COMMIT", .text = "Statement"},
                      (page){.title = "SQL", .text = "Commit, Commit"}, NULL));
}

/* The words of titles and headings that most names of a host have are no names. */
TEST_OF(r1_a_logo_is_no_name, fixture *f) {
    char headings[32];
    for (char c = 'a'; c <= 'p'; c++) {
        snprintf(headings, sizeof headings, "Corner shop\nsaddle%c", c);
        (void)add(f, (page){.title = "Products", .headings = headings, .text = "x"});
    }
    const uint32_t a = add(f, (page){.title = "Products", .headings = "Corner shop", .text = "y"});
    const uint32_t s = add(f, (page){.title = "Products", .text = "z"});
    learn(f);
    assert_true(contains(f, a, s, NULL));
    assert_false(contains(f, 0, s, NULL));
}

/* Titles are shared by thousands of documents; title and headings are not. */
TEST_OF(headings_give_a_key, fixture *f) {
    (void)add(f, (page){.title = "Shop", .text = "x"});
    assert_int_equal(f->n_keys, 1);
    const uint64_t title = f->keys[0];
    (void)add(f, (page){.title = "Shop", .headings = "Saddle", .text = "y"});
    assert_true(f->n_keys == 2 && f->keys[0] == title && f->keys[1] != title);
    const uint64_t saddle = f->keys[1];
    (void)add(f, (page){.title = "Shop", .headings = "Pedal", .text = "z"});
    assert_true(f->n_keys == 2 && f->keys[1] != saddle);
    (void)add(f, (page){.title = "Shop", .headings = "Saddle", .text = "z, again"});
    assert_true(f->n_keys == 2 && f->keys[1] == saddle);
}

TEST(r1_repeated_words_are_demanded) {
    twx_demand missing = {0};
    assert_false(hides(*state, (page){.title = "Office", .text = "Meyer, Meyer"},
                       (page){.title = "Office", .text = "Schulz, Schulz"}, &missing));
    assert_int_equal(missing.word, word_of("meyer"));
    assert_int_equal(missing.part, TWX_NAME_REPEATED);
}

TEST(r1_numbers_are_demanded) {
    twx_demand missing = {0};
    assert_false(hides(*state, (page){.title = "Disk", .text = "It takes 285 MB"},
                       (page){.title = "Disk", .text = "It takes 286 MB"}, &missing));
    assert_int_equal(missing.part, TWX_NAME_NUMBER);
}

TEST(r1_order_of_title_words_counts) {
    twx_demand missing = {.word = 1};
    assert_false(hides(*state, (page){.title = "Ann Lee", .text = "x"},
                       (page){.title = "Lee Ann", .text = "y"}, &missing));
    assert_int_equal(missing.word, 0);
}

TEST(r1_repeats_of_title_words_count) {
    assert_false(titles_hide(*state, "Duran Duran", "Duran"));
}

TEST(a_word_more_in_the_other_does_not_matter) {
    assert_true(titles_hide(*state, "Duran", "Duran Duran"));
}

TEST(a_print_view_is_contained_in_its_page) {
    assert_true(titles_hide(*state, "Storm (print)", "Storm"));
}

TEST(print_is_not_format) {
    assert_false(titles_hide(*state, "print()", "format()"));
}

TEST(python_print_is_not_python_format) {
    assert_false(titles_hide(*state, "Python print", "Python format"));
}

TEST(versions_are_separate) {
    assert_false(titles_hide(*state, "Tool 1.8", "Tool 1.10"));
}

TEST_OF(ignored_words_are_never_demanded, fixture *f) {
    const uint32_t ignored = word_of("red");
    f->names.rules.ignored = &ignored;
    f->names.rules.n_ignored = 1;
    assert_true(titles_hide(f, "Red bicycle", "Bicycle"));
}

TEST_OF(all_names_of_a_text_are_demanded_up_to_eight, fixture *f) {
    static const char *const NUMBERS[] = {"one", "two",   "three", "four", "five",
                                          "six", "seven", "eight", "nine"};
    const uint32_t s = add(
        f, (page){.title = "one two three four five six seven eight nine", .text = "y"});
    for (int i = 0; i < 8; i++) add(f, (page){.title = NUMBERS[i], .text = i ? NULL : "x"});
    const uint32_t nine = f->n;
    for (int i = 0; i < 9; i++) add(f, (page){.title = NUMBERS[i], .text = i ? NULL : "z"});
    learn(f);
    twx_demand missing = {.word = 1};
    assert_true(contains(f, 1, s, NULL));
    assert_false(contains(f, 1, nine, &missing));
    assert_int_equal(missing.word, word_of("two"));
    assert_false(contains(f, nine, s, &missing));
    assert_int_equal(missing.word, 0);
    assert_true(contains(f, nine, nine, NULL)); /* [R3] */
}

/* Eight names, and each of them twice. */
TEST_OF(a_name_of_many_documents_is_one_name, fixture *f) {
    static const char *const NAMES[] = {"one",  "two", "three", "four",
                                        "five", "six", "seven", "eight"};
    const uint32_t s = add(f,
                           (page){.title = "one two three four five six seven eight", .text = "y"});
    for (int i = 0; i < 16; i++) add(f, (page){.title = NAMES[i / 2], .text = i ? NULL : "x"});
    learn(f);
    assert_true(contains(f, 1, s, NULL));
}

/* Seven names of ten words each: no document offers so many. */
TEST_OF(more_words_than_are_kept_are_never_offered, fixture *f) {
    char titles[7][200] = {""};
    const uint32_t s = add(f, (page){.title = "ab", .text = "y"});
    for (int i = 0; i < 70; i++) {
        char *title = titles[i / TWX_NAME_TITLE_MAX];
        /* a word that no other title has */
        snprintf(title + strlen(title), 10, "%c%c%c ", 'a' + i % 7, 'k' + i / 7, 'a' + i % 7);
    }
    _Static_assert(TWX_NAME_TITLE_MAX == 10 && TWX_DEMANDS_MAX < 70, "more words than are kept");
    for (int i = 0; i < 7; i++) add(f, (page){.title = titles[i], .text = i ? NULL : "x"});
    learn(f);
    twx_demand missing = {.word = 1};
    assert_false(contains(f, 1, s, &missing));
    assert_int_equal(missing.word, 0);
}

/* A text with as many repeated words as are kept, and one that repeats another word more often. */
static void make_full_texts(char full[600], char longer[700]) {
    snprintf(full, 600, "Own Own ");
    for (int i = 0; i < TWX_NAME_PROPER_MAX; i++)
        snprintf(full + strlen(full), 600 - strlen(full), "Thing%c Thing%c Thing%c ", 'a' + i,
                 'a' + i, 'a' + i);
    snprintf(longer, 700, "%s Added Added Added Added", full);
}

/* What a copy's full list has no room for is not missed. */
TEST(words_beyond_a_full_list_are_not_missed) {
    char a[600], s[700];
    make_full_texts(a, s);
    assert_true(hides(*state, (page){.title = "Saddle", .text = a},
                      (page){.title = "Saddle", .text = s}, NULL));
}

TEST(words_that_would_stand_in_a_full_list_are_missed) {
    char a[600], s[700];
    make_full_texts(a, s);
    assert_false(hides(*state, (page){.title = "Saddle", .text = s},
                       (page){.title = "Saddle", .text = a}, NULL));
}

TEST(a_code_that_stands_once_is_demanded) {
    twx_demand missing = {0};
    assert_false(hides(*state, (page){.title = "Install", .text = "for i386"},
                       (page){.title = "Install", .text = "for amd64"}, &missing));
    assert_int_equal(missing.part, TWX_NAME_CODE);
}

TEST(words_of_the_frame_are_not_missed) {
    assert_true(hides(*state, (page){.title = "Saddle", .text = "session of x, session"},
                      (page){.title = "Saddle", .text = "x"}, NULL));
}

TEST(words_of_the_frame_are_missed_in_titles) {
    assert_false(hides(*state, (page){.title = "Session", .text = "session of x, session"},
                       (page){.title = "Saddle", .text = "x"}, NULL));
}

/* Documents with one text are items of their own by the names of their images. */
TEST_OF(names_of_images_are_part_of_the_identity, fixture *f) {
    page one = {.title = "Gallery", .names = "A hare", .text = "Pictures"}, other = one, bare = one,
         untitled = {.names = "A hare"}, nameless = {0};
    other.names = "A hedgehog";
    bare.names = NULL;
    other.text = bare.text = NULL;
    const uint32_t a = add(f, one), b = add(f, other), none = add(f, bare), u = add(f, untitled),
                   nothing = add(f, nameless);
    learn(f);
    const uint64_t of_a = twx_names_identity(&f->names, a);
    assert_true(of_a != twx_names_identity(&f->names, b));
    assert_true(of_a != twx_names_identity(&f->names, none));
    assert_true(twx_names_identity(&f->names, u) != 0);
    assert_int_equal(twx_names_identity(&f->names, nothing), 0);
}

/* A mirror has the names of its banner, too: on other domains they count where the names of one of
 * the two documents are found. */
TEST_OF(names_of_images_on_other_domains, fixture *f) {
    static const twx_pieces NO_NAMES;
    f->names.rules.own = true;
    f->names.urls = &NO_NAMES;
    const uint32_t hare = add(f, (page){.names = "A hare", .text = "Pictures"}),
                   hedgehog = add(f, (page){.names = "A hedgehog", .text = "More pictures"}),
                   copy = add(f, (page){.names = "A hare", .text = "A copy", .host = "m"}),
                   banner = add(f, (page){.names = "A hare\nBanner", .text = "x", .host = "b"});
    learn(f);
    assert_true(twx_names_shown_otherwise(&f->names, &f->p, false, hare, hedgehog));
    assert_true(twx_names_shown_otherwise(&f->names, &f->p, false, copy, hedgehog));
    assert_true(twx_names_shown_otherwise(&f->names, &f->p, false, hedgehog, copy));
    assert_false(twx_names_shown_otherwise(&f->names, &f->p, false, copy, hare));
    assert_false(twx_names_shown_otherwise(&f->names, &f->p, false, banner, hedgehog));
    assert_true(twx_names_shown_otherwise(&f->names, &f->p, true, banner, hedgehog));
}

/* They are no names that a text has to be asked for: a text of many pictures is one name. */
TEST_OF(names_of_images_are_no_demands, fixture *f) {
    char names[20];
    uint32_t last = add(f, (page){.title = "Gallery", .text = "Pictures"});
    for (int i = 0; i < 20; i++) {
        snprintf(names, sizeof names, "Picture %d", i);
        last = add(f, (page){.title = "Gallery", .names = names});
    }
    const uint32_t s = add(f, (page){.title = "Gallery", .text = "Pictures, again"});
    learn(f);
    assert_true(contains(f, last, s, NULL));
    assert_true(twx_names_equal(&f->names, last, s));
}

TEST_OF(equal_names_have_title_headings_and_tail, fixture *f) {
    const page same = {
        .path = "a/saddle.html", .title = "Saddle", .headings = "Leather", .text = "x"};
    page tail = same, heading = same, folder = same, title = same;
    tail.path = "a/pedal.html";
    heading.headings = "Wool";
    title.title = "Pedal";
    folder.path = "b/saddle.php";
    const uint32_t a = add(f, same);
    assert_true(twx_names_equal(&f->names, a, add(f, same)));
    assert_true(twx_names_equal(&f->names, a, add(f, folder)));
    assert_false(twx_names_equal(&f->names, a, add(f, tail)));
    assert_false(twx_names_equal(&f->names, a, add(f, heading)));
    assert_false(twx_names_equal(&f->names, a, add(f, title)));
}
