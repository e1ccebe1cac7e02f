/* tests/support: what the C tests share: seeded random numbers, a context, the corpus,
 * suites of others. */
#ifndef TWINDEX_TEST_SUPPORT_H
#define TWINDEX_TEST_SUPPORT_H

/* cmocka wants these before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* A test: TEST(name) { ... }. It registers itself, so that none is written and forgotten in a list;
 * main() of test_main.c runs the tests of a program in the order of their lines.
 *
 * TESTS_WITH(begin, end): begin() is called before each test of the file, and end() after it.
 * TESTS_OF(type, begin, end): each test has an object of the type, all zero before begin(object).
 * TESTS_IN, TESTS_SHARE: the same, but once for all tests of the file together. TEST_NOTHING is
 * the begin or end that is not needed. TEST_OF(name, fixture *f): a test that gets its object. */
#define TEST(name)                                                     \
    static void name(void **state);                                    \
    __attribute__((constructor)) static void add_##name(void) {        \
        test_add((struct CMUnitTest){#name, name, 0, 0, 0}, __LINE__); \
    }                                                                  \
    static void name(__attribute__((unused)) void **state)
#define TEST_OF(name, parameter)      \
    static void name##_of(parameter); \
    TEST(name) {                      \
        name##_of(*state);            \
    }                                 \
    static void name##_of(parameter)
#define TESTS_WITH(begin, end)        TEST_FIXTURES(true, begin(), end())
#define TESTS_IN(begin, end)          TEST_FIXTURES(false, begin(), end())
#define TESTS_OF(type, begin, end)    TEST_OBJECT(true, type, begin, end)
#define TESTS_SHARE(type, begin, end) TEST_OBJECT(false, type, begin, end)
#define TEST_OBJECT(each, type, begin, end)                                        \
    TEST_FIXTURES(each, (test_object(state, sizeof(type)), begin((type *)*state)), \
                  (end((type *)*state), free(*state)))
#define TEST_FIXTURES(each, begin, end)                                  \
    static int begin_##each(__attribute__((unused)) void **state) {      \
        begin;                                                           \
        return 0;                                                        \
    }                                                                    \
    static int end_##each(__attribute__((unused)) void **state) {        \
        end;                                                             \
        return 0;                                                        \
    }                                                                    \
    __attribute__((constructor)) static void use_fixtures_##each(void) { \
        test_use_fixtures(each, begin_##each, end_##each);               \
    }                                                                    \
    _Static_assert(true, "a semicolon follows")
#define TEST_NOTHING(...) ((void)0)

void test_add(struct CMUnitTest test, int at_line);
void test_use_fixtures(bool each, CMFixtureFunction begin, CMFixtureFunction end);
void test_object(void **state, size_t bytes); /* of zeros */

/* A call that does what it is asked to. */
#define assert_ok(call) assert_int_equal(call, TWX_OK)

/* Sanitizers make a program up to fifteen times slower: tests of many like cases do a part. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { TEST_SANITIZED = 1 };
#else
enum { TEST_SANITIZED = 0 };
#endif

/* The thread sanitizer, the slowest, looks for races only. Results do not depend on it, so a case
 * of each kind is enough there. */
#if defined(__SANITIZE_THREAD__)
enum { TEST_RACES_ONLY = 1 };
#else
enum { TEST_RACES_ONLY = 0 };
#endif

const char *test_rc_name(int rc);     /* "TWX_E_DATA" */
double test_seconds(clockid_t clock); /* what the clock shows */
/* How many of many like cases are tried, at least one: one of 2 * part, also with
 * $TWINDEX_LONG_TESTS "some"; a third, or one of a smaller `part`, with "most"; otherwise all. */
size_t test_share_of(size_t all, size_t part);

typedef struct test_rng {
    uint64_t state;
} test_rng;

test_rng test_rng_seed(uint64_t seed);
uint64_t test_rng_next(test_rng *rng);
size_t test_rng_below(test_rng *rng, size_t limit); /* 0..limit-1, limit > 0 */
void test_rng_shuffle(test_rng *rng, uint64_t *items, size_t n);

/* Path of a file of the corpus ($TWINDEX_CORPUS, default ../shared/corpus beside the source), or
 * NULL with a message on standard output when it is absent: then skip(). Borrowed until the next
 * call. */
const char *test_corpus(const char *file);

/* A suite of test data that others wrote: $TWINDEX_SUITES/NAME (default ../shared/suites beside the
 * source) or, if that is absent, what a Debian package of scripts/setup brings: `packaged` is a
 * pattern of glob(7), NULL when no package has it. NULL with a message on standard output when
 * neither is there: then skip(). Borrowed until the next call. */
const char *test_suite(const char *name, const char *packaged);

/* The bytes of a file; fails the test if it cannot be read. Exactly *ret_n bytes are allocated, so
 * that the sanitizer notices who reads beyond them. Owned: free(). */
char *test_read_file(const char *path, size_t *ret_n);

/* Makes a file of the bytes; fails the test if it cannot. */
void test_write_file(const char *path, const void *bytes, size_t n);

/* The bytes in a block of their own that is exactly as long, for the same reason. Owned: free(). */
char *test_exact(const char *bytes, size_t n);

/* The number of open file descriptors below 64. */
int test_open_files(void);

/* A fresh folder below $TMPDIR, removed at exit. Borrowed until exit. */
const char *test_folder(void);

/* _exit() for a forked child; under scripts/coverage, what the child has reached counts. */
_Noreturn void test_child_exit(int status);

/* The program: $TWINDEX, or that of this build. */
const char *test_program(void);

#endif
