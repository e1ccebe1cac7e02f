/* inspect/remove.h: takes twindex out of a store, or one run back, and says what was done. */
#ifndef TWX_INSPECT_REMOVE_H
#define TWX_INSPECT_REMOVE_H

#include "base/arena.h"
#include "base/vec.h"
#include "inspect/generation_line.h"
#include "run/job.h"
#include "run/out.h"

/* What `remove` took out of a store.
 * Memory: embedded struct; twx_removal_summary_init(), _done(). */
typedef struct twx_schema_object {
    twx_slice type, name;
} twx_schema_object;

typedef TWX_VEC(twx_schema_object) twx_schema_objects;

typedef struct twx_removal_summary {
    twx_arena arena;
    const char *path; /* the file: the store, or that of --flags */
    bool dry_run;
    bool file_removed; /* the file of --flags, which had nothing else */
    twx_schema_objects removed, referring;
} twx_removal_summary;

void twx_removal_summary_init(twx_removal_summary *s);
void twx_removal_summary_done(twx_removal_summary *s);
TWX_CHECK twx_rc twx_removal_summary_add(twx_ctx *cx, twx_removal_summary *s,
                                         twx_schema_objects *to, twx_slice type, twx_slice name);
TWX_CHECK twx_rc twx_removal_summary_write(const twx_out *out, const twx_removal_summary *s);

/* Takes everything of Twindex out of a store, and removes the lock file; a file
 * of --flags is removed as a whole.
 * [R1] What is not Twindex's is unchanged: rows, schema, settings of the file.
 * [R2] A process that is killed leaves all objects or none. */

/* dry_run: only lists what would be removed. Errors TWX_E_BUSY: a run is at work. */
TWX_CHECK twx_rc twx_remove(const twx_job *job, bool dry_run, twx_removal_summary *ret_summary);

/* Publishes the generation of flags that was published before. */
TWX_CHECK twx_rc twx_undo(const twx_job *job, twx_restored *ret_restored);

#endif
