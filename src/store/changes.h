/* store/changes.h: the change queue of our own schema (twindex_change, filled by the triggers of
 * `documents`).
 * Memory: owned handle on any connection; twx_changes_forget() needs a writer. The caller owns the
 * transaction. */
#ifndef TWX_STORE_CHANGES_H
#define TWX_STORE_CHANGES_H

#include "store/db.h"

typedef struct twx_changes twx_changes;

TWX_CHECK twx_rc twx_changes_open(twx_db *db, twx_changes **ret_changes);
void twx_changes_close(twx_changes *c);
/* The seq of the newest change, which a run processes up to; 0 if there is none. */
TWX_CHECK twx_rc twx_changes_mark(twx_changes *c, int64_t *ret_mark);
/* Whether there are as many documents as signatures, and the largest number of each is the same,
 * apart from those in the queue. db: any connection to the store. */
TWX_CHECK twx_rc twx_changes_agree(twx_db *db, bool *ret_agree);
/* Documents changed up to mark, each once, ascending, greater than `after`; fewer than limit at the
 * end. */
TWX_CHECK twx_rc twx_changes_list(twx_changes *c, int64_t mark, int64_t after, int64_t *ret_docs,
                                  size_t limit, size_t *ret_n);
/* Removes some thousand of the changes up to mark from the queue; later ones stay. *ret_more:
 * whether there may be more of them. */
TWX_CHECK twx_rc twx_changes_forget(twx_changes *c, int64_t mark, bool *ret_more);

#endif
