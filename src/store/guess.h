/* store/guess.h: finds the documents of a store by the contents of its columns, for `check
 * --suggest`, which shows the result and leaves the decision to the user. [R1] Looks for URL and
 * text in one table or FTS table, else in a view. The URL may be split into host and path; the text
 * may be a path of a JSON column, HTML, or compressed. [R2] Otherwise looks for two tables joined
 * by a foreign key, a column named like one, or equal digests. [R3] Of several rows with one URL
 * the latest by date is used; a text that is split over numbered rows is joined. [R4] Only a few
 * rows of each table are read. */
#ifndef TWX_STORE_GUESS_H
#define TWX_STORE_GUESS_H

#include "store/source.h"

/* Adds from, where, id, url, text, title and the rest as lines of a configuration, and remarks as
 * comments. TWX_DONE: nothing was found, and `why` describes what the tables contain instead. */
TWX_CHECK twx_rc twx_guess(twx_db *reader, twx_buf *config, twx_buf *why);
/* Rank of a name among the usual names of a column, 0 being the best; TWX_USUAL_NONE if it is not
 * one of them. */
enum { TWX_USUAL_NONE = 1000 };
size_t twx_usual_place(size_t column, twx_slice name);

#endif
