/* text/fts_terms.h: the terms of this folder as a tokenizer of SQLite's FTS5, named "twindex".
 * This file calls no function of SQLite, so a loadable extension can use it, too.
 * Source: sqlite.org/fts5.html, "Custom Tokenizers". */
#ifndef TWX_TEXT_FTS_TERMS_H
#define TWX_TEXT_FTS_TERMS_H

#include <sqlite3.h>

#include "text/text.h"

/* Registers the tokenizer with the connection of api; all tables of the connection share `terms`,
 * which is closed with it, also on failure. Returns an SQLite result code. */
int twx_fts_terms_register(fts5_api *api, twx_terms *terms);

#endif
