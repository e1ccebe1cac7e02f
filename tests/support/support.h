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

/* Sanitizers make a program three to fifteen times slower: tests of many like cases do a part of
 * them there. */
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

/* How many of many like cases are tried: all if $TWINDEX_LONG_TESTS is set, as in continuous
 * integration, otherwise one of `part`. */
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

/* The number of open file descriptors below 64. */
int test_open_files(void);

/* A fresh folder below $TMPDIR, removed at exit. Borrowed until exit. */
const char *test_folder(void);

/* _exit() for a forked child; in the build of scripts/coverage, what the child has reached
 * counts. */
_Noreturn void test_child_exit(int status);

/* The program: $TWINDEX, or that of this build. */
const char *test_program(void);

#endif
