/* base/utf8.h: decodes arbitrary bytes one code point at a time.
 * [R1] Invalid bytes decode to U+FFFD, one for each maximal prefix of a valid sequence (Unicode 15,
 * section 3.9, "substitution of maximal subparts"), as in browsers and Java. Surrogates and
 * overlong forms are invalid. */
#ifndef TWX_BASE_UTF8_H
#define TWX_BASE_UTF8_H

#include <stdint.h>

#include "base/slice.h"

enum { TWX_REPLACEMENT = 0xFFFD };

size_t twx_utf8_next_any(const char *p, const char *end, uint32_t *ret_cp);
/* Reads the code point at p (p < end) into *ret_cp; returns the number of bytes read, 1..4. */
static inline size_t twx_utf8_next(const char *p, const char *end, uint32_t *ret_cp) {
    const unsigned char *s = (const unsigned char *)p;
    if (s[0] < 0x80) {
        *ret_cp = s[0];
        return 1;
    }
    if (s[0] >= 0xC2 && s[0] < 0xE0 && end - p > 1 && (s[1] & 0xC0) == 0x80) {
        *ret_cp = (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
        return 2;
    }
    return twx_utf8_next_any(p, end, ret_cp);
}
/* Writes cp (<= 0x10FFFF, no surrogate) to out[0..4); returns the number of bytes written, 1..4. */
size_t twx_utf8_put(uint32_t cp, char out[4]);
bool twx_utf8_valid(twx_slice s);
/* Control characters, which a terminal obeys, and Unicode's bidirectional controls and line ends,
 * which change what is displayed where. */
bool twx_utf8_is_hidden(uint32_t cp);

#endif
