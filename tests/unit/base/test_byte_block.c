/* base/base: bytes classified 64 at a time.
 * The reference is a loop over single bytes. */
#include "support.h"

#include "base/base.h"

enum { SEEDS = 20000, LENGTH_MAX = 150 };

static twx_byte_marks plain_marks(const char *p) {
    twx_byte_marks m = {0, 0};
    for (unsigned i = 0; i < TWX_BYTE_BLOCK; i++) {
        const unsigned char c = (unsigned char)p[i];
        m.words |= (uint64_t)(twx_is_alpha(c) || twx_is_digit(c)) << i;
        m.wide |= (uint64_t)(c >= 0x80) << i;
    }
    return m;
}

/* Any bytes, or mostly ASCII, or those next to the borders of classes. */
static char random_byte(test_rng *rng, uint64_t kind) {
    static const char BORDERS[] = "/09:@AZ[`az{\x7F\x80\xFF\xE1\xFA";
    if (kind == 0) return (char)test_rng_next(rng);
    if (kind == 1) return BORDERS[test_rng_below(rng, sizeof BORDERS)]; /* its NUL too */
    return (char)(test_rng_below(rng, 40) ? test_rng_below(rng, 0x80) : test_rng_next(rng));
}

TEST(r1_both_ways_mark_as_the_slow_way_does) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        char block[TWX_BYTE_BLOCK];
        for (size_t i = 0; i < sizeof block; i++) block[i] = random_byte(&rng, seed % 3);
        const twx_byte_marks plain = plain_marks(block), wide = twx_mark_bytes(block),
                             portable = twx_mark_bytes_portable(block);
        if (wide.words != plain.words || wide.wide != plain.wide || portable.words != plain.words ||
            portable.wide != plain.wide)
            fail_msg("seed %" PRIu64, seed);
    }
}

TEST(r1_every_byte_is_marked_in_every_place) {
    for (unsigned c = 0; c < 256; c++) {
        for (size_t at = 0; at < TWX_BYTE_BLOCK; at++) {
            char block[TWX_BYTE_BLOCK];
            memset(block, at % 2 ? ' ' : 0x80, sizeof block);
            block[at] = (char)c;
            const twx_byte_marks plain = plain_marks(block), wide = twx_mark_bytes(block),
                                 portable = twx_mark_bytes_portable(block);
            assert_int_equal(wide.words, plain.words);
            assert_int_equal(wide.wide, plain.wide);
            assert_int_equal(portable.words, plain.words);
            assert_int_equal(portable.wide, plain.wide);
        }
    }
}

TEST(r1_ascii_is_skipped_up_to_the_first_other_byte) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = test_rng_below(&rng, LENGTH_MAX);
        char *text = malloc(n ? n : 1); /* exactly as long, so that ASan sees a byte too many */
        assert_non_null(text);
        size_t first = n;
        for (size_t i = n; i-- > 0;) {
            text[i] = random_byte(&rng, 2);
            if ((unsigned char)text[i] >= 0x80) first = i;
        }
        assert_ptr_equal(twx_skip_ascii(text, text + n), text + first);
        assert_ptr_equal(twx_skip_ascii_portable(text, text + n), text + first);
        free(text);
    }
}

TEST(lower_case_of_letters_and_digits) {
    static const char WRITTEN[] = "AZaz09Mm", LOWER[] = "azaz09mm";
    assert_int_equal(twx_lower_bytes(twx_load_le64(WRITTEN)), twx_load_le64(LOWER));
}
