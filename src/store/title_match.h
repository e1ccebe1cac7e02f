/* store/title_match.h: the SQL function whole_title(twindex_text): 1 if the phrases of the query,
 * in order, are exactly the words of the document's title; else 0. bm25 cannot make this
 * distinction: it counts words, and prefers a short document that mentions them to a long one with
 * that title.
 * Words are compared as the tokenizer of the index produces them, without case, accents and
 * punctuation. Operators of the query are ignored: `solar OR panel` matches the title "Solar
 * panel". */
#ifndef TWX_STORE_TITLE_MATCH_H
#define TWX_STORE_TITLE_MATCH_H

#include "store/db.h"

/* Registers the function with the connection, once. */
TWX_CHECK twx_rc twx_title_match_register(twx_db *db);

#endif
