#include "search/rule_number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/print.h"

enum { DIGITS_MAX = 18, EXPONENT_MAX = 30 };

/* Reads digits from *at on into *value; returns how many. Leading zeros do not count as
 * significant. */
static size_t read_digits(twx_slice text, size_t *at, uint64_t *value, size_t *ret_significant) {
    const size_t from = *at;
    while (*at < text.n && twx_is_digit((unsigned char)text.p[*at])) {
        if (*value || text.p[*at] != '0') ++*ret_significant;
        if (*ret_significant <= DIGITS_MAX) *value = *value * 10 + (uint64_t)(text.p[*at] - '0');
        ++*at;
    }
    return *at - from;
}

bool twx_rule_real(twx_slice text, double *ret_value) {
    uint64_t digits = 0, exponent = 0;
    size_t at = 0, significant = 0, ignored = 0, fraction = 0;
    bool negative = false;
    size_t seen = read_digits(text, &at, &digits, &significant);
    if (at < text.n && text.p[at] == '.') {
        at++;
        fraction = read_digits(text, &at, &digits, &significant);
        seen += fraction;
    }
    if (seen == 0 || significant > DIGITS_MAX || fraction > 2 * EXPONENT_MAX) return false;
    if (at < text.n && (text.p[at] == 'e' || text.p[at] == 'E')) {
        at++;
        negative = at < text.n && text.p[at] == '-';
        at += negative;
        if (read_digits(text, &at, &exponent, &ignored) == 0 || ignored > 2) return false;
    }
    if (at != text.n) return false;
    const int64_t scale = (negative ? -(int64_t)exponent : (int64_t)exponent) - (int64_t)fraction;
    const double value = scale < 0 ? (double)digits / pow(10, (double)-scale)
                                   : (double)digits * pow(10, (double)scale);
    if (value > 1e30 || (digits && value < 1e-30)) return false;
    *ret_value = value;
    return true;
}

bool twx_rule_integer(twx_slice text, bool negative, int64_t *ret_value) {
    int64_t value = 0;
    if (text.n == 0) return false;
    for (size_t i = 0; i < text.n; i++) {
        const int digit = text.p[i] - '0';
        if (!twx_is_digit((unsigned char)text.p[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    *ret_value = value;
    return true;
}

void twx_rule_real_sql(double value, char ret_text[TWX_RULE_NUMBER_BYTES]) {
    twx_print(ret_text, TWX_RULE_NUMBER_BYTES - 4, value < 0 ? "(%.17g" : "%.17g", value);
    size_t n = strlen(ret_text);
    if (!strpbrk(ret_text, ".e")) n += (size_t)snprintf(ret_text + n, 3, ".0");
    if (value < 0) memcpy(ret_text + n, ")", 2);
}
