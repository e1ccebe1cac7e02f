/* store/title_match.h: the SQL function whole_title(twindex_text): 1 when the phrases of the query,
 * one after the other, are all words of the document's title; else 0. bm25 cannot make that
 * difference: it counts words, and prefers a short document that mentions them to a long one that
 * has the name.
 * The words are those of the tokenizer of the index: case, accents and punctuation do not matter.
 * Operators of the query are not looked at: `solar OR panel` matches the title "Solar panel". */
#ifndef TWX_STORE_TITLE_MATCH_H
#define TWX_STORE_TITLE_MATCH_H

#include "store/db.h"

/* Makes the function known to the connection; does nothing when it is. */
TWX_CHECK twx_rc twx_title_match_register(twx_db *db);

#endif
