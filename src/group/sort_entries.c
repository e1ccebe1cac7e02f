#include "group/sort_entries.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8, VALUES = 256 };

int twx_entry_cmp(const twx_entry *a, const twx_entry *b) {
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    if (a->check != b->check) return a->check < b->check ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static int compare(const void *a, const void *b) {
    return twx_entry_cmp(a, b);
}

static void sort_runs(twx_entry *at, size_t n) {
    for (size_t from = 0, to; from < n; from = to) {
        int sorted = 1;
        for (to = from + 1; to < n && at[to].key == at[from].key; to++)
            sorted &= twx_entry_cmp(&at[to - 1], &at[to]) <= 0;
        if (!sorted) qsort(at + from, to - from, sizeof *at, compare);
    }
}

void twx_sort_entries(twx_entry *at, twx_entry *scratch, size_t n) {
    size_t counts[DIGITS][VALUES] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++) counts[d][at[i].key >> (8 * d) & 0xFF]++;
    twx_entry *from = at, *to = scratch;
    for (int d = 0; d < DIGITS && n > 0; d++) {
        size_t start[VALUES], sum = 0;
        if (counts[d][from[0].key >> (8 * d) & 0xFF] == n) continue; /* all the same */
        for (int v = 0; v < VALUES; v++) {
            start[v] = sum;
            sum += counts[d][v];
        }
        for (size_t i = 0; i < n; i++) to[start[from[i].key >> (8 * d) & 0xFF]++] = from[i];
        twx_entry *swap = from;
        from = to;
        to = swap;
    }
    if (from != at) memcpy(at, from, n * sizeof *at);
    sort_runs(at, n);
}
