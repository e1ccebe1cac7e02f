#include "page/char_refs.h"

#include "base/utf8.h"
#include "char_refs_table.h"

enum { LAST_CODE_POINT = 0x10FFFF };

/* [R3] The code points that the numbers 0x80 to 0x9F stand for; 0: unchanged. */
static const uint16_t WINDOWS_1252[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static bool is_alphanumeric(char c) {
    return twx_is_alpha((unsigned char)c) || twx_is_digit((unsigned char)c);
}

static char byte_of(size_t entry, size_t i) {
    return REFERENCE_NAMES[REFERENCE[entry].at + i];
}

/* The first entry in [low, high) whose byte i is at least c, or, with `beyond`, greater than c. All
 * entries of the range are longer than i. */
static size_t bound(size_t low, size_t high, size_t i, char c, bool beyond) {
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const char there = byte_of(middle, i);
        if (there < c || (beyond && there == c))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* [R1] The entry with the longest name that matches at p; REFERENCES: none matches. */
static size_t longest_name(const char *p, const char *end) {
    size_t low = 0, high = REFERENCES, found = REFERENCES;
    for (size_t i = 0; p + i < end; i++) {
        low = bound(low, high, i, p[i], false);
        high = bound(low, high, i, p[i], true);
        if (low == high) break;
        if (REFERENCE[low].n != i + 1) continue;
        found = low++; /* the name that ends here sorts before the longer ones */
        if (low == high) break;
    }
    return found;
}

static size_t named(const char *p, const char *end, bool in_attribute, char *ret_text,
                    size_t *ret_n) {
    const size_t entry = longest_name(p + 1, end);
    if (entry == REFERENCES) return 0;
    const size_t n = REFERENCE[entry].n;
    const char *after = p + 1 + n;
    /* [R2] */
    if (in_attribute && p[n] != ';' && after < end && (*after == '=' || is_alphanumeric(*after)))
        return 0;
    *ret_n = twx_utf8_put(REFERENCE[entry].first, ret_text);
    if (REFERENCE[entry].second) *ret_n += twx_utf8_put(REFERENCE[entry].second, ret_text + *ret_n);
    return n + 1;
}

static size_t numeric(const char *p, const char *end, char *ret_text, size_t *ret_n) {
    const bool hex = end - p > 2 && (p[2] == 'x' || p[2] == 'X');
    const char *digits = p + (hex ? 3 : 2), *at = digits;
    uint32_t code = 0;
    for (; at < end; at++) {
        const int value = twx_hex_value((unsigned char)*at);
        if (value < 0 || (!hex && value > 9)) break;
        code = code * (hex ? 16 : 10) + (uint32_t)value;
        if (code > LAST_CODE_POINT) code = LAST_CODE_POINT + 1;
    }
    if (at == digits) return 0;
    if (code >= 0x80 && code <= 0x9F && WINDOWS_1252[code - 0x80]) code = WINDOWS_1252[code - 0x80];
    if (code == 0 || code > LAST_CODE_POINT || (code >= 0xD800 && code <= 0xDFFF))
        code = TWX_REPLACEMENT;
    *ret_n = twx_utf8_put(code, ret_text);
    return (size_t)(at - p) + (at < end && *at == ';');
}

size_t twx_char_ref(const char *p, const char *end, bool in_attribute,
                    char ret_text[TWX_CHAR_REF_BYTES], size_t *ret_n) {
    if (end - p < 2) return 0;
    if (p[1] == '#') return numeric(p, end, ret_text, ret_n);
    return is_alphanumeric(p[1]) ? named(p, end, in_attribute, ret_text, ret_n) : 0;
}
