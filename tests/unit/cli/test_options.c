/* wings: lab predict */
#include "support.h"

#include "cli/cli.h"

enum { WORDS_MAX = 16 };

/* Parses "command word word ..."; the words live in `line`. */
static twx_rc parse(twx_ctx *cx, char *line, twx_options *ret_options) {
    static char *argv[WORDS_MAX + 1];
    int argc = 0;
    for (char *save = NULL, *w = strtok_r(line, " ", &save); w; w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    argv[argc] = NULL;
    const twx_command *command = twx_command_find(argv[0]);
    assert_non_null(command);
    return twx_options_parse(cx, command, argc, argv, ret_options);
}

TEST(r1_options_stand_anywhere_and_two_dashes_end_them) {
    char line[] = "run --full STORE -qv --jobs=4";
    twx_ctx cx = {0};
    twx_options o;
    assert_int_equal(parse(&cx, line, &o), TWX_OK);
    const twindex_run_options *run = o.own; /* the first member of its struct */
    assert_true(run->full && o.quiet && o.verbose);
    assert_false(run->force || run->dry_run || o.json || o.help);
    assert_int_equal(run->limit, 100); /* the default of the command */
    assert_int_equal(o.arguments_n, 1);
    assert_string_equal(o.arguments[0], "STORE");
    twx_options_done(&o);
    char dashes[] = "explain --json -- -s --odd";
    assert_int_equal(parse(&cx, dashes, &o), TWX_OK);
    assert_true(o.json);
    assert_string_equal(o.arguments[0], "-s");
    assert_string_equal(o.arguments[1], "--odd");
    twx_options_done(&o);
}

TEST(settings_keep_the_order_of_the_command_line) {
    static const char *const WANTED[][2] = {
        {"run.jobs", "4"},   {"a.b", "c=d"},     {"store.flags", "f.db"},
        {"run.check", "no"}, {"compat", "yacy"}, {"run.notify_all", "yes"},
        {"a.b", ""}};
    char line[] = "run S -j4 --set a.b=c=d --flags f.db --no-check --compat yacy -v -sa.b=";
    twx_ctx cx = {0};
    twx_options o;
    assert_int_equal(parse(&cx, line, &o), TWX_OK);
    assert_int_equal(o.assignments_n, TWX_COUNTOF(WANTED));
    for (size_t i = 0; i < o.assignments_n; i++) {
        assert_string_equal(o.assignments[i].name, WANTED[i][0]);
        assert_string_equal(o.assignments[i].value, WANTED[i][1]);
    }
    twx_options_done(&o);
}

TEST(r2_what_is_wrong_is_named) {
    static const char *const CASES[][2] = {
        {"similar S 1 --limi 3 l",
         "'l' is one argument too many"}, /* an unambiguous beginning will do */
        {"run S --dryrun", "no option --dryrun; did you mean --dry-run?"},
        {"run S --f", "no option --f"}, /* full, force, flags */
        {"run S --xyzzy=1", "no option --xyzzy"},
        {"run S -qx", "no option -x"},
        {"run S --config", "--config needs FILE"},
        {"run S --json=1", "--json takes no argument"},
        {"run S --set x", "--set takes NAME=VALUE, not 'x'"},
        {"groups S --limit x", "--limit: 'x' is not a number"},
        {"evaluate S --sample=1k", "--sample: '1k' is not a number"},
        {"predict S --train 1.5", "--train: '1.5' is not a number from 0 to 1"},
        {"run", "an argument is missing; expected STORE..."},
        {"import S", "an argument is missing; expected STORE FILE..."},
        {"version x", "'x' is one argument too many"},
        {"version --set a=b", "no option --set"},
        {"settings --man", "no option --man"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        char line[100];
        twx_ctx cx = {0};
        twx_options o = {.config = "untouched"};
        snprintf(line, sizeof line, "%s", CASES[i][0]);
        assert_int_equal(parse(&cx, line, &o), TWX_E_USAGE);
        assert_string_equal(cx.message, CASES[i][1]);
        assert_string_equal(o.config, "untouched");
    }
}

TEST(help_needs_no_arguments) {
    char line[] = "import -h";
    twx_ctx cx = {0};
    twx_options o;
    assert_int_equal(parse(&cx, line, &o), TWX_OK);
    assert_true(o.help);
    twx_options_done(&o);
}

TEST(own_options_have_types_and_defaults) {
    char line[] = "predict S --filter --threshold 0.5";
    twx_ctx cx = {0};
    twx_options o;
    assert_int_equal(parse(&cx, line, &o), TWX_OK);
    const twindex_predict_options *predict = o.own;
    assert_true(predict->filter && predict->threshold == 0.5 && predict->train == 0.5);
    assert_true(predict->exploration == 0.05);
    twx_options_done(&o);
    char numbers[] = "evaluate S --sample 18446744073709551615 --detectors exact";
    assert_int_equal(parse(&cx, numbers, &o), TWX_OK);
    /* the command's struct begins with the options of the library */
    const twindex_evaluate_options *evaluate = o.own;
    assert_true(evaluate->sample == UINT64_MAX && evaluate->hidden == TWINDEX_EVALUATE_HIDDEN);
    assert_string_equal(evaluate->detectors, "exact");
    twx_options_done(&o);
}

TEST(a_number_has_digits_only_and_fits) {
    static const char *const BAD[] = {"", "x", "-1", "1x", " 1", "18446744073709551616"};
    twx_ctx cx = {0};
    size_t number = 9;
    assert_int_equal(twx_options_number(&cx, "limit", "18446744073709551615", &number), TWX_OK);
    assert_true(number == SIZE_MAX);
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++) {
        assert_int_equal(twx_options_number(&cx, "limit", BAD[i], &number), TWX_E_USAGE);
        twx_ctx_clear(&cx);
    }
    assert_true(number == SIZE_MAX);
}

TEST(a_failed_allocation_is_no_crash) {
    for (uint64_t nth = 1;; nth++) {
        char line[] = "run S --set a=b --set c=d -j3";
        twx_faults faults = {.fail_at = nth};
        twx_ctx cx = {.faults = &faults};
        twx_options o;
        twx_rc rc = parse(&cx, line, &o);
        if (rc == TWX_OK) {
            twx_options_done(&o);
            assert_int_equal(nth, 6);
            return;
        }
        assert_int_equal(rc, TWX_E_NOMEM);
    }
}
