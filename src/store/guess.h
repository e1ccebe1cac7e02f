/* store/guess.h: finds the documents of a store by what its columns hold: for `check --suggest`,
 * which shows what was found and leaves the decision to people. [R1] URL and text of one table;
 * the text may be a path of a JSON column, HTML, or packed. [R2] Else two tables joined by a
 * foreign key, or by a column named like one; of several rows the latest by its date. [R3] The
 * content of an FTS5 table. [R4] Reads at most GUESS_ROWS rows of each table. */
#ifndef TWX_STORE_GUESS_H
#define TWX_STORE_GUESS_H

#include "store/source.h"

TWX_CHECK twx_rc twx_schema_has_column(twx_db *db, twx_slice table, twx_slice column,
                                       bool *ret_has);
/* Adds from, where, id, url, text, title and the rest as lines of a configuration, and remarks
 * as comments. TWX_DONE: nothing was found. */
TWX_CHECK twx_rc twx_guess(twx_db *reader, twx_buf *config);
/* Place of a name among the usual ones of a column, 0 the best; TWX_USUAL_NONE: it is none of
 * them. */
enum { TWX_USUAL_NONE = 1000 };
size_t twx_usual_place(size_t column, twx_slice name);

#endif
