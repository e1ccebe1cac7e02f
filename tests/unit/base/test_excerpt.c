/* Crawled text on a terminal. */
#include "support.h"

#include "run/run.h"

typedef twx_rc excerpt_fn(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out);

static twx_buf made; /* closed by main */

static const char *made_by(excerpt_fn *fn, twx_slice text, size_t most) {
    twx_ctx cx = {0};
    twx_buf_clear(&made);
    assert_ok(fn(&cx, text, most, &made));
    return made.n ? made.p : "";
}

TEST(r1_white_space_is_one_blank) {
    assert_string_equal(made_by(twx_excerpt, TWX_SLICE_LIT("a \t\r\n b\n"), 100), "a b ");
    assert_string_equal(made_by(twx_excerpt_end, TWX_SLICE_LIT("a \t\r\n b\n"), 100), "a b ");
    assert_string_equal(made_by(twx_excerpt, (twx_slice){NULL, 0}, 100), "");
    assert_string_equal(made_by(twx_excerpt_end, (twx_slice){NULL, 0}, 100), "");
}

#define GONE "\xEF\xBF\xBD"

TEST(r1_nothing_a_terminal_obeys_is_left) {
    assert_string_equal(made_by(twx_excerpt, TWX_SLICE_LIT("\x1B[31mred\0\x7F"), 100),
                        GONE "[31mred" GONE GONE);
    assert_string_equal(made_by(twx_excerpt,
                                TWX_SLICE_LIT("\xC2\x9B"
                                              "2J"),
                                100),
                        GONE "2J"); /* CSI as one character */
    assert_string_equal(made_by(twx_excerpt, TWX_SLICE_LIT("a\u202eb"), 100),
                        "a" GONE "b"); /* RLO */
    assert_string_equal(made_by(twx_excerpt, TWX_SLICE_LIT("a\u2066b"), 100),
                        "a" GONE "b"); /* LRI */
    assert_string_equal(made_by(twx_excerpt, TWX_SLICE_LIT("\xFF\xC3\xA4"), 100), GONE "\xC3\xA4");
}

TEST(r2_what_is_too_long_is_cut) {
    assert_string_equal(made_by(twx_excerpt, TWX_SLICE_LIT("abcdef"), 6), "abcdef");
    assert_string_equal(made_by(twx_excerpt, TWX_SLICE_LIT("abcdef"), 5), "abcde...");
    assert_string_equal(made_by(twx_excerpt_end, TWX_SLICE_LIT("abcdef"), 6), "abcdef");
    assert_string_equal(made_by(twx_excerpt_end, TWX_SLICE_LIT("abcdef"), 5), "...bcdef");
    assert_string_equal(made_by(twx_excerpt, TWX_SLICE_LIT("\xC3\xA4\xC3\xB6\xC3\xBC"), 2),
                        "\xC3\xA4\xC3\xB6...");
    assert_string_equal(made_by(twx_excerpt_end, TWX_SLICE_LIT("\xC3\xA4\xC3\xB6\xC3\xBC"), 2),
                        "...\xC3\xB6\xC3\xBC");
}

/* Any bytes: valid UTF-8 without control characters comes out, of at most so many characters. */
TEST(r1_r2_for_any_bytes) {
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = test_rng_below(&rng, 60), most = test_rng_below(&rng, 30);
        char *text = malloc(n ? n : 1);
        assert_non_null(text);
        for (size_t i = 0; i < n; i++)
            text[i] = (char)(test_rng_below(&rng, 2) ? test_rng_below(&rng, 256) : 0x20);
        excerpt_fn *fn = seed % 2 ? twx_excerpt : twx_excerpt_end;
        (void)made_by(fn, (twx_slice){text, n}, most);
        size_t characters = 0;
        bool clean = twx_utf8_valid(twx_buf_slice(&made));
        for (size_t at = 0; at < made.n; characters++) {
            uint32_t code = 0;
            at += twx_utf8_next(made.p + at, made.p + made.n, &code);
            clean = clean && code >= 0x20 && (code < 0x7F || code > 0x9F);
        }
        if (!clean || characters > most + 3)
            fail_msg("seed %" PRIu64 ": %zu characters, clean: %d", seed, characters, clean);
        free(text);
    }
}

TEST(a_full_buffer_is_an_error) {
    twx_ctx cx = {0};
    twx_buf small = {.max = 3};
    assert_int_equal(twx_excerpt(&cx, TWX_SLICE_LIT("abcd"), 10, &small), TWX_E_LIMIT);
    twx_buf_done(&small);
}

static void make_room(void) {
    twx_buf_init(&made, 1 << 16);
}

static void free_room(void) {
    twx_buf_done(&made);
}

TESTS_IN(make_room, free_room);
