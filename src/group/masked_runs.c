/* For one mask, each number becomes an entry of eight bytes: a 32-bit hash of its masked bits above
 * its position. The entries are sorted by a radix sort from the highest digit down: the first pass
 * writes parts that fit in the processor's cache, and the second leaves so few entries out of place
 * that an insertion sort ends it. All passes are stable, so entries of equal hash stay in order of
 * their positions. Neighbours of equal hash are compared by their masked bits, so that a collision
 * of hashes never joins two numbers. Each thread takes a mask at a time. */
#include "group/masked_runs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vec.h"

enum {
    KEY_SHIFT = 32, /* the hash is the upper half of an entry */
    PART_ENTRIES = 4096 /* the first pass aims at parts of this size: 32 KiB */,
    FIRST_BITS_MAX = 12,
    DIGIT_BITS = 12,
    DIGITS = 1 << DIGIT_BITS,
    FEW = 24 /* entries that an insertion sort orders */
};

typedef struct sorter {
    uint64_t *entries; /* all, in parts */
    TWX_VEC(uint64_t) room;
} sorter;

/* How many members, and then the members, of each run of a mask. */
typedef TWX_VEC(uint32_t) run_list;

typedef struct search {
    const twx_masked *what;
    size_t first_mask; /* of this round */
    unsigned first_bits;
    sorter sorters[TWX_PARALLEL_MAX]; /* by thread */
    run_list found[TWX_PARALLEL_MAX]; /* by mask of this round */
} search;

static uint64_t hash_of(uint64_t masked) {
    const uint64_t h = masked * UINT64_C(0x9E3779B97F4A7C15);
    return (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93) >> 32;
}

static unsigned bits_for(size_t n) {
    unsigned bits = 1;
    while (bits < FIRST_BITS_MAX && n >> bits > PART_ENTRIES) bits++;
    return bits;
}

/* Turns the counts of values into where each begins. */
static void to_starts(uint32_t *counts, size_t values) {
    uint32_t sum = 0;
    for (size_t v = 0; v < values; v++) {
        const uint32_t count = counts[v];
        counts[v] = sum;
        sum += count;
    }
}

/* The first pass: ends[v] is where the part of the first digit v ends. */
static void make_parts(const twx_masked *what, uint64_t mask, unsigned bits, uint64_t *entries,
                       uint32_t *ends) {
    const unsigned shift = 32 - bits;
    memset(ends, 0, sizeof *ends << bits);
    for (size_t i = 0; i < what->n; i++) ends[hash_of(what->numbers[i] & mask) >> shift]++;
    to_starts(ends, (size_t)1 << bits);
    for (size_t i = 0; i < what->n; i++) {
        const uint64_t hash = hash_of(what->numbers[i] & mask);
        entries[ends[hash >> shift]++] = hash << KEY_SHIFT | i;
    }
}

static void sort_few(uint64_t *at, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const uint64_t item = at[i];
        size_t j = i;
        for (; j > 0 && at[j - 1] > item; j--) at[j] = at[j - 1];
        at[j] = item;
    }
}

/* Sorts from[0..n), whose hashes agree from bit `bits` on, into `to`; overwrites `from`. The depth
 * of the recursion is the number of digits of a hash. */
static void sort_part(uint64_t *from, uint64_t *to, size_t n, unsigned bits) {
    uint32_t ends[DIGITS] = {0};
    const unsigned digit_bits = bits < DIGIT_BITS ? bits : DIGIT_BITS;
    const unsigned shift = KEY_SHIFT + bits - digit_bits, last = (1U << digit_bits) - 1;
    if (n <= FEW || bits == 0) { /* entries of equal hash are in order */
        memcpy(to, from, n * sizeof *to);
        if (bits > 0) sort_few(to, n);
        return;
    }
    for (size_t i = 0; i < n; i++) ends[from[i] >> shift & last]++;
    to_starts(ends, (size_t)last + 1);
    for (size_t i = 0; i < n; i++) to[ends[from[i] >> shift & last]++] = from[i];
    for (size_t v = 0, start = 0; v <= last; start = ends[v++]) {
        const size_t count = ends[v] - start;
        if (count <= FEW) continue;
        sort_part(to + start, from + start, count, bits - digit_bits);
        memcpy(to + start, from + start, count * sizeof *to);
    }
    sort_few(to, n);
}

