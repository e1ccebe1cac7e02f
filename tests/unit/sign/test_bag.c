/* The words of a text that carry meaning, and the key of a list of strings. */
#include "collection_fixture.h"

#include <zlib.h>

enum { ROUNDS = 300, TEXT_MAX = 4096 };

/* "word tf, word tf" of a bag. Borrowed until the next call. */
static const char *bag_text(fixture *f, const char *text) {
    static char out[TEXT_MAX];
    size_t n = 0;
    const twx_bag bag = fixture_bag(f, text);
    out[0] = '\0';
    for (size_t i = 0; i < bag.n; i++)
        n += (size_t)snprintf(out + n, sizeof out - n, "%s" TWX_SLICE_FMT " %u", i ? ", " : "",
                              TWX_SLICE_ARG(bag.at[i].text), bag.at[i].tf);
    twx_workspace_reset(f->w);
    return out;
}

TEST(words_of_four_characters_count_stop_words_do_not) {
    assert_string_equal(bag_text(*state, "The cats, the CATS; a dog with dogs! Which mice?"),
                        "cats 2, dogs 1, mice 1");
    assert_string_equal(bag_text(*state, "\xC3\x84pfel \xC3\xA4pf \xC3\xA4pfe \xC3\x9C"
                                         "ber \xC3\xA4pfel"),
                        "\xC3\xA4pfe 1, \xC3\xA4pfel 2");
    assert_string_equal(
        bag_text(*state,
                 "\xE6\xBC\xA2\xE5\xAD\x97 \xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97"),
        "\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97 1");
    assert_string_equal(bag_text(*state, "2024 a1b2 12345678 123456789"),
                        "12345678 1, 123456789 1, 2024 1, a1b2 1");
    assert_string_equal(bag_text(*state, ""), "");
    assert_string_equal(bag_text(*state, "of the with which"), "");
    assert_string_equal(bag_text(*state, "\xFF\xFE...\x01"), "");
}

TEST_OF(length_and_largest_count_leave_stop_words_out, fixture *f) {
    const twx_bag bag = fixture_bag(f, "with with with apple with banana apple apple");
    assert_int_equal(bag.n, 2);
    assert_int_equal(bag.tf_max, 3);
    assert_int_equal(bag.length, 4);
    const twx_bag none = fixture_bag(f, "with");
    assert_true(none.n == 0 && none.tf_max == 0 && none.length == 0);
}

TEST(long_words_are_ordered_by_all_their_bytes) {
    assert_string_equal(
        bag_text(*state, "interesting interest interests interestingly INTERESTED interestz"),
        "interest 1, interested 1, interesting 1, interestingly 1, interests 1, interestz 1");
}

TEST_OF(a_bag_outlives_the_text_and_the_table_of_words, fixture *f) {
    char text[] = "harvest Harvesting copper lanterns";
    const twx_bag bag = fixture_bag(f, text);
    memset(text, 'x', sizeof text - 1);
    (void)fixture_bag(f, "another text entirely");
    assert_int_equal(bag.n, 4);
    assert_non_null(fixture_word(&bag, "harvesting"));
    assert_non_null(fixture_word(&bag, "lanterns"));
}

/* Words of 1 to 20 letters from a small alphabet, so that they repeat and share beginnings. */
static size_t any_text(test_rng *rng, char *text) {
    size_t n = 0;
    for (size_t words = test_rng_below(rng, 150); words > 0; words--) {
        for (size_t letters = 1 + test_rng_below(rng, 20); letters > 0; letters--)
            text[n++] = "abAB"[test_rng_below(rng, 4)];
        text[n++] = ' ';
    }
    text[n] = '\0';
    return n;
}

static uint32_t occurrences(const char *text, twx_slice word) {
    uint32_t n = 0;
    for (const char *p = text; *p; p += strcspn(p, " ") + 1) {
        const twx_slice other = {p, strcspn(p, " ")};
        n += twx_slice_eq_nocase(other, word);
    }
    return n;
}

TEST_OF(r1_words_come_once_in_order_with_their_counts, fixture *f) {
    static char text[TEXT_MAX];
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        uint64_t length = 0;
        any_text(&rng, text);
        const twx_bag bag = fixture_bag(f, text);
        for (size_t i = 0; i < bag.n; i++) {
            const twx_bag_word *word = &bag.at[i];
            if (i > 0 && twx_slice_cmp(bag.at[i - 1].text, word->text) >= 0)
                fail_msg("seed %" PRIu64 ": order", seed);
            if (word->tf != occurrences(text, word->text))
                fail_msg("seed %" PRIu64 ": a count", seed);
            if (word->hash != twx_bag_hash(word->text)) fail_msg("seed %" PRIu64 ": a hash", seed);
            length += word->tf;
        }
        if (length != bag.length) fail_msg("seed %" PRIu64 ": length", seed);
        for (const char *p = text; *p; p += strcspn(p, " ") + 1) {
            if (strcspn(p, " ") < 4) continue;
            bool found = false;
            for (size_t i = 0; i < bag.n && !found; i++)
                found = twx_slice_eq_nocase(bag.at[i].text, (twx_slice){p, strcspn(p, " ")});
            if (!found) fail_msg("seed %" PRIu64 ": a word is missing", seed);
        }
        twx_workspace_reset(f->w);
    }
}

TEST_OF(parts_are_sorted_joined_and_hashed, fixture *f) {
    const twx_key key = fixture_parts(f, (const char *[]){"pear", "apple", "fig"}, 3);
    assert_key_eq(key, fixture_parts(f, (const char *[]){"apple", "fig", "pear"}, 3));
    assert_key_eq(key, fixture_parts(f, (const char *[]){"apple fig", "pear"}, 2));
    assert_int_equal(key.key >> 32, crc32(0, (const unsigned char *)"apple fig pear", 14));
    assert_true(key.check != fixture_parts(f, (const char *[]){"apple", "fig", "pears"}, 3).check);
    assert_true((uint32_t)key.key !=
                (uint32_t)fixture_parts(f, (const char *[]){"apple", "fig", "pears"}, 3).key);
}

TEST_OF(no_parts_and_empty_parts_are_fine, fixture *f) {
    assert_int_equal(fixture_parts(f, NULL, 0).key >> 32, 0);
    assert_key_eq(fixture_parts(f, NULL, 0), fixture_parts(f, (const char *[]){""}, 1));
    assert_int_equal(fixture_parts(f, (const char *[]){"", "a"}, 2).key >> 32,
                     crc32(0, (const unsigned char *)" a", 2));
}
