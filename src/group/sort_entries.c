/* Keys are mostly hashes. Once n keys are sorted by as many of their upper bytes as distinguish n
 * keys, hardly any neighbours agree in those, so the lower bytes need no passes over all
 * entries. */
#include "group/sort_entries.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8, DIGIT_BITS = 8, VALUES = 256, FEW = 32, SPARE_BITS = 4 };

/* counts[d][v]: how many keys have the value v in byte d, 0 the lowest. */
typedef struct histogram {
    size_t counts[DIGITS][VALUES];
} histogram;

static unsigned digit(const twx_entry *e, unsigned d) {
    return e->key >> (DIGIT_BITS * d) & (VALUES - 1);
}

int twx_entry_cmp(const twx_entry *a, const twx_entry *b) {
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    if (a->check != b->check) return a->check < b->check ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static int compare(const void *a, const void *b) {
    return twx_entry_cmp(a, b);
}

static void sort_few(twx_entry *at, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const twx_entry item = at[i];
        size_t j = i;
        for (; j > 0 && twx_entry_cmp(&at[j - 1], &item) > 0; j--) at[j] = at[j - 1];
        at[j] = item;
    }
}

static void count_digits(const twx_entry *at, size_t n, unsigned digits, histogram *h) {
    memset(h, 0, digits * sizeof h->counts[0]);
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < digits; d++) h->counts[d][digit(&at[i], d)]++;
}

/* Do all keys have the same byte d? */
static bool all_agree(const twx_entry *at, size_t n, const histogram *h, unsigned d) {
    return h->counts[d][digit(at, d)] == n;
}

/* The lowest byte to sort by: the bytes from there on can distinguish 2^SPARE_BITS times as many
 * keys as there are. */
static unsigned lowest_needed(const twx_entry *at, size_t n, unsigned digits, const histogram *h) {
    size_t left = n << SPARE_BITS;
    unsigned d = digits;
    while (d > 0 && left > 0)
        if (!all_agree(at, n, h, --d)) left >>= DIGIT_BITS;
    return d;
}

/* Sorts by the bytes first..last-1 of the key; stable. */
static void sort_by_digits(twx_entry *at, twx_entry *scratch, size_t n, unsigned first,
                           unsigned last, histogram *h) {
    twx_entry *from = at, *to = scratch;
    for (unsigned d = first; d < last; d++) {
        size_t *start = h->counts[d], sum = 0;
        if (all_agree(from, n, h, d)) continue;
        for (unsigned v = 0; v < VALUES; v++) {
            const size_t count = start[v];
            start[v] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++) to[start[digit(&from[i], d)]++] = from[i];
        twx_entry *swap = from;
        from = to;
        to = swap;
    }
    if (from != at) memcpy(at, from, n * sizeof *at);
}

static void exchange_checks(twx_entry *at, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = at[i].key;
        at[i].key = at[i].check;
        at[i].check = key;
    }
}

/* Sorts entries with equal keys: by their checks as if these were the keys. */
static void sort_run(twx_entry *at, twx_entry *scratch, size_t n) {
    bool sorted = true, differ = false;
    for (size_t i = 1; i < n; i++) {
        sorted &= twx_entry_cmp(&at[i - 1], &at[i]) <= 0;
        differ |= at[i].check != at[0].check;
    }
    if (sorted) return;
    if (n <= FEW || !differ) {
        qsort(at, n, sizeof *at, compare);
        return;
    }
    exchange_checks(at, n);
    twx_sort_entries(at, scratch, n);
    exchange_checks(at, n);
}

/* Sorts entries that agree in the bytes of the key from `digits` on by the lower bytes. */
static void sort_rest(twx_entry *at, twx_entry *scratch, size_t n, unsigned digits) {
    histogram h;
    count_digits(at, n, digits, &h);
    sort_by_digits(at, scratch, n, 0, digits, &h);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && at[to].key == at[from].key;) to++;
        sort_run(at + from, scratch, to - from);
    }
}

void twx_sort_entries(twx_entry *at, twx_entry *scratch, size_t n) {
    histogram h;
    if (n <= FEW) {
        sort_few(at, n);
        return;
    }
    count_digits(at, n, DIGITS, &h);
    const unsigned first = lowest_needed(at, n, DIGITS, &h);
    sort_by_digits(at, scratch, n, first, DIGITS, &h);
    for (size_t from = 0, to; from < n; from = to) {
        const uint64_t upper = at[from].key >> (DIGIT_BITS * first);
        for (to = from + 1; to < n && at[to].key >> (DIGIT_BITS * first) == upper;) to++;
        if (to - from <= FEW)
            sort_few(at + from, to - from);
        else
            sort_rest(at + from, scratch, to - from, first);
    }
}
