/* Payloads are what three_plus_five.c says, and pairs verify as the rule says: every one is found
 * by its candidate keys. */
#include "sentence_texts.h"

static const twx_detector *const D = &TWX_DETECTOR_THREE_PLUS_FIVE;

enum { PAYLOAD_MAX = 98, MILLION = 1000000, ROUNDS = 200000 };

/* A payload to be made; sentences and words are small numbers that stand for signatures. */
typedef struct made {
    uint32_t words, sentences;
    uint8_t n_keys, n_longest;
    uint8_t key[3], longest[5];
} made;

typedef struct packed {
    char bytes[PAYLOAD_MAX];
    size_t n;
} packed;

static packed pack(const made *m) {
    packed p = {.n = 10};
    twx_store_le32(p.bytes, m->words);
    twx_store_le32(p.bytes + 4, m->sentences);
    p.bytes[8] = (char)m->n_keys;
    p.bytes[9] = (char)m->n_longest;
    for (size_t i = 0; i < m->n_keys; i++, p.n += 16) {
        twx_store_le64(p.bytes + p.n, m->key[i]);
        twx_store_le64(p.bytes + p.n + 8, m->key[i]);
    }
    for (size_t i = 0; i < m->n_longest; i++, p.n += 8)
        twx_store_le64(p.bytes + p.n, m->longest[i]);
    return p;
}

static twx_slice bytes_of(const packed *p) {
    return (twx_slice){p->bytes, p->n};
}

static int32_t verify(const made *a, const made *b) {
    const packed x = pack(a), y = pack(b);
    const int32_t forth = D->verify(NULL, bytes_of(&x), bytes_of(&y)),
                  back = D->verify(NULL, bytes_of(&y), bytes_of(&x));
    assert_int_equal(forth, back); /* detector [R4] */
    return forth;
}

static const made USUAL = {200, 20, 3, 5, {1, 2, 3}, {1, 2, 3, 4, 5}};

/* The payload of a text, from a block without slack, and its first key. */
static packed payload_of(fixture *f, twx_slice text, twx_key *ret_first) {
    packed p = {.n = 0};
    char *exact = malloc(text.n ? text.n : 1);
    assert_non_null(exact);
    if (text.n) memcpy(exact, text.p, text.n);
    f->signature.keys.n = 0;
    f->signature.payload = (twx_slice){NULL, 0};
    assert_ok(
        D->sign(&f->cx, f->w, &f->params, &(twx_document){.text = {exact, text.n}}, &f->signature));
    assert_int_equal(f->signature.keys.n, f->signature.payload.n > 0);
    assert_true(f->signature.payload.n <= PAYLOAD_MAX);
    p.n = f->signature.payload.n;
    if (p.n > 0) {
        memcpy(p.bytes, f->signature.payload.p, p.n);
        *ret_first = f->signature.keys.at[0];
    }
    twx_workspace_reset(f->w);
    free(exact);
    return p;
}

static twx_key key_of(fixture *f, const char *part) {
    twx_slice slice = twx_slice_of(part);
    twx_key key;
    assert_ok(twx_key_of_parts(&f->cx, f->w, &slice, 1, &key));
    return key;
}

typedef struct example {
    const char *text;
    uint32_t words, sentences;
    const char *sentence[4], *longest[6]; /* NULL after the last */
} example;

static void check(fixture *f, const example *e) {
    twx_key first = {0};
    packed expected = {.n = 10}, p = payload_of(f, twx_slice_of(e->text), &first);
    size_t n_keys = 0, n_longest = 0;
    for (; e->sentence[n_keys]; n_keys++, expected.n += 16) {
        const twx_key key = key_of(f, e->sentence[n_keys]);
        twx_store_le64(expected.bytes + expected.n, key.key);
        twx_store_le64(expected.bytes + expected.n + 8, key.check);
    }
    for (; e->longest[n_longest]; n_longest++, expected.n += 8)
        twx_store_le64(expected.bytes + expected.n, key_of(f, e->longest[n_longest]).key);
    twx_store_le32(expected.bytes, e->words);
    twx_store_le32(expected.bytes + 4, e->sentences);
    expected.bytes[8] = (char)n_keys;
    expected.bytes[9] = (char)n_longest;
    if (e->words == 0) expected.n = 0;
    if (!twx_slice_eq(bytes_of(&p), bytes_of(&expected)))
        fail_msg("'%s': another payload of %zu bytes", e->text, p.n);
    if (p.n > 0) assert_int_equal(first.key, key_of(f, e->sentence[0]).key);
    twx_workspace_reset(f->w);
}

