#include "base/fixed_log.h"

#include <stddef.h>

#include "base/rc.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* Fixed-point numbers of 64 bits with 62, 63 or 64 fraction bits; a logarithm has 57, which leaves
 * room for its range. */
static const int64_t ONE_62 = INT64_C(1) << 62;
static const uint64_t ONE_63 = UINT64_C(1) << 63;
static const uint64_t SQRT2_63 = 0xB504F333F9DE6484;
static const int64_t LN2_57 = 0x162E42FEFA39EF3;
static const uint64_t LN2_64 = 0xB17217F7D1CF79AB;

/* 1, 1/3, 1/5 ...: |s| < 0.172, so the omitted terms of the series are below 2^-46. */
#define ODD(n) ((INT64_C(1) << 62) / (n))
static const int64_t ARTANH[] = {ODD(1), ODD(3), ODD(5), ODD(7), ODD(9), ODD(11), ODD(13), ODD(15)};
/* 1/2, 1/3, 1/4 ..., with 64 bits: 0.7^19 / 19! is below 2^-63. */
#define PART(n) (UINT64_MAX / (n))
static const uint64_t EXP[] = {PART(2),  PART(3),  PART(4),  PART(5),  PART(6),  PART(7),
                               PART(8),  PART(9),  PART(10), PART(11), PART(12), PART(13),
                               PART(14), PART(15), PART(16), PART(17), PART(18)};

static int64_t times_62(int64_t a, int64_t b) {
    return (int64_t)((wide)a * b >> 62);
}

/* ln x with 57 fraction bits; x >= 1. */
static int64_t ln_57(uint64_t x) {
    int power = 63 - __builtin_clzll(x);
    uint64_t m = x << (63 - power); /* 1 <= m < 2, 63 fraction bits */
    int64_t sum = 0;
    power += m > SQRT2_63;
    m >>= m > SQRT2_63 ? 2 : 1; /* sqrt(1/2) <= m <= sqrt 2, 62 bits */
    const int64_t s = (int64_t)(((wide)((int64_t)m - ONE_62) * ONE_62) / ((wide)m + ONE_62));
    const int64_t square = times_62(s, s);
    for (int i = (int)TWX_COUNTOF(ARTANH) - 1; i >= 0; i--) sum = ARTANH[i] + times_62(square, sum);
    return power * LN2_57 + (times_62(s, sum) >> 4); /* 2 artanh s */
}

int64_t twx_fixed_ln(uint64_t a, uint64_t b) {
    return (ln_57(a) - ln_57(b) + (INT64_C(1) << 24)) >> 25;
}

static uint64_t high_half(uint64_t a, uint64_t b) {
    return (uint64_t)((uwide)a * b >> 64);
}

uint64_t twx_fixed_one_minus_exp(uint64_t a, uint64_t b) {
    enum { ALL = 44 /* exp(-44) < 2^-63 */ };
    if (a / b >= ALL) return ONE_63;
    /* exp(-x) = exp(-rest) / 2^halvings */
    const uwide x = ((uwide)a << 64) / b;
    const unsigned halvings = (unsigned)(x / LN2_64);
    const uint64_t rest = (uint64_t)(x % LN2_64);
    /* 1 - exp(-r) = r (1 - r/2 (1 - r/3 (1 - r/4 ...))), which keeps full precision for small r */
    uint64_t inner = ONE_63;
    for (size_t i = TWX_COUNTOF(EXP); i > 0; i--)
        inner = ONE_63 - high_half(high_half(rest, inner), EXP[i - 1]);
    return ONE_63 - ((ONE_63 - high_half(rest, inner)) >> halvings);
}
