/* inspect/flags_cursor.h: the published flags, read in step with the signatures: both are in order
 * of doc, so each row of either is read once. Memory: embedded struct; twx_flags_cursor_done(). */
#ifndef TWX_INSPECT_FLAGS_CURSOR_H
#define TWX_INSPECT_FLAGS_CURSOR_H

#include "job/open_store.h"

typedef struct twx_flags_cursor {
    twx_generations *generations; /* borrowed */
    char generation;
    twx_flag_row *rows; /* a batch */
    size_t at, n;
    int64_t after;
} twx_flags_cursor;

TWX_CHECK twx_rc twx_flags_cursor_init(twx_ctx *cx, twx_generations *generations, char generation,
                                       twx_flags_cursor *ret_flags);
void twx_flags_cursor_done(twx_flags_cursor *f);
/* The flags of a document; *ret_row NULL: it has none (it came after the last run). doc is larger
 * than in the call before. The row is borrowed until the next call. */
TWX_CHECK twx_rc twx_flags_cursor_of(twx_flags_cursor *f, int64_t doc,
                                     const twx_flag_row **ret_row);

#endif
