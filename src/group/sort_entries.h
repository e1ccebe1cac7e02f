/* group/sort_entries.h: sorts entries by (key, check, index). LSD radix sort on the key that skips
 * bytes all keys share; runs of equal keys are sorted by their checks in the same way. Linear. */
#ifndef TWX_GROUP_SORT_ENTRIES_H
#define TWX_GROUP_SORT_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

typedef struct twx_entry {
    uint64_t key, check;
    uint32_t index;
    uint32_t zero; /* padding, always 0: entries are written to files */
} twx_entry;

/* at[0..n) is sorted; scratch[0..n) is overwritten. */
void twx_sort_entries(twx_entry *at, twx_entry *scratch, size_t n);
/* <0, 0, >0 in the order above. */
int twx_entry_cmp(const twx_entry *a, const twx_entry *b);

#endif
