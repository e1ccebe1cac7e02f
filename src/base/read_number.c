#include "base/read_number.h"

#include <string.h>

/* Takes the digits at the beginning of s as a number; false: there are none, or it is too large. */
static bool take_digits(twx_slice *s, uint64_t *ret_number) {
    uint64_t number = 0;
    size_t i = 0;
    for (; i < s->n && twx_is_digit((unsigned char)s->p[i]); i++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(s->p[i] - '0'), &number))
            return false;
    *s = twx_slice_sub(*s, i, s->n);
    *ret_number = number;
    return i > 0;
}

bool twx_read_count(twx_slice s, uint64_t *ret_number) {
    return take_digits(&s, ret_number) && s.n == 0;
}

bool twx_read_share(twx_slice s, uint64_t *ret_number) {
    uint64_t ppm = 0;
    const bool no_digits = s.n > 0 && s.p[0] == '.'; /* ".7" */
    if ((!no_digits && !take_digits(&s, &ppm)) || __builtin_mul_overflow(ppm, 1000000, &ppm))
        return false;
    if (s.n == 1 || (s.n && s.p[0] != '.')) return false; /* "1.", "." and "1x" */
    uint64_t unit = 100000;
    for (size_t i = 1; i < s.n; i++, unit /= 10) {
        if (!twx_is_digit((unsigned char)s.p[i]) || (unit == 0 && s.p[i] != '0')) return false;
        if (__builtin_add_overflow(ppm, (uint64_t)(s.p[i] - '0') * unit, &ppm)) return false;
    }
    *ret_number = ppm;
    return true;
}

bool twx_read_size(twx_slice s, uint64_t *ret_number) {
    static const char SUFFIX[] = "kmg";
    uint64_t bytes = 0;
    if (!take_digits(&s, &bytes)) return false;
    if (s.n == 1) {
        const char *suffix = strchr(SUFFIX, twx_lower(s.p[0]));
        if (!suffix || !*suffix) return false;
        if (__builtin_mul_overflow(bytes, UINT64_C(1024) << 10 * (suffix - SUFFIX), &bytes))
            return false;
    }
    *ret_number = bytes;
    return s.n <= 1;
}

bool twx_read_within(twx_read_fn *read, const char *range, const char *value,
                     uint64_t *ret_number) {
    const char *dots = strstr(range, "..");
    uint64_t low = 0, high = 0, number = 0;
    if (!dots || !read((twx_slice){range, (size_t)(dots - range)}, &low) ||
        !read(twx_slice_of(dots + 2), &high))
        return false;
    if (!read(twx_slice_of(value), &number) || number < low || number > high) return false;
    *ret_number = number;
    return true;
}
