#include "support.h"

#include "base/base.h"

#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

test_rng test_rng_seed(uint64_t seed) {
    return (test_rng){seed};
}

/* splitmix64 */
uint64_t test_rng_next(test_rng *rng) {
    uint64_t z = (rng->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

size_t test_rng_below(test_rng *rng, size_t limit) {
    return (size_t)(test_rng_next(rng) % limit);
}

void test_rng_shuffle(test_rng *rng, uint64_t *items, size_t n) {
    for (size_t i = n; i > 1; i--) {
        size_t j = test_rng_below(rng, i);
        uint64_t swap = items[i - 1];
        items[i - 1] = items[j];
        items[j] = swap;
    }
}

const char *test_corpus(const char *file) {
    static char path[4096];
    const char *root = getenv("TWINDEX_CORPUS");
    snprintf(path, sizeof path, "%s/%s", root ? root : TWINDEX_SOURCE_DIR "/../shared/corpus",
             file);
    if (access(path, R_OK) == 0) return path;
    printf("skipped: no corpus file '%s' (set TWINDEX_CORPUS)\n", path);
    return NULL;
}

const char *test_rc_name(int rc) {
#define TEST_RC_NAME(name, exit_code) \
    if (rc == name) return #name;
    TWX_RC_TABLE(TEST_RC_NAME)
#undef TEST_RC_NAME
    return "no result";
}

size_t test_share_of(size_t all, size_t part) {
    const char *cases = getenv("TWINDEX_LONG_TESTS");
    if (!cases || strcmp(cases, "some") == 0)
        part *= 2;
    else
        part = strcmp(cases, "most") != 0 ? 1 : part > 3 ? 3 : part;
    return all < part ? 1 : all / part;
}

const char *test_suite(const char *name, const char *packaged) {
    static char path[4096];
    const char *root = getenv("TWINDEX_SUITES");
    snprintf(path, sizeof path, "%s/%s", root ? root : TWINDEX_SOURCE_DIR "/../shared/suites",
             name);
    if (access(path, R_OK) == 0) return path;
    glob_t found;
    if (packaged && glob(packaged, 0, NULL, &found) == 0) {
        snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
        globfree(&found);
        return path;
    }
    printf("skipped: no %s%s%s (set TWINDEX_SUITES)\n", path, packaged ? " and no " : "",
           packaged ? packaged : "");
    return NULL;
}

int test_open_files(void) {
    int n = 0;
    for (int fd = 0; fd < 64; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

double test_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

char *test_read_file(const char *path, size_t *ret_n) {
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) fail_msg("%s: cannot be read", path);
    const size_t n = (size_t)ftell(f);
    char *p = malloc(n ? n : 1);
    assert_non_null(p);
    rewind(f);
    assert_int_equal(fread(p, 1, n, f), n);
    fclose(f);
    *ret_n = n;
    return p;
}

void test_write_file(const char *path, const void *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

char *test_exact(const char *bytes, size_t n) {
    char *p = malloc(n ? n : 1);
    assert_non_null(p);
    if (n) memcpy(p, bytes, n);
    return p;
}

/* The C library's functions are replaced in the test programs, and so in SQLite. What a test wrote
 * is read again by the same kernel, and no test cuts the power: waiting for the disk proves
 * nothing. The programs that tests start still wait. */
__attribute__((visibility("default"))) int fsync(int fd) {
    (void)fd;
    return 0;
}

__attribute__((visibility("default"))) int fdatasync(int fd) {
    (void)fd;
    return 0;
}

static char folder[4096];

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at) {
    (void)st, (void)type, (void)at;
    return remove(path);
}

static void remove_folder(void) {
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_folder(void) {
    if (folder[0]) return folder;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/twindex-test-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(1);
    }
    atexit(remove_folder);
    return folder;
}

/* of libgcov, if the program is linked with it */
void __gcov_dump(void) __attribute__((weak));

_Noreturn void test_child_exit(int status) {
    if (__gcov_dump) __gcov_dump();
    _exit(status);
}

const char *test_program(void) {
    const char *other = getenv("TWINDEX");
    return other ? other : TWINDEX_PROGRAM;
}
