/* inspect/removal_summary.h: what `remove` took out of a store.
 * Memory: embedded struct; twx_removal_summary_init(), _done(). */
#ifndef TWX_INSPECT_REMOVAL_SUMMARY_H
#define TWX_INSPECT_REMOVAL_SUMMARY_H

#include "base/arena.h"
#include "base/vec.h"
#include "run/out.h"

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

#endif
