/* base/memory: scratch memory, given back all at once. */
#include "support.h"

#include "base/base.h"

enum { KEEP = 1 << 20 };

TEST(blocks_are_aligned_and_do_not_overlap) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        test_rng rng = test_rng_seed(seed);
        twx_ctx cx = {0};
        twx_arena a = {.keep = KEEP};
        struct {
            unsigned char *p;
            size_t n;
        } blocks[300];
        for (size_t i = 0; i < TWX_COUNTOF(blocks); i++) {
            size_t n = test_rng_below(&rng, i % 50 == 0 ? 200000 : 700);
            blocks[i].n = n;
            blocks[i].p = twx_arena_alloc(&cx, &a, n, 1);
            assert_non_null(blocks[i].p);
            if ((uintptr_t)blocks[i].p % 16 != 0) fail_msg("seed %" PRIu64 ", block %zu", seed, i);
            memset(blocks[i].p, (int)(i & 0xFF), n);
        }
        for (size_t i = 0; i < TWX_COUNTOF(blocks); i++) /* no block was overwritten */
            for (size_t k = 0; k < blocks[i].n; k++)
                if (blocks[i].p[k] != (i & 0xFF)) fail_msg("seed %" PRIu64 ", block %zu", seed, i);
        twx_arena_done(&a);
    }
}

TEST(sizes_that_overflow_are_refused) {
    const struct {
        size_t count, size;
    } cases[] = {{SIZE_MAX, 1}, {SIZE_MAX / 2 + 1, 1}, {SIZE_MAX / 2 + 2, 2}, {SIZE_MAX, SIZE_MAX}};
    for (size_t i = 0; i < TWX_COUNTOF(cases); i++) {
        twx_ctx cx = {0};
        twx_arena a = {.keep = KEEP};
        assert_null(twx_arena_alloc(&cx, &a, cases[i].count, cases[i].size));
        assert_int_equal(cx.rc, TWX_E_NOMEM);
        twx_arena_done(&a);
    }
}

/* Calls to malloc that `bytes` need when they are asked for in small blocks. */
static size_t allotted(twx_arena *a, twx_ctx *cx, size_t bytes) {
    twx_faults faults = {.fail_at = UINT64_MAX};
    cx->faults = &faults;
    for (size_t done = 0; done < bytes; done += 64) assert_non_null(twx_arena_alloc(cx, a, 64, 1));
    cx->faults = NULL;
    return (size_t)atomic_load(&faults.count);
}

TEST(a_reset_keeps_memory_for_the_next_document) {
    twx_ctx cx = {0};
    twx_arena a = {.keep = KEEP};
    assert_int_equal(allotted(&a, &cx, 60000), 1);
    for (int document = 0; document < 10; document++) {
        twx_arena_reset(&a);
        assert_int_equal(allotted(&a, &cx, 60000), 0);
    }
    twx_arena_done(&a);
}

TEST(a_reset_does_not_keep_a_huge_document) {
    twx_ctx cx = {0};
    twx_arena a = {.keep = 1000};
    assert_non_null(twx_arena_alloc(&cx, &a, 10 * KEEP, 1));
    twx_arena_reset(&a);
    assert_null(a.blocks); /* even the smallest block is larger than what may stay */
    assert_int_equal(allotted(&a, &cx, 64), 1);

    twx_arena_done(&a);
    twx_arena_init(&a, KEEP);
    assert_non_null(twx_arena_alloc(&cx, &a, 100, 1)); /* fits what may stay */
    assert_non_null(twx_arena_alloc(&cx, &a, 10 * KEEP, 1));
    twx_arena_reset(&a);
    assert_int_equal(allotted(&a, &cx, 60000), 0); /* the small block stayed, the huge one went */
    twx_arena_done(&a);
}

TEST(many_small_blocks_need_few_calls_to_malloc) {
    twx_ctx cx = {0};
    twx_arena a = {.keep = KEEP};
    assert_true(allotted(&a, &cx, 10 * KEEP) <= 10); /* blocks double */
    twx_arena_done(&a);
}

TEST(a_failed_allocation_leaves_the_arena_usable) {
    twx_ctx cx = {0};
    twx_arena a = {.keep = KEEP};
    char *first = twx_arena_alloc(&cx, &a, 6, 1);
    memcpy(first, "first", 6);
    twx_faults faults = {.fail_at = 1};
    cx.faults = &faults;
    assert_null(twx_arena_alloc(&cx, &a, KEEP, 1));
    assert_int_equal(cx.rc, TWX_E_NOMEM);
    assert_string_equal(first, "first");
    assert_non_null(twx_arena_alloc(&cx, &a, KEEP, 1));
    assert_string_equal(first, "first");
    twx_arena_done(&a);
}

TEST(a_copy_ends_with_a_nul) {
    twx_ctx cx = {0};
    twx_arena a = {.keep = KEEP};
    char source[] = {'a', '\0', 'b'};
    twx_slice copy = {0};
    assert_ok(twx_arena_copy(&cx, &a, (twx_slice){source, 3}, &copy));
    source[0] = 'x';
    assert_true(twx_slice_eq(copy, TWX_SLICE_LIT("a\0b")));
    assert_int_equal(copy.p[3], '\0');
    assert_ok(twx_arena_copy(&cx, &a, TWX_SLICE_LIT(""), &copy));
    assert_non_null(copy.p);
    assert_int_equal(copy.n, 0);
    assert_ok(twx_arena_copy(&cx, &a, (twx_slice){NULL, 0}, &copy));
    assert_null(copy.p);
    twx_arena_done(&a);
}

TEST(a_failed_copy_leaves_its_result_untouched) {
    twx_ctx cx = {0};
    twx_faults faults = {.fail_at = 1};
    cx.faults = &faults;
    twx_arena a = {.keep = KEEP};
    twx_slice copy = TWX_SLICE_LIT("before");
    assert_int_equal(twx_arena_copy(&cx, &a, TWX_SLICE_LIT("x"), &copy), TWX_E_NOMEM);
    assert_true(twx_slice_eq(copy, TWX_SLICE_LIT("before")));
    twx_arena_done(&a);
}

TEST(done_and_reset_can_be_repeated) {
    twx_arena a = {0};
    twx_arena_reset(&a);
    twx_arena_done(&a);
    twx_arena_done(&a);
    twx_arena_done(NULL);
}