static twx_rc keep_run(twx_ctx *cx, const uint64_t *entries, size_t n, run_list *ret_found) {
    if (n < 2) return TWX_OK;
    if (!TWX_VEC_RESERVE(cx, ret_found, ret_found->n + n + 1)) return TWX_E_NOMEM;
    ret_found->at[ret_found->n++] = (uint32_t)n;
    for (size_t i = 0; i < n; i++) ret_found->at[ret_found->n++] = (uint32_t)entries[i];
    return TWX_OK;
}

typedef struct masked_order {
    const uint64_t *numbers;
    uint64_t mask;
} masked_order;

static uint64_t masked(const masked_order *order, uint64_t entry) {
    return order->numbers[(uint32_t)entry] & order->mask;
}

static int by_masked_bits(const void *left, const void *right, void *arg) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    const uint64_t x = masked(arg, a), y = masked(arg, b);
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

/* Keeps the runs among entries of equal hash. */
static twx_rc keep_runs(twx_ctx *cx, masked_order *order, uint64_t *at, size_t n,
                        run_list *ret_found) {
    twx_rc rc = TWX_OK;
    size_t equal = 1;
    while (equal < n && masked(order, at[equal]) == masked(order, at[0])) equal++;
    if (equal == n) return keep_run(cx, at, n, ret_found);
    qsort_r(at, n, sizeof *at, by_masked_bits, order);
    for (size_t from = 0, to; rc == TWX_OK && from < n; from = to) {
        for (to = from + 1; to < n && masked(order, at[to]) == masked(order, at[from]);) to++;
        rc = keep_run(cx, at + from, to - from, ret_found);
    }
    return rc;
}

static twx_rc search_part(twx_ctx *cx, masked_order *order, uint64_t *at, size_t n,
                          run_list *ret_found) {
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to; rc == TWX_OK && from < n; from = to) {
        for (to = from + 1; to < n && at[to] >> KEY_SHIFT == at[from] >> KEY_SHIFT;) to++;
        if (to - from > 1) rc = keep_runs(cx, order, at + from, to - from, ret_found);
    }
    return rc;
}

static twx_rc search_mask(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    search *s = arg;
    sorter *mine = &s->sorters[thread];
    masked_order order = {s->what->numbers, s->what->masks[s->first_mask + task]};
    uint32_t ends[1 << FIRST_BITS_MAX];
    twx_rc rc = TWX_OK;
    if (!mine->entries) mine->entries = twx_malloc(cx, (s->what->n + 1) * sizeof *mine->entries);
    if (!mine->entries) return TWX_E_NOMEM;
    make_parts(s->what, order.mask, s->first_bits, mine->entries, ends);
    for (size_t v = 0, start = 0; rc == TWX_OK && v >> s->first_bits == 0; start = ends[v++]) {
        const size_t n = ends[v] - start;
        if (n < 2) continue;
        if (!TWX_VEC_RESERVE(cx, &mine->room, n)) return TWX_E_NOMEM;
        sort_part(mine->entries + start, mine->room.at, n, 32 - s->first_bits);
        rc = search_part(cx, &order, mine->room.at, n, &s->found[task]);
    }
    return rc;
}

static twx_rc pass_on(twx_ctx *cx, run_list *found, twx_run_fn *fn, void *arg) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0, n; rc == TWX_OK && i < found->n; i += n + 1) {
        n = found->at[i];
        rc = fn(arg, &found->at[i + 1], n);
        if (rc == TWX_OK) rc = twx_cancelled(cx);
    }
    found->n = 0;
    return rc;
}

twx_rc twx_masked_runs(twx_ctx *cx, const twx_masked *what, twx_run_fn *fn, void *arg) {
    size_t threads = what->threads < TWX_PARALLEL_MAX ? what->threads : TWX_PARALLEL_MAX;
    search *s = twx_calloc(cx, 1, sizeof *s);
    twx_rc rc = s ? TWX_OK : TWX_E_NOMEM;
    if (!s) return rc;
    s->what = what;
    s->first_bits = bits_for(what->n);
    if (threads == 0) threads = 1;
    while (rc == TWX_OK && s->first_mask < what->n_masks) {
        const size_t left = what->n_masks - s->first_mask, now = left < threads ? left : threads;
        rc = twx_parallel(cx, threads, now, search_mask, s);
        for (size_t k = 0; rc == TWX_OK && k < now; k++) rc = pass_on(cx, &s->found[k], fn, arg);
        s->first_mask += now;
    }
    for (size_t i = 0; i < TWX_PARALLEL_MAX; i++) {
        twx_free(s->sorters[i].entries);
        TWX_VEC_DONE(&s->sorters[i].room);
        TWX_VEC_DONE(&s->found[i]);
    }
    twx_free(s);
    return rc;
}
