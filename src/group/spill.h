/* group/spill.h: sorted parts of a too large array of entries on disk, read back merged.
 * The files are unnamed: they vanish with the process. Memory: owned handle. */
#ifndef TWX_GROUP_SPILL_H
#define TWX_GROUP_SPILL_H

#include "base/ctx.h"
#include "group/sort_entries.h"

typedef struct twx_spill twx_spill;

TWX_CHECK twx_rc twx_spill_open(twx_ctx *cx, const char *folder, twx_spill **ret_spill);
void twx_spill_close(twx_spill *s);
/* Writes at[0..n), which is sorted, as one part. */
TWX_CHECK twx_rc twx_spill_part(twx_spill *s, const twx_entry *at, size_t n);
size_t twx_spill_parts(const twx_spill *s);
/* Starts reading; bytes: of all read buffers together. */
TWX_CHECK twx_rc twx_spill_rewind(twx_spill *s, size_t bytes);
/* The next entry in order; TWX_DONE at the end. */
TWX_CHECK twx_rc twx_spill_next(twx_spill *s, twx_entry *ret_entry);

#endif
