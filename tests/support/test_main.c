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
static CMFixtureFunction begin_all, end_all, begin_each, end_each;

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

void test_use_fixtures(bool each, CMFixtureFunction begin, CMFixtureFunction end) {
    *(each ? &begin_each : &begin_all) = begin;
    *(each ? &end_each : &end_all) = end;
}

void test_object(void **state, size_t bytes) {
    *state = calloc(1, bytes);
    assert_non_null(*state);
}

int main(void) {
    for (size_t i = 0; i < n_tests; i++) {
        tests[i].setup_func = begin_each;
        tests[i].teardown_func = end_each;
    }
    return _cmocka_run_group_tests(program_invocation_short_name, tests, n_tests, begin_all,
                                   end_all);
}
