/* store/flags_cursor.h: the rows of one generation of flags in order of doc, read in batches. No
 * statement is open between calls, so the caller may write to the store. Rows that are written at
 * or before the cursor's position are not seen.
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

/* generation 0 means no rows; generations may then be NULL. */
TWX_CHECK twx_rc twx_flags_cursor_init(twx_ctx *cx, twx_generations *generations, char generation,
                                       twx_flags_cursor *ret_flags);
void twx_flags_cursor_done(twx_flags_cursor *f);
/* The row at the cursor's position; *ret_row is NULL after the last row. It is borrowed until the
 * cursor is moved and read again. */
TWX_CHECK twx_rc twx_flags_cursor_read(twx_flags_cursor *f, const twx_flag_row **ret_row);
void twx_flags_cursor_move(twx_flags_cursor *f); /* to the next row, if there is one */
/* The flags of a document, or NULL in *ret_row if it has none because it was added after the last
 * run. doc must be greater than in the previous call. */
TWX_CHECK twx_rc twx_flags_cursor_of(twx_flags_cursor *f, int64_t doc,
                                     const twx_flag_row **ret_row);

#endif
