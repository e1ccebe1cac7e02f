/* The key is that of the two sentences whose words weigh most in the collection. */
#include "collection_fixture.h"
#include "sentence_texts.h"

static const twx_detector *const D = &TWX_DETECTOR_HEAVY_SENTENCE;

enum { ROUNDS = 600, DOCUMENTS = 12, SENTENCES_MAX = 130 };

/* "notice" is in all texts, "shared" in half of them, "seldom" in two. */
static const char *text_of(size_t i) {
    static const char *const TEXTS[] = {"notice shared seldom", "notice shared", "notice",
                                        "notice"};
    return TEXTS[i < 2 ? 0 : i < DOCUMENTS / 2 ? 1 : 2 + i % 2];
}

static void collect(fixture *f) {
    const char *texts[DOCUMENTS];
    for (size_t i = 0; i < DOCUMENTS; i++) texts[i] = text_of(i);
    fixture_collect(f, TWX_NEED_LEXICON, texts, DOCUMENTS);
}

TEST_OF(weights_decide_not_lengths, fixture *f) {
    static const sentence_example EXAMPLES[] = {
        /* a word in all texts has a negative weight, however often it occurs */
        {"Notice notice notice notice notice. Seldom. Shared shared seldom",
         {"seldom", "shared shared seldom"}},
        /* words the collection does not know are the rarest */
        {"Notice notice. Seldom shared. Zebra zebra. Shared", {"seldom shared", "zebra zebra"}},
        {"Notice notice. Notice notice notice. Of it is to an of it is to an notice. Notice notice "
         "notice notice",
         {"notice notice", "of it is to an of it is to an notice"}},
        {"Shared seldom", {"shared seldom"}},
        {"Seldom seen. Seldom seen! Seldom seen", {"seldom seen"}},
        {"Yankee. Xray1. Zulu1",
         {"xray1", "yankee"}}, /* equal weights: the first by the alphabet */
        {"one two six", {NULL}},
        {"", {NULL}},
        {"\xFF", {NULL}},
    };
    collect(f);
    check_examples(f, D, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST_OF(without_statistics_there_is_no_key, fixture *f) {
    twx_key key;
    const twx_document doc = {.text = TWX_SLICE_LIT("seldom shared. notice")};
    collect(f);
    assert_int_equal(fixture_sign(f, D, &doc, &key), 1);
    f->params.collection = NULL;
    assert_int_equal(fixture_sign(f, D, &doc, &key), 0);
    const twx_collection without = {0};
    f->params.collection = &without;
    assert_int_equal(fixture_sign(f, D, &doc, &key), 0);
}

TEST_OF(the_pattern_is_part_of_the_fingerprint, fixture *f) {
    collect(f);
    const uint64_t before = D->fingerprint(&f->params);
    f->params.sentence_end = ";";
    assert_true(D->fingerprint(&f->params) != before);
}

static bool slow_read(const fixture *f, const twx_bag *bag, twx_slice sentence,
                      slow_sentence *ret_read) {
    char word[PLAIN_TEXT_MAX];
    size_t at = 0, n, units;
    bool counts = false;
    *ret_read = (slow_sentence){.n = 0};
    while (plain_word(sentence, &at, word, &n, &units)) {
        if (ret_read->n > 0) ret_read->text[ret_read->n++] = ' ';
        memcpy(ret_read->text + ret_read->n, word, n);
        ret_read->n += n;
        for (size_t i = 0; i < bag->n; i++) {
            if (!twx_slice_eq(bag->at[i].text, (twx_slice){word, n})) continue;
            counts = true;
            ret_read->weight += twx_tfidf_weight(bag, f->params.collection->lexicon, &bag->at[i]);
        }
    }
    return counts;
}

/* The key of the two best; "" when no word counts. */
static const char *slow_hex(fixture *f, twx_slice text) {
    static slow_sentence all[SENTENCES_MAX];
    twx_sentences *s = NULL;
    twx_slice sentence;
    twx_bag bag;
    size_t n = 0, second = 1;
    assert_int_equal(twx_bag_of(&f->cx, f->w, text, &bag), TWX_OK);
    assert_int_equal(twx_workspace_sentences(&f->cx, f->w, &s), TWX_OK);
    twx_sentences_start(s, text);
    while (twx_sentences_next(&f->cx, s, &sentence) == TWX_OK) {
        assert_true(n < SENTENCES_MAX);
        n += slow_read(f, &bag, sentence, &all[n]);
    }
    qsort(all, n, sizeof *all, slow_order);
    while (second < n && slow_order(&all[0], &all[second]) == 0) second++;
    for (size_t i = 0; i < n; i++) all[i].text[all[i].n] = '\0';
    return parts_hex(f, (const char *const[]){n > 0 ? all[0].text : NULL,
                                              second < n ? all[second].text : NULL, NULL});
}

TEST_OF(a_slow_search_finds_the_same, fixture *f) {
    static const char *const NEW[] = {"notice", "shared", "seldom", "aaaa", "bbbb"};
    size_t keys = 0;
    collect(f);
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        char expected[33];
        size_t n;
        char *text = random_sentences(&rng, &n);
        for (size_t i = 0; i + 10 <= n; i++) /* words of the collection in place of one of ours */
            if (memcmp(text + i, "ffffffffff", 10) == 0) {
                memset(text + i, ' ', 10);
                const char *word = NEW[test_rng_below(&rng, TWX_COUNTOF(NEW))];
                memcpy(text + i, word, strlen(word));
            }
        memcpy(expected, slow_hex(f, (twx_slice){text, n}), sizeof expected);
        const char *hex = fixture_hex(f, D, &(twx_document){.text = {text, n}});
        if (strcmp(hex, expected) != 0)
            fail_msg("seed %" PRIu64 ": '%s', expected '%s'", seed, hex, expected);
        keys += hex[0] != '\0';
        free(text);
    }
    assert_true(keys > ROUNDS / 2); /* the law was put to the test */
}

TEST_OF(huge_and_odd_texts_are_signed, fixture *f) {
    static const struct {
        const char *piece;
        size_t bytes;
        bool has_key;
    } CASES[] = {{"Very, long \xC3\x84sentence; ", HUGE_TEXT, true},
                 {"word ", LARGE_TEXT, true},
                 {"notice. ", LARGE_TEXT, true},
                 {"WORD", LARGE_TEXT, true},
                 {"a.", LARGE_TEXT, false},
                 {"\x80\xFF", LARGE_TEXT, false}};
    collect(f);
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        char *text = repeated(CASES[i].piece, CASES[i].bytes);
        const char *hex = fixture_hex(f, D, &(twx_document){.text = {text, CASES[i].bytes}});
        if ((hex[0] != '\0') != CASES[i].has_key)
            fail_msg("'%s' over and over: '%s'", CASES[i].piece, hex);
        free(text);
    }
}
