/* The external merge sort against the C library's qsort(): any number of parts, with checks or
 * without, with buffers so small that each is refilled many times, on a disk that reads and writes
 * less than it is asked to; its errors; and no file stays open. */
#include "support.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "group/group.h"

enum { ENTRIES_MAX = 60000 };

static twx_entry all[ENTRIES_MAX], wanted[ENTRIES_MAX];

/* The disk: these take the place of the C library's. */
static struct disk {
    size_t most; /* bytes that a call reads or writes; 0: all */
    int error;   /* of the calls after those that are left; 0: they return 0 */
    size_t left; /* SIZE_MAX: more than there are calls */
    uint64_t calls;
} disk;

static bool fails(size_t *n) {
    disk.calls++;
    if (disk.most && *n > disk.most) *n = disk.most;
    if (disk.most && disk.calls % 5 == 0) {
        errno = EINTR;
        return true;
    }
    if (disk.left > 0) {
        disk.left--;
        return false;
    }
    errno = disk.error ? disk.error : EINTR; /* of an earlier call */
    return true;
}

static ssize_t result_of_failure(void) {
    return disk.left == 0 && disk.error == 0 ? 0 : -1;
}

ssize_t pread(int fd, void *to, size_t n, off_t at) {
    return fails(&n) ? result_of_failure() : syscall(SYS_pread64, fd, to, n, at);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at) {
    return fails(&n) ? result_of_failure() : syscall(SYS_pwrite64, fd, from, n, at);
}

TWX_ORDER(compare, twx_entry, twx_entry_cmp(a, b))

/* n entries in parts, as long as is drawn; the parts are sorted, and all together are in wanted. */
static void draw(test_rng *rng, size_t n, twx_external_sort *s) {
    size_t parts = 0;
    for (size_t from = 0, to; from < n; from = to, parts++) {
        const bool checks = test_rng_below(rng, 2);
        to = from + 1 + test_rng_below(rng, n - from);
        for (size_t i = from; i < to; i++)
            all[i] = (twx_entry){.key = test_rng_below(rng, 3) ? test_rng_below(rng, n)
                                                               : test_rng_next(rng),
                                 .check = checks ? test_rng_below(rng, 3) : 0,
                                 .index = (uint32_t)test_rng_next(rng)};
        qsort(all + from, to - from, sizeof *all, compare);
        assert_ok(twx_external_sort_part(s, all + from, to - from));
        assert_int_equal(twx_external_sort_parts(s), parts + 1);
    }
    memcpy(wanted, all, n * sizeof *all);
    qsort(wanted, n, sizeof *wanted, compare);
}

TEST(the_order_is_that_of_qsort) {
    const int files = test_open_files();
    twx_ctx cx = {0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = seed < 4 ? seed : test_rng_below(&rng, seed % 10 ? 3000 : ENTRIES_MAX);
        twx_external_sort *s = NULL;
        twx_entry e;
        disk = (struct disk){.left = SIZE_MAX, .most = seed % 4 ? 0 : 1 + seed * 7};
        assert_ok(twx_external_sort_open(&cx, test_folder(), &s));
        assert_int_equal(test_open_files(), files + 1);
        draw(&rng, n, s);
        assert_ok(twx_external_sort_rewind(s, seed % 3 ? 0 : 1 << 20));
        for (size_t i = 0; i < n; i++) {
            assert_ok(twx_external_sort_next(s, &e));
            if (memcmp(&e, &wanted[i], sizeof e) != 0)
                fail_msg("seed %" PRIu64 ", entry %zu of %zu", seed, i, n);
        }
        assert_int_equal(twx_external_sort_next(s, &e), TWX_DONE);
        assert_int_equal(twx_external_sort_next(s, &e), TWX_DONE);
        twx_external_sort_close(s);
        assert_int_equal(test_open_files(), files);
    }
}

static twx_rc sort_five(twx_ctx *cx) {
    static const twx_entry ONE[] = {{.key = 1}, {.key = 3}, {.key = 5}},
                           TWO[] = {{.key = 2}, {.key = 4}};
    twx_external_sort *s = NULL;
    twx_entry e;
    twx_rc rc = twx_external_sort_open(cx, test_folder(), &s);
    if (rc == TWX_OK) rc = twx_external_sort_part(s, ONE, TWX_COUNTOF(ONE));
    if (rc == TWX_OK) rc = twx_external_sort_part(s, TWO, TWX_COUNTOF(TWO));
    if (rc == TWX_OK) rc = twx_external_sort_rewind(s, 0);
    for (uint64_t key = 1; rc == TWX_OK && key <= 5; key++) {
        rc = twx_external_sort_next(s, &e);
        if (rc == TWX_OK) assert_int_equal(e.key, key);
    }
    if (rc == TWX_OK) assert_int_equal(twx_external_sort_next(s, &e), TWX_DONE);
    twx_external_sort_close(s);
    return rc;
}

/* Two calls write, and two read. */
TEST(a_call_that_fails_ends_the_sort_with_its_reason) {
    static const struct {
        int error;
        twx_rc of_write;
        const char *write, *read;
    } CASES[] = {
        {0, TWX_E_IO, "cannot write a temporary file: Input/output error",
         "cannot read a temporary file: Input/output error"},
        {ENOSPC, TWX_E_FULL, "cannot write a temporary file: No space left on device", "No space"},
        {EIO, TWX_E_IO, "cannot write a temporary file: Input/output error",
         "cannot read a temporary file: Input/output error"},
    };
    const int files = test_open_files();
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        for (size_t left = 0; left <= 4; left++) {
            twx_ctx cx = {0};
            disk = (struct disk){.error = CASES[i].error, .left = left};
            assert_int_equal(sort_five(&cx), left < 2   ? CASES[i].of_write
                                             : left < 4 ? TWX_E_IO
                                                        : TWX_OK);
            if (left < 4)
                assert_non_null(strstr(cx.message, left < 2 ? CASES[i].write : CASES[i].read));
            assert_int_equal(test_open_files(), files);
        }
    disk = (struct disk){.left = SIZE_MAX};
}

/* The program may be started without standard input. */
TEST(a_file_may_have_the_number_zero) {
    twx_ctx cx = {0};
    int fd = -1;
    const int input = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    assert_ok(twx_temporary_file_open(&cx, NULL, &fd));
    assert_int_equal(fd, STDIN_FILENO);
    close(fd);
    if (input < 0) return;
    assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
    close(input);
}
