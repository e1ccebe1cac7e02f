#include "base/slice.h"

#include <string.h>

twx_slice twx_slice_of(const char *text) {
    return (twx_slice){text, text ? strlen(text) : 0};
}

bool twx_slice_eq(twx_slice a, twx_slice b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

int twx_slice_cmp(twx_slice a, twx_slice b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

bool twx_slice_eq_nocase(twx_slice a, twx_slice b) {
    return a.n == b.n && twx_slice_starts_nocase(a, b);
}

bool twx_slice_starts(twx_slice s, twx_slice prefix) {
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool twx_slice_starts_nocase(twx_slice s, twx_slice prefix) {
    if (s.n < prefix.n) return false;
    for (size_t i = 0; i < prefix.n; i++)
        if (twx_lower(s.p[i]) != twx_lower(prefix.p[i])) return false;
    return true;
}

twx_slice twx_slice_trim(twx_slice s) {
    while (s.n && twx_is_space((unsigned char)s.p[0])) s.p++, s.n--;
    while (s.n && twx_is_space((unsigned char)s.p[s.n - 1])) s.n--;
    return s;
}

twx_slice twx_slice_sub(twx_slice s, size_t from, size_t to) {
    if (to > s.n) to = s.n;
    if (from > to) from = to;
    return (twx_slice){s.p ? s.p + from : NULL, to - from};
}

size_t twx_slice_find(twx_slice s, char c, size_t from) {
    if (from >= s.n) return s.n;
    const char *hit = memchr(s.p + from, c, s.n - from);
    return hit ? (size_t)(hit - s.p) : s.n;
}

twx_slice twx_slice_next_line(twx_slice *lines) {
    const size_t end = twx_slice_find(*lines, '\n', 0);
    const twx_slice line = twx_slice_sub(*lines, 0, end);
    *lines = twx_slice_sub(*lines, end + 1, lines->n);
    return line;
}

bool twx_slice_integer(twx_slice s, int64_t *ret_value) {
    int64_t v = 0;
    s = twx_slice_trim(s);
    size_t at = s.n > 0 && s.p[0] == '-';
    if (s.n == at || s.n - at > 18) return false;
    for (size_t i = at; i < s.n; i++) {
        if (!twx_is_digit((unsigned char)s.p[i])) return false;
        v = v * 10 + (s.p[i] - '0');
    }
    *ret_value = at ? -v : v;
    return true;
}

bool twx_is_space(unsigned char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool twx_is_alpha(unsigned char c) {
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

bool twx_is_digit(unsigned char c) {
    return (unsigned char)(c - '0') < 10;
}

int twx_hex_value(unsigned char c) {
    if (twx_is_digit(c)) return c - '0';
    unsigned char letter = (unsigned char)((c | 0x20) - 'a');
    return letter < 6 ? letter + 10 : -1;
}

char twx_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}
