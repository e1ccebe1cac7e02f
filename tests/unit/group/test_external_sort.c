/* The external merge sort against the C library's qsort(): any number of parts, with checks or
 * without, with buffers so small that each is refilled many times; and no file stays open. */
#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "group/external_sort.h"

enum { ENTRIES_MAX = 60000 };

static twx_entry all[ENTRIES_MAX], wanted[ENTRIES_MAX];

static int compare(const void *a, const void *b) {
    return twx_entry_cmp(a, b);
}

static size_t open_files(void) {
    size_t n = 0;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    while (readdir(d)) n++;
    assert_int_equal(closedir(d), 0);
    return n;
}

/* n entries in parts, as long as is drawn; the parts are sorted, and all together are in wanted. */
static size_t draw(test_rng *rng, size_t n, twx_external_sort *s) {
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
        assert_int_equal(twx_external_sort_part(s, all + from, to - from), TWX_OK);
        assert_int_equal(twx_external_sort_parts(s), parts + 1);
    }
    memcpy(wanted, all, n * sizeof *all);
    qsort(wanted, n, sizeof *wanted, compare);
    return parts;
}

static void the_order_is_that_of_qsort(void **state) {
    const size_t files = open_files();
    twx_ctx cx;
    (void)state;
    twx_ctx_init(&cx);
    for (uint64_t seed = 0; seed < 60; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = seed < 4 ? seed : test_rng_below(&rng, seed % 10 ? 3000 : ENTRIES_MAX);
        twx_external_sort *s = NULL;
        twx_entry e;
        assert_int_equal(twx_external_sort_open(&cx, test_folder(), &s), TWX_OK);
        assert_int_equal(open_files(), files + 1);
        draw(&rng, n, s);
        assert_int_equal(twx_external_sort_rewind(s, seed % 3 ? 0 : 1 << 20), TWX_OK);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(twx_external_sort_next(s, &e), TWX_OK);
            if (memcmp(&e, &wanted[i], sizeof e) != 0)
                fail_msg("seed %" PRIu64 ", entry %zu of %zu", seed, i, n);
        }
        assert_int_equal(twx_external_sort_next(s, &e), TWX_DONE);
        assert_int_equal(twx_external_sort_next(s, &e), TWX_DONE);
        twx_external_sort_close(s);
        assert_int_equal(open_files(), files);
    }
}

static void a_folder_that_does_not_exist_is_an_error(void **state) {
    const size_t files = open_files();
    twx_external_sort *s = NULL;
    twx_ctx cx;
    (void)state;
    twx_ctx_init(&cx);
    assert_int_equal(twx_external_sort_open(&cx, "/does/not/exist", &s), TWX_E_CREATE);
    assert_null(s);
    assert_non_null(strstr(cx.message, "/does/not/exist"));
    assert_int_equal(open_files(), files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_qsort),
        cmocka_unit_test(a_folder_that_does_not_exist_is_an_error),
    };
    return cmocka_run_group_tests_name("external_sort", tests, NULL, NULL);
}
