#include "support.h"

#include <locale.h>

#include "base/base.h"

/* A locale with a decimal comma, made for this test: false if that is not possible here. */
static bool use_comma(void) {
    static const char SOURCE[] = "comment_char %\nescape_char /\nLC_CTYPE\ncopy \"POSIX\"\nEND "
                                 "LC_CTYPE\nLC_NUMERIC\ndecimal_point \"<U002C>\"\nthousands_sep "
                                 "\"\"\ngrouping -1\nEND LC_NUMERIC\n";
    char source[4300], command[13000], plain[8];
    snprintf(source, sizeof source, "%s/comma.src", test_folder());
    test_write_file(source, SOURCE, sizeof SOURCE - 1);
    snprintf(command, sizeof command,
             "localedef -c -f ANSI_X3.4-1968 -i '%s' '%s/xx_COMMA' >'%s/said' 2>&1", source,
             test_folder(), test_folder());
    (void)!system(command);
    setenv("LOCPATH", test_folder(), 1);
    if (!setlocale(LC_NUMERIC, "xx_COMMA")) return false;
    snprintf(plain, sizeof plain, "%.1f", 1.5);
    return strcmp(plain, "1,5") == 0;
}

TEST(r1_the_decimal_point_does_not_depend_on_the_locale) {
    twx_ctx cx = {0};
    twx_buf b = {.max = 100};
    char text[32], plain[8];
    const twx_value value = {.type = TWX_REAL, .r = -0.25};
    if (!use_comma()) {
        print_message("skipped: no locale with a decimal comma (localedef)\n");
        skip();
    }
    assert_int_equal(twx_print(text, sizeof text, "%.3f %s %5.2e", 1234.5, "1,5", 0.125), 21);
    assert_string_equal(text, "1234.500 1,5 1.25e-01");
    assert_int_equal(twx_print(text, 4, "%.1f", 10.5), 4); /* as snprintf: cut */
    assert_string_equal(text, "10.");
    assert_ok(twx_buf_printf(&cx, &b, "%.2f;", 2.75));
    assert_ok(twx_value_print(&cx, &b, &value));
    assert_string_equal(b.p, "2.75;-0.25");
    twx_buf_done(&b);
    assert_int_equal(twx_fail(&cx, TWX_E_DATA, "%.1f", 0.5), TWX_E_DATA);
    assert_string_equal(cx.message, "0.5");
    snprintf(plain, sizeof plain, "%.1f", 1.5);
    assert_string_equal(plain, "1,5"); /* the locale of the program is what it was */
}
