/* What the pages of a host teach: words and titles that say nothing there. */
#include "names_fixture.h"

/* Twenty pages "Shop: itemX" whose short texts repeat "Basket". */
static void add_shop(fixture *f, const char *more) {
    for (int i = 0; i < 20; i++) {
        char title[40], text[400], path[40];
        snprintf(title, sizeof title, "Shop: item%c", 'a' + i);
        snprintf(path, sizeof path, "p/item%c", 'a' + i);
        snprintf(text, sizeof text, "Basket, Basket, Name%c, Name%c %s", 'a' + i, 'a' + i, more);
        add(f, (page){.path = path, .title = title, .text = text});
    }
}

static const char LONG_TEXT[] = " Aa1 Aa1 Bb1 Bb1 Cc1 Cc1 Dd1 Dd1 Ee1 Ee1 Ff1 Ff1 plain plain "
                                "words words other other third third fourth fourth fifth fifth ";

TEST_OF(the_sites_own_part_of_titles_is_not_demanded, fixture *f) {
    add_shop(f, "");
    const uint32_t a = add(f, (page){.path = "p/x", .title = "Shop: saddle", .text = "x"}),
                   s = add(f, (page){.path = "p/y", .title = "Saddle", .text = "y"});
    learn(f);
    assert_true(contains(f, a, s, NULL));
    assert_false(contains(f, 0, 1, NULL)); /* items differ */
}

TEST_OF(common_repeated_words_are_not_demanded, fixture *f) {
    add_shop(f, "");
    const uint32_t a = add(f, (page){.path = "p/x", .title = "Saddle", .text = "Basket, Basket"}),
                   s = add(f, (page){.path = "p/y", .title = "Saddle", .text = "y"}),
                   b = add(f, (page){.path = "p/y", .title = "Saddle", .text = "Wool, Wool"});
    learn(f);
    assert_true(contains(f, a, s, NULL));
    assert_false(contains(f, b, s, NULL));
}

/* 15 names, of which 4 have a word and 4 another one, and a name whose last texts of 17 have them;
 * a common word is that of 5 names. */
TEST_OF(words_are_learned_from_sixteen_texts_of_a_name, fixture *f) {
    for (int i = 0; i < 32; i++) {
        const char title[] = {'x', (char)('a' + (i < 15 ? i : 15)), '\0'},
                   *const text = i < 4 || i == 30   ? "Basket, Basket"
                                 : i < 8 || i == 31 ? "Candle, Candle"
                                                    : "y";
        add(f, (page){.path = title, .title = title, .text = text});
    }
    const uint32_t s = add(f, (page){.title = "Saddle", .text = "v"}),
                   basket = add(f, (page){.title = "Saddle", .text = "Basket, Basket"}),
                   candle = add(f, (page){.title = "Saddle", .text = "Candle, Candle"});
    for (uint32_t i = s; i <= candle; i++) f->eligibility[i] = TWX_ELIGIBLE + 1;
    learn(f);
    assert_true(contains(f, basket, s, NULL));
    assert_false(contains(f, candle, s, NULL));
}

TEST_OF(common_words_of_long_texts_are_learned_from_all, fixture *f) {
    char text[400];
    snprintf(text, sizeof text, "Basket, Basket, Own, Own %s", LONG_TEXT);
    add_shop(f, LONG_TEXT);
    const uint32_t a = add(f, (page){.path = "p/x", .title = "Saddle", .text = text}),
                   s = add(f, (page){.path = "p/y", .title = "Saddle", .text = "Own, Own"});
    learn(f);
    assert_true(contains(f, a, s, NULL));
}

TEST_OF(a_small_host_teaches_nothing, fixture *f) {
    for (int i = 0; i < 5; i++) {
        char title[40];
        snprintf(title, sizeof title, "Shop: item%c", 'a' + i);
        add(f, (page){.title = title, .text = title});
    }
    const uint32_t s = add(f, (page){.title = "itema", .text = "x"});
    learn(f);
    assert_false(contains(f, 0, s, NULL));
}

TEST_OF(a_constant_title_demands_url_and_lead_words, fixture *f) {
    static const char *const THINGS[] = {"saddle", "pedal", "chain"};
    twx_demand missing = {0};
    for (int i = 0; i < 3; i++)
        add(f, (page){.path = THINGS[i], .title = "My shop", .text = THINGS[i]});
    const uint32_t a = add(f, (page){.path = "17", .title = "My shop", .text = "Brake"}),
                   s = add(f, (page){.path = "18", .title = "My shop", .text = "Wheel"});
    learn(f);
    assert_false(contains(f, 0, 1, &missing));
    assert_int_equal(missing.part, TWX_NAME_URL);
    assert_int_equal(missing.word, word_of("saddle"));
    assert_false(contains(f, a, s, &missing));
    assert_int_equal(missing.part, TWX_NAME_LEAD);
    assert_true(contains(f, a, a, NULL)); /* [R3] */
}

TEST(two_urls_make_no_constant_title) {
    assert_true(hides(*state, (page){.path = "saddle", .title = "My shop", .text = "x"},
                      (page){.path = "pedal", .title = "My shop", .text = "y"}, NULL));
}

/* Of two domains, three pages each; the third title of the second one has another end. */
TEST_OF(r5_ends_of_titles_are_demanded_within_their_domain, fixture *f) {
    static const char *const TITLES[] = {
        "Tides | Visit Skerry", "Boats | Visit Skerry", "Seals of the sound | Visit Skerry",
        "Tides - Isles Today",  "Boats - Isles Today",  "Seals of the sound"};
    static const twx_pieces NONE;
    f->names.rules.own = true;
    f->names.urls = &NONE;
    for (size_t i = 0; i < TWX_COUNTOF(TITLES); i++)
        add(f, (page){.title = TITLES[i], .text = "x", .host = i < 3 ? "skerry" : "isles"});
    learn(f);
    assert_true(contains(f, 0, 3, NULL));
    assert_false(contains(f, 0, 4, NULL));
    assert_false(contains(f, 0, 1, NULL)); /* of one domain */
    assert_true(contains(f, 2, 5, NULL));
    assert_true(contains(f, 5, 2, NULL));
    assert_false(contains(f, 3, 0, NULL)); /* two titles are too few */
    twx_demands d;
    twx_names_demands(&f->names, &f->p, f->node[0], 0, &d);
    d.is_short = true;
    assert_false(twx_names_contain(&f->names, f->node[3], 3, &d, NULL));
}

TEST_OF(r2_documents_that_do_not_take_part_teach_nothing, fixture *f) {
    static const char *const THINGS[] = {"saddle", "pedal", "chain"};
    for (int i = 0; i < 3; i++)
        add(f, (page){.path = THINGS[i], .title = "My shop", .text = THINGS[i]});
    f->eligibility[2] = TWX_ELIGIBLE + 1;
    learn(f);
    assert_true(contains(f, 0, 1, NULL));
}
