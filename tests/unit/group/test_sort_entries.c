#include "support.h"

#include "group/group.h"

enum { N_MAX = 3000 };

TWX_ORDER(compare, twx_entry, twx_entry_cmp(a, b))

/* How keys look like: few bits differ, in low or in high bytes, all are equal, the upper bytes
 * promise more than they tell apart, or anything. */
static uint64_t draw_key(test_rng *rng, size_t kind) {
    switch (kind) {
    case 0: return test_rng_next(rng);
    case 1: return test_rng_below(rng, 7);
    case 2: return (uint64_t)test_rng_below(rng, 5) << 56;
    case 3: return 42;
    case 4: return test_rng_next(rng) & UINT64_C(0x0101FFFFFFFFFFFF);
    default: return (uint64_t)test_rng_below(rng, 3) << 24 | test_rng_below(rng, 300);
    }
}

TEST(order_is_that_of_a_comparison_sort) {
    static twx_entry at[N_MAX], scratch[N_MAX], wanted[N_MAX];
    static uint64_t key[N_MAX];
    static uint32_t items[N_MAX], room[N_MAX];
    for (uint64_t seed = 0; seed < 200; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = seed < 5 ? seed : test_rng_below(&rng, N_MAX), kind = seed % 6;
        for (size_t i = 0; i < n; i++)
            at[i] = (twx_entry){.key = draw_key(&rng, kind),
                                .check = test_rng_below(&rng, 3) ? 7 : test_rng_next(&rng),
                                .index = (uint32_t)test_rng_below(&rng, n)};
        for (size_t i = 0; i < n; i++) key[items[i] = (uint32_t)(n - 1 - i)] = at[i].key;
        twx_sort_by_key(items, room, n, key);
        for (size_t i = 1; i < n; i++) { /* with equal keys they still descend */
            const uint32_t a = items[i - 1], b = items[i];
            if (key[a] > key[b] || (key[a] == key[b] && a <= b)) fail_msg("seed %" PRIu64, seed);
        }
        memcpy(wanted, at, n * sizeof *at);
        qsort(wanted, n, sizeof *wanted, compare);
        twx_sort_entries(at, scratch, n);
        if (memcmp(at, wanted, n * sizeof *at) != 0) fail_msg("seed %" PRIu64 ", n %zu", seed, n);
    }
}

TEST(key_decides_before_check_before_index) {
    const twx_entry a = {.key = 1, .check = 9, .index = 9}, b = {.key = 2, .check = 0, .index = 0},
                    c = {.key = 2, .check = 1, .index = 0}, d = {.key = 2, .check = 1, .index = 1};
    assert_true(twx_entry_cmp(&a, &b) < 0 && twx_entry_cmp(&b, &a) > 0);
    assert_true(twx_entry_cmp(&b, &c) < 0 && twx_entry_cmp(&c, &b) > 0);
    assert_true(twx_entry_cmp(&c, &d) < 0 && twx_entry_cmp(&d, &c) > 0);
    assert_int_equal(twx_entry_cmp(&d, &d), 0);
}

/* They are written to files: no byte of one may be left to chance. */
TEST(an_entry_has_24_bytes_and_no_holes) {
    assert_int_equal(sizeof(twx_entry), 24);
    assert_int_equal(offsetof(twx_entry, zero) + sizeof(uint32_t), sizeof(twx_entry));
}
