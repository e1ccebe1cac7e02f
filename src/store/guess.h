/* store/guess.h: finds the documents of a store by what its columns hold: for `check --suggest`,
 * which shows what was found and leaves the decision to people. [R1] URL and text of one table or
 * FTS table, else of a view; the URL may be a host and a path, the text a path of a JSON column,
 * HTML or packed. [R2] Else two tables joined by a foreign key, a column named like one, or equal
 * digests. [R3] Of several rows of a URL the latest by its date; a text that is split over
 * numbered rows is put together. [R4] Reads a few rows of each table. */
#ifndef TWX_STORE_GUESS_H
#define TWX_STORE_GUESS_H

#include "store/source.h"

TWX_CHECK twx_rc twx_schema_has_column(twx_db *db, twx_slice table, twx_slice column,
                                       bool *ret_has);
/* Adds from, where, id, url, text, title and the rest as lines of a configuration, and remarks
 * as comments. TWX_DONE: nothing was found; why: what the tables have instead, for people. */
TWX_CHECK twx_rc twx_guess(twx_db *reader, twx_buf *config, twx_buf *why);
/* Place of a name among the usual ones of a column, 0 the best; TWX_USUAL_NONE: it is none of
 * them. */
enum { TWX_USUAL_NONE = 1000 };
size_t twx_usual_place(size_t column, twx_slice name);

#endif
