/* store/changes.h: the change queue of our own schema (twindex_change, filled by the triggers of
 * `documents`).
 * Memory: owned handle on any connection; forgetting needs a writer. The caller owns the
 * transaction. */
#ifndef TWX_STORE_CHANGES_H
#define TWX_STORE_CHANGES_H

#include "store/db.h"

typedef struct twx_changes twx_changes;

TWX_CHECK twx_rc twx_changes_open(twx_db *db, twx_changes **ret_changes);
void twx_changes_close(twx_changes *c);
/* seq of the newest change, 0 when there is none: what a run has to take. */
TWX_CHECK twx_rc twx_changes_mark(twx_changes *c, int64_t *ret_mark);
/* Documents changed up to mark, each once, ascending, behind `after`; fewer than limit at the end.
 */
TWX_CHECK twx_rc twx_changes_list(twx_changes *c, int64_t mark, int64_t after, int64_t *ret_docs,
                                  size_t limit, size_t *ret_n);
/* Takes changes up to mark off the queue; later ones stay. */
TWX_CHECK twx_rc twx_changes_forget(twx_changes *c, int64_t mark);

#endif