TEST(the_payload_holds_lengths_sentences_and_words) {
    static const example EXAMPLES[] = {
        {"One two. Three is it a five six seven! Eleven. The end is near\nOne two",
         12,
         5,
         {"three is it a five six seven", "the end is near", "one two"},
         {"eleven", "seven", "three", "five", "near"}},
        {"of it. a b c", 0, 0, {NULL}, {NULL}}, /* no word of three letters */
        {"", 0, 0, {NULL}, {NULL}},
        {"\xFF\x01\xC3", 0, 0, {NULL}, {NULL}},
        {"Word", 1, 1, {"word"}, {"word"}},
        {"word word word", 3, 1, {"word word word"}, {"word"}},
        {"beta. alpha. delta. gamma",
         4,
         4,
         {"alpha", "beta", "delta"},
         {"alpha", "delta", "gamma", "beta"}}, /* ties */
        {"aaa bbb ccc ddd eee fff. fff aaa",
         8,
         2,
         {"aaa bbb ccc ddd eee fff", "fff aaa"},
         {"aaa", "bbb", "ccc", "ddd", "eee"}},
        {"\xC3\x84\xC3\x96\xC3\x9C\xC3\x84 longer",
         2,
         1,
         {"\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4 longer"},
         {"longer", "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4"}}, /* letters count, not bytes */
    };
    for (size_t i = 0; i < TWX_COUNTOF(EXAMPLES); i++) check(*state, &EXAMPLES[i]);
}

TEST(lengths_may_differ_by_15_percent) {
    made other = USUAL;
    static const struct {
        uint32_t words;
        bool pair;
    } CASES[] = {{200, true},  {230, true}, {231, false},       {174, true},
                 {173, false}, {1, false},  {UINT32_MAX, false}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        other.words = CASES[i].words;
        assert_int_equal(verify(&USUAL, &other) >= 0, CASES[i].pair);
    }
}

TEST(numbers_of_sentences_may_differ_by_20_percent) {
    made other = USUAL;
    static const struct {
        uint32_t sentences;
        bool pair;
    } CASES[] = {{20, true}, {24, true}, {25, false}, {17, true}, {16, false}, {UINT32_MAX, false}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        other.sentences = CASES[i].sentences;
        assert_int_equal(verify(&USUAL, &other) >= 0, CASES[i].pair);
    }
}

TEST(two_of_the_longest_words_must_be_equal) {
    made none = USUAL, one = USUAL, two = USUAL, single = USUAL;
    memcpy(none.longest, (uint8_t[]){11, 12, 13, 14, 15}, 5);
    memcpy(one.longest, (uint8_t[]){11, 12, 13, 14, 1}, 5);
    memcpy(two.longest, (uint8_t[]){5, 12, 13, 14, 1}, 5);
    single.n_longest = 1;
    assert_int_equal(verify(&USUAL, &none), -1);
    assert_int_equal(verify(&USUAL, &one), -1);
    assert_int_equal(verify(&USUAL, &two), MILLION / 8 * 5);
    assert_int_equal(verify(&USUAL, &single), -1);
    assert_int_equal(verify(&single, &single), MILLION); /* texts of one word */
}

TEST(the_longest_sentence_or_two_of_three_must_be_equal) {
    static const struct {
        uint32_t sentences;
        uint8_t key[3];
        bool pair;
    } CASES[] = {{20, {1, 9, 8}, true}, {20, {9, 1, 8}, false}, {20, {3, 1, 9}, true},
                 {20, {9, 3, 2}, true}, {20, {9, 8, 7}, false}, {6, {3, 1, 9}, true},
                 {5, {3, 1, 9}, false}, {5, {1, 9, 8}, true},   {5, {2, 1, 3}, false},
                 {6, {2, 1, 3}, true}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        made a = USUAL, b = USUAL;
        a.sentences = b.sentences = CASES[i].sentences;
        memcpy(b.key, CASES[i].key, 3);
        if ((verify(&a, &b) >= 0) != CASES[i].pair) fail_msg("case %zu", i);
    }
    made five = USUAL, six = USUAL;
    five.sentences = 5;
    six.sentences = 6;
    memcpy(six.key, (uint8_t[]){2, 1, 3}, 3);
    assert_int_equal(verify(&five, &six), -1); /* both must have more than five */
}

