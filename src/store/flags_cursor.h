/* store/flags_cursor.h: the rows of one generation of flags in order of doc, read in batches: no
 * statement is open between two calls, so the caller may write to the store. A row that is written
 * at or before the cursor's place is not seen.
 * Memory: embedded struct; twx_flags_cursor_done(). */
#ifndef TWX_STORE_FLAGS_CURSOR_H
#define TWX_STORE_FLAGS_CURSOR_H

#include "store/generations.h"

typedef struct twx_flags_cursor {
    twx_generations *generations; /* borrowed */
    char generation;
    twx_flag_row *rows; /* a batch */
    size_t at, n;
    int64_t after;
    bool end; /* rows holds the last batch */
} twx_flags_cursor;

/* generation 0: there are no rows; generations may be NULL then. */
TWX_CHECK twx_rc twx_flags_cursor_init(twx_ctx *cx, twx_generations *generations, char generation,
                                       twx_flags_cursor *ret_flags);
void twx_flags_cursor_done(twx_flags_cursor *f);
/* The row at the cursor's place, *ret_row NULL after the last one. It is borrowed until the cursor
 * is moved and read again. */
TWX_CHECK twx_rc twx_flags_cursor_read(twx_flags_cursor *f, const twx_flag_row **ret_row);
void twx_flags_cursor_move(twx_flags_cursor *f); /* to the next row, if there is one */
/* The flags of a document, *ret_row NULL: it has none (it came after the last run). doc is larger
 * than in the call before. */
TWX_CHECK twx_rc twx_flags_cursor_of(twx_flags_cursor *f, int64_t doc,
                                     const twx_flag_row **ret_row);

#endif
