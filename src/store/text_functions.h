/* store/text_functions.h: what a connection needs before it uses a text index: the tokenizer
 * `twindex` (text/fts_terms.h), and the SQL function whole_title(twindex_text): 1 if the phrases
 * of the query, in order, are exactly the words of the document's title; else 0. bm25 cannot make
 * this distinction: it counts words, and prefers a short document that mentions them to a long one
 * with that title. Words are compared as the tokenizer produces them: by their stems, without case,
 * accents and punctuation. Operators of the query are ignored: `solar OR panel` matches the title
 * "Solar panel". */
#ifndef TWX_STORE_TEXT_FUNCTIONS_H
#define TWX_STORE_TEXT_FUNCTIONS_H

#include "store/db.h"
#include "text/terms.h"

/* Registers both with the connection, once. */
TWX_CHECK twx_rc twx_text_functions_register(twx_db *db);
/* Of the connection's tokenizer; NULL before that. */
twx_terms *twx_text_terms(const twx_db *db);

#endif
