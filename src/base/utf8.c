#include "base/utf8.h"

#include "base/byte_block.h"
#include "base/rc.h"

/* The range of the second byte, by first byte (Unicode 15, table 3-7). */
static void second_range(unsigned char first, unsigned char *ret_low, unsigned char *ret_high) {
    *ret_low = 0x80;
    *ret_high = 0xBF;
    if (first == 0xE0) *ret_low = 0xA0;
    if (first == 0xED) *ret_high = 0x9F;
    if (first == 0xF0) *ret_low = 0x90;
    if (first == 0xF4) *ret_high = 0x8F;
}

size_t twx_utf8_next_any(const char *p, const char *end, uint32_t *ret_cp) {
    const unsigned char *s = (const unsigned char *)p;
    size_t room = (size_t)(end - p);
    *ret_cp = TWX_REPLACEMENT;
    if (s[0] < 0x80) {
        *ret_cp = s[0];
        return 1;
    }
    if (s[0] < 0xC2 || s[0] > 0xF4) return 1;
    size_t length = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    unsigned char low, high;
    second_range(s[0], &low, &high);
    if (room < 2 || s[1] < low || s[1] > high) return 1;
    uint32_t cp = s[0] & (0x7Fu >> length);
    cp = cp << 6 | (s[1] & 0x3Fu);
    for (size_t i = 2; i < length; i++) {
        if (i >= room || (s[i] & 0xC0) != 0x80) return i;
        cp = cp << 6 | (s[i] & 0x3Fu);
    }
    *ret_cp = cp;
    return length;
}

size_t twx_utf8_put(uint32_t cp, char out[4]) {
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    size_t length = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, cp >>= 6) out[i] = (char)(0x80 | (cp & 0x3F));
    out[0] = (char)((0xF00u >> length & 0xFF) | cp);
    return length;
}

static bool continues(unsigned char c) {
    return (c & 0xC0) == 0x80;
}

/* The length of the valid sequence of two to four bytes at p; 0: there is none. */
static size_t valid_length(const char *p, const char *end) {
    const unsigned char *s = (const unsigned char *)p;
    const size_t room = (size_t)(end - p);
    unsigned char low, high;
    if (room < 2 || s[0] < 0xC2 || s[0] > 0xF4) return 0;
    if (s[0] < 0xE0) return continues(s[1]) ? 2 : 0;
    second_range(s[0], &low, &high);
    if (room < 3 || s[1] < low || s[1] > high || !continues(s[2])) return 0;
    if (s[0] < 0xF0) return 3;
    return room > 3 && continues(s[3]) ? 4 : 0;
}

bool twx_utf8_valid(twx_slice s) {
    if (s.n == 0) return true;
    const char *p = s.p, *const end = s.p + s.n;
    while (p < end) {
        if ((unsigned char)*p < 0x80) {
            p = twx_skip_ascii(p, end); /* most crawled text */
            continue;
        }
        const size_t length = valid_length(p, end);
        if (length == 0) return false;
        p += length;
    }
    return true;
}

bool twx_utf8_is_hidden(uint32_t cp) {
    static const struct {
        uint32_t from, to;
    } HIDDEN[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},  {0x200E, 0x200F},
                  {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};
    for (size_t i = 0; i < TWX_COUNTOF(HIDDEN); i++)
        if (cp >= HIDDEN[i].from && cp <= HIDDEN[i].to) return true;
    return false;
}
