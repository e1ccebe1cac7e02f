/* job/flags_in_step.h: the published flags, read in step with the signatures: both are in order of doc, so each row of either is
 * read once. Memory: embedded struct; twx_flags_in_step_done(). */
#ifndef TWX_JOB_FLAGS_IN_STEP_H
#define TWX_JOB_FLAGS_IN_STEP_H

#include "job/open_store.h"

typedef struct twx_flags_in_step {
    twx_generations *generations; /* borrowed */
    char generation;
    twx_flag_row *rows; /* a batch */
    size_t at, n;
    int64_t after;
} twx_flags_in_step;

TWX_CHECK twx_rc twx_flags_in_step_init(twx_ctx *cx, twx_generations *generations, char generation,
                                        twx_flags_in_step *ret_flags);
void twx_flags_in_step_done(twx_flags_in_step *f);
/* The flags of a document; *ret_row NULL: it has none (it came after the last run). doc is larger than in the call before.
 * The row is borrowed until the next call. */
TWX_CHECK twx_rc twx_flags_in_step_of(twx_flags_in_step *f, int64_t doc, const twx_flag_row **ret_row);

#endif
