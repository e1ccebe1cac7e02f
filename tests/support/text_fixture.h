/* Words the slow way, one character after the other, to compare the scanner with. */
#ifndef TEXT_FIXTURE_H
#define TEXT_FIXTURE_H

#include "support.h"

#include "text/text.h"

enum { PLAIN_TEXT_MAX = 4096 };

/* The next word from *at, lower-cased into out[0..ret_n); false: no more. */
static inline bool plain_word(twx_slice text, size_t *at, char out[PLAIN_TEXT_MAX], size_t *ret_n,
                              size_t *ret_units) {
    size_t n = 0, units = 0;
    while (*at < text.n) {
        uint32_t cp;
        *at += twx_utf8_next(text.p + *at, text.p + text.n, &cp);
        if (twx_is_letter_or_digit(cp)) {
            n += twx_utf8_put(twx_to_lower(cp), out + n);
            units++;
        } else if (units > 0) {
            break;
        }
    }
    *ret_n = n;
    *ret_units = units;
    return units > 0;
}

/* Up to `max` bytes of pieces that scanners stumble over; in a block without slack. Owned. */
static inline char *hostile_text(test_rng *rng, size_t max, size_t *ret_n) {
    /* clang-format off */
    static const char *const PIECES[] = {
        "a", "B", "9", "word", "Word", "WORD", "eightbyt", "EIGHTbyt", "ninebytes", "NineBytes",
        "averylongwordindeed", " ", "  ", "\n", ".", "-", "_", "@", "[", "`", "{", "/", ":",
        "        ", "!!!!!!!!!!!!", "\xC3\xA4", "\xC3\x84", "\xC3\x9F", "\xC4\xB0", "\xC8\xBA",
        "\xC8\xBE", "\xCE\xA3", "\xE2\x84\xAA", "\xE6\xBC\xA2", "\xCC\x81", "\xC2\xA0",
        "\xF0\x9F\x98\x80", "\xED\xA0\x80", "\xEF\xBF\xBD", "\xFF", "\xC3", "\xE2\x82", "\x80"};
    /* clang-format on */
    char text[PLAIN_TEXT_MAX];
    size_t n = 0;
    for (size_t count = test_rng_below(rng, 60); count > 0; count--) {
        const char *piece = PIECES[test_rng_below(rng, TWX_COUNTOF(PIECES))];
        size_t length = strlen(piece);
        if (n + length + 1 > max) break;
        memcpy(text + n, piece, length);
        n += length;
        if (test_rng_below(rng, 20) == 0) text[n++] = '\0';
    }
    *ret_n = n;
    return test_exact(text, n);
}

#endif
