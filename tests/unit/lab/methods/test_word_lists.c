/* The row word_lists: a key for each list of words, and one in common suffices. */
#include "near_texts.h"

#define D (&TWX_DETECTOR_WORD_LISTS)

enum { KEYS_MAX = 12, LIST_WORDS = 8, LIST_WORDS_MIN = 6, LISTS = 8 };

/* Order and number of occurrences, capitals and short words never show. */
TEST_OF(a_list_is_a_set_of_words, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&a, &rng, 1 + test_rng_below(&rng, 300));
        b.n = 3 * a.n;
        for (size_t i = 0; i < b.n; i++)
            b.word[i] = a.word[i < a.n ? a.n - 1 - i : test_rng_below(&rng, a.n)];
        twx_slice text = near_text_bytes(&b);
        for (size_t i = 0; i < text.n; i++)
            if (test_rng_below(&rng, 4) == 0 && b.bytes[i] != ' ')
                b.bytes[i] = (char)(b.bytes[i] - 'a' + 'A');
        near_sign(f, D, near_text_bytes(&a), &x);
        near_sign(f, D, text, &y);
        assert_true(x.n >= 1 && x.n <= KEYS_MAX);
        if (!near_same(&x, &y)) fail_msg("seed %" PRIu64 ", %zu words", seed, a.n);
    }
}

/* Texts with a given number of different words, and whether a list may be missing because it is too
 * short. */
TEST_OF(lists_are_as_many_as_there_are_words_for, fixture *f) {
    static near_text t;
    static near_signed x;
    static const struct {
        size_t words, keys_max;
        bool all;
    } CASES[] = {{1, 1, true},    {15, 1, true},  {16, 3, false},  {31, 3, false},
                 {32, 6, false},  {63, 6, false}, {64, 12, false}, {127, 12, false},
                 {128, 8, false}, {1000, 8, true}};
    for (size_t c = 0; c < TWX_COUNTOF(CASES); c++) {
        size_t most = 0;
        for (uint64_t seed = 1; seed <= 100; seed++) {
            test_rng rng = test_rng_seed(seed);
            near_text_random(&t, &rng, CASES[c].words);
            near_sign(f, D, near_text_bytes(&t), &x);
            if (CASES[c].all && x.n != CASES[c].keys_max)
                fail_msg("seed %" PRIu64 ", %zu words: %zu keys", seed, t.n, x.n);
            if (x.n > most) most = x.n;
        }
        assert_int_equal(most, CASES[c].keys_max);
    }
}

/* The keys as the comment in the file says them, from the words of the text: list i of n, in order.
 */
static size_t slow_keys(const near_text *t, size_t n, near_signed *ret_signed) {
    size_t keys = ret_signed->n;
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = 0, check = 0, words = 0;
        for (size_t k = 0; k < t->n; k++) {
            const uint64_t hash = twx_bag_hash(
                (twx_slice){t->bytes + k * NEAR_WORD_BYTES, NEAR_WORD_BYTES - 1});
            if (n > 1 && twx_mix64(hash, 1) / (UINT64_MAX / n + 1) != i) continue;
            sum += twx_mix64(hash, 1);
            check += twx_mix64(hash, 2);
            words++;
        }
        if (n == 1 || words >= LIST_WORDS_MIN)
            ret_signed->keys[keys++] = (twx_key){twx_mix64(sum, n + i), check};
    }
    return keys;
}

TEST_OF(the_keys_are_those_of_the_lists, fixture *f) {
    static near_text t;
    static near_signed x, slow;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&t, &rng, 1 + test_rng_below(&rng, 150));
        near_sign(f, D, near_text_bytes(&t), &x);
        const size_t n = t.n < 16 ? 1 : t.n < 32 ? 2 : t.n < 64 ? 4 : 8;
        slow.n = 0;
        slow.payload_n = 0;
        slow.n = slow_keys(&t, n, &slow);
        if (n > 1 && t.n < 128) slow.n = slow_keys(&t, n / 2, &slow);
        if (!near_same(&x, &slow)) fail_msg("seed %" PRIu64 ", %zu words", seed, t.n);
    }
}

/* A changed word touches two lists at most. */
TEST_OF(a_changed_word_leaves_other_lists_alone, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&a, &rng, 200 + test_rng_below(&rng, 300));
        near_text_edited(&b, &a, &rng, 3);
        near_sign_both(f, D, &a, &b, &x, &y);
        assert_int_equal(x.n, LISTS);
        const size_t common = near_common_keys(&x, &y);
        if (common < LISTS - 6 || common == LISTS)
            fail_msg("seed %" PRIu64 ": %zu in common", seed, common);
    }
}

/* One more word doubles the number of lists; the texts still share a key. */
TEST_OF(a_step_in_the_number_of_lists_separates_no_pair, fixture *f) {
    static near_text t;
    static near_signed x, y;
    for (size_t lists = 2; lists <= LISTS; lists *= 2) {
        size_t met = 0;
        enum { TRIALS = 100 };
        for (uint64_t seed = 1; seed <= TRIALS; seed++) {
            test_rng rng = test_rng_seed(seed);
            near_text_random(&t, &rng, lists * LIST_WORDS);
            near_sign(f, D, near_text_bytes(&t), &x);
            t.n--;
            near_sign(f, D, near_text_bytes(&t), &y);
            met += near_common_keys(&x, &y) > 0;
        }
        /* two lists: the one word fell out of all there is before */
        if (lists > 2)
            assert_true(met > TRIALS * 9 / 10);
        else
            assert_int_equal(met, 0);
    }
}

TEST_OF(strangers_share_nothing, fixture *f) {
    static near_text a, b;
    static near_signed x, y;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_rng rng = test_rng_seed(seed);
        near_text_random(&a, &rng, 1 + test_rng_below(&rng, 300));
        near_text_random(&b, &rng, a.n);
        near_sign_both(f, D, &a, &b, &x, &y);
        assert_int_equal(near_common_keys(&x, &y), 0);
    }
}

TEST_OF(words_that_say_little_give_no_key, fixture *f) {
    static near_signed x;
    static const twx_slice TEXTS[] = {{NULL, 0},
                                      {"", 0},
                                      {" \n.,;\xFF\x80", 7},
                                      {"to be or not to be", 18},
                                      {"with this from that", 19}};
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++) {
        near_sign(f, D, TEXTS[i], &x);
        assert_int_equal(x.n, 0);
    }
    for (unsigned c = 0; c < 256; c++) {
        near_sign(f, D, (twx_slice){(const char[]){(char)c}, 1}, &x);
        assert_int_equal(x.n, 0);
    }
}

TEST(stored_keys_are_those_of_this_version) {
    fixture_expect_hex(*state, D, "the quick brown fox jumps over the lazy dog and runs away",
                       "d46387ba2d238e3987a9fae8b3efabae");
}