TEST(similarity_is_the_share_of_signatures_times_the_ratio_of_lengths) {
    made shorter = USUAL, fewer = USUAL;
    shorter.words = 180;
    fewer.n_keys = 1;
    assert_int_equal(verify(&USUAL, &USUAL), MILLION);
    assert_int_equal(verify(&USUAL, &shorter), 900000);
    assert_int_equal(verify(&USUAL, &fewer), 750000);
}

/* The rule once more, as the paper words it. */
static bool rule(const made *a, const made *b) {
    const double length = (double)a->words / b->words,
                 sentences = (double)a->sentences / b->sentences;
    int words = 0, keys = 0;
    for (size_t i = 0; i < a->n_longest; i++)
        for (size_t j = 0; j < b->n_longest; j++) words += a->longest[i] == b->longest[j];
    for (size_t i = 0; i < a->n_keys; i++)
        for (size_t j = 0; j < b->n_keys; j++) keys += a->key[i] == b->key[j];
    if (length > 1.15 + 1e-9 || 1 / length > 1.15 + 1e-9) return false;
    if (sentences > 1.2 + 1e-9 || 1 / sentences > 1.2 + 1e-9) return false;
    if (words < 2 && !(words == 1 && a->n_longest == 1 && b->n_longest == 1)) return false;
    return a->key[0] == b->key[0] || (keys >= 2 && a->sentences > 5 && b->sentences > 5);
}

static void draw_distinct(test_rng *rng, uint8_t *numbers, size_t n, size_t limit) {
    uint64_t pool[16];
    for (size_t i = 0; i < limit; i++) pool[i] = i;
    test_rng_shuffle(rng, pool, limit);
    for (size_t i = 0; i < n; i++) numbers[i] = (uint8_t)pool[i];
}

static made any_payload(test_rng *rng) {
    made m = {.words = 20 + (uint32_t)test_rng_below(rng, 8),
              .sentences = 1 + (uint32_t)test_rng_below(rng, 12)};
    m.n_longest = (uint8_t)(test_rng_below(rng, 4) ? 5 : 1 + test_rng_below(rng, 5));
    m.n_keys = (uint8_t)(m.sentences < 3 ? m.sentences : 3);
    draw_distinct(rng, m.key, m.n_keys, 5);
    draw_distinct(rng, m.longest, m.n_longest, 8);
    return m;
}

static bool share_a_candidate(const packed *a, const packed *b) {
    twx_key of_a[TWX_CANDIDATE_KEYS_MAX], of_b[TWX_CANDIDATE_KEYS_MAX];
    const twx_signed x = {{0}, bytes_of(a)}, y = {{0}, bytes_of(b)};
    const size_t n_a = D->candidates(NULL, &x, of_a), n_b = D->candidates(NULL, &y, of_b);
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            if (of_a[i].key == of_b[j].key && of_a[i].check == of_b[j].check) return true;
    return false;
}

TEST(r4_r5_random_pairs_verify_by_the_rule_and_are_found) {
    test_rng rng = test_rng_seed(19);
    size_t pairs = 0;
    for (size_t i = 0; i < ROUNDS; i++) {
        const made a = any_payload(&rng), b = any_payload(&rng);
        const packed x = pack(&a), y = pack(&b);
        const int32_t similarity = verify(&a, &b);
        if ((similarity >= 0) != rule(&a, &b))
            fail_msg("seed 19, pair %zu: similarity %d", i, similarity);
        assert_true(similarity <= MILLION);
        assert_int_equal(verify(&a, &a), MILLION);
        if (similarity < 0) continue;
        pairs++;
        if (!share_a_candidate(&x, &y)) fail_msg("seed 19, pair %zu verifies and is not found", i);
    }
    assert_true(pairs > ROUNDS / 100); /* the law was put to the test */
}

