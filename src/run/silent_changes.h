/* run/silent_changes.h: documents that differ from what is signed although the change queue does
 * not have them. The queue has what its triggers see: no other table and no clock that an
 * expression of the mapping reads, no writer whose triggers are off or dropped, and no row that
 * INSERT OR REPLACE deletes because of an index of the owner's.
 * Concerns stores of which sign_plan.queued is true and whose signatures are those of the plan; in
 * others nothing is found. */
#ifndef TWX_RUN_SILENT_CHANGES_H
#define TWX_RUN_SILENT_CHANGES_H

#include "run/sign.h"

enum { TWX_SILENT_BYTES = 600 };

typedef struct twx_silent_changes {
    uint64_t n;
    char first[TWX_SILENT_BYTES]; /* "3 https://a/, 7 https://b/, ..." */
} twx_silent_changes;

/* Compares numbers of rows alone, which indexes give; nothing with store.where. *ret_agree false:
 * there may be such documents. */
TWX_CHECK twx_rc twx_queue_agrees(twx_opened *o, const twx_sign_plan *plan, bool *ret_agree);
/* Reads and signs every document, and compares the records; writes nothing. */
TWX_CHECK twx_rc twx_silent_changes_find(const twx_job *job, twx_opened *o,
                                         const twx_sign_plan *plan, twx_silent_changes *ret);

#endif
