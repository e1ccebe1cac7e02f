/* store/guess.h: finds the documents of a store by the contents of its columns, for `check
 * --suggest`, which shows the result and leaves the decision to the user.
 * [R1] Looks for URL and text in one table or FTS table, else in a view. The URL may be split into
 * host and path; the text may be a path of a JSON column, HTML, or compressed.
 * [R2] Otherwise looks for two tables, or three, joined by a foreign key, a column named like one,
 * equal digests, or equal keys, as with the rowid of an FTS table. The other columns are taken from
 * all of them.
 * [R3] Of several rows with one URL the latest by date is used; a text that is split over numbered
 * rows is joined.
 * [R4] Only a few rows of each table are read.
 * [R5] What a page says about itself is read from its HTML if no column has it. Columns that are
 * not mapped are listed. */
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

/* What an HTML page says about itself: the SQL function that gives the value of a column, such as
 * html_robots, and whether it takes the URL of the page, too. NULL: the column is no part of a
 * page. */
const char *twx_page_part(size_t column, bool *ret_with_url);
/* Whether the name is a usual one of the HTML of a page. */
bool twx_is_html_name(twx_slice name);

#endif