TEST(payloads_of_strangers_are_no_pair) {
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    const packed good = pack(&USUAL);
    for (size_t n = 0; n <= good.n; n++) { /* cut, and without slack */
        char *exact = malloc(n ? n : 1);
        assert_non_null(exact);
        memcpy(exact, good.bytes, n);
        const twx_signed from = {{7, 8}, {exact, n}};
        assert_int_equal(D->verify(NULL, bytes_of(&good), from.payload),
                         n == good.n ? MILLION : -1);
        assert_int_equal(D->candidates(NULL, &from, keys), n == good.n ? 3 : 0);
        free(exact);
    }
    for (size_t at = 8; at < 10; at++) /* other numbers of signatures than there are */
        for (int value = 0; value < 256; value++) {
            packed bad = good;
            bad.bytes[at] = (char)value;
            if (memcmp(bad.bytes, good.bytes, sizeof bad.bytes) == 0) continue;
            assert_int_equal(D->verify(NULL, bytes_of(&bad), bytes_of(&bad)), -1);
        }
    packed four = {.n = 10 + 4 * 16 + 8}; /* as many as they say, but more than there may be */
    four.bytes[0] = four.bytes[4] = four.bytes[9] = 1;
    four.bytes[8] = 4;
    assert_int_equal(D->verify(NULL, bytes_of(&four), bytes_of(&four)), -1);
    four.n = 10 + 16 + 6 * 8;
    four.bytes[8] = 1;
    four.bytes[9] = 6;
    assert_int_equal(D->verify(NULL, bytes_of(&four), bytes_of(&four)), -1);
    made forged = USUAL;
    memset(forged.longest, 1, sizeof forged.longest);
    memset(forged.key, 1, sizeof forged.key);
    assert_true(verify(&forged, &forged) <= MILLION && verify(&forged, &USUAL) <= MILLION);
    forged.words = 0;
    assert_int_equal(verify(&forged, &forged), -1);
}

/* A changed word here and there, a sentence more: still a pair. Another text of the same site:
 * none. */
TEST_OF(edited_copies_are_found_and_others_are_not, fixture *f) {
    static const char ORIGINAL[] =
        "Harbour seals rest on sandbanks at low tide. They hunt small fish in shallow water near "
        "the shore. Pups are born early in summer and swim within hours of birth. Adults weigh "
        "about eighty kilograms. Storms scatter the colonies. Tourists should keep their distance. "
        "Volunteers count them every August.";
    static const char EDITED[] = "HARBOUR SEALS rest on sandbanks at low tide! They hunt small "
                                 "fish in shallow water near the shore\n"
                                 "Pups are born early in summer and swim within hours of birth. "
                                 "Adults weigh about ninety kilograms. "
                                 "Storms scatter colonies. Tourists should keep their distance. "
                                 "Volunteers count them each August.";
    static const char OTHER[] =
        "Grey seals rest on rocks at high tide. They hunt large fish in deeper water far from the "
        "coast. Pups are born late in autumn and stay ashore for weeks after birth. Adults weigh "
        "about three hundred kilograms. Storms scatter the colonies. Tourists should keep their "
        "distance. Volunteers count them every January.";
    twx_key first;
    const packed original = payload_of(f, twx_slice_of(ORIGINAL), &first),
                 edited = payload_of(f, twx_slice_of(EDITED), &first),
                 other = payload_of(f, twx_slice_of(OTHER), &first);
    assert_int_equal(D->verify(&f->params, bytes_of(&original), bytes_of(&original)), MILLION);
    const int32_t similarity = D->verify(&f->params, bytes_of(&original), bytes_of(&edited));
    assert_true(similarity > 700000 && similarity < MILLION);
    assert_true(share_a_candidate(&original, &edited));
    assert_int_equal(D->verify(&f->params, bytes_of(&original), bytes_of(&other)), -1);
}

TEST_OF(huge_and_odd_texts_are_signed, fixture *f) {
    static const struct {
        const char *piece;
        size_t bytes;
        size_t payload;
    } CASES[] = {{"Very, long \xC3\x84sentence; ", HUGE_TEXT, 10 + 16 + 3 * 8},
                 {"word ", LARGE_TEXT, 10 + 16 + 8},
                 {"word. ", LARGE_TEXT, 10 + 16 + 8},
                 {"WORD", LARGE_TEXT, 10 + 16 + 8},
                 {"a.", LARGE_TEXT, 0},
                 {"\x80\xFF", LARGE_TEXT, 0},
                 {" \n", LARGE_TEXT, 0}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        const size_t piece = strlen(CASES[i].piece), n = CASES[i].bytes / piece * piece;
        char *text = repeated(CASES[i].piece, n);
        twx_key first;
        const packed p = payload_of(f, (twx_slice){text, n}, &first);
        if (p.n != CASES[i].payload) fail_msg("'%s' over and over: %zu bytes", CASES[i].piece, p.n);
        if (p.n > 0) assert_int_equal(D->verify(NULL, bytes_of(&p), bytes_of(&p)), MILLION);
        free(text);
    }
}
