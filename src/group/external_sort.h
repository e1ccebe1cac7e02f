/* group/external_sort.h: an external merge sort: sorted parts of an array too large for memory are
 * written to disk and read back merged. The files are unnamed, so they vanish with the process.
 * Memory: owned handle. */
#ifndef TWX_GROUP_EXTERNAL_SORT_H
#define TWX_GROUP_EXTERNAL_SORT_H

#include "base/ctx.h"
#include "group/sort_entries.h"

typedef struct twx_external_sort twx_external_sort;

TWX_CHECK twx_rc twx_external_sort_open(twx_ctx *cx, const char *folder,
                                        twx_external_sort **ret_sort);
void twx_external_sort_close(twx_external_sort *s);
/* Writes at[0..n), which must be sorted, as one part. */
TWX_CHECK twx_rc twx_external_sort_part(twx_external_sort *s, const twx_entry *at, size_t n);
size_t twx_external_sort_parts(const twx_external_sort *s);
/* Starts reading. bytes: size of all read buffers together. */
TWX_CHECK twx_rc twx_external_sort_rewind(twx_external_sort *s, size_t bytes);
/* The next entry in order; TWX_DONE at the end. */
TWX_CHECK twx_rc twx_external_sort_next(twx_external_sort *s, twx_entry *ret_entry);

#endif
