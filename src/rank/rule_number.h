/* rank/rule_number.h: numbers of rules, without a locale: digits with an optional fraction and
 * exponent ("1", ".5", "2.5e-3"). The sign is a token of its own. */
#ifndef TWX_RANK_RULE_NUMBER_H
#define TWX_RANK_RULE_NUMBER_H

#include "base/slice.h"

enum { TWX_RULE_NUMBER_BYTES = 32 };

/* false: no number, more than 18 digits, or not from 1e-30 to 1e30 (or 0). */
bool twx_rule_real(twx_slice text, double *ret_value);
/* A whole number; negative: with a sign before it. false: none, or none of 64 bits. */
bool twx_rule_integer(twx_slice text, bool negative, int64_t *ret_value);
/* As SQL reads it back, bit by bit; a point or an exponent makes it a real number, parentheses keep
 * the sign. */
void twx_rule_real_sql(double value, char ret_text[TWX_RULE_NUMBER_BYTES]);

#endif
