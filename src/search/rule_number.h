/* search/rule_number.h: the numbers of rules, independent of the locale: digits with an optional
 * fraction and exponent ("1", ".5", "2.5e-3"). The sign is a separate token. */
#ifndef TWX_SEARCH_RULE_NUMBER_H
#define TWX_SEARCH_RULE_NUMBER_H

#include "base/slice.h"

enum { TWX_RULE_NUMBER_BYTES = 32 };

/* false: not a number, more than 18 digits, or outside 1e-30 to 1e30 (and not 0). */
bool twx_rule_real(twx_slice text, double *ret_value);
/* An integer; negative: preceded by a minus sign. false: not an integer, or outside 64 bits. */
bool twx_rule_integer(twx_slice text, bool negative, int64_t *ret_value);
/* Formatted so that SQL reads back the same bits; a point or an exponent makes it a real number,
 * parentheses keep the sign. */
void twx_rule_real_sql(double value, char ret_text[TWX_RULE_NUMBER_BYTES]);

#endif
