/* The main() of the test programs whose tests register themselves with TEST. It is in a library, so
 * that a program that has its own main() does not get this one. */
#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { TESTS_MAX = 64 };

static struct CMUnitTest tests[TESTS_MAX];
static int line[TESTS_MAX];
static size_t n_tests;
static CMFixtureFunction setup_all, teardown_all, setup_each, teardown_each;

void test_add(struct CMUnitTest test, int at_line) {
    size_t i = n_tests++;
    if (n_tests > TESTS_MAX) {
        printf("not ok - more than %d tests: TESTS_MAX in test_main.c\n", TESTS_MAX);
        exit(1);
    }
    for (; i > 0 && line[i - 1] > at_line; i--) {
        line[i] = line[i - 1];
        tests[i] = tests[i - 1];
    }
    line[i] = at_line;
    tests[i] = test;
}

void test_use_fixtures(bool each, CMFixtureFunction setup, CMFixtureFunction teardown) {
    *(each ? &setup_each : &setup_all) = setup;
    *(each ? &teardown_each : &teardown_all) = teardown;
}

int main(void) {
    for (size_t i = 0; i < n_tests; i++) {
        if (!tests[i].setup_func) tests[i].setup_func = setup_each;
        if (!tests[i].teardown_func) tests[i].teardown_func = teardown_each;
    }
    return _cmocka_run_group_tests(program_invocation_short_name, tests, n_tests, setup_all,
                                   teardown_all);
}
