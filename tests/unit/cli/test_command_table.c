/* Every row: order, summary, options, help and manual page. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/options.h"

static void commands_stand_in_the_order_a_user_meets_them(void **state) {
    (void)state;
    static const char *const NAMES[] = {
        "init",    "import",  "check",     "run",      "diff",     "undo",  "report", "groups",
        "explain", "compare", "similar",   "mirrors",  "digest",   "rules", "index",  "search",
        "learn",   "predict", "detectors", "evaluate", "settings", "help",  "version"};
    for (size_t i = 0; i < TWX_COUNTOF(NAMES); i++) {
        assert_non_null(twx_command_at(i));
        assert_string_equal(twx_command_at(i)->name, NAMES[i]);
        assert_ptr_equal(twx_command_find(NAMES[i]), twx_command_at(i));
    }
    assert_null(twx_command_at(TWX_COUNTOF(NAMES)));
    assert_null(twx_command_find("ru"));
    assert_string_equal(twx_command_near("chekc"), "check");
    assert_null(twx_command_near("frobnicate"));
}

static void every_row_is_whole(void **state) {
    (void)state;
    const twx_command *c = NULL;
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        size_t n = strlen(c->summary);
        assert_non_null(c->run);
        assert_true(n > 10 && n < 68 && c->summary[n - 1] != '.');
        assert_true(c->summary[0] >= 'a' && c->summary[0] <= 'z'); /* --help makes it a sentence */
        assert_true(strlen(c->description) > 20);
        assert_true(c->most < 0 || c->least <= c->most);
        assert_true(c->kind == TWX_CLI_PURE ||
                    (c->least >= 1 && strncmp(c->arguments, "STORE", 5) == 0));
        for (size_t e = 0; e < TWX_EXAMPLES_MAX && c->examples[e].command; e++)
            assert_non_null(strstr(c->examples[e].command, c->name));
    }
}

static void options_have_one_meaning_and_name_settings_that_exist(void **state) {
    (void)state;
    const twx_command *c = NULL;
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        const twx_option *a = NULL, *b = NULL;
        size_t n = 0;
        for (; (a = twx_option_at(c, n)); n++) {
            const twindex_setting *st = NULL;
            assert_true(a->field || a->setting);
            assert_true(!a->help || a->help[strlen(a->help) - 1] != '.');
            for (size_t k = 0; k < n && (b = twx_option_at(c, k)); k++) {
                assert_string_not_equal(a->name, b->name);
                assert_true(!a->letter || a->letter != b->letter);
            }
            if (!a->setting || !a->setting[0]) continue;
            for (size_t k = 0; (st = twindex_setting_at(k)) && strcmp(st->name, a->setting) != 0;
                 k++)
                continue;
            assert_non_null(st);
        }
        assert_true(n >= 1 && n <= 32);
    }
}

static void help_fits_a_terminal_and_has_every_option(void **state) {
    (void)state;
    const twx_command *c = NULL;
    for (size_t i = 0; i == 0 || twx_command_at(i - 1); i++) {
        twx_ctx cx = {0};
        twx_page page = {.cx = &cx, .text = {.max = TWX_PAGE_BYTES}};
        c = twx_command_at(i);
        twx_help_write(&page, c); /* the last turn: of the program */
        assert_int_equal(page.rc, TWX_OK);
        for (const char *line = page.text.p; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 100 || (line[0] != ' ' && strcspn(line, "\n") > 82))
                fail_msg("too long: %.*s", (int)strcspn(line, "\n"), line);
        const twx_option *o = NULL;
        for (size_t k = 0; c && (o = twx_option_at(c, k)); k++) {
            char name[40];
            snprintf(name, sizeof name, "--%s", o->name);
            assert_true((strstr(page.text.p, name) != NULL) == (o->help != NULL));
        }
        twx_buf_done(&page.text);
    }
}

static void check_page(const char *name, const char *title) {
    twx_ctx cx = {0};
    twx_page page = {.cx = &cx, .text = {.max = TWX_PAGE_BYTES}};
    assert_int_equal(twx_man_write(&page, name), TWX_OK);
    assert_int_equal(strncmp(page.text.p, title, strlen(title)), 0);
    assert_non_null(strstr(page.text.p, "\n.SH NAME\n"));
    assert_non_null(strstr(page.text.p, "\n.SH DESCRIPTION\n"));
    assert_non_null(strstr(page.text.p, "\n.SH SEE ALSO\n"));
    for (const char *line = page.text.p; *line;
         line += strcspn(line, "\n") + 1) { /* no word is taken for a request */
        if (line[0] != '.' && line[0] != '\'') continue;
        bool request = strncmp(line, ".TH ", 4) == 0 || strncmp(line, ".SH ", 4) == 0 ||
                       strncmp(line, ".PP\n", 4) == 0 || strncmp(line, ".TP\n", 4) == 0 ||
                       strncmp(line, ".nf\n", 4) == 0 || strncmp(line, ".fi\n", 4) == 0;
        assert_true(request);
    }
    twx_buf_done(&page.text);
}

static void every_command_has_a_manual_page(void **state) {
    (void)state;
    const twx_command *c = NULL;
    char title[80];
    check_page("twindex", ".TH \"twindex\" \"1\"");
    check_page("twindex.conf", ".TH \"twindex.conf\" \"5\"");
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        snprintf(title, sizeof title, ".TH \"twindex-%s\" \"1\"", c->name);
        check_page(c->name, title);
    }
}

static void a_page_that_does_not_fit_is_an_error_once(void **state) {
    (void)state;
    twx_ctx cx = {0};
    twx_page page = {.cx = &cx, .text = {.max = 100}};
    assert_int_equal(twx_man_write(&page, "run"), TWX_E_LIMIT);
    assert_true(page.text.n <= 100);
    twx_buf_done(&page.text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_stand_in_the_order_a_user_meets_them),
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(options_have_one_meaning_and_name_settings_that_exist),
        cmocka_unit_test(help_fits_a_terminal_and_has_every_option),
        cmocka_unit_test(every_command_has_a_manual_page),
        cmocka_unit_test(a_page_that_does_not_fit_is_an_error_once),
    };
    return cmocka_run_group_tests_name("test_command_table", tests, NULL, NULL);
}
