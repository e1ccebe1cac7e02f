/* wings: import predict lab cluster serve */
/* Every row: order, summary, options, help and manual page. */
#include "support.h"

#include "cli/internal.h"

TEST(commands_stand_in_the_order_a_user_meets_them) {
    static const char *const NAMES[] = {
        "check",     "run",   "report",   "explain", "undo",   "init",     "import",  "doctor",
        "sign",      "diff",  "digest",   "remove",  "follow", "groups",   "compare", "similar",
        "mirrors",   "index", "search",   "rules",   "tune",   "serve",    "learn",   "predict",
        "detectors", "sweep", "evaluate", "cluster", "verify", "settings", "help",    "version"};
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

TEST(every_row_is_whole) {
    const twx_command *c = NULL;
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        assert_true(!c->call != !c->run);
        assert_true(twx_command_most(c) < 0 || twx_command_least(c) <= twx_command_most(c));
        assert_true(c->kind == TWX_CLI_PURE || c->kind == TWX_CLI_SETTINGS ||
                    (twx_command_least(c) >= 1 && strncmp(c->arguments, "STORE", 5) == 0));
    }
}

TEST(every_command_has_its_prose) {
    const twx_command *c = NULL;
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        const twx_prose *prose = twx_prose_of(c->name);
        const size_t n = strlen(prose->summary);
        if (n == 0) fail_msg("docs/commands/%s.txt is missing", c->name);
        assert_string_equal(prose->name, c->name);
        assert_true(n > 10 && n < 68 && prose->summary[n - 1] != '.');
        /* --help makes it a sentence */
        assert_true(prose->summary[0] >= 'a' && prose->summary[0] <= 'z');
        assert_true(strlen(prose->description) > 20);
        assert_non_null(prose->examples[0].command);
        for (const twx_example *e = prose->examples; e->command; e++) {
            assert_non_null(strstr(e->command, c->name));
            assert_true(strlen(e->what) > 5 && e->what[strlen(e->what) - 1] == '.');
        }
    }
}

/* docs/topics, and the program and its configuration */
TEST(other_prose_is_a_topic_of_help) {
    const twx_prose *prose = NULL;
    size_t others = 0;
    for (size_t i = 0; (prose = twx_prose_at(i)); i++) {
        twx_ctx cx = {0};
        twx_page page = {.cx = &cx, .text = {.max = TWX_PAGE_BYTES}};
        if (twx_command_find(prose->name)) continue;
        others++;
        assert_int_equal(twx_topic_write(&page, prose->name), TWX_OK);
        assert_non_null(strstr(page.text.p, prose->summary));
        assert_true(strlen(page.text.p) > strlen(prose->description) / 2);
        twx_buf_done(&page.text);
    }
    assert_in_range(others, 6, 20);
}

/* What a reader sees: each section of the file is in --help and in the manual page. */
TEST(help_and_manual_page_have_every_section) {
    const twx_command *c = NULL;
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        const twx_prose *prose = twx_prose_of(c->name);
        twx_ctx cx = {0};
        twx_page help = {.cx = &cx, .text = {.max = TWX_PAGE_BYTES}};
        twx_page man = {.cx = &cx, .text = {.max = TWX_PAGE_BYTES}};
        twx_help_write(&help, c);
        assert_int_equal(twx_man_write(&man, c->name), TWX_OK);
        assert_non_null(strstr(help.text.p, prose->summary + 1));
        char first[40];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(prose->description, " "),
                 prose->description);
        assert_non_null(strstr(help.text.p, first));
        assert_non_null(strstr(man.text.p, first));
        assert_non_null(strstr(man.text.p, "\n.SH EXAMPLES\n"));
        for (const twx_example *e = prose->examples; e->command; e++)
            assert_non_null(strstr(help.text.p, e->command));
        twx_buf_done(&help.text);
        twx_buf_done(&man.text);
    }
}

TEST(options_have_one_meaning_and_name_settings_that_exist) {
    const twx_command *c = NULL;
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        const twx_option *a = NULL, *b = NULL;
        size_t n = 0;
        for (; (a = twx_option_at(c, n)); n++) {
            const twindex_setting *st = NULL;
            assert_true(a->target != TWX_TO_SETTING || a->setting);
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

TEST(help_fits_a_terminal_and_has_every_option) {
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
                       strncmp(line, ".PP\n", 4) == 0 || strncmp(line, ".SS ", 4) == 0 ||
                       strncmp(line, ".TP\n", 4) == 0 || strncmp(line, ".nf\n", 4) == 0 ||
                       strncmp(line, ".fi\n", 4) == 0;
        assert_true(request);
    }
    twx_buf_done(&page.text);
}

TEST(every_command_has_a_manual_page) {
    const twx_command *c = NULL;
    char title[80];
    check_page("twindex", ".TH \"twindex\" \"1\"");
    check_page("twindex.conf", ".TH \"twindex.conf\" \"5\"");
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        snprintf(title, sizeof title, ".TH \"twindex-%s\" \"1\"", c->name);
        check_page(c->name, title);
    }
}

TEST(a_page_that_does_not_fit_is_an_error_once) {
    twx_ctx cx = {0};
    twx_page page = {.cx = &cx, .text = {.max = 100}};
    assert_int_equal(twx_man_write(&page, "run"), TWX_E_LIMIT);
    assert_true(page.text.n <= 100);
    twx_buf_done(&page.text);
}
