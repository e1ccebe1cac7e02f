/* search/rule_lex.c: the numbers of rules. The C library's strtod() and strtoll() are the oracle
 * for their values. */
#include "support.h"

#include <errno.h>
#include <math.h>

#include "search/internal.h"

static bool is_real(const char *text, double *ret_value) {
    return twx_rule_real((twx_slice){text, strlen(text)}, ret_value);
}

TEST(reals_have_the_value_of_strtod) {
    test_rng rng = test_rng_seed(99);
    size_t read = 0;
    for (int i = 0; i < 100000; i++) {
        char text[80];
        size_t n = 0;
        double ours = 0, theirs = 0;
        for (size_t k = test_rng_below(&rng, 9); k; k--)
            text[n++] = (char)('0' + test_rng_below(&rng, 10));
        if (test_rng_below(&rng, 2)) {
            text[n++] = '.';
            for (size_t k = test_rng_below(&rng, 7); k; k--)
                text[n++] = (char)('0' + test_rng_below(&rng, 10));
        }
        text[n] = '\0';
        if (test_rng_below(&rng, 3) == 0)
            snprintf(text + n, sizeof text - n, "%c%s%zu", test_rng_below(&rng, 2) ? 'e' : 'E',
                     test_rng_below(&rng, 2) ? "-" : "", test_rng_below(&rng, 16));
        char *end = NULL;
        theirs = strtod(text, &end);
        const bool is = *end == '\0' && end > text && isfinite(theirs) && theirs < 1e30 &&
                        (theirs == 0 || theirs > 1e-30);
        if (is_real(text, &ours) != is || (is && fabs(ours - theirs) > 1e-15 * theirs))
            fail_msg("'%s': %.17g, strtod: %.17g", text, ours, theirs);
        read += is;
    }
    assert_true(read > 50000);
}

TEST(other_texts_are_no_reals) {
    static const char *const BAD[] = {
        "",    ".",   "e5",    ".e5",   "1e",    "1e-",   "1e+5",
        "+1",  "-1",  " 1",    "1 ",    "1.2.3", "1e5.0", "0x10",
        "inf", "nan", "1_000", "1e100", "1e31",  "1e-31", "12345678901234567890"};
    double value = 0;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        if (is_real(BAD[i], &value)) fail_msg("'%s' is read as %g", BAD[i], value);
    assert_true(is_real("1e30", &value) && value == 1e30);
    assert_true(is_real("0e-99", &value) && value == 0);
}

TEST(integers_have_the_value_of_strtoll) {
    static const char *const TEXTS[] = {"0",
                                        "7",
                                        "0007",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "9223372036854775809",
                                        "99999999999999999999",
                                        "",
                                        "1.5",
                                        "1e3",
                                        "x",
                                        "5x",
                                        " 5"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        for (int negative = 0; negative < 2; negative++) {
            char text[40], *end = NULL;
            int64_t ours = 0;
            snprintf(text, sizeof text, "%s%s", negative ? "-" : "", TEXTS[i]);
            errno = 0;
            const long long theirs = strtoll(text, &end, 10);
            const bool is = errno == 0 && end > text && *end == '\0' && TEXTS[i][0] != ' ';
            const twx_slice digits = {TEXTS[i], strlen(TEXTS[i])};
            if (twx_rule_integer(digits, negative, &ours) != is || (is && ours != theirs))
                fail_msg("'%s': %" PRId64 ", strtoll: %lld", text, ours, theirs);
        }
}
