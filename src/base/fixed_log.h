/* base/fixed_log.h: logarithm and exponential without floating point, so that every machine
 * computes the same bits. Fractions are passed as two integers, numerator and denominator.
 * [R1] Logarithms are exact to their unit, 2^-32 (2.4e-10). Any thread may call these functions;
 * they cannot fail.
 * Source: ln m = 2 artanh((m - 1) / (m + 1)), and the exponential series. */
#ifndef TWX_BASE_FIXED_LOG_H
#define TWX_BASE_FIXED_LOG_H

#include <stdint.h>

/* ln(a / b) in units of 2^-32, rounded to the nearest; a, b >= 1. The range is -44.4 to 44.4. */
int64_t twx_fixed_ln(uint64_t a, uint64_t b);
/* 1 - exp(-a / b) in units of 2^-63; b >= 1. For a small a / b the error is 2^-61, which is 2^-61 /
 * (a / b) of the result. */
uint64_t twx_fixed_one_minus_exp(uint64_t a, uint64_t b);

#endif
